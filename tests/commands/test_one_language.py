"""All commands describe one thing in one way: lengths of wins, keys, exit statuses."""

import pytest

from gomoku_brain import Board, Engine, Limits
from gomoku_brain.commands.analyze import main as analyze
from gomoku_brain.commands.solve import main as solve

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
