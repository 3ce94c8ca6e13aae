import os
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial

import pytest

from gomoku_brain import Board, ExternalEngine, Limits, Move, serve
from gomoku_brain.protocol.bot import BotPlayer
from gomoku_brain.protocol.session import Session

FIRST = """
from gomoku_brain import serve

serve(lambda board, clock: board.legal_moves()[0])
"""


def talk(choose, *lines, swap2=None, about=""):
    """The answers of a bot to some lines."""
    session = Session(player=partial(BotPlayer, choose, swap2), about=about)
    return [answer for line in lines for answer in session.handle(line)]


def first(board, clock):
    return board.legal_moves()[0]


def test_a_function_answers_begin_turn_and_board():
    assert talk(first, "START 15", "BEGIN", "TURN 1,0", "TURN 14,14") == [
        "OK",
        "0,0",
        "2,0",
        "3,0",
    ]
    rows = ["BOARD", "0,0,1", "1,0,2", "DONE"]
    assert talk(first, "start 15 15", *map(str.lower, rows)) == ["OK", "2,0"]


@pytest.mark.parametrize("answer", ["h8", (7, 7), Move(7, 7), "7,7"])
def test_a_move_may_have_any_form(answer):
    assert talk(lambda board, clock: answer, "START 15", "BEGIN") == ["OK", "7,7"]


def test_the_board_has_size_rule_walls_and_side_to_move():
    seen = []

    def look(board, clock):
        seen.append(board)
        return "a1"

    talk(
        look,
        *("RECTSTART 20,10", "INFO rule 4"),
        *("BOARD", "5,5,2", "6,6,1", "7,7,2", "8,8,3", "DONE"),
    )
    (board,) = seen
    assert (board.width, board.height, board.rule.name) == (20, 10, "RENJU")
    assert str(board.turn) == "white"
    assert str(board.stone((5, 5))) == "black"
    assert board.is_wall((8, 8))


def test_the_board_is_a_copy():
    def spoil(board, clock):
        move = board.legal_moves()[0]
        board.play(move)
        board.play(board.legal_moves()[0])
        return move

    assert talk(spoil, "START 5", "BEGIN", "TURN 4,4") == ["OK", "0,0", "1,0"]


def test_the_clock_has_the_limits_of_info():
    seen = []

    def look(board, clock):
        seen.append(clock)
        return board.legal_moves()[0]

    talk(
        look,
        *("START 15", "INFO timeout_turn 2000", "INFO timeout_match 60000"),
        *("INFO time_left 30000", "INFO time_increment 500", "INFO max_memory 1000"),
        *("INFO max_node 77", "INFO max_depth 5", "BEGIN"),
    )
    (clock,) = seen
    assert (clock.turn, clock.left, clock.increment) == (2.0, 30.0, 0.5)
    assert (clock.nodes, clock.depth, clock.memory) == (77, 5, 1000)
    assert 0 < clock.budget <= clock.time < 2.0
    limits = clock.limits()
    assert (limits.time, limits.target) == (clock.time, clock.budget)
    assert (limits.nodes, limits.depth) == (77, 5)
    assert not clock.is_over
    clock.stop()
    assert clock.is_over


def test_the_clock_runs_out():
    def wait(board, clock):
        until = time.perf_counter() + 10
        while not clock.is_over:
            assert time.perf_counter() < until
            time.sleep(0.005)
        assert clock.used >= clock.budget
        return "h8"

    assert talk(wait, "START 15", "INFO timeout_turn 300", "BEGIN")[-1] == "7,7"


def test_undo_restart_and_the_other_words():
    assert talk(
        first,
        *("ABOUT", "START 15", "BEGIN", "TURN 1,0", "TAKEBACK 2,0", "TAKEBACK 1,0"),
        *("TURN 5,5", "RESTART", "BEGIN", "YXHASHCLEAR", "PLAY 9,9", "JUNK", ""),
        about="me",
    ) == [
        *("me", "OK", "0,0", "2,0", "OK", "OK"),
        *("1,0", "OK", "0,0", "9,9", "UNKNOWN command JUNK"),
    ]


def test_the_words_of_the_session_are_those_of_a_bot():
    """They have tests of their own; a bot changes none of them."""
    assert talk(
        first,
        *("BEGIN", "START 15", "TURN 15,3", "START 5 5", "YXSHOWFORBID"),
        *("YXBOARD", "0,0,1", "1,0,2", "DONE", "YXNBEST 2", "YXBALANCEONE 0"),
    ) == [
        *("ERROR no game has been started", "OK", "ERROR bad coordinates", "OK"),
        *("FORBID .", "2,0", "ERROR no stones make the position even"),
    ]


def test_a_bot_neither_ponders_nor_plays_from_proofs():
    lines = ("START 15", "INFO pondering 1", "INFO proof 1", "BEGIN")
    session = Session(player=partial(BotPlayer, first, None))
    assert [session.handle(line) for line in lines][-1] == ["0,0"]
    assert session._dialogue.position_to_ponder() is None


