"""Tree of a game: moves, variations and the end of each line.

The module does not depend on windows, players or clocks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game_formats import GameRecord, PlayedMove
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import made_by

__all__ = ["Ending", "GameTree", "Node", "Verdict", "ending_of"]

Step = Callable[["Node"], "Node | None"]
_WON = {Side.BLACK: "1-0", Side.WHITE: "0-1"}
_ON_THE_BOARD = ("five", "foul", "full board")


class Ending(NamedTuple):
    """End of a game, in the terms of ``GameRecord``."""

    result: str
    reason: str
    detail: str = ""

    @property
    def winner(self) -> Side | None:
        """The winner; None for a draw or an unfinished game."""
        return {"1-0": Side.BLACK, "0-1": Side.WHITE}.get(self.result)

    @property
    def is_final(self) -> bool:
        """Whether the position itself ends the game, so that no move can follow."""
        return self.reason in _ON_THE_BOARD

    @classmethod
    def won_by(cls, side: Side, reason: str, detail: str = "") -> "Ending":
        """Return a win of the side."""
        return cls(_WON[side], reason, detail)


class Verdict(NamedTuple):
    """Judgement of a move by a review. Values are those of the side that moved."""

    label: str
    """A label of ``study.annotate.Label``."""
    loss: float
    """Lost winning chance, 0 to 1."""
    line: tuple[Move, ...]
    """The best line, which begins with the best move."""
    before: Value
    """Value of the best move."""
    after: Value
    """Value of the played move."""

    @property
    def best(self) -> Move:
        """The best move."""
        return self.line[0]

    @property
    def is_mistake(self) -> bool:
        """Whether the move is a mistake or a blunder."""
        return self.label in ("mistake", "blunder")


def ending_of(board: Board, move: Move) -> Ending | None:
    """Return the end of the game by a move that is about to be played; None if it
    continues.
    """
    side = board.turn
    foul = board.foul(move) if side is Side.BLACK else None
    if foul is not None:
        return Ending.won_by(side.other, "foul", foul)
    if board.wins_at(move):
        return Ending.won_by(side, "five")
    stones = len(board.moves) + 1  # walls included
    if stones == board.width * board.height:
        return Ending("1/2-1/2", "full board")
    return None


@dataclass(eq=False)
class Node:
    """Position of the tree: the move that led to it, and its continuations."""

    parent: "Node | None" = None
    played: PlayedMove | None = None
    """The move and its figures; None at the root."""
    children: "list[Node]" = field(default_factory=list)
    """Positions after each move that was played here; the first is the main line."""
    ending: Ending | None = None
    chance: float | None = None
    """Black's winning chance, 0 to 1; None if no search has evaluated the position."""
    verdict: Verdict | None = None
    """Judgement of the move by a review."""
    properties: dict[str, list[str]] = field(default_factory=dict)
    """Properties of the position in its SGF file, without the move. ``node_notes``
    reads them."""

    def set_played_comment(self, text: str) -> None:
        """Set the comment on the move."""
        if self.played is not None:
            self.played = replace(self.played, comment=text)

    @property
    def move(self) -> Move | None:
        """The move that led to this position."""
        return None if self.played is None else self.played.move

    def path(self) -> "list[Node]":
        """Return the nodes after the root up to this one."""
        found: list[Node] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def line(self) -> "list[Node]":
        """Return the path to this node and its main continuation to the end.

        The continuation ends where the game was resigned or lost on time, also if moves
        were added later.
        """
        found = self.path()
        node = self
        while node.children and (node.ending is None or node.ending.is_final):
            node = node.children[0]
            found.append(node)
        return found


