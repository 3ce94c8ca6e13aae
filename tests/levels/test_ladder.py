"""What the levels below full strength promise: how they err, and that they do."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from gomoku_brain.control.limits import Limits, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.levels.handicap import by_shapes, choose
from gomoku_brain.levels.ladder import LEVELS, Level, level_at, level_named
from gomoku_brain.levels.shapes import threats, weigh
from gomoku_brain.protocol.session import Session
from gomoku_brain.tactics.threats import _py_defences
from tests.boards import random_boards, with_colours_swapped
from tests.reference import RULES
from tests.sampled import sampled

WEAK = [level for level in LEVELS if level.strength < 100]
BY_LOOKS = [level for level in WEAK if not level.nodes]
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
LINES = "as on other lines"
SOLID, BROKEN = (0, 1, 2), (0, 1, 3)


def names(levels):
    return [level.name for level in levels]


def no_search(board, limits):
    """Stands in for the search where only the move counts."""
    line = (Move(0, 0),)
    return SearchResult(
        score=0, win_in=None, depth=0, seldepth=0, nodes=0, time=0.0, pv=line
    )


def row(direction, stones, rng):
    """White stones on one line around the middle, black ones strewn away from it.

    A four has a black stone right before it, so that one cell is left to stop it.
    """
    dx, dy = DIRECTIONS[direction]
    x, y = 7 + rng.randint(-1, 1), 7 + rng.randint(-1, 1)
    white = [Move(x + (k - 1) * dx, y + (k - 1) * dy) for k in stones]
    black = {Move(x - 2 * dx, y - 2 * dy)} if len(stones) == 4 else set()
    while len(black) < len(white):
        stone = Move(rng.choice((0, 1, 13, 14)), rng.choice((0, 2, 12, 14)))
        if all((stone.x - w.x) ** 2 + (stone.y - w.y) ** 2 > 20 for w in white):
            black.add(stone)
    return Board.from_stones(black, white, turn=Side.BLACK)


def share_left_open(level, direction, stones, count=300):
    """How often a level leaves the opponent's shape unanswered."""
    left = 0
    for number in range(count):
        board = row(direction, stones, random.Random(number))
        _, answers = _py_defences(board)
        result = choose(board, level, Limits(), number, no_search)
        left += result.move not in answers
    return left / count


# --- The table ---


def test_the_ladder_has_at_least_eight_levels_with_the_sources_three():
    assert len(LEVELS) >= 8
    assert {"easy", "medium", "hard"} <= set(names(LEVELS))
    strengths = [level.strength for level in LEVELS]
    assert strengths[0] == 0
    assert strengths[-1] == 100
    assert strengths == sorted(set(strengths))
    assert len(set(names(LEVELS))) == len(LEVELS)


def test_a_higher_level_overlooks_no_more_than_a_lower_one():
    for lower, upper in pairwise(LEVELS):
        assert upper.overlooks_threes < lower.overlooks_threes
        assert upper.overlooks_fours <= lower.overlooks_fours
        assert upper.overlooks_forks <= lower.overlooks_forks


def test_a_number_between_two_levels_means_the_lower_one():
    assert level_at(0).name == "beginner"
    assert level_at(99) == LEVELS[-2]
    assert level_at(100) == LEVELS[-1]
    for level, following in pairwise(LEVELS):
        assert level_at(level.strength) == level
        assert level_at(following.strength - 1) == level


def test_levels_are_found_by_name():
    assert level_named("Easy") == level_at(level_named("easy").strength)
    with pytest.raises(ValueError, match="there are: beginner"):
        level_named("god")


def test_broken_and_diagonal_shapes_are_overlooked_more_often_and_own_ones_less():
    for level in WEAK:
        for four in (False, True):
            plain = level.overlooks(four, solid=True, diagonal=False, own=False)
            assert level.overlooks(four, False, False, False) >= plain
            assert level.overlooks(four, True, True, False) >= plain
            assert level.overlooks(four, True, False, True) <= plain
            assert level.overlooks(four, False, True, False) <= 0.9


