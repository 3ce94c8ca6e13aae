from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.engine import time_manager
from gomoku_brain.engine.time_manager import (
    INSTANT_NODES,
    Budget,
    MatchClock,
    allot,
    is_time_used,
    unawaited,
)


def times(budget):
    return round(budget.time, 6), round(budget.target, 6)


def test_the_page_about_the_protocol_has_these_numbers():
    page = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"
    text = " ".join(page.read_text("utf-8").split())
    words = {7: "seventh", 10: "tenth", 0.9: "nine tenths", 0.5: "half"}
    manager = time_manager
    for phrase in (
        f"less max({manager._RESERVE * 1000:g} ms, {manager._RESERVE_SHARE:.0%}). It is"
        f" {manager._STRICT_RESERVE * 1000:g} ms earlier".replace("%", " %"),
        f"at least {words[manager._SHORT_SHARE]} of the smaller limit",
        f"reserves {manager._MOVE_RESERVE * 1000:g} ms for each of its moves",
        f"(at most {words[manager._MAX_RESERVED]} of the clock)",
        f"usually takes a {words[manager._MATCH_MOVES]}"
        f" and at most a {words[manager._MATCH_MOST]}",
    ):
        assert phrase in text


def test_without_a_limit_there_is_no_deadline():
    assert allot(None, None) == Budget(None, None, False, None)


@pytest.mark.parametrize(
    ("turn", "hard", "target"),
    [
        (0.4, 0.38, 0.375),  # 20 ms and 5 ms: below 1 and 0.5 s more than 2 and 1 %
        (1, 0.98, 0.97),
        (5, 4.9, 4.85),
        (30, 29.4, 29.1),
        (0.1, 0.08, 0.075),
        (0.05, 0.03, 0.025),
        (0.03, 0.015, 0.01),  # below 40 ms half of the limit
    ],
)
def test_a_turn_limit_is_used_up_to_the_margins(turn, hard, target):
    assert times(allot(turn, None)) == (hard, target)


def test_a_strict_manager_gets_60_ms_more():
    known = allot(5, 300)
    strict = allot(5, 300, strict=True)
    assert known.time - strict.time == pytest.approx(0.06)
    assert known.target - strict.target == pytest.approx(0.06)


@pytest.mark.parametrize("turn", [0, -0.0, 0.001, 0.019])
def test_a_limit_too_small_to_think_is_answered_at_once(turn):
    budget = allot(turn, None)
    assert budget.instant
    assert budget.time <= 0.010
    assert INSTANT_NODES <= 2000


@pytest.mark.parametrize("left", [-0.005, 0, 0.001, 0.099])
def test_an_overdrawn_match_clock_is_answered_at_once(left):
    budget = allot(5, left)
    assert budget.instant
    assert budget.time <= 0.010


def test_a_move_takes_a_seventh_of_the_match_at_most_and_a_tenth_as_a_rule():
    assert times(allot(None, 70)) == (10, 7)
    assert times(allot(30, 180)) == (pytest.approx(25.714286), 18)
    assert times(allot(5, 120)) == (4.9, 4.85)


def test_every_move_until_the_board_is_full_keeps_its_share_of_the_clock():
    # 101 moves: 100 to come keep 15 ms each
    assert times(allot(None, 71.5, moves=101)) == (10, 7)
    assert times(allot(None, 71.5, moves=101, increment=0.015)) == (
        pytest.approx(71.5 / 7 + 0.015),
        pytest.approx(71.5 / 10 + 0.015),
    )
    # at most nine tenths of the clock are kept
    assert times(allot(None, 1.4, moves=101)) == (
        pytest.approx(0.02),
        pytest.approx(0.01),
    )


def test_the_last_moves_share_what_is_left():
    assert allot(None, 8, moves=1).time > 7.5
    assert times(allot(None, 8, moves=2)) == (3.9925, pytest.approx(3.9125))


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
        budget = allot(turn / 1000, left / 1000, moves=moves)
        left -= (2 if budget.instant else budget.target * 1000) + late
        moves -= 1
    assert left > 0


def test_an_increment_is_spent():
    assert times(allot(None, 70, increment=1)) == (11, 8)
    assert times(allot(None, 70, increment=-1)) == (10, 7)


def test_what_was_spent_before_the_move_comes_off_it():
    plain, charged = allot(1, None), allot(1, None, spent=0.07)
    assert plain.time - charged.time == pytest.approx(0.07)
    assert plain.target - charged.target == pytest.approx(0.07)
    assert allot(0.1, None, spent=0.08).instant


@given(
    turn=st.none() | st.floats(-0.01, 10**5),
    left=st.none() | st.floats(-(10**3), 10**6),
    increment=st.floats(0, 100),
    strict=st.booleans(),
    spent=st.floats(0, 2),
)
def test_a_budget_never_exceeds_what_is_granted(turn, left, increment, strict, spent):
    budget = allot(turn, left, increment=increment, strict=strict, spent=spent)
    limits = [value for value in (turn, left) if value is not None]
    if not limits:
        assert budget.time is None
        return
    limit = min(limits)
    assert budget.limit == limit
    assert 0 < budget.target <= budget.time
    if budget.instant:
        assert budget.time <= 0.010
        assert budget.time <= max(limit / 2, 0.002) or limit <= 0
    else:
        assert budget.time + spent <= limit - min(0.02, limit / 2) + 1e-9
        if left is not None:
            assert budget.time <= left / 7 + increment + 1e-9


def test_the_match_clock_counts_our_own_time_without_reports():
    clock = MatchClock()
    assert clock.left is None
    clock.set_total(60)
    clock.charge(5)
    clock.charge(1, increment=0.25)
    assert clock.left == 54.25
    clock.new_match()
    assert clock.left == 60


def test_the_time_left_is_that_of_the_manager():
    clock = MatchClock()
    clock.set_total(60)
    clock.charge(5)
    clock.set_left(40)
    assert clock.left == 40
    clock.charge(1)
    assert clock.left == 39
    clock.set_left(-5)
    assert clock.left == -5


def test_time_left_before_start_belongs_to_that_game():
    clock = MatchClock()
    clock.set_left(40)
    clock.new_match()
    assert clock.left == 40
    clock.charge(1)
    clock.new_match()
    assert clock.left is None


def test_a_clock_without_limit_replaces_the_limit_before():
    clock = MatchClock()
    clock.set_total(60)
    clock.set_left(None)
    assert clock.left is None
    clock.new_match()
    clock.charge(10)
    clock.new_match()
    assert clock.left == 60
    clock.set_total(None)
    assert clock.left is None


def test_a_time_left_in_mid_move_counts_from_then():
    clock = MatchClock()
    clock.set_left(10, elapsed=3)
    clock.charge(3.5)  # the whole move, of which 0.5 s came after
    assert clock.left == 9.5


# Of a search that goes on


def test_deadlines_run_from_the_arrival_of_the_command():
    budget = allot(1, None)
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
