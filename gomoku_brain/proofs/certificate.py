"""Certificates: files that prove a win of the side to move against every defence.

``docs/proof.md`` describes the format. This module reads and writes it, and uses only
cells and stones (``grid`` defines their notation); the checker uses the rules. All
three are plain Python and import nothing of this package but each other, so that a
fault in the engine cannot affect them.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.proofs.grid import RULES, SIDES, Grid, Position

__all__ = [
    "Certificate",
    "CertificateError",
    "Entry",
    "decode",
    "encode",
    "read",
]

FORMAT = 1
MOST_BYTES = 1 << 28  # of the entries of a file, before compression


class CertificateError(ValueError):
    """Error for a file that is no certificate or is damaged, with the place in one
    line.
    """


class Entry(NamedTuple):
    """Position of a certificate and the move in it."""

    attacker: int
    """Stones of the attacker, who is to move."""
    defender: int
    move: int
    """Bit number of the attacker's move."""
    replies: tuple[tuple[int, int], ...]
    """Replies whose position has an entry: the reply's bit number, and its index."""
    open: int = 0
    """Replies without an answer, as bits; only the first entry can have some."""


class Certificate(NamedTuple):
    """Content of a certificate."""

    rule: str
    """"freestyle" (five or more win) or "standard" (exactly five wins)."""
    width: int
    height: int
    winner: str
    """"black" or "white": the attacker, to move in the first position."""
    start: Position
    entries: tuple[Entry, ...]
    """Entries, the start's first, each before the entries of its replies.

    Empty if the start is left to the checker's search for threats.
    """
    maker: str
    digest: str
    """SHA-256 of the whole content, in hexadecimal digits."""


# Writing ------------------------------------------------------------------------------

Book = Mapping[Position, tuple[int, tuple[int, ...]]]
"""Canonical positions with the attacker's move, and its replies with entries of their
own.
"""


def encode(
    rule: str,
    grid: Grid,
    winner: str,
    start: Position,
    book: Book,
    maker: str,
    open_replies: int = 0,
) -> bytes:
    """Return the file for the part of a book that is reached from the start.

    ``open_replies``: replies to the first move without an answer, as bits. Raises
    CertificateError if a reply leads to a position that the book lacks.
    """
    if rule not in RULES:
        raise CertificateError(f"no certificates for the rule {rule}")
    size = _cell_bytes(grid)
    index = {cell: k for k, cell in enumerate(grid.cells())}
    body = bytearray()
    seen: set[Position] = set()
    waiting = [start] if grid.canonical(*start)[:2] in book else []
    while waiting:
        attacker, defender = waiting.pop()
        first, second, symmetry = grid.canonical(attacker, defender)
        if (first, second) in seen:
            continue
        seen.add((first, second))
        if (first, second) not in book:
            raise CertificateError("an entry of the book leads to none")
        move, replies = book[first, second]
        back = grid.images[grid.inverse[symmetry]]
        move = back[move]
        cells = sorted(back[reply] for reply in replies)
        body += index[move].to_bytes(size, "little")
        body += len(cells).to_bytes(size, "little")
        for cell in cells:
            body += index[cell].to_bytes(size, "little")
        waiting += [
            (attacker | 1 << move, defender | 1 << cell) for cell in reversed(cells)
        ]
    header = _header(rule, grid, winner, start, len(seen), maker)
    if open_replies:
        header["open"] = grid.names(open_replies)
    digest = hashlib.sha256(_line(header) + body).hexdigest()
    return _line({**header, "sha256": digest}) + zlib.compress(bytes(body), 9)


def _header(
    rule: str, grid: Grid, winner: str, start: Position, entries: int, maker: str
) -> dict[str, object]:
    attacker, defender = start
    loser = SIDES[1 - SIDES.index(winner)]
    return {
        "certificate": FORMAT,
        "rule": rule,
        "width": grid.width,
        "height": grid.height,
        "winner": winner,
        winner: grid.names(attacker),
        loser: grid.names(defender),
        "entries": entries,
        "maker": maker,
    }


def _line(header: Mapping[str, object]) -> bytes:
    return json.dumps(header, sort_keys=True).encode("ascii") + b"\n"


def _cell_bytes(grid: Grid) -> int:
    """Return the bytes of a cell's number, and of the number of cells."""
    return 1 if grid.width * grid.height < 256 else 2


# Reading ------------------------------------------------------------------------------


def read(path: Path) -> Certificate:
    """Return the certificate in a file. Raises OSError or CertificateError."""
    return decode(path.read_bytes())


