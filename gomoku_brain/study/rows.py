"""Results as rows of JSON: positions, lines, values, threats, solutions.

Every command and the stream of ``analyze`` write the same rows, one object on a line,
each with a "type"; ``docs/output.schema.json`` defines them. Moves are written "h8",
rules and sides by their names in small letters with underscores.
"""

from collections.abc import Iterable

from gomoku_brain.control.limits import (
    SearchInfo,
    SearchResult,
    SolveResult,
    ThreatTree,
    best_first,
)
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.runs.json_rows import SideName
from gomoku_brain.study.annotate import JudgedMove, Review, Value, ValueTable
from gomoku_brain.study.game_end import foul_of
from gomoku_brain.study.row_types import (
    JudgedRow,
    LineRow,
    LinesRow,
    PositionRow,
    ReviewRow,
    ShapeRow,
    SolutionRow,
    ThreatsRow,
    TreeRow,
    ValueRow,
    ValuesRow,
)
from gomoku_brain.study.threat_words import PositionThreats, Shape

__all__ = [
    "line_rows",
    "lines_row",
    "names",
    "position_row",
    "review_row",
    "solution_row",
    "threats_row",
    "tree_row",
    "values_row",
]


def side_name(side: Side) -> SideName:
    """Return a side in small letters."""
    return "black" if side is Side.BLACK else "white"


def names(moves: Iterable[Move]) -> list[str]:
    """Return moves as "h8"."""
    return [str(move) for move in moves]


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


def lines_row(result: SearchResult, fours: tuple[Move, ...] | None) -> LinesRow:
    """Return the best lines, and the win by fours if there is one."""
    return {
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.time, 3),
        "win_by_fours": None if fours is None else names(fours),
        "lines": line_rows(result.lines),
    }


def line_rows(lines: Iterable[SearchInfo]) -> list[LineRow]:
    """Return lines of play, best first."""
    return [
        {
            "move": str(line.pv[0]),
            "score": line.score,
            "win_in": line.win_in,
            "chance": round(line.chance, 4),
            "depth": line.depth,
            "seldepth": line.seldepth,
            "nodes": line.nodes,
            "line": names(line.pv),
        }
        for line in best_first(lines)
    ]


def solution_row(result: SolveResult, tree_depth: int | None = None) -> SolutionRow:
    """Return the result of a search for a win.

    ``tree_depth``: plies of the tree in the row; None: no tree.
    """
    row: SolutionRow = {
        "status": "no_win" if result.status == "no win" else result.status,
        "kind": result.kind,
        "plies": len(result.line) or None,
        "line": names(result.line),
        "nodes": result.nodes,
        "seconds": round(result.time, 6),
    }
    if result.least is not None:
        row["least"] = result.least
        row["least_of_all"] = result.least_of_all
        row["shortest"] = result.is_shortest
    if tree_depth is not None and result.tree is not None:
        row["tree"] = tree_row(result.tree, tree_depth)
    return row


def tree_row(tree: ThreatTree, depth: int) -> TreeRow:
    """Return the tree of a win; ``replies`` is missing below ``depth`` plies."""
    row: TreeRow = {"move": str(tree.move), "plies": tree.plies}
    if depth > 2:
        row["replies"] = {
            str(reply): tree_row(answer, depth - 2) for reply, answer in tree.replies
        }
    return row


def values_row(table: ValueTable) -> ValuesRow:
    """Return the values of all candidates."""
    return {
        "depth": table.depth,
        "nodes": table.nodes,
        "seconds": round(table.seconds, 3),
        "cells": [
            {
                "move": str(cell.move),
                **value_row(cell.value),
                "depth": cell.depth,
                "nodes": cell.nodes,
                "line": names(cell.pv),
            }
            for cell in table.cells
        ],
    }


def value_row(value: Value) -> ValueRow:
    """Return a value."""
    return {
        "score": value.score,
        "win_in": value.win_in,
        "chance": round(value.chance, 4),
    }


def threats_row(threats: PositionThreats) -> ThreatsRow:
    """Return the threats on a board."""
    return {
        "words": threats.phrases(),
        "shapes": [shape_row(shape) for shape in threats.shapes],
        "win_in": threats.wins_in or None,
        "wins": names(threats.wins),
        "threatened_in": threats.threatened_in or None,
        "threats": names(threats.threats),
        "answers": names(threats.answers),
        "forbidden": names(threats.forbidden),
        "fouls": [foul.replace("-", "_") for foul in threats.fouls],
    }


def shape_row(shape: Shape) -> ShapeRow:
    """Return one shape: a four, a three and so on."""
    return {
        "kind": shape.kind.replace(" ", "_"),
        "side": side_name(shape.side),
        "stones": names(shape.stones),
        "points": names(shape.points),
    }


def review_row(judged: Review) -> ReviewRow:
    """Return the game's moves and its curve."""
    return {
        "first": judged.first,
        "curve": [round(value, 4) for value in judged.curve],
        "moves": [judged_row(move) for move in judged.moves],
        "end": judged.end,
        "after_end": judged.after_end,
    }


def judged_row(move: JudgedMove) -> JudgedRow:
    """Return one move of a game."""
    return {
        "number": move.number,
        "side": side_name(move.side),
        "move": str(move.move),
        "value": value_row(move.after),
        "best": str(move.best),
        "best_value": value_row(move.before),
        "line": names(move.line),
        "loss": round(move.loss, 4),
        "label": move.label,
        "why": move.why,
        "refutation": names(move.refutation),
        "threats": list(move.threats),
        "depth": move.depth,
        "nodes": move.nodes,
    }
