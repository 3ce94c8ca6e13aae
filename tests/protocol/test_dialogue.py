"""What a session answers, command by command."""

import gc
import os
import traceback
import weakref
from types import SimpleNamespace

import pytest

from gomoku_brain.engine.time_manager import INSTANT_NODES
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.protocol.session import Session
from tests.protocol.talk import Talk

MB = 1 << 20


@pytest.fixture
def talk():
    return Talk()


# Games


def test_start_answers_ok_and_nothing_else(talk):
    assert talk.say("START 15") == ["OK"]
    assert talk.say("RESTART") == ["OK"]
    assert talk.say("RECTSTART 20,15") == ["OK"]
    assert (talk.board.width, talk.board.height) == (20, 15)
    assert talk.say("RESTART") == ["OK"]
    assert (talk.board.width, talk.board.height) == (20, 15)


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("START 5", (5, 5)),
        ("start 22", (22, 22)),
        ("START 15 15", (15, 15)),
        ("START 15,15", (15, 15)),
        ("START 15 20", (15, 20)),
        ("RECTSTART 15,15", (15, 15)),
        ("RECTSTART 5, 22", (5, 22)),
    ],
)
def test_board_sizes(talk, line, size):
    assert talk.say(line) == ["OK"]
    assert (talk.board.width, talk.board.height) == size


@pytest.mark.parametrize(
    "line",
    [
        "START",
        "START x",
        "START 4",
        "START 23",
        "START -15",
        "START 99999999999999999999",
        "START 15 15 15",
        "RECTSTART",
        "RECTSTART 15",
        "RECTSTART 15,4",
        "RECTSTART 23,15",
    ],
)
def test_a_bad_size_is_one_error_and_keeps_the_game(talk, line):
    talk.say("START 15", "BEGIN")
    (reply,) = talk.say(line)
    assert reply.startswith("ERROR ")
    assert talk.board.ply == 1


@pytest.mark.parametrize(
    "lines",
    [
        ["BEGIN"],
        ["TURN 7,7"],
        ["PLAY 7,7"],
        ["TAKEBACK 7,7"],
        ["RESTART"],
        ["BOARD", "7,7,1", "8,8,2", "DONE"],
        ["SWAP2BOARD", "DONE"],
        ["YXNBEST 2"],
        ["yxswap2step1"],
    ],
)
def test_before_start_there_is_no_game(talk, lines):
    (reply,) = talk.say(*lines)
    assert reply.startswith("ERROR ")


@pytest.mark.parametrize(("size", "centre"), [(15, "7,7"), (20, "10,10"), (5, "2,2")])
def test_the_first_stone_is_the_centre_without_a_search(talk, size, centre):
    assert talk.say(f"START {size}", "BEGIN") == ["OK", centre]
    assert talk.engine.searches == []


def test_turn_plays_both_stones(talk):
    assert talk.say("START 15", "TURN 7,7") == ["OK", "0,0"]
    assert talk.board.stone(Move(7, 7)) is Side.BLACK
    assert talk.board.stone(Move(0, 0)) is Side.WHITE
    assert talk.board.turn is Side.BLACK


@pytest.mark.parametrize(
    "line", ["TURN 7,7", "TURN 15,0", "TURN -1,0", "TURN", "TURN x", "TURN 8,8,1"]
)
def test_a_bad_turn_is_one_error_and_changes_nothing(talk, line):
    talk.say("START 15", "TURN 7,7")
    before = talk.board.copy()
    (reply,) = talk.say(line)
    assert reply.startswith("ERROR ")
    assert talk.board == before
    assert talk.say("TURN 8 8") == ["1,0"]


def test_begin_in_mid_game_thinks_for_the_side_to_move(talk):
    talk.say("START 15", "PLAY 7,7")
    assert talk.say("BEGIN") == ["0,0"]
    assert talk.board.stone(Move(0, 0)) is Side.WHITE


def test_play_places_our_stone_and_says_it_back(talk):
    assert talk.say("START 15", "PLAY 3,4", "TURN 7,7") == ["OK", "3,4", "0,0"]
    assert talk.say("PLAY 3,4")[0].startswith("ERROR ")
    assert talk.say("PLAY 15,15")[0].startswith("ERROR ")


