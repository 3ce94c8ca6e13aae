"""Time of the parts of a node, in nanoseconds, for ``bench --speed``."""

from libc.stdint cimport int16_t, int64_t

from gomoku_brain.eval.evaluate cimport (
    Evaluation, Evaluator, evaluate, free_evaluator, set_up
)
from gomoku_brain.game.board cimport BoardState, copy_board, is_empty, make_move, undo_move
from gomoku_brain.game.geometry cimport CELLS, padded_x, padded_y
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.control.search_control cimport now_ns

from gomoku_brain.eval.evaluate import evaluation_of

cdef int64_t total = 0      # of all evaluations: prevents the compiler from leaving them out


cdef int candidates_of(const BoardState *board, int16_t *cells) noexcept nogil:
    """Find the empty cells near a stone; return their number."""
    cdef int cell, count = 0
    for cell in range(CELLS):
        if (
            board.plies[board.ply].candidates[padded_y(cell)] >> padded_x(cell) & 1
            and is_empty(board, cell)
        ):
            cells[count] = cell
            count += 1
    return count


def time_moves(Board position not None, int rounds):
    """Return the nanoseconds per make and undo of a candidate move, on average."""
    cdef Evaluation evaluation = evaluation_of(position.rule_code)
    cdef BoardState *board = new_board()
    cdef int16_t[MAX_STONES] cells
    cdef int count, k, _n
    cdef int64_t start, end
    copy_board(board, position.state, evaluation.kind_values)
    count = candidates_of(board, cells)
    with nogil:
        start = now_ns()
        for _n in range(rounds):
            for k in range(count):
                make_move(board, cells[k])
                undo_move(board)
        end = now_ns()
    return_memory(board, sizeof(BoardState))
    return <double> (end - start) / max(1, rounds * count)


def time_moves_evaluated(Board position not None, int rounds):
    """Return the nanoseconds per make, evaluation and undo of a candidate move, on
    average.

    The evaluation's state follows by one move each time.
    """
    global total
    cdef Evaluation evaluation = evaluation_of(position.rule_code)
    cdef Evaluator *evaluator = evaluation.new_evaluator()
    cdef BoardState *board
    cdef int16_t[MAX_STONES] cells
    cdef int count, k, _n
    cdef int64_t start, end
    try:
        board = new_board()
    except MemoryError:
        free_evaluator(evaluator)
        raise
    set_up(evaluator, board, position.state)
    count = candidates_of(board, cells)
    total += evaluate(evaluator, board)
    with nogil:
        start = now_ns()
        for _n in range(rounds):
            for k in range(count):
                make_move(board, cells[k])
                total += evaluate(evaluator, board)
                undo_move(board)
        end = now_ns()
    free_evaluator(evaluator)
    return_memory(board, sizeof(BoardState))
    return <double> (end - start) / max(1, rounds * count)


def time_evaluate(Board position not None, int rounds):
    """Return the nanoseconds per static evaluation, with each side to move in turn."""
    global total
    cdef Evaluation evaluation = evaluation_of(position.rule_code)
    cdef Evaluator *evaluator = evaluation.new_evaluator()
    cdef BoardState *board
    cdef int _n
    cdef int64_t start, end
    try:
        board = new_board()
    except MemoryError:
        free_evaluator(evaluator)
        raise
    set_up(evaluator, board, position.state)
    with nogil:
        start = now_ns()
        for _n in range(rounds):
            board.side ^= 1
            total += evaluate(evaluator, board)
        end = now_ns()
    free_evaluator(evaluator)
    return_memory(board, sizeof(BoardState))
    return <double> (end - start) / max(1, rounds)


cdef BoardState *new_board() except NULL:
    cdef BoardState *board = <BoardState *> take_memory(sizeof(BoardState))
    if board == NULL:
        raise MemoryError("no memory for a board")
    return board
