import json
import os
import re
import subprocess
import sys

import pytest

from gomoku_brain import variants
from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.commands import doctor
from gomoku_brain.doctor import checkup, manager_session
from gomoku_brain.doctor.checkup import MANAGERS, check_manager, check_start
from gomoku_brain.doctor.manager_session import ManagerSession, own_memory
from tests.commands.command import command
from tests.match.engines import SCRIPT, fake

main = command("doctor")
TURN = 60.0  # seconds for a move: an engine of these tests answers at once
SHORT = 0.2  # the same where an engine is to be late, which takes 0.4 s to answer


def findings_of(manager, *arguments, spec=None, turn=TURN, rules=()):
    """The findings of a manager that calls at a scripted engine, by their names."""
    spec = spec or fake(*arguments)
    checks = check_manager(ManagerSession(manager, spec, turn, rules))
    assert all(check.manager == manager for check in checks)
    return {check.name: check for check in checks}


def start(*arguments):
    checks = check_start(ManagerSession("program", fake(*arguments), TURN))
    return {check.name: check for check in checks}


def failing(checks):
    return [name for name, check in checks.items() if check.status == "fail"]


@pytest.fixture
def one_position(monkeypatch):
    """The organisers' first position instead of all."""
    monkeypatch.setattr(checkup, "POSITIONS", checkup.POSITIONS[:1])


@pytest.fixture
def patience(monkeypatch):
    """What is said to an INFO is waited for until it comes."""
    monkeypatch.setattr(manager_session, "_QUIET", 60.0)


# What goes wrong with START


@pytest.mark.parametrize(
    ("manager", "name", "effect"),
    [
        ("piskvork", "START is answered with OK", "did not answer OK"),
        ("c-gomoku-cli", "START is answered with the line OK", "the run waits"),
        ("liskvork", "START is answered by OK and nothing else", "is the answer"),
        ("gomocalc", "START is answered with OK", "never gets ready"),
    ],
)
def test_more_than_ok_stops_the_managers_that_compare(manager, name, effect):
    found = findings_of(manager, "OK - everything is good".replace(" ", "_"), "START")
    assert found[name].status == "fail"
    assert effect in found[name].effect
    assert list(found)[-1] == name  # nothing more is asked


def test_a_message_before_ok_stops_liskvork_only():
    assert failing(findings_of("liskvork", "chatty", "ABOUT")) == [
        "ABOUT is answered by the first line"
    ]
    assert "START is answered with OK" not in failing(
        findings_of("qpiskvork", "child", "START")
    )


def test_a_crash_at_the_start_comes_with_its_last_words():
    found = start("crash", "START")
    check = found["it starts and answers START"]
    assert check.status == "fail"
    assert check.seen == "exited with status 3 | Traceback: it went wrong"


def test_silence_at_the_start_is_reported(monkeypatch):
    monkeypatch.setattr(checkup, "START_SECONDS", 0.3)
    check = start("ignore", "START")["it starts and answers START"]
    assert (check.status, check.seen) == ("fail", "no answer within 0.3 s")


def test_a_quick_start_and_the_name_are_reported():
    found = start()
    check = found["it starts within 1 s"]
    seconds = float(check.seen.removesuffix(" s"))
    assert check.status == ("pass" if seconds <= 1 else "note")
    assert found["ABOUT names it"].seen == "Fake 1"


# What goes wrong later


def test_an_answer_to_info_loses_with_piskvork(patience):
    found = findings_of("piskvork", "ERROR_what", "INFO")
    check = found["INFO is not answered"]
    assert (check.status, check.seen) == ("fail", 'it answered "ERROR what"')
    assert "has not returned coordinates" in check.effect


