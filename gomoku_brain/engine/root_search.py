"""``RootSearch``: iterative deepening over a worker, and the reports about it.

It decides which depth and window to search next and when the search ends; the worker
searches without the GIL. A forced result is replayed move by move before it is
announced, since a table entry may be wrong and a line may be incomplete.
"""

from collections.abc import Sequence
from time import perf_counter

from gomoku_brain.control.limits import (
    InfoCallback,
    Limits,
    SearchInfo,
    SearchResult,
    ThreatTree,
)
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.dataclass import dataclass, replace
from gomoku_brain.engine import time_manager
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.engine.root_threats import RootThreats
from gomoku_brain.engine.smp import Deepest, Helpers, aspirate
from gomoku_brain.eval.chance import scale_of
from gomoku_brain.eval.score import INFINITY, WIN, WIN_ZONE, plies_to_end
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

__all__ = ["MAX_DEPTH", "Growth", "RootSearch", "SearchContext"]

MAX_DEPTH = 120  # plies
UNPROVED = 8000  # announced for a win that could not be replayed
# Most nodes, uncounted, to complete a line; the table has most of it
REPLAY_NODES = 10_000
ROOT_VCF_NODES = 20_000  # for the VCF search before the first iteration; set by hand
ASPIRATION_DEPTH = 4  # plies; shallower iterations use the full window
ASPIRATION_DELTA = 48  # score units, first half-width; set by hand

NODES_PER_SECOND = 1_500_000  # most nodes per second of a thread
OVERLOAD = 4  # nodes for each entry at which the table must grow during the search
GROWTH_SECONDS = 0.5  # with less time left the table does not grow within a search
# Seconds that several threads without a limit are expected to use
UNKNOWN_SECONDS = 30.0
NEXT_SEARCH = 3  # factor of the last search's nodes, for which ``grow_idle`` prepares


