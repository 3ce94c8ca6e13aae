"""Results in words: a table of texts with their right answer, and sentences."""

from itertools import product
from pathlib import Path

import pytest

from gomoku_brain import parse_games
from gomoku_brain.records.result_words import result_named
from gomoku_brain.records.sgf import to_sgf

ROWS = [
    [word.strip() for word in line.split("|")]
    for line in Path(__file__)
    .with_name("results.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if line and not line.startswith("#")
]
LEAST = 230  # understood; most of the others say no result


@pytest.mark.parametrize(("text", "result", "reason"), ROWS)
def test_a_result_is_right_or_not_understood(text, result, reason):
    found = result_named(text)
    assert found is None or found == (result, reason)
    for written in (text.upper(), f" {text.replace(' ', '  ')} ", text + "."):
        assert result_named(written) == found


def test_most_results_are_understood():
    assert len(ROWS) > 200
    assert sum(result_named(text) is not None for text, _, _ in ROWS) >= LEAST


OTHER = {"black": "white", "white": "black"}
WON = {"black": "1-0", "white": "0-1"}
SENTENCES = {
    "{a} wins": "",
    "{a} won by {b}'s resignation": "resigned",
    "{a} wins, {b} timed out": "time",
    "{b} resigned": "resigned",
    "{b} lost on time; {a} wins": "time",
    "won by {a} on time": "time",
    "{a} beat {b}": "",
    "{b} lost against {a} by resignation": "resigned",
    "resignation of {b}, victory for {a}": "resigned",
    "{a} + (time)": "time",
}


@pytest.mark.parametrize(("side", "sentence"), [*product(WON, SENTENCES)])
def test_either_side_is_read_in_either_place(side, sentence):
    text = sentence.format(a=side, b=OTHER[side])
    assert result_named(text) == (WON[side], SENTENCES[sentence])
    for word in ("not", "maybe", "xyzzy", "未", "?"):
        assert result_named(f"{word} {text}") is None
    if "+" not in text:
        assert result_named(f"{text}, {OTHER[side]} wins") is None


def test_what_is_not_understood_is_kept_and_noted_once():
    heard = []
    games = "(;SZ[15]RE[Black xyzzy];B[hh])" * 3
    found = parse_games(games, report=heard.append)
    assert [game.result for game in found] == ["*"] * 3
    assert [*map(str, heard)] == ["the result 'Black xyzzy' is not known (3 games)"]
    assert "RE[Black xyzzy]" in to_sgf(found[0])
    five = "(;SZ[15]RE[xyzzy];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae])"
    assert parse_games(five)[0].result == "1-0"
