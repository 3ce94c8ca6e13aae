"""Choice of a move at a level below full strength.

A random draw decides which fours, open threes (one line at a time) and forks the level
overlooks this time. If it overlooks nothing, and reads ahead on this move, a small
search chooses. Otherwise the shapes on the board choose: first a five or an open four
that the level notices, or a move that prevents one, else one of the moves with the best
shapes.

The reported score and result come from a search of the true position. They do not
depend on what the level overlooked.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult
from gomoku_brain.eval.chance import scale_of
from gomoku_brain.eval.score import DRAW, WIN
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.levels.ladder import Level
from gomoku_brain.levels.shapes import (
    MAKES_FIVE,
    MAKES_FORK,
    MAKES_OPEN_FOUR,
    Weighed,
    threats,
    weigh,
)

__all__ = ["choose"]

CHECK_NODES = 200  # nodes to find the true score of a move that its shapes chose

Search = Callable[[Board, Limits], SearchResult]


def choose(
    board: Board, level: Level, limits: Limits, seed: int, search: Search
) -> SearchResult:
    """Return the move of a level in a position, with its true score.

    ``search`` is the full-strength search, called with limits. If it is deterministic,
    equal seeds give equal moves in equal positions. Cells in ``limits.exclude`` are not
    played while others are left.
    """
    rng = random.Random(f"{seed} {board.key} {int(board.turn)} {board.ply}")
    unseen = []
    for threat in threats(board):
        own = threat.side == board.turn
        rate = level.overlooks(threat.is_four, threat.is_solid, threat.is_diagonal, own)
        if rng.random() < rate:
            unseen.append((threat.side, threat.direction, threat.line))
    sees_forks = rng.random() >= level.overlooks_forks
    reads = rng.random() < level.reads
    if level.nodes and reads and not unseen:
        nodes = int(level.nodes * (0.5 + rng.random()))  # so games differ
        return search(board, _of_root(limits, nodes))
    moves = [
        weighed
        for weighed in weigh(board, unseen, sees_forks)
        if weighed.move not in limits.exclude
    ]
    if not moves:  # the first stone, or no free cell is near a stone
        return search(board, _of_root(limits, CHECK_NODES))
    return _true_result(board, by_shapes(moves, level, rng), limits, search)


def by_shapes(moves: Sequence[Weighed], level: Level, rng: random.Random) -> Move:
    """Return one of the moves as a player chooses who does not read ahead."""
    # Chance decides among equal moves, not their order on the board.
    lots = [(-each.value, rng.random(), each.move) for each in _urgent(moves)]
    lots = sorted(lots)[: level.breadth]
    best = lots[0][0]
    if not level.temperature:
        return lots[0][2]
    shares = [math.exp((best - worse) / level.temperature) for worse, _, _ in lots]
    point = rng.random() * sum(shares)
    for share, (_, _, move) in zip(shares, lots, strict=True):
        point -= share
        if point < 0:
            return move
    return lots[0][2]


def _urgent(moves: Sequence[Weighed]) -> Sequence[Weighed]:
    """Return the moves to choose from: a five or open four that is noticed comes
    first.
    """
    for kind in (MAKES_FIVE, MAKES_OPEN_FOUR):
        own = [each for each in moves if each.own == kind]
        if own:
            return own
        # An open four that threatens can be stopped, or prevented by a fork of fours.
        theirs = [
            each
            for each in moves
            if each.theirs == kind
            or (kind == MAKES_OPEN_FOUR and each.own == MAKES_FORK)
        ]
        if any(each.theirs == kind for each in theirs):
            return theirs
    return moves


def _true_result(
    board: Board, move: Move, limits: Limits, search: Search
) -> SearchResult:
    """Return the result of playing a move, from a small search of the true position."""
    started = perf_counter()
    check = Limits(
        depth=None if limits.depth is None else max(limits.depth - 1, 1),
        nodes=_least(CHECK_NODES, limits.nodes),
        started=limits.started,
    )
    after = board.copy()
    after.play(move)
    if board.wins_at(move) or after.is_full:
        win_in = 1 if board.wins_at(move) else None
        info = SearchInfo(
            depth=1,
            seldepth=1,
            multipv=1,
            score=WIN - 1 if win_in else DRAW,
            win_in=win_in,
            nodes=0,
            time=perf_counter()
            - (started if limits.started is None else limits.started),
            pv=(move,),
            scale=scale_of(board),
        )
    else:
        seen = search(after, check)
        if seen.score is None:
            return replace(seen, pv=(move, *seen.pv), scale=scale_of(board))
        score, win_in = -seen.score, None
        if seen.win_in is not None:  # one ply further from here
            further = 1 if seen.win_in > 0 else -1
            score, win_in = score + further, -seen.win_in - further
        info = SearchInfo(
            depth=seen.depth + 1,
            seldepth=seen.seldepth + 1,
            multipv=1,
            score=score,
            win_in=win_in,
            nodes=seen.nodes,
            time=seen.time,
            pv=(move, *seen.pv),
            scale=scale_of(board),
        )
    return SearchResult(lines=(info,), **info.figures())


def _least(*limits: int | None) -> int | None:
    """Return the smallest of the limits; None is no limit."""
    return min((limit for limit in limits if limit is not None), default=None)


def _of_root(limits: Limits, nodes: int | None) -> Limits:
    """Return the limits for the root position, with at most so many nodes."""
    return Limits(
        depth=limits.depth,
        nodes=_least(nodes, limits.nodes),
        exclude=limits.exclude,
        started=limits.started,
    )
