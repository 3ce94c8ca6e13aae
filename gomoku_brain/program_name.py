"""Name of this program in its usage and its errors."""

import os
import sys

__all__ = ["program_name"]


def program_name() -> str:
    """Return the file's name of a program that needs no Python, else
    ``gomoku-brain``.
    """
    if getattr(sys, "frozen", False):
        name = os.path.basename(sys.executable)
        return name[:-4] if name.lower().endswith(".exe") else name
    return "gomoku-brain"
