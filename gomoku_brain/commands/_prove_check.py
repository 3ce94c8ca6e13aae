"""Check of a certificate by ``prove``, and a test of the threat solver on it."""

import argparse
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TypedDict

from gomoku_brain.control.limits import moves_words
from gomoku_brain.foreign_text import brief, shown
from gomoku_brain.proofs import certificate as certificates
from gomoku_brain.proofs.book import make_book
from gomoku_brain.proofs.certificate import Certificate, CertificateError
from gomoku_brain.proofs.grid import SIDES, Grid
from gomoku_brain.prove.full_check import (
    Findings,
    Refused,
    Report,
    check,
    sample,
    try_leaves,
)
from gomoku_brain.prove.solver_hints import LEAF_NODES
from gomoku_brain.runs.json_rows import Count, Positive, SideName, json_line
from gomoku_brain.runs.output_files import check_output, write_whole
from gomoku_brain.runs.run_options import ProgressLine

MAX_NAMED = 10  # replies that are hard for the solver


class ProofCheckLine(TypedDict):
    """prove --check --json: the claim of a certificate, and the result of its check."""

    file: str
    ok: bool
    error: str | None
    rule: str | None
    width: Positive | None
    height: Positive | None
    winner: SideName | None
    maker: str | None
    entries: Count | None
    sampled: bool
    checked: Count | None
    replies: Count | None
    listed: Count | None
    walked: Count | None
    positions: Count | None
    open: Count | None
    plies: Count | None


def check_line(
    options: argparse.Namespace,
    certificate: Certificate | None,
    report: Report | None,
    error: str | None = None,
) -> ProofCheckLine:
    """Return the result of a check; ``certificate`` is None if it cannot be read."""
    known, counted = certificate, report
    winner: SideName = "black" if known and known.winner == "black" else "white"
    partial = known is not None and is_partial(known)
    return {
        "file": str(options.check),
        "ok": error is None,
        "error": error,
        "rule": known and known.rule,
        "width": known and known.width,
        "height": known and known.height,
        "winner": known and winner,
        "maker": known and known.maker,
        "entries": None if known is None else len(known.entries),
        "sampled": options.sample is not None,
        "checked": counted and counted.entries,
        "replies": counted and counted.replies,
        "listed": counted and counted.listed,
        "walked": counted and counted.walked,
        "positions": counted and counted.positions,
        "open": known and (known.entries[0].open.bit_count() if partial else 0),
        "plies": counted and counted.plies,
    }


def certificate_in(path: Path) -> Certificate:
    """Read a certificate.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not a certificate; the message contains the path.
    """
    try:
        return certificates.read(path)
    except CertificateError as error:
        raise ValueError(f"{path}: {error}") from None


def is_partial(certificate: Certificate) -> bool:
    """Return whether the certificate leaves replies to the first move open."""
    return bool(certificate.entries and certificate.entries[0].open)


def describe(certificate: Certificate) -> str:
    """Describe the claim of a certificate."""
    grid = Grid(certificate.width, certificate.height)
    attacker, defender = certificate.start
    start = "the empty board"
    if attacker or defender:
        loser = SIDES[1 - SIDES.index(certificate.winner)]
        start = (
            f"{certificate.winner} {' '.join(grid.names(attacker)) or '-'},"
            f" {loser} {' '.join(grid.names(defender)) or '-'}"
        )
    if is_partial(certificate):
        first = certificate.entries[0]
        start += (
            f" by {grid.name(first.move)}, except for the replies"
            f" {' '.join(grid.names(first.open))}, which are open"
        )
    return (
        f"{certificate.rule} {certificate.width}x{certificate.height},"
        f" {certificate.winner} to move wins from {start};"
        f" {len(certificate.entries)} positions with a move,"
        f" by {certificate.maker}"
    )


def report_lines(report: Report) -> list[str]:
    """Describe the extent of a check."""
    answered = report.replies - report.listed
    return [
        f"positions with a move: {report.entries}",
        f"legal replies to them: {report.replies}",
        f"  that lead to another of these positions: {report.listed}",
        f"  answered by threats: {answered}, of them played through one by one:"
        f" {report.walked}",
        f"positions examined on the board: {report.positions}",
    ]


