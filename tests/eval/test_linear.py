"""The linear evaluation: its scale, its sums, and the values set by hand."""

import random
import re
import sys
from dataclasses import replace

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.eval import hand_weights
from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.hand_weights import (
    CLASS_NAMES,
    RANK_NAMES,
    TEMPO_NAMES,
    class_tuples,
    read_hand_values,
)
from gomoku_brain.eval.linear import Linear, kind_ranks
from gomoku_brain.eval.score import EVAL_LIMIT
from gomoku_brain.eval.weights import Part, shipped_weights
from gomoku_brain.game.notation import Move
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.openings import book
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from tests.boards import random_boards
from tests.reference import RULES
from tests.sampled import sampled

TEXT = read_data("hand.txt").decode("ascii")
SIZES = (15, 9, 20, 22, 5, (11, 16))


@pytest.fixture
def worker():
    """A worker without any pruning, so that a search is plain minimax."""
    return Worker(TranspositionTable(0.1), 0)


def by_hand(rule):
    return hand_weights.hand_weights(
        rule, [kind_ranks(rule, side) for side in range(2)]
    )


def evaluation(worker, board):
    """From scratch: the worker copies the position and adds everything up."""
    worker.set_position(board, SearchControl())
    return worker.evaluate()


def value_after(worker, board, move):
    """The evaluation for the mover after a move that the search itself makes.

    One ply deep with every other cell excluded, so it comes from the running totals.
    """
    others = [
        Move(x, y)
        for x in range(board.width)
        for y in range(board.height)
        if board.is_empty((x, y)) and (x, y) != move
    ]
    worker.set_position(board, SearchControl())
    return worker.search(1, exclude=tuple(others))


# --- Sums ---


@pytest.mark.parametrize("rule", RULES)
@sampled(2, 12)
def test_running_totals_equal_fresh_ones_along_random_walks(worker, rule, count):
    compared = 0
    for board in random_boards("walks", rule, count, SIZES, stones=(2, 12), walls=2):
        rng = random.Random(board.key)
        for _ in range(25):
            # Only candidates are searched: cells near a stone.
            worker.set_position(board, SearchControl())
            best = worker.best_by_score()
            near = [
                move
                for move in board.legal_moves()
                if best
                and max(abs(move.x - best.x), abs(move.y - best.y)) <= 4
                and any(
                    max(abs(move.x - stone.x), abs(move.y - stone.y)) <= 3
                    for stone in board.moves
                    if not board.is_wall(stone)
                )
            ]
            if len(near) < 2 or board.winner is not None:
                break
            move = rng.choice(near)
            running = value_after(worker, board, move)
            board.play(move)
            if not board.is_full:
                assert running == -evaluation(worker, board), str(board)
                compared += 1
    assert compared > 5 * count


@pytest.mark.parametrize("rule", RULES)
@sampled(3, 20)
def test_making_and_unmaking_moves_leaves_the_evaluation(worker, rule, count):
    for board in random_boards("unmade", rule, count, SIZES):
        before = evaluation(worker, board)
        worker.search(2)
        assert worker.evaluate() == before


@pytest.mark.parametrize("rule", RULES)
@sampled(4, 30)
def test_the_way_to_a_position_does_not_matter(worker, rule, count):
    """Stones put down in another order, some of them taken back, give the same."""
    for board in random_boards("order", rule, count, SIZES, walls=3):
        expected = evaluation(worker, board)
        rng = random.Random(board.key)
        copy = board.copy()
        for _ in range(6):
            empty = [move for move in copy.legal_moves() if copy.is_empty(move)]
            if empty:
                copy.play(rng.choice(empty))
                copy.undo()
        for move in rng.sample(copy.moves, min(4, len(copy.moves))):
            if copy.is_wall(move):
                continue
            side = copy.stone(move)
            copy.remove(move)
            copy.turn = side
            copy.play(move)
        copy.turn = board.turn
        assert evaluation(worker, copy) == expected, str(board)


# --- Scale ---


