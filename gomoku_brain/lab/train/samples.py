"""Positions of self-play as arrays on disk, for training on millions of them.

A folder holds the games (their scores, sizes and results). For each position that a
static evaluation could meet, it also holds the game, the number of stones, the score of
the search, the kinds of the empty cells for the linear evaluation, and the kinds of all
cells. The arrays are mapped into memory, not loaded.

A position that a search evaluated (``evaluated``) is a game of its own here, without a
result and with one score, before its last move.
"""

import json
from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import kinds_of_cells, position_features
from gomoku_brain.lab.train.losses import (
    LOST,
    UNPLAYED,
    WON,
    is_held_out,
    result_of,
    returns_of,
)
from gomoku_brain.lab.train.numbered import checksum, numbered_lines
from gomoku_brain.runs.output_files import make_folder
from gomoku_brain.runs.run_options import ProgressLine

__all__ = [
    "SampledGame",
    "Samples",
    "game_lines",
    "game_of",
    "games_of",
    "is_made_of",
    "lines_in_order",
    "make_samples",
    "naming",
    "open_samples",
    "score_of",
]

Array = Any  # numpy.ndarray; numpy is imported late

HEADER = "samples.json"
VERSION = 5
UNSCORED = -32768  # ``search_score`` of moves that no search has chosen
TYPES = {
    "search_score": "<i2",
    "shaken": "u1",
    "game_start": "<i8",
    "game_size": "u1",
    "outcome": "i1",
    "number": "<i4",
    "game": "<i4",
    "ply": "<u2",
    "score": "<i2",
    "tempo": "<u2",
    "starts": "<i8",
    "kinds": "<u2",
    "counts": "<u2",
    "cell_start": "<i8",
    "cells": "<u2",
}


@dataclass(slots=True)
class Samples:
    """Arrays of games and positions; a row of ``game``, ``ply``, ``score`` and
    ``tempo`` is a position.
    """

    search_score: Array
    """Score of the search before each move of all games, for the side to move; WON,
    LOST, UNSCORED.
    """
    shaken: Array
    """1 for a move that differs from the move that the search chose, else 0."""
    game_start: Array
    """Start of each game: the scores of game g are
    ``search_score[game_start[g]:game_start[g + 1]]``.
    """
    game_size: Array
    """Cells along a side of each game's board."""
    outcome: Array
    """Result of each game for black: 1, 0 or -1; UNPLAYED if there is none."""
    number: Array
    """Number of each game in its file; an evaluated position has its game's number."""
    game: Array
    ply: Array
    """Number of stones on the board; black is to move if it is even."""
    score: Array
    """Score of the search for the side to move, in evaluation units."""
    tempo: Array
    """Index of the tempo term; see ``eval.linear``."""
    starts: Array
    """Start of each row: those of row k are ``kinds[starts[k]:starts[k + 1]]``, also in
    ``counts``.
    """
    kinds: Array
    """Kinds of the cells; see ``features.position_features``."""
    counts: Array
    cell_start: Array
    """Start of each row's cells: ``cells[2 * cell_start[k]]``."""
    cells: Array
    """Kinds of all cells; see ``features.kinds_of_cells``."""

    def __len__(self) -> int:
        return len(self.game)

    @property
    def side(self) -> Array:
        """0 if black is to move, 1 for white."""
        return (self.ply & 1).astype("i1")

    @property
    def played(self) -> Array:
        """Whether the position is of a game, which has a result."""
        return (self.outcome != UNPLAYED)[self.game]

    @property
    def held_out(self) -> Array:
        """Whether the position's game is held out from a fit
        (``losses.is_held_out``).
        """
        return is_held_out(self.number[self.game])

    @property
    def result(self) -> Array:
        """1, 0.5 or 0 for the side to move; not a number if no game was played from
        it.
        """
        return result_of(self.outcome[self.game], self.side)

    def returns(self, scale: float, decay: float) -> Array:
        """Return the opinion of the later searches of the game on each position, 0 to
        1; see ``losses.returns_of``.
        """
        import numpy

        begin = numpy.asarray(self.game_start[:-1])
        value = returns_of(
            self.search_score,
            self.shaken,
            numpy.arange(len(self.search_score))
            - numpy.repeat(begin, numpy.diff(self.game_start)),
            self.game_start,
            self.outcome,
            scale,
            decay,
        )
        found: Array = value[begin[self.game] + self.ply]
        return found


