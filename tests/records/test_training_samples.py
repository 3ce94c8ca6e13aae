import json

import pytest

from gomoku_brain import (
    Board,
    Figures,
    GameRecord,
    Move,
    PlayedMove,
    Rule,
    parse_games,
    save_samples,
    training_samples,
)
from gomoku_brain.records.training_samples import sample_lines

MOVES = "a1 a3 b1 b3 c1 c3 d1 d3 e1"


def record(result="1-0", reason="five", size=15, rule=Rule.FREESTYLE):
    played = [
        PlayedMove(Move(i // 2, i % 2), score=i or None, by_opening=i < 2)
        for i in range(9)
    ]
    return GameRecord(rule, size, size, "b", "w", tuple(played), result, reason, id="g")


def test_a_sample_for_each_move_that_a_player_chose():
    samples = list(training_samples(record()))
    assert len(samples) == 7
    assert [sample.result for sample in samples] == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    assert samples[0].move == Move(1, 0)
    assert samples[0].score == 2
    assert samples[0].board() == Board.from_moves([(0, 0), (0, 1)])


def test_games_without_a_result_or_with_a_fault_give_none():
    assert not list(training_samples(record("*", "stopped")))
    assert not list(training_samples(record(reason="crash")))
    assert len(list(training_samples(record(reason="crash"), faults=True))) == 7


def test_lines_of_json():
    rows = [json.loads(line) for line in sample_lines([record()]).splitlines()]
    assert rows[0] == {
        "game": "g",
        "rule": "freestyle",
        "width": 15,
        "height": 15,
        "moves": "a1 a2",
        "move": "b1",
        "result": 1.0,
        "score": 2,
    }


def test_arrays_in_a_file(tmp_path):
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "samples.npz"
    samples = list(training_samples(record()))
    assert save_samples(path, samples) == 7
    with numpy.load(path) as arrays:
        assert arrays["planes"].shape == (7, 6, 15, 15)
        assert arrays["move"].tolist()[0] == 1
        assert arrays["result"].tolist()[:2] == [1.0, 0.0]
        assert arrays["score"].tolist()[:2] == [2.0, 3.0]
    assert save_samples(path, samples, symmetries=True) == 56
    with numpy.load(path) as arrays:
        assert arrays["planes"].shape == (56, 6, 15, 15)
        empty = arrays["planes"][:, 3].reshape(56, -1)
        assert empty[numpy.arange(56), arrays["move"]].all()


def test_samples_of_different_sizes_and_none_are_refused(tmp_path):
    pytest.importorskip("numpy")
    mixed = [*training_samples(record()), *training_samples(record(size=20))]
    for wrong in (mixed, []):
        with pytest.raises(ValueError, match="samples"):
            save_samples(tmp_path / "x.npz", wrong)


def test_a_score_that_no_search_made_is_not_known(tmp_path):
    """Earlier versions wrote score 0 and depth 0 for a move without a search."""
    numpy = pytest.importorskip("numpy")
    line = (
        '{"rule": "freestyle", "width": 15, "height": 15, "result": "1-0", "moves":'
        ' [{"move": "h8", "score": 0, "depth": 0}, {"move": "i9", "score": 0,'
        ' "depth": 3}, {"move": "j8", "score": 7, "depth": 0}]}'
    )
    (game,) = parse_games(line)
    assert [node.figures.score for node in game.mainline()] == [None, 0, 7]
    assert [sample.score for sample in training_samples(game)] == [None, 0, 7]
    save_samples(tmp_path / "x.npz", training_samples(game))
    scores = numpy.load(tmp_path / "x.npz")["score"]
    assert numpy.isnan(scores).tolist() == [True, False, False]
    (game,) = parse_games("(;SZ[15];B[hh]V[0]C[score 0, depth 0, 9 nodes])")
    assert game.end().figures == Figures(depth=0, nodes=9)
