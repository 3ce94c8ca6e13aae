"""A proof as the brain plays from it: for each position the move and the distance.

A certificate has to be read whole before one of its positions can be found; in a book
a position is found without that. A book is made from a certificate that was checked in
full. The *key* of a position is its canonical image (``Grid.canonical``) as one number,
attacker + 2^512 defender, modulo a prime of 62 bits. A book has three parts:

* One line of JSON: what the proof is of, its first position and move, the replies to
  that move that are open, the checksum of the certificate, and a checksum of the book.
* An index: for each value of a key's 14 high bits the number of the first record with
  that value or a higher one, and at the end the number of records; three bytes each,
  the low one first.
* A record for each position, sorted by their keys: the 48 low bits of the key, the high
  byte first; the move in the canonical image, its cell counted row by row, as one byte
  where the board has at most 256 cells and otherwise two, the low one first; and one
  byte for the single moves until the five, at most.
"""

import json
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from gomoku_brain.prove.grid import Grid

if TYPE_CHECKING:
    from gomoku_brain.prove.certificate import Certificate

__all__ = ["BookError", "ProofBook", "ProvedMove", "make_book"]

FORMAT = 3
KEY_BYTES = 6  # of a key, in a record
INDEX_BYTES = 3
MOST_RECORDS = (1 << 8 * INDEX_BYTES) - 1
MOST_PLIES = 255
DEFENDER_AT = 512  # above the bits of any attacker
# The first prime after the first 64 bits of pi's fraction: nothing relates it to the
# cells of a board, so positions share a key by chance only. A hash of ``hashlib`` would
# do as well, but its import alone takes 4 ms.
PRIME = 0x243F6A8885A308FD
BUCKETS = (PRIME >> 8 * KEY_BYTES) + 1  # values of a key's high bits


class BookError(ValueError):
    """Bytes that are no book; one line says why."""


class ProvedMove(NamedTuple):
    """What a book says of a position."""

    cell: int
    """The bit number of the move."""
    plies: int
    """Single moves until the five, this one included, at most."""


def make_book(certificate: "Certificate", plies: Sequence[int]) -> bytes:
    """The book of a certificate; ``plies`` tells the longest win from each entry on.

    The first position is left out while replies to its move are open.
    Raises BookError when two positions cannot be told apart.
    """
    grid = Grid(certificate.width, certificate.height)
    cell_bytes = _cell_bytes(grid)
    records: dict[int, bytes] = {}
    for entry, longest in zip(certificate.entries, plies, strict=True):
        if entry.open:
            continue
        first, second, turn = grid.canonical(entry.attacker, entry.defender)
        key = _key(first, second)
        if key in records:
            raise BookError("two positions have the same key")
        y, x = divmod(grid.images[turn][entry.move], grid.stride)
        move = (y * grid.width + x).to_bytes(cell_bytes, "little")
        records[key] = move + bytes([min(longest, MOST_PLIES)])
    if len(records) > MOST_RECORDS:
        raise BookError(f"a book holds at most {MOST_RECORDS} positions")
    header = {
        "proof_book": FORMAT,
        "rule": certificate.rule,
        "width": certificate.width,
        "height": certificate.height,
        "winner": certificate.winner,
        "entries": len(records),
        "certificate": certificate.digest,
        "start": [grid.names(stones) for stones in certificate.start],
        "move": grid.name(certificate.entries[0].move) if certificate.entries else "",
        "open": grid.names(certificate.entries[0].open) if certificate.entries else [],
    }
    keys = sorted(records)
    index = [
        bisect_left(keys, bucket << 8 * KEY_BYTES).to_bytes(INDEX_BYTES, "little")
        for bucket in range(BUCKETS + 1)
    ]
    body = b"".join((*index, *(_low_bits(key) + records[key] for key in keys)))
    return _line(header | {"crc32": _checksum(header, body)}) + body


def _line(header: dict[str, object]) -> bytes:
    return json.dumps(header, sort_keys=True).encode("ascii") + b"\n"


def _checksum(header: dict[str, object], body: bytes) -> int:
    """Of all of a book but this number; against damage, and not against forgers."""
    return crc32(body, crc32(_line(header)))


def _key(attacker: int, defender: int) -> int:
    return (attacker | defender << DEFENDER_AT) % PRIME


def _low_bits(key: int) -> bytes:
    """What a record holds of a key."""
    return (key % (1 << 8 * KEY_BYTES)).to_bytes(KEY_BYTES, "big")


def _cell_bytes(grid: Grid) -> int:
    """How many bytes a record has for a cell."""
    return 1 if grid.width * grid.height <= 256 else 2


class ProofBook:
    """Finds positions in a book."""

    def __init__(self, data: bytes) -> None:
        """``data``: what ``make_book`` made. Raises BookError for anything else."""
        line, newline, _ = data.partition(b"\n")
        try:
            header = json.loads(line)
            version = header["proof_book"]
            if type(version) is int and version != FORMAT:
                raise BookError(
                    "a book of a proof of another version: make it again by"
                    " prove --check FILE --book OUT"
                )
            if version != FORMAT or not newline:
                raise KeyError
            if header.pop("crc32") != _checksum(header, data[len(line) + 1 :]):
                raise BookError("a damaged book of a proof")
            self.rule = str(header["rule"])
            self.winner = str(header["winner"])
            self.grid = Grid(int(header["width"]), int(header["height"]))
            self._count = int(header["entries"])
            attacker, defender = (self._stones(names) for names in header["start"])
            self.start = attacker, defender
            """The first position of the proof."""
            self.move = self.grid.cell(header["move"]) if header["move"] else None
            """The move in it; None where it is won by threats."""
            self.open = self._stones(header["open"])
            """The replies to that move of which nothing is known, as bits."""
        except BookError:
            raise
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
            raise BookError("not a book of a proof") from None
        self._index = len(line) + 1
        self._start = self._index + INDEX_BYTES * (BUCKETS + 1)
        self._record_bytes = KEY_BYTES + _cell_bytes(self.grid) + 1
        self._data = data

    def __len__(self) -> int:
        """Positions with a move."""
        return self._count

    def _stones(self, names: Sequence[str]) -> int:
        return sum(1 << self.grid.cell(name) for name in set(names))

    def find(self, attacker: int, defender: int) -> ProvedMove | None:
        """The move in a position with the winner to move; None when it is no entry."""
        first, second, turn = self.grid.canonical(attacker, defender)
        key = _key(first, second)
        bits = _low_bits(key)
        bucket = key >> 8 * KEY_BYTES
        low, end = self._first(bucket), self._first(bucket + 1)
        high = end
        while low < high:
            middle = (low + high) // 2
            if self._record(middle)[:KEY_BYTES] < bits:
                low = middle + 1
            else:
                high = middle
        record = self._record(low)
        if low == end or record[:KEY_BYTES] != bits:
            return None
        y, x = divmod(int.from_bytes(record[KEY_BYTES:-1], "little"), self.grid.width)
        image = self.grid.images[self.grid.inverse[turn]]
        cell = image[y * self.grid.stride + x]
        if (attacker | defender) >> cell & 1:
            return None  # another position with the same key
        return ProvedMove(cell, record[-1])

    def _first(self, bucket: int) -> int:
        """The number of the first record of a bucket, or of a later one."""
        at = self._index + INDEX_BYTES * bucket
        return int.from_bytes(self._data[at : at + INDEX_BYTES], "little")

    def _record(self, number: int) -> bytes:
        at = self._start + self._record_bytes * number
        return self._data[at : at + self._record_bytes]
