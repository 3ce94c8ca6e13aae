"""The sources' evaluations and searches against slow and literal versions of both."""

import random
from functools import cache

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.plain.plain_search import (
    PlainSearch,
    SearchMethod,
    SourceEvaluation,
    win_in,
)
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from gomoku_brain.tactics.threats import _py_static_win
from tests.boards import image_of, random_boards, reference_of, with_colours_swapped
from tests.cases import board_of
from tests.reference import EMPTY, WHITE, random_clutter
from tests.sampled import sampled

FREESTYLE = int(Rule.FREESTYLE)
WON, BEYOND = 10_000_000, 11_000_000
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
    if board.winner is None:  # a five that does not win
        best = {cell: value % 100_000 for cell, value in best.items()}
    return sum(v if board.stone(c) == board.turn else -v for c, v in best.items())


def literal_rule_score(board):
    me, other = board.turn, board.turn.other
    counts = literal_counts(board)
    mine = dict(zip(SHAPES, counts[me], strict=True))
    theirs = dict(zip(SHAPES, counts[other], strict=True))
    if board.winner is not None and (mine["five"] or theirs["five"]):
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


class Literal:
    """Every candidate to a fixed depth, by the slow rules, with literal evaluations."""

    def __init__(self, evaluation, radius=2):
        self.evaluate = LITERAL[evaluation]
        self.radius = radius
        self.nodes = self.cutoffs = 0
        self.fouls = 0  # cells that are no candidates

    def candidates(self, rules):
        empty = [p for p in rules.all_cells if rules.cells[p] == EMPTY]
        legal = [p for p in empty if rules.turn == WHITE or not rules.foul_at(p)]
        self.fouls += len(empty) - len(legal)
        stones = [rules.cell(p) for p in rules.all_cells if p not in empty]
        return [
            Move(x, y)
            for x, y in map(rules.cell, legal)
            if not self.radius
            or any(max(abs(x - s), abs(y - t)) <= self.radius for s, t in stones)
        ]

    def values(self, board, depth):
        """The value of each candidate by minimax."""
        moves = self.candidates(reference_of(board))
        return {move: self.value(board, move, depth, 1) for move in moves}

    def value(self, board, move, depth, ply, alpha=-BEYOND, beta=BEYOND, cut=False):
        """The value of a move for its side."""
        self.nodes += 1
        rules = reference_of(board)
        if rules.wins(rules.index(move), rules.turn):
            return WON - ply
        after = board.copy()
        after.play(move)
        if after.is_full:
            return 0
        if depth == 1:
            return -self.evaluate(after)
        return -self.best(after, depth - 1, ply + 1, -beta, -alpha, cut)

    def best(self, board, depth, ply, alpha, beta, cut):
        """The best value; with ``cut`` by alpha-beta, else by minimax."""
        moves = self.candidates(reference_of(board))
        if not moves:
            return self.evaluate(board)
        best = -BEYOND
        for tried, move in enumerate(moves, start=1):
            best = max(best, self.value(board, move, depth, ply, alpha, beta, cut))
            alpha = max(alpha, best)
            if cut and (alpha >= beta or best == WON - ply):
                self.cutoffs += tried < len(moves)
                break
        return best


@cache
def boards(seed, count, sizes=(15, 9, (11, 16), 22, 5), stones=None, rule=FREESTYLE):
    return [
        board
        for board in random_boards(seed, rule, count, sizes, stones, walls=3)
        if not board.is_full and board.winner is None
    ]


def small_boards(seed, count=8):
    """Boards of few empty cells, on which a literal minimax ends."""
    return boards(seed, count, (5, 6), (15, 24))


@cache
def crowded_boards(rule, count):
    """Boards of few empty cells with runs of any length, and fouls under renju."""
    rng, found = random.Random(f"crowded {rule}"), []
    while len(found) < count:
        board = board_of(random_clutter(rng, rule, rng.choice((5, 6))))
        empty = board.width * board.height - board.ply
        has_moves = 3 <= empty <= 9 and not board.is_over and board.legal_moves()
        if has_moves and (board.forbidden_moves() or not board.rule.has_fouls):
            found.append(board)
    return found


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
    search = PlainSearch(evaluation, SearchMethod.MINIMAX, radius)
    for board in small_boards(f"minimax {evaluation} {radius}", count):
        for depth in (1, 2):
            literal = Literal(evaluation, radius)
            values = literal.values(board, depth)
            assert search.values(board, depth) == values, f"\n{board}"
            found = search.search(board, depth)
            assert found.score == max(values.values())
            assert found.move == max(values, key=values.__getitem__)
            assert found.nodes == literal.nodes == search.tree_size(board, depth)
            assert found.finished


