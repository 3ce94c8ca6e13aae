"""Start the board of the folder that needs no Python: ``gomoku-board [FILE]``.

On Linux ``gomoku-board --add-to-menu`` adds the board to the menu of the desktop, and
``--remove-from-menu`` removes it. ``--self-check FILE`` tries everything
(board_check.py).
"""

import multiprocessing
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

from gomoku_brain.__main__ import main as run_command

ENTRY = """\
[Desktop Entry]
Type=Application
Name=Gomoku Brain
Name[zh_CN]=五子棋 Gomoku Brain
Name[cs]=Piškvorky Gomoku Brain
Comment=Play, watch and study five in a row
Exec="{program}" %f
Icon={folder}/gomoku-board.png
Categories=Game;BoardGame;
StartupWMClass=gomoku-board
"""


def restore(variables: MutableMapping[str, str]) -> None:
    """Restore the variables that PyInstaller has set for this program.

    The programs of other authors, which the board starts, would otherwise load our
    libraries instead of their own.
    """
    before = variables.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        variables["LD_LIBRARY_PATH"] = before
    elif sys.platform == "linux":
        variables.pop("LD_LIBRARY_PATH", None)
    if sys.platform != "darwin":  # PySide6 itself finds its plugins
        for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):
            variables.pop(name, None)


def restore_library_search() -> None:
    """On Windows let programs that are started from here not find our libraries.

    PyInstaller adds its folder to the search, and Windows passes that on. A library for
    64 bits there would keep a program of 32 bits from its start.
    """
    if sys.platform == "win32" and (contents := getattr(sys, "_MEIPASS", "")):
        import ctypes

        os.add_dll_directory(contents)  # for our own modules; this is not passed on
        ctypes.windll.kernel32.SetDllDirectoryW(None)


def menu_entry() -> Path:
    """Return the path of the user's entry in the menu of a Linux desktop."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data, "applications", "gomoku-board.desktop")


def add_to_menu(program: Path) -> None:
    """Write the entry for the program in this folder."""
    entry = menu_entry()
    entry.parent.mkdir(parents=True, exist_ok=True)
    text = ENTRY.format(program=program, folder=program.parent)
    entry.write_text(text, encoding="utf-8")
    print(f"added: {entry}")


def remove_from_menu() -> None:
    """Remove the entry, if there is one."""
    entry = menu_entry()
    entry.unlink(missing_ok=True)
    print(f"removed: {entry}")


def main(arguments: list[str]) -> int:
    """Show the board until it is closed; the exit status."""
    restore(os.environ)
    restore_library_search()
    if sys.platform == "linux" and arguments == ["--add-to-menu"]:
        add_to_menu(Path(sys.executable))
        return 0
    if sys.platform == "linux" and arguments == ["--remove-from-menu"]:
        remove_from_menu()
        return 0
    if arguments[:1] == ["--self-check"] and len(arguments) == 2:
        import board_check

        return board_check.main(Path(arguments[1]))
    if arguments == ["--version"]:
        return run_command(arguments)
    return run_command(["gui", *arguments])


if __name__ == "__main__":
    multiprocessing.freeze_support()  # a worker process runs this program once more
    raise SystemExit(main(sys.argv[1:]))
