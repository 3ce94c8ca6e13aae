import os
import shutil
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from gomoku_brain.client.brain import (
    Brain,
    BrainFault,
    EngineSpec,
    full_paths,
    read_about,
    read_figures,
    shorten,
    split_command,
    working_folder,
)
from gomoku_brain.records.game_record import ReportedFigures
from tests.match.engines import SCRIPT, fake

SOON = 300.0  # seconds: long enough for any machine, and an answer ends the wait


def first_move(*arguments, deadline=SOON):
    """The answer of a scripted engine to BEGIN."""
    with Brain(fake(*arguments)) as brain:
        brain.start(15, 15)
        return brain.query("BEGIN", deadline=deadline)


def fault_of(*arguments, deadline=SOON):
    with pytest.raises(BrainFault) as caught:
        first_move(*arguments, deadline=deadline)
    return caught.value


def test_a_conversation_is_logged_line_by_line():
    lines = []
    with Brain(fake("--row", "3"), lines.append) as brain:
        brain.start(20, 20)
        brain.info("rule", 1)
        assert brain.query("TURN 0,3", deadline=SOON).text == "1,3"
    assert [line for line in lines if line[0] == ">"] == [
        "> START 20",
        "> INFO rule 1",
        "> TURN 0,3",
    ]
    assert [line for line in lines if line[0] == "<"] == ["< OK", "< 1,3"]


def test_unequal_sides_are_said_by_rectstart():
    lines = []
    with Brain(fake("OK", "RECTSTART"), lines.append) as brain:
        brain.start(20, 15)
    assert lines[0] == "> RECTSTART 20,15"


def test_about_is_read_into_fields():
    with Brain(fake()) as brain:
        assert brain.about() == {"name": "Fake", "version": "1"}
    assert read_about('name = "Wine", version ="2.1",www="-"') == {
        "name": "Wine",
        "version": "2.1",
        "www": "-",
    }


@pytest.mark.parametrize("deed", ["crlf", "cr", "pieces", "bytes", "chatty"])
def test_any_way_of_writing_a_line_is_read(deed):
    assert first_move(deed, "1").text == "0,0"


def test_remarks_are_collected_and_their_figures_read():
    answer = first_move("chatty", "1")
    assert answer.messages == (
        "MESSAGE depth 7-12 ev 35 n 4711 pv a1",
        "DEBUG x",
        "ERROR y",
        "UNKNOWN z",
    )
    assert (answer.score, answer.win_in, answer.depth, answer.nodes) == (
        35,
        None,
        7,
        4711,
    )


def test_seconds_run_from_the_question_to_the_answer():
    answer = first_move("late", "1")
    assert 0.4 <= answer.seconds < SOON


@pytest.mark.parametrize(
    ("deed", "kind", "text"),
    [
        ("crash", "crash", "exited with status 3"),
        ("leave", "crash", "exited with status 0"),
        ("flood", "flood", "10000 lines"),
        ("long-line", "flood", "1048576 bytes"),
    ],
)
def test_each_fault_has_its_kind(deed, kind, text):
    fault = fault_of(deed, "1")
    assert fault.kind == kind
    assert text in str(fault)


@pytest.mark.parametrize("deed", ["stall", "ignore", "no-newline"])
def test_silence_is_a_timeout_at_its_time(deed):
    asked = time.perf_counter()
    assert fault_of(deed, "1", deadline=0.1).kind == "timeout"
    assert 0.1 <= time.perf_counter() - asked < SOON


def test_the_last_words_are_those_on_stderr():
    assert fault_of("crash", "1").last_words == "Traceback: it went wrong"


def test_without_stderr_the_last_words_are_those_said():
    assert fault_of("leave", "1").last_words == "OK"


def test_a_second_answer_is_garbage_at_the_next_question():
    with Brain(fake("twice", "1")) as brain:
        brain.start(15, 15)
        brain.query("BEGIN", deadline=SOON)
        with pytest.raises(BrainFault, match='unexpected output: "0,0"') as caught:
            brain.query("TURN 7,7", deadline=SOON)
    assert caught.value.kind == "garbage"


