"""Error messages about files and pasted texts, in the user's language.

The readers report errors in English, for commands and logs. This module translates the
common ones. For other errors it shows the English message.
"""

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication

__all__ = ["expected", "reading_error"]

translate = QCoreApplication.translate

# A reader's message begins with the name and, if known, the line: "game.sgf:3: a pass
# ..".
_PLACE = re.compile(
    r"(?:.*?:)?(?:line )?(?P<line>\d+): (?:'[^']*': )?(?P<what>.+)", re.DOTALL
)


def expected() -> str:
    """Describe the formats that can be opened and pasted."""
    return translate(
        "FileErrors",
        "Expected: a game as PSQ, SGF or JSON, a list of moves like h8 i9, a picture of"
        " a board, or a BOARD block.",
    )


def reading_error(error: Exception, path: Path | None = None) -> str:
    """Describe the error of a reader in one line, with the line of the file."""
    if path is not None and not _names_form(error) and _is_binary(path):
        return translate("FileErrors", "it is not a text file.")
    place, what = "", str(error)
    found = _PLACE.match(what)
    if found is not None:
        what = found["what"]
        if path is not None:
            line = translate("FileErrors", "line {0}: ")
            place = line.format(found["line"])
    for pattern, text in _known():
        match = re.search(pattern, what)
        if match is not None:
            return place + text.format(*match.groups())
    return place + what


def _names_form(error: Exception) -> bool:
    """Return whether a message names the form of a file that is not read."""
    text = str(error)
    return "is not read" in text and "a kind that is not known" not in text


def _is_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False  # in UTF-16 every second byte is zero
    strange = sum(byte < 9 or 13 < byte < 32 for byte in start)
    return strange > len(start) // 20


def _known() -> tuple[tuple[str, str], ...]:
    """Return patterns of the readers' messages, with their translations."""
    return (
        (r"No such file", translate("FileErrors", "there is no such file.")),
        (r"Is a directory|is a folder", translate("FileErrors", "it is a folder.")),
        (
            r"Permission denied",
            translate("FileErrors", "you have no permission to read it."),
        ),
        # moves
        (
            r"move (\d+),? ?([a-z]+\d+)?:? .*occupied",
            translate("FileErrors", "move {0}: there is a stone already."),
        ),
        (
            r"(\S+?),? (?:is|was)(?: already)? occupied",
            translate("FileErrors", "there is a stone on {0} already."),
        ),
        (
            r"move (\d+).* off the (\d+)x(\d+) board",
            translate("FileErrors", "move {0} is off the board of {1} x {2} cells."),
        ),
        (
            r"not a move: '?([^']*)'?",
            translate("FileErrors", '"{0}" is not a move.'),
        ),
        (
            r"'([^']*)' is no point",
            translate(
                "FileErrors", '"{0}" is not a move of SGF: write two letters, like hh.'
            ),
        ),
        (
            r"^a pass\b|a side passes|sides pass",
            translate("FileErrors", "a side passes, which is not possible in Gomoku."),
        ),
        (
            r"moves out of turn|moves twice in a row|it is the other's turn",
            translate("FileErrors", "a side moves in the other side's turn."),
        ),
        # boards
        (
            r"board size (\d+)x(\d+)",
            translate(
                "FileErrors",
                "the board has {0} x {1} cells; possible are 5 to 22 cells a side.",
            ),
        ),
        (
            r"the picture shows (\d+)x(\d+) cells",
            translate(
                "FileErrors",
                "the picture shows {0} x {1} cells, which is not the"
                " size of the board.",
            ),
        ),
        (
            r"SZ\[([^\]]*)\] is no board",
            translate("FileErrors", "SZ[{0}] is not a board size."),
        ),
        (
            r"GM\[([^\]]*)\] is not our game",
            translate("FileErrors", "it is another game, GM[{0}]; Gomoku is GM[4]."),
        ),
        (
            r"PL\[([^\]]*)\] is no side",
            translate("FileErrors", "PL[{0}] is not a side; write B or W."),
        ),
        (
            r"set up in the middle|changes the board within",
            translate("FileErrors", "the board changes in the middle of the game."),
        ),
        # forms
        (
            r"SGF begins with|a game tree begins with",
            translate("FileErrors", "a game of SGF begins with (;"),
        ),
        (r"^(\w+) has no value", translate("FileErrors", "{0} has no value, [..].")),
        (
            r"'(.)' was not expected",
            translate("FileErrors", 'unexpected character: "{0}".'),
        ),
        (
            r"no head like|no such board or player",
            translate(
                "FileErrors", "a PSQ file begins like this: Piskvorky 15x15, 11:11, 0"
            ),
        ),
        (r"broken JSON", translate("FileErrors", "it is not complete JSON.")),
        (
            r'neither "black" and "white" nor "moves"',
            translate(
                "FileErrors", 'JSON must contain "moves", or "black" and "white".'
            ),
        ),
        (
            r'^"(\w+)" has (.+), not a cell',
            translate("FileErrors", '"{0}" contains {1}, which is not a cell.'),
        ),
        (r"nested too deeply", translate("FileErrors", "it is nested too deeply.")),
        (
            r"BOARD has no DONE",
            translate("FileErrors", "the BOARD block has no DONE at its end."),
        ),
        (
            r"not understood: '?([^']*)'?",
            translate("FileErrors", '"{0}" is not understood.'),
        ),
        (
            r"(?i)nothing|empty|no moves|no game|no position",
            translate("FileErrors", "there is no game in it."),
        ),
    )
