"""A proof in progress as one small file."""

import hashlib
import json
import shutil
import zlib

import pytest

from gomoku_brain.proofs.grid import Grid
from gomoku_brain.prove.snapshot import load, save
from gomoku_brain.prove.tree import Candidate, Tree
from gomoku_brain.prove.tree_file import FIRST_PROOF, NEW, OPEN, TreeError
from tests.prove.conftest import MOVES, PROBLEM, prove_here, start_of


@pytest.fixture(scope="module")
def twelve_tasks(tmp_path_factory):
    """The file of a tree after so many tasks."""
    path = tmp_path_factory.mktemp("snapshot") / "tree"
    grid = Grid(15, 15)
    with Tree(path, "freestyle", grid, "black", start_of(grid, MOVES)) as tree:
        prove_here(tree, PROBLEM, 12)
        assert not tree.is_decided
    return path


@pytest.fixture
def started(twelve_tasks, tmp_path):
    """A tree in which something is proved and something open."""
    path = shutil.copy(twelve_tasks, tmp_path / "tree")
    grid = Grid(15, 15)
    with Tree(path, "freestyle", grid, "black", start_of(grid, MOVES)) as tree:
        yield tree


def empty(moves=MOVES, rule="freestyle"):
    grid = Grid(15, 15)
    return Tree(":memory:", rule, grid, "black", start_of(grid, moves))


def test_a_snapshot_goes_on_as_the_tree_does(started):
    data = save(started)
    with empty() as tree:
        assert load(tree, data) == tree.counts().positions
        assert tree.counts()[4:] == started.counts()[4:]
        assert save(tree) == data
        prove_here(tree, PROBLEM)
        assert tree.is_proved
        book = tree.book()
        assert book
        proved = save(tree)
    with empty() as tree:
        load(tree, proved)
        assert tree.is_proved
        assert tree.book() == book
    assert len(proved) < 1000 + 10 * len(book)


def test_what_is_being_looked_at_counts_as_not_looked_at(started):
    data = save(started)
    started.next_task()
    with empty() as tree:
        load(tree, save(started))
        assert save(tree) == data


def test_the_work_that_is_expected_goes_along():
    grid = Grid(15, 15)
    with empty("h8 h9") as tree:
        cell, one, two = (grid.cell(name) for name in ("i7", "h10", "g9"))
        task = tree.next_task()
        tree.take_moves(task, [Candidate(cell, {one: 300, two: 1}, 301)])
        data = save(tree)
        with empty("h8 h9") as other:
            load(other, data)
            assert other.counts().win == tree.counts().win == 301


def test_what_the_solver_was_tried_on_goes_along():
    grid = Grid(15, 15)
    with empty("h8 h9") as tree:
        cell, one = (grid.cell(name) for name in ("i7", "h10"))
        tree.take_moves(tree.next_task(), [Candidate(cell, {one: 3}, 3)], 20_000)
        tree.take_leaf(tree.next_task(), 20_000)
        assert tree.untried_moves(20_000) == []
        data = save(tree)
    with empty("h8 h9") as other:
        load(other, data)
        assert other.is_proved
        assert other.untried_moves(20_000) == []
        assert len(other.untried_moves(2_000)) == 1


def test_a_snapshot_of_the_first_format_is_taken_over():
    """It has no number after the status of a position that was not looked at."""
    grid = Grid(15, 15)
    with empty("h8 h9") as tree:
        stones = tree.grid.canonical(*tree.start)[:2]
        free = [c for c in grid.cells() if not (stones[0] | stones[1]) >> c & 1]
        cell, one, two = free[:3]
        body = bytes([OPEN, 1, cell + 2, OPEN, 2, one, two, NEW, NEW])
        header = json.loads(save(tree).partition(b"\n")[0])
        del header["sha256"]
        header["proof_in_progress"] = 1
        line = json.dumps(header, sort_keys=True).encode() + b"\n"
        header["sha256"] = hashlib.sha256(line + body).hexdigest()
        line = json.dumps(header, sort_keys=True).encode() + b"\n"
        assert load(tree, line + zlib.compress(body)) == 3
        assert tree.counts().win == 2 * FIRST_PROOF
        header["proof_in_progress"] = 3
        line = json.dumps(header, sort_keys=True).encode() + b"\n"
        with empty("h8 h9") as other, pytest.raises(TreeError):
            load(other, line + zlib.compress(body))


@pytest.mark.parametrize("at", [3, 200, -30, -3])
def test_a_damaged_snapshot_is_refused(started, at):
    data = bytearray(save(started))
    data[at] ^= 64
    with empty() as tree, pytest.raises(TreeError, match="damaged"):
        load(tree, bytes(data))


def test_a_snapshot_of_another_proof_is_refused(started):
    data = save(started)
    with (
        empty(rule="standard") as tree,
        pytest.raises(TreeError, match="another proof"),
    ):
        load(tree, data)
    with empty("h8 h9") as tree, pytest.raises(TreeError, match="another proof"):
        load(tree, data)
    with pytest.raises(TreeError, match="new tree"):
        load(started, data)


def test_a_snapshot_that_another_program_wrote_is_refused_whole(started):
    line, _, packed = save(started).partition(b"\n")
    header, body = json.loads(line), zlib.decompress(packed)
    del header["sha256"]
    for wrong in (body[:-1], body[:5], b"", b"\xff" * 50):
        expected = json.dumps(header, sort_keys=True).encode() + b"\n"
        digest = hashlib.sha256(expected + wrong).hexdigest()
        signed = json.dumps({**header, "sha256": digest}, sort_keys=True).encode()
        with empty() as tree:
            before = tree.counts()
            with pytest.raises(TreeError, match="what no proof does"):
                load(tree, signed + b"\n" + zlib.compress(wrong))
            assert tree.counts() == before
