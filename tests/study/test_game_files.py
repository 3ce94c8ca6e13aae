"""Judged games as files: read back, and by another library."""

from dataclasses import replace

import pytest
from sgfmill import sgf

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game_formats import (
    GameRecord,
    PlayedMove,
    from_psq,
    from_sgf,
    variations_from_sgf,
)
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import Value, review
from gomoku_brain.study.judged_files import review_to_psq, review_to_sgf

MOVES = tuple(parse_moves("h8 g8 i8 b2 j8 b14 k8 o1 o15 l8"))


@pytest.fixture(scope="module")
def judged():
    with Engine(hash_mb=4) as engine:
        return review(engine, Game(moves=MOVES), Limits(nodes=300))


def blunder(judged):
    return next(move for move in judged.moves if move.label == "blunder")


def test_the_main_line_is_the_game_with_values_and_words(judged):
    text = review_to_sgf(Game(moves=MOVES, name="game"), judged)
    (record,) = from_sgf(text)
    assert tuple(played.move for played in record.moves) == MOVES
    for played, expected in zip(record.moves, judged.moves, strict=True):
        assert played.win_in == expected.after.win_in
        assert expected.label in played.comment
        assert expected.why in played.comment
    assert "AN[gomoku-brain]" in text


def test_variations_show_what_was_better_and_what_refutes(judged):
    text = review_to_sgf(Game(moves=MOVES), judged)
    bad = next(move for move in judged.moves if move.label in ("mistake", "blunder"))
    (lines,) = variations_from_sgf(text)
    found = [tuple(played.move for played in line.moves) for line in lines]
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
    game = Game(moves=MOVES, record=record)
    (read,) = from_sgf(review_to_sgf(game, judged))
    assert (read.black, read.result, read.reason) == ("A", "0-1", "resigned")
    assert all(one.score == 7 for one in read.moves)
    assert all(one.comment.startswith("mine\n") for one in read.moves)
    psq = from_psq(review_to_psq(game, judged))
    assert (psq.black, psq.result, psq.reason) == ("A", "0-1", "resigned")


def test_a_game_of_set_up_stones_begins_with_them():
    game = Game(black=(MOVES[0],), first=Side.WHITE, moves=MOVES[1:5])
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
    (record,) = from_sgf(review_to_sgf(Game(moves=moves), judged))
    assert (record.result, record.reason, len(record.moves)) == ("1-0", "five", 10)


def test_a_foul_has_no_value_and_an_inaccuracy_is_not_refuted():
    moves = tuple(parse_moves("h8 a1 i8 a2 g9 b1 g10 b3 h9 c1 g8"))
    game = Game(rule=Rule.RENJU, moves=moves)
    with Engine(hash_mb=4) as engine:
        judged = review(engine, game, Limits(nodes=300))
    (record,) = from_sgf(review_to_sgf(game, judged))
    assert record.moves[-1].comment.startswith("blunder: forbidden (double three)")
    assert record.moves[-1].score is None
    first = judged.moves[1]
    for label, expected in (("inaccuracy", "best reply"), ("blunder", "refuted by")):
        changed = replace(judged, moves=(replace(first, label=label),))
        assert f" | {expected}: " in review_to_psq(game, changed)
        text = review_to_sgf(game, changed)
        assert ("refutes a1: " in text) == (label == "blunder")
        assert ("best reply to a1: " in text) == (label == "inaccuracy")
