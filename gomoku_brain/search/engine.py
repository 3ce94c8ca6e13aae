"""``Engine``: iterative deepening over a worker, and what is told of it.

The engine decides which depth and window to search next and when enough is known; the
worker searches without the GIL; the clock policy is the caller's, in ``Limits``. A
forced result is replayed move by move before it is announced, since a table entry may
lie and a line may be cut short.
"""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from types import TracebackType
from typing import Self

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.alphabeta import Worker
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.limits import (
    FULL_STRENGTH,
    InfoCallback,
    Limits,
    SearchInfo,
    SearchResult,
    SolveResult,
    SolveStatus,
    ThreatTree,
)
from gomoku_brain.search.root_threats import RootThreats, proved_tree
from gomoku_brain.search.smp import Helpers
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.vct import VctSolver

__all__ = ["Engine"]

WIN = 30000  # as in eval/score.pxd: the score of a win 0 plies away
WIN_ZONE = 29000
INFINITY = 31000
UNPROVED = 8000  # score announced for a win that could not be replayed
REPLAY_NODES = 10_000  # at most, uncounted, for what a line lacks; the table knows it
SOLVER_REPLAY_NODES = 1_000_000
SOLVER_TREE_NODES = 2_000_000
ROOT_VCF_NODES = 20_000  # for the VCF search before the first iteration; hand
AUTO_VCF_NODES = 200_000  # for fours alone, before fours and threes; hand
THREATS_MB = 16.0  # of the table for wins by fours and threes, at most; hand
KINDS = ("vcf", "vct", "auto")
MAX_DEPTH = 120  # plies
ASPIRATION_DEPTH = 4  # plies; shallower iterations use the full window
ASPIRATION_DELTA = 48  # score units, first half-width; hand
AMPLE = 0.8  # target / hard limit above which no time is being saved; hand
UNKNOWN_SECONDS = 30.0  # what several threads without a limit may take
NODES_PER_SECOND = 1_500_000  # of a thread, at most; for the size of the table
GROWTH_SECONDS = 0.5  # with less time left the table does not grow
OVERLOAD = 4  # nodes an entry, and the table has to grow before the search goes on
NEXT_SEARCH = 3  # times the nodes of the last: what ``settle`` makes room for
NEXT_ITERATION = 0.55  # of the target: later, no new iteration is begun; hand
STABLE_ITERATIONS = 4  # the same best move so often saves time; hand
STABLE_SHARE = 0.7  # of the target is then enough; hand
UNSTABLE_SHARE = 1.6  # of the target when the best move has just changed; hand


