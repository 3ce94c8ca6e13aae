"""Wins by continuous fours: every line against every defence, and none missed.

GOMOKU_ORACLE_POSITIONS sets the number of random positions a rule (3000 for a
full run).
"""

import os
import random

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from tests.boards import (
    board_of,
    problems,
    random_boards,
    random_references,
    reference_of,
)
from tests.cases import cells
from tests.reference import (
    BLACK,
    EMPTY,
    RENJU,
    RULES,
    random_clutter,
    wins_by_fours_within,
)
from tests.sampled import sampled

POSITIONS = int(os.environ.get("GOMOKU_ORACLE_POSITIONS", "100"))
SOLVABLE = [
    problem
    for problem in problems("levels.jsonl") + problems("tactics.jsonl")
    if problem.vcf
]
# In renju nobody has told which ones are: those that the engine claims are replayed.
RENJU_PROBLEMS = [
    problem for problem in problems("tactics.jsonl") if problem.board.rule == Rule.RENJU
]


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=1) as engine:
        yield engine


def fours_win(reference, attacker, known=None):
    """Whether the attacker, to move, has a win by fours of any length.

    Tries every four and every reply; `known` remembers positions, nothing else.
    """
    known = {} if known is None else known
    key = bytes(reference.cells)
    if key in known:
        return known[key]
    known[key] = bool(reference.fives(attacker)) or any(
        _four_wins(reference, p, attacker, known)
        for p in reference.four_makers(attacker)
    )
    return known[key]


def _four_wins(reference, p, attacker, known):
    return (
        after_four(
            reference,
            p,
            attacker,
            lambda: True if fours_win(reference, attacker, known) else None,
        )
        is not None
    )


def after_four(reference, p, attacker, win):
    """What ``win`` tells after the last of the replies to a four; None if one holds."""
    if reference.cells[p] != EMPTY or not reference.may_play(p, attacker):
        return None
    defender = 1 - attacker
    found = None
    reference.place(p, attacker)
    fives = reference.fives(attacker)
    if fives and not reference.fives(defender):
        found = []
        # Any other reply leaves this five where it is.
        for reply in reference.removers(fives[0], attacker):
            if reference.may_play(reply, defender):
                reference.place(reply, defender)
                found = win()
                reference.clear(reply)
                if found is None:
                    break
    reference.clear(p)
    return found


def prove(engine, reference, attacker):
    """Play the engine's fours against every legal reply to each; the longest way.

    The engine is asked again after every reply that does not lose at once.
    """
    line = engine.solve(board_of(reference))
    assert line, f"no win by fours\n{reference}"
    message = f"{' '.join(map(str, line))}\n{reference}"
    p = reference.index(line[0])
    assert reference.cells[p] == EMPTY, message
    if reference.wins(p, attacker):
        assert len(line) == 1, message
        return 1
    assert reference.may_play(p, attacker), message
    reference.place(p, attacker)
    assert reference.fives(attacker), f"not a four: {message}"
    assert not reference.fives(1 - attacker), f"the defender wins: {message}"
    longest = 1
    reference.turn = attacker
    for reply in reference.empties():
        if not reference.may_play(reply, 1 - attacker):
            continue
        reference.place(reply, 1 - attacker)
        if reference.fives(attacker):
            longest = max(longest, 2 + 1)
        else:
            longest = max(longest, 2 + prove(engine, reference, attacker))
        reference.clear(reply)
    reference.clear(p)
    return longest


def check_line(line, board):
    """The line is legal, all fours and replies that stop a five if any does."""
    message = f"{' '.join(map(str, line))}\n{board}"
    attacker = int(board.turn)
    after = board.copy()
    reference = reference_of(board)
    for number, move in enumerate(line):
        assert after.is_legal(move), message
        assert after.winner is None, message
        last = number == len(line) - 1
        side = int(after.turn)
        p = reference.index(move)
        if side != attacker:
            fives = reference.fives(attacker)
            stoppers = []
            for q in reference.removers(fives[0], attacker):
                reference.place(q, side)
                if not reference.fives(attacker):
                    stoppers.append(q)
                reference.clear(q)
            stoppers = [q for q in stoppers if reference.may_play(q, side)]
            assert p in stoppers or not stoppers, message
        reference.place(p, side)
        after.play(move)
        if side == attacker and not last:
            assert reference.fives(attacker), f"{move} is no four: {message}"
    assert len(line) % 2 == 1, message
    assert after.winner == Side(attacker), message


