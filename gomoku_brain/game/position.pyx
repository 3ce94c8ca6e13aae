"""``Board``: a position for Python, with legality, winner and history."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from operator import index

from gomoku_brain.game.board cimport (
    BoardState, Cell, Ply, class_at, clear_board, copy_board, count_of, is_empty, place,
    rank_at, stone_at, unplace
)
from gomoku_brain.game.forbidden cimport (
    DOUBLE_FOUR, DOUBLE_THREE, NO_FOUL, OVERLINE, foul_of, is_forbidden
)
from gomoku_brain.game.geometry cimport (
    CELLS, cell_of, cell_x, cell_y, direction_step
)
from gomoku_brain.game.patterns cimport (
    COUNT_WORDS, FIVE, FOUL, MAKES_FOUR, MAYBE_FOUR_THREE_TWO, RANK_MASK, lane_of,
    rule_tables
)
from gomoku_brain.game.rules cimport (
    BLACK, MAX_SIZE, MAX_STONES, MIN_SIZE, WALL, WHITE, RuleSpec, rule_spec
)

from gomoku_brain.game.notation import Move, as_move, as_moves, draw_board, parse_board
from gomoku_brain.game.patterns import CLASS_NAMES
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side

_FOULS = {OVERLINE: "overline", DOUBLE_FOUR: "double-four", DOUBLE_THREE: "double-three"}

# The move of each cell, created once: a list of moves only refers to them.
cdef list MOVES = [None] * CELLS


def _fill_moves():
    for y in range(MAX_SIZE):
        for x in range(MAX_SIZE):
            MOVES[cell_of(x, y)] = Move(x, y)


_fill_moves()


cdef int run_winner(const BoardState *board, int cell) noexcept nogil:
    """Return the side whose stone on ``cell`` stands in a winning run, or -1."""
    cdef int side = stone_at(board, cell), d, step, run, ahead, behind
    cdef RuleSpec spec
    if side != BLACK and side != WHITE:
        return -1
    spec = rule_spec(board.tables.rule, side)
    for d in range(4):
        step = direction_step(d)
        ahead = cell
        while stone_at(board, ahead) == side:
            ahead += step
        behind = cell
        while stone_at(board, behind) == side:
            behind -= step
        run = (ahead - behind) / step - 1
        if run < 5 or (run > 5 and spec.exact):
            continue
        if (
            run == 5 and spec.free_end
            and stone_at(board, ahead) == (side ^ 1)
            and stone_at(board, behind) == (side ^ 1)
        ):
            continue
        return side
    return -1


cdef enum:
    KEY_HEAD = 4                # bytes of a position key before the cells
    MAX_KEY = KEY_HEAD + MAX_STONES / 4    # 484 cells, four to a byte


cdef struct Image:              # places of an image's cells among the cells of a board
    int first                   # of the upper left cell of the image
    int right                   # step to its next column
    int down                    # step to its next row


cdef Image image_of(int width, int height, int symmetry) noexcept nogil:
    """Return the image of a board under a symmetry, as ``symmetry`` numbers them."""
    cdef Image image
    image.first = 0
    image.right = 1
    image.down = width
    if symmetry & 1:
        image.first += width - 1
        image.right = -1
    if symmetry & 2:
        image.first += (height - 1) * width
        image.down = -width
    if symmetry & 4:
        image.right, image.down = image.down, image.right
    return image


cdef bint is_smaller(
    const unsigned char *cells, int width, int height, int symmetry, int other
) noexcept nogil:
    """Whether the image under one symmetry comes before that under another, by its
    cells.
    """
    cdef Image image = image_of(width, height, symmetry)
    cdef Image second = image_of(width, height, other)
    cdef int y, a, b
    for y in range(height):
        a = image.first + y * image.down
        b = second.first + y * second.down
        for _ in range(width):
            if cells[a] != cells[b]:
                return cells[a] < cells[b]
            a += image.right
            b += second.right
    return False


cdef void read_cells(const BoardState *board, unsigned char *cells) noexcept nogil:
    """Fill in the cells row by row, as ``position_key`` numbers their contents."""
    cdef int x, y, at = 0
    for y in range(board.height):
        for x in range(board.width):
            cells[at] = (stone_at(board, cell_of(x, y)) + 1) & 3
            at += 1


def _measures(size):
    """Return (width, height) of a size given as one number or two."""
    try:
        if isinstance(size, (tuple, list)):
            width, height = size
        else:
            width = height = size
        width, height = index(width), index(height)
    except (TypeError, ValueError):
        raise TypeError(
            f"a size is a whole number or (width, height), not {size!r}"
        ) from None
    if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
        raise ValueError(
            f"board size {width}x{height} is not within {MIN_SIZE}..{MAX_SIZE}"
        )
    return width, height


@cython.final
cdef class Board:
    """Position with its rule, its side to move, and the order of its stones.

    ``Board(size=15, rule="freestyle")`` is an empty board. ``size`` is the number of
    cells along a side, or ``(width, height)``, each 5 to 22. ``rule`` is a ``Rule``,
    its name or its number. Raises ValueError for another size or an unknown rule.

    Every parameter that is a move accepts a ``Move``, ``(x, y)`` counted from 0 at the
    upper left corner, or text as in "h8". Other types raise TypeError, text that names
    no cell raises ValueError.

    A board changes, so it has no hash: take ``board.position_key`` as the key of a
    dictionary. The class is final: let your own class have a board instead of a base.
    Threads may share a board that none of them changes; give each of the others a copy.

    >>> board = Board.from_moves("h8 h9 j10", size=15)
    >>> board.turn
    <Side.WHITE: 1>
    """

    PLANES = ("own", "opponent", "walls", "legal", "black_to_move")
    LAST_MOVE_PLANE = "last_move"

    def __cinit__(self):
        self.state = <BoardState *> malloc(sizeof(BoardState))
        if self.state == NULL:
            raise MemoryError("no memory for a board")

    def __dealloc__(self):
        free(self.state)

    def __init__(self, size=15, rule=DEFAULT_RULE):
        width, height = _measures(size)
        self.rule_code = Rule(rule)
        if rule_tables(self.rule_code) == NULL:
            raise MemoryError("no memory for the pattern tables")
        self.start(width, height)

    cdef void start(self, int width, int height) noexcept:
        # A plain board has no values; a search sets its own in its copy.
        tables = rule_tables(self.rule_code)
        clear_board(self.state, width, height, tables, tables.plain)
        self.winning_side = -1
        self.order = []

    @classmethod
    def from_moves(cls, moves, size=15, rule=DEFAULT_RULE):
        """Return the position after a list of moves from the empty board, black first.

        Raises ValueError for unreadable text and for a cell off the board or occupied.
        """
        board = cls(size, rule)
        for move in as_moves(moves):
            board.play(move)
        return board

    @classmethod
    def from_stones(cls, black, white, walls=(), *, turn=None, size=15,
                    rule=DEFAULT_RULE):
        """Return a position with any stones; ``walls`` are stones of neither side.

        Each is a text as "h8 h9" or a list of moves. Without ``turn`` (a ``Side`` or
        its name), black is to move unless it has more stones than white. Raises
        ValueError for a cell off the board or occupied.
        """
        cdef Board board = cls(size, rule)
        stones = [
            (BLACK, as_moves(black)), (WHITE, as_moves(white)), (WALL, as_moves(walls))
        ]
        for stone, moves in stones:
            for move in moves:
                board.put(move, stone, True)
        board.winning_side = board.standing_winner()
        if turn is None:
            turn = len(stones[0][1]) > len(stones[1][1])
        board.state.side = Side(turn)
        return board

    @classmethod
    def from_picture(cls, picture, *, turn=None, rule=DEFAULT_RULE):
        """Return the position in a picture, as ``str(board)`` draws it or without
        coordinates.

        X is black, O white, # a wall and . an empty cell; the size is that of the
        picture. Without ``turn``, black is to move unless it has more stones than
        white. Raises ValueError for text that is no picture of a board.

        >>> Board.from_picture(str(Board.from_moves("h8 h9 j10"))).turn
        <Side.WHITE: 1>
        """
        if not isinstance(picture, str):
            raise TypeError(f"a picture is a text, not {picture!r}")
        shown = parse_board(picture)
        return cls.from_stones(
            shown.black, shown.white, shown.walls,
            turn=turn, size=(shown.width, shown.height), rule=rule,
        )

    @classmethod
    def from_planes(cls, planes, *, rule=DEFAULT_RULE):
        """Return the position in an array of ``planes``; needs numpy.

        Any array of numbers 0 and 1 (or false and true) of that shape is accepted. The
        plane of legal moves is ignored, since the rule determines them. The position
        has no order of stones. Raises ValueError for another shape, other numbers, two
        stones on one cell, and a last plane with different values.
        """
        import numpy
        array = numpy.asarray(planes)
        if array.ndim != 3 or len(array) != len(cls.PLANES):
            raise ValueError(
                f"planes have the shape ({len(cls.PLANES)}, height, width),"
                f" not {array.shape}"
            )
        if not numpy.isin(array, (0, 1)).all():
            raise ValueError("planes hold the numbers 0 and 1 only")
        own, opponent, walls, _, last = array.astype(bool)
        black_to_move = bool(last.any())
        if black_to_move and not last.all():
            raise ValueError("the plane of the side to move is not all the same")
        black, white = (own, opponent) if black_to_move else (opponent, own)
        stones = [
            [(x, y) for y, x in numpy.argwhere(plane).tolist()]
            for plane in (black, white, walls)
        ]
        return cls.from_stones(
            *stones, turn=Side.BLACK if black_to_move else Side.WHITE,
            size=(array.shape[2], array.shape[1]), rule=rule,
        )

    cdef int cell_for(self, object move) except -1:
        x, y = as_move(move)
        if not (0 <= x < self.state.width and 0 <= y < self.state.height):
            raise ValueError(
                f"{Move(x, y)} is off the {self.state.width}x{self.state.height} board"
            )
        return cell_of(x, y)

    cdef void note_winner(self, int cell) noexcept:
        """Set the winner by the first line that wins; later stones do not change it."""
        if self.winning_side < 0:
            self.winning_side = run_winner(self.state, cell)

    cdef int standing_winner(self) noexcept:
        """Return the side with a winning line on the board, or -1 (for set-up
        positions).
        """
        cdef int x, y, winner
        for y in range(self.state.height):
            for x in range(self.state.width):
                winner = run_winner(self.state, cell_of(x, y))
                if winner >= 0:
                    return winner
        return -1

    cdef int put(self, object move, int stone, bint setup=False) except -1:
        """Place a stone and record the state that undo must restore.

        Stones of a set-up have no order, so their winner is determined on demand.
        """
        cdef int cell = self.cell_for(move)
        if not is_empty(self.state, cell):
            raise ValueError(f"{MOVES[cell]} is occupied")
        self.order.append(
            (MOVES[cell], stone, None if setup else self.winning_side, self.state.side)
        )
        place(self.state, cell, stone)
        return cell

    def play(self, move, *, strict=False):
        """Place a stone of the side to move and pass the turn.

        Forbidden points and moves after the end of the game are accepted, because
        judging a game is the referee's task; with ``strict`` they raise ValueError.
        Raises ValueError for a cell off the board or occupied.
        """
        cdef int side = self.state.side
        if strict:
            self.refuse(move)
        self.note_winner(self.put(move, side))
        self.state.side = side ^ 1

    cdef int refuse(self, object move) except -1:
        """Raise ValueError for a move after the end of the game or on a foul."""
        result = self.result
        if result != "*":
            raise ValueError(f"the game is over: {result}")
        foul = self.foul(move) if self.state.side == BLACK else None
        if foul is not None:
            raise ValueError(f"{MOVES[self.cell_for(move)]} is forbidden: a {foul}")
        return 0

    def undo(self):
        """Take back the last stone. Raises ValueError if there is none."""
        if not self.order:
            raise ValueError("no stone to take back")
        move, _, winner, self.state.side = self.order.pop()
        unplace(self.state)
        self.winning_side = self.standing_winner() if winner is None else winner
        return move

    def remove(self, move):
        """Remove any stone and change the side to move. ValueError if the cell is
        empty.
        """
        cdef int cell = self.cell_for(move), side = self.state.side, placed
        if is_empty(self.state, cell):
            raise ValueError(f"{MOVES[cell]} is empty")
        later = []
        while True:     # the board only steps back: undo down to it, then replace the others
            entry = self.order[len(self.order) - 1]
            self.undo()
            if entry[0] == MOVES[cell]:
                break
            later.append(entry)
        for entry in reversed(later):
            self.state.side = entry[3]
            placed = self.put(entry[0], entry[1], entry[2] is None)
            if entry[2] is None:
                self.winning_side = self.standing_winner()
            else:
                self.note_winner(placed)
        self.state.side = side ^ 1

    @property
    def width(self):
        """Columns, 5 to 22."""
        return self.state.width

    @property
    def height(self):
        """Rows, 5 to 22."""
        return self.state.height

    @property
    def rule(self):
        """Rule in force."""
        return Rule(self.rule_code)

    @property
    def turn(self):
        """Side to move; can be set."""
        return Side(self.state.side)

    @turn.setter
    def turn(self, side):
        self.state.side = Side(side)

    @property
    def ply(self):
        """Number of stones placed, walls included."""
        return len(self.order)

    @property
    def moves(self):
        """Cells in the order in which their stones were placed."""
        return tuple(entry[0] for entry in self.order)

    @property
    def winner(self):
        """Side that completed the first winning line (set up or played), or None."""
        return None if self.winning_side < 0 else Side(self.winning_side)

    @property
    def is_over(self):
        """Whether the game has ended: by a winning line, a foul or a full board."""
        return self.result != "*"

    @property
    def result(self):
        """The result of the game: "1-0" black won, "0-1" white won, "1/2-1/2" a full
        board, "*" not over.

        Black loses by a foul (renju) if it was the last move.
        """
        if self.winning_side >= 0:
            return "1-0" if self.winning_side == BLACK else "0-1"
        if self.last_is_foul():
            return "0-1"
        return "1/2-1/2" if self.is_full else "*"

    cdef bint last_is_foul(self) except -1:
        """Whether the last move is a foul of black."""
        cdef int side = self.state.side
        if not self.state.tables.fouls or not self.order:
            return False
        entry = self.order[len(self.order) - 1]
        if entry[1] != BLACK or entry[2] is None:
            return False
        self.undo()
        try:
            return self.foul(entry[0]) is not None
        finally:
            self.state.side = BLACK
            self.note_winner(self.put(entry[0], BLACK))
            self.state.side = side

    @property
    def is_full(self):
        """Whether no cell is empty."""
        return self.state.empties == 0

    @property
    def key(self):
        """Zobrist key of the stones (64 bits, without side to move, rule and size).

        Different positions may have equal keys; ``position_key`` is exact.
        """
        return self.state.plies[self.state.ply].key

    @property
    def position_key(self):
        """Exact key of the position, as bytes: hashable, sortable, the same everywhere.

        Two boards have equal keys if and only if rule, size, stones, walls and the side
        to move are equal; the order of the moves does not count. The first four bytes
        are the number of the rule, the width, the height and the side to move. Then the
        cells follow row by row, four to a byte, the first one in the highest two bits:
        0 = empty, 1 = black, 2 = white, 3 = wall.

        >>> Board.from_moves("h8 h9 j10").position_key == (
        ...     Board.from_moves("j10 h9 h8").position_key
        ... )
        True
        """
        cdef unsigned char[MAX_STONES] cells
        read_cells(self.state, cells)
        return self.key_of(cells, 0)

    cdef bytes key_of(self, const unsigned char *cells, int symmetry):
        """Return ``position_key`` of the image of this board, by its cells."""
        cdef unsigned char[MAX_KEY] packed
        cdef int count = self.state.width * self.state.height
        cdef Image image = image_of(self.state.width, self.state.height, symmetry)
        cdef int y, at = 0, from_cell
        memset(packed, 0, sizeof(packed))
        packed[0] = self.rule_code
        packed[1] = self.state.width        # a board that can be turned is square
        packed[2] = self.state.height
        packed[3] = self.state.side
        for y in range(self.state.height):
            from_cell = image.first + y * image.down
            for _ in range(self.state.width):
                packed[KEY_HEAD + (at >> 2)] |= cells[from_cell] << (6 - 2 * (at & 3))
                from_cell += image.right
                at += 1
        return packed[:KEY_HEAD + (count + 3) // 4]

    def canonical(self):
        """Return (key, symmetry): the canonical form of the position.

        The key is the smallest ``position_key`` of the position's images under its
        ``symmetries``, so it is the same for all of them. The symmetry is the first one
        that leads to it: ``board.transformed(symmetry).position_key`` is the key, and
        ``board.transform_move(move, symmetry)`` is a move in the canonical position.
        """
        cdef unsigned char[MAX_STONES] cells
        cdef int k, best = 0
        cdef int width = self.state.width, height = self.state.height
        read_cells(self.state, cells)
        for k in range(1, 8 if width == height else 4):
            if is_smaller(cells, width, height, k, best):
                best = k
        return self.key_of(cells, best), best

    def is_empty(self, move):
        """Whether the cell is on the board and free."""
        x, y = as_move(move)
        return (
            0 <= x < self.state.width and 0 <= y < self.state.height
            and bool(is_empty(self.state, cell_of(x, y)))
        )

    def is_wall(self, move):
        """Whether a stone of neither side is on the cell."""
        return stone_at(self.state, self.cell_for(move)) == WALL

    def stone(self, move):
        """Return the side whose stone is on the cell, or None."""
        cdef int stone = stone_at(self.state, self.cell_for(move))
        return Side(stone) if stone == BLACK or stone == WHITE else None

    def foul(self, move):
        """Return the foul of black on the cell, or None.

        It is "overline", "double-four" or "double-three", and always None unless the
        rule is renju. Raises ValueError for a cell off the board or occupied.
        """
        cdef int cell = self.cell_for(move)
        if not is_empty(self.state, cell):
            raise ValueError(f"{MOVES[cell]} is occupied")
        if not self.state.tables.fouls:
            return None
        return _FOULS.get(foul_of(self.state, cell))

    def wins_at(self, move):
        """Whether the side to move would complete a winning line on the cell."""
        return self.is_empty(move) and (
            rank_at(self.state, self.cell_for(move), self.state.side) == FIVE
        )

    def line_classes(self, move, side):
        """Return the line class of a stone of ``side`` on the cell, on each of its
        lines.

        The lines are the row, the column, the falling and the rising diagonal. The
        names are those of ``patterns.pxd``: "F5" five, "F4" and "B4" fours, "F3S", "F3"
        and "B3" threes .. "DEAD". A black three of renju counts here even if a foul
        makes it void. Raises ValueError for a cell off the board or occupied.
        """
        cdef int cell = self.cell_for(move), colour = Side(side), d
        if not is_empty(self.state, cell):
            raise ValueError(f"{MOVES[cell]} is occupied")
        return tuple([
            CLASS_NAMES[class_at(self.state, cell, d, colour)] for d in range(4)
        ])

    def is_legal(self, move):
        """Whether the side to move may play on the cell."""
        return self.is_empty(move) and self.may_play(self.cell_for(move))

    cdef bint may_play(self, int cell) noexcept:
        """Whether an empty cell is not forbidden to the side to move."""
        return not (
            self.state.tables.fouls
            and is_forbidden(self.state, cell, self.state.side)
        )

    def legal_moves(self):
        """Return all cells that the side to move may play, row by row.

        They do not end with a win, since the referee judges the game.
        """
        cdef int x, y, cell
        cdef list moves = []
        for y in range(self.state.height):
            for x in range(self.state.width):
                cell = cell_of(x, y)
                if is_empty(self.state, cell) and self.may_play(cell):
                    moves.append(MOVES[cell])
        return moves

    def forbidden_moves(self):
        """Return all points forbidden to black, whichever side is to move."""
        cdef int x, y, cell
        cdef list moves = []
        if not self.state.tables.fouls:
            return moves
        for y in range(self.state.height):
            for x in range(self.state.width):
                cell = cell_of(x, y)
                if is_empty(self.state, cell) and foul_of(self.state, cell) != NO_FOUL:
                    moves.append(MOVES[cell])
        return moves

    def legal_mask(self):
        """Return the legal moves as an array: bool of shape (height, width); needs
        numpy.

        ``mask[y, x]`` is the cell ``Move(x, y)``, so ``mask.nonzero()`` gives the rows
        and the columns of the legal moves in the order of ``legal_moves``.
        """
        return self.planes()[3].astype(bool)

    def planes(self, *, last_move=False):
        """Return the position as numbers 0 and 1: uint8 of shape (5, height, width).

        The planes are, in the order of ``PLANES``: the stones of the side to move,
        those of its opponent, the walls, the legal moves of the side to move, and one
        that is all 1 when black is to move and all 0 when white is. ``planes[k, y, x]``
        is the cell ``Move(x, y)``. Each call returns a new array. Needs numpy.

        With ``last_move`` a sixth plane is 1 at the last stone, and all 0 without one.
        """
        import numpy
        cdef int count = len(self.PLANES) + bool(last_move)
        cdef bytearray held = bytearray(count * self.state.width * self.state.height)
        self.fill_planes(held, last_move)
        return numpy.frombuffer(held, numpy.uint8).reshape(
            count, self.state.height, self.state.width
        )

    @staticmethod
    def stack_planes(boards, *, last_move=False):
        """Return the planes of boards of one size: uint8, (n, 5, height, width).

        As ``numpy.stack([board.planes() for board in boards])``, in a third of the
        time. Raises ValueError for boards of different sizes and for no board.
        """
        import numpy
        boards = list(boards)
        if not boards:
            raise ValueError("there is no board")
        cdef int width = boards[0].width, height = boards[0].height
        cdef int count = len(Board.PLANES) + bool(last_move)
        cdef Py_ssize_t each = count * width * height, at = 0
        cdef bytearray held = bytearray(len(boards) * each)
        cdef unsigned char *cells = held
        cdef Board board
        for board in boards:
            if board.state.width != width or board.state.height != height:
                raise ValueError("the boards have different sizes")
            board.fill_planes(cells + at, last_move)
            at += each
        return numpy.frombuffer(held, numpy.uint8).reshape(-1, count, height, width)

    cdef int fill_planes(self, unsigned char *cells, bint last_move) except -1:
        """Write the planes to cleared bytes."""
        cdef int x, y, cell, stone, side = self.state.side
        cdef int width = self.state.width, height = self.state.height
        cdef int area = width * height, at = 0
        if last_move and self.order:
            x, y = self.order[len(self.order) - 1][0]
            cells[5 * area + y * width + x] = 1
        for y in range(height):
            for x in range(width):
                cell = cell_of(x, y)
                stone = stone_at(self.state, cell)
                if is_empty(self.state, cell):
                    cells[3 * area + at] = self.may_play(cell)
                elif stone == WALL:
                    cells[2 * area + at] = 1
                else:
                    cells[area * (stone != side) + at] = 1
                cells[4 * area + at] = side == BLACK
                at += 1
        return 0

    @property
    def symmetries(self):
        """The symmetries of the board: 0 to 7, or 0 to 3 if it is not square.

        A number is a sum: 1 mirrors left and right, 2 mirrors top and bottom, 4 then
        swaps x and y.
        """
        from gomoku_brain.game.symmetry import symmetries
        return symmetries(self.width, self.height)

    def transformed(self, symmetry):
        """Return the image of the position under a symmetry, with its history.

        Raises ValueError for a number that is none of ``symmetries``.
        """
        entries = [
            (self.transform_move(move, symmetry), *rest) for move, *rest in self.order
        ]
        self.transform_move((0, 0), symmetry)
        size = self.width, self.height
        width, height = size[::-1] if symmetry & 4 else size
        return _unpickled(
            width, height, self.rule_code, entries, self.state.side, self.winning_side
        )

    def index_of(self, move):
        """Return the index of a cell in rows from the top: ``y * width + x``.

        It is that of the cell in a plane of ``planes`` as one row. Raises ValueError
        for a cell off the board.
        """
        cdef int cell = self.cell_for(move)
        return cell_y(cell) * self.state.width + cell_x(cell)

    def move_at(self, number):
        """Return the cell of an index, as ``index_of`` numbers them.

        Raises ValueError for an index outside 0 .. width * height - 1.
        """
        cdef int at, cells = self.state.width * self.state.height
        at = min(max(index(number), -1), cells)
        if not 0 <= at < cells:
            raise ValueError(
                f"{number} is no index of a {self.state.width}x{self.state.height} board"
            )
        return Move(at % self.state.width, at // self.state.width)

    def transform_move(self, move, symmetry):
        """Return the image of a cell of this board under a symmetry.

        Raises ValueError for a number that is none of ``symmetries``.
        """
        from gomoku_brain.game.symmetry import transform_move
        return transform_move(as_move(move), self.width, self.height, symmetry)

    def copy(self):
        """Return an independent copy, history included."""
        cdef Board board = Board.__new__(Board)
        board.take_over(self)
        return board

    cdef void take_over(self, Board other):
        """Make this board a copy of another one."""
        cdef const Ply *last = &other.state.plies[other.state.ply]
        # Only what is in use: the fields up to the last ply, and the undo list.
        memcpy(self.state, other.state, <size_t> (last + 1) - <size_t> other.state)
        memcpy(self.state.undo, other.state.undo, last.undo_top * sizeof(Cell))
        self.rule_code = other.rule_code
        self.winning_side = other.winning_side
        self.order = other.order[:]

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        entries = [(tuple(move), *rest) for move, *rest in self.order]
        return _unpickled, (
            self.width, self.height, self.rule_code, entries, self.state.side,
            self.winning_side,
        )

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        cdef Board board = other
        # a larger board with walls at its edges has the same lines
        return (
            self.rule_code == board.rule_code
            and self.state.width == board.state.width
            and self.state.height == board.state.height
            and self.state.side == board.state.side
            and memcmp(
                self.state.lines, board.state.lines, sizeof(self.state.lines)
            ) == 0
        )

    __hash__ = None

    def __str__(self):
        cdef int x, y
        stones = {}
        for y in range(self.height):
            for x in range(self.width):
                if not is_empty(self.state, cell_of(x, y)):
                    stones[Move(x, y)] = "XO#"[stone_at(self.state, cell_of(x, y))]
        return draw_board(self.width, self.height, stones)

    def __repr__(self):
        return (
            f"<Board {self.width}x{self.height} {self.rule.name.lower()}, "
            f"{self.ply} stones, {self.turn.name.lower()} to move>"
        )

    def svg(self, *, numbers=False, cell=28, values=None):
        """Return the board as a picture in SVG, which notebooks show automatically.

        ``cell`` is the width of a cell in pixels. ``numbers`` writes on each stone its
        place in the order of moves. The last stone has a mark. ``values`` is a mapping
        from moves to numbers, which are written on their cells, the greatest in a
        frame.
        """
        from gomoku_brain.game.diagram import board_svg
        stones = [(move, stone) for move, stone, *_ in self.order]
        return board_svg(
            self.width, self.height, stones, numbers=numbers, cell=cell, values=values
        )

    def _repr_svg_(self):
        return self.svg()

    def verify(self):
        """Raise AssertionError unless all incremental state equals recomputed state."""
        _verify(self.state)


def _unpickled(width, height, rule, entries, side, winner):
    """Rebuild a board from its recorded stones, for copies and pickles."""
    cdef Board board = Board((width, height), rule)
    for move, stone, before, turn in entries:
        board.state.side = turn
        board.winning_side = -1 if before is None else before
        board.put(move, stone, before is None)
    board.state.side = side
    board.winning_side = winner
    return board


def _expect(condition, what):
    """Raise AssertionError unless the condition of one check holds."""
    if not condition:
        raise AssertionError(f"incremental state differs: {what}")


cdef _verify(const BoardState *board):
    """Raise AssertionError unless all incremental values equal recomputed ones."""
    cdef BoardState *recomputed = <BoardState *> malloc(sizeof(BoardState))
    cdef const Ply *mine
    cdef const Ply *theirs
    cdef int x, y, cell, side, k, rank, found
    if recomputed == NULL:
        raise MemoryError("no memory for a board")
    try:
        copy_board(recomputed, board, board.values[0])
        mine = &board.plies[board.ply]
        theirs = &recomputed.plies[0]
        _expect(mine.key == theirs.key, "key")
        _expect(board.empties == recomputed.empties, "empties")
        for side in range(2):
            for k in range(COUNT_WORDS):
                _expect(
                    mine.counts[side][k] == theirs.counts[side][k],
                    f"counts of side {side}, word {k}",
                )
            for rank in range(FOUL, (FIVE & RANK_MASK) + 1):
                if rank >= (MAYBE_FOUR_THREE_TWO & RANK_MASK):
                    rank |= MAKES_FOUR
                found = 0
                for cell in range(CELLS):
                    found += is_empty(board, cell) and rank_at(board, cell, side) == rank
                _expect(
                    lane_of(rank) < 0 or count_of(board, side, rank) == found,
                    f"count of rank {rank} of side {side}",
                )
            _expect(mine.totals[side] == theirs.totals[side], "totals")
        for y in range(32):
            _expect(board.empty[y] == recomputed.empty[y], f"empty cells of row {y}")
            _expect(mine.candidates[y] == theirs.candidates[y], f"candidates of row {y}")
            for side in range(2):
                _expect(board.fours[side][y] == recomputed.fours[side][y], f"fours of row {y}")
        for y in range(board.height):
            for x in range(board.width):
                cell = cell_of(x, y)
                if is_empty(board, cell):
                    _expect(
                        memcmp(
                            &board.cells[cell], &recomputed.cells[cell], sizeof(Cell)
                        ) == 0,
                        f"cell {Move(x, y)}",
                    )
    finally:
        free(recomputed)