def test_takeback_removes_stones_newest_first(talk):
    talk.say("START 15", "TURN 7,7", "TURN 8,8")
    assert talk.say("TAKEBACK 1,0", "TAKEBACK 8,8") == ["OK", "OK"]
    assert talk.board.moves == (Move(7, 7), Move(0, 0))
    assert talk.board.turn is Side.BLACK
    assert talk.say("TURN 9,9") == ["1,0"]


def test_takeback_finds_any_stone_by_its_place(talk):
    talk.say("START 15", "TURN 7,7", "TURN 8,8")
    assert talk.say("TAKEBACK 7,7", "TAKEBACK 0,0") == ["OK", "OK"]
    assert set(talk.board.moves) == {(8, 8), (1, 0)}
    for line in ("TAKEBACK 7,7", "TAKEBACK 15,15", "TAKEBACK", "TAKEBACK x,y"):
        (reply,) = talk.say(line)
        assert reply.startswith("ERROR ")


def test_restart_clears_the_board_and_keeps_the_options(talk):
    talk.say("START 15", "INFO rule 1", "INFO timeout_turn 700", "TURN 7,7")
    assert talk.say("RESTART", "BEGIN") == ["OK", "7,7"]
    assert talk.board.rule is Rule.STANDARD
    assert talk.session.options.timeout_turn == 700


def test_about_works_before_start(talk):
    (line,) = talk.say("ABOUT")
    assert line.startswith('name="gomoku-brain", version="')


def test_unknown_commands_are_named(talk):
    assert talk.say("FOO 1 2") == ["UNKNOWN command FOO"]
    assert talk.say("TURNS 7,7") == ["UNKNOWN command TURNS"]
    assert talk.say("7,7,1") == ["UNKNOWN command 7,7,1"]
    assert talk.say("DONE") == ["UNKNOWN command DONE"]


def test_empty_lines_are_nothing(talk):
    assert talk.say("", "   ", "\0") == []


def test_a_full_board_is_an_error(talk):
    rows = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    assert talk.say("START 5", "BOARD", *rows, "DONE")[1].startswith("ERROR ")
    for line in ("BEGIN", "YXNBEST 3", "TURN 0,0"):
        (reply,) = talk.say(line)
        assert reply.startswith("ERROR ")


def test_turn_on_the_last_cell_is_an_error_too(talk):
    rows = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)]
    assert talk.say("START 5", "BOARD", *rows[:-2], "DONE")[1] == "4,3"
    (reply,) = talk.say("TURN 4,4")
    assert reply.startswith("ERROR ")


# BOARD


def test_board_sets_the_position_and_answers(talk):
    replies = talk.say("START 15", "BOARD", "7,7,1", "8, 8, 2", "done")
    assert replies == ["OK", "0,0"]
    assert talk.board.stone(Move(7, 7)) is Side.BLACK
    assert talk.board.stone(Move(0, 0)) is Side.BLACK
    assert talk.say("TURN 9,9") == ["1,0"]


@pytest.mark.parametrize(
    "lines",
    [
        ["BOARD 7,7,1 8,8,2 DONE"],
        ["board 7,7,1", "8,8,2 done"],
        ["BOARD", "7,7,1 8,8,2", "DONE"],
        ["BOARD", "7 7 1", "", "8\t,8 ,2", "Done"],
    ],
)
def test_board_may_be_broken_into_lines_anywhere(talk, lines):
    assert talk.say("START 15", *lines) == ["OK", "0,0"]
    assert talk.board.moves == ((7, 7), (8, 8), (0, 0))


def test_a_board_without_stones_is_begin(talk):
    assert talk.say("START 15", "BOARD", "DONE") == ["OK", "7,7"]
    assert talk.say("RESTART", "BOARD DONE") == ["OK", "7,7"]


@pytest.mark.parametrize(
    "row",
    ["7,7", "7,7,0", "7,7,4", "15,7,1", "-1,7,1", "8,8,1", "x", "7,7,1,1", "7;7;1"],
)
def test_a_bad_board_line_is_one_error_at_done_and_an_empty_board(talk, row):
    talk.say("START 15", "TURN 7,7")
    assert talk.say("BOARD", "8,8,2", row, "9,9,1") == []
    (reply,) = talk.say("DONE")
    assert reply.startswith("ERROR ")
    assert talk.board.ply == 0
    assert talk.say("BEGIN") == ["7,7"]


