"""What is wrong with a file or a pasted text, in the user's language.

Readers tell it in English, for commands and logs; the sentences that people meet are
known here, and for any other the reader's own words are given.
"""

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication

__all__ = ["expected", "reading_error"]

translate = QCoreApplication.translate


def expected() -> str:
    """What can be opened and pasted."""
    return translate(
        "FileErrors",
        "Expected: a game as PSQ, SGF or JSON, a list of moves like h8 i9, a picture of"
        " a board, or a BOARD block.",
    )


def reading_error(error: Exception, path: Path | None = None) -> str:
    """One line for what a reader did not like."""
    if path is not None and _is_binary(path):
        return translate("FileErrors", "it is no text file.")
    text = str(error)
    for pattern, said in _known():
        found = re.search(pattern, text)
        if found is not None:
            return said.format(*found.groups())
    return text


def _is_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False  # UTF-16 has a zero in every other place
    strange = sum(byte < 9 or 13 < byte < 32 for byte in start)
    return strange > len(start) // 20


def _known() -> tuple[tuple[str, str], ...]:
    """Patterns of the readers' sentences, and how they are told."""
    return (
        (r"No such file", translate("FileErrors", "there is no such file.")),
        (r"Is a directory", translate("FileErrors", "it is a folder.")),
        (r"Permission denied", translate("FileErrors", "you may not read it.")),
        (
            r"(\S+?),? (?:is|was)(?: already)? occupied",
            translate("FileErrors", "there is a stone on {0} already."),
        ),
        (
            r"line (\d+): not a move: '?([^']*)'?",
            translate("FileErrors", 'line {0}: "{1}" is no move.'),
        ),
        (
            r"not a move: '?([^']*)'?",
            translate("FileErrors", '"{0}" is no move.'),
        ),
        (
            r"(?i)nothing|empty|no moves|no game",
            translate("FileErrors", "there is no game in it."),
        ),
    )