def test_a_late_answer_can_be_waited_for():
    with Brain(fake("held", "1")) as brain:
        brain.start(15, 15)
        with pytest.raises(BrainFault, match="in time"):
            brain.query("BEGIN", deadline=0.1)
        brain.send("")
        answer = brain.wait(SOON)
    assert answer.text == "0,0"
    assert answer.seconds >= 0.1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("ERROR_too_large", "refused"),
        ("UNKNOWN_command", "refused"),
        ("7,7", "garbage"),
    ],
)
def test_start_is_answered_with_ok_only(answer, kind):
    fault = pytest.raises(BrainFault, match="answered START 15 with")
    # (A line that is no answer is a remark until the time is over.)
    deadline = 3.0 if kind == "garbage" else 30.0
    with Brain(fake(answer, "START")) as brain, fault as caught:
        brain.start(15, 15, deadline=deadline)
    assert caught.value.kind == kind


@pytest.mark.parametrize("command", [("no-such-program",), ("./no/such/program",)])
def test_a_program_that_is_not_there_is_a_fault_of_its_start(command):
    with pytest.raises(BrainFault, match="cannot run") as caught:
        Brain(EngineSpec("none", command))
    assert caught.value.kind == "start"


def test_a_stop_ends_the_wait():
    stop = threading.Event()
    with Brain(fake("stall", "1")) as brain:
        brain.start(15, 15)
        threading.Timer(0.1, stop.set).start()
        with pytest.raises(BrainFault, match="stopped") as caught:
            brain.query("BEGIN", deadline=600, stop=stop)
    assert caught.value.kind == "stopped"


def test_a_brain_that_does_not_read_blocks_nobody():
    with Brain(fake("stall", "START")) as brain:
        brain.send("START 15")
        asked = time.perf_counter()
        with pytest.raises(BrainFault, match="in time"):
            brain.query(*["INFO folder " + "x" * 1000] * 1000, deadline=0.2)
        assert 0.2 <= time.perf_counter() - asked < SOON


# The end


def test_closing_a_brain_that_leaves_has_no_complaint():
    brain = Brain(fake())
    brain.start(15, 15)
    assert brain.close(SOON) == ""
    assert not psutil.pid_exists(brain.pid)


@pytest.mark.parametrize(
    ("deed", "complaint"),
    [
        ("crash", "exited with status 3 after END"),
        ("stall", "did not exit within 0.1 s after END"),
    ],
)
def test_closing_states_what_was_wrong_with_the_leaving(deed, complaint):
    brain = Brain(fake(deed, "END"))
    brain.start(15, 15)
    assert brain.close(0.1 if deed == "stall" else SOON) == complaint
    assert not psutil.pid_exists(brain.pid)


def test_kill_ends_the_children_of_a_brain_too():
    with Brain(fake("child", "1")) as brain:
        brain.start(15, 15)
        answer = brain.query("BEGIN", deadline=SOON)
        child = psutil.Process(int(answer.messages[0].split()[-1]))
        assert child.is_running()
    child.wait(SOON)
    assert not child.is_running()


def test_killing_twice_and_after_a_crash_does_nothing_more():
    brain = Brain(fake("crash", "START"))
    with pytest.raises(BrainFault):
        brain.start(15, 15)
    brain.kill()
    brain.kill()
    assert brain.close() == "exited with status 3 after END"


# What needs no process


@pytest.mark.parametrize(
    ("line", "figures"),
    [
        (  # ours, and Rapfi's "ucilike"
            "MESSAGE depth 12-20 ev -35 n 123456 n/ms 150 tm 812 pv h8 i9",
            ReportedFigures(score=-35, depth=12, nodes=123456),
        ),
        (
            "MESSAGE depth 9-14 ev -M12 n 99 pv a1",
            ReportedFigures(win_in=-12, depth=9, nodes=99),
        ),
        (
            "MESSAGE Speed 965K | Depth 18-22 | Eval -251 | Node 352K | Time 365ms",
            ReportedFigures(score=-251, depth=18, nodes=352_000),
        ),
        (
            "MESSAGE Depth 2-2 | Eval +M3 | Time 0ms | G7",
            ReportedFigures(win_in=3, depth=2),
        ),
        (
            "MESSAGE depth 1-45 ev 60.1 winrate 56.7 drawrate 6.9 n 512 n/s 99",
            ReportedFigures(score=60, depth=1, nodes=512),
        ),
        (  # PentaZen writes its depth as a byte
            "MESSAGE dep \x0b-\x10 ev -122 nd 272k tm 246 sp 1107",
            ReportedFigures(score=-122, nodes=272_000),
        ),
        ("MESSAGE dep - ev +v3 nd 1 tm 1 sp 1", ReportedFigures(win_in=3, nodes=1)),
        (
            "MESSAGE Nodes=109091, Time=400ms, depth=5-6, Evaluation=-12",
            ReportedFigures(score=-12, depth=5, nodes=109091),
        ),
        ("MESSAGE best: [6,6] val=0", ReportedFigures(score=0)),
        (
            "DEBUG eval 364, depth 2, nodes 78, speed 0",
            ReportedFigures(score=364, depth=2, nodes=78),
        ),
        ("MESSAGE REALTIME POS 7,7", ReportedFigures()),
        ("MESSAGE depth 5-9 multipv 2 ev 1 n 7 pv a1", ReportedFigures()),
        ("ERROR depth 5 ev 7", ReportedFigures()),
        (  # no figures are so long, and float() and int() would refuse them
            f"MESSAGE depth {'9' * 5000} ev {'9' * 5000} n {'9' * 400}",
            ReportedFigures(),
        ),
    ],
)
def test_figures_are_read_from_the_lines_of_many_engines(line, figures):
    assert read_figures([line]) == figures


