"""Short searches judged by a long one: lines that go on, figures that add up."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.numbered import checksum, numbered_lines
from gomoku_brain.lab.train.program_options import Variant
from gomoku_brain.lab.train.selfplay import score_word
from gomoku_brain.lab.tune import accuracy
from gomoku_brain.lab.tune.accuracy import LongRecipe, ShortRecipe, comparison, main
from tests.lab.train.games import some_games

GAMES = 8


@pytest.fixture
def look(monkeypatch):
    """A first look that leaves out some of the games' positions, but not all."""
    monkeypatch.setattr(accuracy, "LOOK", 200)


@pytest.fixture
def reference(look):
    return long_search({})


def long_search(params):
    recipe = LongRecipe(Variant(params, None), Rule.FREESTYLE, 900, 4)
    lines, engine = enumerate(some_games(GAMES)), Engine(hash_mb=1)
    return [recipe.line(number, game, engine) + "\n" for number, game in lines]


def test_positions_of_games_are_searched_at_length(reference):
    left_out = [line for line in reference if line.split()[1:] == ["-"]]
    assert 0 < len(left_out) < GAMES - 1
    for game, line in zip(some_games(GAMES), reference, strict=True):
        if line in left_out:
            continue
        number, rule, size, moves, pv, score = line.split()
        assert rule == "freestyle"
        assert [number, size] == game.split()[:2]
        assert game.split()[3].startswith(moves)
        board = Board.from_moves(parse_moves(moves), int(size))
        found = Engine(hash_mb=accuracy.HASH_MB).search(board, Limits(nodes=900))
        assert (score, parse_moves(pv)) == (score_word(found), list(found.pv))


def test_a_variant_may_make_the_long_search(reference, tmp_path):
    params = {"futility_slope": 150, "late_move_base": 30}
    other = long_search(params)
    assert other != reference
    games, long = tmp_path / "games.txt", tmp_path / "long.txt"
    games.write_text("".join(some_games(GAMES)))
    expected = ",".join(f"{name}={value}" for name, value in params.items())
    options = f"--nodes 900 --seed 4 --set {expected}".split()
    assert main(["long", str(long), str(games), *options]) == 0
    assert numbered_lines(long) == other


def test_a_variant_searches_the_same_positions(reference):
    engine = Engine(hash_mb=1)
    plain = ShortRecipe(Variant({}, None), 300)
    other = ShortRecipe(
        Variant({"futility_slope": 150, "late_move_base": 30}, None), 300
    )
    output = [
        [recipe.line(number, line, engine) for number, line in enumerate(reference)]
        for recipe in (plain, other, plain)
    ]
    assert output[0] == output[2], "what was searched before makes no difference"
    assert output[0] != output[1]
    for line, answer in zip(reference, output[0], strict=True):
        assert (line.split()[1] == "-") == (answer.split()[1] == "-")


def test_the_figures_of_a_comparison():
    where = "freestyle 15 h8 i9"
    reference = [f"0 {where} 0\n", "1 -\n", f"2 {where} W5\n", f"3 {where} L8\n"]
    exact = ["0 i9 0\n", "1 -\n", "2 i9 W9\n", "3 i9 L2\n"]
    even = ["0 i9 0\n", "1 -\n", "2 i9 0\n", "3 i9 0\n"]
    assert comparison(reference, exact) == (
        "3 positions: error 0.0 thousandths of a logit, proved 66.7 %"
    )
    assert comparison(reference, even) == (
        "3 positions: error 2000.0 thousandths of a logit, proved 0.0 %"
    )
    # Differences by position: 0, 3000, 3000 and 0, -100, -100.
    assert comparison(reference, even, exact) == (
        "3 positions, against the other: error +2000.0 +- 1000.0, proved -66.7 +- 33.3"
    )
    # 64 of 320 units are a fifth of a logit; beyond three logits nothing counts.
    for score in (960, 2000):
        lines = ["0 i9 64\n", "1 -\n", f"2 i9 {score}\n", "3 i9 L9\n"]
        assert comparison(reference, lines).startswith("3 positions: error 66.7 ")
    with pytest.raises(ValueError, match="in one file only: '1 -'"):
        comparison(reference, ["0 i9 0\n", "1 i9 5\n", "2 i9 0\n", "3 i9 0\n"])
    with pytest.raises(ValueError, match="fewer than two positions"):
        comparison(["0 -\n", f"1 {where} 3\n"], ["0 -\n", "1 i9 4\n"])


