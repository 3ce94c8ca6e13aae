"""Positions from lines of the Gomocup protocol: START, INFO rule, BOARD .. DONE."""

from collections.abc import Iterator

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.setting import (
    ReadError,
    Setting,
    checked,
    from_moves,
    named,
    set_up,
)

__all__ = ["read_protocol"]


def read_protocol(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """Yield the positions of the BOARD blocks; other commands are skipped."""
    size, rule = None, None
    rows: list[list[int]] | None = None
    start = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.replace(",", " ").split()
        if not words:
            continue
        word = words[0].upper()
        try:
            if rows is not None and word != "DONE":
                rows.append([int(number) for number in words])
                if len(rows[-1]) != 3 or rows[-1][2] not in (1, 2, 3):
                    raise ValueError
            elif rows is not None:
                place = f"{name}:{start}"
                block, rows = rows, None
                try:
                    game = _from_block(block, setting, size, rule, place)
                    game = checked(game, place)
                except ReadError as error:
                    setting.refuse(error)
                else:
                    yield game
            elif word == "START":
                size = (int(words[1]), int(words[-1]))
            elif word == "RECTSTART":
                size = (int(words[1]), int(words[2]))
            elif word == "INFO" and words[1].lower() == "rule":
                rule = Rule(int(words[2]))
            elif word in ("BOARD", "YXBOARD"):
                rows, start = [], number
        except ReadError:
            raise
        except (ValueError, IndexError):
            raise ReadError(f"{name}:{number}: not understood: {line!r}") from None
    if rows is not None:
        raise ReadError(f"{name}:{start}: this BOARD has no DONE")


def _from_block(
    rows: list[list[int]],
    setting: Setting,
    size: tuple[int, int] | None,
    rule: Rule | None,
    name: str,
) -> Game:
    """Return the position of a BOARD block; a game if its stones alternate from black.

    The side of the reader is to move: it has the white stones if the other side has one
    stone more, the black ones if both have as many, and else those of the first line.
    """
    owners = [owner for *_, owner in rows]
    lead = owners.count(2) - owners.count(1)
    first = next((owner for owner in owners if owner != 3), 1)
    own = Side(lead) if lead in (0, 1) else Side(first == 2)
    cells = [Move(x, y) for x, y, _ in rows]
    black, white, walls = (
        [cell for cell, owner in zip(cells, owners, strict=True) if owner == wanted]
        for wanted in (own + 1, 2 - own, 3)
    )
    if owners == [own + 1 if k % 2 == 0 else 2 - own for k in range(len(rows))]:
        rule = setting.rule if setting.rule is not None else rule
        game = from_moves(cells, Setting(rule, setting.size or size))
        return named(game, name)
    return set_up(
        black, white, walls, setting, size=size, rule=rule, side=own, name=name
    )
