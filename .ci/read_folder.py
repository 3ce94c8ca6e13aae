"""Read all files of a folder with games and positions, and count what is in them.

    python .ci/read_folder.py FOLDER [FOLDER ..]

Every file whose ending or content is one of ours is read with all its variations. A
file of SGF is also counted by a plain search for its moves, and a library of RenLib by
its nodes, so that a reader that drops moves is found. The result is 1 if a file or a
game could not be read, or if moves are missing.
"""

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path

from gomoku_brain.records.encodings import decode
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import read_openings
from gomoku_brain.records.read import read_bytes
from gomoku_brain.records.read_options import ReadError, ReadNote, ReadOptions
from gomoku_brain.records.renlib import game_of_lib, is_lib
from gomoku_brain.records.sgf import parse, write

ENDINGS = {
    *(".sgf", ".lib", ".psq", ".rec", ".pos", ".sav", ".pgn", ".rif", ".xml", ".json"),
    *(".jsonl", ".txt"),
}
MOVE = re.compile(r"(?<![A-Za-z\]])\s*\b[BbWw]\s*\[([A-Za-z]{2})\]")
VALUE = re.compile(r"([A-Za-z0-9]+)\s*((?:\s*\[(?:\\.|[^\\\]])*\])+)", re.DOTALL)


def plain_moves(text: str) -> int:
    """Count the moves of a text of SGF without a tree: values of B and W."""
    found = 0
    for name, values in VALUE.findall(text):
        if name in ("B", "W", "b", "w"):
            found += len(re.findall(r"\[\s*[A-Za-z]{2}\s*\]", values))
    return found


def counted_trees(text: str) -> tuple[int, int]:
    """Return (moves in the nodes of all trees, moves of them after writing)."""
    trees = [game for game in parse(text) if isinstance(game, Game)]
    again = [game for game in parse(write(*trees)) if isinstance(game, Game)]
    counts = [
        sum(node.side is not None for tree in some for node in tree.nodes())
        for some in (trees, again)
    ]
    return counts[0], counts[1]


def read_file(path: Path, skip: bool) -> dict[str, object]:
    """Read one file; returns its counts and faults."""
    data = path.read_bytes()
    bad: list[str] = []
    notes: list[str] = []
    started = time.perf_counter()

    def report(item: ReadError | ReadNote) -> None:
        (notes if isinstance(item, ReadNote) else bad).append(str(item))

    options = ReadOptions(
        variations=True, errors="skip" if skip else "games", report=report
    )
    row: dict[str, object] = {"bad": bad, "notes": notes}
    try:
        games = read_bytes(data, path.name, options)
    except ReadError as error:
        try:
            games = []
            row["openings"] = len(read_openings(path, 20))
        except ValueError:
            if "no position and no game" in str(error):
                row["empty"] = 1
            else:
                bad.append(str(error))
    row["lines"] = len(games)
    row["stones"] = sum(
        len(g.moves) + len(g.black_stones) + len(g.white_stones) for g in games
    )
    if is_lib(data):
        row["nodes"] = sum(1 for _ in game_of_lib(data).nodes()) - 1
    elif path.suffix.lower() == ".sgf":
        text = decode(data).text
        plain, (nodes, again) = plain_moves(text), counted_trees(text)
        row["nodes"] = nodes
        if nodes < plain or again != nodes:
            bad.append(f"{plain} moves in the text, {nodes} read, {again} written")
    row["seconds"] = time.perf_counter() - started
    return row


def main(argv: list[str]) -> int:
    """Read the folders; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="+", type=Path)
    parser.add_argument("--ending", action="append", help="only files that end so")
    parser.add_argument("--skip-errors", action="store_true")
    options = parser.parse_args(argv)
    endings = set(options.ending or ENDINGS)
    total = Counter[str]()
    for folder in options.folder:
        paths = [folder] if folder.is_file() else sorted(folder.rglob("*"))
        for path in paths:
            if not path.is_file() or path.suffix.lower() not in endings:
                continue
            row = read_file(path, options.skip_errors)
            counts = {k: v for k, v in row.items() if isinstance(v, int) and v}
            total.update(counts)
            total["files"] += 1
            total["bad files"] += bool(row["bad"])
            words = ", ".join(f"{value} {key}" for key, value in counts.items())
            print(f"{path}: {words or 'nothing'} ({row['seconds']:.2f} s)")
            for key in ("bad", "notes"):
                found = row[key]
                assert isinstance(found, list)
                for text in found[:5]:
                    print(f"    {key}: {text}")
                if len(found) > 5:
                    print(f"    .. {len(found)} in all")
    print(", ".join(f"{value} {key}" for key, value in total.items()))
    return int(bool(total["bad files"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
