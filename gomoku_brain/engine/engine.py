"""``Engine``: the searches that Python and the protocol ask for, and what they share.

An engine owns the table, the workers and the solvers, and lends them to one search at a
time (``root_search``). The deadline of a search stands in its ``SearchControl``: a
caller that sets it there may move it while the search runs, for all others the engine
makes it of ``Limits``.
"""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from types import TracebackType
from typing import Self

from gomoku_brain.control.limits import (
    FULL_STRENGTH,
    InfoCallback,
    Limits,
    SearchResult,
    SolveResult,
    SolveStatus,
    ThreatTree,
    whole,
)
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import WAIT, Task, Team, end
from gomoku_brain.engine.growth import Growth
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.engine.root_search import RootSearch, SearchContext
from gomoku_brain.engine.root_threats import RootThreats
from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from gomoku_brain.tactics.replay import proved_tree
from gomoku_brain.tactics.vct import VctSolver

__all__ = ["MOST_THREADS", "Engine"]

SOLVER_REPLAY_NODES = 1_000_000
SOLVER_TREE_NODES = 2_000_000
AUTO_VCF_NODES = 200_000  # for fours alone, before fours and threes; set by hand
THREATS_MB = 16.0  # of the table for wins by fours and threes, at most; set by hand
QUICK_MB = 8.0  # of the table of ``win_quickly``: three times what 100,000 nodes fill
KINDS = ("vcf", "vct", "auto")
MOST_THREADS = 256  # each has tables of its own, a few MB


