"""Shapes and forced wins against the slow reference of the rules, and their words."""

import os

import pytest

from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.study.threat_words import (
    answers,
    describe_move,
    describe_position,
    made_by,
    quick_wins,
    shapes,
)
from tests.boards import random_references
from tests.cases import board_of
from tests.reference import BLACK, RULES, RefBoard, line_class, saving_replies
from tests.reference import _forces_win as forces_win
from tests.sampled import sampled

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
# random positions a rule
COUNT = int(os.environ.get("GOMOKU_ORACLE_POSITIONS", "15")) // 5
# what is told of a move on a line without shapes, by the class of the cell
TOLD = {
    "F5": {"five"},
    "OL": {"overline"},
    "F4": {"open four"},
    "B4": {"four"},
    "F3S": {"open three"},
    "F3": {"open three"},
    "B3": {"blocked three"},
    "-": {"open two"},
    "DEAD": set(),
}


def positions(seed, count=COUNT):
    for rule in RULES:
        for reference in random_references(seed, rule, count, stones=(8, 45), walls=2):
            yield reference, board_of(reference)


def text_of(reference, cell, direction, side):
    """The line through an empty cell, as line_class reads it."""
    x, y = cell
    dx, dy = DIRECTIONS[direction]
    text = ""
    for k in range(-10, 11):
        u, v = x + k * dx, y + k * dy
        if 0 <= u < reference.width and 0 <= v < reference.height:
            stone = reference.cells[reference.index((u, v))]
            text += {side: "X", 1 - side: "O", 2: ".", 3: "#"}[stone]
        else:
            text += "#"
    return text


def direction_of(shape):
    (x, y), (u, v) = shape.stones[0], shape.stones[-1]
    sign = ((u > x) - (u < x), (v > y) - (v < y))
    return DIRECTIONS.index(sign)


def near_cells(reference):
    """Empty cells within two of a stone."""
    stones = [*reference.stones(0), *reference.stones(1)]
    for p in reference.empties():
        x, y = reference.cell(p)
        if any(abs(x - u) <= 2 and abs(y - v) <= 2 for u, v in stones):
            yield Move(x, y)


def unstoppable_alone(reference, shape):
    """Whether no single opposing stone, anywhere, stops all fives of a four."""
    fives = [reference.index(point) for point in shape.points]
    for p in reference.empties():
        reference.place(p, 1 - shape.side)
        stands = any(
            reference.cells[five] == 2 and reference.wins(five, shape.side)
            for five in fives
        )
        reference.clear(p)
        if not stands:
            return False
    return True


def test_fours_are_what_a_five_completes():
    for reference, board in positions("fours"):
        for side in Side:
            fours = [s for s in shapes(board, side) if s.kind.endswith("four")]
            points = {point for four in fours for point in four.points}
            assert points == {reference.cell(p) for p in reference.fives(side)}
            for four in fours:
                assert all(board.stone(stone) == side for stone in four.stones)
                assert (four.kind == "open four") == unstoppable_alone(reference, four)


@sampled(1, COUNT)
def test_open_threes_are_what_becomes_an_open_four(count):
    for reference, board in positions("threes", count):
        for side in Side:
            found = shapes(board, side)
            fours = {direction_of(s) for s in found if s.kind.endswith("four")}
            message = {
                (direction_of(s), point)
                for s in found
                if s.kind == "open three"
                for point in s.points
            }
            known = set()
            for direction in range(4):
                for p in reference.empties():
                    cell = reference.cell(p)
                    text = text_of(reference, cell, direction, side)
                    if line_class(reference.rule, side, text)[0] != "F4":
                        continue
                    black_renju = side == BLACK and reference.rule == Rule.RENJU
                    if black_renju and reference.verdict(p) is not None:
                        continue
                    known.add((direction, Move(*cell)))
            # a four hides the threes that it contains
            assert {pair for pair in message if pair[0] not in fours} == {
                pair for pair in known if pair[0] not in fours
            }