@pytest.mark.parametrize("word", ["BOARD", "YXBOARD", "SWAP2BOARD"])
def test_a_command_instead_of_done_is_an_error_and_is_executed(talk, word):
    talk.say("START 15")
    talk.say(word, "7,7,1" if word != "SWAP2BOARD" else "7,7")
    error, ok = talk.say("RESTART")
    assert error.startswith("ERROR ")
    assert ok == "OK"


def test_a_flood_of_board_lines_is_an_error(talk):
    talk.say("START 15", "BOARD")
    for _ in range(10):
        assert talk.say("1,1,1 " * 1000) == []
    (reply,) = talk.say("DONE")
    assert reply.startswith("ERROR ")


@pytest.mark.parametrize(
    ("rows", "own"),
    [
        ([], Side.BLACK),
        (["7,7,1", "8,8,2"], Side.BLACK),
        (["7,7,2", "8,8,1"], Side.BLACK),  # a conflict: the counts win
        (["7,7,2"], Side.WHITE),
        (["7,7,2", "8,8,1", "9,9,2"], Side.WHITE),
        (["8,8,1", "7,7,2", "9,9,2"], Side.WHITE),
        (["7,7,1"], Side.BLACK),  # no counts of a game: the first line wins
        (["7,7,1", "8,8,1", "9,9,1", "1,1,2"], Side.BLACK),
        (["1,1,2", "7,7,1", "8,8,1", "9,9,1"], Side.WHITE),
        (["1,1,2", "7,7,2"], Side.WHITE),
        (["7,7,1", "1,1,2", "1,2,2", "1,3,2"], Side.BLACK),
        (["3,3,3", "1,1,2", "1,2,2"], Side.WHITE),
    ],
)
def test_our_colour_follows_from_the_stones(talk, rows, own):
    talk.say("START 15", "YXBOARD", *rows, "DONE")
    assert talk.board.turn is own
    for row in rows:
        x, y, owner = map(int, row.split(","))
        expected = {1: own, 2: own.other, 3: None}[owner]
        assert talk.board.stone(Move(x, y)) is expected


def test_stones_of_finished_lines_are_walls(talk):
    talk.say("START 15", "BOARD", "7,7,3", "8,8,1", "9,9,2", "DONE")
    assert talk.board.is_wall(Move(7, 7))
    (reply,) = talk.say("TURN 7,7")
    assert reply.startswith("ERROR ")


# INFO


def test_info_is_never_answered(talk):
    lines = ["INFO", "INFO x", "INFO rule 77", "INFO max_memory x", "INFO folder \xff"]
    assert talk.say(*lines) == []
    assert talk.say("START 15", *lines, "INFO evaluate 3,4") == ["OK"]


def test_a_rule_sent_after_start_holds_for_the_stones_there(talk):
    talk.say("START 15", "BOARD", "1,1,3", "7,7,1", "8,8,2", "DONE")
    before = talk.board.copy()
    talk.say("INFO rule 4", "TURN 9,9")
    assert talk.board.rule is Rule.RENJU
    talk.say(f"TAKEBACK {talk.board.moves[-1].x},0", "TAKEBACK 9,9")
    assert talk.board.moves == before.moves
    assert talk.board.is_wall(Move(1, 1))
    assert talk.board.turn is before.turn


def test_rule_2_means_renju_once_the_dialect_is_known(talk):
    talk.say("INFO rule 2", "START 15")
    assert talk.board.rule is Rule.FREESTYLE
    talk.say("START 15 15", "BEGIN")
    assert talk.board.rule is Rule.RENJU


def test_start_with_a_comma_is_not_the_yixin_dialect(talk):
    talk.say("INFO rule 2", "START 15,15")
    assert talk.board.rule is Rule.FREESTYLE
    talk.say("YXSHOWINFO", "BEGIN")
    assert talk.board.rule is Rule.RENJU


def test_memory_and_threads_reach_the_engine(talk):
    talk.say("START 15")
    talk.say("INFO max_node 5", "BEGIN")
    assert talk.engine.sizes == []  # an engine handed in keeps its own until told
    talk.say(f"INFO max_memory {350 * MB}")
    assert talk.engine.hash_mb == 226.5
    resizes = len(talk.engine.sizes)
    talk.say(f"INFO max_memory {350 * MB}")
    assert len(talk.engine.sizes) == resizes
    talk.say("INFO hash_size 16384")
    assert talk.engine.hash_mb == 16


