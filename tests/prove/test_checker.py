"""The checker against an exhaustive minimax, and against hints that lie."""

import ast
import random
from functools import cache
from pathlib import Path

import pytest

from gomoku_brain.proofs import certificate as certificate_module
from gomoku_brain.proofs import grid as grid_module
from gomoku_brain.proofs.certificate import Entry
from gomoku_brain.proofs.grid import RULES, Grid, bits_of
from gomoku_brain.prove import checker as checker_module
from gomoku_brain.prove.checker import Checker, Rules, Unproved
from tests.sampled import sampled

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def bits(cells):
    return sum(1 << cell for cell in cells)


# A second reading of the rules, over sets of coordinates.


def has_five(grid, stones, exact):
    points = {divmod(cell, grid.stride) for cell in bits_of(stones)}
    for y, x in points:
        for dy, dx in DIRECTIONS:
            if (y - dy, x - dx) in points:
                continue
            run = 1
            while (y + run * dy, x + run * dx) in points:
                run += 1
            if run == 5 or (run > 5 and not exact):
                return True
    return False


class Minimax:
    """Who wins, by trying everything."""

    def __init__(self, rule, width, height):
        self.grid = Grid(width, height)
        self.exact = rule == "standard"
        self.five = cache(lambda stones: has_five(self.grid, stones, self.exact))
        self.wins = cache(self._wins)
        self.loses = cache(self._loses)

    def _wins(self, attacker, defender):
        """Whether the attacker, to move, wins; no five is on the board."""
        return self.move(attacker, defender) is not None

    def move(self, attacker, defender):
        empty = self.grid.full & ~(attacker | defender)
        for cell in bits_of(empty):
            if self.five(attacker | 1 << cell):
                return cell
        for cell in bits_of(empty):
            if self.loses(attacker | 1 << cell, defender):
                return cell
        return None

    def _loses(self, attacker, defender):
        """Whether the defender, to move, loses."""
        empty = self.grid.full & ~(attacker | defender)
        return bool(empty) and all(
            not self.five(defender | 1 << cell)
            and self.wins(attacker, defender | 1 << cell)
            for cell in bits_of(empty)
        )


def random_position(rng, judge, empties):
    """A position without a five, with more stones of the attacker."""
    cells = list(judge.grid.cells())
    while True:
        rng.shuffle(cells)
        taken = cells[empties:]
        split = int(len(taken) * rng.uniform(0.45, 0.75))
        attacker, defender = bits(taken[:split]), bits(taken[split:])
        if not judge.five(attacker) and not judge.five(defender):
            return attacker, defender


class RandomHints:
    """Moves that prefer fours, without any thought."""

    def __init__(self, rng, rules):
        self.rng = rng
        self.rules = rules

    def threat(self, attacker, defender):
        empty = self.rules.full & ~(attacker | defender)
        five = self.rules.five_cells(attacker, defender)
        forced = self.rules.five_cells(defender, attacker)
        cells = list(bits_of(five or forced or empty))
        if not five and self.rng.random() < 0.8:
            fours = [
                cell
                for cell in cells
                if self.rules.five_cells(attacker | 1 << cell, defender)
            ]
            cells = fours or cells
        return self.rng.choice(cells) if cells else None

    four = threat


class BestHints(RandomHints):
    """Moves of the minimax where it wins, best fours elsewhere."""

    def __init__(self, rng, rules, judge):
        super().__init__(rng, rules)
        self.judge = judge

    def threat(self, attacker, defender):
        return self.judge.move(attacker, defender)

    def four(self, attacker, defender):
        """A win by fours, searched in full; a five first."""
        for cell in bits_of(self.rules.five_cells(attacker, defender)):
            return cell
        for cell in bits_of(self.rules.full & ~(attacker | defender)):
            if self._four_wins(attacker, defender, cell):
                return cell
        return None

    def _four_wins(self, attacker, defender, cell):
        after = attacker | 1 << cell
        if self.rules.wins(after, cell):
            return True
        if self.rules.five_cells(defender, after):
            return False
        five = self.rules.five_cells(after, defender)
        if five & five - 1:
            return True
        return bool(five) and self.four(after, defender | five) is not None


