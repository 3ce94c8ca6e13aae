import pickle
import threading
import time

import pytest

from gomoku_brain.client.brain import Brain
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.match import referee
from gomoku_brain.match.referee import (
    Adjudication,
    BrainCache,
    GameTask,
    play_game,
)
from gomoku_brain.records.openings import Opening
from tests.match.engines import fake

AMPLE = PlayerLimits(turn=20)  # more than any machine needs
TIGHT = PlayerLimits(turn=0.15, margin=0.05)  # for engines that fail at once


def play(black=(), white=(), *, cache=None, stop=None, on_move=None, **options):
    """A game between scripted engines, each given by its arguments."""
    first = fake(*black, name="First")
    second = fake("--row", "2", *white, name="Second")
    options = {
        "black_limits": AMPLE,
        "white_limits": AMPLE,
        "rule": 0,
        "size": 15,
    } | options
    options["rule"] = Rule(options["rule"])
    task = GameTask(id="1", black=first, white=second, **options)
    return play_game(task, cache, stop, on_move)


def moves_of(record):
    return " ".join(str(played.move) for played in record.moves)


@pytest.fixture
def sent(monkeypatch):
    """What the referee writes to each engine: lines by name."""
    lines = {}

    def logged(spec, *_, **__):
        log = lines.setdefault(spec.name, [])
        return Brain(spec, lambda line: line[0] == ">" and log.append(line[2:]))

    monkeypatch.setattr(referee, "Brain", logged)
    return lines


# Games as they should be


def test_a_game_goes_to_the_five():
    record = play()
    assert (record.result, record.reason, record.detail) == ("1-0", "five", "")
    assert moves_of(record) == "a1 a3 b1 b3 c1 c3 d1 d3 e1"
    assert (record.black, record.white) == ("First", "Second")
    assert record.id == "1"
    assert record.date[:2] == "20"
    assert all(0 < played.seconds < 20 for played in record.moves)
    assert record.board().winner is not None


def test_an_engines_search_figures_are_recorded():
    record = play(["chatty", "2"])
    assert record.moves[2].score == 35
    assert record.moves[2].depth == 7
    assert record.moves[2].nodes == 4711
    assert record.moves[0].score is None


def test_each_move_is_passed_to_the_caller():
    expected = []
    record = play(on_move=expected.append)
    assert tuple(expected) == record.moves


def test_the_engines_get_the_commands_of_managers(sent):
    clock = PlayerLimits(turn=5, match=60, increment=0.5, memory=1 << 27)
    play(black_limits=clock, white_limits=PlayerLimits(nodes=1000, depth=9), rule=1)
    lines = sent["First"]
    assert lines[:9] == [
        "START 15",
        "INFO rule 1",
        "INFO game_type 1",
        "INFO timeout_turn 5000",
        "INFO timeout_match 60000",
        "INFO time_increment 500",
        "INFO max_memory 134217728",
        "INFO time_left 60000",
        "BEGIN",
    ]
    assert lines[9].startswith("INFO time_left 60")  # the increment is in it
    assert lines[10] == "TURN 0,2"
    assert lines[-1] == "END"
    assert sent["Second"][:8] == [
        "START 15",
        "INFO rule 1",
        "INFO game_type 1",
        "INFO timeout_match 0",
        "INFO max_node 1000",
        "INFO max_depth 9",
        "INFO time_left 2147483647",
        "TURN 0,0",
    ]


def test_an_engines_own_infos_come_last(sent):
    spec = fake(name="First", infos=(("thread_num", "2"), ("rule", "9")))
    play_game(GameTask("1", Rule.CARO, 15, spec, spec, AMPLE, AMPLE))
    assert sent["First"][1:6] == [
        "INFO rule 8",
        "INFO game_type 1",
        "INFO timeout_turn 20000",
        "INFO timeout_match 0",
        "INFO thread_num 2",
    ]


def test_a_match_limit_alone_is_sent_as_the_limit_of_the_turn_as_well(sent):
    play(black_limits=PlayerLimits(match=60))
    assert "INFO timeout_turn 60000" in sent["First"]


