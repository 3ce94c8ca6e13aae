"""A session with its thread: stopping, clocks told late, the end of input."""

import threading

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.player.player import Player
from tests.protocol.brain import TIMEOUT
from tests.protocol.talk import Talk


def test_stop_ends_the_search_and_prints_the_move():
    for word in ("YXSTOP", "stop"):
        talk = Talk(waiting=True).run()
        talk.think("START 15", "TURN 7,7")
        assert talk.lines == ["OK"]
        talk.feed(word)
        assert talk.expect(2) == ["OK", "0,0"]
        talk.finish()


def test_a_stop_right_behind_the_command_is_not_lost():
    talk = Talk(waiting=True)
    talk.feed("START 15", "TURN 7,7", "YXSTOP")
    talk.run()
    assert talk.expect(2) == ["OK", "0,0"]
    talk.finish()


def test_commands_wait_for_the_move():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "TURN 7,7")
    talk.feed("ABOUT", "TURN 8,8", "FOO")
    assert talk.lines == ["OK"]
    talk.engine.release()
    lines = talk.expect(5)
    assert lines[1] == "0,0"
    assert lines[2].startswith("name=")
    assert lines[3:] == ["1,0", "UNKNOWN command FOO"]
    talk.finish()


@pytest.mark.parametrize("limit", ["-1", "1000000", "2147483647"])
def test_a_command_stops_a_search_without_a_time_limit(limit):
    talk = Talk(waiting=True).run()
    talk.think("START 15", f"INFO timeout_turn {limit}", "TURN 7,7")
    talk.feed("INFO evaluate 3,3")
    assert not talk.engine.control.stopped
    talk.feed("ABOUT")
    assert talk.expect(3)[1] == "0,0"
    talk.finish()


def test_a_command_gives_a_node_limited_search_a_last_few_seconds():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO max_node 100000", "TURN 7,7")
    talk.feed("ABOUT")
    assert not talk.engine.control.stopped
    assert talk.engine.control.deadlines[-1] == (105.0, None)
    talk.engine.release()
    talk.finish()


def test_end_stops_the_search_and_the_conversation():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "TURN 7,7")
    assert talk.session.feed("ABOUT")
    assert not talk.session.feed("END")
    talk.thread.join(TIMEOUT)
    assert talk.lines[:2] == ["OK", "0,0"]
    assert len(talk.lines) == 3


def test_moves_queued_before_end_are_answered_at_once():
    talk = Talk(waiting=True)
    talk.feed("START 15", "TURN 7,7", "TURN 8,8", "TURN 9,9", "END", "TURN 10,10")
    talk.run().thread.join(TIMEOUT)
    assert talk.lines == ["OK", "0,0", "1,0", "2,0"]


@pytest.mark.parametrize(("method", "lines"), [("prepare", 1), ("think", 4)])
def test_end_waits_for_the_answer_while_the_brain_loads(method, lines, monkeypatch):
    """START loads the engine; the first move loads its own parts before its search."""
    begun, loaded = threading.Event(), threading.Event()
    real = getattr(Player, method)

    def slow(*arguments):
        begun.set()
        assert loaded.wait(TIMEOUT)
        return real(*arguments)

    monkeypatch.setattr(Player, method, slow)
    talk = Talk(quiet=False).run()
    talk.feed("START 15", "TURN 7,7") if method == "think" else talk.feed("START 15")
    assert begun.wait(TIMEOUT)
    talk.clock.advance(1)
    assert not talk.session.feed("END")
    assert talk.session.is_cut_short
    loaded.set()
    talk.thread.join(TIMEOUT)
    ok, *others = talk.lines
    assert ok == "OK"
    assert len(others) == lines - 1
    assert not others or others[-1] == "0,0"


def test_end_after_the_last_answer_waits_for_nothing():
    talk = Talk().run()
    talk.feed("START 15", "TURN 7,7")
    talk.expect(2)
    talk.clock.advance(1)
    talk.session.feed("END")
    assert not talk.session.is_cut_short
    talk.thread.join(TIMEOUT)


