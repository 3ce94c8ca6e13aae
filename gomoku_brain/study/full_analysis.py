"""Complete analysis of one position or game with one engine."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.study.annotate import Review, ValueTable, review, values
from gomoku_brain.study.game_end import is_over
from gomoku_brain.study.rows import lines_row, position_row
from gomoku_brain.study.threat_words import (
    MoveThreats,
    PositionThreats,
    describe_move,
    describe_position,
)

__all__ = ["LINES", "SECONDS", "Found", "Question", "find"]

LINES = 3  # number of best lines by default
SECONDS = 5.0  # default time for the lines, and for the table
GAME_SECONDS = 0.5  # default time for each search of a game
# nodes of the search for a win by fours; a search for several lines has none of its own
VCF_NODES = 200_000

Progress = Callable[[str], None]
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """Requested parts of an analysis; for a game, of the position after its moves."""

    threats: bool = False
    lines: int | None = None
    """Number of best lines; None: ``LINES``, or none if a game is judged."""
    values: bool = False
    picture: bool = False
    """Whether a heat map is drawn, which needs the values."""
    game: bool = False
    limits: Limits | None = None
    """Time, nodes and depth of each part; None: the default time of each part."""
    ply: int | None = None
    """Number of a game's moves that are played; None: all."""
    side: Side | None = None
    """Side to move; None: the side to move in the source."""

    def within(self, default: float, multipv: int = 1) -> Limits:
        """Return the limits of one part, whose time is ``default`` seconds if none is
        set.
        """
        given = self.limits or Limits(time=default)
        return Limits(
            time=given.time, nodes=given.nodes, depth=given.depth, multipv=multipv
        )

    def board(self, game: Game) -> Board:
        """Return the position to analyse."""
        board = game.board(self.ply)
        if self.side is not None:
            board.turn = self.side
        return board


@dataclass(slots=True)
class Found:
    """Results about one position or game; a part that was not requested or not reached
    is None.
    """

    question: Question
    game: Game
    board: Board
    threats: PositionThreats | None = None
    lines: SearchResult | None = None
    fours: tuple[Move, ...] | None = None
    """Moves of a win by fours."""
    table: ValueTable | None = None
    review: Review | None = None

    def row(self) -> dict[str, Any]:
        """Return the results as a JSON row."""
        row: dict[str, Any] = {**position_row(self.game, self.board)}
        if self.threats is not None:
            row["threats"] = self.threats.to_dict()
            if (last := self.last_move()) is not None:
                row["last_move"] = last.to_dict()
        if self.lines is not None:
            row |= lines_row(self.lines, self.fours)
        if self.table is not None:
            row["values"] = self.table.to_dict()
        if self.review is not None:
            row["review"] = self.review.to_dict()
        return row

    def last_move(self) -> MoveThreats | None:
        """Return the effects of the last move; None if no move led to the position, or
        if it followed the end of the game.
        """
        if not self.game.moves or self.board.ply == self.game.board(0).ply:
            return None
        before = self.board.copy()
        move = before.undo()
        return describe_move(before, move) if before.winner is None else None


def find(
    engine: Engine, game: Game, question: Question, progress: Progress, stop: Stop
) -> Found:
    """Do all requested parts of an analysis.

    If ``stop`` returns true, it ends with the results so far. ``progress`` is called
    with a few words about the current part.
    """
    board = question.board(game)
    found = Found(question, game, board)
    table = question.values or question.picture
    lines = question.lines
    if lines is None:
        lines = 0 if question.game and not table else LINES
    over = is_over(game, board)
    if question.threats:
        found.threats = describe_position(board, game.board(0))
    engine.new_game()
    if lines and not over:
        found.fours = engine.solve(board, "vcf", Limits(time=1.0, nodes=VCF_NODES))

        def on_info(info: SearchInfo) -> None:
            progress(f"depth {info.depth}, {info.nodes} nodes")

        limits = question.within(SECONDS, multipv=lines)
        if stop():
            limits = Limits(depth=1, multipv=lines)
        found.lines = engine.search(board, limits, on_info)
    if table and not over and not stop():
        found.table = values(
            engine,
            board,
            question.within(SECONDS),
            on_progress=lambda depth, done, count: progress(
                f"values: depth {depth}, cell {done} of {count}"
            ),
            stop=stop,
        )
    if question.game and not stop():
        found.review = review(
            engine,
            game.cut(question.ply),
            question.within(GAME_SECONDS),
            on_progress=lambda done, count: progress(f"game: search {done} of {count}"),
            stop=stop,
        )
    return found
