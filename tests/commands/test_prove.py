"""The command ``prove`` as a user calls it."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from gomoku_brain.proofs.book import ProofBook
from gomoku_brain.proofs.certificate import read
from gomoku_brain.proofs.grid import Grid
from gomoku_brain.prove import prover
from gomoku_brain.prove.tree import Tree
from gomoku_brain.runs.cluster import ClusterError
from gomoku_brain.runs.run_options import duration
from tests.commands.command import command
from tests.prove.conftest import PROBLEM, prove_here, start_of

main = command("prove")
PUZZLE = "h8 h9 i9 h10".split()
SMALL = Path(__file__).parents[1] / "prove" / "h8-f6.proof"
START = start_of(Grid(15, 15), " ".join(PUZZLE))


ANSWERS = {}  # by the call


class Here(Executor):
    """A pool without processes: new work is done when it is submitted."""

    def __init__(self, count):
        self.end_now = self.shutdown

    def submit(self, *call):
        if call not in ANSWERS:
            fn, *arguments = call
            ANSWERS[call] = fn(*arguments)
        future = Future()
        future.set_result(ANSWERS[call])
        return future


@pytest.fixture
def worked_here(monkeypatch):
    """No processes: what a test of files and messages would start for each search."""
    monkeypatch.setattr("gomoku_brain.commands._prove_search.WorkerProcesses", Here)
    monkeypatch.setattr(prover, "_expanders", {})


@pytest.mark.slow("a whole proof and its check", ci=True)
def test_a_puzzle_is_proved_and_checked(tmp_path, capsys):
    out, state = tmp_path / "a.proof", tmp_path / "state"
    options = ["--workers", "1", "--state", str(state)]
    assert main([*PUZZLE, *options, "--tasks", "3"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("black to move: open: ")
    small, other = tmp_path / "small", tmp_path / "other"
    assert main([*PUZZLE, *options, "--time", "0", "--save", str(small)]) == 1
    assert capsys.readouterr().out == told
    other_options = ["--workers", "1", "--state", str(other), "--time", "0"]
    assert main([*PUZZLE, *other_options, "--load", str(small)]) == 1
    assert capsys.readouterr().out == told
    assert main([*PUZZLE, *options, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "proved to win" in told
    assert f"{len(read(out).entries)} positions with a move" in told

    assert main(["--check", str(out), "--workers", "1", "--sample", "3"]) == 0
    assert "3 entries chosen at random are correct" in capsys.readouterr().out
    assert main(["--check", str(out), "--workers", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(
        "freestyle 15x15, black to move wins from black h8 i9, white"
    )
    assert "longest win: " in told
    assert told.endswith(f"{out}: correct\n")
    assert (tmp_path / "a.proof.check").exists()

    out.write_bytes(out.read_bytes()[:-5])
    assert main(["--check", str(out)]) == 1
    assert "refused: cut off" in capsys.readouterr().out


@pytest.mark.slow("a search for part of a proof", ci=True)
def test_what_is_proved_so_far_is_a_certificate_that_names_the_rest(tmp_path, capsys):
    """A few replies to the first move are won when the search is stopped."""
    out, state = tmp_path / "part.proof", tmp_path / "state"
    with Tree(state, "freestyle", Grid(15, 15), "black", START) as tree:
        while not tree.partial_book()[1]:  # until a reply to some move is won
            assert prove_here(tree, PROBLEM, 1) == 1
        assert not tree.is_decided
    options = ["--workers", "1", "--state", str(state), "--out", str(out)]
    assert main([*PUZZLE, *options, "--time", "0", "--partial"]) == 1
    told = capsys.readouterr().out
    part = read(out)
    open_replies = part.entries[0].open
    assert open_replies
    assert f"{open_replies.bit_count()} replies to the first are open" in told
    book = tmp_path / "book"
    assert main(["--check", str(out), "--workers", "1", "--book", str(book)]) == 0
    told = capsys.readouterr().out
    assert "except for the replies" in told
    assert "replies to its move are open" in told
    made = ProofBook(book.read_bytes())
    assert made.find(part.entries[0].attacker, part.entries[0].defender) is None
    assert main(["--leaves", str(out), "--sample", "1"]) in (0, 1)
    told = capsys.readouterr().out
    assert "replies left to the solver: " in told
    assert "not won within 2,000 nodes from an empty table: " in told
    picture = tmp_path / "a.png"
    options = ["--show", str(book), "--most", "1"]
    pytest.importorskip("matplotlib")
    assert main([*options, "--picture", str(picture)]) == 0
    told = capsys.readouterr().out
    count = open_replies.bit_count()
    assert told.startswith(f"{count} of the replies are open, all others lose\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main([*options, *PUZZLE]) == 0
    move = made.grid.name(part.entries[0].move)
    assert f"black plays {move}; {count} of the replies" in capsys.readouterr().out
    assert main([*options, "a1"]) == 1
    assert "not in the proof" in capsys.readouterr().out
    assert main(["--show", str(out), *PUZZLE]) == 0
    assert made.open == open_replies
    assert made.move == part.entries[0].move
    for entry in part.entries[1:]:
        assert made.find(entry.attacker, entry.defender) is not None


@pytest.mark.usefixtures("worked_here")
def test_a_position_that_is_lost_is_not_proved(capsys):
    """White has an open four."""
    moves = "h8 b1 j5 c1 l12 d1 n3 e1 o9 o14".split()
    assert main([*moves, "--size", "15", "--workers", "1", "--tasks", "4"]) == 1
    assert "proves nothing" in capsys.readouterr().out


@pytest.mark.slow("proofs in other processes", ci=True)
def test_only_the_first_move_that_is_named_is_tried(tmp_path, capsys):
    """The usual proof of the puzzle begins with another move than its second best."""
    usual, out, state = (tmp_path / name for name in ("usual", "out", "state"))
    assert main([*PUZZLE, "--workers", "1", "--out", str(usual)]) == 0
    first = read(usual).entries[0]
    grid = Grid(15, 15)
    assert grid.name(first.move) != "i8"
    options = ["--workers", "1", "--state", str(state), "--out", str(out)]
    assert main([*PUZZLE, *options, "--first", "i8", "--tasks", "1"]) == 1
    assert main([*PUZZLE, *options, "--first", "i8"]) == 0
    assert grid.name(read(out).entries[0].move) == "i8"
    assert main(["--check", str(out), "--workers", "1"]) == 0
    capsys.readouterr()
    assert main([*PUZZLE, *options, "--first", "i10"]) == 2
    assert "other moves were tried in the first position" in capsys.readouterr().err
    assert main([*PUZZLE, *options, "--first", "i8", "--time", "0"]) == 0
    assert "proved to win" in capsys.readouterr().out, "the state is still there"


@pytest.mark.usefixtures("worked_here")
def test_a_state_begun_with_a_first_move_takes_no_snapshot(tmp_path, capsys):
    """It would hold the move twice, or moves besides the only one."""
    state, kept = tmp_path / "state", tmp_path / "kept"
    search = [*PUZZLE, "--workers", "1", "--first", "i8"]
    assert main([*search, "--tasks", "3", "--save", str(kept)]) == 1
    search += ["--state", str(state), "--time", "0"]
    assert main(search) == 1
    capsys.readouterr()
    assert main([*search, "--load", str(kept)]) == 1
    assert "--load is ignored" in capsys.readouterr().err
    assert main(search) == 1


@pytest.mark.usefixtures("worked_here")
def test_a_snapshot_of_other_moves_leaves_the_state_as_it_was(tmp_path, capsys):
    state, kept = tmp_path / "state", tmp_path / "kept"
    search = [*PUZZLE, "--workers", "1"]
    assert main([*search, "--tasks", "3", "--save", str(kept)]) == 1
    search += ["--state", str(state), "--time", "0"]
    assert main(search) == 1
    assert main([*search, "--load", str(kept), "--first", "i8"]) == 2
    assert "other moves were tried" in capsys.readouterr().err
    with Tree(state, "freestyle", Grid(15, 15), "black", START) as tree:
        assert tree.is_new


@pytest.mark.usefixtures("worked_here")
def test_a_snapshot_that_was_not_taken_up_is_not_written_over(tmp_path, capsys):
    state, kept = str(tmp_path / "state"), tmp_path / "kept"
    search = [*PUZZLE, "--workers", "1", "--state", state, "--tasks", "1"]
    assert main([*search, "--save", str(kept)]) == 1
    before = kept.read_bytes()
    both = ["--load", str(kept), "--save", str(kept)]
    assert main([*search, *both]) == 2
    assert "--save would overwrite" in capsys.readouterr().err
    assert kept.read_bytes() == before
    search[search.index(state)] = str(tmp_path / "new")
    assert main([*search, *both]) == 1


@pytest.mark.usefixtures("worked_here")
def test_a_state_of_another_position_is_refused_and_left_alone(tmp_path, capsys):
    state = tmp_path / "state"
    options = ["--state", str(state), "--workers", "1"]
    assert main([*PUZZLE, *options, "--tasks", "2"]) == 1
    before = state.read_bytes()
    assert main(["h8", "h9", *options]) == 2
    assert "of another position: black to move has " in capsys.readouterr().err
    assert state.read_bytes() == before
    mirrored = ["h8", "h7", "i7", "h6"]  # upside down
    assert main([*mirrored, *options, "--time", "0"]) == 1


KILLED = """
import os, sys
from gomoku_brain.commands.prove import main
from gomoku_brain.prove import tree_file

