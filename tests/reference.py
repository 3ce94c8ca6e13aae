"""A slow reference for the rules, written from the rule text and from nothing else.

The tests compare the compiled core with it, so it shares no code, table or idea with
the engine: a board is a list of cells, a line is walked cell by cell, and a claim like
"wins in five plies" is settled by playing every move that could matter. Where a step
leaves something out, a comment says why it cannot matter, and test_reference.py checks
that step against a version that leaves out nothing.

Cells are (x, y) tuples, 0-based, y from the top; sides are BLACK and WHITE; rules are
the protocol's numbers.
"""

import functools
import random
from collections import defaultdict
from collections.abc import Iterable

FREESTYLE, STANDARD, RENJU, CARO, CARO_EXACT = RULES = (0, 1, 4, 8, 9)
BLACK, WHITE, EMPTY, WALL = 0, 1, 2, 3

Cell = tuple[int, int]

# Weights of a black stone, a white stone and a wall in the count of a window (five
# cells in a row): a window's sum tells how many of each it holds.
_WEIGHT = (1, 8, 64)


class RefBoard:
    """Stones and walls on a board, with the rules told from them.

    Inside, a cell is an index of `cells`, a list with a border of walls, so that every
    walk along a line ends. `place` and `clear` take such indices, the public face takes
    (x, y).
    """

    def __init__(
        self,
        size: int | tuple[int, int] = 15,
        rule: int = FREESTYLE,
        black: Iterable[Cell] = (),
        white: Iterable[Cell] = (),
        walls: Iterable[Cell] = (),
        turn: int | None = None,
    ) -> None:
        self.width, self.height = (size, size) if isinstance(size, int) else size
        self.rule = rule
        self.stride = self.width + 2
        self.cells = [WALL] * (self.stride * (self.height + 2))
        self.directions = (1, self.stride, self.stride + 1, self.stride - 1)
        self.all_cells = [
            self.index((x, y)) for y in range(self.height) for x in range(self.width)
        ]
        for p in self.all_cells:
            self.cells[p] = EMPTY
        self.windows, self.windows_of = _windows(self.width, self.height)
        self.sums = [0] * len(self.windows)
        self.by_sum: dict[int, set[int]] = defaultdict(set)
        self.by_sum[0] = set(range(len(self.windows)))
        black, white = list(black), list(white)
        for side, stones in ((BLACK, black), (WHITE, white), (WALL, walls)):
            for cell in stones:
                assert self.cells[self.index(cell)] == EMPTY, cell
                self.place(self.index(cell), side)
        self.turn = int(len(black) > len(white)) if turn is None else turn

    def index(self, cell: Cell) -> int:
        x, y = cell
        assert x in range(self.width), cell
        assert y in range(self.height), cell
        return (y + 1) * self.stride + x + 1

    def cell(self, p: int) -> Cell:
        return p % self.stride - 1, p // self.stride - 1

    def stones(self, side: int) -> list[Cell]:
        """Cells of a side's stones (or of the walls), row by row."""
        return [self.cell(p) for p in self.all_cells if self.cells[p] == side]

    def place(self, p: int, side: int) -> None:
        self.cells[p] = side
        self._count(p, _WEIGHT[min(side, 2)])

    def clear(self, p: int) -> None:
        side = self.cells[p]
        self.cells[p] = EMPTY
        self._count(p, -_WEIGHT[min(side, 2)])

    def _count(self, p: int, change: int) -> None:
        sums, by_sum = self.sums, self.by_sum
        for w in self.windows_of[p]:
            old = sums[w]
            by_sum[old].discard(w)
            sums[w] = old + change
            by_sum[old + change].add(w)

    def run(self, p: int, d: int, side: int) -> tuple[int, int, int]:
        """The unbroken run of a side through p, p counted as its own.

        Returns the first cell beyond it at either end, and its length.
        """
        cells = self.cells
        a = p - d
        while cells[a] == side:
            a -= d
        b = p + d
        while cells[b] == side:
            b += d
        return a, b, (b - a) // d - 1

    # --- What wins (the rules 1) ---

    def wins(self, p: int, side: int) -> bool:
        """Whether a stone of that side on p completes a line that counts."""
        rule, cells, other = self.rule, self.cells, 1 - side
        for d in self.directions:
            a, b, n = self.run(p, d, side)
            if n < 5:
                continue
            if rule == FREESTYLE or (rule == RENJU and side == WHITE):
                return True
            if rule in (STANDARD, RENJU):
                if n == 5:
                    return True
                continue
            # Caro. A wall or the edge is not an opponent.
            blocked = cells[a] == other and cells[b] == other
            if n == 5 and not blocked:
                return True
            if n >= 6 and rule == CARO:
                return True
        return False

    def winner_of_move(self, cell: Cell, side: int) -> int | None:
        """The side, if its stone on that cell wins, else None."""
        return side if self.wins(self.index(cell), side) else None

    def is_finished(self) -> bool:
        """Whether a line that counts stands on the board."""
        return any(
            self.wins(p, self.cells[p])
            for p in self.all_cells
            if self.cells[p] in (BLACK, WHITE)
        )

    # --- What is forbidden (the rules 3) ---

    def verdict(self, p: int) -> str | None:
        """What black's stone on the empty cell p would be.

        "five", "overline", "double-four", "double-three", or None for a plain move.
        """
        cells = self.cells
        runs = [(d, *self.run(p, d, BLACK)) for d in self.directions]
        if any(n == 5 for *_, n in runs):
            return "five"
        if any(n >= 6 for *_, n in runs):
            return "overline"
        cells[p] = BLACK
        try:
            # A completing cell q makes a run of p, q and black stones only, so it
            # is the first cell beyond the run of p, at one end or the other.
            fours = 0
            for d, a, b, _ in runs:
                fours += len({self._four(q, d) for q in (a, b)} - {None})
            if fours >= 2:
                return "double-four"
            threes = 0
            for d, a, b, _ in runs:
                # Likewise for the cell that makes a straight four of the three.
                threes += any(self._opens_three(q, d) for q in (a, b))
                if threes == 2:
                    return "double-three"
        finally:
            cells[p] = EMPTY
        return None

    def _four(self, q: int, d: int) -> tuple[int, ...] | None:
        """The four stones that q, if empty, completes to exactly five on line d."""
        if self.cells[q] != EMPTY:
            return None
        a, _, n = self.run(q, d, BLACK)
        if n != 5:
            return None
        return tuple(c for c in range(a + d, a + 6 * d, d) if c != q)

    def _opens_three(self, q: int, d: int) -> bool:
        """Whether black on q makes a straight four on line d, and may play there."""
        cells = self.cells
        if cells[q] != EMPTY:
            return False
        a, b, n = self.run(q, d, BLACK)
        if n != 4 or cells[a] != EMPTY or cells[b] != EMPTY:
            return False
        cells[q] = BLACK
        straight = self.run(a, d, BLACK)[2] == 5 and self.run(b, d, BLACK)[2] == 5
        cells[q] = EMPTY
        # "five" would be another line of q; the rules asks for a move without a five.
        return straight and self.verdict(q) is None

    def foul_at(self, p: int) -> str | None:
        if self.rule != RENJU:
            return None
        verdict = self.verdict(p)
        return None if verdict == "five" else verdict

    def foul(self, cell: Cell) -> str | None:
        """The foul of a black move, None when it is legal or when it wins."""
        return self.foul_at(self.index(cell))

    def fouls(self) -> dict[Cell, str]:
        """All forbidden cells with their fouls (renju; empty in other rules).

        Every foul needs four other black stones within four cells of p on the lines
        through it: two threes and two fours on different lines need 2 + 2 and 3 + 3,
        two fours on one line share at most three stones with p among them, and an
        overline has five more stones, at least four of them that near. Cells with
        fewer are passed over.
        """
        if self.rule != RENJU:
            return {}
        near = [0] * len(self.cells)
        for p in self.all_cells:
            if self.cells[p] == BLACK:
                for q in _rays(self.width, self.height)[p]:
                    near[q] += 1
        found = {}
        for p in self.all_cells:
            if near[p] >= 4 and self.cells[p] == EMPTY:
                foul = self.foul_at(p)
                if foul:
                    found[self.cell(p)] = foul
        return found

    # --- Which cells can matter (they are only tried, never believed) ---

    def fives(self, side: int) -> list[int]:
        """All cells where the side wins at once.

        Every winning run holds five cells in a row that include the new stone, so
        only windows with four own stones and one empty cell are looked at.
        """
        found = set()
        for w in self.by_sum[4 * _WEIGHT[side]]:
            for p in self.windows[w]:
                if self.cells[p] == EMPTY and self.wins(p, side):
                    found.add(p)
        return sorted(found)

    def four_makers(self, side: int) -> list[int]:
        """A superset of the cells where the side gets a five that it had not before.

        The window of that coming five holds the new stone, three more and a gap.
        """
        found = set()
        for w in self.by_sum[3 * _WEIGHT[side]]:
            found.update(p for p in self.windows[w] if self.cells[p] == EMPTY)
        return sorted(found)

    def removers(self, five: int, side: int) -> list[int]:
        """A superset of the cells where an opponent's stone stops that five.

        It must stand on the five, or in caro at an end of the run. Elsewhere it
        changes neither the run nor its ends.
        """
        found = {five}
        if self.rule in (CARO, CARO_EXACT):
            for d in self.directions:
                found.update(self.run(five, d, side)[:2])
        return sorted(p for p in found if self.cells[p] == EMPTY)

    def empties(self) -> list[int]:
        return [p for p in self.all_cells if self.cells[p] == EMPTY]

    def may_play(self, p: int, side: int) -> bool:
        """Whether the move does not lose at once by its own foul."""
        return side == WHITE or self.foul_at(p) is None

    def __str__(self) -> str:
        rows = []
        for y in range(self.height):
            start = self.index((0, y))
            row = self.cells[start : start + self.width]
            rows.append(" ".join("XO.#"[c] for c in row))
        side = "black" if self.turn == BLACK else "white"
        return f"rule {self.rule}, {side} to move\n" + "\n".join(rows)


