"""The shortest win by force, proved by searches for one move, two moves and so on.

A search with a bound of m moves of the attacker either finds a win in 2 m - 1 plies or
proves that there is none (``vct`` explains it). The bounds are independent of each
other, so several threads take one each. The proof states that no win *by fours* (or *by
fours and threes*) is shorter. Up to 5 plies it covers wins of every kind, also with
quiet moves (in renju up to 3, because a stone of white can help black). So a win in at
most 7 plies (in renju 5) can be proved to be the shortest of all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gomoku_brain.control.limits import SolveResult, SolveStatus, ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import WAIT, Task, Team
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.tactics.replay import replay
from gomoku_brain.tactics.vct import VctSolver

__all__ = ["is_over", "shorten"]

TREE_NODES = 2_000_000  # nodes for the tree of a win
REPLAY_NODES = 5_000_000
MAX_MOVES = 60  # of the attacker; longer wins are not searched one by one
ANY_KIND = 3  # moves up to which a search of all ranks leaves no win out

OnBound = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _Bounded:
    """Result of a search with a bound."""

    status: SolveStatus
    tree: ThreatTree | None
    nodes: int


def shorten(
    board: Board,
    first: SolveResult,
    control: SearchControl,
    *,
    fours_only: bool = False,
    nodes: int | None = None,
    threads: int = 1,
    hash_mb: float = 64,
    on_bound: OnBound | None = None,
    exclude: Sequence[Move] = (),
) -> SolveResult:
    """Return the shortest win by fours and threes, or ``first`` with the proved bounds.

    ``first`` is the result of a search without a bound: a win limits the bounds, and a
    proof that there is none is returned unchanged. With ``fours_only`` both are wins by
    fours. ``nodes`` are for each bound. ``on_bound`` is called with each number of
    plies in which there is proved to be no win, in this thread. Wins and bounds are
    those without the moves of ``exclude`` as the first one, and so must ``first`` be.
    """
    if first.status == "no win":
        return first
    maximum = (len(first.line) - 1) // 2 if first.status == "win" else MAX_MOVES
    solvers = [VctSolver(max(0.5, hash_mb / threads)) for _ in range(threads)]

    def search(solver: VctSolver, own: SearchControl, moves: int) -> _Bounded:
        every = moves <= _any_kind(board) and not fours_only
        status = solver.solve(
            board,
            own,
            nodes,
            moves=moves,
            fours_only=fours_only,
            every=every,
            exclude=exclude,
        )
        tree = None
        if status == "win":
            tree = solver.tree(TREE_NODES)
            if tree is None or replay(board, tree, own, REPLAY_NODES, moves=moves):
                status, tree = "unknown", None
        return _Bounded(status, tree, solver.nodes)

    found: dict[int, _Bounded] = {}
    running: dict[Task[_Bounded], tuple[int, VctSolver]] = {}
    free = list(solvers)
    room = threads if threads > 1 else 0  # for so many other threads at once
    coming = 1
    proved = 0  # moves within which there is no win
    with Team(SearchControl()) as team:
        while True:
            while proved + 1 in found and found[proved + 1].status == "no win":
                proved += 1
                if on_bound:
                    on_bound(2 * proved - 1)
            last = min([m for m, b in found.items() if b.tree], default=maximum + 1) - 1
            if proved >= last or is_over(control):
                break
            if coming <= last and len(running) < max(room, 1):
                solver = free.pop()
                task = None
                if room:
                    task = team.start(partial(search, solver, team.control, coming))
                if task is not None and task.begins(control):
                    running[task] = coming, solver
                    coming += 1
                    continue
                room = len(running)
                if not room:  # this thread must do it
                    found[coming] = search(solver, control, coming)
                    coming += 1
                free.append(solver)
            elif running:
                team.wait(WAIT)
                for task in [each for each in running if each.done]:
                    moves, solver = running.pop(task)
                    found[moves] = task.result()
                    free.append(solver)
            else:
                break  # a bound was not decided
    spent = first.nodes + sum(bounded.nodes for bounded in found.values())
    shorter = min([m for m, bounded in found.items() if bounded.tree], default=None)
    best = first
    if shorter is not None:
        tree = found[shorter].tree
        assert tree is not None
        best = SolveResult("win", "vcf" if fours_only else "vct", tree.line(), tree)
    minimum = 2 * proved + 1
    if best.status == "win" and len(best.line) < minimum:
        minimum = len(best.line)
    any_kind = min(_any_kind(board), proved)
    if fours_only:
        any_kind = min(2, proved)
    return replace(
        best,
        nodes=spent,
        least=minimum,
        least_of_all=min(minimum, 2 * any_kind + 1),
    )


def is_over(control: SearchControl) -> bool:
    """Whether the search was stopped, or its time is up."""
    left = control.deadline_in
    return control.stopped or (left is not None and left <= 0)


def _any_kind(board: Board) -> int:
    """Return the moves up to which a search of all ranks leaves out no win of any kind.

    In a win within two moves, the first one must threaten a five, so it makes a four.
    Within three, it must threaten a win by one four. A pass is the worst reply in all
    rules in which a stone never helps the other side, so not in renju.
    """
    return 2 if board.rule.has_fouls else ANY_KIND
