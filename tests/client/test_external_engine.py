import asyncio
import gc
import os
import sys
import threading
import time

import pytest

from gomoku_brain import (
    Board,
    BrainFault,
    ExternalEngine,
    Limits,
    Move,
    ReportedFigures,
)
from gomoku_brain.client import external_engine
from gomoku_brain.client.external_engine import ExternalInfo, PlayResult, read_line
from tests.match.engines import fake


def command(*deeds):
    return fake(*deeds).command


@pytest.fixture
def lines():
    return []


@pytest.fixture
def sent(lines):
    """The lines to the program without INFO."""

    def read():
        to = [line[2:] for line in list(lines) if line.startswith("> ")]
        return [line for line in to if not line.startswith("INFO")]

    return read


def infos(lines):
    return [line[7:] for line in lines if line.startswith("> INFO ")]


def test_a_position_is_sent_by_turn_where_the_game_went_on(lines, sent):
    with ExternalEngine(command("--row", "3"), log=lines.append) as engine:
        board = Board()
        board.play(engine.play(board).move)
        board.play("a1")
        board.play(engine.play(board).move)
        assert sent() == ["START 15", "BEGIN", "TURN 0,0"]
        other = Board.from_moves("a1 b1 c1", size=15)
        assert engine.play(other).move == Move(0, 3)
        assert sent()[3:] == ["BOARD", "0,0,2", "1,0,1", "2,0,2", "DONE"]


def test_other_sizes_and_rules_start_again_and_few_stones_restart(lines, sent):
    with ExternalEngine(command("--row", "3"), log=lines.append) as engine:
        engine.play(Board(15))
        engine.play(Board.from_moves("a1", 15))
        engine.play(Board.from_moves("a1", 15, "renju"))
        engine.play(Board(20, "renju"))
    assert sent() == [
        *("START 15", "BEGIN", "RESTART", "TURN 0,0"),
        *("START 15", "TURN 0,0", "START 20", "BEGIN", "END"),
    ]


def test_limits_become_infos_and_those_of_before_are_reset(lines):
    with ExternalEngine(command(), options={"x": 3}, log=lines.append) as engine:
        engine.play(Board(), Limits(nodes=50, depth=3, strength=40))
        first = infos(lines)
        assert {"max_node 50", "max_depth 3", "strength 40", "x 3"} <= {*first}
        assert "time_left 2147483647" in first
        lines.clear()
        engine.play(Board(), Limits(time=0.5, time_left=60, increment=2), ponder=True)
        second = infos(lines)
        assert {"max_node 0", "max_depth 0", "strength 100"} <= {*second}
        assert {"timeout_turn 500", "timeout_match 60000", "pondering 1"} <= {*second}
        assert {"time_increment 2000", "time_left 60000"} <= {*second}


def test_an_info_that_did_not_change_is_not_sent_again(lines):
    with ExternalEngine(command("--row", "3"), log=lines.append) as engine:
        board = Board()
        board.play(engine.play(board).move)
        board.play("a1")
        lines.clear()
        engine.play(board)
        assert infos(lines) == ["time_left 2147483647"]
        engine.play(Board())  # RESTART: everything again
        assert "timeout_turn 1000" in infos(lines)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(time=1, multipv=2),
        Limits(time=1, exclude=("h8",)),
        Limits(time=1, root_moves=("h8",)),
        Limits(time_left=1, moves_to_go=2),
    ],
)
def test_limits_without_a_word_in_the_protocol_are_refused(limits):
    with ExternalEngine(command()) as engine:
        with pytest.raises(ValueError, match="no word for the limit"):
            engine.play(Board(), limits)
        assert engine.play(Board()).move == Move(0, 0)  # it still runs


def test_the_result_has_what_the_program_reported():
    with ExternalEngine(command("chatty", "1")) as engine:
        result = engine.play(Board(), Limits(time=5))
        assert result.move == Move(0, 0)
        assert result.info == ReportedFigures(score=35, depth=7, nodes=4711)
        assert result.pv == (Move(0, 0),)
        assert result.remarks[1:] == ("DEBUG x", "ERROR y", "UNKNOWN z")
        assert str(result).startswith("a1, score +35, depth 7, 4711 nodes, 0.")
        assert str(result).endswith(" s: a1")
        board = Board.from_moves("a1 b1")
        assert engine.play(board).info is None


