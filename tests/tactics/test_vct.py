"""Wins by continuous threats: every claim against every defence, by other means.

GOMOKU_ORACLE_POSITIONS sets the number of random positions a rule (3000 for a
full run).
"""

import os
import time

import pytest

from gomoku_brain.control.limits import Limits, ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import symmetries
from gomoku_brain.tactics.replay import replay
from gomoku_brain.tactics.vct import VctSolver, _py_defences
from tests.boards import (
    image_of,
    problems,
    random_boards,
    random_references,
    reference_of,
)
from tests.cases import board_of, cells
from tests.reference import EMPTY, RULES
from tests.sampled import WHY, sampled
from tests.tactics.test_vcf import after_four, fours_win

POSITIONS = int(os.environ.get("GOMOKU_ORACLE_POSITIONS", "30"))
LEVELS = problems("levels.jsonl")
TACTICS = problems("tactics.jsonl")
# Both rules of caro, from self-play (seed 44; caro's weights were fitted to it, too),
# mostly two to eight plies before the players, with 2,000 nodes a move, saw the win.
# A quick one takes the reference less than half a second.
CARO = problems("tactical_caro.jsonl")
CARO_QUICK = [p for p in CARO if p.difficulty == "quick"][::6]
NODES = 300_000  # a position
SHORT = 5  # fours of a win that is looked for first
MAX_FOURS = 5  # at the root of a brute-force search for each reply
# No win by fours; the first threat is an open three.
THREES = next(p for p in LEVELS if p.name.startswith("hlwzq-03")).board


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=8) as engine:
        yield engine


@pytest.fixture(scope="module")
def solver():
    return VctSolver(8)


def solve(solver, board, nodes=NODES):
    """(status, tree or None); every win that is told is replayed."""
    control = SearchControl()
    status = solver.solve(board, control, nodes)
    if status != "win":
        return status, None
    tree = solver.tree()
    assert tree is not None, str(board)
    fault = replay(board, tree, control)
    assert fault is None, f"{fault}: {tree.line()}\n{board}"
    return status, tree


def fours_within(reference, attacker, most):
    """The fours of a win by at most so many, before the five; None without one."""
    if reference.fives(attacker):
        return []
    for p in reference.four_makers(attacker) if most else ():
        rest = after_four(
            reference, p, attacker, lambda: fours_within(reference, attacker, most - 1)
        )
        if rest is not None:
            return [p, *rest]
    return None


def same_fours_win(reference, attacker, fours):
    """Whether these fours, in this order, win as well."""
    if reference.fives(attacker):
        return True
    return bool(fours) and (
        after_four(
            reference,
            fours[0],
            attacker,
            lambda: True if same_fours_win(reference, attacker, fours[1:]) else None,
        )
        is not None
    )


def answered_by_fours(reference, attacker, hints, searched):
    """Whether the attacker, to move, wins by fours: first by those of earlier wins.

    ``searched`` remembers positions for ``fours_win``.
    """
    if any(same_fours_win(reference, attacker, fours) for fours in hints):
        return True
    for most in range(1, SHORT + 1):
        fours = fours_within(reference, attacker, most)
        if fours is not None:
            hints.insert(0, fours)
            return True
    return fours_win(reference, attacker, searched)


def holds(tree, reference, attacker, known, searched=None):
    """Whether the tree wins against every legal reply, told by the reference alone."""
    key = (bytes(reference.cells), id(tree))
    if key in known:
        return True
    searched = {} if searched is None else searched
    p = reference.index(tree.move)
    if reference.cells[p] != EMPTY:
        return False
    if reference.wins(p, attacker):
        return True
    if not reference.may_play(p, attacker):
        return False
    defender = 1 - attacker
    answers = {reference.index(move): answer for move, answer in tree.replies}
    hints = []
    reference.place(p, attacker)
    won = not reference.fives(defender) and bool(reference.empties())
    fives = reference.fives(attacker)
    # a five that is threatened is lost to few replies only
    replies = reference.removers(fives[0], attacker) if fives else reference.empties()
    for reply in replies:
        if not won:
            break
        if not reference.may_play(reply, defender):
            continue
        reference.place(reply, defender)
        if reply in answers:
            won = holds(answers[reply], reference, attacker, known, searched)
        else:
            won = answered_by_fours(reference, attacker, hints, searched)
        reference.clear(reply)
    reference.clear(p)
    known.update({key: True} if won else {})
    return won