@pytest.mark.parametrize("stones", [1, 2, 3, 4])
def test_an_opening_is_sent_by_board_in_the_order_of_the_moves(sent, stones):
    cells = tuple(parse_moves("h8 h9 j10 k11")[:stones])
    record = play(opening=Opening(cells, "book:7"))
    assert [played.by_opening for played in record.moves[:5]] == [True] * stones + [
        False
    ] * (5 - stones)
    assert record.moves[0].seconds is None
    assert record.extra["opening"] == "book:7"
    rows = [f"{x},{y}" for x, y in cells]
    black, white = sent["First"], sent["Second"]
    to_move, other = (black, white) if stones % 2 == 0 else (white, black)
    if stones == 1:
        assert "TURN 7,7" in white
    else:
        board = to_move[to_move.index("BOARD") + 1 : to_move.index("DONE")]
        first = 1 if to_move is black else 2
        assert board == [
            f"{row},{first if i % 2 == 0 else 3 - first}" for i, row in enumerate(rows)
        ]
    # The other engine is told the same stones and the answer.
    board = other[other.index("BOARD") + 1 : other.index("DONE")]
    first = 1 if other is black else 2
    assert [line[-1] for line in board] == [
        str(first if i % 2 == 0 else 3 - first) for i in range(stones + 1)
    ]


def test_an_opening_that_cannot_be_played_is_the_callers_mistake():
    with pytest.raises(ValueError, match="on a stone"):
        play(opening=Opening((Move(7, 7), Move(7, 7))))


def test_a_full_board_is_a_draw():
    rows = ["XXOOX", "OOXXO"] * 2 + ["XXOOX"]
    cells = {"X": [], "O": []}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            cells[sign].append(f"{x},{y}")
    black, white = (["--moves", " ".join(cells[sign])] for sign in "XO")
    record = play(black, white, size=5)
    assert (record.result, record.reason, len(record.moves)) == (
        "1/2-1/2",
        "full board",
        25,
    )


def test_too_many_moves_are_a_draw():
    record = play(max_moves=6)
    assert (record.result, record.reason, len(record.moves)) == (
        "1/2-1/2",
        "max moves",
        6,
    )


# The rules


def after(black, white, move, rule):
    """The record of a game in which black's last stone is the move.

    Colours alternate, so the shorter list is filled up with stones in far rows.
    """
    black = [f"{m.x},{m.y}" for m in parse_moves(black)]
    white = [f"{m.x},{m.y}" for m in parse_moves(white)]
    far = [f"{x},{y}" for y in (14, 12) for x in (0, 2, 4, 6, 8, 10)]
    while len(white) < len(black):
        white.append(far.pop(0))
    last = parse_moves(move)[0]
    script = [*black, f"{last.x},{last.y}"]
    return play(
        ["--moves", " ".join(script)],
        ["--moves", " ".join(white)],
        rule=rule,
        max_moves=2 * len(script) - 1,
    )


@pytest.mark.parametrize(
    ("black", "move", "foul"),
    [
        ("f8 g8 h6 h7", "h8", "double-three"),
        ("e8 f8 g8 h5 h6 h7", "h8", "double-four"),
        ("d8 e8 f8 g8 i8", "h8", "overline"),
    ],
)
def test_a_foul_of_black_loses_in_renju_only(black, move, foul):
    record = after(black, "", move, Rule.RENJU)
    assert (record.result, record.reason) == ("0-1", "foul")
    assert record.detail == f"First played {move}, a {foul}"
    assert record.moves[-1].comment == foul
    assert str(record.moves[-1].move) == move
    assert after(black, "", move, Rule.FREESTYLE).reason != "foul"


def test_a_five_with_an_overline_wins_in_renju():
    record = after("d8 e8 f8 g8 i8 h4 h5 h6 h7", "", "h8", Rule.RENJU)
    assert (record.result, record.reason) == ("1-0", "five")


@pytest.mark.parametrize(
    ("black", "white", "wins"),
    [  # RULES.md 7: C1 and C5, with the rules in which h8 wins
        ("d8 e8 f8 g8", "c8 i8", {0, 1}),
        ("d8 e8 f8 g8 i8", "c8 j8", {0, 8}),
    ],
)
@pytest.mark.parametrize("rule", [0, 1, 8, 9])
def test_each_rule_has_its_own_five(black, white, wins, rule):
    record = after(black, white, "h8", rule)
    assert (record.reason == "five") == (rule in wins)
    assert (record.result == "1-0") == (rule in wins)


# Misbehaviour: each of the engines in turn