@pytest.mark.parametrize("problem", SOLVABLE, ids=lambda problem: problem.name)
def test_a_known_win_by_fours_is_found_and_holds_against_all_defences(engine, problem):
    line = engine.solve(problem.board)
    assert line is not None
    check_line(line, problem.board)
    prove(engine, reference_of(problem.board), int(problem.board.turn))


@sampled(50_000, 300_000)
def test_claims_on_renju_problems_hold_against_all_defences(engine, count):
    """The wins that are found within so many nodes; the reference is slow."""
    found = 0
    for problem in RENJU_PROBLEMS:
        line = engine.solve(problem.board, limits=Limits(nodes=count))
        if line is not None:
            found += 1
            check_line(line, problem.board)
            prove(engine, reference_of(problem.board), int(problem.board.turn))
    assert found >= 4


@pytest.mark.parametrize("rule", RULES)
@sampled(3, POSITIONS)
def test_claims_on_random_positions_hold_against_all_defences(engine, rule, count):
    lengths = set()
    for reference in random_references("claims", rule, count, walls=3):
        board = board_of(reference)
        line = engine.solve(board)
        if line is None:
            continue
        lengths.add(len(line))
        check_line(line, board)
        prove(engine, reference, reference.turn)
    assert {1, 3, 5} < lengths or count < POSITIONS


@pytest.mark.parametrize("rule", RULES)
@sampled(10, 2 * POSITIONS)
def test_a_win_by_fours_is_claimed_exactly_where_one_exists(engine, rule, count):
    """Brute force over all fours and replies, on small and on ordinary boards."""
    found = 0
    sizes = (6, 7, 8, 9, 15, (7, 10))
    for number, reference in enumerate(
        random_references("exists", rule, count, sizes, walls=2)
    ):
        expected = fours_win(reference, reference.turn)
        line = engine.solve(board_of(reference))
        assert (line is not None) == expected, f"position {number}, {line}\n{reference}"
        found += expected and len(line) >= 5
    assert found > count // 80 or count < POSITIONS


@pytest.mark.parametrize("rule", RULES)
@sampled(5, POSITIONS)
def test_a_win_by_fours_in_clutter_is_claimed_exactly_where_one_exists(
    engine, rule, count
):
    """Stones thrown at random have long runs, many fours, and in renju many fouls."""
    found = set()
    for number in range(count):
        reference = random_clutter(random.Random(f"vcf {rule} {number}"), rule, 11)
        if reference.is_finished():
            continue
        reference.turn = number & 1
        expected = fours_win(reference, reference.turn)
        line = engine.solve(board_of(reference))
        assert (line is not None) == expected, f"position {number}, {line}\n{reference}"
        found.add(expected)
    assert found == {False, True} or count < POSITIONS


@pytest.mark.parametrize("rule", RULES)
@sampled(10, POSITIONS)
def test_the_quickest_wins_by_fours_are_marked_so(engine, rule, count):
    """No shorter than possible; one and three plies exactly.

    (In renju a longer win may be told where a four wins since black may not block it.)
    """
    quick = 0
    for number, reference in enumerate(
        random_references("shortest", rule, count, (7, 9, 15))
    ):
        line = engine.solve(board_of(reference))
        plies = next(
            (
                n
                for n in (1, 3, 5)
                if wins_by_fours_within(reference, reference.turn, n)
            ),
            None,
        )
        message = f"position {number}: {line}\n{reference}"
        if plies is None:
            assert line is None or len(line) > 5, message
            continue
        quick += plies == 3
        assert line is not None, message
        assert len(line) >= plies, message
        if rule != RENJU and plies <= 3:
            assert len(line) == plies, message
    assert quick > 3 or count < POSITIONS


@pytest.mark.parametrize(
    "problem", problems("novcf.jsonl"), ids=lambda problem: problem.name
)
def test_no_win_by_fours_is_claimed_where_an_exhaustive_search_found_none(
    engine, problem
):
    assert engine.solve(problem.board) is None


@sampled(5, 40)
def test_a_solver_that_stands_on_one_engine_for_all_rules_and_sizes(engine, count):
    """What was remembered under one rule or on one size is of no use on another."""
    for reference in random_references("rules", BLACK, count, (9, 11), stones=(12, 30)):
        black, white = reference.stones(0), reference.stones(1)
        for size in (reference.width, reference.width + 1):
            for rule in RULES:
                board = Board.from_stones(
                    black, white, turn=Side(reference.turn), size=size, rule=rule
                )
                if board.winner is None:
                    expected = fours_win(reference_of(board), int(board.turn))
                    line = engine.solve(board)
                    assert (line is not None) == expected, str(board)