@pytest.mark.parametrize(
    ("deed", "kind", "text"),
    [
        ("crash", "crash", "status 3"),
        ("stall", "timeout", "no answer"),
        ("hello", "garbage", '"hello"'),
        ("0,99", "illegal move", "outside"),
        ("flood", "flood", "more than"),
    ],
)
def test_faults_are_exceptions_and_the_program_starts_again(deed, kind, text):
    with ExternalEngine(command(deed, "2"), margin=0.5) as engine:
        board = Board()
        board.play(engine.play(board).move)
        board.play("a15")
        with pytest.raises(BrainFault, match=text) as caught:
            engine.play(board, Limits(time=0.3))
        assert caught.value.kind == kind
        assert isinstance(caught.value.last_words, str)
        assert engine.pid is None
        assert engine.play(board).move == Move(1, 0)


def test_a_program_that_is_not_there_is_a_fault_and_no_command_a_value_error():
    with pytest.raises(BrainFault, match="cannot run no-such-program") as caught:
        ExternalEngine("no-such-program")
    assert caught.value.kind == "start"
    for wrong in ("", [], 'x "y'):
        with pytest.raises(ValueError, match=r"empty|quot"):
            ExternalEngine(wrong)
    with pytest.raises(ValueError, match="a key and a value"):
        ExternalEngine(command(), options={"a": "b\nEND"})