@pytest.fixture(params=["black", "white"])
def guilty(request):
    """Plays a game in which one engine misbehaves; checks that it loses."""
    name = {"black": "First", "white": "Second"}[request.param]

    def play_guilty(*deed, **options):
        options[f"{request.param}_limits"] = options.pop("time", AMPLE)
        record = play(**{request.param: deed}, **options)
        assert record.result == {"black": "0-1", "white": "1-0"}[request.param]
        assert record.detail.startswith(name)
        assert len(record.detail) <= 300
        assert "\n" not in record.detail
        # The record goes as far as the game did.
        requested = 2 * (int(deed[-1]) - 1) if deed[-1].isdigit() else 0
        late = request.param == "white" and deed[-1].isdigit()
        assert len(record.moves) == requested + late
        return record.reason, record.detail.removeprefix(f"{name} ")

    play_guilty.name = name
    return play_guilty


@pytest.mark.parametrize("at", ["START", "1", "3"])
def test_a_crash_loses_with_its_last_words(guilty, at):
    assert guilty("crash", at) == (
        "crash",
        "exited with status 3 | Traceback: it went wrong",
    )


def test_leaving_in_the_middle_is_a_crash(guilty):
    reason, detail = guilty("leave", "2")
    assert reason == "crash"
    assert detail.startswith("exited with status 0 | OK | 0,")


def test_a_stall_is_a_hang(guilty, monkeypatch):
    monkeypatch.setattr(referee, "LATE_SECONDS", 0.1)
    reason, detail = guilty("stall", "1", time=TIGHT)
    assert reason == "hang"
    assert "within 0.3 s" in detail
    assert f"no answer to {'BEGIN' if guilty.name == 'First' else 'TURN'}" in detail


def test_a_stall_at_the_start_is_a_hang(guilty, hurry):
    hurry("START", guilty.name)
    reason, detail = guilty("stall", "START")
    assert (reason, detail) == ("hang", "gave no answer in time")


def test_without_clocks_patience_ends_a_stall(guilty):
    reason, detail = guilty("ignore", "1", time=PlayerLimits(nodes=9), patience=0.3)
    assert reason == "hang"
    assert "within 0.3 s" in detail


def test_a_late_answer_loses_on_time(guilty):
    reason, detail = guilty("late", "1", time=TIGHT)
    assert reason == "time"
    assert "where it had 0.150 s" in detail


def test_a_match_clock_that_runs_out_loses_on_time():
    clock = PlayerLimits(match=0.6, margin=0.01)
    late = ["late", "1", "late", "2", "late", "3"]
    record = play(late, black_limits=clock)
    assert (record.result, record.reason) == ("0-1", "time")
    assert len(record.moves) == 2


def test_the_margin_of_a_match_clock_is_granted_once():
    clock = PlayerLimits(match=0.3, margin=0.3)  # each late answer takes 0.4 s
    record = play(["late", "1", "late", "2", "late", "3"], black_limits=clock)
    assert (record.result, record.reason) == ("0-1", "time")
    assert len(record.moves) == 2


def test_an_increment_is_added_to_the_match_clock():
    clock = PlayerLimits(match=2, increment=2)
    record = play(["late", "1", "late", "2", "late", "3"], black_limits=clock)
    assert (record.result, record.reason) == ("1-0", "five")


def test_lateness_within_the_margin_is_forgiven():
    record = play(["late", "2"], black_limits=PlayerLimits(turn=0.1, margin=10))
    assert (record.result, record.reason) == ("1-0", "five")


@pytest.mark.parametrize("deed", ["flood", "long-line"])
def test_a_flood_loses(guilty, deed):
    reason, detail = guilty(deed, "3")
    assert reason == "flood"
    assert "more than 10000 lines or 1048576 bytes" in detail


@pytest.mark.parametrize(
    ("answer", "why"), [("15,3", "outside"), ("-1,3", "outside"), ("0,2", "occupied")]
)
def test_an_illegal_move_loses(guilty, answer, why):
    reason, detail = guilty(answer, "3")
    assert reason == "illegal move"
    assert why in detail
    assert answer in detail


@pytest.mark.parametrize("answer", ["hello", "7", "7,7_8,8", "OK", "7,x"])
def test_an_answer_that_is_no_move_is_garbage(guilty, answer, monkeypatch):
    monkeypatch.setattr(referee, "LATE_SECONDS", 0.1)
    reason, detail = guilty(answer, "3", time=TIGHT)
    assert reason == "garbage"
    assert f'"{answer.replace("_", " ")}"' in detail


def test_a_second_answer_loses_at_the_next_question():
    record = play(["twice", "2"])
    assert (record.result, record.reason) == ("0-1", "garbage")
    assert "unexpected output" in record.detail