@sampled(1, COUNT)
def test_what_a_move_makes_agrees_with_the_line_classes(count):
    seen = set()
    for reference, board in positions("makes", count):
        for side in Side:
            standing = {direction_of(shape) for shape in shapes(board, side)}
            black_renju = reference.rule == Rule.RENJU and side == BLACK
            for cell in near_cells(reference):
                message = {direction: set() for direction in range(4)}
                for shape in made_by(board, cell, side):
                    assert cell in shape.stones
                    message[direction_of(shape)].add(shape.kind)
                for direction in range(4):
                    text = text_of(reference, cell, direction, side)
                    kind = line_class(reference.rule, side, text)[0]
                    seen.add(kind)
                    if kind == "F5":
                        assert message[direction] == {"five"}
                    elif direction in standing:
                        if kind == "F4":  # it may be two fours on the line
                            assert message[direction] in ({"open four"}, {"four"})
                    elif kind == "-" or (kind in ("F3", "F3S") and black_renju):
                        assert message[direction] <= {*TOLD[kind], *TOLD["B3"]}
                    else:
                        # another line of the same stones may make a two besides
                        assert message[direction] - {"open two"} == TOLD[kind], cell
                if black_renju and reference.foul(cell) == "double-three":
                    kinds = [kind for kinds in message.values() for kind in kinds]
                    assert kinds.count("open three") >= 2
    assert seen == set(TOLD) or count < COUNT


def test_quick_wins_are_all_forced_wins_in_three_plies():
    for reference, board in positions("wins"):
        for side in Side:
            plies, cells = quick_wins(board, side)
            fives = reference.fives(side)
            wins = fives or [
                p
                for p in reference.four_makers(side)
                if forces_win(reference, p, side, 3)
            ]
            assert sorted(cells) == sorted(reference.cell(p) for p in wins)
            assert plies == (1 if fives else 3 if wins else 0)


def test_answers_are_all_moves_that_save():
    seen = set()
    for reference, board in positions("answers"):
        plies, threats, moves = answers(board)
        if plies:
            seen.add(plies)
            assert quick_wins(board, board.turn.other) == (plies, threats)
            assert sorted(moves) == sorted(
                saving_replies(reference, reference.turn, plies)
            )
    assert seen == {1, 3}


@pytest.mark.slow("each move beside each shape by the reference", ci=True)
def test_blocked_shapes_are_those_that_cannot_go_on():
    for reference, board in positions("blocks", COUNT):
        other = board.turn.other
        standing = [s for s in shapes(board, other) if s.kind != "blocked three"]
        cells = {Move(*c) for s in standing for c in (*s.points, *ends(board, s))}
        for cell in cells:
            blocked = describe_move(board, cell).blocks
            reference.place(reference.index(cell), board.turn)
            for shape in standing:
                kinds = {
                    line_class(
                        reference.rule,
                        other,
                        text_of(reference, point, direction_of(shape), other),
                    )[0]
                    for point in shape.points
                    if point != cell
                }
                if shape.kind == "open three":
                    if reference.rule != Rule.RENJU:  # fouls may come and go there
                        assert (shape in blocked) == ("F4" not in kinds)
                elif shape.kind == "four":
                    assert (shape in blocked) == ("F5" not in kinds)
                elif cell in shape.points:
                    assert shape in blocked
            reference.clear(reference.index(cell))


def ends(board, shape):
    """The empty cells up to two beyond a shape's stones, on its line."""
    dx, dy = DIRECTIONS[direction_of(shape)]
    (x, y), (u, v) = shape.stones[0], shape.stones[-1]
    near = [(u + dx, v + dy), (u + 2 * dx, v + 2 * dy)]
    near += [(x - dx, y - dy), (x - 2 * dx, y - 2 * dy)]
    return [cell for cell in near if board.is_empty(cell)]


def words(position, move, rule=Rule.FREESTYLE, turn=Side.BLACK):
    """What is said of a move; the position is written "black stones / white stones"."""
    black, white = (parse_moves(part) for part in position.split("/"))
    board = Board.from_stones(black, white, turn=turn, rule=rule)
    return describe_move(board, parse_move(move)).phrases()


