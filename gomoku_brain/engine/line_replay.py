"""Replay of forced lines to their end before they are announced.

A table entry may be wrong and a line may be incomplete. So a win or loss that a search
claims is replayed move by move, by a worker of its own: the searching worker keeps its
position, counters and histories.
"""

from collections.abc import Iterable

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

__all__ = ["LineReplay"]


class LineReplay:
    """Completion of lines with the contents of the table; its nodes are not counted."""

    def __init__(self, table: TranspositionTable) -> None:
        """Create a replay; ``table`` is that of the searches whose lines are
        replayed.
        """
        self._table = table
        self._worker: Worker | None = None  # created at first use
        self._evaluation: Evaluation | None = None

    def set_evaluation(self, evaluation: Evaluation | None) -> None:
        """Use the evaluation of the searches; None = the shipped ones."""
        self._evaluation = evaluation
        if self._worker:
            self._worker.set_evaluation(evaluation)

    def forget(self) -> None:
        """Clear the results of earlier replays."""
        if self._worker:
            self._worker.forget()

    def _ready_worker(self) -> Worker:
        if self._worker is None:
            self._worker = Worker(self._table)
            self._worker.set_evaluation(self._evaluation)
        return self._worker

    def complete(
        self,
        board: Board,
        line: Iterable[Move],
        plies: int,
        control: SearchControl,
        nodes: int,
    ) -> tuple[Move, ...] | None:
        """Replay a forced line to its end, and complete it.

        ``plies`` is the claimed length: positive if the side to move wins, negative if
        it loses. Return the whole line if it consists of legal moves and ends with the
        winner's five after at most so many plies, or leaves the loser without a legal
        move, else None. Also return None if
        ``control`` stops it or ``nodes`` were searched before the line is complete.
        """
        after = board.copy()
        winner = after.turn if plies > 0 else after.turn.other
        whole: list[Move] = []
        waiting = list(line)
        while len(whole) < abs(plies):
            if waiting:
                move = waiting.pop(0)
            else:
                worker = self._ready_worker()
                worker.set_position(after, control, nodes)
                worker.search(abs(plies) - len(whole))
                nodes = max(0, nodes - worker.nodes)
                if worker.pv and not worker.stopped:
                    move = worker.pv[0]
                else:
                    best = worker.best_by_score()
                    if best is None or after.turn == winner:
                        # a defender whose every cell is forbidden has lost
                        lost = whole and after.turn != winner and not after.is_full
                        if lost and not after.legal_moves():
                            return tuple(whole)
                        return None
                    move = best
            if not after.is_legal(move):
                return None
            whole.append(move)
            if after.wins_at(move):
                return tuple(whole) if after.turn == winner else None
            after.play(move)
        return None
