"""Parts of an evaluation: a class for the workers' shared data, and each worker's
memory.

A new evaluation is a module of its own. Its class derives from ``Evaluation`` and sets
``rule`` and ``kind_values``. ``kind_values`` has, for both sides and every kind of
cell, the rank (``set_rank`` with the rule's tables; without it the search finds no
threats), the move scores and, if the evaluation uses sums of the board, ``total``. The
class's ``new_evaluator`` calls ``take_evaluator`` for a struct that begins with
``Evaluator`` and fills in the rest. Its C functions ``value`` and ``reset`` do the
work, as in ``linear``. An evaluation with sums of its own that follow the moves uses
``accumulator``, as ``points`` does. ``evaluate.MAKERS`` has the class for each kind of
weights file; an engine can also use an evaluation without a file
(``Engine.set_evaluation``).
"""

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KindValue

cdef class Evaluation:
    """Evaluation of positions under one rule, with one set of weights.

    ``load_weights`` of an engine makes one from a file. It cannot be written in Python.
    """

    cdef Evaluator *new_evaluator(self) except NULL:
        """Return an evaluator for one worker, which ``free_evaluator`` frees.

        The evaluation must outlive it. Raises MemoryError.
        """
        raise NotImplementedError(f"{type(self).__name__} brings no evaluator")


cdef Evaluator *take_evaluator(
    const KindValue *kind_values, size_t bytes,
    int (*value)(Evaluator *, const BoardState *) noexcept nogil,
    void (*reset)(Evaluator *, const BoardState *) noexcept nogil
) except NULL:
    """Return a zeroed block of so many bytes with its head filled in.

    Raises MemoryError, and ValueError for an evaluation without cell values.
    """
    cdef Evaluator *self
    if kind_values == NULL:
        raise ValueError("the evaluation has no cell values")
    self = <Evaluator *> take_memory(bytes)
    if self == NULL:
        raise MemoryError("no memory for an evaluator")
    self.kind_values = kind_values
    self.value = value
    self.reset = reset
    self.bytes = bytes
    return self


cdef void free_evaluator(Evaluator *self) noexcept nogil:
    """Free the block; NULL is allowed."""
    if self != NULL:
        return_memory(self, self.bytes)
