"""Game on the board: the node that is shown, endings, and judgements of the moves.

The module does not depend on windows, players or clocks.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import Head, facts_of, set_facts
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import made_by

__all__ = ["Ending", "GameTree", "Verdict", "ending_of"]

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


class GameTree:
    """Game on the board, the node that is shown, and verdicts beside the nodes.

    Every change of the game is one step of its history, which has also the endings.
    """

    def __init__(self, game: Game | None = None) -> None:
        """Show the last move of a game in regular form (``Game.make_regular``).

        Raises:
            ValueError: The moves are illegal.
        """
        self.game = Game() if game is None else game
        self.chances: dict[GameNode, float] = {}
        """Black's winning chance, 0 to 1, of the positions that were evaluated."""
        self.verdicts: dict[GameNode, Verdict] = {}
        """Judgements of moves by a review."""
        self.unplayed_seconds: dict[GameNode, float] = {}
        """Seconds of a person in these positions for a move that is not played yet."""
        self.is_lesson = False
        """Whether the tree is a lesson of the trainer, which is not stored."""
        self.file: tuple[Path, int] | None = None
        """File that has this game alone, to which it can be saved, and the time of its
        last change in ns."""
        self._starts = 0  # changes of the start position
        self._board = self.game.board(0)
        self._walked: list[GameNode] = [self.game]  # the nodes played on ``_board``
        self._natural: dict[GameNode, Ending | None] = {}
        self.node = end = self.game.end()
        head = self.game.head
        if head.result != "*" and self.ending is None:
            self.endings = {end: Ending(head.result, head.reason, head.detail)}
        self._update_result(head)
        self._saved: object = self.game.history.last_step

    # Queries

    @property
    def node(self) -> GameNode:
        """The node that is shown."""
        return self.game.history.shown or self.game

    @node.setter
    def node(self, node: GameNode) -> None:
        self._position(node)
        self.game.history.shown = node

    @property
    def endings(self) -> Mapping[GameNode, Ending]:
        """Endings that the position does not make: a resignation, a loss on time."""
        return cast(Mapping[GameNode, Ending], self.game.history.beside or {})

    @endings.setter
    def endings(self, endings: Mapping[GameNode, Ending]) -> None:
        self.game.history.beside = dict(endings)
        self._natural.clear()

    @property
    def board(self) -> Board:
        """Copy of the position that is shown."""
        return self._position(self.node).copy()

    @property
    def place(self) -> tuple[GameNode, int]:
        """Identity of the position that is shown."""
        return self.node, self._starts

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._position(self.node).turn

    @property
    def ply(self) -> int:
        """The number of moves from the start position to the current one."""
        return self.node.ply

    @property
    def ending(self) -> Ending | None:
        """The end of the game in this position; None if the game is not over."""
        return self.ending_at(self.node)

    @property
    def is_at_end(self) -> bool:
        """Whether no move was played from here."""
        return self.node.is_end

    @property
    def is_over(self) -> bool:
        """Whether the main line of the game has an end."""
        return self._end() is not None

    def ending_at(self, node: GameNode) -> Ending | None:
        """Return the end of the game at a node; None if the game is not over there."""
        if node in self.endings:
            return self.endings[node]
        if node not in self._natural:
            for each in node.path():
                if each not in self._natural:
                    self._natural[each] = self._natural_ending(each)
        return self._natural[node]

    def _natural_ending(self, node: GameNode) -> Ending | None:
        """Return the end that a position makes; a five lasts also if moves follow."""
        if node.parent is None:
            winner = self._position(node).winner
            return None if winner is None else Ending.won_by(winner, "five")
        before = self.ending_at(node.parent)
        if before is not None and before.reason == "five":
            return before
        return ending_of(self._position(node.parent), cast(Move, node.move))

    def _end(self) -> Ending | None:
        """Return the end of the main line."""
        line = self.line(self.game)
        return self.ending_at(line[-1] if line else self.game)

    def line(self, node: GameNode | None = None) -> list[GameNode]:
        """Return the moves to a node, else to the shown one, and those after it.

        The main continuation ends where the game was resigned or lost on time, also if
        moves were added later.
        """
        node, endings = self.node if node is None else node, self.endings
        found = node.path()[1:]
        while node.variations and (node not in endings or endings[node].is_final):
            node = node.variations[0]
            found.append(node)
        return found

    def judged_line(self) -> list[GameNode]:
        """Return the current line, or the main line if only that one is judged."""
        current, main = self.line(), self.line(self.game)
        if current and current[-1] in self.verdicts:
            return current
        counts = [sum(n in self.verdicts for n in line) for line in (current, main)]
        return main if counts[1] > counts[0] else current

    def deciding_move(self) -> GameNode | None:
        """Return the move with which the loser of the game lost it.

        It is the largest blunder since the loser's chance was even; None if none is
        known.
        """
        end, found, largest = self._end(), None, 0.0
        for node in self.line(self.game):
            verdict = self.verdicts.get(node)
            if verdict is None or end is None or end.winner is None:
                continue
            is_loser = node.side is end.winner.other
            after = verdict.after if is_loser else verdict.after.other
            is_blunder = is_loser and verdict.label == "blunder"
            if after.chance >= 0.5:
                found, largest = None, 0.0
            elif is_blunder and verdict.loss > largest:
                found, largest = node, verdict.loss
        return found

    def numbers(self) -> dict[Move, int]:
        """Return the numbers of the played stones, from 1."""
        return {move: k for k, move in enumerate(self.node.path_moves(), 1)}

    def winning_line(self) -> tuple[Move, ...]:
        """Return the five of the last move; () if there is none."""
        ending, move, parent = self.ending, self.node.move, self.node.parent
        if ending is None or ending.reason != "five" or move is None or not parent:
            return ()
        before = self._position(parent)
        made = made_by(before, move, before.turn)
        return made[0].stones if made and made[0].kind == "five" else ()

    def seconds(self, side: Side) -> float:
        """Return the seconds that the side used up to here."""
        path = self.node.path()
        known = sum(n.figures.seconds or 0.0 for n in path if n.side is side)
        return known + (side is self.turn) * self.unplayed_seconds.get(self.node, 0.0)

    def moves_of(self, side: Side) -> int:
        """Return the number of moves of the side up to here."""
        return sum(node.side is side for node in self.node.path())

    def name(self, side: Side) -> str:
        """Return the name of a player."""
        return self.game.white if side is Side.WHITE else self.game.black

    @property
    def facts(self) -> dict[str, str]:
        """Facts that the board notes about a game, for example its puzzle."""
        return facts_of(self.game)

    @property
    def is_unsaved(self) -> bool:
        """Whether the game was changed since ``mark_saved``."""
        return self._saved is not self.game.history.last_step

    def mark_saved(self, is_saved: bool = True) -> None:
        """State whether the game is stored as it is now."""
        self._saved = self.game.history.last_step if is_saved else self

    def freeze(self) -> None:
        """Begin to change a copy: no earlier change can be undone, all is saved."""
        self.game.history.clear()
        self.mark_saved()

    # Navigation

    def go_to(self, node: GameNode) -> None:
        """Show a node."""
        self.node = node

    def back(self, moves: int = 1) -> int:
        """Go back up to ``moves`` moves. Return the number of moves."""
        return self._go(-moves)

    def forward(self, moves: int = 1) -> int:
        """Go forward along the main continuation. Return the number of moves."""
        return self._go(moves)

    def _go(self, moves: int) -> int:
        before = self.ply
        self.node = self.stepped(moves)
        return abs(self.ply - before)

    def _position(self, node: GameNode) -> Board:
        """Return the position of a node, until the next call."""
        path, walked, common = node.path(), self._walked, 0
        for one, other in zip(path, walked, strict=False):
            if one is not other:
                break
            common += 1
        while len(walked) > common:
            walked.pop()
            self._board.undo()
        for each in path[common:]:
            self._board.play(cast(Move, each.move))
            walked.append(each)
        return self._board

    def _restart(self) -> None:
        """Compute positions again, because the start position may have changed."""
        self._board, self._walked = self.game.board(0), [self.game]
        self._natural.clear()
        self._starts += 1

    # Search for a position

    def stepped(self, moves: int) -> GameNode:
        """Return the node ``moves`` later (negative: earlier), or the last one."""
        node = self.node
        for _ in range(abs(moves)):
            following = node.parent if moves < 0 else next(iter(node.variations), None)
            node = following or node
        return node

    def at_ply(self, ply: int) -> GameNode:
        """Return the node of the current line after ``ply`` moves, or the nearest."""
        line = [self.game, *self.line()]
        return line[min(max(ply, 0), len(line) - 1)]

    @property
    def end_of_line(self) -> GameNode:
        """The last node of the current line."""
        return self.line()[-1] if self.node.variations else self.node

    # Changes

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        """Make a change of moves or endings one step, and update the result."""
        before = self._end()
        with self.game.history.step(name):
            yield
            after = self._end()
            if after != before:
                self.game.set_result(*(after or Ending("*", "")))

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        done = self.game.undo()
        if done:
            self._restart()
        return done

    def redo(self) -> bool:
        """Make the change again that was undone last; return whether there was one."""
        done = self.game.redo()
        if done:
            self._restart()
        return done

    def play(self, played: PlayedMove | Move, is_main: bool = True) -> GameNode:
        """Play a move: go to the node with this move, or add it after the others.

        With ``is_main`` it becomes the main line, unless the game is over.

        Raises:
            ValueError: The cell is not empty or not on the board, or the game is over.
        """
        if isinstance(played, Move):
            played = PlayedMove(played)
        if self.ending is not None and self.ending.is_final:
            raise ValueError("the game is over")
        move, node, board = played.move, self.node, self._position(self.node)
        inside = 0 <= move.x < board.width and 0 <= move.y < board.height
        if not inside or not board.is_empty(move):
            raise ValueError(f"{move} is not an empty cell")
        is_new = all(each.move != move for each in node.variations)
        is_main = is_main and not self.is_over
        with self._step("move"):
            new = node.add_variation(move, side=board.turn)
            if is_new and played != PlayedMove(move):
                new.figures, new.comment = played.figures, played.comment
            if is_main:
                self._make_main(new)
            self.node = new
        return new

    def _make_main(self, node: GameNode) -> None:
        for each in node.path()[1:]:
            if each.parent is not None and each.parent.variations[0] is not each:
                each.parent.promote_to_main(each)

    def promote(self, node: GameNode) -> None:
        """Make the line through a node the main line."""
        with self._step("order"):
            self._make_main(node)

    def set_endings(self, endings: Mapping[GameNode, Ending]) -> None:
        """Set the endings of a stored game, and the result of its main line."""
        self.endings = endings
        self._update_result(self.game.head)

    def _update_result(self, head: Head) -> None:
        """State the end of the main line as the result of the game.

        A result that a file states outweighs the end that the position makes.
        """
        end = self._end() or Ending("*", "")
        is_other = (head.result, head.reason) != end[:2]
        if head.result == "*" != end.result or (is_other and not end.is_final):
            with self.game.history.unrecorded():
                self.game.set_result(*end)

    def end(self, ending: Ending) -> None:
        """Set the ending of a game that ended on time or by resignation."""
        if self.ending is None:
            with self._step("result"):
                if not self.is_over:
                    self._make_main(self.node)
                self.endings = {**self.endings, self.node: ending}

    def remove(self, node: GameNode) -> None:
        """Remove a variation with all its continuations.

        If the current node is in it, its parent becomes the current one.
        """
        parent = node.parent
        if parent is None:
            raise ValueError("the root stays")
        with self._step("deletion"):
            if node in self.node.path():
                self.node = parent
            parent.remove_variation(node)

    @property
    def branch(self) -> GameNode | None:
        """First node of the innermost variation shown; None on the main line."""
        for node in reversed(self.node.path()[1:]):
            if node.parent is not None and node is not node.parent.variations[0]:
                return node
        return None

    def set_up(
        self,
        black: Sequence[Move],
        white: Sequence[Move],
        walls: Sequence[Move],
        first: Side,
    ) -> None:
        """Change the start position of a game without moves."""
        self.game.set_up(black, white, walls, first)
        self._restart()

    # Facts that undo does not take back

    def set_names(self, black: str, white: str) -> None:
        """Set the names of the players."""
        if (black, white) != (self.game.black, self.game.white):
            with self.game.history.unrecorded():
                self.game.black, self.game.white = black, white

    def set_date(self, date: str) -> None:
        """Set the date, in ISO 8601."""
        with self.game.history.unrecorded():
            self.game.date = date

    def set_fact(self, name: str, value: str) -> None:
        """Note a fact about the game; "" removes it."""
        with self.game.history.unrecorded():
            set_facts(self.game, {name: value})

    def take_judgements(self, other: "GameTree") -> None:
        """Take the chances and verdicts of the moves that another tree also has."""
        pairs: list[tuple[GameNode, GameNode]] = [(self.game, other.game)]
        for mine, theirs in pairs:
            if theirs in other.chances:
                self.chances[mine] = other.chances[theirs]
            if theirs in other.verdicts:
                self.verdicts[mine] = other.verdicts[theirs]
            known = {node.move: node for node in mine.variations}
            pairs += [(known[n.move], n) for n in theirs.variations if n.move in known]

    # Copies

    def shown_game(self) -> Game:
        """Return a new game with the moves up to the current position."""
        return self.game.cut(self.ply, self.node)

    def bare_game(self, moves: Sequence[Move]) -> Game:
        """Return a new game with the start position and moves, and nothing else."""
        game = self.game
        return Game(
            game.size,
            game.rule,
            black_stones=game.black_stones,
            white_stones=game.white_stones,
            walls=game.walls,
            first=game.first,
            moves=moves,
        )

    def record(self) -> GameRecord:
        """Return the current line as a record.

        Raises:
            ValueError: The start position is not the empty board, which a record cannot
                store.
        """
        nodes, end = self.line(), self.end_of_line
        result, reason, detail = self.ending_at(end) or Ending("*", "")
        record = self.game.record(end)
        return replace(
            record,
            moves=record.moves[: len(nodes)],
            result=result,
            reason=reason,
            detail=detail,
        )
