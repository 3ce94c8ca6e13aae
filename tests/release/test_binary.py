"""The folder that needs no Python, as managers use it: through pipes alone.

``GOMOKU_BINARY`` names the program in the folder that build_folder.py makes; a
Windows program elsewhere is run by Wine. The rest of the package is here the manager.

    GOMOKU_BINARY=out/pbrain-gomoku-brain/pbrain-gomoku-brain.exe \
        pytest -m "slow or not slow" tests/release/test_binary.py
"""

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gomoku_brain import cpu, variants
from gomoku_brain.client.brain import Brain, EngineSpec
from gomoku_brain.commands import doctor
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.referee import GameTask, play_game
from release.build_folder import check_data
from tests.test_bench import SIGNATURE

GIVEN = os.environ.get("GOMOKU_BINARY")
if not GIVEN:
    pytest.skip("GOMOKU_BINARY names no program", allow_module_level=True)

# Here and below nothing is skipped: what a test of a given program lacks, it fails for.
import psutil  # noqa: E402

PROGRAM = Path(GIVEN).absolute()
WINE = ["wine"] if PROGRAM.suffix == ".exe" and sys.platform != "win32" else []
MARK = "GOMOKU_RELEASE_TEST"
SOON = 300.0  # seconds: other work may keep the machine busy
JUDGE = """\
START 15
INFO timeout_turn 1000
INFO timeout_match 100000
INFO max_memory 367001600
INFO game_type 1
INFO rule 0
INFO folder /tmp
"""