def journal_of(options: argparse.Namespace) -> Path:
    """Return the path of the journal of a check."""
    beside: Path = options.check.with_name(options.check.name + ".check")
    return options.journal or beside


def run_check(options: argparse.Namespace) -> int:
    """Check a certificate, completely or by sampled entries. Return the exit status."""
    path: Path = options.check
    certificate = None
    try:
        certificate = certificates.read(path)
        if not options.json:
            print(describe(certificate), flush=True)
        if options.sample is None:
            report = _check_whole(options, certificate)
        else:
            report = _check_sample(options, certificate)
        if options.json:
            row = check_line(options, certificate, report)
            print(json_line("proof_check", row))
    except (CertificateError, Refused) as error:
        reason = brief(str(error))
        if options.json:
            row = check_line(options, certificate, None, reason)
            print(json_line("proof_check", row))
        else:
            print(shown(f"{path}: refused: {reason}"))
        return 1
    except (BrokenExecutor, KeyboardInterrupt) as error:
        if options.sample is None:
            error.add_note(f"{journal_of(options)} stores the entries checked so far")
        raise
    return 0


def _check_whole(options: argparse.Namespace, certificate: Certificate) -> Report:
    """Check all entries, print the result and write the book.

    Raises ``Refused``, ``BrokenExecutor`` and ``OSError``.
    """
    path, stored = options.check, journal_of(options)
    if options.book:
        check_output(options.book, [path, stored])
    with Findings(stored, certificate) as journal, show_progress() as show:
        report = check(certificate, journal, options.workers, None, show)
    if not options.json:
        lines = [
            *report_lines(report),
            f"longest win: {moves_words(report.plies or 0)}",
        ]
        but = ""
        if is_partial(certificate):
            count = certificate.entries[0].open.bit_count()
            but = f", but {count} replies to its move are open"
        print("\n".join([*lines, shown(f"{path}: correct{but}")]))
    if options.book:
        write_whole(options.book, make_book(certificate, report.longest))
    return report


def _check_sample(options: argparse.Namespace, certificate: Certificate) -> Report:
    """Check a sample of the entries, without a journal, and print the result.

    Raises ``Refused`` and ``BrokenExecutor``.
    """
    only = sample(certificate, options.sample, options.seed)
    with show_progress() as show:
        report = check(certificate, None, options.workers, only, show)
    if not options.json:
        print("\n".join(report_lines(report)))
        print(f"{options.check}: {len(only)} entries chosen at random are correct")
    return report


@contextlib.contextmanager
def show_progress() -> Iterator[Callable[[int, int], None]]:
    """Provide a function that shows the progress: finished entries and total.

    Entries that were finished before the first call came from the journal. The estimate
    of the remaining time does not include them.
    """
    with contextlib.ExitStack() as stack:
        lines: list[ProgressLine] = []  # one, from the first call on

        def show(done: int, total: int) -> None:
            if not lines:
                line = ProgressLine("entries", total, done - 1)
                lines.append(stack.enter_context(line))
            lines[0].show(done)

        yield show


def run_leaves(options: argparse.Namespace) -> int:
    """Test the solver on the replies that the certificate leaves to it.

    Return the exit status.
    """
    certificate = certificate_in(options.leaves)
    print(describe(certificate), flush=True)
    wanted = list(range(len(certificate.entries)))
    if options.sample is not None:
        wanted = sample(certificate, options.sample, options.seed)
    nodes: int = options.leaf_nodes or LEAF_NODES
    replies = 0
    hard: list[tuple[int, int]] = []
    with ProgressLine("entries", len(wanted)) as progress:
        for done, number in enumerate(wanted, 1):
            found = try_leaves(certificate, [number], nodes)
            replies += found.replies
            hard += found.hard
            progress.show(done)
    print(
        f"replies left to the solver: {replies}, after {len(wanted)} moves\n"
        f"not won within {nodes:,} nodes from an empty table: {len(hard)}"
    )
    grid = Grid(certificate.width, certificate.height)
    for number, reply in hard[:MAX_NAMED]:
        entry = certificate.entries[number]
        print(
            f"  {' '.join(grid.names(entry.attacker))} against"
            f" {' '.join(grid.names(entry.defender))}, {grid.name(entry.move)}"
            f" {grid.name(reply)}"
        )
    return 0 if not hard else 1
