"""Data files whose lines follow from a recipe and a number.

A line begins with its number. It depends on the recipe, its number and, for some
recipes, one line of another file, and on nothing else. So a run can be stopped and
resumed or divided among processes and machines, and the same command and engine make
the same lines again.

Lines are stored in the order in which they were finished. The checksum printed at the
end is that of the lines in the order of their numbers. It shows whether two runs made
the same lines, whatever the number of processes or machines.
"""

import argparse
import hashlib
import string
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
from gomoku_brain.runs.program_end import run_reporting
from gomoku_brain.runs.run_options import (
    ProgressLine,
    add_cluster,
    add_workers,
)
from gomoku_brain.runs.worker_processes import WorkerProcesses, as_finished

__all__ = [
    "HASH_MB",
    "LineRecipe",
    "LineTask",
    "add_making",
    "cached_here",
    "checksum",
    "journal_of",
    "make_file",
    "make_lines",
    "missing",
    "numbered_lines",
]

T = TypeVar("T")

HASH_MB = 8  # enough for tens of thousands of nodes
LINES_A_TASK = 4  # sent to a machine of a cluster at once


class LineRecipe(Protocol):
    """Recipe that, with a number and a source, determines a line."""

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the line without its end; ``source`` is the line from which it is
        made.
        """


class LineTask(NamedTuple):
    """Inputs of one line."""

    recipe: LineRecipe
    number: int
    source: str = ""


def add_making(parser: argparse.ArgumentParser) -> None:
    """Add the options ``--workers`` and ``--cluster``."""
    add_workers(parser, "processes here (1)")
    add_cluster(parser, "work instead on")


_here = threading.local()  # a worker of a cluster has an engine for each thread


def cached_here(recipe: object, make: Callable[[], T]) -> T:
    """Return the result of ``make``, cached in this thread for one recipe.

    It is for recipes that need more than the engine that they receive.
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
    """Return the lines of a file by their numbers, only those in ``wanted``.

    Raises ValueError for a line without a number and for a number that occurs twice.
    """
    found: dict[int, str] = {}
    for line in lines:
        word, _, _ = line.partition(" ")
        if not word.isdecimal():
            raise ValueError(f"{path}: a line without a number: {line[:60]!r}")
        number = int(word)
        if wanted is not None and number not in wanted:
            continue
        if number in found:
            raise ValueError(f"{path}: number {number} occurs twice")
        found[number] = line
    return found


def numbered_lines(path: Path, most: int | None = None) -> list[str]:
    """Return the complete lines of a file by their numbers, only those below ``most``.

    Raises ValueError for a number that occurs twice, and for a missing number below
    ``most`` (None: below the greatest number). A file that is still being written may
    lack no number below its greatest one, so pass ``most`` to check the count of lines.
    """
    lines = _lines_in(path, None if most is None else range(most))
    return _in_order(path, lines, range(len(lines) if most is None else most))


def _lines_in(path: Path, wanted: Container[int] | None) -> dict[int, str]:
    """Return the complete lines of a file, as ``_by_number``."""
    # The reader of the line rejects a byte that is not ASCII, and names the line.
    with path.open(encoding="ascii", errors="backslashreplace") as file:
        # The last line has no end while it is being written.
        whole = (line for line in file if line.endswith("\n"))
        return _by_number(path, whole, wanted)


def _in_order(path: Path, lines: dict[int, str], numbers: Iterable[int]) -> list[str]:
    """Return the lines with these numbers. ValueError if the file lacks one."""
    found = []
    for number in numbers:
        if number not in lines:
            raise ValueError(f"{path}: number {number} is missing")
        found.append(lines[number])
    return found


def checksum(lines: Iterable[str]) -> str:
    """Return the SHA-256 of lines, in hexadecimal."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("ascii"))
    return digest.hexdigest()


def journal_of(path: Path) -> Journal:
    """Open the file of lines to continue.

    Raises OSError, and ValueError for a file with other content.
    """
    # Thousands of short lines a minute are not flushed to the disk one by one.
    return Journal(path, "a file of numbered data", *string.digits, sync=False)


def missing(journal: Journal, tasks: Iterable[LineTask]) -> list[LineTask]:
    """Return the tasks whose lines a file lacks.

    Raises ValueError for a line without a number and for a number that occurs twice.
    """
    wanted = {task.number: task for task in tasks}
    known = _by_number(journal.path, journal.lines, wanted)
    return [task for number, task in wanted.items() if number not in known]


def is_ours(journal: Journal, tasks: Sequence[LineTask]) -> bool:
    """Whether a line of the file equals the one that its task makes here.

    True if the file has no lines. A file of another recipe or engine must not be
    continued. The line compared is the one with the most words, of these the longest,
    since a short line may not depend on the recipe or the engine. Raises ValueError if
    no line belongs to a task.
    """
    if not journal.lines or not tasks:
        return True
    wanted = {task.number: task for task in tasks}
    known = _by_number(journal.path, journal.lines, wanted)
    if not known:
        raise ValueError(
            f"{journal.path}: no line of it can be compared, since it has none of the"
            f" numbers requested,  {min(wanted)} to {max(wanted)}"
        )
    number = max(known, key=lambda n: (len(known[n].split()), len(known[n])))
    return _make(wanted[number]) == known[number]


def lines_of(tasks: Iterable[LineTask], workers: int) -> Iterator[str]:
    """Yield the tasks' lines as they are finished, in any order.

    Raises BrokenProcessPool if a process is lost.
    """
    if workers == 1:
        yield from map(_make, tasks)
        return
    with WorkerProcesses(workers) as pool:
        yield from as_finished(
            lambda task: pool.submit(_make, task), tasks, 4 * workers
        )


def lines_of_cluster(tasks: Sequence[LineTask], cluster: Cluster) -> Iterator[str]:
    """Yield the lines as they are finished on the machines of a cluster.

    Raises ClusterError if a machine's engine makes other lines of the first tasks than
    ours, and if the cluster is lost.
    """
    first = tasks[:LINES_A_TASK]  # several, since one line may not depend on the engine
    trial = _make_some(first)
    for worker, answer in cluster.on_every_worker(_make_some, first).items():
        if answer != trial:
            raise ClusterError(
                f"worker {worker}: its engine is another version than the one here"
            )
    stop = threading.Event()
    left = iter(tasks)
    pieces = iter(lambda: tuple(islice(left, LINES_A_TASK)), ())
    threads = 2 * cluster.threads  # so no machine waits for its next task
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
    """Make the lines that a file lacks, and print the checksum; return the exit status.

    ``name``: name of the program, for its one-line errors. ``options``: those of
    ``add_making``.
    """

    def make() -> None:
        try:
            whole = make_lines(out, tasks, options.workers, options.cluster)
        except (BrokenProcessPool, KeyboardInterrupt) as error:
            error.add_note("the same command goes on from here")
            raise
        print(f"{len(whole)} lines, sha256 {checksum(whole)}")

    return run_reporting(name, make)


def make_lines(
    out: Path, tasks: Sequence[LineTask], workers: int, cluster: str | None = None
) -> list[str]:
    """Make the lines that a file lacks; return the lines of all tasks, in their order.

    Ctrl-C leaves the finished lines in the file, and the same call continues them.
    Raises OSError, ValueError if the file cannot be continued, BrokenProcessPool for a
    lost process, and ClusterError.
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
    """Append lines to a file as they come, and report the progress."""
    with journal, ProgressLine("done", count) as progress:
        journal.start()
        for done, line in enumerate(lines, 1):
            journal.append(line)
            progress.show(done)
