"""One conversation with a manager: board, options, thinker and the queue of commands.

``Session().handle("START 15")`` answers ``["OK"]``: it runs a line to its end, thinking
included. A program that must listen while it thinks uses two threads instead: one calls
``feed`` for every line, the other sits in ``run`` and executes them in order. The
invariant of both: every command that asks for a move gets exactly one reply line.

While a search runs, ``feed`` acts at once on what cannot wait (YXSTOP, END, the INFO
time keys) and queues the rest. With ``INFO pondering 1``, ``run`` thinks on after a
move while it waits; whatever ``feed`` takes in ends that.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.protocol import commands, openings
from gomoku_brain.protocol.commands import Command
from gomoku_brain.protocol.options import TIME_KEYS, Options, most_threads
from gomoku_brain.protocol.thinker import Emit, Thinker
from gomoku_brain.search.limits import FULL_STRENGTH
from gomoku_brain.version import __version__

if TYPE_CHECKING:
    from gomoku_brain.game.position import Board
    from gomoku_brain.search.control import SearchControl
    from gomoku_brain.search.engine import Engine

_MAX_HASH_EXPONENT = 22  # 2^22 KiB: the end of Yixin-Board's slider for the table
_MAX_ROWS = 2000  # lines of a BOARD that are kept; a full board has 484
_OWN, _OPPONENT, _WALL = 1, 2, 3  # the third number of a BOARD line

# What BOARD & co. expect in a row. SKIP swallows what belongs to a command of the Yixin
# dialect that we do not have, so that its arguments are not taken for commands.
_ARITY = {"BOARD": 3, "YXBOARD": 3, "SWAP2BOARD": 2, "YXBLOCK": 2, "YXBLOCKUNDO": 2}
_SKIP = "SKIP"


@dataclass(slots=True)
class _Item:
    """A command in the queue."""

    command: Command
    arrival: float
    stop: bool = False
    """Whether a stop came after it: its search ends as soon as it begins."""


@dataclass(slots=True)
class _Block:
    """Lines up to DONE, for the command that began them."""

    word: str
    rows: list[tuple[int, ...]]
    broken: bool = False
    """Whether a line could not be read."""


class Session:
    """The brain's side of one conversation.

    ``engine``, ``board`` (called as ``board((width, height), rule)``), ``control``
    (called without arguments) and ``clock`` (seconds) are the real ones unless a test
    hands in others. ``emit`` receives each line for the manager. ``startup`` tells the
    processor seconds used by this process so far; they are charged to the first move.
    ``log`` receives text about errors. ``quiet`` begins without lines of play.
    ``strength`` holds until INFO tells another; ``seed`` makes the errors of one below
    100 the same every time.
    """

    def __init__(
        self,
        engine: "Engine | None" = None,
        *,
        emit: Emit | None = None,
        board: "Callable[[tuple[int, int], Rule], Board] | None" = None,
        control: "Callable[[], SearchControl] | None" = None,
        clock: Callable[[], float] = time.perf_counter,
        startup: Callable[[], float] | None = None,
        log: Emit | None = None,
        quiet: bool = False,
        strength: int = FULL_STRENGTH,
        seed: int | None = None,
    ) -> None:
        """Wait for the first command; nothing heavy is loaded yet."""
        self.options = Options(show_detail=-1 if quiet else 0, strength=strength)
        self._emit: Emit = emit or (lambda line: None)
        self._clock = clock
        self._new_board = board
        self._thinker = Thinker(
            self.options,
            engine,
            control,
            emit=lambda line: self._emit(line),
            log=log or (lambda text: None),
            clock=clock,
            startup=startup,
            seed=seed,
        )

        self._board: Board | None = None
        self._yixin = False
        self._blocked: dict[Move, None] = {}  # in the order told
        self._block: _Block | None = None

        self._lock = threading.Condition()
        self._queue: deque[_Item] = deque()
        self._closed = False  # no more input
        self._ended = False  # END was executed
        self._busy = False  # between taking an item and having executed it
        self._stop = False  # the item being executed is to end at once
        self._thinking = False  # a search may be stopped, hurried and told the time
        self._pondering = False  # a search goes on that nobody waits for

        # Of the command being executed.
        self._arrival = 0.0
        self._free_at = float("-inf")  # when the last search ended
        self._replied = False
        # After a move of ours until the next command: the reply expected, or no move if
        # none is. None when there is nothing to ponder.
        self._expected: tuple[Move, ...] | None = None
        self._seed = seed

    # Input

    def handle(self, line: str) -> list[str]:
        """Execute one line to its end; the lines that answer it."""
        command = commands.parse_command(line)
        replies: list[str] = []
        if command is None or command.word in commands.STOP_WORDS:
            return replies
        emit, self._emit = self._emit, replies.append
        try:
            self._execute(_Item(command, self._clock()))
        finally:
            self._emit = emit
        return replies

    def feed(self, line: str, arrival: float | None = None) -> bool:
        """Take in a line that came at ``arrival``; whether more input makes sense."""
        command = commands.parse_command(line)
        if command is None:
            return True
        item = _Item(command, self._clock() if arrival is None else arrival)
        with self._lock:
            if self._pondering:
                self._thinker.stop()
            if command.word in commands.STOP_WORDS:
                self._stop_all()
                return True
            if command.word == "END":
                self._stop_all()
            elif self._thinking and not self._queue and _is_time_info(command):
                self._thinker.take_info(command.rest, thinking=True)
                return True
            self._queue.append(item)
            if self._thinking and command.word != "INFO":
                self._thinker.hurry()
            self._lock.notify_all()
        return command.word != "END"

    def close(self) -> None:
        """Say that no more input comes: ``run`` returns when the queue is done."""
        with self._lock:
            self._closed = True
            if self._pondering:
                self._thinker.stop()
            if self._thinking:
                self._thinker.hurry()
            self._lock.notify_all()

    def run(self) -> None:
        """Execute what ``feed`` queues, until END or until ``close``."""
        while not self._ended:
            while not (self._queue or self._closed) and self._thinker.settle():
                pass
            self._ponder()
            with self._lock:
                while not self._queue and not self._closed:
                    self._lock.wait()
                if not self._queue:
                    return
                item = self._queue.popleft()
                self._busy, self._stop = True, item.stop
            self._execute(item)

    @property
    def queued(self) -> int:
        """Commands that wait for the one being executed."""
        return len(self._queue)

    def load(self) -> None:
        """Import and set up what the first command needs (done late otherwise)."""
        if self._new_board is None:
            from gomoku_brain.game.position import Board

            self._new_board = Board
        self._thinker.load()

    def _stop_all(self) -> None:
        """End the running search and those that are queued; the lock is held."""
        for item in self._queue:
            item.stop = True
        self._stop = self._busy
        if self._thinking:
            self._thinker.stop()
        elif not self._pondering:
            self._expected = None  # before pondering begins

    # While the opponent thinks

    def _ponder(self) -> None:
        """Think about the expected reply until a line comes or all is proved."""
        with self._lock:
            self._busy = False
            position = self._position_to_ponder()
            if position is None or self._queue or self._closed:
                return
            self._thinker.prepare_pondering()
            self._pondering = True
        self._thinker.ponder(position)
        with self._lock:
            self._pondering = False
            if not self._queue:  # it came to its end, or a stop ended it
                self._expected = None

    def _position_to_ponder(self) -> "Board | None":
        """The position after the expected reply, or before it when none is known."""
        if self._board is None or self._expected is None or not self.options.ponders:
            return None
        board = self._board.copy()
        for move in self._expected:
            if board.is_legal(move):
                board.play(move)
        over = board.is_full or board.winner is not None
        return None if over else board

    # Execution

    def _execute(self, item: _Item) -> None:
        """Carry out one command; whatever happens, the conversation goes on."""
        # What waited behind a search has its clock started when that search ended.
        self._arrival = max(item.arrival, self._free_at)
        self._replied = False
        if item.command.word != "INFO":  # after that it goes on
            self._expected = None
        try:
            self._dispatch(item.command)
        except Exception as error:
            self._thinker.log_error(error)
            if not self._replied and item.command.word != "INFO":
                self._error("internal error")

    def _dispatch(self, command: Command) -> None:
        if self._block is not None and self._collect(self._block, command):
            return
        word = command.word
        if word.startswith("YX"):
            self._yixin = True
        handler = self._HANDLERS.get(word)
        if handler is not None:
            handler(self, command.rest)
        elif word in _ARITY:
            self._block = _Block(word, [])
            self._add_rows(self._block, command.rest)
        elif commands.is_command(word):
            self._block = _Block(_SKIP, [])
        elif not (self._yixin and word == "DONE"):
            self._reply(commands.unknown_reply(word))

    def _collect(self, block: _Block, command: Command) -> bool:
        """Take a line as part of a block, unless it is a command of its own."""
        if commands.is_command(command.word):
            self._block = None
            if block.word != _SKIP:
                self._error(f"{block.word} without DONE")
            return False
        self._add_rows(block, command.text)
        return True

    def _add_rows(self, block: _Block, text: str) -> None:
        text, done = commands.split_done(text)
        if block.word != _SKIP:
            arity = _ARITY[block.word]
            numbers = commands.parse_numbers(text)
            if numbers is None or len(numbers) % arity:
                block.broken = True
            else:
                block.rows.extend(zip(*[iter(numbers)] * arity, strict=True))
            if len(block.rows) > _MAX_ROWS:
                block.broken = True
                block.rows.clear()
        if done:
            self._block = None
            self._BLOCK_ENDS[block.word](self, block)

    def _reply(self, line: str) -> None:
        self._replied = True
        self._emit(line)

    def _error(self, text: str) -> None:
        self._reply(commands.error_reply(text))

    # The game

    def _game(self) -> "Board | None":
        """The board under the rule in force, or None (and an ERROR) before START."""
        board = self._board
        if board is None:
            self._error("no game has been started")
            return None
        rule = self.options.rule_in_force(yixin=self._yixin)
        if board.rule != rule:
            turn = board.turn
            stones = [(move, board.stone(move)) for move in board.moves]
            board = self._set_up((board.width, board.height), stones)
            board.turn = turn
            self._thinker.forget()
        return board

    def _set_up(
        self, size: tuple[int, int], stones: Iterable[tuple[Move, Side | None]] = ()
    ) -> "Board":
        """A new game with stones in their order; a stone of neither side is a wall."""
        self.load()
        assert self._new_board is not None
        rule = self.options.rule_in_force(yixin=self._yixin)
        board = self._new_board(size, rule)
        self._thinker.learn(rule)
        stones = list(stones)
        walls = [move for move, side in stones if side is None]
        if walls:
            board = type(board).from_stones((), (), walls, size=size, rule=rule)
        for move, side in stones:
            if side is not None:
                board.turn = side
                board.play(move)
        self._board = board
        return board

    # Commands of the Piskvork protocol

    def _start(self, rest: str) -> None:
        numbers = commands.parse_numbers(rest)
        if numbers is not None and len(numbers) == 2 and "," not in rest:
            self._yixin = True  # only Yixin-Board and its kin write "START 15 15"
        if numbers is not None and len(numbers) == 1:
            numbers *= 2
        self._new_game(numbers)

    def _rectstart(self, rest: str) -> None:
        self._new_game(commands.parse_numbers(rest))

    def _new_game(self, numbers: list[int] | None) -> None:
        if numbers is None or len(numbers) != 2:
            self._error("bad board size")
            return
        before = self._board
        try:
            board = self._set_up((numbers[0], numbers[1]))
        except ValueError:
            # Piskvork offers to resize its board when it reads "20" here.
            self._error("unsupported board size: 5 to 22 is possible, 20 is usual")
            return
        self._thinker.new_game()
        self._reply(commands.OK)
        # Yixin-Board says START before every move, and yxhashclear when it means it.
        kept = before is not None and (
            (before.width, before.height, before.rule)
            == (board.width, board.height, board.rule)
        )
        if not (self._yixin and kept):
            self._thinker.forget()

    def _restart(self, rest: str) -> None:
        board = self._game()
        if board is not None:
            self._new_game([board.width, board.height])

    def _begin(self, rest: str) -> None:
        if self._game() is not None:
            self._answer()

    def _turn(self, rest: str) -> None:
        if self._put_stone(rest) is not None:
            self._answer()

    def _play(self, rest: str) -> None:
        move = self._put_stone(rest)
        if move is not None:
            self._reply(commands.move_reply(move))

    def _put_stone(self, text: str) -> Move | None:
        """Play the move written "x,y" for the side to move; None after an ERROR."""
        board = self._game()
        if board is None:
            return None
        move = _read_cell(board, text)
        if move is None or not board.is_empty(move):
            self._error("bad coordinates" if move is None else "occupied cell")
            return None
        board.play(move)
        return move

    def _takeback(self, rest: str) -> None:
        board = self._game()
        if board is None:
            return
        move = _read_cell(board, rest)
        if move is None:
            self._error("bad coordinates")
        elif board.stone(move) is None:
            self._error("no stone there")
        else:
            if board.moves[-1] == move:
                board.undo()
            else:
                board.remove(move)
            self._reply(commands.OK)

    def _about(self, rest: str) -> None:
        self._reply(commands.about_reply(__version__))

    def _info(self, rest: str) -> None:
        self._thinker.take_info(rest)
        if self._board is not None:
            self._game()  # a new rule's tables are not made on the first move's time

    def _end(self, rest: str) -> None:
        self._ended = True

    def _board_done(self, block: _Block) -> None:
        if self._set_position(block):
            self._answer()

    def _swap2_done(self, block: _Block) -> None:
        board = self._game()
        if board is None:
            return
        stones = [Move(x, y) for x, y in block.rows]
        if block.broken or not _are_distinct_cells(board, stones):
            self._error("bad line in SWAP2BOARD")
            return
        if len(stones) not in (0, 3, 5):
            self._error("SWAP2BOARD takes 0, 3 or 5 stones")
            return
        if not stones:
            self._reply(commands.moves_reply(self._place_three(board)))
            return
        board = self._set_up((board.width, board.height), _alternating(stones))
        added = self._settle(board)
        for move in added:
            board.play(move)
        self._reply(commands.moves_reply(added) if added else "SWAP")

    # Commands of the Yixin dialect

    def _yxboard_done(self, block: _Block) -> None:
        self._set_position(block)

    def _yxnbest(self, rest: str) -> None:
        count = commands.parse_number(rest) or 1
        if self._game() is not None:
            self._answer(multipv=max(count, 1))

    def _yxshowforbid(self, rest: str) -> None:
        board = self._game() if self._board is not None else None
        moves = board.forbidden_moves() if board is not None else ()
        self._reply(commands.forbid_reply(moves))

    def _yxhashclear(self, rest: str) -> None:
        self._thinker.forget()

    def _yxshowinfo(self, rest: str) -> None:
        self._reply(f"MESSAGE INFO MAX_THREAD_NUM {most_threads()}")
        self._reply(f"MESSAGE INFO MAX_HASH_SIZE {_MAX_HASH_EXPONENT}")

    def _yxblock_done(self, block: _Block) -> None:
        self._blocked |= dict.fromkeys(Move(x, y) for x, y in block.rows)

    def _yxblockundo_done(self, block: _Block) -> None:
        for x, y in block.rows:
            self._blocked.pop(Move(x, y), None)

    def _yxblockreset(self, rest: str) -> None:
        self._blocked.clear()

    def _yxswap2step1(self, rest: str) -> None:
        board = self._game()
        if board is not None:
            for line in commands.swap2_messages(self._place_three(board)):
                self._reply(line)

    def _yxswap2step2(self, rest: str) -> None:
        self._yxswap2_choice("SWAP1")

    def _yxswap2step3(self, rest: str) -> None:
        self._yxswap2_choice("SWAP2")

    def _yxswap2_choice(self, name: str) -> None:
        board = self._game()
        if board is None:
            return
        board.turn = Side.WHITE
        if board.is_full:
            self._reply(f"MESSAGE SWAP2 {name} NO")
            return
        added = self._settle(board)
        if len(added) < 2:  # a single white stone is asked for by BOARD
            self._reply(f"MESSAGE SWAP2 {name} {'NO' if added else 'YES'}")
            return
        for move in added:
            board.play(move)
        for line in commands.swap2_messages(added, first=4):
            self._reply(line)

    def _nothing(self, rest: str) -> None:
        """Accept and do nothing."""

    # Positions and moves

    def _set_position(self, block: _Block) -> bool:
        """Make the position that BOARD described; False after an ERROR."""
        board = self._game()
        if board is None:
            return False
        size = (board.width, board.height)
        cells = [Move(x, y) for x, y, _ in block.rows]
        owners = [owner for _, _, owner in block.rows]
        if (
            block.broken
            or not {_OWN, _OPPONENT, _WALL}.issuperset(owners)
            or not _are_distinct_cells(board, cells)
        ):
            self._set_up(size)
            self._error(f"bad line in {block.word}")
            return False
        own = _own_side(owners)
        sides = {_OWN: own, _OPPONENT: own.other, _WALL: None}
        stones = [(cells[i], sides[owner]) for i, owner in enumerate(owners)]
        self._set_up(size, stones).turn = own
        return True

    def _answer(self, *, multipv: int = 1) -> None:
        """Choose a move for the side to move, play it and say it: one line."""
        board = self._board
        assert board is not None
        if board.is_full:
            self._error("board is full")
            return
        move = self._first_stone(board)
        expected: tuple[Move, ...] = ()
        if move is not None:
            self._thinker.skip(self._arrival)
        else:
            with self._listening():
                result = self._thinker.search(board, multipv, self._excluded(board))
            move = self._checked(board, self._thinker.best)
            if result is not None and result.pv[0] == move:
                expected = result.pv[1:2]
        board.play(move)
        self._reply(commands.move_reply(move))
        self._expected = expected

    def _first_stone(self, board: "Board") -> Move | None:
        """The centre of an empty board, which needs no thought; None later on."""
        centre = Move(board.width // 2, board.height // 2)
        return None if board.ply or centre in self._blocked else centre

    def _place_three(self, board: "Board") -> openings.Offer:
        """Put the three stones of swap2 on the empty board."""
        size = (board.width, board.height)
        board = self._set_up(size)
        offers = openings.three_stones(*size, board.rule, self._seed)
        with self._listening():
            best = self._most_even(board, offers)
        stones = best[0] if best else offers[0]
        for move in stones:
            board.play(move)
        return stones

    def _settle(self, board: "Board") -> openings.Offer:
        """The stones to add in swap2, with white to move.

        None means to take black, one to stay white, two to let the other choose.
        """
        may_offer = board.ply == 3
        with self._listening(openings.CHOICE_SHARE if may_offer else 1.0):
            result = self._thinker.search(board, 1, self._excluded(board))
            best = None
            if may_offer and result is not None and openings.is_even(result):
                best = self._most_even(board, self._pairs(board))
        if best and openings.is_small(best[1]):
            return best[0]
        if result is not None and openings.takes_black(result):
            return ()
        return (self._checked(board, self._thinker.best),)

    def _pairs(self, board: "Board") -> list[openings.Offer]:
        """What may be added to three stones."""
        seed = None if self._seed is None else f"{self._seed} {board.moves}"
        return openings.two_stones(board.width, board.height, board.moves, seed)

    def _most_even(
        self, board: "Board", offers: list[openings.Offer]
    ) -> tuple[openings.Offer, int] | None:
        """The offer after which a search in the time left is nearest to even."""
        with self._lock:
            self._thinker.compare()

        def score(offer: openings.Offer, nodes: int) -> int | None:
            position = board.copy()
            for move in offer:
                position.play(move)
            return self._thinker.judge(position, nodes)

        return openings.most_even(offers, score)

    def _moves_left(self) -> int | None:
        """How many moves we make at most until the board is full, the next included."""
        board = self._board
        if board is None:
            return None
        return (board.width * board.height - board.ply + 1) // 2

    @contextmanager
    def _listening(self, share: float = 1.0) -> Iterator[None]:
        """Let ``feed`` act on the searches within, which are one move's thought.

        ``share`` is the part of the move's time that the first search may use.
        """
        thinker = self._thinker
        thinker.prepare(self._arrival, share, self._moves_left())
        with self._lock:
            self._thinking = True
            # A time key right behind the command means this move, as if it came later.
            while self._queue and _is_time_info(self._queue[0].command):
                info = self._queue.popleft().command.rest
                thinker.take_info(info, thinking=True)
            if self._stop:
                thinker.stop()
            elif self._closed or any(i.command.word != "INFO" for i in self._queue):
                thinker.hurry()
        try:
            yield
        finally:
            with self._lock:
                self._thinking = False
            thinker.book()
            self._free_at = self._clock()

    def _excluded(self, board: "Board") -> tuple[Move, ...]:
        """The blocked cells, unless no other is left: a move is due all the same."""
        blocked = tuple(move for move in self._blocked if board.is_empty(move))
        return () if len(blocked) == len(_empty_cells(board)) else blocked

    def _checked(self, board: "Board", move: Move | None) -> Move:
        """The move, if it is legal; else one that is, as close to it as possible."""
        if move is not None and board.is_legal(move):
            return move
        # Black may have only forbidden cells left in renju; a move is due all the same.
        moves = board.legal_moves() or _empty_cells(board)
        around = move or Move(board.width // 2, board.height // 2)
        return min(moves, key=lambda m: max(abs(m.x - around.x), abs(m.y - around.y)))

    _HANDLERS: ClassVar[dict[str, Callable[["Session", str], None]]] = {
        "ABOUT": _about,
        "BEGIN": _begin,
        "BENCH": _nothing,
        "END": _end,
        "INFO": _info,
        "PLAY": _play,
        "RECTSTART": _rectstart,
        "RESTART": _restart,
        "START": _start,
        "TAKEBACK": _takeback,
        "TURN": _turn,
        "YXBLOCKRESET": _yxblockreset,
        "YXHASHCLEAR": _yxhashclear,
        "YXNBEST": _yxnbest,
        "YXSHOWFORBID": _yxshowforbid,
        "YXSHOWINFO": _yxshowinfo,
        "YXSWAP2STEP1": _yxswap2step1,
        "YXSWAP2STEP2": _yxswap2step2,
        "YXSWAP2STEP3": _yxswap2step3,
    }
    _BLOCK_ENDS: ClassVar[dict[str, Callable[["Session", _Block], None]]] = {
        "BOARD": _board_done,
        "SWAP2BOARD": _swap2_done,
        "YXBLOCK": _yxblock_done,
        "YXBLOCKUNDO": _yxblockundo_done,
        "YXBOARD": _yxboard_done,
        _SKIP: lambda session, block: None,
    }


def _is_time_info(command: Command) -> bool:
    """Whether a command is an INFO about time."""
    words = command.rest.split(None, 1)
    return command.word == "INFO" and bool(words) and words[0].lower() in TIME_KEYS


def _is_inside(board: "Board", cell: Move) -> bool:
    return 0 <= cell.x < board.width and 0 <= cell.y < board.height


def _read_cell(board: "Board", text: str) -> Move | None:
    """A cell of the board written as "x,y"; None when it is none."""
    numbers = commands.parse_numbers(text)
    if numbers is None or len(numbers) != 2:
        return None
    cell = Move(numbers[0], numbers[1])
    return cell if _is_inside(board, cell) else None


def _are_distinct_cells(board: "Board", cells: list[Move]) -> bool:
    """Whether all are on the board and none is named twice."""
    inside = all(_is_inside(board, cell) for cell in cells)
    return inside and len(set(cells)) == len(cells)


def _empty_cells(board: "Board") -> list[Move]:
    cells = (Move(x, y) for y in range(board.height) for x in range(board.width))
    return [cell for cell in cells if board.is_empty(cell)]


def _alternating(stones: Iterable[Move]) -> list[tuple[Move, Side | None]]:
    """Stones of both sides in turn, black first."""
    return [(move, Side(i % 2)) for i, move in enumerate(stones)]


def _own_side(owners: list[int]) -> Side:
    """Our colour in a position, from whose stones stand there, in their order.

    We are to move, so equal counts make us black, one stone less makes us white. Other
    counts (a handicap, a puzzle) leave the order: whoever's stone comes first is black.
    """
    lead = owners.count(_OPPONENT) - owners.count(_OWN)
    if lead in (0, 1):
        return Side(lead)
    first = next(owner for owner in owners if owner != _WALL)
    return Side.BLACK if first == _OWN else Side.WHITE