def test_an_answer_to_one_rule_is_reported_for_that_rule(patience):
    found = findings_of("piskvork", "ERROR_what", "INFO", rules=(8,))
    assert found["INFO rule 8 is not answered"].status == "fail"
    assert "under rule 8" in found["INFO rule 8 is not answered"].effect


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        ("hello", 'it answered "hello" where a move "x,y" was due'),
        ("15,0", "its move 15,0 is outside of the board"),
    ],
)
def test_a_bad_move_loses(answer, seen):
    found = findings_of("piskvork", answer, "1")
    assert found["BEGIN is answered with a move"].status == "fail"
    assert found["BEGIN is answered with a move"].seen == seen


def test_a_crash_in_the_middle_ends_its_dialogue():
    found = findings_of("qpiskvork", "crash", "2")
    check = found["TURN is answered with a move"]
    assert check.status == "fail"
    assert "Traceback: it went wrong" in check.seen
    assert list(found)[-1] == "TURN is answered with a move"


def test_a_flood_ends_its_dialogue():
    found = findings_of("qpiskvork", "flood", "1")
    assert "more than 10000 lines" in found["BEGIN is answered with a move"].seen


def test_noise_on_stderr_loses_with_piskvork_only():
    found = findings_of("piskvork", "noise", "1")
    check = found["nothing comes on standard error"]
    assert check.status == "fail"
    assert "warning: of no use" in check.seen
    assert not failing(findings_of("qpiskvork", "noise", "1"))


def test_late_answers_lose_where_there_is_no_tolerance():
    found = findings_of("liskvork", "late", "1", turn=SHORT)
    assert found["BEGIN is answered with x,y in time"].status == "fail"
    assert found["BEGIN is answered with x,y in time"].seen.startswith("it took ")
    assert not failing(findings_of("qpiskvork", "late", "1"))


def test_windows_line_ends_are_unreadable_to_liskvork():
    found = findings_of("liskvork", "crlf", "START")
    assert found["its lines end with LF"].status == "fail"


def test_lines_in_pieces_are_misread_by_qpiskvork():
    assert failing(findings_of("qpiskvork", "pieces", "1")) == [
        "each line comes in one piece"
    ]


def test_what_loses_nothing_is_a_note():
    found = findings_of("piskvork", "stall", "END")
    assert found["it leaves within 0.7 s after END"].status == "note"
    assert found["RECTSTART is answered with OK"].status == "note"
    assert found["TAKEBACK is answered with OK"].status == "note"


def test_an_engine_that_reads_its_files_from_the_current_folder_is_found_out():
    command = (sys.executable, "-I", "-S", SCRIPT.name)
    spec = EngineSpec("relative", command, cwd=str(SCRIPT.parent))
    found = findings_of("piskvork", spec=spec)
    assert failing(found) == ["it plays in a foreign working folder"]


def test_a_wrong_answer_to_the_organisers_is_reported(one_position):
    found = findings_of("gomocup", "--row", "3", rules=(0,))
    check = found["the organisers' position g8 l8 (freestyle)"]
    assert (check.status, check.seen) == ("fail", "it played a4")
    assert "not admitted" in check.effect
    assert found["SWAP2BOARD is answered with 3 stones"].status == "note"
    assert found["the first move comes in time, start-up included"].status == "pass"
    assert "it leaves within 0.5 s after END" in found


def test_a_right_answer_to_the_organisers_passes(one_position):
    arguments = ["--moves", "6,7 1,1", "--swap2", "7,7 8,8 9,9"]
    found = findings_of("gomocup", *arguments, rules=(0,))
    bad = {name for name, check in found.items() if check.status != "pass"}
    # The memory is not measured everywhere, and a busy machine is slow to end it.
    may_be = {"its memory stays below 350 MiB", "it leaves within 0.5 s after END"}
    assert bad <= may_be


def test_the_memory_of_this_process_is_known():
    import os

    used = own_memory(os.getpid())
    assert used is None or 1 << 20 < used < 1 << 32


def test_the_memory_of_nobody_is_not_known():
    assert own_memory(2**30) is None


# Our own brain