@pytest.mark.parametrize("filling", [" ", "ev ", "9", "ev 9", "n9"])
def test_a_long_line_is_read_in_no_time(filling):
    before = time.process_time()
    read_figures([f"MESSAGE ev{filling * (200_000 // len(filling))}x"])
    assert time.process_time() - before < 5  # 0.1 s, where once it was hours


def test_a_later_line_replaces_what_an_earlier_one_said():
    lines = ["MESSAGE depth 3 ev +M5 n 7", "MESSAGE depth 4 ev 12"]
    assert read_figures(lines) == ReportedFigures(score=12, depth=4, nodes=7)


def test_a_score_that_no_search_made_is_not_known():
    assert read_figures(["MESSAGE depth 0-0 ev 0 n 1"]) == ReportedFigures(
        depth=0, nodes=1
    )
    assert read_figures(["MESSAGE depth 0-0 ev 35 n 1"]).score == 35
    assert read_figures(["MESSAGE depth 1-1 ev 0 n 9"]).score == 0
    assert read_figures(["MESSAGE depth 0-9 ev +M9 n 9"]).win_in == 9


def test_quoted_lines_are_short_and_printable():
    assert shorten("x\x00y" + "z" * 100) == r'"x\x00y' + "z" * 72 + '.."'


def test_the_working_folder_is_the_programs_when_it_has_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = EngineSpec("e", ("./engines/pbrain-e",))
    assert working_folder(spec) == tmp_path / "engines"
    assert working_folder(EngineSpec("e", ("python3", "e.py"))) == tmp_path
    elsewhere = EngineSpec("e", ("./engines/pbrain-e",), cwd=str(SCRIPT.parent))
    assert working_folder(elsewhere) == SCRIPT.parent


def test_a_typed_command_is_cut_into_words_and_its_files_get_full_paths(
    tmp_path, monkeypatch
):
    (tmp_path / "my engine.py").touch()
    monkeypatch.chdir(tmp_path)
    words = split_command('/opt/python "my engine.py" --level=3 other.py')
    assert words == (
        "/opt/python",
        str(tmp_path / "my engine.py"),
        "--level=3",
        "other.py",
    )
    assert split_command("./my") == ("./my",)
    assert split_command("  ") == ()


@pytest.mark.parametrize("start", ["//", "\\\\", "/\\", "\\??\\UNC\\"])
def test_no_word_of_a_command_is_looked_up_on_another_computer(start, monkeypatch):
    """On Windows that opens a connection, which a file of games must not cause."""
    monkeypatch.setattr(Path, "is_file", None)  # an error if it is called
    word = f"{start}host/share/engine"
    assert full_paths(("./program", word)) == ("./program", word)


def test_a_program_of_the_current_folder_needs_no_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbrain-mine.exe").touch()
    (tmp_path / "sh").touch()
    found = os.path.join(".", "pbrain-mine.exe")
    assert split_command("pbrain-mine.exe --quiet") == (found, "--quiet")
    assert split_command("nothing") == ("nothing",)
    if shutil.which("sh"):  # a command of the system comes first, as in a shell
        assert split_command("sh") == ("sh",)


def test_a_program_with_a_path_runs_in_its_own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = (sys.executable, "-c", "import os; print(os.getcwd(), flush=True)")
    with Brain(EngineSpec("e", command)) as brain:
        folder = brain.line(SOON)
    assert Path(sys.executable).parent.samefile(folder)
