"""Referee of one game between two engines: rules, clocks, and faults of the engines.

``play_game`` always returns a record. An engine that crashes, hangs, floods, or answers
late or illegally loses that game, and the record has the reason. Only Ctrl-C is passed
on, after the engines were killed.
"""

import os
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from gomoku_brain.client.brain import (
    Answer,
    Brain,
    BrainFault,
    EngineSpec,
    shorten,
)
from gomoku_brain.client.manager_lines import (
    LATE_SECONDS,
    PATIENCE,
    infos,
    is_refusal,
    question,
    read_moves,
    read_swap2,
    reason_of,
    time_left,
)
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.swap2_stages import Swap2
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.openings import Opening, position

__all__ = [
    "Adjudication",
    "BrainCache",
    "GameTask",
    "play_game",
]

_DETAIL = 300  # most characters of a detail
_WIN_RESULT = {Side.BLACK: "1-0", Side.WHITE: "0-1"}
_DRAW = "1/2-1/2"


@dataclass(frozen=True)
class Adjudication:
    """Rules by which a game ends early because both engines agree on its result.

    Scores are taken from the lines of play, each engine's in its own units; a forced
    result counts as more than any score. An engine that sends no scores never agrees.
    """

    win_score: int | None = None
    """Least score of one side for a win; the other side has at most its negative."""
    win_moves: int = 3
    """Number of moves in a row with which both sides must agree, for a win."""
    draw_score: int | None = None
    """Largest score for a draw, for either side."""
    draw_moves: int = 8
    """Number of moves in a row with which both sides must agree, for a draw."""
    draw_from: int = 40
    """Least number of stones on the board for a draw."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that would end every game, or none."""
        if self.win_score is not None and self.win_score < 1:
            raise ValueError(f"a win by a score of {self.win_score}: at least 1")
        if self.draw_score is not None and self.draw_score < 0:
            raise ValueError(f"a draw by a score of {self.draw_score}: at least 0")
        if min(self.win_moves, self.draw_moves) < 1 or self.draw_from < 0:
            raise ValueError("adjudication takes at least one move of both")


@dataclass(frozen=True)
class GameTask:
    """Complete description of one game; it can be pickled."""

    id: str
    rule: Rule
    size: int
    """Cells along a side, 5 to 22."""
    black: EngineSpec
    """Engine that plays black.

    With swap2 it is the engine that proposes; the record has the final colours.
    """
    white: EngineSpec
    black_limits: PlayerLimits = field(default_factory=PlayerLimits)
    white_limits: PlayerLimits = field(default_factory=PlayerLimits)
    opening: Opening | None = None
    """First stones; with swap2 there are none."""
    swap2: bool = False
    max_moves: int | None = None
    """Number of stones on the board at which the game is drawn."""
    adjudication: Adjudication | None = None
    patience: float = PATIENCE
    """Seconds without an answer after which an engine hangs, if it has neither a limit
    for a move nor one for the match."""
    extra: dict[str, str] = field(default_factory=dict, hash=False)
    """Entries that are added to the record."""


class BrainCache:
    """Engine processes of finished games, for later games of the same kind.

    It is thread-safe. As a context manager it ends with ``close``.
    """

    def __init__(self) -> None:
        """Create an empty cache."""
        self._idle: dict[object, list[Brain]] = defaultdict(list)
        self._lock = threading.Lock()

    def __enter__(self) -> "BrainCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, key: object) -> Brain | None:
        """Take a process that was stored under the key; None without one."""
        with self._lock:
            idle = self._idle[key]
            return idle.pop() if idle else None

    def give(self, key: object, brain: Brain) -> None:
        """Store a process that waits for its next game."""
        with self._lock:
            self._idle[key].append(brain)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            idle = [brain for brains in self._idle.values() for brain in brains]
            self._idle.clear()
        for brain in idle:
            brain.close()


def play_game(
    task: GameTask,
    brains: BrainCache | None = None,
    stop: threading.Event | None = None,
    on_move: Callable[[PlayedMove], None] | None = None,
    log: Callable[[str, str], None] | None = None,
    cpus: frozenset[int] | None = None,
) -> GameRecord:
    """Play a game to its end; no fault of an engine raises an exception.

    With ``brains``, processes are taken from there (by RESTART) and returned there. A
    set ``stop`` ends the game soon, with the result "*". ``on_move`` is called with
    each move of an engine. ``log`` is called with the name of an engine and a line of
    the conversation with it, from several threads. The engines run on the processors
    ``cpus``, if the system supports it. Raises ValueError if the opening cannot be
    played.
    """
    return _Game(task, brains, stop, on_move, log, cpus).play()