class SampledGame(NamedTuple):
    """Game, or position that was evaluated, of a line."""

    number: int
    size: int
    outcome: int
    moves: list[Move]
    scores: list[str]
    """Scores of the last moves."""


def make_samples(
    folder: Path,
    paths: Iterable[Path],
    rule: Rule,
    *,
    most: int | None = None,
) -> Samples:
    """Replay games into a folder; existing samples are overwritten.

    Positions that static tests decide and those with only one move against a five are
    left out, since they are never evaluated. So are positions of a game with a proved
    score. Raises ValueError for a line that is neither a game nor evaluated positions.
    """
    lines = lines_in_order(paths, most)
    make_folder(folder)
    with ExitStack() as stack:
        files: dict[str, BinaryIO] = {
            field.name: stack.enter_context((folder / field.name).open("wb"))
            for field in fields(Samples)
        }
        writer = _Writer(files, rule)
        progress = stack.enter_context(ProgressLine("lines read", len(lines)))
        for done, (path, line) in enumerate(lines, 1):
            with naming(path, line):
                for game in games_of(line):
                    writer.add_game(game)
            if done % 500 == 0:
                writer.flush()
            progress.show(done)
        writer.flush()
    header = {"version": VERSION, "rule": rule.name, "games": _checksum_of(lines)}
    (folder / HEADER).write_text(json.dumps(header) + "\n", encoding="ascii")
    return open_samples(folder, rule)


class _Writer:
    """Writer that adds games to the files of ``Samples``; ``flush`` writes its
    buffers.
    """

    def __init__(self, files: dict[str, BinaryIO], rule: Rule) -> None:
        self._files = files
        self._rule = rule
        small = ("game_start", "number", "game", "ply", "score", "tempo", "starts")
        names = (*small, "cell_start")
        self._held = {name: array(_code(TYPES[name])) for name in names}
        self._held["starts"].append(0)
        self._held["game_start"].append(0)
        self._moves = self._kinds = self._cells = self._games = 0  # so far

    def add_game(self, game: SampledGame) -> None:
        """Write a game and those of its positions that count."""
        board = Board(game.size, self._rule)
        opening = len(game.moves) - len(game.scores)
        search_score = array("h", [UNSCORED] * opening)
        search_score.extend(score_of(score) for score in game.scores)
        for score, move in zip(search_score, game.moves, strict=True):
            counts = abs(score) < WON or game.outcome == UNPLAYED
            if score != UNSCORED and counts:
                self._add_position(board, score)
            board.play(move)
        shaken = bytes(score.endswith("*") for score in game.scores)
        self._files["game_size"].write(bytes([game.size]))
        self._files["outcome"].write(game.outcome.to_bytes(1, signed=True))
        self._files["search_score"].write(search_score.tobytes())
        self._files["shaken"].write(bytes(opening) + shaken)
        self._moves += len(game.moves)
        self._held["number"].append(game.number)
        self._held["game_start"].append(self._moves)
        self._games += 1

    def _add_position(self, board: Board, score: int) -> None:
        seen = position_features(board)
        if seen is None:
            return
        kinds, counts, tempo = seen
        self._held["game"].append(self._games)
        self._held["ply"].append(board.ply)
        self._held["score"].append(score)
        self._held["tempo"].append(tempo)
        self._files["kinds"].write(kinds)
        self._files["counts"].write(counts)
        self._kinds += len(kinds) // 2
        self._held["starts"].append(self._kinds)
        self._held["cell_start"].append(self._cells)
        self._files["cells"].write(kinds_of_cells(board))
        self._cells += board.width * board.height

    def flush(self) -> None:
        """Write the buffers, so that the files are complete."""
        for name, numbers in self._held.items():
            self._files[name].write(numbers.tobytes())
            del numbers[:]