def decode(data: bytes) -> Certificate:
    """Return a certificate from the bytes of a file. Raises CertificateError."""
    line, newline, packed = data.partition(b"\n")
    header = _parse(line if newline else b"")
    unpack = zlib.decompressobj()
    try:
        body = unpack.decompress(packed, MOST_BYTES)
    except zlib.error:
        raise CertificateError("damaged: the entries cannot be unpacked") from None
    if not unpack.eof:
        raise CertificateError(
            "cut off: the entries are too large"
            if unpack.unconsumed_tail
            else "cut off: the end of the entries is missing"
        )
    if unpack.unused_data:
        raise CertificateError("damaged: something follows the entries")
    digest = header.pop("sha256", None)
    try:
        rule, winner = str(header["rule"]), str(header["winner"])
        grid = Grid(_number(header["width"]), _number(header["height"]))
        if rule not in RULES:
            raise ValueError(f"no rule {rule!r}")
        if winner not in SIDES:
            raise ValueError(f"no side {winner!r}")
        stones = {side: _stones(grid, header[side]) for side in SIDES}
        count, maker = _number(header["entries"]), str(header["maker"])
        open_replies = _stones(grid, header.get("open", []))
    except KeyError as error:
        raise CertificateError(f"the first line lacks {error}") from None
    except ValueError as error:
        raise CertificateError(f"the first line names {error}") from None
    if stones["black"] & stones["white"]:
        raise CertificateError("the first line names a cell for both sides")
    attacker = stones.pop(winner)
    (defender,) = stones.values()
    start = attacker, defender
    entries = tuple(_entries(grid, start, body, count))
    if open_replies and not entries:
        raise CertificateError("the first line names open replies to no move")
    if open_replies:
        entries = (entries[0]._replace(open=open_replies), *entries[1:])
    if hashlib.sha256(_line(header) + body).hexdigest() != digest:
        raise CertificateError("damaged: the checksum is another")
    return Certificate(
        rule, grid.width, grid.height, winner, start, entries, maker, str(digest)
    )


def _parse(line: bytes) -> dict[str, object]:
    try:
        header = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or "certificate" not in header:
        raise CertificateError("not a certificate")
    if header["certificate"] != FORMAT:
        raise CertificateError(f"a certificate of format {header['certificate']!r}")
    return header


def _number(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"the number {value!r}")
    return value


def _stones(grid: Grid, names: object) -> int:
    stones = 0
    if not isinstance(names, list):
        raise ValueError(f"the stones {names!r}")
    for name in names:
        stone = 1 << grid.cell(str(name))
        if stones & stone:
            raise ValueError(f"{name} twice")
        stones |= stone
    return stones


class _Reply(NamedTuple):
    """Listed reply whose position is still to be read."""

    entry: int
    place: int
    cell: int
    position: Position


def _entries(grid: Grid, start: Position, body: bytes, count: int) -> list[Entry]:
    """Return the entries, each with the stones of the first way to its position."""
    size, cells, at = _cell_bytes(grid), list(grid.cells()), 0

    def number() -> int:
        nonlocal at
        if at + size > len(body):
            raise CertificateError(f"{where}: the file ends here")
        at += size
        return int.from_bytes(body[at - size : at], "little")

    def cell(occupied: int, what: str) -> int:
        value = number()
        if value >= len(cells):
            raise CertificateError(f"{where}: {what} is off the board")
        if occupied >> cells[value] & 1:
            raise CertificateError(
                f"{where}: {what} {grid.name(cells[value])} is not on an empty cell"
            )
        return cells[value]

    known: dict[Position, int] = {}
    heads: list[tuple[int, int, int]] = []
    links: list[list[tuple[int, int]]] = []
    waiting = [_Reply(-1, 0, 0, start)] if count else []
    while waiting:
        entry, place, reply, (attacker, defender) = waiting.pop()
        key = grid.canonical(attacker, defender)[:2]
        if key in known:
            links[entry][place] = (reply, known[key])
            continue
        mine = known[key] = len(heads)
        if entry >= 0:
            links[entry][place] = (reply, mine)
        where = f"entry {mine + 1} of {count}"
        if mine >= count:
            raise CertificateError(f"{where}: the first line states fewer entries")
        stones = attacker | defender
        move = cell(stones, "the move")
        heads.append((attacker, defender, move))
        listed: list[int] = []
        for _ in range(number()):
            answer = cell(stones | 1 << move, "the reply")
            if listed and answer <= listed[-1]:
                raise CertificateError(
                    f"{where}: the reply {grid.name(answer)} is out of order"
                )
            listed.append(answer)
        links.append([(answer, -1) for answer in listed])
        waiting += [
            _Reply(
                mine, k, listed[k], (attacker | 1 << move, defender | 1 << listed[k])
            )
            for k in reversed(range(len(listed)))
        ]
    if len(heads) != count:
        raise CertificateError(f"{len(heads)} entries, not {count} as stated")
    if at != len(body):
        raise CertificateError("damaged: something follows the last entry")
    return [Entry(*head, tuple(link)) for head, link in zip(heads, links, strict=True)]
