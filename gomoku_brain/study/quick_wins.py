"""Wins that can be forced in three plies by fours, and the moves that prevent them."""

from collections.abc import Iterable

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.study.line_shapes import (
    Placed,
    Turn,
    any_five,
    line_through,
    of_class,
    stops_of,
)

__all__ = ["answers", "quick_wins"]

_FOURS = {"B4", "F4"}


def _five_cells(board: Board, side: Side) -> list[Move]:
    with Turn(board, side):  # a five is legal, also for black in renju
        return [cell for cell in board.legal_moves() if board.wins_at(cell)]


def quick_wins(board: Board, side: Side | None = None) -> tuple[int, list[Move]]:
    """Return (plies, cells): the cells where the side, to move, wins by force.

    The win takes one ply, or else three; (0, []) without such a win. ``side`` is the
    side to move by default. In renju a reply that is forbidden to black does not count.
    """
    side = board.turn if side is None else side
    scratch = board.copy()
    fives = _five_cells(scratch, side)
    if fives:
        return 1, fives
    makers = _four_makers(scratch, side)
    if not makers:
        return 0, []
    wins = _unstoppable(scratch, side, makers, _five_cells(scratch, side.other))
    return (3, wins) if wins else (0, [])


def _four_makers(board: Board, side: Side) -> list[Move]:
    with Turn(board, side):
        return [
            cell
            for cell in board.legal_moves()
            if not _FOURS.isdisjoint(board.line_classes(cell, side))
        ]


def _unstoppable(
    board: Board,
    side: Side,
    cells: Iterable[Move],
    theirs: list[Move],
    maximum: int | None = None,
) -> list[Move]:
    """Return those of the cells where a four of the side leaves the other no answer.

    The cells are legal moves; those that no longer make a four are left out. The side
    must have no five cell yet. All five cells of the other side must be among
    ``theirs``. Stops after ``maximum`` cells.
    """
    found: list[Move] = []
    for cell in cells:
        if len(found) == maximum:
            break
        classes = board.line_classes(cell, side)
        if not _FOURS.isdisjoint(classes):
            with Placed(board, side, cell):
                if not any_five(board, side.other, theirs) and not _is_stoppable(
                    board, side, cell, classes
                ):
                    found.append(cell)
    return found


def _is_stoppable(
    board: Board, side: Side, cell: Move, classes: tuple[str, ...]
) -> bool:
    """Whether a legal stone stops the fives that the stone on the cell threatens.

    ``classes`` are the line classes of the cell before the stone was placed.
    """
    fives: list[Move] = []
    stops: set[Move] = set()
    for direction, kind in enumerate(classes):
        # renju's two fours on a line have the class OL
        if kind not in ("DEAD", "F1", "B1"):
            line = line_through(board, cell, direction)
            on_line = of_class(board, side, direction, line, "F5")
            if on_line:
                fives += on_line
                stops.update(stops_of(board, side, line, on_line[:1]))
    for stop in stops:
        with Turn(board, side.other):
            legal = board.is_legal(stop)
        if legal:
            with Placed(board, side.other, stop):
                if not any_five(board, side, fives):
                    return True
    return False


def answers(board: Board) -> tuple[int, list[Move], list[Move]]:
    """Return (plies, threats, moves): the opponent's threatened win and the moves that
    prevent it.

    ``threats`` are the opponent's ``quick_wins`` if it were to move. ``moves`` are all
    legal moves after which it has no win in so many plies, or that win at once,
    including fours that only delay. (0, [], []) without such a threat.
    """
    plies, threats = quick_wins(board, board.turn.other)
    if not plies:
        return 0, [], []
    scratch = board.copy()
    fives = _five_cells(scratch, scratch.turn)
    moves = []
    for move in scratch.legal_moves():
        wins = scratch.wins_at(move)
        scratch.play(move)
        if wins or not _still_wins(scratch, plies, threats, fives):
            moves.append(move)
        scratch.undo()
    return plies, threats, moves


def _near(board: Board, cell: Move) -> list[Move]:
    """Return the empty cells within five steps on the lines through a cell."""
    return [
        near
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        for step in (*range(-5, 0), *range(1, 6))
        if board.is_empty(near := Move(cell.x + step * dx, cell.y + step * dy))
    ]


def _still_wins(
    board: Board, plies: int, threats: list[Move], fives: list[Move]
) -> bool:
    """Whether the side to move still wins in so many plies by one of those moves.

    ``fives`` are the five cells that the other side had before its last move.
    """
    left = [move for move in threats if board.is_legal(move)]
    if plies == 1:
        return any_five(board, board.turn, left)
    # The last move makes new five cells only near itself.
    theirs = [*fives, *_near(board, board.moves[-1])]
    if _unstoppable(board, board.turn, left, theirs, maximum=1):
        return True
    # In other rules a stone never helps the other side. In renju it may end a foul of
    # black's, or make a foul of the point where black must answer.
    return board.rule.has_fouls and quick_wins(board)[0] != 0
