"""Settings before the first command: from the program's name and its settings file.

Managers such as Piskvork start a program by its path alone. So the program reads a
level and a number of threads from the end of its own name
(``pbrain-gomoku-brain-easy-t4.exe``, or ``pbrain-gomoku-easy-t4.exe``, of which
Piskvork shows more), and ``pbrain-gomoku-brain.ini`` in its folder::

    # a comment
    level = easy
    threads = 4
    memory = 350
    proof = off

Both are strict. Other names of the program have no meaning, and one error makes the
whole file invalid. An option of the command line overrides the name, the name overrides
the file, and INFO overrides all of them.

The module delays the first OK, so it imports almost nothing.
"""

import os
import sys

from gomoku_brain.control.strength import FULL_STRENGTH, STRENGTHS
from gomoku_brain.dataclass import dataclass, replace

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Any

__all__ = ["FILE", "PROGRAMS", "StartSettings", "at_start", "from_file", "from_name"]

PROGRAMS = ("pbrain-gomoku-brain", "pbrain-gomoku")
"""Names of the program before its suffix, the longer one first."""
FILE = PROGRAMS[0] + ".ini"
"""Name of the settings file. It does not depend on the name of the program."""

_ENDINGS = (".exe", ".py")  # of program names, in lower case
_MOST = 999_999  # the largest number in the file
_MAX_THREADS = 999
_MAX_BYTES = 1 << 14  # the largest size of the file
_MAX_ECHO = 40  # characters of an invalid line in a message
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class StartSettings:
    """Settings that are valid until INFO changes them."""

    strength: int = FULL_STRENGTH
    """Playing strength, 0 (beginner) to 100 (full)."""
    threads: int = 1
    """Number of search threads."""
    memory: int = 0
    """Megabytes for the whole process; 0 = no limit."""
    proof: bool = True
    """Whether to play from a proof in the package."""
    fault: str = ""
    """Reason why the settings file is ignored; "" if it is valid or absent."""


def at_start() -> StartSettings:
    """Return the settings of this process, from its name and the settings file.

    ``python -m gomoku_brain`` uses neither. It takes options.
    """
    started = sys.argv[0] if sys.argv else ""
    names = [started]
    folder = os.path.dirname(started)
    if getattr(sys, "frozen", False):
        # Only argv contains the name of a link. Windows may put anything there.
        names.append(sys.executable)
        folder = os.path.dirname(sys.executable)
    elif os.path.basename(started) == "__main__.py":
        return StartSettings()
    settings = from_file(os.path.join(folder, FILE))
    for name in names:
        found = from_name(name)
        if found:
            return replace(settings, **found)
    return settings


def from_name(program: str) -> "dict[str, Any]":
    """Return the fields of ``StartSettings`` that the name of a program sets."""
    name = os.path.basename(program).lower()
    ending = os.path.splitext(name)[1]
    if ending in _ENDINGS:
        name = name.removesuffix(ending)
    if name in PROGRAMS:
        return {}
    prefix = next((p + "-" for p in PROGRAMS if name.startswith(p + "-")), "")
    if not prefix:
        return {}
    found = {}
    words = name.removeprefix(prefix).split("-")
    threads = _number(words[-1][1:], _MAX_THREADS)
    if words[-1].startswith("t") and threads:
        found["threads"] = threads
        words.pop()
    if words:
        strength = STRENGTHS.get(words.pop(0))
        if strength is None or words:
            return {}
        found["strength"] = strength
    return found


def from_file(path: str) -> StartSettings:
    """Read a settings file. Return the defaults if it is absent or has an error."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return StartSettings()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such path"
        return StartSettings(fault=f"it cannot be read ({reason})")
    if len(data) > _MAX_BYTES:
        return StartSettings(fault=f"it has more than {_MAX_BYTES} bytes")
    settings, seen = StartSettings(), set()
    lines = data.removeprefix(_BOM).decode("latin-1").splitlines()
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line[0] in "#;":
            continue
        key, _, value = (word.strip().lower() for word in line.partition("="))
        field = _field(key, value)
        if isinstance(field, str):
            from gomoku_brain.foreign_text import shown  # late, as above

            echo = shown(ascii(line)[1:-1], _MAX_ECHO)
            return StartSettings(fault=f'line {number} "{echo}": {field}')
        if key in seen:
            return StartSettings(fault=f"line {number}: {key} appears twice")
        seen.add(key)
        settings = replace(settings, **field)
    return settings


def _field(key: str, value: str) -> "dict[str, Any] | str":
    """Return the field of ``StartSettings`` that a line sets, or an error message."""
    if key == "level":
        strength = STRENGTHS.get(value)
        if strength is None:
            return f"the levels are {' '.join(STRENGTHS)}"
        return {"strength": strength}
    if key in ("threads", "memory"):
        maximum = _MAX_THREADS if key == "threads" else _MOST
        number = _number(value, maximum)
        if not number:
            return f"{key} takes a whole number from 1 to {maximum}"
        return {key: number}
    if key == "proof":
        if value not in ("on", "off"):
            return "proof is on or off"
        return {"proof": value == "on"}
    return "the keys are level, threads, memory and proof"


def _number(text: str, maximum: int) -> int | None:
    """Parse decimal digits from 1 to ``maximum``. Return None for other text."""
    if not (text.isascii() and text.isdigit()) or text[0] == "0":
        return None
    if len(text) > len(str(maximum)) or int(text) > maximum:
        return None
    return int(text)
