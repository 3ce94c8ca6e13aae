"""The search against plain minimax, which has no window, table, order or pruning."""

import random

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from gomoku_brain.tactics.threats import _py_defences, _py_static_win
from tests.boards import random_boards, random_references
from tests.cases import board_of
from tests.reference import RENJU, RULES, loses_within, wins_within
from tests.sampled import sampled

WIN, WIN_ZONE, INFINITY = 30000, 29000, 31000
SMALL = (5, 6, 7, (5, 7), (7, 6))
POSITIONS = 14  # a rule


def near(move, width, height):
    """The candidates that a stone adds: its 7x7 square, and its rays to distance 4."""
    found = set()
    for dx in range(-4, 5):
        for dy in range(-4, 5):
            on_ray = dx == 0 or dy == 0 or abs(dx) == abs(dy)
            cell = Move(move[0] + dx, move[1] + dy)
            if (max(abs(dx), abs(dy)) <= 3 or on_ray) and (
                0 <= cell.x < width and 0 <= cell.y < height
            ):
                found.add(cell)
    return found


class Minimax:
    """Every legal candidate, to a fixed depth, with the engine's evaluation at the end.

    With ``claims`` a node ends where the static tests prove something (they have their
    own proof in tests/game/test_static_wins.py), and a leaf at which a five must be
    stopped is searched on; all moves are tried nevertheless.
    """

    def __init__(self, board, claims=False):
        self.board = board.copy()
        self.claims = claims
        self.worker = Worker(TranspositionTable(0.01))
        self.control = SearchControl()
        self.near = {
            Move(x, y): near((x, y), board.width, board.height)
            for x in range(board.width)
            for y in range(board.height)
        }

    def evaluate(self):
        """From scratch: the worker gets a fresh copy."""
        self.worker.set_position(self.board, self.control)
        return self.worker.evaluate()

    def candidates(self):
        found = set()
        for cell in self.near:
            if self.board.stone(cell) is not None:
                found |= self.near[cell]
        return found

    def value(self, depth):
        return self._value(depth, 0, self.candidates())

    def _value(self, depth, ply, reach):
        board = self.board
        if board.is_full:
            return 0
        threatened = False
        if self.claims:
            claim = _py_static_win(board)
            if claim:
                return WIN - ply - claim if claim > 0 else ply - claim - WIN
            forced = _py_defences(board)
            threatened = forced is not None and forced[0] == "five"
        if depth <= 0 and not threatened:
            return self.evaluate()
        best = None
        for move in reach:
            if not board.is_legal(move):  # occupied, or forbidden to black
                continue
            board.play(move)
            score = -self._value(depth - 1, ply + 1, reach | self.near[move])
            board.undo()
            if best is None or score > best:
                best = score
        return self.evaluate() if best is None else best


def search(board, depth, features, alpha=-INFINITY, beta=INFINITY, worker=None):
    """A fixed-depth search with an empty table; (score, worker)."""
    worker = worker or Worker(TranspositionTable(1), features)
    worker.set_position(board, SearchControl())
    return worker.search(depth, alpha, beta), worker


def small_boards(seed, rule, count=POSITIONS):
    """Small boards on which somebody can move, from full but one to half empty.

    Only one in four may be so dead that its evaluation is 0.
    """
    made = 0
    worker, control = Worker(TranspositionTable(0.01)), SearchControl()
    for number, board in enumerate(
        random_boards(seed, rule, 20 * count, SMALL, stones=(6, 34), walls=2)
    ):
        worker.set_position(board, control)
        if number % 4 and worker.evaluate() == 0:
            continue
        if 1 <= len(board.legal_moves()) <= 28:
            made += 1
            yield number, board
        if made == count:
            return
    raise AssertionError("not enough positions")


def where(number, board):
    return f"position {number}, {board.rule!r}, {board.turn!r} to move\n{board}"


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("rule", RULES)
@sampled(1, 14)
def test_without_features_the_search_is_plain_minimax(rule, depth, count):
    scores = set()
    for number, board in small_boards(f"plain {depth}", rule, count):
        score, _ = search(board, depth, 0)
        assert score == Minimax(board).value(depth), where(number, board)
        scores.add(score)
    assert len(scores) > count // 3


