"""Proof as a book for the engine: for each position the move and the distance.

A certificate must be read completely before one of its positions can be found; in a
book a position is found directly. A book is made from a certificate that was checked
completely. The *key* of a position is its canonical image (``Grid.canonical``) as one
number, attacker + 2^512 defender, modulo a prime of 52 bits. A book has three parts:

* One line of JSON: rule, size, first position and move of the proof, the open replies
  to that move, the checksum of the certificate, and a checksum of the book.
* An index: for each value of a key's 17 high bits one byte, the number of records of
  positions with such keys. Before every 256 of these bytes stand four, the high one
  first: the number of records before all those that the 256 bytes count.
* A record for each position, sorted by their keys: a number of six bytes, or of seven
  if six are too few, the high byte first. Its high 35 bits are the low ones of the
  key. The others are cell + cells * turns: the cell of the move in the canonical image,
  counted row by row, the cells of the board, and the attacker's most turns to the one
  that makes the five, this one included; 0 if they are not known.
"""

import json
from collections.abc import Sequence
from zlib import crc32

from gomoku_brain.dataclass import dataclass
from gomoku_brain.proofs.grid import RULES, SIDES, Grid

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.proofs.certificate import Certificate

__all__ = ["BookError", "ProofBook", "ProvedMove", "make_book"]

FORMAT = 4
LOW_BITS = 35  # of a key, which a record contains
LOW = (1 << LOW_BITS) - 1
RECORD_BYTES = (6, 7)
DEFENDER_AT = 512  # above the bits of any attacker
# The first prime after the first 52 bits of pi: it has no relation to the cells of a
# board, so positions share a key by chance only. A book of 400,000 positions mistakes
# one in 10^10 other positions for its own. A hash of ``hashlib`` would do as well, but
# its import alone takes 4 ms.
PRIME = 0xC90FDAA22168F
BLOCK = 256  # values of a key's high bits
BLOCKS = (PRIME >> LOW_BITS) // BLOCK + 1
START_BYTES = 4  # before the bytes of a block
INDEX_BYTES = BLOCKS * (START_BYTES + BLOCK)
MAX_IN_BUCKET = 255
BROKEN = (RecursionError, OverflowError)  # errors that forged JSON can cause


class BookError(ValueError):
    """Error for bytes that are no book, with the reason in one line."""


@dataclass(frozen=True, slots=True)
class ProvedMove:
    """Entry of a book for a position."""

    cell: int
    """Bit number of the move."""
    plies: int
    """Most single moves to the five, this one included; 0: not known."""


