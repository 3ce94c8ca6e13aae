"""What a worker of the proof does: looks at one position, or at one move in it.

The threat solver says whether the position is won as it stands, the alpha-beta search
proposes moves, and for each of them every reply is answered by the threat solver or
left open. Which replies need an answer of their own the checker says
(``prove.checker``), as it will when the proof is checked.
"""

from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.prove.checker import Checker, Rules, Unproved
from gomoku_brain.prove.grid import Grid, Position, bits_of
from gomoku_brain.prove.tree import MORE, Candidate
from gomoku_brain.prove.tree_file import FIRST_PROOF
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.hints import Hints
from gomoku_brain.search.limits import Limits

__all__ = ["Expander", "Expansion", "Problem", "SolverHints"]

# Nodes of the threat solver.
LEAF_NODES = 2_000  # within which a position that is left to the solver must be won
PASS_NODES = 20_000  # to find out what a move threatens
MORE_NODES = (20_000, 50_000)  # to find a win that then gets entries
FOUR_NODES = 20_000  # to find the fours behind a threat
CHECK_NODES = 2_000_000  # to find any win again

# All that follows was set by hand. First the alpha-beta search that proposes moves.
SEARCH_NODES = 40_000  # its nodes
OPENING_NODES = 200_000  # its nodes while the attacker has OPENING_STONES at most
OPENING_STONES = 3
LINES = 4  # how many moves it proposes
WIDE_NODES = 200_000  # its nodes when it is asked for more moves
WIDE_LINES = 10  # how many moves it then proposes

# Which moves of the attacker are looked at now, by the replies that they leave open.
FEW_OPEN = 2  # a move that leaves at most so many ends the looking for others
GOOD_OPEN = 5  # the same for a move that was good in positions with the same stones
SLACK = 2  # a move that leaves so many more than the best one is left for later
MANY_OPEN = 24  # and so is a move that leaves more than so many

# The work that is expected of moves which were not looked at, as a proof number.
MORE_GUESS = 100  # where no other move was looked for yet
MORE_FACTOR = 4  # added to that, where moves were proposed: so many times the best's
QUIET_GUESS = 10  # for each reply to the first move that threatens nothing
QUIET_FACTOR = 2  # how many times as much for each further move of that kind

# What is remembered.
REMEMBERED = 20_000  # sets of the attacker's stones with moves that were good
TRIED = 3  # how many of those moves are tried in a position
GIVEN = 100_000  # moves of the solver
HASH_MB = 32.0  # megabytes of the solver's table, and of the search's


class Problem(NamedTuple):
    """What is to be proved, but for the position."""

    rule: str
    width: int
    height: int
    winner: str


class Expansion(NamedTuple):
    """What was found."""

    won: bool
    """By threats, within LEAF_NODES."""
    candidates: tuple[Candidate, ...]
    """The attacker's moves, the best first."""
    nodes: int
    """Moves made by the solver and the search."""


class SolverHints:
    """The solver's moves for the checker; its numbers of nodes can be changed."""

    def __init__(self, problem: Problem, nodes: int = CHECK_NODES) -> None:
        """``nodes``: for one win by threats."""
        self.solver = Hints(
            problem.width,
            problem.height,
            Rule[problem.rule.upper()],
            Side[problem.winner.upper()],
            HASH_MB,
        )
        self.nodes = nodes
        self._given: dict[int, dict[int, int]] = {}
        self._count = 0

    def threat(self, attacker: int, defender: int) -> int | None:
        """A move that begins a win by threats.

        Where the solver finds none, the one that it found with the most similar stones
        of the defender and the same ones of the attacker.
        """
        move = self.solver.threat(attacker, defender, self.nodes)
        if move is None:
            return self._from_another(attacker, defender)
        if self._count >= GIVEN:
            self._given.clear()
            self._count = 0
        self._given.setdefault(attacker, {})[defender] = move
        self._count += 1
        return move

    def forget(self) -> None:
        """Find everything anew, by other ways than before."""
        self.solver.forget()
        self._given.clear()
        self._count = 0

    def _from_another(self, attacker: int, defender: int) -> int | None:
        """A stone that changes nothing in a win can still lead the solver astray."""
        free = [
            ((others ^ defender).bit_count(), move)
            for others, move in self._given.get(attacker, {}).items()
            if not defender >> move & 1
        ]
        return min(free, default=(0, None))[1]

    def four(self, attacker: int, defender: int) -> int | None:
        """A move that begins a win by fours."""
        return self.solver.four(attacker, defender, FOUR_NODES)


