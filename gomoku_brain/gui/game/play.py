"""A game in progress: turns, players, clocks, pauses and failures.

``Play`` contains the tree and the players and reports events by signals. It uses no
widget. Players think in threads. Answers to cancelled requests are ignored.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal, cast

from PySide6.QtCore import QObject, QTimer, Signal

from gomoku_brain.eval.chance import chance, scale_of
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.game.swap2_stages import Stage, Swap2
from gomoku_brain.gui.base.background import BackgroundTask, LineBuffer
from gomoku_brain.gui.model.clock import GameClock
from gomoku_brain.gui.model.game_players import (
    Cancelled,
    GameConfig,
    PlayerConfig,
    PlayerFault,
    PlayerRequest,
    Refusal,
    SeatPlayer,
    make_player,
)
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import OURS
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import PlayedMove
from gomoku_brain.study.known_proofs import KnownProofs

__all__ = ["Play"]

Choice = Literal["black", "white", "two"]

Step = Callable[[], int]

TICK_MS = 100


class Play(QObject):
    """Game on the board, with its players and its clock."""

    changed = Signal()
    """The position, the turn or the state has changed."""
    moved = Signal(object)
    """A stone was placed. The argument is its node."""
    over = Signal(object)
    """The game has ended. The argument is its ``Ending``."""
    faulty = Signal(object, object)
    """A player failed and the game is paused. The arguments are its side and the
    ``PlayerFault``."""
    choice_wanted = Signal()
    """A person must choose a colour (swap2)."""
    colours_chosen = Signal(object)
    """Swap2 has ended. The argument is the side that the chooser took."""
    ticked = Signal()
    """The clocks may show other times."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Create a game of two people on an empty board."""
        super().__init__(parent)
        self.log = LineBuffer()
        """Protocol lines of all engines."""
        self.tree = GameTree()
        self.config = GameConfig()
        self.slots = {Side.BLACK: PlayerConfig(), Side.WHITE: PlayerConfig()}
        """Players of both sides. Until swap2 has decided the colours, black is the
        proposer."""
        self.proofs = KnownProofs()
        """The proofs that our brain plays from and the board shows."""
        self.opening: Swap2 | None = None
        """The swap2 opening until its end; None without one."""
        self.paused = False
        self.reviewing = False
        """Whether the game is paused because an earlier position is shown."""
        self.free = False
        """Whether both sides are moved by hand, without clocks and players."""
        self.fault: tuple[Side, PlayerFault] | None = None
        self.ended: Ending | None = None
        """The end of the game that was played here, until another one begins."""
        self.clock = GameClock(self.config.control)
        self._players: dict[Side, SeatPlayer | None] = {
            Side.BLACK: None,
            Side.WHITE: None,
        }
        self._request: PlayerRequest | None = None
        self._interrupted: GameNode | None = None  # where a game waits for its study
        self._rests = False  # whether a person's clock waits for the next stone
        self._blocked = False  # whether a dialog blocks the window
        self._held: PlayedMove | None = None  # an answer that arrived during a pause
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    # Start and end

    def start(self, config: GameConfig, start: Game | None = None) -> None:
        """Start a game.

        Raises:
            ValueError: The game cannot be started. The old game continues.
        """
        game = Game() if start is None else start
        game.properties.setdefault("AP", [f"{OURS}:1"])
        self._take_over(config, GameTree(game))

    def restore(self, config: GameConfig, tree: GameTree, free: bool = False) -> None:
        """Continue a stored game. It is paused if an engine plays in it.

        In a game of people, the clock starts with the next stone. ``free``: show it on
        the study board, which can be left for the game.

        Raises:
            ValueError: The command of a program is invalid.
        """
        self._take_over(config, tree, paused=not free, free=free)

    def study(self, tree: GameTree) -> None:
        """Show a game on the study board, where both sides are moved by hand."""
        black, white = (PlayerConfig(name=tree.name(side)) for side in Side)
        self._take_over(GameConfig(black, white), tree, free=True)

    def _take_over(
        self,
        config: GameConfig,
        tree: GameTree,
        paused: bool = False,
        free: bool = False,
    ) -> None:
        slots = {Side.BLACK: config.black, Side.WHITE: config.white}
        players = {side: self._make(slot, config) for side, slot in slots.items()}
        self._cancel()
        self._keep_seconds()
        self._dismiss(*Side)
        self.config, self.tree, self.slots, self._players = config, tree, slots, players
        self.clock = GameClock(config.control)
        empty = not tree.game.is_set_up and not tree.game.variations
        self.opening = Swap2() if config.swap2 and empty else None
        self.free, self.reviewing, self.ended = free, False, None
        self.paused = paused and self.ending is None and any(self._players.values())
        self._rests = paused
        self.fault = None
        if paused and self.is_looking_back:
            self.paused = self.reviewing = True
        if not free and not tree.game.date:
            tree.set_date(_now())
        self.changed.emit()
        self._proceed()

    def set_player(self, side: Side, slot: PlayerConfig) -> None:
        """Replace the player of a side.

        Raises:
            ValueError: The command of a program is invalid.
        """
        player = self._make(slot, self.config)
        self._cancel()
        self._dismiss(side)
        self.slots[side], self._players[side] = slot, player
        self.fault = None
        self.changed.emit()
        self._proceed()

    def close(self) -> None:
        """End the game and stop its players."""
        self._cancel()
        self._timer.stop()
        self._keep_seconds()
        self._dismiss(*Side)

    def _make(self, slot: PlayerConfig, config: GameConfig) -> SeatPlayer | None:
        name = slot.name or "brain"
        return make_player(
            slot,
            config.control,
            name=name,
            threads=config.threads,
            hash_mb=config.hash_mb,
            log=self.log.writer(name),
            books=self.proofs.book_of,
        )

    def _dismiss(self, *sides: Side) -> None:
        """Close players in a thread, because a process may take a second to exit."""
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

    # State

    @property
    def ending(self) -> Ending | None:
        """The end of the game in the position shown; None if it is not over."""
        return self.tree.ending

    @property
    def is_copy(self) -> bool:
        """Whether changes are those of a study, which can be undone: on the study
        board, and in a game that is over.
        """
        return self.free or self.tree.is_over

    @property
    def in_progress(self) -> bool:
        """Whether leaving would lose something.

        That is a game that is not over, or unsaved changes of a copy.
        """
        if self.is_copy:
            return self.tree.is_unsaved or self.is_interrupted
        return bool(self.tree.game.variations)

    @property
    def is_interrupted(self) -> bool:
        """Whether the study board shows a running game, which goes on after it."""
        node = self._interrupted
        return node is not None and node.path()[0] is self.tree.game

    @property
    def stage(self) -> Stage | Literal[""]:
        """Stage of swap2; "" without swap2 or after its end."""
        return "" if self.opening is None else self.opening.stage

    @property
    def actor(self) -> Side:
        """The side whose player must act. In swap2, black is the proposer."""
        if self.opening is not None:
            return Side.BLACK if self.opening.proposer_acts else Side.WHITE
        return self.tree.turn

    @property
    def waits_for_person(self) -> bool:
        """Whether a person must place a stone or choose a colour."""
        if self.ending is not None:
            return False
        return self.free or self._players[self.actor] is None

    @property
    def thinking(self) -> Side | None:
        """The side whose player is thinking; None if none is."""
        return self.actor if self._request is not None else None

    @property
    def can_move_now(self) -> bool:
        """Whether ``move_now`` has an effect: a player that supports it is thinking."""
        player = self._players[self.actor]
        return self._request is not None and player is not None and player.can_move_now

    @property
    def is_looking_back(self) -> bool:
        """Whether an earlier position of a finished game is shown."""
        return self.ending is None and self.tree.is_over

    @property
    def may_branch(self) -> bool:
        """Whether a person may start a line on the study board at an engine's turn.

        This is so if an earlier position is shown and no player is thinking.
        """
        return self.reviewing and self._request is None

    @property
    def people(self) -> list[Side]:
        """The sides that people play."""
        return [side for side in Side if self._players[side] is None]

    def used(self, side: Side) -> float:
        """Return the seconds that a side has used, including the current move."""
        used = self.tree.seconds(side)
        return used + self.clock.elapsed if self._runs_for(side) else used

    def left(self, side: Side) -> float | None:
        """Return the seconds that a side has left; None = no limit for this side."""
        if self._players[side] is None and not self.config.people_too:
            return None
        ending = self.ending
        if ending is not None and ending.reason == "time" and ending.winner is not side:
            return 0.0  # the seconds of the last move are in no move of the tree
        left = self.clock.left(self.tree.seconds(side), self.tree.moves_of(side))
        if left is not None and self._runs_for(side):
            left -= self.clock.elapsed
        return left

    def _runs_for(self, side: Side) -> bool:
        return side is self.tree.turn and self.ending is None and not self.free

    # Actions of a person

    def refusal(self, move: Move) -> Refusal:
        """Return the reason why a person cannot place a stone there; "" if they can."""
        board = self.tree.board
        if self.ending is not None and self.ending.is_final:
            return "over"
        if not board.is_empty(move):
            return "occupied"
        if self.opening is not None and self.opening.is_choice:
            return "choose first"
        if not self.free:
            if self.ending is not None:
                return "over"
            if not self.tree.is_over:
                if self._players[self.actor] is not None and not self.may_branch:
                    return "not your turn"
                if self.paused and not self.reviewing:
                    return "paused"
        if board.is_legal(move) or (self.config.foul_loses and not self.free):
            return ""
        return "forbidden"

    def place(self, move: Move) -> Refusal:
        """Place a stone. Return the reason for a refusal, or ""."""
        refused = self.refusal(move)
        if refused:
            return refused
        if self.tree.is_over or self._players[self.actor] is not None:
            self.set_free(True)  # a variation of the user
        if self.free:
            self._put(PlayedMove(move))
            return ""
        self.paused = self.reviewing = False
        seconds = None if self.stage else self.clock.stop()
        self._put(PlayedMove(move, seconds=seconds))
        return ""

    def choose_colour(self, choice: Choice) -> None:
        """Choose black, white or two more stones in swap2, for a person."""
        opening = self.opening
        if opening is None or not opening.is_choice or self._players[self.actor]:
            return
        if choice == "two":
            opening.offer_two()
            self.changed.emit()
            self._proceed()
        else:
            opening.choose(black=choice == "black")
            self._decide_colours()

    def resign(self) -> None:
        """Resign for the person to move, or for the only person.

        The end of the game is resigned, also if an earlier position is shown.
        """
        people = self.people
        if self.ending is not None or not people or self.stage or self.is_looking_back:
            return
        if self.reviewing:
            self._cancel()
            self._keep_seconds()
            self.tree.go_to(self.tree.end_of_line)
        side = self.tree.turn if self.tree.turn in people else people[0]
        self._finish(Ending.won_by(side.other, "resigned"))

    def forfeit(self) -> None:
        """Count the failure of a player as a loss."""
        if self.fault is not None:
            side, fault = self.fault
            self.fault = None
            self._finish(Ending.won_by(side.other, fault.reason, str(fault)))

    def move_now(self) -> None:
        """Let our brain play the best move that it has found so far."""
        if self.can_move_now and self._request is not None:
            self._request.move_now()

    def pause(self) -> None:
        """Stop the clocks. Our brain stops thinking; a program's answer waits."""
        if self.paused or self.ending is not None or self.free:
            return
        self.paused = True
        self.clock.pause()
        player = self._players[self.actor]
        if player is not None and player.can_move_now:
            self._cancel()
            self.clock.stop()  # its next search has the whole time again
        self.changed.emit()

    def resume(self) -> None:
        """Continue from the position shown."""
        if self.is_copy:
            return
        self.paused = self.reviewing = self._rests = False
        self.fault = None
        held, self._held = self._held, None
        self.changed.emit()
        if held is not None:
            self._put(held)
        elif self._request is not None:
            self.clock.run(self.tree.turn)
        else:
            self._proceed()

    def set_free(self, free: bool) -> None:
        """Start or end the study board, where both sides are moved by hand.

        A game that was interrupted continues where it was.
        """
        if free == self.free:
            return
        self._cancel()
        self._keep_seconds()
        if not free and self.is_interrupted:
            self.tree.go_to(cast(GameNode, self._interrupted))
        last = self.tree.end_of_line if self.reviewing else self.tree.node
        self._interrupted = None
        if free and not self.is_copy:
            self._interrupted = last if self.in_progress else None
            self.tree.freeze()
        self.free = free
        self.opening = None
        self.fault = None
        self.reviewing = False
        self.paused = not free and self.ending is None and any(self._players.values())
        self.changed.emit()
        self._proceed()

    # Navigation in the tree

    def undo(self, single: bool = False) -> bool:
        """Take back to the last move of a person, or a single move; in a copy, take
        back the last change.
        """
        if self.is_copy:
            return self._swap_step(self.tree.undo)
        return self._travel(lambda: self.tree.back(), single)

    def redo(self, single: bool = False) -> bool:
        """Replay what was taken back."""
        if self.is_copy:
            return self._swap_step(self.tree.redo)
        return self._travel(lambda: self.tree.forward(), single)

    def _swap_step(self, swap: Callable[[], bool]) -> bool:
        self._cancel()
        done = swap()
        self._stand(paused=not self.free, reviewing=True)
        return done

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

    def look_at(self, node: GameNode) -> None:
        """Show a position of the tree. A running game is paused."""
        if node is self.tree.node or self.stage:
            return
        self._cancel()
        self._keep_seconds()
        self.tree.go_to(node)
        self._stand(paused=not self.free, reviewing=True)

    def remove(self, node: GameNode) -> None:
        """Remove a move of a copy, with all that follows, on the study board."""
        self.set_free(True)  # without its end the game must not go on
        self.tree.remove(node)
        self._stand(paused=False)

    def promote(self, node: GameNode) -> None:
        """Make the line through a move of a copy the main line, on the study board."""
        self.set_free(True)
        self.tree.promote(node)
        self._stand(paused=False)

    def _keep_seconds(self) -> None:
        """Stop the clock before the move is played; note a person's seconds."""
        node, seconds = self.tree.node, self.clock.stop()
        if seconds and self._players[self.tree.turn] is None:
            kept = self.tree.unplayed_seconds
            kept[node] = kept.get(node, 0.0) + seconds

    def _stand(self, paused: bool, reviewing: bool = False) -> None:
        self.clock.stop()
        self.fault = None
        self.paused = paused and not self.free and self.ending is None
        self.reviewing = reviewing and self.paused
        self.changed.emit()
        self._proceed()

    # Course of the game

    def _proceed(self) -> None:
        """Start the next player: run its clock and request its move."""
        if self.is_copy or self.paused:
            self.clock.stop()
            self._timer.stop()
            return
        player = self._players[self.actor]
        if not self.stage and (player is not None or self._may_time_person):
            kept = self.tree.unplayed_seconds.pop(self.tree.node, 0.0)
            self.clock.run(self.tree.turn, kept)
            self._timer.start()
        if player is None:
            if self.opening is not None and self.opening.is_choice:
                self.choice_wanted.emit()
            return
        self._request_move(player)

    @property
    def _may_time_person(self) -> bool:
        """Whether the clock of a person runs.

        It starts with the first move of the game, or with the next one of a restored
        game, and stops while a dialog blocks the window.
        """
        return bool(self.tree.ply) and not self._rests and not self._blocked

    def set_blocked(self, blocked: bool) -> None:
        """Stop or continue the clock of a person, because of a modal dialog."""
        self._blocked = blocked
        if not self.waits_for_person or self.paused or self.free:
            return
        if blocked:
            self.clock.pause()
        elif not self.stage and self._may_time_person:
            self.clock.run(self.tree.turn)

    def _request_move(self, player: SeatPlayer) -> None:
        request, board, side = PlayerRequest(), self.tree.board, self.actor
        left = self.clock.match_left(self.tree.seconds(side), self.tree.moves_of(side))
        self._request = request
        counts = None if self.opening is None else self.opening.counts

        def work(task: BackgroundTask) -> object:
            with player.busy:  # an earlier, cancelled request may still run
                if request.cancelled.is_set():
                    raise Cancelled
                if counts is not None:
                    return player.swap2(board, counts, request)
                return player.choose(board, left, request)

        task = BackgroundTask(work)
        if counts is not None:
            task.done.connect(lambda stones: self._take_swap2(request, stones))
        else:
            task.done.connect(lambda played: self._take(request, played))
        task.failed.connect(lambda error: self._take_fault(request, side, error))
        task.start()
        self.changed.emit()

    def _take(self, request: PlayerRequest, played: PlayedMove) -> None:
        """Process a player's move."""
        if request is not self._request:
            return
        self._request = None
        side = self.tree.turn
        left = self.left(side)
        played = replace(played, seconds=self.clock.stop())
        if left is not None and left < -self.config.control.margin:
            detail = f"took {played.seconds or 0:.1f} s"
            self._finish(Ending.won_by(side.other, "time", detail))
        elif self.paused:
            self._held = played
            self.changed.emit()
        else:
            self._put(played)

    def _take_swap2(self, request: PlayerRequest, stones: tuple[Move, ...]) -> None:
        opening = self.opening
        if request is not self._request or opening is None:
            return
        self._request = None
        opening.take(len(stones))
        if opening.is_decided:
            self._decide_colours(*stones)
            return
        for stone in stones:
            self.tree.play(stone)
        self.changed.emit()
        self._proceed()

    def _take_fault(self, request: PlayerRequest, side: Side, error: Exception) -> None:
        if request is not self._request:
            return
        self._request = None
        if isinstance(error, Cancelled):
            return
        if not isinstance(error, PlayerFault):
            error = PlayerFault("crash", f"{type(error).__name__}: {error}")
        self.fault = (side, error)
        write = self.log.writer(self.slots[side].name or "brain")
        for line in (str(error), *error.last_words.splitlines()):
            write(f"! {line}")
        self.clock.stop()
        self.paused = True
        self.changed.emit()
        self.faulty.emit(side, error)

    def _put(self, played: PlayedMove) -> None:
        """Place a stone and continue the game."""
        scale = scale_of(self.tree.board)
        self._rests = False
        node = self.tree.play(played, is_main=not self.free)
        if played.score is not None and node.parent is not None:
            worth = chance(played.score, played.win_in, scale)
            mover = self.tree.turn.other
            self.tree.chances[node] = worth if mover is Side.BLACK else 1 - worth
        self.moved.emit(node)
        if self.opening is not None:
            self.opening.place()
        if self.ending is not None:
            self._finish(self.ending)
        else:
            self.changed.emit()
            self._proceed()

    def _finish(self, ending: Ending) -> None:
        self._cancel()
        self._keep_seconds()
        self.tree.end(ending)
        if not self.free:
            self.ended = ending
            self.tree.freeze()
        self._timer.stop()
        self.paused = self.reviewing = False
        self.fault = None
        self.changed.emit()
        self.over.emit(ending)

    def _decide_colours(self, *stones: Move) -> None:
        """End swap2: the players take their colours, and stones of white are played."""
        opening, self.opening = self.opening, None
        assert opening is not None
        name = self.slots[Side.BLACK].name
        choice = opening.choice
        self.tree.set_fact("swap2", f"{name} proposed; {choice}" if name else choice)
        if not opening.proposer_is_black:
            self.slots = {s: self.slots[s.other] for s in Side}
            self._players = {s: self._players[s.other] for s in Side}
        self.changed.emit()
        chooser = Side.WHITE if opening.proposer_is_black else Side.BLACK
        self.colours_chosen.emit(chooser)
        for stone in stones:
            self._put(PlayedMove(stone))
        if not stones:
            self._proceed()

    def _cancel(self) -> None:
        """Cancel the current request. Its answer is ignored."""
        request, self._request = self._request, None
        self._held = None
        if request is not None:
            request.cancel()

    def _tick(self) -> None:
        side = self.tree.turn
        if self._players[side] is None and self.ending is None and not self.paused:
            left = self.left(side)
            if left is not None and left <= 0:
                self._finish(Ending.won_by(side.other, "time"))
        self.ticked.emit()


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
