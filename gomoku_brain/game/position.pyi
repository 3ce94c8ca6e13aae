from collections.abc import Iterable
from typing import final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side

@final
class Board:
    """A position, its rule, whose turn it is, and the order of its stones.

    ``size`` is the number of cells along a side, or ``(width, height)``, each 5..22.
    Raises ValueError for another size or an unknown rule.

    >>> board = Board.from_moves("h8 h9 j10", size=15)
    >>> board.turn
    <Side.WHITE: 1>
    """

    def __init__(
        self, size: int | tuple[int, int] = 15, rule: Rule | int = ...
    ) -> None: ...
    @classmethod
    def from_moves(
        cls,
        moves: str | Iterable[tuple[int, int]],
        size: int | tuple[int, int] = 15,
        rule: Rule | int = ...,
    ) -> Board:
        """A game record played from the empty board, black first.

        Raises ValueError for unreadable text and for a cell off the board or occupied.
        """
    @classmethod
    def from_stones(
        cls,
        black: Iterable[tuple[int, int]],
        white: Iterable[tuple[int, int]],
        walls: Iterable[tuple[int, int]] = (),
        *,
        turn: Side | None = None,
        size: int | tuple[int, int] = 15,
        rule: Rule | int = ...,
    ) -> Board:
        """Any set of stones; ``walls`` are stones that count for neither side.

        Without ``turn``, black is to move unless it has more stones than white.
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
    def turn(self, side: Side) -> None: ...
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
    def play(self, move: tuple[int, int]) -> None:
        """Place a stone of the side to move and pass the turn.

        Forbidden points and moves after a win are accepted: judging a game is the
        referee's task. Raises ValueError for a cell off the board or occupied.
        """
    def undo(self) -> Move:
        """Take back the last stone. Raises ValueError when there is none."""
    def remove(self, move: tuple[int, int]) -> None:
        """Take any stone off; the turn changes. ValueError if the cell is empty."""
    def is_empty(self, move: tuple[int, int]) -> bool:
        """Whether the cell is on the board and free."""
    def is_wall(self, move: tuple[int, int]) -> bool:
        """Whether a stone of neither side is on the cell."""
    def stone(self, move: tuple[int, int]) -> Side | None:
        """Whose stone is on the cell."""
    def foul(self, move: tuple[int, int]) -> str | None:
        """What foul black would commit there: "overline", "double-four",
        "double-three", or None; always None unless the rule is renju."""
    def line_classes(
        self, move: tuple[int, int], side: Side
    ) -> tuple[str, str, str, str]:
        """What a stone of ``side`` would make there on each line: along the row, the
        column, the falling and the rising diagonal.

        The names are those of patterns.pxd: "F5" five, "F4" and "B4" fours, "F3S", "F3"
        and "B3" threes .. "DEAD". A black three of renju counts here even when a foul
        makes it void. Raises ValueError for a cell off the board or occupied.
        """
    def is_legal(self, move: tuple[int, int]) -> bool:
        """Whether the side to move may play there."""
    def wins_at(self, move: tuple[int, int]) -> bool:
        """Whether the side to move would complete a winning line there."""
    def legal_moves(self) -> list[Move]:
        """All cells that the side to move may play, row by row."""
    def forbidden_moves(self) -> list[Move]:
        """All points forbidden to black, whoever is to move."""
    def copy(self) -> Board:
        """An independent copy, history included."""
    def __copy__(self) -> Board: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def verify(self) -> None:
        """Raise AssertionError unless all incremental state equals recomputed state."""