@pytest.mark.parametrize(
    "manager",
    [
        "liskvork",
        pytest.param("gomocalc", marks=pytest.mark.slow("as with liskvork", ci=True)),
    ],
)
def test_this_brain_passes(manager):
    spec = EngineSpec("ours", doctor.own_command())
    found = findings_of(manager, spec=spec, turn=0.5)
    bad = [check for check in found.values() if check.status != "pass"]
    # A machine that does other things may keep its moves from coming in time.
    assert all(re.match(r"it took \d", check.seen) for check in bad), bad


@pytest.mark.slow("the whole conversation of each manager")
@pytest.mark.parametrize("manager", MANAGERS)
def test_this_brain_passes_every_check(manager):
    spec = EngineSpec("ours", doctor.own_command())
    found = findings_of(manager, spec=spec, turn=2.0, rules=(0, 1, 4, 8, 9))
    bad = [check for check in found.values() if check.status != "pass"]
    assert not bad, bad


@pytest.mark.slow("games against itself with a clock")
@pytest.mark.parametrize("rule", [0, 1, 4, 8])
def test_this_brain_plays_itself_without_an_accident(rule):
    spec = EngineSpec("ours", doctor.own_command())
    assert doctor._own_game(spec, rule, 1.0).status == "pass"


def test_its_variant_is_reported():
    check = doctor.own_variant()
    assert (check.manager, check.status) == ("program", "pass")
    assert check.seen == f"variant {variants.name}"


def test_a_variant_that_cannot_be_had_is_a_note(monkeypatch):
    monkeypatch.setattr(variants, "name", "baseline")
    monkeypatch.setattr(variants, "note", "GOMOKU_CPU=avx2 cannot run here")
    check = doctor.own_variant()
    assert check.status == "note"
    assert check.seen == "baseline (GOMOKU_CPU=avx2 cannot run here)"
    assert check.effect == "it plays with baseline"


# The command


def run(capsys, *arguments):
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def command_of(*arguments):
    words = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    return " ".join(f'"{word}"' for word in words)


def test_the_command_prints_the_verdict(capsys):
    status, out, err = run(
        capsys, "--engine", command_of("crlf", "START"), "--manager", "liskvork"
    )
    assert status == 1
    assert err == ""
    assert "  FAIL  its lines end with LF: they end with CR LF or CR" in out
    assert "        so: it reads LF only" in out
    assert "  liskvork      1 of 3 checks FAIL" in out


def test_the_command_ends_with_0_when_nothing_fails(capsys):
    status, out, _ = run(
        capsys, "--turn", "60", "--engine", command_of(), "--manager", "qpiskvork"
    )
    assert status == 0
    assert "  qpiskvork     all 4 checks pass" in out


def test_json_is_all_that_is_printed(capsys):
    status, out, _ = run(
        capsys,
        "--engine",
        command_of("crash", "START"),
        "--manager",
        "piskvork",
        "--json",
    )
    report = json.loads(out)
    assert status == 1
    assert report["ok"] is False
    assert report["command"][0] == sys.executable
    assert {check["manager"] for check in report["checks"]} == {"program"}
    assert report["checks"][-1]["status"] == "fail"


def test_a_program_that_is_not_there_is_shown_to_no_manager(capsys):
    status, out, _ = run(capsys, "--engine", "no-such-program")
    assert status == 1
    assert "no file no-such-program" in out
    assert "piskvork      not tried, for the program does not start" in out


def test_files_named_in_the_command_are_found_from_any_folder(capsys, monkeypatch):
    monkeypatch.chdir(SCRIPT.parent)
    command = f'"{sys.executable}" -I -S {SCRIPT.name}'
    _, out, _ = run(capsys, "--engine", command, "--manager", "qpiskvork", "--json")
    assert json.loads(out)["command"][-1] == str(SCRIPT)


