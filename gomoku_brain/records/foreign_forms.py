"""Formats of other programs and servers: recognition of the format of a text or a file.

``form_of`` recognises the supported formats. ``refuse_unread`` recognises the others
and names them in its error, so that no picture is refused as "not a move".
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gomoku_brain.records.form_reading import Line, Reading
from gomoku_brain.records.portal_games import (
    is_contest,
    is_pgn,
    read_contest,
    read_pgn,
)
from gomoku_brain.records.renjunet import is_renjunet, read_renjunet
from gomoku_brain.records.short_forms import (
    is_link,
    is_pos,
    is_rec,
    is_sav,
    is_web,
    read_link,
    read_pos,
    read_rec,
    read_sav,
    read_web,
)

__all__ = [
    "FORMS",
    "Form",
    "form_of",
    "pos_form",
    "refuse_unread",
    "refuse_unread_text",
]


class Form(NamedTuple):
    """Supported format."""

    name: str
    is_it: Callable[[str], bool]
    """Test that a text has the format, by its beginning."""
    read: Callable[[str, Reading], Iterator[Line]]


FORMS = (
    Form("link", is_link, read_link),
    Form("contest record", is_contest, read_contest),
    Form("PGN", is_pgn, read_pgn),
    Form("RenjuNet XML", is_renjunet, read_renjunet),
    Form("Yixin-Board .sav", is_sav, read_sav),
    Form("Gomotur .rec", is_rec, read_rec),
    Form("code of a web board", is_web, read_web),
)


def form_of(text: str) -> Form | None:
    """Return the format of a text; None for one of ours, and for an unknown one."""
    return next((form for form in FORMS if form.is_it(text)), None)


def pos_form(data: bytes) -> Callable[[Reading], Iterator[Line]] | None:
    """Return the reader of bytes in the format ``.pos``; None for other bytes."""
    return (lambda reading: read_pos(data, reading)) if is_pos(data) else None


_BINARY = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "packed with gzip: unpack it first"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive: unpack it first"),
    (b"Rar!", "a RAR archive: unpack it first"),
    (b"BZh", "packed with bzip2: unpack it first"),
    (b"\xfd7zXZ", "packed with xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd: unpack it first"),
    (b"\x04\x22\x4d\x18", "packed with LZ4, mostly a database of Rapfi or Yixin"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office program"),
    (b"MZ", "a program of Windows"),
    (b"\x7fELF", "a program of Linux"),
)
_WEB_PAGE = re.compile(r"\s*(?:<!doctype\s+html|<html|<head|<body|<svg)", re.IGNORECASE)
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROL_BYTES = re.compile(_CONTROL.pattern.encode())


def refuse_unread(data: bytes) -> None:
    """Raise ValueError for the bytes of an unsupported format, with its name."""
    is_binary = _CONTROL_BYTES.search(data[:512]) is not None
    for begin, name in _BINARY:
        if data.startswith(begin) and (len(begin) > 2 or is_binary):
            raise ValueError(f"{name} is not read")


def refuse_unread_text(text: str) -> None:
    """Raise ValueError for a text of an unsupported format, with its name."""
    if _WEB_PAGE.match(text):
        raise ValueError("a web page or a drawing is not read: save the game itself")
    if text.lstrip().startswith("<"):
        raise ValueError("XML of a kind other than RenjuNet's is not read")
    if _CONTROL.search(text[:2000]):
        raise ValueError("a binary file of a kind that is not known is not read")