def test_the_table_is_forgotten_with_the_game_only_after_a_search(talk):
    talk.say("START 15", "START 15", "BEGIN", "START 15")
    assert talk.engine.games == 0
    talk.say("TURN 7,7", "START 15", "START 15")
    assert talk.engine.games == 1
    talk.say("TURN 7,7", "RESTART")
    assert talk.engine.games == 2
    talk.say("TURN 7,7", "INFO rule 1", "TURN 9,9")
    assert talk.engine.games == 3


def test_yixin_says_start_before_every_move_and_keeps_the_table(talk):
    talk.say("START 15 15", "TURN 7,7", "START 15 15")
    assert talk.engine.games == 0
    talk.say("yxhashclear")
    assert talk.engine.games == 1


# Time


def test_limits_come_from_the_time_manager(talk):
    talk.say("START 15", "INFO timeout_turn 1000", "INFO time_left 100000", "TURN 7,7")
    limits = talk.limits
    assert talk.engine.granted == [pytest.approx((0.98, 0.97))]
    assert limits.started == 100.0
    assert (limits.nodes, limits.depth, limits.multipv) == (None, None, 1)


def test_without_any_time_info_a_move_takes_5_seconds(talk):
    talk.say("START 15", "TURN 7,7")
    assert talk.seconds == pytest.approx(5 - 0.1 - 0.06)


def test_node_and_depth_limits_leave_time_unlimited(talk):
    talk.say("START 15", "INFO max_node 1234", "INFO max_depth 5", "TURN 7,7")
    assert (talk.seconds, talk.limits.nodes, talk.limits.depth) == (None, 1234, 5)


def test_timeout_turn_0_is_a_minimal_search(talk):
    talk.say("START 15", "INFO timeout_turn 0", "TURN 7,7")
    assert talk.limits.nodes == INSTANT_NODES
    assert talk.seconds == pytest.approx(0.010)


def test_a_match_clock_runs_down_by_itself():
    talk = Talk(seconds=2.0)
    talk.say("START 15", "INFO timeout_turn 60000", "INFO timeout_match 70000")
    # a seventh of what is left when each of our later moves has kept its 15 ms
    talk.say("TURN 7,7")
    assert talk.seconds == pytest.approx((70 - 111 * 0.015) / 7)
    talk.say("TURN 8,8")
    assert talk.seconds == pytest.approx((70 - 2 - 110 * 0.015) / 7)
    talk.say("INFO time_left 35000", "TURN 9,9")
    assert talk.seconds == pytest.approx((35 - 109 * 0.015) / 7)
    talk.say("START 15", "TURN 7,7")
    assert talk.seconds == pytest.approx((70 - 111 * 0.015) / 7)


def test_overdrawn_time_is_answered_at_once(talk):
    talk.say("START 15", "INFO time_left -5", "TURN 7,7")
    assert talk.limits.nodes == INSTANT_NODES


def test_unlimited_time_left_means_the_turn_limit_only(talk):
    talk.say("START 15", "INFO timeout_turn 1000", "INFO timeout_match 5000")
    talk.say("INFO time_left 2147483647", "TURN 7,7")
    assert talk.seconds == pytest.approx(0.98)


def test_start_up_is_charged_to_the_first_move_alone():
    talk = Talk(startup=lambda: 0.1)
    talk.say("START 15", "INFO timeout_turn 1000", "INFO game_type 1")
    talk.say("TURN 7,7", "TURN 8,8")
    (first, _), (second, _) = talk.engine.granted
    assert first == pytest.approx(0.88)
    assert second == pytest.approx(0.98)


def test_start_up_is_charged_to_begin_although_it_does_not_search():
    talk = Talk(startup=lambda: 0.1)
    talk.say("START 15", "INFO timeout_turn 1000", "INFO game_type 1")
    talk.say("BEGIN", "TURN 8,8")
    assert talk.seconds == pytest.approx(0.98)


def test_a_start_that_was_over_before_the_move_is_not_charged():
    """Piskvork waits for OK before it wants a move: its clock runs from there."""
    talk = Talk(startup=lambda: 0.1)
    talk.say("START 15", "INFO timeout_turn 1000", "INFO game_type 1")
    talk.clock.advance(0.001)
    talk.say("TURN 7,7")
    assert talk.seconds == pytest.approx(0.98)


