"""Check of a whole certificate, in several processes, with a journal of its parts.

Each entry is checked by itself (``prove.checker``), and its finding is a line of a
journal beside the certificate. A check that was stopped or killed continues with the
entries that its journal lacks. The finding of an entry depends only on its stones, its
move and the replies that it lists. So a line counts for every certificate of the same
rule, size and winner that has the same entry: when a proof has grown, only the new
entries are checked. A journal names the checker by a checksum of its text, and counts
only for that checker.
"""

import contextlib
import hashlib
import json
import random
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from gomoku_brain.proofs import certificate as certificate_module
from gomoku_brain.proofs import grid as grid_module
from gomoku_brain.proofs.certificate import Certificate, Entry
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.prove import checker as checker_module
from gomoku_brain.prove.checker import (
    Checker,
    Finding,
    HintSource,
    Rules,
    Unproved,
    longest_win,
)
from gomoku_brain.prove.solver_hints import FOREVER, Problem, SolverHints
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.worker_processes import WorkerProcesses, as_finished

__all__ = [
    "Findings",
    "JournalError",
    "Refused",
    "Report",
    "check",
    "check_entries",
    "sample",
    "try_leaves",
]

PART = 16  # entries that a process checks before it returns their findings
PATIENCE = 4  # most searches of an entry that find no win and use all their nodes
LAST_FACTOR = 20  # factor of the nodes for a win that was not found before
START = -1  # in the place of an entry: the first position, if it has no move


class Refused(Exception):
    """Error for a certificate that proves nothing, with the entry and the reason in one
    line.
    """


class JournalError(ValueError):
    """Error for a file that is no journal or belongs to another check, in one line."""


class Report(NamedTuple):
    """Result of a check."""

    entries: int
    """Number of positions with a move of their own that were checked."""
    replies: int
    """Number of legal replies to those moves that the certificate answers."""
    listed: int
    """Number of replies that lead to another entry."""
    walked: int
    """Number of replies whose win by threats was played with their stone on the board.

    Every other reply is proved to change nothing in one of those wins.
    """
    positions: int
    """Number of positions with the winner to move that were checked on the board."""
    plies: int | None
    """Most single moves from the first position to the five; None for a sample of the
    entries.
    """
    longest: tuple[int, ...] = ()
    """Most single moves from each entry to the five; empty for a sample."""


class Findings:
    """Findings of a check, one JSON line for each entry. Use it as a context
    manager.
    """

    def __init__(self, path: Path, certificate: Certificate) -> None:
        """Read the journal.

        Raises OSError, and JournalError for a file that is no journal of such a check.
        """
        self.found: dict[str, Finding] = {}
        """Findings by the key of the entry."""
        head = {
            "check": [
                certificate.rule,
                certificate.width,
                certificate.height,
                certificate.winner,
            ],
            "checker": _checker_digest(),
        }
        self._head = json.dumps(head)
        try:
            # A check makes thousands of findings a minute, and a lost one costs little.
            kind = "a journal of a check"
            self._journal = Journal(path, kind, '{"check": ', sync=False)
        except ValueError as error:
            raise JournalError(str(error)) from None
        lines = self._journal.lines
        if lines and lines[0] != self._head:
            raise JournalError(
                f"{path} is the journal of another rule, size or winner, or of another"
                " checker: remove it"
            )
        for number, line in enumerate(lines[1:], 2):
            try:
                key, *finding = json.loads(line)
                if not isinstance(key, str):
                    raise TypeError
                self.found[key] = Finding(*map(int, finding))
            except (ValueError, TypeError, OverflowError, RecursionError):
                raise JournalError(f"{path}, line {number}: damaged") from None

    def __enter__(self) -> Self:
        self._journal.start(self._head)
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def add(self, entry: Entry, finding: Finding) -> None:
        """Store a finding. Raises OSError."""
        key = _key(entry)
        self.found[key] = finding
        self._journal.append(json.dumps([key, *finding]))

    def find(self, entry: Entry) -> Finding | None:
        """Return the stored finding of an entry; None without one."""
        return self.found.get(_key(entry))


