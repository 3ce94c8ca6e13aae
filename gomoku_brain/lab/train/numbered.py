"""Files of lines that a recipe and a number determine: data, made and gone on with.

A line begins with its number. It is made from the recipe, its number and, for some
recipes, one line of another file, and from nothing else; so a run can be stopped and
resumed, divided among processes and machines, and its file remade by the same command
and the same engine.

Lines stand in the order in which they were finished. The checksum that is printed at
the end is that of the lines in the order of their numbers, so it tells whether two runs
made the same lines, whatever the number of processes or machines.
"""

import argparse
import hashlib
import string
import sys
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from gomoku_brain.engine.engine import Engine
from gomoku_brain.runs.cluster import Cluster, ClusterError
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.run_options import (
    NO_CLUSTER,
    ProgressLine,
    add_cluster,
    add_workers,
    told_early_end,
)
from gomoku_brain.runs.worker_processes import WorkerProcesses, as_finished

__all__ = [
    "HASH_MB",
    "LineRecipe",
    "LineTask",
    "add_making",
    "checksum",
    "journal_of",
    "kept",
    "make_file",
    "make_lines",
    "missing",
    "numbered_lines",
]

T = TypeVar("T")

HASH_MB = 8  # enough for tens of thousands of nodes
LINES_A_TASK = 4  # given to a machine of a cluster at once


class LineRecipe(Protocol):
    """What, with its number and its source, determines a line."""

    def line(self, number: int, source: str, engine: Engine) -> str:
        """The line without its end; ``source`` is the line that it is made from."""


class LineTask(NamedTuple):
    """What one line is made from."""

    recipe: LineRecipe
    number: int
    source: str = ""


def add_making(parser: argparse.ArgumentParser) -> None:
    """--workers and --cluster."""
    add_workers(parser, "processes here (1)")
    add_cluster(parser, "work instead on")


_here = threading.local()  # a worker of a cluster has an engine for each thread


def kept(recipe: object, make: Callable[[], T]) -> T:
    """What ``make`` returns, kept for this thread until another recipe asks.

    For recipes that need more than the engine that they are given.
    """
    if getattr(_here, "recipe", None) != recipe:
        _here.made = make()
        _here.recipe = recipe
    made: T = _here.made
    return made


def _make(task: LineTask) -> str:
    if not hasattr(_here, "engine"):
        _here.engine = Engine(hash_mb=HASH_MB)
    return task.recipe.line(task.number, task.source, _here.engine)


def _make_some(tasks: Sequence[LineTask]) -> list[str]:
    return [_make(task) for task in tasks]


def _by_number(
    path: Path, lines: Iterable[str], wanted: Container[int] | None = None
) -> dict[int, str]:
    """Lines of a file by their numbers, those of the ``wanted`` numbers only.

    Raises ValueError for a line without a number and for a number that is there twice.
    """
    found: dict[int, str] = {}
    for line in lines:
        word, _, _ = line.partition(" ")
        if not word.isdecimal():
            raise ValueError(f"{path}: not a line of numbered data: {line[:60]!r}")
        number = int(word)
        if wanted is not None and number not in wanted:
            continue
        if number in found:
            raise ValueError(f"{path}: number {number} is there twice")
        found[number] = line
    return found


def numbered_lines(path: Path, most: int | None = None) -> list[str]:
    """The whole lines of a file by their numbers, those below ``most`` only.

    Raises ValueError for a file that lacks a number below ``most``, or below its
    greatest number when ``most`` is None, or has a number twice. A file that is still
    being written may lack nothing below its greatest number: only ``most`` says how
    many lines are wanted.
    """
    lines = _lines_in(path, None if most is None else range(most))
    return _in_order(path, lines, range(len(lines) if most is None else most))


def _lines_in(path: Path, wanted: Container[int] | None) -> dict[int, str]:
    """The whole lines of a file, as ``_by_number``."""
    # A byte that is not ASCII is refused with its line, by whoever reads that.
    with path.open(encoding="ascii", errors="backslashreplace") as file:
        # The last line has no end while it is being written.
        whole = (line for line in file if line.endswith("\n"))
        return _by_number(path, whole, wanted)


def _in_order(path: Path, lines: dict[int, str], numbers: Iterable[int]) -> list[str]:
    """The lines with these numbers. ValueError if the file lacks one."""
    found = []
    for number in numbers:
        if number not in lines:
            raise ValueError(f"{path}: number {number} is not there (yet)")
        found.append(lines[number])
    return found


