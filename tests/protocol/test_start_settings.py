"""Settings from the program's name and from the file beside it."""

import os
import shutil
import sys

import pytest

from gomoku_brain.levels.ladder import LEVELS
from gomoku_brain.protocol import start_settings
from gomoku_brain.protocol.start_settings import (
    FILE,
    StartSettings,
    from_file,
    from_name,
)
from tests.protocol.brain import ROOT

NAME = "pbrain-gomoku-brain"
TAIL = ("START 15", "INFO max_node 3000", "TURN 7,7")


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_name_ends_with_a_level_and_threads(level):
    strength = {"strength": level.strength}
    assert from_name(f"{NAME}-{level.name}.exe") == strength
    assert from_name(f"/a-t2/b/{NAME}-{level.name}") == strength
    assert from_name(f"{NAME}-{level.name}.py") == strength
    assert from_name(f"pbrain-gomoku-{level.name}.exe") == strength
    assert from_name(f"{NAME}-{level.name.upper()}-T4.EXE") == strength | {"threads": 4}


def test_a_name_ends_with_threads_alone():
    assert from_name(f"{NAME}-t16.exe") == {"threads": 16}
    assert from_name("pbrain-gomoku-t2") == {"threads": 2}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "engine.exe",
        "pbrain-foo-easy-peasy.exe",
        "pbrain-foo-easy.exe",
        "my-pbrain-gomoku-brain-easy.exe",
        "pbrain-gomoku-brain.exe",
        "pbrain-gomoku-brain-.exe",
        "pbrain-gomoku.exe",
        "pbrain-gomoku-brain-brain-easy.exe",
        "pbrain-gomoku_renju.exe",
        "pbrain-gomoku64.exe",
        "pbrain-gomoku-brain-easy-.exe",
        "pbrain-gomoku-brain-easy-peasy.exe",
        "pbrain-gomoku-brain-easy - Copy.exe",
        "pbrain-gomoku-brain-easy (1).exe",
        "pbrain-gomoku-brain-easy.exe.bak",
        "pbrain-gomoku-brain-easy.py.exe",
        "pbrain-gomoku-brain--easy.exe",
        "pbrain-gomoku-braineasy.exe",
        "pbrain-gomoku-brain-t4-easy.exe",
        "pbrain-gomoku-brain-easy-t4-t4.exe",
        "pbrain-gomoku-brain-t0.exe",
        "pbrain-gomoku-brain-t04.exe",
        "pbrain-gomoku-brain-t1000.exe",
        "pbrain-gomoku-brain-t-4.exe",
        "pbrain-gomoku-brain-t.exe",
        "pbrain-gomoku-brain-t\u0664.exe",
        "pbrain-gomoku-brain-0.1.0.exe",
        "pbrain-gomoku-brain-33.exe",
        "pbrain-easy/engine",
        "pbrain-gomoku-brain-easy/engine",
        # those of Gomocup
        "pbrain-gomoku-brain_freestyle-15.exe",
        "pbrain-gomoku-brain_renju.exe",
        "pbrain-gomoku-brain_20.exe",
        "pbrain-gomoku-brain64.exe",
        "pbrain-gomoku-brain_standard-1564.exe",
        "pbrain-gomoku-brain-easy64.exe",
        "pbrain-gomoku-brain-easy_freestyle-15.exe",
    ],
)
def test_any_other_name_means_nothing(name):
    assert from_name(name) == {}


def written(folder, text):
    path = folder / FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_file_sets_what_it_names(tmp_path):
    text = "\ufeff# mine\n\n level =  Easy \nThreads=3\n; memory = 1\nPROOF = off"
    text = text.replace("\n", "\r\n")
    assert from_file(written(tmp_path, text)) == StartSettings(22, 3, 0, False)
    assert from_file(written(tmp_path, "memory = 350\nproof = on\n")) == StartSettings(
        memory=350
    )
    assert from_file(written(tmp_path, "")) == StartSettings()
    assert from_file(str(tmp_path / "none" / FILE)) == StartSettings()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("level = eazy", 'line 1 "level = eazy": the levels are beginner novice '),
        ("\nlevel", 'line 2 "level": the levels are '),
        ("level = easy\nthreads = 0", 'line 2 "threads = 0": threads takes a whole'),
        ("threads = two", 'line 1 "threads = two": threads takes a whole number from'),
        ("threads = 9999", "threads takes a whole number from 1 to 999"),
        ("memory = 0", "memory takes a whole number from 1 to 999999"),
        ("memory = 350 MB", "memory takes a whole number"),
        ("proof = yes", 'line 1 "proof = yes": proof is on or off'),
        ("[brain]\nlevel = easy", 'line 1 "[brain]": the keys are level, threads,'),
        ("rule = 1", "the keys are level, threads, memory and proof"),
        ("level = easy\nLevel = easy", "line 2: level appears twice"),
        ("level = easy".encode("utf-16"), "the keys are level, threads"),
        (b"\0\xff" * 40, r"\x00\xff"),
        (b"#" * 20_000, "it has more than 16384 bytes"),
    ],
)
def test_a_fault_makes_the_whole_file_void(tmp_path, text, fault):
    found = from_file(written(tmp_path, text))
    assert found == StartSettings(fault=found.fault)
    assert fault in found.fault
    assert found.fault.isascii()
    assert found.fault.isprintable()


