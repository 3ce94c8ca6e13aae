"""Replay of a claimed win by force against every legal defence.

This check stands between the solver and the announcement of a win, so it shares no code
with the solver. It uses the board, the rule of a five and the legal moves, and searches
for wins by fours with a plain search of its own. A defence that is in the tree is
followed into the tree; against every other defence the attacker must win by fours.

Two facts save time. A five that is threatened on a cell can only be prevented by a
stone on one of the four lines through that cell, within reach; against any other reply
it is made at once. And a win by fours that was found against one reply is tried first
against the next: it is played, not assumed.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport (
    BoardState, copy_board, count_of, five_cells, is_empty, make_move, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    DIRECTIONS, MARGIN, NO_CELL, STRIDE, cell_of, cell_x, cell_y, column_bit,
    direction_step, padded_y
)
from gomoku_brain.game.patterns cimport FIVE
from gomoku_brain.game.position cimport Board, run_winner
from gomoku_brain.control.search_control cimport ControlState, SearchControl, must_stop

from gomoku_brain.game.notation import Move

cdef enum:
    MAX_FOURS = 60         # of one win by fours
    REPLY_NODES = 500_000   # nodes to find one against a reply that is not in the tree
    POLL_NODES = 1024
    FAILURES = 1 << 16      # stored positions without a win by so many fours


cdef struct Replay:
    BoardState board
    int attacker
    int maximum                    # most moves of the attacker
    int root_ply                # ply from which they are counted
    uint64_t nodes
    uint64_t limit              # of the whole replay
    uint64_t reply_limit        # fours of the win that is searched for
    uint64_t next_poll
    ControlState *control
    bint stopped
    bint cut                    # whether more fours than allowed might have won
    int[MAX_FOURS + 1] hints   # the fours of the last win found
    uint64_t[FAILURES] failed   # key with the number of fours in its low byte


cdef bint halted(Replay *self) noexcept nogil:
    if self.nodes >= self.limit:
        self.stopped = True
    elif self.nodes >= self.next_poll:
        self.next_poll = self.nodes + POLL_NODES
        if must_stop(self.control):
            self.stopped = True
    return self.stopped


cdef inline int moves_left(const Replay *self) noexcept nogil:
    """Return the moves that the attacker may still make, whichever side is to move."""
    return self.maximum - (self.board.ply - self.root_ply + 1) // 2


cdef bint five_now(Replay *self) noexcept nogil:
    """Whether the attacker, to move, completes a five; it is played and checked."""
    cdef int cell
    cdef bint wins
    if moves_left(self) < 1 or not five_cells(&self.board, self.attacker, &cell, 1):
        return False
    make_move(&self.board, cell)
    wins = run_winner(&self.board, cell) == self.attacker
    undo_move(&self.board)
    return wins


cdef bint four_wins(Replay *self, int cell, int fours, int depth, bint hinted) noexcept nogil:
    """Whether the attacker's four on ``cell`` and at most ``fours`` more win."""
    cdef BoardState *board = &self.board
    cdef int attacker = self.attacker, five, d, offset, reply
    cdef bint wins = True
    if not is_empty(board, cell) or is_forbidden(board, cell, attacker):
        return False
    make_move(board, cell)
    self.nodes += 1
    if count_of(board, attacker ^ 1, FIVE) or not five_cells(board, attacker, &five, 1):
        undo_move(board)
        return False
    for d in range(DIRECTIONS):
        for offset in range(-board.tables.reach, board.tables.reach + 1):
            reply = five + offset * direction_step(d)
            if (
                not is_empty(board, reply) or (offset == 0 and d > 0)
                or is_forbidden(board, reply, attacker ^ 1)
            ):
                continue
            make_move(board, reply)
            self.nodes += 1
            wins = five_now(self) or fours_win(self, fours, depth + 1, hinted)
            undo_move(board)
            if not wins:
                break
        if not wins:
            break
    undo_move(board)
    return wins


cdef bint fours_win(Replay *self, int fours, int depth, bint hinted) noexcept nogil:
    """Whether the attacker, to move, wins by at most ``fours`` fours and a five.

    With ``hinted`` only the fours of the last win are tried, in their order.
    """
    cdef BoardState *board = &self.board
    cdef int row, cell
    cdef uint32_t bits
    cdef uint64_t key = board.plies[board.ply].key
    cdef uint64_t *slot = &self.failed[(key >> 8) & (FAILURES - 1)]
    if five_now(self):
        return True
    if fours <= 0 or depth >= MAX_FOURS:
        self.cut = True
        return False
    if hinted:
        return four_wins(self, self.hints[depth], fours - 1, depth, True)
    if (slot[0] ^ key) >> 8 == 0 and <int> (slot[0] & 255) >= fours:
        self.cut = True
        return False
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.fours[self.attacker][row]
        while bits:
            cell = row * STRIDE + pop_lsb32(&bits)
            if halted(self) or self.nodes >= self.reply_limit:
                return False
            if four_wins(self, cell, fours - 1, depth, False):
                self.hints[depth] = cell
                return True
    if not self.stopped and self.nodes < self.reply_limit:
        slot[0] = (key & ~<uint64_t> 255) | <uint64_t> fours
    return False


