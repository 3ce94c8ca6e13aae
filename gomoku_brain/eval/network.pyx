"""The evaluation's network: what no sum over cells can say.

score = linear score
      + output . relu(hidden(clip(bias + sum of a row for each empty cell and side)))

The rows of a cell depend on its kind (the classes of its four lines), on whose it is and
on who is to move, so two sums are kept, one for each side to move. They are integers:
the same on every machine, and taking a cell out again restores them exactly. 16 bits
would not do: hundreds of cells of the same kind pass 32,767 on an empty 20 x 20 board.

A weights file of kind "network" has the parts of the linear evaluation and, with SETS = 1
for both sides to move or 2 for black's and white's move apart,

    rows         SETS x 2 x KINDS x 16   mover's cells, waiter's cells; units of 1/512
    bias         SETS x 16               1/512
    hidden       SETS x 16 x 16          [hidden][sum]; 1/256
    hidden_bias  SETS x 16               1/256
    output       SETS x 16               1/16 of a score unit
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset

from gomoku_brain.eval.accumulator cimport (
    PathEvaluator, is_known, known_ply, take_path_evaluator
)
from gomoku_brain.eval.evaluator cimport Evaluator
from gomoku_brain.eval.linear cimport Linear, linear_score, numbers_of
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, Cell
from gomoku_brain.game.geometry cimport MARGIN, STRIDE
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.rules cimport BLACK, MAX_STONES, WHITE

cdef enum:
    CLIP = 2048             # 4 in units of 1/512
    HIDDEN_SHIFT = 9        # 1/512 * 1/256 -> 1/256
    BIAS_SHIFT = 9          # 1/256 -> 1/512 * 1/256
    OUTPUT_SHIFT = 12       # 1/256 * 1/16 of a score unit -> score units
    MOST_SUM = 0x7FFFFFFF   # of the output, before the shift


cdef struct KindRow:                # what a kind of cell of one side adds
    int16_t[2 * WIDTH] numbers      # with black to move, then with white to move


cdef struct Head:                   # after the sums, for a side to move
    int16_t[WIDTH] bias
    int16_t[WIDTH][HIDDEN] hidden   # by number first: one that is 0 costs nothing
    int32_t[HIDDEN] hidden_bias
    int32_t[HIDDEN] output


cdef struct NetworkWeights:
    KindRow[2][KINDS] rows          # side
    Head[2] heads                   # side to move


cdef struct Accumulator:
    int32_t[2 * WIDTH] sums         # black to move, white to move; bias not included


cdef struct NetworkEvaluator:
    PathEvaluator path
    const NetworkWeights *weights
    Accumulator[MAX_STONES + 1] accumulators        # by ply of the board


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


cdef void sum_up(
    NetworkEvaluator *self, const BoardState *board, Accumulator *here
) noexcept nogil:
    """The sums of the position from nothing."""
    cdef const Cell *cell
    cdef int y, side
    cdef uint32_t bits
    memset(here.sums, 0, sizeof(here.sums))
    for y in range(MARGIN, MARGIN + board.height):
        bits = board.empty[y]
        while bits:
            cell = &board.cells[y * STRIDE + pop_lsb32(&bits)]
            for side in range(2):
                add(here.sums, &self.weights.rows[side][cell.kind[side]])


cdef void follow(
    NetworkEvaluator *self, const BoardState *board, int known, Accumulator *here
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
    memcpy(sums, self.accumulators[known].sums, sizeof(sums))
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


cdef int network_score(NetworkEvaluator *self, const BoardState *board) noexcept nogil:
    """The network's share of the evaluation for the side to move, in score units."""
    cdef Accumulator *here = &self.accumulators[board.ply]
    cdef const Head *head = &self.weights.heads[board.side]
    cdef int known, j, k
    cdef int32_t total = 0, v
    cdef int16_t x
    cdef int32_t[HIDDEN] before
    if not is_known(&self.path, board, board.ply):
        known = known_ply(&self.path, board)
        if known >= 0:
            follow(self, board, known, here)
        else:
            sum_up(self, board, here)
        self.path.keys[board.ply] = board.plies[board.ply].key
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


cdef int value(Evaluator *seam, const BoardState *board) noexcept nogil:
    cdef NetworkEvaluator *self = <NetworkEvaluator *> seam
    return linear_score(self.path.linear, board) + network_score(self, board)


cdef class Network(Linear):
    """The linear evaluation and a network, with weights of kind "network"."""

    def __init__(self, weights):
        """Raises ValueError for an unknown rule and for parts that do not fit."""
        cdef int mover, chosen, j, k
        cdef const int16_t *rows
        cdef const int16_t *numbers
        cdef Head *head
        parts = {
            name: weights.part(name, *((sets, *shape) for sets in (1, 2)))
            for name, shape in (
                ("rows", (2, KINDS, WIDTH)), ("bias", (WIDTH,)),
                ("hidden", (HIDDEN, WIDTH)), ("hidden_bias", (HIDDEN,)),
                ("output", (HIDDEN,)),
            )
        }
        if len({part.shape[0] for part in parts.values()}) != 1:
            raise ValueError("weights of kind 'network': parts for 1 side and for 2")
        super().__init__(weights)
        self.network = <NetworkWeights *> take_memory(sizeof(NetworkWeights))
        if self.network == NULL:
            raise MemoryError("no memory for the evaluation weights")
        for mover in range(2):
            chosen = mover if parts["rows"].shape[0] == 2 else 0
            rows = numbers_of(parts["rows"], chosen * 2 * KINDS * WIDTH)
            for k in range(KINDS):
                memcpy(
                    &self.network.rows[mover][k].numbers[mover * WIDTH],
                    &rows[k * WIDTH], 2 * WIDTH
                )
                memcpy(
                    &self.network.rows[mover ^ 1][k].numbers[mover * WIDTH],
                    &rows[(KINDS + k) * WIDTH], 2 * WIDTH
                )
            head = &self.network.heads[mover]
            memcpy(head.bias, numbers_of(parts["bias"], chosen * WIDTH), 2 * WIDTH)
            numbers = numbers_of(parts["hidden"], chosen * HIDDEN * WIDTH)
            for j in range(HIDDEN):
                for k in range(WIDTH):
                    head.hidden[k][j] = numbers[j * WIDTH + k]
            numbers = numbers_of(parts["hidden_bias"], chosen * HIDDEN)
            for j in range(HIDDEN):
                head.hidden_bias[j] = <int32_t> numbers[j] * (1 << BIAS_SHIFT)
            numbers = numbers_of(parts["output"], chosen * HIDDEN)
            for j in range(HIDDEN):
                head.output[j] = numbers[j]
            if largest(head) > MOST_SUM:
                raise ValueError(
                    "weights of kind 'network': numbers so large that 32 bits may overflow"
                )

    def __dealloc__(self):
        return_memory(self.network, sizeof(NetworkWeights))

    cdef Evaluator *new_evaluator(self) except NULL:
        cdef NetworkEvaluator *made = <NetworkEvaluator *> take_path_evaluator(
            self, self.network, sizeof(NetworkEvaluator), value
        )
        made.weights = self.network
        return &made.path.seam


cdef int64_t largest(const Head *head) noexcept nogil:
    """An upper bound for the output's sum, whatever the position."""
    cdef int64_t found = 0, hidden
    cdef int j, k
    for j in range(HIDDEN):
        hidden = abs(head.hidden_bias[j])
        for k in range(WIDTH):
            hidden += CLIP * <int64_t> abs(head.hidden[k][j])
        found += (hidden >> HIDDEN_SHIFT) * abs(head.output[j])
    return found
