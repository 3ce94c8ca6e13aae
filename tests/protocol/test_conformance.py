"""The brain's process against docs/PROTOCOL.md: what managers rely on, point by point.

Machines do other things as well, so that times are those of the processor (see
``brain``), and what is to be ended early would take longer than any test waits.
"""

import random
import re
import sys
import time

import pytest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from tests.protocol.brain import SLACK

MB = 1 << 20
RULES = [0, 1, 2, 4, 8, 9]
RULE_OF = {0: 0, 1: 1, 2: 0, 4: 4, 8: 8, 9: 9}
QUICK = "INFO timeout_turn 0"
OTHER_COLOUR = pytest.mark.slow("as with the other colour", ci=True)
OTHER_SIZE = pytest.mark.slow("as on the other size", ci=True)
SECOND = pytest.mark.slow("a second of thinking", ci=True)


def board_lines(stones, own_black):
    """The lines of a BOARD command from moves in their order, black first."""
    return [
        f"{x},{y},{1 if (i % 2 == 0) == own_black else 2}"
        for i, (x, y) in enumerate(stones)
    ]


def play_game(brain, *, width, height, code, brain_is_black, seed):
    """A game to the full board against random moves; returns the brain's moves."""
    rng = random.Random(seed)
    board = Board((width, height), Rule(RULE_OF[code]))
    own = Side.BLACK if brain_is_black else Side.WHITE
    moves = []
    while not board.is_full:
        if board.turn is own:
            if not board.moves:
                brain.send("BEGIN")
            move = Move(*brain.move())
            assert board.is_empty(move), f"{move} is not free:\n{board}"
            assert board.is_legal(move) or not board.legal_moves(), f"{move}:\n{board}"
            moves.append(move)
        else:
            move = rng.choice(board.legal_moves() or [*empty_cells(board)])
            # The last cell of the board leaves us none to answer with.
            if len(empty_cells(board)) > 1:
                brain.send(f"TURN {move.x},{move.y}")
        board.play(move)
    return moves


def empty_cells(board):
    cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
    return [cell for cell in cells if board.is_empty(cell)]


# START


def test_ok_is_the_first_and_only_output_after_start(brain):
    brain.send("START 15")
    assert brain.line() == "OK"
    brain.silence(0.1)
    assert bytes(brain.raw) == b"OK\n"


def test_ok_takes_little_work_from_the_start_of_the_process(brain):
    brain.send("START 20")
    assert brain.line() == "OK"
    assert brain.processor_seconds < 0.4  # 0.06 s on an idle machine


@pytest.mark.parametrize("loud", [False, True])
def test_nothing_is_written_to_stderr_in_a_full_game(start_brain, loud):
    brain = start_brain(
        command=[sys.executable, "-W", "error", "pbrain.py"],
        env={"GOMOKU_DEBUG_STDERR": "1"} if loud else {},
    )
    brain.start(QUICK, "INFO rule 4", size=9)
    play_game(brain, width=9, height=9, code=4, brain_is_black=True, seed=2)
    brain.send("FOO", "TURN 99,99", "INFO rule x")
    assert brain.answer().startswith("UNKNOWN ")
    assert brain.answer().startswith("ERROR ")
    brain.send("END")
    assert brain.wait() == 0
    assert brain.errors() == ""


