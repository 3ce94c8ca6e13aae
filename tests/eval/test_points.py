"""The network over points: numbers of the plain form, sums along paths, bad files."""

import random
from dataclasses import replace

import numpy as np
import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import evaluation_from, evaluation_of
from gomoku_brain.eval.hand_weights import TEMPO_BITS
from gomoku_brain.eval.points import Points
from gomoku_brain.eval.score import EVAL_LIMIT
from gomoku_brain.eval.weights import (
    Part,
    Weights,
    pack_weights,
    shipped_weights,
    unpack_weights,
)
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import COUNT_OF_KINDS
from gomoku_brain.lab.train.parts import linear_parts
from gomoku_brain.lab.train.quantize import layout, network_score
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from tests.boards import random_boards
from tests.reference import RULES
from tests.sampled import sampled

SIZES = (15, 20, 5, 6, 9, 22)
LAYOUT = layout(1)
CASES = [*((rule, 1) for rule in RULES), (Rule.RENJU, 2)]  # tables of rows
# Spreads of random numbers such that sums of hundreds of points stay below the largest
# input now and then, and pass it now and then.
SPREADS = {"rows": 40, "zones": 400, "first": 300, "second": 400, "output": 4000}


def part_of(numbers):
    return Part(numbers.shape, numbers.astype(np.int16).tobytes())


def random_points(seed, rule=Rule.FREESTYLE, tables=1, rows=SPREADS["rows"]):
    """Weights of every size, so that each part of the sum and each limit shows."""
    dice = np.random.default_rng(seed)
    parts = {}
    for name, size in layout(tables).items():
        spread = rows if name == "rows" else SPREADS.get(name, 200)
        limit = 16383 if name in ("rows", "output") else 3071
        parts[name] = part_of(dice.normal(0, spread, size).clip(-limit, limit))
    zeros = np.zeros(COUNT_OF_KINDS)
    linear = linear_parts(
        [[zeros, zeros, np.zeros(1 << TEMPO_BITS)]] * 2, [[zeros, zeros]] * 2
    )
    return Weights("points", int(rule), linear | parts)


def new_worker():
    """One thread's search, with a small table."""
    return Worker(TranspositionTable(0.1))


@pytest.fixture
def worker():
    return new_worker()


def fresh(worker, board):
    """The value of a position that the worker's evaluator has never seen."""
    worker.set_position(board, SearchControl())
    return worker.evaluate()


@pytest.mark.parametrize(("seed", "rows"), [(1, 5), (2, 40), (3, 400), (4, 8000)])
@pytest.mark.parametrize(("rule", "tables"), CASES)
@sampled(1, 12)
def test_score_is_that_of_the_plain_form(worker, rule, tables, seed, rows, count):
    weights = random_points(seed, rule, tables, rows)
    worker.set_evaluation(evaluation_from(weights))
    values = set()
    for board in random_boards(f"points {seed}", rule, count, SIZES, stones=(0, 60)):
        wanted = network_score(weights, board)
        assert fresh(worker, board) == max(-EVAL_LIMIT, min(EVAL_LIMIT, wanted))
        values.add(wanted)
    assert len(values) > count // 2


@pytest.mark.parametrize(("rule", "tables"), CASES)
def test_sums_along_a_path_equal_fresh_ones(rule, tables):
    evaluation = evaluation_from(random_points(5, rule, tables))
    worker, other = new_worker(), new_worker()
    for each in (worker, other):
        each.set_evaluation(evaluation)
    compared, far, values = 0, 0, set()
    sizes = (*SIZES, (11, 16))
    for board in random_boards("paths", rule, 14, sizes, stones=(2, 12), walls=2):
        dice = random.Random(board.key)
        worker.set_position(board, SearchControl())
        for _ in range(4):  # several lines from one position: a path is taken back
            walk = board.copy()
            line, wanted = [], []
            while walk.winner is None and len(line) < 12 and walk.legal_moves():
                move = dice.choice(walk.legal_moves())
                walk.play(move)
                line.append(move)
                wanted.append(fresh(other, walk))
            # A value may be asked for at some plies only: those between are caught up
            # with in part, and then asked for themselves.
            step = dice.randint(1, max(1, len(line)))
            far += step >= 8
            found = worker.evaluate_along(line, step)
            assert found == wanted[step - 1 :: step]
            assert worker.evaluate_along(line) == wanted
            compared += len(wanted)
            values.update(wanted)
    assert compared > 100
    assert far > 10
    assert len(values) > 50


def changed(weights, name, numbers):
    return replace(weights, parts=weights.parts | {name: part_of(np.array(numbers))})


