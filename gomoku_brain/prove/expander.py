"""Task of a worker of the proof: expand one position, or try one move in it.

The threat solver decides whether the position is won already, and the alpha-beta search
proposes moves. Every reply to each of these moves is answered by the threat solver or
left open. The checker (``prove.checker``) decides which replies need an answer of their
own, in the same way as when the proof is checked.
"""

import math
from typing import NamedTuple

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs.boards import board_of, cell_of
from gomoku_brain.proofs.grid import Grid, Position, bits_of
from gomoku_brain.prove.checker import Checker, Rules, Unproved
from gomoku_brain.prove.solver_hints import (
    HASH_MB,
    LEAF_NODES,
    Problem,
    SolverHints,
)
from gomoku_brain.prove.tree import MORE, Candidate

__all__ = ["Expander", "Expansion", "work_at"]

# Nodes of the threat solver.
PASS_NODES = 20_000  # to find the threat of a move
MORE_NODES = (20_000, 50_000)  # to find a win that then gets entries
LEAF_SHARE = 0.9  # of the requested nodes: the table's size changes them a little
# after these, when listing replies that the solver does not win
SURE_NODES = (400_000,)

# All values below were set by hand. First the alpha-beta search that proposes moves.
SEARCH_NODES = 40_000  # its nodes
OPENING_NODES = 200_000  # its nodes while the attacker has OPENING_STONES at most
OPENING_STONES = 3
LINES = 4  # number of moves that it proposes
WIDE_NODES = 200_000  # its nodes for further moves
WIDE_LINES = 10  # number of moves that it then proposes

# Moves of the attacker that are tried now, by the replies that they leave open.
FEW_OPEN = 2  # a move that leaves at most so many ends the search for others
GOOD_OPEN = 5  # the same for a move that was good in positions with the same stones
SLACK = 2  # a move that leaves so many more than the best one is left for later
MANY_OPEN = 24  # and so is a move that leaves more than so many

# Expected work on a position that was not expanded yet, as a proof number. It rises as
# the score of a short search falls. The figures are the positions expanded for each one
# proved, by score, in the first half million positions of the proof of freestyle on
# 15x15.
SCORE_NODES = 4_000  # of that search
WORK = 6.0  # positions to expand at the score WORK_SCORE
WORK_SCORE = 1_500  # score units
WORK_DOUBLES = 250  # score units less for twice the work
WORST_SCORE, BEST_SCORE = -2_000, 2_500  # a score beyond these counts as these
QUIET_PART = 1.7  # share of the work for one reply, for each reply to a quiet move
QUIET_FACTOR = 2  # factor for each further move of that kind
MORE_GUESS = 100  # if no other move was searched for yet
MORE_FACTOR = 4  # added to that, if moves were proposed: so many times the best's

# Limits of what is stored.
REMEMBERED = 20_000  # sets of the attacker's stones with moves that were good
TRIED = 3  # number of those moves that are tried in a position


class Expansion(NamedTuple):
    """Result of the expansion of a position."""

    won: bool
    """Whether threats win so quickly that the position can be left to the solver."""
    candidates: tuple[Candidate, ...]
    """The attacker's moves, the best first."""


def work_at(score: int) -> float:
    """Return the expected work on a position with this score for the attacker.

    Such start numbers lead the search sooner to positions that can be proved. A. Nagai,
    "Df-pn algorithm for searching AND/OR trees and its applications", 2002, starts
    positions with numbers of an evaluation in the same way.
    """
    score = min(max(score, WORST_SCORE), BEST_SCORE)
    return WORK * math.exp2((WORK_SCORE - score) / WORK_DOUBLES)