def test_a_folder_in_its_place_is_a_fault(tmp_path):
    (tmp_path / FILE).mkdir()
    assert "cannot be read" in from_file(str(tmp_path / FILE)).fault


def test_the_name_overrides_the_file(tmp_path, monkeypatch):
    written(tmp_path, "level = hard\nthreads = 3\nproof = off\n")
    monkeypatch.setattr(sys, "argv", [str(tmp_path / f"{NAME}-easy")])
    assert start_settings.at_start() == StartSettings(22, 3, 0, False)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "engine")])
    assert start_settings.at_start() == StartSettings(66, 3, 0, False)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "__main__.py")])
    assert start_settings.at_start() == StartSettings()
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.chdir(tmp_path)
    assert start_settings.at_start().strength == 66


def test_a_frozen_program_goes_by_its_own_folder(tmp_path, monkeypatch):
    written(tmp_path, "threads = 3\n")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / f"{NAME}-easy"))
    monkeypatch.setattr(sys, "argv", ["whatever"])
    assert start_settings.at_start() == StartSettings(22, 3)
    monkeypatch.setattr(sys, "argv", [f"{NAME}-hard-t2"])  # a link found in PATH
    assert start_settings.at_start() == StartSettings(66, 2)


# The process


@pytest.fixture
def copy(tmp_path):
    """A copy of pbrain.py under another name, as a command."""

    def copied(name):
        shutil.copy(ROOT / "pbrain.py", tmp_path / name)
        return [sys.executable, str(tmp_path / name)]

    return copied


def nodes_of_next_move(brain):
    """The nodes that the line of play before the next move tells."""
    while not (line := brain.line()).startswith("MESSAGE depth "):
        assert line == "OK" or line.startswith("MESSAGE ")
    brain.move()
    words = line.split()
    return int(words[words.index("n") + 1])


def test_a_copy_named_easy_plays_easily(start_brain, copy):
    brain = start_brain(command=copy(f"{NAME}-easy-t2.py"))
    brain.send(*TAIL)
    assert nodes_of_next_move(brain) == 200  # docs/levels.md: all that it searches
    # Undo, a new game and INFO as ever.
    brain.send("TAKEBACK 7,7", "RESTART", "TURN 7,7")
    assert [brain.answer(), brain.answer()] == ["OK", "OK"]
    assert nodes_of_next_move(brain) == 200
    brain.send("INFO strength 100", "INFO proof 0", "RESTART", "TURN 7,7")
    assert nodes_of_next_move(brain) > 1000
    brain.send("END")
    assert brain.wait() == 0


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_named_easy_plays_easily(start_brain, tmp_path):
    link = tmp_path / f"{NAME}-easy"
    link.symlink_to(ROOT / "pbrain.py")
    brain = start_brain(command=[sys.executable, str(link)])
    brain.send(*TAIL)
    assert nodes_of_next_move(brain) == 200


def test_an_option_overrides_name_and_file(start_brain, copy, tmp_path):
    written(tmp_path, "level = beginner\nproof = off\n")
    brain = start_brain("--level", "full", command=copy(f"{NAME}-easy.py"))
    brain.send(*TAIL)
    assert nodes_of_next_move(brain) > 1000


def test_the_file_sets_level_and_book(start_brain, copy, tmp_path):
    written(tmp_path, "proof = off\n")
    brain = start_brain(command=copy("pbrain.py"))
    brain.send("START 15", "INFO max_node 1000", "BEGIN", "TURN 8,8")
    assert brain.line() == "OK"
    brain.move()
    assert brain.line().startswith("MESSAGE depth ")  # and no "MESSAGE proved"


def test_a_bad_file_is_named_once_with_the_first_move(start_brain, copy, tmp_path):
    written(tmp_path, "level = hard\nthreads = many\n")
    brain = start_brain(command=copy("pbrain.py"))
    brain.send("START 15", "INFO timeout_turn 200", "ABOUT", "BEGIN", "TURN 8,8", "END")
    assert brain.line() == "OK"
    assert brain.line().startswith("name=")
    assert brain.line().startswith(f'MESSAGE {FILE} is ignored: line 2 "threads = m')
    assert brain.line() == "7,7"
    assert brain.move()
    assert brain.wait() == 0
    assert brain.raw.count(FILE.encode()) == 1


def test_a_bad_file_is_not_named_to_who_wants_no_messages(start_brain, copy, tmp_path):
    written(tmp_path, "?")
    brain = start_brain(command=copy("pbrain.py"))
    brain.send("START 15", "INFO show_detail -1", "BEGIN")
    assert [brain.line(), brain.line()] == ["OK", "7,7"]
