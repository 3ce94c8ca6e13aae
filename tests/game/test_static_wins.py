"""What the search believes without looking, against trying every move.

GOMOKU_ORACLE_POSITIONS sets the number of random positions a rule (3000 for a full
run); `pytest -s` shows what was claimed and how long the reply lists are.
"""

import os
import random
from collections import Counter

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.tactics.threats import _py_defences, _py_static_win
from tests.cases import board_of, cell, cells
from tests.reference import (
    BLACK,
    RULES,
    WHITE,
    RefBoard,
    loses_within,
    makes_four,
    random_clutter,
    random_position,
    saving_replies,
    wins_within,
)
from tests.sampled import sampled

POSITIONS = int(os.environ.get("GOMOKU_ORACLE_POSITIONS", "150"))
SIZES = (15, 15, 15, 20, 9, (11, 16))
# Plies of the threat that each kind of reply list answers.
THREATS = {"five": 1, "open-four": 3, "four-three": 5}


def positions(rule, count):
    """Random positions: of four, one as in play, one of scattered stones and two quiet.

    Quiet means that nobody can win within three plies, so that there is room for the
    claims that take longer. Every second time the other side is to move than in play.
    """
    for number in range(count):
        # One seed a position: a failure can be run again alone.
        rng = random.Random(f"threats {rule} {number}")
        while True:
            size = rng.choice(SIZES)
            if number % 4 == 0:
                reference = random_clutter(rng, rule, size)
                usable = not reference.is_finished()
            else:
                walls = rng.choice((0, 0, 0, 3))
                reference = random_position(rng, rule, size, walls=walls)
                usable = number % 4 == 1 or not (
                    wins_within(reference, BLACK, 3) or wins_within(reference, WHITE, 3)
                )
            if usable:
                break
        reference.turn ^= number >> 2 & 1
        yield number, reference


@pytest.mark.timeout(0)
@pytest.mark.parametrize("rule", RULES)
@sampled(4, POSITIONS)
def test_no_claimed_win_or_loss_is_wrong(rule, count):
    claims = Counter()
    unclaimed = Counter()
    for number, reference in positions(rule, count):
        board = board_of(reference)
        me = reference.turn
        claim = _py_static_win(board)
        claims[claim] += 1
        where = f"position {number}, claim {claim}\n{reference}"
        if claim > 0:
            assert claim % 2 == 1, where
            assert wins_within(reference, me, claim), where
        elif claim < 0:
            assert claim % 2 == 0, where
            assert loses_within(reference, me, -claim), where
        # Fives are seen exactly: by whoever moves, and those that cannot be stopped.
        assert (claim == 1) == bool(reference.fives(me)), where
        assert (claim == -2) == loses_within(reference, me, 2), where
        if claim == 0:
            unclaimed[3] += wins_within(reference, me, 3)
            unclaimed[-4] += loses_within(reference, me, 4)
        board.verify()
    print(f"rule {rule}: claims {dict(claims)}, true but not claimed {dict(unclaimed)}")
    assert {0, 1, 3, -2} <= set(claims) or count < POSITIONS


@pytest.mark.timeout(0)
@pytest.mark.parametrize("rule", RULES)
@sampled(3, POSITIONS)
def test_no_saving_reply_is_missing(rule, count):
    listed = Counter()
    needed = Counter()
    nodes = Counter()
    for number, reference in positions(rule, count):
        board = board_of(reference)
        me = reference.turn
        if _py_static_win(board) != 0:
            continue
        answer = _py_defences(board)
        kind = answer[0] if answer else "free"
        moves = {tuple(move) for move in answer[1]} if answer else set()
        where = f"position {number}, {kind}: {sorted(moves)}\n{reference}"
        assert (kind == "five") == bool(reference.fives(1 - me)), where
        nodes[kind] += 1
        if not answer:
            continue
        assert len(moves) == len(answer[1]), where
        assert all(board.is_empty(move) for move in moves), where
        saving = set(
            saving_replies(reference, me, THREATS[kind], by_fours=kind == "four-three")
        )
        if kind != "five":
            # Fours delay: what follows them must be searched.
            saving |= {
                reference.cell(p)
                for p in reference.four_makers(me)
                if makes_four(reference, p, me)
            }
        assert saving <= moves, f"missing {sorted(saving - moves)} in {where}"
        listed[kind] += len(moves)
        needed[kind] += len(saving)
    for kind in THREATS:
        if nodes[kind]:
            mean = listed[kind] / nodes[kind]
            needed_mean = needed[kind] / nodes[kind]
            print(
                f"rule {rule}, {kind}: {nodes[kind]} lists, mean size {mean:.2f}, "
                f"needed {needed_mean:.2f}"
            )
    print(f"rule {rule}, free: {nodes['free']}")
    if count >= POSITIONS:  # a few may lack one
        assert nodes["five"]
        assert nodes["open-four"]


def test_blocking_a_far_end_gives_caro_a_second_reply():
    """White's d8 stops no five, but after f8 it lets white answer at j8 as well.

    There white makes a four of his own, so black's four-three on f8 no longer wins.
    """
    black, white = cells("g8 h8 i8 f9 f10 j4"), cells("k8 j5 j6 j7")
    for rule in (Rule.CARO, Rule.CARO_EXACT):
        reference = RefBoard(15, rule, black, white, turn=WHITE)
        saving = saving_replies(reference, WHITE, 5, by_fours=True)
        assert cell("d8") in saving
        answer = _py_defences(board_of(reference))
        if answer is not None:
            kind, moves = answer
            assert kind == "four-three"
            assert set(saving) <= {tuple(move) for move in moves}


def test_a_three_with_one_forbidden_way_is_stopped_at_the_other():
    """White's h7 leaves black's three on column h only h2, a double-four.

    So the four-three on h4 no longer wins, though its line is a three as before.
    """
    black, white = cells("e1 e5 f2 f4 g3 h3 h5"), cells("d6")
    reference = RefBoard(15, Rule.RENJU, black, white, turn=WHITE)
    saving = saving_replies(reference, WHITE, 5, by_fours=True)
    assert cell("h7") in saving
    answer = _py_defences(board_of(reference))
    if answer is not None:
        kind, moves = answer
        assert kind == "four-three"
        assert set(saving) <= {tuple(move) for move in moves}
