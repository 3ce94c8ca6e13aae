"""Proofs of positions: those of the package, and those opened from files.

A proof is a table of positions with the winning side to move (``proofs.book``). The
package's tables are made from certificates that were checked completely. A file can be
such a table, or a certificate. The moves of a certificate that was not checked
completely are used, but their distances and their correctness are unknown, and the
proof is marked so.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs import proved
from gomoku_brain.proofs.boards import cell_of, move_of, stones_of
from gomoku_brain.proofs.book import BookError, ProofBook, make_book
from gomoku_brain.proofs.certificate import CertificateError, decode
from gomoku_brain.proofs.grid import bits_of
from gomoku_brain.prove.checker import longest_win
from gomoku_brain.prove.full_check import Findings, JournalError
from gomoku_brain.records.game import Game

__all__ = ["KnownProofs", "Proof", "ProofError", "Reply", "Shown", "read_proof"]


class ProofError(ValueError):
    """Error for a file that is no proof, with the reason in one line."""


class Reply(NamedTuple):
    """Reply of the losing side, with the proof's answer to it."""

    move: Move
    answer: Move
    plies: int
    """Most single moves from the answer to the five; 0 if unknown."""


@dataclass(frozen=True)
class Shown:
    """Content of a proof about a position."""

    kind: str
    """State of the position in the proof.

    "move": the winner has ``move``; "replies": the loser is to move, and ``replies``
    has all moves that lengthen the game; "threats": the winner has a win by fours and
    threes; "open": after a reply without an answer in the proof; "": not in the proof.
    """
    move: Move | None = None
    plies: int = 0
    """Most single moves to the five; 0 if unknown."""
    replies: tuple[Reply, ...] = ()
    """Replies that lead to other positions of the proof, the longest resistance
    first.
    """


class Proof:
    """Proof, with the name of its source."""

    def __init__(self, book: ProofBook, name: str = "", checked: bool = True) -> None:
        """Create a proof; ``name`` is that of the file, "" for the package's own."""
        self.book = book
        self.name = name
        self.checked = checked
        """Whether the checker checked all of it."""
        self.rule = Rule[book.rule.upper()]
        self.winner = Side[book.winner.upper()]
        self.width, self.height = book.grid.width, book.grid.height

    @property
    def is_whole(self) -> bool:
        """Whether every reply to the first move has an answer."""
        return not self.book.open

    def is_for(self, board: Board) -> bool:
        """Whether the proof is of the board's rule and size."""
        games = (board.rule, board.width, board.height)
        return games == (self.rule, self.width, self.height)

    def start(self) -> Game:
        """Return the first position, after the proof's first move: the loser is to
        move.
        """
        attacker, defender = map(self._moves, self.book.start)
        sides = {self.winner: attacker, self.winner.other: defender}
        return Game(
            (self.width, self.height),
            self.rule,
            black_stones=sides[Side.BLACK],
            white_stones=sides[Side.WHITE],
            first=self.winner,
            moves=() if self.book.move is None else (self._move(self.book.move),),
        )

    def _moves(self, stones: int) -> tuple[Move, ...]:
        return tuple(self._move(cell) for cell in bits_of(stones))

    def _move(self, cell: int) -> Move:
        return move_of(self.book.grid, cell)

    # Lookup

    def lookup(self, board: Board) -> Shown:
        """Return the proof's content about a position of its rule and size."""
        stones = stones_of(self.book.grid, board, board.moves)
        if stones is None or board.winner is not None or board.is_full:
            return Shown("")
        attacker, defender = stones[self.winner], stones[self.winner.other]
        if board.turn is self.winner:
            return self._winner_to_move(board, attacker, defender)
        return self._loser_to_move(attacker, defender)

    def _winner_to_move(self, board: Board, attacker: int, defender: int) -> Shown:
        book = self.book
        found = book.find(attacker, defender)
        if found is not None:
            replies = self._replies(attacker | 1 << found.cell, defender)
            return Shown("move", self._move(found.cell), found.plies, replies)
        if self._is_start(attacker, defender):
            if book.move is None:
                return Shown("threats")
            replies = self._replies(attacker | 1 << book.move, defender)
            return Shown("open", self._move(book.move), 0, replies)
        if self._is_open(attacker, defender):
            return Shown("open")
        if proved.last_proved(book, board) is not None or self._follows_start(board):
            return Shown("threats")
        return Shown("")

    def _loser_to_move(self, attacker: int, defender: int) -> Shown:
        book = self.book
        for cell in bits_of(attacker):
            before = attacker & ~(1 << cell)
            found = book.find(before, defender)
            if found is not None and found.cell == cell:
                replies = self._replies(attacker, defender)
                return Shown("replies", None, max(found.plies - 1, 0), replies)
            if cell == book.move and self._is_start(before, defender):
                return Shown("open", None, 0, self._replies(attacker, defender))
        return Shown("")

    def _replies(self, attacker: int, defender: int) -> tuple[Reply, ...]:
        """Return the replies after which the winner has an entry."""
        grid = self.book.grid
        found = []
        for cell in bits_of(grid.full & ~(attacker | defender)):
            entry = self.book.find(attacker, defender | 1 << cell)
            if entry is not None:
                found.append(
                    Reply(self._move(cell), self._move(entry.cell), entry.plies)
                )
        return tuple(sorted(found, key=lambda reply: -reply.plies))

    def _is_start(self, attacker: int, defender: int) -> bool:
        canonical = self.book.grid.canonical
        return canonical(attacker, defender)[:2] == canonical(*self.book.start)[:2]

    def _is_open(self, attacker: int, defender: int) -> bool:
        """Whether this is the position after an open reply to the first move."""
        book, canonical = self.book, self.book.grid.canonical
        if not book.open or book.move is None:
            return False
        first, second = book.start
        here = canonical(attacker, defender)[:2]
        return any(
            here == canonical(first | 1 << book.move, second | 1 << cell)[:2]
            for cell in bits_of(book.open)
        )

    def _follows_start(self, board: Board) -> bool:
        """Whether a reply to the first move was played, if the proof has open
        replies.
        """
        if self.is_whole or self.book.move is None or board.ply != 2:
            return False
        return self.book.move == cell_of(self.book.grid, board.moves[0])


