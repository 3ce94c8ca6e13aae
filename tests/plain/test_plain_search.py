"""The sources' evaluations and searches against slow and literal versions of both."""

import random
from functools import cache

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.plain.plain_search import (
    Method,
    PlainSearch,
    SourceEvaluation,
    win_in,
)
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from gomoku_brain.tactics.threats import _py_static_win
from tests.boards import image_of, random_boards, with_colours_swapped
from tests.sampled import sampled

FREESTYLE = int(Rule.FREESTYLE)
WON = 10_000_000
SHAPES = (
    "blocked two, open two, blocked three, open three, four, open four, five"
).split(", ")
STONE_VALUES = dict(
    zip(SHAPES, (10, 100, 100, 1000, 1000, 10000, 100000), strict=True), none=0
)


def lines_of(board):
    """Every line of the board as a list of cells, from its left end or its top."""
    width, height = board.width, board.height
    lines = [[(x, y) for x in range(width)] for y in range(height)]
    lines += [[(x, y) for y in range(height)] for x in range(width)]
    for k in range(-22, 45):
        falling = [(x, x + k) for x in range(width) if 0 <= x + k < height]
        rising = [(x, k - x) for x in range(width) if 0 <= k - x < height]
        lines += [line for line in (falling, rising) if line]
    return lines


def marks_of(board, line, side):
    """A line as text: X own, . empty, O the rest; off the board is O."""
    text = "".join(
        "X" if board.stone(cell) == side else "." if board.is_empty(cell) else "O"
        for cell in line
    )
    return "OOOO" + text + "OOOO"


def shape_at(nine):
    """(shape, places of its stones) for the stone in the middle of nine cells."""
    found = []
    for start in range(5):
        window = nine[start : start + 5]
        own = window.count("X")
        if "O" not in window and own >= 2:
            name = {5: "five", 4: "four", 3: "blocked three", 2: "blocked two"}[own]
            places = [start + k for k in range(5) if window[k] == "X"]
            found.append((SHAPES.index(name), -start, places))
    for start in range(4):
        window = nine[start : start + 6]
        own = window.count("X")
        if "O" not in window and window[0] == window[5] == "." and own >= 2:
            name = {4: "open four", 3: "open three", 2: "open two"}[own]
            places = [start + k for k in range(6) if window[k] == "X"]
            found.append((SHAPES.index(name), -start, places))
    found = [entry for entry in found if 4 in entry[2]]
    if not found:
        return None, []
    shape, _, places = max(found)
    return SHAPES[shape], places


def literal_counts(board):
    counts = {
        Side.BLACK: dict.fromkeys(SHAPES, 0),
        Side.WHITE: dict.fromkeys(SHAPES, 0),
    }
    for side, tally in counts.items():
        for line in lines_of(board):
            text = marks_of(board, line, side)
            counted = set()
            for place in range(4, len(text) - 4):
                if text[place] == "X" and place not in counted:
                    shape, places = shape_at(text[place - 4 : place + 5])
                    if shape:
                        tally[shape] += 1
                        counted |= {place - 4 + k for k in places}
    return tuple(tuple(tally.values()) for tally in counts.values())


def literal_stone_score(board):
    best = {}
    for side in Side:
        for line in lines_of(board):
            text = marks_of(board, line, side)
            for k, cell in enumerate(line):
                if board.stone(cell) == side:
                    shape, _ = shape_at(text[k : k + 9])
                    value = STONE_VALUES[shape or "none"]
                    best[cell] = max(best.get(cell, 0), value)
    return sum(v if board.stone(c) == board.turn else -v for c, v in best.items())


def literal_rule_score(board):
    me, other = board.turn, board.turn.other
    counts = literal_counts(board)
    mine = dict(zip(SHAPES, counts[me], strict=True))
    theirs = dict(zip(SHAPES, counts[other], strict=True))
    if mine["five"] or theirs["five"]:
        return 100_000 if mine["five"] else -100_000
    score = 0
    for x in range(board.width):
        for y in range(board.height):
            bonus = min(x, y, board.width - 1 - x, board.height - 1 - y)
            score += {me: bonus, other: -bonus, None: 0}[board.stone((x, y))]
    small = {"blocked two": (6, 4), "open two": (40, 25), "blocked three": (60, 40)}
    small |= {"open three": (0, 100), "four": (0, 300)}
    for shape, (mover, waiter) in small.items():
        score += mover * mine[shape] - waiter * theirs[shape]
    if mine["open four"] or mine["four"]:
        return score + 90_000
    if theirs["open four"]:
        return score - 80_000
    if theirs["four"] >= 2:
        return score - 70_000
    if theirs["four"] and theirs["open three"]:
        return score - 60_000
    if mine["open three"] and not theirs["four"]:
        return score + 50_000
    if theirs["open three"] >= 2 and not mine["open three"] + mine["blocked three"]:
        return score - 40_000
    return score + (200 if mine["open three"] else 0)


