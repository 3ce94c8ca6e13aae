"""Values of candidates and judgements of games, on positions with known answers."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.study.annotate import (
    CellValue,
    Value,
    candidates,
    review,
    values,
)
from tests.boards import problems
from tests.sampled import sampled

# white does not stop a four (8), black does not complete it (9)
BAD_GAME = "h8 g8 i8 h9 j8 j7 k8 o1 o15 l8 n14"


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=8) as engine:
        yield engine


def game_of(text, **facts):
    return Game(moves=tuple(parse_moves(text)), **facts)


def test_values_are_written_as_people_read_them():
    texts = [str(Value(*v)) for v in ((120,), (-5,), (WIN - 7, 7), (6 - WIN, -6))]
    assert texts == ["+120", "-5", "win in 4 moves", "loss in 3 moves"]
    assert [Value(0, 7).short, Value(0, -6).short, Value(5).short] == ["W4", "L3", ""]


def test_candidates_are_the_legal_moves_near_stones():
    board = Board.from_moves("h8")
    assert len(candidates(board)) == 24
    assert Move(5, 5) in candidates(board)
    assert len(candidates(board, radius=1)) == 8
    assert Move(7, 7) in candidates(Board())
    renju = Board.from_stones(parse_moves("f8 g8 h6 h7"), (), rule=Rule.RENJU)
    renju.turn = Side.BLACK
    assert renju.foul((7, 7))
    assert Move(7, 7) not in candidates(renju)


def test_every_candidate_is_valued_at_one_depth(engine):
    engine.new_game()
    board = Board.from_moves("h8 h9 j10 i9")
    seen = []
    table = values(
        engine,
        board,
        Limits(depth=2),
        on_progress=lambda *expected: seen.append(expected),
    )
    assert {cell.move for cell in table.cells} == set(candidates(board))
    assert table.depth == 2
    assert {cell.depth for cell in table.cells} == {2}
    assert all(cell.pv[0] == cell.move for cell in table.cells)
    assert sum(cell.nodes for cell in table.cells) == table.nodes > 0
    scores = [cell.value.score for cell in table.cells]
    assert scores == sorted(scores, reverse=True)
    assert seen[-1] == (2, len(table.cells) - 1, len(table.cells))
    # the same again: nothing but the position and the limits decides
    engine.new_game()
    again = values(engine, board, Limits(depth=2))
    assert again.cells == table.cells


def test_a_value_is_that_of_a_search_after_the_move(engine):
    board = Board.from_moves("h8 h9 j10 i9")
    engine.new_game()
    (first, *_) = values(engine, board, Limits(depth=1)).cells
    board.play(first.move)
    engine.new_game()
    assert engine.search(board, Limits(depth=1)).score == -first.value.score


def test_a_round_that_a_limit_cuts_short_is_forgotten(engine):
    engine.new_game()
    board = Board.from_moves("h8 h9 j10 i9")
    one = values(engine, board, Limits(depth=1))
    engine.new_game()
    table = values(engine, board, Limits(nodes=one.nodes + 50))
    assert table.depth == 1
    assert [(c.move, c.value) for c in table.cells] == [
        (c.move, c.value) for c in one.cells
    ]


def test_values_show_wins_losses_and_draws(engine):
    engine.new_game()
    board = Board.from_moves("d8 a1 e8 a2 f8 a3 g8 c15")
    table = values(engine, board, Limits(depth=2))
    by_cell = {str(cell.move): cell for cell in table.cells}
    assert by_cell["h8"].value == by_cell["c8"].value == Value(WIN - 1, 1)
    assert by_cell["h8"] == CellValue(Move(7, 7), Value(WIN - 1, 1), 0, 0, ((7, 7),))
    board.turn = Side.WHITE
    table = values(engine, board, Limits(depth=2))
    assert {cell.value for cell in table.cells} == {Value(2 - WIN, -2)}
    # one empty cell is left, and nobody gets a five there
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOO."]
    stones = {sign: [] for sign in "XO."}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            stones[sign].append((x, y))
    last = Board.from_stones(stones["X"], stones["O"], turn=Side.BLACK, size=5)
    (cell,) = values(engine, last).cells
    assert (cell.value, cell.depth) == (Value(0), 0)


def test_known_winning_moves_are_the_best_values(engine):
    known = [p for p in problems("tactics.jsonl") if p.plies and p.plies <= 5][:4]
    assert known
    for problem in known:
        engine.new_game()
        best = values(engine, problem.board, Limits(depth=5)).cells[0]
        assert best.value.win_in is not None, problem.name
        assert 0 < best.value.win_in <= problem.plies, problem.name


def test_values_stop_on_request(engine):
    engine.new_game()
    board = Board.from_moves("h8 h9 j10 i9")
    done = []
    table = values(
        engine,
        board,
        on_progress=lambda depth, cell, count: done.append(depth),
        stop=lambda: bool(done) and done[-1] == 2,
    )
    assert (table.depth, len(table.cells)) == (1, len(candidates(board)))
    nothing = values(engine, board, stop=lambda: True)
    assert (nothing.depth, nothing.cells) == (0, ())


def test_blunders_of_a_game_are_named(engine):
    judged = review(engine, game_of(BAD_GAME), Limits(nodes=2000))
    by_number = {move.number: move for move in judged.moves}
    assert list(by_number) == list(range(1, 12))
    assert by_number[8].label == by_number[9].label == "blunder"
    assert by_number[8].why == (
        "loses in 1 move to l8, which wins by five h8-l8; l8 was better"
    )
    assert by_number[9].why.startswith("missed a win in 1 move by l8")
    assert by_number[9].before == Value(WIN - 1, 1)
    assert by_number[10].label == "best"
    assert "the only move against black's five" in by_number[10].threats
    assert len(judged.curve) == 12
    assert judged.curve[8] == 1.0
    assert judged.curve[9] < 1.0


def test_a_game_ends_with_the_five(engine):
    game = game_of("h8 a1 i8 a2 j8 a3 k8 a4 l8 a5")
    judged = review(engine, game, Limits(nodes=500))
    assert len(judged.moves) == 9
    assert judged.moves[-1].after == Value(WIN - 1, 1)
    assert judged.moves[-1].label == "best"
    assert judged.moves[-1].threats == ("wins by five h8-l8",)
    assert judged.curve[-2:] == (1.0, 1.0)


def test_a_move_that_loses_by_force_is_a_blunder(engine):
    # black has an open three; white, who could hold it, plays far away
    judged = review(engine, game_of("h8 h9 i8 i9 j8 a15 g8"), Limits(nodes=2000))
    throw = judged.moves[5]
    assert throw.label == "blunder"
    assert throw.why.startswith(
        "loses in 2 moves to g8, which makes an open four g8-j8; "
    )
    assert throw.best in parse_moves("f8 g8 k8 l8")
    assert throw.loss == throw.before.chance > 0.0
    assert any("black then wins in 2 moves" in words for words in throw.threats)
    assert judged.moves[6].label == "best"


def test_a_forbidden_move_is_a_blunder(engine):
    moves = "f8 a1 g8 a15 h6 o1 h7 o15 h8"
    judged = review(engine, game_of(moves, rule=Rule.RENJU), Limits(nodes=500))
    assert judged.moves[-1].label == "blunder"
    assert judged.moves[-1].why == "forbidden (double three)"
    assert str(judged.moves[-1].after) == "lost"


def test_opening_moves_are_not_judged(engine):
    moves = parse_moves("h8 a1 i8 a2 j8")
    played = tuple(PlayedMove(m, by_opening=k < 4) for k, m in enumerate(moves))
    record = GameRecord(Rule.FREESTYLE, 15, 15, moves=played)
    labels = [move.label for move in review(engine, record, Limits(nodes=500)).moves]
    assert labels[:4] == ["opening"] * 4
    assert labels[4] != "opening"


def test_a_game_from_a_set_up_is_judged(engine):
    game = Game(
        black_stones="h8 i8",
        white_stones="h9",
        first=Side.WHITE,
        moves=tuple(parse_moves("j8 k9")),
    )
    judged = review(engine, game, Limits(nodes=500))
    assert [move.side for move in judged.moves] == [Side.WHITE, Side.BLACK]
    assert [move.number for move in judged.moves] == [1, 2]


def test_a_review_that_is_stopped_keeps_the_last_moves(engine):
    done = []
    judged = review(
        engine,
        game_of(BAD_GAME),
        Limits(nodes=300),
        on_progress=lambda *expected: done.append(expected),
        stop=lambda: len(done) == 4,
    )
    assert done[-1][0] == 4
    assert done[-1][1] >= 12
    assert [move.number for move in judged.moves] == [9, 10, 11]
    assert judged.first == 8
    assert len(judged.curve) == 4
    with pytest.raises(ValueError, match="no moves"):
        review(engine, Game(), Limits(nodes=100))


@sampled(1, 2)
def test_a_proved_win_stays_proved_while_its_moves_are_played(engine, count):
    for problem in problems("tactics.jsonl")[:count]:
        engine.new_game()
        line = engine.search(problem.board, Limits(nodes=50_000)).pv
        black, white = (
            tuple(
                Move(x, y)
                for y in range(problem.board.height)
                for x in range(problem.board.width)
                if problem.board.stone((x, y)) == side
            )
            for side in Side
        )
        game = Game(
            (problem.board.width, problem.board.height),
            problem.board.rule,
            black_stones=black,
            white_stones=white,
            first=problem.board.turn,
            moves=line,
        )
        judged = review(engine, game, Limits(nodes=10_000))
        for move in judged.moves:
            assert move.label in ("best", "good"), (problem.name, move)
            assert move.after.win_in is not None
