"""``Worker``: one searching thread for Python.

The engine runs it one search of one depth at a time; its C state and the node function
are in ``alphabeta``.
"""

cimport cython
from libc.stdint cimport int16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku_brain.eval.evaluate cimport Evaluation, evaluate, free_evaluator, set_up
from gomoku_brain.eval.score cimport INFINITY
from gomoku_brain.game.atomics cimport load_uint64, store_uint64
from gomoku_brain.game.board cimport BoardState, is_empty, make_move, undo_move
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport NO_CELL, cell_of, cell_x, cell_y
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.position cimport Board
from gomoku_brain.search.alphabeta cimport (
    ALL_FEATURES, EXTENSIONS, LEAF_VCF, PRUNING, REDUCTIONS, STATIC_TESTS, TABLE_CUTS,
    WorkerState, search
)
from gomoku_brain.control.search_control cimport SearchControl
from gomoku_brain.search.history cimport History
from gomoku_brain.search.movepick cimport TABLE_MOVE, MovePicker, next_move
from gomoku_brain.control.params cimport MAX_PLY, ONE_PLY, default_params
from gomoku_brain.tactics.threats cimport (
    FREE_CHOICE, Forced, MoveSet, fill_moves, find_forced_replies
)
from gomoku_brain.search.tt cimport TranspositionTable
from gomoku_brain.tactics.vcf cimport VcfSearch, shortest_vcf

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move
from gomoku_brain.control.params import PARAMETERS


class Features:
    """Bits for ``Worker(features=)``, with which tests compare with plain searches."""


Features.STATIC_TESTS = STATIC_TESTS    # a class body cannot access the C constants
Features.LEAF_VCF = LEAF_VCF
Features.PRUNING = PRUNING
Features.REDUCTIONS = REDUCTIONS
Features.EXTENSIONS = EXTENSIONS
Features.TABLE_CUTS = TABLE_CUTS
Features.ALL = ALL_FEATURES


cdef tuple line_of(const int16_t *cells, int length):
    cdef int k
    return tuple([Move(cell_x(cells[k]), cell_y(cells[k])) for k in range(length)])


