"""``serve``: a Python function becomes a program that speaks the Gomocup protocol.

>>> from gomoku_brain import serve
>>> serve(lambda board, clock: board.legal_moves()[0])
"""

import contextlib
import io
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal

from gomoku_brain.control.limits import Limits
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move, as_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.swap2_stages import counts_after
from gomoku_brain.player.play_settings import NoLog
from gomoku_brain.player.player import Choice, Player
from gomoku_brain.player.thought import Thought, ThoughtContext
from gomoku_brain.protocol import commands, stdio
from gomoku_brain.protocol.options import Options
from gomoku_brain.protocol.session import Session

__all__ = ["BotPlayer", "Choose", "Clock", "Swap2", "serve"]

AnyMove = Move | tuple[int, int] | str
"""A move in any form that ``Board`` takes."""


class Clock:
    """Limits of one move, and the time used so far.

    ``turn`` and ``left`` are seconds for this move and for the rest of the game,
    ``increment`` seconds that the game clock gains with each move; ``nodes`` and
    ``depth`` limits of a search; ``memory`` bytes. None means that there is no limit.
    The manager may change the limits during the move.
    """

    def __init__(
        self, options: Options, left: Callable[[], float | None], started: float
    ) -> None:
        """Create the clock of a move, which runs since ``started``.

        ``left`` returns the seconds left for the match.
        """
        self._options, self._left = options, left
        self._stopped = threading.Event()
        self.started = started
        """The start of the clock, in seconds of ``time.perf_counter``."""
        self.set_deadline(None)

    def set_deadline(self, time: float | None, target: float | None = None) -> None:
        """Set the ends of the time and of the budget, in seconds as ``started``."""
        options, self.left = self._options, self._left()
        self.turn, self.increment = options.turn, options.increment
        self.nodes, self.depth = options.nodes, options.depth
        self.memory = options.max_memory or None
        self.time = None if time is None else time - self.started
        """Seconds that the move may take at most, with a reserve; None = no limit."""
        self.budget = None if target is None else target - self.started
        """Seconds that a good player uses for this move; None = no limit."""

    @property
    def used(self) -> float:
        """Seconds since the start of the move."""
        return time.perf_counter() - self.started

    @property
    def is_stopped(self) -> bool:
        """Whether the manager wants the move at once, or ends the program."""
        return self._stopped.is_set()

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up or the manager stops the search."""
        return self.is_stopped or (self.budget is not None and self.used >= self.budget)

    def limits(self) -> Limits:
        """Return the same limits for a search by ``Engine``."""
        return Limits(
            time=self.time,
            target=self.budget,
            nodes=self.nodes,
            depth=self.depth,
            started=self.started,
        )

    def stop(self) -> None:
        """Stop the search for the move; from any thread."""
        self._stopped.set()


Choose = Callable[[Board, Clock], AnyMove]
"""Function of a bot: it returns a move for the side to move."""
Swap2 = Callable[[Board], "Iterable[AnyMove] | Literal['swap']"]
"""Function of a bot for swap2, called with 0, 3 or 5 stones on the board. It returns
the stones to place, or "swap" for the other colour."""


class BotPlayer(Player):
    """Player of a ``Session`` whose moves come from the functions of a bot."""

    def __init__(
        self,
        choose: Choose,
        swap2: Swap2 | None,
        options: Options,
        clock: Callable[[], float],
    ) -> None:
        """Create a player with the options and the clock of its session."""
        super().__init__(options, clock=clock)
        self._choose, self._place, self._options = choose, swap2, options
        self.plays_swap2 = swap2 is not None

    def prepare(self, rule: Rule) -> None:
        """Load no engine."""

    def log_error(self, error: BaseException) -> None:
        """Raise it: an error of a bot ends the conversation."""
        raise error

    def think(self, board: Board, arrival: float, *, share: float = 1.0) -> Thought:
        """Start the clock of a move."""
        self._move_clock = Clock(self._options, lambda: self.match.left, arrival)
        return super().think(board, arrival)

    think_of_swap2 = think

    def _context(self) -> ThoughtContext:
        clock: Any = self._move_clock  # it takes the place of the search's control
        no: Any = None
        return ThoughtContext(
            *(no, lambda: clock, self._options, self.match, no, NoLog()),
            *(self._clock, self.log_error),
        )

    def first_stone(self, board: Board, excluded: tuple[Move, ...] = ()) -> Move | None:
        """Leave the first stone to the bot."""
        return None

    def choose_move(
        self,
        board: Board,
        thought: Thought,
        *,
        multipv: int = 1,
        excluded: tuple[Move, ...] = (),
    ) -> Choice:
        """Return the move of the bot. Raises ValueError for an occupied cell."""
        move = as_move(self._choose(board.copy(), self._move_clock))
        if not board.is_empty(move):
            raise ValueError(f"the bot chose {move}, which is no empty cell")
        return Choice(move, None)

    def swap2(
        self, board: Board, thought: Thought, excluded: tuple[Move, ...] = ()
    ) -> tuple[Move, ...]:
        """Return the stones that the bot adds in swap2, none for the other colour."""
        assert self._place is not None
        answer = self._place(board.copy())
        swaps = isinstance(answer, str) and answer.upper() == "SWAP"
        moves = () if swaps else tuple([as_move(move) for move in answer])
        if len(moves) not in counts_after(board.ply) or swaps is bool(moves):
            raise ValueError(f"the bot placed {len(moves)} stones on {board.ply}")
        if len(set(moves)) != len(moves) or not all(map(board.is_empty, moves)):
            raise ValueError(f"the bot placed {moves}: not all are empty cells")
        return moves

    def balance(
        self, board: Board, thought: Thought, count: int, bias: int
    ) -> tuple[Move, ...]:
        """Know no even position."""
        return ()


class _Messages(io.TextIOBase):
    """Text stream that sends each printed line as MESSAGE."""

    def __init__(self, emit: Callable[[str], None]) -> None:
        super().__init__()
        self._emit = emit
        self._rest = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            if line.strip():
                self._emit(f"MESSAGE {shown(line)}")
        return len(text)


def serve(
    choose: Choose,
    *,
    name: str = "",
    version: str = "1.0",
    author: str = "",
    swap2: Swap2 | None = None,
) -> None:
    """Speak the Gomocup protocol on standard input and output until END.

    ``choose(board, clock)`` returns the move of the side to move, as a ``Move``, (x, y)
    or text. The board is a copy. ``clock`` has the limits (see ``Clock``). What the
    function prints becomes MESSAGE lines, which managers show and never take as a move.
    An error in the function, and an occupied cell as its answer, end the program with
    a traceback on standard error; the game is then lost.

    ``name``, ``version`` and ``author`` are shown by managers; the name is by default
    that of the program's file. ``swap2(board)`` answers SWAP2BOARD; without it the bot
    does not play swap2. Raises TypeError if ``choose`` or ``swap2`` is no function.
    """
    if not callable(choose):
        raise TypeError(f"choose is a function of board and clock, not {choose!r}")
    if not (swap2 is None or callable(swap2)):
        raise TypeError(f"swap2 is a function of the board, not {swap2!r}")
    name = name or Path(sys.argv[0]).stem or "bot"
    fields = {"name": name, "version": version, "author": author or "unknown"}
    about = ", ".join(
        [f'{key}="{value.replace(chr(34), "")}"' for key, value in fields.items()]
    )
    log, lock = stdio.Log(), threading.Lock()

    def emit(line: str) -> None:
        with lock:  # the bot may print in a thread of its own
            stdio.emit(line, log)

    player = partial(BotPlayer, choose, swap2)
    session = Session(emit=emit, log=log.write, player=player, about=about)
    with contextlib.redirect_stdout(_Messages(emit)):
        try:
            stdio.converse(session, log)
        except Exception as error:
            text = shown(f"{type(error).__name__}: {error}", 200)
            emit(commands.error_reply(text))
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)  # the reader may wait for ever
