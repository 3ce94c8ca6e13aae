"""Play-outs of levels: an attacker against a defender, until a player makes five."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from gomoku_brain.game.position import Board
from gomoku_brain.plain.first_moves import SEARCHED_TREE, tree_size
from gomoku_brain.plain.plan import (
    EASY,
    EASY_DEPTH,
    ENGINE,
    S2_DEPTHS,
    Plan,
    level_board,
    matchups,
)
from gomoku_brain.plain.players import MoveChooser, SearchedMove
from gomoku_brain.plain.results import Job, Result, Results, job_key

MAX_MOVES = 40  # of the attacker; a level with more moves counts as not won


def playout_key(
    plan: Plan, level: int, attacker: str, defender: str, depth: int
) -> dict[str, Any]:
    """Return the key of the job that plays a level out."""
    return job_key(
        "play-out",
        level=level,
        attacker=attacker,
        defender=defender,
        defence=EASY_DEPTH if defender == EASY else plan.defender_nodes,
        depth=depth,
        budget=plan.budget,
    )


def playout_jobs(plan: Plan, results: Results) -> Iterator[Job]:
    """Yield the jobs of each attacker on each level, with rising depth until it
    wins.
    """
    for level in plan.levels:
        for attacker, defender in matchups():
            for depth in range(1, plan.depth + 1):
                key = playout_key(plan, level, attacker, defender, depth)
                yield Job(
                    key,
                    partial(
                        play_out, level_board(level), attacker, defender, depth, plan
                    ),
                )
                won = (results.get(key) or {}).get("outcome") == "won"
                if won and (attacker != "rules" or depth >= S2_DEPTHS):
                    break


def play_out(
    level: Board, attacker: str, defender: str, depth: int, plan: Plan
) -> Result:
    """Play a level until a player wins or the attacker has made all its moves.

    The attacker with the rule score searches as in S2, without ordering and table. For
    it, ``trees`` holds the nodes that plain minimax would have needed for its moves,
    over the candidates ("2") and over all empty cells ("0").
    """
    board = level.copy()
    s2_way = attacker == "rules"
    me = MoveChooser(attacker, "alphabeta" if s2_way else "table")
    other = MoveChooser("rules" if defender == EASY else ENGINE)
    me.new_game()
    other.new_game()
    outcome = "not won"
    trees: dict[str, int | None] = {"0": 0, "2": 0}
    moves = []
    for _ in range(MAX_MOVES):
        if s2_way:
            for radius, known in trees.items():
                tree = tree_size(board, depth, int(radius), SEARCHED_TREE)
                trees[radius] = (
                    known + tree if known is not None and tree is not None else None
                )
        choice = me.to_depth(board, depth, plan.budget)
        moves.append(move_row(board, choice))
        if choice.move is None:
            outcome = "too many nodes"
            break
        board.play(choice.move)
        if board.winner is not None:
            outcome = "won"
            break
        if board.is_full:
            break
        if defender == EASY:
            choice = other.to_depth(board, EASY_DEPTH, plan.budget)
        else:
            choice = other.within_nodes(board, plan.defender_nodes)
        assert choice.move is not None
        moves.append(move_row(board, choice))
        board.play(choice.move)
        if board.winner is not None:
            outcome = "lost"
            break
        if board.is_full:
            break
    mine = moves[::2]
    return {
        "outcome": outcome,
        "count": len(mine),
        "nodes": sum(move["nodes"] for move in mine),
        "seconds": sum(move["seconds"] for move in mine),
        "slowest": max(move["seconds"] for move in mine),
        "trees": trees if s2_way else None,
        "moves": moves,
    }


def move_row(board: Board, choice: SearchedMove) -> Result:
    """Return a move of a play-out with the figures of its search."""
    return {
        "side": board.turn.name.lower(),
        "move": None if choice.move is None else str(choice.move),
        "score": choice.score,
        "win_in": choice.win_in,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "seconds": choice.seconds,
    }