WORKER, CONTROL = Worker(TranspositionTable(0.01)), SearchControl()


def our_score(board):
    WORKER.set_position(board, CONTROL)
    return WORKER.evaluate()


def proved_score(board):
    proved = _py_static_win(board)
    if proved:
        return 100_000 - proved if proved > 0 else -100_000 - proved
    return our_score(board)


LITERAL = {
    SourceEvaluation.RULES: literal_rule_score,
    SourceEvaluation.STONES: literal_stone_score,
    SourceEvaluation.OURS: our_score,
    SourceEvaluation.PROVED: proved_score,
}


class Minimax:
    """Every candidate to a fixed depth, with copies, sets and literal evaluations."""

    def __init__(self, evaluation, radius):
        self.evaluate = LITERAL[evaluation]
        self.radius = radius
        self.nodes = 0

    def candidates(self, board):
        cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
        stones = [cell for cell in cells if not board.is_empty(cell)]
        return [
            cell
            for cell in cells
            if board.is_empty(cell)
            and (
                not self.radius
                or any(
                    max(abs(cell.x - s.x), abs(cell.y - s.y)) <= self.radius
                    for s in stones
                )
            )
        ]

    def values(self, board, depth, ply=0):
        found = {}
        for cell in self.candidates(board):
            self.nodes += 1
            after = board.copy()
            after.play(cell)
            if after.winner is not None:
                found[cell] = WON - ply - 1
            elif after.is_full:
                found[cell] = 0
            elif depth == 1:
                found[cell] = -self.evaluate(after)
            else:
                found[cell] = -max(self.values(after, depth - 1, ply + 1).values())
        return found


@cache
def boards(seed, count, sizes=(15, 9, (11, 16), 22, 5), stones=None):
    return [
        board
        for board in random_boards(seed, FREESTYLE, count, sizes, stones, walls=3)
        if not board.is_full and board.winner is None
    ]


def small_boards(seed, count=8):
    """Boards of few empty cells, on which a literal minimax ends."""
    return boards(seed, count, (5, 6), (15, 24))


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("...XXXXX...", "five"),
        ("OXXXXXO", "five"),
        (".XXXX.", "open four"),
        ("OXXXX.", "four"),
        ("XX.XX", "four"),
        ("OX.XXXO", "four"),
        ("O.XXX..", "open three"),
        ("O.XXX.O", "blocked three"),
        (".X.XX.", "open three"),
        ("OXXX..", "blocked three"),
        ("X.X.X", "blocked three"),
        (".X..X.", "open two"),
        ("..XX..", "open two"),
        ("OXX...", "blocked two"),
        ("X...X", "blocked two"),
        ("OXXO", None),
        ("OX.X.O", None),
    ],
)
def test_a_lone_shape_has_its_name(line, shape):
    """Stones from the left edge of a row, the rest of which the opponent holds."""
    row = line.ljust(15, "O")
    black = [(x, 7) for x, mark in enumerate(row) if mark == "X"]
    white = [(x, 7) for x, mark in enumerate(row) if mark == "O"]
    board = Board.from_stones(black, [], walls=white, turn=Side.WHITE, size=15)
    counts = PlainSearch(SourceEvaluation.RULES).shape_counts(board)
    assert counts[0] == tuple(int(name == shape) for name in SHAPES)
    assert counts[1] == (0,) * 7


def test_two_fours_on_one_line_count_as_two():
    board = Board.from_stones([(x, 3) for x in (2, 4, 5, 6, 8)], [], turn=Side.WHITE)
    assert PlainSearch(SourceEvaluation.RULES).shape_counts(board)[0][4] == 2