def win_in(score: int) -> int | None:
    """Plies to the end that a score tells (negative = lost), None when unproved."""
    if score > WIN_ZONE:
        return WIN - score
    if score < -WIN_ZONE:
        return -(WIN + score)
    return None


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
        """``hash_mb``: size of the table in MB, taken as it fills. ``threads``: how
        many search at once (with more than one, results may differ from run to run).
        ``seed`` makes the errors of a strength below 100 the same every time; by
        default each game has its own.
        ValueError out of range."""
        if threads < 1:
            raise ValueError("an engine needs at least one thread")
        self._threads = threads
        self._seed = self._game_seed = seed
        self._table = TranspositionTable(hash_mb)
        self._worker = Worker(self._table)
        self._vct: VctSolver | None = None  # made when first used
        self._threats = RootThreats(_threats_mb(hash_mb))
        self._more: list[Worker] = []  # one for each further thread, once used
        self._control: SearchControl | None = None
        self._busy = threading.Lock()
        self._kind: tuple[int, int, Rule] | None = None  # of the games searched
        self._searched = 0  # nodes since the table was cleared
        self._last = 0  # nodes of the last search

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
        if count < 1:
            raise ValueError("an engine needs at least one thread")
        self._threads = count

    @property
    def worker(self) -> Worker:
        """The main worker, for tuning and tests."""
        return self._worker

    @property
    def hash_mb(self) -> float:
        """Size of the table in MB; setting it forgets the table's contents."""
        return self._table.size_mb

    @hash_mb.setter
    def hash_mb(self, size: float) -> None:
        with self._busy:
            if size != self._table.size_mb:
                self._table.resize(size)
                self._searched = self._last = 0
                self._vct = None
                self._threats = RootThreats(_threats_mb(size))

    def prepare(self, rule: Rule) -> None:
        """Load what searches under a rule need, so that the first is not slowed."""
        evaluation_of(rule)

    def settle(self) -> bool:
        """Do between two searches what would otherwise take the time of the second.

        It is one step of milliseconds, or for a table of hundreds of MB of tenths of a
        second; returns whether another may follow.
        """
        with self._busy:
            return self._table.settle(self._searched + NEXT_SEARCH * self._last)

    def new_game(self) -> None:
        """Forget everything learned from earlier searches."""
        with self._busy:
            self._forget()
            self._game_seed = self._seed

    def _adopt(self, board: Board) -> None:
        """Forget other kinds of games, which the keys do not tell apart."""
        kind = (board.width, board.height, board.rule)
        if kind != self._kind:
            if self._kind is not None:
                self._forget()
            self._kind = kind

    def _forget(self) -> None:
        self._table.clear()
        self._threats.forget()
        self._searched = self._last = 0
        for worker in (self._worker, *self._more):
            worker.forget()

    def _helpers(self, limits: Limits) -> list[Worker]:
        """The workers that search along; none where the result must be repeatable."""
        if limits.nodes is not None or limits.depth is not None:
            return []
        while len(self._more) < self._threads - 1:
            self._more.append(Worker(self._table))
        return self._more[: self._threads - 1]

    def stop(self) -> None:
        """End the running search, if any; it returns its best move. Any thread."""
        control = self._control
        if control is not None:
            control.stop()

    def search(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: InfoCallback | None = None,
        control: SearchControl | None = None,
    ) -> SearchResult:
        """Find a move for the side to move, until a limit is met or all is proved.

        The board is not changed and the GIL is released while searching. ``on_info``
        is called in the calling thread after each iteration and line. ``control`` lets
        the caller stop the search, even before it begins. With one thread and a node
        or depth limit the result is the same every time for an engine in the same
        state. Raises ValueError when no cell is empty (or all of them are excluded) and
        for limits that make no sense.
        """
        limits = checked(limits)
        control = control or SearchControl()
        started = perf_counter() if limits.started is None else limits.started
        if limits.time is not None and not control.has_deadline:
            target = None if limits.target is None else started + limits.target
            control.set_deadline(started + limits.time, target)
        with self._busy:
            self._control = control
            try:
                self._adopt(board)
                if limits.strength < FULL_STRENGTH and limits.multipv == 1:
                    self._table.age()
                    return self._weakened(board, limits, on_info, control, started)
                helpers = self._helpers(limits)
                if helpers:  # the table cannot grow while they search
                    seconds = UNKNOWN_SECONDS if limits.time is None else limits.time
                    self._make_room(seconds * NODES_PER_SECOND * (1 + len(helpers)))
                self._table.age()
                search = _Search(
                    self._worker,
                    board,
                    limits,
                    on_info,
                    control,
                    started,
                    helpers,
                    self._make_room,
                    self._threats,
                )
                result = search.run()
                self._searched += result.nodes
                self._last = result.nodes
                return result
            finally:
                self._control = None

    def _make_room(self, nodes: float) -> None:
        """Prepare the table for so many nodes of the search that begins or goes on.

        Within a search only what cannot wait for ``settle``: the system may be slow to
        give memory.
        """
        self._table.make_room(max(nodes, (self._searched + nodes) / OVERLOAD))

    def _weakened(
        self,
        board: Board,
        limits: Limits,
        on_info: InfoCallback | None,
        control: SearchControl,
        started: float,
    ) -> SearchResult:
        """``search`` at a strength below full; the engine is held."""
        from gomoku_brain.search.handicap import choose  # seldom needed
        from gomoku_brain.search.levels import level_at

        def search(position: Board, within: Limits) -> SearchResult:
            return _Search(self._worker, position, within, None, control, started).run()

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

    def find_win(
        self,
        board: Board,
        kind: str = "auto",
        limits: Limits | None = None,
        control: SearchControl | None = None,
    ) -> SolveResult:
        """Look for a win by threats of the side to move, and replay it when found.

        ``kind`` "vcf": by continuous fours; "vct": by fours and moves that threaten to
        win by fours (open threes and the like); "auto": by fours, then by both. The
        line ends with the five; each reply in it is one of those that hold out
        longest. Only the time and the nodes of ``limits`` count; without them the
        search is exhaustive. Raises ValueError for another kind and a bad limit.
        """
        if kind not in KINDS:
            raise ValueError(f"no solver for {kind!r}; there are: {', '.join(KINDS)}")
        limits = checked(limits)
        control = control or SearchControl()
        started = perf_counter() if limits.started is None else limits.started
        if limits.time is not None and not control.has_deadline:
            control.set_deadline(started + limits.time)
        with self._busy:
            self._control = control
            try:
                self._adopt(board)
                nodes = 0
                if kind != "vct":
                    budget = limits.nodes
                    if kind == "auto":
                        budget = AUTO_VCF_NODES
                        if limits.nodes is not None:
                            budget = min(budget, limits.nodes // 4)
                    result = self._find_fours(board, budget, control)
                    nodes = result.nodes
                if kind == "vct" or (kind == "auto" and result.status != "win"):
                    left = None
                    if limits.nodes is not None:  # fours may take a few more
                        left = max(0, limits.nodes - nodes)
                    result = self._find_threats(board, left, control)
                    nodes += result.nodes
            finally:
                self._control = None
        return SolveResult(
            result.status,
            result.kind,
            result.line,
            result.tree,
            nodes,
            perf_counter() - started,
        )

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
        line = complete_line(worker, board, *solved, control, SOLVER_REPLAY_NODES)
        if line is None:
            return SolveResult("unknown", "vcf", nodes=used)
        tree = ThreatTree(line[-1], 1)
        for k in range(len(line) - 3, -1, -2):
            tree = ThreatTree(line[k], len(line) - k, ((line[k + 1], tree),))
        return SolveResult("win", "vcf", line, tree, used)

    def _find_threats(
        self, board: Board, nodes: int | None, control: SearchControl
    ) -> SolveResult:
        """A win by threats, announced only if it stands against every defence."""
        if self._vct is None:
            self._vct = VctSolver(self.hash_mb)
        status = self._vct.solve(board, control, nodes)
        if status != "win":
            return SolveResult(status, "vct", nodes=self._vct.nodes)
        tree = proved_tree(self._vct, board, control, SOLVER_TREE_NODES)
        if tree is None:
            return SolveResult("unknown", "vct", nodes=self._vct.nodes)
        return SolveResult("win", "vct", tree.line(), tree, self._vct.nodes)


def checked(limits: Limits | None) -> Limits:
    """The limits, none by default; raises ValueError for those that make no sense."""
    limits = limits or Limits()
    if limits.multipv < 1 or (limits.depth is not None and limits.depth < 1):
        raise ValueError("depth and multipv must be at least 1")
    if not 0 <= limits.strength <= FULL_STRENGTH:
        raise ValueError("the strength is a number from 0 to 100")
    if limits.nodes is not None and limits.nodes < 0:
        raise ValueError("the number of nodes cannot be negative")
    if limits.target is not None and limits.time is None:
        raise ValueError("a target needs a time that it is part of")
    return limits


def complete_line(
    worker: Worker,
    board: Board,
    line: Iterable[Move],
    plies: int,
    control: SearchControl,
    nodes: int,
) -> tuple[Move, ...] | None:
    """Replay a forced line to its end, filling in what its author left to the reader.

    ``plies`` is the length claimed: positive when the side to move wins, negative when
    it loses. Returns the whole line if it consists of legal moves and ends with the
    winner's five after at most so many plies, else None; also None when ``control``
    says stop, or ``nodes`` were searched, before the line is complete. The worker's
    position changes.
    """
    after = board.copy()
    winner = after.turn if plies > 0 else after.turn.other
    whole: list[Move] = []
    waiting = list(line)
    while len(whole) < abs(plies):
        if waiting:
            move = waiting.pop(0)
        else:
            left = abs(plies) - len(whole)
            worker.set_position(after, control, nodes)
            worker.search(left)
            nodes = max(0, nodes - worker.nodes)
            if worker.pv and not worker.stopped:
                move = worker.pv[0]
            else:
                best = worker.best_by_score()
                if best is None or after.turn == winner:
                    return None
                move = best
        if not after.is_legal(move):
            return None
        whole.append(move)
        if after.wins_at(move):
            return tuple(whole) if after.turn == winner else None
        after.play(move)
    return None


class _Search:
    """One call of ``Engine.search``."""

    def __init__(
        self,
        worker: Worker,
        board: Board,
        limits: Limits,
        on_info: InfoCallback | None,
        control: SearchControl,
        started: float,
        more: Sequence[Worker] = (),
        make_room: Callable[[float], None] = lambda nodes: None,
        threats: RootThreats | None = None,
    ) -> None:
        self.worker = worker
        self.make_room = make_room
        self.more = more
        self.helpers: Helpers | None = None
        self.board = board
        self.limits = limits
        self.on_info = on_info
        self.control = control
        self.started = started
        self.lines: list[SearchInfo] = []
        self.changes = 0  # iterations since the best move changed
        whole = limits.multipv == 1 and not limits.exclude and limits.depth is None
        self.threats = threats if whole else None

    def run(self) -> SearchResult:
        """Deepen until a limit is met or the result is proved."""
        limits = self.limits
        self.worker.set_position(self.board, self.control, limits.nodes)
        self.first = self.first_move()
        last_depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        if self.win_known() or self.win_by_fours():
            return self.result(0)
        if not self.more:
            return self.result(self.deepen(last_depth))
        with Helpers(self.more, self.board, last_depth) as self.helpers:
            finished = self.deepen(last_depth)
        return self.result(finished)

    def deepen(self, last_depth: int) -> int:
        """Iterate; the last finished depth."""
        finished = 0
        for depth in range(1, last_depth + 1):
            left = self.control.deadline_in
            if self.helpers is None and (left is None or left > GROWTH_SECONDS):
                self.make_room(self.nodes)
            lines = self.iteration(depth)
            if lines:
                moved = bool(self.lines) and lines[0].pv[0] != self.lines[0].pv[0]
                self.changes = 0 if moved else self.changes + 1
                # lines of an unfinished iteration come first, the rest stay
                known = {line.pv[0] for line in lines}
                rest = [line for line in self.lines if line.pv[0] not in known]
                self.lines = ranked(lines + rest, self.limits.multipv)
            if self.worker.stopped:
                break
            finished = depth
            if not lines or self.is_enough(depth) or self.win_by_threats(depth):
                break
        return finished

    @property
    def nodes(self) -> int:
        """Searched by all threads so far."""
        return self.worker.nodes + (self.helpers.nodes if self.helpers else 0)

    def first_move(self) -> Move:
        """A legal move to fall back on: the best by its shapes alone."""
        board, exclude = self.board, self.limits.exclude
        if board.is_full:
            raise ValueError("no empty cell")
        centre = Move(board.width // 2, board.height // 2)
        if not board.moves and centre not in exclude:
            return centre
        move = self.worker.best_by_score(exclude)
        if move is not None:
            return move
        allowed = [move for move in board.legal_moves() if move not in exclude]
        if not allowed:  # renju: a move is due even if every cell left is forbidden
            everywhere = (
                Move(x, y) for y in range(board.height) for x in range(board.width)
            )
            allowed = [m for m in everywhere if board.is_empty(m) and m not in exclude]
        if not allowed:
            raise ValueError("no empty cell that is not excluded")
        return min(allowed, key=lambda m: (m.x - centre.x) ** 2 + (m.y - centre.y) ** 2)

    def win_by_fours(self) -> bool:
        """Look for a VCF first: long ones lie beyond the depths that come soon."""
        limits = self.limits
        if limits.multipv > 1 or limits.exclude or limits.depth is not None:
            return False
        budget = ROOT_VCF_NODES
        if limits.nodes is not None:
            budget = min(budget, limits.nodes // 4)
        solved = self.worker.solve_vcf(nodes=budget)
        if not solved:
            return False
        line, plies = solved
        info = self.replayed(self.line_info(0, 1, WIN - plies, line))
        if info.win_in is None:
            return False
        self.announce(info)
        return True

    def win_known(self) -> bool:
        """Whether the game follows a win that an earlier search has found."""
        tree = self.threats and self.threats.begin(self.board, self.control)
        if tree:
            self.announce(self.tree_info(0, tree))
        return bool(tree)

    def win_by_threats(self, depth: int) -> bool:
        """Look for a VCT, for a share of the nodes that the iterations took so far."""
        if self.threats is None:
            return False
        worker, before = self.worker, self.threats.nodes
        limit = self.limits.nodes
        left = None if limit is None else limit - worker.nodes
        tree = self.threats.look(worker.nodes - before, left)
        used = self.threats.nodes - before
        if used:
            counters = (worker.nodes + used, worker.seldepth, worker.stopped)
            worker.resume(self.board, self.control, self.limits.nodes, *counters)
        if tree:
            self.announce(self.tree_info(depth, tree))
        return bool(tree)

    def tree_info(self, depth: int, tree: ThreatTree) -> SearchInfo:
        """A win by threats as a line."""
        return self.line_info(depth, 1, WIN - tree.plies, tree.line())

    def announce(self, info: SearchInfo) -> None:
        """Make a win that was replayed the only line."""
        self.lines = [info]
        if self.on_info:
            self.on_info(info)

    def line_info(
        self, depth: int, number: int, score: int, pv: tuple[Move, ...]
    ) -> SearchInfo:
        """What is known of one line now."""
        return SearchInfo(
            depth=depth,
            seldepth=max(self.worker.seldepth, len(pv)),
            multipv=number,
            score=score,
            win_in=win_in(score),
            nodes=self.nodes,
            time=perf_counter() - self.started,
            pv=pv,
        )

    def iteration(self, depth: int) -> list[SearchInfo]:
        """Search one depth, once per line wanted; what is finished is returned."""
        found: list[SearchInfo] = []
        exclude = self.limits.exclude
        for number in range(1, self.limits.multipv + 1):
            previous = self.lines[0].score if self.lines and number == 1 else None
            score = self.aspirate(depth, previous, exclude)
            pv = self.worker.pv
            if (
                not pv
                and number == 1
                and -INFINITY < score < -WIN_ZONE
                and not self.worker.stopped
            ):
                pv = (self.first,)  # lost, whatever is played
            if not pv:
                break
            if self.worker.stopped:
                # a better first move may have been found before the stop; its score is
                # not known exactly, so the last finished one stands
                score = self.lines[0].score if self.lines else 0
                if number > 1 or (self.lines and self.lines[0].pv[0] == pv[0]):
                    break
            info = self.line_info(depth, number, score, pv)
            if info.win_in is not None:
                info = self.replayed(info)
            found.append(info)
            if self.on_info and not self.worker.stopped:
                self.on_info(info)
            exclude = (*exclude, pv[0])
            if self.worker.stopped:
                break
        return found

    def aspirate(
        self, depth: int, previous: int | None, exclude: tuple[Move, ...]
    ) -> int:
        """Search with a window around the last score, widened until the score fits."""
        low, high, delta = -INFINITY, INFINITY, ASPIRATION_DELTA
        if (
            previous is not None
            and depth >= ASPIRATION_DEPTH
            and abs(previous) <= WIN_ZONE
        ):
            low, high = previous - delta, previous + delta
        while True:
            score = self.worker.search(depth, low, high, exclude)
            if self.worker.stopped or low < score < high:
                return score
            delta *= 3
            if score <= low:
                if low == -INFINITY:
                    return score
                low = score - delta if delta < 1000 else -INFINITY
            else:
                if high == INFINITY:
                    return score
                high = score + delta if delta < 1000 else INFINITY
            low, high = max(low, -INFINITY), min(high, INFINITY)

    def replayed(self, info: SearchInfo) -> SearchInfo:
        """The same line played to its end, or without its claim if that fails."""
        assert info.win_in is not None
        for known in self.lines:
            if known.win_in == info.win_in and known.pv[0] == info.pv[0]:
                return _replace(info, pv=known.pv)
        worker = self.worker
        counters = (worker.nodes, worker.seldepth, worker.stopped)
        whole = complete_line(
            worker,
            self.board,
            info.pv,
            info.win_in,
            self.control,
            REPLAY_NODES,
        )
        worker.resume(self.board, self.control, self.limits.nodes, *counters)
        if whole is not None:
            plies = len(whole) if info.win_in > 0 else -len(whole)
            score = WIN - plies if plies > 0 else -WIN - plies
            return _replace(info, pv=whole, win_in=plies, score=score)
        score = UNPROVED if info.score > 0 else -UNPROVED
        return _replace(info, pv=info.pv, win_in=None, score=score)

    def is_enough(self, depth: int) -> bool:
        """Whether another iteration is not worth beginning."""
        best = self.lines[0]
        if best.win_in is not None and (best.win_in > 0 or depth >= -best.win_in):
            return all(line.win_in is not None for line in self.lines)
        left, hard_left = self.control.target_in, self.control.deadline_in
        if left is None or hard_left is None:
            return False
        elapsed = perf_counter() - self.started
        share = elapsed + left  # seconds that the target allows in all
        if share > AMPLE * (elapsed + hard_left):
            return left <= 0  # nothing is saved for later by stopping early
        if self.changes >= STABLE_ITERATIONS:
            share *= STABLE_SHARE
        elif self.changes == 0 and depth > ASPIRATION_DEPTH:
            share *= UNSTABLE_SHARE
        return elapsed >= share * NEXT_ITERATION

    def result(self, depth: int) -> SearchResult:
        """The answer; a move that is not legal cannot leave this function."""
        first = self.first
        best = self.lines[0] if self.lines else None
        if best is not None and not (
            self.board.is_legal(best.pv[0]) or not self.board.is_legal(first)
        ):
            best = None
        pv = best.pv if best else (first,)
        return SearchResult(
            move=pv[0],
            score=best.score if best else 0,
            win_in=best.win_in if best else None,
            depth=depth,
            seldepth=max([self.worker.seldepth] + [x.seldepth for x in self.lines]),
            nodes=self.nodes,
            time=perf_counter() - self.started,
            pv=pv,
            lines=tuple(self.lines),
        )


def _threats_mb(hash_mb: float) -> float:
    """What of a table's size its engine may add for wins by threats."""
    return min(THREATS_MB, max(0.5, hash_mb / 8))


def ranked(lines: list[SearchInfo], count: int) -> list[SearchInfo]:
    """The best lines, numbered: those known more deeply first, then by score."""
    lines = sorted(lines, key=lambda line: (-line.depth, -line.score))[:count]
    return [_replace(line, multipv=k) for k, line in enumerate(lines, start=1)]


def _replace(info: SearchInfo, **changes: object) -> SearchInfo:
    """``dataclasses.replace``, without the import of ``inspect`` behind it."""
    values = {name: getattr(info, name) for name in SearchInfo.__slots__}
    return SearchInfo(**(values | changes))