@pytest.mark.parametrize("rule", RULES)
@sampled(6, 50)
def test_evaluations_stay_within_the_limit(worker, rule, count):
    for board in random_boards("limit", rule, count, SIZES):
        assert abs(evaluation(worker, board)) <= EVAL_LIMIT
    # A board full of one colour's chances.
    black = [(x, y) for x in range(22) for y in range(22) if (x + 2 * y) % 5 < 3]
    for turn in Side:
        heap = Board.from_stones(black, [], turn=turn, size=22, rule=rule)
        assert abs(evaluation(worker, heap)) <= EVAL_LIMIT


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.CARO])
def test_colours_and_side_to_move_may_be_swapped(worker, rule):
    for board in random_boards("swap", rule, 40, SIZES, walls=3):
        stones = {side: [] for side in (Side.BLACK, Side.WHITE, None)}
        for move in board.moves:
            stones[board.stone(move)].append(move)
        swapped = Board.from_stones(
            stones[Side.WHITE],
            stones[Side.BLACK],
            [move for move in stones[None] if board.is_wall(move)],
            turn=board.turn.other,
            size=(board.width, board.height),
            rule=rule,
        )
        assert evaluation(worker, board) == evaluation(worker, swapped), str(board)


def test_better_shapes_are_worth_more(worker):
    """For black to move: a stone, a two, a three, in this order.

    (A four decides before anybody asks for the evaluation.) How much more than won a
    position is says nothing: there are no such positions in games.
    """
    won = 700  # 320 units a logit: nine games in ten
    shapes = ["h8", "h8 i8", "h8 i8 j8"]
    white = [(0, 0), (0, 14), (14, 0), (14, 14)]
    for rule in RULES:
        values = []
        for shape in shapes:
            black = Board.from_moves(shape).moves
            board = Board.from_stones(
                black, white[: len(black)], turn=Side.BLACK, size=15, rule=rule
            )
            values.append(evaluation(worker, board))
        capped = [min(value, won) for value in values]
        assert capped == sorted(capped), (rule, values)
        assert values[0] < min(values[1:]), (rule, values)


@pytest.mark.parametrize("rule", RULES)
def test_it_is_better_to_be_to_move(worker, rule):
    for opening in book(rule, 15, "tuning")[:50]:
        board = Board.from_moves(opening.moves, size=15, rule=rule)
        mine = evaluation(worker, board)
        board.turn = board.turn.other
        assert mine + evaluation(worker, board) > 0


# --- The values set by hand ---


def test_the_file_has_a_line_for_every_name_in_order():
    classes, ranks, tempo = read_hand_values()
    assert [len(classes), len(ranks), len(tempo)] == [
        len(CLASS_NAMES),
        len(RANK_NAMES),
        len(TEMPO_NAMES),
    ]
    rows = {}
    for line in TEXT.splitlines()[1:]:
        words = line.partition("#")[0].split()
        if words:
            rows[words[0], words[1]] = [int(word) for word in words[2:]]
    assert [rows["class", name] for name in CLASS_NAMES] == classes
    assert [rows["rank", name] for name in RANK_NAMES] == ranks
    assert [rows["tempo", name] for name in TEMPO_NAMES] == [[term] for term in tempo]
    assert len(rows) == len(classes) + len(ranks) + len(tempo)


def test_names_are_those_of_the_pattern_tables():
    """As many as there are classes and ranks; the engine reads them by position."""
    assert len(CLASS_NAMES) == len(set(CLASS_NAMES)) == 14
    assert len(RANK_NAMES) == len(set(RANK_NAMES)) == 16
    assert len(TEMPO_NAMES) == len(set(TEMPO_NAMES)) == 11


