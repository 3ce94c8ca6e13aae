import os

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.protocol.options import INFO_KEYS, UNLIMITED_MS, Options

MB = 1 << 20


def told(*lines):
    options = Options()
    for line in lines:
        options.set(line)
    return options


@pytest.mark.parametrize("key", sorted(INFO_KEYS))
def test_a_number_with_a_fraction_is_rounded_down(key):
    """As managers in JavaScript and Python write numbers."""
    assert getattr(told(f"{key} 500.7"), key) == 500
    assert getattr(told(f"{key} 3.0"), key) == 3
    if key != "rule":
        assert getattr(told(f"{key} -0.5"), key) == -1
        assert getattr(told(f"{key} -2.0"), key) == -2


def test_keys_are_read_in_any_case():
    assert told("TIMEOUT_TURN 1000").timeout_turn == 1000
    assert told("Time_Left -5").time_left == -5


@pytest.mark.parametrize(
    "line",
    [
        "",
        "timeout_turn",
        "timeout_turn abc",
        "timeout_turn 1.5.2",
        "timeout_turn 1.x",
        "timeout_turn .5",
        "timeout_turn 0x10",
        "rule -1",
        "rule four",
        "evaluate 3,4",
        "folder C:\\gomo \xe9\xff",
        "nonsense 5",
        "set 5",
        "__class__ 5",
        "turn 5",
    ],
)
def test_unknown_keys_and_bad_values_change_nothing(line):
    options = Options()
    assert options.set(line) is None
    assert vars(options) == vars(Options())


def test_values_are_held_to_64_bits():
    options = told("max_node " + "9" * 30, "timeout_turn -" + "9" * 30)
    assert options.max_node == (1 << 64) - 1
    assert options.timeout_turn == -(1 << 63)
    assert options.nodes is None
    assert options.turn is None


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        ([], 5),
        (["timeout_turn 0"], 0),
        (["timeout_turn 700"], 0.7),
        (["timeout_turn -1"], None),
        ([f"timeout_turn {UNLIMITED_MS}"], None),
        (["max_node 1000"], None),
        (["max_depth 3"], None),
        (["max_node -1"], 5),
        (["max_node 0"], 5),
        (["max_node 18446744073709551615"], 5),
        (["max_node 1000", "timeout_turn 300"], 0.3),
        (["timeout_match 60000"], None),
        (["timeout_match 0"], 5),
        (["time_left 60000"], None),
        (["timeout_match 0", f"time_left {UNLIMITED_MS}"], 5),
    ],
)
def test_the_limit_of_a_move_follows_from_what_was_sent(lines, limit):
    assert told(*lines).turn == limit


@pytest.mark.parametrize(
    ("sent", "match", "left"),
    [
        (60000, 60, 60),
        (0, None, 0),
        (-5, None, -0.005),
        (UNLIMITED_MS - 1, 2147483.646, 2147483.646),
        (UNLIMITED_MS, None, None),
        (1 << 62, None, None),
    ],
)
def test_the_clocks_of_a_match_are_seconds_and_its_largest_values_no_limit(
    sent, match, left
):
    options = told(f"timeout_match {sent}", f"time_left {sent}")
    assert (options.match, options.left) == (match, left)
    assert told("time_increment 500").increment == 0.5


@pytest.mark.parametrize(
    ("code", "piskvork", "yixin"),
    [
        (0, Rule.FREESTYLE, Rule.FREESTYLE),
        (1, Rule.STANDARD, Rule.STANDARD),
        (2, Rule.FREESTYLE, Rule.RENJU),
        (3, Rule.STANDARD, Rule.STANDARD),
        (4, Rule.RENJU, Rule.RENJU),
        (5, Rule.RENJU, Rule.RENJU),
        (6, Rule.RENJU, Rule.RENJU),
        (8, Rule.CARO, Rule.CARO),
        (9, Rule.CARO_EXACT, Rule.CARO_EXACT),
        (10, Rule.CARO, Rule.CARO),
        (11, Rule.CARO_EXACT, Rule.CARO_EXACT),
        (16, Rule.FREESTYLE, Rule.FREESTYLE),
    ],
)
def test_rule_codes_are_bits_except_2_in_the_yixin_dialect(code, piskvork, yixin):
    options = told(f"rule {code}")
    assert options.rule_in_force(yixin=False) is piskvork
    assert options.rule_in_force(yixin=True) is yixin


@pytest.mark.parametrize(
    ("lines", "megabytes"),
    [
        ([], 64),
        (["max_memory 0"], 64),
        ([f"max_memory {350 * MB}"], 226.5),
        ([f"max_memory {70 * MB}"], 16.5),
        ([f"max_memory {48 * MB}"], 1),
        ([f"max_memory {10 * MB}"], 1),
        (["hash_size 16384"], 16),
        (["hash_size 1"], 1),
        ([f"max_memory {350 * MB}", "hash_size 16384"], 16),
        ([f"max_memory {70 * MB}", "hash_size 1048576"], 16.5),
        (["hash_size 1048576"], 1024),
        (["hash_size 9223372036854775807"], 65536),
        (["max_memory -5"], 64),
    ],
)
def test_the_table_takes_its_share_of_the_memory(lines, megabytes):
    assert told(*lines).table_mb == megabytes


def test_threads_are_held_to_the_processors():
    assert told("thread_num 0").threads == 1
    assert told("thread_num -3").threads == 1
    assert told("thread_num 100000").threads == (os.cpu_count() or 1)


def test_a_manager_that_states_neither_time_left_nor_game_type_is_strict():
    assert told("timeout_turn 5000", "timeout_match 300000").strict_clock
    assert not told("time_left 1000").strict_clock
    assert not told("game_type 0").strict_clock
