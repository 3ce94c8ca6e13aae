"""Evaluation that records some of the positions that a search evaluates."""

cimport cython
from libc.stdint cimport int16_t, uint64_t

from gomoku_brain.eval.evaluator cimport (
    Evaluation, Evaluator, free_evaluator, take_evaluator
)
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.geometry cimport cell_x, cell_y
from gomoku_brain.game.position cimport Board

from gomoku_brain.game.notation import Move

cpdef enum:
    MAX_PATHS = 1024       # recorded until they are taken
    MAX_PLIES = 64         # of a path; longer ones are not recorded


cdef struct Path:           # the moves from a worker's position to the evaluated one
    uint64_t root           # key of the worker's position
    int length
    int16_t[MAX_PLIES] cells


cdef struct Store:
    int every, calls, count
    Path[MAX_PATHS] paths


cdef struct SamplingEvaluator:
    Evaluator evaluator
    Evaluator *inner
    Store *store


cdef void note_path(Store *store, const BoardState *board) noexcept nogil:
    cdef Path *path = &store.paths[store.count]
    cdef int k
    if store.count == MAX_PATHS or board.ply > MAX_PLIES:
        return
    path.root = board.plies[0].key
    path.length = board.ply
    for k in range(board.ply):
        path.cells[k] = board.plies[k + 1].move
    store.count += 1


cdef int value(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    cdef SamplingEvaluator *self = <SamplingEvaluator *> evaluator
    self.store.calls += 1
    if self.store.calls % self.store.every == 0:
        note_path(self.store, board)
    return self.inner.value(self.inner, board)


cdef void reset(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    """Start the inner evaluation; the recorded paths are not cleared."""
    cdef SamplingEvaluator *self = <SamplingEvaluator *> evaluator
    self.inner.reset(self.inner, board)


@cython.final
@cython.no_gc_clear     # the addresses are needed until the end
cdef class Sampling(Evaluation):
    """Wrapper of another evaluation that records every so many of its calls.

    The values of the search are the same as without it. Use it for one search at a
    time, since all threads that evaluate share the records.
    """

    cdef Evaluation inner
    cdef Store store
    cdef list inner_evaluators      # addresses, freed with this object

    def __cinit__(self):
        self.inner_evaluators = []

    def __init__(self, Evaluation evaluation not None, int every):
        """Record every ``every``-th call. ValueError for less than 1."""
        if every < 1:
            raise ValueError(f"one evaluation in {every} cannot be recorded")
        if self.inner is not None:
            raise TypeError("an evaluation cannot be initialised twice; create another one")
        self.inner = evaluation
        self.rule = evaluation.rule
        self.kind_values = evaluation.kind_values
        self.store.every = every

    def __dealloc__(self):
        for address in self.inner_evaluators:
            free_evaluator(<Evaluator *> <size_t> address)

    cdef Evaluator *new_evaluator(self) except NULL:
        cdef Evaluator *inner
        cdef SamplingEvaluator *made
        if self.inner is None:
            raise ValueError("the sampling has no evaluation; call __init__ first")
        inner = self.inner.new_evaluator()
        self.inner_evaluators.append(<size_t> inner)
        made = <SamplingEvaluator *> take_evaluator(
            self.kind_values, sizeof(SamplingEvaluator), value, reset
        )
        made.inner = inner
        made.store = &self.store
        return &made.evaluator

    def take(self, Board root not None):
        """Return the moves from the searched position ``root`` to each recorded
        position.

        They are in the order of the calls: at most MAX_PATHS paths of at most
        MAX_PLIES plies. Positions that were not reached from ``root`` are left out (an
        engine that finds a forced line replays it). All paths are cleared, and the
        count of calls starts again.
        """
        cdef int at, k
        cdef uint64_t key = root.state.plies[root.state.ply].key
        cdef list found = []
        for at in range(self.store.count):
            if self.store.paths[at].root != key:
                continue
            found.append(tuple([
                Move(
                    cell_x(self.store.paths[at].cells[k]),
                    cell_y(self.store.paths[at].cells[k]),
                )
                for k in range(self.store.paths[at].length)
            ]))
        self.store.count = self.store.calls = 0
        return found
