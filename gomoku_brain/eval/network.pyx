"""The evaluation's network: what no sum over cells can say.

score = output . relu(hidden(clip(bias + sum of a row for each empty cell and side)))

The rows of a cell depend on its kind (the classes of its four lines), on whose it is and
on who is to move, so two sums are kept, one for each side to move. They are integers:
the same on every machine, and taking a cell out again restores them exactly. 16 bits
would not do: hundreds of cells of the same kind pass 32,767 on an empty 20 x 20 board.
"""

from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from gomoku_brain.eval.classical cimport KINDS, kinds_by_code
from gomoku_brain.game.bits cimport ctz32
from gomoku_brain.game.board cimport BoardState, Cell
from gomoku_brain.game.geometry cimport MARGIN, STRIDE
from gomoku_brain.game.rules cimport CARO_EXACT, MAX_STONES

from gomoku_brain.eval.classical import load_classical
from gomoku_brain.eval.weights import read_fitted, split_fitted

cdef enum:
    CLIP = 2048             # 4 in units of 1/512
    HIDDEN_SHIFT = 9        # 1/512 * 1/256 -> 1/256
    BIAS_SHIFT = 9          # 1/256 -> 1/512 * 1/256
    OUTPUT_SHIFT = 12       # 1/256 * 1/16 of a score unit -> score units

cdef bint[CARO_EXACT + 1] READY     # by rule code: the file was read
cdef NetworkWeights *LOADED[CARO_EXACT + 1]        # by rule code; NULL: not there
cdef uint64_t NOWHERE = <uint64_t> 0x9E3779B97F4A7C15      # no position's key


cdef void forget_path(Network *self) noexcept nogil:
    """Another game: no sum is known."""
    cdef int k
    for k in range(MAX_STONES + 1):
        self.path[k].key = NOWHERE


cdef inline void add(int32_t *sums, const int16_t *row) noexcept nogil:
    cdef int k
    for k in range(WIDTH):
        sums[k] += row[k]


cdef inline void take(int32_t *sums, const int16_t *row) noexcept nogil:
    cdef int k
    for k in range(WIDTH):
        sums[k] -= row[k]


cdef void sum_up(Network *self, const BoardState *board, Accumulator *here) noexcept nogil:
    """The sums of the position from nothing."""
    cdef const int16_t *kinds = kinds_by_code()
    cdef const KindRow *row
    cdef int y, side
    cdef uint32_t bits
    memset(here.sums, 0, sizeof(here.sums))
    for y in range(MARGIN, MARGIN + board.height):
        bits = board.empty[y]
        while bits:
            for side in range(2):
                row = &self.weights.rows[side][
                    kinds[board.cells[y * STRIDE + ctz32(bits)].code[side]]
                ]
                add(here.sums[side], row.own)
                add(here.sums[side ^ 1], row.other)
            bits &= bits - 1


cdef void follow(
    Network *self, const BoardState *board, int known, Accumulator *here
) noexcept nogil:
    """The sums of the position from those of ``known``, an earlier ply of its path."""
    cdef const int16_t *kinds = kinds_by_code()
    cdef const Cell *saved
    cdef const Cell *cell
    cdef const KindRow *row
    cdef uint32_t[STRIDE] seen
    cdef uint32_t entry, bit
    cdef int side, ply, at
    cdef int32_t[2][WIDTH] sums
    memset(seen, 0, sizeof(seen))
    memcpy(sums, self.path[known].sums, sizeof(sums))
    # 1. Cells that changed: the first time that one was saved tells what it was then.
    for entry in range(board.plies[known].undo_top, board.plies[board.ply].undo_top):
        saved = &board.undo[entry]
        at = saved.at
        bit = <uint32_t> 1 << (at & (STRIDE - 1))
        if seen[at >> 5] & bit:
            continue
        seen[at >> 5] |= bit
        cell = &board.cells[at]
        if board.empty[at >> 5] & bit:
            for side in range(2):
                if saved.code[side] != cell.code[side]:
                    row = &self.weights.rows[side][kinds[saved.code[side]]]
                    take(sums[side], row.own)
                    take(sums[side ^ 1], row.other)
                    row = &self.weights.rows[side][kinds[cell.code[side]]]
                    add(sums[side], row.own)
                    add(sums[side ^ 1], row.other)
        else:
            for side in range(2):
                row = &self.weights.rows[side][kinds[saved.code[side]]]
                take(sums[side], row.own)
                take(sums[side ^ 1], row.other)
    # 2. Cells taken by stones before they had changed.
    for ply in range(known + 1, board.ply + 1):
        at = board.plies[ply].move
        if seen[at >> 5] >> (at & (STRIDE - 1)) & 1:
            continue
        for side in range(2):
            row = &self.weights.rows[side][kinds[board.cells[at].code[side]]]
            take(sums[side], row.own)
            take(sums[side ^ 1], row.other)
    memcpy(here.sums, sums, sizeof(sums))