def test_a_lone_stone_has_the_value_in_the_file(worker):
    """Added up by hand: cells on one line with a lone stone can make an open two.

    On a line through a stone far from every edge, cells at distance 1 to 4 have the
    class that a second stone would give; everything else is F1 or less. The classes
    are asked of the table's own test hook, the values of the file.
    """
    from gomoku_brain.game.patterns import _py_line_class

    classes, _, tempo = read_hand_values()
    assert tempo[TEMPO_NAMES.index("own_three")] > 0
    worker.set_evaluation(evaluation_from(by_hand(Rule.FREESTYLE)))
    centre = 11
    board = Board.from_stones([(centre, centre)], [], turn=Side.BLACK, size=22)
    total = 0
    for x in range(22):
        for y in range(22):
            if (x, y) == (centre, centre):
                continue
            for side in Side:
                kinds = [
                    _py_line_class(0, side, window(board, x, y, dx, dy, side))
                    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
                ]
                role = 2 if side == Side.BLACK else 3
                value = sum(classes[CLASS_NAMES.index(kind)][role] for kind in kinds)
                value += rank_value(kinds, role)
                total += value if side == Side.BLACK else -value
    assert evaluation(worker, board) == total


def window(board, x, y, dx, dy, side):
    """Nine cells of a line around an empty one, as the class hook reads them."""
    text = ""
    for k in range(-4, 5):
        cell = (x + k * dx, y + k * dy)
        if not (0 <= cell[0] < board.width and 0 <= cell[1] < board.height):
            text += "#"
        elif board.is_empty(cell):
            text += "."
        else:
            text += "X" if board.stone(cell) == side else "O"
    return text


def rank_value(kinds, role):
    """The ranks that a lone stone can give: TWO_TWO, TWO, NONE."""
    _, ranks, _ = read_hand_values()
    twos = sum(kind.startswith("F2") for kind in kinds)
    name = "TWO_TWO" if twos >= 2 else "TWO" if twos else "NONE"
    return ranks[RANK_NAMES.index(name)][role]


DAMAGED = [
    ("gomoku-brain hand weights 2", "expected 'gomoku-brain hand weights 1'"),
    ("", "expected 'gomoku-brain hand weights 1', found"),
]