class Engine:
    """A Gomoku player: a transposition table and the workers that search with it.

    >>> engine = Engine(hash_mb=16)
    >>> board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    >>> engine.search(board, Limits(nodes=10_000)).win_in
    3
    """

    def __init__(
        self, threads: int = 1, hash_mb: float = 64, seed: int | None = None
    ) -> None:
        """``hash_mb``: size of the table in MB, taken as it fills. ``threads``, 1 to
        256: how many search at once (with more than one, results may differ from run to
        run).
        ``seed`` makes the errors of a strength below 100 the same every time; by
        default each game has its own.
        ValueError out of range."""
        self._threads = whole("threads", threads, 1, MOST_THREADS)
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"seed is a whole number or None, not {seed!r}")
        self._seed = self._game_seed = seed
        self._table = TranspositionTable(megabytes(hash_mb))
        self._growth = Growth(self._table)
        self._worker = Worker(self._table)
        self._replay = LineReplay(self._table)
        self._vct: VctSolver | None = None  # made when first used
        self._quick: VctSolver | None = None  # the same
        self._threats = RootThreats(_threats_mb(hash_mb))
        self._more: list[Worker] = []  # one for each further thread, once used
        # The search under way, and the threads that asked for it or call back.
        self._under_way: tuple[SearchControl, set[int]] | None = None
        self._busy = threading.Lock()
        self._adopted: tuple[int, int, Rule] | None = None  # of the games searched
        self._evaluation: Evaluation | None = None  # instead of the shipped one

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def threads(self) -> int:
        """Searching threads asked for."""
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._threads = whole("threads", count, 1, MOST_THREADS)

    @property
    def worker(self) -> Worker:
        """The main worker, for tuning and tests.

        Constants set on it do not hold for helpers and replays.
        """
        return self._worker

    def set_evaluation(self, evaluation: Evaluation | None) -> None:
        """Play by another evaluation than the shipped one of its rule; None = by that.

        What earlier searches found out by another evaluation is forgotten.
        """
        with self._turn():
            self._evaluation = evaluation
            for worker in (self._worker, *self._more):
                worker.set_evaluation(evaluation)
            self._replay.set_evaluation(evaluation)
            self._forget()

    @property
    def hash_mb(self) -> float:
        """Size of the table in MB; setting it forgets the table's contents."""
        return self._table.size_mb

    @hash_mb.setter
    def hash_mb(self, size: float) -> None:
        with self._turn():
            size = megabytes(size)
            if size != self._table.size_mb:
                self._table.resize(size)
                self._growth.forget()
                self._vct = None
                self._threats = RootThreats(_threats_mb(size))

    def prepare(self, rule: Rule | int | str) -> None:
        """Load what searches under a rule need, so that the first is not slowed."""
        evaluation_of(Rule(rule))

    def settle(self) -> bool:
        """Do between two searches what would otherwise take the time of the second.

        It is one step of milliseconds, or for a table of hundreds of MB of tenths of a
        second; returns whether another may follow.
        """
        with self._turn():
            return self._growth.settle()

    def new_game(self) -> None:
        """Forget everything learned from earlier searches."""
        with self._turn():
            self._forget()
            self._game_seed = self._seed

    def release_memory(self) -> None:
        """Give back what a search can do without: helpers, and solvers of threats."""
        with self._turn():
            self._more.clear()
            self._vct = self._quick = None

    def _adopt(self, board: Board) -> None:
        """Forget games on other boards or by other rules, which no key tells apart."""
        adopted = (board.width, board.height, board.rule)
        if adopted != self._adopted:
            if self._adopted is not None:
                self._forget()
            self._adopted = adopted

    def _forget(self) -> None:
        self._table.clear()
        self._threats.forget()
        self._growth.forget()
        self._replay.forget()
        for worker in (self._worker, *self._more):
            worker.forget()

    def _helpers(self, limits: Limits) -> list[Worker]:
        """The workers that search along; none where the result must be repeatable.

        They are fewer than asked for where memory is short.
        """
        if limits.nodes is not None or limits.depth is not None:
            return []
        while len(self._more) < self._threads - 1:
            try:
                worker = Worker(self._table)
                worker.set_evaluation(self._evaluation)
            except MemoryError:
                break
            self._more.append(worker)
        return self._more[: self._threads - 1]

    def stop(self) -> None:
        """End the running search, if any; it returns its best move. Any thread."""
        under_way = self._under_way
        if under_way is not None:
            under_way[0].stop()

    def _turn(self) -> threading.Lock:
        """The engine's lock, to be held while it searches or changes.

        Raises RuntimeError in a callback of its own search, which would wait for ever.
        """
        under_way = self._under_way
        if under_way and threading.get_ident() in under_way[1] and self._busy.locked():
            raise RuntimeError(
                "the engine is searching: a callback may stop it, and ask no more of it"
            )
        return self._busy

    def search(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: InfoCallback | None = None,
        control: SearchControl | None = None,
    ) -> SearchResult:
        """Find a move for the side to move, until a limit is met or all is proved.

        The board is not changed and the GIL is released while searching. ``on_info``
        is called in the calling thread after each iteration and line; with several
        threads the result may come from a greater depth than it was told. It may call
        ``stop``; what needs the engine itself raises RuntimeError there. ``control``
        lets the caller stop the search, even before it begins. With one thread and a
        node or depth limit the result is the same every time for an engine in the same
        state. Raises ValueError when somebody has won (unless ``limits.play_on``), and
        when no cell is empty or all of them are excluded.
        """
        limits = Limits() if limits is None else limits
        refuse(board, limits)
        if on_info is not None and not callable(on_info):
            raise TypeError(f"on_info is called with each line, not {on_info!r}")
        control = SearchControl() if control is None else control
        started = begin(control, limits)
        with self._turn():
            self._under_way = control, {threading.get_ident()}
            try:
                self._adopt(board)
                if limits.strength < FULL_STRENGTH and limits.multipv == 1:
                    return self._weakened(board, limits, on_info, control, started)
                helpers = self._helpers(limits)
                if helpers:  # the table cannot grow while they search
                    left = control.deadline_in
                    self._growth.make_room_for(left, 1 + len(helpers))
                self._table.age()
                context = SearchContext(
                    board,
                    limits,
                    control,
                    started,
                    self._worker,
                    self._replay,
                    on_info,
                    helpers,
                    self._growth,
                    self._threats,
                )
                result = RootSearch(context).run()
                self._growth.count(result.nodes)
                return result
            finally:
                self._under_way = None

    def _weakened(
        self,
        board: Board,
        limits: Limits,
        on_info: InfoCallback | None,
        control: SearchControl,
        started: float,
    ) -> SearchResult:
        """``search`` at a strength below full; the engine is held."""
        from gomoku_brain.levels.handicap import choose  # seldom needed
        from gomoku_brain.levels.ladder import level_at

        def search(position: Board, within: Limits) -> SearchResult:
            return RootSearch(
                SearchContext(
                    position, within, control, started, self._worker, self._replay
                )
            ).run()

        self._table.age()
        if self._game_seed is None:
            self._game_seed = int.from_bytes(os.urandom(8), "little")
        level = level_at(limits.strength)
        result = choose(board, level, limits, self._game_seed, search)
        if on_info:
            for line in result.lines:
                on_info(line)
        return result

    def solve(
        self, board: Board, kind: str = "vcf", limits: Limits | None = None
    ) -> tuple[Move, ...] | None:
        """A win by force for the side to move as a full line, or None.

        The line of ``find_win``, which also tells "there is none" from "not found".
        """
        return self.find_win(board, kind, limits).line or None

    def win_quickly(
        self, board: Board, nodes: int, control: SearchControl | None = None
    ) -> SolveResult:
        """A win by threats of a side that is known to win so: it is not replayed.

        To replay it against every defence takes far longer than to find it, and a
        proof that was checked has said already that the position is won. ``nodes`` are
        for the search; the result tells "unknown" when they or the ``control`` end it.
        Raises ValueError when somebody has won already.
        """
        refuse(board, Limits())
        control = SearchControl() if control is None else control
        started = begin(control, Limits())
        with self._turn():
            self._under_way = control, {threading.get_ident()}
            try:
                if self._quick is None:
                    self._quick = VctSolver(QUICK_MB)
                solver = self._quick
                status = solver.solve(board, control, nodes)
                tree = solver.tree() if status == "win" else None
                if tree is None:
                    result = SolveResult("unknown", "vct", nodes=solver.nodes)
                else:
                    line = tree.line()
                    result = SolveResult("win", "vct", line, tree, solver.nodes)
                return replace(result, time=perf_counter() - started)
            finally:
                self._under_way = None

    def find_win(
        self,
        board: Board,
        kind: str = "auto",
        limits: Limits | None = None,
        control: SearchControl | None = None,
        *,
        shortest: bool = False,
        on_bound: Callable[[int], None] | None = None,
    ) -> SolveResult:
        """Look for a win by threats of the side to move, and replay it when found.

        ``kind`` "vcf": by continuous fours; "vct": by fours and moves that threaten to
        win by fours (open threes and the like); "auto": by fours, then by both. The
        line ends with the five; each reply in it is one of those that hold out
        longest. Only the time and the nodes of ``limits`` count; without them the
        search is exhaustive. With several threads the kinds are looked for at once.

        ``shortest`` goes on until the win is proved to be the shortest of its kind, or
        a limit is met (``nodes`` is then for each length); the result's ``least`` and
        ``least_of_all`` tell what was proved. With "auto" a win by fours is compared
        with those by fours and threes. ``on_bound`` is told each number of plies within
        which there is no win, by the thread that does the work.

        Raises ValueError for another kind, and when somebody has won already (unless
        ``limits.play_on``).
        """
        if kind not in KINDS:
            raise ValueError(f"no solver for {kind!r}; there are: {', '.join(KINDS)}")
        limits = Limits() if limits is None else limits
        refuse(board, limits)
        control = SearchControl() if control is None else control
        started = begin(control, limits)
        with self._turn():
            self._under_way = control, {threading.get_ident()}
            try:
                self._adopt(board)
                result = _interruptibly(
                    lambda: self._find_and_shorten(
                        board, kind, limits.nodes, control, shortest, on_bound
                    ),
                    control,
                )
                return replace(result, time=perf_counter() - started)
            finally:
                self._under_way = None

    def _find_and_shorten(
        self,
        board: Board,
        kind: str,
        nodes: int | None,
        control: SearchControl,
        shortest: bool,
        on_bound: Callable[[int], None] | None,
    ) -> SolveResult:
        """``find_win``, in whichever thread; the engine is held."""
        assert self._under_way is not None
        self._under_way[1].add(threading.get_ident())
        if self._threads > 1 and kind == "auto":
            result = self._find_at_once(board, nodes, control)
        else:
            result = self._find_in_turn(board, kind, nodes, control)
        if not shortest:
            return result
        from gomoku_brain.tactics.shortest import shorten  # seldom needed

        return shorten(
            board,
            result,
            control,
            fours_only=kind == "vcf",
            nodes=nodes,
            threads=self._threads,
            hash_mb=self.hash_mb,
            on_bound=on_bound,
        )

    def _find_in_turn(
        self, board: Board, kind: str, nodes: int | None, control: SearchControl
    ) -> SolveResult:
        """A win by fours, then by fours and threes, as far as the kind says."""
        spent = 0
        if kind != "vct":
            budget = nodes
            if kind == "auto":
                budget = AUTO_VCF_NODES
                if nodes is not None:
                    budget = min(budget, nodes // 4)
            result = self._find_fours(board, budget, control)
            if kind == "vcf" or result.status == "win":
                return result
            spent = result.nodes
        left = None
        if nodes is not None:  # fours may take a few more
            left = max(0, nodes - spent)
        result = self._find_threats(board, left, control)
        return replace(result, nodes=result.nodes + spent)

    def _find_at_once(
        self, board: Board, nodes: int | None, control: SearchControl
    ) -> SolveResult:
        """Both kinds, a thread each; a third one begins with all kinds of moves.

        In turn where the system does not give as many threads.
        """
        own = SearchControl()
        works = [
            lambda: self._find_fours(board, nodes, own),
            lambda: self._find_threats(board, nodes, own),
        ]
        if self._threads > 2:
            wide = VctSolver(self.hash_mb)
            works.append(lambda: self._find_threats(board, nodes, own, wide))
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
            return self._find_in_turn(board, "auto", nodes, control)
        best = best or SolveResult("unknown", "vct")
        return replace(best, nodes=sum(task.result().nodes for task in tasks))

    def _first_to_decide(
        self, team: Team, tasks: "list[Task[SolveResult]]", control: SearchControl
    ) -> SolveResult | None:
        """What the first task finds that finds a win, or that there is none."""
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
        self, board: Board, nodes: int | None, control: SearchControl
    ) -> SolveResult:
        """A win by fours; its tree shows one line."""
        worker = self._worker
        worker.set_position(board, control, nodes)
        solved = worker.solve_vcf()
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
        wide: VctSolver | None = None,
    ) -> SolveResult:
        """A win by threats, announced only if it stands against every defence.

        The solver ``wide`` tries all kinds of moves from the beginning.
        """
        if wide is None and self._vct is None:
            self._vct = VctSolver(self.hash_mb)
        solver = wide or self._vct
        assert solver is not None
        status = solver.solve(board, control, nodes, wide=wide is not None)
        if status != "win":
            return SolveResult(status, "vct", nodes=solver.nodes)
        tree = proved_tree(solver, board, control, SOLVER_TREE_NODES)
        if tree is None:
            return SolveResult("unknown", "vct", nodes=solver.nodes)
        return SolveResult("win", "vct", tree.line(), tree, solver.nodes)


