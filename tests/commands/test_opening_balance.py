"""The generator of balanced openings, on a few candidates with small searches."""

from itertools import islice
from math import exp
from random import Random
from statistics import mean, stdev

import pytest

from gomoku_brain.commands import _opening_balance as balance
from gomoku_brain.commands._opening_balance import (
    OpeningRecipe,
    balanced_score,
    black_points,
    candidate,
    even_of,
    fit_even,
    generate,
    shape,
)
from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import transform_moves
from gomoku_brain.records.openings import Opening, canonical, parse_opening, position
from tests.sampled import sampled


def recipe(rule=Rule.FREESTYLE, size=15, **other):
    return OpeningRecipe(rule, size, even_of(rule, size), **({"nodes": 1500} | other))


@pytest.fixture(scope="module")
def engine():
    return Engine(hash_mb=1)


@pytest.mark.parametrize("rule", list(Rule))
def test_candidates_can_be_played_and_are_of_many_kinds(rule):
    found = [candidate(recipe(rule), number) for number in range(200)]
    openings = [opening for opening in found if opening is not None]
    assert len(openings) > 190
    for opening in openings:
        position(opening, 15, rule)  # raises where it cannot
    assert {len(opening.moves) for opening in openings} == set(range(3, 10))
    spread = [max(x for x, _ in o.moves) - min(x for x, _ in o.moves) for o in openings]
    assert min(spread) <= 2
    assert max(spread) >= 10
    room = [min(min(*m, 14 - m.x, 14 - m.y) for m in o.moves) for o in openings]
    assert room.count(0) > 15
    assert sum(r >= 4 for r in room) > 10


def test_number_and_seed_determine_a_candidate():
    one = [candidate(recipe(), number) for number in range(20)]
    assert one == [candidate(recipe(), number) for number in range(20)]
    assert one != [candidate(recipe(seed=2), number) for number in range(20)]
    assert len(set(one)) == 20


def test_the_list_does_not_depend_on_workers_or_where_it_begins():
    wide = recipe(window=120)  # some are taken, whatever the weights of the day
    judged = list(islice(generate(wide), 80))
    assert [number for number, _ in judged] == list(range(80))
    assert 0 < sum(opening is not None for _, opening in judged) < 50
    assert list(islice(generate(wide, workers=2), 80)) == judged
    assert list(islice(generate(wide, first=37), 43)) == judged[37:]


def test_what_is_taken_is_near_even_and_holds_no_win_by_fours(engine):
    wanted = recipe(Rule.RENJU, window=40)
    taken = [opening for _, opening in islice(generate(wanted), 300) if opening]
    assert len(taken) > 1
    for opening in taken:
        board = position(opening, 15, Rule.RENJU)
        engine.new_game()
        score = engine.search(board, Limits(nodes=wanted.nodes)).score
        black = -score if board.turn == Side.WHITE else score
        assert abs(black - wanted.even) <= 40
        for side in (board.turn, board.turn.other):
            board.turn = side
            assert engine.solve(board) is None


# Black has an open three; white is to move in the first, black in the second.
@pytest.mark.parametrize("moves", ["h8 a1 i8 c1 j8", "h8 a1 i8 c1 j8 e1"])
def test_a_win_of_either_side_is_no_balance(engine, moves):
    board = Board.from_moves(moves)
    assert balanced_score(engine, board, recipe(window=10**6)) is None
    quiet = Board.from_moves("h8 a1")
    assert balanced_score(engine, quiet, recipe(window=10**6)) is not None


def test_a_score_far_from_even_is_no_balance(engine):
    board = Board.from_moves("h8 i9")
    engine.new_game()
    score = engine.search(board, Limits(nodes=1500)).score
    near = OpeningRecipe(Rule.FREESTYLE, 15, score, nodes=1500)
    assert balanced_score(engine, board, near) == score
    far = OpeningRecipe(Rule.FREESTYLE, 15, score - 60, nodes=1500)
    assert balanced_score(engine, board, far) is None


