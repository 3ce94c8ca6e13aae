"""Execution of the manager's commands: the position, the dialect and the answers.

A ``Dialogue`` executes one command after the other, in one thread. The session handles
commands that arrive during a search.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from gomoku_brain.engine.time_manager import moves_left
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import SIDE_LENGTHS, Rule, Side
from gomoku_brain.protocol import blocks, commands
from gomoku_brain.protocol.blocks import Block
from gomoku_brain.protocol.commands import Command
from gomoku_brain.protocol.options import most_threads
from gomoku_brain.protocol.thinker import Thinker
from gomoku_brain.version import __version__

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import ClassVar

    from gomoku_brain.engine.swap2 import Offer
    from gomoku_brain.game.position import Board
    from gomoku_brain.protocol.thought import Thought

__all__ = ["Dialogue", "NewBoard"]

NewBoard = Callable[[tuple[int, int], Rule], "Board"]

_MAX_HASH_EXPONENT = 22  # 2^22 KiB: the end of Yixin-Board's slider for the table


class Dialogue:
    """Executor of the commands of one manager, in their order.

    ``reply`` receives each line for the manager. ``think(share, moves)`` returns the
    thought about the requested move: ``share`` is the part of its time that the search
    may use, ``moves`` the largest number of own moves until the board is full.
    ``board`` creates a board from a size and a rule; the default is the real one.
    ``seed`` makes the swap2 openings that the brain offers reproducible.
    """

    def __init__(
        self,
        thinker: Thinker,
        *,
        reply: Callable[[str], None],
        think: "Callable[[float, int], AbstractContextManager[Thought]]",
        board: NewBoard | None = None,
        seed: int | None = None,
    ) -> None:
        """Create a dialogue without loading the board."""
        self.board: Board | None = None
        """The position; None before the first START."""
        self._thinker = thinker
        self._options = thinker.options
        self._reply = reply
        self._think = think
        self._new_board = board
        self._seed = seed
        self._yixin = False  # the manager speaks the Yixin dialect
        self._blocked: dict[Move, None] = {}  # in the order sent
        self._block: Block | None = None
        self._arrival = 0.0  # start of the command's clock, in seconds
        # From the brain's move to the next command: the expected reply, or an empty
        # tuple if it is unknown. None if there is nothing to ponder.
        self._expected: tuple[Move, ...] | None = None

    def load(self) -> None:
        """Import the board, once."""
        if self._new_board is None:
            from gomoku_brain.game.position import Board

            self._new_board = Board

    def prepare(self) -> None:
        """Load the engine and its data for the rule, if a game has started.

        Raises ``ImportError`` if the compiled modules are missing, because then no
        search is possible.
        """
        if self.board is None:
            return
        try:
            self._thinker.prepare(self.board.rule)
        except ImportError:
            raise
        except Exception as error:  # the search raises it again
            self._thinker.log_error(error)

    @property
    def collects(self) -> bool:
        """Whether further lines up to DONE belong to the current command."""
        return self._block is not None

    def execute(self, command: Command, arrival: float) -> None:
        """Execute a command whose clock started at ``arrival`` (seconds)."""
        self._arrival = arrival
        if command.word != "INFO":  # pondering continues after INFO
            self._expected = None
        if self._block is not None:
            if not commands.is_command(command.word):
                self._add_to(self._block, command.text)
                return
            block, self._block = self._block, None
            if block.word != blocks.SKIPPED:
                self.error(f"{block.word} without DONE")
        word = command.word
        if word.startswith("YX"):
            self._yixin = True
        handler = self._HANDLERS.get(word)
        if handler is not None:
            handler(self, command.rest)
        elif word in blocks.ARITY:
            self._add_to(Block(word), command.rest)
        elif commands.is_command(word):
            self._block = Block(blocks.SKIPPED)
        elif not (self._yixin and word == "DONE"):
            self._reply(commands.unknown_reply(word))

    def _add_to(self, block: Block, text: str) -> None:
        """Add a line to a block. Execute the block's command at DONE."""
        done = block.add(text)
        self._block = None if done else block
        if done:
            self._BLOCK_ENDS[block.word](self, block)

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

    def open_proof(self) -> None:
        """Open the proof for the game on the board, if there is one."""
        if self.board is not None:
            rule = self._options.rule_in_force(yixin=self._yixin)
            self._thinker.open_proof(rule, self.board.width, self.board.height)

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
            self._thinker.forget()
        return board

    def _set_up(
        self, size: tuple[int, int], stones: Iterable[tuple[Move, Side | None]] = ()
    ) -> "Board":
        """Start a game with stones in their order. A stone of side None is a wall."""
        self.load()
        assert self._new_board is not None
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
        # The manager waits for OK. The tables of the rule are created after it.
        self._reply(commands.OK)
        before, board = self.board, self._set_up((numbers[0], numbers[1]))
        self._thinker.new_match()
        # Yixin-Board sends START before every move, and yxhashclear for a new game.
        is_same_game = before is not None and (
            (before.width, before.height, before.rule)
            == (board.width, board.height, board.rule)
        )
        if not (self._yixin and is_same_game):
            self._thinker.forget()

    def _restart(self, rest: str) -> None:
        board = self._game()
        if board is not None:
            self._start_game([board.width, board.height])

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
        self._reply(commands.about_reply(__version__))

    def _info(self, rest: str) -> None:
        self._thinker.take_info(rest)
        if self.board is not None:
            self._game()  # creates the tables of a new rule in advance

    def _board_done(self, block: Block) -> None:
        if self._set_position(block):
            self._answer()

    def _swap2_done(self, block: Block) -> None:
        board = self._game()
        if board is None:
            return
        stones = [Move(x, y) for x, y in block.rows]
        if block.broken or not blocks.are_distinct_cells(board, stones):
            self.error("bad line in SWAP2BOARD")
            return
        if len(stones) not in (0, 3, 5):
            self.error("SWAP2BOARD takes 0, 3 or 5 stones")
            return
        if not stones:
            self._reply(commands.moves_reply(self._place_three(board)))
            return
        board = self._set_up((board.width, board.height), blocks.alternating(stones))
        added = self._choose_colour(board)
        for move in added:
            board.play(move)
        self._reply(commands.moves_reply(added) if added else "SWAP")

    # Commands of the Yixin dialect

    def _yxboard_done(self, block: Block) -> None:
        self._set_position(block)

    def _yxnbest(self, rest: str) -> None:
        count = commands.parse_number(rest) or 1
        if self._game() is not None:
            self._answer(multipv=max(count, 1))

    def _yxshowforbid(self, rest: str) -> None:
        board = self._game() if self.board is not None else None
        moves = board.forbidden_moves() if board is not None else ()
        self._reply(commands.forbid_reply(moves))

    def _yxhashclear(self, rest: str) -> None:
        self._thinker.forget()

    def _yxshowinfo(self, rest: str) -> None:
        self._reply(f"MESSAGE INFO MAX_THREAD_NUM {most_threads()}")
        self._reply(f"MESSAGE INFO MAX_HASH_SIZE {_MAX_HASH_EXPONENT}")

    def _yxblock_done(self, block: Block) -> None:
        self._blocked |= dict.fromkeys(Move(x, y) for x, y in block.rows)

    def _yxblockundo_done(self, block: Block) -> None:
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
        added = self._choose_colour(board)
        if len(added) < 2:  # Yixin-Board requests a single white stone by BOARD
            self._reply(f"MESSAGE SWAP2 {name} {'NO' if added else 'YES'}")
            return
        for move in added:
            board.play(move)
        for line in commands.swap2_messages(added, first=4):
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

    def _answer(self, *, multipv: int = 1) -> None:
        """Choose a move for the side to move, play it and send it as one line."""
        board = self.board
        assert board is not None
        if board.is_full:
            self.error("board is full")
            return
        move = self._first_stone(board)
        expected: tuple[Move, ...] = ()
        if move is not None:
            self._thinker.skip(self._arrival)
        else:
            with self._think(
                1.0, moves_left(board.width * board.height, board.ply)
            ) as thought:
                result = thought.search(board, multipv, self._excluded(board))
            move = self._legal_or_nearest(board, thought.best)
            if result is not None and result.pv[0] == move:
                expected = result.pv[1:2]
        board.play(move)
        self._reply(commands.move_reply(move))
        self._expected = expected

    def _first_stone(self, board: "Board") -> Move | None:
        """Return the centre of an empty board. Return None if a search is necessary."""
        centre = Move(board.width // 2, board.height // 2)
        return None if board.ply or centre in self._blocked else centre

    def _place_three(self, board: "Board") -> "Offer":
        """Place three opening stones of swap2 on an empty board and return them."""
        from gomoku_brain.engine import swap2

        size = (board.width, board.height)
        board = self._set_up(size)
        offers = swap2.three_stones(*size, board.rule, self._seed)
        with self._think(
            1.0, moves_left(board.width * board.height, board.ply)
        ) as thought:
            best = self._most_even(thought, board, offers)
        stones = best[0] if best else offers[0]
        for move in stones:
            board.play(move)
        return stones

    def _choose_colour(self, board: "Board") -> "Offer":
        """Return the stones to add in swap2, with white to move.

        No stone means to take black, one to stay white, two to let the opponent choose.
        """
        from gomoku_brain.engine import swap2

        may_offer = board.ply == 3
        share = swap2.CHOICE_SHARE if may_offer else 1.0
        with self._think(
            share, moves_left(board.width * board.height, board.ply)
        ) as thought:
            result = thought.search(board, 1, self._excluded(board))
            best = None
            if may_offer and result is not None and swap2.is_even(result):
                best = self._most_even(thought, board, self._pairs(board))
        if best and swap2.is_small(best[1]):
            return best[0]
        if result is not None and swap2.takes_black(result):
            return ()
        return (self._legal_or_nearest(board, thought.best),)

    def _pairs(self, board: "Board") -> "list[Offer]":
        """Return the pairs of stones that swap2 may add to three stones."""
        from gomoku_brain.engine import swap2

        seed = None if self._seed is None else f"{self._seed} {board.moves}"
        return swap2.two_stones(board.width, board.height, board.moves, seed)

    def _most_even(
        self, thought: "Thought", board: "Board", offers: "list[Offer]"
    ) -> "tuple[Offer, int] | None":
        """Return the offer whose score is nearest to even, with its score.

        The searches use the rest of the move's time. Return None if there was no time
        for any.
        """
        from gomoku_brain.engine import swap2

        comparison = thought.compare()

        def score(offer: "Offer", nodes: int) -> int | None:
            position = board.copy()
            for move in offer:
                position.play(move)
            return comparison.score(position, nodes)

        return swap2.most_even(offers, score)

    def _excluded(self, board: "Board") -> tuple[Move, ...]:
        """Return the blocked cells, or none if every empty cell is blocked."""
        blocked = tuple(move for move in self._blocked if board.is_empty(move))
        return () if len(blocked) == len(blocks.empty_cells(board)) else blocked

    def _legal_or_nearest(self, board: "Board", move: Move | None) -> Move:
        """Return the move if it is legal, else the nearest legal move.

        Without a move, as after a failed search, prefer a move that makes or stops a
        five.
        """
        if move is not None and board.is_legal(move):
            return move
        # In renju black may have only forbidden cells left. A move is due all the same.
        moves = board.legal_moves() or blocks.empty_cells(board)
        if move is None:
            moves = _fives(board, moves) or moves
        around = move or Move(board.width // 2, board.height // 2)
        return min(moves, key=lambda m: max(abs(m.x - around.x), abs(m.y - around.y)))

    _HANDLERS: "ClassVar[dict[str, Callable[[Dialogue, str], None]]]" = {  # noqa: RUF012
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
        "YXBLOCKRESET": _yxblockreset,
        "YXHASHCLEAR": _yxhashclear,
        "YXNBEST": _yxnbest,
        "YXSHOWFORBID": _yxshowforbid,
        "YXSHOWINFO": _yxshowinfo,
        "YXSWAP2STEP1": _yxswap2step1,
        "YXSWAP2STEP2": _yxswap2step2,
        "YXSWAP2STEP3": _yxswap2step3,
    }
    _BLOCK_ENDS: "ClassVar[dict[str, Callable[[Dialogue, Block], None]]]" = {  # noqa: RUF012
        "BOARD": _board_done,
        "SWAP2BOARD": _swap2_done,
        "YXBLOCK": _yxblock_done,
        "YXBLOCKUNDO": _yxblockundo_done,
        "YXBOARD": _yxboard_done,
        blocks.SKIPPED: lambda dialogue, block: None,
    }


def _fives(board: "Board", moves: list[Move]) -> list[Move]:
    """Return the moves that win at once, else those that stop an immediate win."""
    turn, found = board.turn, list[Move]()
    try:
        for side in (turn, turn.other):
            board.turn = side
            found = found or [move for move in moves if board.wins_at(move)]
    finally:
        board.turn = turn
    return found