def test_a_start_within_a_move_that_was_asked_for_before_is_charged():
    """The judge of Gomocup writes all at once, and lets the process run later."""
    talk = Talk(startup=lambda: 0.1)
    talk.feed("START 15", "INFO timeout_turn 1000", "INFO game_type 1", "TURN 7,7")
    talk.clock.advance(0.05)  # of the move's time
    talk.run().expect(2)
    talk.finish()
    before = 0.1 - 0.05  # the part of the start that the move's time does not hold
    assert talk.seconds == pytest.approx(0.98 - before - 0.05)


# Lines of play


def test_one_line_of_play_before_the_move():
    talk = Talk(quiet=False)
    talk.engine.infos = 5
    assert talk.say("START 15", "TURN 7,7") == [
        "OK",
        "MESSAGE depth 12-20 ev 0 n 12345 n/ms 24 tm 500 pv a1 a15",
        "0,0",
    ]


def test_silence_on_request():
    talk = Talk(quiet=False)
    talk.engine.infos = 5
    assert talk.say("START 15", "INFO show_detail -1", "TURN 7,7") == ["OK", "0,0"]
    talk = Talk(quiet=True)
    assert talk.say("START 15", "TURN 7,7") == ["OK", "0,0"]


def test_a_result_without_a_score_has_no_line():
    talk = Talk(quiet=False)
    talk.engine.score = None
    assert talk.say("START 15", "TURN 7,7") == ["OK", "0,0"]
    assert talk.say("YXNBEST 2") == ["1,0"]


def test_forced_results_are_said():
    talk = Talk(quiet=False)
    talk.engine.win_in = -4
    assert " ev -M4 " in talk.say("START 15", "TURN 7,7")[1]


def test_realtime_lines_are_few():
    talk = Talk(quiet=False)
    talk.engine.infos = 500
    replies = talk.say("START 15", "INFO show_detail 1", "TURN 7,7")
    assert "MESSAGE REALTIME BEST 0,0" in replies
    assert "MESSAGE REALTIME PV a1 a15" in replies
    assert len(replies) == 1 + 4 + 4 + 1  # no time passed: the first and the result


def test_detail_lines_only_when_asked_for():
    talk = Talk(quiet=False)
    assert not any(line.startswith("INFO") for line in talk.say("START 15", "TURN 7,7"))
    replies = talk.say("INFO show_detail 2", "TURN 8,8")
    assert "INFO PV 0" in replies
    assert "INFO BESTLINE 1,0 0,14" in replies
    assert replies[-2:] == ["INFO PV DONE", "1,0"]


def test_nbest_says_a_numbered_line_for_each():
    talk = Talk(quiet=False)
    replies = talk.say("START 15", "YXBOARD 7,7,2 DONE", "YXNBEST 3")
    assert [line.split(" ev ")[0] for line in replies[1:4]] == [
        f"MESSAGE depth 12-20 multipv {k}" for k in (1, 2, 3)
    ]
    assert replies[4:] == ["0,0"]
    assert talk.limits.multipv == 3


def test_several_lines_are_an_analysis_at_full_strength():
    talk = Talk()
    talk.say("START 15", "INFO strength 0", "YXBOARD 7,7,2 DONE", "YXNBEST 3")
    assert (talk.limits.multipv, talk.limits.strength) == (3, 100)
    talk.say("TURN 1,0")
    assert (talk.limits.multipv, talk.limits.strength) == (1, 0)


# Faults


def test_an_error_in_the_search_still_gives_a_legal_move(talk):
    talk.engine.error = RuntimeError("boom")
    talk.engine.infos = 3
    talk.engine.script = [Move(3, 3)]
    assert talk.say("START 15", "TURN 7,7") == ["OK", "3,3"]
    assert "boom" in talk.logged[-1]
    talk.engine.infos = 0
    (reply,) = talk.say("TURN 8,8")
    assert talk.board.moves[-1] == tuple(map(int, reply.split(",")))


def test_lack_of_memory_shrinks_the_table_and_plays_on(talk):
    talk.engine.error = MemoryError()
    assert len(talk.say("START 15", "TURN 7,7")) == 2
    assert talk.engine.hash_mb == 1