@sampled(25, 100)
def test_shape_counts_are_the_literal_ones_on_random_boards(count):
    seen = [0] * 7
    search = PlainSearch(SourceEvaluation.RULES)
    for board in boards("counts", count):
        counts = search.shape_counts(board)
        assert counts == literal_counts(board), f"\n{board}"
        seen = [a + b for a, b in zip(seen, counts[0], strict=True)]
    assert min(seen[:6]) > 0 or count < 100


@pytest.mark.parametrize("evaluation", SourceEvaluation)
@sampled(12, 40)
def test_evaluations_are_the_literal_ones_on_random_boards(evaluation, count):
    search = PlainSearch(evaluation)
    values = set()
    for board in boards("evaluations", count):
        assert search.evaluate(board) == LITERAL[evaluation](board), f"\n{board}"
        values.add(search.evaluate(board))
    assert len(values) > count // 2


def test_the_rule_score_ranks_the_threats():
    """five > open four > two fours > four and open three, for the side not to move."""
    white = [(0, 0), (14, 14), (0, 14), (14, 0), (6, 14)]
    shapes = {
        "open four": [(4, 7), (5, 7), (6, 7), (7, 7)],
        "two fours": [(0, 7), (1, 7), (2, 7), (3, 7), (0, 9), (1, 9), (2, 9), (3, 9)],
        "four and three": [(0, 7), (1, 7), (2, 7), (3, 7), (8, 4), (8, 5), (8, 6)],
        "two threes": [(8, 4), (8, 5), (8, 6), (4, 9), (5, 9), (6, 9)],
        "three": [(8, 4), (8, 5), (8, 6)],
    }
    search = PlainSearch(SourceEvaluation.RULES)
    waiting = [
        search.evaluate(Board.from_stones(stones, white, turn=Side.WHITE))
        for stones in shapes.values()
    ]
    assert waiting == sorted(waiting)
    assert len(set(waiting)) == len(waiting)
    for stones in shapes.values():  # the same shapes are worth more with the move
        mine = search.evaluate(Board.from_stones(stones, white, turn=Side.BLACK))
        theirs = search.evaluate(Board.from_stones(stones, white, turn=Side.WHITE))
        assert mine > -theirs


@pytest.mark.parametrize("evaluation", SourceEvaluation)
def test_colours_do_not_matter(evaluation):
    search = PlainSearch(evaluation)
    for board in boards("colours", 30):
        assert search.evaluate(board) == search.evaluate(with_colours_swapped(board))


def test_the_stone_score_is_the_same_in_every_image():
    """It has no order of counting; the rule score's depends on where a line begins."""
    search = PlainSearch(SourceEvaluation.STONES)
    for board in boards("images", 20, (15, 9)):
        for k in range(8):
            assert search.evaluate(board) == search.evaluate(image_of(board, k))


@pytest.mark.parametrize("radius", [0, 1, 2])
@pytest.mark.parametrize("evaluation", SourceEvaluation)
@sampled(1, 4)
def test_plain_minimax_is_the_literal_one(evaluation, radius, count):
    search = PlainSearch(evaluation, Method.MINIMAX, radius)
    for board in small_boards(f"minimax {evaluation} {radius}", count):
        for depth in (1, 2):
            literal = Minimax(evaluation, radius)
            values = literal.values(board, depth)
            assert search.values(board, depth) == values, f"\n{board}"
            found = search.search(board, depth)
            assert found.score == max(values.values())
            assert found.move == max(values, key=values.__getitem__)
            assert found.nodes == literal.nodes == search.tree_size(board, depth)
            assert found.finished


@pytest.mark.parametrize("radius", [0, 1, 2])
def test_a_node_of_plain_minimax_is_a_move_in_the_tree_of_candidates(radius):
    search = PlainSearch(SourceEvaluation.RULES, Method.MINIMAX, radius)
    for board in boards("tree", 6, (9, (7, 11)), (6, 30)):
        for depth in (1, 2, 3):
            nodes = search.search(board, depth).nodes
            assert nodes == search.tree_size(board, depth), f"\n{board}"


