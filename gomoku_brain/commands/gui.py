"""``gui``: the desktop board for play and study. Requires the extra ``gui``."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from gomoku_brain.records.short_forms import is_link
from gomoku_brain.runs.run_options import OneLineParser

PROG = "gomoku-brain gui"
EXAMPLES = """\
examples:
  gomoku-brain gui
  gomoku-brain gui game.psq

PSQ, SGF, JSON, lists of moves, pictures of boards and BOARD blocks of the protocol can
be opened. Settings are stored in the usual place of the system, or in the folder
that GOMOKU_BOARD_HOME names.
"""
INSTALL = 'the board needs Qt: pip install "PySide6-Essentials<6.12" pillow'


def main(argv: list[str]) -> int:
    """Show the board and return the exit status."""
    parser = OneLineParser(
        PROG,
        description=__doc__,
        epilog=EXAMPLES,
        statuses={},
    )
    parser.add_argument(
        "file", nargs="?", help="a game or a position to open, or a link"
    )
    options = parser.parse_args(argv)
    link = options.file if is_link(options.file or "") else ""
    file = None if link or options.file is None else Path(options.file)
    if file is not None and not file.is_file():
        parser.error(f"there is no file {file}")
    if find_spec("PySide6") is None:
        parser.error(INSTALL)
    if not has_display():
        parser.error("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set")
    try:
        from gomoku_brain.gui.window.app import run
    except ImportError as error:  # system libraries of Qt are missing
        parser.error(f"Qt cannot be loaded: {error} (docs/gui.md lists its libraries)")
    return run([], file, link)


def has_display() -> bool:
    """Return whether Qt can find a display. Without one it would abort the process."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
