"""Execution of the manager's commands: the position, the dialect and the answers.

A ``Dialogue`` executes one command after the other, in one thread. For a command that
needs a search, ``execute`` returns a ``Request``. The session performs it, because it
also handles the input that arrives during the search.
"""

from collections.abc import Callable, Iterable

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import SIDE_LENGTHS, Rule, Side
from gomoku_brain.player.player import Choice, Player
from gomoku_brain.protocol import blocks, commands
from gomoku_brain.protocol.blocks import Block
from gomoku_brain.protocol.commands import Command
from gomoku_brain.protocol.options import MEMORY_KEYS, Options, max_threads
from gomoku_brain.version import __version__

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import ClassVar

    from gomoku_brain.engine.swap2 import Offer
    from gomoku_brain.player.thought import Thought

__all__ = ["Dialogue", "NewBoard", "Request"]

NewBoard = Callable[[tuple[int, int], Rule], Board]

_MAX_BIAS = 20_000  # evaluation units; a greater bias is no score of a search
_MAX_HASH_EXPONENT = 22  # 2^22 KiB: the end of Yixin-Board's slider for the table


class Request:
    """Search that a command needs."""

    def __init__(
        self,
        think: "Callable[[], Thought]",
        search: "Callable[[Thought], Callable[[], None]]",
    ) -> None:
        """Store the two steps of the request."""
        self.think = think
        """Function that starts the time of the move and returns its thought."""
        self.search = search
        """Function that searches in the block of the thought. It returns the function
        that answers the command after the block."""