cdef int network_score(Network *self, const BoardState *board) noexcept nogil:
    """The network's share of the evaluation for the side to move, in score units."""
    cdef Accumulator *here = &self.path[board.ply]
    cdef const Head *head = &self.weights.heads[board.side]
    cdef int known = board.ply, j, k
    cdef int32_t total = 0, before, v
    cdef int16_t[WIDTH] x
    if here.key != board.plies[board.ply].key:
        while known > 0:
            known -= 1
            if self.path[known].key == board.plies[known].key:
                follow(self, board, known, here)
                break
        else:
            sum_up(self, board, here)
        here.key = board.plies[board.ply].key
    for k in range(WIDTH):
        v = here.sums[board.side][k] + head.bias[k]
        v = v if v > 0 else 0
        x[k] = <int16_t> (v if v < CLIP else CLIP)
    for j in range(HIDDEN):
        before = head.hidden_bias[j]
        for k in range(WIDTH):
            before += <int32_t> x[k] * head.hidden[j][k]
        if before > 0:
            total += (before >> HIDDEN_SHIFT) * head.output[j]
    return total >> OUTPUT_SHIFT


cdef const NetworkWeights *network_weights(int rule) noexcept nogil:
    """The network of a rule; NULL unless ``load_weights`` found one."""
    return LOADED[rule]


cdef int fill_network(NetworkWeights *self, bytes packed) except -1:
    """Unfold weights: for either side to move, or first black's then white's, KINDS rows
    of the mover's cells, KINDS of the waiter's, bias, HIDDEN rows of hidden weights,
    hidden biases, output weights; all int16. Raises ValueError for another size.
    """
    cdef const int16_t *at
    cdef const int16_t *numbers = <const int16_t *> <const char *> packed
    cdef int mover, kind, j
    cdef Head *head
    if len(packed) not in (2 * NETWORK_NUMBERS, 4 * NETWORK_NUMBERS):
        raise ValueError(
            f"network weights: {len(packed)} bytes instead of {2 * NETWORK_NUMBERS}"
        )
    for mover in range(2):
        at = numbers
        if len(packed) == 4 * NETWORK_NUMBERS:
            at += mover * NETWORK_NUMBERS
        for kind in range(KINDS):
            memcpy(self.rows[mover][kind].own, at, 2 * WIDTH)
            at += WIDTH
        for kind in range(KINDS):
            memcpy(self.rows[mover ^ 1][kind].other, at, 2 * WIDTH)
            at += WIDTH
        head = &self.heads[mover]
        memcpy(head.bias, at, 2 * WIDTH)
        at += WIDTH
        memcpy(head.hidden, at, 2 * HIDDEN * WIDTH)
        at += HIDDEN * WIDTH
        for j in range(HIDDEN):
            head.hidden_bias[j] = <int32_t> at[j] * (1 << BIAS_SHIFT)
            head.output[j] = at[HIDDEN + j]
    return 0


def load_weights(int rule):
    """Make all that evaluations under a rule need ready; ValueError for a damaged file.

    The file is read once: its linear weights and, if there is one, its network.
    """
    if READY[rule]:
        return
    packed = read_fitted(rule)
    linear, numbers = (None, b"") if packed is None else split_fitted(packed)
    load_classical(rule, linear)
    if numbers and LOADED[rule] == NULL:
        load_network(rule, numbers)
    READY[rule] = True


cdef int load_network(int rule, bytes numbers) except -1:
    cdef NetworkWeights *weights = <NetworkWeights *> malloc(sizeof(NetworkWeights))
    if weights == NULL:
        raise MemoryError("no memory for the evaluation weights")
    try:
        fill_network(weights, numbers)
    except ValueError:
        free(weights)
        raise
    LOADED[rule] = weights
    return 0
