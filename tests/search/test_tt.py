"""The transposition table, seen through the searches that share it."""

import math
import subprocess
import sys

import psutil
import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from tests.boards import random_boards
from tests.reference import RULES
from tests.sampled import sampled

MILLION = pytest.mark.slow("a million nodes", ci=True)

BOARD = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
# A table's move spares a node the reduction of those without one, which makes a second
# search deeper.
PLAIN = Features.ALL & ~Features.REDUCTIONS
SIZES = (1e-9, 64 / 1048576, 0.001, 0.37, 1, 7.3)


def search(table, depth=4, features=Features.ALL, board=BOARD):
    """A fixed-depth search by a worker that remembers nothing itself."""
    worker = Worker(table, features)
    worker.set_position(board, SearchControl())
    score = worker.search(depth)
    return score, worker.nodes, worker.pv


def test_what_was_searched_is_not_searched_again():
    table = TranspositionTable(1)
    score, nodes, _ = search(table, 5, Features.TABLE_CUTS | Features.STATIC_TESTS)
    again, fewer, _ = search(table, 5, Features.TABLE_CUTS | Features.STATIC_TESTS)
    assert again == score
    assert fewer < nodes / 2


def test_a_worker_profits_from_another_workers_table():
    shared = TranspositionTable(4)
    _, alone, _ = search(TranspositionTable(4), 6, PLAIN)
    search(shared, 6, PLAIN)
    assert search(shared, 6, PLAIN)[1] < alone / 2


@pytest.mark.parametrize("forget", ["clear", "resize"])
def test_a_cleared_table_is_like_a_new_one(forget):
    new = search(TranspositionTable(0.5), 5)
    table = TranspositionTable(0.5)
    search(table, 6)
    table.age()
    table.clear() if forget == "clear" else table.resize(0.5)
    assert search(table, 5) == new


@pytest.mark.parametrize("size", SIZES)
def test_a_resized_table_is_like_a_new_one_of_that_size(size):
    table = TranspositionTable(1)
    search(table, 5)
    table.resize(size)
    assert table.size_mb == size
    assert search(table, 5) == search(TranspositionTable(size), 5)


@pytest.mark.parametrize("size", SIZES)
def test_any_size_is_searched_with_and_gives_a_legal_line(size):
    table = TranspositionTable(size)
    for board in random_boards("sizes", Rule.RENJU, 15, (15, 9)):
        score, _, line = search(table, 3, board=board)
        assert -30000 < score < 30000
        after = board.copy()
        for move in line:
            assert after.is_legal(move)
            after.play(move)
        table.age()


@pytest.mark.parametrize("rule", RULES)
@sampled(4, 60)
def test_proved_scores_keep_their_distance_in_any_table(rule, count):
    """A win is stored relative to its node: found again elsewhere it is as far away."""
    proved = 0
    for board in random_boards("distance", rule, count, (15, 9)):
        table = TranspositionTable(1)
        worker = Worker(table, Features.STATIC_TESTS | Features.TABLE_CUTS)
        for depth in (1, 2, 3, 4):
            worker.set_position(board, SearchControl())
            score = worker.search(depth)
        if abs(score) <= 29000:
            continue
        proved += 1
        # From one move on, with the same table: one ply nearer.
        line = worker.pv
        if len(line) > 1:
            after = board.copy()
            after.play(line[0])
            worker.set_position(after, SearchControl())
            nearer = -worker.search(3)
            assert abs(nearer) > 29000
            assert (nearer > 0) == (score > 0)
            assert 30000 - abs(nearer) == 30000 - abs(score) - 1, str(board)
    assert proved > count // 20 or count < 60


def test_hundreds_of_searches_do_not_exhaust_the_ages():
    table = TranspositionTable(0.05)
    expected = search(TranspositionTable(0.05), 3, 0)[0]
    for _ in range(300):
        table.age()
        assert search(table, 3, Features.TABLE_CUTS)[0] == expected


def test_old_entries_give_way_to_new_ones():
    """A table full of another game helps this one as much as an empty table."""
    table = TranspositionTable(0.02)
    for board in random_boards("another game", Rule.FREESTYLE, 5, (15,)):
        search(table, 5, board=board)
    for _ in range(2):
        table.age()
    first = search(table, 5, PLAIN)[1]
    second = search(table, 5, PLAIN)[1]
    assert second < first