@cython.final
cdef class Worker:
    """Board, histories and stack of one searching thread, over a shared table.

    Methods that need a position raise RuntimeError before ``set_position``.
    """
    cdef WorkerState *state
    cdef TranspositionTable table       # referenced
    cdef SearchControl control          # referenced
    cdef int rule                       # of the last position
    cdef Evaluation own                 # for its rule in place of the shipped one
    cdef Evaluation evaluation          # of the last position

    def __cinit__(self):
        self.state = <WorkerState *> take_memory(sizeof(WorkerState))
        if self.state == NULL:
            raise MemoryError("no memory for a search worker")

    def __dealloc__(self):
        if self.state != NULL:
            free_evaluator(self.state.evaluator)
        return_memory(self.state, sizeof(WorkerState))

    def __init__(self, TranspositionTable table not None, int features=ALL_FEATURES):
        self.table = table
        self.rule = -1
        self.state.features = features
        memcpy(self.state.params, default_params(), sizeof(self.state.params))

    cdef int need_position(self) except -1:
        if self.control is None or self.evaluation is None:
            raise RuntimeError("the worker has no position yet")
        return 0

    def set_param(self, name, int value):
        """Set another value for one of ``params.PARAMETERS``, for tuning.

        KeyError for an unknown name, ValueError out of range.
        """
        index, _default, minimum, maximum = PARAMETERS[name]
        if not minimum <= value <= maximum:
            raise ValueError(f"{name} is {minimum}..{maximum}")
        self.state.params[<int> index] = value

    def set_evaluation(self, Evaluation evaluation):
        """Use an evaluation in place of the shipped one of its rule; None = the shipped
        one.

        It applies to positions set afterwards.
        """
        self.own = evaluation

    cdef int take_evaluation(self, int rule) except -1:
        """Create an evaluator for positions under a rule."""
        cdef Evaluation wanted = self.own
        if wanted is None or wanted.rule != rule:
            wanted = evaluation_of(rule)
        if wanted is not self.evaluation:
            free_evaluator(self.state.evaluator)
            self.state.evaluator = NULL
            self.evaluation = None
            self.state.evaluator = wanted.new_evaluator()
            self.evaluation = wanted
        return 0

    def forget(self):
        """Clear the histories."""
        memset(&self.state.history, 0, sizeof(History))
        memset(self.state.failures, 0, sizeof(self.state.failures))

    def set_position(self, Board board not None, SearchControl control not None,
                     nodes=None):
        """Take a copy of a position and set the node counter to 0.

        ``nodes`` limits all searches until the next call together.
        """
        self.take_evaluation(board.rule_code)
        if board.rule_code != self.rule:    # stored failures are valid under one rule
            self.rule = board.rule_code
            self.forget()
        self.control = control
        self.state.control = &control.state
        self.state.table = &self.table.table
        set_up(self.state.evaluator, &self.state.board, board.state)
        store_uint64(&self.state.nodes, 0)
        self.state.next_poll = 0
        self.state.node_limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        self.state.seldepth = 0
        self.state.stopped = False
        self.state.excluded_count = 0
        self.state.pv_length[0] = 0

    def count_nodes(self, uint64_t nodes):
        """Count nodes that another search made for this one."""
        store_uint64(&self.state.nodes, self.state.nodes + nodes)

    def search(self, double plies, int alpha=-INFINITY, int beta=INFINITY, exclude=()):
        """Search to a depth within a window (see the node function); releases the GIL.

        The result has no meaning if ``stopped`` is set afterwards, but a ``pv`` that is
        not empty then still begins with a move better than alpha.
        """
        cdef int depth = <int> (plies * ONE_PLY), score
        self.need_position()
        if not -INFINITY <= alpha < beta <= INFINITY:
            raise ValueError("the window is empty or out of range")
        self.state.excluded_count = 0
        for x, y in set(exclude):
            if not (
                0 <= x < self.state.board.width and 0 <= y < self.state.board.height
            ):
                continue    # nothing to leave out there
            self.state.excluded[self.state.excluded_count] = cell_of(x, y)
            self.state.excluded_count += 1
        self.state.arena_top = 0
        self.state.root_plies = <int> plies
        with nogil:
            score = search(self.state, alpha, beta, depth, 0, False)
        return score

    def solve_vcf(self, int fours=MAX_PLY // 2, nodes=None, exclude=()):
        """Return a victory by continuous fours of the side to move, with the fewest
        fours.

        A win is (line up to where static tests find the rest, plies to the five). ()
        means that there is none, None that a limit was met first (``nodes`` counts from
        now). The first move is none of ``exclude``.
        """
        cdef VcfSearch *vcf = &self.state.vcf
        cdef uint64_t entries = 1 << 18
        cdef int length, k
        cdef MoveSet excluded
        self.need_position()
        fill_moves(&excluded, &self.state.board, exclude)
        vcf.board = &self.state.board
        vcf.nodes = &self.state.nodes
        vcf.limit = self.state.node_limit
        if nodes is not None:
            vcf.limit = min(vcf.limit, self.state.nodes + <uint64_t> nodes)
        vcf.local = False
        vcf.fours_only = True
        vcf.control = self.state.control
        vcf.failed = <uint64_t *> calloc(entries, sizeof(uint64_t))
        vcf.failed_mask = entries - 1
        try:
            with nogil:
                length = shortest_vcf(vcf, fours, &excluded)
        finally:
            free(vcf.failed)
            vcf.failed = NULL
        if not length:
            return None if vcf.gave_up else ()
        k = 0
        while k < length and vcf.line[k] != NO_CELL:
            k += 1
        return line_of(vcf.line, k), length

    def evaluate(self):
        """Return the static evaluation for the side to move."""
        self.need_position()
        return evaluate(self.state.evaluator, &self.state.board)

    def evaluate_along(self, moves, int step=1):
        """Return static evaluations after each move of a line, each for the side then
        to move.

        ``step``: evaluate after every so many moves only, like a search that needs no
        value of most nodes. ValueError for a cell that is not empty. The line is undone
        at the end.
        """
        cdef BoardState *board = &self.state.board
        cdef list found = []
        cdef int root = board.ply
        self.need_position()
        try:
            for x, y in moves:
                if not (
                    0 <= x < board.width and 0 <= y < board.height
                    and is_empty(board, cell_of(x, y))
                ):
                    raise ValueError(f"no empty cell: {x}, {y}")
                make_move(board, cell_of(x, y))
                if (board.ply - root) % step == 0:
                    found.append(evaluate(self.state.evaluator, board))
        finally:
            while board.ply > root:
                undo_move(board)
        return found

    def best_by_score(self, exclude=()):
        """Return the legal candidate with the best move score; None without one."""
        cdef MovePicker picker
        cdef MoveSet answers
        cdef int cell
        cdef Forced forced
        self.need_position()
        forced = find_forced_replies(&self.state.board, &answers)
        skip = {cell_of(x, y) for x, y in exclude}
        if not answers.count:
            forced = FREE_CHOICE
        picker.stage = TABLE_MOVE
        picker.table_move = NO_CELL
        picker.keys = self.state.arena
        picker.cells = self.state.arena_cells
        picker.params = self.state.params
        while True:
            cell = next_move(
                &picker, &self.state.board, &self.state.history, 0, forced, &answers
            )
            if cell == NO_CELL:
                if forced == FREE_CHOICE:
                    return None
                forced = FREE_CHOICE
                picker.stage = TABLE_MOVE
                continue
            if cell not in skip and not is_forbidden(
                &self.state.board, cell, self.state.board.side
            ):
                return Move(cell_x(cell), cell_y(cell))

    @property
    def pv(self):
        """Line found by the last search."""
        return line_of(self.state.pv[0], self.state.pv_length[0])

    @property
    def nodes(self):
        """Moves made since ``set_position``."""
        return load_uint64(&self.state.nodes)

    @property
    def seldepth(self):
        """Deepest ply reached since ``set_position``."""
        return self.state.seldepth

    @property
    def stopped(self):
        """Whether a limit ended the last search."""
        return bool(self.state.stopped)
