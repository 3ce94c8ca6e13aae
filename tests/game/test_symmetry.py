"""The symmetries of squares and rectangles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.symmetry import (
    canonical,
    images,
    inverse,
    symmetries,
    transform_move,
    transform_moves,
)

SQUARE = range(8)
RECTANGLE = range(4)


@st.composite
def boards(draw):
    """A width, a height, and two disjoint sets of cells."""
    width = draw(st.integers(1, 22))
    height = draw(st.one_of(st.just(width), st.integers(1, 22)))
    cell = st.builds(Move, st.integers(0, width - 1), st.integers(0, height - 1))
    stones = draw(st.lists(cell, unique=True, max_size=12))
    cut = draw(st.integers(0, len(stones)))
    return width, height, stones[:cut], stones[cut:]


def test_where_each_symmetry_takes_a_cell():
    assert [str(transform_move((1, 0), 5, 5, k)) for k in SQUARE] == [
        "b1",
        "d1",
        "b5",
        "d5",
        "a2",
        "a4",
        "e2",
        "e4",
    ]
    assert [str(transform_move((1, 0), 6, 5, k)) for k in RECTANGLE] == [
        "b1",
        "e1",
        "b5",
        "e5",
    ]


def test_the_centre_of_a_square_stays():
    assert {transform_move((7, 7), 15, 15, k) for k in SQUARE} == {(7, 7)}


@pytest.mark.parametrize("k", SQUARE)
def test_the_inverse_undoes_every_symmetry_of_a_square(k):
    for x in range(5):
        for y in range(5):
            image = transform_move((x, y), 5, 5, k)
            assert isinstance(image, Move)
            assert transform_move(image, 5, 5, inverse(k)) == (x, y)


@given(boards())
def test_the_inverse_undoes_every_symmetry(board):
    width, height, stones, _ = board
    for k in symmetries(width, height):
        image = transform_moves(stones, width, height, k)
        assert transform_moves(image, width, height, inverse(k)) == stones


@pytest.mark.parametrize("size", [(5, 5), (5, 7)])
def test_symmetries_are_distinct_permutations_of_the_cells(size):
    width, height = size
    cells = [(x, y) for x in range(width) for y in range(height)]
    all_images = images(cells, width, height)
    assert len(all_images) == len(symmetries(width, height))
    assert all(sorted(image) == sorted(cells) for image in all_images)
    assert len({tuple(image) for image in all_images}) == len(all_images)


def test_symmetries_keep_lines():
    """Two cells one step apart on a line stay one step apart."""
    for k in SQUARE:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            a = transform_move((4, 6), 9, 9, k)
            b = transform_move((4 + dx, 6 + dy), 9, 9, k)
            steps = sorted((abs(a.x - b.x), abs(a.y - b.y)))
            assert steps == sorted((abs(dx), abs(dy)))


def test_the_symmetries_are_closed_under_composition():
    marked = [(0, 0), (1, 0), (2, 3)]
    known = {tuple(image) for image in images(marked, 7, 7)}
    for image in images(marked, 7, 7):
        assert {tuple(again) for again in images(image, 7, 7)} == known


@given(boards())
def test_all_images_have_one_canonical_form(board):
    width, height, black, white = board
    form = canonical((black, white), width, height)
    for k in symmetries(width, height):
        turned = [transform_moves(group, width, height, k) for group in (black, white)]
        assert canonical(turned, width, height).groups == form.groups


@given(boards())
def test_the_canonical_form_is_the_image_under_the_symmetry_it_names(board):
    width, height, black, white = board
    form = canonical((black, white), width, height)
    assert form.groups == tuple(
        tuple(sorted(transform_moves(group, width, height, form.symmetry)))
        for group in (black, white)
    )


def test_the_canonical_form_distinguishes_positions():
    corner = canonical(([(0, 0)], [(1, 0)]), 15, 15)
    assert corner.groups == canonical(([(14, 14)], [(14, 13)]), 15, 15).groups
    assert corner.groups != canonical(([(1, 0)], [(0, 0)]), 15, 15).groups
    assert corner.groups != canonical(([(0, 0)], [(1, 1)]), 15, 15).groups


def test_a_rectangle_is_not_turned_by_a_quarter():
    for k in (4, 5, 6, 7):
        with pytest.raises(ValueError, match="15x20 board has no symmetry"):
            transform_move((0, 0), 15, 20, k)


@pytest.mark.parametrize("k", [-1, 8])
def test_there_are_eight_symmetries(k):
    with pytest.raises(ValueError, match="no symmetry"):
        transform_move((0, 0), 15, 15, k)
    with pytest.raises(ValueError, match="no symmetry"):
        inverse(k)