# Known wins ---------------------------------------------------------------------------


@pytest.mark.parametrize("problem", LEVELS, ids=lambda problem: problem.name)
def test_every_level_is_won_by_threats(solver, problem):
    _, tree = solve(solver, problem.board)
    assert tree is not None
    line = tree.line()
    assert len(line) == tree.plies
    after = problem.board.copy()
    for move in line:
        assert after.winner is None
        assert after.is_legal(move)
        after.play(move)
    assert after.winner == problem.board.turn


def test_most_tactics_are_won_by_threats(solver):
    solved = [solve(solver, problem.board, 60_000)[0] for problem in TACTICS]
    assert solved.count("win") >= 24


def test_a_win_is_one_for_the_reference_as_well(solver):
    for problem in LEVELS[2:4]:
        _, tree = solve(solver, problem.board)
        reference = reference_of(problem.board)
        assert holds(tree, reference, int(problem.board.turn), {}), problem.name


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(
            problem,
            marks=[pytest.mark.slow(WHY, ci=True)] if number else [],
        )
        for number, problem in enumerate(CARO_QUICK)
    ],
    ids=lambda problem: problem.name,
)
def test_a_win_of_caro_is_found_and_is_one_for_the_reference(solver, problem):
    _, tree = solve(solver, problem.board)
    assert tree is not None
    reference = reference_of(problem.board)
    assert holds(tree, reference, int(problem.board.turn), {})


@pytest.mark.parametrize("change", ["move", "reply", "answer"])
def test_the_reference_refutes_a_spoiled_tree(solver, change):
    """Another first move; a defence left out; the answer on the defender's stone."""
    _, tree = solve(solver, THREES)
    spoiled = None
    for k, (reply, answer) in enumerate(tree.replies):
        others = tree.replies[:k] + tree.replies[k + 1 :]
        if change == "move":
            spoiled = ThreatTree(Move(0, 0), tree.plies, tree.replies)
        elif change == "reply":
            spoiled = ThreatTree(tree.move, tree.plies, others)
        else:
            wrong = ThreatTree(reply, answer.plies, answer.replies)
            spoiled = ThreatTree(tree.move, tree.plies, ((reply, wrong), *others))
        if not holds(spoiled, reference_of(THREES), int(THREES.turn), {}):
            break
    else:
        raise AssertionError(f"{change}: {tree.line()}")


def test_the_caro_sample_is_what_it_should_be():
    names = [problem.name for problem in CARO]
    assert len(set(names)) == len(CARO) == 240
    assert len({str(problem.board) for problem in CARO}) == 240
    assert [p.board.rule for p in CARO].count(Rule.CARO) == 120
    assert len(CARO_QUICK) >= 8
    for problem in CARO:
        after = problem.board.copy()
        after.play(problem.moves[0])  # legal
        assert after.winner is None


@pytest.mark.slow("a plain reference searches each win anew")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("problem", CARO, ids=lambda problem: problem.name)
def test_every_win_of_caro_is_one_for_the_reference(solver, problem):
    _, tree = solve(solver, problem.board, 3_000_000)
    assert tree is not None
    reference = reference_of(problem.board)
    assert holds(tree, reference, int(problem.board.turn), {})


