"""Position that was set up, or a game, as input for analysis, the board and play."""

from dataclasses import dataclass, field, replace

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.records.game_formats import GameRecord

__all__ = ["DEFAULT_SIZE", "Game"]

DEFAULT_SIZE = 15


@dataclass(frozen=True, slots=True)
class Game:
    """Position that was set up (mostly the empty board) and the moves from there."""

    rule: Rule = DEFAULT_RULE
    width: int = DEFAULT_SIZE
    height: int = DEFAULT_SIZE
    black: tuple[Move, ...] = ()
    """Black stones of the set-up; ``white`` has the white ones."""
    white: tuple[Move, ...] = ()
    walls: tuple[Move, ...] = ()
    """Stones of neither side."""
    first: Side = Side.BLACK
    """Side that makes the first of the moves."""
    moves: tuple[Move, ...] = ()
    name: str = ""
    """Name in the source, else the place: "puzzles.txt:3"."""
    record: GameRecord | None = None
    """Names, result, times and scores, if the source is the record of a game."""
    head: dict[str, str] = field(default_factory=dict, compare=False)
    """Players, result and others of a position that was set up, by the names of SGF."""
    others: int = 0
    """Number of other lines of the same game in the source, which were skipped."""
    line: int = 1
    """Number of the line in its game; the main line is 1."""
    facts: dict[str, object] = field(default_factory=dict, compare=False)
    """Further facts of the source: "expected", "note" ..."""

    @property
    def set_up(self) -> bool:
        """Whether it begins with stones on the board, or with white."""
        stones = self.black or self.white or self.walls
        return bool(stones) or self.first is Side.WHITE

    def board(self, ply: int | None = None) -> Board:
        """Return the position after ``ply`` of the moves (all by default).

        Raises ValueError for a size that the board does not support, and for a cell off
        the board or occupied.
        """
        board = Board.from_stones(
            self.black,
            self.white,
            self.walls,
            turn=self.first,
            size=(self.width, self.height),
            rule=self.rule,
        )
        for number, move in enumerate(self.moves[:ply], start=1):
            try:
                board.play(move)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
        return board

    def cut(self, ply: int | None) -> "Game":
        """Return the same game with only the first ``ply`` moves (None: all)."""
        return replace(self, moves=self.moves[:ply])
