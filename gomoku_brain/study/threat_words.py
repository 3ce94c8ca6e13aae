"""Threats in words: shapes on the board, and what a move makes, blocks and leaves.

>>> board = Board.from_moves("h8 a1 i9 a2")
>>> str(describe_move(board, Move(9, 9)))
'makes an open three h8-j10'
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gomoku_brain.game.notation import Move, as_move, foul_words
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.study.line_shapes import (
    STRENGTH,
    Kind,
    Shape,
    both_have_fives,
    made_by,
    shapes,
    shapes_through,
)
from gomoku_brain.study.quick_wins import answers, quick_wins
from gomoku_brain.study.row_types import names, side_name

__all__ = [
    "Kind",
    "MoveThreats",
    "PositionThreats",
    "Shape",
    "answers",
    "describe_move",
    "describe_position",
    "made_by",
    "quick_wins",
    "shapes",
]


@dataclass(frozen=True, slots=True)
class MoveThreats:
    """Effects of one move; unless stated otherwise, on the board before it."""

    move: Move
    side: Side
    wins_in: int
    """1: completes a five; 3: makes fours that no reply stops; 0: neither."""
    foul: str | None
    """Name of the foul, as in ``Board.foul``."""
    makes: tuple[Shape, ...]
    """Shapes after the move with its stone, the strongest first."""
    blocks: tuple[Shape, ...]
    """Shapes of the opponent that are weaker after the move, as they were before."""
    denies: tuple[Shape, ...]
    """Shapes that the opponent would have made on the cell."""
    threat_plies: int
    """Plies of the win that the opponent threatened (0: none)."""
    stops: bool
    """Whether the threatened win is gone (always true without one)."""
    ways: int
    """Number of moves that stop it, fours that only delay it included."""
    leaves: tuple[Move, ...]
    """Moves with which the opponent then wins in at most three plies."""
    leaves_five: bool
    """Whether one of those wins is a five."""

    def phrases(self) -> list[str]:
        """Return the effects in words, the most important first; empty for a quiet
        move.
        """
        foe = self.side.other.name.lower()
        parts = _making_words(self)
        if self.wins_in == 1:
            return parts
        for shape in self.blocks:
            if shape.kind == "open four" and self.leaves_five:
                parts.append(f"blocks one end of the {shape}")
            elif shape.kind not in ("blocked three", "open two"):
                parts.append(f"blocks the {shape}")
        name = _combination(self.denies)
        if name and self.threat_plies != 1:
            parts.append(f"takes the point of {foe}'s {name} ({_and(self.denies[:2])})")
        if self.threat_plies and self.stops and not self.wins_in:
            what = "five" if self.threat_plies == 1 else "win in 2 moves"
            if self.ways == 1:
                parts.append(f"the only move against {foe}'s {what}")
            elif self.threat_plies == 3 and self.ways <= 6:
                parts.append(f"one of {self.ways} moves against {foe}'s {what}")
        if self.leaves:
            where = " or ".join(str(cell) for cell in self.leaves[:3])
            how = "by five" if self.leaves_five else "in 2 moves"
            parts.append(f"{foe} then wins {how} at {where}")
        elif self.wins_in == 3 and not self.foul:
            parts.append("nothing stops the five")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return the effects as values of JSON, as ``analyze`` prints those of the last
        move.
        """
        return {
            "move": str(self.move),
            "side": side_name(self.side),
            "win_in": self.wins_in or None,
            "foul": self.foul and self.foul.replace("-", "_"),
            "makes": [shape.to_dict() for shape in self.makes],
            "blocks": [shape.to_dict() for shape in self.blocks],
            "denies": [shape.to_dict() for shape in self.denies],
            "threatened_in": self.threat_plies or None,
            "stops": self.stops,
            "ways": self.ways,
            "leaves": names(self.leaves),
            "leaves_five": self.leaves_five,
            "text": str(self),
        }

    def __str__(self) -> str:
        """Format the effects: "makes a four f5-i8; blocks the open three e5-g7"."""
        return "; ".join(self.phrases()) or self._lesser() or "a quiet move"

    def _lesser(self) -> str:
        """Return the effect of a move without a threat; empty for a quiet move."""
        foe = self.side.other.name.lower()
        for shape in self.blocks:
            return f"closes {foe}'s {shape}"
        for shape in self.denies:
            if STRENGTH.index(shape.kind) <= STRENGTH.index("two threes in line"):
                return f"takes a point of {foe}'s, who would make {_and([shape])}"
        return ""