# Random positions ---------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@sampled(30, 10 * POSITIONS)
def test_only_the_listed_replies_can_answer_a_threat(solver, rule, count):
    """After any other legal reply the attacker wins by fours, by brute force."""
    threats = 0
    for reference in random_references(
        "replies", rule, count, (9, 7, 11, (7, 10)), walls=2
    ):
        if reference.fives(reference.turn) or reference.fives(1 - reference.turn):
            continue
        if len(reference.four_makers(1 - reference.turn)) > MAX_FOURS:
            continue
        listed = _py_defences(solver, board_of(reference))
        if listed is None:
            continue
        threats += 1
        defender = reference.turn
        named = {reference.index(move) for move in listed}
        for reply in reference.empties():
            if reply in named or not reference.may_play(reply, defender):
                continue
            reference.place(reply, defender)
            won = fours_win(reference, 1 - defender)
            reference.clear(reply)
            message = f"{reference.cell(reply)} is not among {listed}\n{reference}"
            assert won, message
    assert threats > count // 50


@pytest.mark.parametrize("rule", RULES)
@sampled(POSITIONS, 6 * POSITIONS)
def test_claims_on_random_positions_hold_against_all_defences(solver, rule, count):
    """By the replay, and some of the longer ones by the reference alone."""
    found = set()
    checked = 0
    for board in random_boards("vct", rule, count, (9, 7, (7, 10)), walls=2):
        status, tree = solve(solver, board, 3_000)
        found.add(status)
        if tree is not None and 5 < tree.plies <= 11 and checked < count // 48:
            checked += 1
            assert holds(tree, reference_of(board), int(board.turn), {}), str(board)
    assert {"win", "no win"} <= found
    assert checked or count < 6 * POSITIONS


@pytest.mark.slow("hundreds of random boards of each size")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("rule", RULES)
def test_thousands_of_claims_hold_against_all_defences(solver, rule):
    for size in (6, 7, 8, 9, 11, 15):
        for board in random_boards(f"many {size}", rule, 100 * POSITIONS, (size,)):
            solve(solver, board, 20_000)


class Oracle:
    """Wins by threats as they are defined, with every move tried on both sides.

    A threat is a legal move that does not let the defender win at once, and after which
    the attacker would win by fours if it were his turn again.
    """

    def __init__(self, reference, attacker):
        self.reference = reference
        self.attacker = attacker
        self.known = {}
        self.known_fours = {}

    def wins(self):
        reference, attacker = self.reference, self.attacker
        key = bytes(reference.cells)
        if key not in self.known:
            self.known[key] = fours_win(reference, attacker, self.known_fours) or any(
                self.forces(p) for p in reference.empties()
            )
        return self.known[key]

    def forces(self, p):
        reference, attacker = self.reference, self.attacker
        defender = 1 - attacker
        if not reference.may_play(p, attacker):
            return False
        reference.place(p, attacker)
        won = (
            not reference.fives(defender)
            and bool(reference.empties())
            and fours_win(reference, attacker, self.known_fours)
        )
        for reply in reference.empties() if won else ():
            if reference.may_play(reply, defender):
                reference.place(reply, defender)
                won = self.wins()
                reference.clear(reply)
                if not won:
                    break
        reference.clear(p)
        return won


@pytest.mark.parametrize("rule", RULES)
@sampled(2, 2 * POSITIONS)
def test_wins_by_threats_are_claimed_where_the_oracle_has_one(solver, rule, count):
    """And nowhere else. Quiet moves may be threats that the solver does not try."""
    found = {True: 0, False: 0}
    missed = 0
    for reference in random_references(
        "oracle", rule, count, (6, (5, 7)), stones=(16, 22)
    ):
        if fours_win(reference, reference.turn):
            continue
        board = board_of(reference)
        status, _ = solve(solver, board, None)
        assert status != "unknown"
        expected = Oracle(reference, reference.turn).wins()
        found[expected] += 1
        if status == "win":
            assert expected, str(board)
        else:
            missed += expected
    if count >= POSITIONS:
        assert found[False] > count // 16
        assert missed <= found[True] // 10


def defended(problem):
    """The problem after its winning move; the loser to move."""
    board = problem.board.copy()
    board.play(problem.moves[0])
    return board


@pytest.mark.parametrize(
    "problem",
    [p for p in LEVELS + TACTICS if p.moves],
    ids=lambda problem: problem.name,
)
def test_nothing_is_claimed_for_the_side_that_loses(solver, problem):
    board = defended(problem)
    if board.winner is None:
        assert solve(solver, board, 20_000)[0] != "win"


