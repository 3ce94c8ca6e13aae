"""How a command ends when its output or the user's patience does."""

import ntpath
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain import __main__ as command_line
from gomoku_brain import commands
from gomoku_brain.commands import levels

FULL = Path("/dev/full")
CLOSED = pytest.mark.slow("as with another command", ci=True)
UNBUFFERED = pytest.mark.slow("as with Python's buffer", ci=True)


def start(*arguments, unbuffered="", **streams):
    """A command, its output buffered by Python as users have it, or not."""
    return subprocess.Popen(
        [sys.executable, "-m", "gomoku_brain", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        **streams,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["levels"],
        ["solve", "h8"],
        ["openings", "list"],
        ["analyze", "h8", "--nodes", "9"],
    ],
    ids=lambda arguments: arguments[0],
)
class TestOutput:
    @pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")
    @pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=UNBUFFERED)])
    def test_a_full_disk_is_reported_in_one_line(self, arguments, unbuffered):
        with (
            FULL.open("w") as full,
            start(*arguments, unbuffered=unbuffered, stdout=full) as process,
        ):
            _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert told.startswith(f"gomoku-brain {arguments[0]}: ")
        assert told.count("\n") == 1
        assert "No space left" in told
        assert "None" not in told

    @pytest.mark.skipif(sys.platform == "win32", reason="it has no such error")
    def test_a_reader_that_leaves_early_is_no_error_to_tell(self, arguments):
        with start(*arguments, stdout=subprocess.PIPE) as process:
            process.stdout.close()
            told = process.stderr.read()
            process.wait(60)
        assert process.returncode == 1
        assert told == ""


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes it")
@pytest.mark.parametrize(
    ("asked", "closed"),
    [
        pytest.param(asked, closed, marks=[] if place == other else CLOSED)
        for place, asked in enumerate(["analyze h8 --nodes 9", "solve h8", "--version"])
        for other, closed in enumerate(["1>&-", "2>&-", "1>&- 2>&-"])
    ],
)
def test_a_stream_that_is_closed_takes_nothing(asked, closed):
    command = f"{sys.executable} -m gomoku_brain {asked} {closed}"
    ended = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert bool(ended.stdout) == ("1" not in closed)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes it")
@pytest.mark.parametrize("asked", ["analyze -", "solve -", "analyze --stream"])
def test_standard_input_that_is_closed_is_empty(asked):
    command = f"{sys.executable} -m gomoku_brain {asked} <&-"
    ended = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == (0 if "stream" in asked else 2)
    assert ended.stderr.count("\n") == ended.returncode // 2
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_the_help_on_a_full_disk_is_reported_in_one_line(word):
    with FULL.open("w") as full, start(word, stdout=full) as process:
        _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told.count("\n") == 1
    assert "No space left" in told


def test_help_takes_a_command(capsys):
    with pytest.raises(SystemExit) as end:
        command_line.main(["help", "levels"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("usage: gomoku-brain levels")
    assert command_line.main(["help", "nothing"]) == 2
    assert "unknown command 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "program", ["/opt/brain/pbrain-gomoku-brain", r"C:\brain\pbrain-Brain.EXE"]
)
def test_the_program_without_python_goes_by_its_file_s_name(
    program, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", program)
    if "\\" in program:
        monkeypatch.setattr(os.path, "basename", ntpath.basename)
    monkeypatch.setattr(command_line, "_command_names", lambda: ["bench", "doctor"])
    name = ntpath.basename(program).removesuffix(".EXE")
    assert command_line.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: {name} [--threads N]")
    assert "levels`" not in text
    assert "python" not in text
    for command in ("bench", "doctor"):
        with pytest.raises(SystemExit):
            command_line.main([command, "--help"])
        text = capsys.readouterr().out
        assert text.startswith(f"usage: {name} {command}")
        assert re.findall("(?m)^  gomoku-brain", text) == []


def test_the_help_of_an_installation_names_all_commands(capsys):
    assert command_line.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("usage: gomoku-brain [--threads N]")
    assert "see `levels`" in text
    assert {"bench", "doctor", "levels", "match"} <= set(text.split())


def test_a_lack_of_memory_is_reported_in_one_line(monkeypatch, capsys):
    def fail(arguments):
        raise MemoryError("no memory for the solver's table")

    monkeypatch.setattr(levels, "main", fail)
    assert command_line.main(["levels"]) == 2
    assert capsys.readouterr().err == (
        "gomoku-brain levels: no memory for the solver's table: memory is short\n"
    )


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("doctor --rules x", "--rules: 'x' is not one of freestyle, standard"),
        ("doctor --rules 0,,1", "--rules: '' is not one of freestyle"),
        (
            "analyze h8 --threads 999",
            "'999' is not a whole number from 1 to 256",
        ),
        ("analyze h8 --sgf -", "'-' is no file: name one"),
        ("analyze h8 --psq=", "'' is no file: name one"),
        ("solve h8 --sgf -", "'-' is no file: name one"),
    ],
)
def test_a_value_that_makes_no_sense_is_reported_in_one_line(capsys, asked, told):
    name, *arguments = asked.split(" ")
    try:
        status = command_line.main([name, *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    message = capsys.readouterr().err
    assert message.startswith(f"gomoku-brain {name}: ")
    assert told in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("depth", ["-5", "0"])
def test_the_bench_takes_no_depth_below_1(capsys, depth):
    with pytest.raises(SystemExit) as end:
        command_line.main(["bench", "--depth", depth])
    assert end.value.code == 2
    assert "is not a whole number of 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--threads", "0"], ["--strength", "101"]])
def test_a_wrong_option_of_the_brain_is_one_line(capsys, option):
    with pytest.raises(SystemExit) as end:
        command_line.main(option)
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"gomoku-brain: argument {option[0]}: '{option[1]}' is not")
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", [*commands.NAMES])
def test_the_help_of_a_command_has_no_marks_of_code(name, capsys):
    with pytest.raises(SystemExit):
        command_line.main([name, "--help"])
    text = capsys.readouterr().out
    assert text.startswith(f"usage: gomoku-brain {name} [-h]")
    assert "``" not in text


def test_ctrl_c_in_any_command_shows_no_traceback(monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(levels, "main", interrupted)
    assert command_line.main(["levels"]) == 130
    assert capsys.readouterr().err == "gomoku-brain levels: stopped\n"


def test_every_module_of_the_folder_is_a_command():
    folder = Path(commands.__file__).parent
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    assert set(commands.NAMES) == modules
    assert list(commands.NAMES) == sorted(commands.NAMES)