@dataclass(frozen=True, slots=True)
class PositionThreats:
    """Shapes and threats on a board."""

    turn: Side
    winner: Side | None
    """Side with a five; black if both have one."""
    both_have_fives: bool
    """Whether both sides have a five among the stones that were set up, in unknown
    order.
    """
    shapes: tuple[Shape, ...]
    """Shapes of both sides; black's first."""
    wins_in: int
    """Plies (1 or 3) in which the side to move wins by force; 0: no such win."""
    wins: tuple[Move, ...]
    """First moves of those wins."""
    threatened_in: int
    """Plies in which the opponent would win if it were to move; 0: no such win."""
    threats: tuple[Move, ...]
    """First moves of those wins."""
    answers: tuple[Move, ...]
    """Legal moves that prevent them, fours that only delay included."""
    forbidden: tuple[Move, ...]
    """Black's forbidden points."""
    fouls: tuple[str, ...]
    """Foul on each of them: "overline", "double-four" or "double-three"."""

    def phrases(self) -> list[str]:
        """Return the description in words, one sentence each."""
        me, foe = self.turn.name.lower(), self.turn.other.name.lower()
        if self.both_have_fives:
            return ["both sides have five in a row"]
        if self.winner is not None:
            return [f"{self.winner.name.lower()} has won"]
        parts = []
        for side in Side:
            own = [shape for shape in self.shapes if shape.side == side]
            if own:
                parts.append(f"{side.name.lower()} has {_and(own)}")
        if self.wins_in:
            how = "with a five" if self.wins_in == 1 else "in 2 moves"
            parts.append(f"{me}, to move, wins {how} at {_cells(self.wins)}")
        elif self.threatened_in:
            how = "a five" if self.threatened_in == 1 else "a win in 2 moves"
            parts.append(f"{foe} threatens {how} at {_cells(self.threats)}")
            if self.answers:
                parts.append(f"{me} can answer at {_cells(self.answers)}")
            else:
                parts.append(f"{me} cannot stop it")
        if self.forbidden:
            points = [
                f"{cell} ({foul_words(foul)})"
                for cell, foul in zip(self.forbidden, self.fouls, strict=True)
            ]
            parts.append(f"forbidden to black: {', '.join(points)}")
        return parts

    def to_dict(self) -> dict[str, Any]:
        """Return the threats as values of JSON, as ``analyze`` prints them."""
        return {
            "words": self.phrases(),
            "shapes": [shape.to_dict() for shape in self.shapes],
            "win_in": self.wins_in or None,
            "wins": names(self.wins),
            "threatened_in": self.threatened_in or None,
            "threats": names(self.threats),
            "answers": names(self.answers),
            "forbidden": names(self.forbidden),
            "fouls": [foul.replace("-", "_") for foul in self.fouls],
        }

    def __str__(self) -> str:
        return "; ".join(self.phrases()) or "no threats"


