"""The levels that the package ships are those of the tests."""

import json

from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.study.puzzles import puzzle_levels
from tests.boards import stones_of
from tests.cases import POSITIONS


def test_the_shipped_levels_are_the_collected_ones():
    lines = (POSITIONS / "levels.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    puzzles = puzzle_levels()
    assert [puzzle.number for puzzle in puzzles] == list(range(1, 21))
    for puzzle, row in zip(puzzles, rows, strict=True):
        black, white, walls = stones_of(puzzle.board)
        assert sorted(black) == sorted(tuple(cell) for cell in row["black"])
        assert sorted(white) == sorted(tuple(cell) for cell in row["white"])
        assert not walls
        assert puzzle.board.turn == Side.BLACK
        assert puzzle.board.rule == Rule.FREESTYLE
        assert (puzzle.board.width, puzzle.board.height) == (15, 15)
        assert [list(puzzle.move)] == row["expected"]["moves"]
        assert puzzle.plies == row["expected"]["plies"]


def test_every_caller_gets_boards_of_its_own():
    puzzle_levels()[0].board.play((0, 0))
    assert puzzle_levels()[0].board.is_empty((0, 0))
