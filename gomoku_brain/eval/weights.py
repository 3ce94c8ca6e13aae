"""Find, check and read weights files. Files are package data, read by the loader that
brought this module, so that a zip or a frozen program works as well."""

import os

TYPE_CHECKING = False  # typing's own costs a brain milliseconds of its start
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CLASS_NAMES", "RANK_NAMES", "TEMPO_NAMES", "read_classical"]

MAGIC = "gomoku-brain classical 1"
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