@pytest.mark.parametrize(("header", "message"), DAMAGED)
def test_another_header_is_refused(header, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_hand_values(TEXT.replace("gomoku-brain hand weights 1", header))


def test_an_empty_file_is_refused():
    with pytest.raises(ValueError, match="hand weights"):
        read_hand_values("")


@pytest.mark.parametrize(
    "line",
    [
        "class F3 1 2 3",
        "class F3 1 2 3 4 5",
        "rank FIVE",
        "tempo own_four 1 2",
        "tempo",
    ],
)
def test_a_line_with_another_number_of_values_is_reported(line):
    with pytest.raises(ValueError, match=re.escape(f"bad line {line!r}")):
        read_hand_values(f"{TEXT}{line}\n")


@pytest.mark.parametrize("line", ["class F3 1 2 x 4", "tempo own_four 1.5", "class"])
def test_a_line_that_is_not_numbers_is_reported(line):
    with pytest.raises(ValueError, match=re.escape(repr(line))):
        read_hand_values(f"{TEXT}{line}\n")


@pytest.mark.parametrize(
    "line",
    ["class F9 1 2 3 4", "rank SIX 1 2 3 4", "tempo nobody 5", "klass F3 1 2 3 4"],
)
def test_an_unknown_name_is_reported(line):
    with pytest.raises(ValueError, match=re.escape(repr(line))):
        read_hand_values(f"{TEXT}{line}\n")


def test_a_value_beyond_16_bits_is_reported():
    """Cell values and tempo terms are kept in 16 bits."""
    with pytest.raises(ValueError, match="40000"):
        read_hand_values(re.sub(r"(?m)^rank FIVE .*$", "rank FIVE 1 2 40000 4", TEXT))


@pytest.mark.parametrize("kind", ["class", "rank", "tempo"])
def test_every_missing_line_is_named(kind):
    names = {"class": CLASS_NAMES, "rank": RANK_NAMES, "tempo": TEMPO_NAMES}[kind]
    for name in names:
        text = re.sub(rf"(?m)^{kind} {name} .*\n", "", TEXT)
        assert text != TEXT
        with pytest.raises(ValueError, match=f"no line for '{kind} {name}'"):
            read_hand_values(text)


def test_comments_and_blank_lines_are_passed_over():
    lines = TEXT.splitlines()
    lines[1:1] = ["", "   ", "# a remark", "  # another"]
    lines[-1] += "  # the last"
    assert read_hand_values("\n".join(lines)) == read_hand_values()


# --- Kinds and parts ---


def test_kinds_are_numbered_as_their_classes_are_listed():
    """A kind with a five has rank FIVE, whoever numbers it."""
    five = RANK_NAMES.index("FIVE")
    ranks = kind_ranks(Rule.FREESTYLE, Side.BLACK)
    assert len(class_tuples()) == len(ranks) == 2380
    for members, rank in zip(class_tuples(), ranks, strict=True):
        assert (rank == five) == (CLASS_NAMES.index("F5") in members)


@pytest.mark.parametrize("name", ["cells", "tempo"])
def test_parts_that_do_not_fit_are_refused(name):
    weights = by_hand(Rule.FREESTYLE)
    part = weights.parts[name]
    cut = Part((2, 17), part.numbers[: 4 * 17])
    with pytest.raises(ValueError, match=f"part '{name}' is 2x17 instead of 2x2"):
        Linear(replace(weights, parts=weights.parts | {name: cut}))
    with pytest.raises(ValueError, match=f"part '{name}' has 68 bytes instead of"):
        Linear(
            replace(
                weights, parts=weights.parts | {name: replace(cut, shape=part.shape)}
            )
        )
    others = {key: value for key, value in weights.parts.items() if key != name}
    with pytest.raises(ValueError, match=f"no part '{name}'"):
        Linear(replace(weights, parts=others))


def test_shipped_weights_have_the_parts_of_the_linear_evaluation(worker):
    for rule in RULES:
        weights = shipped_weights(rule)
        worker.set_evaluation(Linear(weights))
        by_cells = evaluation(worker, Board(15, rule))
        worker.set_evaluation(None)
        assert abs(by_cells - evaluation(worker, Board(15, rule))) < EVAL_LIMIT


def test_an_unknown_part_is_refused():
    weights = by_hand(Rule.FREESTYLE)
    parts = weights.parts | {"spread": Part((1,), bytes(2))}
    with pytest.raises(ValueError, match="kind 'linear': unknown part 'spread'"):
        Linear(replace(weights, parts=parts))


@pytest.mark.parametrize("rule", [2, 16, -1, 4000])
def test_weights_of_an_unknown_rule_are_refused(rule):
    with pytest.raises(ValueError, match=f"no rule {rule}"):
        Linear(replace(by_hand(Rule.FREESTYLE), rule=rule))
    with pytest.raises(ValueError, match=f"no rule {rule}"):
        kind_ranks(rule, 0)


def test_numbers_that_are_no_bytes_are_refused():
    weights = by_hand(Rule.FREESTYLE)
    cells = weights.parts["cells"]
    array = replace(cells, numbers=bytearray(cells.numbers))
    with pytest.raises(ValueError, match="bytearray instead of bytes"):
        Linear(replace(weights, parts=weights.parts | {"cells": array}))


def test_move_scores_whose_sum_would_wrap_round_are_refused():
    weights = by_hand(Rule.FREESTYLE)
    cells = weights.parts["cells"]
    for number, fits in ((16383, True), (16384, False), (-16384, False)):
        numbers = number.to_bytes(2, sys.byteorder, signed=True) + cells.numbers[2:]
        parts = weights.parts | {"cells": replace(cells, numbers=numbers)}
        if fits:
            assert Linear(replace(weights, parts=parts)).rule == Rule.FREESTYLE
        else:
            with pytest.raises(ValueError, match=r"move score beyond \+-16383"):
                Linear(replace(weights, parts=parts))


def test_an_evaluation_is_made_once():
    linear = Linear(by_hand(Rule.FREESTYLE))
    with pytest.raises(TypeError, match="initialised twice"):
        linear.__init__(by_hand(Rule.STANDARD))
    assert linear.rule == Rule.FREESTYLE
