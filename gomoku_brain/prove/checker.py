"""Checker of certificates, which relies on the rules alone.

It is plain Python over integers, slow and small, so that it can be read completely. It
imports nothing of this package but the file format. A source of *hints* may propose
moves. The checker refuses a move that does not meet the rules, whatever its source.

It checks two kinds of wins.

*By fours.* Each move of the attacker threatens a five on the very next move (a four),
so the defender must take that cell, until it cannot.

*By threats.* Each move of the attacker threatens to win by fours if the defender
passed. The defender may then reply anywhere. A reply is checked on the board unless its
stone lies on no cell of that win by fours and on no cell where it could give the
defender a five during it; ``docs/proof.md`` proves that such a reply changes nothing.
The ``region`` of a win is the set of cells where one further stone of the defender
might matter.

The names of the sets are those of ``docs/proof.md``.
"""

from typing import NamedTuple, Protocol

from gomoku_brain.proofs.certificate import Certificate, Entry
from gomoku_brain.proofs.grid import Grid, Position, bits_of

__all__ = ["Checker", "Finding", "HintSource", "Rules", "Unproved", "longest_win"]

MOST_POSITIONS = 200_000  # most positions checked for one win by threats
# Replies without a known win; the win against another reply may answer them later.
MOST_UNPROVED = 2


class Unproved(Exception):
    """Error for a position that was not shown to be won, with the reason in one
    line.
    """


class HintSource(Protocol):
    """Source of proposed moves; in a position, given as pairs of bits, the attacker
    moves.
    """

    def threat(self, attacker: int, defender: int) -> int | None:
        """Return the bit number of a move that begins a win by threats, or None."""

    def four(self, attacker: int, defender: int) -> int | None:
        """Return the bit number of a move that begins a win by fours, or None."""


class Rules:
    """Rules for a five, on a board of one size."""

    def __init__(self, rule: str, grid: Grid) -> None:
        """Create the rules; ``rule`` is "freestyle" (five or more win) or "standard"
        (exactly five).
        """
        self.grid = grid
        self.full = grid.full
        self.exact = {"freestyle": False, "standard": True}[rule]
        stride = grid.stride
        self.steps = (1, stride, stride + 1, stride - 1)
        """Steps from a cell to the next one on a row, a column, and the two
        diagonals.
        """

    def wins(self, stones: int, cell: int) -> bool:
        """Whether a side that has these stones has a five through ``cell``."""
        for step in self.steps:
            run = 1
            place = cell + step
            while stones >> place & 1:
                run += 1
                place += step
            place = cell - step
            while place >= 0 and stones >> place & 1:
                run += 1
                place -= step
            if run == 5 or (run > 5 and not self.exact):
                return True
        return False

    def five_cells(self, own: int, other: int) -> int:
        """Return the empty cells where a stone of ``own`` makes a five."""
        found = 0
        for step in self.steps:
            # Bit k of own >> n * step is the cell n places after cell k. So these are
            # the first cells of five in a row that have four of the stones.
            a, b, c = own, own >> step, own >> 2 * step
            d, e = own >> 3 * step, own >> 4 * step
            front, back = a & b, d & e
            if self.exact:  # neither the cell before the five nor the one after it
                alone = ~(own << step | own >> 5 * step)
                front &= alone
                back &= alone
            found |= b & c & back
            found |= (a & c & back) << step
            found |= (front & back) << 2 * step
            found |= (front & c & e) << 3 * step
            found |= (front & c & d) << 4 * step
        return found & self.full & ~(own | other)

    def chances(self, own: int, other: int) -> tuple[bool, int, int]:
        """Return the stones of ``own`` on the fives in a row without a stone of
        ``other``.

        The result is: whether one of them has at least four stones; the empty cells of
        those that have at least three; the empty cells of those that have at least two.
        An overline counts here as a five, whatever the rule.
        """
        free = self.full & ~other
        four, three, two = False, 0, 0
        for step in self.steps:
            a, b, c = own, own >> step, own >> 2 * step
            d, e = own >> 3 * step, own >> 4 * step
            # Five bits are added to a number of three bits: ones + 2 * (twos + more).
            half = a ^ b ^ c
            twos = a & b | c & (a ^ b)
            ones = half ^ d ^ e
            more = half & d | e & (half ^ d)
            some = twos | more
            if not some:
                continue
            some &= free & free >> step & free >> 2 * step
            some &= free >> 3 * step & free >> 4 * step
            if not some:
                continue
            all_of = some & (twos & more | (twos ^ more) & ones)
            two |= some | some << step | some << 2 * step
            two |= some << 3 * step | some << 4 * step
            if all_of:
                three |= all_of | all_of << step | all_of << 2 * step
                three |= all_of << 3 * step | all_of << 4 * step
                four = four or bool(all_of & twos & more)
        empty = self.full & ~(own | other)
        return four, three & empty, two & empty