def test_inputs_and_outputs_of_layers_end_at_their_limits(worker):
    """Rows, weights and biases as large as a file may have them, of either sign."""
    board = Board.from_moves("l12 m13 l13 m12 k3", size=22)
    for sign in (1, -1):
        weights = random_points(6)
        for name, shape in LAYOUT.items():
            most = {"rows": 16383, "output": 16383}.get(name, 3071)
            if name in ("first", "zones", "second"):
                most = min(3071, (2**31 - 2**27) // (8191 * shape[-2]))
            if name.endswith("bias"):
                most = 32767
            numbers = np.full(
                shape, most if name in ("rows", "output") else sign * most
            )
            weights = changed(weights, name, numbers)
        largest = (16 * 8191 * 16383 + 4096) >> 13
        assert network_score(weights, board) == (largest if sign == 1 else 0)
        worker.set_evaluation(evaluation_from(weights))
        assert fresh(worker, board) == (EVAL_LIMIT if sign == 1 else 0)


@pytest.mark.parametrize("name", LAYOUT)
@pytest.mark.parametrize("shape", [(1, 17), (2, 2380, 32), (2,)])
def test_network_of_another_shape_is_refused(name, shape):
    weights = changed(random_points(7), name, np.zeros(shape))
    with pytest.raises(ValueError, match=f"part '{name}' is {shape[0]}.* instead of"):
        evaluation_from(weights)


def test_network_without_regions_or_with_sums_over_neighbours_is_refused():
    weights = random_points(7)
    parts = {name: part for name, part in weights.parts.items() if name[:4] != "zone"}
    with pytest.raises(ValueError, match="no part 'zones'"):
        Points(replace(weights, parts=parts))
    with pytest.raises(ValueError, match="unknown part 'spread'"):
        Points(changed(weights, "spread", np.zeros((4, 8))))


@pytest.mark.parametrize(
    ("name", "number", "printed"),
    [
        ("rows", 16384, "a row with a number beyond"),
        ("rows", -16384, "a row with a number beyond"),
        ("zones", -9000, "32 bits may overflow"),
        ("first", 3500, "32 bits may overflow"),
        ("second", 9000, "32 bits may overflow"),
        ("output", 16390, "32 bits may overflow"),
    ],
)
def test_numbers_that_could_overflow_are_refused(name, number, printed):
    with pytest.raises(ValueError, match=printed) as caught:
        Points(changed(random_points(7), name, np.full(LAYOUT[name], number)))
    assert "\n" not in str(caught.value)


def test_numbers_of_whites_table_that_could_overflow_are_refused():
    numbers = np.zeros(layout(2)["rows"])
    numbers[1] = 16384
    with pytest.raises(ValueError, match="a row with a number beyond"):
        Points(changed(random_points(7, Rule.RENJU, 2), "rows", numbers))


def test_an_evaluation_of_another_rule_stays_unused(worker):
    board = Board(15, Rule.STANDARD)
    shipped = fresh(worker, board)
    worker.set_evaluation(evaluation_from(random_points(7)))
    assert fresh(worker, board) == shipped
    assert fresh(worker, Board(15, Rule.FREESTYLE)) != shipped


def test_an_evaluation_is_taken_up_and_left_with_the_next_position(worker):
    board = Board.from_moves("h8 h9 j10")
    shipped = fresh(worker, board)
    own = evaluation_from(random_points(7))
    worker.set_evaluation(own)
    assert worker.evaluate() == shipped  # holds for positions set afterwards
    other = fresh(worker, board)
    assert other != shipped
    worker.set_evaluation(None)
    del own  # the worker keeps what it still uses
    assert worker.evaluate() == other
    assert fresh(worker, board) == shipped


@pytest.mark.parametrize("line", [[(7, 7), (7, 7)], [(15, 0)], [(7, 7), (0, -1)]])
def test_line_over_taken_cells_is_refused_and_taken_back(worker, line):
    before = fresh(worker, Board(15, Rule.FREESTYLE))
    with pytest.raises(ValueError, match="no empty cell"):
        worker.evaluate_along(line)
    assert worker.evaluate() == before
    assert len(worker.evaluate_along(iter([(7, 7), (8, 8)]))) == 2
    assert worker.evaluate() == before


@pytest.mark.parametrize("rule", RULES)
def test_shipped_weights_are_a_network_over_points(rule):
    weights = shipped_weights(rule)
    assert weights.kind == "points"
    assert {*LAYOUT, "cells", "tempo"} == set(weights.parts)
    assert all(any(part.numbers) for part in weights.parts.values())
    assert weights.parts["rows"].shape[0] == 2
    assert (len(weights.parts["rows"].shape) == 4) == Rule(rule).sides_differ
    assert type(evaluation_of(rule)) is Points
    assert evaluation_of(rule) is evaluation_of(rule)  # read once


def test_an_engine_plays_by_a_file_of_points():
    weights = unpack_weights(pack_weights(random_points(8)))
    nodes = set()
    for chosen in (None, evaluation_from(weights)):
        engine = Engine(hash_mb=1)
        engine.set_evaluation(chosen)
        board = Board.from_moves("h8 h9 j10 g7")
        nodes.add(engine.search(board, Limits(depth=5)).nodes)
    assert len(nodes) == 2