def test_the_solver_leaves_the_board_alone(engine):
    for board in random_boards("unchanged", Rule.RENJU, 20):
        twin = board.copy()
        engine.solve(board)
        assert board == twin
        assert board.moves == twin.moves
        board.verify()


def test_only_fours_count_as_a_win_by_fours(engine):
    """Two open threes win as well, but not by fours."""
    board = Board.from_stones(
        cells("g8 h8 f6 f7"), cells("a1 a15 o1 o15"), turn=Side.BLACK
    )
    assert engine.search(board, Limits(nodes=20_000)).win_in is not None
    assert engine.solve(board) is None


@sampled(30, 300)
def test_in_caro_both_ends_of_a_coming_five_are_tried(engine, count):
    """Caro: a simple four may have more than one reply."""
    lines = 0
    for rule in (Rule.CARO, Rule.CARO_EXACT):
        for reference in random_references("ends", rule, count, (9, 11)):
            line = engine.solve(board_of(reference))
            if line is None or len(line) < 5:
                continue
            reference.place(reference.index(line[0]), reference.turn)
            fives = reference.fives(reference.turn)
            removers = reference.removers(fives[0], reference.turn)
            lines += len(removers) > 1
    assert lines > count // 30


def test_unknown_kinds_are_refused(engine):
    with pytest.raises(ValueError, match="no solver for 'vcx'"):
        engine.solve(Board(), kind="vcx")


def test_a_board_without_stones_or_without_cells_has_no_win(engine):
    assert engine.solve(Board(15)) is None
    black = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 0]
    white = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 1]
    full = Board.from_stones(black, white, size=5)
    assert full.is_full
    assert engine.solve(full) is None


HARD = next(
    p.board
    for p in problems("tactics.jsonl")
    if p.name.startswith("mintaka-08 standard")
)


def test_a_node_limit_ends_the_solver(engine):
    assert engine.solve(HARD, limits=Limits(nodes=10)) is None
    assert engine.solve(HARD, limits=Limits(nodes=1)) is None
    worker = Worker(TranspositionTable(0.1))
    worker.set_position(HARD, SearchControl(), 50)
    assert worker.solve_vcf() is None
    assert worker.nodes < 60


def test_a_time_limit_ends_the_solver(engine):
    result = engine.find_win(HARD, "vcf", Limits(time=0.0))
    assert result.status == "unknown"
    assert result.nodes <= 1024  # until its first look at the clock


def test_a_stopped_worker_proves_nothing():
    control = SearchControl()
    control.stop()
    worker = Worker(TranspositionTable(0.1))
    worker.set_position(HARD, control)
    assert worker.solve_vcf() is None


def test_the_worker_distinguishes_no_win_from_unknown():
    worker = Worker(TranspositionTable(0.1))
    none = problems("novcf.jsonl")[0].board
    worker.set_position(none, SearchControl())
    assert worker.solve_vcf() == ()
    worker.set_position(HARD, SearchControl())
    line, plies = worker.solve_vcf()
    assert 0 < len(line) <= plies


FULL = """\
XXX.XX
XOOOXX
OOXOOX
OXXOOO
OOX.XO
OOXXXO"""


@pytest.mark.parametrize("kind", ["vcf", "vct", "auto"])
def test_a_defender_without_a_legal_move_has_lost(kind):
    """The last two cells: white's four leaves black an overline, which is forbidden."""
    board = Board.from_picture(FULL, rule="renju", turn="white")
    with Engine(1, 1) as engine:
        found = engine.find_win(board, kind, Limits(nodes=10_000))
    assert found.status == "win"
    assert found.line == (Move(3, 4),)
    assert found.tree is not None
    board.play(found.line[0])
    assert not board.legal_moves()
    assert not board.is_full


def test_a_long_win_by_fours_is_found_by_proof_numbers():
    """With more nodes than the search for the fewest fours gets, they take over."""
    board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    with Engine(1, 1) as engine:
        assert engine.find_win(board, "vcf").status == "win"
        empty = Board.from_moves("h8 i9 j10 h9")
        assert engine.find_win(empty, "vcf", Limits(nodes=10**6)).status == "no win"
        found = engine._wins._find_threats(
            board, None, SearchControl(), fours_only=True
        )
    assert (found.status, found.kind, len(found.line)) == ("win", "vcf", 3)
