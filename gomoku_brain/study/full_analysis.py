"""All that is asked about one position or game, found with one engine."""

from collections.abc import Callable
from dataclasses import dataclass

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import Review, ValueTable, review, values
from gomoku_brain.study.game_end import is_over
from gomoku_brain.study.rows import (
    lines_row,
    position_row,
    review_row,
    threats_row,
    values_row,
)
from gomoku_brain.study.threat_words import (
    PositionThreats,
    describe_move,
    describe_position,
)

__all__ = ["LINES", "SECONDS", "Found", "Question", "find"]

LINES = 3  # best lines, where nothing else is asked
SECONDS = 5.0  # where no limit is given: for the lines, for the table
GAME_SECONDS = 0.5  # for each search of a game
VCF_NODES = 200_000  # for the win by fours, which several lines do not look for

Say = Callable[[str], None]
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; about a game, of the position after its moves."""

    threats: bool = False
    lines: int | None = None
    """Best lines; None: LINES, but none beside a game that is judged."""
    values: bool = False
    picture: bool = False
    """A heat map is wanted, so the values are needed."""
    game: bool = False
    limits: Limits | None = None
    """Time, nodes and depth of each thing asked; None: seconds by its kind."""
    ply: int | None = None
    """How many moves of a game count; None: all."""
    side: Side | None = None
    """Who is to move; None: whom the source tells."""

    def within(self, default: float, multipv: int = 1) -> Limits:
        """The limits of one thing that takes so many seconds by default."""
        given = self.limits or Limits(time=default)
        return Limits(
            time=given.time, nodes=given.nodes, depth=given.depth, multipv=multipv
        )

    def board(self, game: Game) -> Board:
        """The position that is asked about."""
        board = game.board(self.ply)
        if self.side is not None:
            board.turn = self.side
        return board


@dataclass(slots=True)
class Found:
    """What was found out about one position or game; None: not asked, or no time."""

    question: Question
    game: Game
    board: Board
    threats: PositionThreats | None = None
    lines: SearchResult | None = None
    fours: tuple[Move, ...] | None = None
    """A win by fours."""
    table: ValueTable | None = None
    review: Review | None = None

    def row(self) -> dict[str, object]:
        """The same for machines."""
        row = position_row(self.game, self.board)
        if self.threats is not None:
            row["threats"] = threats_row(self.threats)
            row["last_move"] = self.last_words()
        if self.lines is not None:
            row |= lines_row(self.lines, self.fours)
        if self.table is not None:
            row["values"] = values_row(self.table)
        if self.review is not None:
            row["game"] = review_row(self.review)
        return row

    def last_words(self) -> str:
        """What the last move did, if the position came from a move; else empty."""
        if not self.game.moves or self.board.ply == self.game.board(0).ply:
            return ""
        before = self.board.copy()
        move = before.undo()
        if before.winner is not None:
            return ""  # made after the end
        return f"{move}: {describe_move(before, move)}"


def find(
    engine: Engine, game: Game, question: Question, progress: Say, stop: Stop
) -> Found:
    """Find out all that is asked; ends with what is known when ``stop`` says so.

    ``progress`` is told in a few words what is being done.
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
            on_progress=lambda done, count: progress(
                f"game: position {done} of {count}"
            ),
            stop=stop,
        )
    return found
