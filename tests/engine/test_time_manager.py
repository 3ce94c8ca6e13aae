from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.engine import time_manager
from gomoku_brain.engine.time_manager import (
    INSTANT_NODES,
    UNLIMITED_MS,
    MatchClock,
    allot,
    is_time_used,
    unawaited,
)


def milliseconds(budget):
    return round(budget.time * 1000, 3), round(budget.target * 1000, 3)


def test_the_page_about_the_protocol_has_these_numbers():
    page = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"
    text = " ".join(page.read_text("utf-8").split())
    words = {7: "seventh", 10: "tenth", 0.9: "nine tenths", 0.5: "half"}
    manager = time_manager
    for phrase in (
        f"less max({manager._RESERVE_MS:g} ms, {manager._RESERVE_SHARE:.0%}). It is"
        f" {manager._STRICT_RESERVE_MS:g} ms earlier".replace("%", " %"),
        f"at least {words[manager._SHORT_SHARE]} of the smaller limit",
        f"reserves {manager._MOVE_RESERVE_MS:g} ms for each of its moves",
        f"(at most {words[manager._MAX_RESERVED]} of the clock)",
        f"usually takes a {words[manager._MATCH_MOVES]}"
        f" and at most a {words[manager._MATCH_MOST]}",
    ):
        assert phrase in text


def test_without_a_limit_there_is_no_deadline():
    assert allot(None, None) == (None, None, False, None)


@pytest.mark.parametrize(
    ("turn", "hard", "target"),
    [
        (400, 380, 375),  # 20 ms and 5 ms: below 1000 and 500 ms more than 2 and 1 %
        (1000, 980, 970),
        (5000, 4900, 4850),
        (30000, 29400, 29100),
        (100, 80, 75),
        (50, 30, 25),
        (30, 15, 10),  # below 40 ms half of the limit
    ],
)
def test_a_turn_limit_is_used_up_to_the_margins(turn, hard, target):
    assert milliseconds(allot(turn, None)) == (hard, target)


def test_a_strict_manager_gets_60_ms_more():
    known = allot(5000, 300000)
    strict = allot(5000, 300000, strict=True)
    assert known.time - strict.time == pytest.approx(0.06)
    assert known.target - strict.target == pytest.approx(0.06)


@pytest.mark.parametrize("turn", [0, -0.0, 1, 19])
def test_a_limit_too_small_to_think_is_answered_at_once(turn):
    budget = allot(turn, None)
    assert budget.instant
    assert budget.time <= 0.010
    assert INSTANT_NODES <= 2000


@pytest.mark.parametrize("left", [-5, 0, 1, 99])
def test_an_overdrawn_match_clock_is_answered_at_once(left):
    budget = allot(5000, left)
    assert budget.instant
    assert budget.time <= 0.010


def test_a_move_takes_a_seventh_of_the_match_at_most_and_a_tenth_as_a_rule():
    assert milliseconds(allot(None, 70000)) == (10000, 7000)
    assert milliseconds(allot(30000, 180000)) == (pytest.approx(25714.286), 18000)
    assert milliseconds(allot(5000, 120000)) == (4900, 4850)


def test_every_move_until_the_board_is_full_keeps_its_share_of_the_clock():
    # 101 moves: 100 to come keep 15 ms each
    assert milliseconds(allot(None, 71500, moves=101)) == (10000, 7000)
    assert milliseconds(allot(None, 71500, moves=101, increment=15)) == (
        pytest.approx(71500 / 7 + 15),
        pytest.approx(71500 / 10 + 15),
    )
    # at most nine tenths of the clock are kept
    assert milliseconds(allot(None, 1400, moves=101)) == (
        pytest.approx(20),
        pytest.approx(10),
    )


def test_the_last_moves_share_what_is_left():
    assert allot(None, 8000, moves=1).time > 7.5
    assert milliseconds(allot(None, 8000, moves=2)) == (3992.5, pytest.approx(3912.5))


@given(
    turn=st.integers(200, 10**5),
    left=st.integers(0, 10**6),
    late=st.floats(0, 10),
    stones=st.integers(0, 200),
)
def test_a_game_to_the_full_board_is_not_lost_on_time(turn, left, late, stones):
    """Every move uses its whole target and comes up to 10 ms late besides.

    An instant one, of 1,000 nodes, takes 2 ms.
    """
    moves = (225 - stones + 1) // 2
    left = max(left, 40 * moves)
    while moves:
        budget = allot(turn, left, moves=moves)
        left -= (2 if budget.instant else budget.target * 1000) + late
        moves -= 1
    assert left > 0


def test_an_increment_is_spent():
    assert milliseconds(allot(None, 70000, increment=1000)) == (11000, 8000)
    assert milliseconds(allot(None, 70000, increment=-1000)) == (10000, 7000)


