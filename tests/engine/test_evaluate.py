"""``Engine.evaluate``: the static values of positions, without a search."""

import random
import threading

import numpy
import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import BoardEvaluator
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.score import EVAL_LIMIT, WIN
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.plain.shape_counts import ShapeCounts
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from tests.boards import random_boards

OPEN = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
WON = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8")


@pytest.fixture
def engine():
    with Engine(hash_mb=1) as engine:
        yield engine


def games(rule, count=3, size=15):
    """Games without a winner, move by move: each a list of boards."""
    rng = random.Random(f"evaluate {rule}")
    worker = Worker(TranspositionTable(0.1))
    for _ in range(count):
        board, found = Board(size, rule), []
        while board.winner is None and board.ply < 40:
            found.append(board.copy())
            worker.set_position(board, SearchControl())
            # the best moves by their shapes, now and then another one
            best = worker.best_by_score() if rng.random() < 0.8 else None
            near = board.legal_moves()
            board.play(best or rng.choice(near))
        yield found


@pytest.mark.parametrize("rule", Rule)
def test_it_is_the_value_of_a_leaf_along_whole_games(engine, rule):
    """The worker follows the moves; here each position is computed from scratch."""
    worker = Worker(TranspositionTable(0.1))
    for boards in games(rule, size=(15, 14)):
        worker.set_position(boards[0], SearchControl())
        along = worker.evaluate_along(boards[-1].moves)
        values = engine.evaluate(boards[1:])
        assert values.tolist() == along
        assert [engine.evaluate(board) for board in boards[1:]] == along
        for board, value in zip(boards[1:], along, strict=True):
            worker.set_position(board, SearchControl())
            assert worker.evaluate() == value


@pytest.mark.parametrize("rule", Rule)
def test_a_search_without_moves_returns_it(engine, rule):
    plain = Worker(TranspositionTable(0.01), Features.TABLE_CUTS)
    for boards in games(rule, 1):
        for board in boards:
            plain.set_position(board, SearchControl())
            assert plain.search(0) == engine.evaluate(board)


@pytest.mark.parametrize("rule", Rule)
def test_symmetric_positions_have_equal_values(engine, rule):
    for board in random_boards("images", rule, 20, (15, 9, 20, (11, 16)), (0, 40)):
        images = [board.transformed(k) for k in board.symmetries]
        assert len(set(engine.evaluate(images).tolist())) == 1


def test_the_values_of_many_boards_are_those_of_each(engine):
    boards = [
        board
        for rule in Rule
        for board in random_boards("mixed", rule, 20, (5, 15, (9, 22)), (0, 30))
    ]
    random.Random(1).shuffle(boards)
    values = engine.evaluate(boards)
    assert values.dtype == numpy.int32
    assert values.shape == (len(boards),)
    assert values.tolist() == [engine.evaluate(board) for board in boards]
    assert all(-EVAL_LIMIT <= value <= EVAL_LIMIT for value in values)
    assert type(engine.evaluate(boards[0])) is int
    assert (engine.evaluate(iter(boards)) == values).all()
    assert engine.evaluate([]).shape == (0,)


def test_a_finished_game_has_the_value_of_its_result(engine):
    assert engine.evaluate(WON) == -WIN  # white is to move
    turned = WON.copy()
    turned.turn = Side.BLACK
    assert engine.evaluate(turned) == WIN
    assert engine.evaluate([WON, turned]).tolist() == [-WIN, WIN]
    black = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 0]
    white = [(x, y) for x in range(5) for y in range(5) if (x // 2 + y) % 2 == 1]
    full = Board.from_stones(black, white, size=5)
    assert full.is_full
    assert engine.evaluate(full) == 0


def test_a_foul_ends_the_game_for_white(engine):
    board = Board.from_moves("h8 a1 i8 a3 j9 a5 j10 a7 j8", rule="renju")
    foul = board.result == "0-1"
    assert foul
    assert engine.evaluate(board) == WIN  # white is to move
    before = board.copy()
    before.undo()
    assert abs(engine.evaluate(before)) <= EVAL_LIMIT


def test_the_board_is_not_changed(engine):
    for rule in Rule:
        board = Board.from_moves("h8 a1 i8 a3 j9 a5 j10 a7 j8", rule=rule)
        before = board.copy()
        engine.evaluate(board)
        assert board == before
        assert (board.moves, board.winner) == (before.moves, before.winner)
        board.verify()


def test_it_obeys_another_evaluation_of_its_rule(engine):
    standard = Board.from_moves("h8 i9 g9 i7 i8 g8 j10", rule="standard")
    shipped = engine.evaluate([OPEN, standard]).tolist()
    engine.set_evaluation(ShapeCounts())
    worker = Worker(TranspositionTable(0.1))
    worker.set_evaluation(ShapeCounts())
    worker.set_position(OPEN, SearchControl())
    assert engine.evaluate(OPEN) == worker.evaluate() != shipped[0]
    assert engine.evaluate(standard) == shipped[1]
    assert engine.search(OPEN, Limits(nodes=1)).score == engine.evaluate(OPEN)
    engine.set_evaluation(None)
    assert engine.evaluate([OPEN, standard]).tolist() == shipped


def test_an_evaluation_without_an_evaluator_is_reported(engine):
    engine.set_evaluation(Evaluation())
    with pytest.raises(NotImplementedError, match="no evaluator"):
        engine.evaluate(OPEN)
    engine.set_evaluation(None)
    assert engine.evaluate(OPEN) == Engine(hash_mb=1).evaluate(OPEN)


def test_a_search_is_the_same_after_it(engine):
    plain = engine.search(OPEN, Limits(nodes=3000))
    engine.new_game()
    engine.evaluate([board for rule in Rule for board in random_boards("x", rule, 3)])
    again = engine.search(OPEN, Limits(nodes=3000))
    assert (plain.move, plain.score, plain.pv) == (again.move, again.score, again.pv)


def test_it_runs_beside_a_search_and_in_several_threads(engine):
    boards = list(random_boards("threads", Rule.RENJU, 200, (15,), (10, 40)))
    wanted = engine.evaluate(boards).tolist()
    found = []
    with engine.analysis(OPEN):
        threads = [
            threading.Thread(target=lambda: found.append(engine.evaluate(boards)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [values.tolist() for values in found] == [wanted] * 4


@pytest.mark.parametrize("wrong", ["h8 h9", 5, None, [OPEN, "h8"], [None]])
def test_anything_but_a_board_is_refused(engine, wrong):
    with pytest.raises(TypeError, match="a position is a Board, not"):
        engine.evaluate(wrong)


def test_the_evaluator_alone_needs_no_engine():
    evaluator = BoardEvaluator()
    assert list(evaluator.values([OPEN, WON])) == [evaluator.value(OPEN), -WIN]
    with pytest.raises(TypeError):
        evaluator.value(None)