# --- What is seen on a board ---


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize(
    ("stones", "four", "solid"),
    [
        (SOLID, False, True),
        (BROKEN, False, False),
        ((0, 1, 2, 3), True, True),
        ((0, 1, 2, 4), True, False),
    ],
)
def test_fours_and_open_threes_are_listed_by_line(direction, stones, four, solid):
    board = row(direction, stones, random.Random(1))
    (threat,) = threats(board)
    assert threat.side == Side.WHITE
    assert threat.direction == direction
    assert threat.is_diagonal == (direction >= 2)
    assert (threat.is_four, threat.is_solid) == (four, solid)


def test_a_three_that_is_not_seen_counts_for_nothing():
    board = row(0, SOLID, random.Random(1))
    (threat,) = threats(board)
    seen = {each.move: each for each in weigh(board)}
    unseen = {
        each.move: each
        for each in weigh(board, [(threat.side, threat.direction, threat.line)])
    }
    assert {each.theirs for each in seen.values()} == {0, 2}
    assert {each.theirs for each in unseen.values()} == {0}
    assert all(unseen[move].value <= seen[move].value for move in seen)


def test_what_renju_forbids_to_black_threatens_nobody():
    moves = "f8 a1 g8 a3 h8 a5 i6 c1 i7 c3 i9 e1"
    stones = Board.from_moves(moves).moves
    free = Board.from_moves(stones, rule=Rule.FREESTYLE)
    renju = Board.from_moves(stones, rule=Rule.RENJU)
    assert {move for move in map(lambda each: each.move, weigh(free))} > {
        each.move for each in weigh(renju)
    }
    assert not any(renju.foul(each.move) for each in weigh(renju))


@pytest.mark.parametrize("rule", RULES)
@sampled(3, 10)
def test_weighed_moves_are_legal_and_near_and_mark_fives(rule, count):
    for board in random_boards("weigh", rule, count, walls=6):
        fives = set()
        for each in weigh(board):
            assert board.is_legal(each.move)
            assert distance_to_stones(board, each.move) <= 2
            if each.own == 3:
                fives.add(each.move)
        assert fives == {move for move in board.legal_moves() if board.wins_at(move)}


def distance_to_stones(board, move):
    return min(
        (
            max(abs(x - move.x), abs(y - move.y))
            for x in range(board.width)
            for y in range(board.height)
            if board.stone((x, y)) is not None
        ),
        default=0,
    )


# --- The mistakes of the levels ---


def assert_is_rate(measured, stated, count=300):
    """Within four standard deviations of what so many trials give."""
    error = (stated * (1 - stated) / count) ** 0.5
    assert abs(measured - stated) <= 4 * error, f"{measured:.3f}, stated {stated:.3f}"


@pytest.mark.parametrize("level", BY_LOOKS, ids=names(BY_LOOKS))
@pytest.mark.parametrize(
    ("direction", "stones"),
    [
        (0, SOLID),
        pytest.param(1, BROKEN, marks=pytest.mark.slow(LINES, ci=True)),
        pytest.param(2, SOLID, marks=pytest.mark.slow(LINES, ci=True)),
        (3, BROKEN),
    ],
    ids=["row", "broken column", "diagonal", "broken diagonal"],
)
def test_open_threes_are_overlooked_at_the_stated_rate(level, direction, stones):
    stated = level.overlooks(False, stones == SOLID, direction >= 2, own=False)
    assert_is_rate(share_left_open(level, direction, stones), stated)


@pytest.mark.parametrize("level", BY_LOOKS, ids=names(BY_LOOKS))
@pytest.mark.parametrize("direction", [0, 3])
def test_fours_are_overlooked_at_the_stated_rate_or_never(level, direction):
    stated = level.overlooks(True, True, direction >= 2, own=False)
    assert_is_rate(share_left_open(level, direction, (0, 1, 2, 3)), stated)


def test_a_level_that_reads_ahead_overlooks_threes_all_the_same():
    level = Level(50, "reader", nodes=300, overlooks_threes=0.3, temperature=2.0)
    left = 0
    with Engine(hash_mb=1) as engine:
        for seed in range(150):
            board = row(0, SOLID, random.Random(seed))
            move = choose(board, level, Limits(), seed, engine.search).move
            left += move not in _py_defences(board)[1]
    assert_is_rate(left / 150, 0.3, 150)


