"""The check of a whole certificate: processes, its journal, samples."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from gomoku_brain.proofs.certificate import decode, encode, read
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.prove.checker import Checker, Rules, Unproved
from gomoku_brain.prove.full_check import (
    Findings,
    JournalError,
    Refused,
    check,
    check_entries,
    sample,
)
from gomoku_brain.prove.solver_hints import Problem, SolverHints
from gomoku_brain.runs.worker_processes import WorkerProcesses
from tests.prove.conftest import checked_proof, start_of


@pytest.fixture(scope="module")
def whole():
    return checked_proof()


def test_a_certificate_holds_and_the_longest_win_is_reported(small, whole):
    report, expected = whole
    entries = small.certificate.entries
    assert report.entries == len(entries)
    assert report.listed == sum(len(entry.replies) for entry in entries)
    free = [225 - (e.attacker | e.defender).bit_count() - 1 for e in entries]
    assert report.replies == sum(free)
    assert report.walked <= report.replies - report.listed
    assert report.plies is not None
    assert 9 < report.plies < 80
    assert expected == [(k + 1, len(entries)) for k in range(len(entries))]


@pytest.mark.slow("a check in other processes", ci=True)
def test_a_check_goes_on_where_it_was_killed(small, whole, tmp_path):
    path = tmp_path / "journal"
    with Findings(path, small.certificate) as journal:
        check(small.certificate, journal, only=range(5))
    data = path.read_bytes()
    path.write_bytes(data[:-3])  # killed while it wrote a line
    with Findings(path, small.certificate) as journal:
        known = [journal.find(entry) for entry in small.certificate.entries]
        assert [found is not None for found in known[:5]] == [True] * 4 + [False]
        assert not any(known[5:])
        expected = []
        report = check(
            small.certificate,
            journal,
            2,
            on_progress=lambda *pair: expected.append(pair),
        )
    assert expected[0] == (5, len(small.certificate.entries))
    assert len(expected) == len(small.certificate.entries) - 4
    # What one process has found before helps it on, so how it wins may differ.
    assert report[:3] == whole[0][:3]
    with Findings(path, small.certificate) as journal:
        assert len(journal.found) == len(small.certificate.entries)


def test_a_journal_of_another_rule_is_refused(small, tmp_path):
    path = tmp_path / "journal"
    with Findings(path, small.certificate) as journal:
        check(small.certificate, journal, only=[0])
    other = small.certificate._replace(rule="standard")
    with pytest.raises(JournalError, match="another rule"):
        Findings(path, other)
    path.write_bytes(path.read_bytes() + b'["x"]\n')
    with pytest.raises(JournalError, match="line 3: damaged"):
        Findings(path, small.certificate)


def test_a_check_takes_over_entries_that_did_not_change(small, tmp_path):
    first, *rest = small.certificate.entries
    changed = first._replace(replies=first.replies[1:], open=1 << first.replies[0][0])
    other = small.certificate._replace(entries=(changed, *rest))
    expected = []
    with Findings(tmp_path / "journal", other) as journal:
        check(other, journal)
    with Findings(tmp_path / "journal", small.certificate) as journal:
        check(
            small.certificate, journal, on_progress=lambda *pair: expected.append(pair)
        )
    assert expected == [(len(rest) + 1, len(rest) + 1)]


def test_a_sample_is_the_same_every_time(small):
    chosen = sample(small.certificate, 4, 9)
    assert chosen == sample(small.certificate, 4, 9)
    report = check(small.certificate, only=chosen)
    assert report.entries == len(chosen)
    assert report.plies is None


def test_a_part_of_the_proof_of_the_empty_board_holds():
    """White's second move f6: a sample of its positions, always the same ones.

    GOMOKU_PROOF_SAMPLE is how many; all 1,578 take a quarter of a minute.
    """
    part = read(Path(__file__).with_name("h8-f6.proof"))
    assert len(part.entries) == 1578
    count = int(os.environ.get("GOMOKU_PROOF_SAMPLE", "40"))
    report = check(part, only=sample(part, count, 1))
    assert report.entries == min(count, 1578)


def test_a_start_that_is_won_by_threats_needs_no_entry():
    grid = Grid(15, 15)
    start = start_of(grid, "h8 h9 i8 a1 j8 b5")
    won = decode(encode("freestyle", grid, "black", start, {}, "a test"))
    report = check(won)
    assert report.entries == 0
    assert report.plies in (3, 5, 7)
    start = start_of(grid, "h8 h9")
    open_ = decode(encode("freestyle", grid, "black", start, {}, "a test"))
    with pytest.raises(Refused, match="the first position"):
        check(open_)


@pytest.mark.slow("three checks in other processes", ci=True)
def test_what_is_at_work_ends_when_a_check_ends_early(small, monkeypatch):
    """Be it refused, or stopped by Ctrl-C; a check that comes to its end waits."""
    ended = []
    real = WorkerProcesses.end_now

    def end_now(pool):
        ended.append(pool)
        real(pool)

    monkeypatch.setattr(WorkerProcesses, "end_now", end_now)
    check(small.certificate, processes=2, only=[0])
    assert not ended

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(small.certificate, processes=2, on_progress=interrupt)
    assert len(ended) == 1
    grid = Grid(15, 15)
    book = {(0, 0): (grid.cell("h8"), ())}
    bad = decode(encode("freestyle", grid, "black", (0, 0), book, "a test"))
    with pytest.raises(Refused, match="no win is known"):
        check(bad, processes=2)
    assert len(ended) == 2


def test_a_start_with_a_five_is_refused():
    grid = Grid(15, 15)
    start = (1 << 100, 0b11111)
    over = decode(encode("freestyle", grid, "black", start, {}, "a test"))
    with pytest.raises(Refused, match="five at the start"):
        check(over)


def test_open_replies_are_named_without_a_claim(small, whole):
    """The first entry without one of its replies is refused, unless it is open."""
    grid = Grid(15, 15)
    first = small.certificate.entries[0]
    start = small.certificate.start
    key = grid.canonical(*start)[:2]
    back = grid.canonical(*start)[2]
    gone = first.replies[0][0]
    move, listed = small.book[key]
    book = {
        **small.book,
        key: (move, tuple(c for c in listed if c != grid.images[back][gone])),
    }
    lacking = decode(encode("freestyle", grid, "black", start, book, "a test"))
    with pytest.raises(Refused, match=f"the reply {grid.name(gone)}"):
        check(lacking)
    data = encode("freestyle", grid, "black", start, book, "a test", 1 << gone)
    part = decode(data)
    assert part.entries[0].open == 1 << gone
    assert b'"open"' in data
    report = check(part)
    assert report.entries == len(part.entries) <= whole[0].entries
    assert (
        check(part, only=[0]).replies == check(small.certificate, only=[0]).replies - 1
    )
    for bad in (1 << first.move, start[0], 1 << first.replies[1][0]):
        entries = (part.entries[0]._replace(open=bad), *part.entries[1:])
        with pytest.raises(Refused, match="not legal"):
            check(part._replace(entries=entries))


def test_a_win_that_the_solver_does_not_find_again_is_taken_from_a_like_position():
    grid = Grid(15, 15)
    hints = SolverHints(Problem("freestyle", 15, 15, "black"))
    attacker, defender = start_of(grid, "h8 g9 i8 h6 j8 j9 h9 g6 h10 f10")
    move = hints.threat(attacker, defender)
    assert move is not None
    # It finds nothing more.
    hints.solver = SimpleNamespace(threat=lambda *_: None, nodes=0)
    assert hints.threat(attacker, defender | 1 << grid.cell("a1")) == move
    assert hints.threat(attacker, defender | 1 << move) is None
    assert hints.threat(attacker | 1 << grid.cell("a1"), defender) is None


class Forgetful(SolverHints):
    """Knows nothing in some positions."""

    def __init__(self, problem, unknown):
        super().__init__(problem)
        self.unknown = unknown

    def threat(self, attacker, defender):
        if (attacker, defender) in self.unknown:
            return None
        return super().threat(attacker, defender)


def entry_with_answered_reply(checker, entries):
    """An entry and a reply, which the win against a later one answers, too."""
    for entry in entries:
        attacker = entry.attacker | 1 << entry.move
        checker.reset()
        region = checker.threats(attacker, entry.defender).region
        replies = [r for r in bits_of(region & ~(attacker | entry.defender))]
        replies = [r for r in replies if r not in dict(entry.replies)]
        for later in replies:
            win = checker.threats(attacker, entry.defender | 1 << later)
            for reply in replies:
                if reply < later and win.plain and not win.region >> reply & 1:
                    return entry, reply
    raise AssertionError("no such reply in this certificate")


def test_a_win_against_a_later_reply_answers_one_without_a_known_win(small):
    problem = Problem("freestyle", 15, 15, "black")
    rules = Rules("freestyle", Grid(15, 15))
    known = Checker(rules, SolverHints(problem))
    entry, reply = entry_with_answered_reply(known, small.certificate.entries)
    attacker = entry.attacker | 1 << entry.move
    after = {
        cell: (attacker, entry.defender | 1 << cell)
        for cell in bits_of(rules.full & ~(attacker | entry.defender))
    }
    whole = known.check_entry(entry)
    found = Checker(rules, Forgetful(problem, {after[reply]})).check_entry(entry)
    assert found.replies == whole.replies
    assert found.walked <= whole.walked
    with pytest.raises(Unproved, match="no win is known"):
        Checker(rules, Forgetful(problem, set(after.values()))).check_entry(entry)


def test_an_entry_is_looked_at_again_with_new_hints(small, monkeypatch):
    """Hints that lead nowhere are no reason to refuse before further tries."""
    first = small.certificate.entries[0]
    problem = Problem("freestyle", 15, 15, "black")
    hints = SolverHints(problem)
    found, renewed = hints.threat, []
    monkeypatch.setattr(hints, "threat", lambda *p: found(*p) if renewed else None)
    monkeypatch.setattr(hints, "clear", lambda: renewed.append(True))
    ((_, finding),) = check_entries(problem, [(0, first)], hints)
    assert finding.plies > 0
    assert renewed == [True]
    allowed = []
    monkeypatch.setattr(hints, "threat", lambda *_: allowed.append(hints.nodes))
    ((_, reason),) = check_entries(problem, [(0, first)], hints)
    assert "no win is known" in reason
    assert allowed[-1] == max(allowed) > allowed[0]
