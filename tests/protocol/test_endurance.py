"""What long and many games need: a quick end of a search and of a process, no growth.

The bounds are several times what one of two busy processors took.
"""

import random
from statistics import median

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board

psutil = pytest.importorskip("psutil")
resource = pytest.importorskip("resource")
pytestmark = pytest.mark.slow("many searches, processes and engines", ci=True)
MB = 1 << 20


def processor_seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def test_a_stop_at_any_time_has_its_move_soon(brain):
    brain.start("INFO timeout_turn 900000")
    dice, used = random.Random(1), []
    for _ in range(30):
        brain.send("RESTART", "TURN 7,7")
        assert brain.line() == "OK"
        brain.silence(dice.uniform(0, 0.1))
        before = brain.processor_seconds
        brain.send("STOP")
        brain.move()
        used.append(brain.processor_seconds - before)
    assert median(used) <= 0.1  # 0.012 s, at most 0.039


def test_an_end_at_any_time_ends_the_process_soon(start_brain):
    dice, used = random.Random(2), []
    for _ in range(10):
        brain = start_brain()
        brain.start("INFO timeout_turn 900000").send("TURN 7,7")
        brain.silence(dice.uniform(0.1, 0.4))
        before = brain.processor_seconds
        others = processor_seconds(resource.RUSAGE_CHILDREN)
        brain.send("END")
        assert brain.wait() == 0
        whole = processor_seconds(resource.RUSAGE_CHILDREN) - others
        used.append(whole - before)
    assert median(used) <= 0.4  # at most 0.12 s


def test_two_thousand_games_need_no_more_memory(brain):
    brain.start("INFO max_node 20", f"INFO max_memory {70 * MB}")
    process = psutil.Process(brain.process.pid)
    for cycle in range(2001):
        brain.send("RESTART", f"TURN {cycle % 15},{cycle % 13}", "TURN 14,14")
        assert brain.line() == "OK"
        brain.move()
        brain.answer()
        if cycle == 500:
            before = process.memory_info().rss, process.num_threads()
    assert process.num_threads() == before[1]
    assert process.memory_info().rss - before[0] < 4 * MB


def test_five_hundred_engines_leave_nothing():
    here = psutil.Process()
    board = Board(15)
    board.play("h8")
    for count in range(501):
        with Engine(hash_mb=1, threads=2) as engine:
            engine.search(board, Limits(nodes=100))
        if count == 100:
            before = here.memory_info().rss, here.num_threads()
    assert here.num_threads() == before[1]
    assert here.memory_info().rss - before[0] < 8 * MB