def test_an_engine_that_refuses_the_board_loses(guilty):
    assert guilty("ERROR_unsupported_size", "START") == (
        "refused",
        'answered START 15 with "ERROR unsupported size"',
    )


def test_a_program_that_is_not_there_loses():
    task = GameTask(
        "1",
        Rule.FREESTYLE,
        15,
        fake(),
        referee.EngineSpec("Gone", ("no-such-program",)),
    )
    record = play_game(task)
    assert (record.result, record.reason) == ("1-0", "crash")
    assert "cannot run no-such-program" in record.detail


@pytest.mark.parametrize("deed", ["crlf", "cr", "pieces", "bytes", "chatty", "child"])
def test_odd_but_harmless_engines_play_on(deed):
    record = play([deed, "2"])
    assert (record.result, record.reason) == ("1-0", "five")


@pytest.mark.parametrize(
    ("deed", "complaint"),
    [("crash", "exited with status 3"), ("stall", "did not exit")],
)
def test_what_happens_at_the_end_changes_no_result(deed, complaint):
    record = play([deed, "END"])
    assert (record.result, record.reason) == ("1-0", "five")
    assert complaint in record.extra["leaving"]


def test_every_child_is_gone_after_a_game(children_left):
    expected = []
    record = play(["child", "2", "stall", "END"], on_move=expected.append)
    assert record.reason == "five"
    assert not children_left()


# Interruption


def test_a_stop_leaves_an_unfinished_record():
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.perf_counter()
    record = play(["stall", "3"], stop=stop)
    assert (record.result, record.reason, len(record.moves)) == ("*", "stopped", 4)
    assert time.perf_counter() - began < 10


def test_ctrl_c_passes_through_and_leaves_no_child(children_left):
    def interrupt(played):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(on_move=interrupt)
    assert not children_left()


def test_a_task_can_be_pickled():
    opening = Opening((Move(7, 7),), "x")
    task = GameTask("1", Rule.RENJU, 15, fake(), fake(), AMPLE, AMPLE, opening)
    assert pickle.loads(pickle.dumps(task)) == task


# Processes kept between games


def test_a_kept_process_plays_the_next_game(sent, children_left):
    with BrainCache() as cache:
        for _ in range(3):
            assert play(cache=cache).reason == "five"
        assert [line for line in sent["First"] if "START" in line] == [
            "START 15",
            "RESTART",
            "RESTART",
        ]
        assert "END" not in sent["First"]
    assert sent["First"][-1] == "END"
    assert not children_left()


@pytest.mark.parametrize("deed", ["UNKNOWN", "crash", "ignore"])
def test_an_engine_that_does_not_restart_gets_a_new_process(sent, deed, hurry):
    if deed == "ignore":
        hurry("RESTART", "First")
    with BrainCache() as cache:
        for _ in range(2):
            record = play([deed, "RESTART"], cache=cache)
            assert (record.result, record.reason) == ("1-0", "five")
    assert sent["First"].count("START 15") == 2


def test_a_process_that_failed_is_not_kept(sent):
    with BrainCache() as cache:
        for _ in range(2):
            assert play(["crash", "2"], cache=cache).reason == "crash"
    assert sent["First"].count("START 15") == 2
    assert "RESTART" not in sent["First"]
    assert sent["Second"].count("RESTART") == 1


def test_a_process_is_kept_for_games_of_its_own_kind_only(sent):
    with BrainCache() as cache:
        play(cache=cache)
        play(cache=cache, rule=1)
        play(cache=cache, black_limits=PlayerLimits(turn=9))
    assert sent["First"].count("START 15") == 3


# Adjudication

AGREE = Adjudication(win_score=1000, win_moves=2)


def deeds(name, moves):
    return [word for move in moves for word in (name, str(move))]


def test_a_win_that_both_agree_on_ends_the_game():
    record = play(
        deeds("win", range(1, 9)), deeds("lose", range(1, 9)), adjudication=AGREE
    )
    assert (record.result, record.reason, len(record.moves)) == (
        "1-0",
        "adjudicated",
        4,
    )
    record = play(
        deeds("lose", range(1, 9)), deeds("win", range(1, 9)), adjudication=AGREE
    )
    assert (record.result, record.reason, len(record.moves)) == (
        "0-1",
        "adjudicated",
        4,
    )


def test_one_opinion_or_an_interrupted_one_ends_nothing():
    one = play(deeds("win", range(1, 9)), adjudication=AGREE)
    assert one.reason == "five"
    gaps = play(deeds("win", range(1, 9)), deeds("lose", [1, 3]), adjudication=AGREE)
    assert gaps.reason == "five"


