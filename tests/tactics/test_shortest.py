"""The shortest win: against known lengths, and against all moves on small boards."""

import _thread
import time
from itertools import islice
from types import SimpleNamespace

import pytest

from gomoku_brain.control.limits import Limits, SolveResult
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.tactics import shortest
from gomoku_brain.tactics.replay import replay
from gomoku_brain.tactics.shortest import is_over, shorten
from gomoku_brain.tactics.vct import VctSolver
from tests.boards import problems, random_boards
from tests.sampled import sampled, some_of

LEVELS = problems("levels.jsonl")
# Found and proved by this search; of the 12th level 15 were known, of others the same.
LENGTHS = [5, 7, 7, 11, 7, 5, 5, 7, 7, 7, 7, 13, 11, 15, 7, 7, 9, 7, 9, 7]
SLOW = (12, 14)  # levels
BETWEEN = pytest.mark.slow("as with fewer or more threads", ci=True)
MORE = pytest.mark.slow("more of the same problems", ci=True)
NODES = Limits(nodes=500_000)  # for each length
MOST = 3  # moves of the attacker that brute force looks at
MAX_EMPTY = 10  # cells, so that it ends


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=8) as engine:
        yield engine


def check(board, result):
    """The win that is told, move by move against everything, within its length."""
    assert result.tree.plies == len(result.line)
    moves = (len(result.line) + 1) // 2
    assert replay(board, result.tree, SearchControl(), moves=moves) is None


def check_level(engine, number):
    board = LEVELS[number - 1].board
    result = engine.find_win(board, "auto", NODES, shortest=True)
    assert (result.status, len(result.line)) == ("win", LENGTHS[number - 1])
    assert result.is_shortest
    assert result.least_of_all == min(7, result.least)
    check(board, result)


@pytest.mark.parametrize(
    "number",
    some_of([n for n in range(1, 21) if n not in SLOW], 3, "more of the same levels"),
)
def test_the_levels_are_won_in_the_known_lengths(engine, number):
    check_level(engine, number)


@pytest.mark.slow("seconds to minutes a level: all shorter wins are excluded")
@pytest.mark.parametrize("number", SLOW)
def test_the_longest_levels_too(engine, number):
    check_level(engine, number)


@pytest.mark.parametrize(
    "most",
    [
        0,
        pytest.param(1, marks=BETWEEN),
        2,
        pytest.param(3, marks=BETWEEN),
        pytest.param(4, marks=BETWEEN),
    ],
)
def test_it_works_with_as_many_threads_as_the_system_gives(monkeypatch, most):
    real, started = _thread.start_new_thread, []

    def some(run, arguments):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(real(run, arguments))

    monkeypatch.setattr(_thread, "start_new_thread", some)
    with Engine(threads=3, hash_mb=8) as engine:
        check_level(engine, 17)
    assert len(started) == most


class Solver:
    """Two moves are enough, one is not, and of more it thinks until it is stopped."""

    nodes = 1

    def __init__(self, megabytes):
        pass

    def solve(self, board, control, nodes, *, moves, fours_only, every, exclude):
        while moves > 2 and not is_over(control):
            time.sleep(0.001)
        return {1: "no win", 2: "win"}.get(moves, "unknown")

    def tree(self, nodes):
        return SimpleNamespace(line=lambda: tuple(LEVELS[0].board.legal_moves()[:3]))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("most", range(4))
def test_a_bound_that_is_done_is_looked_at_while_others_are_not(monkeypatch, most):
    """Nobody stops the harder ones before."""
    real, started, expected = _thread.start_new_thread, [], []

    def some(run, arguments):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(real(run, arguments))

    monkeypatch.setattr(_thread, "start_new_thread", some)
    monkeypatch.setattr(shortest, "VctSolver", Solver)
    monkeypatch.setattr(shortest, "replay", lambda *arguments, **options: None)
    unknown = SolveResult("unknown", "vct")
    found = shorten(
        LEVELS[0].board, unknown, SearchControl(), threads=3, on_bound=expected.append
    )
    assert (found.status, len(found.line), found.least, expected) == ("win", 3, 3, [1])