def checksum(lines: Iterable[str]) -> str:
    """SHA-256 of lines, in hexadecimal."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("ascii"))
    return digest.hexdigest()


def journal_of(path: Path) -> Journal:
    """The file of lines to go on with. Raises OSError, ValueError for another file."""
    # Thousands of short lines a minute do not wait for the disk one by one.
    return Journal(path, "a file of numbered data", *string.digits, sync=False)


def missing(journal: Journal, tasks: Iterable[LineTask]) -> list[LineTask]:
    """The tasks whose lines a file lacks.

    Raises ValueError for a line without a number and for a number that is there twice.
    """
    wanted = {task.number: task for task in tasks}
    known = _by_number(journal.path, journal.lines, wanted)
    return [task for number, task in wanted.items() if number not in known]


def is_ours(journal: Journal, tasks: Sequence[LineTask]) -> bool:
    """Whether a line of the file is what its task makes here; True without lines.

    A file that another recipe or engine has begun must not be gone on with. The line
    compared is the one with the most words, of these the longest: a short line may say
    nothing of the recipe or the engine. Raises ValueError when no line is of a task.
    """
    if not journal.lines or not tasks:
        return True
    wanted = {task.number: task for task in tasks}
    known = _by_number(journal.path, journal.lines, wanted)
    if not known:
        raise ValueError(
            f"{journal.path}: no line of it can be compared, since it has none of the"
            f" numbers that are asked for, {min(wanted)} to {max(wanted)}"
        )
    number = max(known, key=lambda n: (len(known[n].split()), len(known[n])))
    return _make(wanted[number]) == known[number]


def lines_of(tasks: Iterable[LineTask], workers: int) -> Iterator[str]:
    """The tasks' lines as they are finished, in any order.

    Raises BrokenProcessPool when a process is lost.
    """
    if workers == 1:
        yield from map(_make, tasks)
        return
    with WorkerProcesses(workers) as pool:
        yield from as_finished(
            lambda task: pool.submit(_make, task), tasks, 4 * workers
        )


def lines_of_cluster(tasks: Sequence[LineTask], cluster: Cluster) -> Iterator[str]:
    """The lines as they are finished on the machines of a cluster.

    Raises ClusterError for a machine whose engine makes other lines than ours of the
    first tasks, and when the cluster is lost.
    """
    first = tasks[:LINES_A_TASK]  # several, since one line may say nothing of an engine
    trial = _make_some(first)
    for worker, answer in cluster.on_every_worker(_make_some, first).items():
        if answer != trial:
            raise ClusterError(f"worker {worker}: its engine is not the one here")
    stop = threading.Event()
    left = iter(tasks)
    pieces = iter(lambda: tuple(islice(left, LINES_A_TASK)), ())
    threads = 2 * cluster.threads  # so that a machine never waits for its next task
    with ThreadPoolExecutor(threads) as pool:
        begin = partial(pool.submit, cluster.call, _make_some, stop=stop)
        try:
            for lines in as_finished(begin, pieces, threads):
                yield from lines or ()
        finally:
            stop.set()


def make_file(
    name: str, out: Path, tasks: Sequence[LineTask], options: argparse.Namespace
) -> int:
    """Make the lines that a file lacks, and print the checksum; the exit status.

    ``name``: of the program, for its errors, which are told in one line. ``options``:
    those of ``add_making``.
    """
    try:
        whole = make_lines(out, tasks, options.workers, options.cluster)
    except ImportError:
        print(f"{name}: {NO_CLUSTER}", file=sys.stderr)
        return 1
    except (OSError, ValueError, ClusterError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except (BrokenProcessPool, KeyboardInterrupt) as error:
        return told_early_end(name, error, "; the same command goes on from here")
    print(f"{len(whole)} lines, sha256 {checksum(whole)}")
    return 0


def make_lines(
    out: Path, tasks: Sequence[LineTask], workers: int, cluster: str | None = None
) -> list[str]:
    """Make the lines that a file lacks; the lines of all tasks, in their order.

    Ctrl-C leaves the lines that are made, and the same call goes on with them. Raises
    OSError, ValueError for a file that cannot be gone on with, BrokenProcessPool for a
    lost process, ClusterError, and ImportError without what a cluster needs.
    """
    journal = journal_of(out)
    if not is_ours(journal, tasks):
        raise ValueError(
            f"{out} was begun with other options or another engine: name another file"
        )
    left = missing(journal, tasks)
    if cluster is None:
        write(journal, lines_of(left, workers), len(left))
    elif left:
        with Cluster(cluster) as machines:
            write(journal, lines_of_cluster(left, machines), len(left))
    numbers = [task.number for task in tasks]
    return _in_order(out, _lines_in(out, set(numbers)), numbers)


def write(journal: Journal, lines: Iterable[str], count: int) -> None:
    """Add lines to a file as they come, and show how far it is."""
    with journal, ProgressLine("done", count) as progress:
        journal.begin()
        for done, line in enumerate(lines, 1):
            journal.append(line)
            progress.show(done)