def refuse(board: Board, limits: Limits) -> None:
    """Raise TypeError for no position or limits, ValueError for a finished game."""
    if not isinstance(board, Board):
        raise TypeError(f"a position is a Board, not {board!r}")
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits(..), not {limits!r}")
    if board.winner is not None and not limits.play_on:
        raise ValueError(
            f"the game is over: {board.winner.name.lower()} has won"
            " (Limits(play_on=True) searches all the same)"
        )


def megabytes(size: float) -> float:
    """A size as ``Engine`` takes it; TypeError for what is no number."""
    if isinstance(size, str) or not hasattr(size, "__float__"):
        raise TypeError(f"hash_mb is a number of MB, not {size!r}")
    return float(size)


def begin(control: SearchControl, limits: Limits) -> float:
    """Start the clock of a search; the ``time.perf_counter()`` when it began to run.

    A deadline that the control has already counts instead of the limits' time.
    """
    started = perf_counter() if limits.started is None else limits.started
    if limits.time is not None and not control.has_deadline:
        target = None if limits.target is None else started + limits.target
        control.set_deadline(started + limits.time, target)
    return started


def _interruptibly(
    work: Callable[[], SolveResult], control: SearchControl
) -> SolveResult:
    """Do it so that Ctrl-C ends it at once.

    A solver does not look at the keyboard, so where Ctrl-C is heard, which is the main
    thread, another one does the work (if the system gives none, Ctrl-C is heard when
    the work is done). However it comes, nothing is at work afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    task = Task(work)
    try:
        if not (task.start() and task.begins(control)):
            return work()
        while not task.done:
            task.wait(WAIT)
    except BaseException:  # Ctrl-C
        end([task], control)
        raise
    return task.result()


def _threats_mb(hash_mb: float) -> float:
    """What of a table's size its engine may add for wins by threats."""
    return min(THREATS_MB, max(0.5, hash_mb / 8))
