"""Swap2: the choice of a colour, and of the stones to offer.

The first player puts black, white, black. The second takes black, or stays white and
moves, or adds two stones and lets the first choose. The player who lets the other
choose gets the worse colour, so an offer must be as even as possible. A search drops
the most uneven of many offers and continues with the others at greater depth.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

from gomoku_brain.control.limits import SearchResult
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.symmetry import symmetries, transform_moves

if TYPE_CHECKING:
    from random import Random

    from gomoku_brain.game.position import Board

Offer = tuple[Move, ...]

CHOICE_SHARE = 0.4
"""Part of the time and nodes for the choice of a colour, if two stones may follow."""

_CLEAR = 50  # score units: a colour that is better by so much is taken; set by hand

# The rounds of ``most_even``: 45 offers with 2,000 nodes each, 15 with 10,000, 5 with
# 50,000, 1 with 250,000: 740,000 in all.
_OFFERS = 45
FIRST_NODES = 2_000
_DEEPER = 5  # factor of the nodes of the last round
_KEPT = 3  # one of so many offers stays for the next round
_BALANCING_OFFERS = 80  # of one or two stones for ``balancing_stones``
_REACH = 3  # most cells between a stone and an added one

_DATA = Path(__file__).parents[1] / "data"
_BOOK_SMALLEST = 12  # cells along a side
_BOOK_LINE = 9  # most characters of three stones: "o15k15l15"

# Stones for boards too small for the book, and for rules without a book: cells counted
# from the top left corner. The first triple that fits is placed. It is near a corner,
# since black has no quick win there.
_CORNERS = (
    ((2, 0), (3, 2), (5, 4)),
    ((2, 1), (2, 3), (4, 2)),
    ((0, 0), (2, 1), (3, 3)),
)


def takes_black(white_to_move: SearchResult) -> bool:
    """Whether black is the better colour, by a search with white to move."""
    if white_to_move.win_in is not None:
        return white_to_move.win_in <= 0
    return white_to_move.score is not None and white_to_move.score < 0


def is_even(result: SearchResult) -> bool:
    """Whether neither colour is clearly better, by a search."""
    if result.win_in is not None or result.score is None:
        return False
    return is_small(result.score)


def is_small(score: int) -> bool:
    """Whether a score is no clear advantage."""
    return abs(score) < _CLEAR


def most_even(
    offers: Sequence[Offer], score: Callable[[Offer, int], int | None]
) -> tuple[Offer, int] | None:
    """Return the offer whose scores stay nearest to 0, and its largest distance from 0.

    ``score(offer, nodes)`` is None if there is no time for more. The result is None if
    there was not even time for the first offer.
    """
    distance: dict[Offer, int] = {}
    nodes = FIRST_NODES
    while True:
        for offer in offers:
            value = score(offer, nodes)
            if value is None:
                offers = ()
                break
            # An even score at one depth may be chance; at all depths it is less likely.
            distance[offer] = max(abs(value), distance.get(offer, 0))
        # If a round is interrupted, the offers that it did not reach have the scores of
        # the round before.
        ranked = sorted(distance, key=distance.__getitem__)
        if len(offers) < _KEPT:
            return (ranked[0], distance[ranked[0]]) if ranked else None
        offers = ranked[: len(offers) // _KEPT]
        distance = {offer: distance[offer] for offer in offers}
        nodes *= _DEEPER


def three_stones(
    width: int, height: int, rule: Rule, seed: object = None
) -> list[Offer]:
    """Return offers of three stones (black, white, black) for an empty board.

    They are openings of the book, chosen and turned at random. Equal seeds give equal
    offers; with None they differ each time.
    """
    rng = _random(seed)
    offers = list(_book(width, height, rule))
    if not offers:
        for cells in _CORNERS:
            # The cells must not be beyond the middle: the table assumes that only one
            # side of them has open space.
            if all(x <= width // 2 and y <= height // 2 for x, y in cells):
                break
        return [tuple([Move(x, y) for x, y in cells])]
    numbers = symmetries(width, height)
    return [
        tuple(transform_moves(offer, width, height, rng.choice(numbers)))
        for offer in rng.sample(offers, min(_OFFERS, len(offers)))
    ]


def two_stones(
    width: int, height: int, stones: Iterable[Move], seed: object = None
) -> list[Offer]:
    """Return offers of another white and black stone, near those on the board.

    All are legal: a five, or a foul in renju, needs more than the three stones. The
    ``seed`` is as for ``three_stones``.
    """
    stones = list(stones)
    near = {
        Move(x, y)
        for stone in stones
        for x in range(max(stone.x - _REACH, 0), min(stone.x + _REACH + 1, width))
        for y in range(max(stone.y - _REACH, 0), min(stone.y + _REACH + 1, height))
    }
    pairs = list(permutations(sorted(near.difference(stones)), 2))
    return _random(seed).sample(pairs, min(_OFFERS, len(pairs)))


def balancing_stones(board: "Board", count: int, seed: object = None) -> list[Offer]:
    """Return offers of one or two stones that may make a position even.

    They are near the stones on the board, or on an empty board anywhere up to symmetry,
    and no stone of them wins or is forbidden. The ``seed`` is as for ``three_stones``.
    """
    width, height = board.width, board.height
    if board.ply:
        near = {
            Move(x, y)
            for stone in board.moves
            for x in range(max(stone.x - _REACH, 0), min(stone.x + _REACH + 1, width))
            for y in range(max(stone.y - _REACH, 0), min(stone.y + _REACH + 1, height))
        }
    else:
        rows, columns = range((height + 1) // 2), range((width + 1) // 2)
        near = {Move(x, y) for y in rows for x in columns if width != height or x <= y}
    cells = [m for m in sorted(near) if board.is_legal(m) and not board.wins_at(m)]
    offers: list[Offer] = [(cell,) for cell in cells]
    if count == 2:
        offers = []
        for first in cells:
            after = board.copy()
            after.play(first)
            around = [m for m in cells if after.is_legal(m) and not after.wins_at(m)]
            offers += [(first, second) for second in around]
    if not offers:  # a lost or a crowded board
        offers = [(cell,) for cell in board.legal_moves()] if count == 1 else []
    return _random(seed).sample(offers, min(_BALANCING_OFFERS, len(offers)))


def _random(seed: object) -> "Random":
    from random import Random  # late: it takes milliseconds of the start

    return Random(None if seed is None else str(seed))


def _book(width: int, height: int, rule: Rule) -> Iterable[Offer]:
    """Yield the fitting openings of three stones of the shipped book, around the
    centre; none for a rule without a book.
    """
    if min(width, height) < _BOOK_SMALLEST:
        return
    size = 20 if min(width, height) >= 20 else 15
    dx, dy = width // 2 - size // 2, height // 2 - size // 2
    try:
        text = (_DATA / f"openings_{rule.name.lower()}{size}.txt").read_text("ascii")
    except FileNotFoundError:
        return
    for line in text.splitlines():
        if len(line) > _BOOK_LINE or line.startswith("#"):
            continue
        stones = tuple([Move(x + dx, y + dy) for x, y in parse_moves(line)])
        if len(stones) == 3 and all(
            0 <= x < width and 0 <= y < height for x, y in stones
        ):
            yield stones
