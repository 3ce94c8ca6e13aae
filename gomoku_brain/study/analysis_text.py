"""Text output of an analysis: lines of words and tables about a position or a game."""

import math
from collections.abc import Iterable, Iterator, Sequence

from gomoku_brain.control.limits import SearchResult, best_first, moves_words
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.study.annotate import (
    JudgedMove,
    Review,
    Value,
    ValueTable,
)
from gomoku_brain.study.full_analysis import Found
from gomoku_brain.study.game_end import foul_of
from gomoku_brain.study.line_shapes import both_have_fives
from gomoku_brain.study.threat_words import MoveThreats, PositionThreats, describe_move

__all__ = ["found_lines", "head_lines", "headline", "title", "when_won"]


def head_lines(game: Game, board: Board) -> Iterator[str]:
    """Yield the headline and the board of a position."""
    yield headline(game, board)
    yield str(board)


def found_lines(found: Found, all_words: bool = False) -> Iterator[str]:
    """Yield all results as text; ``all_words`` also explains the moves of lines and
    games.
    """
    if found.threats is not None:
        yield from threat_lines(found.threats, found.last_move())
    if found.lines is not None:
        yield from best_lines(found.board, found.lines, found.fours, all_words)
    if found.table is not None and found.question.values:
        yield from value_lines(found.board, found.table)
    if found.review is not None:
        yield from review_lines(found.review, all_words)


def title(game: Game) -> str:
    """Return the players and the result, or the name of the source without them."""
    if game.black or game.white:
        return f"{game.black or '?'} - {game.white or '?'}  {game.result}"
    return game.name


def headline(game: Game, board: Board) -> str:
    """Return the first line about a position."""
    about = shown(title(game), 200)
    stones = f"{board.ply} stone{'s' if board.ply != 1 else ''}"
    state = f"{board.turn.name.lower()} to move"
    foul = foul_of(game, board)
    if foul is not None:
        state = f"white has won: {foul}"
    elif board.winner is not None:
        when = when_won(game, board)
        state = f"{board.winner.name.lower()} has won{when}"
        if not when and both_have_fives(board):
            state = "both sides have five in a row"
    elif board.is_full:
        state = "a draw"
    count = game.count_lines() + game.left_out - 1
    others = f", {count} other line{'s' if count > 1 else ''}: --variations"
    if not count:
        others = ""
    return (
        f"{about + ': ' if about else ''}{board.rule.name.lower()}"
        f" {board.width}x{board.height}, {stones}, {state}{others}"
    )


def when_won(game: Game, board: Board) -> str:
    """Return the move that won, if later moves follow it; else an empty text."""
    start = game.board(0)
    later = -1
    for move in board.moves[start.ply :]:
        if start.winner is not None:
            later += 1
        start.play(move)
    if later < 0:
        return ""
    number = len(board.moves) - game.board(0).ply - later - 1
    follow = "1 move follows" if later == 0 else f"{later + 1} moves follow"
    return f" with move {number}, {follow}" if number else f" already, {follow}"


def percent(value: float) -> str:
    """Format a winning chance, 0 to 1, in percent."""
    return f"{100 * value:.0f} %"


