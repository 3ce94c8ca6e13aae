"""What an evaluation must bring: a class for what workers share, and a block of memory for
what each of them keeps.

A new evaluation is a module of its own. Its class derives from ``Evaluation`` and sets
``rule`` and ``kind_values``: for both sides and every kind of cell the rank (``set_rank``
with the rule's tables; without it search sees no threats), the move scores and, if it wants
sums from the board, ``total``. Its ``new_evaluator`` calls ``take_evaluator`` for a struct
that begins with ``Evaluator`` and fills in the rest. Its C functions ``value`` and
``begin`` do the work, as in ``linear``; one that keeps sums of its own and lets them follow
the moves finds what it needs in ``accumulator``, as ``points`` does.
``evaluate.MAKERS`` names the class for the kind that stands in a weights file; an engine
can also be given an evaluation that no file describes (``Engine.set_evaluation``).
"""

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KindValue


cdef class Evaluation:
    """What one set of weights says of positions under one rule."""

    cdef Evaluator *new_evaluator(self) except NULL:
        """An evaluator for one worker, to be freed by ``free_evaluator``.

        The evaluation must outlive it. Raises MemoryError.
        """
        raise NotImplementedError(f"{type(self).__name__} brings no evaluator")


cdef Evaluator *take_evaluator(
    const KindValue *kind_values, size_t bytes,
    int (*value)(Evaluator *, const BoardState *) noexcept nogil,
    void (*begin)(Evaluator *, const BoardState *) noexcept nogil
) except NULL:
    """A zeroed block of so many bytes with its head filled in.

    Raises MemoryError, and ValueError for an evaluation that was never given its values.
    """
    cdef Evaluator *self
    if kind_values == NULL:
        raise ValueError("the evaluation has no cell values")
    self = <Evaluator *> take_memory(bytes)
    if self == NULL:
        raise MemoryError("no memory for an evaluator")
    self.kind_values = kind_values
    self.value = value
    self.begin = begin
    self.bytes = bytes
    return self


cdef void free_evaluator(Evaluator *self) noexcept nogil:
    """Give the block back; NULL is allowed."""
    if self != NULL:
        return_memory(self, self.bytes)
