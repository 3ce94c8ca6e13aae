"""The network: its sums along a path, its form, and its weights."""

import numpy as np
import pytest

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.network import HIDDEN, WIDTH, Network
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.dataset import read_games
from gomoku_brain.train.network import CLIP
from gomoku_brain.train.parts import (
    HIDDEN_UNIT,
    OUTPUT_UNIT,
    ROW_UNIT,
    network_parts,
    network_sets,
)
from tests.eval.networks import (
    KINDS,
    check_sums_along_paths,
    fresh,
    network_weights,
    new_worker,
)
from tests.reference import RULES

SIZES = (15, 9, 20, 22, 5, (11, 16))


def random_network(seed, sides=1):
    """Weights of every size, so that each part of the sum shows."""
    rng = np.random.default_rng(seed)
    sets = []
    for _ in range(sides):
        sets.append(
            {
                "own": rng.normal(0, 0.05, (KINDS, WIDTH)),
                "other": rng.normal(0, 0.05, (KINDS, WIDTH)),
                "bias": rng.normal(0.5, 0.5, WIDTH),
                "hidden": rng.normal(0, 0.5, (HIDDEN, WIDTH)),
                "hidden_bias": rng.normal(0, 0.5, HIDDEN),
                "output": rng.normal(0, 0.5, HIDDEN),
            }
        )
    return sets


def weights_of(sets, rule=Rule.FREESTYLE):
    return network_weights("network", network_parts(sets), rule)


@pytest.fixture
def worker():
    return new_worker()


@pytest.mark.parametrize("rule", RULES)
def test_sums_along_a_path_equal_fresh_ones(rule):
    weights = weights_of(random_network(3, sides=2), rule)
    check_sums_along_paths(weights, SIZES)


@pytest.mark.parametrize("sides", [1, 2])
def test_score_is_that_of_the_formula_in_floats(worker, sides, tmp_path):
    rule = Rule.FREESTYLE
    sets = random_network(5, sides)
    worker.set_evaluation(evaluation_from(weights_of(sets)))
    lines = (
        "0 15 1 h8,i8,i9,g7,j8,h9,k7,l6,h10,g11 0,0,0,0,0,0,0,0\n"
        "1 20 -1 c3,d4,d3,e5,q17,c4,b5,f6,e3,c6,c5,d6 0,0,0,0,0,0,0,0,0\n"
    )
    path = tmp_path / "games.txt"
    path.write_text(lines)
    data = read_games([path], rule, choices_every=1000)
    boards = []
    for line in lines.splitlines():
        _, size, _, moves, scores = line.split()
        board = Board(int(size), rule)
        moves = parse_moves(moves.replace(",", " "))
        opening = len(moves) - len(scores.split(","))
        for ply, move in enumerate(moves):
            if ply >= opening:
                boards.append(board.copy())
            board.play(move)
    by_stones = {(b.width, b.ply): b for b in boards}
    assert len(data.game) >= 10
    for row in range(len(data.game)):
        board = by_stones[(15, 20)[data.game[row] - 1], int(data.stones[row])]
        part = sets[int(data.side[row]) % sides]
        cells = slice(data.starts[row], data.starts[row + 1])
        table = np.concatenate([part["own"], part["other"]])
        sums = data.counts[cells] @ table[data.kinds[cells]] + part["bias"]
        x = np.clip(sums, 0, CLIP)
        h = np.maximum(part["hidden"] @ x + part["hidden_bias"], 0)
        units = 320 * float(h @ part["output"])
        assert fresh(worker, board) == pytest.approx(units, abs=6 + abs(units) * 0.02)


@pytest.mark.parametrize(("row", "score"), [(0.15, 1280), (-0.15, 0), (0.3, 1280)])
def test_sums_of_a_large_board_do_not_wrap_round(worker, row, score):
    # 484 cells of 77/512 pass 16 bits; the shipped weights did so on 20 x 20.
    part = {
        "own": np.full((KINDS, WIDTH), row),
        "other": np.zeros((KINDS, WIDTH)),
        "bias": np.zeros(WIDTH),
        "hidden": np.eye(HIDDEN, WIDTH),
        "hidden_bias": np.zeros(HIDDEN),
        "output": np.eye(1, HIDDEN)[0],
    }
    worker.set_evaluation(evaluation_from(weights_of([part])))
    board = Board(22, Rule.FREESTYLE)
    assert fresh(worker, board) == score
    assert worker.evaluate_along([(11, 11), (12, 11)]) == [score, score]


def test_packing_is_undone():
    sets = random_network(1, sides=2)
    again = network_sets(weights_of(sets))
    for before, after in zip(sets, again, strict=True):
        for name, unit in (
            ("own", ROW_UNIT),
            ("other", ROW_UNIT),
            ("bias", ROW_UNIT),
            ("hidden", HIDDEN_UNIT),
            ("hidden_bias", HIDDEN_UNIT),
            ("output", 320 * OUTPUT_UNIT),
        ):
            assert after[name] == pytest.approx(before[name], abs=0.51 / unit)


NAMES = ("rows", "bias", "hidden", "hidden_bias", "output")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 17), (3, 2, KINDS, 16), (2,)])
def test_network_of_another_shape_is_refused(name, shape):
    weights = weights_of(random_network(7))
    numbers = bytes(2 * int(np.prod(shape)))
    parts = weights.parts | {
        name: weights.parts[name]._replace(shape=shape, numbers=numbers)
    }
    with pytest.raises(
        ValueError, match=f"part '{name}' is {shape[0]}.* instead of 1x"
    ):
        Network(weights._replace(parts=parts))


def test_parts_for_one_side_and_for_two_do_not_mix():
    one, two = weights_of(random_network(7)), weights_of(random_network(7, sides=2))
    parts = one.parts | {"bias": two.parts["bias"]}
    with pytest.raises(ValueError, match="parts for 1 side and for 2"):
        Network(one._replace(parts=parts))


def test_an_evaluation_of_another_rule_stays_unused(worker):
    board = Board(15, Rule.STANDARD)
    shipped = fresh(worker, board)
    worker.set_evaluation(evaluation_from(weights_of(random_network(7))))
    assert fresh(worker, board) == shipped
    assert fresh(worker, Board(15, Rule.FREESTYLE)) != shipped


def test_an_evaluation_is_taken_up_and_left_with_the_next_position(worker):
    board = Board.from_moves("h8 h9 j10")
    shipped = fresh(worker, board)
    own = evaluation_from(weights_of(random_network(7)))
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


def test_numbers_that_could_overflow_are_refused():
    weights = weights_of(random_network(7))
    parts = dict(weights.parts)
    for name in ("hidden", "output"):
        count = len(parts[name].numbers) // 2
        numbers = np.full(count, 32767, np.int16).tobytes()
        parts[name] = parts[name]._replace(numbers=numbers)
    with pytest.raises(ValueError, match="32 bits may overflow"):
        Network(weights._replace(parts=parts))
