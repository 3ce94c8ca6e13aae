import os
import struct
import sys

import pytest

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.doctor import program
from gomoku_brain.doctor.program import NAME_CHECK, inspect_program, program_kind

posix = pytest.mark.skipif(sys.platform == "win32", reason="files of POSIX systems")


def make(tmp_path, name="pbrain-x", content=b"#!/bin/sh\n", mode=0o755):
    path = tmp_path / name
    path.write_bytes(content)
    path.chmod(mode)
    return path


def inspect(*command):
    return inspect_program(EngineSpec("x", tuple(map(str, command))))


def failing(checks):
    return [(check.name, check.seen) for check in checks if check.status == "fail"]


def elf(machine):
    return b"\x7fELF\x02\x01" + bytes(12) + struct.pack("<H", machine) + bytes(40)


def pe(machine):
    return (
        b"MZ"
        + bytes(58)
        + struct.pack("<I", 64)
        + b"PE\0\0"
        + struct.pack("<H", machine)
    )


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (elf(62), ("Linux", "x86-64")),
        (elf(183), ("Linux", "arm64")),
        (b"\x7fELF\x01\x02" + bytes(12) + struct.pack(">H", 40), ("Linux", "arm")),
        (pe(0x8664), ("Windows", "x86-64")),
        (pe(0x14C), ("Windows", "x86")),
        (b"MZ and nothing", ("Windows", "")),
        (b"\xcf\xfa\xed\xfe" + struct.pack("<I", 0x0100000C), ("macOS", "arm64")),
        (b"\xca\xfe\xba\xbe" + struct.pack(">I", 2), ("macOS", "")),
        (b"\xca\xfe\xba\xbe" + struct.pack(">I", 61), ("Java", "")),
        (b"#!/usr/bin/env python3\nimport os", ("script", "/usr/bin/env python3")),
        (b"hello", ("", "")),
        (b"", ("", "")),
    ],
)
def test_the_kind_of_a_program_is_read_from_its_head(head, kind):
    assert program_kind(head) == kind


def test_the_running_python_can_be_run():
    checks = inspect(sys.executable, "x.py")
    assert failing(checks) == []
    assert checks[-1][1:3] == (NAME_CHECK, "note")


def test_a_missing_program_is_named():
    assert "no file no-such-program (not on the PATH)" in str(
        inspect("no-such-program")
    )
    assert "no file ./engines/none" in str(inspect("./engines/none"))


def test_a_folder_is_no_program(tmp_path):
    assert "is a folder" in str(failing(inspect(tmp_path)))


@posix
def test_a_good_program_passes(tmp_path):
    assert failing(inspect(make(tmp_path))) == []


@posix
@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (b"#!/no/such/python3\n", "its interpreter /no/such/python3 is not there"),
        (b"#!/bin/sh\r\necho\r\n", "has Windows line ends"),
    ],
)
def test_a_script_that_cannot_be_interpreted_is_explained(tmp_path, content, seen):
    assert seen in str(failing(inspect(make(tmp_path, content=content))))


@posix
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="as anybody"
)
def test_a_file_that_is_not_executable_is_found_even_by_root(tmp_path):
    checks = inspect(make(tmp_path, mode=0o644))
    assert "not marked as executable" in str(failing(checks))
    assert "chmod +x pbrain-x" in checks[1].effect


def test_a_program_for_another_system_is_explained(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "system", lambda: "Linux")
    checks = inspect(make(tmp_path, "pbrain-x.exe", pe(0x8664)))
    assert "a program for Windows, this is Linux" in str(failing(checks))
    assert "wine" in str(checks)


def test_a_program_for_another_processor_is_explained(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "system", lambda: "Linux")
    monkeypatch.setattr(program.platform, "machine", lambda: "x86_64")
    checks = inspect(make(tmp_path, content=elf(183)))
    assert "a program for arm64, this processor is x86-64" in str(failing(checks))
    assert failing(inspect(make(tmp_path, content=elf(3)))) == []


@posix
@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("pbrain-x", True),
        ("pbrain-My_x-1.2_64.exe", True),
        ("my-brain", False),
        ("pbrain_x", False),
        ("pbrain-x (1)", False),
    ],
)
def test_managers_want_a_name_with_pbrain(tmp_path, name, good):
    checks = inspect(make(tmp_path, name))
    assert (checks[-1].status == "pass") == good
    assert checks[-1].name == NAME_CHECK


def test_a_missing_working_folder_is_found(tmp_path):
    spec = EngineSpec("x", (sys.executable,), cwd=str(tmp_path / "none"))
    assert "no folder" in str(failing(inspect_program(spec)))
