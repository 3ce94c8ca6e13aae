"""The tables of what a session does: whole, and without a way that leads nowhere."""

import pytest

from gomoku_brain.protocol.states import (
    REACTIONS,
    TRANSITIONS,
    Event,
    Input,
    Reaction,
    State,
)
from tests.protocol.brain import TIMEOUT
from tests.protocol.talk import Talk


def test_every_event_is_used_and_every_state_is_reached():
    assert {event for _, event in TRANSITIONS} == set(Event)
    assert set(TRANSITIONS.values()) == set(State)


def test_the_end_is_the_only_state_without_a_way_out():
    assert set(State) - {state for state, _ in TRANSITIONS} == {State.ENDED}


def test_a_state_that_searches_says_what_each_input_does():
    assert set(REACTIONS) == {State.THINKING, State.PONDERING}
    assert all(set(reactions) == set(Input) for reactions in REACTIONS.values())


def test_only_a_thought_that_is_waited_for_is_stopped_early_or_reported():
    told = {Reaction.STOP_SOON, Reaction.NEW_LIMITS}
    assert not told & set(REACTIONS[State.PONDERING].values())


@pytest.fixture
def talk():
    return Talk()


def test_lines_of_a_board_are_waited_for(talk):
    assert talk.session.state is State.IDLE
    talk.say("START 15", "BOARD", "7,7,1")
    assert talk.session.state is State.COLLECTING
    talk.say("8,8,2", "DONE")
    assert talk.session.state is State.IDLE


def test_a_command_ends_the_waiting_for_a_board(talk):
    talk.say("START 15", "YXBOARD", "7,7,1", "ABOUT")
    assert talk.session.state is State.IDLE


@pytest.mark.parametrize("line", ["FOO", "TURN x", "INFO", "INFO rule 1", "YXFOO DONE"])
def test_whatever_is_said_leads_back_to_waiting(talk, line):
    talk.say("START 15", line, "DONE")
    assert talk.session.state is State.IDLE


def test_an_error_of_ours_leads_back_to_waiting(talk):
    talk.say("START 15")
    talk.session._dialogue.board = object()
    assert talk.say("TURN 7,7") == ["ERROR internal error"]
    assert talk.session.state is State.IDLE


def test_after_end_nothing_is_answered(talk):
    assert talk.say("START 15", "END") == ["OK"]
    assert talk.session.state is State.ENDED
    assert talk.say("ABOUT", "TURN 7,7") == []


def test_a_search_is_a_state_of_its_own():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO pondering 1", "TURN 7,7")
    assert talk.session.state is State.THINKING
    talk.feed("YXSTOP")
    assert talk.engine.begun.acquire(timeout=TIMEOUT)
    assert talk.session.state is State.PONDERING
    talk.finish()
    assert talk.session.state is State.ENDED
