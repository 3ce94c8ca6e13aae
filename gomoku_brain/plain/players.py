"""Players of an experiment: a plain search or our engine."""

import sys
from time import perf_counter, process_time
from typing import NamedTuple

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.plain.own_search import OwnSearch, load_evaluation
from gomoku_brain.plain.plain_search import PlainSearch, win_in
from gomoku_brain.plain.plan import ENGINE, EVALUATIONS, HASH_MB, METHODS

__all__ = ["MoveChooser", "SearchedMove", "clock"]

# Processor time, since other programs may run meanwhile. Windows counts it in steps of
# 16 ms, so there it is the time of the clock.
clock = perf_counter if sys.platform == "win32" else process_time


class SearchedMove(NamedTuple):
    """Chosen move and its cost; ``move`` is None if the budget did not suffice."""

    move: Move | None
    score: int
    win_in: int | None
    nodes: int
    depth: int
    seconds: float


class MoveChooser:
    """Player that chooses moves, by one of the plain searches or by our engine."""

    def __init__(self, evaluation: str, method: str = "table") -> None:
        """Create a player.

        ``evaluation`` is one of ``EVALUATIONS``, a function as "module:function", or
        ``ENGINE``; the last two without a method.
        """
        self._plain: PlainSearch | OwnSearch | None = None
        self._engine: Engine | None = None
        if evaluation == ENGINE:
            self._engine = Engine(hash_mb=HASH_MB)
        elif ":" in evaluation:
            self._plain = OwnSearch(load_evaluation(evaluation))
        else:
            self._plain = PlainSearch(EVALUATIONS[evaluation], METHODS[method])

    def new_game(self) -> None:
        """Clear all state of earlier games."""
        if self._engine:
            self._engine.new_game()

    def to_depth(self, board: Board, depth: int, budget: int) -> SearchedMove:
        """Return the move of a search to a depth; ``budget`` is its limit of nodes."""
        if self._engine:
            return self._by_engine(board, Limits(depth=depth, nodes=budget))
        assert self._plain
        start = clock()
        found = self._plain.search(board, depth, budget)
        return SearchedMove(
            found.move if found.finished else None,
            found.score,
            win_in(found.score),
            found.nodes,
            depth,
            clock() - start,
        )

    def within_nodes(self, board: Board, nodes: int) -> SearchedMove:
        """Return the move of the deepest search that a number of nodes allows.

        The plain searches deepen ply by ply, and the last finished one counts. The
        first is always finished.
        """
        if self._engine:
            return self._by_engine(board, Limits(nodes=nodes))
        assert self._plain
        start = clock()
        best = self._plain.search(board, 1)
        used, depth = best.nodes, 1
        while win_in(best.score) is None and used < nodes and depth < 20:
            found = self._plain.search(board, depth + 1, nodes - used)
            used += min(found.nodes, nodes - used)
            if not found.finished:
                break
            best, depth = found, depth + 1
        seconds = clock() - start
        return SearchedMove(
            best.move, best.score, win_in(best.score), used, depth, seconds
        )

    def _by_engine(self, board: Board, limits: Limits) -> SearchedMove:
        assert self._engine
        start = clock()
        found = self._engine.search(board, limits)
        seconds = clock() - start
        assert found.score is not None
        return SearchedMove(
            found.move, found.score, found.win_in, found.nodes, found.depth, seconds
        )