@functools.cache
def _windows(width: int, height: int) -> tuple[list[list[int]], dict[int, list[int]]]:
    """All five cells in a row of the board, and for each cell those that hold it."""
    stride = width + 2
    windows = []
    windows_of: dict[int, list[int]] = defaultdict(list)
    for y in range(height):
        for x in range(width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                if 0 <= x + 4 * dx < width and y + 4 * dy < height:
                    window = [
                        (y + i * dy + 1) * stride + x + i * dx + 1 for i in range(5)
                    ]
                    for p in window:
                        windows_of[p].append(len(windows))
                    windows.append(window)
    return windows, windows_of


@functools.cache
def _rays(width: int, height: int) -> dict[int, list[int]]:
    """For each cell, the cells within four of it on the lines through it."""
    stride = width + 2
    rays = {}
    for y in range(height):
        for x in range(width):
            rays[(y + 1) * stride + x + 1] = [
                (y + i * dy + 1) * stride + x + i * dx + 1
                for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
                for i in (-4, -3, -2, -1, 1, 2, 3, 4)
                if 0 <= x + i * dx < width and 0 <= y + i * dy < height
            ]
    return rays


# --- Forced wins, by trying every move that can matter ---


def five_cells(board: RefBoard, side: int) -> list[Cell]:
    """All cells where the side wins at once."""
    return [board.cell(p) for p in board.fives(side)]


def wins_within(board: RefBoard, attacker: int, plies: int) -> bool:
    """Whether the attacker, to move, has completed a five after at most that many plies
    (1, 3, 5 ..) against every reply.

    A reply that completes a five, or the lack of any reply on a full board, saves the
    defender; a reply that is forbidden to him (renju) does not.
    """
    if board.fives(attacker):
        return True
    if plies < 3:
        return False
    # In three plies the first move must make a five; later there is time for others.
    first = board.four_makers(attacker)
    if plies > 3:
        first += [p for p in board.empties() if p not in first]
    return any(_forces_win(board, p, attacker, plies) for p in first)


def wins_by_fours_within(board: RefBoard, attacker: int, plies: int) -> bool:
    """As wins_within, but every attacking move must threaten a five."""
    if board.fives(attacker):
        return True
    return plies >= 3 and any(
        _forces_win(board, p, attacker, plies, fours_only=True)
        for p in board.four_makers(attacker)
    )


def _forces_win(
    board: RefBoard, p: int, attacker: int, plies: int, *, fours_only: bool = False
) -> bool:
    """Whether the attacker's move p wins within that many plies, p included.

    Assumes that p itself makes no five.
    """
    defender = 1 - attacker
    if not board.may_play(p, attacker):
        return False
    board.place(p, attacker)
    try:
        if board.fives(defender):
            return False
        fives = board.fives(attacker)
        if fives:
            # Any other reply leaves this five where it is: lost in two more plies.
            replies = board.removers(fives[0], attacker)
        elif fours_only or plies <= 3:
            return False
        else:
            replies = board.empties()
        if not fives and not replies:
            return False
        return not any(
            _refutes(board, reply, attacker, plies - 2, fours_only=fours_only)
            for reply in replies
        )
    finally:
        board.clear(p)


def _refutes(
    board: RefBoard, reply: int, attacker: int, plies: int, *, fours_only: bool
) -> bool:
    """Whether the defender's reply leaves the attacker no win in that many plies."""
    board.place(reply, 1 - attacker)
    if fours_only:
        lost = wins_by_fours_within(board, attacker, plies)
    else:
        lost = wins_within(board, attacker, plies)
    board.clear(reply)
    return not lost and board.may_play(reply, 1 - attacker)


def loses_within(board: RefBoard, side: int, plies: int) -> bool:
    """Whether the side, to move, cannot keep the other from a five within that many
    plies (2, 4 ..). In renju black also loses with forbidden cells only."""
    if board.fives(side):
        return False
    empties = board.empties()
    if plies == 2:
        threats = board.fives(1 - side)
        if not threats:
            return False
        empties = board.removers(threats[0], 1 - side)
    return bool(empties) and not any(
        _refutes(board, p, 1 - side, plies - 1, fours_only=False) for p in empties
    )


def makes_four(board: RefBoard, p: int, side: int) -> bool:
    """Whether the side, by a legal move to p, threatens to win at once."""
    if not board.may_play(p, side):
        return False
    board.place(p, side)
    fives = board.fives(side)
    board.clear(p)
    return bool(fives)


def saving_replies(
    board: RefBoard, defender: int, threat_plies: int, *, by_fours: bool = False
) -> list[Cell]:
    """All legal moves of the defender that win, or after which the attacker has no
    forced win within that many plies (with by_fours: none by fours alone)."""
    attacker = 1 - defender
    empties = board.empties()
    if threat_plies == 1:
        threats = board.fives(attacker)
        if threats:
            # Any other move leaves this five; a five of one's own needs no defence.
            candidates = board.removers(threats[0], attacker) + board.fives(defender)
            empties = sorted(set(candidates))
    return [
        board.cell(p)
        for p in empties
        if board.wins(p, defender)
        or _refutes(board, p, attacker, threat_plies, fours_only=by_fours)
    ]


# --- The same without leaving anything out, to check the above ---


def literal_verdict(
    stones: dict[Cell, int], width: int, height: int, p: Cell
) -> str | None:
    """RefBoard.verdict word by word: `stones` holds the black and white stones and the
    walls, and every cell of a line is tried as completing cell."""

    def line(dx: int, dy: int) -> list[Cell]:
        cells = [(p[0] + i * dx, p[1] + i * dy) for i in range(-22, 23)]
        return [(x, y) for x, y in cells if 0 <= x < width and 0 <= y < height]

    def run(at: Cell, dx: int, dy: int) -> frozenset[Cell]:
        """The maximal black run through a black stone."""
        found = {at}
        for sign in (1, -1):
            x, y = at
            while stones.get((x + sign * dx, y + sign * dy)) == BLACK:
                x, y = x + sign * dx, y + sign * dy
                found.add((x, y))
        return frozenset(found)

    def completions(dx: int, dy: int) -> dict[Cell, frozenset[Cell]]:
        """Empty cells of the line whose filling makes a five with p, and its four."""
        found = {}
        for q in line(dx, dy):
            if q not in stones:
                stones[q] = BLACK
                five = run(q, dx, dy)
                del stones[q]
                if len(five) == 5 and p in five:
                    found[q] = five - {q}
        return found

    def has_three(dx: int, dy: int) -> bool:
        for q in line(dx, dy):
            if q in stones:
                continue
            stones[q] = BLACK
            four = run(q, dx, dy)
            ends = completions(dx, dy)
            straight = (
                len(four) == 4
                and p in four
                and sum(stones_of == four for stones_of in ends.values()) == 2
            )
            del stones[q]
            if straight and literal_verdict(stones, width, height, q) is None:
                return True
        return False

    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    stones[p] = BLACK
    try:
        lengths = [len(run(p, *d)) for d in directions]
        if 5 in lengths:
            return "five"
        if max(lengths) > 5:
            return "overline"
        if sum(len(set(completions(*d).values())) for d in directions) >= 2:
            return "double-four"
        if sum(has_three(*d) for d in directions) >= 2:
            return "double-three"
        return None
    finally:
        del stones[p]


def literal_wins_within(board: RefBoard, attacker: int, plies: int) -> bool:
    """wins_within by trying every move of both sides (small boards only)."""
    empties = board.empties()
    for p in empties:
        if not board.may_play(p, attacker):
            continue
        if board.wins(p, attacker):
            return True
        if plies < 3:
            continue
        board.place(p, attacker)
        saved = len(empties) == 1 or any(
            board.wins(reply, 1 - attacker)
            or (
                board.may_play(reply, 1 - attacker)
                and not _literally_lost(board, reply, attacker, plies - 2)
            )
            for reply in board.empties()
        )
        board.clear(p)
        if not saved:
            return True
    return False


def _literally_lost(board: RefBoard, reply: int, attacker: int, plies: int) -> bool:
    board.place(reply, 1 - attacker)
    lost = literal_wins_within(board, attacker, plies)
    board.clear(reply)
    return lost


# --- Lines: the class of a cell, from the game's rules ---
#
# A line is a string centred on the cell in question: X own, O opponent, . empty,
# # edge or wall. Only fives that use the centre count: others on the same line were
# there before.


class RefLine:
    """One line of a board, seen by the side that moves to its centre."""

    def __init__(self, rule: int, side: int, text: str) -> None:
        assert len(text) % 2 == 1
        assert text[len(text) // 2] == "."
        # Six cells more at either end: longer than any walk from a cell that matters.
        self.cells = list("######" + text + "######")
        self.centre = len(self.cells) // 2
        self.rule = rule
        self.black_renju = rule == RENJU and side == BLACK
        self.exact = rule in (STANDARD, CARO_EXACT) or self.black_renju
        self.caro = rule in (CARO, CARO_EXACT)

    def run(self, i: int) -> tuple[int, int]:
        """The first cells beyond the own run through i, i counted as own."""
        cells = self.cells
        a = i - 1
        while cells[a] == "X":
            a -= 1
        b = i + 1
        while cells[b] == "X":
            b += 1
        return a, b

    def wins(self, i: int) -> bool:
        """Whether an own stone on i makes a run that counts."""
        a, b = self.run(i)
        n = b - a - 1
        if n >= 6:
            return not self.exact
        blocked = self.cells[a] == "O" and self.cells[b] == "O"
        return n == 5 and not (self.caro and blocked)

    def fives(self, *stones: int) -> list[int]:
        """Empty cells that make a run that counts and holds all the given stones.

        Those are the first cells beyond the run of any of the stones.
        """
        found = []
        for i in self.run(stones[0]):
            if self.cells[i] == "." and self.wins(i):
                a, b = self.run(i)
                if all(a < stone < b for stone in stones):
                    found.append(i)
        return found

    def four(self, *stones: int) -> tuple[str | None, list[int]]:
        """What the stones, already placed, threaten together.

        "F4" if no single opponent's stone ends the threat, "B4" and the stones that
        do, "OL" for renju's two fours on one line, None without a threat.
        """
        fives = self.fives(*stones)
        if not fives:
            return None, []
        if self.black_renju:
            fours = set()
            for i in fives:
                a, b = self.run(i)
                fours.add(frozenset(range(a + 1, b)) - {i})
            if len(fours) > 1:
                return "OL", []
        # Only a stone on the five, or at an end of its run, can change it.
        replies = []
        for i in sorted({fives[0], *self.run(fives[0])}):
            if self.cells[i] == ".":
                self.cells[i] = "O"
                if not self.fives(*stones):
                    replies.append(i)
                self.cells[i] = "."
        return ("B4", replies) if replies else ("F4", [])

    def hopeless(self) -> bool:
        """Whether no number of own stones ever makes a run that counts with c."""
        cells, c = self.cells, self.centre
        for first in range(c - 4, c + 1):
            if any(cell in "O#" for cell in cells[first : first + 5]):
                continue
            ends = cells[first - 1], cells[first + 5]
            if self.exact and "X" in ends:
                continue
            if self.caro and ends == ("O", "O"):
                continue
            return False
        return True


def line_class(rule: int, side: int, text: str) -> tuple[str, list[int]]:
    """The class of playing the centre, and the replies to a B4 (offsets).

    "F5", "OL", "F4", "B4", "F3S", "F3", "B3" as in game/patterns; "DEAD" when the line
    can never give a five; "-" for all that is below B3 and not dead in that sense.
    """
    line = RefLine(rule, side, text)
    c, cells = line.centre, line.cells
    a, b = line.run(c)
    if line.wins(c):
        return "F5", []
    if line.exact and b - a - 1 >= 6:
        return "OL", []
    cells[c] = "X"
    kind, replies = line.four(c)
    if kind:
        return kind, [i - c for i in replies]
    next_kinds = []
    # The two stones must be within one five.
    for i in range(c - 4, c + 5):
        if cells[i] == ".":
            cells[i] = "X"
            next_kinds.append(line.four(c, i)[0])
            cells[i] = "."
    ways = next_kinds.count("F4")
    if ways:
        return ("F3S" if ways >= 2 else "F3"), []
    if "B4" in next_kinds:
        return "B3", []
    return ("DEAD" if line.hopeless() else "-"), []


# --- Random material ---


def random_position(
    rng: random.Random,
    rule: int,
    size: int | tuple[int, int] = 15,
    stones: int | None = None,
    *,
    walls: int = 0,
) -> RefBoard:
    """A position as it arises in play: both sides close together, nobody has won.

    Stones are put down in turn, near earlier ones; about every second one prefers
    cells on lines with its own stones, so that threats are common, and fours are
    mostly stopped, so that not every position has one. No stone completes a run of
    five or more, and black plays no forbidden cell.
    """
    board = RefBoard(size, rule)
    total = board.width * board.height
    for p in rng.sample(board.all_cells, walls):
        board.place(p, WALL)
    if stones is None:
        stones = rng.randint(4, max(4, min(48, total // 3)))
    centre_x = rng.randint(board.width // 4, board.width - 1 - board.width // 4)
    centre_y = rng.randint(board.height // 4, board.height - 1 - board.height // 4)
    rays = _rays(board.width, board.height)
    placed: list[int] = []
    side = BLACK
    for _ in range(stones * 4):
        if len(placed) == stones:
            break
        x, y = board.cell(rng.choice(placed)) if placed else (centre_x, centre_y)
        near = [
            board.index((x + dx, y + dy))
            for dx in range(-2, 3)
            for dy in range(-2, 3)
            if 0 <= x + dx < board.width and 0 <= y + dy < board.height
        ]
        near = [p for p in near if board.cells[p] == EMPTY]
        if not near:
            continue
        choice = rng.choice(near)
        if rng.random() < 0.5:
            tries = [rng.choice(near) for _ in range(4)]
            choice = max(
                tries, key=lambda p: [board.cells[q] for q in rays[p]].count(side)
            )
        threats = board.fives(1 - side) + board.fives(side)
        if threats and rng.random() < 0.9:
            choice = threats[0]
        long_run = any(board.run(choice, d, side)[2] >= 5 for d in board.directions)
        if long_run or not board.may_play(choice, side):
            continue
        board.place(choice, side)
        placed.append(choice)
        side = 1 - side
    board.turn = side
    return board


def random_clutter(
    rng: random.Random, rule: int, size: int | tuple[int, int] = 15
) -> RefBoard:
    """8 to 30 black and 0 to 20 white stones thrown into a small area.

    Unlike random_position it shows runs of any length, and it is dense in fouls.
    """
    board = RefBoard(size, rule)
    radius = rng.randint(3, 5)
    x0 = rng.randrange(board.width)
    y0 = rng.randrange(board.height)
    area = [
        p
        for p in board.all_cells
        if abs(board.cell(p)[0] - x0) <= radius and abs(board.cell(p)[1] - y0) <= radius
    ]
    rng.shuffle(area)
    black = rng.randint(8, 30)
    white = rng.randint(0, 20)
    for p in area[:black]:
        board.place(p, BLACK)
    for p in area[black : black + white]:
        board.place(p, WHITE)
    board.turn = rng.choice((BLACK, WHITE))
    return board


def random_line(rng: random.Random, length: int = 25) -> str:
    """A line of X, O, . and # whose centre is empty; the edge may cut it anywhere.

    The density of stones varies from line to line.
    """
    own = rng.choice((0.3, 0.45, 0.6))
    other = rng.choice((0.05, 0.15, 0.3))
    wall = rng.choice((0.0, 0.0, 0.05))
    cells = []
    for _ in range(length):
        r = rng.random()
        if r < wall:
            cells.append("#")
        elif r < wall + other:
            cells.append("O")
        elif r < wall + other + own * (1 - wall - other):
            cells.append("X")
        else:
            cells.append(".")
    half = length // 2
    for edge, step in ((0, 1), (length - 1, -1)):
        if rng.random() < 0.4:
            for i in range(rng.randrange(half + 1)):
                cells[edge + step * i] = "#"
    cells[half] = "."
    return "".join(cells)