cdef bint refuted_by_fours(Replay *self) noexcept nogil:
    """Whether the attacker, to move, wins by fours: by the last win, else by any."""
    cdef int fours, maximum = min(<int> MAX_FOURS, moves_left(self) - 1)
    if maximum < 0:
        return False
    if fours_win(self, maximum, 0, True):
        return True
    self.reply_limit = self.nodes + REPLY_NODES
    for fours in range(maximum + 1):
        self.cut = False
        if fours_win(self, fours, 0, False):
            self.hints[fours] = NO_CELL
            return True
        if not self.cut or self.stopped or self.nodes >= self.reply_limit:
            break
    return False


cdef bint replay_tree(Replay *self, object tree, set known, list failure) except -1:
    """Whether the tree wins for the attacker, to move, against every legal reply."""
    cdef BoardState *board = &self.board
    cdef int attacker = self.attacker, cell, reply, row, five, d, offset, k
    cdef uint32_t bits
    cdef uint32_t[STRIDE] region        # the replies to check
    cdef bint wins, four
    cdef list replies
    cdef dict answers
    place = (board.plies[board.ply].key, id(tree))
    if place in known:
        return True
    x, y = tree.move
    if not (0 <= x < board.width and 0 <= y < board.height):
        failure.append(f"{tree.move} is off the board")
        return False
    cell = cell_of(x, y)
    if not is_empty(board, cell) or is_forbidden(board, cell, attacker):
        failure.append(f"{tree.move} is not legal")
        return False
    make_move(board, cell)
    self.nodes += 1
    if moves_left(self) < 0:
        undo_move(board)
        failure.append(f"{tree.move} comes too late")
        return False
    if run_winner(board, cell) == attacker:
        undo_move(board)
        known.add(place)
        return True
    if count_of(board, attacker ^ 1, FIVE) or not board.empties:
        undo_move(board)
        failure.append(f"{tree.move} lets the defender win or the board fill up")
        return False

    # 1. The replies that can matter: all, or those that can stop a threatened five.
    four = five_cells(board, attacker, &five, 1) > 0
    for row in range(STRIDE):
        region[row] = 0 if four else board.empty[row]
    if four:
        for d in range(DIRECTIONS):
            for offset in range(-board.tables.reach, board.tables.reach + 1):
                reply = five + offset * direction_step(d)
                if is_empty(board, reply):
                    region[padded_y(reply)] |= column_bit(reply)

    # 2. Each of them is answered: by a five, by the tree, or by fours.
    answers = {}
    for move, answer in tree.replies:
        answers[cell_of(move[0], move[1])] = answer
    replies = []
    wins = True
    with nogil:
        if not four:            # find a win that is tried against all other replies
            board.side ^= 1
            refuted_by_fours(self)
            board.side ^= 1
    for row in range(MARGIN, MARGIN + board.height):
        bits = region[row]
        while bits:
            reply = row * STRIDE + pop_lsb32(&bits)
            if reply in answers:
                replies.append(reply)       # later: the hints stay those of the threat
                continue
            if is_forbidden(board, reply, attacker ^ 1):
                continue
            make_move(board, reply)
            self.nodes += 1
            wins = run_winner(board, reply) != (attacker ^ 1)
            if wins:
                with nogil:
                    wins = five_now(self) or refuted_by_fours(self)
            undo_move(board)
            if not wins or halted(self):
                failure.append(
                    "stopped" if self.stopped else
                    f"{tree.move} is answered by {Move(cell_x(reply), cell_y(reply))}"
                )
                undo_move(board)
                return False
    for k in replies:
        if is_forbidden(board, k, attacker ^ 1):
            continue
        make_move(board, k)
        self.nodes += 1
        wins = five_now(self) or replay_tree(self, answers[k], known, failure)
        undo_move(board)
        if not wins or halted(self):
            if self.stopped:
                failure.append("stopped")
            undo_move(board)
            return False
    undo_move(board)
    known.add(place)
    return True


