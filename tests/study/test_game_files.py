"""Judged games as files: read back, and by another library."""

from dataclasses import replace

import pytest
from sgfmill import sgf

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.psq import from_psq
from gomoku_brain.records.read import parse_games
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.study.annotate import Value, review
from gomoku_brain.study.judged_files import review_to_psq, review_to_sgf


def records_of(text):
    return [game.record() for game in parse_games(text)]


MOVES = tuple(parse_moves("h8 g8 i8 b2 j8 b14 k8 o1 o15 l8"))


@pytest.fixture(scope="module")
def judged():
    with Engine(hash_mb=4) as engine:
        return review(engine, Game(moves=MOVES), Limits(nodes=300))


def blunder(judged):
    return next(move for move in judged.moves if move.label == "blunder")


def test_the_main_line_is_the_game_with_values_and_words(judged):
    text = review_to_sgf(Game(moves=MOVES), judged)
    (record,) = records_of(text)
    assert tuple(played.move for played in record.moves) == MOVES
    for played, expected in zip(record.moves, judged.moves, strict=True):
        assert played.win_in == expected.after.win_in
        assert expected.label in played.comment
        assert expected.why in played.comment
    assert "AN[gomoku-brain]" in text


def test_variations_show_what_was_better_and_what_refutes(judged):
    text = review_to_sgf(Game(moves=MOVES), judged)
    bad = next(move for move in judged.moves if move.label in ("mistake", "blunder"))
    (game,) = parse_games(text)
    found = [line[-1].path_moves() for line in game.lines()]
    # Two moves of each: where a line meets the end of the game, it goes no further.
    better = (*MOVES[: bad.number - 1], *bad.line[:2])
    refuting = (*MOVES[: bad.number], *bad.refutation[:2])
    for wanted in (better, refuting):
        assert any(line[: len(wanted)] == wanted for line in found)


def test_marks_are_those_of_sgf(judged):
    bad = blunder(judged)
    game = sgf.Sgf_game.from_string(review_to_sgf(Game(moves=MOVES), judged))
    node = game.get_main_sequence()[bad.number]
    assert node.get("BM") == 2
    x, y = bad.best
    assert node.get("TR") == {(14 - y, x)}
    x, y = bad.refutation[0]
    assert node.get("CR") == {(14 - y, x)}
    best = next(move for move in judged.moves if move.label == "best")
    assert not game.get_main_sequence()[best.number].has_property("BM")


def test_the_content_of_the_source_is_unchanged(judged):
    played = [PlayedMove(move, score=7, comment="mine") for move in MOVES]
    record = GameRecord(
        Rule.FREESTYLE, 15, 15, black="A", white="B", moves=tuple(played),
        result="0-1", reason="resigned",
    )  # fmt: skip
    game = Game.from_record(record)
    (read,) = records_of(review_to_sgf(game, judged))
    assert (read.black, read.result, read.reason) == ("A", "0-1", "resigned")
    assert all(one.score == 7 for one in read.moves)
    assert all(one.comment.startswith("mine\n") for one in read.moves)
    psq = from_psq(review_to_psq(game, judged))
    assert (psq.black, psq.result, psq.reason) == ("A", "0-1", "resigned")


def test_a_game_of_set_up_stones_begins_with_them():
    game = Game(black_stones=(MOVES[0],), first=Side.WHITE, moves=MOVES[1:5])
    with Engine(hash_mb=4) as engine:
        judged = review(engine, game, Limits(nodes=100))
    text = review_to_sgf(game, judged)
    assert "AB[hh]" in text
    assert "PL[W]" in text
    assert ";W[gh]" in text
    with pytest.raises(ValueError, match="begins with stones"):
        review_to_psq(game, judged)


def test_psq_has_the_comments_behind_the_game(judged):
    text = review_to_psq(Game(moves=MOVES), judged)
    record = from_psq(text)
    assert tuple(played.move for played in record.moves) == MOVES
    comments = [line for line in text.splitlines() if line.startswith("; ")]
    assert len(comments) == len(MOVES)
    bad = blunder(judged)
    assert f"; {bad.number}. {bad.move} " in comments[bad.number - 1]
    assert " | better: " in comments[bad.number - 1]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value(120), "+120"),
        (Value(0, 7), "wins in 4 moves"),
        (Value(0, -6), "loses in 3 moves"),
    ],
)
def test_psq_counts_a_win_in_own_moves(judged, value, words):
    judged = replace(judged, moves=(replace(judged.moves[0], after=value),))
    text = review_to_psq(Game(moves=MOVES[:1]), judged)
    assert f" {words}: " in text