def make_book(certificate: "Certificate", plies: Sequence[int]) -> bytes:
    """Return the book of a certificate.

    ``plies`` has the longest win from each entry on, an odd number, or 0 if it is not
    known. The first position is left out while replies to its move are open. Raises
    BookError if two positions have the same key.
    """
    grid = Grid(certificate.width, certificate.height)
    cells = grid.width * grid.height
    values: dict[int, int] = {}
    for entry, longest in zip(certificate.entries, plies, strict=True):
        if entry.open:
            continue
        first, second, turn = grid.canonical(entry.attacker, entry.defender)
        key = _key(first, second)
        if key in values:
            raise BookError("two positions have the same key")
        y, x = divmod(grid.images[turn][entry.move], grid.stride)
        values[key] = y * grid.width + x + cells * ((longest + 1) // 2)
    maximum = max(values.values(), default=0)
    size = next(n for n in RECORD_BYTES if maximum < 1 << 8 * n - LOW_BITS)
    counts = [0] * (BLOCKS * BLOCK)
    for key in values:
        counts[key >> LOW_BITS] += 1
    if max(counts) > MAX_IN_BUCKET:
        raise BookError("too many positions have keys with the same high bits")
    header = {
        "proof_book": FORMAT,
        "rule": certificate.rule,
        "width": certificate.width,
        "height": certificate.height,
        "winner": certificate.winner,
        "entries": len(values),
        "record_bytes": size,
        "certificate": certificate.digest,
        "start": [grid.names(stones) for stones in certificate.start],
        "move": grid.name(certificate.entries[0].move) if certificate.entries else "",
        "open": grid.names(certificate.entries[0].open) if certificate.entries else [],
    }
    records = (
        ((key & LOW) << 8 * size - LOW_BITS | values[key]).to_bytes(size, "big")
        for key in sorted(values)
    )
    index, before = bytearray(), 0
    for at in range(0, BLOCKS * BLOCK, BLOCK):
        block = counts[at : at + BLOCK]
        index += before.to_bytes(START_BYTES, "big") + bytes(block)
        before += sum(block)
    body = bytes(index) + b"".join(records)
    return _line(header | {"crc32": _checksum(header, body)}) + body


def _line(header: dict[str, object]) -> bytes:
    return json.dumps(header, sort_keys=True).encode("ascii") + b"\n"


def _checksum(header: dict[str, object], body: bytes | memoryview) -> int:
    """Return the checksum of a book without this number; it detects damage, not
    forgery.
    """
    return crc32(body, crc32(_line(header)))


def _key(attacker: int, defender: int) -> int:
    return (attacker | defender << DEFENDER_AT) % PRIME


class ProofBook:
    """Book in which positions can be found."""

    def __init__(self, data: bytes) -> None:
        """Open the bytes that ``make_book`` returned. Raises BookError for other
        bytes.
        """
        # No part of the data is copied: a book has megabytes, and may be opened on the
        # time of a move.
        self._index = data.find(b"\n") + 1
        try:
            header = json.loads(data[: self._index])
            version = header["proof_book"]
            if type(version) is int and version != FORMAT:
                raise BookError(
                    "a book of a proof of another version: make it again by"
                    " prove --check FILE --book OUT"
                )
            if version != FORMAT:
                raise KeyError
            body = memoryview(data)[self._index :]
            if header.pop("crc32") != _checksum(header, body):
                raise BookError("a damaged book of a proof")
            self.rule, self.winner = header["rule"], header["winner"]
            if self.rule not in RULES or self.winner not in SIDES:
                raise KeyError
            self.grid = Grid(int(header["width"]), int(header["height"]))
            self._count = int(header["entries"])
            self._size = int(header["record_bytes"])
            end = self._index + INDEX_BYTES + self._size * self._count
            if self._size not in RECORD_BYTES or len(data) != end:
                raise KeyError
            attacker, defender = (self._stones(names) for names in header["start"])
            self.start = attacker, defender
            """First position of the proof."""
            self.move = self.grid.cell(header["move"]) if header["move"] else None
            """Move in the first position; None if threats win it."""
            self.open = self._stones(header["open"])
            """Replies to that move without an answer, as bits."""
            move = 0 if self.move is None else 1 << self.move
            taken = attacker | defender
            if attacker & defender or taken & move or (taken | move) & self.open:
                raise KeyError
        except BookError:
            raise
        except (LookupError, TypeError, AttributeError, ValueError, *BROKEN):
            raise BookError("not a book of a proof") from None
        self._data = data

    def __len__(self) -> int:
        """Return the number of positions with a move."""
        return self._count

    def _stones(self, names: Sequence[str]) -> int:
        return sum(1 << self.grid.cell(name) for name in set(names))

    def find(self, attacker: int, defender: int) -> ProvedMove | None:
        """Return the move in a position with the winner to move; None if it is no
        entry.
        """
        first, second, turn = self.grid.canonical(attacker, defender)
        key = _key(first, second)
        block, number = divmod(key >> LOW_BITS, BLOCK)
        at = self._index + block * (START_BYTES + BLOCK)
        counts = self._data[at + START_BYTES : at + START_BYTES + BLOCK]
        start = int.from_bytes(self._data[at : at + START_BYTES], "big")
        start += sum(counts[:number])
        value_bits = 8 * self._size - LOW_BITS
        for place in range(start, start + counts[number]):
            at = self._index + INDEX_BYTES + self._size * place
            record = int.from_bytes(self._data[at : at + self._size], "big")
            if record >> value_bits == key & LOW:
                break
        else:
            return None
        turns, cell = divmod(
            record & (1 << value_bits) - 1, self.grid.width * self.grid.height
        )
        y, x = divmod(cell, self.grid.width)
        image = self.grid.images[self.grid.inverse[turn]]
        cell = image[y * self.grid.stride + x]
        if (attacker | defender) >> cell & 1:
            return None  # another position with the same key
        return ProvedMove(cell, max(0, 2 * turns - 1))
