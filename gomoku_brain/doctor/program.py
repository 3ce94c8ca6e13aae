"""Checks of an engine's program that need not run it."""

import os
import platform
import re
import shutil
import struct
import sys
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypedDict

from gomoku_brain.client.brain import EngineSpec, working_folder
from gomoku_brain.runs.json_rows import Schema

Status = Literal["pass", "note", "fail"]


class DoctorLine(TypedDict):
    """doctor --json."""

    command: list[str]
    ok: Annotated[bool, Schema(description="whether no check fails")]
    checks: "list[CheckRow]"


class CheckRow(TypedDict):
    """Result of one check; "note" is a weakness that loses no game."""

    manager: str
    name: str
    status: Status
    message: str
    effect: str


class Check(NamedTuple):
    """Result of one check."""

    manager: str
    """"program", or the name of the manager to which it matters."""
    name: str
    """Claim that was checked: "START is answered with OK"."""
    status: Status
    """Status; "note" is a weakness that loses no game."""
    seen: str = ""
    """Observation, or an empty text."""
    effect: str = ""
    """Consequence of a weakness, or an empty text."""

    def to_dict(self) -> CheckRow:
        """Return the check as values of JSON."""
        return {
            "manager": self.manager,
            "name": self.name,
            "status": self.status,
            "message": self.seen,
            "effect": self.effect,
        }


# e_machine of ELF, Machine of PE and cputype of Mach-O, by the architecture.
_ELF = {62: "x86-64", 3: "x86", 183: "arm64", 40: "arm"}
_PE = {0x8664: "x86-64", 0x14C: "x86", 0xAA64: "arm64"}
_MACH = {0x01000007: "x86-64", 0x0100000C: "arm64", 7: "x86"}
_MACHINES = {
    "amd64": "x86-64",
    "x86_64": "x86-64",
    "aarch64": "arm64",
    "arm64": "arm64",
}
NAME_CHECK = "its name begins with pbrain-"
"""Name of the one check whose failure keeps only some managers from starting the
program.
"""
_NAME = re.compile(r"pbrain-[A-Za-z0-9_.-]+")
_SYSTEMS = {"win32": "Windows", "darwin": "macOS"}


def system() -> str:
    """Return the usual name of the system that we run on."""
    return _SYSTEMS.get(sys.platform, "Linux")


def find_program(spec: EngineSpec) -> Path | None:
    """Return the file that would be run, or None."""
    program = Path(spec.command[0])
    if program.name == spec.command[0]:
        found = shutil.which(spec.command[0])
        return Path(found) if found else None
    return program if program.exists() else None


