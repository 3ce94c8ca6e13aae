"""One small certificate, found once for all tests."""

from functools import cache
from typing import NamedTuple

import pytest

from gomoku_brain.proofs.certificate import Certificate, decode, encode
from gomoku_brain.proofs.grid import Grid
from gomoku_brain.prove import prover
from gomoku_brain.prove.full_check import check
from gomoku_brain.prove.prover import do_task, store_answer
from gomoku_brain.prove.solver_hints import Problem
from gomoku_brain.prove.tree import Tree

PROBLEM = Problem("freestyle", 15, 15, "black")
MOVES = "h8 h9 i9 h10"


class Small(NamedTuple):
    data: bytes
    certificate: Certificate
    book: dict


def start_of(grid, moves):
    names = moves.split()
    return tuple(
        sum(1 << grid.cell(name) for name in names[first::2]) for first in (0, 1)
    )


ANSWERS = {}  # by the problem and all tasks so far


class FreshWorker:
    """A worker that knows nothing from earlier searches, which would change its way.

    The answers to equal tasks in equal order are equal, so they are searched for once
    for all tests: many of these begin the same proof.
    """

    def __init__(self, problem):
        self.problem, self.tasks, self.works = problem, (), False

    def do(self, task):
        self.tasks += (task,)
        if (self.problem, self.tasks) not in ANSWERS:
            if not self.works:
                prover._expanders.pop((self.problem, None), None)
                for earlier in self.tasks[:-1]:
                    do_task(self.problem, earlier)
                self.works = True
            ANSWERS[self.problem, self.tasks] = do_task(self.problem, task)
        return ANSWERS[self.problem, self.tasks]


def prove_here(tree, problem, most=2_000):
    """The search without other processes; how many tasks it took."""
    worker = FreshWorker(problem)
    for done in range(most):
        task = tree.next_task()
        if task is None:
            return done
        store_answer(tree, task, worker.do(task))
    return most


@cache
def small_proof():
    grid = Grid(15, 15)
    start = start_of(grid, MOVES)
    with Tree(":memory:", "freestyle", grid, "black", start) as tree:
        prove_here(tree, PROBLEM)
        assert tree.is_proved
        book = tree.book()
    data = encode("freestyle", grid, "black", start, book, "a test")
    return Small(data, decode(data), book)


@cache
def checked_proof():
    """The report of a check of the whole certificate, and its progress."""
    progress = []
    report = check(
        small_proof().certificate, on_progress=lambda *pair: progress.append(pair)
    )
    return report, progress


@pytest.fixture(scope="session")
def small():
    return small_proof()