class Win(NamedTuple):
    """Proved win in a position with the attacker to move."""

    region: int
    """R1: cells where one further stone of the defender might matter."""
    wide_region: int
    """R2: the same cells for a stone that comes with another one.

    It is 0 for a win by threats, where it is not used.
    """
    plies: int
    """Most single moves to the five."""
    plain: bool
    """Whether the defender never had four stones on a five in a row without attacker's
    stones.

    Then it had neither an overline nor a cell for one.
    """


class Finding(NamedTuple):
    """Result of the check of one entry."""

    replies: int
    """Number of legal replies to its move that the certificate answers."""
    listed: int
    """Number of those replies that lead to other entries."""
    walked: int
    """Number of those replies that were checked on the board, one by one."""
    positions: int
    """Number of positions with the attacker to move that were checked for that."""
    plies: int
    """Most single moves to the five, if no other entry is reached."""


class Checker:
    """Checker of the entries of one certificate, one after the other."""

    def __init__(self, rules: Rules, hints: HintSource) -> None:
        """Create a checker; ``hints`` proposes moves, all of which are checked."""
        self.rules = rules
        self.grid = rules.grid
        self.hints = hints
        self.positions = 0
        """Number of positions checked since the start of the last entry."""
        self._limit = MOST_POSITIONS
        self._threats: dict[Position, Win] = {}
        self._fours: dict[Position, Win] = {}

    def check_start(self, certificate: Certificate) -> None:
        """Check the first position itself. Raises Unproved."""
        for who, stones in zip(("winner", "loser"), certificate.start, strict=True):
            for cell in bits_of(stones):
                if self.rules.wins(stones, cell):
                    raise Unproved(f"the {who} has a five at the start")

    def check_leaf(self, attacker: int, defender: int) -> Finding:
        """Check a position that must be won by threats. Raises Unproved."""
        self.reset()
        win = self.threats(attacker, defender)
        return Finding(0, 0, 0, self.positions, win.plies)

    def check_entry(self, entry: Entry) -> Finding:
        """Check every legal reply to an entry's move. Raises Unproved.

        Open replies are left out; the finding does not cover them.
        """
        self.reset()
        rules, name = self.rules, self.grid.name
        attacker, defender, move, listed, unclaimed = entry
        if not rules.full >> move & 1 or (attacker | defender) >> move & 1:
            raise Unproved("the move is not on an empty cell")
        attacker |= 1 << move
        if rules.wins(attacker, move):
            if listed or unclaimed:
                raise Unproved(f"{name(move)} makes a five, and yet replies follow")
            return Finding(0, 0, 0, 1, 1)
        replies = rules.full & ~(attacker | defender)
        if not replies:
            raise Unproved(f"{name(move)} fills the board")
        fives = rules.five_cells(defender, attacker)
        if fives:
            five = name(next(bits_of(fives)))
            raise Unproved(f"{name(move)} is answered by a five on {five}")
        if unclaimed & ~replies:
            reply = next(bits_of(unclaimed & ~replies))
            raise Unproved(f"the open reply {name(reply)} is not legal")
        replies &= ~unclaimed
        left = replies
        for reply, _ in listed:
            if not left >> reply & 1:
                raise Unproved(f"the reply {name(reply)} is not legal")
            left ^= 1 << reply

        # 1. A win against a pass leaves only the replies in its region.
        plies = walked = 0
        try:
            win = self.threats(attacker, defender)
        except Unproved:
            pass  # a quiet move without a threat
        else:
            left &= win.region
            plies = win.plies
        # 2. So does each win against another reply, whose stone is part of that
        # position. This holds also for replies that were tried before without a known
        # win.
        unproved: dict[int, Unproved] = {}
        while left:
            reply = next(bits_of(left))
            left ^= 1 << reply
            try:
                win = self.threats(attacker, defender | 1 << reply)
            except Unproved as reason:
                unproved[reply] = reason
                if len(unproved) > MOST_UNPROVED:
                    break
                continue
            walked += 1
            plies = max(plies, win.plies)
            if win.plain:
                left &= win.region
                for other in [cell for cell in unproved if not win.region >> cell & 1]:
                    del unproved[other]
        if unproved:
            reply, why = next(iter(unproved.items()))
            raise Unproved(f"the reply {name(reply)} to {name(move)}: {why}")
        return Finding(
            replies.bit_count(), len(listed), walked, self.positions, 2 + plies
        )

    def reset(self) -> None:
        """Clear the positions of the last entry."""
        self.positions = 0
        self._threats.clear()
        self._fours.clear()

    def threats(self, attacker: int, defender: int) -> Win:
        """Return the win by threats of the attacker, to move.

        Raises Unproved unless it is shown. Neither side has a five yet.
        """
        self._limit = self.positions + MOST_POSITIONS
        return self._walk(attacker, defender)

    def _walk(self, attacker: int, defender: int) -> Win:
        known = self._threats.get((attacker, defender))
        if known is not None:
            return known
        rules = self.rules
        move = self.hints.threat(attacker, defender)
        self._check_move(attacker, defender, move)
        assert move is not None
        stone = 1 << move
        after = attacker | stone
        if rules.wins(after, move):
            win = Win(stone, stone, 1, True)
            self._threats[attacker, defender] = win
            return win
        region, _, plain = self._chances(after, defender, move)
        region |= stone
        five = rules.five_cells(after, defender)
        if five:
            region |= five
            plies = 3
            if not five & five - 1:  # the defender must take this cell
                answer = self._walk(after, defender | five)
                region |= answer.region
                plies = 2 + answer.plies
                plain = plain and answer.plain
        else:
            passed = self._fours_win(after, defender)
            region |= passed.wide_region
            plies = 2 + passed.plies
            plain = plain and passed.plain
            for reply in bits_of(passed.region & ~(after | defender)):
                answer = self._walk(after, defender | 1 << reply)
                region |= answer.region
                plies = max(plies, 2 + answer.plies)
                plain = plain and answer.plain
        win = Win(region, 0, plies, plain)
        self._threats[attacker, defender] = win
        return win

    def _fours_win(self, attacker: int, defender: int) -> Win:
        """Return the win by fours of the attacker, to move."""
        known = self._fours.get((attacker, defender))
        if known is not None:
            return known
        rules = self.rules
        move = self.hints.four(attacker, defender)
        self._check_move(attacker, defender, move)
        assert move is not None
        stone = 1 << move
        after = attacker | stone
        if rules.wins(after, move):
            win = Win(stone, stone, 1, True)
        else:
            five = rules.five_cells(after, defender)
            if not five:
                text = self._text(attacker, defender)
                raise Unproved(f"{text}: {self.grid.name(move)} makes no four")
            region, wide, plain = self._chances(after, defender, move)
            cells = stone | five
            if not five & five - 1:
                answer = self._fours_win(after, defender | five)
                win = Win(
                    region | cells | answer.region,
                    wide | cells | answer.wide_region,
                    2 + answer.plies,
                    plain and answer.plain,
                )
            else:
                win = Win(region | cells, wide | cells, 3, plain)
        self._fours[attacker, defender] = win
        return win

    def _check_move(self, attacker: int, defender: int, move: int | None) -> None:
        """Check that a move was proposed and that it is on an empty cell. Raises
        Unproved.
        """
        self.positions += 1
        if self.positions > self._limit:
            raise Unproved(f"no end of the win after {MOST_POSITIONS} positions")
        if move is None:
            raise Unproved(f"{self._text(attacker, defender)}: no win is known")
        empty = self.rules.full & ~(attacker | defender)
        if move < 0 or not empty >> move & 1:
            raise Unproved(
                f"{self._text(attacker, defender)}: bit {move} is no empty cell"
            )

    def _chances(self, after: int, defender: int, move: int) -> tuple[int, int, bool]:
        """Return G1 and G2 after the attacker's move, and whether the win is plain (see
        ``Win``).

        The defender must not have a five.
        """
        four, three, two = self.rules.chances(defender, after)
        fives = self.rules.five_cells(defender, after) if four else 0
        if fives:
            raise Unproved(
                f"{self._text(after ^ 1 << move, defender)}: {self.grid.name(move)} is"
                f" answered by a five on {self.grid.name(next(bits_of(fives)))}"
            )
        return three, two, not four

    def _text(self, attacker: int, defender: int) -> str:
        """Return a position in words."""
        names = self.grid.names
        return f"with {' '.join(names(attacker))} against {' '.join(names(defender))}"


def longest_win(certificate: Certificate, plies: list[int]) -> list[int]:
    """Return the most single moves to the five from each entry on.

    ``plies``: the ``Finding.plies`` of each entry.
    """
    longest = list(plies)
    done = [False] * len(plies)
    waiting = list(range(len(plies)))
    while waiting:
        entry = waiting[-1]
        missing = [to for _, to in certificate.entries[entry].replies if not done[to]]
        if missing and not done[entry]:
            waiting += missing
            continue
        waiting.pop()
        if not done[entry]:
            done[entry] = True
            for _, to in certificate.entries[entry].replies:
                longest[entry] = max(longest[entry], 2 + longest[to])
    return longest
