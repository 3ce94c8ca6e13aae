"""Positions that searches evaluate: taken unseen, judged by searches of their own."""

import gc
import subprocess
import sys
import weakref
from dataclasses import replace

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.hand_weights import hand_weights
from gomoku_brain.eval.linear import Linear, kind_ranks
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.evaluated import EvaluatedRecipe, main
from gomoku_brain.lab.train.numbered import checksum, numbered_lines
from gomoku_brain.lab.train.sampling import MAX_PATHS, MAX_PLIES, Sampling
from gomoku_brain.lab.train.selfplay import score_word
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from tests.lab.train.games import some_games

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
    paths = sampling.take(board)
    assert 30 < len(paths) <= 4000 / 25
    for path in paths:
        after = Board.from_moves((*board.moves, *path), rule=rule)
        assert after.winner is None
    assert len({len(path) for path in paths}) > 3
    assert sampling.take(board) == []


def test_every_evaluation_may_be_remembered_up_to_a_limit():
    sampling = Sampling(evaluation_of(int(Rule.FREESTYLE)), 1)
    engine = Engine(hash_mb=1)
    engine.set_evaluation(sampling)
    board = Board.from_moves("h8 i9 h10 h9")
    engine.search(board, Limits(nodes=8000))
    assert len(sampling.take(board)) == MAX_PATHS == 1024
    with pytest.raises(ValueError, match="one evaluation in 0"):
        Sampling(evaluation_of(int(Rule.FREESTYLE)), 0)


def watching(sampling, board):
    """A worker at a position, whose evaluations are looked at."""
    worker = Worker(TranspositionTable(0.1))
    worker.set_evaluation(sampling)
    worker.set_position(board, SearchControl())
    return worker