@pytest.fixture(scope="module", autouse=True)
def wine_services(marked):
    """Keep Wine's own processes out of the trees that are killed here."""
    if not WINE:
        yield
        return
    sleeper = subprocess.Popen(
        ["wine", "cmd"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(3)  # until Wine's services run
    yield
    sleeper.communicate(timeout=SOON)


@pytest.fixture(scope="module", autouse=True)
def marked():
    """Whatever is started here says so in its environment, and so do its children."""
    os.environ[MARK] = str(os.getpid())
    yield
    del os.environ[MARK]


def is_ours(process):
    """Whether it was started here: the same program may well run elsewhere."""
    with suppress(psutil.Error, OSError):
        return process.environ().get(MARK) == str(os.getpid())
    return False


def running():
    """The processes of the program that were started here."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        # Wine's loader has the name in its second word for a moment.
        named = any(
            word.replace("\\", "/").endswith(f"{PROGRAM.parent.name}/{PROGRAM.name}")
            for word in words[:2]
        )
        alive = process.info["status"] != psutil.STATUS_ZOMBIE
        if named and alive and is_ours(process):
            found.append(process)
    return found


def none_is_left(seconds=SOON):
    until = time.monotonic() + seconds
    while running() and time.monotonic() < until:
        time.sleep(0.02)
    return not running()


@contextmanager
def started(cwd, program=PROGRAM, arguments=()):
    assert none_is_left()
    process = subprocess.Popen(
        [*WINE, str(program), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):  # what it did not read
                pipe.close()


def send(process, text):
    process.stdin.write(text.replace("\n", "\r\n").encode())
    process.stdin.flush()


def answer(process):
    """The next line that is no remark."""
    while line := process.stdout.readline():
        if not line.startswith((b"MESSAGE ", b"DEBUG ")):
            return line.decode()
    raise AssertionError(process.stderr.read().decode(errors="replace"))


def is_move(line):
    return bool(re.fullmatch(r"\d+,\d+\n", line))


def spec(name="brain", **infos):
    return EngineSpec(name, (*WINE, str(PROGRAM)), infos=tuple(infos.items()))


# It plays


@pytest.mark.slow("whole games under each rule")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("size", [15, 20])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.name.lower())
def test_whole_games_end_by_the_rules(rule, size):
    clock = PlayerLimits(nodes=2000)
    task = GameTask(
        id="game",
        rule=rule,
        size=size,
        black=spec("black"),
        white=spec("white"),
        black_limits=clock,
        white_limits=clock,
    )
    record = play_game(task)
    print(f"{rule.name} {size}: {record.reason}, {len(record.moves)} stones")
    assert record.reason in ("five", "full board"), record.detail
    assert none_is_left()


@pytest.mark.slow("the whole bench with each variant")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("variant", ["", variants.BASELINE, *variants.VARIANTS])
def test_its_search_is_that_of_the_source(tmp_path, monkeypatch, variant):
    monkeypatch.setenv("GOMOKU_CPU", variant)
    with started(tmp_path, arguments=["bench"]) as process:
        said, _ = process.communicate(timeout=280)
    first, *_, last = said.decode().splitlines()
    print(f"{first}: {last}")
    assert f"nodes {SIGNATURE} " in last
    if variant in variants.VARIANTS and variants.lacking(variant, cpu.registers()):
        assert first.startswith(f"variant {variants.BASELINE} (")
        assert "cannot run here" in first
        return
    names = [variant] if variant else [variants.BASELINE, *variants.VARIANTS]
    assert first in [f"variant {name}" for name in names]


@pytest.mark.slow("all of doctor, about a minute")
@pytest.mark.timeout(600)
def test_doctor_finds_no_fault(capsys):
    command = " ".join([*WINE, f'"{PROGRAM}"'])
    status = doctor.main(["--engine", command, "--rules", "0,1,4,8,9"])
    said = capsys.readouterr().out
    print(said)
    assert status == 0, said


def test_doctor_in_the_program_examines_the_program(tmp_path):
    with started(tmp_path, arguments=["doctor", "--manager", "liskvork"]) as process:
        said, errors = process.communicate(timeout=100)
    assert errors == b""
    assert process.returncode == 0, said.decode()
    assert PROGRAM.name in said.decode()
    assert "liskvork      all" in said.decode()
    assert none_is_left()


# Levels for managers that pass no options

BY_NODES = "START 15\nINFO timeout_turn -1\nINFO max_node 5000\nTURN 7,7\n"


def nodes_of(line):
    words = line.split()
    return int(words[words.index("n") + 1])


def line_of_play(process):
    while not (line := process.stdout.readline().decode()).startswith("MESSAGE depth "):
        assert line
    return line


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_programs_for_levels_play_at_them(tmp_path, level):
    program = PROGRAM.with_name(f"pbrain-gomoku-{level}{PROGRAM.suffix}")
    with started(tmp_path, program) as process:
        send(process, BY_NODES)
        assert answer(process) == "OK\n"
        assert nodes_of(line_of_play(process)) <= 1020  # hard: one and a half times 680
        assert is_move(answer(process))
        send(process, "TAKEBACK 7,7\nRESTART\nTURN 7,7\n")
        assert [answer(process), answer(process)] == ["OK\n", "OK\n"]
        assert nodes_of(line_of_play(process)) <= 1020
        assert is_move(answer(process))
        send(process, "INFO strength 100\nRESTART\nTURN 7,7\n")
        assert answer(process) == "OK\n"
        assert nodes_of(line_of_play(process)) > 1020
        assert is_move(answer(process))
        send(process, "END\n")
        assert process.wait(SOON) == 0


def test_a_copy_and_the_settings_file_set_level_and_threads(tmp_path):
    folder = tmp_path / PROGRAM.parent.name
    shutil.copytree(PROGRAM.parent, folder)
    copy = folder / f"pbrain-gomoku-brain-casual-t2{PROGRAM.suffix}"
    shutil.copy2(PROGRAM, copy)
    ini = folder / "pbrain-gomoku-brain.ini"
    ini.write_text(re.sub("# (?=level|proof)", "", ini.read_text()))  # hard, no proofs
    for program, strength in ((copy, 33), (folder / PROGRAM.name, 66)):
        with started(tmp_path, program) as process:
            send(process, BY_NODES)
            assert answer(process) == "OK\n"
            nodes = nodes_of(line_of_play(process))
            assert nodes == 200 if strength < 55 else nodes <= 1020
            assert is_move(answer(process))
    ini.write_text("level = impossible\n")
    with started(tmp_path, folder / PROGRAM.name) as process:
        send(process, "START 15\nBEGIN\n")
        assert answer(process) == "OK\n"
        said = process.stdout.readline().decode()
        assert said.startswith("MESSAGE pbrain-gomoku-brain.ini is ignored: line 1")
        assert is_move(answer(process))


# It comes and goes


def test_ok_comes_soon_after_the_start(tmp_path):
    times = []
    for _ in range(5):
        with started(tmp_path) as process:
            begin = time.perf_counter()
            send(process, "START 15\n")
            assert answer(process) == "OK\n"
            times.append(time.perf_counter() - begin)
    print("start to OK, ms:", *(round(1000 * seconds) for seconds in sorted(times)))
    assert min(times) < SOON


def test_one_process_and_no_other_plays(tmp_path):
    with started(tmp_path) as process:
        send(process, JUDGE)
        assert answer(process) == "OK\n"
        send(process, "BEGIN\n")
        assert is_move(answer(process))
        assert len(running()) == 1


def test_end_leaves_at_once_in_the_middle_of_a_thought(tmp_path):
    with started(tmp_path) as process:
        send(process, "START 20\nINFO timeout_turn 100000\n")
        assert answer(process) == "OK\n"
        send(process, "BOARD\n10,10,2\n10,11,1\n11,11,2\nDONE\n")
        time.sleep(0.5)
        begin = time.monotonic()
        send(process, "END\n")
        assert process.wait(SOON) == 0
        print(f"END to exit: {1000 * (time.monotonic() - begin):.0f} ms")
        assert process.stderr.read() == b""
    assert none_is_left()


def test_end_of_input_ends_it_after_its_last_move(tmp_path):
    with started(tmp_path) as process:
        send(process, JUDGE + "BEGIN\nTURN 0,0\n")
        process.stdin.close()
        assert answer(process) == "OK\n"
        assert is_move(answer(process))
        assert is_move(answer(process))
        assert process.wait(SOON) == 0
    assert none_is_left()


def test_a_manager_that_is_gone_leaves_no_orphan_that_thinks(tmp_path):
    with started(tmp_path) as process:
        send(process, "START 15\nINFO timeout_turn -1\nTURN 7,7\n")
        assert answer(process) == "OK\n"
        time.sleep(0.3)
        process.stdin.close()
        process.stdout.close()
        process.wait(SOON)
    assert none_is_left()


def test_a_kill_takes_the_whole_engine(tmp_path):
    with started(tmp_path) as process:
        send(process, "START 15\nINFO timeout_turn 100000\n")
        assert answer(process) == "OK\n"
        send(process, "TURN 7,7\n")
        time.sleep(0.5)
        (engine,) = running()
        engine.kill()
        process.wait(SOON)
    assert none_is_left()


def test_suspended_at_its_start_it_plays_when_it_is_resumed(tmp_path):
    # The Gomocup judge: all at once, suspended, woken for its first move.
    with started(tmp_path) as process:
        send(process, JUDGE)
        while not (engines := running()):
            time.sleep(0.001)
        for engine in engines:
            engine.suspend()
        time.sleep(2)
        send(process, "INFO time_left 100000\nBOARD\n7,7,2\n8,8,1\n7,9,2\nDONE\n")
        begin = time.monotonic()
        for engine in engines:
            engine.resume()
        assert answer(process) == "OK\n"
        assert is_move(answer(process))
        seconds = time.monotonic() - begin
        print(f"woken to first move: {seconds:.2f} s of 1 s and 1 s of tolerance")
        assert seconds < SOON
        send(process, "END\n")
        process.wait(SOON)
    assert none_is_left()


def test_suspended_while_the_other_thinks_it_plays_on(tmp_path):
    with started(tmp_path) as process:
        send(process, JUDGE + "BEGIN\n")
        assert answer(process) == "OK\n"
        assert is_move(answer(process))
        (engine,) = running()
        engine.suspend()
        time.sleep(1.5)
        engine.resume()
        send(process, "TURN 0,0\n")
        begin = time.monotonic()
        assert is_move(answer(process))
        assert time.monotonic() - begin < SOON


# Where it lies


def test_it_plays_from_a_folder_of_any_name_and_writes_nothing(tmp_path):
    folder = tmp_path / "Žofie's brains 五子棋" / PROGRAM.parent.name
    shutil.copytree(PROGRAM.parent, folder)
    before = sorted(folder.rglob("*"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with started(elsewhere, folder / PROGRAM.name) as process:
        send(process, JUDGE + "BEGIN\n")
        assert answer(process) == "OK\n"
        assert is_move(answer(process))
        send(process, "END\n")
        assert process.wait(SOON) == 0
    assert sorted(folder.rglob("*")) == before
    assert not list(elsewhere.iterdir())


def test_the_manager_s_client_finds_it_well_behaved():
    with Brain(spec()) as brain:
        brain.start(15, 15)
        assert brain.about()["name"] == "gomoku-brain"
        brain.info("timeout_turn", 200)
        assert re.fullmatch(r"\d+,\d+", brain.query("BEGIN", deadline=SOON).text)
        assert brain.close(SOON) == ""


def test_only_what_the_brain_needs_is_in_the_folder():
    names = {path.name.lower() for path in PROGRAM.parent.rglob("*")}
    assert not [
        n for n in names if re.search(r"numpy|ssl|crypto|sqlite|tcl|qt|\.pyx|gui_", n)
    ]
    data = PROGRAM.parent / "_internal" / "gomoku_brain" / "data"
    assert check_data(path.name for path in data.iterdir()) == []


def test_its_texts_lie_beside_it():
    licence, readme = (
        (PROGRAM.parent / name).read_text(encoding="ascii")
        for name in ("LICENSE.txt", "README.txt")
    )
    assert licence.startswith("MIT License")
    assert readme.startswith("Gomoku Brain ")
    assert PROGRAM.name in readme


def test_its_help_names_the_program_and_the_commands_that_it_has(tmp_path):
    with started(tmp_path, arguments=["--help"]) as process:
        said, errors = process.communicate(timeout=SOON)
    assert errors == b""
    text = said.decode()
    assert text.startswith(f"usage: {PROGRAM.stem} ")
    assert "python" not in text
    (commands,) = re.findall(r"^commands: (.*?)\r?$", text, re.MULTILINE)
    assert commands.split() == ["bench", "doctor"]
    assert "levels`" not in text
    for command in commands.split():
        with started(tmp_path, arguments=[command, "--help"]) as process:
            said, errors = process.communicate(timeout=SOON)
        assert (process.returncode, errors) == (0, b"")
        assert said.decode().startswith(f"usage: {PROGRAM.stem} {command} ")
        assert not re.search(rb"(?<!-)gomoku-brain", said)


def test_numpy_is_not_packed_into_the_program():
    """Its modules in Python would be in the archive within the program, or files."""
    files = PROGRAM.parent.rglob("*")
    names = "\n".join(path.relative_to(PROGRAM.parent).as_posix() for path in files)
    packed = PROGRAM.read_bytes()
    # Names can be seen in both.
    own = b"gomoku_brain.protocol.session" in packed, "protocol/session.pyc" in names
    assert sum(own) == 1
    assert b"numpy" not in packed
    assert "numpy" not in names


def test_the_same_program_elsewhere_is_not_taken_for_ours(tmp_path):
    folder = tmp_path / PROGRAM.parent.name
    shutil.copytree(PROGRAM.parent, folder)
    other = subprocess.Popen(
        [*WINE, str(folder / PROGRAM.name)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: text for name, text in os.environ.items() if name != MARK},
    )
    try:
        send(other, "START 15\n")
        assert answer(other) == "OK\n"
        assert running() == []
        with started(tmp_path) as process:
            send(process, "START 15\n")
            assert answer(process) == "OK\n"
            assert len(running()) == 1
            send(process, "END\n")
            process.wait(SOON)
        assert none_is_left()
        assert other.poll() is None
    finally:
        other.communicate(b"END\r\n", timeout=SOON)