# Sources ------------------------------------------------------------------------------


class KnownProofs:
    """The proofs of the package and those that a user has opened."""

    def __init__(self) -> None:
        """Start with the package's proofs. They are read when they are needed."""
        self._opened: list[Proof] = []  # the latest first
        self._package: dict[tuple[Rule, int, int], Proof] = {}

    def add(self, proof: Proof) -> None:
        """Use this proof for its rule and size from now on."""
        self._opened.insert(0, proof)

    def find(self, rule: Rule, width: int, height: int) -> Proof | None:
        """Return the proof for such games: the one added last, or the package's."""
        games = rule, width, height
        for each in self._opened:
            if (each.rule, each.width, each.height) == games:
                return each
        if games not in self._package:
            book = proved.book_for(*games)
            if book is None:
                return None
            self._package[games] = Proof(book)
        return self._package[games]

    def find_for(self, board: Board) -> Proof | None:
        """Return the proof for the rule and size of a board, as ``find`` does."""
        return self.find(board.rule, board.width, board.height)

    def book_of(self, rule: Rule, width: int, height: int) -> ProofBook | None:
        """Return the proof to play from in such games: only one that was checked."""
        proof = self.find(rule, width, height)
        return proof.book if proof is not None and proof.checked else None


def read_proof(path: Path) -> Proof:
    """Return the proof in a file; takes seconds for a large certificate.

    Raises OSError, and ProofError for a file that is neither a book nor a certificate.
    """
    data = path.read_bytes()
    try:
        header = json.loads(data.partition(b"\n")[0])
    except ValueError:
        header = None
    try:
        if isinstance(header, dict) and "proof_book" in header:
            return Proof(ProofBook(data), path.name)
        certificate = decode(data)
        plies = [0] * len(certificate.entries)
        checked = False
        try:
            journal = Findings(path.with_name(path.name + ".check"), certificate)
        except (JournalError, OSError):
            pass  # of another version: used like an unchecked one
        else:
            found = [journal.find(entry) for entry in certificate.entries]
            checked = None not in found
            if checked:
                known = [each.plies for each in found if each is not None]
                plies = longest_win(certificate, known)
        return Proof(ProofBook(make_book(certificate, plies)), path.name, checked)
    except (BookError, CertificateError) as error:
        raise ProofError(str(error)) from None