@pytest.mark.parametrize("rule", Rule)
@sampled(4, 40)
def test_nodes_and_cutoffs_are_the_literal_ones_under_every_rule(rule, count):
    cutoffs = fouls = 0
    for number, board in enumerate(crowded_boards(int(rule), count)):
        evaluation = SourceEvaluation(number % 4)
        literal = Literal(evaluation)
        values = literal.values(board, 2)
        fouls += literal.fouls
        for method in SearchMethod:
            assert PlainSearch(evaluation, method).values(board, 2) == values
        search = PlainSearch(evaluation, SearchMethod.MINIMAX)
        nodes = search.search(board, 2).nodes
        assert nodes == literal.nodes == search.tree_size(board, 2), f"\n{board}"
        literal.nodes = literal.cutoffs = 0
        best = literal.best(board, 3, 1, -BEYOND, BEYOND, cut=True)
        found = PlainSearch(evaluation, SearchMethod.ALPHABETA).search(board, 3)
        assert (found.score, found.nodes) == (best, literal.nodes), f"\n{board}"
        assert found.cutoffs == literal.cutoffs
        cutoffs += found.cutoffs
        for method in (SearchMethod.ORDERED, SearchMethod.TABLE):
            assert PlainSearch(evaluation, method).search(board, 3).score == best
    assert cutoffs
    assert bool(fouls) == rule.has_fouls


@pytest.mark.parametrize("rule", Rule)
@sampled(8, 40)
def test_evaluations_are_the_literal_ones_under_every_rule(rule, count):
    for evaluation in SourceEvaluation:
        search = PlainSearch(evaluation)
        for board in (
            *boards("rules", count, rule=int(rule)),
            *crowded_boards(int(rule), count),
        ):
            assert search.evaluate(board) == LITERAL[evaluation](board), f"\n{board}"


def test_one_search_plays_by_the_rule_of_each_board():
    """Six in a row, from both ends of the gap, win in freestyle and not in standard."""
    moves = "a1 a15 b1 c15 c1 e15 e1 g15 f1 i15"
    search = PlainSearch(SourceEvaluation.OURS)
    for rule in ("freestyle", "standard", "caro", "standard"):
        found = search.search(Board.from_moves(moves, rule=rule), 1)
        assert (win_in(found.score) == 1) == (rule != "standard")


def test_a_six_that_does_not_win_counts_nothing_for_the_sources():
    board = Board.from_moves("a1 a15 b1 h15 c1 o15 e1 o8 f1 a8 d1", rule="standard")
    assert PlainSearch(SourceEvaluation.STONES).evaluate(board) == 0
    assert abs(PlainSearch(SourceEvaluation.RULES).evaluate(board)) < 1000


@pytest.mark.parametrize("radius", [0, 1, 2])
def test_a_node_of_plain_minimax_is_a_move_in_the_tree_of_candidates(radius):
    search = PlainSearch(SourceEvaluation.RULES, SearchMethod.MINIMAX, radius)
    for board in boards("tree", 6, (9, (7, 11)), (6, 30)):
        for depth in (1, 2, 3):
            nodes = search.search(board, depth).nodes
            assert nodes == search.tree_size(board, depth), f"\n{board}"


@pytest.mark.parametrize(
    "method", [SearchMethod.ALPHABETA, SearchMethod.ORDERED, SearchMethod.TABLE]
)
@pytest.mark.parametrize("evaluation", SourceEvaluation)
@sampled(1, 6)
def test_every_cut_leaves_the_value_of_minimax(evaluation, method, count):
    plain = PlainSearch(evaluation, SearchMethod.MINIMAX)
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
        for method in SearchMethod
    ]
    assert len({one.score for one in found}) == 1
    nodes = [one.nodes for one in found]
    assert nodes == sorted(set(nodes), reverse=True)


def test_a_search_leaves_no_trace_for_the_next():
    search = PlainSearch(SourceEvaluation.RULES, SearchMethod.TABLE)
    first, second = boards("trace", 4, (9,), (6, 20))[:2]
    once = search.search(first, 3)
    search.search(second, 3)
    assert search.search(first, 3)[:5] == once[:5]


def test_a_win_now_comes_before_a_win_later_and_before_a_block():
    black = [(4, 7), (5, 7), (6, 7), (7, 7)]  # both have an open four
    white = [(4, 9), (5, 9), (6, 9), (7, 9)]
    fewer = black[:3], [(4, 9), (5, 9), (6, 9), (7, 9)], [(8, 9)]  # a wall at one end
    for evaluation in SourceEvaluation:
        for method in SearchMethod:
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
    search = PlainSearch(SourceEvaluation.RULES, SearchMethod.ALPHABETA)
    nodes = search.search(board, 3).nodes
    assert search.search(board, 3, nodes=nodes).finished
    stopped = search.search(board, 3, nodes=nodes - 1)
    assert not stopped.finished
    assert search.values(board, 3, nodes=10) is None


def test_what_cannot_be_searched_is_refused():
    search = PlainSearch(SourceEvaluation.RULES)
    over = Board.from_moves("a1 b1 a2 b2 a3 b3 a4 b4 a5")
    for board, depth, expected in (
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
        search = PlainSearch(evaluation, SearchMethod.MINIMAX, 1)
        board = Board.from_moves("h8 h9 j10 g7 k11", size=15)
        for _ in range(12):
            values = search.values(board, 1)
            move = rng.choice(sorted(values))
            board.play(move)
            if board.winner is not None:
                break
            assert -values[move] == search.evaluate(board)