def _key(entry: Entry) -> str:
    """Return a checksum of everything on which the finding of an entry depends, as 32
    digits.
    """
    listed = [reply for reply, _ in entry.replies]
    text = repr((entry.attacker, entry.defender, entry.move, listed, entry.open))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def _checker_digest() -> str:
    """Return the checksum of the text of the checker and of the modules it imports."""
    digest = hashlib.sha256()
    for module in (grid_module, certificate_module, checker_module):
        assert module.__file__ is not None
        digest.update(Path(module.__file__).read_bytes())
    return digest.hexdigest()


def sample(certificate: Certificate, count: int, seed: int) -> list[int]:
    """Return the numbers of ``count`` entries, chosen at random."""
    entries = range(len(certificate.entries))
    return sorted(random.Random(seed).sample(entries, min(count, len(entries))))


def check(
    certificate: Certificate,
    journal: Findings | None = None,
    processes: int = 1,
    only: Sequence[int] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Check all entries, or ``only`` some of them.

    Raises Refused for the first bad one. ``on_progress`` is called with the number of
    checked entries and of all entries.
    """
    wanted = list(range(len(certificate.entries))) if only is None else list(only)
    if not certificate.entries:
        wanted = [START]
    findings: dict[int, Finding] = {}
    if journal is not None and journal.found:
        for entry in wanted:
            found_before = journal.find(_entry(certificate, entry))
            if found_before is not None:
                findings[entry] = found_before
    left = [entry for entry in wanted if entry not in findings]
    done = len(wanted) - len(left)

    def take(entry: int, finding: Finding | str) -> None:
        nonlocal done
        if isinstance(finding, str):
            raise Refused(_name(certificate, entry) + finding)
        findings[entry] = finding
        if journal is not None:
            journal.add(_entry(certificate, entry), finding)
        done += 1
        if on_progress is not None:
            on_progress(done, len(wanted))

    problem = Problem(
        certificate.rule, certificate.width, certificate.height, certificate.winner
    )
    grid = Grid(certificate.width, certificate.height)
    try:
        Checker(Rules(certificate.rule, grid), _NoHints()).check_start(certificate)
    except Unproved as reason:
        raise Refused(str(reason)) from None
    parts = [
        [(entry, _entry(certificate, entry)) for entry in left[k : k + PART]]
        for k in range(0, len(left), PART)
    ]
    if processes == 1:
        for part in parts:
            for entry, finding in check_entries(problem, part):
                take(entry, finding)
    else:
        # ``closing`` ends the processes at once if the certificate is refused.
        with contextlib.closing(_in_processes(problem, parts, processes)) as results:
            for found in results:
                for entry, finding in found:
                    take(entry, finding)
    return _report(certificate, [findings[entry] for entry in wanted], only is None)


def _report(
    certificate: Certificate, findings: Sequence[Finding], whole: bool
) -> Report:
    plies, longest = None, []
    if whole:
        plies = findings[0].plies
        if certificate.entries:
            longest = longest_win(certificate, [f.plies for f in findings])
            plies = longest[0]
    return Report(
        entries=len(findings) if certificate.entries else 0,
        replies=sum(finding.replies for finding in findings),
        listed=sum(finding.listed for finding in findings),
        walked=sum(finding.walked for finding in findings),
        positions=sum(finding.positions for finding in findings),
        plies=plies,
        longest=tuple(longest),
    )


def _entry(certificate: Certificate, entry: int) -> Entry:
    if entry == START:
        return Entry(*certificate.start, -1, ())
    return certificate.entries[entry]


def _name(certificate: Certificate, entry: int) -> str:
    if entry == START:
        return "the first position: "
    grid = Grid(certificate.width, certificate.height)
    attacker, defender = certificate.entries[entry][:2]
    stones = " ".join(grid.names(attacker)) or "no stone"
    others = " ".join(grid.names(defender)) or "no stone"
    return (
        f"entry {entry + 1} of {len(certificate.entries)} ({stones} against {others}): "
    )


class _NoHints:
    """Source of hints for checks that need none."""

    def threat(self, attacker: int, defender: int) -> int | None:
        return None

    four = threat


# Replies left to the solver -----------------------------------------------------------


class Leaves(NamedTuple):
    """Result of the solver, from an empty table, after the replies that are left to
    it.
    """

    replies: int
    """Number of replies that were tried."""
    hard: tuple[tuple[int, int], ...]
    """Replies after which it found no win within the nodes: number of the entry and
    reply.
    """


def try_leaves(certificate: Certificate, entries: Sequence[int], nodes: int) -> Leaves:
    """Let the solver win after every legal reply that some entries do not list.

    ``nodes``: the limit for each of them, from an empty table.
    """
    grid = Grid(certificate.width, certificate.height)
    rules = Rules(certificate.rule, grid)
    hints = SolverHints(
        Problem(
            certificate.rule, certificate.width, certificate.height, certificate.winner
        )
    )
    count, hard = 0, []
    for number in entries:
        entry = certificate.entries[number]
        attacker = entry.attacker | 1 << entry.move
        if rules.wins(attacker, entry.move):
            continue
        left = grid.full & ~(attacker | entry.defender | entry.open)
        for reply, _ in entry.replies:
            left &= ~(1 << reply)
        count += left.bit_count()
        unsolved = hints.unsolved(attacker, entry.defender, left, nodes)
        hard += [(number, reply) for reply in bits_of(unsolved)]
    return Leaves(count, tuple(hard))


# Functions that run in the processes
# ----------------------------------------------------

Part = list[tuple[int, Entry]]
PartFindings = list[tuple[int, Finding | str]]

_hints: dict[Problem, SolverHints] = {}  # of this process


def check_entries(
    problem: Problem, part: Part, hints: HintSource | None = None
) -> PartFindings:
    """Return the finding of each entry, or the reason why it is refused, which ends the
    part.
    """
    if hints is None:
        if problem not in _hints:
            _hints[problem] = SolverHints(problem)
        _hints[problem].solver.age()
        hints = _hints[problem]
    grid = Grid(problem.width, problem.height)
    checker = Checker(Rules(problem.rule, grid), hints)
    found: PartFindings = []
    for number, entry in part:
        try:
            finding = _check_one(checker, number, entry)
        except Unproved as reason:
            found.append((number, str(reason)))
            break
        found.append((number, finding))
    return found


def _check_one(checker: Checker, number: int, entry: Entry) -> Finding:
    """Return the finding of an entry. Raises Unproved after further tries with new
    hints.

    A try can fail although the position is won. The results of earlier entries in the
    solver's table can lead the solver to a win that is too long for its nodes. A win
    that the table has lost may need more nodes the second time.
    """
    hints = checker.hints
    if not isinstance(hints, SolverHints):
        return _check_once(checker, number, entry)
    usual = hints.nodes, hints.four_nodes
    try:
        for factor in (1, 1, LAST_FACTOR):
            hints.nodes = factor * usual[0]
            hints.patience = PATIENCE * hints.nodes
            hints.four_nodes = factor * usual[1]
            try:
                return _check_once(checker, number, entry)
            except Unproved:
                if factor == LAST_FACTOR:
                    raise
                hints.clear()
    finally:
        hints.nodes, hints.four_nodes = usual
        hints.patience = FOREVER
    raise AssertionError


def _check_once(checker: Checker, number: int, entry: Entry) -> Finding:
    if number == START:
        return checker.check_leaf(entry.attacker, entry.defender)
    return checker.check_entry(entry)


def _in_processes(
    problem: Problem, parts: Sequence[Part], processes: int
) -> Generator[PartFindings, None, None]:
    """Yield the findings of each part; left early, it ends the processes."""
    with WorkerProcesses(processes) as pool:
        yield from as_finished(
            lambda part: pool.submit(check_entries, problem, part), parts, 2 * processes
        )
