"""Threats in words: what stands on the board, what a move makes, blocks and leaves.

>>> board = Board.from_moves("h8 a1 i9 a2")
>>> str(describe_move(board, Move(9, 9)))
'makes an open three h8-j10'
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gomoku_brain.game.notation import Move, as_move
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
    """What one move does; all about the board before it, unless it says otherwise."""

    move: Move
    side: Side
    wins_in: int
    """1: completes a five; 3: makes fours that nothing stops; 0: neither."""
    foul: str | None
    """As `Board.foul` tells it."""
    makes: tuple[Shape, ...]
    """What stands after the move with its stone in it, the strongest first."""
    blocks: tuple[Shape, ...]
    """Shapes of the opponent that are less after the move, as they were."""
    denies: tuple[Shape, ...]
    """What the opponent would have made on the cell."""
    duty: int
    """Plies of the win that the opponent threatened (0: none)."""
    stops: bool
    """Whether the threatened win is gone (always true without one)."""
    ways: int
    """Moves that stop it, fours that only delay it included."""
    leaves: tuple[Move, ...]
    """Where the opponent then wins in at most three plies."""
    leaves_five: bool
    """Whether a five is among those wins."""

    def phrases(self) -> list[str]:
        """The words, the most important first; empty for a quiet move."""
        foe = self.side.other.name.lower()
        said = _making_words(self)
        if self.wins_in == 1:
            return said
        for shape in self.blocks:
            if shape.kind == "open four" and self.leaves_five:
                said.append(f"blocks one end of the {shape}")
            elif shape.kind not in ("blocked three", "open two"):
                said.append(f"blocks the {shape}")
        name = _combination(self.denies)
        if name and self.duty != 1:
            said.append(f"takes the point of {foe}'s {name} ({_and(self.denies[:2])})")
        if self.duty and self.stops and not self.wins_in:
            what = "five" if self.duty == 1 else "win in 3"
            if self.ways == 1:
                said.append(f"the only move against {foe}'s {what}")
            elif self.duty == 3 and self.ways <= 6:
                said.append(f"one of {self.ways} moves against {foe}'s {what}")
        if self.leaves:
            where = " or ".join(str(cell) for cell in self.leaves[:3])
            how = "by five" if self.leaves_five else "in 3"
            said.append(f"{foe} then wins {how} at {where}")
        elif self.wins_in == 3 and not self.foul:
            said.append("nothing stops the five")
        return said

    def __str__(self) -> str:
        """As in "makes a four f5-i8; blocks the open three e5-g7"."""
        return "; ".join(self.phrases()) or self._lesser() or "a quiet move"

    def _lesser(self) -> str:
        """What a move without a threat does all the same; empty for a quiet one."""
        foe = self.side.other.name.lower()
        for shape in self.blocks:
            return f"closes {foe}'s {shape}"
        for shape in self.denies:
            if STRENGTH.index(shape.kind) <= STRENGTH.index("two threes in line"):
                return f"takes a point of {foe}'s, who would make {_and([shape])}"
        return ""


@dataclass(frozen=True, slots=True)
class PositionThreats:
    """What stands on a board."""

    turn: Side
    winner: Side | None
    """Who has a five, black where both have one."""
    both_have_fives: bool
    """Among the stones that were set up, so that nobody knows who was the first."""
    shapes: tuple[Shape, ...]
    """Of both sides; black's first."""
    wins_in: int
    """Plies (1 or 3) in which the side to move wins by force; 0: not that soon."""
    wins: tuple[Move, ...]
    """The first moves of those wins."""
    threatened_in: int
    """Plies in which the opponent would win if it were to move; 0: not that soon."""
    threats: tuple[Move, ...]
    """The first moves of those."""
    answers: tuple[Move, ...]
    """The legal moves that prevent them, fours that only delay included."""
    forbidden: tuple[Move, ...]
    """Black's forbidden points."""
    fouls: tuple[str, ...]
    """The foul on each of them: "overline", "double-four" or "double-three"."""

    def phrases(self) -> list[str]:
        """The words, a sentence each."""
        me, foe = self.turn.name.lower(), self.turn.other.name.lower()
        if self.both_have_fives:
            return ["both sides have five in a row"]
        if self.winner is not None:
            return [f"{self.winner.name.lower()} has won"]
        said = []
        for side in Side:
            own = [shape for shape in self.shapes if shape.side == side]
            if own:
                said.append(f"{side.name.lower()} has {_and(own)}")
        if self.wins_in:
            how = "with a five" if self.wins_in == 1 else "in 3"
            said.append(f"{me}, to move, wins {how} at {_cells(self.wins)}")
        elif self.threatened_in:
            how = "a five" if self.threatened_in == 1 else "a win in 3"
            said.append(f"{foe} threatens {how} at {_cells(self.threats)}")
            if self.answers:
                said.append(f"{me} can answer at {_cells(self.answers)}")
            else:
                said.append(f"{me} cannot stop it")
        if self.forbidden:
            points = [
                f"{cell} ({foul.replace('-', ' ')})"
                for cell, foul in zip(self.forbidden, self.fouls, strict=True)
            ]
            said.append(f"forbidden to black: {', '.join(points)}")
        return said

    def __str__(self) -> str:
        return "; ".join(self.phrases()) or "no threats"


def describe_move(board: Board, move: tuple[int, int] | str) -> MoveThreats:
    """What a move of the side to move makes, blocks and leaves.

    The move comes in any form that ``Board`` takes. Raises ValueError for a cell off
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
    duty, _, ways = (0, [], []) if five else answers(scratch)
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
        duty=duty,
        stops=not duty or move in ways,
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
    """What stands on the board for both sides.

    ``start``: the stones that were set up, of which nobody knows the order; without it,
    all. Where somebody has won, nothing is threatened any more.
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
    """The name of what the shapes are together: "four-three" ..; "" for less."""
    kinds = [shape.kind for shape in made]
    fours = kinds.count("four") + kinds.count("open four")
    if fours >= 2:
        return "double four"
    if fours and "open three" in kinds:
        return "four-three"
    return "double three" if kinds.count("open three") >= 2 else ""


def _making_words(threats: MoveThreats) -> list[str]:
    """What a move makes, and whether it is forbidden."""
    made = threats.makes
    if threats.wins_in == 1:
        return [f"wins by {made[0]}"]
    said = []
    name = _combination(made)
    strong = [s for s in made if STRENGTH.index(s.kind) <= 4]
    if name:
        said.append(f"makes a {name} ({_and(strong)})")
    elif made:
        said.append(f"makes {_and(strong or made[:1])}")
        if made[0].kind == "overline":
            said[0] += ", which does not win"
    if threats.foul:
        said.insert(0, f"forbidden to black ({threats.foul.replace('-', ' ')})")
    return said


def _and(made: Iterable[Shape]) -> str:
    """ "a four f5-i8, a four h4-h7 and an open three e5-g7"."""
    articles = {"o": "an ", "t": ""}  # "two threes in line" has none
    words = [f"{articles.get(shape.kind[0], 'a ')}{shape}" for shape in made]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _cells(cells: tuple[Move, ...]) -> str:
    return " ".join(str(cell) for cell in cells)