class _End(Exception):
    """Signal that the game is over."""

    def __init__(self, result: str, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.result = result
        self.reason = reason
        self.detail = detail


class _Player:
    """Engine in a game, with its process and its clock."""

    def __init__(self, task: GameTask, spec: EngineSpec, limits: PlayerLimits) -> None:
        self.spec = spec
        self.limits = limits
        self.left = limits.match
        """Seconds left of the match."""
        self.key = (spec, limits, task.rule, task.size)
        """The kind of games that its process may play."""
        self.brain: Brain | None = None
        self.knows_position = False
        """Whether TURN suffices to send it the position."""
        self.agreed_win = self.agreed_loss = self.agreed_draw = 0
        """Numbers of moves in a row with which it agreed to each result."""

    @property
    def limit(self) -> float | None:
        """Seconds for the next move.

        It is negative if the match clock has run into the margin: a match grants the
        margin once, not with every move.
        """
        return self.limits.seconds(self.left)


class _Game:
    def __init__(
        self,
        task: GameTask,
        brains: BrainCache | None,
        stop: threading.Event | None,
        on_move: Callable[[PlayedMove], None] | None,
        log: Callable[[str, str], None] | None,
        cpus: frozenset[int] | None,
    ) -> None:
        opening = task.opening or Opening(())
        if task.swap2 and opening.moves:
            raise ValueError("a game with swap2 begins on the empty board")
        self.task = task
        self.board = position(opening, task.size, task.rule)
        self.moves = [PlayedMove(move, by_opening=True) for move in opening.moves]
        self.players = {
            Side.BLACK: _Player(task, task.black, task.black_limits),
            Side.WHITE: _Player(task, task.white, task.white_limits),
        }
        self.extra = dict(task.extra)
        if opening.name:
            self.extra.setdefault("opening", opening.name)
        self._cache = brains
        self._stop = stop
        self._on_move = on_move
        self._log = log
        self._cpus = cpus
        self._broken: set[_Player] = set()  # players whose process must be killed

    def play(self) -> GameRecord:
        date = datetime.now().astimezone().isoformat(timespec="seconds")
        try:
            end = self._play()
            self._dismiss()
        except BaseException:
            for player in self.players.values():
                if player.brain is not None:
                    player.brain.kill()
            raise
        return GameRecord(
            rule=self.task.rule,
            width=self.board.width,
            height=self.board.height,
            black=self.players[Side.BLACK].spec.name,
            white=self.players[Side.WHITE].spec.name,
            moves=tuple(self.moves),
            result=end.result,
            reason=end.reason,
            detail=end.detail,
            date=date,
            id=self.task.id,
            extra=self.extra,
        )

    def _play(self) -> _End:
        try:
            for player in self.players.values():
                self._start(player)
            if self.task.swap2:
                self._swap2()
            while True:
                self._check_length()
                self._move()
        except _End as end:
            return end

    # Processes

    def _start(self, player: _Player) -> None:
        if self._stop is not None and self._stop.is_set():
            raise _End("*", "stopped")
        if not self._start_again(player):
            try:
                log = self._logger(player)
                player.brain = Brain(player.spec, log, cpus=self._cpus)
                size = self.task.size
                player.brain.start(size, size, stop=self._stop)
            except BrainFault as fault:
                raise self._lost_by(player, fault) from None
        assert player.brain is not None
        for key, value in (*infos(player.limits, self.task.rule), *player.spec.infos):
            player.brain.info(key, value)

    def _logger(self, player: _Player) -> Callable[[str], None]:
        """Log the lines of one engine under its name."""
        log, name = self._log, player.spec.name
        return (lambda line: None) if log is None else (lambda line: log(name, line))

    def _start_again(self, player: _Player) -> bool:
        """Take a process that played before, if one is there and ready."""
        key = (player.key, self._cpus)
        brain = self._cache.take(key) if self._cache is not None else None
        if brain is None:
            return False
        if self._log is not None:
            brain.log = self._logger(player)
        try:
            brain.restart(stop=self._stop)
        except BrainFault:
            brain.kill()  # not every engine supports RESTART
            return False
        player.brain = brain
        return True

    def _dismiss(self) -> None:
        """Store the processes for the next game, or end them."""
        for player in self.players.values():
            if player.brain is None:
                continue
            if player in self._broken:
                player.brain.kill()
            elif self._cache is not None:
                self._cache.give((player.key, self._cpus), player.brain)
            elif complaint := player.brain.close():
                self.extra["leaving"] = f"{player.spec.name} {complaint}"

    # Requests and answers

    def _request(self, player: _Player, *lines: str, refusable: bool = False) -> Answer:
        """Return an answer within the player's time, and charge the time.

        Raises _End if there is none.
        """
        brain, limit, margin = player.brain, player.limit, player.limits.margin
        assert brain is not None
        deadline = self.task.patience if limit is None else max(limit + margin, 0)
        try:
            answer = brain.query_moves(
                time_left(player.left),
                *lines,
                deadline=deadline,
                refusable=refusable,
                stop=self._stop,
            )
        except BrainFault as fault:
            if fault.kind == "timeout":
                raise self._late(player, lines[0]) from None
            raise self._lost_by(player, fault) from None
        if player.left is not None:
            player.left += player.limits.increment - answer.seconds
        return answer

    def _late(self, player: _Player, question: str) -> _End:
        """Return the end for a player without an answer in time."""
        assert player.brain is not None
        limit, patience = player.limit, self.task.patience
        if limit is not None:
            patience = limit + player.limits.margin + LATE_SECONDS
            try:
                answer = player.brain.wait(LATE_SECONDS)
            except BrainFault as fault:
                if fault.kind != "timeout":
                    return self._lost_by(player, fault)
            else:
                text = f"took {answer.seconds:.3f} s where it had {max(limit, 0):.3f} s"
                return self._lost(player, "time", text)
        self._broken.add(player)
        if stray := player.brain.stray_line:
            text = f"wrote {shorten(stray)} and no move within {patience:g} s"
            return self._lost(player, "garbage", text, player.brain.complaints)
        text = f"gave no answer to {question} within {patience:g} s"
        return self._lost(player, "hang", text, player.brain.last_words)

    def _lost_by(self, player: _Player, fault: BrainFault) -> _End:
        """Return the end of the game for a fault."""
        self._broken.add(player)
        if fault.kind == "stopped":
            return _End("*", "stopped")
        return self._lost(player, reason_of(fault), str(fault), fault.last_words)

    def _lost(
        self, player: _Player, reason: str, text: str, last_words: str = ""
    ) -> _End:
        side = Side.BLACK if player is self.players[Side.BLACK] else Side.WHITE
        detail = " | ".join([f"{player.spec.name} {text}", *last_words.splitlines()])
        if len(detail) > _DETAIL:
            detail = detail[: _DETAIL - 2] + ".."
        return _End(_WIN_RESULT[side.other], reason, detail)

    # Moves

    def _check_length(self) -> None:
        if self.board.is_full:
            raise _End(_DRAW, "full board")
        limit = self.task.max_moves
        if limit is not None and self.board.ply >= limit:
            raise _End(_DRAW, "max moves")

    def _move(self) -> None:
        """Let the side to move play; raises _End if that ends the game."""
        board, side = self.board, self.board.turn
        player = self.players[side]
        answer = self._request(player, *question(board, player.knows_position))
        player.knows_position = True
        move = self._read_moves(player, answer, 1)[0]
        foul = board.foul(move) if side is Side.BLACK else None
        wins = foul is None and board.wins_at(move)
        self._put(move, answer, foul or "")
        if foul is not None:
            raise self._lost(player, "foul", f"played {move}, a {foul}")
        if wins:
            raise _End(_WIN_RESULT[side], "five")
        self._adjudicate(side, answer)

    def _read_moves(self, player: _Player, answer: Answer, count: int) -> list[Move]:
        """Return ``count`` moves to empty cells from an answer; raises _End."""
        try:
            return read_moves(answer.text, self.board, count)
        except BrainFault as wrong:
            raise self._lost(player, wrong.kind, str(wrong)) from None

    def _put(self, move: Move, answer: Answer, comment: str = "") -> None:
        """Place a stone that an engine chose, and record it."""
        self.board.play(move)
        played = PlayedMove(
            move,
            seconds=answer.seconds if answer.text else None,
            score=answer.score,
            win_in=answer.win_in,
            depth=answer.depth,
            nodes=answer.nodes,
            comment=comment,
        )
        self.moves.append(played)
        if self._on_move is not None:
            self._on_move(played)

    def _adjudicate(self, side: Side, answer: Answer) -> None:
        """End the game if both sides have agreed on its result for long enough."""
        rules = self.task.adjudication
        if rules is None:
            return
        player, opponent = self.players[side], self.players[side.other]
        score = answer.score
        if answer.win_in is not None:
            score = 1 << 60 if answer.win_in > 0 else -(1 << 60)
        win = rules.win_score if score is not None else None
        draw = rules.draw_score if score is not None else None
        score = score or 0
        player.agreed_win = player.agreed_win + 1 if win and score >= win else 0
        player.agreed_loss = player.agreed_loss + 1 if win and score <= -win else 0
        even = draw is not None and abs(score) <= draw
        late = self.board.ply >= rules.draw_from
        player.agreed_draw = player.agreed_draw + 1 if even and late else 0
        for winner, loser in ((side, side.other), (side.other, side)):
            agreed = self.players[winner].agreed_win, self.players[loser].agreed_loss
            if min(agreed) >= rules.win_moves:
                raise _End(_WIN_RESULT[winner], "adjudicated")
        if min(player.agreed_draw, opponent.agreed_draw) >= rules.draw_moves:
            raise _End(_DRAW, "adjudicated")

    # Swap2

    def _swap2(self) -> None:
        """Let the players place the first stones and choose their colours."""
        proposer, other = self.players[Side.BLACK], self.players[Side.WHITE]
        opening = Swap2()
        while not opening.is_decided:
            player = proposer if opening.proposer_acts else other
            answer = self._request_swap2(player)
            try:
                stones = read_swap2(answer.text, self.board, opening.counts)
            except BrainFault as wrong:
                raise self._lost(player, wrong.kind, str(wrong)) from None
            for number, move in enumerate(stones, 1):
                comment = f"swap2: placed by {player.spec.name}"
                is_last = number == len(stones)
                self._put(move, answer if is_last else Answer(), comment)
            opening.take(len(stones))
        self.extra["swap2"] = f"{proposer.spec.name} proposed; {opening.choice}"
        if not opening.proposer_is_black:
            self.players = {Side.BLACK: other, Side.WHITE: proposer}

    def _request_swap2(self, player: _Player) -> Answer:
        rows = [f"{x},{y}" for x, y in self.board.moves]
        answer = self._request(player, "SWAP2BOARD", *rows, "DONE", refusable=True)
        if is_refusal(answer):
            text = f"does not play swap2: it answered {shorten(answer.text)}"
            raise self._lost(player, "refused", text)
        return answer


def needed_processors(specs: Sequence[EngineSpec]) -> int:
    """Return the processors that a game between any two of these engines needs.

    Engines think in turn, so it is the greatest INFO thread_num among them, at least 1.
    """
    threads = [
        int(value)
        for spec in specs
        for key, value in spec.infos
        if key.lower() == "thread_num" and value.isdecimal()
    ]
    return max([1, *threads])


class ProcessorSets:
    """The processors of this process, in sets of one size.

    Raises ValueError if there are too few, or if the system cannot bind processes.
    """

    def __init__(self, games: int, size: int) -> None:
        """Take ``games`` sets of ``size`` processors each."""
        if not hasattr(os, "sched_getaffinity"):
            raise ValueError("--affinity needs Linux")
        allowed = sorted(os.sched_getaffinity(0))
        if games * size > len(allowed):
            raise ValueError(
                f"--affinity: {games} games at once with {size} processors each need"
                f" {games * size}, and {len(allowed)} are available"
            )
        self._free: queue.SimpleQueue[frozenset[int]] = queue.SimpleQueue()
        for k in range(games):
            self._free.put(frozenset(allowed[k * size : (k + 1) * size]))

    @contextmanager
    def one(self) -> Iterator[frozenset[int]]:
        """Take a free set for the duration of the block; wait if none is free."""
        cpus = self._free.get()
        try:
            yield cpus
        finally:
            self._free.put(cpus)
