# The score scale. A score is an int from the view of the side to move. A proved result
# has its distance from the root in its score, so a quick win is better than a slow one.

cpdef enum:
    DRAW = 0
    EVAL_LIMIT = 6000       # a static evaluation stays within +-EVAL_LIMIT
    WIN = 30000             # a win at the root, 0 plies away
    WIN_ZONE = 29000        # scores beyond it are proved wins (a game has < 1000 plies)
    INFINITY = 31000        # greater than every score
    NO_SCORE = 32000        # "not known", in the table


cdef inline int win_score(int ply) noexcept nogil:
    """Return the score of a win ``ply`` plies from the root."""
    return WIN - ply


cdef inline int loss_score(int ply) noexcept nogil:
    """Return the score of a loss ``ply`` plies from the root."""
    return ply - WIN


cdef inline bint is_win(int score) noexcept nogil:
    return score > WIN_ZONE


cdef inline bint is_loss(int score) noexcept nogil:
    return score < -WIN_ZONE


cdef inline bint is_proved(int score) noexcept nogil:
    return score > WIN_ZONE or score < -WIN_ZONE
