"""Positions of self-play as short rows on disk."""

import json

import numpy as np
import pytest

from gomoku_brain.eval.evaluate import BoardEvaluator
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import pack as packing
from gomoku_brain.lab.train.features import kinds_of_cells
from gomoku_brain.lab.train.pack import main, pack
from gomoku_brain.lab.train.packed import (
    TYPES,
    Positions,
    images,
    labels_in,
    open_packed,
)
from gomoku_brain.lab.train.samples import games_of, make_samples
from tests.lab.train.games import pack_files, write_lines


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of games and one of evaluated positions, in the order of their numbers."""
    return write_lines(tmp_path_factory.mktemp("lines"))


@pytest.fixture(scope="module")
def folders(files):
    return pack_files(files)


def test_positions_are_those_of_the_samples(files, folders, tmp_path):
    samples = make_samples(tmp_path / "samples", files, Rule.FREESTYLE)
    packed = Positions(folders)
    assert len(packed) == len(samples) > 200
    assert set(packed.size) == {9, 15}
    assert (packed.number == samples.number[samples.game]).all()
    assert (packed.size == samples.game_size[samples.game]).all()
    for name in ("ply", "score", "held_out", "played"):
        assert (getattr(packed, name) == getattr(samples, name)).all(), name
    assert np.array_equal(packed.result, samples.result, equal_nan=True)
    for decay in (0, 0.8):
        wanted = samples.returns(300.0, decay)
        assert packed.returns(300.0, decay) == pytest.approx(wanted, abs=1e-6)


def test_returns_do_not_depend_on_the_lines_read_at_once(folders, monkeypatch):
    packed = Positions(folders)
    wanted = packed.returns(300.0, 0.8)
    monkeypatch.setattr("gomoku_brain.lab.train.packed.LINES_AT_ONCE", 5)
    assert (packed.returns(300.0, 0.8) == wanted).all()


def boards_of(files):
    """Cells, move and size of every row, from the lines."""
    for path in files:
        for line in path.read_text().splitlines():
            for game in games_of(line):
                opening = len(game.moves) - len(game.scores)
                for ply in range(opening, len(game.moves)):
                    cells = np.zeros((game.size, game.size), int)
                    for number, move in enumerate(game.moves[:ply]):
                        cells[move.y, move.x] = 1 if number % 2 == ply % 2 else 2
                    yield cells, game.moves[ply], game.size


def test_kinds_and_values_are_those_of_boards_with_these_stones(folders):
    packed, evaluator = Positions(folders), BoardEvaluator()
    for size in (9, 15):
        which = np.flatnonzero(packed.size == size)[:40]
        image = np.arange(len(which)) % 8
        stones, _ = packed.stones(which, image)
        found = packed.kinds(which, stones), packed.values(which, stones, evaluator)
        for place, seen, kinds, value in zip(which, stones, *found, strict=True):
            white = bool(packed.ply[place] & 1)
            mine, theirs = (
                [Move(c % size, c // size) for c in np.flatnonzero(seen == k)]
                for k in (1, 2)
            )
            sides = (theirs, mine) if white else (mine, theirs)
            board = Board.from_stones(*sides, size=size)
            wanted = np.frombuffer(kinds_of_cells(board), "<u2").reshape(-1, 2)
            assert (kinds == (wanted[:, ::-1] if white else wanted)).all()
            assert value == np.float32(evaluator.value(board)) / 320


def test_stones_are_those_of_the_board_in_every_image(files, folders):
    packs = Positions(folders).packs
    rows = [(packed, row) for packed in packs for row in range(len(packed.at))]
    boards = list(boards_of(files))
    assert len(rows) == len(boards)
    assert any((packed.shared > 0).any() for packed in packs)
    for (packed, row), (cells, move, size) in zip(rows, boards, strict=True):
        marked = cells.copy()
        marked[move.y, move.x] = 3
        stones, moves = packed.stones(np.full(8, row), size, np.arange(8))
        turned = [np.rot90(one, k) for k in range(4) for one in (marked, marked.T)]
        wanted = {image.tobytes() for image in turned}
        for k in range(8):
            found = stones[k].astype(int)
            assert found[moves[k]] == 0
            found[moves[k]] = 3
            if k == 0:
                assert (found == marked.ravel()).all()
            wanted.discard(found.tobytes())
        assert not wanted
    assert sorted(images(15)[5]) == list(range(225))


def test_positions_of_several_folders_give_their_stones_together(folders):
    packed = Positions(folders)
    which = np.flatnonzero(packed.size == 15)[::-3]
    image = np.arange(len(which)) % 8
    stones, moves = packed.stones(which, image)
    for k in range(0, len(which), 11):
        one, move = packed.stones(which[k : k + 1], image[k : k + 1])
        assert (one[0] == stones[k]).all()
        assert move[0] == moves[k]
        assert (one[0] > 0).sum() == packed.ply[which[k]]


def contents(folder):
    return {name: (folder / name).read_bytes() for name in TYPES}


def test_a_growing_file_and_a_killed_run_end_with_the_same_rows(
    files, folders, tmp_path, monkeypatch
):
    lines = files[1].read_text().splitlines(keepends=True)
    whole = open_packed(folders[1]).number

    def rows(count):
        """The rows of the first lines; a line may have several or none."""
        return whole[whole < count].tolist()

    path, folder = tmp_path / "growing.txt", tmp_path / "packed"
    # Number 5 is missing, and the last line is being written.
    path.write_text("".join([*lines[4::-1], *lines[6:9]]) + lines[5][:-1])
    assert pack(folder, path, Rule.FREESTYLE).number.tolist() == rows(5) != []
    with pytest.raises(ValueError, match=r"growing.txt: number 5 is missing"):
        pack(folder, path, Rule.FREESTYLE, most=6)
    path.write_text("".join(reversed(lines)))
    assert pack(folder, path, Rule.FREESTYLE, most=8).number.tolist() == rows(8)
    assert rows(5) != rows(8) != rows(12)

    class Killed(Exception):
        pass

    def kill(*_):
        raise Killed

    with monkeypatch.context() as patch:  # the rows are written, but not the header
        patch.setattr(packing, "write_whole", kill)
        with pytest.raises(Killed):
            pack(folder, path, Rule.FREESTYLE)
    assert contents(folder) == contents(folders[1])
    assert json.loads((folder / "packed.json").read_text())["lines"] == 8
    pack(folder, path, Rule.FREESTYLE)
    assert contents(folder) == contents(folders[1])


def test_another_file_is_refused_in_one_line(files, folders, tmp_path, capsys):
    folder = str(tmp_path / "packed")
    assert main([folder, str(files[0]), "--most", "3"]) == 0
    assert capsys.readouterr().out.startswith("3 lines, ")
    assert main([folder, str(files[1])]) == 2
    assert "holds positions of another file" in capsys.readouterr().err
    assert main([folder, str(files[0]), "--rule", "renju"]) == 2
    assert "holds positions of another file" in capsys.readouterr().err
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("0 15 1 h8,h8 5\n")
    assert main([str(tmp_path / "other"), str(wrong)]) == 2
    assert "h8 is occupied" in capsys.readouterr().err


def test_labels_that_are_not_complete_are_refused(tmp_path):
    (tmp_path / "labels.json").write_text('{"positions": 3, "fingerprint": ""}')
    (tmp_path / "labels-000.bin").write_bytes(bytes(4))
    with pytest.raises(ValueError, match="2 labels of 3: finish them"):
        labels_in(tmp_path)
