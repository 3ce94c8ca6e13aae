"""All commands describe one thing in one way: lengths of wins, keys, exit statuses."""

import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from gomoku_brain import Board, Engine, Limits, SearchResult
from gomoku_brain.commands import NAMES
from gomoku_brain.commands.analyze import main as analyze
from gomoku_brain.commands.solve import main as solve
from gomoku_brain.records.read import parse_games
from gomoku_brain.study.analysis_text import best_lines
from gomoku_brain.study.rows import lines_row

ROOT = Path(__file__).parents[2]
PACKAGE = "gomoku_brain.commands"
OPEN_THREE = "h8 a1 i8 a2 j8 a3"


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (OPEN_THREE, "win in 2 moves"),
        (f"{OPEN_THREE} k8 a4", "win in 1 move"),
        ("h8 a1 i8 a2 j8 a3 k8", "loss in 1 move"),
    ],
)
def test_a_forced_result_has_the_same_words_everywhere(moves, words, capsys):
    board = Board.from_moves(moves)
    with Engine(hash_mb=1) as engine:
        result = engine.search(board, Limits(nodes=2_000))
        found = engine.find_win(board, limits=Limits(nodes=2_000))
    assert f", {words}, depth" in str(result)
    assert f"{words}, depth" in str(result.lines[0])
    assert analyze([*moves.split(), "--nodes", "2000", "--hash", "1"]) == 0
    assert f"  {words}   " in capsys.readouterr().out
    if words.startswith("win"):
        by_fours = words.replace("win", "win by fours")
        assert by_fours in str(found)
        assert solve([*moves.split(), "--nodes", "2000", "--hash", "1"]) == 0
        assert f"\n{by_fours}\n" in capsys.readouterr().out


COMMANDS = [*NAMES, "openings check", "openings generate", "levels calibrate"]


@pytest.mark.parametrize("words", COMMANDS)
def test_the_help_of_a_command_lists_its_exit_statuses(words, capsys):
    with pytest.raises(SystemExit) as end:
        import_module(f"{PACKAGE}.{words.split()[0]}").main([*words.split()[1:], "-h"])
    assert not end.value.code
    text = capsys.readouterr().out.partition("exit status:\n")[2]
    assert max(map(len, text.splitlines())) <= 79
    rows = re.findall(r"^  (\d+) +([^\n]+)", text, re.M)
    listed = {int(status): meaning for status, meaning in rows}
    assert set(listed) - {0, 1, 2, 130} == (
        {3, 129, 143} if words == "match" else set()
    )
    own = {"match": "elo0", "solve": "--skip-errors", "analyze": "--skip-errors",
           "prove": "not proved", "openings check": "cannot be played",
           "levels calibrate": "65-85 %", "doctor": "a check fails"}  # fmt: skip
    assert own.get(words, "") in listed[1]


def test_lines_are_listed_best_first_also_if_the_search_was_stopped():
    board = Board.from_moves(OPEN_THREE)
    with Engine(hash_mb=1) as engine:
        first, *rest = engine.search(board, Limits(depth=3, multipv=3)).lines
    deeper = replace(rest[-1], score=-500, win_in=None, depth=9)
    result = SearchResult(lines=(deeper, first), **deeper.figures())
    text = "\n".join(best_lines(board, result, None, threats=False))
    places = [text.index(f"{k}.  {line.move!s:>4}") for k, line in
              ((1, first), (2, deeper))]  # fmt: skip
    assert places == sorted(places)
    scores = [row["score"] for row in lines_row(result, None)["lines"]]
    assert scores == [first.score, -500]


def names_in(part):
    """The keys of objects in a JSON schema, and the names that values may have."""
    for key, below in part.items() if isinstance(part, dict) else enumerate(part):
        if key in ("properties", "enum"):
            yield from (name for name in below if isinstance(name, str))
        if isinstance(below, dict | list):
            yield from names_in(below)


def test_keys_and_names_in_json_are_small_words_joined_by_underscores():
    schema = json.loads((ROOT / "docs" / "output.schema.json").read_text("utf-8"))
    found = set(names_in(schema)) - {"H0", "H1"}
    assert {"win_in", "no_win", "double_three"} <= found
    assert [name for name in found if not re.fullmatch("[a-z0-9_]+", name)] == []
    assert not found & {"seen", "wins_in", "size"}
    for row in ("error_line", "bad", "check"):
        assert "message" in schema["$defs"][row]["properties"]


def test_a_printed_position_can_be_read_again(capsys):
    row = ["h8", "h9", "j10", "--size", "12x10", "--rule", "caro_exact"]
    assert solve([*row, "--nodes", "9", "--json"]) == 0
    printed = capsys.readouterr().out.splitlines()[0]
    (game,) = parse_games(printed)
    assert game.board() == Board.from_moves("h8 h9 j10", (12, 10), "caro_exact")
    for size in ({"width": 12, "height": 10}, {"size": [12, 10]}, {"size": "12x10"}):
        (again,) = parse_games(json.dumps({"moves": "h8 h9 j10", **size}))
        assert again.board() == Board.from_moves("h8 h9 j10", (12, 10))
