"""Our referee against the results that another one, c-gomoku-cli, gave."""

from pathlib import Path

import pytest

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.referee import GameTask, play_game
from tests.match.engines import fake
from tests.sampled import some_of

FILE = Path(__file__).parents[1] / "positions" / "refereed.txt"
GAMES = [
    line.partition("#")[0].split()
    for line in FILE.read_text("ascii").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(
    ("rule", "size", "result", "reason", "text"),
    some_of(GAMES, 3, "more games of the same referee"),
    ids=lambda word: word if len(word) < 20 else "game",
)
def test_results_are_those_of_another_referee(rule, size, result, reason, text):
    moves = parse_moves(text)
    cells = [f"{x},{y}" for x, y in moves]
    time = PlayerLimits(turn=20)
    task = GameTask(
        id="x",
        rule=Rule[rule.upper()],
        size=int(size),
        black=fake("--moves", " ".join(cells[::2])),
        white=fake("--moves", " ".join(cells[1::2])),
        black_limits=time,
        white_limits=time,
    )
    record = play_game(task)
    assert [played.move for played in record.moves] == moves
    assert (record.result, record.reason) == (result, reason.replace("-", " "))