def test_after_a_lack_of_memory_the_same_move_is_searched_again(talk):
    """With one thread and the smallest table, until another game begins."""
    talk.say("START 15", "INFO thread_num 2", "INFO hash_size 8192")
    talk.engine.errors = [MemoryError()]
    talk.engine.script = [Move(3, 3), Move(4, 4)]
    assert talk.say("TURN 7,7") == ["4,4"]
    assert talk.engine.granted[0] == talk.engine.granted[1]
    assert len(talk.logged) == 1
    assert talk.engine.released_memory == 1
    talk.say("INFO thread_num 2", "INFO hash_size 8192", "TURN 8,8")
    assert (talk.engine.threads, talk.engine.hash_mb) == (1, 1)
    talk.say("RESTART")
    assert (talk.engine.threads, talk.engine.hash_mb) == (2, 8)


@pytest.mark.parametrize("again", ["RESTART", "START 15", "START 15 15"])
def test_the_time_left_of_one_game_is_none_of_the_next(talk, again):
    """Without any limit told for it, the next one has that of a move by default."""
    talk.say("START 15", "INFO time_left 60000", "TURN 7,7")
    assert talk.seconds < 60
    talk.say(again, "TURN 7,7")
    assert talk.seconds == pytest.approx(4.9, abs=0.1)
    talk.say("INFO time_left 60000", again, "TURN 7,7")  # told for the one to come
    assert talk.seconds > 5


def test_the_threads_of_the_beginning_hold_until_the_manager_states_others(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    session = Session(threads=3, quiet=True)
    for line in ("START 15", "INFO max_node 100", "TURN 7,7"):
        session.handle(line)
    engine = session._player._engine
    assert engine.threads == 3
    session.handle("RESTART")
    assert engine.threads == 3
    session.handle("INFO thread_num 2")
    assert engine.threads == 2


@pytest.mark.parametrize(("again", "move"), [(4, "3,3"), (5, "4,4"), (9, "4,4")])
def test_of_two_tries_the_deeper_one_is_played(talk, again, move):
    """The second one may come when little time is left."""
    talk.say("START 15", "INFO max_node 20000")
    real = talk.engine.search

    def search(*arguments):
        talk.engine.infos = again if talk.engine.searches else 5
        return real(*arguments)

    talk.engine.search = search
    talk.engine.errors = [MemoryError()]
    talk.engine.script = [Move(3, 3), Move(4, 4)]
    assert talk.say("TURN 7,7") == [move]
    assert [limits.nodes for _, limits in talk.engine.searches] == [
        20000,
        20000 - 12345,
    ]


@pytest.mark.parametrize("memory_for", ["no traceback", "no log"])
def test_a_lack_of_memory_that_cannot_be_logged_costs_no_move(
    talk, monkeypatch, memory_for
):
    def refuse(*arguments):
        raise MemoryError

    talk.say("START 15")
    if memory_for == "no traceback":
        monkeypatch.setattr(traceback, "format_exception", refuse)
    else:
        monkeypatch.setattr(talk.session._player, "_log", refuse)
    talk.engine.errors = [MemoryError("no memory for the table")]
    talk.engine.script = [Move(3, 3), Move(4, 4)]
    assert talk.say("TURN 7,7") == ["4,4"]
    assert talk.engine.released_memory == 1
    if memory_for == "no traceback":
        assert talk.logged == ["MemoryError('no memory for the table')"]


def test_before_a_second_try_the_memory_of_the_first_is_given_back(talk):
    """Without the collector of cycles."""

    class Held:
        pass

    seen = []
    real = talk.engine.search

    def search(*arguments):
        held = Held()
        assert [each() for each in seen] == [None] * len(seen)
        seen.append(weakref.ref(held))
        return real(*arguments)

    talk.engine.search = search
    talk.engine.errors = [MemoryError()]
    gc.disable()
    try:
        assert talk.say("START 15", "TURN 7,7") == ["OK", "0,0"]
        assert len(seen) == 2
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("black", "white", "move"),
    [
        ("b1 b2 b3 b4", "h8 i8 j8 k8", (1, 4)),  # black makes five
        ("b2 b3 b4 g8", "h8 i8 j8 k8", (11, 7)),  # black stops one
        ("b2 b3 b4", "h8 j8 l8", (7, 7)),
    ],
)
def test_without_any_search_a_five_is_made_or_stopped(talk, black, white, move):
    talk.engine.error = RuntimeError("boom")
    board = Board.from_stones(black.split(), white.split(), turn=Side.BLACK)
    rows = [
        f"{x},{y},{1 if board.stone((x, y)) is Side.BLACK else 2}"
        for x in range(15)
        for y in range(15)
        if board.stone((x, y)) is not None
    ]
    (reply,) = talk.say("START 15", "BOARD", *rows, "DONE")[1:]
    found = tuple(map(int, reply.split(",")))
    if move == (7, 7):  # h8 is taken: something beside it
        assert max(abs(found[0] - 7), abs(found[1] - 7)) == 1
    else:
        assert found == move


