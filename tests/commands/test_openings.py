"""``gomoku-brain openings``: what it prints, writes and returns."""

import json

import pytest

from gomoku_brain.commands import _opening_lists as openings
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.openings import duplicates, read_openings
from tests.commands.command import command

main = command("openings")
TINY = ["generate", "--nodes", "800", "--count", "8", "--check", "1600"]


def run(capsys, *arguments):
    """(exit status, standard output, standard error)."""
    status = main([str(word) for word in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.slow("a list generated twice, also in two processes", ci=True)
def test_generated_lists_are_the_same_and_name_their_command(capsys, tmp_path):
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    status, out, _ = run(capsys, *TINY, "--out", one)
    assert status == 0
    assert out.startswith(f"8 openings in {one}, of ")
    header, *lines = one.read_text().splitlines()
    assert len(lines) == 8
    assert duplicates(read_openings(one, 15), 15) == []

    words = header.split()[4:]
    assert header.startswith("# gomoku-brain openings generate --rule freestyle ")
    assert run(capsys, "generate", *words, "--workers", 2, "--out", two)[0] == 0
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "two.txt"]


def test_an_interrupted_run_is_continued(capsys, tmp_path, monkeypatch):
    whole, broken = tmp_path / "whole.txt", tmp_path / "broken.txt"
    run(capsys, *TINY, "--rule", "renju", "--out", whole)
    real = openings.generate

    def interrupted(recipe, first=0, workers=1):
        found = 0
        for number, opening in real(recipe, first, workers):
            if found == 4:
                raise KeyboardInterrupt
            yield number, opening
            found += opening is not None

    monkeypatch.setattr(openings, "generate", interrupted)
    status, out, _ = run(capsys, *TINY, "--rule", "renju", "--out", broken, "--json")
    part = tmp_path / "broken.txt.part"
    kept = json.loads(out)
    assert status == 130
    assert kept["file"] == str(part)
    assert 0 < kept["openings"] < 8
    assert not broken.exists()

    with part.open("a") as file:
        file.write("h8i9j1")  # cut off by a kill
    monkeypatch.setattr(openings, "generate", real)
    status, out, _ = run(capsys, *TINY, "--rule", "renju", "--seed", 2, "--out", broken)
    assert status == 2, "another seed is another list"
    assert run(capsys, *TINY, "--rule", "renju", "--out", broken)[0] == 0
    assert broken.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["check", "none.txt"], "none.txt: No such file or directory"),
        (["info", "--size", "11"], "the book is for boards of 12x12 and more"),
        (["list", "--count", "9999"], "9999 openings wanted, and there are 2048"),
        (["balance", "--games", "0"], "is not a whole number of 1 or more"),
        (
            [*TINY, "--size", "5", "--out", "x.txt"],
            "a whole number from 12 to 22",
        ),
        (
            [*TINY, "--check", "-1", "--out", "x.txt"],
            "is not a whole number of 0 or more",
        ),
        ([*TINY, "--out", "no/x.txt"], "there is no folder no"),
        ([*TINY, "--out", "."], "exists; remove it"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    capsys, tmp_path, monkeypatch, arguments, why
):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("gomoku-brain openings")
    assert why in err
    assert err.count("\n") == 1


def test_check_names_all_that_is_wrong(capsys, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("h8i9\n0,0, 0,0\nh8g9\nf8a1g8a3h6a5h7a7h8\n")
    status, out, _ = run(capsys, "check", path, "--rule", "renju")
    assert status == 1
    assert out.splitlines() == [
        "line 2: move 2, h8, is on a stone",
        "line 4: move 9, h8, is forbidden to black (double three)",
        "line 3 equals line 1",
        "2 openings can be played, 2 lines cannot, 1 openings occur twice",
    ]
    assert run(capsys, "check", "--rule", "caro", "--part", "final")[0] == 0


def test_info_counts(capsys, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("h8i9j8\nh8i9\na1h8\ne5h8\n")
    status, out, _ = run(capsys, "info", path, "--json")
    assert status == 0
    assert json.loads(out) == {
        "type": "openings",
        "openings": 4,
        "equal": 0,
        "black_to_move": 3,
        "stones": {"2": 3, "3": 1},
        "region": {"centre": 3, "outer_lines": 1},
    }


def test_list_prints_what_it_reads(capsys, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("0,0, 2,2\n-7,7, 1,0\n")
    assert run(capsys, "list", path)[1] == "h8j10\na15i8\n"
    assert run(capsys, "list", path, "--as", "offset")[1] == path.read_text()
    status, out, _ = run(
        capsys, "list", "--size", 20, "--part", "final", "--count", 5, "--seed", 1
    )
    assert status == 0
    assert len(read_openings(out, 20, "pos", Rule.FREESTYLE)) == 5


def test_balance_is_counted_and_repeatable(capsys):
    words = ("balance", "--sample", 3, "--games", 2, "--nodes", 100, "--json")
    status, out, _ = run(capsys, *words)
    result = json.loads(out)
    assert status == 0
    assert len(result["played"]) == 3
    assert result["games"] == 6
    points = [value for row in result["played"] for value in row["points"]]
    assert result["black"] == pytest.approx(sum(points) / 6)
    assert run(capsys, *words)[1] == out


@pytest.mark.slow("plays 120 games", ci=True)
def test_even_states_a_score_and_its_error(capsys):
    words = ("even", "--positions", 60, "--games", 1, "--nodes", 300, "--seed", 2)
    status, out, _ = run(capsys, *words, "--json")
    result = json.loads(out)
    assert status == 0
    assert result["positions"] == 60
    assert 0 < result["black"] < 1
    assert result["error"] > 0
    assert run(capsys, *words)[1].startswith(
        f"black's score in an even position: {result['even']:.0f}, standard error"
    )
    status, out, err = run(capsys, "even", "--positions", 1)
    assert (status, out) == (2, "")
    assert err.endswith(
        "openings: the results do not depend on the scores; play more games\n"
    )


def test_shares_are_of_games_and_of_openings():
    assert openings.balance_of([[1.0, 1.0], [0.0, 0.5], [0.0, 1.0]]) == {
        "games": 6,
        "black": 3.5 / 6,
        "draws": 1 / 6,
        "one_colour": 1 / 3,
    }


def test_an_interrupted_balance_states_what_was_played(capsys, monkeypatch):
    points = iter([1.0, 0.0])

    def black_points(*_):
        for value in points:
            return value
        raise KeyboardInterrupt

    monkeypatch.setattr(openings, "black_points", black_points)
    status, out, _ = run(capsys, "balance", "--games", 1)
    assert status == 130
    assert out.startswith("2 openings, 2 games: black scores 50.0%")


def test_bytes_of_no_encoding_are_printed(capsys, tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(b"h8 h9 j10\nh8 \x81\xff\n")
    status, out, _ = run(capsys, "check", path)
    assert status == 1
    assert "line 2" in out
    out.encode("utf-8")