class Kill(str):
    def split(self, at):
        yield from str.split(self, at)[:3]
        os._exit(9)

tree_file.SCHEMA = Kill(tree_file.SCHEMA)
main(sys.argv[1:])
"""


def test_a_state_that_a_killed_run_has_hardly_begun_is_a_new_one(tmp_path):
    state = tmp_path / "state"
    options = [*PUZZLE, "--state", str(state), "--workers", "1", "--tasks", "1"]
    command = [sys.executable, "-c", KILLED, *options]
    assert subprocess.run(command, check=False).returncode == 9
    assert state.exists()
    assert main(options) == 1


@pytest.mark.slow("proofs in other processes", ci=True)
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such name there")
def test_a_certificate_on_standard_output_stands_alone(tmp_path):
    out = tmp_path / "a.proof"
    command = [sys.executable, "-m", "gomoku_brain", "prove", *PUZZLE]
    with out.open("wb") as file:
        told = subprocess.run(
            [*command, "--workers", "1", "--out", "/dev/stdout"],
            stdout=file,
            stderr=subprocess.PIPE,
            check=True,
        )
    assert b"proved to win" in told.stderr
    assert read(out).entries


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE games (id)",
        "CREATE TABLE setting (word, meaning)",
        "CREATE TABLE setting (name, value)",
        "CREATE TABLE move (a, b)",
        "CREATE VIEW seven AS SELECT 7",
        "PRAGMA user_version = 3",
    ],
)
def test_another_database_is_refused_and_left_alone(tmp_path, capsys, made):
    state = tmp_path / "archive.db"
    with contextlib.closing(sqlite3.connect(state)) as base:
        base.execute(made)
        base.commit()
    before = state.read_bytes()
    assert main([*PUZZLE, "--state", str(state), "--tasks", "1"]) == 2
    assert "archive.db is no proof in progress" in capsys.readouterr().err
    assert state.read_bytes() == before
    assert list(tmp_path.iterdir()) == [state]


@pytest.mark.usefixtures("worked_here")
def test_a_damaged_state_is_reported_in_a_line(tmp_path, capsys):
    state = tmp_path / "state"
    options = [*PUZZLE, "--state", str(state), "--workers", "1"]
    assert main([*options, "--tasks", "3"]) == 1
    capsys.readouterr()
    data = bytearray(state.read_bytes())
    data[8192:] = bytes(255 - byte for byte in data[8192:])
    state.write_bytes(data)
    assert main([*options, "--tasks", "3"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("gomoku-brain prove: ")
    assert "malformed" in told
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_a_snapshot_that_cannot_be_written_does_not_take_the_proof(tmp_path, capsys):
    out = tmp_path / "a.proof"
    files = ["--save", "/dev/full", "--out", str(out)]
    three = "h8 a1 h9 a3 h10 a5".split()  # the first position is the whole proof
    assert main([*three, "--workers", "1", *files]) == 2
    assert "No space left" in capsys.readouterr().err
    assert read(out).winner == "black"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--check", "a", "--show", "b"], "--check and --show do not go together"),
        (["--check", "a", "--state", "b"], "--state does not go with --check"),
        (["--leaves", "a", "h8"], "a position does not go with --leaves"),
        (["--show", "a", "--size", "19"], "--size does not go with --show"),
        (["h8", "--picture", "a"], "--picture does not go with a search"),
        (["h8", "--leaf-nodes", "9", "--partial"], "--partial goes with --out"),
        (
            ["--check", "a", "--sample", "9", "--journal", "b"],
            "--journal is for a check",
        ),
        (["--check", "a", "--sample", "9", "--book", "b"], "--book needs a check of"),
        (["h8", "--time", "nan"], "'nan' is not a time in seconds"),
    ],
)
def test_options_that_say_nothing_together_are_reported(capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_another_journal_is_a_mistake_and_no_bad_certificate(tmp_path, capsys):
    journal = tmp_path / "journal"
    journal.write_text("another file\n")
    assert main(["--check", str(SMALL), "--journal", str(journal)]) == 2
    told = capsys.readouterr()
    assert "journal is not a journal of a check" in told.err
    assert "refused" not in told.out


def test_a_long_game_in_one_word_is_no_file(capsys):
    long = (" " * 100).join(PUZZLE)
    assert main([long, "--time", "0", "--workers", "1"]) == 1
    assert "to move: open" in capsys.readouterr().out


def test_a_cluster_that_is_not_there_leaves_no_state(tmp_path, monkeypatch, capsys):
    @contextlib.contextmanager
    def fail(address):
        raise ClusterError(f"no scheduler at {address}")
        yield

    monkeypatch.setattr("gomoku_brain.commands._prove_search.cluster_workers", fail)
    state = tmp_path / "state"
    search = [*PUZZLE, "--cluster", "tcp://nowhere:1", "--state", str(state)]
    assert main([*search, "--first", "i8"]) == 2
    assert "no scheduler at tcp://nowhere:1" in capsys.readouterr().err
    assert not state.exists()


class Unwilling(Executor):
    """A pool as that of a cluster; its shutdown knows one option only."""

    def __init__(self, error):
        self.error, self.is_shut = error, False

    def submit(self, *_):
        raise self.error

    def shutdown(self, wait=True):
        self.is_shut = True


class KilledWorkerError(Exception):
    """As the one of ``distributed``, which is no error of an executor."""


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (KilledWorkerError(), 2, "a worker was lost"),
    ],
)
def test_what_ends_a_cluster_takes_nothing(
    error, status, told, tmp_path, monkeypatch, capsys
):
    pool = Unwilling(error)

    @contextlib.contextmanager
    def workers(address):
        yield pool, 2, KilledWorkerError

    monkeypatch.setattr("gomoku_brain.commands._prove_search.cluster_workers", workers)
    kept = tmp_path / "kept"
    search = [*PUZZLE, "--cluster", "tcp://here:1", "--save", str(kept)]
    assert main(search) == status
    assert capsys.readouterr().err.startswith(told)
    assert kept.exists()
    assert pool.is_shut == (status == 130)


def test_a_lost_worker_does_not_take_what_was_found(tmp_path, monkeypatch, capsys):
    def lose(*_):
        raise BrokenProcessPool

    kept = tmp_path / "kept"
    monkeypatch.setattr("gomoku_brain.commands._prove_search.prove", lose)
    search = [*PUZZLE, "--workers", "1", "--save", str(kept)]
    assert main(search) == 2
    told = capsys.readouterr().err
    assert told.startswith("a worker was lost")
    assert "holds it" not in told
    assert kept.exists()
    assert main([*search, "--state", str(tmp_path / "state")]) == 2
    assert "state stores it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "mistake",
    [
        ["--like", __file__],
        ["--first", "h8"],
        ["--load", __file__],
        ["--load", "/nowhere/at/all"],
    ],
    ids=str,
)
def test_a_mistake_leaves_no_file_behind(mistake, tmp_path):
    state, out, kept = (tmp_path / name for name in ("s.db", "o.proof", "kept"))
    files = ["--state", str(state), "--out", str(out), "--save", str(kept)]
    assert main(["h8", *mistake, *files]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("worked_here")
def test_a_snapshot_of_another_proof_does_not_spoil_the_state(tmp_path, capsys):
    """The command can be put right and called again."""
    state, kept = tmp_path / "s.db", tmp_path / "kept"
    search = [*PUZZLE, "--tasks", "1", "--workers", "1"]
    assert main([*search, "--rule", "standard", "--save", str(kept)]) == 1
    taken_up = [*search, "--state", str(state), "--load", str(kept)]
    assert main(taken_up) == 2
    assert "the snapshot is of another proof" in capsys.readouterr().err
    assert main([*taken_up, "--rule", "standard"]) == 1
    assert "positions taken over" in capsys.readouterr().err
    assert main([*taken_up, "--rule", "standard"]) == 1  # goes on with what is there
    assert "--load is ignored" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--out", "--save"])
def test_a_file_that_cannot_be_written_is_reported_before_the_search(
    option, tmp_path, capsys
):
    state = tmp_path / "s.db"
    arguments = [option, str(tmp_path / "no" / "file"), "--state", str(state)]
    assert main([*PUZZLE, *arguments]) == 2
    assert str(tmp_path / "no" / "file") in capsys.readouterr().err
    assert not state.exists()


def test_the_state_is_not_written_over(tmp_path, capsys):
    state = str(tmp_path / "s.db")
    assert main([*PUZZLE, "--state", state, "--out", state]) == 2
    assert "s.db would be written over" in capsys.readouterr().err
    like = tmp_path / "like"
    like.write_bytes(SMALL.read_bytes())
    assert main([*PUZZLE, "--like", str(like), "--out", str(like)]) == 2
    assert "like would be written over" in capsys.readouterr().err
    like.unlink()
    both = str(tmp_path / "both")
    assert main([*PUZZLE, "--save", both, "--out", both]) == 2
    assert "both would be written over" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_book_that_cannot_be_written_is_reported_before_the_check(tmp_path, capsys):
    proof = tmp_path / "small.proof"
    proof.write_bytes(SMALL.read_bytes())
    book = str(tmp_path / "no" / "book.bin")
    assert main(["--check", str(proof), "--book", book]) == 2
    assert book in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [proof]


def test_a_book_is_not_written_over_the_journal(tmp_path, capsys):
    proof = tmp_path / "small.proof"
    proof.write_bytes(SMALL.read_bytes())
    assert main(["--check", str(proof), "--book", f"{proof}.check"]) == 2
    assert "would be written over" in capsys.readouterr().err
    journal = str(tmp_path / "j")
    assert main(["--check", str(proof), "--journal", journal, "--book", journal]) == 2
    assert "would be written over" in capsys.readouterr().err


def test_a_sample_keeps_nothing(tmp_path, capsys):
    proof = tmp_path / "small.proof"
    proof.write_bytes(SMALL.read_bytes())
    assert main(["--check", str(proof), "--sample", "1"]) == 0
    assert "1 entries chosen at random are correct" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [proof]


def test_the_books_of_the_package_are_shown_by_their_names(capsys):
    for name in ("freestyle15", "standard15"):
        assert main(["--show", name]) == 0
        assert "proved: black wins in " in capsys.readouterr().out
    assert main(["--show", "freestyle16"]) == 2
    assert "the package has no proof for freestyle16" in capsys.readouterr().err


def test_a_picture_without_the_means_to_draw_it_is_reported(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setitem(sys.modules, "gomoku_brain.study.pictures", None)
    picture = ["--picture", str(tmp_path / "p.png")]
    assert main(["--show", "freestyle15", *picture]) == 2
    assert "pip install matplotlib" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["h8", "--rule", "standard", "--size", "30"], "size"),
        (["nonsense.txt"], "nonsense"),
        (["h8 h8"], "h8"),
        (["a1 o1 b1 o2 c1 o3 d1 o4 e1"], "the game is over"),
        (["h8 i9", "--state", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--check", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--show", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--show", __file__], "not a certificate"),
        (["--leaves", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--leaves", __file__], "not a certificate"),
        (["h8", "--load", "/nowhere/at/all"], "/nowhere/at/all"),
        (["h8", "--like", "/nowhere/at/all"], "/nowhere/at/all"),
        (["h8", "--first", "z99"], "no cell 'z99'"),
        (["h8", "--first", "h8"], "h8 is not an empty cell"),
        (["h8", "--like", __file__], f"{__file__}: not a certificate"),
    ],
)
def test_a_mistake_gets_one_line(arguments, message, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("gomoku-brain prove: ")
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["h8", "--empty"],
        ["h8", "--check", "x"],
        ["--tasks", "0", "h8"],
        ["--leaf-nodes", "0", "h8"],
        ["--check", "x", "--book", "y", "--sample", "3"],
        ["--show", "x", "--book", "y"],
    ],
)
def test_options_that_make_no_sense_are_refused(arguments):
    assert main(arguments) == 2


def test_durations():
    assert duration(59.9) == "0:00:59"
    assert duration(3600 * 26 + 61) == "26:01:01"


def test_a_looked_up_position_is_json(capsys):
    from gomoku_brain.commands import prove

    assert prove.main(["--show", "freestyle15", "h8", "d4", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["type"], row["rule"], row["winner"]) == ("proof", "freestyle", "black")
    assert row["kind"] == "move"
    assert row["plies"] > 0
    assert row["text"].startswith("proved: black wins in")
    assert prove.main(["--show", "freestyle15", "h8", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["kind"] == "replies"
    assert len(row["replies"]) > 12  # all of them
    assert row["replies"][0]["plies"] >= row["replies"][-1]["plies"]


@pytest.mark.usefixtures("worked_here")
def test_a_search_and_a_check_print_json(tmp_path, capsys):
    def row_of(*words):
        status = main([*words, "--workers", "1", "--json"])
        return status, json.loads(capsys.readouterr().out)

    status, row = row_of(*PUZZLE, "--tasks", "1")
    assert (status, row["type"], row["result"]) == (1, "proof_search", "open")
    assert (row["winner"], row["certificate"]) == ("black", None)
    assert row["open"] > 0 < row["to_examine"]
    out = tmp_path / "a.proof"
    status, row = row_of(*"h8 a1 i8 a2 j8 a3 --out".split(), str(out))
    assert (status, row["result"], row["certificate"]) == (0, "proved", str(out))
    assert (row["open"], row["entries"]) == (0, 0)

    status, row = row_of("--check", str(SMALL), "--sample", "1")
    assert (status, row["type"], row["ok"]) == (0, "proof_check", True)
    assert (row["sampled"], row["checked"], row["plies"]) == (True, 1, None)
    status, row = row_of("--check", str(out))
    assert (status, row["sampled"], row["open"], row["plies"]) == (0, False, 0, 3)
    out.write_bytes(out.read_bytes()[:-5])
    status, row = row_of("--check", str(out))
    assert (status, row["ok"], row["rule"]) == (1, False, None)
    assert row["error"].startswith("cut off")
    assert main([*PUZZLE, "--out", "/dev/stdout", "--json"]) == 2
    assert "both go to standard output" in capsys.readouterr().err
