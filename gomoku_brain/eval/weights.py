"""Weights files: named arrays of 16-bit numbers, with a description at the start.

A file begins with lines of text and ends with the numbers, in a stream of zlib:

    gomoku-brain weights 3
    kind points
    rule freestyle
    part cells 2x2380x4
    ...
    crc32 89abcdef
    (an empty line)

The numbers of the parts follow in the order of their lines, as little-endian 16-bit
integers. The checksum covers the lines before it and all numbers, so it also detects a
changed dimension. The module of each kind of evaluation defines its parts and their
shapes.
"""

import sys
from collections.abc import Iterable

from gomoku_brain.dataclass import dataclass
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.rules import Rule

__all__ = [
    "Part",
    "Weights",
    "is_weights_file",
    "pack_weights",
    "shipped_weights",
    "unpack_weights",
]

MAGIC = b"gomoku-brain weights 3"
RULE_NAMES = {int(rule): rule.name.lower().replace("_", "-") for rule in Rule}
RULE_CODES = {name: code for code, name in RULE_NAMES.items()}
MAX_NUMBERS = 1 << 26  # of a file; a larger file is no weights file
MAX_DIGITS = 9  # of a size


@dataclass(frozen=True, slots=True)
class Part:
    """Array of 16-bit numbers in the machine's byte order; rows one by one."""

    shape: tuple[int, ...]
    numbers: bytes


@dataclass(frozen=True, slots=True)
class Weights:
    """Content of a weights file."""

    kind: str
    """Kind of the evaluation: a key of ``evaluate.MAKERS``."""
    rule: int
    """Code of the rule for which the numbers were fitted."""
    parts: dict[str, Part]

    def part(self, name: str, *shapes: tuple[int, ...]) -> Part:
        """Return the part of that name; ValueError unless it has one of the shapes."""
        part = self.parts.get(name)
        if part is None:
            raise ValueError(f"weights of kind {self.kind!r}: no part {name!r}")
        if part.shape not in shapes:
            wanted = " or ".join(_shape_text(shape) for shape in shapes)
            raise ValueError(
                f"weights of kind {self.kind!r}: part {name!r} is"
                f" {_shape_text(part.shape)} instead of {wanted}"
            )
        if type(part.numbers) is not bytes:
            raise ValueError(
                f"weights of kind {self.kind!r}: the numbers of part {name!r} are"
                f" {type(part.numbers).__name__} instead of bytes"
            )
        if len(part.numbers) != 2 * _count(part.shape):
            raise ValueError(
                f"weights of kind {self.kind!r}: part {name!r} has"
                f" {len(part.numbers)} bytes instead of {2 * _count(part.shape)}"
            )
        return part

    def refuse_others(self, names: Iterable[str]) -> None:
        """Raise ValueError for a part with another name."""
        others = self.parts.keys() - set(names)
        if others:
            raise ValueError(
                f"weights of kind {self.kind!r}: unknown part {min(others)!r}"
            )


def shipped_weights(rule: int) -> Weights | None:
    """Return the weights of a rule in the package; None without a file.

    Raises ValueError, with the file's name, for a damaged file and for that of another
    rule.
    """
    name = f"weights-{RULE_NAMES[rule]}.bin"
    try:
        data = read_data(name)
    except OSError:
        return None
    try:
        weights = unpack_weights(data)
        if weights.rule != rule:
            raise ValueError(f"for {RULE_NAMES[weights.rule]}, not {RULE_NAMES[rule]}")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    return weights


def pack_weights(weights: Weights) -> bytes:
    """Return the bytes of a weights file."""
    import zlib

    lines = [MAGIC.decode(), f"kind {weights.kind}", f"rule {RULE_NAMES[weights.rule]}"]
    for name, part in weights.parts.items():
        lines.append(f"part {name} {_shape_text(part.shape)}")
    head = "".join(f"{line}\n" for line in lines).encode("ascii")
    numbers = b"".join(_little_endian(part.numbers) for part in weights.parts.values())
    checksum = zlib.crc32(numbers, zlib.crc32(head))
    # Not compressed: an engine reads them at its start. Archives compress them.
    return head + f"crc32 {checksum:08x}\n\n".encode() + zlib.compress(numbers, 0)


def is_weights_file(data: bytes) -> bool:
    """Whether the bytes begin like those of a weights file."""
    return data.startswith(MAGIC + b"\n")


def unpack_weights(data: bytes) -> Weights:
    """Return the weights in a file's bytes; ValueError, in one line, for other
    bytes.
    """
    import zlib

    if not is_weights_file(data):
        if data.startswith(b"gomoku-brain classical 2"):
            raise ValueError("a weights file of an older format; fit it again")
        raise ValueError(f"no weights file: it does not begin with {MAGIC.decode()!r}")
    head, _, body = data.partition(b"\n\n")
    described, _, last = head.rpartition(b"\n")
    kind, rule, shapes = _description(described)
    wanted = 2 * sum(_count(shape) for shape in shapes.values())
    stream = zlib.decompressobj()
    try:
        numbers = stream.decompress(body, wanted + 1)
    except zlib.error as error:
        raise ValueError(f"damaged weights file: {error}") from error
    if len(numbers) != wanted or not stream.eof or stream.unused_data:
        raise ValueError(
            f"damaged weights file: not the {wanted} bytes of numbers that it announces"
        )
    checksum = zlib.crc32(numbers, zlib.crc32(described + b"\n"))
    if last != f"crc32 {checksum:08x}".encode():
        raise ValueError("damaged weights file: its checksum does not fit")
    parts, at = {}, 0
    for name, shape in shapes.items():
        size = 2 * _count(shape)
        parts[name] = Part(shape, _little_endian(numbers[at : at + size]))
        at += size
    return Weights(kind, rule, parts)


def _description(head: bytes) -> tuple[str, int, dict[str, tuple[int, ...]]]:
    """Return kind, rule and the parts' shapes from the lines before the checksum."""
    words: dict[str, str] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    numbers = 0
    for line in head.decode("ascii", "replace").split("\n")[1:]:
        key, _, value = line.partition(" ")
        if key == "part":
            name, _, text = value.partition(" ")
            sizes = text.split("x")
            if name in shapes or not all(
                size.isdecimal() and len(size) <= MAX_DIGITS for size in sizes
            ):
                raise ValueError(f"damaged weights file: bad line {line[:80]!r}")
            shapes[name] = tuple(int(size) for size in sizes)
            numbers += _count(shapes[name])
            if not 0 < _count(shapes[name]) <= numbers <= MAX_NUMBERS:
                raise ValueError(f"damaged weights file: bad line {line[:80]!r}")
        elif key in ("kind", "rule") and key not in words:
            words[key] = value
        else:
            raise ValueError(f"damaged weights file: bad line {line[:80]!r}")
    for key in ("kind", "rule"):
        if key not in words:
            raise ValueError(f"damaged weights file: no line for {key!r}")
    if words["rule"] not in RULE_CODES:
        raise ValueError(f"damaged weights file: no rule {words['rule']!r}")
    return words["kind"], RULE_CODES[words["rule"]], shapes


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _shape_text(shape: tuple[int, ...]) -> str:
    return "x".join(str(size) for size in shape)


def _little_endian(numbers: bytes) -> bytes:
    """Convert 16-bit numbers from the machine's byte order to the files', or back."""
    if sys.byteorder == "little":
        return numbers
    from array import array

    swapped = array("h", numbers)
    swapped.byteswap()
    return swapped.tobytes()