def program_kind(head: bytes) -> tuple[str, str]:
    """Return (system, architecture) of a program from its first 4096 bytes; "" =
    unknown.

    A script has the system "script" and its interpreter instead of the architecture.
    """
    if head.startswith(b"#!"):
        return "script", head[2:].split(b"\n")[0].decode("utf-8", "replace")
    if head.startswith(b"\x7fELF") and len(head) >= 20:
        order = "<" if head[5] == 1 else ">"
        return "Linux", _ELF.get(struct.unpack_from(f"{order}H", head, 18)[0], "")
    if head.startswith(b"MZ"):
        offset = int.from_bytes(head[60:64], "little")
        found = head[offset : offset + 6]
        machine = int.from_bytes(found[4:], "little")
        return "Windows", _PE.get(machine, "") if found[:4] == b"PE\0\0" else ""
    if head[:4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe") and len(head) >= 8:
        return "macOS", _MACH.get(struct.unpack_from("<I", head, 4)[0], "")
    if head.startswith(b"\xca\xfe\xba\xbe") and len(head) >= 8:
        # Java's class files begin alike; the number there is a version of 45 or more.
        count = struct.unpack_from(">I", head, 4)[0]
        return ("macOS", "") if count < 40 else ("Java", "")
    return "", ""


def inspect_program(spec: EngineSpec) -> list[Check]:
    """Check the file, its name and its folder, without running it."""
    path = find_program(spec)
    there = "the program file is there"
    if path is None:
        where = (
            "not on the PATH" if Path(spec.command[0]).name == spec.command[0] else ""
        )
        seen = f"no file {spec.command[0]}" + (f" ({where})" if where else "")
        return [_fail(there, seen, "no manager can start it")]
    if path.is_dir():
        return [_fail(there, f"{path} is a folder", "no manager can start it")]
    checks = [Check("program", there, "pass", str(path))]
    folder = working_folder(spec)
    if not folder.is_dir():
        seen = f"no folder {folder}"
        checks.append(
            _fail("its working folder is there", seen, "it cannot be started")
        )
    checks += _inspect_file(path)
    checks.append(_inspect_name(spec, path))
    return checks


def _fail(name: str, seen: str, effect: str) -> Check:
    return Check("program", name, "fail", seen, effect)


def _inspect_file(path: Path) -> list[Check]:
    """Check whether this system can run the file."""
    name = "this system can run it"
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return []  # not readable for us, but perhaps executable
    if (complaint := _no_program(path, head)) is not None:
        return [_fail(name, *complaint)]
    made_for, machine = program_kind(head)
    here = _MACHINES.get(platform.machine().lower(), platform.machine())
    if made_for == "script" and sys.platform != "win32":
        interpreter = machine.strip().split(" ")[0]
        if machine.endswith("\r"):
            effect = "the system looks for an interpreter whose name ends with CR"
            return [_fail(name, f"{path.name} has Windows line ends", effect)]
        if not Path(interpreter).exists():
            effect = "the system does not find the file"
            return [_fail(name, f"its interpreter {interpreter} is not there", effect)]
    elif made_for in ("Windows", "macOS", "Linux") and made_for != system():
        tip = " (try `wine PROGRAM` as the command)" if made_for == "Windows" else ""
        return [_fail(name, f"a program for {made_for}, this is {system()}{tip}", "")]
    elif machine and machine != here and (here, machine) not in _RUNS_TOO:
        return [_fail(name, f"a program for {machine}, this processor is {here}", "")]
    if sys.platform != "win32" and not os.access(path, os.X_OK):
        effect = f"the system refuses to start it: chmod +x {path.name}"
        return [_fail(name, "the file is not marked as executable", effect)]
    if sys.platform == "win32" and path.suffix.lower() not in (".exe", ".com"):
        effect = "Piskvork starts nothing but .exe and .com (also from a .zip)"
        return [Check("program", name, "note", f"{path.name} is no .exe", effect)]
    return [Check("program", name, "pass", f"{made_for or 'file'} {machine}".strip())]


def _no_program(path: Path, head: bytes) -> tuple[str, str] | None:
    """Return the kind of a file that no system starts, and advice; None for all
    others.
    """
    for mark, kind in (
        (b"PK\x03\x04", "a zip archive"),
        (b"\x1f\x8b", "a packed archive (gzip)"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"Rar!", "a RAR archive"),
    ):
        if head.startswith(mark):
            effect = "unpack it, and name the program in the folder that comes out"
            return f"{path.name} is {kind}, not a program", effect
    if not head:
        return f"{path.name} is empty", "it was not copied or downloaded as a whole"
    if sys.platform == "win32" and path.suffix.lower() == ".py":
        effect = "name Python as the program: `py PATH`, or the release's .exe"
        return f"{path.name} is a Python script, which Windows does not start", effect
    if program_kind(head) == ("", "") and b"\0" not in head:
        effect = "name the program itself; a script needs a first line `#!/...`"
        return f"{path.name} is a text, not a program", effect
    return None


_RUNS_TOO = {("x86-64", "x86"), ("arm64", "x86-64")}  # (processor, program)


def _inspect_name(spec: EngineSpec, path: Path) -> Check:
    """Check whether managers accept the program as an engine by its name."""
    name = NAME_CHECK
    if _NAME.fullmatch(path.name):
        return Check("program", name, "pass", path.name)
    effect = (
        "Piskvork and the Gomocup judge speak the obsolete protocol of files to any "
        "other name: rename it to pbrain-NAME (letters, digits, _ . -)"
    )
    if len(spec.command) > 1:
        effect = "managers that run a single file need one named pbrain-NAME"
        return Check("program", name, "note", f"run as {path.name} ..", effect)
    return _fail(name, path.name, effect)
