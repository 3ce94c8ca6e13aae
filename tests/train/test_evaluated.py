"""Positions that searches evaluate: taken unseen, judged by searches of their own."""

import pytest

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits
from gomoku_brain.train.evaluated import EvaluatedRecipe, main
from gomoku_brain.train.numbered import checksum, numbered_lines
from gomoku_brain.train.sampling import Sampling
from gomoku_brain.train.selfplay import score_word
from tests.train.games import some_games

RECIPE = EvaluatedRecipe(Rule.FREESTYLE, 800, 40, 60, 7)
OPTIONS = "--searched 800 --every 40 --nodes 60 --seed 7".split()


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(6)))
    return path


def lines_of(games):
    engine = Engine(hash_mb=1)
    return [RECIPE.line(n, line, engine) for n, line in enumerate(games)]


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU])
def test_the_search_is_the_same_while_positions_are_remembered(rule):
    board = Board.from_moves("h8 i9 h10 h9 g9 j11", rule=rule)
    plain, watched = Engine(hash_mb=1), Engine(hash_mb=1)
    sampling = Sampling(evaluation_of(int(rule)), 25)
    watched.set_evaluation(sampling)
    found = [e.search(board, Limits(nodes=4000)) for e in (plain, watched)]
    assert found[0].score == found[1].score
    assert found[0].pv == found[1].pv
    paths = sampling.take()
    assert 40 < len(paths) <= 4000 / 25
    for path in paths:
        after = Board.from_moves((*board.moves, *path), rule=rule)
        assert after.winner is None
    assert len({len(path) for path in paths}) > 3
    assert sampling.take() == []


def test_every_evaluation_may_be_remembered_up_to_a_limit():
    sampling = Sampling(evaluation_of(int(Rule.FREESTYLE)), 1)
    engine = Engine(hash_mb=1)
    engine.set_evaluation(sampling)
    engine.search(Board.from_moves("h8 i9 h10 h9"), Limits(nodes=8000))
    assert len(sampling.take()) == 1024
    with pytest.raises(ValueError, match="one evaluation in 0"):
        Sampling(evaluation_of(int(Rule.FREESTYLE)), 0)


def test_a_line_has_positions_with_the_score_of_a_search_of_their_own():
    engine, checked = Engine(hash_mb=1), 0
    for game, line in zip(some_games(6), lines_of(some_games(6)), strict=True):
        number, size, root, *words = line.split()
        assert [number, size] == game.split()[:2]
        assert game.split()[3].startswith(root)
        known = set()
        for word in words:
            path, _, score = word.partition("=")
            moves = parse_moves(f"{root},{path}".replace(",", " "))
            board = Board.from_moves(moves[:-1], int(size))
            assert board.key not in known
            known.add(board.key)
            engine.new_game()
            found = engine.search(board, Limits(nodes=60))
            assert (found.move, score_word(found)) == (moves[-1], score)
            checked += 1
    assert checked > 20


def test_a_run_that_was_cut_ends_with_the_same_lines(tmp_path, games, capsys):
    out = tmp_path / "evaluated.txt"
    wanted = [line + "\n" for line in lines_of(some_games(6))]
    out.write_text(wanted[3] + wanted[0][:9])
    assert main([str(out), str(games), "--workers", "2", *OPTIONS]) == 0
    assert capsys.readouterr().out == f"6 lines, sha256 {checksum(wanted)}\n"
    assert numbered_lines(out) == wanted
    assert main([str(out), str(games), "--every", "50", *OPTIONS[:2]]) == 1
    assert "begun with other options" in capsys.readouterr().err


def test_only_games_are_searched(tmp_path, capsys):
    path = tmp_path / "games.txt"
    path.write_text("0 15 h8,i9 h9,h10=5\n")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out.txt"), str(path), *OPTIONS])
    assert "not a game of self-play: '0 15 h8,i9" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out.txt"), str(tmp_path / "none.txt")])
    assert "none.txt" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()