def test_what_was_spent_before_the_move_comes_off_it():
    plain, charged = allot(1000, None), allot(1000, None, spent=70)
    assert plain.time - charged.time == pytest.approx(0.07)
    assert plain.target - charged.target == pytest.approx(0.07)
    assert allot(100, None, spent=80).instant


@given(
    turn=st.none() | st.integers(-10, 10**8),
    left=st.none() | st.integers(-(10**6), 10**9),
    increment=st.integers(0, 10**5),
    strict=st.booleans(),
    spent=st.floats(0, 2000),
)
def test_a_budget_never_exceeds_what_is_granted(turn, left, increment, strict, spent):
    budget = allot(turn, left, increment=increment, strict=strict, spent=spent)
    limits = [value for value in (turn, left) if value is not None]
    if not limits:
        assert budget.time is None
        return
    limit = min(limits)
    assert budget.limit == limit / 1000
    assert 0 < budget.target <= budget.time
    if budget.instant:
        assert budget.time <= 0.010
        assert budget.time <= max(limit / 2000, 0.002) or limit <= 0
    else:
        assert budget.time * 1000 + spent <= limit - min(20, limit / 2) + 1e-6
        if left is not None:
            assert budget.time * 1000 <= left / 7 + increment + 1e-6


def test_the_match_clock_counts_our_own_time_without_reports():
    clock = MatchClock()
    assert clock.left is None
    clock.set_total(60000)
    clock.charge(5000)
    clock.charge(1000, increment=200)
    assert clock.left == 54200
    clock.new_match()
    assert clock.left == 60000


def test_the_time_left_is_that_of_the_manager():
    clock = MatchClock()
    clock.set_total(60000)
    clock.charge(5000)
    clock.set_left(40000)
    assert clock.left == 40000
    clock.charge(1000)
    assert clock.left == 39000
    clock.set_left(-5)
    assert clock.left == -5


def test_time_left_before_start_belongs_to_that_game():
    clock = MatchClock()
    clock.set_left(40000)
    clock.new_match()
    assert clock.left == 40000
    clock.charge(1000)
    clock.new_match()
    assert clock.left is None


@pytest.mark.parametrize("value", [UNLIMITED_MS, 1 << 62])
def test_the_largest_values_mean_no_limit(value):
    clock = MatchClock()
    clock.set_total(60000)
    clock.set_left(value)
    assert clock.left is None
    clock.new_match()
    clock.charge(10)
    clock.new_match()
    clock.set_total(value)
    assert clock.left is None


def test_a_time_left_in_mid_move_counts_from_then():
    clock = MatchClock()
    clock.set_left(10000, elapsed=3000)
    clock.charge(3500)  # the whole move, of which 500 ms came after
    assert clock.left == 9500


# Of a search that goes on


def test_deadlines_run_from_the_arrival_of_the_command():
    budget = allot(1000, None)
    assert budget.deadlines(100.0, 100.3) == pytest.approx((100.98, 100.97))
    assert budget.deadlines(100.0, 100.3, share=0.5) == pytest.approx((100.49, 100.485))
    assert allot(None, None).deadlines(100.0, 100.3) == (None, None)


def test_an_answer_that_is_due_at_once_has_its_few_milliseconds_all_the_same():
    assert allot(0, None).deadlines(100.0, 107.0) == pytest.approx((107.01, 107.01))


def used(elapsed, target, hard, *, unchanged=1, depth=10):
    """``is_time_used`` with limits counted from the beginning of the search."""
    return is_time_used(
        elapsed, target - elapsed, hard - elapsed, unchanged=unchanged, depth=depth
    )


def test_without_a_target_time_is_never_used_up():
    assert not is_time_used(99.0, None, None, unchanged=9, depth=30)
    assert not is_time_used(99.0, None, 1.0, unchanged=9, depth=30)


def test_a_turn_limit_is_used_to_its_target():
    assert not used(0.96, 0.97, 0.98, unchanged=9)
    assert used(0.97, 0.97, 0.98, unchanged=0)


def test_on_a_match_clock_half_of_the_target_is_the_last_moment_to_go_deeper():
    assert not used(0.54, 1.0, 5.0)
    assert used(0.56, 1.0, 5.0)


def test_a_stable_best_move_saves_time_and_a_new_one_takes_more():
    assert used(0.39, 1.0, 5.0, unchanged=4)
    assert not used(0.87, 1.0, 5.0, unchanged=0)
    assert used(0.89, 1.0, 5.0, unchanged=0)
    assert used(0.56, 1.0, 5.0, unchanged=0, depth=4)  # means nothing so early


@pytest.mark.parametrize(
    ("limit", "bounded", "seconds"),
    [
        (5.0, False, None),
        (5.0, True, None),
        (None, True, 5.0),
        (2000.0, True, 5.0),
        (None, False, 0.0),
        (2000.0, False, 0.0),
    ],
)
def test_a_search_that_is_not_awaited_ends_soon(limit, bounded, seconds):
    assert unawaited(limit, bounded=bounded) == seconds