@pytest.mark.parametrize("level", WEAK, ids=names(WEAK))
@sampled(2, 16)
def test_a_five_that_is_seen_is_taken_and_blocked(level, count):
    sharp = replace(level, overlooks_fours=0.0, overlooks_threes=0.0)
    with Engine(hash_mb=1) as engine:
        for number in range(count):
            board = row(number % 4, (0, 1, 2, 3), random.Random(number))
            move = choose(board, sharp, Limits(), number, engine.search).move
            assert move in _py_defences(board)[1]
            own = with_colours_swapped(board)
            own.turn = Side.BLACK
            move = choose(own, sharp, Limits(), number, engine.search).move
            assert own.wins_at(move)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("level", WEAK, ids=names(WEAK))
@sampled(1, 8)
def test_moves_are_legal_and_never_far_away(rule, level, count):
    with Engine(hash_mb=1, seed=2) as engine:
        for board in random_boards("near", rule, count, (15, 9, 20, (11, 16), 5)):
            result = engine.search(board, Limits(strength=level.strength))
            assert board.is_legal(result.move)
            most = 4 if level.nodes else 2
            assert distance_to_stones(board, result.move) <= most
            assert result.pv[0] == result.move


@pytest.mark.parametrize("level", BY_LOOKS, ids=names(BY_LOOKS))
def test_moves_by_shapes_come_from_the_best_ones(level):
    for board in random_boards("breadth", 0, 10, (15,), stones=(4, 20)):
        moves = weigh(board)
        values = sorted((each.value for each in moves), reverse=True)
        least = values[min(level.breadth, len(values)) - 1]
        chosen = by_shapes(moves, level, random.Random(3))
        (value,) = [each.value for each in moves if each.move == chosen]
        urgent = any(each.own >= 2 or each.theirs >= 2 for each in moves)
        assert urgent or value >= least


def test_a_temperature_spreads_the_choice_and_none_takes_the_best():
    board = Board.from_moves("h8 i9 g9 i7")
    moves = weigh(board)
    cold = Level(0, "cold", 0, breadth=10)
    warm = Level(0, "warm", 0, breadth=10, temperature=10.0)
    most = max(each.value for each in moves)
    best = {each.move for each in moves if each.value == most}
    rng = random.Random(1)
    assert {by_shapes(moves, cold, rng) for _ in range(60)} == best
    seen = Counter(by_shapes(moves, warm, rng) for _ in range(300))
    assert len(seen) >= 8


# --- Chance and seeds ---


def game(strength, seed, plies=12):
    moves = []
    with Engine(hash_mb=1, seed=seed) as engine:
        board = Board.from_moves("h8 i9")
        while board.ply < plies and board.winner is None:
            board.play(engine.search(board, Limits(strength=strength)).move)
            moves.append(board.moves[-1])
    return tuple(moves)


@pytest.mark.parametrize("strength", [0, 30, 60, 87])
def test_equal_seeds_give_equal_games(strength):
    assert game(strength, 5) == game(strength, 5)


@pytest.mark.parametrize("strength", [0, 30])
def test_other_seeds_give_other_games(strength):
    assert len({game(strength, seed) for seed in range(6)}) >= 5


def test_without_a_seed_each_game_has_its_own():
    board = Board.from_moves("h8 i9 g9")
    with Engine(hash_mb=1) as engine:
        moves = set()
        for _ in range(40):
            engine.new_game()
            moves.add(engine.search(board, Limits(strength=0)).move)
    assert len(moves) > 3


def test_a_position_met_again_in_a_game_gets_the_same_move():
    board = Board.from_moves("h8 i9 g9")
    with Engine(hash_mb=1) as engine:
        moves = {engine.search(board, Limits(strength=0)).move for _ in range(10)}
    assert len(moves) == 1


# --- Full strength, limits, honesty ---


def test_full_strength_is_as_without_levels():
    board = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
    results = []
    for limits in (Limits(nodes=3000), Limits(nodes=3000, strength=100)):
        with Engine(hash_mb=1, seed=4) as engine:
            result = engine.search(board, limits)
            results.append((result.move, result.score, result.nodes, result.pv))
    assert results[0] == results[1]


@pytest.mark.parametrize("strength", [-1, 101])
def test_a_strength_out_of_range_is_refused(strength):
    with pytest.raises(ValueError, match="0 to 100"):
        Engine(hash_mb=1).search(Board(), Limits(strength=strength))


