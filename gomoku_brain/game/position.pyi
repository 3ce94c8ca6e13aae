from __future__ import annotations  # pdoc runs the stub

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, SupportsIndex, final

from numpy import bool_, uint8
from numpy.typing import ArrayLike, NDArray

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side

@final
class Board:
    """Position with its rule, its side to move, and the order of its stones.

    ``Board(size=15, rule="freestyle")`` is an empty board. ``size`` is the number of
    cells along a side, or ``(width, height)``, each 5 to 22. ``rule`` is a ``Rule``,
    its name or its number. Raises ValueError for another size or an unknown rule.

    Every parameter that is a move accepts a ``Move``, ``(x, y)`` counted from 0 at the
    upper left corner, or text as in "h8". Other types raise TypeError, text that names
    no cell raises ValueError.

    A board changes, so it has no hash: take ``board.position_key`` as the key of a
    dictionary. The class is final: let your own class have a board instead of a base.
    Threads may share a board that none of them changes; give each of the others a copy.

    >>> board = Board.from_moves("h8 h9 j10", size=15)
    >>> board.turn
    <Side.WHITE: 1>
    """

    PLANES: ClassVar[tuple[str, ...]]
    LAST_MOVE_PLANE: ClassVar[str]

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
        """Return the position after a list of moves from the empty board, black first.

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
        """Return a position with any stones; ``walls`` are stones of neither side.

        Each is a text as "h8 h9" or a list of moves. Without ``turn`` (a ``Side`` or
        its name), black is to move unless it has more stones than white. Raises
        ValueError for a cell off the board or occupied.
        """
    @classmethod
    def from_picture(
        cls,
        picture: str,
        *,
        turn: Side | str | None = None,
        rule: Rule | int | str = ...,
    ) -> Board:
        """Return the position in a picture, as ``str(board)`` draws it or without
        coordinates.

        X is black, O white, # a wall and . an empty cell; the size is that of the
        picture. Without ``turn``, black is to move unless it has more stones than
        white. Raises ValueError for text that is no picture of a board.

        >>> Board.from_picture(str(Board.from_moves("h8 h9 j10"))).turn
        <Side.WHITE: 1>
        """
    @classmethod
    def from_planes(cls, planes: ArrayLike, *, rule: Rule | int | str = ...) -> Board:
        """Return the position in an array of ``planes``; needs numpy.

        Any array of numbers 0 and 1 (or false and true) of that shape is accepted. The
        plane of legal moves is ignored, since the rule determines them. The position
        has no order of stones. Raises ValueError for another shape, other numbers, two
        stones on one cell, and a last plane with different values.
        """
    @property
    def width(self) -> int:
        """Columns, 5 to 22."""
    @property
    def height(self) -> int:
        """Rows, 5 to 22."""
    @property
    def rule(self) -> Rule:
        """Rule in force."""
    @property
    def turn(self) -> Side:
        """Side to move; can be set."""
    @turn.setter
    def turn(self, side: Side | str) -> None: ...
    @property
    def ply(self) -> int:
        """Number of stones placed, walls included."""
    @property
    def moves(self) -> tuple[Move, ...]:
        """Cells in the order in which their stones were placed."""
    @property
    def winner(self) -> Side | None:
        """Side that completed the first winning line (set up or played), or None."""
    @property
    def is_over(self) -> bool:
        """Whether the game has ended: by a winning line, a foul or a full board."""
    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """The result of the game: "1-0" black won, "0-1" white won, "1/2-1/2" a full
        board, "*" not over.

        Black loses by a foul (renju) if it was the last move.
        """
    @property
    def is_full(self) -> bool:
        """Whether no cell is empty."""
    @property
    def key(self) -> int:
        """Zobrist key of the stones (64 bits, without side to move, rule and size).

        Different positions may have equal keys; ``position_key`` is exact.
        """
    @property
    def position_key(self) -> bytes:
        """Exact key of the position, as bytes: hashable, sortable, the same everywhere.

        Two boards have equal keys if and only if rule, size, stones, walls and the side
        to move are equal; the order of the moves does not count. The first four bytes
        are the number of the rule, the width, the height and the side to move. Then the
        cells follow row by row, four to a byte, the first one in the highest two bits:
        0 = empty, 1 = black, 2 = white, 3 = wall.

        >>> Board.from_moves("h8 h9 j10").position_key == (
        ...     Board.from_moves("j10 h9 h8").position_key
        ... )
        True
        """
    def canonical(self) -> tuple[bytes, int]:
        """Return (key, symmetry): the canonical form of the position.

        The key is the smallest ``position_key`` of the position's images under its
        ``symmetries``, so it is the same for all of them. The symmetry is the first one
        that leads to it: ``board.transformed(symmetry).position_key`` is the key, and
        ``board.transform_move(move, symmetry)`` is a move in the canonical position.
        """
    def play(self, move: tuple[int, int] | str, *, strict: bool = False) -> None:
        """Place a stone of the side to move and pass the turn.

        Forbidden points and moves after the end of the game are accepted, because
        judging a game is the referee's task; with ``strict`` they raise ValueError.
        Raises ValueError for a cell off the board or occupied.
        """
    def undo(self) -> Move:
        """Take back the last stone. Raises ValueError if there is none."""
    def remove(self, move: tuple[int, int] | str) -> None:
        """Remove any stone and change the side to move. ValueError if the cell is
        empty.
        """
    def is_empty(self, move: tuple[int, int] | str) -> bool:
        """Whether the cell is on the board and free."""
    def is_wall(self, move: tuple[int, int] | str) -> bool:
        """Whether a stone of neither side is on the cell."""
    def stone(self, move: tuple[int, int] | str) -> Side | None:
        """Return the side whose stone is on the cell, or None."""
    def foul(self, move: tuple[int, int] | str) -> str | None:
        """Return the foul of black on the cell, or None.

        It is "overline", "double-four" or "double-three", and always None unless the
        rule is renju. Raises ValueError for a cell off the board or occupied.
        """
    def line_classes(
        self, move: tuple[int, int] | str, side: Side | str
    ) -> tuple[str, str, str, str]:
        """Return the line class of a stone of ``side`` on the cell, on each of its
        lines.

        The lines are the row, the column, the falling and the rising diagonal. The
        names are those of ``patterns.pxd``: "F5" five, "F4" and "B4" fours, "F3S", "F3"
        and "B3" threes .. "DEAD". A black three of renju counts here even if a foul
        makes it void. Raises ValueError for a cell off the board or occupied.
        """
    def is_legal(self, move: tuple[int, int] | str) -> bool:
        """Whether the side to move may play on the cell."""
    def wins_at(self, move: tuple[int, int] | str) -> bool:
        """Whether the side to move would complete a winning line on the cell."""
    def legal_moves(self) -> list[Move]:
        """Return all cells that the side to move may play, row by row.

        They do not end with a win, since the referee judges the game.
        """
    def forbidden_moves(self) -> list[Move]:
        """Return all points forbidden to black, whichever side is to move."""
    def legal_mask(self) -> NDArray[bool_]:
        """Return the legal moves as an array: bool of shape (height, width); needs
        numpy.

        ``mask[y, x]`` is the cell ``Move(x, y)``, so ``mask.nonzero()`` gives the rows
        and the columns of the legal moves in the order of ``legal_moves``.
        """
    def planes(self, *, last_move: bool = False) -> NDArray[uint8]:
        """Return the position as numbers 0 and 1: uint8 of shape (5, height, width).

        The planes are, in the order of ``PLANES``: the stones of the side to move,
        those of its opponent, the walls, the legal moves of the side to move, and one
        that is all 1 when black is to move and all 0 when white is. ``planes[k, y, x]``
        is the cell ``Move(x, y)``. Each call returns a new array. Needs numpy.

        With ``last_move`` a sixth plane is 1 at the last stone, and all 0 without one.
        """
    @staticmethod
    def stack_planes(
        boards: Iterable[Board], *, last_move: bool = False
    ) -> NDArray[uint8]:
        """Return the planes of boards of one size: uint8, (n, 5, height, width).

        As ``numpy.stack([board.planes() for board in boards])``, in a third of the
        time. Raises ValueError for boards of different sizes and for no board.
        """
    @property
    def symmetries(self) -> range:
        """The symmetries of the board: 0 to 7, or 0 to 3 if it is not square.

        A number is a sum: 1 mirrors left and right, 2 mirrors top and bottom, 4 then
        swaps x and y.
        """
    def transformed(self, symmetry: int) -> Board:
        """Return the image of the position under a symmetry, with its history.

        Raises ValueError for a number that is none of ``symmetries``.
        """
    def index_of(self, move: tuple[int, int] | str) -> int:
        """Return the index of a cell in rows from the top: ``y * width + x``.

        It is that of the cell in a plane of ``planes`` as one row. Raises ValueError
        for a cell off the board.
        """
    def move_at(self, number: SupportsIndex) -> Move:
        """Return the cell of an index, as ``index_of`` numbers them.

        Raises ValueError for an index outside 0 .. width * height - 1.
        """
    def transform_move(self, move: tuple[int, int] | str, symmetry: int) -> Move:
        """Return the image of a cell of this board under a symmetry.

        Raises ValueError for a number that is none of ``symmetries``.
        """
    def copy(self) -> Board:
        """Return an independent copy, history included."""
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: object) -> Board: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def svg(
        self,
        *,
        numbers: bool = False,
        cell: int = 28,
        values: Mapping[Move, float] | None = None,
    ) -> str:
        """Return the board as a picture in SVG, which notebooks show automatically.

        ``cell`` is the width of a cell in pixels. ``numbers`` writes on each stone its
        place in the order of moves. The last stone has a mark. ``values`` is a mapping
        from moves to numbers, which are written on their cells, the greatest in a
        frame.
        """
    def _repr_svg_(self) -> str: ...
    def verify(self) -> None:
        """Raise AssertionError unless all incremental state equals recomputed state."""
