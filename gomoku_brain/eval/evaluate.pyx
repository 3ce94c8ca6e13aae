"""Choice of the evaluation: the one in the weights file of a rule; its values."""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport NAN
from libc.stdlib cimport free, malloc

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator, free_evaluator
from gomoku_brain.eval.score cimport DRAW, loss_score, win_score
from gomoku_brain.game.board cimport BoardState, score_at
from gomoku_brain.game.geometry cimport cell_of
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport RULE_CODES, WHITE

from gomoku_brain.eval.linear import Linear, kind_ranks
from gomoku_brain.eval.points import Points
from gomoku_brain.eval.weights import RULE_NAMES, shipped_weights, unpack_weights

# By the kind that a weights file names.
MAKERS = {"linear": Linear, "points": Points}

# Rule code -> Evaluation. A file is read once, and its evaluation stays for the life of
# the process: boards point to its cell values.
cdef dict LOADED = {}


def evaluation_from(weights):
    """Return the evaluation for a set of weights.

    Raises ValueError, in one line, for an unknown kind and for parts that do not fit.
    """
    maker = MAKERS.get(weights.kind)
    if maker is None:
        raise ValueError(
            f"weights: kind {weights.kind!r}, but there are only {', '.join(MAKERS)}"
        )
    return maker(weights)


def evaluation_in(path):
    """Return the evaluation for the weights in a file.

    Raises OSError, and ValueError, in one line with the path, for other content.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        return evaluation_from(unpack_weights(data))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def use_weights(path):
    """Evaluate by a weights file in place of the shipped one of its rule, in the whole
    process. Call it before the first search. Raises as ``evaluation_in``.
    """
    evaluation = evaluation_in(path)
    LOADED[evaluation.rule] = evaluation


def evaluation_of(int rule):
    """Return the shipped evaluation of a rule, or the hand-set values without a file.

    Raises ValueError for a damaged file, since that is better than playing weakly
    without notice.
    """
    evaluation = LOADED.get(rule)
    if evaluation is None:
        weights = shipped_weights(rule)
        if weights is None:
            from gomoku_brain.eval.hand_weights import hand_weights  # late: rarely needed

            weights = hand_weights(rule, [kind_ranks(rule, side) for side in range(2)])
        try:
            evaluation = LOADED[rule] = evaluation_from(weights)
        except ValueError as error:
            raise ValueError(f"the weights of {RULE_NAMES[rule]}: {error}") from error
    return evaluation


cdef enum:
    SIGNAL_BOARDS = 256         # boards between two checks for Ctrl-C: some milliseconds


@cython.final
cdef class BoardEvaluator:
    """Static evaluations of boards of any rule and size, without a search.

    Two threads may use it at the same time: the GIL is held for each board.
    """
    cdef BoardState *board
    cdef Evaluator *evaluators[RULE_CODES]      # by rule; NULL until it is used
    cdef list evaluations                       # of these, by rule
    cdef Evaluation own                         # for its rule in place of the shipped one

    def __cinit__(self):
        self.evaluations = [None] * RULE_CODES
        self.board = <BoardState *> malloc(sizeof(BoardState))
        if self.board == NULL:
            raise MemoryError("no memory for a board")

    def __dealloc__(self):
        self.forget()
        free(self.board)

    cdef void forget(self) noexcept:
        cdef int rule
        for rule in range(RULE_CODES):
            free_evaluator(self.evaluators[rule])
            self.evaluators[rule] = NULL

    def set_evaluation(self, Evaluation evaluation):
        """Use an evaluation in place of the shipped one of its rule; None = the shipped
        one.
        """
        self.forget()
        self.own = evaluation

    cdef Evaluator *evaluator_of(self, int rule) except NULL:
        cdef Evaluation evaluation = self.own
        if self.evaluators[rule] == NULL:
            if evaluation is None or evaluation.rule != rule:
                evaluation = evaluation_of(rule)
            # another thread may have run meanwhile
            if self.evaluators[rule] == NULL:
                self.evaluators[rule] = evaluation.new_evaluator()
                self.evaluations[rule] = evaluation
        return self.evaluators[rule]

    cdef int value_of(self, Board board) except? -1:
        cdef Evaluator *evaluator
        cdef int winner = board.winning_side
        if winner < 0 and board.last_is_foul():
            winner = WHITE
        if winner >= 0:
            return win_score(0) if winner == board.state.side else loss_score(0)
        if not board.state.empties:
            return DRAW
        evaluator = self.evaluator_of(board.rule_code)
        set_up(evaluator, self.board, board.state)
        return evaluate(evaluator, self.board)

    def value(self, Board board not None):
        """Return the value of a position for its side to move, in score units.

        It is the static evaluation, as at a leaf of the search: threats are neither
        searched nor proved. After the end of the game it is the score of a win (WIN), a
        loss (-WIN) or a draw (0).
        """
        return self.value_of(board)

    def move_scores(self, Board board not None):
        """Return the move scores of all cells in rows from the top, as an ``array`` of
        C doubles: NaN for a cell that the side to move may not play.
        """
        cdef int x, y, side = board.state.side
        from array import array     # late: a brain does not need it

        found = array("d")
        set_up(self.evaluator_of(board.rule_code), self.board, board.state)
        legal = set() if board.is_over else set(board.legal_moves())
        for y in range(board.state.height):
            for x in range(board.state.width):
                found.append(
                    score_at(self.board, cell_of(x, y), side) if (x, y) in legal else NAN
                )
        return found

    def values(self, boards):
        """Return the ``value`` of each board, as an ``array`` of C integers.

        Raises TypeError for an element that is not a ``Board``.
        """
        cdef int count = 0
        from array import array     # late: a brain does not need it

        found = array("i")
        for board in boards:
            if not isinstance(board, Board):
                raise TypeError(f"a position is a Board, not {board!r}")
            found.append(self.value_of(board))
            count += 1
            if count == SIGNAL_BOARDS:
                count = 0
                PyErr_CheckSignals()
        return found
