"""Who wins and what is forbidden: the rules' own examples on the compiled core."""

import random

import pytest

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import symmetries, transform_move, transform_moves
from tests.cases import board_of, cell, cells, outcomes, renju_cases, win_cases
from tests.reference import BLACK, WALL, WHITE, RefBoard, random_clutter
from tests.sampled import sampled

by_name = {"ids": lambda case: case.name}


def result_of(board, move, side):
    """Whether the side wins by the move; the board is left as it was."""
    board.turn = side
    board.play(move)
    winner = board.winner
    board.undo()
    assert winner in (None, side)
    return winner == side


# --- the rules 6: renju ---


@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_renju_cases(case):
    board = Board.from_stones(
        case.black, case.white, turn=Side.BLACK, size=15, rule=Rule.RENJU
    )
    foul = None if case.verdict == "five" else case.verdict
    assert board.foul(case.move) == foul, case.why
    assert board.is_legal(case.move) == (foul is None)
    assert (case.move in board.legal_moves()) == (foul is None)
    assert (case.move in board.forbidden_moves()) == (foul is not None)
    assert result_of(board, case.move, Side.BLACK) == (case.verdict == "five")


@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_renju_cases_look_the_same_from_every_side(case):
    foul = None if case.verdict == "five" else case.verdict
    for k in symmetries(15, 15):
        board = Board.from_stones(
            transform_moves(case.black, 15, 15, k),
            transform_moves(case.white, 15, 15, k),
            size=15,
            rule=Rule.RENJU,
        )
        assert board.foul(transform_move(case.move, 15, 15, k)) == foul


@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_white_may_play_everywhere(case):
    board = Board.from_stones(
        case.black, case.white, turn=Side.WHITE, size=15, rule=Rule.RENJU
    )
    assert board.is_legal(case.move)
    assert case.move in board.legal_moves()
    # The same stones with the colours exchanged.
    board = Board.from_stones(
        case.white, case.black, turn=Side.WHITE, size=15, rule=Rule.RENJU
    )
    assert board.is_legal(case.move)
    assert case.move in board.legal_moves()
    assert result_of(board, case.move, Side.WHITE) == (
        case.verdict in ("five", "overline")
    )


@pytest.mark.parametrize("rule", [r for r in Rule if r != Rule.RENJU])
@pytest.mark.parametrize("case", renju_cases(), **by_name)
def test_other_rules_forbid_nothing(case, rule):
    board = Board.from_stones(
        case.black, case.white, turn=Side.BLACK, size=15, rule=rule
    )
    assert board.foul(case.move) is None
    assert board.is_legal(case.move)
    assert board.forbidden_moves() == []
    assert len(board.legal_moves()) == 225 - board.ply


@pytest.mark.parametrize(
    ("rule", "wins"),
    [
        (Rule.FREESTYLE, True),
        (Rule.STANDARD, False),
        (Rule.RENJU, True),
        (Rule.CARO, True),
        (Rule.CARO_EXACT, False),
    ],
)
def test_a_six_of_white(rule, wins):
    board = Board.from_stones([], cells("d8 e8 f8 g8 i8"), size=15, rule=rule)
    assert result_of(board, cell("h8"), Side.WHITE) == wins


def test_a_foul_may_be_played_and_wins_for_nobody():
    board = Board.from_stones(cells("d8 e8 f8 g8 i8"), [], turn=Side.BLACK, rule=4)
    assert board.foul(cell("h8")) == "overline"
    board.play(cell("h8"))
    assert board.winner is None
    assert board.turn == Side.WHITE
    board.verify()


# --- the rules 7 and 1: what wins ---