BOARDS = ((5, 5, 9), (6, 5, 9), (6, 6, 9), (7, 7, 8))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(7, 6), (9, 9), (15, 15)])
@sampled(7, 60)
def test_rules_agree_with_a_second_reading(rule, size, count):
    rng = random.Random(5)
    grid = Grid(*size)
    rules = Rules(rule, grid)
    cells = list(grid.cells())
    for _ in range(count):
        own = bits(rng.sample(cells, int(len(cells) * rng.uniform(0.2, 0.6))))
        other = bits(
            cell for cell in cells if not own >> cell & 1 and rng.random() < 0.2
        )
        empty = grid.full & ~(own | other)
        for cell in bits_of(empty):
            lines = list(lines_through(grid, own | 1 << cell, cell))
            five = any(run == 5 or (run > 5 and rule == "freestyle") for run in lines)
            assert rules.wins(own | 1 << cell, cell) == five
            assert (rules.five_cells(own, other) >> cell & 1) == five
        assert rules.chances(own, other) == slow_chances(grid, own, other)


def lines_through(grid, stones, cell):
    y, x = divmod(cell, grid.stride)
    points = {divmod(stone, grid.stride) for stone in bits_of(stones)}
    for dy, dx in DIRECTIONS:
        low = high = 0
        while (y + (high + 1) * dy, x + (high + 1) * dx) in points:
            high += 1
        while (y + (low - 1) * dy, x + (low - 1) * dx) in points:
            low -= 1
        yield high - low + 1


def slow_chances(grid, own, other):
    found = [False, 0, 0]
    for cell in grid.cells():
        y, x = divmod(cell, grid.stride)
        for dy, dx in DIRECTIONS:
            window = [(y + k * dy, x + k * dx) for k in range(5)]
            if not all(0 <= b < grid.height and 0 <= a < grid.width for b, a in window):
                continue
            five = bits(b * grid.stride + a for b, a in window)
            if five & other:
                continue
            stones = (five & own).bit_count()
            found[0] |= stones >= 4
            found[1] |= five & ~own if stones >= 3 else 0
            found[2] |= five & ~own if stones >= 2 else 0
    return tuple(found)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", ["random", "best"])
@sampled(2, 150)
def test_a_win_that_is_accepted_is_one_and_its_region_holds(rule, board, kind, count):
    width, height, empties = board
    rng = random.Random(f"{rule} {board} {kind}")
    judge = Minimax(rule, width, height)
    rules = Rules(rule, judge.grid)
    hints = RandomHints(rng, rules)
    if kind == "best":
        hints = BestHints(rng, rules, judge)
    accepted = skipped = 0
    for _ in range(count):
        attacker, defender = random_position(rng, judge, empties)
        checker = Checker(rules, hints)
        try:
            win = checker.threats(attacker, defender)
        except Unproved:
            continue
        accepted += 1
        assert judge.wins(attacker, defender)
        # Docs: the attacker wins as well with any one stone outside of the region.
        for cell in bits_of(rules.full & ~(attacker | defender | win.region)):
            more = defender | 1 << cell
            if judge.five(more):  # the attacker was to make his five first
                assert win.plies == 1
                continue
            skipped += 1
            assert judge.wins(attacker, more)
        # .. and without any one of the defender's stones.
        if win.plain:
            for cell in bits_of(defender):
                assert judge.wins(attacker, defender ^ 1 << cell)
    assert accepted > count // 15 or count < 150
    assert skipped > count // 15 or count < 150


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", BOARDS)
@sampled(1, 40)
def test_the_checker_and_minimax_agree_on_every_position(rule, board, count):
    """Some entry is accepted where the attacker wins, and none elsewhere."""
    width, height, empties = board
    rng = random.Random(f"{rule} {board}")
    judge = Minimax(rule, width, height)
    rules = Rules(rule, judge.grid)
    hints = BestHints(rng, rules, judge)
    won = lost = 0
    for _ in range(count):
        attacker, defender = random_position(rng, judge, empties)
        agrees = prove_by_entries(Checker(rules, hints), judge, attacker, defender)
        assert agrees == judge.wins(attacker, defender)
        won += agrees
        lost += not agrees
    if count >= 40:  # among a few there may be none
        assert won > count // 10
        assert lost > count // 10