@pytest.mark.parametrize(
    ("position", "move", "expected"),
    [
        ("e8 f8 g8 h8 / ", "i8", ["wins by five e8-i8"]),
        ("f8 g8 h8 /", "i8", ["makes an open four f8-i8", "nothing stops the five"]),
        ("h8 i9 / a1 a2", "j10", ["makes an open three h8-j10"]),
        ("h8 i9 / g7 a2", "j10", ["makes a blocked three h8-j10"]),
        ("h8 / a1", "j8", ["makes an open two h8-j8"]),
        ("h8 / a1", "o15", []),
        (
            "f8 g8 h8 i5 i6 / e8",
            "i8",
            ["makes a four-three (a four f8-i8 and an open three i5-i8)"],
        ),
        (
            "f8 g8 h8 i5 i6 i7 / e8 i4",
            "i8",
            [
                "makes a double four (a four f8-i8 and a four i5-i8)",
                "nothing stops the five",
            ],
        ),
        (
            "a1 / e8 f8 g8 d8",
            "c8",
            [
                "blocks one end of the open four d8-g8",
                "white then wins by five at h8",
            ],
        ),
        ("a1 c8 / e8 f8 g8 d8", "h8", ["blocks the four d8-g8"]),
        (
            "a1 / e5 f6 g7",
            "h8",
            [
                "blocks the open three e5-g7",
                "one of 2 moves against white's win in 2 moves",
            ],
        ),
        ("a1 / e5 f6 g7", "h9", ["white then wins in 2 moves at d4 h8"]),
    ],
)
def test_words_of_moves(position, move, expected):
    output = words(position, move)
    if any("then wins in 2 moves" in phrase for phrase in expected):
        assert output[0].startswith("white then wins in 2 moves at ")
    else:
        assert [p for p in output if not p.startswith("the only")] == expected


def test_the_only_move_is_called_so():
    assert "the only move against white's five" in words("c8 / d8 e8 f8 g8", "h8")


def test_a_double_three_is_forbidden_to_black_in_renju_alone():
    stones = "f8 g8 h6 h7 /"
    made = "makes a double three (an open three f8-h8 and an open three h6-h8)"
    assert words(stones, "h8") == [made]
    assert words(stones, "h8", Rule.RENJU) == [
        "forbidden to black (double three)",
        made,
    ]


def test_an_overline_that_does_not_win_is_named():
    stones = "d8 e8 f8 g8 i8 /"
    assert words(stones, "h8", Rule.FREESTYLE) == ["wins by five d8-i8"]
    assert words(stones, "h8", Rule.STANDARD)[0] == (
        "makes an overline d8-i8, which does not win"
    )


def test_a_three_whose_point_is_forbidden_is_no_open_three():
    # R27 of the rules: the diagonal's only completion is a double-four
    board = RefBoard(15, 4, black=[(4, 4), (5, 4), (5, 6), (6, 6), (5, 7), (6, 7)])
    kinds = [str(shape) for shape in made_by(board_of(board), Move(7, 7), Side.BLACK)]
    assert "open three f8-h8" in kinds
    assert "open three e5-h8" not in kinds


def test_words_of_a_position():
    board = Board.from_stones(
        parse_moves("e8 f8 g8 h8"),
        parse_moves("d8 e2 f3 g4"),
        turn=Side.WHITE,
    )
    assert describe_position(board).phrases() == [
        "black has a four e8-h8",
        "white has an open three e2-g4",
        "black threatens a five at i8",
        "white can answer at i8",
    ]
    board.turn = Side.BLACK
    assert describe_position(board).phrases()[-1] == (
        "black, to move, wins with a five at i8"
    )
    board.play((8, 7))
    assert describe_position(board).phrases() == ["black has won"]
    assert str(describe_position(Board())) == "no threats"


def test_four_stones_that_two_fours_come_from_are_no_open_three():
    assert words("o1 o3 o5 /", "o7") == ["makes two threes in line o1-o7"]


def test_every_forbidden_point_has_its_foul():
    board = Board.from_stones(
        parse_moves("a1 b1 d1 e1 f1 h8 i8 j9 j10"), [], turn=Side.BLACK, rule=Rule.RENJU
    )
    message = describe_position(board)
    assert message.phrases()[-1] == (
        "forbidden to black: c1 (overline), j8 (double three)"
    )
    assert message.fouls == ("overline", "double-three")


def test_a_move_without_a_threat_is_described_as_by_a_player():
    assert str(describe_move(Board.from_moves("h8"), Move(0, 0))) == "a quiet move"
    board = Board.from_moves("h8 g8 i8 a1 j8")
    assert str(describe_move(board, Move(11, 7))).startswith("closes black's blocked")


def test_a_move_comes_in_any_form():
    board = Board.from_moves("h8 a1 i9 a2")
    assert describe_move(board, "j10") == describe_move(board, (9, 9))
    assert describe_move(board, "j10").move == Move(9, 9)
    over = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    assert describe_move(over, "h9").side is Side.WHITE