def test_both_steps_go_on_where_they_were_cut(tmp_path, capsys, reference):
    games, long = tmp_path / "games.txt", tmp_path / "long.txt"
    games.write_text("".join(some_games(GAMES)))
    long.write_text(reference[3] + reference[5][:4])
    options = "--nodes 900 --seed 4".split()
    assert main(["long", str(long), str(games), *options]) == 0
    assert capsys.readouterr().out == f"{GAMES} lines, sha256 {checksum(reference)}\n"
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    assert main(["short", str(one), str(long), "--nodes", "300"]) == 0
    output = capsys.readouterr().out
    recipe = ShortRecipe(Variant({}, None), 300)
    lines = [
        recipe.line(number, line, Engine(hash_mb=1)) + "\n"
        for number, line in enumerate(reference)
    ]
    assert numbered_lines(one) == lines
    assert output.splitlines()[1] == comparison(reference, lines)
    changed = ["--nodes", "300", "--set", "late_move_base=30", "--workers", "2"]
    assert main(["short", str(two), str(long), *changed, "--against", str(one)]) == 0
    expected = capsys.readouterr().out.splitlines()[1:]
    mine = numbered_lines(two)
    assert mine != lines
    assert expected == [comparison(reference, mine), comparison(reference, mine, lines)]
    assert main(["short", str(one), str(long), "--nodes", "30"]) == 2
    assert "begun with other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("0 freestyle 15 h8 i9 hello\n", "not a position with the score of a long"),
        ("0 freestyle 15 h8,h8 i9 5\n", "not a position with the score of a long"),
        ("0 15 1 h8,i9 5\n", "not a position with the score of a long search"),
        ("0 renju 15 h8,i9 i9 5\n", "not a position of freestyle"),
        ("hello\n", "a line without a number"),
        ("0 freestyle 15 h8 i9 5\n1 -\n", "fewer than two positions"),
    ],
)
def test_what_is_no_long_search_is_refused(tmp_path, capsys, line, why):
    path, out = tmp_path / "long.txt", tmp_path / "short.txt"
    path.write_text(line)
    with pytest.raises(SystemExit):
        main(["short", str(out), str(path)])
    output = capsys.readouterr().err
    assert why in output
    assert "long.txt" in output
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0 i9 5\n", "number 1 is missing"),
        ("0 i9 5\n1 i9 5\n2 -\n", "not of the positions of"),
        ("0 i9 5\n1 -\n2 freestyle 15 h8 i9 5\n", "not a variant's search"),
        ("0 i9 5\n1 -\n2 i9 hello\n", "not a variant's search"),
    ],
)
def test_another_variant_is_looked_at_before_the_work(tmp_path, capsys, text, why):
    long, other, out = (tmp_path / f"{name}.txt" for name in ("long", "other", "out"))
    long.write_text("0 freestyle 15 h8 i9 3\n1 -\n2 freestyle 15 h8 i9 4\n")
    other.write_text(text)
    with pytest.raises(SystemExit):
        main(["short", str(out), str(long), "--against", str(other)])
    output = capsys.readouterr().err
    assert why in output
    assert "other.txt" in output
    assert not out.exists()


def test_weights_of_another_rule_are_refused(tmp_path, capsys):
    from importlib import resources

    long, out = tmp_path / "long.txt", tmp_path / "out.txt"
    long.write_text("0 freestyle 15 h8 i9 3\n1 freestyle 15 h8 g9 4\n")
    renju = resources.files("gomoku_brain") / "data" / "weights-renju.bin"
    with pytest.raises(SystemExit):
        main(["short", str(out), str(long), "--weights", str(renju)])
    assert "weights for another rule" in capsys.readouterr().err
    assert not out.exists()