def test_moves_after_the_end_do_not_change_who_won():
    moves = tuple(parse_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8 a5"))
    with Engine(hash_mb=4) as engine:
        judged = review(engine, Game(moves=moves), Limits(nodes=100))
    assert judged.end == "black won with move 9: five h8-l8"
    assert judged.after_end == 1
    (record,) = records_of(review_to_sgf(Game(moves=moves), judged))
    assert (record.result, record.reason, len(record.moves)) == ("1-0", "five", 10)


def test_a_foul_has_no_value_and_an_inaccuracy_is_not_refuted():
    moves = tuple(parse_moves("h8 a1 i8 a2 g9 b1 g10 b3 h9 c1 g8"))
    game = Game(rule=Rule.RENJU, moves=moves)
    with Engine(hash_mb=4) as engine:
        judged = review(engine, game, Limits(nodes=300))
    (record,) = records_of(review_to_sgf(game, judged))
    assert record.moves[-1].comment.startswith("blunder: forbidden (double three)")
    assert record.moves[-1].score is None
    first = judged.moves[1]
    for label, expected in (("inaccuracy", "best reply"), ("blunder", "refuted by")):
        changed = replace(judged, moves=(replace(first, label=label),))
        assert f" | {expected}: " in review_to_psq(game, changed)
        text = review_to_sgf(game, changed)
        assert ("refutes a1: " in text) == (label == "blunder")
        assert ("best reply to a1: " in text) == (label == "inaccuracy")


def test_everything_of_a_source_stays_beside_the_judgement():
    text = (
        "(;GM[4]SZ[15]C[hello]ON[I7]XY[own];B[hh]LB[hi:A]TR[ii]C[why]"
        "(;W[gh]N[x];B[ih];W[bb];B[jh](;W[bn];B[kh])(;W[kh]C[better]))(;W[hi]))"
    )
    (game,) = parse_games(text)
    before = to_sgf(game)
    with Engine(hash_mb=4) as engine:
        judged = review(engine, game, Limits(nodes=300))
    (again,) = parse_games(review_to_sgf(game, judged))
    assert to_sgf(game) == before
    assert [again.text(name) for name in ("C", "ON", "XY")] == ["hello", "I7", "own"]
    assert again.moves == game.moves
    first = again.variation("h8")
    assert first.labels == game.variation("h8").labels
    assert first.marks.items() >= game.variation("h8").marks.items()
    assert first.comment.startswith("why\n\n")
    assert [str(node.move) for node in first.variations[:2]] == ["g8", "h9"]
    assert first.variation("g8").text("N") == "x"
    fifth = again.node_at(5)
    assert fifth.variation("k8").comment.startswith("better")


def judged_again(text, **options):
    """Return the game of a text, and the one that its judged file has."""
    (game,) = parse_games(text, **options)
    with Engine(hash_mb=4) as engine:
        written = review_to_sgf(game, review(engine, game, Limits(nodes=100)))
    (again,) = parse_games(written)
    return game, again


def test_a_judgement_stands_at_its_move_after_a_pass_and_comments():
    text = "(;GM[4]SZ[15];B[hh]N[a];W[ii]N[b];B[];C[between];W[jj]N[c];B[ij]N[d])"
    _, again = judged_again(text)
    words = {n.text("N"): n.comment for n in again.mainline() if n.move is not None}
    assert words["a"] == words["b"] == ""
    assert words["c"]
    assert words["d"]
    assert [n.is_pass for n in again.mainline()].count(True) == 1


def test_the_result_rule_and_size_of_a_judged_game_are_those_that_were_judged():
    moves = ";B[fh];W[aa];B[gh];W[ao];B[hf];W[oa];B[hg];W[oo];B[hh]"
    game, again = judged_again(f"(;GM[4]SZ[15]RU[renju]RE[B+]{moves})")
    assert (game.result, game.reason) == (again.result, again.reason) == ("0-1", "foul")
    _, again = judged_again("(;B[hh];W[ii];B[jj])", rule="renju", size=13)
    assert (again.rule, again.size) == (Rule.RENJU, (13, 13))
    assert again.result == "*"


def test_strange_values_of_a_source_stay_as_they_are_written():
    text = (
        "(;GM[4]SZ[15];B[hh]C[a\tb][second];W[ii]C[0.3 s\nwords];B[jj]V[foo]"
        ";W[aa]V[0.35]C[x]TE[1]BM[1])"
    )
    _, again = judged_again(text)
    first, second, third, fourth = again.mainline()
    assert first.properties["C"][0] == "a\tb"
    assert first.properties["C"][1].startswith("second\n\n")
    assert second.text("C", lines=True).startswith("0.3 s\nwords\n\n")
    assert second.figures.seconds == 0.3
    assert second.figures.score is not None
    assert (third.text("V"), fourth.text("V")) == ("foo", "0.35")
    assert fourth.comment.startswith("x\n\n")
    assert fourth.properties["TE"] == fourth.properties["BM"] == ["1"]


def test_a_judged_game_takes_a_record_and_a_board():
    board = Game(moves=MOVES).board()
    record = Game.from_board(board).record()
    with Engine(hash_mb=4) as engine:
        labels = [
            [move.label for move in review(engine, source, Limits(nodes=50)).moves]
            for source in (board, record, Game.from_board(board))
        ]
        judged = review(engine, record, Limits(nodes=50))
        assert review_to_sgf(record, judged).count("AN[gomoku-brain]") == 1
        assert review_to_psq(board, judged).count("\n; ") == len(MOVES)
        with pytest.raises(TypeError, match="a Game, a GameRecord or a Board"):
            review(engine, MOVES, Limits(nodes=50))
    assert labels[0] == labels[1] == labels[2]