def test_several_lines_of_a_level_are_refused():
    board = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
    limits = Limits(nodes=3000, multipv=3, strength=50)
    with Engine(hash_mb=1) as engine:
        for search in (engine.search, engine.analysis):
            with pytest.raises(ValueError, match="has no multipv"):
                search(board, limits)


def test_the_depth_of_a_level_is_respected():
    board = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
    with Engine(hash_mb=1, seed=3) as engine:
        for strength in (0, 30, 60, 90):
            limits = Limits(strength=strength, depth=2)
            assert engine.search(board, limits).depth <= 2


def test_a_losing_move_is_reported_as_losing_though_its_player_saw_no_danger():
    blind = Level(0, "blind", 0, overlooks_threes=0.9, temperature=1.0)
    board = row(2, BROKEN, random.Random(1))
    lost = 0
    with Engine(hash_mb=1) as engine:
        for seed in range(20):
            result = choose(board, blind, Limits(), seed, engine.search)
            if result.move not in _py_defences(board)[1]:
                assert result.win_in == -4
                assert result.score == -30000 + 4
                lost += 1
    assert lost > 10


def test_a_five_and_the_last_cell_are_reported_so():
    board = Board.from_moves("f8 a1 g8 a2 h8 c1 i8 c2")
    with Engine(hash_mb=1, seed=1) as engine:
        result = engine.search(board, Limits(strength=33))
        assert (result.win_in, result.score, len(result.pv)) == (1, 29999, 1)
        assert result.time > 0
        full = nearly_full_board()
        result = engine.search(full, Limits(strength=33))
        assert (result.move, result.score, result.win_in) == (Move(4, 4), 0, None)


def nearly_full_board():
    """5x5 without a five, one cell left."""
    rows = ["XXOXX", "OOXOO", "XXOXX", "OOXOO", "XXOX."]
    stones = {"X": [], "O": []}
    for y, line in enumerate(rows):
        for x, sign in enumerate(line):
            if sign in stones:
                stones[sign].append(Move(x, y))
    return Board.from_stones(stones["X"], stones["O"], size=5, turn=Side.WHITE)


@pytest.mark.parametrize("level", WEAK, ids=names(WEAK))
def test_excluded_moves_time_and_nodes_are_respected(level):
    board = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
    with Engine(hash_mb=1, seed=3) as engine:
        first = engine.search(board, Limits(strength=level.strength)).move
        limits = Limits(strength=level.strength, exclude=(first,))
        assert engine.search(board, limits).move != first
        limits = Limits(strength=level.strength, time=0.0, nodes=1)
        hurried = engine.search(board, limits)
        assert board.is_legal(hurried.move)
        assert hurried.nodes <= 1024  # until its first look at the clock


@pytest.mark.parametrize("level", WEAK, ids=names(WEAK))
def test_the_first_stone_and_a_board_of_walls_get_a_move(level):
    with Engine(hash_mb=1, seed=3) as engine:
        limits = Limits(strength=level.strength)
        assert engine.search(Board(9), limits).move == Move(4, 4)
        walls = [(x, y) for x in range(9) for y in range(9) if (x + y) % 2]
        board = Board.from_stones((), (), walls, size=9)
        assert board.is_legal(engine.search(board, limits).move)


# --- Through the protocol ---


def test_info_strength_reaches_the_engine():
    replies = []
    for _ in range(2):
        session = Session(seed=7)
        session.handle("START 15")
        session.handle("INFO strength 0")
        session.handle("BEGIN")
        replies.append(session.handle("TURN 8,8")[-1])
    assert replies[0] == replies[1]
    board = Board.from_moves([(7, 7), (8, 8)])
    with Engine(hash_mb=1, seed=7) as engine:
        move = engine.search(board, Limits(strength=0)).move
    assert replies[0] == f"{move.x},{move.y}"


@pytest.mark.parametrize(
    ("expected", "meant"),
    [("-5", 0), ("0", 0), ("55", 55), ("100", 100), ("1000", 100)],
)
def test_a_strength_beyond_the_ends_means_the_end(expected, meant):
    session = Session()
    session.handle(f"INFO strength {expected}")
    assert session.options.playing_strength == meant


def test_a_session_starts_at_the_strength_that_it_is_given():
    session = Session(strength=11)
    assert session.options.playing_strength == 11
    session.handle("INFO strength 100")
    assert session.options.playing_strength == 100
