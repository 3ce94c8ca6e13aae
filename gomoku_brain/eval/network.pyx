"""The evaluation's network: what no sum over cells can say.

score = output . relu(hidden(clip(bias + sum of a row for each empty cell and side)))

The rows of a cell depend on its kind (the classes of its four lines), on whose it is and
on who is to move, so two sums are kept, one for each side to move. They are integers:
the same on every machine, and taking a cell out again restores them exactly. 16 bits
would not do: hundreds of cells of the same kind pass 32,767 on an empty 20 x 20 board.
"""

from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from gomoku_brain.game.bits cimport ctz32
from gomoku_brain.game.board cimport BoardState, Cell
from gomoku_brain.game.geometry cimport MARGIN, STRIDE
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.rules cimport BLACK, CARO_EXACT, MAX_STONES, WHITE

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


cdef inline void add(int32_t *sums, const KindRow *row) noexcept nogil:
    cdef int k
    for k in range(2 * WIDTH):
        sums[k] += row.numbers[k]


cdef inline void take(int32_t *sums, const KindRow *row) noexcept nogil:
    cdef int k
    for k in range(2 * WIDTH):
        sums[k] -= row.numbers[k]


cdef inline void exchange(
    int32_t *sums, const KindRow *old, const KindRow *new
) noexcept nogil:
    """``take`` and ``add`` in one: the sums go through memory once."""
    cdef int k
    for k in range(2 * WIDTH):
        sums[k] += new.numbers[k] - old.numbers[k]


cdef inline void exchange_two(
    int32_t *sums, const KindRow *old, const KindRow *new, const KindRow *old_too,
    const KindRow *new_too
) noexcept nogil:
    cdef int k
    for k in range(2 * WIDTH):
        sums[k] += (
            new.numbers[k] - old.numbers[k] + (new_too.numbers[k] - old_too.numbers[k])
        )


cdef void sum_up(Network *self, const BoardState *board, Accumulator *here) noexcept nogil:
    """The sums of the position from nothing."""
    cdef int y, side
    cdef uint32_t bits
    memset(here.sums, 0, sizeof(here.sums))
    for y in range(MARGIN, MARGIN + board.height):
        bits = board.empty[y]
        while bits:
            for side in range(2):
                add(
                    here.sums,
                    &self.weights.rows[side][
                        board.cells[y * STRIDE + ctz32(bits)].kind[side]
                    ],
                )
            bits &= bits - 1


cdef void follow(
    Network *self, const BoardState *board, int known, Accumulator *here
) noexcept nogil:
    """The sums of the position from those of ``known``, an earlier ply of its path."""
    cdef const KindRow *black = self.weights.rows[BLACK]
    cdef const KindRow *white = self.weights.rows[WHITE]
    cdef const Cell *saved
    cdef const Cell *cell
    cdef uint32_t[STRIDE] seen
    cdef uint32_t entry, bit
    cdef int ply, at
    cdef int32_t[2 * WIDTH] sums
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
        if not board.empty[at >> 5] & bit:
            take(sums, &black[saved.kind[BLACK]])
            take(sums, &white[saved.kind[WHITE]])
        elif saved.kind[BLACK] == cell.kind[BLACK]:
            if saved.kind[WHITE] != cell.kind[WHITE]:
                exchange(
                    sums, &white[saved.kind[WHITE]], &white[cell.kind[WHITE]]
                )
        elif saved.kind[WHITE] == cell.kind[WHITE]:
            exchange(
                sums, &black[saved.kind[BLACK]], &black[cell.kind[BLACK]]
            )
        else:
            exchange_two(
                sums,
                &black[saved.kind[BLACK]], &black[cell.kind[BLACK]],
                &white[saved.kind[WHITE]], &white[cell.kind[WHITE]],
            )
    # 2. Cells taken by stones before they had changed.
    for ply in range(known + 1, board.ply + 1):
        at = board.plies[ply].move
        if not seen[at >> 5] >> (at & (STRIDE - 1)) & 1:
            take(sums, &black[board.cells[at].kind[BLACK]])
            take(sums, &white[board.cells[at].kind[WHITE]])
    memcpy(here.sums, sums, sizeof(sums))


cdef int network_score(Network *self, const BoardState *board) noexcept nogil:
    """The network's share of the evaluation for the side to move, in score units."""
    cdef Accumulator *here = &self.path[board.ply]
    cdef const Head *head = &self.weights.heads[board.side]
    cdef int known = board.ply, j, k
    cdef int32_t total = 0, v
    cdef int16_t x
    cdef int32_t[HIDDEN] before
    if here.key != board.plies[board.ply].key:
        while known > 0:
            known -= 1
            if self.path[known].key == board.plies[known].key:
                follow(self, board, known, here)
                break
        else:
            sum_up(self, board, here)
        here.key = board.plies[board.ply].key
    memcpy(before, head.hidden_bias, sizeof(before))
    for k in range(WIDTH):
        v = here.sums[board.side * WIDTH + k] + head.bias[k]
        if v > 0:
            x = <int16_t> (v if v < CLIP else CLIP)
            for j in range(HIDDEN):
                before[j] += <int32_t> x * head.hidden[k][j]
    for j in range(HIDDEN):
        v = before[j] >> HIDDEN_SHIFT
        total += (v if v > 0 else 0) * head.output[j]
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
    cdef int mover, kind, j, k
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
            memcpy(&self.rows[mover][kind].numbers[mover * WIDTH], at, 2 * WIDTH)
            at += WIDTH
        for kind in range(KINDS):
            memcpy(&self.rows[mover ^ 1][kind].numbers[mover * WIDTH], at, 2 * WIDTH)
            at += WIDTH
        head = &self.heads[mover]
        memcpy(head.bias, at, 2 * WIDTH)
        at += WIDTH
        for j in range(HIDDEN):
            for k in range(WIDTH):
                head.hidden[k][j] = at[j * WIDTH + k]
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
    cdef NetworkWeights *weights = <NetworkWeights *> take_memory(sizeof(NetworkWeights))
    if weights == NULL:
        raise MemoryError("no memory for the evaluation weights")
    try:
        fill_network(weights, numbers)
    except ValueError:
        return_memory(weights, sizeof(NetworkWeights))
        raise
    LOADED[rule] = weights
    return 0