def describe_move(board: Board, move: tuple[int, int] | str) -> MoveThreats:
    """Return the effects of a move of the side to move.

    The move comes in any form that ``Board`` accepts. Raises ValueError for a cell off
    the board or occupied.
    """
    move = as_move(move)
    side, other = board.turn, board.turn.other
    scratch = board.copy()
    foul = board.foul(move) if side == Side.BLACK else None
    five = scratch.wins_at(move)
    before = shapes_through(scratch, other, move)
    denies = made_by(scratch, move, other)
    plies, wins = quick_wins(scratch)
    threat_plies, _, ways = (0, [], []) if five else answers(scratch)
    made = tuple(made_by(scratch, move, side))
    scratch.play(move)
    after = shapes_through(scratch, other, move)
    leaves = (0, []) if five else quick_wins(scratch)
    return MoveThreats(
        move=move,
        side=side,
        wins_in=plies if move in wins else 0,
        foul=foul,
        makes=made,
        blocks=tuple(shape for shape in before if not _goes_on(shape, after)),
        denies=tuple(denies),
        threat_plies=threat_plies,
        stops=not threat_plies or move in ways,
        ways=len(ways),
        leaves=tuple(leaves[1]),
        leaves_five=leaves[0] == 1,
    )


def _goes_on(shape: Shape, after: Iterable[Shape]) -> bool:
    """Whether one of the shapes has two of its stones and is as strong."""
    return any(
        len({*shape.stones} & {*other.stones}) >= 2
        and STRENGTH.index(other.kind) <= STRENGTH.index(shape.kind)
        for other in after
    )


def describe_position(board: Board, start: Board | None = None) -> PositionThreats:
    """Return the shapes and threats of both sides.

    ``start``: the position with the stones that were set up, whose order is unknown;
    without it, all stones. If a side has won, there are no more threats.
    """
    wins_in, wins = 0, list[Move]()
    threatened_in, threats, moves = 0, list[Move](), list[Move]()
    if board.winner is None:
        wins_in, wins = quick_wins(board)
        threatened_in, threats, moves = answers(board)
    as_black = board.copy()
    as_black.turn = Side.BLACK
    forbidden = tuple(board.forbidden_moves())
    return PositionThreats(
        turn=board.turn,
        winner=board.winner,
        both_have_fives=both_have_fives(board if start is None else start),
        shapes=tuple(shapes(board, Side.BLACK) + shapes(board, Side.WHITE)),
        wins_in=wins_in,
        wins=tuple(wins),
        threatened_in=threatened_in,
        threats=tuple(threats),
        answers=tuple(moves),
        forbidden=forbidden,
        fouls=tuple(as_black.foul(cell) or "" for cell in forbidden),
    )


def _combination(made: Iterable[Shape]) -> str:
    """Return the name of a combination of shapes: "four-three" ..; "" without one."""
    kinds = [shape.kind for shape in made]
    fours = kinds.count("four") + kinds.count("open four")
    if fours >= 2:
        return "double four"
    if fours and "open three" in kinds:
        return "four-three"
    return "double three" if kinds.count("open three") >= 2 else ""


def _making_words(threats: MoveThreats) -> list[str]:
    """Return the shapes that a move makes, and whether it is forbidden, in words."""
    made = threats.makes
    if threats.wins_in == 1:
        return [f"wins by {made[0]}"]
    parts = []
    name = _combination(made)
    strong = [s for s in made if STRENGTH.index(s.kind) <= 4]
    if name:
        parts.append(f"makes a {name} ({_and(strong)})")
    elif made:
        parts.append(f"makes {_and(strong or made[:1])}")
        if made[0].kind == "overline":
            parts[0] += ", which does not win"
    if threats.foul:
        parts.insert(0, f"forbidden to black ({foul_words(threats.foul)})")
    return parts


def _and(made: Iterable[Shape]) -> str:
    """Join shapes in words: "a four f5-i8, a four h4-h7 and an open three e5-g7"."""
    articles = {"o": "an ", "t": ""}  # "two threes in line" has no article
    words = [f"{articles.get(shape.kind[0], 'a ')}{shape}" for shape in made]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _cells(cells: tuple[Move, ...]) -> str:
    return " ".join(str(cell) for cell in cells)