def prove_by_entries(checker, judge, attacker, defender):
    """Whether some entry of the position is accepted: replies that the threats do not
    answer are listed, and looked at as entries of their own."""
    grid = judge.grid
    for move in bits_of(grid.full & ~(attacker | defender)):
        after = attacker | 1 << move
        listed = []
        if not judge.five(after):
            for reply in bits_of(grid.full & ~(after | defender)):
                answered = defender | 1 << reply
                if judge.five(answered):
                    break
                try:
                    checker.check_leaf(after, answered)
                except Unproved:
                    if not prove_by_entries(checker, judge, after, answered):
                        break
                    listed.append((reply, 0))
            else:
                reply = None
            if reply is not None:
                # One reply is not answered: the entry without it must be refused.
                entry = Entry(attacker, defender, move, tuple(listed))
                with pytest.raises(Unproved):
                    checker.check_entry(entry)
                continue
        try:
            checker.check_entry(Entry(attacker, defender, move, tuple(listed)))
        except Unproved:
            continue
        return True
    return False


def test_a_full_board_is_no_win():
    grid = Grid(5, 5)
    rules = Rules("freestyle", grid)
    pattern = "xxoox ooxxo xxoox ooxxo xxoo.".split()
    attacker = bits(
        y * 6 + x for y in range(5) for x in range(5) if pattern[y][x] == "x"
    )
    defender = bits(
        y * 6 + x for y in range(5) for x in range(5) if pattern[y][x] == "o"
    )
    checker = Checker(rules, RandomHints(random.Random(1), rules))
    with pytest.raises(Unproved, match="fills the board"):
        checker.check_entry(Entry(attacker, defender, grid.cell("e5"), ()))


def test_an_overline_refutes_in_freestyle_only():
    """The defender has b1 c1 d1 . f1 g1 h1: e1 makes seven in a row."""
    grid = Grid(15, 15)
    defender = bits(map(grid.cell, ["b1", "c1", "d1", "f1", "g1", "h1"]))
    attacker = bits(map(grid.cell, ["b9", "c9", "d9"]))
    for rule in RULES:
        rules = Rules(rule, grid)
        judge = Minimax(rule, 15, 15)
        checker = Checker(rules, BestHints(random.Random(1), rules, judge))
        entry = Entry(attacker, defender, grid.cell("e9"), ())
        checker.hints.threat = checker.hints.four
        if rule == "freestyle":
            with pytest.raises(Unproved, match="answered by a five on e1"):
                checker.check_entry(entry)
        else:
            assert checker.check_entry(entry).plies == 3


class Liar:
    """Hints that are right, but for one answer."""

    def __init__(self, hints, lie, number):
        self.hints = hints
        self.lie = lie
        self.left = number

    def threat(self, attacker, defender):
        return self._answer(self.hints.threat(attacker, defender), attacker, defender)

    def four(self, attacker, defender):
        return self._answer(self.hints.four(attacker, defender), attacker, defender)

    def _answer(self, move, attacker, defender):
        self.left -= 1
        return self.lie(attacker, defender) if self.left == 0 else move


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "lie",
    [
        lambda attacker, defender: None,
        lambda attacker, defender: -1,
        lambda attacker, defender: 6,  # beyond the last column of the 6x6 board
        lambda attacker, defender: 10_000,
        lambda attacker, defender: next(bits_of(attacker)),
        lambda attacker, defender: next(bits_of(defender)),
    ],
    ids=["none", "negative", "padding", "far off", "own stone", "other stone"],
)
@sampled(2, 60)
def test_an_impossible_hint_is_refused(rule, lie, count):
    rng = random.Random(rule)
    judge = Minimax(rule, 6, 6)
    rules = Rules(rule, judge.grid)
    hints = BestHints(rng, rules, judge)
    refused = 0
    for _ in range(count):
        attacker, defender = random_position(rng, judge, 9)
        try:
            positions = Checker(rules, hints)
            positions.threats(attacker, defender)
        except Unproved:
            continue
        for number in range(1, positions.positions + 1):
            with pytest.raises(Unproved):
                Checker(rules, Liar(hints, lie, number)).threats(attacker, defender)
            refused += 1
    assert refused > count // 3 or count < 60


@pytest.mark.source
def test_nothing_is_shared_with_the_engine():
    """Nothing of the package but the format and the cells is in the checker."""
    for module, allowed in (
        (grid_module, set()),
        (certificate_module, {"gomoku_brain.proofs.grid"}),
        (
            checker_module,
            {"gomoku_brain.proofs.certificate", "gomoku_brain.proofs.grid"},
        ),
    ):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module]
            for name in names:
                assert not name.startswith("gomoku_brain") or name in allowed
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("__import__", "exec", "eval")
