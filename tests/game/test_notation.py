"""Moves and boards as text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import (
    Move,
    Picture,
    draw_board,
    format_moves,
    parse_board,
    parse_move,
    parse_moves,
)

moves = st.builds(Move, st.integers(0, 30), st.integers(0, 30))
letter_moves = st.builds(Move, st.integers(0, 25), st.integers(0, 30))


@st.composite
def pictures(draw):
    width = draw(st.integers(1, 26))
    height = draw(st.integers(1, 22))
    cells = [Move(x, y) for y in range(height) for x in range(width)]
    signs = draw(
        st.lists(
            st.sampled_from(".....XXOO#"), min_size=len(cells), max_size=len(cells)
        )
    )
    groups = [
        tuple(cell for cell, s in zip(cells, signs, strict=True) if s == sign)
        for sign in "XO#"
    ]
    return Picture(width, height, *groups)


def draw(picture):
    """The picture drawn again."""
    stones = {}
    for sign, group in zip("XO#", picture[2:], strict=True):
        stones.update(dict.fromkeys(group, sign))
    return draw_board(picture.width, picture.height, stones)


def test_a_move_is_written_as_column_letter_and_row_from_the_top():
    assert str(Move(7, 7)) == "h8"
    assert str(Move(0, 0)) == "a1"
    assert str(Move(21, 21)) == "v22"
    assert f"{Move(2, 13)}" == "c14"


def test_a_move_without_a_letter_is_written_as_numbers():
    assert str(Move(26, 0)) == "26,0"
    assert str(Move(-1, 3)) == "-1,3"
    assert str(Move(3, -1)) == "3,-1"


def test_a_move_is_a_tuple():
    x, y = Move(3, 4)
    assert (x, y) == (3, 4) == Move(3, 4)
    assert Move(3, 4)._fields == ("x", "y")


@pytest.mark.parametrize("text", ["h8", "H8", " h8 ", "7,7", "7,7\n", "007,07"])
def test_parse_move_reads_both_forms(text):
    move = parse_move(text)
    assert move == Move(7, 7)
    assert isinstance(move, Move)


@pytest.mark.parametrize(
    "text",
    ["", " ", "h", "8", "8h", "h0", "h08", "h-1", "-1,3", "3,-1", "7,", ",7", "7;7"],
)
def test_parse_move_rejects_what_is_no_cell(text):
    with pytest.raises(ValueError, match="not a move"):
        parse_move(text)


@pytest.mark.parametrize(
    "text",
    ["7, 7", "h8 h9", "h8h9", "7,7,7", "hh8", "h8x", "é8", "h²", "\u0663,7", "swap"],
)
def test_parse_move_rejects_what_is_no_move(text):
    with pytest.raises(ValueError, match="not a move") as caught:
        parse_move(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "h8 h9 j10",
        "h8h9j10",
        "H8H9J10",
        "7,7 7,8 9,9",
        "h8 7,8;j10",
        " h8,h9 , j10 ",
        "h8\n7,8\r\n9,9\n",
        "7,7;7,8;9,9",
        "h8h9 9,9",
    ],
)
def test_parse_moves_reads_lists_in_every_form(text):
    assert parse_moves(text) == [Move(7, 7), Move(7, 8), Move(9, 9)]


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_text_holds_no_moves(text):
    assert parse_moves(text) == []


@pytest.mark.parametrize("text", ["h8 x", "h8-h9", "h8 7,", "h8 (h9)", "7 7", "h8 h0"])
def test_parse_moves_names_what_it_cannot_read(text):
    with pytest.raises(ValueError, match="not a move") as caught:
        parse_moves(text)
    assert "\n" not in str(caught.value)


def test_the_message_about_a_long_text_is_short():
    with pytest.raises(ValueError, match="not a move") as caught:
        parse_moves("h8" + "-" * 1000)
    assert len(str(caught.value)) < 100


@given(moves)
def test_a_move_survives_writing_and_reading(move):
    assert parse_move(str(move)) == move
    assert parse_move(f"{move.x},{move.y}") == move


@given(st.lists(moves), st.sampled_from([" ", ",", ";", "\n", ", ", " ; "]))
def test_a_list_survives_writing_and_reading(line, separator):
    assert parse_moves(format_moves(line)) == line
    assert parse_moves(separator.join(map(str, line))) == line


@given(st.lists(letter_moves))
def test_letter_moves_need_no_separator(line):
    assert parse_moves("".join(map(str, line))) == line


def test_format_moves_takes_plain_tuples():
    assert format_moves([(7, 7), (9, 9)]) == "h8 j10"
    assert format_moves([]) == ""


def test_draw_board_looks_like_this():
    picture = draw_board(6, 10, {(0, 0): "X", (1, 1): "X", (5, 9): "O", (2, 0): "#"})
    assert picture.splitlines() == [
        "   a b c d e f",
        " 1 X . # . . .",
        " 2 . X . . . .",
        " 3 . . . . . .",
        " 4 . . . . . .",
        " 5 . . . . . .",
        " 6 . . . . . .",
        " 7 . . . . . .",
        " 8 . . . . . .",
        " 9 . . . . . .",
        "10 . . . . . O",
    ]


@given(pictures())
def test_parse_board_reads_what_draw_board_drew(picture):
    assert parse_board(draw(picture)) == picture


@given(pictures())
def test_parse_board_reads_bare_pictures_or_asks_for_other_walls(picture):
    rows = [line.split()[1:] for line in draw(picture).splitlines()[1:]]
    for gap in ("", " "):
        try:
            found = parse_board("\n".join(gap.join(row) for row in rows))
        except ValueError as error:
            found = bool(re.match("# may be a wall|an edge of #", str(error)))
        assert found == (picture if isinstance(found, Picture) else bool(picture.walls))


ROWS = [".......", "..X.O..", "...X...", "..O....", "......."]
READ = Picture(7, 5, (Move(2, 1), Move(3, 2)), (Move(4, 1), Move(2, 3)), walls=())


def read_or_none(rows):
    try:
        return parse_board("\n".join(rows))
    except ValueError:
        return None


@pytest.mark.parametrize("sign", [*(set(map(chr, range(33, 127))) - set(".+-_xXoO"))])
def test_every_other_character_is_refused(sign):
    """As an empty cell, a star point, either stone, and every kind of frame."""
    changed = [[row.replace(old, sign) for row in ROWS] for old in ".XO"]
    sides = [f"{sign}{row}{sign}" for row in ROWS]
    forms = [
        *changed,
        [*ROWS[:2], f"..{sign}X...", *ROWS[3:]],
        sides,
        [sign * 9, *sides, sign * 9],
        [sign * 7, *ROWS, sign * 7],
        ["+-------+", *sides, "+-------+"],
        [sign + sign.join(row) + sign for row in ROWS],
        [sign.join(row) for row in ROWS],
    ]
    found = [read_or_none(rows) for rows in forms]
    if sign == "#":  # walls; between black and white stones they are no frame
        assert all(found.pop(at).walls for at in (9, 8, 3, 0))
    if sign == "|":
        assert found.pop(8) == found.pop(7) == found.pop(4) == READ
    assert not any(found)


@pytest.mark.parametrize("sign", [*".+-_"])
def test_four_characters_are_empty_cells_and_star_points(sign):
    assert read_or_none([row.replace(".", sign) for row in ROWS]) == READ
    assert read_or_none([*ROWS[:2], f"..{sign}X...", *ROWS[3:]]) == READ
    sides = [f"{sign}{row}{sign}" for row in ROWS]
    if sign != ".":  # a frame, or two more columns?
        assert read_or_none(sides) is None
        assert read_or_none([sign * 7, *ROWS, sign * 7]) is None


def test_frames_are_no_part_of_the_board():
    bars = [f"|{row}|" for row in ROWS]
    cells = [f"|{'|'.join(row)}|" for row in ROWS]
    for rows in (
        bars,
        ["+-------+", *bars, "+-------+"],
        [f"{'+-' * 7}+", *cells, f"{'+=' * 7}+"],
        [each for row in cells for each in (row, "+-" * 7 + "+")],
        [row.replace(".", " ") for row in cells],
        ["  a b c d e f g", *(f"{y} {row}" for y, row in enumerate(bars, start=1))],
    ):
        assert parse_board("\n".join(rows)) == READ


def test_parse_board_reads_indented_lower_case():
    picture = parse_board(
        """
        .x.
        #oX
        """
    )
    assert picture == Picture(3, 2, ((1, 0), (2, 1)), ((1, 1),), ((0, 1),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no board"),
        ("   \n", "no board"),
        ("  a b c\n", "no board"),
        (".X.\n..\n", "row 2 has 2 cells, not 3"),
        (".X.\n.Z.\n", "unknown character 'Z' in row 2"),
        ("1. ..\n2. ..", "write the numbers of rows without a dot"),
        ("X-+-O\n+-+-+\n+-X-+\nO-+-X", "every second column is of - only"),
        ("+++\n+@+\n+O+", "unknown character '@' in row 2"),
        ("|.X.\n|.X.|", "some rows only"),
        ("|.|X.|\n|.|X|.|", "some cells only"),
        ("...\n.#.\n.O.", "# may be a wall or a stone"),
        ("---\n.X.\n.O.\n---", "an edge of - may be a frame"),
        ("  a b\n1 . .\n3 . .\n", "row 2 of the picture is numbered 3"),
        ("  a b c\n1 . .\n2 . .\n", "column letters do not fit 2 columns"),
        ("  a c\n1 . .\n2 . .\n", "column letters do not fit 2 columns"),
        ("1\n", "row 1 has 0 cells"),
    ],
)
def test_parse_board_names_the_fault(text, message):
    with pytest.raises(ValueError, match=message):
        parse_board(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((15, 15, {(15, 0): "X"}), "p1 is off the 15x15 board"),
        ((15, 15, {(-1, 0): "X"}), "-1,0 is off"),
        ((15, 15, {(3, 3): "x"}), "cannot draw 'x'"),
        ((15, 15, {(3, 3): "*"}), "cannot draw '\\*'"),
        ((0, 15), "0x15"),
        ((27, 15), "27x15"),
    ],
)
def test_draw_board_rejects_what_it_cannot_draw(arguments, message):
    with pytest.raises(ValueError, match=message):
        draw_board(*arguments)


def test_the_numbers_of_moves_are_passed_over():
    moves = parse_moves("h8 h9 j10")
    for text in ("1. h8 h9 2. j10", "1.h8 h9 2.j10", "1. h8 1... h9 2. j10"):
        assert parse_moves(text) == moves
    with pytest.raises(ValueError, match="not a move"):
        parse_moves("1 h8")


@pytest.mark.parametrize("blank", ["\x1e", "\x85", "\u3000", "h8 \x1c"])
def test_blanks_of_other_alphabets_are_no_moves(blank):
    with pytest.raises(ValueError, match="not a move"):
        parse_moves(blank)