def test_an_occupied_or_outside_answer_is_replaced(talk):
    for wrong in (Move(7, 7), Move(15, 3), Move(-1, 0)):
        talk.engine.script = [wrong]
        _, reply = talk.say("START 15", "TURN 7,7")
        x, y = map(int, reply.split(","))
        assert (x, y) != (7, 7)
        assert 0 <= x < 15
        assert 0 <= y < 15


def test_a_forbidden_answer_is_replaced(talk):
    # h8 would be a double-three (the rules R1).
    black, white = ["5,7", "6,7", "7,5", "7,6"], ["0,0", "14,0", "0,14", "14,14"]
    rows = [f"{b},1\n{w},2".split() for b, w in zip(black, white, strict=True)]
    talk.engine.script = [Move(7, 7)]
    lines = [line for pair in rows for line in pair]
    reply = talk.say("START 15", "INFO rule 4", "BOARD", *lines, "DONE")[-1]
    assert reply != "7,7"
    assert talk.board.moves[-1] == tuple(map(int, reply.split(",")))


def test_with_only_forbidden_cells_left_one_is_played(talk):
    free = (7, 7)
    rows = []
    for y in range(15):
        for x in range(15):
            if (x, y) == free:
                continue
            black = (x, y) in {(5, 7), (6, 7), (8, 7), (9, 7), (10, 7)}
            rows.append(f"{x},{y},{1 if black else 3}")
    replies = talk.say("START 15", "INFO rule 4", "BOARD", *rows, "DONE")
    assert replies == ["OK", "7,7"]


def test_restart_takes_no_arguments(talk):
    talk.say("START 15", "TURN 7,7")
    for line in ("RESTART 20", "RESTART abc"):
        (reply,) = talk.say(line)
        assert reply.startswith("ERROR RESTART has no arguments")
    assert talk.board.ply == 2


def test_an_error_elsewhere_is_one_line(talk):
    talk.say("START 15", "TURN 7,7")
    talk.session._dialogue.board = SimpleNamespace(width=15, height=15, rule=0)
    (reply,) = talk.say("TURN 8,8")
    assert reply == "ERROR internal error"
    assert talk.say("INFO rule 1") == []
    assert talk.say("START 15") == ["OK"]


def test_an_import_that_fails_after_the_start_ends_nothing(talk, monkeypatch):
    """For example without another file descriptor; a part is imported when needed."""
    talk.say("START 15", "TURN 7,7")

    def think(*_, **__):
        raise ImportError("no descriptor is left")

    with monkeypatch.context() as broken:
        broken.setattr(talk.session._player, "think", think)
        assert talk.say("TURN 8,8") == ["ERROR internal error"]
    assert len(talk.say("TURN 9,9")) == 1


def test_play_goes_on_after_a_five(talk):
    talk.say("START 15")
    for x in range(4, 9):
        talk.engine.script = [Move(x, 9)]
        (reply,) = talk.say(f"TURN {x},7")
        assert reply == f"{x},9"
    assert talk.board.winner is not None
    assert len(talk.say("TURN 9,7")) == 1


# Yixin dialect


def test_yxboard_sets_a_position_without_an_answer(talk):
    assert talk.say("START 15", "YXBOARD 7,7,1 8,7,2 DONE") == ["OK"]
    assert talk.say("YXNBEST 1") == ["0,0"]


