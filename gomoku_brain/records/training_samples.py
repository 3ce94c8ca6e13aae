"""Training samples: the positions of finished games with move, score and result."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game, as_record
from gomoku_brain.records.game_record import GameRecord

__all__ = ["TrainingSample", "sample_lines", "training_samples"]

_PLAYED_OUT = frozenset({"five", "full board", "foul", "adjudicated", "max moves", ""})
_POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """Position of a game, with the move played in it and the result of the game."""

    rule: Rule
    width: int
    height: int
    moves: tuple[Move, ...]
    """Moves that led to the position, black first."""
    move: Move
    """Move that the player chose."""
    result: float
    """Points of the game for the side to move: 1, 1/2 or 0."""
    score: int | None = None
    """Score that the player reported, in its own units; None if it did not."""
    win_in: int | None = None
    """Plies to a forced end that the player reported, negative for a loss."""
    depth: int | None = None
    nodes: int | None = None
    game: str = ""
    """The id of the game."""

    def board(self) -> Board:
        """Return the position."""
        return Board.from_moves(self.moves, (self.width, self.height), self.rule)

    def json_line(self) -> str:
        """Return the sample as a line of JSON, without unknown keys."""
        row = {
            "game": self.game,
            "rule": self.rule.name.lower(),
            "width": self.width,
            "height": self.height,
            "moves": format_moves(self.moves),
            "move": str(self.move),
            "result": self.result,
            "score": self.score,
            "win_in": self.win_in,
            "depth": self.depth,
            "nodes": self.nodes,
        }
        return json.dumps({k: v for k, v in row.items() if v is not None})


def training_samples(
    game: Game | GameRecord | Board, *, faults: bool = False
) -> Iterator[TrainingSample]:
    """Return a sample for each move that a player chose, in the order of the game.

    There is none for a game without a result, and, unless ``faults``, for one that
    ended by a crash, a late answer or the like: its result is no evidence about its
    positions. Raises ValueError for a game that is no record: see ``Game.record``.
    """
    return _samples(as_record(game), faults)


def _samples(record: GameRecord, faults: bool) -> Iterator[TrainingSample]:
    points = _POINTS.get(record.result)
    if points is None or not (faults or record.reason in _PLAYED_OUT):
        return
    moves = tuple([played.move for played in record.moves])
    for place, played in enumerate(record.moves):
        if played.by_opening:
            continue
        side = Side.BLACK if place % 2 == 0 else Side.WHITE
        yield TrainingSample(
            record.rule,
            record.width,
            record.height,
            moves[:place],
            played.move,
            points if side is Side.BLACK else 1 - points,
            played.score,
            played.win_in,
            played.depth,
            played.nodes,
            record.id,
        )


def sample_lines(games: Iterable[Game | GameRecord], *, faults: bool = False) -> str:
    """Return the samples of games as lines of JSON."""
    return "".join(
        [
            f"{sample.json_line()}\n"
            for game in games
            for sample in training_samples(game, faults=faults)
        ]
    )