class Expander:
    """Expander of the positions of one proof."""

    def __init__(self, problem: Problem, leaf_nodes: int | None = None) -> None:
        """Create the expander, which takes about 100 MB, and 32 MB more with
        ``leaf_nodes``.

        With ``leaf_nodes`` a position is left to the solver only if the solver wins it
        within so many nodes from an empty table.
        """
        self.fresh = None if leaf_nodes is None else SolverHints(problem)
        self._fresh_nodes = int(LEAF_SHARE * (leaf_nodes or 0))
        self.grid = Grid(problem.width, problem.height)
        self.rules = Rules(problem.rule, self.grid)
        self.hints = SolverHints(problem)
        self.checker = Checker(self.rules, self.hints)
        self.engine = Engine(hash_mb=HASH_MB)
        self.rule = Rule[problem.rule.upper()]
        self.winner = Side[problem.winner.upper()]
        self._good: dict[int, dict[int, int]] = {}
        self._searched = 0

    @property
    def nodes(self) -> int:
        """Moves made by the solver and the search so far."""
        fresh = 0 if self.fresh is None else self.fresh.solver.nodes
        return self.hints.solver.nodes + fresh + self._searched

    def expand(self, stones: Position, suggested: int | None = None) -> Expansion:
        """Expand a position: decide whether it is won, and find moves of the attacker.

        ``suggested``: the cell of a move that wins a similar position.
        """
        attacker, defender = stones
        solver = self.hints.solver
        solver.age()
        if self._is_left_to_solver(attacker, defender):
            return Expansion(True, ())
        if suggested is not None and not (attacker | defender) >> suggested & 1:
            replies = self.open_replies(stones, suggested)
            if replies is not None:
                work = sum(replies.values())
                candidate = Candidate(suggested, replies, work)
                other = Candidate(MORE[0], None, MORE_GUESS + MORE_FACTOR * work)
                return Expansion(False, (candidate, other))
        for nodes in MORE_NODES if self.fresh is None else MORE_NODES + SURE_NODES:
            status = solver.solve(attacker, defender, nodes)
            if status == "win":
                move = solver.threat(attacker, defender, nodes)
                if move is None:
                    break
                replies = self.open_replies(stones, move)
                if replies is not None:
                    candidate = Candidate(move, replies, sum(replies.values()))
                    other = Candidate(MORE[0], None, MORE_GUESS)
                    return Expansion(False, (candidate, other))
            if status != "unknown":
                break
        # Moves that were good against other replies are often good against this one.
        found = self._candidates(stones, self._remembered(attacker))
        best = found[0].replies if found else None
        if best is not None and len(best) <= GOOD_OPEN:
            more = Candidate(MORE[0], None, MORE_GUESS)
            return Expansion(False, (found[0], more))
        return self.find_more(stones, MORE[0], ())

    def find_more(
        self, stones: Position, which: int, known: tuple[int, ...]
    ) -> Expansion:
        """Find moves that are not known yet; ``which`` is one of ``MORE``."""
        wide = which == MORE[1]
        few = stones[0].bit_count() <= OPENING_STONES
        cells = self._proposals(
            stones,
            Limits(
                nodes=WIDE_NODES if wide else OPENING_NODES if few else SEARCH_NODES,
                multipv=WIDE_LINES if wide else LINES,
            ),
        )
        cells = tuple(cell for cell in cells if cell not in known)
        found = self._candidates(stones, cells)
        if not wide:
            guess = MORE_GUESS + MORE_FACTOR * (found[0].guess if found else 0)
            found = (*found, Candidate(MORE[1], None, guess))
        return Expansion(False, found)

    def _remembered(self, attacker: int) -> tuple[int, ...]:
        """Return moves that were good with the same stones of the attacker."""
        key, _, symmetry = self.grid.canonical(attacker, 0)
        cells = self._good.get(key, {})
        back = self.grid.images[self.grid.inverse[symmetry]]
        best = sorted(cells, key=lambda cell: -cells[cell])[:TRIED]
        return tuple(back[cell] for cell in best)

    def _remember(self, attacker: int, cell: int) -> None:
        key, _, symmetry = self.grid.canonical(attacker, 0)
        if key not in self._good and len(self._good) >= REMEMBERED:
            del self._good[next(iter(self._good))]
        cells = self._good.setdefault(key, {})
        cell = self.grid.images[symmetry][cell]
        cells[cell] = cells.get(cell, 0) + 1

    def _candidates(
        self, stones: Position, cells: tuple[int, ...]
    ) -> tuple[Candidate, ...]:
        """Return the moves with the replies that they leave open, the least work first.

        Once there is one with ``FEW_OPEN``, the rest is left out.
        """
        found: list[Candidate] = []
        quiet, maximum = QUIET_PART, MANY_OPEN
        attacker, defender = stones
        for cell in cells:
            after = attacker | 1 << cell
            if (defender >> cell & 1) or self.rules.five_cells(defender, after):
                continue
            if self.rules.wins(after, cell):
                return (Candidate(cell, {}, 0),)
            if self._passes(after, defender) is None:
                empty = (self.rules.full & ~(after | defender)).bit_count()
                work = quiet * empty * self._work_after(after, defender)
                found.append(Candidate(cell, None, int(work)))
                quiet *= QUIET_FACTOR
                continue
            hard = self._hard_replies(after, defender, maximum)
            if len(hard) > maximum:
                work = len(hard) * self._work_after(after, defender)
                found.append(Candidate(cell, None, int(work)))
                continue
            replies = self._with_work(after, defender, hard)
            found.append(Candidate(cell, replies, sum(replies.values())))
            maximum = min(maximum, len(replies) + SLACK)
            if len(replies) <= FEW_OPEN:
                self._remember(attacker, cell)
                break
        return tuple(sorted(found, key=lambda candidate: candidate.guess))

    def open_replies(self, stones: Position, move: int) -> dict[int, int] | None:
        """Return the open replies to a move, with the expected work on the position
        after each.

        They are the replies that threats do not answer. None if the move loses at once.
        """
        attacker, defender = stones
        attacker |= 1 << move
        if self.rules.wins(attacker, move):
            return {}
        left = self.rules.full & ~(attacker | defender)
        if not left or self.rules.five_cells(defender, attacker):
            return None
        hard = self._hard_replies(attacker, defender)
        return self._with_work(attacker, defender, hard)

    def _hard_replies(
        self, attacker: int, defender: int, maximum: int | None = None
    ) -> tuple[int, ...]:
        """Return the replies that threats do not answer, with the defender to move.

        After more than ``maximum`` of them, the rest are not tried.
        """
        left = self.rules.full & ~(attacker | defender)
        region = self._passes(attacker, defender)
        if region is None:
            return tuple(bits_of(left))
        left &= region
        self.hints.nodes = LEAF_NODES
        solver = self.hints.solver
        hard = 0
        while left:
            reply = left & -left
            left ^= reply
            answered = defender | reply
            if solver.solve(attacker, answered, LEAF_NODES) != "win":
                hard |= reply
                if maximum is not None and hard.bit_count() > maximum:
                    break
                continue
            self.checker.reset()
            try:
                win = self.checker.threats(attacker, answered)
            except Unproved:
                hard |= reply
                continue
            if win.plain:
                left &= win.region
                hard &= win.region
        if self.fresh is not None and (maximum is None or hard.bit_count() <= maximum):
            hard |= self._unsolved(attacker, defender, 0)
        return tuple(bits_of(hard))

    def _unsolved(self, attacker: int, defender: int, listed: int) -> int:
        """Return the replies that must not be left to the solver, besides those
        listed.
        """
        assert self.fresh is not None
        left = self.rules.full & ~(attacker | defender | listed)
        return self.fresh.unsolved(attacker, defender, left, self._fresh_nodes)

    def replies_to_list(
        self, stones: Position, move: int, listed: int
    ) -> dict[int, int]:
        """Return the replies to a winning move that must not be left to the solver.

        ``listed``: replies that are listed anyway, as bits. The value of each reply is
        the expected work on the position after it, which is known to be won.
        """
        attacker, defender = stones
        attacker |= 1 << move
        if self.rules.wins(attacker, move):
            return {}
        return dict.fromkeys(bits_of(self._unsolved(attacker, defender, listed)), 1)

    def _with_work(
        self, attacker: int, defender: int, replies: tuple[int, ...]
    ) -> dict[int, int]:
        """Return replies with the expected work on the positions after them."""
        return {
            reply: round(
                work_at(self._score(attacker, defender | 1 << reply, self.winner))
            )
            or 1
            for reply in replies
        }

    def _work_after(self, attacker: int, defender: int) -> float:
        """Return the expected work on the hardest reply; the defender is to move."""
        return work_at(-self._score(attacker, defender, self.winner.other))

    def _score(self, attacker: int, defender: int, turn: Side) -> int:
        """Return the score of a short search, for the side to move."""
        board = self._board((attacker, defender), turn)
        if board.is_full:
            return 0
        result = self.engine.search(board, Limits(nodes=SCORE_NODES))
        self._searched += result.nodes
        return -WIN if result.score is None else result.score  # None: only fouls

    def _passes(self, attacker: int, defender: int) -> int | None:
        """Return the region of a win of the attacker, to move again; None without
        one.
        """
        if self.hints.solver.solve(attacker, defender, PASS_NODES) != "win":
            return None
        self.hints.nodes = PASS_NODES
        self.checker.reset()
        try:
            return self.checker.threats(attacker, defender).region
        except Unproved:
            return None

    def _is_left_to_solver(self, attacker: int, defender: int) -> bool:
        """Whether the solver wins quickly, and the checker confirms the win."""
        if self.fresh is None:
            status = self.hints.solver.solve(attacker, defender, LEAF_NODES)
            return status == "win" and self._shown(attacker, defender, LEAF_NODES)
        solved = self.fresh.is_solved(attacker, defender, self._fresh_nodes)
        return solved and self._shown(attacker, defender, PASS_NODES)

    def _shown(self, attacker: int, defender: int, nodes: int) -> bool:
        """Whether the checker confirms the solver's win."""
        self.hints.nodes = nodes
        self.checker.reset()
        try:
            self.checker.threats(attacker, defender)
        except Unproved:
            return False
        return True

    def _proposals(self, stones: Position, limits: Limits) -> tuple[int, ...]:
        """Return the moves that the alpha-beta search rates best."""
        board = self._board(stones, self.winner)
        if board.is_full:
            return ()
        result = self.engine.search(board, limits)
        moves = [line.pv[0] for line in result.lines] or [result.move]
        if result.win_in is not None and result.win_in < 0:
            moves = []
        elif result.win_in is not None:
            moves = moves[:1]
        self._searched += result.nodes
        return tuple(cell_of(self.grid, move) for move in moves)

    def _board(self, stones: Position, turn: Side) -> Board:
        return board_of(self.grid, stones, self.winner, turn, self.rule)
