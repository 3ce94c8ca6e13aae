"""A game with all that was tried in it: moves, variations, and how each line ended.

Knows nothing of windows, players or clocks.
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

__all__ = ["Ending", "GameTree", "Node", "Verdict"]

Step = Callable[["Node"], "Node | None"]
_WON = {Side.BLACK: "1-0", Side.WHITE: "0-1"}
_ON_THE_BOARD = ("five", "foul", "full board")


class Ending(NamedTuple):
    """How a game ended, in the words of `GameRecord`."""

    result: str
    reason: str
    detail: str = ""

    @property
    def winner(self) -> Side | None:
        """Who won; None for a draw or an unfinished game."""
        return {"1-0": Side.BLACK, "0-1": Side.WHITE}.get(self.result)

    @property
    def is_final(self) -> bool:
        """Whether the stones themselves end it, so that nobody can play on."""
        return self.reason in _ON_THE_BOARD

    @classmethod
    def won_by(cls, side: Side, reason: str, detail: str = "") -> "Ending":
        """A win of the side."""
        return cls(_WON[side], reason, detail)


class Verdict(NamedTuple):
    """What a review said of a move; values are those of its mover."""

    label: str
    """As `study.annotate.Label`."""
    loss: float
    """Winning chance given away, 0 to 1."""
    line: tuple[Move, ...]
    """What should have been played, the best move first."""
    before: Value
    """With the best move."""
    after: Value
    """With the move that was played."""

    @property
    def best(self) -> Move:
        """The best move."""
        return self.line[0]

    @property
    def is_mistake(self) -> bool:
        """Whether there is something to learn from it."""
        return self.label in ("mistake", "blunder")


@dataclass(eq=False)
class Node:
    """A position of the tree: the move that led to it and what followed."""

    parent: "Node | None" = None
    played: PlayedMove | None = None
    """None at the root."""
    children: "list[Node]" = field(default_factory=list)
    """What was played from here; the first is the main line."""
    ending: Ending | None = None
    chance: float | None = None
    """Black's winning chance here, 0 to 1, when somebody has judged it."""
    verdict: Verdict | None = None
    """What a review said of the move."""

    @property
    def move(self) -> Move | None:
        """The move that led here."""
        return None if self.played is None else self.played.move

    def path(self) -> "list[Node]":
        """The nodes from the one after the root to this one."""
        found: list[Node] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def line(self) -> "list[Node]":
        """The path to here and on along the main continuation to the end."""
        found = self.path()
        node = self
        while node.children:
            node = node.children[0]
            found.append(node)
        return found


