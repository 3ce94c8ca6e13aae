"""Find, check and read weights files. Files are package data, read by the loader that
brought this module, so that a zip or a frozen program works as well."""

import os
import sys
from array import array

TYPE_CHECKING = False  # typing's own costs a brain milliseconds of its start
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CLASS_NAMES",
    "RANK_NAMES",
    "TEMPO_NAMES",
    "class_tuples",
    "pack_fitted",
    "pack_hand_weights",
    "read_classical",
    "read_fitted",
    "split_fitted",
    "unpack_fitted",
]

MAGIC = "gomoku-brain classical 1"
FITTED_MAGIC = b"gomoku-brain classical 2"
TEMPO_BITS = 11
RULE_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro-exact"}
CLASS_NAMES = "DEAD B1 F1 B2 F2 F2A F2B B3 F3 F3S B4 F4 F5 OL".split()
RANK_NAMES = (
    "NONE FOUL TWO BLOCKED_THREE TWO_TWO BLOCKED_THREE_PLUS THREE THREE_PLUS THREE_TWO"
    " MAYBE_THREE_TWO MAYBE_FOUR_THREE_TWO FOUR FOUR_PLUS FOUR_THREE FOUR_OPEN FIVE"
).split()
TEMPO_NAMES = (
    "other_five own_open_four other_open_four own_four_three own_four own_three_two"
    " own_three other_four_three other_four other_three_two other_three"
).split()

NAMES = {"class": CLASS_NAMES, "rank": RANK_NAMES, "tempo": TEMPO_NAMES}
MOST = 2500  # so that a cell's score, ten such numbers, fits into 16 bits

Rows = list[list[int]]


def read_data(name: str) -> bytes:
    """The bytes of a file in the package's data folder. Raises OSError."""
    loader: Any = getattr(__spec__, "loader", None)
    data: bytes = loader.get_data(
        os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", name)
    )
    return data


def read_classical(text: str | None = None) -> tuple[Rows, Rows, list[int]]:
    """Class and rank values (rows of attack, defend, mover, waiter), tempo terms.

    Raises ValueError, with the line, for anything unexpected or missing.
    """
    if text is None:
        text = read_data("classical.txt").decode("ascii")
    header, _, body = text.partition("\n")
    if header.rstrip() != MAGIC:
        raise ValueError(f"classical weights: expected {MAGIC!r}, found {header!r}")
    found: dict[tuple[str, str], list[int]] = {}
    for line in body.splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        kind, name = (*words, "")[:2]
        if name and name not in NAMES.get(kind, ()):
            raise ValueError(f"classical weights: unknown line {line!r}")
        try:
            values = [int(word) for word in words[2:]]
        except ValueError:
            values = []
        if (
            not name
            or len(values) != (1 if kind == "tempo" else 4)
            or any(abs(value) > MOST for value in values)
        ):
            raise ValueError(f"classical weights: bad line {line!r}")
        found[kind, name] = values
    for kind, names in NAMES.items():
        for name in names:
            if (kind, name) not in found:
                raise ValueError(f"classical weights: no line for '{kind} {name}'")
    classes = [found["class", name] for name in CLASS_NAMES]
    ranks = [found["rank", name] for name in RANK_NAMES]
    tempo = [found["tempo", name][0] for name in TEMPO_NAMES]
    return classes, ranks, tempo


def class_tuples() -> list[tuple[int, int, int, int]]:
    """The four classes of each kind of cell, in the order of the kinds' numbers."""
    return [
        (a, b, c, d)
        for a in range(len(CLASS_NAMES))
        for b in range(a + 1)
        for c in range(b + 1)
        for d in range(c + 1)
    ]


def pack_hand_weights(ranks: list[bytes]) -> bytes:
    """The hand weights as 16-bit numbers (see ``classical.fill_weights``).

    ``ranks``: for black and for white, the rank of every kind of cell.
    """
    classes, by_rank, tempo = read_classical()
    numbers = array("h")
    for side in range(2):
        for kind, members in enumerate(class_tuples()):
            for role in range(4):
                numbers.append(
                    by_rank[ranks[side][kind]][role]
                    + sum(classes[member][role] for member in members)
                )
        for index in range(1 << TEMPO_BITS):
            numbers.append(sum(tempo[k] for k in range(TEMPO_BITS) if index >> k & 1))
    return numbers.tobytes()


def pack_fitted(rule: int, packed: bytes) -> bytes:
    """A weights file: a line of magic, rule and hash, then the numbers, compressed."""
    import zlib

    numbers = _little_endian(packed)
    digest = f"{zlib.crc32(numbers):08x}".encode()
    head = b" ".join((FITTED_MAGIC, RULE_NAMES[rule].encode(), digest))
    return head + b"\n" + zlib.compress(numbers, 9)


def unpack_fitted(rule: int, data: bytes) -> bytes:
    """The numbers of a weights file; ValueError, in one line, for a wrong one."""
    import zlib

    head, _, body = data.partition(b"\n")
    words = head.rsplit(b" ", 2)
    if len(words) != 3 or words[0] != FITTED_MAGIC:
        raise ValueError(f"fitted weights: expected {FITTED_MAGIC!r}")
    if words[1] != RULE_NAMES[rule].encode():
        raise ValueError(f"fitted weights: for {words[1]!r}, not {RULE_NAMES[rule]}")
    try:
        numbers = zlib.decompress(body)
    except zlib.error as error:
        raise ValueError(f"fitted weights: {error}") from error
    if f"{zlib.crc32(numbers):08x}".encode() != words[2]:
        raise ValueError("fitted weights: the hash does not fit the numbers")
    return _little_endian(numbers)


def split_fitted(packed: bytes) -> tuple[bytes, bytes]:
    """The linear weights (see ``classical.fill_weights``) and the network's, if any."""
    linear = 4 * (len(class_tuples()) * 4 + (1 << TEMPO_BITS))
    return packed[:linear], packed[linear:]


def read_fitted(rule: int) -> bytes | None:
    """The fitted weights of a rule; None without a file.

    Raises ValueError for a damaged file: better than playing weakly in silence.
    """
    try:
        data = read_data(f"weights-{RULE_NAMES[rule]}.bin")
    except OSError:
        return None
    return unpack_fitted(rule, data)


def _little_endian(numbers: bytes) -> bytes:
    """16-bit numbers from the machine's byte order to the files', or back."""
    if sys.byteorder == "little":
        return numbers
    swapped = array("h", numbers)
    swapped.byteswap()
    return swapped.tobytes()
