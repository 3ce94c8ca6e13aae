"""``INFO pondering 1``: what is thought between moves, and that nobody notices it."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.proofs import proved
from tests.protocol.brain import TIMEOUT
from tests.protocol.talk import Talk

PONDERED = Board.from_moves([Move(7, 7), Move(0, 0), Move(0, 14)])


@pytest.fixture
def pondering():
    """A conversation in which a move was answered and pondering has begun."""
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO pondering 1", "TURN 7,7")
    talk.feed("YXSTOP")
    assert talk.engine.begun.acquire(timeout=TIMEOUT)
    yield talk
    talk.finish()


def test_the_expected_reply_is_pondered_without_limits(pondering):
    assert pondering.lines == ["OK", "0,0"]
    assert pondering.engine.searches[1] == (str(PONDERED), Limits(play_on=True))
    assert pondering.engine.control.deadlines == []
    assert not pondering.engine.control.stopped


@pytest.mark.parametrize("line", ["ABOUT", "FOO", "TAKEBACK 0,0", "RESTART", "TURN x"])
def test_a_command_ends_pondering_and_is_answered(pondering, line):
    pondering.feed(line)
    assert len(pondering.expect(3)) == 3
    assert len(pondering.finish()) == 3
    assert len(pondering.engine.searches) == 2


@pytest.mark.parametrize("word", ["STOP", "YXSTOP", "INFO pondering 0"])
def test_pondering_ends_without_a_word(pondering, word):
    pondering.feed(word)
    assert pondering.finish() == ["OK", "0,0"]
    assert len(pondering.engine.searches) == 2


def test_pondering_goes_on_after_an_info(pondering):
    pondering.feed("INFO time_left 50000")
    assert pondering.engine.begun.acquire(timeout=TIMEOUT)
    assert pondering.engine.searches[2] == pondering.engine.searches[1]
    assert pondering.finish() == ["OK", "0,0"]


def test_the_next_move_is_searched_anew(pondering):
    pondering.think("TURN 0,14")
    board, _ = pondering.engine.searches[2]
    assert board == str(PONDERED)
    assert pondering.seconds is not None
    pondering.feed("YXSTOP")
    assert pondering.expect(3)[2] == "1,0"


def test_end_during_pondering_ends_the_conversation(pondering):
    assert not pondering.session.feed("END")
    pondering.thread.join(TIMEOUT)
    assert not pondering.thread.is_alive()
    assert pondering.lines == ["OK", "0,0"]


@pytest.mark.parametrize(
    "lines",
    [
        ["TURN 7,7"],
        ["INFO pondering 0", "TURN 7,7"],
        ["INFO pondering 1", "INFO strength 50", "TURN 7,7"],
        ["INFO pondering 1", "PLAY 7,7"],
        ["INFO pondering 1", "TURN x"],
    ],
)
def test_otherwise_nothing_is_pondered(lines):
    talk = Talk()
    talk.say("START 15", *lines)
    assert talk.session._dialogue.position_to_ponder() is None


def test_after_a_move_the_expected_reply_is_to_be_pondered():
    talk = Talk()
    talk.say("START 15", "INFO pondering 1", "TURN 7,7")
    assert talk.session._dialogue.position_to_ponder() == PONDERED


def test_a_failure_in_pondering_is_logged_and_no_more():
    talk = Talk().run()
    talk.feed("START 15", "INFO pondering 1", "BEGIN")
    talk.engine.error = RuntimeError("no")
    talk.expect(2)
    talk.feed("ABOUT")
    assert len(talk.expect(3)) == 3
    talk.finish()


def test_the_engine_settles_after_its_move_and_not_before():
    talk = Talk().run()
    talk.feed("START 15", "TURN 7,7")
    talk.expect(2)
    talk.finish()
    assert talk.engine.settled == 3  # it asked for as many steps
    waiting = Talk().run()
    waiting.feed("START 15", "ABOUT")
    waiting.expect(2)
    waiting.finish()
    assert waiting.engine.settled == 0


def test_a_failure_to_settle_is_logged_and_no_more():
    talk = Talk().run()
    talk.feed("START 15", "TURN 7,7")
    talk.engine.error = RuntimeError("no")
    talk.expect(2)
    talk.feed("ABOUT")
    assert len(talk.expect(3)) == 3
    talk.finish()


def test_a_proof_that_cannot_be_opened_costs_no_move(monkeypatch):
    def fail(*_):
        raise RuntimeError("a bad book")

    monkeypatch.setattr(proved, "book_for", fail)
    talk = Talk()
    assert len(talk.say("START 15", "BEGIN", "TURN 8,8")) == 3  # the engine's move
    assert any("a bad book" in text for text in talk.logged)


def test_the_first_stone_is_followed_by_pondering_every_reply():
    talk = Talk(waiting=True).run()
    talk.think("START 15", "INFO pondering 1", "BEGIN")
    after = str(Board.from_moves([Move(7, 7)]))
    assert talk.engine.searches == [(after, Limits(play_on=True))]
    talk.finish()


# The process


@pytest.mark.parametrize("threads", [1, 2])
def test_a_pondering_process_is_silent_and_answers(brain, threads):
    """Pondering has no limit of its own, so what is answered has ended it."""
    brain.start(
        "INFO timeout_turn 60",
        "INFO show_detail 1",
        "INFO pondering 1",
        f"INFO thread_num {threads}",
    )
    brain.send("TURN 8,8")
    brain.move()
    brain.silence(0.15)
    brain.send("ABOUT")
    assert brain.line().startswith("name=")
    brain.send("TURN 4,11")
    brain.move()
    brain.silence(0.15)
    brain.send("RESTART")
    assert brain.line() == "OK"


def test_end_ends_a_pondering_process(brain):
    brain.start("INFO timeout_turn 100", "INFO pondering 1").send("TURN 7,7")
    brain.move()
    brain.silence(0.1)
    brain.send("END")
    assert brain.wait() == 0


def test_the_end_of_input_ends_a_pondering_process(brain):
    brain.start("INFO pondering 1").send("BEGIN")
    brain.move()
    brain.silence(0.1)
    brain.close_input()
    assert brain.wait() == 0


@pytest.mark.parametrize("stones", [[], ["2,0", "3,2", "5,4"]])
def test_swap2_keeps_to_the_time(brain, stones):
    brain.start("INFO rule 1", "INFO timeout_turn 300", "INFO game_type 1")
    with brain.works(0.3):
        brain.send("SWAP2BOARD", *stones, "DONE")
        reply = brain.answer()
    assert reply == "SWAP" or len(reply.split(" ")) in (1, 2, 3)