@pytest.mark.parametrize("case", win_cases(), **by_name)
@pytest.mark.parametrize(
    "rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.CARO, Rule.CARO_EXACT]
)
@pytest.mark.parametrize("side", list(Side))
def test_win_cases(case, rule, side):
    groups = (case.own, case.other) if side == Side.BLACK else (case.other, case.own)
    for k in symmetries(15, 15):
        board = Board.from_stones(
            *[transform_moves(group, 15, 15, k) for group in groups],
            size=15,
            rule=rule,
        )
        move = transform_move(case.move, 15, 15, k)
        assert result_of(board, move, side) == case.wins[rule]


@pytest.mark.parametrize("case", outcomes(), **by_name)
def test_outcomes(case):
    board = Board.from_stones(
        case.black, case.white, turn=Side(case.side), size=case.size, rule=case.rule
    )
    foul = case.side == Side.BLACK and board.foul(case.move) is not None
    board.play(case.move)
    assert (Side.WHITE if foul else board.winner) == case.winner


def test_an_old_line_does_not_win_later():
    """A run counts only for the stone that completes it (a six in standard)."""
    board = Board.from_stones(
        cells("d8 e8 f8 g8 i8"), cells("a1"), turn=Side.BLACK, rule=Rule.STANDARD
    )
    board.play(cell("h8"))
    assert board.winner is None
    board.play(cell("c1"))
    board.play(cell("h9"))
    assert board.winner is None


@pytest.mark.parametrize("rule", [Rule.CARO, Rule.CARO_EXACT])
def test_a_wall_is_no_opponent_at_the_end_of_a_caro_five(rule):
    own = cells("d8 e8 f8 g8")
    for walls, other, wins in (
        ("", "c8 i8", False),
        ("i8", "c8", True),
        ("c8", "i8", True),
        ("c8 i8", "", True),
    ):
        board = Board.from_stones(
            own, cells(other), cells(walls), turn=Side.BLACK, rule=rule
        )
        assert result_of(board, cell("h8"), Side.BLACK) == wins


@pytest.mark.parametrize("rule", list(Rule))
def test_a_wall_ends_a_run(rule):
    board = Board.from_stones(
        cells("d8 e8 f8 g8"), [], cells("h8"), turn=Side.BLACK, rule=rule
    )
    assert not result_of(board, cell("i8"), Side.BLACK)
    assert result_of(board, cell("c8"), Side.BLACK)


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    "size", [5, 6, 7, 9, 15, 20, 22, (5, 22), (22, 5), (13, 8), (15, 20)]
)
def test_every_move_of_a_random_game_has_the_result_of_the_reference(rule, size):
    """Random games over the whole board; moves that win are taken back."""
    rng = random.Random(f"{rule} {size}")
    reference = RefBoard(size, rule)
    order = reference.empties()
    rng.shuffle(order)
    walls = [reference.cell(p) for p in order[:2]]
    for at in walls:
        reference.place(reference.index(at), WALL)
    board = Board.from_stones([], [], walls, size=size, rule=rule)
    for p in order[2:]:
        move = Move(*reference.cell(p))
        for side in rng.choices((BLACK, WHITE), (2, 1), k=2):
            board.turn = Side(side)
            board.play(move)
            wins = reference.wins(p, side)
            assert board.winner == (Side(side) if wins else None), (
                f"{reference}\n{move} by {side}"
            )
            if not wins:
                reference.place(p, side)
                break
            assert board.undo() == move
            assert board.winner is None
    board.verify()


@pytest.mark.parametrize("rule", list(Rule))
@sampled(12, 100)
def test_the_winner_of_every_cell_is_that_of_the_reference(rule, count):
    rng = random.Random(f"cells {rule}")
    won = 0
    for _ in range(count):
        reference = random_clutter(rng, rule, rng.choice([9, 15, (10, 14)]))
        if reference.is_finished():
            continue
        board = board_of(reference)
        for p in reference.empties():
            for side in Side:
                expected = reference.wins(p, side)
                won += expected
                assert result_of(board, reference.cell(p), side) == expected
        board.turn = Side(reference.turn)
        board.verify()
    assert won > count // 10