def test_a_longer_search_may_refuse(engine, monkeypatch):
    """A win of 15 plies that 1,500 nodes do not see, and ten thousand do."""
    board = position(parse_opening("h8g8i7d5k9d8f5", 15), 15, Rule.FREESTYLE)
    wide = recipe(window=10**6)
    assert balanced_score(engine, board, wide) is not None
    assert balanced_score(engine, board, recipe(window=10**6, check=60_000)) is None

    quiet = Board.from_moves("h8 i10 f6")
    score = balanced_score(engine, quiet, wide)
    engine.new_game()
    assert engine.search(quiet, Limits(nodes=20_000)).score != -score, "white to move"
    aimed = OpeningRecipe(Rule.FREESTYLE, 15, score, 1, 1500, window=500, check=20_000)
    assert balanced_score(engine, quiet, aimed) == score, "that of the shorter search"
    monkeypatch.setattr(balance, "CHECK_WINDOW", 0)
    assert balanced_score(engine, quiet, aimed) is None


def test_images_orders_and_shifts_are_one_shape():
    opening = parse_opening("h8 i9 j8 k12", 15)
    moves = opening.moves
    swapped = Opening((moves[2], moves[3], moves[0], moves[1]))
    assert shape(swapped, 15) == shape(opening, 15)
    for k in range(8):
        image = [(x + 2, y - 3) for x, y in transform_moves(moves, 15, 15, k)]
        shifted = Opening(tuple(type(moves[0])(x, y) for x, y in image))
        assert shape(shifted, 15) == shape(opening, 15)
        assert canonical(shifted, 15, 15) != canonical(opening, 15, 15)
    assert shape(parse_opening("i9 h8 j8 k12", 15), 15) != shape(opening, 15)


def test_a_game_played_out_goes_to_the_side_that_wins(engine):
    rng = Random(1)
    black_wins = "h8 a1 i8 c1 j8 e1"
    white_wins = "a1 h8 c1 i8 e1 j8 g1"
    for moves, points in ((black_wins, 1.0), (white_wins, 0.0)):
        board = Board(15)
        for move in parse_moves(moves):
            board.play(move)
        ply = board.ply
        assert black_points(engine, board, 200, rng) == points
        assert board.ply == ply, "the board is the caller's"


def test_a_game_without_room_for_a_five_is_drawn(engine):
    # Never three of a colour in a line, and the holes leave both in every five cells.
    stones = {
        (x, y): (x + 2 * y) % 4 < 2
        for y in range(12)
        for x in range(12)
        if not (y % 4 == 0 and x % 2 == 0) and not (y % 4 == 2 and x % 2 == 1)
    }
    black = [cell for cell, is_black in stones.items() if is_black]
    white = [cell for cell, is_black in stones.items() if not is_black]
    board = Board.from_stones(black, white, size=12)
    assert board.winner is None
    assert 144 - board.ply == 36
    assert black_points(engine, board, 200, Random(1)) == 0.5


def test_the_even_score_is_found_again():
    # Shares that follow the logistic curve exactly: even at 70, slope 0.8.
    scores = range(-230, 370, 10)
    samples = [(s, 1 / (1 + exp(-0.8 * (s - 70) / 100))) for s in scores]
    even, error, slope = fit_even(samples)
    assert even == pytest.approx(70)
    assert slope == pytest.approx(0.8)
    assert 20 < error < 60


@sampled(120, 200)
def test_the_error_of_the_even_score_is_that_of_repeated_samples(count):
    rng = Random(5)
    found = []
    for _ in range(count):
        scores = [rng.randint(-150, 350) for _ in range(200)]
        wins = [
            float(rng.random() < 1 / (1 + exp(-0.8 * (s - 70) / 100))) for s in scores
        ]
        found.append(fit_even(zip(scores, wins, strict=True))[:2])
    spread = stdev(even for even, _ in found)
    assert mean(error for _, error in found) == pytest.approx(spread, rel=0.25)


@pytest.mark.parametrize("samples", [[], [(50, 1.0)], [(0, 1.0), (100, 0.0)]])
def test_without_a_trend_there_is_no_even_score(samples):
    with pytest.raises(ValueError, match="do not depend"):
        fit_even(samples)
