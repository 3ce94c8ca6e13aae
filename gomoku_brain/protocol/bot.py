"""``serve``: a Python function becomes a program that speaks the Gomocup protocol.

>>> from gomoku_brain import serve
>>> serve(lambda board, clock: board.legal_moves()[0])
"""

import contextlib
import io
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.time_manager import UNLIMITED_MS, allot, moves_left
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move, as_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import SIDE_LENGTHS
from gomoku_brain.protocol import blocks, commands
from gomoku_brain.protocol.blocks import Block
from gomoku_brain.protocol.commands import Command
from gomoku_brain.protocol.options import Options
from gomoku_brain.protocol.stdio import LineSplitter, is_broken

__all__ = ["Choose", "Clock", "Swap2", "serve"]

_STDIN, _STDOUT = 0, 1
_CHUNK = 1 << 16
_END_GRACE = 0.4  # seconds; managers kill half a second after END
_WATCH = 0.25  # seconds between two checks of the output after the end of input

AnyMove = Move | tuple[int, int] | str
"""A move in any form that ``Board`` takes."""


class Clock:
    """Limits of one move, and the time used so far.

    ``turn`` and ``left`` are seconds for this move and for the rest of the game,
    ``increment`` seconds that the game clock gains with each move; ``nodes`` and
    ``depth`` limits of a search; ``memory`` bytes. None means that there is no limit.
    """

    def __init__(self, board: Board, options: Options, started: float) -> None:
        """Take the limits from the INFO keys; the clock runs since ``started``."""
        turn, left = options.turn_limit, options.time_left
        if left is None and options.timeout_match:
            left = options.timeout_match
        if left is not None and left >= UNLIMITED_MS:
            left = None
        self.turn = None if turn is None else turn / 1000
        self.left = None if left is None else left / 1000
        self.increment = options.time_increment / 1000
        self.nodes = options.nodes
        self.depth = options.depth
        self.memory = options.max_memory or None
        self.started = started
        """The start of the clock, in seconds of ``time.perf_counter``."""
        budget = allot(
            turn,
            left,
            increment=options.time_increment,
            moves=moves_left(board.width * board.height, board.ply),
        )
        self.time = budget.time
        """Seconds that the move may take at most, with a reserve; None = no limit."""
        self.budget = budget.target
        """Seconds that a good player uses for this move; None = no limit."""
        self._stopped = threading.Event()

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