class GameTree:
    """Start position, the tree of its moves, and the current node.

    ``start`` may contain moves, and a record with names, times and the ending.
    """

    def __init__(self, start: Game | None = None) -> None:
        """Build the tree and go to the last move.

        Raises:
            ValueError: The moves are illegal.
        """
        start = start or Game()
        self.start = replace(start, moves=(), record=None)
        """The position before the first move."""
        self.names = {Side.BLACK: "", Side.WHITE: ""}
        self.is_lesson = False
        """Whether the tree is a lesson of the trainer, which is not stored."""
        self.extra: dict[str, str] = {}
        """Further fields of the game record."""
        self.date = ""
        self.revision = 0
        """Counter of changes to moves, their order and endings."""
        self.root = Node()
        self.node = self.root
        self._board = self.start.board()
        if self._board.winner is not None:
            self.root.ending = Ending.won_by(self._board.winner, "five")
        for move in start.moves:
            self.add(PlayedMove(move))
        if start.record is not None:
            self._read_record(start.record)

    def _read_record(self, record: GameRecord) -> None:
        """Copy the names, times and the ending of a record."""
        self.names = {Side.BLACK: record.black, Side.WHITE: record.white}
        self.extra, self.date = dict(record.extra), record.date
        for node, played in zip(self.node.path(), record.moves, strict=False):
            node.played = played
        if record.result != "*" and self.node.ending is None:
            self.node.ending = Ending(record.result, record.reason, record.detail)

    # Queries

    @property
    def board(self) -> Board:
        """Copy of the current position."""
        return self._board.copy()

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._board.turn

    @property
    def ply(self) -> int:
        """The number of moves from the start position to the current one."""
        return len(self.node.path())

    @property
    def ending(self) -> Ending | None:
        """The end of the game in this position; None if the game is not over."""
        return self.node.ending

    @property
    def is_at_end(self) -> bool:
        """Whether no move was played from here."""
        return not self.node.children

    def numbers(self) -> dict[Move, int]:
        """Return the numbers of the played stones, from 1."""
        path = self.node.path()
        return {n.move: k for k, n in enumerate(path, 1) if n.move is not None}

    def winning_line(self) -> tuple[Move, ...]:
        """Return the five of the last move; () if there is none."""
        ending, move, parent = self.node.ending, self.node.move, self.node.parent
        if ending is None or ending.reason != "five" or move is None or not parent:
            return ()
        before = self._position(parent)
        made = made_by(before, move, before.turn)
        return made[0].stones if made and made[0].kind == "five" else ()

    def seconds(self, side: Side) -> float:
        """Return the seconds that the side used up to here."""
        turn, used = self.start.first, 0.0
        for node in self.node.path():
            if turn is side and node.played is not None:
                used += node.played.seconds or 0.0
            turn = turn.other
        return used

    def moves_of(self, side: Side) -> int:
        """Return the number of moves of the side up to here."""
        ply = self.ply
        return (ply + 1) // 2 if side is self.start.first else ply // 2

    def nodes(self) -> Iterator[Node]:
        """Yield every node, parents before children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    # Navigation

    def go_to(self, node: Node) -> None:
        """Make a node of this tree the current one."""
        self._board = self._position(node)
        self.node = node

    def back(self, moves: int = 1) -> int:
        """Go back up to ``moves`` moves. Return the number of moves."""
        return self._walk(moves, lambda node: node.parent)

    def forward(self, moves: int = 1) -> int:
        """Go forward along the main continuation. Return the number of moves."""
        return self._walk(moves, lambda n: n.children[0] if n.children else None)

    def _walk(self, moves: int, step: Step) -> int:
        node, gone = self.node, 0
        while gone < moves and (following := step(node)) is not None:
            node, gone = following, gone + 1
        if gone:
            self.go_to(node)
        return gone

    def _position(self, node: Node) -> Board:
        board = self.start.board()
        for step in node.path():
            assert step.move is not None
            board.play(step.move)
        return board

    # Search for a position

    def stepped(self, moves: int) -> Node:
        """Return the node ``moves`` later (negative: earlier), or the last one."""
        node = self.node
        for _ in range(abs(moves)):
            following = node.parent if moves < 0 else next(iter(node.children), None)
            node = following or node
        return node

    def at_ply(self, ply: int) -> Node:
        """Return the node of the current line after ``ply`` moves, or the nearest."""
        line = [self.root, *self.node.line()]
        return line[min(max(ply, 0), len(line) - 1)]

    @property
    def end_of_line(self) -> Node:
        """The last node of the current line."""
        return self.node.line()[-1] if self.node.children else self.node

    # Changes

    def play(self, played: PlayedMove | Move) -> Node:
        """Play a move: go to the child with this move, or add a new variation.

        The variation becomes the main line.

        Raises:
            ValueError: The cell is not empty or not on the board, or the game is over.
        """
        if isinstance(played, Move):
            played = PlayedMove(played)
        if self.ending is not None and self.ending.is_final:
            raise ValueError("the game is over")
        for child in self.node.children:
            if child.move == played.move:
                if child is not self.node.children[0]:
                    self.revision += 1
                self.node.children.remove(child)
                self.node.children.insert(0, child)
                self._board.play(played.move)
                self.node = child
                return child
        return self.add(played)

    def add(self, played: PlayedMove) -> Node:
        """Add a new variation, which becomes the main line.

        A record may go on after a foul or a five. Those moves are kept; a five remains
        the end of the game.

        Raises:
            ValueError: The cell is not empty or not on the board.
        """
        move = played.move
        inside = 0 <= move.x < self.start.width and 0 <= move.y < self.start.height
        if not inside or not self._board.is_empty(move):
            raise ValueError(f"{move} is not an empty cell")
        ending = self.ending
        if ending is None or ending.reason != "five":
            ending = ending_of(self._board, move)
        node = Node(self.node, played, ending=ending)
        self._board.play(move)
        self.node.children.insert(0, node)
        self.node = node
        self.revision += 1
        return node

    def note_change(self) -> None:
        """Record that moves or their notes were changed from outside."""
        self.revision += 1

    def end(self, ending: Ending) -> None:
        """Set the ending of a game that ended on time or by resignation."""
        if self.node.ending is None:
            self.node.ending = ending
            self.revision += 1

    def reopen(self) -> None:
        """Remove an ending that the position itself does not cause."""
        if self.node.ending is not None and not self.node.ending.is_final:
            self.node.ending = None
            self.revision += 1

    def remove(self, node: Node) -> None:
        """Remove a variation with all its continuations.

        If the current node is in it, its parent becomes the current one.
        """
        parent = node.parent
        if parent is None:
            raise ValueError("the root stays")
        if node in self.node.path():
            self.go_to(parent)
        parent.children.remove(node)
        self.revision += 1

    # Export

    def game(self) -> Game:
        """Return the game up to the current position."""
        moves = tuple(n.move for n in self.node.path() if n.move is not None)
        return replace(self.start, moves=moves)

    def record(self, whole: bool = True) -> GameRecord:
        """Return the current line as a record, complete or up to the current position.

        Raises:
            ValueError: The start position is not the empty board, which a record cannot
                store.
        """
        if self.start.set_up:
            raise ValueError("the game begins with stones on the board")
        nodes = self.node.line() if whole else self.node.path()
        ending = (nodes[-1] if nodes else self.root).ending or Ending("*", "")
        return GameRecord(
            rule=self.start.rule,
            width=self.start.width,
            height=self.start.height,
            black=self.names[Side.BLACK],
            white=self.names[Side.WHITE],
            moves=tuple(n.played for n in nodes if n.played is not None),
            result=ending.result,
            reason=ending.reason,
            detail=ending.detail,
            date=self.date,
            extra=dict(self.extra),
        )
