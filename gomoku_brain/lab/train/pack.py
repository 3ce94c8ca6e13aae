"""Packing of the lines of self-play into the rows of ``packed``.

The file is read line by line, and may still be growing: the lines are packed up to the
first number that is missing. The same command continues a folder, also after a kill.
"""

import argparse
import hashlib
import json
from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import position_features
from gomoku_brain.lab.train.losses import UNPLAYED, WON
from gomoku_brain.lab.train.packed import (
    HEADER,
    TYPES,
    VERSION,
    Packed,
    Positions,
    open_packed,
)
from gomoku_brain.lab.train.program_options import (
    add_most,
    add_rule,
    make_parser,
    run,
)
from gomoku_brain.lab.train.samples import games_of, naming, score_of
from gomoku_brain.runs.output_files import make_folder, write_whole
from gomoku_brain.runs.run_options import ProgressWriter

__all__ = ["main", "pack"]

LINES_AT_ONCE = 2000  # lines between two states of a folder that can be continued
CODES = {"<i8": "q", "<i4": "i", "<u2": "H", "<i2": "h", "u1": "B", "i1": "b"}


class _Columns:
    """Columns of new lines, and the lengths of all columns with those on disk."""

    def __init__(self, lengths: dict[str, int]) -> None:
        self.lengths = lengths
        self.new = {name: array(CODES[kind]) for name, kind in TYPES.items()}

    def length(self, name: str) -> int:
        return self.lengths[name] + len(self.new[name])

    def add_line(self, line: str, rule: Rule) -> None:
        """Add a line with its moves and rows. ValueError for another line."""
        games = games_of(line)
        if not games:  # a search that evaluated nothing
            return
        new, start = self.new, self.length("moves")
        common: list[int] = []
        for game in games:
            board = Board(game.size, rule)
            cells = [move.y * game.size + move.x for move in game.moves]
            shared = 0
            while shared < min(len(common), len(cells) - 1) and (
                common[shared] == cells[shared]
            ):
                shared += 1
            shift = self.length("moves") - start - shared
            new["moves"].extend(cells[shared:])
            opening = len(cells) - len(game.scores)
            for ply, move in enumerate(game.moves):
                if ply >= opening:
                    word = game.scores[ply - opening]
                    score = score_of(word)
                    counts = abs(score) < WON or game.outcome == UNPLAYED
                    new["at"].append(shift + ply)
                    new["ply"].append(ply)
                    new["shared"].append(shared)
                    new["score"].append(score)
                    new["shaken"].append(word.endswith("*"))
                    new["counts"].append(
                        counts and position_features(board) is not None
                    )
                board.play(move)
            common = common or cells
        new["number"].append(games[0].number)
        new["size"].append(games[0].size)
        new["outcome"].append(games[0].outcome)
        new["move_start"].append(start)
        new["row_end"].append(self.length("at"))

    def write(self, files: dict[str, Any]) -> None:
        """Append the new lines to the files."""
        for name, file in files.items():
            file.write(self.new[name].tobytes())
            file.flush()
            self.lengths[name] += len(self.new[name])
            del self.new[name][:]


def pack(folder: Path, path: Path, rule: Rule, most: int | None = None) -> Packed:
    """Pack the lines of a file that a folder lacks, only those with numbers below
    ``most``.

    Raises ValueError for a line that is neither a game nor evaluated positions, for a
    folder of another file, and for a missing number below ``most``.
    """
    make_folder(folder)
    header = _header(folder, path, rule)
    columns = _Columns(header["lengths"])
    progress = ProgressWriter()
    with ExitStack() as stack:
        files = {
            name: stack.enter_context((folder / name).open("ab")) for name in TYPES
        }
        for name, file in files.items():  # the rest is of a run that was killed
            file.truncate(columns.lengths[name] * array(CODES[TYPES[name]]).itemsize)

        def write() -> None:
            columns.write(files)
            write_whole(folder / HEADER, json.dumps(header) + "\n")

        for line in _lines_from(path, header["lines"], most):
            with naming(path, line):
                columns.add_line(line, rule)
            header["lines"] += 1
            if header["lines"] % LINES_AT_ONCE == 0:
                write()
            progress.write(lambda: f"{header['lines']} lines packed")
        write()
    progress.end()
    if most is not None and header["lines"] < most:
        raise ValueError(f"{path}: number {header['lines']} is missing")
    return open_packed(folder)


def _header(folder: Path, path: Path, rule: Rule) -> dict[str, Any]:
    """Return the state of a folder. ValueError if its lines are of another file."""
    with path.open(encoding="ascii", errors="backslashreplace") as file:
        first = next((line for line in file if line.startswith("0 ")), "")
    mark = hashlib.sha256(first.encode()).hexdigest()
    new = {"version": VERSION, "rule": rule.name, "first": mark}
    if not (folder / HEADER).exists():
        return new | {"lines": 0, "lengths": dict.fromkeys(TYPES, 0)}
    header: dict[str, Any] = json.loads((folder / HEADER).read_text("ascii"))
    if {name: header.get(name) for name in new} != new:
        raise ValueError(f"{folder} holds positions of another file or format")
    return header


def _lines_from(path: Path, first: int, most: int | None) -> Iterator[str]:
    """Yield the lines of a file from number ``first`` in order, up to a missing one."""
    waiting: dict[int, str] = {}
    with path.open(encoding="ascii", errors="backslashreplace") as file:
        for line in file:
            if first == most or not line.endswith("\n"):  # it is being written
                return
            word, _, _ = line.partition(" ")
            if not word.isdecimal():
                raise ValueError(f"{path}: a line without a number: {line[:60]!r}")
            if int(word) >= first:
                waiting[int(word)] = line
            while first in waiting and first != most:
                yield waiting.pop(first)
                first += 1


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.pack``; see ``--help``."""
    parser = make_parser("train.pack", "Pack positions of self-play for a teacher.")
    parser.add_argument("folder", type=Path, help="folder to write or to go on with")
    parser.add_argument("lines", type=Path, help="file of selfplay or evaluated")
    add_rule(parser)
    add_most(parser)
    return run(parser, argv, _pack)


def _pack(options: argparse.Namespace) -> None:
    packed = pack(options.folder, options.lines, options.rule, options.most)
    count = len(Positions([options.folder]))
    size = sum(path.stat().st_size for path in options.folder.iterdir())
    print(
        f"{len(packed.number)} lines, {count} positions, {size / count:.1f} bytes each"
    )


if __name__ == "__main__":
    raise SystemExit(main())