class GameTree:
    """A start position, the tree of moves from it, and the place we look at.

    `start` may bring moves, and a record with names, times and the ending.
    """

    def __init__(self, start: Game | None = None) -> None:
        """Begin at the end of the moves; ValueError when they cannot be played."""
        start = start or Game()
        self.start = replace(start, moves=(), record=None)
        """The position before the first move."""
        self.names = {Side.BLACK: "", Side.WHITE: ""}
        self.is_lesson = False
        """Whether it is a question of the trainer, which is no game to be kept."""
        self.extra: dict[str, str] = {}
        """What else a record said or is to say."""
        self.date = ""
        self.revision = 0
        """Grows with every change of moves, their order and endings."""
        self.root = Node()
        self.node = self.root
        self._board = self.start.board()
        if self._board.winner is not None:
            self.root.ending = Ending.won_by(self._board.winner, "five")
        for move in start.moves:
            self._append(PlayedMove(move))
        if start.record is not None:
            self._adopt(start.record)

    def _adopt(self, record: GameRecord) -> None:
        """Take over what a record knows beside the moves."""
        self.names = {Side.BLACK: record.black, Side.WHITE: record.white}
        self.extra, self.date = dict(record.extra), record.date
        for node, played in zip(self.node.path(), record.moves, strict=False):
            node.played = played
        if record.result != "*" and self.node.ending is None:
            self.node.ending = Ending(record.result, record.reason, record.detail)

    # What is seen

    @property
    def board(self) -> Board:
        """The position looked at; a copy of the caller's own."""
        return self._board.copy()

    @property
    def turn(self) -> Side:
        """Who is to move."""
        return self._board.turn

    @property
    def ply(self) -> int:
        """Moves from the start position to here."""
        return len(self.node.path())

    @property
    def ending(self) -> Ending | None:
        """How the game ended here; None while it goes on."""
        return self.node.ending

    @property
    def is_at_end(self) -> bool:
        """Whether nothing was played from here yet."""
        return not self.node.children

    def numbers(self) -> dict[Move, int]:
        """The stones of the moves with their numbers, from 1."""
        path = self.node.path()
        return {n.move: k for k, n in enumerate(path, 1) if n.move is not None}

    def winning_line(self) -> tuple[Move, ...]:
        """The five that ended the game with the last move; () otherwise."""
        ending, move, parent = self.node.ending, self.node.move, self.node.parent
        if ending is None or ending.reason != "five" or move is None or not parent:
            return ()
        before = self._position(parent)
        made = made_by(before, move, before.turn)
        return made[0].stones if made and made[0].kind == "five" else ()

    def seconds(self, side: Side) -> float:
        """What the side has used on the way to here."""
        turn, used = self.start.first, 0.0
        for node in self.node.path():
            if turn is side and node.played is not None:
                used += node.played.seconds or 0.0
            turn = turn.other
        return used

    def moves_of(self, side: Side) -> int:
        """How many moves the side has made on the way to here."""
        ply = self.ply
        return (ply + 1) // 2 if side is self.start.first else ply // 2

    def nodes(self) -> Iterator[Node]:
        """Every node, parents before children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    # Moving about

    def go_to(self, node: Node) -> None:
        """Look at a node of this tree."""
        self._board = self._position(node)
        self.node = node

    def back(self, moves: int = 1) -> int:
        """Go towards the start; how many moves were gone."""
        return self._walk(moves, lambda node: node.parent)

    def forward(self, moves: int = 1) -> int:
        """Go along the main continuation; how many moves were gone."""
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

    # Finding a position

    def stepped(self, moves: int) -> Node:
        """The position so many moves later, earlier if negative, or the last there."""
        node = self.node
        for _ in range(abs(moves)):
            following = node.parent if moves < 0 else next(iter(node.children), None)
            node = following or node
        return node

    def at_ply(self, ply: int) -> Node:
        """The position of the line shown after so many moves, or the nearest."""
        line = [self.root, *self.node.line()]
        return line[min(max(ply, 0), len(line) - 1)]

    @property
    def end_of_line(self) -> Node:
        """The last position of the line shown."""
        return self.node.line()[-1] if self.node.children else self.node

    # Changing it

    def play(self, played: PlayedMove | Move) -> Node:
        """Play from here: along a child that has this move, else as a new variation.

        The newest variation becomes the main line. Raises ValueError for a cell off
        the board or occupied, and where the game has ended on the board.
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
        return self._append(played)

    def _append(self, played: PlayedMove) -> Node:
        move, side = played.move, self._board.turn
        inside = 0 <= move.x < self.start.width and 0 <= move.y < self.start.height
        if not inside or not self._board.is_empty(move):
            raise ValueError(f"{move} is not an empty cell")
        foul = self._board.foul(move) if side is Side.BLACK else None
        wins = foul is None and self._board.wins_at(move)
        self._board.play(move)
        node = Node(self.node, played)
        if foul is not None:
            node.ending = Ending.won_by(side.other, "foul", foul)
        elif wins:
            node.ending = Ending.won_by(side, "five")
        elif self._board.is_full:
            node.ending = Ending("1/2-1/2", "full board")
        self.node.children.insert(0, node)
        self.node = node
        self.revision += 1
        return node

    def end(self, ending: Ending) -> None:
        """Note here how the game ended away from the board: by time, by resignation."""
        if self.node.ending is None:
            self.node.ending = ending
            self.revision += 1

    def reopen(self) -> None:
        """Take back an ending that the board does not know of."""
        if self.node.ending is not None and not self.node.ending.is_final:
            self.node.ending = None
            self.revision += 1

    def remove(self, node: Node) -> None:
        """Take a variation out, with all that follows; we then look at its parent."""
        parent = node.parent
        if parent is None:
            raise ValueError("the root stays")
        if node in self.node.path():
            self.go_to(parent)
        parent.children.remove(node)
        self.revision += 1

    # For others

    def game(self) -> Game:
        """The line looked at, up to here, as `study` takes it."""
        moves = tuple(n.move for n in self.node.path() if n.move is not None)
        return replace(self.start, moves=moves)

    def record(self, whole: bool = True) -> GameRecord:
        """The line looked at: to its end, or up to here.

        The start position must be the empty board: a record has no place for another.
        Raises ValueError otherwise.
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
