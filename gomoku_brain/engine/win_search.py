"""``WinSearch``: searches for wins by threats, for ``Engine.find_win``.

Fours are tried first, or fours and threes at the same time with several threads. Every
win is replayed against every defence.
"""

from collections.abc import Callable, Iterator, Sequence

from gomoku_brain.control.limits import SolveKind, SolveResult, SolveStatus, ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import WAIT, Task, Team
from gomoku_brain.dataclass import replace
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.worker import Worker
from gomoku_brain.tactics.replay import proved_tree
from gomoku_brain.tactics.vct import VctSolver

__all__ = ["KINDS", "WinSearch"]

KINDS = ("vcf", "vct", "auto")
SOLVER_REPLAY_NODES = 1_000_000
SOLVER_TREE_NODES = 2_000_000
FIRST_NODES = 30_000  # of a first search for a win by threats; set by hand
BOUNDED = ((5, 150_000), (7, 300_000))  # moves of the attacker, nodes; set by hand
BOUNDED_MB = 32  # most megabytes of their table
NO_LIMIT = 1 << 60  # nodes
BOUNDED_SHARE = 0.25  # of all nodes that a search with a bound may take at most
AUTO_VCF_NODES = 200_000  # for fours alone, before fours and threes; set by hand
# Size of the table of ``find_quickly``: three times the entries of 100,000 nodes
QUICK_MB = 8.0


