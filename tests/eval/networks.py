"""What the tests of both networks share: weights, values, and lines to follow."""

import random

import numpy as np

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import Weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from gomoku_brain.train.parts import linear_parts
from tests.search.boards import random_boards

KINDS = 2380


def network_weights(kind, parts, rule=Rule.FREESTYLE):
    """A network's weights over linear values that are all 0."""
    zeros = np.zeros(KINDS)
    linear = linear_parts([[zeros, zeros, np.zeros(2048)]] * 2, [[zeros, zeros]] * 2)
    return Weights(kind, int(rule), linear | parts)


def new_worker():
    """One thread's search, with a small table."""
    return Worker(TranspositionTable(0.1))


def fresh(worker, board):
    """The value of a position that the worker's evaluator has never seen."""
    worker.set_position(board, SearchControl())
    return worker.evaluate()


def check_sums_along_paths(weights, sizes):
    """Values asked for along lines, and back, are those of fresh evaluators."""
    evaluation = evaluation_from(weights)
    worker, other = new_worker(), new_worker()
    for each in (worker, other):
        each.set_evaluation(evaluation)
    compared, values = 0, set()
    rule = Rule(weights.rule)
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
            assert worker.evaluate_along(line) == wanted
            step = dice.randrange(2, 5)  # a value may be asked for at some plies only
            found = worker.evaluate_along(line, step)
            assert found == wanted[step - 1 :: step]
            compared += len(wanted)
            values.update(wanted)
    assert compared > 100
    assert len(values) > 50
