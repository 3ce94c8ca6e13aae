"""Ratings of the players in any records, several files together."""

import json

import pytest

from gomoku_brain import GameRecord, Move, PlayedMove, Rule, to_json, to_psq, to_sgf
from tests.commands.command import command

main = command("rate")


def game(black, white, result, first=0, name=""):
    moves = [Move(first + i // 2, first + 2 * (i % 2)) for i in range(9)]
    played = tuple([PlayedMove(move) for move in moves])
    return GameRecord(Rule.FREESTYLE, 15, 15, black, white, played, result, id=name)


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    first = [game("a", "b", "1-0", k, f"1-2.{k}a") for k in range(3)]
    first += [game("b", "a", "1/2-1/2", k, f"1-2.{k}b") for k in range(2)]
    (tmp_path / "games.jsonl").write_text("".join(f"{to_json(g)}\n" for g in first))
    (folder / "one.sgf").write_text(to_sgf(game("b", "c", "1-0")))
    (folder / "two.psq").write_bytes(to_psq(game("c", "b", "1-0")).encode())
    more = to_sgf(game("c", "d", "*")) + to_sgf(game("", "c", "1-0"))
    (folder / "three.sgf").write_text(more)
    return [str(tmp_path / "games.jsonl"), str(folder)]


def table(capsys):
    return json.loads(capsys.readouterr().out)


def test_records_of_all_formats_are_counted_together(files, capsys):
    assert main([*files, "--json"]) == 0
    row = table(capsys)
    assert (row["games"], row["skipped"], row["copies"]) == (7, 2, 0)
    results = {
        (p["first"], p["second"]): (p["wins"], p["draws"], p["losses"], p["pairs"])
        for p in row["pairings"]
    }
    assert results["a", "b"] == (3, 2, 0, 2)
    (other,) = set(results) - {("a", "b")}
    assert set(other) == {"b", "c"}
    assert results[other] == (1, 0, 1, 0)
    assert row["ranking"][0]["name"] == "a"
    assert main([*files, "--anchor", "c=2000"]) == 0
    said = capsys.readouterr().out
    assert "(from c = 2000)" in said
    assert "games without a result or without two names: 2" in said


def test_a_file_given_twice_counts_once(files, capsys):
    assert main([files[0], files[0], "--json"]) == 0
    row = table(capsys)
    assert row["copies"] == 5
    (pairing,) = row["pairings"]
    assert (pairing["games"], pairing["pairs"]) == (5, 2)


def test_what_cannot_be_rated_is_said(files, tmp_path, capsys):
    bad = tmp_path / "bad.sgf"
    broken = "(;GM[4]SZ[15]PB[a]PW[b]RE[B+];B[hh];W[hh])"
    bad.write_text(broken)
    assert main([files[0], str(bad)]) == 2, "nothing in it"
    bad.write_text(broken + to_sgf(game("b", "c", "1-0")))
    capsys.readouterr()
    assert main([files[0], str(bad)]) == 0
    said = capsys.readouterr()
    assert "the cell is occupied" in said.err
    assert "b - c: 1 games" in said.out
    empty = tmp_path / "empty.sgf"
    empty.write_text(to_sgf(game("c", "d", "*")))
    assert main([str(empty)]) == 1
    assert "no game counts" in capsys.readouterr().out
    assert main([files[0], "--anchor", "z"]) == 2
    assert "the players are a, b" in capsys.readouterr().err
    assert main([str(tmp_path / "none.sgf")]) == 2


def test_pairings_are_in_the_order_of_their_first_games(tmp_path, capsys):
    games = [game("b", "a", "1-0"), game("d", "c", "1-0"), game("a", "b", "1-0", 1)]
    (tmp_path / "games.jsonl").write_text("".join(f"{to_json(g)}\n" for g in games))
    assert main([str(tmp_path / "games.jsonl"), "--json"]) == 0
    pairings = [(p["first"], p["second"]) for p in table(capsys)["pairings"]]
    assert pairings == [("b", "a"), ("d", "c")]