@sampled(2, 12)
def test_every_image_of_a_position_has_the_same_verdict(solver, count):
    boards = [*random_boards("turned", 4, 6, (9,)), *(p.board for p in LEVELS[:6])]
    for board in boards[12 - count :]:
        found = {
            solve(solver, image_of(board, k), None)[0]
            for k in symmetries(board.width, board.height)
        }
        assert len(found) == 1


def test_one_solver_serves_all_rules_and_sizes(solver):
    """What was remembered under one rule or on one size is of no use on another."""
    fresh = {}
    boards = []
    for reference in random_references("one solver", 0, 12, (9,), stones=(12, 24)):
        black, white = reference.stones(0), reference.stones(1)
        for size in (9, 10):
            for rule in RULES:
                board = Board.from_stones(
                    black, white, turn=Side(reference.turn), size=size, rule=rule
                )
                if board.winner is None:
                    boards.append(board)
    for k, board in enumerate(boards):
        fresh[k] = VctSolver(0.1).solve(board, SearchControl(), 20_000)
    for k, board in enumerate(boards):
        assert solver.solve(board, SearchControl(), 20_000) == fresh[k]


def test_a_double_three_wins_where_it_is_no_foul(solver):
    for rule in RULES:
        board = Board.from_stones(
            cells("g8 h8 f6 f7"), cells("a1 a15 o1 o15"), turn=Side.BLACK, rule=rule
        )
        _, tree = solve(solver, board)
        assert tree is not None
        assert (tree.move == Move(5, 7)) == (rule != Rule.RENJU)


# The replay ---------------------------------------------------------------------------


def trees_of(tree):
    """The tree and all below it."""
    yield tree
    for _, answer in tree.replies:
        yield from trees_of(answer)


def changed(tree, old, new):
    """The tree with one node replaced."""
    if tree is old:
        return new
    replies = tuple((move, changed(answer, old, new)) for move, answer in tree.replies)
    return ThreatTree(tree.move, tree.plies, replies)


def test_a_tree_with_a_wrong_move_is_caught(solver):
    """A move to a far corner wins nowhere below the root of this problem."""
    _, tree = solve(solver, THREES)
    corner = Move(14, 14)
    wrong = 0
    for node in trees_of(tree):
        bad = changed(tree, node, ThreatTree(corner, node.plies, node.replies))
        fault = replay(THREES, bad, SearchControl())
        # after a four that nothing stops, the replay needs no tree
        wrong += fault is not None
        assert fault is not None or node.plies == 1
    assert wrong >= 4


def test_a_tree_without_an_answer_is_caught(solver):
    _, tree = solve(solver, THREES)
    nodes = [n for n in trees_of(tree) if n.plies >= 7]
    assert nodes
    for node in nodes:
        for reply in node.replies:
            left = tuple(other for other in node.replies if other is not reply)
            bad = changed(tree, node, ThreatTree(node.move, node.plies, left))
            fault = replay(THREES, bad, SearchControl())
            assert fault is not None
            assert str(reply[0]) in fault


def test_a_tree_of_illegal_moves_is_caught(solver):
    _, tree = solve(solver, THREES)
    for move in (tree.replies[0][0], THREES.moves[0], Move(15, 3), Move(-1, 0)):
        bad = ThreatTree(move, tree.plies, tree.replies)
        assert replay(THREES, bad, SearchControl()) is not None
    foul = Board.from_stones(
        cells("e8 f8 g8 h5 h6 h7"), cells("d8 h4"), turn=Side.BLACK, rule=Rule.RENJU
    )
    double_four = ThreatTree(Move(7, 7), 3, ())
    assert "not legal" in (replay(foul, double_four, SearchControl()) or "")


def test_a_stopped_replay_proves_nothing(solver):
    control = SearchControl()
    _, tree = solve(solver, THREES)
    assert replay(THREES, tree, control, 10) == "stopped"
    control.stop()
    assert replay(THREES, tree, control) == "stopped"


# Limits -------------------------------------------------------------------------------