@pytest.mark.parametrize("size", [0, -1, -1e9, math.nan])
def test_a_table_needs_a_positive_size(size):
    with pytest.raises(ValueError, match="positive size"):
        TranspositionTable(size)
    with pytest.raises(ValueError, match="positive size"):
        Engine(hash_mb=size)


@pytest.mark.parametrize("size", [0, -0.25, -1, math.nan])
def test_a_table_cannot_be_resized_to_nothing(size):
    table = TranspositionTable(0.1)
    with pytest.raises(ValueError, match="positive size"):
        table.resize(size)
    with Engine(hash_mb=0.1) as engine:
        with pytest.raises(ValueError, match="positive size"):
            engine.hash_mb = size
        assert engine.hash_mb == 0.1
        assert engine.search(BOARD, Limits(depth=2)).depth == 2


LITTLE_MEMORY = """
import resource
from gomoku_brain.engine.engine import Engine
from gomoku_brain.control.limits import Limits
from gomoku_brain.game.position import Board
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
engine = Engine(hash_mb=1)
engine.hash_mb = 100_000
print(engine.search(Board.from_moves("h8 i9"), Limits(depth=4)).depth)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a memory limit to set")
def test_with_too_little_memory_the_table_gets_smaller():
    message = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert message.stdout == "4\n", message.stderr


@pytest.mark.parametrize(
    ("megabytes", "nodes"),
    [(32, 300_000), pytest.param(64, 1_200_000, marks=MILLION)],
)
def test_memory_is_taken_when_used_and_given_back(megabytes, nodes):
    """More than a quarter of the table is used, and three quarters of that returned."""
    here = psutil.Process()
    with Engine(hash_mb=megabytes) as engine:
        before = here.memory_info().rss
        engine.search(BOARD, Limits(nodes=1000))
        assert here.memory_info().rss - before < megabytes * 3 // 8 << 20
        for _ in range(nodes // 300_000):
            engine.search(BOARD, Limits(nodes=300_000))
            while engine.grow_idle():
                pass
        full = here.memory_info().rss
        assert full - before > megabytes // 4 << 20
        engine.hash_mb = 1
        assert full - here.memory_info().rss > megabytes * 3 // 16 << 20


def test_what_a_smaller_table_knew_is_found_in_the_larger():
    features = Features.TABLE_CUTS | Features.STATIC_TESTS
    table = TranspositionTable(64)
    score, nodes, _line = search(table, 5, features)
    again = search(table, 5, features)
    for room in (1e6, 3e6, 1e12):
        table.age()
        table.make_room(room)
        assert search(table, 5, features) == again
    assert again[0] == score
    assert again[1] < nodes / 2


def test_steps_between_searches_end_with_the_requested_room():
    features = Features.TABLE_CUTS | Features.STATIC_TESTS
    table = TranspositionTable(64)
    assert not table.grow_idle(1e5)
    _, nodes, _ = search(table, 5, features)
    again = search(table, 5, features)
    table.age()
    steps = 0
    while table.grow_idle(3e6):
        steps += 1
    assert steps == 28 + 3  # 56 MB in steps of 2, and three doublings
    assert search(table, 5, features) == again
    assert again[1] < nodes / 2


def test_a_cleared_table_makes_room_without_a_trace_of_what_was():
    new = search(TranspositionTable(64), 5)
    table = TranspositionTable(64)
    table.make_room(math.inf)
    search(table, 6)
    table.age()
    table.clear()
    table.make_room(math.inf)
    assert search(table, 5) == new


@pytest.mark.parametrize("size", SIZES)
def test_no_room_makes_a_table_larger_than_its_size(size):
    table = TranspositionTable(size)
    before = psutil.Process().memory_info().rss
    table.make_room(math.inf)
    search(table, 5)
    assert psutil.Process().memory_info().rss - before < 24 << 20


def test_threads_share_a_table_of_their_whole_size():
    """It cannot grow while they search: the time tells how many nodes may come."""
    here = psutil.Process()
    with Engine(hash_mb=256, threads=2) as engine:
        engine.search(BOARD, Limits(time=0.01))
        before = here.memory_info().rss
        engine.search(BOARD, Limits(time=0.2))
        assert here.memory_info().rss - before < 200 << 20
        result = engine.search(BOARD, Limits(time=0.05))
    assert BOARD.is_legal(result.move)