def percent_lost(value: float) -> str:
    """Format a lost winning chance in percent, rounded down.

    So 20 % stands for a blunder, never for less. (A thousandth of a percent is added,
    since 0.29 * 100 is a little less than 29.)
    """
    return f"{math.floor(100 * value + 1e-5)} %"


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table under their heads.

    Numbers are aligned to the right, the last column to the left.
    """
    rows = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        cells = [
            text.rjust(width) for text, width in zip(row[:-1], widths, strict=False)
        ]
        yield "  ".join([*cells, row[-1]]).rstrip()


def threat_lines(threats: PositionThreats, last: MoveThreats | None) -> Iterator[str]:
    """Yield the threats of a position, and the effects ``last`` of the last move."""
    yield ""
    yield from threats.phrases() or ["no threats"]
    if last is not None:
        yield f"the last move {last.move}: {last}"


def best_lines(
    board: Board,
    result: SearchResult,
    fours: tuple[Move, ...] | None,
    threats: bool,
) -> Iterator[str]:
    """Yield the best lines."""
    yield ""
    if fours:
        yield f"win by fours in {moves_words(len(fours))}: {format_moves(fours)}"
    lines = best_first(result.lines)
    yield f"depth {result.depth}, {result.nodes} nodes, {result.time:.2f} s"
    yield from table_lines(
        ("", "move", "score", "chance", "depth", "line"),
        (
            (
                f"{number}.",
                str(line.pv[0]),
                str(Value(line.score, line.win_in)),
                percent(line.chance),
                str(line.depth),
                format_moves(line.pv),
            )
            for number, line in enumerate(lines, 1)
        ),
    )
    if threats:
        for line in lines:
            yield f"{line.pv[0]}: {describe_move(board, line.pv[0])}"


def value_lines(board: Board, table: ValueTable) -> Iterator[str]:
    """Yield the values on the board, then one line for each candidate."""
    known = {cell.move: cell.value for cell in table.cells}
    yield ""
    yield (
        f"values of {len(known)} candidates (winning chance in percent),"
        f" depth {table.depth} after each,"
        f" {table.nodes} nodes, {table.seconds:.2f} s"
    )
    if any(value.short for value in known.values()):
        yield "W4: win in 4 moves, L3: loss in 3 moves"
    if board.width <= 26:
        yield "   " + "".join(f"{chr(ord('a') + x):>4}" for x in range(board.width))
    for y in range(board.height):
        cells = (cell_text(board, Move(x, y), known) for x in range(board.width))
        yield f"{y + 1:3}" + "".join(f"{text:>4}" for text in cells)
    yield from table_lines(
        ("cell", "score", "chance", "depth", "nodes", "line"),
        (
            (
                str(cell.move),
                str(cell.value),
                percent(cell.value.chance),
                str(cell.depth),
                str(cell.nodes),
                format_moves(cell.pv[:6]),
            )
            for cell in table.cells
        ),
    )


def cell_text(board: Board, move: Move, known: dict[Move, Value]) -> str:
    """Return the text of a cell in the grid of values."""
    if board.is_wall(move):
        return "#"
    if not board.is_empty(move):
        return "X" if board.stone(move) == Side.BLACK else "O"
    value = known.get(move)
    if value is None:
        return "."
    return value.short or f"{100 * value.chance:.0f}"


def review_lines(judged: Review, threats: bool) -> Iterator[str]:
    """Yield the game's moves, and the number of mistakes of each side."""
    yield ""
    if judged.first:
        yield f"stopped: moves from {judged.first + 1} only"
    yield from table_lines(
        ("", "move", "score", "best", "score", "loss", "depth", "judgement"),
        (
            (
                f"{move.number}.",
                str(move.move),
                str(move.after),
                str(move.best) if move.best != move.move else "",
                str(move.before) if move.best != move.move else "",
                percent_lost(move.loss),
                str(move.depth),
                move.label
                + (f": {move.why}" if move.why else "")
                + (f" ({'; '.join(move.threats)})" if threats and move.threats else ""),
            )
            for move in judged.moves
        ),
    )
    if judged.end:
        yield judged.end
    if judged.after_end:
        many = judged.after_end > 1
        yield (
            f"{judged.after_end} {'moves' if many else 'move'} after the end"
            f" {'are' if many else 'is'} not judged"
        )
    for side in Side:
        yield summary(side, [move for move in judged.moves if move.side == side])


def summary(side: Side, moves: Sequence[JudgedMove]) -> str:
    """Return the quality of a side's moves in one line."""
    own = [move for move in moves if move.label != "opening"]
    if not own:
        return f"{side.name.lower()}: no moves to judge"
    loss = sum(move.loss for move in own) / len(own)
    parts = [
        f"{side.name.lower()}: {len(own)} move{'s' if len(own) > 1 else ''},"
        f" {percent_lost(loss)} lost on average"
    ]
    for one, many in (
        ("best", "best"),
        ("good", "good"),
        ("inaccuracy", "inaccuracies"),
        ("mistake", "mistakes"),
        ("blunder", "blunders"),
    ):
        count = sum(move.label == one for move in own)
        if count:
            parts.append(f"{count} {one if count == 1 else many}")
    return ", ".join(parts)