@pytest.mark.parametrize("method", [Method.ALPHABETA, Method.ORDERED, Method.TABLE])
@pytest.mark.parametrize("evaluation", SourceEvaluation)
@sampled(1, 6)
def test_every_cut_leaves_the_value_of_minimax(evaluation, method, count):
    plain = PlainSearch(evaluation, Method.MINIMAX)
    search = PlainSearch(evaluation, method)
    saved = 0
    for board in (
        *boards(f"cuts {evaluation}", count, (9, (7, 11)), (6, 30)),
        *small_boards(f"cuts {evaluation}", count + 4),
    ):
        for depth in (1, 2, 3):
            values = plain.values(board, depth)
            found = search.search(board, depth)
            assert found.score == max(values.values()), f"depth {depth}\n{board}"
            assert values[found.move] == found.score
            assert found.nodes <= plain.nodes
            saved += plain.nodes - found.nodes
            if depth < 3:
                assert search.values(board, depth) == values
    assert saved > 0


def test_at_depth_four_the_methods_agree_and_each_saves_nodes():
    board = Board.from_stones(
        [(2, 2), (3, 3), (5, 3)], [(4, 4), (3, 2), (4, 2)], size=7
    )
    found = [
        PlainSearch(SourceEvaluation.RULES, method).search(board, 4)
        for method in Method
    ]
    assert len({one.score for one in found}) == 1
    nodes = [one.nodes for one in found]
    assert nodes == sorted(set(nodes), reverse=True)


def test_a_search_leaves_no_trace_for_the_next():
    search = PlainSearch(SourceEvaluation.RULES, Method.TABLE)
    first, second = boards("trace", 4, (9,), (6, 20))[:2]
    once = search.search(first, 3)
    search.search(second, 3)
    assert search.search(first, 3) == once


def test_a_win_now_comes_before_a_win_later_and_before_a_block():
    black = [(4, 7), (5, 7), (6, 7), (7, 7)]  # both have an open four
    white = [(4, 9), (5, 9), (6, 9), (7, 9)]
    fewer = black[:3], [(4, 9), (5, 9), (6, 9), (7, 9)], [(8, 9)]  # a wall at one end
    for evaluation in SourceEvaluation:
        for method in Method:
            board = Board.from_stones(black, white, turn=Side.BLACK)
            found = PlainSearch(evaluation, method).search(board, 3)
            assert found.move in {(3, 7), (8, 7)}
            assert win_in(found.score) == 1
            board = Board.from_stones(*fewer, turn=Side.BLACK)
            assert PlainSearch(evaluation, method).search(board, 2).move == (3, 9)


def test_the_tree_of_an_empty_board_begins_in_the_middle():
    search = PlainSearch(SourceEvaluation.RULES)
    assert search.search(Board(15), 1).move == (7, 7)
    assert search.tree_size(Board(15), 2) == 1 + 24


def test_a_node_limit_is_kept_and_reported():
    board = Board.from_moves("h8 h9 j10")
    search = PlainSearch(SourceEvaluation.RULES, Method.ALPHABETA)
    nodes = search.search(board, 3).nodes
    assert search.search(board, 3, nodes=nodes).finished
    stopped = search.search(board, 3, nodes=nodes - 1)
    assert not stopped.finished
    assert search.values(board, 3, nodes=10) is None


def test_what_cannot_be_searched_is_refused():
    search = PlainSearch(SourceEvaluation.RULES)
    over = Board.from_moves("a1 b1 a2 b2 a3 b3 a4 b4 a5")
    for board, depth, expected in (
        (Board(15, Rule.RENJU), 1, "freestyle"),
        (over, 1, "over"),
        (Board(15), 0, "depth"),
        (Board(15), 21, "depth"),
    ):
        with pytest.raises(ValueError, match=expected):
            search.search(board, depth)
    with pytest.raises(ValueError, match="radius"):
        PlainSearch(SourceEvaluation.RULES, radius=3)
    with pytest.raises(ValueError, match="counts shapes"):
        PlainSearch(SourceEvaluation.STONES).shape_counts(Board(15))


def test_make_and_undo_keep_the_evaluations():
    """Deep searches evaluate incrementally; a walk of single searches from scratch."""
    rng = random.Random(5)
    for evaluation in SourceEvaluation:
        search = PlainSearch(evaluation, Method.MINIMAX, 1)
        board = Board.from_moves("h8 h9 j10 g7 k11", size=15)
        for _ in range(12):
            values = search.values(board, 1)
            move = rng.choice(sorted(values))
            board.play(move)
            if board.winner is not None:
                break
            assert -values[move] == search.evaluate(board)