@pytest.mark.parametrize("rule", RULES)
def test_the_candidates_are_the_empty_cells_near_a_stone(rule):
    """On a large board: a lone stone and a pair far from it."""
    board = Board.from_stones([(1, 2), (16, 15)], [(16, 16)], size=20, rule=rule)
    found = set()
    minimax = Minimax(board)
    expected = {cell for cell in minimax.candidates() if board.is_empty(cell)}
    worker = Worker(TranspositionTable(0.1), 0)
    while True:
        worker.set_position(board, SearchControl())
        move = worker.best_by_score(exclude=tuple(found))
        if move is None:
            break
        found.add(move)
    assert found == expected


@pytest.mark.parametrize("rule", RULES)
@sampled(1, 8)
def test_the_table_does_not_change_a_fixed_depth_score(rule, count):
    for number, board in small_boards("table", rule, count):
        worker = Worker(TranspositionTable(1), Features.TABLE_CUTS)
        for depth in (1, 2, 3):
            score, _ = search(board, depth, 0, worker=worker)
            assert score == Minimax(board).value(depth), where(number, board)


@pytest.mark.parametrize("rule", RULES)
@sampled(1, 5)
def test_a_tiny_table_does_not_change_a_fixed_depth_score(rule, count):
    for number, board in small_boards("tiny table", rule, count):
        expected = Minimax(board).value(3)
        worker = Worker(TranspositionTable(1e-6), Features.TABLE_CUTS)
        score, _ = search(board, 3, 0, worker=worker)
        assert score == expected, where(number, board)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("rule", RULES)
@sampled(1, 14)
def test_static_tests_and_reply_sets_leave_the_score_of_undecided_nodes(
    rule, depth, count
):
    """Proved results agree in who wins: a reply set may leave out slower losses."""
    proved = 0
    for number, board in small_boards(f"static {depth}", rule, count):
        score, _ = search(board, depth, Features.STATIC_TESTS)
        expected = Minimax(board, claims=True).value(depth)
        if abs(expected) > WIN_ZONE:
            proved += 1
            assert abs(score) > WIN_ZONE, where(number, board)
            assert (score > 0) == (expected > 0), where(number, board)
        else:
            assert score == expected, where(number, board)
    assert proved < count or count < 14


FEATURES = {
    "static tests": Features.STATIC_TESTS,
    "leaf vcf": Features.STATIC_TESTS | Features.LEAF_VCF,
    "pruning": Features.STATIC_TESTS | Features.PRUNING,
    "reductions": Features.STATIC_TESTS | Features.REDUCTIONS,
    "extensions": Features.STATIC_TESTS | Features.EXTENSIONS,
    "table cuts": Features.STATIC_TESTS | Features.TABLE_CUTS,
    "all": Features.ALL,
}


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("rule", RULES)
@sampled(2, 80)
def test_proved_scores_are_true_with_any_feature(rule, name, count):
    """Short claims are settled by trying every move; quick wins are never missed."""
    claims = 0
    references = random_references(f"proved {name}", rule, count, (*SMALL, 9))
    for number, reference in enumerate(references):
        board, me = board_of(reference), reference.turn
        if not board.legal_moves():
            continue
        score, _ = search(board, 3, FEATURES[name])
        message = f"position {number}, score {score}\n{reference}"
        if wins_within(reference, me, 3):
            assert score > WIN_ZONE, message
        elif loses_within(reference, me, 2):
            assert score < -WIN_ZONE, message
        if score > WIN_ZONE:
            plies = WIN - score
            assert plies % 2 == 1, message
            if plies <= 5:
                assert wins_within(reference, me, plies), message
                claims += 1
        elif score < -WIN_ZONE:
            plies = WIN + score
            assert plies % 2 == 0, message
            if plies <= 4:
                assert loses_within(reference, me, plies), message
                claims += 1
    assert claims > 2 or count < 80