def open_samples(folder: Path, rule: Rule) -> Samples:
    """Map the arrays of a folder. ValueError for another rule or version."""
    import numpy

    header = json.loads((folder / HEADER).read_text("ascii"))
    if header["version"] != VERSION or header["rule"] != rule.name:
        raise ValueError(
            f"{folder}: no samples of {rule.name.lower()} in format {VERSION}"
        )
    arrays: dict[str, Array] = {}
    for field in fields(Samples):
        path, kind = folder / field.name, TYPES[field.name]
        if path.stat().st_size:
            arrays[field.name] = numpy.memmap(path, kind, "r")
        else:
            arrays[field.name] = numpy.zeros(0, kind)
    return Samples(**arrays)


def is_made_of(folder: Path, paths: Iterable[Path], most: int | None) -> bool:
    """Whether the samples of a folder were made from these lines; see
    ``make_samples``.
    """
    header = json.loads((folder / HEADER).read_text("ascii"))
    return bool(header["games"] == _checksum_of(lines_in_order(paths, most)))


def lines_in_order(paths: Iterable[Path], most: int | None) -> list[tuple[Path, str]]:
    """Return the lines of each file by their numbers, those below ``most``, with the
    file.

    Raises OSError and ValueError as ``numbered_lines``.
    """
    return [(path, line) for path in paths for line in numbered_lines(path, most)]


def _checksum_of(lines: Iterable[tuple[Path, str]]) -> str:
    return checksum(line for _, line in lines)


@contextmanager
def naming(path: Path, line: str | None = None) -> Iterator[None]:
    """Prefix a ValueError inside with the name of the file, and with the line if
    given.
    """
    try:
        yield
    except ValueError as error:
        shown = "" if line is None else f": {line.rstrip()[:60]!r}"
        raise ValueError(f"{path}: {error}{shown}") from error


def game_of(line: str) -> SampledGame:
    """Return the game in a line of ``selfplay``. ValueError for another line."""
    try:
        number, size, outcome, played, search_score = line.split()
        moves, scores = parse_moves(played), search_score.split(",")
        if outcome not in ("1", "0", "-1") or len(scores) > len(moves):
            raise ValueError
        for score in scores:
            score_of(score)
        return SampledGame(int(number), int(size), int(outcome), moves, scores)
    except ValueError:
        raise ValueError("not a game of self-play") from None


def game_lines(path: Path, rule: Rule, most: int | None = None) -> list[str]:
    """Return the lines of a file of self-play by their numbers, only those below
    ``most``.

    Every game is replayed. Raises OSError, and ValueError, with the file and the line,
    for a line that is no game of this rule.
    """
    lines = numbered_lines(path, most)
    for line in lines:
        with naming(path, line):
            game = game_of(line)
            Board.from_moves(game.moves, game.size, rule)
    return lines


def games_of(line: str) -> list[SampledGame]:
    """Return the games of a line of ``selfplay`` or ``evaluated``. ValueError for
    another.
    """
    words = line.split()
    if len(words) < 3 or not words[2][0].isalpha():
        return [game_of(line)]
    found = []
    try:
        number, size, root = int(words[0]), int(words[1]), parse_moves(words[2])
        for word in words[3:]:
            path, score = word.split("=")
            score_of(score)
            moves = root + parse_moves(path)
            found.append(SampledGame(number, size, UNPLAYED, moves, [score]))
    except ValueError:
        raise ValueError("not positions that searches evaluate") from None
    return found


def score_of(score: str) -> int:
    """Return the ``search_score`` of a score of a line. ValueError for another text."""
    if score[:1] in ("W", "L"):
        return WON if score[0] == "W" else LOST
    number = int(score.rstrip("*"))
    if not LOST < number < WON:
        raise ValueError
    return number


def _code(kind: str) -> str:
    return {"<i8": "q", "<i4": "i", "<u2": "H", "<i2": "h"}[kind]
