"""Wins by threats whose first move is restricted, against brute force."""

import random
from itertools import islice

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.tactics.replay import replay
from tests.boards import problems, random_references
from tests.cases import board_of
from tests.reference import RULES
from tests.sampled import sampled
from tests.tactics.test_shortest import MOST, crowded, wins_within
from tests.tactics.test_vcf import after_four, fours_win
from tests.tactics.test_vct import Oracle

TACTICS = problems("tactics.jsonl")
OPEN_THREE = Board.from_moves("h8 a1 i8 a2 j8 a15")  # g8 and k8 make an open four
FOUR = Board.from_moves("h8 a1 i8 a3 j8 a5 k8 a7")  # two fives


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=4) as engine:
        yield engine


def first_moves(engine, board, kind, **options):
    """The first moves of all wins, found one after the other; each win is replayed."""
    found = []
    while True:
        result = engine.find_win(board, kind, Limits(exclude=found), **options)
        if result.status != "win":
            assert result.status == "no win", f"{result}\n{board}"
            return set(found)
        assert result.line[0] not in found
        assert result.tree.move == result.line[0]
        assert replay(board, result.tree, SearchControl()) is None
        found.append(result.line[0])


def fours_of(reference):
    """The first moves of all wins by fours, by brute force over moves and replies."""
    attacker, found, known = reference.turn, set(), {}

    def wins():
        return True if fours_win(reference, attacker, known) else None

    for p in reference.empties():
        won = reference.wins(p, attacker)
        if won or after_four(reference, p, attacker, wins) is not None:
            found.add(Move(*reference.cell(p)))
    return found


@pytest.mark.parametrize("rule", RULES)
@sampled(20, 300)
def test_all_first_moves_of_wins_by_fours_are_found(engine, rule, count):
    several = 0
    references = random_references("first", rule, count, (6, 7, 8, (7, 10)), walls=2)
    for reference in references:
        board = board_of(reference)
        expected = fours_of(reference)
        assert first_moves(engine, board, "vcf") == expected, str(board)
        several += len(expected) > 1
    assert several


@pytest.mark.parametrize("rule", RULES)
@sampled(3, 60)
def test_first_moves_of_wins_by_threats_are_those_of_the_oracle(engine, rule, count):
    """Later moves may be threats that the solver does not try, the first never is."""
    missed = wins = 0
    references = random_references("oracle", rule, count, (6, (5, 7)), stones=(16, 22))
    for reference in references:
        board = board_of(reference)
        oracle = Oracle(reference, reference.turn)
        expected = {
            Move(*reference.cell(p))
            for p in reference.empties()
            if reference.wins(p, reference.turn) or oracle.forces(p)
        }
        found = first_moves(engine, board, "vct")
        assert found <= expected, str(board)
        wins += len(expected)
        missed += len(expected - found)
        assert first_moves(engine, board, "auto") <= expected
    assert missed <= wins // 10


@pytest.mark.parametrize("rule", list(Rule))
@sampled(3, 100)
def test_the_proved_bounds_are_those_of_the_allowed_moves(engine, rule, count):
    most = 2 if rule == Rule.RENJU else MOST
    rng = random.Random(f"bounds {rule}")
    restricted = 0
    for board in islice(crowded(rule, "restricted"), count):
        legal = board.legal_moves()
        allowed = [move for move in legal if rng.random() < 0.5] or legal[:1]
        lengths = [m for m in range(1, most + 1) if wins_within(board, m, allowed)]
        least = lengths[0] if lengths else None
        full = [m for m in range(1, most + 1) if wins_within(board, m)]
        restricted += full[:1] != lengths[:1]
        limits = Limits(nodes=200_000, root_moves=allowed)
        result = engine.find_win(board, "auto", limits, shortest=True)
        if least is None:
            assert result.status != "win" or len(result.line) > 2 * most - 1
            assert result.status == "no win" or result.least_of_all > 2 * most - 1
        else:
            assert len(result.line) == result.least == 2 * least - 1, str(board)
            assert result.line[0] in allowed
            assert result.least_of_all == result.least
    assert restricted or count < 50


def forces(engine, board, move, kind):
    """Whether a move wins by threats: it threatens, and no reply saves the defender."""
    after = board.copy()
    after.play(move)
    if after.winner is not None:
        return True
    if any(after.wins_at(reply) for reply in after.legal_moves()):
        return False
    again = after.copy()
    again.turn = board.turn
    if kind == "vcf":
        if not any(again.wins_at(cell) for cell in again.legal_moves()):
            return False
    elif not engine.find_win(again, "vcf", Limits(nodes=200_000)).line:
        return False
    for reply in after.legal_moves():
        after.play(reply)
        won = engine.find_win(after, kind, Limits(nodes=200_000)).status == "win"
        after.undo()
        if not won:
            return False
    return True