def test_start_three_times_in_one_process(brain):
    for size in (15, 20, 15):
        brain.start(QUICK, size=size)
        brain.send("BEGIN", "TURN 0,0")
        assert brain.move() == (size // 2, size // 2)
        assert brain.move() not in {(0, 0), (size // 2, size // 2)}


# Ways of writing


def test_start_info_and_board_in_a_single_write(brain):
    brain.send(
        "START 15",
        "INFO timeout_turn 300",
        "INFO timeout_match 100000",
        "INFO max_memory 367001600",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO folder /tmp/some folder",
        "INFO time_left 100000",
        "BOARD",
        *board_lines([(7, 7), (8, 8)], True),
        "DONE",
        eol="\r\n",
    )
    assert brain.line() == "OK"
    assert brain.move() not in {(7, 7), (8, 8)}
    brain.silence(0.1)


def test_board_without_stones_is_the_first_move(brain):
    brain.start(QUICK).send("BOARD", "DONE")
    assert brain.move() == (7, 7)


def test_lower_case_and_two_numbers(brain):
    brain.send("start 15 15")
    assert brain.line() == "OK"
    brain.send("info timeout_turn 100", "board", "done")
    assert brain.move() == (7, 7)


def test_a_whole_board_on_one_line(brain):
    brain.start(QUICK).send("BOARD 7,7,1 8,8,2 DONE")
    assert brain.move() not in {(7, 7), (8, 8)}
    brain.silence(0.1)


@pytest.mark.parametrize("eol", ["\r\n", "\r", "\n\n", "\n\r\n", " \t\n", "\0\n"])
def test_line_ends_blank_lines_and_tabs(brain, eol):
    brain.send("START 15", eol=eol)
    assert brain.line() == "OK"
    brain.send(QUICK, "\tTURN\t7, 7", eol=eol)
    assert brain.move() != (7, 7)
    brain.send("  turn 0 ,0 ", eol=eol)
    brain.move()
    brain.send("END", eol=eol)
    assert brain.wait() == 0


# Errors, taking back, stopping


@pytest.mark.parametrize("bad", ["TURN 7,7", "TURN 15,15", "TURN", "TURN 8", "TURN a"])
def test_a_bad_turn_is_one_error_and_a_legal_one_still_works(brain, bad):
    brain.start(QUICK).send("TURN 7,7")
    first = brain.move()
    brain.send(bad)
    assert brain.line().startswith("ERROR ")
    brain.silence(0.05)
    brain.send("TURN 14,14")
    assert brain.move() not in {(7, 7), (14, 14), first}


def test_take_back_twice_and_go_on(brain):
    brain.start(QUICK).send("TURN 7,7")
    x, y = brain.move()
    brain.send(f"TAKEBACK {x},{y}")
    assert brain.line() == "OK"
    brain.send("TAKEBACK 7,7")
    assert brain.line() == "OK"
    brain.send("TURN 7,7")
    assert brain.move() != (7, 7)


def test_yxstop_ends_a_search_at_once(brain):
    brain.start("INFO timeout_turn 900000").send("TURN 7,7")
    brain.silence(0.3)
    with brain.works(0.05):
        brain.send("YXSTOP")
        brain.move()


def test_yxstop_without_a_search_prints_nothing(brain):
    brain.start().send("YXSTOP", "STOP", "yxstop")
    brain.silence(0.1)
    brain.send(QUICK, "TURN 7,7", "YXSTOP")
    brain.move()
    brain.silence(0.1)


def test_the_continue_button_ends_a_search_at_once(brain):
    brain.start("INFO timeout_turn 900000", "INFO game_type 0").send("TURN 7,7")
    brain.silence(0.2)
    with brain.works(0.05):
        brain.send("INFO timeout_turn 0")
        brain.move()


def test_end_in_mid_search_ends_the_process(brain):
    brain.start("INFO timeout_turn 900000").send("TURN 7,7")
    brain.silence(0.3)
    brain.send("END")
    assert brain.wait() == 0


def test_end_leaves_with_status_0_at_any_time(start_brain):
    for lines in ([], ["START 15"], ["START 15", "BOARD", "7,7,1"], ["FOO", ""]):
        brain = start_brain()
        brain.send(*lines, "END")
        assert brain.wait() == 0


def test_a_whole_game_in_one_write_has_one_reply_for_each_command(brain):
    # The opponent plays along the edges, where a search of a few ms does not go.
    replies = [(x, 0) for x in range(0, 15, 2)] + [(x, 14) for x in range(0, 15, 2)]
    commands = ["BEGIN", *(f"TURN {x},{y}" for x, y in replies)]
    brain.send("START 15", "INFO timeout_turn 30", *commands)
    brain.close_input()
    assert brain.line() == "OK"
    stones = set(replies)
    for _ in commands:
        move = brain.answer()
        if not move.startswith("ERROR "):  # the brain had taken that cell itself
            assert move not in stones
            stones.add(move)
    while (line := brain.next()) is not None:
        assert line.startswith("MESSAGE ")
    assert brain.wait() == 0


def test_piped_moves_have_their_full_time(brain):
    brain.send("START 15", "INFO timeout_turn 500", "TURN 7,7", "TURN 0,14")
    brain.close_input()
    assert brain.line() == "OK"
    for _ in range(2):
        told = brain.line()  # by its own clock, which starts when it reads the command
        assert int(re.search(r" tm (\d+) ", told)[1]) > 100, told
        brain.move()
    assert brain.wait() == 0


# INFO


def test_info_is_never_answered(brain):
    brain.start()
    for line in (
        "INFO",
        "INFO nonsense 5",
        "INFO timeout_turn",
        "INFO timeout_turn x",
        "INFO timeout_match 99999999999999999999999999999999",
        "INFO max_node -99999999999999999999999999999999",
        "INFO rule 77777777777777777777",
        "INFO folder C:\\Dokumenty \xe9\xff\x01",
        "INFO evaluate 3,4",
        "INFO " + "x" * 100_000,
        "info show_detail",
    ):
        brain.send(line, encoding="latin-1")
    brain.silence(0.1)
    brain.send("ABOUT")
    assert brain.line().startswith("name=")


# Time and memory


@pytest.mark.parametrize(
    ("limit", "allowed"),
    [
        (0, 0.020),
        (1, 0.020),
        (50, 0.050),
        (200, 0.2),
        pytest.param(1000, 1.0, marks=SECOND),
    ],
)
def test_a_move_keeps_to_its_limit(brain, limit, allowed):
    brain.start(f"INFO timeout_turn {limit}")
    brain.send("BOARD 7,7,1 8,8,2 7,8,1 7,9,2 6,7,1 5,7,2 DONE")
    brain.move()  # the first move bears the start-up
    with brain.works(allowed):
        brain.send("TURN 0,0")
        brain.move()


def test_the_first_move_keeps_to_its_limit_from_the_process_start(brain):
    brain.send("START 15", "INFO timeout_turn 500", "TURN 7,7")
    assert brain.line() == "OK"
    brain.move()
    assert brain.processor_seconds <= 0.5 + SLACK


def test_overdrawn_time_is_answered_at_once(brain):
    brain.start("INFO timeout_turn 5000", "INFO time_left -5")
    with brain.works(0.02):
        brain.send("TURN 7,7")
        brain.move()


@pytest.mark.parametrize(
    ("megabytes", "milliseconds"),
    [
        (70, 300),
        pytest.param(10, 1000, marks=SECOND),
        pytest.param(70, 1000, marks=SECOND),
        pytest.param(350, 1000, marks=SECOND),
    ],
)
def test_memory_stays_below_the_limit(brain, megabytes, milliseconds):
    psutil = pytest.importorskip("psutil")
    brain.send("START 20", f"INFO max_memory {megabytes * MB}")
    assert brain.line() == "OK"
    brain.send(f"INFO timeout_turn {milliseconds}", "TURN 9,9", "TURN 3,3")
    process = psutil.Process(brain.process.pid)
    peak = 0
    end = time.perf_counter() + 1.7 * milliseconds / 1000
    while time.perf_counter() < end:
        peak = max(peak, process.memory_info().rss)
        time.sleep(0.02)
    brain.move()
    brain.move()
    if megabytes >= 48:
        assert peak < megabytes * MB
    assert peak > 5 * MB


# Rules


@pytest.mark.parametrize("code", RULES)
def test_every_rule_plays(brain, code):
    brain.start(QUICK, f"INFO rule {code}").send("BEGIN", "TURN 6,6", "TURN 0,14")
    assert brain.move() == (7, 7)
    assert len({(7, 7), (6, 6), (0, 14), brain.move(), brain.move()}) == 5


@pytest.mark.parametrize(
    ("code", "size"),
    [
        pytest.param(code, size, marks=[] if size == usual else OTHER_SIZE)
        for code, usual in ((0, 15), (1, 20), (4, 15), (8, 20))
        for size in (15, 20)
    ],
)
def test_a_five_is_completed(brain, code, size):
    moves = parse_moves("h8 h9 i8 i9 j8 j9 k8 k9")
    brain.start("INFO timeout_turn 500", f"INFO rule {code}", size=size)
    brain.send("BOARD", *board_lines(moves, True), "DONE")
    assert Move(*brain.move()) in parse_moves("g8 l8")


@pytest.mark.parametrize(
    ("code", "moves", "allowed", "denied"),
    [
        (1, "h8 h9 i8 h10 g8 h11 j13 h12 g14 h14 i15", "f8 j8", ""),
        (4, "h8 h9 i7 i9 h10 i6 i11 i12", "", "g9"),
        (8, "h8 f8 g8 f9 i8 f7 j8 l8", "f5 f6 f10 f11", ""),
    ],
)
def test_the_zip_testers_positions(brain, code, moves, allowed, denied):
    moves = parse_moves(moves)
    brain.start("INFO max_node 20000", f"INFO rule {code}")
    brain.send("BOARD", *board_lines(moves, len(moves) % 2 == 0), "DONE")
    move = Move(*brain.move())
    assert not allowed or move in parse_moves(allowed)
    assert move not in parse_moves(denied)


# Whole boards


@pytest.mark.parametrize(
    ("code", "black"),
    [
        pytest.param(code, black, marks=[] if black == place % 2 else OTHER_COLOUR)
        for place, code in enumerate(RULES)
        for black in (True, False)
    ],
)
def test_a_small_game_to_the_full_board_has_only_legal_moves(brain, code, black):
    brain.start(QUICK, f"INFO rule {code}", size=8)
    play_game(brain, width=8, height=8, code=code, brain_is_black=black, seed=code)


@pytest.mark.slow("games of 400 moves to the full board", ci=True)
@pytest.mark.parametrize("code", RULES)
@pytest.mark.parametrize("black", [True, False])
def test_a_large_game_to_the_full_board_has_only_legal_moves(brain, code, black):
    brain.start(QUICK, f"INFO rule {code}", size=20)
    play_game(brain, width=20, height=20, code=code, brain_is_black=black, seed=code)


@pytest.mark.parametrize("code", RULES)
def test_boards_that_no_game_leads_to(brain, code):
    brain.start(QUICK, f"INFO rule {code}")
    brain.send("BOARD", "7,7,1", "8,8,1", "9,7,1", "3,3,2", "DONE")
    assert brain.move() not in {(7, 7), (8, 8), (9, 7), (3, 3)}
    walls = {(6, 7), (7, 7), (8, 7)}
    brain.send("BOARD", "6,7,3", "7,7,3", "8,7,3", "9,9,1", "10,9,2", "DONE")
    assert brain.move() not in walls | {(9, 9), (10, 9)}
    brain.send("TURN 7,7")
    assert brain.line().startswith("ERROR ")
    brain.send("BOARD", "6,7,3", "DONE")
    assert brain.move() != (6, 7)


def test_a_board_that_is_not_square(brain):
    brain.send("RECTSTART 20,15")
    assert brain.line() == "OK"
    brain.send(QUICK, "TURN 19,14")
    assert brain.move() != (19, 14)
    brain.send("TURN 14,19")
    assert brain.line().startswith("ERROR ")


def test_a_narrow_game_to_the_full_board(brain):
    brain.send("RECTSTART 11,5", QUICK)
    assert brain.line() == "OK"
    play_game(brain, width=11, height=5, code=0, brain_is_black=True, seed=20)


def test_random_bytes_do_no_harm(brain):
    rng = random.Random(21)
    brain.start(QUICK)
    for _ in range(50):
        brain.write(rng.randbytes(rng.randrange(1, 3000)).replace(b"E", b"e") + b"\n")
    assert_alive(brain)


def test_random_commands_do_no_harm(brain):
    rng = random.Random(22)
    words = """START RECTSTART RESTART BEGIN TURN PLAY TAKEBACK BOARD SWAP2BOARD DONE
        ABOUT INFO YXBOARD YXNBEST YXSTOP STOP YXSHOWFORBID YXBLOCK YXBLOCKUNDO
        YXBLOCKRESET YXSHOWINFO YXSWAP2STEP1 YXSWAP2STEP2 BENCH FOO 7,7,1""".split()
    keys = (
        "rule max_node max_depth timeout_turn time_left show_detail thread_num".split()
    )
    brain.start(QUICK)
    for _ in range(60):
        lines = []
        for _ in range(40):
            word = rng.choice(words)
            numbers = [str(rng.randrange(-1, 16)) for _ in range(rng.randrange(4))]
            if word == "INFO":
                numbers = [rng.choice(keys), str(rng.choice([-1, 0, 1, 2, 4, 8, 9]))]
            lines.append(f"{word} {rng.choice(', ').join(numbers)}")
        brain.send(*lines)
    assert_alive(brain)


def assert_alive(brain):
    """ABOUT is answered once what came before is done; everything said is in form."""
    brain.send("", "DONE", "YXSTOP", "INFO timeout_turn 0", "ABOUT")
    while not (line := brain.line()).startswith("name="):
        assert line.startswith(
            ("OK", "ERROR ", "UNKNOWN ", "MESSAGE ", "INFO ", "FORBID ", "SWAP")
        ) or all(part.isdigit() for part in line.replace(" ", ",").split(","))
        assert len(line) < 1000
    # The rest of an interrupted BOARD may follow.
    brain.send("START 15", "ABOUT")
    while not brain.line().startswith("name="):
        pass


@pytest.mark.parametrize("code", RULES)
def test_the_last_cells_are_played_legally(brain, code):
    rng = random.Random(code)
    cells = [(x, y) for x in range(15) for y in range(15)]
    rng.shuffle(cells)
    stones, free = cells[:-26], cells[-26:]  # 199 stones: we are white
    brain.start(QUICK, f"INFO rule {code}")
    board = Board(15, Rule(RULE_OF[code]))
    for move in stones:
        board.play(move)
    brain.send("BOARD", *board_lines(stones, False), "DONE")
    for _ in range(13):
        move = Move(*brain.move())
        assert board.is_legal(move)
        board.play(move)
        free.remove(move)
        reply = free.pop()
        board.play(reply)
        brain.send(f"TURN {reply[0]},{reply[1]}")
    assert board.is_full
    assert brain.line().startswith("ERROR ")


def test_black_with_forbidden_points_plays_another_cell_or_the_last_one(brain):
    free = {(7, 7)}
    black = {(5, 7), (6, 7), (8, 7), (9, 7), (10, 7)}
    rows = [
        f"{x},{y},{1 if (x, y) in black else 3}"
        for y in range(15)
        for x in range(15)
        if (x, y) not in free
    ]
    brain.start(QUICK, "INFO rule 4").send("BOARD", *rows, "DONE")
    assert brain.move() == (7, 7)
