"""Openings: the written forms, which ones are equal, and the shipped book."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import symmetries, transform_moves
from gomoku_brain.records import openings
from gomoku_brain.records.openings import (
    BOOK_SIZES,
    Opening,
    book,
    canonical,
    duplicates,
    format_opening,
    has_book,
    opening_lines,
    parse_opening,
    position,
    read_openings,
    select,
)
from tests.reference import RENJU, RefBoard

SIZES = st.one_of(st.integers(5, 22), st.tuples(st.integers(5, 22), st.integers(5, 22)))


@st.composite
def placed(draw, most=12):
    """(opening, width, height); the stones are on the board and apart."""
    size = draw(SIZES)
    width, height = (size, size) if isinstance(size, int) else size
    cells = st.builds(Move, st.integers(0, width - 1), st.integers(0, height - 1))
    moves = draw(st.lists(cells, min_size=1, max_size=most, unique=True))
    return Opening(tuple(moves)), width, height


# --- forms ---


@settings(deadline=None)
@given(placed(), st.sampled_from(["pos", "offset"]))
def test_what_is_written_is_read_back(case, form):
    opening, width, height = case
    text = format_opening(opening, (width, height), form)
    assert parse_opening(text, (width, height), form) == opening
    assert parse_opening(text, (width, height)) == opening


def test_offsets_count_from_the_centre_as_gomocup_does():
    text = "8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5"
    assert parse_opening(text, 20).moves == tuple(parse_moves("s8 q7 p7 o8 m3 j6"))
    assert parse_opening("0,0, -7,7", 15).moves == tuple(parse_moves("h8 a15"))
    assert parse_opening("0,0", (20, 15)).moves == (Move(10, 7),)


def test_positions_are_read_with_and_without_separators():
    moves = tuple(parse_moves("d3 e5 f6 d7"))
    for text in ("d3e5f6d7", "d3 e5 f6 d7", "D3, E5; f6d7", " d3e5 f6d7 "):
        assert parse_opening(text, 15).moves == moves
    assert parse_opening("3,2 4,4 5,5 3,6", 15, "pos").moves == moves


@pytest.mark.parametrize(
    ("text", "form", "why"),
    [
        ("0,0, 1", "auto", "odd number"),
        ("0,0, 1;1", "auto", "not an offset: '1;1'"),
        ("h8h", "auto", "not a move: 'h'"),
        ("h8i9", "offset", "not an offset: 'h8i9'"),
        ("-1,-1", "pos", "not a move"),
        (", ,", "auto", "not an offset: ''"),
    ],
)
def test_unreadable_openings_are_refused(text, form, why):
    with pytest.raises(ValueError, match=why):
        parse_opening(text, 15, form)


# --- positions ---


@pytest.mark.parametrize(
    ("moves", "rule", "why"),
    [
        ("h8 h9 h8", Rule.FREESTYLE, "move 3, h8, is on a stone"),
        ("h8 p9", Rule.FREESTYLE, "move 2, p9, is off the 15x15 board"),
        ("f8 a1 g8 a3 h8 a5 i8 a7 j8", Rule.RENJU, "move 9, j8, wins"),
        ("f8 a1 g8 a3 h6 a5 h7 a7 h8", Rule.RENJU, r"h8, .*\(double three\)"),
        ("e8 a1 f8 a3 g8 a5 h8 a7 j8 a9 i8", Rule.RENJU, r"i8, .*\(overline\)"),
        ("e8 a1 f8 a3 g8 a5 h8 a7 j8 a9 i8", Rule.FREESTYLE, "i8, wins"),
    ],
)
def test_an_opening_that_leaves_no_game_is_refused(moves, rule, why):
    with pytest.raises(ValueError, match=why):
        position(Opening(tuple(parse_moves(moves))), 15, rule)


def test_what_one_rule_refuses_another_plays():
    opening = Opening(tuple(parse_moves("e8 a1 f8 a3 g8 a5 h8 a7 j8 a9 i8")))
    assert position(opening, 15, Rule.STANDARD).turn == Side.WHITE
    assert position(opening, 15, Rule.CARO_EXACT).moves == opening.moves


def test_a_stone_left_of_the_board_is_refused():
    opening = parse_opening("-8,0", 15)
    with pytest.raises(ValueError, match=r"move 1, \(-1,7\), is off"):
        position(opening, 15, Rule.FREESTYLE)


# --- files ---


def test_files_are_read_with_names_and_comments(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes(b"\xef\xbb\xbf# two\r\nh8i9  # diagonal\r\n\r\n0,0, 2,2\r\n")
    first, second = read_openings(path, 15)
    assert first == Opening((Move(7, 7), Move(8, 8)), "mine:2")
    assert second == Opening((Move(7, 7), Move(9, 9)), "mine:4")
    assert [o.name for o in read_openings("h8\nh9", 15)] == ["text:1", "text:2"]
    assert list(opening_lines("#\n\n h8 ")) == [("text", 3, "h8")]


def test_the_first_bad_line_is_named(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("h8i9\n\n0,0, 0,0\n?\n")
    with pytest.raises(ValueError, match=r"mine\.txt, line 3: move 2, h8, is on a st"):
        read_openings(path, 15)
    with pytest.raises(ValueError, match="openings, line 1: not an offset"):
        read_openings("?", 15)


def test_what_is_no_list_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(ValueError, match="no opening in it"):
        read_openings(tmp_path / "empty.txt", 15)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(ValueError, match="not a text file"):
        read_openings(tmp_path / "picture.png", 15)
    with pytest.raises(OSError, match=r"none\.txt"):
        read_openings(tmp_path / "none.txt", 15)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_list_is_decoded_as_games_are(tmp_path, code):
    path = tmp_path / "mine.txt"
    path.write_bytes("h8 i9 j10  # née\n".encode(code))
    (opening,) = read_openings(path, 15)
    assert len(opening.moves) == 3


def test_an_opening_is_refused_under_its_rule_only():
    fork = "f8a1g8a3h6a5h7a7h8"
    assert len(read_openings(fork, 15, rule=Rule.STANDARD)) == 1
    with pytest.raises(ValueError, match="double three"):
        read_openings(fork, 15, rule=Rule.RENJU)


# --- equal openings ---


@settings(deadline=None)
@given(placed(), st.data())
def test_canonical_is_the_same_for_all_images_and_orders(case, data):
    opening, width, height = case
    black = data.draw(st.permutations(opening.moves[::2]))
    white = data.draw(st.permutations(opening.moves[1::2]))
    moves = [Move(0, 0)] * len(opening.moves)
    moves[::2], moves[1::2] = black, white
    key = canonical(opening, width, height)
    assert len(symmetries(width, height)) == (8 if width == height else 4)
    for k in symmetries(width, height):
        image = Opening(tuple(transform_moves(moves, width, height, k)), "other name")
        assert canonical(image, width, height) == key


@settings(deadline=None)
@given(placed(most=4), placed(most=4))
def test_openings_of_one_key_are_images_of_each_other(one, two):
    opening, width, height = one
    other = Opening(tuple(Move(x % width, y % height) for x, y in two[0].moves))
    images = [
        Opening(tuple(transform_moves(other.moves, width, height, k)))
        for k in symmetries(width, height)
    ]
    same = any(
        set(image.moves[::2]) == set(opening.moves[::2])
        and set(image.moves[1::2]) == set(opening.moves[1::2])
        for image in images
    )
    equal = canonical(opening, width, height) == canonical(other, width, height)
    assert equal == same


def test_a_quarter_turn_is_no_symmetry_of_a_rectangle():
    lying = parse_opening("0,0, 1,0", (15, 11))
    standing = parse_opening("0,0, 0,1", (15, 11))
    assert canonical(lying, 15, 11) != canonical(standing, 15, 11)
    lying, standing = parse_opening("h8 i8", 15), parse_opening("h8 h9", 15)
    assert canonical(lying, 15, 15) == canonical(standing, 15, 15)


def test_colours_are_not_mixed_up():
    assert canonical(parse_opening("h8i9j9", 15), 15, 15) != canonical(
        parse_opening("i9h8j9", 15), 15, 15
    )


def test_duplicates_name_the_first_of_their_kind():
    lines = "h8i8\nh8i9\nh8h7\nj10\nh8g8"
    assert duplicates(read_openings(lines, 15), 15) == [(0, 2), (0, 4)]


# --- choosing ---


def test_a_seed_settles_the_choice_and_more_of_it_begins_alike():
    openings = [Opening((Move(x, 0),)) for x in range(20)]
    ten = select(openings, 10, seed=3)
    assert ten == select(openings, 10, seed=3) == select(openings, seed=3)[:10]
    assert select(openings, seed=3) not in (openings, select(openings, seed=4))
    assert set(select(openings, seed=3)) == set(openings)
    assert select(openings, 4) == openings[:4]
    assert select(openings) == openings
    with pytest.raises(ValueError, match="21 openings wanted, and there are 20"):
        select(openings, 21)


# --- the book ---

BOOKS = [(rule, size) for rule in Rule for size in BOOK_SIZES]
OTHER_SIZE = pytest.mark.slow("thousands of openings on another board", ci=True)
SOME_BOOKS = [
    pytest.param(
        *each,
        marks=[]
        if each in (BOOKS[0], BOOKS[-1])
        else pytest.mark.slow("another book of thousands of openings", ci=True),
    )
    for each in BOOKS
]


@cache
def whole_book(rule, size):
    return book(rule, size, "all")


@pytest.mark.parametrize(("rule", "size"), SOME_BOOKS)
def test_the_book_has_thousands_of_openings_and_none_twice(rule, size):
    tuning, final = book(rule, size, "tuning"), book(rule, size, "final")
    both = whole_book(rule, size)
    assert len(both) >= 2000
    assert len(final) == len(both) // 4
    assert {o.name for o in both} == {o.name for o in tuning + final}
    assert duplicates(tuning + final, size) == []


@pytest.mark.parametrize(("rule", "size"), SOME_BOOKS)
def test_every_opening_of_the_book_can_be_played(rule, size):
    for opening in whole_book(rule, size):
        board = position(opening, size, rule)  # raises where it cannot
        assert board.winner is None
        assert 3 <= board.ply <= 9


@pytest.mark.parametrize("size", BOOK_SIZES)
def test_black_is_never_foul_in_the_renju_book_says_the_reference(size):
    for opening in whole_book(Rule.RENJU, size)[::16]:
        board = RefBoard(size, RENJU)
        for number, move in enumerate(opening.moves):
            side, cell = number % 2, board.index(move)
            assert board.may_play(cell, side), opening
            assert not board.wins(cell, side), opening
            board.place(cell, side)


def test_the_book_is_the_same_each_time():
    assert book(Rule.RENJU, 15) == book(4, (15, 15), "tuning")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(12, marks=OTHER_SIZE),
        pytest.param(13, marks=OTHER_SIZE),
        (12, 20),
        pytest.param(19, marks=OTHER_SIZE),
    ],
)
def test_the_book_fits_other_boards_about_their_centre(size):
    names = {opening.name for opening in whole_book(Rule.RENJU, 15)}
    openings = book(Rule.RENJU, size, "all")
    assert 100 < len(openings) <= len(names)
    assert {opening.name for opening in openings} <= names
    for opening in openings[::50]:
        position(opening, size, Rule.RENJU)


@OTHER_SIZE
def test_the_book_of_a_size_is_that_of_larger_boards():
    assert {o.name for o in book(Rule.CARO, (22, 20))} == {
        o.name for o in book(Rule.CARO, 20)
    }


def test_there_is_no_book_for_boards_that_do_not_exist():
    with pytest.raises(ValueError, match="board size 23x23"):
        book(Rule.FREESTYLE, 23)


def test_there_is_no_book_for_small_boards():
    with pytest.raises(ValueError, match="12x12 and more"):
        book(Rule.FREESTYLE, (15, 11))


def test_a_rule_without_a_book_is_one_clear_error(tmp_path, monkeypatch):
    """So a new rule can be played before it has openings (docs/guide.md)."""
    assert has_book(Rule.CARO, 15)
    monkeypatch.setattr(openings, "_data", lambda: tmp_path)
    assert not has_book(Rule.CARO, 15)
    with pytest.raises(ValueError, match="no openings for caro: name a file"):
        book(Rule.CARO, 15)


def test_a_file_of_games_gives_openings(tmp_path):
    path = tmp_path / "book.sgf"
    path.write_text("(;GM[4]SZ[15]C[x];B[hh];W[hg];B[hf])\n(;GM[1];B[gg])")
    first, second = read_openings(path, 15)
    assert first.moves == (Move(7, 7), Move(7, 6), Move(7, 5))
    assert (first.name, second.name) == ("book:1", "book:2")
    path.write_text("(;GM[4]SZ[20];B[tt];W[aa];B[bb])")
    with pytest.raises(ValueError, match="game 1"):
        read_openings(path, 15)
    path.write_text("(;GM[4];B[aa];W[aa])")
    with pytest.raises(ValueError, match="line 1"):
        read_openings(path, 15)


def test_a_list_of_the_book_is_the_callers_own():
    mine = book(Rule.FREESTYLE, 15)
    count = len(mine)
    mine.clear()
    assert len(book(Rule.FREESTYLE, 15)) == count > 0