def test_a_draw_that_both_agree_on_ends_the_game():
    rules = Adjudication(draw_score=50, draw_moves=2, draw_from=3)
    chatty = deeds("chatty", range(1, 9))
    record = play(chatty, chatty, adjudication=rules)
    assert (record.result, record.reason) == ("1/2-1/2", "adjudicated")
    assert len(record.moves) == 6


def test_nothing_is_adjudicated_by_default():
    record = play(deeds("win", range(1, 9)), deeds("lose", range(1, 9)))
    assert record.reason == "five"


# Swap2

THREE = "7,7 8,8 9,9"


def swap2(first, second, **options):
    return play(
        ["--swap2", first, *options.pop("black", ())],
        ["--swap2", second, *options.pop("white", ())],
        swap2=True,
        **options,
    )


@pytest.mark.parametrize(
    ("first", "second", "black", "stones", "choice"),
    [
        (THREE, "SWAP", "Second", 3, "swap"),
        (THREE, "10,10", "First", 4, "stay"),
        (f"{THREE}/SWAP", "10,10 11,11", "First", 5, "two stones, swap"),
        (f"{THREE}/5,5", "10,10 11,11", "Second", 6, "two stones, stay"),
    ],
)
def test_swap2_decides_the_colours(sent, first, second, black, stones, choice):
    record = swap2(first, second)
    assert record.black == black
    assert {record.black, record.white} == {"First", "Second"}
    assert record.extra["swap2"] == f"First proposed; {choice}"
    assert moves_of(record).startswith("h8 i9 j10")
    assert sum("swap2" in played.comment for played in record.moves) == stones
    assert record.reason == "five"
    # Who moves next is told the position with its own colour.
    side = "black" if stones % 2 == 0 else "white"
    lines = sent[getattr(record, side)]
    board = lines[lines.index("BOARD") + 1 : lines.index("BOARD") + 1 + stones]
    assert board[0] == ("7,7,1" if side == "black" else "7,7,2")
    assert lines[lines.index("BOARD") + 1 + stones] == "DONE"


def test_swap2_shows_the_stones_to_who_chooses(sent):
    swap2(f"{THREE}/SWAP", "10,10 11,11")
    lines = sent["Second"]
    at = lines.index("SWAP2BOARD")
    assert lines[at : at + 5] == ["SWAP2BOARD", "7,7", "8,8", "9,9", "DONE"]
    lines = sent["First"]
    first, second = [i for i, line in enumerate(lines) if line == "SWAP2BOARD"]
    assert lines[first + 1] == "DONE"
    assert lines[second + 1 : second + 7] == [
        *["7,7", "8,8", "9,9", "10,10", "11,11"],
        "DONE",
    ]


def test_an_engine_without_swap2_loses_with_the_reason():
    record = swap2("UNKNOWN command", "SWAP")
    assert (record.result, record.reason) == ("0-1", "refused")
    assert 'First does not play swap2: it answered "UNKNOWN command"' in record.detail


@pytest.mark.parametrize(
    ("first", "second", "result", "reason"),
    [
        ("7,7 8,8", "SWAP", "0-1", "garbage"),
        ("7,7 7,7 8,8", "SWAP", "0-1", "illegal move"),
        (THREE, "7,7", "1-0", "illegal move"),
        (THREE, "1,1 2,2 3,3", "1-0", "garbage"),
        (f"{THREE}/1,1 2,2", "10,10 11,11", "0-1", "garbage"),
    ],
)
def test_swap2_answers_are_judged(first, second, result, reason):
    record = swap2(first, second)
    assert (record.result, record.reason) == (result, reason)


@pytest.mark.parametrize("answer", ["NO", "SWAP 1,1"])
def test_a_swap2_answer_without_stones_is_garbage_when_time_is_up(answer, monkeypatch):
    monkeypatch.setattr(referee, "LATE_SECONDS", 0.1)
    record = swap2(THREE, answer, white_limits=PlayerLimits(turn=1.0))
    assert (record.result, record.reason) == ("1-0", "garbage")


def test_swap2_counts_on_the_clock(monkeypatch):
    monkeypatch.setattr(referee, "LATE_SECONDS", 0.1)
    record = swap2(THREE, "SWAP", white=["ignore", "SWAP2BOARD"], white_limits=TIGHT)
    assert (record.result, record.reason) == ("1-0", "hang")
    assert "no answer to SWAP2BOARD" in record.detail