class Dialogue:
    """Executor of the commands of one manager, in their order.

    ``reply`` receives each line for the manager. ``board`` creates a board from a size
    and a rule; the default is the real one. ``about`` is the answer to ABOUT; the
    default is that of this brain.
    """

    def __init__(
        self,
        player: Player,
        options: Options,
        *,
        reply: Callable[[str], None],
        board: NewBoard | None = None,
        about: str = "",
    ) -> None:
        """Create a dialogue before its first game."""
        self.board: Board | None = None
        """The position; None before the first START."""
        self._player = player
        self._options = options
        self._reply = reply
        self._new_board: NewBoard = board or Board
        self._about_line = about or commands.about_reply(__version__)
        self._yixin = False  # the manager speaks the Yixin dialect
        self._blocked: dict[Move, None] = {}  # in the order sent
        self._block: Block | None = None
        self._arrival = 0.0  # start of the command's clock, in seconds
        # From the brain's move to the next command: the expected reply, or an empty
        # tuple if it is unknown. None if there is nothing to ponder.
        self._expected: tuple[Move, ...] | None = None

    @property
    def collects(self) -> bool:
        """Whether further lines up to DONE belong to the current command."""
        return self._block is not None

    def execute(self, command: Command, arrival: float) -> Request | None:
        """Execute a command whose clock started at ``arrival`` (seconds).

        Return the search that it needs to end, or None if it has ended.
        """
        self._arrival = arrival
        if command.word != "INFO":  # pondering continues after INFO
            self._expected = None
        if self._block is not None:
            if not commands.is_command(command.word):
                return self._add_to(self._block, command.text)
            block, self._block = self._block, None
            if block.word != blocks.SKIPPED:
                self.error(f"{block.word} without DONE")
        word = command.word
        if word.startswith("YX"):
            self._yixin = True
        if "SWAP2" in word and not self._player.plays_swap2:
            self._block = Block(blocks.SKIPPED)
            self._reply(commands.unknown_reply(word))
            return None
        handler = self._HANDLERS.get(word)
        if handler is not None:
            return handler(self, command.rest)
        if word in blocks.ARITY:
            return self._add_to(Block(word), command.rest)
        if commands.is_command(word):
            self._block = Block(blocks.SKIPPED)
        elif not (self._yixin and word == "DONE"):
            self._reply(commands.unknown_reply(word))
        return None

    def _add_to(self, block: Block, text: str) -> Request | None:
        """Add a line to a block. Execute the block's command at DONE."""
        done = block.add(text)
        self._block = None if done else block
        return self._BLOCK_ENDS[block.word](self, block) if done else None

    def apply_info(self, text: str, thought: "Thought | None" = None) -> None:
        """Apply an INFO. A time key also changes the limits of a running thought."""
        player, options = self._player, self._options
        key = options.set(text)
        if key == "timeout_match":
            player.match.set_total(options.match)
        elif key == "time_left":
            elapsed = thought.elapsed if thought else 0.0
            player.match.set_left(options.left, elapsed)
        elif key == "thread_num":
            player.apply_threads()
        elif key in MEMORY_KEYS:
            player.apply_memory()
        if thought:
            thought.renew()

    def error(self, text: str) -> None:
        """Answer with ERROR and ``text``."""
        self._reply(commands.error_reply(text))

    # Pondering

    def disable_pondering(self) -> None:
        """Disable pondering until the brain's next move."""
        self._expected = None

    def position_to_ponder(self) -> "Board | None":
        """Return the position after the expected reply, or before it if none is known.

        Return None if there is nothing to ponder.
        """
        if self.board is None or self._expected is None or not self._options.ponders:
            return None
        board = self.board.copy()
        for move in self._expected:
            if board.is_legal(move):
                board.play(move)
        over = board.is_full or board.winner is not None
        return None if over else board

    # The game

    def _game(self) -> "Board | None":
        """Return the board under the current rule; without a game, send ERROR."""
        board = self.board
        if board is None:
            self.error("no game has been started")
            return None
        rule = self._options.rule_in_force(yixin=self._yixin)
        if board.rule != rule:
            turn = board.turn
            stones = [(move, board.stone(move)) for move in board.moves]
            board = self._set_up((board.width, board.height), stones)
            board.turn = turn
            self._player.forget()
        return board

    def _set_up(
        self, size: tuple[int, int], stones: Iterable[tuple[Move, Side | None]] = ()
    ) -> "Board":
        """Start a game with stones in their order. A stone of side None is a wall."""
        rule = self._options.rule_in_force(yixin=self._yixin)
        board = self._new_board(size, rule)
        stones = list(stones)
        walls = [move for move, side in stones if side is None]
        if walls:
            board = type(board).from_stones((), (), walls, size=size, rule=rule)
        for move, side in stones:
            if side is not None:
                board.turn = side
                board.play(move)
        self.board = board
        return board

    # Commands of the Piskvork protocol

    def _start(self, rest: str) -> None:
        numbers = commands.parse_numbers(rest)
        if numbers is not None and len(numbers) == 2 and "," not in rest:
            self._yixin = True  # as Yixin-Board and its like write
        if numbers is not None and len(numbers) == 1:
            numbers *= 2
        self._start_game(numbers)

    def _rectstart(self, rest: str) -> None:
        self._start_game(commands.parse_numbers(rest))

    def _start_game(self, numbers: list[int] | None) -> None:
        if numbers is None or len(numbers) != 2:
            self.error("bad board size")
            return
        if not all(number in SIDE_LENGTHS for number in numbers):
            # Piskvork offers to resize its board when it reads "20" here.
            self.error("unsupported board size: 5 to 22 is possible, 20 is usual")
            return
        before, board = self.board, self._set_up((numbers[0], numbers[1]))
        self._player.match.new_match()
        if not self._player.match.is_known:
            self._options.time_left = None  # the value belonged to the previous match
        # Yixin-Board sends START before every move, and yxhashclear for a new game.
        is_same_game = before is not None and (
            (before.width, before.height, before.rule)
            == (board.width, board.height, board.rule)
        )
        if not (self._yixin and is_same_game):
            self._player.forget()
        # The manager counts no time before OK.
        self._player.prepare(board.rule)
        self._reply(commands.OK)

    def _restart(self, rest: str) -> None:
        if rest:
            self.error("RESTART has no arguments: START sets the size")
            return
        board = self._game()
        if board is not None:
            self._start_game([board.width, board.height])

    def _begin(self, rest: str) -> Request | None:
        return self._request_move() if self._game() is not None else None

    def _turn(self, rest: str) -> Request | None:
        return self._request_move() if self._put_stone(rest) is not None else None

    def _play(self, rest: str) -> None:
        move = self._put_stone(rest)
        if move is not None:
            self._reply(commands.move_reply(move))

    def _put_stone(self, text: str) -> Move | None:
        """Play the move written "x,y" for the side to move; None after an ERROR."""
        board = self._game()
        if board is None:
            return None
        move = blocks.read_cell(board, text)
        if move is None or not board.is_empty(move):
            self.error("bad coordinates" if move is None else "occupied cell")
            return None
        board.play(move)
        return move

    def _takeback(self, rest: str) -> None:
        board = self._game()
        if board is None:
            return
        move = blocks.read_cell(board, rest)
        if move is None:
            self.error("bad coordinates")
        elif board.stone(move) is None:
            self.error("no stone there")
        else:
            if board.moves[-1] == move:
                board.undo()
            else:
                board.remove(move)
            self._reply(commands.OK)

    def _about(self, rest: str) -> None:
        self._reply(self._about_line)

    def _info(self, rest: str) -> None:
        self.apply_info(rest)
        if self.board is not None:
            self._game()  # creates the tables of a new rule in advance

    def _board_done(self, block: Block) -> Request | None:
        return self._request_move() if self._set_position(block) else None

    def _swap2_done(self, block: Block) -> Request | None:
        board = self._game()
        if board is None:
            return None
        stones = [Move(x, y) for x, y in block.rows]
        if block.broken or not blocks.are_distinct_cells(board, stones):
            self.error("bad line in SWAP2BOARD")
            return None
        from gomoku_brain.game.swap2_stages import counts_after

        if not counts_after(len(stones)):
            self.error("SWAP2BOARD takes 0, 3 or 5 stones")
            return None
        board = self._set_up((board.width, board.height), blocks.alternating(stones))

        def answer(added: "Offer") -> None:
            for move in added:
                board.play(move)
            self._reply(commands.moves_reply(added) if added else "SWAP")

        return self._request_swap2(board, answer)

    # Commands of the Yixin dialect

    def _yxboard_done(self, block: Block) -> None:
        self._set_position(block)

    def _yxnbest(self, rest: str) -> Request | None:
        count = commands.parse_number(rest) or 1
        if self._game() is None:
            return None
        return self._request_move(multipv=max(count, 1))

    def _yxbalanceone(self, rest: str) -> Request | None:
        return self._request_balance(rest, 1)

    def _yxbalancetwo(self, rest: str) -> Request | None:
        return self._request_balance(rest, 2)

    def _yxsearchdefend(self, rest: str) -> Request | None:
        """Search every move, as Rapfi does: who needs a defence sees all."""
        board = self._game()
        if board is None:
            return None
        cells = board.width * board.height - board.ply
        return self._request_move(multipv=max(cells, 1))

    def _yxshowforbid(self, rest: str) -> None:
        board = self._game() if self.board is not None else None
        moves = board.forbidden_moves() if board is not None else ()
        self._reply(commands.forbid_reply(moves))

    def _yxhashclear(self, rest: str) -> None:
        self._player.forget()

    def _yxshowinfo(self, rest: str) -> None:
        self._reply(f"MESSAGE INFO MAX_THREAD_NUM {max_threads()}")
        self._reply(f"MESSAGE INFO MAX_HASH_SIZE {_MAX_HASH_EXPONENT}")

    def _yxblock_done(self, block: Block) -> None:
        self._blocked |= dict.fromkeys(Move(x, y) for x, y in block.rows)

    def _yxblockundo_done(self, block: Block) -> None:
        for x, y in block.rows:
            self._blocked.pop(Move(x, y), None)

    def _yxblockreset(self, rest: str) -> None:
        self._blocked.clear()

    def _yxswap2step1(self, rest: str) -> Request | None:
        board = self._game()
        if board is None:
            return None
        board = self._set_up((board.width, board.height))
        return self._request_swap2(board, lambda stones: self._place(board, stones))

    def _yxswap2step2(self, rest: str) -> Request | None:
        return self._yxswap2_choice("SWAP1")

    def _yxswap2step3(self, rest: str) -> Request | None:
        return self._yxswap2_choice("SWAP2")

    def _yxswap2_choice(self, name: str) -> Request | None:
        board = self._game()
        if board is None:
            return None
        board.turn = Side.WHITE
        if board.is_full:
            self._reply(f"MESSAGE SWAP2 {name} NO")
            return None

        def answer(added: "Offer") -> None:
            if len(added) < 2:  # Yixin-Board requests a single white stone by BOARD
                self._reply(f"MESSAGE SWAP2 {name} {'NO' if added else 'YES'}")
                return
            self._place(board, added)

        return self._request_swap2(board, answer)

    def _place(self, board: "Board", stones: "Offer") -> None:
        """Place stones of swap2 and send them in the Yixin form."""
        first = board.ply + 1
        for move in stones:
            board.play(move)
        for line in commands.swap2_messages(stones, first):
            self._reply(line)

    def _ignore(self, rest: str) -> None:
        """Accept a command that has no effect."""

    # Positions and moves

    def _set_position(self, block: Block) -> bool:
        """Set up the position of BOARD. Return False after an ERROR."""
        board = self._game()
        if board is None:
            return False
        size = (board.width, board.height)
        placed = blocks.placed_stones(board, block)
        if placed is None:
            self._set_up(size)
            self.error(f"bad line in {block.word}")
            return False
        own, stones = placed
        self._set_up(size, stones).turn = own
        return True

    def _request_move(self, *, multipv: int = 1) -> Request | None:
        """Request a move for the side to move, which is played and sent as one line."""
        board, player = self.board, self._player
        assert board is not None
        if board.is_full:
            self.error("board is full")
            return None
        excluded = tuple(self._blocked)
        move = player.first_stone(board, excluded)
        if move is not None:
            player.skip(self._arrival)
            self._answer(board, Choice(move))
            return None

        def search(thought: "Thought") -> Callable[[], None]:
            choice = player.choose_move(
                board, thought, multipv=multipv, excluded=excluded
            )
            return lambda: self._answer(board, choice)

        arrival = self._arrival
        return Request(lambda: player.think(board, arrival), search)

    def _request_balance(self, rest: str, count: int) -> Request | None:
        """Request one or two stones that make the position even, and play them."""
        bias = commands.parse_number(rest or "0")
        board, player, arrival = self._game(), self._player, self._arrival
        if board is None:
            return None
        if bias is None:
            self.error("the bias is a whole number")
            return None
        wanted = min(max(bias, -_MAX_BIAS), _MAX_BIAS)
        if board.width * board.height - board.ply < count:
            self.error("board is full")
            return None

        def search(thought: "Thought") -> Callable[[], None]:
            stones = player.balance(board, thought, count, wanted)
            return lambda: place(stones)

        def place(stones: "Offer") -> None:
            if not stones:
                self.error("no stones make the position even")
                return
            for move in stones:
                board.play(move)
            self._reply(commands.moves_reply(stones))

        return Request(lambda: player.think(board, arrival), search)

    def _answer(self, board: "Board", choice: Choice) -> None:
        """Play a chosen move and send it."""
        board.play(choice.move)
        self._reply(commands.move_reply(choice.move))
        self._expected = choice.expected

    def _request_swap2(
        self, board: "Board", answer: "Callable[[Offer], None]"
    ) -> Request:
        """Request an answer in swap2."""
        player, arrival = self._player, self._arrival

        def search(thought: "Thought") -> Callable[[], None]:
            added = player.swap2(board, thought, tuple(self._blocked))
            return lambda: answer(added)

        return Request(lambda: player.think_of_swap2(board, arrival), search)

    _HANDLERS: "ClassVar[dict[str, Callable[[Dialogue, str], Request | None]]]" = {  # noqa: RUF012
        "ABOUT": _about,
        "BEGIN": _begin,
        "BENCH": _ignore,
        "END": _ignore,
        "INFO": _info,
        "PLAY": _play,
        "RECTSTART": _rectstart,
        "RESTART": _restart,
        "START": _start,
        "TAKEBACK": _takeback,
        "TURN": _turn,
        "YXBALANCEONE": _yxbalanceone,
        "YXBALANCETWO": _yxbalancetwo,
        "YXBLOCKRESET": _yxblockreset,
        "YXHASHCLEAR": _yxhashclear,
        "YXNBEST": _yxnbest,
        "YXSEARCHDEFEND": _yxsearchdefend,
        "YXSHOWFORBID": _yxshowforbid,
        "YXSHOWINFO": _yxshowinfo,
        "YXSWAP2STEP1": _yxswap2step1,
        "YXSWAP2STEP2": _yxswap2step2,
        "YXSWAP2STEP3": _yxswap2step3,
    }
    _BLOCK_ENDS: "ClassVar[dict[str, Callable[[Dialogue, Block], Request | None]]]" = {  # noqa: RUF012
        "BOARD": _board_done,
        "SWAP2BOARD": _swap2_done,
        "YXBLOCK": _yxblock_done,
        "YXBLOCKUNDO": _yxblockundo_done,
        "YXBOARD": _yxboard_done,
        blocks.SKIPPED: lambda dialogue, block: None,
    }
