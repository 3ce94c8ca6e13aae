"""The tree on disk and the search over it."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gomoku_brain.proofs.certificate import decode, encode
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.prove.expander import Expander, work_at
from gomoku_brain.prove.full_check import check, try_leaves
from gomoku_brain.prove.prover import (
    ProofOptions,
    cluster_workers,
    do_task,
    prove,
    store_answer,
)
from gomoku_brain.prove.solver_hints import Problem, SolverHints
from gomoku_brain.prove.suggestions import moves_for
from gomoku_brain.prove.tree import MORE, Candidate, ProofTask, Tree
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.runs.worker_processes import WorkerProcesses
from tests.prove.conftest import MOVES, PROBLEM, prove_here, start_of
from tests.prove.test_checker import Minimax, random_position
from tests.sampled import sampled

WHOLE = pytest.mark.slow("a whole proof in another process", ci=True)


def rows(tree):
    """All that a tree says, but for what is being looked at."""
    base = tree._base
    return [
        base.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
        for table, columns in (
            ("position", "id, key, status, win, refute"),
            ("move", "id, position, cell, status, win, refute"),
            ("reply", "move, cell, position"),
        )
    ]


def check_numbers(tree):
    """Every proof number follows from those below it."""
    base = tree._base
    for number, status, win, refute in base.execute(
        "SELECT id, status, win, refute FROM position"
    ).fetchall():
        moves = base.execute(
            "SELECT id, status, win, refute FROM move WHERE position = ?", (number,)
        ).fetchall()
        if status in (1, 2, 3) and moves:
            assert win == min(move[2] for move in moves)
            if status == 1:
                assert refute == sum(move[3] for move in moves)
        for move, move_status, move_win, move_refute in moves:
            if move_status != 1:
                continue
            below = base.execute(
                "SELECT DISTINCT position.id, win, refute FROM reply JOIN position"
                " ON position = position.id WHERE move = ?",
                (move,),
            ).fetchall()
            assert move_win == sum(row[1] for row in below)
            assert move_refute == min(row[2] for row in below)


def test_the_numbers_follow_from_those_below(tmp_path):
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree:
        for _ in range(8):
            task = tree.next_task()
            other = tree.next_task()
            assert other is None or other[:3] != task[:3]
            store_answer(tree, task, do_task(PROBLEM, task))
            if other is not None:
                store_answer(tree, other, do_task(PROBLEM, other))
            if tree.is_decided:
                break
            check_numbers(tree)


def test_what_a_killed_run_was_looking_at_is_looked_at_again(tmp_path):
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree:
        prove_here(tree, PROBLEM, 6)
        before = rows(tree)
        tasks = [tree.next_task() for _ in range(3)]
        assert any(tasks)
        assert rows(tree) != before
    with Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree:
        assert rows(tree) == before
        assert tree.next_task() == tasks[0]


def test_a_tree_of_another_proof_is_refused(tmp_path):
    grid = Grid(15, 15)
    path = tmp_path / "t"
    with Tree(path, "freestyle", grid, "black", (0, 0)):
        pass
    with pytest.raises(TreeError, match="another proof"):
        Tree(path, "standard", grid, "black", (0, 0))
    (tmp_path / "other").write_text("something else" * 100)
    with pytest.raises(TreeError, match="no proof in progress"):
        Tree(tmp_path / "other", "freestyle", grid, "black", (0, 0))


def test_a_tree_that_is_open_elsewhere_is_refused(tmp_path):
    grid = Grid(15, 15)
    path = tmp_path / "t"
    with (
        Tree(path, "freestyle", grid, "black", (0, 0)),
        pytest.raises(TreeError, match="another process"),
    ):
        Tree(path, "freestyle", grid, "black", (0, 0))
    with Tree(path, "freestyle", grid, "black", (0, 0)) as tree:
        assert tree.next_task() is not None


def test_positions_that_are_images_of_each_other_are_one():
    grid = Grid(9, 9)
    task = ProofTask(1, (0, 0), None, None)
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        assert tree.next_task() == task
        replies = {cell: 6 for cell in grid.cells() if cell != grid.cell("e5")}
        tree.take_moves(task, [Candidate(grid.cell("e5"), replies, 5)])
        # The cells of an eighth of the board, without the centre.
        assert tree.counts().positions == 1 + 14


def test_more_moves_take_the_place_of_the_note():
    grid = Grid(9, 9)
    centre, other, third = (grid.cell(name) for name in ("e5", "e4", "d4"))
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        task = tree.next_task()
        tree.take_moves(
            task, [Candidate(centre, None, 900), Candidate(MORE[0], None, 3)]
        )
        task = tree.next_task()
        assert task.cell == MORE[0]
        assert task.known == (centre,)
        tree.take_moves(task, [Candidate(other, None, 2), Candidate(third, None, 4)])
        task = tree.next_task()
        assert task.cell == other
        tree.take_move(task, None)  # refuted
        task = tree.next_task()
        assert task.cell == third
        tree.take_move(task, {})  # nothing is left open
        assert tree.is_proved
        assert tree.book() == {(0, 0): (third, ())}


def test_work_below_a_move_counts_against_it():
    grid = Grid(9, 9)
    centre, other, one, two = (grid.cell(name) for name in ("e5", "e4", "d4", "a1"))
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        first = Candidate(centre, {one: 6, two: 6}, 12)
        tree.take_moves(tree.next_task(), [first, Candidate(other, None, 90)])
        task = tree.next_task()
        assert task.move is None  # a reply to e5: its number is 12
        tree._base.execute("UPDATE move SET work = 400 WHERE cell = ?", (centre,))
        assert tree.next_task().cell == other


def test_a_file_without_counts_of_work_gets_them(tmp_path):
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree:
        prove_here(tree, PROBLEM, 12)
        before = rows(tree)
        assert tree._base.execute("SELECT max(work) FROM move").fetchone()[0] > 2
        tree._base.execute("ALTER TABLE move DROP COLUMN work")
    with Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree:
        assert rows(tree) == before
        looked_at = tree._base.execute(
            "SELECT count(*) FROM position WHERE status <> 0"
        ).fetchone()[0]
        first = tree._base.execute(
            "SELECT total(work) FROM move WHERE position = ?", (tree.root,)
        ).fetchone()[0]
        assert 0 < first <= looked_at - 1


@pytest.mark.parametrize(
    ("rule", "size", "tasks"),
    [
        ("freestyle", 17, 1),
        pytest.param("freestyle", 17, 400, marks=WHOLE),
        pytest.param("standard", 15, 400, marks=WHOLE),
    ],
)
def test_a_like_proof_suggests_moves(small, rule, size, tasks):
    """They are tried first, so that few positions are looked at; others come after."""
    grid = Grid(size, size)
    suggestions = moves_for(small.certificate, grid)
    assert len(suggestions) == len(small.certificate.entries)
    shift = (size - 15) // 2
    start = tuple(
        sum(
            1 << (cell // 16 + shift) * grid.stride + cell % 16 + shift
            for cell in bits_of(stones)
        )
        for stones in small.certificate.start
    )
    problem = PROBLEM._replace(rule=rule, width=size, height=size)
    options = ProofOptions(suggestions=suggestions)
    with (
        Tree(":memory:", rule, grid, "black", start) as tree,
        WorkerProcesses(1) as pool,
    ):
        first = suggestions[grid.canonical(*start)[:2]]
        prove(tree, problem, pool, 1, tasks=1, options=options)
        known = tree.known(tree.root)
        assert [move.cell for move in known.moves] == [first, MORE[0]]
        if tasks > 1:
            prove(tree, problem, pool, 1, tasks=tasks, options=options)
            assert tree.is_proved


@pytest.mark.parametrize("size", [(16, 16), (14, 16), (14, 15), (15, 13), (19, 13)])
def test_every_image_is_suggested_where_the_centres_do_not_meet(small, size):
    """What is one position on 15x15 can be eight on such a board."""
    own, grid = Grid(15, 15), Grid(*size)
    suggestions = moves_for(small.certificate, grid)
    for entry in small.certificate.entries:
        for image in range(8):
            moved = []
            for stones in (entry.attacker, entry.defender, 1 << entry.move):
                cells = [divmod(c, 16) for c in bits_of(own.turned(stones, image))]
                down = (grid.height - 15) // 2
                right = (grid.width - 15) // 2
                moved.append([(y + down, x + right) for y, x in cells])
            if any(
                not (0 <= y < grid.height and 0 <= x < grid.width)
                for part in moved
                for y, x in part
            ):
                continue
            attacker, defender, move = (
                sum(1 << y * grid.stride + x for y, x in part) for part in moved
            )
            first, second, turn = grid.canonical(attacker, defender)
            best = suggestions[first, second]
            back = grid.images[grid.inverse[turn]][best]
            assert 1 << back in {
                grid.turned(move, k)
                for k in range(len(grid.images))
                if grid.turned(attacker, k) == attacker
                and grid.turned(defender, k) == defender
            }


def test_one_first_move_is_the_only_one():
    grid = Grid(15, 15)
    middle, move = 1 << grid.cell("h8"), grid.cell("i8")
    with Tree(":memory:", "freestyle", grid, "black", (middle, 0)) as tree:
        tree.restrict_first_move(move)
        task = tree.next_task()
        assert (task.position, len(tree.known(tree.root).moves)) == (tree.root, 1)
        found = grid.canonical(middle | 1 << task.cell, 0)
        assert found[:2] == grid.canonical(middle | 1 << move, 0)[:2]
        tree.restrict_first_move(grid.cell("h9"))  # an image of that move
        with pytest.raises(TreeError, match="other moves were tried"):
            tree.restrict_first_move(grid.cell("i9"))


def test_a_first_move_is_refused_where_it_comes_too_late():
    grid = Grid(15, 15)
    start = grid.canonical(*start_of(grid, MOVES))[:2]
    with Tree(":memory:", "freestyle", grid, "black", start) as tree:
        task = tree.next_task()
        moves = [Candidate(3, {}, 0), Candidate(MORE[0], None, 5)]
        tree.take_moves(task, moves)
        assert tree.is_proved
        tree.restrict_first_move(3)  # this very move is what proves it
        with pytest.raises(TreeError, match="other moves were tried"):
            tree.restrict_first_move(4)
    with Tree(":memory:", "freestyle", grid, "black", start) as tree:
        tree.take_leaf(tree.next_task())
        with pytest.raises(TreeError, match="won by threats already"):
            tree.restrict_first_move(3)


def test_a_suggestion_that_is_no_move_is_left_out():
    grid = Grid(15, 15)
    expander = Expander(PROBLEM)
    stones = grid.canonical(*start_of(grid, MOVES))[:2]
    taken = next(bits_of(stones[0]))
    cells = [move.cell for move in expander.expand(stones, taken).candidates]
    assert cells
    assert taken not in cells


def test_what_lies_off_a_smaller_board_suggests_nothing(small):
    fitting = moves_for(small.certificate, Grid(9, 9))
    assert len(fitting) < len(small.certificate.entries)
    assert all(grid_cell < 90 for grid_cell in fitting.values())


def test_a_move_takes_the_work_that_is_expected_of_its_replies():
    grid = Grid(9, 9)
    centre, other, one, two = (grid.cell(name) for name in ("e5", "e4", "d4", "a1"))
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        hard = Candidate(centre, {one: 7, two: 90}, 97)
        easy = Candidate(other, {one: 50, two: 40}, 90)
        tree.take_moves(tree.next_task(), [hard, easy])
        assert tree.counts().win == 90
        below = tree._base.execute(
            "SELECT move.cell, reply.cell, position.win FROM reply"
            " JOIN move ON reply.move = move.id"
            " JOIN position ON reply.position = position.id"
        ).fetchall()
        assert sorted(below) == sorted(
            [
                (centre, one, 7),
                (centre, two, 90),
                (other, one, 50),
                (other, two, 40),
            ]
        )
        task = tree.next_task()  # of the easy move the reply that is likeliest to hold
        assert task.stones == grid.canonical(1 << other, 1 << one)[:2]


def proof_for_the_solver(tree, problem, nodes):
    """Prove until the solver wins after all replies that are left to it."""
    with WorkerProcesses(1) as pool:
        prove(tree, problem, pool, 1, options=ProofOptions(leaf_nodes=nodes))
    assert tree.is_proved


@pytest.mark.slow("a proof with a try of every reply that is left", ci=True)
def test_replies_that_are_hard_for_the_solver_get_entries():
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with Tree(":memory:", "freestyle", grid, "black", start) as tree:
        prove_here(tree, PROBLEM)
        before = decode(encode("freestyle", grid, "black", start, tree.book(), "a"))
        hard = try_leaves(before, range(len(before.entries)), 1000).hard
        assert hard
        proof_for_the_solver(tree, PROBLEM, 1000)
        assert tree.untried_moves(1000) == []
        assert tree.untried_moves(999) != []
        after = decode(encode("freestyle", grid, "black", start, tree.book(), "a"))
    assert len(after.entries) > len(before.entries)
    assert try_leaves(after, range(len(after.entries)), 1000).hard == ()
    check(after)


def test_a_proof_is_open_where_a_reply_is_listed_and_closes_again():
    grid = Grid(9, 9)
    names = ("e5", "e4", "d4", "a1", "b2")
    centre, second, one, two, three = (grid.cell(name) for name in names)
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        tree.take_moves(tree.next_task(), [Candidate(centre, {one: 6}, 6)])
        below = tree.next_task()
        tree.take_moves(below, [Candidate(second, {two: 6}, 6)])
        tree.take_leaf(tree.next_task())
        assert tree.is_proved
        untried = {move.cell: move for move in tree.untried_moves(2000)}
        assert set(untried) == {centre, second}
        assert untried[centre].listed == 1 << one
        tree.take_tried([(untried[centre], {})], 2000)
        assert tree.is_proved
        assert [move.cell for move in tree.untried_moves(2000)] == [second]
        # The leaf itself is hard, and so is another reply.
        tree.take_tried([(untried[second], {two: 1, three: 1})], 2000)
        assert not tree.is_proved
        assert tree.counts()[1:] == (0, 0, 4, 2, 1)
        for _ in range(2):
            tree.take_leaf(tree.next_task(), 2000)
        assert tree.is_proved
        assert tree.untried_moves(2000) == []
        assert len(tree.untried_moves(1000)) == 2


def test_a_leaf_that_needed_more_nodes_is_looked_at_again():
    """Also where it was one before, in a run that asked for nothing."""
    grid = Grid(9, 9)
    centre, second, one, two = (grid.cell(name) for name in ("e5", "e4", "d4", "a1"))
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        tree.take_moves(tree.next_task(), [Candidate(centre, {one: 6}, 6)], 1000)
        below = tree.next_task()
        tree.take_moves(below, [Candidate(second, {two: 6}, 6)], 1000)
        tree.take_leaf(tree.next_task())
        assert tree.is_proved
        (untried,) = tree.untried_moves(1000)  # its reply is a leaf of any kind
        assert untried.cell == second
        tree.take_tried([(untried, {})], 1000)
        assert tree.untried_moves(1000) == []
        assert tree.is_proved


def test_what_is_known_to_be_won_is_not_given_up():
    grid = Grid(9, 9)
    names = ("e5", "e4", "d4", "a1")
    centre, other, one, two = (grid.cell(name) for name in names)
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        tree.take_moves(tree.next_task(), [Candidate(centre, {}, 0)])
        assert tree.is_proved
        (untried,) = tree.untried_moves(1000)
        after, _ = tree.add((1 << centre, 1 << one))
        tree._base.execute("UPDATE position SET status = 3, win = 1 << 40, refute = 0")
        tree._base.execute("UPDATE position SET status = 2, win = 0 WHERE id = 1")
        with tree.change():  # a move of it that failed
            tree._base.execute(
                "INSERT INTO move (position, cell, status, busy, win, refute)"
                " VALUES (?, ?, 3, 0, 1 << 40, 0)",
                (after, other),
            )
        tree.take_tried([(untried, {one: 1})], 1000)
        assert not tree.is_decided
        task = tree.next_task()
        assert task.position == after
        tree.take_moves(task, [Candidate(two, {}, 0)], 1000)
        assert tree.is_proved


def test_a_first_position_that_is_a_leaf_is_looked_at_again():
    grid = Grid(9, 9)
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        tree.take_leaf(tree.next_task())
        tree.leave_to_solver(1000)
        assert not tree.is_decided
        tree.take_leaf(tree.next_task(), 900)
        tree.leave_to_solver(1000)
        assert tree.is_proved


def test_nothing_is_handed_out_any_more_when_a_search_ends():
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with (
        Tree(":memory:", "freestyle", grid, "black", start) as tree,
        WorkerProcesses(1) as pool,
    ):
        prove(tree, PROBLEM, pool, 1, seconds=0.4)
        for table in ("position", "move"):
            busy = f"SELECT count(*) FROM {table} WHERE busy OR refute > 1 << 20"
            never = " AND refute < 1 << 40"
            assert tree._base.execute(busy + never).fetchone()[0] == 0


def test_hints_are_patient_for_so_many_nodes():
    hints = SolverHints(PROBLEM, 50)
    grid = Grid(15, 15)
    hints.patience = 60
    hard = start_of(grid, "h8 h9 i9 h10")
    assert hints.threat(*hard) is None
    assert hints.threat(*hard) is None
    assert hints.patience == 0
    five = start_of(grid, "h8 a1 i8 b2 j8 c3 k8 d9")
    assert hints.threat(*five) in (grid.cell("g8"), grid.cell("l8"))


def test_less_work_is_expected_where_the_attacker_stands_better():
    works = [work_at(score) for score in (-30_000, -2_000, 0, 1_500, 2_500, 29_000)]
    assert works == sorted(works, reverse=True)
    assert works[0] == works[1]
    assert works[3] == 6
    assert works[4] == works[5] < 1


@pytest.mark.slow("a search for each of 200 replies", ci=True)
def test_replies_come_with_the_work_that_is_expected_of_them():
    grid = Grid(15, 15)
    expander = Expander(PROBLEM)
    replies = expander.open_replies(start_of(grid, "h8 h9"), grid.cell("i7"))
    assert replies is not None
    assert len(replies) > 100
    hardest = max(replies, key=replies.get)
    far = min(replies, key=replies.get)
    assert 1 <= replies[far] < replies[hardest]
    x, y = divmod(hardest, grid.stride)[::-1]
    assert max(abs(x - 7), abs(y - 7)) <= 4


def test_a_move_whose_replies_are_all_proved_is_proved():
    grid = Grid(9, 9)
    centre, one, two = (grid.cell(name) for name in ("e5", "e4", "d4"))
    with Tree(":memory:", "freestyle", grid, "black", (0, 0)) as tree:
        tree.take_moves(tree.next_task(), [Candidate(centre, {one: 6, two: 6}, 12)])
        for _ in range(2):
            assert not tree.is_decided
            tree.take_leaf(tree.next_task())
        assert tree.is_proved
        assert tree.next_task() is None


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
@sampled(2, 25)
def test_small_boards_are_decided_as_minimax_does(rule, count):
    """What is proved is won, on random positions with few empty cells."""
    rng = random.Random(rule)
    judge = Minimax(rule, 6, 6)
    problem = Problem(rule, 6, 6, "black")
    proved = won = 0
    for _ in range(count):
        start = random_position(rng, judge, 9)
        with Tree(":memory:", rule, judge.grid, "black", start) as tree:
            prove_here(tree, problem, 8 * count)  # one that is lost takes them all
            expected = tree.is_proved
            book = tree.book()
        won += judge.wins(*start)
        if not expected:
            continue
        proved += 1
        assert judge.wins(*start)
        check(decode(encode(rule, judge.grid, "black", start, book, "a test")))
    if count >= 25:
        assert proved > count // 5
        assert proved > 0.8 * won


@pytest.mark.slow("a proof in two processes", ci=True)
def test_processes_prove_what_one_does(tmp_path):
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    expected = []
    with (
        Tree(tmp_path / "t", "freestyle", grid, "black", start) as tree,
        WorkerProcesses(2) as pool,
    ):
        progress = prove(tree, PROBLEM, pool, 2, tasks=5, on_progress=expected.append)
        assert progress.looked_at == 5
        assert progress.speed > 0
        assert progress.nodes > 5
        assert not progress.counts.is_decided
        progress = prove(tree, PROBLEM, pool, 2, on_progress=expected.append)
        assert progress.counts.win == 0
        assert expected[-1] == progress
        book = tree.book()
    check(decode(encode("freestyle", grid, "black", start, book, "a test")))


def test_a_position_that_is_won_by_threats_needs_no_move():
    grid = Grid(15, 15)
    expander = Expander(PROBLEM)
    assert expander.expand(start_of(grid, "h8 h9 i8 a1 j8 b5")).won
    # White makes a five next, and black has none.
    lost = start_of(grid, "h8 a1 j5 b1 l12 c1 n3 d1 o9 e2")
    assert not expander.expand(lost).won
    assert expander.open_replies(lost, grid.cell("n9")) is None


@pytest.mark.slow("a search is killed and resumed many times")
def test_kill_9_at_random_moments_loses_nothing(tmp_path):
    """What was proved stays proved, and the search still ends with a proof."""
    rng = random.Random(11)
    path = tmp_path / "state"
    grid = Grid(15, 15)
    start = start_of(grid, "h8 h9 i7 g9 j8 g7")
    command = [
        sys.executable,
        "-m",
        "gomoku_brain",
        "prove",
        *"h8 h9 i7 g9 j8 g7".split(),
    ]
    command += ["--workers", "1", "--state", str(path)]
    known = set()
    for _ in range(10):
        process = subprocess.Popen(
            command,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(rng.uniform(0.7, 3.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        with Tree(path, "freestyle", grid, "black", start) as tree:
            check_numbers(tree)
            found = {
                row[0]
                for row in tree._base.execute(
                    "SELECT key FROM position WHERE status IN (2, 4)"
                )
            }
            assert known <= found
            known = found
    out = tmp_path / "proof"
    assert subprocess.run([*command, "--out", str(out)], check=False).returncode == 0
    check(decode(out.read_bytes()))


@pytest.mark.slow("starts a Dask cluster", ci=True)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_dask_cluster_proves_what_one_process_does():
    distributed = pytest.importorskip("distributed")
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as local,
        cluster_workers(local.scheduler_address) as (pool, count, _),
        Tree(":memory:", "freestyle", grid, "black", start) as tree,
    ):
        assert count == 1
        progress = prove(tree, PROBLEM, pool, count)
        assert progress.counts.win == 0
        assert tree.is_proved
