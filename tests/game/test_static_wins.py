"""What the search believes without looking, against trying every move.

GOMOKU_ORACLE_POSITIONS sets the number of random positions a rule (3000 for a full
run); `pytest -s` shows what was claimed and how long the reply lists are.
"""

import os
import random
from collections import Counter

import pytest

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.search.threats import _py_defences, _py_static_win
from tests.reference import (
    BLACK,
    RULES,
    WALL,
    WHITE,
    loses_within,
    makes_four,
    random_position,
    saving_replies,
    wins_within,
)

POSITIONS = int(os.environ.get("GOMOKU_ORACLE_POSITIONS", "150"))
SIZES = (15, 15, 15, 20, 9, (11, 16))
# Plies of the threat that each kind of reply list answers.
THREATS = {"five": 1, "open-four": 3, "four-three": 5}


def positions(rule):
    """Random positions, every second with the other side to move than in play.

    Half of them are quiet, nobody being able to win within three plies, so that there
    is room for the claims that take longer.
    """
    for number in range(POSITIONS):
        # One seed a position: a failure can be run again alone.
        rng = random.Random(f"threats {rule} {number}")
        while True:
            reference = random_position(
                rng, rule, rng.choice(SIZES), walls=rng.choice((0, 0, 0, 3))
            )
            reference.turn ^= number & 1
            if number & 2 or not (
                wins_within(reference, BLACK, 3) or wins_within(reference, WHITE, 3)
            ):
                break
        yield number, reference


def board_of(reference):
    return Board.from_stones(
        reference.stones(BLACK),
        reference.stones(WHITE),
        reference.stones(WALL),
        turn=Side(reference.turn),
        size=(reference.width, reference.height),
        rule=Rule(reference.rule),
    )


@pytest.mark.timeout(0)
@pytest.mark.parametrize("rule", RULES)
def test_no_claimed_win_or_loss_is_wrong(rule):
    claims = Counter()
    unclaimed = Counter()
    for number, reference in positions(rule):
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
    assert {0, 1, 3, -2} <= set(claims)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("rule", RULES)
def test_no_saving_reply_is_missing(rule):
    listed = Counter()
    needed = Counter()
    nodes = Counter()
    for number, reference in positions(rule):
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
    assert nodes["five"]
    assert nodes["open-four"]