class WinSearch:
    """Solvers for wins by threats of one engine, which holds its lock during a call."""

    def __init__(self, worker: Worker, replay: LineReplay, hash_mb: float) -> None:
        """Create the search; ``hash_mb`` is the size of a solver's table."""
        self._worker, self._replay, self._hash_mb = worker, replay, hash_mb
        self._vct: VctSolver | None = None  # created at first use
        self._bounded: VctSolver | None = None  # with a bound on the moves
        self._quick: VctSolver | None = None  # the same

    def find_quickly(
        self, board: Board, nodes: int, control: SearchControl
    ) -> SolveResult:
        """Search for a win by threats with a small table, without a replay."""
        if self._quick is None:
            self._quick = VctSolver(QUICK_MB)
        solver = self._quick
        status = solver.solve(board, control, nodes)
        tree = solver.tree() if status == "win" else None
        if tree is None:
            return SolveResult("unknown", "vct", nodes=solver.nodes)
        return SolveResult("win", "vct", tree.line(), tree, solver.nodes)

    def find(
        self,
        board: Board,
        kind: str,
        nodes: int | None,
        control: SearchControl,
        threads: int,
        shortest: bool,
        on_bound: Callable[[int], None] | None,
        exclude: Sequence[Move] = (),
    ) -> SolveResult:
        """Do the work of ``Engine.find_win``, in any thread.

        The arguments are those of ``Engine.find_win``; ``nodes`` and ``exclude`` are
        those of its limits, and ``threads`` of them may search.
        """
        if threads > 1 and kind == "auto":
            result = self._find_at_once(board, nodes, control, threads, exclude)
        else:
            result = self._find_in_turn(board, kind, nodes, control, exclude)
        if not shortest:
            return result
        # Rarely needed, so imported late
        from gomoku_brain.tactics.shortest import shorten

        return shorten(
            board,
            result,
            control,
            fours_only=kind == "vcf",
            nodes=nodes,
            threads=threads,
            hash_mb=self._hash_mb,
            on_bound=on_bound,
            exclude=exclude,
        )

    def _find_in_turn(
        self,
        board: Board,
        kind: str,
        nodes: int | None,
        control: SearchControl,
        exclude: Sequence[Move],
    ) -> SolveResult:
        """Return a win by fours, else by fours and threes, as far as the kind
        allows.
        """
        spent = 0
        if kind != "vct":
            budget = nodes
            if kind == "auto":
                budget = AUTO_VCF_NODES
                if nodes is not None:
                    budget = min(budget, nodes // 4)
            else:
                budget = AUTO_VCF_NODES if nodes is None else min(AUTO_VCF_NODES, nodes)
            result = self._find_fours(board, budget, control, exclude)
            if result.status == "win":
                return result
            if kind == "vcf" and (result.status == "no win" or budget == nodes):
                return result
            spent = result.nodes
        left = None
        if nodes is not None:  # fours may take a few more
            left = max(0, nodes - spent)
        fours_only = kind == "vcf"
        result = self._find_threats(
            board, left, control, exclude, fours_only=fours_only
        )
        return replace(result, nodes=result.nodes + spent)

    def _find_at_once(
        self,
        board: Board,
        nodes: int | None,
        control: SearchControl,
        threads: int,
        exclude: Sequence[Move],
    ) -> SolveResult:
        """Search for both kinds at the same time, with a thread each.

        A third thread starts with all kinds of moves. The kinds are searched one after
        the other if the system does not start enough threads.
        """
        own = SearchControl()
        works = [
            lambda: self._find_fours(board, nodes, own, exclude),
            lambda: self._find_threats(board, nodes, own, exclude),
        ]
        if threads > 2:
            wide = VctSolver(self._hash_mb)
            works.append(lambda: self._find_threats(board, nodes, own, exclude, wide))
        with Team(own) as team:
            tasks = []
            for work in works:
                task = team.start(work)
                if task is None or not task.begins(control):
                    break
                tasks.append(task)
            else:
                best = self._first_to_decide(team, tasks, control)
        if len(tasks) < len(works):
            return self._find_in_turn(board, "auto", nodes, control, exclude)
        best = best or SolveResult("unknown", "vct")
        return replace(best, nodes=sum(task.result().nodes for task in tasks))

    def _first_to_decide(
        self, team: Team, tasks: "list[Task[SolveResult]]", control: SearchControl
    ) -> SolveResult | None:
        """Return the result of the first task that finds a win, or proves that there is
        none.
        """
        from gomoku_brain.tactics.shortest import is_over

        waiting = set(tasks)
        while waiting and not is_over(control):
            team.wait(WAIT)
            for task in [each for each in waiting if each.done]:
                waiting.remove(task)
                found = task.result()
                if found.status == "win" or (
                    found.status == "no win" and found.kind == "vct"
                ):
                    return found
        return None

    def _find_fours(
        self,
        board: Board,
        nodes: int | None,
        control: SearchControl,
        exclude: Sequence[Move],
    ) -> SolveResult:
        """Return a win by fours; its tree has one line."""
        worker = self._worker
        worker.set_position(board, control, nodes)
        solved = worker.solve_vcf(exclude=exclude)
        used = worker.nodes
        if not solved:
            none: SolveStatus = "unknown" if solved is None else "no win"
            return SolveResult(none, "vcf", nodes=used)
        line = self._replay.complete(board, *solved, control, SOLVER_REPLAY_NODES)
        if line is None:
            return SolveResult("unknown", "vcf", nodes=used)
        tree = ThreatTree(line[-1], 1)
        for k in range(len(line) - 3, -1, -2):
            tree = ThreatTree(line[k], len(line) - k, ((line[k + 1], tree),))
        return SolveResult("win", "vcf", line, tree, used)

    def _find_threats(
        self,
        board: Board,
        nodes: int | None,
        control: SearchControl,
        exclude: Sequence[Move] = (),
        wide: VctSolver | None = None,
        fours_only: bool = False,
    ) -> SolveResult:
        """Return a win by threats, only if it stands against every defence.

        The solver ``wide`` tries all kinds of moves from the beginning. With
        ``fours_only`` it is a win by fours: proof numbers find long ones in fewer nodes
        than ``_find_fours``.
        """
        kind: SolveKind = "vcf" if fours_only else "vct"
        if wide is None and self._vct is None:
            self._vct = VctSolver(self._hash_mb)
        plain = wide or self._vct
        assert plain is not None
        spent, begun = 0, False
        for moves, budget in _stages(nodes, wide is not None or fours_only):
            left = NO_LIMIT if nodes is None else max(0, nodes - spent)
            left = left if budget is None else min(budget, left)
            solver, before = plain, 0
            if moves:
                if self._bounded is None:
                    self._bounded = VctSolver(min(self._hash_mb, BOUNDED_MB))
                solver = self._bounded
                status = solver.solve(
                    board, control, left, moves=moves, exclude=exclude
                )
            elif begun:
                before = solver.nodes
                status = solver.resume(left)
            else:
                begun = True
                status = solver.solve(
                    board,
                    control,
                    left,
                    wide=wide is not None,
                    fours_only=fours_only,
                    exclude=exclude,
                )
            spent += solver.nodes - before
            if status == "win":
                tree = proved_tree(solver, board, control, SOLVER_TREE_NODES)
                if tree is not None:
                    return SolveResult("win", kind, tree.line(), tree, spent)
            elif status == "no win" and not moves:
                return SolveResult("no win", kind, nodes=spent)
        return SolveResult("unknown", kind, nodes=spent)


def _stages(nodes: int | None, plain: bool) -> Iterator[tuple[int, int | None]]:
    """Yield the searches for a win by threats: most moves of the attacker, nodes.

    A short search without a bound finds most wins. Searches with a bound find short
    wins with many defences in far fewer nodes. Then the first search goes on.
    """
    if not plain:
        yield 0, FIRST_NODES
        for moves, budget in BOUNDED:
            if nodes is not None:
                budget = min(budget, int(nodes * BOUNDED_SHARE))
            yield moves, budget
    yield 0, None