def test_positions_that_need_no_move_are_refused():
    with ExternalEngine(command()) as engine:
        with pytest.raises(ValueError, match="black has won"):
            engine.play(Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1"))
        with pytest.raises(TypeError):
            engine.play("h8")
        engine.close()
        with pytest.raises(ValueError, match="closed"):
            engine.play(Board())


def test_stop_ends_a_request_from_another_thread():
    with ExternalEngine(command("stall", "1")) as engine:
        threading.Timer(0.3, engine.stop).start()
        began = time.perf_counter()
        with pytest.raises(BrainFault) as caught:
            engine.play(Board(), Limits(time=100))
        assert caught.value.kind == "stopped"
        assert time.perf_counter() - began < 10


def test_the_words_of_about():
    with ExternalEngine(command(), name="Me") as engine:
        assert engine.about() == {"name": "Fake", "version": "1"}
        assert engine.name == "Me"


@pytest.fixture(scope="module")
def ours():
    with ExternalEngine("ours", options={"proof": 0}) as engine:
        yield engine


POSITION = Board.from_moves("h8 h9 j10 g7 k5 d4")


def test_an_analysis_reports_as_it_goes_and_leaving_the_block_ends_it(ours):
    began = time.perf_counter()
    with ours.analysis(POSITION) as analysis:
        for info in analysis:
            assert isinstance(info, ExternalInfo)
            if info.figures.depth is not None and info.figures.depth >= 5 and info.pv:
                break
    assert info.move in POSITION.legal_moves()
    assert "depth" in str(info)
    result = analysis.result()
    assert isinstance(result, PlayResult)
    assert time.perf_counter() - began < 20
    pid = ours.pid
    assert ours.play(POSITION, Limits(nodes=1000)).move
    assert ours.pid == pid  # YXSTOP was enough


def test_an_analysis_ends_by_itself_at_its_limit(ours):
    with ours.analysis(POSITION, Limits(nodes=5000)) as analysis:
        reports = list(analysis)
        assert reports[-1].figures.nodes
        assert list(analysis) == []  # nothing more comes
        assert analysis.result().move


def test_a_program_without_yxstop_is_ended(monkeypatch):
    monkeypatch.setattr(external_engine, "STOP_SECONDS", 0.2)
    with ExternalEngine(command("stall", "1")) as engine:
        with engine.analysis(Board()) as analysis:
            time.sleep(0.2)
        with pytest.raises(BrainFault):
            analysis.result()
        assert engine.pid is None


def test_asyncio_plays_and_analyses_several_at_once():
    async def one():
        async with ExternalEngine("ours") as engine:
            count = 0
            async with engine.analysis(POSITION, Limits(nodes=3000)) as analysis:
                async for _ in analysis:
                    count += 1
            result = await engine.play_async(POSITION, Limits(nodes=3000))
            assert (await analysis.result_async()).move
            return count, result.move

    async def all_of_them():
        return await asyncio.gather(one(), one(), one())

    results = asyncio.run(all_of_them())
    assert len({move for _, move in results}) == 1
    assert all(count for count, _ in results)


def test_a_cancelled_task_ends_its_request():
    async def main():
        async with ExternalEngine(command("stall", "1")) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(
                    engine.play_async(Board(), Limits(time=100)), timeout=0.3
                )

    began = time.perf_counter()
    asyncio.run(main())
    assert time.perf_counter() - began < 10


def test_lines_of_play_are_read_in_both_directions():
    assert read_line("MESSAGE depth 3 pv a1 b2", 15) == (
        (Move(0, 0), Move(1, 1)),
        (Move(0, 14), Move(1, 13)),
    )
    assert read_line("MESSAGE hello", 15) == ((), ())


def test_the_interpreter_ends_with_an_engine_that_was_not_closed():
    import subprocess

    script = (
        "from gomoku_brain import ExternalEngine, Board\n"
        f"engine = ExternalEngine({command()!r})\n"
        "print(engine.play(Board()).move)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "a1\n"


def test_a_list_may_name_files_of_the_current_folder(tmp_path, monkeypatch):
    """The program runs in the folder of Python, since the command has its path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(
        "import sys\nfor line in sys.stdin: print('name=\"bot\"', flush=True)\n"
    )
    with ExternalEngine([sys.executable, "-I", "-S", "bot.py"]) as engine:
        assert engine.about() == {"name": "bot"}


def test_a_traceback_shows_the_last_words_of_the_program(tmp_path):
    with (
        ExternalEngine(command("crash", "1")) as engine,
        pytest.raises(BrainFault) as caught,
    ):
        engine.play(Board())
    (note,) = caught.value.__notes__
    assert note.startswith("its last words:\nTraceback: it went wrong")


def test_realtime_lines_repeat_no_report():
    heard = []
    listener = external_engine._Listener(Board(), heard.append)
    listener.hear("MESSAGE REALTIME BEST 7,7")
    listener.hear("MESSAGE REALTIME VAL 35")
    assert [info.figures.score for info in heard] == [35]
    for text in (
        "MESSAGE depth 3-5 ev 40 n 100 pv h8",
        "MESSAGE REALTIME VAL 40",
        "MESSAGE REALTIME PV h8",
    ):
        listener.hear(text)
    assert [info.figures.depth for info in heard] == [None, 3]
    assert heard[-1].move == Move(7, 7)


def test_requests_beside_an_analysis_never_wait_for_ever():
    board = Board.from_moves("h8 i9")
    with ExternalEngine(command("stall", "1")) as engine:
        with engine.analysis(board) as first:
            while not engine._endless:  # until the other thread begins
                time.sleep(0.01)
            with pytest.raises(RuntimeError, match="leave its block"):
                engine.play(board)
            with engine.analysis(board, Limits(time=1)) as second:
                assert not second.is_done
            with pytest.raises(BrainFault, match="before the program was free"):
                second.result()
        with pytest.raises(BrainFault) as caught:
            first.result()
        assert caught.value.kind == "stopped"


THREE = "7,7 8,8 9,9"


def test_a_program_answers_a_swap2_opening():
    for answer, stones in (("SWAP", ()), ("1,1 2,2", ((1, 1), (2, 2)))):
        script = command("--swap2", f"{THREE}/{answer}")
        with ExternalEngine(script) as engine:
            board = Board()
            for move in engine.swap2(board):
                board.play(move)
            assert engine.swap2(board) == stones


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("", "refused"), ("1,1 2,2", "garbage"), ("1,1 1,1 2,2", "illegal move")],
)
def test_wrong_answers_to_a_swap2_opening_are_faults(answer, kind):
    with (
        ExternalEngine(command("--swap2", answer)) as engine,
        pytest.raises(BrainFault) as caught,
    ):
        engine.swap2(Board())
    assert caught.value.kind == kind


def test_a_swap2_opening_has_0_3_or_5_stones():
    with ExternalEngine(command()) as engine, pytest.raises(ValueError, match="0, 3"):
        engine.swap2(Board.from_moves("h8"))


def test_an_engine_that_is_dropped_leaves_no_process(children_left):
    engine = ExternalEngine(command("stall", "2"), log=[].append)
    engine.play(Board())
    assert len(children_left()) == 1
    del engine
    assert not children_left()


def test_an_engine_whose_thread_died_leaves_no_process(children_left, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda error: None)

    def work():
        engine = ExternalEngine(command())
        engine.play(Board())
        assert len(children_left()) == 1
        raise ZeroDivisionError

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    gc.collect()
    assert not children_left()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_does_not_end_the_program():
    engine = ExternalEngine(command())
    child = os.fork()
    if child == 0:
        del engine
        os._exit(0)
    os.waitpid(child, 0)
    assert engine.play(Board()).move == Move(0, 0)
    engine.close()