def test_swap2_is_a_second_function():
    def swap2(board):
        return "swap" if board.ply else ["a1", (1, 1), "c3"]

    lines = ["START 15", "SWAP2BOARD", "DONE"]
    assert talk(first, *lines, swap2=swap2)[-1] == "0,0 1,1 2,2"
    lines = ["START 15", "SWAP2BOARD", "0,0", "1,1", "2,2", "DONE"]
    assert talk(first, *lines, swap2=swap2)[-1] == "SWAP"
    assert talk(first, *lines, "BEGIN")[1:] == ["UNKNOWN command SWAP2BOARD", "0,0"]
    lines = ["START 15", "YXSWAP2STEP1"]
    assert talk(first, *lines, swap2=swap2)[1] == "MESSAGE SWAP2 MOVE1 0 0"
    assert talk(first, *lines)[1:] == ["UNKNOWN command YXSWAP2STEP1"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("swap", "0 stones on 0"),
        (["a1"], "1 stones on 0"),
        (["a1", "a1", "b1"], "not all are empty"),
        (["a1", "b1", "c99"], "not all are empty"),
        ("h8", "not a move: 'h'"),
    ],
)
def test_a_wrong_answer_to_swap2_is_an_error_in_python(answer, text):
    with pytest.raises(ValueError, match=text):
        talk(first, "START 15", "SWAP2BOARD", "DONE", swap2=lambda board: answer)


def test_a_bots_wrong_answer_is_an_error_in_python():
    with pytest.raises(ValueError, match="no empty cell"):
        talk(lambda board, clock: "a1", "START 15", "BEGIN", "TURN 5,5")
    with pytest.raises(TypeError):
        talk(lambda board, clock: None, "START 15", "BEGIN")


# As a process


@pytest.fixture
def bot(tmp_path):
    def write(text):
        path = tmp_path / "my_bot.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return [sys.executable, str(path)]

    return write


def run(command, text, **options):
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=60, **options
    )


def test_two_lines_are_a_brain(bot):
    done = run(bot(FIRST), "ABOUT\nSTART 15\nBEGIN\n")
    assert done.stdout.splitlines() == [
        'name="my_bot", version="1.0", author="unknown"',
        "OK",
        "0,0",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_function_prints_becomes_a_message(bot):
    command = bot("""
        from gomoku_brain import serve

        def choose(board, clock):
            print("depth", 3)
            print("more\\n  lines", end="")
            return "h8"

        serve(choose, name="printer", version="2", author="me")
        """)
    done = run(command, "START 15\nBEGIN\nABOUT\n")
    assert done.stdout.splitlines() == [
        *("OK", "MESSAGE depth 3", "MESSAGE more", "7,7"),
        'name="printer", version="2", author="me"',
    ]
    with ExternalEngine(command) as engine:
        result = engine.play(Board(), Limits(time=5))
        assert result.info.depth == 3


def test_an_error_in_the_function_ends_it_with_a_traceback(bot):
    command = bot("""
        from gomoku_brain import serve

        serve(lambda board, clock: 1 // 0, name="broken")
        """)
    done = run(command, "START 15\nBEGIN\nBEGIN\n")
    assert (
        done.stdout
        == "OK\nERROR ZeroDivisionError: integer division or modulo by zero\n"
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.fixture
def thinking(bot, start_brain):
    """Start a bot that thinks about its first move, with a minute for it."""

    def start(condition):
        brain = start_brain(
            command=bot(f"""
                from gomoku_brain import serve

                def choose(board, clock):
                    print("begun", clock.turn)
                    while {condition}:
                        pass
                    return "a1"

                serve(choose)
                """)
        ).start("INFO timeout_turn 60000", "BEGIN")
        assert brain.line() == "MESSAGE begun 60.0"
        return brain

    return start


def test_a_function_that_never_ends_is_ended(thinking):
    brain = thinking("True")
    brain.send("END")
    assert brain.wait() == 0


@pytest.mark.parametrize("line", ["INFO timeout_turn 0", "INFO time_left 0", "YXSTOP"])
def test_what_comes_during_a_move_is_in_its_clock(thinking, line):
    brain = thinking("not clock.is_over")
    before = brain.send(line)
    assert brain.line() == "0,0"
    assert brain.arrived - before < 30  # of 60 seconds


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_shows_no_traceback(thinking):
    brain = thinking("True")
    os.kill(brain.process.pid, signal.SIGINT)
    assert brain.wait() == -signal.SIGINT  # its end finds nothing on standard error


def test_only_functions_are_served():
    with pytest.raises(TypeError, match="choose is a function of board and clock"):
        serve("h8")
    with pytest.raises(TypeError, match="swap2 is a function of the board"):
        serve(lambda board, clock: "h8", swap2="swap")
