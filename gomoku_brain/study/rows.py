"""Rows of JSON that several commands print about a position.

Every command and the stream of ``analyze`` write the same rows, one object on a line,
each with a "type"; ``docs/output.schema.json`` defines them. The row of a result is its
``to_dict()``. Moves are written "h8", rules and sides by their names in small letters
with underscores.
"""

from typing import Any

from gomoku_brain.control.limits import SearchResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.study.game_end import foul_of
from gomoku_brain.study.row_types import PositionRow, names, side_name

__all__ = ["lines_row", "position_row"]


def position_row(game: Game, board: Board) -> PositionRow:
    """Return the row of a position."""
    cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
    start = game.board(0).ply
    foul = foul_of(game, board)
    winner = board.winner if foul is None else Side.WHITE
    row: PositionRow = {
        "name": game.name,
        "rule": board.rule.name.lower(),
        "width": board.width,
        "height": board.height,
        "black": names(cell for cell in cells if board.stone(cell) == Side.BLACK),
        "white": names(cell for cell in cells if board.stone(cell) == Side.WHITE),
        "walls": names(cell for cell in cells if board.is_wall(cell)),
        "moves": names(board.moves[start:]),
        "side_to_move": side_name(board.turn),
        "winner": None if winner is None else side_name(winner),
        "over": winner is not None or board.is_full,
    }
    if foul is not None:
        row["foul"] = {
            "number": foul.number,
            "move": str(foul.move),
            "kind": foul.kind.replace(" ", "_"),
        }
    return row


def lines_row(result: SearchResult, fours: tuple[Move, ...] | None) -> dict[str, Any]:
    """Return the best lines, and the win by fours if there is one."""
    return {
        **result.to_dict(),
        "win_by_fours": None if fours is None else names(fours),
    }