OTHERS = pytest.mark.parametrize(
    "others",
    [
        [],
        ["INFO evaluate 3,3", "INFO show_detail 1"],  # Piskvork's, of the mouse
    ],
)


@OTHERS
def test_the_continue_button_ends_the_search(others):
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO timeout_turn 60000", "TURN 7,7")
    talk.feed(*others, "INFO timeout_turn 0")
    assert talk.expect(2) == ["OK", "0,0"]
    talk.finish()


def test_a_new_limit_moves_the_deadline_of_the_running_search():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO game_type 0", "INFO timeout_turn 60000", "TURN 7,7")
    control = talk.engine.control
    talk.clock.advance(2)
    talk.feed("INFO timeout_turn 10000")
    assert control.deadlines[-1] == pytest.approx((109.8, 109.7))
    talk.feed("INFO time_left 63000")
    free = 65 - 111 * 0.015  # without the 15 ms of each of our moves to come
    assert control.deadlines[-1] == pytest.approx((100 + free / 7, 100 + free / 10))
    talk.feed("INFO timeout_turn -1", "INFO time_left 2147483647")
    assert control.deadlines[-1] == (None, None)
    assert not control.stopped
    talk.feed("YXSTOP")
    talk.expect(2)
    talk.finish()


@OTHERS
def test_a_time_key_right_behind_the_command_means_that_move(others):
    talk = Talk(waiting=True)
    talk.feed("START 15", "TURN 7,7", *others, "INFO timeout_turn 0", "TURN 8,8")
    talk.run()
    assert talk.expect(2)[1] == "0,0"
    talk.engine.release()
    talk.finish()


def test_a_time_key_behind_another_command_does_not_mean_the_running_search():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO timeout_turn 60000", "TURN 7,7")
    control = talk.engine.control
    talk.feed("TURN 8,8", "INFO timeout_turn 0")
    assert not control.stopped
    talk.engine.release()
    talk.finish()


def test_options_queued_behind_a_command_wait_for_it():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "TURN 7,7")
    talk.feed("INFO rule 1", "TURN 8,8")
    assert talk.board.rule is Rule.FREESTYLE
    talk.engine.release()
    talk.finish()
    assert talk.board.rule is Rule.STANDARD


def test_the_end_of_input_lets_timed_searches_and_the_queue_finish():
    talk = Talk().run()
    talk.feed("START 15", "TURN 7,7", "TURN 8,8", "TURN 9,9")
    assert talk.finish() == ["OK", "0,0", "1,0", "2,0"]
    assert all(hard > 4 for hard, _ in talk.engine.granted)


@pytest.mark.parametrize("limit", ["timeout_turn -1", "timeout_turn 2000000"])
def test_the_end_of_input_stops_searches_without_a_limit(limit):
    talk = Talk(waiting=True).run()
    talk.think("START 15", f"INFO {limit}", "TURN 7,7")
    talk.feed("TURN 8,8")
    assert talk.finish() == ["OK", "0,0", "1,0"]


def test_after_the_end_of_input_node_limited_searches_are_held_to_seconds():
    talk = Talk()
    talk.feed("START 15", "INFO max_depth 40", "TURN 7,7")
    talk.run()
    assert talk.finish() == ["OK", "0,0"]
    assert talk.limits.depth == 40
    assert talk.seconds in (None, 5.0)  # None: searched before the input ended


def test_the_clock_of_a_queued_move_starts_when_the_move_before_is_out():
    talk = Talk(seconds=3.0)
    talk.feed("START 15", "INFO timeout_turn 10000", "TURN 7,7", "TURN 8,8")
    talk.run().finish()
    first, second = (limits for _, limits in talk.engine.searches)
    assert (first.started, second.started) == (100.0, 103.0)


def test_the_end_of_input_in_mid_board_is_no_answer():
    talk = Talk().run()
    talk.feed("START 15", "BOARD", "7,7,1")
    assert talk.finish() == ["OK"]