def wins_within(board, moves, allowed=None):
    """Whether the side to move has a five within so many moves, whatever is replied.

    ``allowed`` are the only first moves; None: all.
    """
    if not moves:
        return False
    legal = board.legal_moves() if allowed is None else allowed
    if any(board.wins_at(move) for move in legal):
        return True
    if moves == 1:
        return False
    for move in legal:
        board.play(move)
        replies = board.legal_moves()
        won = bool(replies) and not any(board.wins_at(reply) for reply in replies)
        for reply in replies if won else ():
            board.play(reply)
            won = wins_within(board, moves - 1)
            board.undo()
            if not won:
                break
        board.undo()
        if won:
            return True
    return False


def crowded(rule, seed):
    """Random boards with few empty cells where nobody has won."""
    sizes = ((6, 6), (6, 7), (7, 5))
    for board in random_boards(seed, rule, 500, sizes, stones=(25, 34)):
        if board.winner is None and 4 <= len(board.legal_moves()) <= MAX_EMPTY:
            yield board


@pytest.mark.parametrize("rule", list(Rule))
@sampled(4, 500)
def test_no_win_of_any_kind_is_shorter_than_reported(engine, rule, count):
    most = 2 if rule == Rule.RENJU else MOST
    looked_at = 0
    for board in islice(crowded(rule, "crowded"), count):
        looked_at += 1
        shortest = next((m for m in range(1, most + 1) if wins_within(board, m)), None)
        none = SolveResult("unknown", "vct")
        result = shorten(board, none, SearchControl(), hash_mb=1)
        if shortest is None:
            assert not result.line or len(result.line) > 2 * most - 1
        else:
            assert len(result.line) == result.least == 2 * shortest - 1
            assert result.least_of_all == result.least
            check(board, result)
    assert looked_at >= min(count, 21)


@pytest.mark.parametrize("step", [6, pytest.param(2, marks=MORE)])
def test_of_fours_alone_the_lengths_are_those_of_a_plain_search(engine, step):
    found = 0
    for problem in problems("tactics.jsonl")[::step]:
        line = engine.find_win(problem.board, "vcf", NODES).line
        result = engine.find_win(problem.board, "vcf", NODES, shortest=True)
        assert bool(line) == bool(result.line)
        if line:
            found += 1
            assert result.is_shortest
            assert len(result.line) <= len(line)
            check(problem.board, result)
    assert found > 10 // step


@pytest.mark.parametrize("number", [2, 4, pytest.param(17, marks=MORE)])
def test_threads_find_the_same_length(number):
    with Engine(threads=3, hash_mb=8) as engine:
        check_level(engine, number)


def test_an_unproved_bound_is_not_reported(engine):
    board = LEVELS[3].board
    first = engine.find_win(board, "vct", Limits(nodes=300_000))
    result = shorten(board, first, SearchControl(), nodes=50)
    assert not result.is_shortest
    assert result.line == first.line
    assert result.least < len(result.line)
    stopped = SearchControl()
    stopped.stop()
    assert shorten(board, first, stopped).least == 1


def test_the_bounds_are_reported_when_they_are_proved(engine):
    expected = []
    engine.find_win(
        LEVELS[3].board, "auto", NODES, shortest=True, on_bound=expected.append
    )
    assert expected == [1, 3, 5, 7, 9]


def test_no_win_stays_no_win(engine):
    board = Board.from_moves("h8 i9")
    result = engine.find_win(board, "vcf", NODES, shortest=True)
    assert (result.status, result.least) == ("no win", None)


def test_a_replay_refuses_a_win_that_takes_longer():
    board = LEVELS[2].board
    solver, control = VctSolver(4), SearchControl()
    assert solver.solve(board, control, moves=3) == "no win"
    assert solver.solve(board, control, moves=4) == "win"
    tree = solver.tree()
    assert replay(board, tree, control, moves=4) is None
    assert replay(board, tree, control, moves=3) is not None
    with pytest.raises(ValueError, match="cannot make -1 moves"):
        solver.solve(board, control, moves=-1)