def test_rules_have_names_or_the_numbers_of_the_protocol():
    assert doctor.rules_of("freestyle,caro-exact,4,Standard,0") == (0, 9, 4, 1, 0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rules", "7"],
        ["--rules", "renju,"],
        ["--rules", "x"],
        ["--turn", "0"],
        ["--engine", '"open'],
        ["--engine", " "],
        ["--engine", ""],
    ],
)
def test_wrong_options_are_one_line(capsys, arguments):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("gomoku-brain doctor: ")
    assert err.count("\n") == 1


def test_it_needs_no_more_than_what_plays_and_the_managers_side():
    """It is in the folder that needs no Python, which is kept small."""
    code = """if True:
        import sys
        import gomoku_brain.commands.bench, gomoku_brain.commands.doctor
        print(*sorted({name.split(".")[1] for name in sys.modules
                       if name.startswith("gomoku_brain.")}))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    heavy = {"study", "prove", "experiment", "train", "gui"}
    assert not heavy & set(done.stdout.split()), done.stdout + done.stderr
    assert "client" in done.stdout


# What the system does not start

NO_PROGRAMS = {
    "a text": (b"Gomoku Brain\nUnpack all of it.\n", "is a text, not a program"),
    "a zip": (b"PK\x03\x04" + b"\0" * 60, "is a zip archive, not a program"),
    "a gzip": (b"\x1f\x8b" + b"\0" * 60, "is a packed archive (gzip), not a program"),
    "nothing": (b"", "is empty"),
}


@pytest.mark.parametrize("content", NO_PROGRAMS)
def test_a_file_that_is_no_program_is_reported_and_not_shown_to_managers(
    content, tmp_path, capsys
):
    data, expected = NO_PROGRAMS[content]
    path = tmp_path / "pbrain-mine"
    path.write_bytes(data)
    path.chmod(0o755)
    assert main(["--engine", str(path)]) == 1
    out = capsys.readouterr().out
    assert expected in out
    assert ("unpack it" in out) == ("archive" in expected)
    assert out.count("not tried, for the program does not start") == len(MANAGERS)


def test_a_zip_of_this_folder_is_reported_by_its_bare_name(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbrain-mine.zip").write_bytes(NO_PROGRAMS["a zip"][0])
    assert main(["--engine", "pbrain-mine.zip"]) == 1
    out = capsys.readouterr().out
    assert "pbrain-mine.zip is a zip archive, not a program" in out
    assert "so: unpack it" in out


def test_a_damaged_program_that_the_system_refuses_is_reported(tmp_path, capsys):
    """Its beginning looks right, so that only starting it shows what is wrong."""
    path = tmp_path / ("pbrain-mine.exe" if sys.platform == "win32" else "pbrain-mine")
    path.write_bytes(b"\0\1damaged\0" * 100)
    path.chmod(0o755)
    assert main(["--engine", str(path)]) == 1
    assert "it starts" in capsys.readouterr().out


@pytest.mark.parametrize("manager", MANAGERS)
def test_no_manager_crashes_when_the_system_refuses_the_program(manager, tmp_path):
    path = tmp_path / "pbrain-mine"
    path.write_bytes(b"\0\1damaged\0" * 100)
    path.chmod(0o755)
    spec = EngineSpec("mine", (str(path),))
    checks = findings_of(manager, spec=spec)
    assert checks["it starts"].status == "fail"


def test_a_quick_look_is_short(capsys):
    main(["--quick", "--engine", " ".join(map(str, fake().command))])
    out = capsys.readouterr().out
    assert "piskvork" in out
    assert "gomocup" not in out


def test_a_quick_look_sees_a_crash_at_the_third_move(capsys):
    command = " ".join(f'"{word}"' for word in fake("crash", "3").command)
    assert main(["--quick", "--engine", command]) == 1
    out = capsys.readouterr().out
    assert "FAIL  a game against itself has no accident" in out
    assert "exited with status 3" in out


def test_a_busy_machine_is_reported(monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (5.0, 1.0, 1.0))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    session = ManagerSession("program", fake(), 1.0)
    names = [check.name for check in check_start(session)]
    assert "this machine has no other work" in names
