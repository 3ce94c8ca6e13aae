"""Policies compared, on a few positions."""

import numpy as np
import pytest

from gomoku_brain import Board
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import move_choices, move_features
from gomoku_brain.lab.train.numbered import LineTask, make_lines
from gomoku_brain.lab.train.policy import (
    POLICIES,
    POSITIONS,
    Head,
    PolicyRecipe,
    fit,
    judge,
    main,
    position_of,
    probabilities,
    read_choices,
    rows_of,
    weights_for,
)
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from tests.lab.train.games import some_games


def tasks(first=0, seed=1, nodes=100):
    """Of the games from one number on."""
    recipe = PolicyRecipe(Rule.FREESTYLE, seed, nodes)
    games = enumerate(some_games(12))
    return [LineTask(recipe, n, line) for n, line in games if n >= first]


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("policy") / "moves.txt"
    return make_lines(path, tasks(), 1)


@pytest.fixture(scope="module")
def choices(lines):
    return read_choices(lines, weights_for(Rule.FREESTYLE))


def test_the_choices_are_those_of_the_features():
    for line in some_games(6):
        board = position_of(line, Rule.FREESTYLE, 1)
        found = move_choices(board)
        assert len(found) > 1
        for k in (0, len(found) // 2, len(found) - 1):
            assert move_features(board, found[k])[2] == k
    assert move_choices(Board.from_moves("h8 a1 i8 a2 j8 a3 k8")) == [], "one reply"


def test_no_choice_of_renju_is_forbidden():
    board = Board.from_moves("h8 a1 i8 o1 g6 a15 g7 o15", rule=Rule.RENJU)
    assert board.foul((6, 7)) == "double-three"
    assert (6, 7) not in move_choices(board)


def test_positions_are_searched_once(tmp_path, lines):
    path = tmp_path / POSITIONS
    path.write_text("".join(lines[:5]) + "6 15")  # it was killed in the sixth
    assert make_lines(path, tasks(), 1) == lines
    assert path.read_text() == "".join(lines)
    for first, seed, nodes in ((0, 2, 100), (4, 1, 300)):
        with pytest.raises(ValueError, match="name another file"):
            make_lines(path, tasks(first, seed, nodes), 1)


def test_a_move_has_the_kinds_and_the_score_of_the_features(lines, choices):
    line, best = lines[0].split(), choices.best[0]
    board = Board.from_moves(line[2].replace(",", " "), int(line[1]))
    mine, theirs, at = move_features(board, parse_moves(line[3])[0])
    assert at == best - choices.starts[0]
    here = slice(choices.starts[0], choices.starts[1])
    assert choices.mine[here].tolist() == list(memoryview(mine).cast("H"))
    assert choices.theirs[here].tolist() == list(memoryview(theirs).cast("H"))
    assert {n: x.shape[1] for n, x in choices.shown.items()} == dict.fromkeys(
        ("cell", "near", "region", "board"), 32
    )


def test_todays_scores_rank_the_moves_as_the_search_does(lines, choices):
    worker, compared = Worker(TranspositionTable(0.1)), 0
    for k, line in enumerate(lines):
        _, size, moves, _, _ = line.split()
        board = Board.from_moves(moves.replace(",", " "), int(size))
        found = move_choices(board)
        if len(found) < 20:
            continue  # against a threat the search has an order of its own
        worker.set_position(board, SearchControl())
        z = choices.score[choices.starts[k] : choices.starts[k + 1]]
        assert z[found.index(worker.best_by_score())] == z.max()
        compared += 1
    assert compared > 2


def test_the_slopes_are_those_of_the_loss(choices):
    head = Head(POLICIES["all32k"], choices, seed=1)
    positions = np.arange(5)
    rows, starts = rows_of(choices, positions)
    head.parameters["output"] += 0.1

    def loss():
        p = probabilities(head.forward(rows)[0], starts)
        return -np.log(p[starts + choices.best[:5] - choices.starts[:5]]).mean()

    slopes = head.slopes(positions)
    assert set(slopes) == set(head.parameters)
    for name, slope in slopes.items():
        parameter = head.parameters[name].reshape(-1)
        k = int(abs(slope).argmax())
        known = parameter[k]
        ends = []
        for change in (1e-2, -1e-2):
            parameter[k] = known + change
            ends.append(loss())
        parameter[k] = known
        expected = (ends[0] - ends[1]) / 2e-2
        assert slope.reshape(-1)[k] == pytest.approx(expected, rel=0.05, abs=1e-4), name


def test_a_fit_knows_the_positions_it_was_given(choices):
    everything = np.arange(len(choices))
    everything = np.tile(everything, 64 // len(choices) + 1)
    before = judge(choices, choices.score)["log-loss"].mean()
    for name in ("cell", "all32"):
        head = fit(POLICIES[name], choices, everything, epochs=40, seed=1)
        after = judge(choices, head.scores())
        assert after["log-loss"].mean() < before - 0.05, name
        again = fit(POLICIES[name], choices, everything, epochs=40, seed=1)
        assert np.array_equal(head.scores(), again.scores())


def test_a_judge_counts_better_moves(choices):
    z = np.zeros(len(choices.score))
    z[choices.best] = 1
    assert judge(choices, z)["top-1"].all()
    found = judge(choices, -z)
    assert not found["top-1"].any()
    sizes = np.diff(choices.starts)
    assert np.array_equal(found["top-3"], sizes < 4)
    assert judge(choices, 0 * z)["log-loss"] == pytest.approx(np.log(sizes))


def test_the_program_prints_its_table(tmp_path, capsys):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(12)))
    words = [str(tmp_path / "folder"), str(path), "--first", "2", "--count", "10"]
    words += ["--nodes", "60", "--epochs", "1", "--policies", "scale,all32"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "8 positions fitted, 2 judged" in printed
    assert "| cell, 3x3, region, board, 32 hidden | 4,161 | " in printed


def test_a_rule_whose_sides_differ_is_refused_in_one_line(tmp_path, capsys):
    path = tmp_path / "renju.txt"
    path.write_text("".join(some_games(12, Rule.RENJU)))
    words = [str(tmp_path / "folder"), str(path), "--rule", "renju", "--first", "2"]
    assert main([*words, "--count", "10", "--nodes", "60"]) == 2
    printed = capsys.readouterr().err.splitlines()[-1]
    assert printed == "policy: renju has rows for each side; a policy needs one table"
    assert not (tmp_path / "folder").exists()  # nothing was searched
