"""A proof as the brain plays from it: for each position the move and the distance.

A certificate has to be read whole before one of its positions can be found. A book is
made from a certificate that was checked in full: its positions as sorted records of
eleven bytes, in which one is found at once,

* eight bytes, high ones first: the canonical position (``Grid.canonical``) as one
  number, attacker + 2^512 defender, modulo a prime of 62 bits,
* two bytes, low one first: the bit number of the move in the canonical position,
* one byte: the single moves until the five, at most.

Before them stands one line of JSON: what the proof is of, its first position and move,
the replies to that move that are open, and the checksum of the certificate.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gomoku_brain.prove.grid import Grid

if TYPE_CHECKING:
    from gomoku_brain.prove.certificate import Certificate

__all__ = ["BookError", "ProofBook", "ProvedMove", "make_book"]

FORMAT = 2
KEY_BYTES = 8
RECORD_BYTES = KEY_BYTES + 3
MOST_PLIES = 255
DEFENDER_AT = 512  # above the bits of any attacker
# The first prime after the first 64 bits of pi's fraction: nothing relates it to the
# cells of a board, so positions share a key by chance only. A hash of ``hashlib`` would
# do as well, but its import alone takes 4 ms.
PRIME = 0x243F6A8885A308FD


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
    records: dict[bytes, bytes] = {}
    for entry, longest in zip(certificate.entries, plies, strict=True):
        if entry.open:
            continue
        first, second, turn = grid.canonical(entry.attacker, entry.defender)
        key = _key(first, second)
        if key in records:
            raise BookError("two positions have the same key")
        move = grid.images[turn][entry.move].to_bytes(2, "little")
        records[key] = move + bytes([min(longest, MOST_PLIES)])
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
    line = json.dumps(header, sort_keys=True).encode("ascii") + b"\n"
    return line + b"".join(key + records[key] for key in sorted(records))


def _key(attacker: int, defender: int) -> bytes:
    stones = attacker | defender << DEFENDER_AT
    return (stones % PRIME).to_bytes(KEY_BYTES, "big")


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
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BookError("not a book of a proof") from None
        self._start = len(line) + 1
        self._data = data
        if len(data) != self._start + RECORD_BYTES * self._count:
            raise BookError("a book of a proof that is cut off")

    def __len__(self) -> int:
        """Positions with a move."""
        return self._count

    def _stones(self, names: Sequence[str]) -> int:
        return sum(1 << self.grid.cell(name) for name in set(names))

    def find(self, attacker: int, defender: int) -> ProvedMove | None:
        """The move in a position with the winner to move; None when it is no entry."""
        first, second, turn = self.grid.canonical(attacker, defender)
        key = _key(first, second)
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._record(middle)[:KEY_BYTES] < key:
                low = middle + 1
            else:
                high = middle
        if low == self._count:
            return None
        record = self._record(low)
        cell = int.from_bytes(record[KEY_BYTES : KEY_BYTES + 2], "little")
        if record[:KEY_BYTES] != key or not self.grid.full >> cell & 1:
            return None
        cell = self.grid.images[self.grid.inverse[turn]][cell]
        if (attacker | defender) >> cell & 1:
            return None
        return ProvedMove(cell, record[-1])

    def _record(self, number: int) -> bytes:
        at = self._start + RECORD_BYTES * number
        return self._data[at : at + RECORD_BYTES]