@pytest.mark.parametrize("kind", ["vcf", "vct"])
@sampled(2, 12)
def test_without_the_key_move_the_others_decide(engine, kind, count):
    """On boards of full size: the search without it, and one after each other move."""
    others = 0
    for problem in TACTICS[1 :: max(1, len(TACTICS) // count)]:
        board = problem.board
        key = engine.find_win(board, kind, Limits(nodes=100_000))
        if key.status != "win":
            continue
        limits = Limits(nodes=200_000, exclude=key.line[:1])
        rest = engine.find_win(board, kind, limits)
        near = [m for m in board.legal_moves() if m != key.line[0]]
        if rest.status == "win":
            others += 1
            assert rest.line[0] != key.line[0]
            assert replay(board, rest.tree, SearchControl()) is None
            assert forces(engine, board, rest.line[0], kind)
        elif rest.status == "no win":
            won = [move for move in near if forces(engine, board, move, kind)]
            assert not won, f"{won}\n{board}"
    assert others or count < 10


KINDS = [
    ("vcf", False, 1),
    ("vct", False, 1),
    ("auto", False, 1),
    ("auto", True, 1),
    ("vcf", True, 1),
    ("auto", False, 2),
    ("auto", False, 3),
    ("auto", True, 3),
]


@pytest.mark.parametrize(("kind", "shortest", "threads"), KINDS)
def test_an_excluded_win_leaves_the_others(kind, shortest, threads):
    with Engine(threads=threads, hash_mb=4) as engine:

        def found(board, **limits):
            result = engine.find_win(board, kind, Limits(**limits), shortest=shortest)
            return result.status, result.line[:1], len(result.line)

        g8, k8, l8 = (Move(6, 7), Move(10, 7), Move(11, 7))
        assert found(OPEN_THREE, root_moves=["g8"]) == ("win", (g8,), 3)
        assert found(OPEN_THREE, root_moves=["k8"]) == ("win", (k8,), 3)
        assert found(OPEN_THREE, exclude=["g8"]) == ("win", (k8,), 3)
        assert found(FOUR, root_moves=["g8"]) == ("win", (g8,), 1)
        assert found(FOUR, exclude=["g8"]) == ("win", (l8,), 1)
        assert found(FOUR, exclude=["g8", "l8"])[::2] == ("win", 3)  # two stay
        assert found(OPEN_THREE, root_moves=["o1"])[0] != "win"
        assert found(OPEN_THREE) == found(OPEN_THREE, exclude=["a1"])


@pytest.mark.parametrize(("kind", "shortest", "threads"), KINDS)
def test_restricted_and_unrestricted_searches_leave_nothing_to_each_other(
    kind, shortest, threads
):
    problem = next(p for p in TACTICS if p.vcf and p.plies and p.plies > 5)
    board = problem.board

    def found(engine, exclude):
        limits = Limits(nodes=200_000, exclude=exclude)
        result = engine.find_win(board, kind, limits, shortest=shortest)
        figures = (result.status, result.least, result.least_of_all)
        return (*figures, result.line if threads == 1 else len(result.line))

    def fresh(exclude):
        with Engine(threads=threads, hash_mb=4) as engine:
            return found(engine, exclude)

    key = (problem.moves[0],)
    wanted = [fresh(()), fresh(key)]
    assert wanted[0][0] == "win"
    with Engine(threads=threads, hash_mb=4) as engine:
        for exclude in ((), key, (), key, key, ()):
            if threads == 1:
                assert found(engine, exclude) == wanted[bool(exclude)]
            else:  # lengths of wins found at the same time may differ
                assert found(engine, exclude)[0] == wanted[bool(exclude)][0]


def test_cells_off_the_board_and_occupied_ones_exclude_nothing(engine):
    limits = Limits(exclude=[(20, 20), "h8", "h8", "i8"])
    assert engine.find_win(OPEN_THREE, limits=limits).status == "win"
    everything = Limits(exclude=OPEN_THREE.legal_moves())
    for kind in ("vcf", "vct", "auto"):
        assert engine.find_win(OPEN_THREE, kind, everything).status == "no win"


def test_root_moves_that_cannot_be_played_are_refused(engine):
    with pytest.raises(ValueError, match="the root move h8 is no empty cell"):
        engine.find_win(OPEN_THREE, limits=Limits(root_moves=["h8"]))


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("depth", Limits(depth=3)),
        ("multipv", Limits(multipv=2)),
        ("target", Limits(time=1, target=0.5)),
        ("strength", Limits(strength=50)),
    ],
)
def test_limits_that_the_search_does_not_have_are_refused(engine, name, limits):
    for search in (engine.find_win, engine.solve):
        with pytest.raises(ValueError, match=f"has no {name}: it takes time, nodes"):
            search(OPEN_THREE, limits=limits)


def test_the_limits_that_it_has_are_obeyed(engine):
    clock = Limits(time_left=10, increment=1, moves_to_go=3, play_on=True)
    assert engine.find_win(OPEN_THREE, limits=clock).status == "win"
    board = TACTICS[0].board
    assert engine.find_win(board, "vct", Limits(nodes=1)).nodes < 500
