import json
from dataclasses import replace

import pytest

from gomoku_brain import (
    Board,
    Figures,
    GameRecord,
    Move,
    PlayedMove,
    Rule,
    load_samples,
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
    with pytest.raises(ValueError, match="no samples"):
        save_samples(tmp_path / "folder", [])


def test_a_folder_gives_back_the_images_of_every_sample(tmp_path):
    """Mixed rules and sizes, in files of at most 40 samples."""
    numpy = pytest.importorskip("numpy")
    games = [record(), record(size=20, rule=Rule.RENJU), record("0-1"), record()]
    samples = [sample for game in games for sample in training_samples(game)]
    samples[3] = replace(samples[3], win_in=-4, score=None)

    def policy(board):
        return board.planes()[0] * 2

    folder = tmp_path / "samples"
    count = save_samples(
        folder, iter(samples), symmetries=True, policy=policy, shard=40
    )
    found = list(load_samples(folder))
    assert count == 8 * 28 == sum(len(part.move) for part in found)
    assert all(len(part.move) <= 40 for part in found)
    told, expected = [], []
    for part in found:
        for k, move in enumerate(part.move.tolist()):
            board = Board.from_planes(part.planes[k, :5], rule=part.rule)
            assert board.is_legal(board.move_at(move))
            assert (part.policy[k] == board.planes()[0] * 2).all()
            facts = part.result[k], str(part.score[k]), part.win_in[k]
            told.append((board.position_key, move, *map(str, facts)))
        assert part.planes.dtype == numpy.uint8
    for sample in samples:
        board = sample.board()
        score = numpy.float32(numpy.nan if sample.score is None else sample.score)
        facts = sample.result, score, sample.win_in or 0
        for k in board.symmetries:
            image = board.transformed(k)
            move = image.index_of(board.transform_move(sample.move, k))
            expected.append((image.position_key, move, *map(str, facts)))
    assert sorted(told) == sorted(expected)


def test_a_folder_with_files_is_not_written_and_other_files_are_refused(tmp_path):
    pytest.importorskip("numpy")
    samples = list(training_samples(record()))
    assert save_samples(tmp_path / "new" / "folder", samples) == 7
    with pytest.raises(ValueError, match="has files already"):
        save_samples(tmp_path / "new" / "folder", samples)
    (part,) = load_samples(tmp_path / "new" / "folder" / "samples-00000.npz")
    assert part.policy is None
    save_samples(tmp_path / "one.npz", samples)
    (tmp_path / "two.npz").write_text("nothing")
    for name, why in (("one.npz", "numpy.load reads it"), ("two.npz", "")):
        with pytest.raises(ValueError, match=rf"{name}: no file of samples: {why}"):
            list(load_samples(tmp_path / name))


def test_a_policy_has_the_shape_of_the_board(tmp_path):
    numpy = pytest.importorskip("numpy")
    board = Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1", size=(9, 6))
    samples = list(training_samples(board))
    with pytest.raises(ValueError, match=r"\(9, 6\), not \(6, 9\)"):
        save_samples(tmp_path, samples, policy=lambda board: numpy.ones((9, 6)))


def test_a_policy_of_another_shape_is_refused(tmp_path):
    numpy = pytest.importorskip("numpy")
    samples = list(training_samples(record()))
    cells = numpy.zeros((15, 15))
    for place, policy in enumerate(
        (
            lambda board: numpy.zeros((2, 15, 15)),
            lambda board: numpy.zeros(225),
            lambda board: cells if board.ply > 4 else None,
            lambda board: None,
        )
    ):
        with pytest.raises(ValueError, match="shape"):
            save_samples(tmp_path / f"{place}", samples, policy=policy)


@pytest.mark.parametrize("place", [6, 8])
def test_a_damaged_file_of_samples_is_refused(tmp_path, place):
    """Its directory asks for a password, or for an unknown compression."""
    pytest.importorskip("numpy")
    save_samples(tmp_path / "new", training_samples(record()))
    (file,) = (tmp_path / "new").iterdir()
    data = bytearray(file.read_bytes())
    data[data.index(b"PK\1\2") + place + 2] = 99
    file.write_bytes(data)
    with pytest.raises(ValueError, match="no file of samples"):
        list(load_samples(file))


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
