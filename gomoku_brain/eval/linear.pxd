# The linear evaluation: the value of every empty cell for either side, summed by the
# board when stones are placed and removed, and a term for the threats of both sides.

from libc.stdint cimport int16_t

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator
from gomoku_brain.game.board cimport BoardState, count_of
from gomoku_brain.game.patterns cimport (
    KINDS, FIVE, FOUR, FOUR_OPEN, FOUR_PLUS, FOUR_THREE, THREE, THREE_PLUS, THREE_TWO,
    KindValue
)

cdef enum:
    TEMPO_BITS = 11
    TEMPO_SIZE = 1 << TEMPO_BITS


cdef struct LinearWeights:
    KindValue[2 * KINDS] values     # [side * KINDS + kind]
    int16_t[2][TEMPO_SIZE] tempo    # side to move, which threats exist (tempo_index)


cdef class Linear(Evaluation):
    cdef LinearWeights *linear


cdef inline int tempo_index(const BoardState *board) noexcept nogil:
    """Return eleven bits for the threats of both sides, the lowest first.

    They are: the opponent has a five cell; open fours of the mover and of the opponent;
    then, for the mover, four-three or better four, simple four, double or better three,
    three; and the same four for the opponent.
    """
    cdef int me = board.side, other = board.side ^ 1
    return (
        (count_of(board, other, FIVE) != 0)
        | (count_of(board, me, FOUR_OPEN) != 0) << 1
        | (count_of(board, other, FOUR_OPEN) != 0) << 2
        | (count_of(board, me, FOUR_THREE) + count_of(board, me, FOUR_PLUS) != 0) << 3
        | (count_of(board, me, FOUR) != 0) << 4
        | (count_of(board, me, THREE_TWO) + count_of(board, me, THREE_PLUS) != 0) << 5
        | (count_of(board, me, THREE) != 0) << 6
        | (count_of(board, other, FOUR_THREE) + count_of(board, other, FOUR_PLUS) != 0) << 7
        | (count_of(board, other, FOUR) != 0) << 8
        | (count_of(board, other, THREE_TWO) + count_of(board, other, THREE_PLUS) != 0) << 9
        | (count_of(board, other, THREE) != 0) << 10
    )


cdef int linear_score(const LinearWeights *weights, const BoardState *board) noexcept nogil
cdef const int16_t *numbers_of(part, int first=*) except NULL
