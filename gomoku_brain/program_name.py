"""Name of this program in its usage and its errors, and the brain beside it."""

import os
import sys

__all__ = ["brain_beside", "program_name"]

_BRAIN = "pbrain-gomoku-brain"


def program_name() -> str:
    """Return the file's name of a program that needs no Python, else
    ``gomoku-brain``.
    """
    if getattr(sys, "frozen", False):
        name = os.path.basename(sys.executable)
        return name[:-4] if name.lower().endswith(".exe") else name
    return "gomoku-brain"


def brain_beside() -> str | None:
    """Return the path of the brain in the folder of a program that needs no Python.

    The board of such a folder cannot run itself as a brain: it is a program with a
    window. Return None where Python runs.
    """
    if not getattr(sys, "frozen", False):
        return None
    suffix = ".exe" if sys.platform == "win32" else ""
    return os.path.join(os.path.dirname(sys.executable), _BRAIN + suffix)
