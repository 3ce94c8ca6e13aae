"""Pairs of games at fixed nodes: fair, the same again, and judged as a match is."""

from dataclasses import replace

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.weights import Part, pack_weights, shipped_weights
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.numbered import checksum, numbered_lines
from gomoku_brain.lab.train.program_options import Variant
from gomoku_brain.lab.tune.duel import Duel, DuelRecipe, main, result_of
from gomoku_brain.records.openings import book

FEW = "--nodes 60 --pairs 4 --seed 3".split()
PLAIN = Variant({}, None)
ONE = Variant({"late_move_base": 1, "late_move_slope": 8}, None)
OTHER = Variant({"late_move_base": 30}, None)


def lines_of(recipe, count=4, seed=3):
    """The lines of a match of the command line above."""
    from gomoku_brain.game.notation import format_moves
    from gomoku_brain.records.openings import select

    engine = Engine(hash_mb=1)
    openings = select(book(recipe.rule, recipe.size), count, seed)
    expected = [format_moves(opening.moves, ",") for opening in openings]
    return [
        recipe.line(number, one, engine) + "\n" for number, one in enumerate(expected)
    ]


def worthless(rule):
    """Weights without an evaluation, so that games with them differ."""
    weights = shipped_weights(int(rule))
    cells = weights.parts["cells"]
    none = Part(cells.shape, bytes(len(cells.numbers)))
    return replace(weights, parts={**weights.parts, "cells": none})


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU])
def test_equal_variants_share_the_points_of_a_pair(rule):
    duel = Duel(DuelRecipe(PLAIN, PLAIN, rule, 15, 60))
    for opening in book(rule, 15)[:4]:
        one, other = duel.pair(opening.moves)
        assert one.points + other.points == 1
        assert one.moves == other.moves


@pytest.mark.slow("16 games", ci=True)
def test_who_plays_without_an_evaluation_loses():
    blind = Variant({}, worthless(Rule.FREESTYLE))
    recipe = DuelRecipe(PLAIN, blind, Rule.FREESTYLE, 15, 600)
    turned = replace(recipe, first=blind, second=PLAIN)
    for line, back in zip(lines_of(recipe), lines_of(turned), strict=True):
        number, opening, one, two, *games = line.split()
        points = [1 - float(two), 1 - float(one)]
        assert back.split() == [
            number,
            opening,
            *[f"{p:g}" for p in points],
            *games[::-1],
        ]
    assert sum(float(p) for line in lines_of(recipe) for p in line.split()[2:4]) > 5


def test_each_side_has_its_own_nodes(tmp_path):
    recipe = DuelRecipe(PLAIN, PLAIN, Rule.FREESTYLE, 15, 900, 60)
    lines = lines_of(recipe)
    assert sum(float(p) for line in lines for p in line.split()[2:4]) > len(lines)
    out = tmp_path / "pairs.txt"
    options = [*FEW, "--nodes", "900", "--against-nodes", "60"]
    assert main([str(out), *options]) == 0
    assert numbered_lines(out) == lines


def test_a_line_has_both_games():
    recipe = DuelRecipe(ONE, OTHER, Rule.STANDARD, 15, 60)
    won = 0
    for line in lines_of(recipe):
        _, opening, one, other, *games = line.split()
        assert len(games) == 2
        for first, points, moves in zip((0, 1), (one, other), games, strict=True):
            played = parse_moves(f"{opening},{moves}")
            if float(points) == 0.5:
                continue
            # The game ended where the side to move announced its win.
            board = Board.from_moves(played, 15, Rule.STANDARD)
            found = Engine(hash_mb=1).search(board, Limits(nodes=5000))
            assert found.win_in is not None
            assert found.win_in > 0
            first_plays = (len(parse_moves(opening)) + first) % 2
            assert float(points) == (len(played) % 2 == first_plays)
            won += 1
    assert won > 1
    with pytest.raises(ValueError, match="h8"):
        recipe.line(0, "h8,h8", Engine(hash_mb=1))
    with pytest.raises(ValueError, match="game is over"):
        recipe.line(0, "a1,a2,b1,b2,c1,c2,d1,d2,e1", Engine(hash_mb=1))


def test_the_result_is_that_of_the_first_variant():
    lines = [
        f"{n} h8 {points} i9 i9" for n, points in enumerate(["1 1", "1 0.5", "0 1"])
    ]
    output = result_of(lines)
    assert output.startswith("6 games, 75.0 %, Elo +191 [")
    assert output.endswith("pairs [0, 0, 1, 1, 1], 1 split")


def test_a_match_that_was_cut_ends_with_the_same_result(tmp_path, capsys):
    whole, cut = tmp_path / "whole.txt", tmp_path / "cut.txt"
    options = [*FEW, "--set", "late_move_base=1,late_move_slope=8"]
    options += ["--against-set", "late_move_base=30"]
    lines = lines_of(DuelRecipe(ONE, OTHER, Rule.FREESTYLE, 15, 60))
    assert main([str(whole), *options]) == 0
    output = capsys.readouterr().out
    assert numbered_lines(whole) == lines
    assert output == f"4 lines, sha256 {checksum(lines)}\n{result_of(lines)}\n"
    cut.write_text(lines[2] + lines[0][:7])
    assert main([str(cut), *options, "--workers", "2"]) == 0
    assert capsys.readouterr().out == output
    # More pairs go on with those that are there; with other options none does.
    assert main([str(cut), *options, "--pairs", "5"]) == 0
    assert capsys.readouterr().out.startswith("5 lines")
    before = cut.read_bytes()
    assert main([str(cut), *FEW]) == 2
    assert "begun with other options" in capsys.readouterr().err
    assert cut.read_bytes() == before
    cut.write_text("".join([*lines[:2], "2 h8,i9 1\n", lines[3]]))
    assert main([str(cut), *options]) == 2
    assert "cut.txt: not a pair of games: '2 h8,i9 1'" in capsys.readouterr().err


def test_weights_are_those_of_the_files(tmp_path, capsys):
    path, out = tmp_path / "blind.bin", tmp_path / "pairs.txt"
    weights = worthless(Rule.RENJU)
    path.write_bytes(pack_weights(weights))
    with pytest.raises(SystemExit):
        main([str(out), *FEW, "--weights", str(path)])
    assert "blind.bin: weights for another rule" in capsys.readouterr().err
    blind = Variant({}, weights)
    for side, variants in ("", (blind, PLAIN)), ("against-", (PLAIN, blind)):
        out = tmp_path / f"pairs{side}.txt"
        options = [*FEW, "--rule", "renju", f"--{side}weights", str(path)]
        assert main([str(out), *options]) == 0
        wanted = lines_of(DuelRecipe(*variants, Rule.RENJU, 15, 60))
        assert numbered_lines(out) == wanted


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--set", "none=3"], "there is no constant none"),
        (
            ["--set", "late_move_base=3,late_move_base=4"],
            "late_move_base is named twice",
        ),
        (["--against-set", "late_move_base"], "late_move_base is a whole number from"),
        (["--set", "late_move_base=5000"], "late_move_base is a whole number from"),
        (["--weights", "none.bin"], "none.bin: No such file or directory"),
        (["--against-weights", __file__], "test_duel.py: "),
        (["--pairs", "99999"], "99999 openings wanted, and there are"),
        (["--pairs", "0"], "is not a whole number"),
    ],
)
def test_unplayable_options_are_reported_in_one_line(tmp_path, capsys, arguments, why):
    out = tmp_path / "pairs.txt"
    with pytest.raises(SystemExit):
        main([str(out), *arguments])
    assert why in capsys.readouterr().err
    assert not out.exists()