def replay(
    Board board not None, tree not None, SearchControl control not None, nodes=None, *,
    moves=None
):
    """Return None if the tree wins for the side to move against every legal defence.

    Otherwise return the fault of the tree, or "stopped" if ``control`` or the limit of
    ``nodes`` (moves made) ended the replay first. With ``moves`` the tree must win
    within so many moves of the attacker.
    """
    cdef Replay *self = <Replay *> calloc(1, sizeof(Replay))
    cdef int k
    cdef list failure = []
    if self == NULL:
        raise MemoryError("no memory for a replay")
    try:
        copy_board(&self.board, board.state, board.state.values[0])
        self.attacker = self.board.side
        self.maximum = (1 << 20) if moves is None else moves
        self.root_ply = self.board.ply
        self.nodes = 0
        self.next_poll = 0
        self.limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        self.control = &control.state
        self.stopped = False
        for k in range(MAX_FOURS + 1):
            self.hints[k] = NO_CELL
        if board.winner is not None:
            return "the game is over"
        if replay_tree(self, tree, set(), failure):
            return None
        return failure[len(failure) - 1] if self.stopped else failure[0]
    finally:
        free(self)


cdef bint ends_with_five(Replay *self, const int *cells, int count) noexcept nogil:
    """Whether the moves can be played in turn, and the last one makes a five."""
    cdef BoardState *board = &self.board
    cdef int made = 0, cell = NO_CELL
    cdef bint wins
    while made < count:
        cell = cells[made]
        if not is_empty(board, cell) or is_forbidden(board, cell, board.side):
            break
        make_move(board, cell)
        made += 1
    wins = made == count and run_winner(board, cell) == self.attacker
    while made:
        undo_move(board)
        made -= 1
    return wins


def unbeaten_replies(Board board not None, line not None):
    """Return the legal moves of the side to move after which a line does not win.

    ``line`` is a win of the other side by fours, from its first four to its five. It
    wins against a move if it can be played to its end, and if its fours, in their
    order, also win against every other reply that could stop one of their fives. Raises
    ValueError for an empty line, one of more than 60 fours, and a move off the board.
    """
    cdef Replay *self
    cdef int[2 * MAX_FOURS + 1] cells
    cdef int k, row, cell, count = len(line)
    cdef uint32_t bits
    cdef uint32_t[STRIDE] unbeaten
    if not 0 < count <= 2 * MAX_FOURS + 1:
        raise ValueError(f"a line of {count} moves: 1 to {2 * <int> MAX_FOURS + 1}")
    self = <Replay *> calloc(1, sizeof(Replay))
    if self == NULL:
        raise MemoryError("no memory for a replay")
    try:
        copy_board(&self.board, board.state, board.state.values[0])
        self.attacker = self.board.side ^ 1
        self.maximum = 1 << 20
        self.root_ply = self.board.ply
        for k in range(MAX_FOURS + 1):
            self.hints[k] = NO_CELL
        for k in range(count):
            x, y = line[k]
            if not (0 <= x < board.width and 0 <= y < board.height):
                raise ValueError(f"{Move(x, y)} is off the board")
            cells[k] = cell_of(x, y)
            if k % 2 == 0 and k < count - 1:
                self.hints[k // 2] = cells[k]
        with nogil:
            for row in range(STRIDE):
                unbeaten[row] = 0
            for row in range(MARGIN, MARGIN + self.board.height):
                bits = self.board.empty[row]
                while bits:
                    cell = row * STRIDE + pop_lsb32(&bits)
                    if is_forbidden(&self.board, cell, self.attacker ^ 1):
                        continue
                    make_move(&self.board, cell)
                    if (
                        run_winner(&self.board, cell) == (self.attacker ^ 1)
                        or not ends_with_five(self, cells, count)
                        or not fours_win(self, count // 2, 0, True)
                    ):
                        unbeaten[row] |= column_bit(cell)
                    undo_move(&self.board)
        return [
            Move(cell_x(row * STRIDE + k), cell_y(row * STRIDE + k))
            for row in range(STRIDE) for k in range(STRIDE) if unbeaten[row] >> k & 1
        ]
    finally:
        free(self)


def proved_tree(
    solver, Board board not None, SearchControl control not None, tree_nodes,
    replay_nodes=None
):
    """Return the win that a solver has just found on a board, after a replay.

    ``solver.tree(tree_nodes)`` is the win that it claims. None if it fails against a
    defence, or if ``control`` or one of the limits (moves made) ended the making of the
    tree or its replay.
    """
    tree = solver.tree(tree_nodes)
    if tree is None or replay(board, tree, control, replay_nodes):
        return None
    return tree