def test_longer_paths_are_not_remembered():
    # stones of a colour stand in pairs, so that nobody wins
    cells = [Move(x, y) for y in range(15) for x in range(15)]
    black = [cell for cell in cells if (cell.x // 2 + cell.y) % 2 == 0]
    white = [cell for cell in cells if cell not in black]
    moves = [move for pair in zip(black, white, strict=False) for move in pair][:70]
    sampling = Sampling(evaluation_of(int(Rule.FREESTYLE)), 1)
    watching(sampling, Board(15)).evaluate_along(moves)
    paths = sampling.take(Board(15))
    assert paths == [tuple(moves[:length]) for length in range(1, MAX_PLIES + 1)]


def test_what_was_evaluated_from_another_position_is_left_out():
    sampling = Sampling(evaluation_of(int(Rule.FREESTYLE)), 1)
    board = Board.from_moves("h8 h9 j10 i9")
    watching(sampling, board).evaluate_along(parse_moves("i8 g8"))
    replay = LineReplay(TranspositionTable(0.1))
    replay.set_evaluation(sampling)
    line = parse_moves("i8")
    replay.complete(board, line, 5, SearchControl(), 1000)
    assert sampling.take(board) == [(line[0],), tuple(parse_moves("i8 g8"))]
    replay = LineReplay(TranspositionTable(0.1))  # a table that knows no evaluations
    replay.set_evaluation(sampling)
    replay.complete(board, line, 5, SearchControl(), 1000)
    after = Board.from_moves((*board.moves, *line))
    assert len(sampling.take(after)) > 20  # the replay did ask


def test_one_evaluation_is_for_one_rule_however_often_that_changes():
    sampling = Sampling(evaluation_of(int(Rule.FREESTYLE)), 10)
    engine, found = Engine(hash_mb=1), []
    engine.set_evaluation(sampling)
    for rule in (Rule.FREESTYLE, Rule.RENJU, Rule.FREESTYLE):
        board = Board.from_moves("h8 i9 h10 h9 g9 j11", rule=rule)
        engine.new_game()
        engine.search(board, Limits(nodes=2000))
        found.append(sampling.take(board))
    assert found[0] == found[2]
    assert len(found[0]) > 20
    assert found[1] == []


def test_an_evaluation_is_made_once_and_whole():
    inner = evaluation_of(int(Rule.FREESTYLE))
    sampling = Sampling(inner, 1)
    board = Board.from_moves("h8 i9")
    worker = watching(sampling, board)
    with pytest.raises(TypeError, match="an evaluation cannot be initialised twice"):
        sampling.__init__(inner, 2)
    worker.evaluate()
    assert sampling.take(board) == [()]
    with pytest.raises(ValueError, match="has no evaluation"):
        watching(Sampling.__new__(Sampling), board)
    with pytest.raises(NotImplementedError, match="brings no evaluator"):
        watching(Sampling(Evaluation(), 1), board)


class Holding(Linear):
    """An evaluation that can refer to the one around it."""


def test_a_cycle_of_references_gives_its_memory_back(monkeypatch):
    wrong = []
    monkeypatch.setattr(sys, "unraisablehook", wrong.append)
    ranks = [kind_ranks(Rule.FREESTYLE, side) for side in range(2)]
    around = Sampling.__new__(Sampling)
    gc.collect()  # makes it the older of the two, which the collector clears first
    inner = Holding(hand_weights(Rule.FREESTYLE, ranks))
    inner.around = around
    around.__init__(inner, 1)
    watching(around, Board(15)).evaluate()
    gone = weakref.ref(inner)
    del inner, around
    gc.collect()
    assert gone() is None
    assert wrong == []


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
    assert main([str(out), str(games), "--every", "50", *OPTIONS[:2]]) == 2
    assert "begun with other options" in capsys.readouterr().err


def test_renju_is_searched_as_renju(tmp_path, capsys):
    path, out = tmp_path / "renju.txt", tmp_path / "evaluated.txt"
    games = some_games(3, Rule.RENJU)
    path.write_text("".join(games))
    assert main([str(out), str(path), "--rule", "renju", *OPTIONS]) == 0
    recipe, engine = replace(RECIPE, rule=Rule.RENJU), Engine(hash_mb=1)
    lines = [recipe.line(n, line, engine) + "\n" for n, line in enumerate(games)]
    assert numbered_lines(out) == lines
    assert any(len(line.split()) > 3 for line in lines)
    assert main([str(out), str(path), *OPTIONS]) == 2
    assert "begun with other options" in capsys.readouterr().err


def test_a_run_of_some_games_goes_on_with_all(tmp_path, games):
    out = tmp_path / "evaluated.txt"
    wanted = [line + "\n" for line in lines_of(some_games(6))]
    assert main([str(out), str(games), "--most", "3", *OPTIONS]) == 0
    assert numbered_lines(out) == wanted[:3]
    assert main([str(out), str(games), *OPTIONS]) == 0
    assert numbered_lines(out) == wanted


# See test_selfplay.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow("starts a Dask cluster", ci=True)
def test_a_cluster_makes_the_same_lines(tmp_path, games, local):
    wanted = [line + "\n" for line in lines_of(some_games(6))]
    command = [sys.executable, "-m", "gomoku_brain.lab.train.evaluated"]
    command += [str(tmp_path / "evaluated.txt"), str(games), *OPTIONS]
    command += ["--cluster", local.scheduler_address]
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    assert output.stdout == f"6 lines, sha256 {checksum(wanted)}\n"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("0 15 h8,i9 h9,h10=5", "not a game of self-play"),
        ("0 15 h8,i9 h9,h10=5 a1,a2=3", "not a game of self-play"),
        ("0 hello 1 h8,i9 5", "not a game of self-play"),
        ("0 15 1 h8,h8 5", "h8 is occupied"),
        ("0 4 1 a1,a2 5", "board size 4x4 is not within 5..22"),
    ],
)
def test_only_games_are_searched(tmp_path, capsys, line, output):
    path = tmp_path / "games.txt"
    path.write_text(line + "\n")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out.txt"), str(path), *OPTIONS])
    assert f"evaluated: {path}: {output}: {line!r}\n" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("--most 0", "argument --most: '"),
        ("--most -1", "argument --most: '"),
        ("--every 0", "argument --every: '"),
        ("--every 99999999999", "argument --every: '"),
        ("--nodes 0", "argument --nodes: '"),
        ("--searched x", "argument --searched: '"),
        ("--searched 4100 --every 4", "take more than 1024 positions"),
        ("--most 7", "number 6 is missing"),
        ("--rule chess", "'chess' is not one of"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(tmp_path, games, capsys, words, output):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out.txt"), str(games), *words.split()])
    assert output in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_a_file_that_is_not_there_is_reported_in_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out.txt"), str(tmp_path / "none.txt")])
    assert "none.txt" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_help_states_the_defaults(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    output = " ".join(capsys.readouterr().out.split())
    for words in (
        "nodes of a game's search (8000)",
        "take one evaluation in so many (400)",
        "of the search of a position taken (2000)",
    ):
        assert words in output