def test_showforbid(talk):
    talk.say("START 15", "INFO rule 4")
    assert talk.say("YXSHOWFORBID") == ["FORBID ."]
    talk.say("YXBOARD", "5,7,1", "6,7,1", "7,5,1", "7,6,1", "0,0,2", "1,14,2")
    talk.say("14,0,2", "14,14,2", "DONE")
    (line,) = talk.say("YXSHOWFORBID")
    assert line.startswith("FORBID ")
    assert "0707" in line
    assert Talk().say("YXSHOWFORBID") == ["FORBID ."]


def test_showinfo_states_the_sizes_of_the_menus(talk):
    threads, table = talk.say("YXSHOWINFO")
    assert threads.startswith("MESSAGE INFO MAX_THREAD_NUM ")
    assert table.startswith("MESSAGE INFO MAX_HASH_SIZE ")


def test_blocked_cells_are_not_played(talk):
    talk.say("START 15", "YXBLOCK", "0,0", "1,0", "DONE")
    assert talk.say("TURN 7,7") == ["2,0"]
    talk.say("YXBLOCKUNDO 1,0 DONE")
    assert talk.say("TURN 8,8") == ["1,0"]
    talk.say("YXBLOCKRESET")
    assert talk.say("TURN 9,9") == ["0,0"]


def test_with_all_cells_blocked_a_move_is_due_all_the_same(talk):
    cells = [f"{x},{y}" for x in range(5) for y in range(5)]
    talk.say("START 5", "YXBLOCK", *cells, "DONE")
    assert len(talk.say("TURN 2,2")) == 1
    assert talk.limits.exclude == ()


@pytest.mark.parametrize(
    "lines",
    [
        ["YXQUERYDATABASEALL", "7,7,1", "8,8,2", "DONE"],
        ["yxhashdump", "C:\\some path\\table.bin"],
        ["YXSETDATABASE", "x.db", "YXSAVEDATABASE"],
        ["yxsoosorvstep5 3", "7,7", "done"],
        ["yxblockpath", "7,7", "done", "done"],
        ["yxnonsense 1 2 3"],
        ["RELOADCONFIG", "config.toml"],
        ["BENCH"],
    ],
)
def test_what_we_do_not_have_is_silent_and_in_step(talk, lines):
    assert talk.say("START 15", *lines) == ["OK"]
    assert talk.say("TURN 7,7") == ["0,0"]
    assert talk.say("FOO") == ["UNKNOWN command FOO"]


def test_stop_without_a_search_says_nothing(talk):
    assert talk.say("YXSTOP", "STOP", "stop") == []
    assert talk.say("START 15", "BOARD", "7,7,1", "STOP", "8,8,2", "DONE") == [
        "OK",
        "0,0",
    ]


# Balanced moves of the Yixin dialect


@pytest.fixture
def balancing(tmp_path):
    """Answers of a session with an engine."""

    def answers(*lines):
        import subprocess
        import sys

        done = subprocess.run(
            [sys.executable, "-m", "gomoku_brain"],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            timeout=100,
        )
        return [x for x in done.stdout.splitlines() if not x.startswith("MESSAGE")]

    return answers


def test_balancing_stones_are_placed_and_played(balancing):
    lines = ["START 15", "INFO max_node 60000", "YXBOARD 7,7,2 DONE"]
    ok, one, begin = balancing(*lines, "YXBALANCEONE 0", "YXBALANCEONE x")
    assert ok == "OK"
    x, y = map(int, one.split(","))
    assert max(abs(x - 7), abs(y - 7)) <= 3
    assert begin == "ERROR the bias is a whole number"
    _, two, taken = balancing(*lines, "YXBALANCETWO -30", "TURN 7,7")
    first, second = two.split()
    assert len({first, second, "7,7"}) == 3
    assert taken.startswith("ERROR")


def test_the_empty_board_can_be_balanced_and_the_bias_matters(balancing):
    lines = ["START 15", "INFO max_node 60000"]
    even = balancing(*lines, "YXBALANCEONE 0")[1]
    best = balancing(*lines, "YXBALANCEONE 20000")[1]
    assert even != best


def test_search_defend_is_a_search_of_all_moves(balancing):
    lines = ["START 15", "INFO max_node 3000", "YXBOARD 7,7,2 DONE"]
    assert len(balancing(*lines, "YXSEARCHDEFEND")) == 2
    assert (
        balancing("YXSEARCHDEFEND", "YXBALANCEONE 0")
        == ["ERROR no game has been started"] * 2
    )
