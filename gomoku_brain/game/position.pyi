from __future__ import annotations  # pdoc runs the stub

from collections.abc import Iterable
from typing import Any, ClassVar, final

from numpy import bool_, uint8
from numpy.typing import ArrayLike, NDArray

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side

@final
class Board:
    """A position, its rule, whose turn it is, and the order of its stones.

    ``Board(size=15, rule="freestyle")`` is an empty one: ``size`` is the number of
    cells along a side, or ``(width, height)``, each 5..22; ``rule`` a ``Rule``, its
    name or its number. Raises ValueError for another size or an unknown rule.

    Wherever a move is taken it may be a ``Move``, ``(x, y)`` counted from 0 at the
    upper left corner, or text as in "h8". What is none of these raises TypeError, text
    that names no cell ValueError.

    >>> board = Board.from_moves("h8 h9 j10", size=15)
    >>> board.turn
    <Side.WHITE: 1>
    """

    PLANES: ClassVar[tuple[str, ...]]

    def __init__(
        self, size: int | tuple[int, int] = 15, rule: Rule | int | str = ...
    ) -> None: ...
    @classmethod
    def from_moves(
        cls,
        moves: str | Iterable[tuple[int, int] | str],
        size: int | tuple[int, int] = 15,
        rule: Rule | int | str = ...,
    ) -> Board:
        """A game record played from the empty board, black first.

        Raises ValueError for unreadable text and for a cell off the board or occupied.
        """
    @classmethod
    def from_stones(
        cls,
        black: Iterable[tuple[int, int] | str],
        white: Iterable[tuple[int, int] | str],
        walls: Iterable[tuple[int, int] | str] = (),
        *,
        turn: Side | str | None = None,
        size: int | tuple[int, int] = 15,
        rule: Rule | int | str = ...,
    ) -> Board:
        """Any set of stones; ``walls`` are stones that count for neither side.

        Each is a text as "h8 h9" or a list of moves.
        Without ``turn`` (a ``Side`` or its name), black is to move unless it has more
        stones than white. Raises ValueError for a cell off the board or occupied.
        """
    @classmethod
    def from_picture(
        cls,
        picture: str,
        *,
        turn: Side | str | None = None,
        rule: Rule | int | str = ...,
    ) -> Board:
        """The position that a picture shows, as ``str(board)`` draws it or bare.

        X is black, O white, # a wall and . an empty cell; the size is that of the
        picture. Without ``turn``, black is to move unless it has more stones than
        white. Raises ValueError for what is no picture of a board.

        >>> Board.from_picture(str(Board.from_moves("h8 h9 j10"))).turn
        <Side.WHITE: 1>
        """
    @classmethod
    def from_planes(cls, planes: ArrayLike, *, rule: Rule | int | str = ...) -> Board:
        """The position that an array of ``planes`` holds; needs numpy.

        Any array of numbers 0 and 1 (or false and true) of that shape is taken. The
        plane of legal moves is not read: the rule says which they are. The order of the
        stones is not kept. Raises ValueError for another shape, other numbers, two
        stones on one cell, and a last plane that is not all the same.
        """
    @property
    def width(self) -> int:
        """Columns, 5..22."""
    @property
    def height(self) -> int:
        """Rows, 5..22."""
    @property
    def rule(self) -> Rule:
        """The rule in force."""
    @property
    def turn(self) -> Side:
        """The side to move; may be set."""
    @turn.setter
    def turn(self, side: Side | str) -> None: ...
    @property
    def ply(self) -> int:
        """Stones placed, walls included."""
    @property
    def moves(self) -> tuple[Move, ...]:
        """The cells in the order in which their stones were placed."""
    @property
    def winner(self) -> Side | None:
        """Who was the first to complete a winning line (set up or played)."""
    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
    @property
    def key(self) -> int:
        """Zobrist key of the stones (64 bits, without the side to move)."""
    def play(self, move: tuple[int, int] | str) -> None:
        """Place a stone of the side to move and pass the turn.

        Forbidden points and moves after a win are accepted: judging a game is the
        referee's task. Raises ValueError for a cell off the board or occupied.
        """
    def undo(self) -> Move:
        """Take back the last stone. Raises ValueError when there is none."""
    def remove(self, move: tuple[int, int] | str) -> None:
        """Take any stone off; the turn changes. ValueError if the cell is empty."""
    def is_empty(self, move: tuple[int, int] | str) -> bool:
        """Whether the cell is on the board and free."""
    def is_wall(self, move: tuple[int, int] | str) -> bool:
        """Whether a stone of neither side is on the cell."""
    def stone(self, move: tuple[int, int] | str) -> Side | None:
        """Whose stone is on the cell."""
    def foul(self, move: tuple[int, int] | str) -> str | None:
        """What foul black would commit there: "overline", "double-four",
        "double-three", or None; always None unless the rule is renju."""
    def line_classes(
        self, move: tuple[int, int] | str, side: Side | str
    ) -> tuple[str, str, str, str]:
        """What a stone of ``side`` would make there on each line: along the row, the
        column, the falling and the rising diagonal.

        The names are those of patterns.pxd: "F5" five, "F4" and "B4" fours, "F3S", "F3"
        and "B3" threes .. "DEAD". A black three of renju counts here even when a foul
        makes it void. Raises ValueError for a cell off the board or occupied.
        """
    def is_legal(self, move: tuple[int, int] | str) -> bool:
        """Whether the side to move may play there."""
    def wins_at(self, move: tuple[int, int] | str) -> bool:
        """Whether the side to move would complete a winning line there."""
    def legal_moves(self) -> list[Move]:
        """All cells that the side to move may play, row by row.

        A game that is won does not end them: judging a game is the referee's task.
        """
    def forbidden_moves(self) -> list[Move]:
        """All points forbidden to black, whoever is to move."""
    def legal_mask(self) -> NDArray[bool_]:
        """Where the side to move may play: bool of shape (height, width); needs numpy.

        ``mask[y, x]`` is the cell ``Move(x, y)``, so ``mask.nonzero()`` gives the rows
        and the columns of the legal moves in the order of ``legal_moves``.
        """
    def planes(self) -> NDArray[uint8]:
        """The position as numbers 0 and 1: uint8 of shape (5, height, width).

        The planes are, in the order of ``PLANES``: the stones of the side to move,
        those of its opponent, the walls, the legal moves of the side to move, and one
        that is all 1 when black is to move and all 0 when white is. ``planes[k, y, x]``
        is the cell ``Move(x, y)``. The array is the caller's own. Needs numpy.
        """
    def copy(self) -> Board:
        """An independent copy, history included."""
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: object) -> Board: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def svg(self, *, numbers: bool = False, cell: int = 28) -> str:
        """The board as a picture in SVG, which notebooks show of themselves.

        ``cell`` is the width of a cell in pixels; ``numbers`` writes on each stone when
        it was placed. The last stone has a mark.
        """
    def _repr_svg_(self) -> str: ...
    def verify(self) -> None:
        """Raise AssertionError unless all incremental state equals recomputed state."""
