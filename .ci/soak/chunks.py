"""Long soaks in chunks that are kept: a run that was stopped goes on where it was.

A chunk follows from the seed and its number alone, so that whatever it finds can be
played again: ``--only N --verbose``. Its result is a line of JSON in the output file.
A watchdog prints where every thread stands and ends the process when a chunk takes far
longer than it may: that is what a hang looks like, and the chunk is then not kept.
"""

import argparse
import faulthandler
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gomoku_brain import variants
from gomoku_brain.runs.journal import Journal

SHOWN = 20  # faults that the summary quotes


@dataclass
class Chunk:
    """What a chunk has found."""

    counts: Counter[str] = field(default_factory=Counter)
    """What was done and seen, by name."""
    faults: list[str] = field(default_factory=list)
    """What must not be, each with what leads to it."""
    slowest: float = 0.0
    """Seconds of the slowest item."""
    slowest_item: str = ""

    def timed(self, seconds: float, item: str) -> None:
        """Note how long an item took."""
        if seconds > self.slowest:
            self.slowest, self.slowest_item = seconds, item


def run(
    description: str,
    unit: str,
    size: int,
    play: Callable[[str, int, bool], Chunk],
    patience: float,
    arguments: list[str] | None = None,
) -> int:
    """The command line of a soak; the exit status, 1 when something was found.

    `play(seed, number, verbose)` does chunk `number` of `size` `unit`s; it must be done
    within `patience` seconds.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, help="JSON lines, gone on with")
    parser.add_argument("--count", type=int, default=10 * size, help=f"{unit}s in all")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, metavar="N", help="this chunk, not kept")
    parser.add_argument("--verbose", action="store_true", help="tell every item")
    options = parser.parse_args(arguments)
    if options.only is not None:
        chunk = _guarded(play, options.seed, options.only, options.verbose, patience)
        return summary([_row(options.only, chunk, 0.0)], unit)
    if options.out is None:
        parser.error("--out FILE is needed")
    begin = f'{{"soak": "{unit}", "seed": "{options.seed}", "size": {size}'
    kind = f"a file of chunks of {size} {unit}s with the seed {options.seed}"
    rows = []
    with Journal(options.out, kind, begin, sync=False) as journal:
        rows = [json.loads(line) for line in journal.lines[1:]]
        done = {row["chunk"] for row in rows}
        journal.start(f"{begin}}}")
        for number in range(-(-options.count // size)):
            if number in done:
                continue
            started = time.perf_counter()
            chunk = _guarded(play, options.seed, number, options.verbose, patience)
            row = _row(number, chunk, time.perf_counter() - started)
            journal.append(json.dumps(row))
            rows.append(row)
            if len(rows) % 10 == 0:
                found = sum(len(row["faults"]) for row in rows)
                print(f"{len(rows) * size} {unit}s, {found} faults", flush=True)
    return summary(rows, unit)


def _guarded(
    play: Callable[[str, int, bool], Chunk],
    seed: str,
    number: int,
    verbose: bool,
    patience: float,
) -> Chunk:
    print(f"chunk {number}", end="\r", file=sys.stderr, flush=True)
    # The stream that Python began with: a test may have put another one in its place.
    faulthandler.dump_traceback_later(patience, exit=True, file=sys.__stderr__)
    try:
        return play(seed, number, verbose)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _row(number: int, chunk: Chunk, seconds: float) -> dict[str, object]:
    return {
        "chunk": number,
        "seconds": round(seconds, 2),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "variant": variants.name,
        "memory": memory(),
        "counts": dict(chunk.counts),
        "slowest": round(chunk.slowest, 3),
        "slowest_item": chunk.slowest_item,
        "faults": chunk.faults,
    }


def memory(pid: int | str = "self") -> int:
    """KiB that a process has in memory; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0
    return int(status.partition("VmRSS:")[2].split()[0])


def summary(rows: list[dict], unit: str) -> int:
    """Print what all chunks found; the exit status."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row["counts"])
    faults = [(row["chunk"], fault) for row in rows for fault in row["faults"]]
    worst = max(rows, key=lambda row: row["slowest"])
    seconds = sum(row["seconds"] for row in rows)
    load = [row["load"] for row in rows if row["load"] is not None]
    print(f"{counts[unit]} {unit}s in {len(rows)} chunks, {seconds:.0f} s", end="")
    print(f", load {min(load)} to {max(load)}" if load else "")
    for name, number in sorted(counts.items()):
        print(f"  {name}: {number}")
    print(f"  slowest: {worst['slowest']} s, {worst['slowest_item'][:200]}")
    memories = list(_memories(rows))
    if memories:
        print(f"  memory after the first, middle and last chunk, KiB: {memories}")
    for number, fault in faults[:SHOWN]:
        print(f"FAULT in chunk {number}: {fault}")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


def _memories(rows: list[dict]) -> Iterator[int]:
    """Of the run's beginning, middle and end."""
    known = [row["memory"] for row in rows if row["memory"]]
    if known:
        yield from (known[0], known[len(known) // 2], known[-1])