def test_no_win_and_not_found_are_distinguished(engine):
    quiet = Board.from_moves("h8 i9")
    assert engine.find_win(quiet, "vct").status == "no win"
    assert engine.find_win(quiet).status == "no win"
    assert engine.find_win(THREES, "vcf").status == "no win"
    assert engine.find_win(THREES, "vct", Limits(nodes=20)).status == "unknown"
    result = engine.find_win(THREES)
    assert (result.status, result.kind) == ("win", "vct")
    assert result.line == engine.solve(THREES, "vct")
    assert result.nodes > 0
    assert result.time > 0


def test_auto_prefers_a_win_by_fours(engine):
    fours = next(p for p in LEVELS if p.vcf).board
    result = engine.find_win(fours)
    assert (result.status, result.kind) == ("win", "vcf")
    assert result.tree is not None
    assert replay(fours, result.tree, SearchControl()) is None


@pytest.mark.parametrize("nodes", [0, 1, 100, 1000, 5000])
def test_a_node_limit_ends_the_solver(solver, nodes):
    hard = next(p for p in TACTICS if p.difficulty == "5-very-hard").board
    assert solver.solve(hard, SearchControl(), nodes) == "unknown"
    assert solver.nodes <= nodes + 5_000


def test_the_same_limits_give_the_same_answer(solver):
    for problem in TACTICS[:10]:
        first = (solver.solve(problem.board, SearchControl(), 20_000), solver.nodes)
        again = (solver.solve(problem.board, SearchControl(), 20_000), solver.nodes)
        assert first == again


def test_time_and_stop_end_the_solver(engine, solver):
    hard = next(p for p in TACTICS if p.difficulty == "5-very-hard").board
    result = engine.find_win(hard, "vct", Limits(time=0.0))
    assert result.status == "unknown"
    assert result.nodes <= 10_000  # until it looks at the clock, and what it has begun
    control = SearchControl()
    control.stop()
    assert solver.solve(hard, control) == "unknown"
    assert solver.stopped


def test_nothing_is_proved_when_time_ends_before_the_last_tier(solver):
    board = Board.from_moves("k7 e11 i7 h6 i10 e8 k9")
    start = time.perf_counter()
    assert solver.solve(board, SearchControl()) == "no win"
    whole, seconds = solver.nodes, time.perf_counter() - start
    for part in range(100):
        control = SearchControl()
        control.set_deadline(time.perf_counter() + seconds * part / 100)
        if solver.solve(board, control) == "no win":
            assert solver.nodes == whole
        if solver.solve(board, SearchControl(), whole * part // 100) == "no win":
            assert solver.nodes == whole


def test_with_the_fewest_nodes_a_win_is_found_or_not_known(engine):
    for problem in TACTICS:  # all of them are wins
        for nodes in range(1, 5):
            result = engine.find_win(problem.board, "auto", Limits(nodes=nodes))
            assert result.status == "unknown" or result.line


def test_the_solver_leaves_the_board_alone(engine):
    for board in random_boards("unchanged", Rule.RENJU, 10):
        twin = board.copy()
        engine.find_win(board, "vct", Limits(nodes=2_000))
        assert board == twin
        assert board.moves == twin.moves
        board.verify()


def test_finished_and_full_boards_have_no_win(engine):
    over = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    on = Limits(play_on=True)
    assert engine.find_win(over, "vct", on).status == "no win"
    black = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 0]
    white = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 1]
    full = Board.from_stones(black, white, size=5)
    assert engine.find_win(full, limits=on).status == "no win"
    assert engine.find_win(Board(15)).status == "no win"


def test_a_table_of_one_bucket_still_finds_the_win():
    small = VctSolver(0.0001)
    status = small.solve(THREES, SearchControl(), NODES)
    assert status == "win"
    tree = small.tree()
    assert tree is not None
    assert replay(THREES, tree, SearchControl()) is None


def test_impossible_tables_are_refused():
    for size in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="positive size"):
            VctSolver(size)


def test_a_tree_without_a_search_is_refused():
    with pytest.raises(ValueError, match="no search"):
        VctSolver(0.1).tree()