class Expander:
    """Looks at positions of one problem."""

    def __init__(self, problem: Problem) -> None:
        """Takes about 100 MB."""
        self.grid = Grid(problem.width, problem.height)
        self.rules = Rules(problem.rule, self.grid)
        self.hints = SolverHints(problem)
        self.checker = Checker(self.rules, self.hints)
        self.engine = Engine(hash_mb=HASH_MB)
        self.rule = Rule[problem.rule.upper()]
        self.winner = Side[problem.winner.upper()]
        self._good: dict[int, dict[int, int]] = {}

    def look(self, stones: Position) -> Expansion:
        """Look at a position."""
        attacker, defender = stones
        solver = self.hints.solver
        solver.turn_to_another()
        before = solver.nodes
        if solver.solve(attacker, defender, LEAF_NODES) == "win" and self._shown(
            attacker, defender
        ):
            return Expansion(True, (), solver.nodes - before)
        for nodes in MORE_NODES:
            status = solver.solve(attacker, defender, nodes)
            if status == "win":
                move = solver.threat(attacker, defender, nodes)
                if move is None:
                    break
                replies = self.open_replies(stones, move)
                if replies is not None:
                    candidate = Candidate(move, replies, FIRST_PROOF * len(replies))
                    other = Candidate(MORE[0], None, MORE_GUESS)
                    return Expansion(False, (candidate, other), solver.nodes - before)
            if status != "unknown":
                break
        # What was good against other replies is often good against this one.
        found = self._candidates(stones, self._remembered(attacker))
        best = found[0].replies if found else None
        if best is not None and len(best) <= GOOD_OPEN:
            more = Candidate(MORE[0], None, MORE_GUESS)
            return Expansion(False, (found[0], more), solver.nodes - before)
        first = self.look_for_more(stones, MORE[0], ())
        return first._replace(nodes=solver.nodes - before + first.nodes)

    def look_for_more(
        self, stones: Position, which: int, known: tuple[int, ...]
    ) -> Expansion:
        """Moves that are not known yet: ``which`` of MORE."""
        wide = which == MORE[1]
        few = stones[0].bit_count() <= OPENING_STONES
        before = self.hints.solver.nodes
        cells, nodes = self._proposals(
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
        return Expansion(False, found, nodes + self.hints.solver.nodes - before)

    def _remembered(self, attacker: int) -> tuple[int, ...]:
        """Moves that were good with the same stones of the attacker's."""
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
        """The moves with the replies that they leave open; the fewest first.

        Once there is one with FEW_OPEN, the rest is left out.
        """
        found: list[Candidate] = []
        quiet, most = QUIET_GUESS, MANY_OPEN
        attacker, defender = stones
        for cell in cells:
            after = attacker | 1 << cell
            if (defender >> cell & 1) or self.rules.five_cells(defender, after):
                continue
            if self.rules.wins(after, cell):
                return (Candidate(cell, (), 0),)
            if self._passes(after, defender) is None:
                empty = (self.rules.full & ~(after | defender)).bit_count()
                found.append(Candidate(cell, None, quiet * empty))
                quiet *= QUIET_FACTOR
                continue
            replies = self.open_replies(stones, cell, most)
            assert replies is not None
            if len(replies) > most:
                found.append(Candidate(cell, None, 2 * FIRST_PROOF * len(replies)))
                continue
            found.append(Candidate(cell, replies, FIRST_PROOF * len(replies)))
            most = min(most, len(replies) + SLACK)
            if len(replies) <= FEW_OPEN:
                self._remember(attacker, cell)
                break
        return tuple(sorted(found, key=lambda candidate: candidate.guess))

    def open_replies(
        self, stones: Position, move: int, most: int | None = None
    ) -> tuple[int, ...] | None:
        """The replies to a move that threats do not answer; None: it loses at once.

        With more than ``most`` of them the rest are not looked at.
        """
        attacker, defender = stones
        attacker |= 1 << move
        if self.rules.wins(attacker, move):
            return ()
        left = self.rules.full & ~(attacker | defender)
        if not left or self.rules.five_cells(defender, attacker):
            return None
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
                if most is not None and hard.bit_count() > most:
                    break
                continue
            self.checker.begin()
            try:
                win = self.checker.threats(attacker, answered)
            except Unproved:
                hard |= reply
                continue
            if win.plain:
                left &= win.region
                hard &= win.region
        return tuple(bits_of(hard))

    def _passes(self, attacker: int, defender: int) -> int | None:
        """The region of a win of the attacker, to move again; None without one."""
        if self.hints.solver.solve(attacker, defender, PASS_NODES) != "win":
            return None
        self.hints.nodes = PASS_NODES
        self.checker.begin()
        try:
            return self.checker.threats(attacker, defender).region
        except Unproved:
            return None

    def _shown(self, attacker: int, defender: int) -> bool:
        """Whether the checker follows the solver's win."""
        self.hints.nodes = LEAF_NODES
        self.checker.begin()
        try:
            self.checker.threats(attacker, defender)
        except Unproved:
            return False
        return True

    def _proposals(
        self, stones: Position, limits: Limits
    ) -> tuple[tuple[int, ...], int]:
        """The moves that the alpha-beta search thinks best, and its nodes."""
        attacker, defender = (self._moves(side) for side in stones)
        black, white = (
            (attacker, defender) if self.winner == Side.BLACK else (defender, attacker)
        )
        board = Board.from_stones(
            black,
            white,
            turn=self.winner,
            size=(self.grid.width, self.grid.height),
            rule=self.rule,
        )
        if board.is_full:
            return (), 0
        result = self.engine.search(board, limits)
        moves = [line.pv[0] for line in result.lines] or [result.move]
        if result.win_in is not None and result.win_in < 0:
            moves = []
        elif result.win_in is not None:
            moves = moves[:1]
        return tuple(y * self.grid.stride + x for x, y in moves), result.nodes

    def _moves(self, stones: int) -> list[Move]:
        return [
            Move(cell % self.grid.stride, cell // self.grid.stride)
            for cell in bits_of(stones)
        ]
