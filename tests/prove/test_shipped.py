"""The proofs that we ship: their files belong together, the brain plays from them."""

import json
from pathlib import Path

import pytest

from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.proofs.book import ProofBook
from gomoku_brain.proofs.proved import ProvedMoves
from tests.protocol.brain import Brain

PROOFS = Path(__file__).parents[2] / "docs" / "proofs"
CERTIFICATES = sorted(PROOFS.glob("*.proof"))
BOOKS = [(Rule.FREESTYLE, 15), (Rule.STANDARD, 15)]


def head_of(path):
    """The first line of a certificate or a snapshot."""
    with path.open("rb") as file:
        return json.loads(file.readline())


@pytest.mark.source
def test_there_are_certificates():
    assert len(CERTIFICATES) >= 3


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_the_figures_of_a_check_are_those_of_its_certificate(path):
    head = head_of(path)
    size = f"{head['width']}x{head['height']}"
    assert path.stem == f"{head['rule']}{head['width']}"
    figures = path.with_suffix(".txt").read_text()
    assert f"\nIts sha256: {head['sha256']}\n" in figures
    assert f"\n{head['rule']} {size}, {head['winner']} to move wins" in figures
    assert f"\npositions with a move: {head['entries']}\n" in figures
    left = len(head.get("open", ()))
    verdict = f"correct, but {left} replies to its move are open"
    assert f"\n{verdict if left else 'correct'}\n" in figures
    snapshot = head_of(path.with_suffix(".snapshot"))
    for key in ("rule", "width", "height", "winner"):
        assert snapshot[key] == head[key]


@pytest.mark.parametrize(("rule", "size"), BOOKS)
def test_a_book_of_the_package_is_that_of_a_certificate(rule, size):
    name = f"{rule.name.lower()}{size}"
    data = read_data(f"proof-{name}.bin")
    assert len(data) <= 3_000_000
    book = ProofBook(data)
    assert (book.rule, book.grid.width, book.open) == (rule.name.lower(), size, 0)
    head = json.loads(data.partition(b"\n")[0])
    path = PROOFS / f"{name}.proof"
    if path.exists():  # beside an installed package it is not
        assert head["certificate"] == head_of(path)["sha256"]
        assert head["entries"] == head_of(path)["entries"]


@pytest.mark.parametrize(("rule", "size"), BOOKS)
@pytest.mark.parametrize("reply", ["a1", "h9", "i9"])
def test_the_brain_plays_by_the_book(rule, size, reply):
    board = Board.from_moves(["h8", reply], size, rule)
    found = ProvedMoves().find(board)
    assert found is not None
    brain = Brain()
    try:
        brain.start(f"INFO rule {rule.value}", "INFO show_detail 1", size=size)
        brain.send("BEGIN")
        assert brain.move() == (7, 7)
        x, y = board.moves[1]
        brain.send(f"TURN {x},{y}")
        assert brain.line() == f"MESSAGE proved: wins in {found.win_in} plies"
        assert brain.move() == (found.move.x, found.move.y)
    finally:
        brain.close()