class Bot:
    """Protocol of one bot: input lines go in, answers go to ``emit``."""

    def __init__(
        self,
        choose: Choose,
        emit: Callable[[str], None],
        *,
        swap2: Swap2 | None = None,
        about: str = "",
    ) -> None:
        """Start without a game. ``about`` is the answer to ABOUT."""
        self.options = Options()
        self.board: Board | None = None
        self._choose = choose
        self._swap2 = swap2
        self._emit = emit
        self._about = about
        self._block: Block | None = None
        self._clock: Clock | None = None
        self._number = 0  # of the line under execution
        self._stopped = 0  # number of the last line that stops a move

    def stop(self, number: int) -> None:
        """Stop the moves that lines before line ``number`` request; any thread."""
        self._stopped = number
        clock = self._clock
        if clock is not None and self._number < number:
            clock.stop()

    def execute(self, line: str, arrival: float | None = None, number: int = 0) -> bool:
        """Execute line ``number``, which arrived at ``arrival``. False after END."""
        self._arrival = time.perf_counter() if arrival is None else arrival
        self._number = number
        command = commands.parse_command(line)
        if command is None:
            return True
        if self._block is not None:
            if not commands.is_command(command.word):
                self._extend(self._block, command.text)
                return True
            self._block = None
        if command.word == "END":
            return False
        self._run(command)
        return True

    def _run(self, command: Command) -> None:
        word, rest = command
        if word == "INFO":
            self.options.set(rest)
        elif word in ("START", "RECTSTART"):
            self._start(rest)
        elif word == "ABOUT":
            self._emit(self._about)
        elif word == "SWAP2BOARD" and self._swap2 is None:
            self._block = Block(blocks.SKIPPED)
            self._emit(commands.unknown_reply(word))
        elif word in ("BOARD", "SWAP2BOARD"):
            self._extend(Block(word), rest)
        elif word in ("BEGIN", "TURN", "RESTART", "TAKEBACK", "PLAY"):
            if self.board is None:
                self._error("no game has been started")
            else:
                self._play_on(word, rest, self.board)
        elif word not in commands.STOP_WORDS:
            if commands.is_command(word) and word.startswith("YX"):
                return  # settings of the Yixin dialect
            self._emit(commands.unknown_reply(word))

    def _play_on(self, word: str, rest: str, board: Board) -> None:
        if word == "RESTART":
            self._set_up((board.width, board.height), ())
            self._emit(commands.OK)
        elif word == "BEGIN":
            self._set_up((board.width, board.height), ())
            self._move()
        else:
            cell = blocks.read_cell(board, rest)
            if cell is None:
                self._error(f"no cell of the board: {shown(rest, 40)}")
            elif word == "TAKEBACK":
                if board.is_empty(cell):
                    self._error("the cell is empty")
                else:
                    board.remove(cell)
                    self._emit(commands.OK)
            elif not board.is_empty(cell):
                self._error("the cell is occupied")
            else:
                board.play(cell)
                if word == "TURN":
                    self._move()
                else:
                    self._emit(commands.move_reply(cell))

    def _start(self, rest: str) -> None:
        numbers = commands.parse_numbers(rest)
        if numbers is not None and len(numbers) == 1:
            numbers *= 2
        if numbers is None or len(numbers) != 2:
            self._error("bad board size")
        elif not all(number in SIDE_LENGTHS for number in numbers):
            self._error("unsupported board size: 5 to 22 is possible, 20 is usual")
        else:
            self._set_up((numbers[0], numbers[1]), ())
            self._emit(commands.OK)

    def _extend(self, block: Block, text: str) -> None:
        done = block.add(text)
        self._block = None if done else block
        if not done or block.word == blocks.SKIPPED:
            return
        board = self.board
        if board is None:
            self._error("no game has been started")
        elif block.word == "BOARD":
            placed = blocks.placed_stones(board, block)
            if placed is None:
                self._error("a line of the position is invalid")
                return
            own, stones = placed
            self._set_up((board.width, board.height), stones).turn = own
            self._move()
        else:
            cells = [Move(x, y) for x, y in block.rows]
            if block.broken or not blocks.are_distinct_cells(board, cells):
                self._error("a line of the position is invalid")
                return
            size = (board.width, board.height)
            self._answer_swap2(self._set_up(size, blocks.alternating(cells)))

    def _set_up(
        self, size: tuple[int, int], stones: Iterable[tuple[Move, object]]
    ) -> Board:
        """Begin a position with stones in their order; of side None is a wall."""
        rule = self.options.rule_in_force(yixin=False)
        stones = list(stones)
        walls = [move for move, side in stones if side is None]
        if walls:
            board = Board.from_stones((), (), walls, size=size, rule=rule)
        else:
            board = Board(size, rule)
        for move, side in stones:
            if side is not None:
                board.turn = side  # type: ignore[assignment]
                board.play(move)
        self.board = board
        return board

    def _position(self) -> Board:
        """Return the board under the rule of the last INFO."""
        board = self.board
        assert board is not None
        rule = self.options.rule_in_force(yixin=False)
        if board.rule != rule:
            turn = board.turn
            stones = [(move, board.stone(move)) for move in board.moves]
            board = self._set_up((board.width, board.height), stones)
            board.turn = turn
        return board

    def _move(self) -> None:
        """Let the bot choose a move, and send it."""
        board = self._position()
        if board.is_full:
            self._error("the board is full")
            return
        self._clock = clock = Clock(board, self.options, self._arrival)
        if self._number < self._stopped:  # the line was read before this one was done
            clock.stop()
        try:
            move = as_move(self._choose(board.copy(), clock))
        finally:
            self._clock = None
        if not board.is_empty(move):
            raise ValueError(f"the bot chose {move}, which is no empty cell")
        board.play(move)
        self._emit(commands.move_reply(move))

    def _answer_swap2(self, board: Board) -> None:
        assert self._swap2 is not None
        answer = self._swap2(board.copy())
        if isinstance(answer, str) and answer.upper() == "SWAP":
            self._emit("SWAP")
            return
        moves = [as_move(move) for move in answer]
        wrong = [move for move in moves if not board.is_empty(move)]
        if wrong or len(set(moves)) != len(moves):
            raise ValueError(f"the bot placed {moves}: not all are empty cells")
        self._emit(commands.moves_reply(moves))

    def _error(self, text: str) -> None:
        self._emit(commands.error_reply(text))


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
    out = threading.Lock()

    def emit(line: str) -> None:
        data = line.encode("ascii", "replace") + b"\n"
        with out:
            try:
                while data:
                    data = data[os.write(_STDOUT, data) :]
            except OSError:  # the manager is gone
                os._exit(0)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on Ctrl-C
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(_STDIN, os.O_BINARY)
        msvcrt.setmode(_STDOUT, os.O_BINARY)
    bot = Bot(choose, emit, swap2=swap2, about=about)
    lines: queue.SimpleQueue[tuple[str, float, int] | None] = queue.SimpleQueue()
    finished = threading.Event()
    reader = threading.Thread(target=_read, args=(bot, lines, finished), daemon=True)
    reader.start()
    with contextlib.redirect_stdout(_Messages(emit)):
        try:
            while (item := lines.get()) is not None:
                if not bot.execute(*item):
                    break
        except Exception as error:
            text = shown(f"{type(error).__name__}: {error}", 200)
            emit(commands.error_reply(text))
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)  # the reader may wait for ever
    finished.set()


def _read(
    bot: Bot,
    lines: "queue.SimpleQueue[tuple[str, float, int] | None]",
    finished: threading.Event,
) -> None:
    """Read standard input, so that END and STOP take effect during a move."""
    splitter = LineSplitter()
    number = 0
    while True:
        try:
            chunk = os.read(_STDIN, _CHUNK)
        except OSError:
            chunk = b""
        arrival = time.perf_counter()
        for line in splitter.feed(chunk) if chunk else splitter.finish():
            number += 1
            command = commands.parse_command(line)
            word = "" if command is None else command.word
            if word in commands.STOP_WORDS:
                bot.stop(number)
            lines.put((line, arrival, number))
            if word == "END":
                _end(bot, number, finished)
                return
        if not chunk:
            lines.put(None)
            while not finished.wait(_WATCH):
                if is_broken(_STDOUT):
                    os._exit(0)
            return


def _end(bot: Bot, number: int, finished: threading.Event) -> None:
    """Give the bot a moment after END, then stop its move, then end the process.

    A script that is piped whole gets the answers of its quick moves.
    """
    if not finished.wait(_END_GRACE / 2):
        bot.stop(number)
        if not finished.wait(_END_GRACE / 2):
            os._exit(0)