class Growth:
    """Nodes that a table has seen since it was cleared, and its size for more.

    A table takes memory as it fills. That costs milliseconds, or tenths of a second for
    a large table, so it is best done between two searches (``grow_idle``). A search
    itself does only the growth that cannot wait.
    """

    def __init__(self, table: TranspositionTable) -> None:
        """Start with an empty table."""
        self._table = table
        self._searched = 0
        self._last = 0  # nodes of the last search

    def forget(self) -> None:
        """Note that the table was cleared."""
        self._searched = self._last = 0

    def count(self, nodes: int) -> None:
        """Count the nodes of a finished search."""
        self._searched += nodes
        self._last = nodes

    def grow_idle(self) -> bool:
        """Do one step of growth between two searches; return whether another may
        follow.
        """
        return self._table.grow_idle(self._searched + NEXT_SEARCH * self._last)

    def make_room(self, nodes: float, left: float | None = None) -> None:
        """Prepare for so many nodes of the search that starts or continues.

        ``left`` seconds remain for it, None = no limit; with little time left nothing
        is done.
        """
        if left is None or left > GROWTH_SECONDS:
            self._table.make_room(max(nodes, (self._searched + nodes) / OVERLOAD))

    def make_room_for(self, seconds: float | None, threads: int) -> None:
        """Prepare for the nodes of so many threads in ``seconds``; None = no limit."""
        seconds = UNKNOWN_SECONDS if seconds is None else seconds
        self.make_room(seconds * NODES_PER_SECOND * threads)


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Context of a search: its position, its limits and its resources."""

    board: Board
    limits: Limits
    control: SearchControl
    started: float
    """``time.perf_counter()`` at which the clock started."""
    worker: Worker
    """Main worker; no other search uses it during this one."""
    replay: LineReplay
    on_info: InfoCallback | None = None
    """Callback for every line, in the calling thread."""
    helpers: Sequence[Worker] = ()
    """Workers over the same table that search along."""
    growth: Growth | None = None
    """Growth of the table; None = the size is fixed."""
    threats: RootThreats | None = None
    """Search for wins by threats; None = no such search."""


class RootSearch:
    """Search of one root position, from its context to its result."""

    def __init__(self, context: SearchContext) -> None:
        """Prepare the search; ``run`` starts it."""
        self.context = context
        self.worker = context.worker
        self.board = context.board
        self.limits = limits = context.limits
        self.control = context.control
        self.helpers: Helpers | None = None  # while they search
        self.lines: list[SearchInfo] = []
        self.unchanged = 0  # iterations since the best move changed
        whole = limits.multipv == 1 and not limits.exclude and limits.depth is None
        self.threats = context.threats if whole else None
        self.scale = scale_of(context.board)

    def run(self) -> SearchResult:
        """Deepen until a limit is met or the result is proved."""
        limits = self.limits
        self.worker.set_position(self.board, self.control, limits.nodes)
        self.first = self.first_move()
        last_depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        if self.win_known() or self.win_by_fours():
            return self.result(0)
        more = self.context.helpers
        if not more:
            return self.result(self.deepen(last_depth))
        with Helpers(more, self.board, last_depth) as self.helpers:
            self.helpers.search_along()
            finished = self.deepen(last_depth)
        return self.result(self.join_deepest(self.helpers.deepest, finished))

    def deepen(self, last_depth: int) -> int:
        """Run the iterations; return the last finished depth."""
        finished = 0
        for depth in range(1, last_depth + 1):
            self.grow()
            if self.helpers:
                self.helpers.depth = depth
            lines = self.iteration(depth)
            if lines:
                moved = bool(self.lines) and lines[0].pv[0] != self.lines[0].pv[0]
                self.unchanged = 0 if moved else self.unchanged + 1
                # lines of an unfinished iteration come first, the others after them
                known = {line.pv[0] for line in lines}
                rest = [line for line in self.lines if line.pv[0] not in known]
                self.lines = ranked(lines + rest, self.limits.multipv)
            if self.worker.stopped:
                break
            finished = depth
            if not lines or self.is_enough(depth) or self.win_by_threats(depth):
                break
        return finished

    def join_deepest(self, line: Deepest | None, finished: int) -> int:
        """Take over a helper's line if it is deeper; return the depth then finished."""
        limits = self.limits
        if (
            line is None
            or line.depth <= finished
            or not line.pv
            or limits.multipv > 1
            or limits.exclude
            or (self.lines and self.is_decided(self.lines[0]))
        ):
            return finished
        info = self.line_info(line.depth, 1, line.score, line.pv)
        info = replace(info, seldepth=max(info.seldepth, line.seldepth))
        if info.win_in is not None:
            info = self.replayed(info)
        self.lines = [info]
        return line.depth

    @staticmethod
    def is_decided(info: SearchInfo) -> bool:
        """Whether a line is proved, or is a win that could not be replayed in time."""
        return info.win_in is not None or info.score >= UNPROVED

    def grow(self) -> None:
        """Let the table grow with the search, unless others use it or time is short."""
        growth = self.context.growth
        if growth and not self.helpers:
            growth.make_room(self.nodes, self.control.deadline_in)

    @property
    def nodes(self) -> int:
        """Nodes searched by all threads so far."""
        return self.worker.nodes + (self.helpers.nodes if self.helpers else 0)

    def first_move(self) -> Move:
        """Return a legal move as a fallback: the best by its shapes alone."""
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
        # renju: a move must be made even if every remaining cell is forbidden
        if not allowed:
            everywhere = (
                Move(x, y) for y in range(board.height) for x in range(board.width)
            )
            allowed = [m for m in everywhere if board.is_empty(m) and m not in exclude]
        if not allowed:
            raise ValueError("no empty cell that is not excluded")
        return min(allowed, key=lambda m: (m.x - centre.x) ** 2 + (m.y - centre.y) ** 2)

    def win_by_fours(self) -> bool:
        """Search for a VCF first, since long ones lie beyond the depths of the next
        iterations.
        """
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
        """Follow a win that an earlier search has found; return whether there is
        one.
        """
        tree = self.threats and self.threats.set_position(self.board, self.control)
        if tree:
            self.announce(self.tree_info(0, tree))
        return bool(tree)

    def win_by_threats(self, depth: int) -> bool:
        """Search for a VCT, with a share of the nodes that the iterations took so
        far.
        """
        if self.threats is None:
            return False
        worker, before = self.worker, self.threats.nodes
        limit = self.limits.nodes
        left = None if limit is None else limit - worker.nodes
        tree = self.threats.search(worker.nodes - before, left)
        used = self.threats.nodes - before
        if used:
            worker.count_nodes(used)
        if tree:
            self.announce(self.tree_info(depth, tree))
        return bool(tree)

    def tree_info(self, depth: int, tree: ThreatTree) -> SearchInfo:
        """Return a win by threats as a line."""
        return self.line_info(depth, 1, WIN - tree.plies, tree.line())

    def announce(self, info: SearchInfo) -> None:
        """Make a replayed win the only line, and report it."""
        self.lines = [info]
        if self.context.on_info:
            self.context.on_info(info)

    def line_info(
        self, depth: int, number: int, score: int, pv: tuple[Move, ...]
    ) -> SearchInfo:
        """Return the current figures of one line."""
        return SearchInfo(
            depth=depth,
            seldepth=max(self.worker.seldepth, len(pv)),
            multipv=number,
            score=score,
            win_in=plies_to_end(score),
            nodes=self.nodes,
            time=perf_counter() - self.context.started,
            pv=pv,
            scale=self.scale,
            total=self.limits.multipv,
        )

    def iteration(self, depth: int) -> list[SearchInfo]:
        """Search one depth, once for each requested line; return the finished lines."""
        found: list[SearchInfo] = []
        exclude = self.limits.exclude
        for number in range(1, self.limits.multipv + 1):
            expected = None
            if number == 1 and depth >= ASPIRATION_DEPTH and self.lines:
                expected = self.lines[0].score
                if abs(expected) > WIN_ZONE:
                    expected = None
            score = aspirate(self.worker, depth, expected, ASPIRATION_DELTA, exclude)
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
            reached = depth
            if self.worker.stopped:
                # a better first move may have been found before the stop; its exact
                # score is not known, so the last finished one stays
                if number > 1 or (self.lines and self.lines[0].pv[0] == pv[0]):
                    break
                if self.lines:
                    score = self.lines[0].score
                else:
                    reached, score = 0, self.worker.evaluate()
            info = self.line_info(reached, number, score, pv)
            if info.win_in is not None:
                info = self.replayed(info)
            found.append(info)
            if self.context.on_info and not self.worker.stopped:
                self.context.on_info(info)
            exclude = (*exclude, pv[0])
            if self.worker.stopped:
                break
        return found

    def replayed(self, info: SearchInfo) -> SearchInfo:
        """Return the same line played to its end, or without its claim if that
        fails.
        """
        assert info.win_in is not None
        for known in self.lines:
            if known.win_in == info.win_in and known.pv[0] == info.pv[0]:
                return replace(info, pv=known.pv)
        whole = self.context.replay.complete(
            self.board, info.pv, info.win_in, self.control, REPLAY_NODES
        )
        if whole is not None:
            plies = len(whole) if info.win_in > 0 else -len(whole)
            score = WIN - plies if plies > 0 else -WIN - plies
            return replace(info, pv=whole, win_in=plies, score=score)
        score = UNPROVED if info.score > 0 else -UNPROVED
        return replace(info, pv=info.pv, win_in=None, score=score)

    def is_enough(self, depth: int) -> bool:
        """Whether another iteration is not worth starting."""
        best = self.lines[0]
        if best.win_in is not None and (best.win_in > 0 or depth >= -best.win_in):
            return all(line.win_in is not None for line in self.lines)
        return time_manager.is_time_used(
            perf_counter() - self.context.started,
            self.control.target_in,
            self.control.deadline_in,
            unchanged=self.unchanged,
            depth=depth,
        )

    def result(self, depth: int) -> SearchResult:
        """Return the result; its move is illegal only if no move is legal.

        Without a line it has the static evaluation, at depth 0, or no score if no
        allowed move is legal.
        """
        first, lines = self.first, self.lines
        if lines and self.board.is_legal(first):
            lines = lines if self.board.is_legal(lines[0].pv[0]) else []
        if not lines:
            depth = 0
            if self.board.is_legal(first):
                score = self.worker.evaluate()
                lines = [self.line_info(0, 1, score, (first,))]
        best = lines[0] if lines else None
        pv = best.pv if best else (first,)
        return SearchResult(
            score=best.score if best else None,
            win_in=best.win_in if best else None,
            depth=depth,
            seldepth=max([self.worker.seldepth] + [x.seldepth for x in self.lines]),
            nodes=self.nodes,
            time=perf_counter() - self.context.started,
            pv=pv,
            lines=tuple(lines),
            scale=self.scale,
        )


def ranked(lines: list[SearchInfo], count: int) -> list[SearchInfo]:
    """Return the best lines, numbered: greater depths first, then higher scores."""
    lines = sorted(lines, key=lambda line: (-line.depth, -line.score))[:count]
    return [replace(line, multipv=k) for k, line in enumerate(lines, start=1)]