@pytest.mark.parametrize("features", [0, Features.TABLE_CUTS], ids=["plain", "table"])
@pytest.mark.parametrize("rule", RULES)
@sampled(2, POSITIONS)
def test_scores_outside_the_window_are_bounds(rule, features, count):
    rng = random.Random(rule)
    fell = set()
    for number, board in small_boards("windows", rule, count):
        exact, _ = search(board, 3, 0)
        for _ in range(6):
            alpha = exact + rng.randint(-90, 80)
            beta = alpha + rng.choice((1, 1, 30))
            score, _ = search(board, 3, features, alpha, beta)
            message = f"{alpha}..{beta}: {score} for {exact}, {where(number, board)}"
            if score <= alpha:
                assert exact <= score, message
                fell.add("low")
            elif score >= beta:
                assert exact >= score, message
                fell.add("high")
            else:
                assert exact == score, message
                fell.add("inside")
    assert fell == {"low", "high", "inside"} or count < POSITIONS


@pytest.mark.parametrize("rule", RULES)
def test_the_score_is_the_evaluation_at_the_end_of_the_line(rule):
    for number, board in small_boards("line", rule):
        score, worker = search(board, 3, 0)
        line = worker.pv
        after = board.copy()
        for move in line:
            assert after.is_legal(move), where(number, board)
            after.play(move)
        worker.set_position(after, SearchControl())
        end = 0 if after.is_full else worker.evaluate()
        assert score == (end if len(line) % 2 == 0 else -end), where(number, board)


@pytest.mark.parametrize("rule", RULES)
def test_a_full_board_is_a_draw(rule):
    """The last empty cell of a board on which it makes no five: the game ends drawn."""
    # Rows in pairs of colours: no five in any direction, whoever plays the last cell.
    black = [(x, y) for x in range(6) for y in range(6) if (x // 2 + y) % 2 == 0]
    white = [(x, y) for x in range(6) for y in range(6) if (x // 2 + y) % 2 == 1]
    for turn in Side:
        board = Board.from_stones(black[1:], white, turn=turn, size=6, rule=Rule(rule))
        assert board.legal_moves() == [black[0]]
        for features in (0, Features.ALL):
            score, worker = search(board, 4, features)
            assert score == 0
            assert worker.pv == (black[0],)
        board.play(black[0])
        assert board.winner is None
        assert search(board, 4, 0)[0] == 0


def test_forbidden_cells_are_not_searched():
    """Black's double-three on h8 wins in freestyle and is a foul in renju."""
    stones = {"black": [(7, 5), (7, 6), (5, 7), (6, 7)], "white": [(0, 0), (14, 14)]}
    for rule, forbidden in ((Rule.FREESTYLE, False), (Rule.RENJU, True)):
        board = Board.from_stones(**stones, turn=Side.BLACK, size=15, rule=rule)
        assert board.is_legal((7, 7)) != forbidden
        for features in (0, Features.STATIC_TESTS, Features.ALL):
            score, worker = search(board, 2, features)
            if forbidden:
                assert worker.pv[0] != (7, 7)
            elif features:
                assert worker.pv[0] == (7, 7)
                assert score > WIN_ZONE


def test_random_renju_positions_have_forbidden_candidates():
    """Otherwise the tests above would not show that fouls are left out."""
    boards = [board for _, board in small_boards("plain 2", RENJU, 60)]
    assert any(board.forbidden_moves() for board in boards if board.turn == Side.BLACK)


@pytest.mark.parametrize(
    "ask",
    [
        lambda worker: worker.search(1),
        lambda worker: worker.solve_vcf(),
        lambda worker: worker.evaluate(),
        lambda worker: worker.evaluate_along([]),
        lambda worker: worker.best_by_score(),
    ],
)
def test_a_worker_without_a_position_raises_an_error(ask):
    with pytest.raises(RuntimeError, match="no position"):
        ask(Worker(TranspositionTable(0.01)))
