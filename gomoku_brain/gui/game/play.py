"""A game as it is played: whose turn it is, who is asked, clocks, pauses, faults.

`Play` holds the tree and the seats and tells what happens by signals; it knows no
widget. Players think in threads; an answer that nobody waits for any more is dropped.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from gomoku_brain.eval.chance import chance, scale_of
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.background import BackgroundTask, LineBuffer
from gomoku_brain.gui.model.clock import Clock
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Node
from gomoku_brain.gui.model.seats import (
    Ask,
    Cancelled,
    Player,
    PlayerFault,
    Seat,
    make_player,
)
from gomoku_brain.gui.model.terms import Refusal, Terms
from gomoku_brain.records.game_formats import PlayedMove
from gomoku_brain.records.reader import Game

__all__ = ["Play"]

Stage = Literal["", "place three", "choose after three", "place two", "choose at five"]
Choice = Literal["black", "white", "two"]

Step = Callable[[], int]

TICK_MS = 100


class Play(QObject):
    """The game on the board, and everybody who has a part in it."""

    changed = Signal()
    """The position, the turn or the state: look again."""
    moved = Signal(object)
    """A stone was placed: its node."""
    over = Signal(object)
    """The game has just ended: its `Ending`."""
    faulty = Signal(object, object)
    """A player failed: its side and the `PlayerFault`. The game is paused."""
    choice_wanted = Signal()
    """A person is to choose a colour (swap2)."""
    ticked = Signal()
    """The clocks may have to be drawn anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        """An empty board before two people."""
        super().__init__(parent)
        self.log = LineBuffer()
        """The lines of all engines."""
        self.tree = GameTree()
        self.terms = Terms()
        self.seats = {Side.BLACK: Seat(), Side.WHITE: Seat()}
        """Who plays the colours; before swap2 is settled, black is who proposes."""
        self.stage: Stage = ""
        """Of swap2; "" when it is settled or not played."""
        self.paused = False
        self.reviewing = False
        """Paused because somebody looks at an earlier position."""
        self.free = False
        """Both sides are moved by hand, without clocks and players: for study."""
        self.fault: tuple[Side, PlayerFault] | None = None
        self.clock = Clock(self.terms.control)
        self._players: dict[Side, Player | None] = {Side.BLACK: None, Side.WHITE: None}
        self._ask: Ask | None = None
        self._kept_nodes = 1  # of the tree, in a file or not worth one
        self._held: PlayedMove | None = None  # an answer that came during a pause
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    # Beginning and ending

    def begin(self, terms: Terms, start: Game | None = None) -> None:
        """Begin a game; ValueError (and the old game goes on) when it cannot be."""
        self._take_over(terms, GameTree(start))

    def adopt(self, terms: Terms, tree: GameTree) -> None:
        """Go on with a game from elsewhere; it is paused if a player is to be asked.

        Raises ValueError for a broken seat.
        """
        self._take_over(terms, tree, paused=True)

    def study(self, tree: GameTree) -> None:
        """Look at a game from elsewhere; both sides are moved by hand."""
        black, white = (Seat(name=tree.names[side]) for side in Side)
        self._take_over(Terms(black, white), tree, free=True)

    def _take_over(
        self, terms: Terms, tree: GameTree, paused: bool = False, free: bool = False
    ) -> None:
        seats = {Side.BLACK: terms.black, Side.WHITE: terms.white}
        players = {side: self._make(seat, terms) for side, seat in seats.items()}
        self._cancel()
        self._dismiss(*Side)
        self.terms, self.tree, self.seats, self._players = terms, tree, seats, players
        self.clock = Clock(terms.control)
        empty = not tree.start.set_up and not tree.root.children
        self.stage = "place three" if terms.swap2 and empty else ""
        self.free, self.reviewing = free, False
        self.paused = paused and self.ending is None and any(self._players.values())
        self.fault = None
        self.keep()
        if not tree.date:
            now = datetime.now().astimezone()
            tree.date = now.isoformat(timespec="seconds")
        self.changed.emit()
        self._proceed()

    def set_seat(self, side: Side, seat: Seat) -> None:
        """Another player takes over a side. Raises ValueError for a broken seat."""
        player = self._make(seat, self.terms)
        self._cancel()
        self._dismiss(side)
        self.seats[side], self._players[side] = seat, player
        self.fault = None
        self.changed.emit()
        self._proceed()

    def close(self) -> None:
        """Everybody leaves."""
        self._cancel()
        self._timer.stop()
        self.clock.stop()
        self._dismiss(*Side)

    def _make(self, seat: Seat, terms: Terms) -> Player | None:
        name = seat.name or "brain"
        return make_player(
            seat,
            terms.control,
            name=name,
            threads=terms.threads,
            hash_mb=terms.hash_mb,
            log=self.log.writer(name),
        )

    def _dismiss(self, *sides: Side) -> None:
        """Let players leave, in the background: a process may take its second."""
        players = [self._players[side] for side in sides]
        leaving = [player for player in players if player is not None]
        for side in sides:
            self._players[side] = None

        def leave(task: BackgroundTask) -> None:
            for player in leaving:
                with player.busy:
                    player.close()

        if leaving:
            BackgroundTask(leave).start()

    # What is

    @property
    def ending(self) -> Ending | None:
        """How the game ended at the position shown."""
        return self.tree.ending

    @property
    def in_progress(self) -> bool:
        """Whether something would be lost if the game went away: a game that is being
        played, or what was added on the study board since `keep`."""
        if self.free:
            return self._kept_nodes < sum(1 for _ in self.tree.nodes())
        line = self.tree.node.line()  # we may look at an earlier position of it
        return self.ending is None and bool(line) and line[-1].ending is None

    @property
    def unsaved(self) -> bool:
        """Whether something was added since `keep`."""
        return self._kept_nodes < sum(1 for _ in self.tree.nodes())

    def keep(self) -> None:
        """The game as it is now is safe: in a file."""
        self._kept_nodes = sum(1 for _ in self.tree.nodes())

    @property
    def actor(self) -> Side:
        """Whose seat is to act; in swap2 black is who proposes."""
        if self.stage in ("choose after three", "place two"):
            return Side.WHITE
        if self.stage:
            return Side.BLACK
        return self.tree.turn

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to place a stone or to choose."""
        if self.ending is not None:
            return False
        return self.free or self._players[self.actor] is None

    @property
    def thinking(self) -> Side | None:
        """The side whose player is being asked."""
        return self.actor if self._ask is not None else None

    @property
    def can_hurry(self) -> bool:
        """Whether `hurry` would bring the move."""
        player = self._players[self.actor]
        return self._ask is not None and player is not None and player.can_hurry

    @property
    def is_looking_back(self) -> bool:
        """Whether an earlier position of a finished game is shown."""
        line = self.tree.node.line()
        return self.ending is None and bool(line) and line[-1].ending is not None

    @property
    def may_branch(self) -> bool:
        """Whether a stone of a person begins a line on the study board, where a player
        is to move: an earlier position is looked at, and nobody is asked."""
        return self.reviewing and self._ask is None

    @property
    def people(self) -> list[Side]:
        """The sides that a person plays."""
        return [side for side in Side if self._players[side] is None]

    def used(self, side: Side) -> float:
        """Seconds that a side has used, the present move included."""
        used = self.tree.seconds(side)
        return used + self.clock.elapsed if self._runs_for(side) else used

    def left(self, side: Side) -> float | None:
        """Seconds that the side has left, None without a limit that holds for it."""
        if self._players[side] is None and not self.terms.people_too:
            return None
        left = self.clock.left(self.tree.seconds(side), self.tree.moves_of(side))
        if left is not None and self._runs_for(side):
            left -= self.clock.elapsed
        return left

    def _runs_for(self, side: Side) -> bool:
        return side is self.tree.turn and self.ending is None and not self.free

    # A person's doings

    def refusal(self, move: Move) -> Refusal:
        """Why a person may not place a stone there; "" when it may be."""
        board = self.tree.board
        if self.ending is not None and self.ending.is_final:
            return "over"
        if not board.is_empty(move):
            return "occupied"
        if self.stage.startswith("choose"):
            return "choose first"
        if not self.free:
            if self.ending is not None:
                return "over"
            if self._players[self.actor] is not None and not self.may_branch:
                return "not your turn"
            if self.paused and not self.reviewing:
                return "paused"
        return "" if board.is_legal(move) else "forbidden"

    def place(self, move: Move) -> Refusal:
        """Place a stone; what is refused changes nothing."""
        refused = self.refusal(move)
        if refused:
            return refused
        if not self.free and self._players[self.actor] is not None:
            self.set_free(True)  # a line of one's own in a game of programs
        if self.free:
            self._put(PlayedMove(move))
            return ""
        self.paused = self.reviewing = False
        seconds = None if self.stage else self.clock.stop()
        self._put(PlayedMove(move, seconds=seconds))
        return ""

    def choose_colour(self, choice: Choice) -> None:
        """A person's choice in swap2: black, white, or two stones more."""
        if self.stage.startswith("choose") and self._players[self.actor] is None:
            self._choose(choice)

    def resign(self) -> None:
        """The person to move gives up, or the only person there is."""
        people = self.people
        if self.ending is not None or not people or self.stage:
            return
        side = self.tree.turn if self.tree.turn in people else people[0]
        self._finish(Ending.won_by(side.other, "resigned"))

    def forfeit(self) -> None:
        """Count a player's fault as a loss."""
        if self.fault is not None:
            side, fault = self.fault
            self.fault = None
            self._finish(Ending.won_by(side.other, fault.reason, str(fault)))

    def hurry(self) -> None:
        """Have our brain play what it has found."""
        if self.can_hurry and self._ask is not None:
            self._ask.hurry()

    def pause(self) -> None:
        """Stop the clocks; our brain stops thinking, a program's answer has to wait."""
        if self.paused or self.ending is not None or self.free:
            return
        self.paused = True
        self.clock.pause()
        player = self._players[self.actor]
        if player is not None and player.can_hurry:
            self._cancel()
        self.changed.emit()

    def resume(self) -> None:
        """Go on from the position shown."""
        self.paused = self.reviewing = False
        self.fault = None
        held, self._held = self._held, None
        self.changed.emit()
        if held is not None:
            self._put(held)
        elif self._ask is not None:
            self.clock.run(self.tree.turn)
        else:
            self._proceed()

    def set_free(self, free: bool) -> None:
        """Begin or end moving both sides by hand."""
        if free == self.free:
            return
        self._cancel()
        if free and self.in_progress:
            self._kept_nodes = 0
        elif free:
            self.keep()
        self.free = free
        self.stage = ""
        self.fault = None
        self.clock.stop()
        self.reviewing = False
        self.paused = not free and self.ending is None and any(self._players.values())
        self.changed.emit()
        self._proceed()

    # Moving through the tree

    def undo(self, single: bool = False) -> bool:
        """Take back: to the person's last move, or a single move."""
        return self._travel(lambda: self.tree.back(), single)

    def redo(self, single: bool = False) -> bool:
        """Play again what was taken back."""
        return self._travel(lambda: self.tree.forward(), single)

    def _travel(self, step: Step, single: bool) -> bool:
        if self.stage:
            return False
        self._cancel()
        gone = step()
        people = self.people
        while gone and not single and people and self.tree.turn not in people:
            if not step():
                break
        if not gone:
            self._proceed()
            return False
        self._stand(paused=bool(single or not people) and not self.waits_for_person)
        return True

    def look_at(self, node: Node) -> None:
        """Show a position of the tree; a game that runs is paused."""
        if node is self.tree.node or self.stage:
            return
        self._cancel()
        self.tree.go_to(node)
        self._stand(paused=not self.free, reviewing=True)

    def remove_line(self, node: Node) -> None:
        """Remove a variation."""
        self._cancel()
        self.tree.remove(node)
        self._stand(paused=not self.free, reviewing=True)

    def _stand(self, paused: bool, reviewing: bool = False) -> None:
        self.clock.stop()
        self.fault = None
        self.paused = paused and not self.free and self.ending is None
        self.reviewing = reviewing and self.paused
        self.changed.emit()
        self._proceed()

    # The course of the game

    def _proceed(self) -> None:
        """Have the next one act: start its clock, ask it."""
        if self.ending is not None or self.paused or self.free:
            self.clock.stop()
            self._timer.stop()
            return
        player = self._players[self.actor]
        if not self.stage and (player is not None or self.tree.ply):
            # A person's clock begins with the first move of the game.
            self.clock.run(self.tree.turn)
            self._timer.start()
        if player is None:
            if self.stage.startswith("choose"):
                self.choice_wanted.emit()
            return
        self._ask_player(player)

    def _ask_player(self, player: Player) -> None:
        ask, board, side = Ask(), self.tree.board, self.actor
        left = self.clock.match_left(self.tree.seconds(side), self.tree.moves_of(side))
        self._ask = ask
        opening = bool(self.stage)

        def work(task: BackgroundTask) -> object:
            with player.busy:  # with an answer that nobody waits for any more
                if ask.cancelled.is_set():
                    raise Cancelled
                if opening:
                    return player.swap2(board, ask)
                return player.choose(board, left, ask)

        task = BackgroundTask(work)
        if opening:
            task.done.connect(lambda stones: self._take_swap2(ask, stones))
        else:
            task.done.connect(lambda played: self._take(ask, played))
        task.failed.connect(lambda error: self._take_fault(ask, side, error))
        task.start()
        self.changed.emit()

    def _take(self, ask: Ask, played: PlayedMove) -> None:
        """A player's move."""
        if ask is not self._ask:
            return
        self._ask = None
        side = self.tree.turn
        left = self.left(side)
        played = replace(played, seconds=self.clock.stop())
        if left is not None and left < -self.terms.control.margin:
            detail = f"took {played.seconds or 0:.1f} s"
            self._finish(Ending.won_by(side.other, "time", detail))
        elif self.paused:
            self._held = played
            self.changed.emit()
        else:
            self._put(played)

    def _take_swap2(self, ask: Ask, stones: tuple[Move, ...] | None) -> None:
        if ask is not self._ask:
            return
        self._ask = None
        if self.stage == "place three":
            for stone in stones or ():
                self.tree.play(stone)
            self._next_stage("choose after three")
        elif stones is None:
            self._choose("black")
        elif len(stones) == 1:
            self._choose("white", stones[0])
        else:
            for stone in stones:
                self.tree.play(stone)
            self._next_stage("choose at five")

    def _take_fault(self, ask: Ask, side: Side, error: Exception) -> None:
        if ask is not self._ask:
            return
        self._ask = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, PlayerFault):
            error = PlayerFault("crash", f"{type(error).__name__}: {error}")
        self.fault = (side, error)
        self.clock.stop()
        self.paused = True
        self.changed.emit()
        self.faulty.emit(side, error)

    def _put(self, played: PlayedMove) -> None:
        """Place a stone and go on."""
        scale = scale_of(self.tree.board)
        node = self.tree.play(played)
        if not self.free:
            self.tree.reopen()  # it was resigned here, or lost on time: played anew
        if played.score is not None and node.parent is not None:
            worth = chance(played.score, played.win_in, scale)
            mover = self.tree.turn.other
            node.chance = worth if mover is Side.BLACK else 1 - worth
        self.moved.emit(node)
        if self.stage == "place three" and self.tree.ply == 3:
            self._next_stage("choose after three")
        elif self.stage == "place two" and self.tree.ply == 5:
            self._next_stage("choose at five")
        elif self.ending is not None:
            self._finish(self.ending)
        else:
            self.changed.emit()
            self._proceed()

    def _finish(self, ending: Ending) -> None:
        self._cancel()
        self.tree.end(ending)
        self.clock.stop()
        self._timer.stop()
        self.paused = self.reviewing = False
        self.fault = None
        self.changed.emit()
        self.over.emit(ending)

    def _next_stage(self, stage: Stage) -> None:
        self.stage = stage
        self.changed.emit()
        self._proceed()

    def _choose(self, choice: Choice, stone: Move | None = None) -> None:
        """Settle the colours: who chooses sits at `actor`."""
        chooser = self.actor
        if choice == "two":
            self._next_stage("place two")
            return
        if (choice == "black") is (chooser is Side.WHITE):
            self.seats = {s: self.seats[s.other] for s in Side}
            self._players = {s: self._players[s.other] for s in Side}
        self.tree.extra["swap2"] = f"{choice} was chosen after {self.tree.ply} stones"
        self.stage = ""
        self.changed.emit()
        if stone is not None:
            self._put(PlayedMove(stone))
        else:
            self._proceed()

    def _cancel(self) -> None:
        """Nobody waits for an answer any more."""
        ask, self._ask = self._ask, None
        self._held = None
        if ask is not None:
            ask.cancel()

    def _tick(self) -> None:
        side = self.tree.turn
        if self._players[side] is None and self.ending is None and not self.paused:
            left = self.left(side)
            if left is not None and left <= 0:
                self._finish(Ending.won_by(side.other, "time"))
        self.ticked.emit()
