"""Arrays for a fit, made from lines of self-play.

A dataset holds two problems over the same games: *values* (one row for each position
that a static evaluation could meet) and *choices* (one row for each position with
several moves).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import move_features, position_features
from gomoku_brain.lab.train.samples import SampledGame, game_of, lines_in_order, naming
from gomoku_brain.runs.run_options import ProgressWriter

__all__ = ["Dataset", "dataset_of"]

Array = Any  # numpy.ndarray; numpy is imported late


@dataclass(slots=True)
class Dataset:
    """Arrays with one row for each position, and ragged arrays with ``starts`` into
    them.
    """

    game: Array
    """Number of the game of each value row, to split the rows by games."""
    side: Array
    """0 if black is to move, 1 for white."""
    score: Array
    """Score of the search for the side to move, in evaluation units."""
    result: Array
    """1, 0.5 or 0 for the side to move."""
    tempo: Array
    """Index of the tempo term."""
    starts: Array
    """Start of each row in ``kinds``: those of row k are ``kinds[starts[k]:starts[k +
    1]]``.
    """
    kinds: Array
    counts: Array
    choice_game: Array
    choice_side: Array
    choice_starts: Array
    choice_mine: Array
    choice_theirs: Array
    chosen: Array
    """Index of the move played, counted over all choices."""


def _searched_plies(game: SampledGame, rule: Rule) -> Iterator[tuple[Board, Move, str]]:
    """Yield the board before each move that a search found, the move, and its score.

    It is the same board object each time, with the moves played on it.
    """
    opening = len(game.moves) - len(game.scores)
    board = Board.from_moves(game.moves[:opening], game.size, rule)
    for move, score_word in zip(game.moves[opening:], game.scores, strict=True):
        yield board, move, score_word
        board.play(move)


def dataset_of(
    paths: Iterable[Path],
    rule: Rule,
    *,
    choices_every: int = 2,
    most: int | None = None,
) -> Dataset:
    """Replay the games of self-play files as a dataset.

    Positions with a proved score are no value rows. A position where another move was
    played than the one found is no choice row. One in ``choices_every`` choices is
    stored. ``most`` limits the games of each file, by their numbers.

    Raises OSError, and ValueError for a line that is no game and for a file with a
    missing game.
    """
    import numpy

    game: list[int] = []
    side: list[int] = []
    score: list[int] = []
    result: list[float] = []
    tempo: list[int] = []
    sizes: list[int] = []
    kinds, counts = bytearray(), bytearray()
    choice_game: list[int] = []
    choice_side: list[int] = []
    choice_sizes: list[int] = []
    mine, theirs = bytearray(), bytearray()
    chosen: list[int] = []
    choices = 0
    progress_writer = ProgressWriter()
    for done, (path, line) in enumerate(lines_in_order(paths, most), 1):
        with naming(path, line):
            played = game_of(line)
            number = played.number
            for board, move, score_word in _searched_plies(played, rule):
                turn = int(board.turn)
                seen = None if score_word[0] in "WL" else position_features(board)
                if seen is not None:
                    game.append(number)
                    side.append(turn)
                    score.append(int(score_word.rstrip("*")))
                    won = played.outcome if turn == 0 else -played.outcome
                    result.append((won + 1) / 2)
                    tempo.append(seen[2])
                    sizes.append(len(seen[0]) // 2)
                    kinds += seen[0]
                    counts += seen[1]
                if score_word.endswith("*") or score_word.startswith("L"):
                    continue
                choices += 1
                among = None if choices % choices_every else move_features(board, move)
                if among is not None:
                    chosen.append(len(mine) // 2 + among[2])
                    choice_game.append(number)
                    choice_side.append(turn)
                    choice_sizes.append(len(among[0]) // 2)
                    mine += among[0]
                    theirs += among[1]
        progress_writer.write(partial("{} games read".format, done))
    progress_writer.end()

    def starts(lengths: list[int]) -> Array:
        return numpy.concatenate(([0], numpy.cumsum(lengths, dtype=numpy.int64)))

    return Dataset(
        game=numpy.array(game, numpy.int32),
        side=numpy.array(side, numpy.int8),
        score=numpy.array(score, numpy.float32),
        result=numpy.array(result, numpy.float32),
        tempo=numpy.array(tempo, numpy.int32),
        starts=starts(sizes),
        kinds=numpy.frombuffer(bytes(kinds), numpy.uint16),
        counts=numpy.frombuffer(bytes(counts), numpy.uint16),
        choice_game=numpy.array(choice_game, numpy.int32),
        choice_side=numpy.array(choice_side, numpy.int8),
        choice_starts=starts(choice_sizes),
        choice_mine=numpy.frombuffer(bytes(mine), numpy.uint16),
        choice_theirs=numpy.frombuffer(bytes(theirs), numpy.uint16),
        chosen=numpy.array(chosen, numpy.int64),
    )
