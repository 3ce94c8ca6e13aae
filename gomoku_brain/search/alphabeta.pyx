"""Principal variation search on one worker.

``search`` is the node function, written as numbered steps; ``leaf`` ends every line with
a static evaluation and a search of continuous fours. ``Worker`` is the Python face that
the engine drives, one iteration at a time; nothing in here prints or knows the clock
beyond polling its control.
"""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku_brain.eval.evaluate cimport (
    Evaluation, evaluate, free_evaluator, set_up
)
from gomoku_brain.eval.score cimport (
    DRAW, INFINITY, NO_SCORE, is_loss, is_proved, lose_in, win_in
)
from gomoku_brain.game.board cimport (
    BoardState, count_of, has_fours, is_empty, last_move, make_move, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport CELLS, NO_CELL, cell_of, cell_x, cell_y
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport (
    FIVE, FOUR, FOUR_OPEN, FOUR_PLUS, FOUR_THREE, MAKES_FOUR, MAYBE_FOUR_THREE_TWO,
    MAYBE_THREE_TWO, THREE, THREE_PLUS, THREE_TWO
)
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES, WALL
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE, ZOBRIST
from gomoku_brain.search.control cimport SearchControl, must_stop, now_ns
from gomoku_brain.search.history cimport (
    History, history_bonus, update_history, update_killers
)
from gomoku_brain.search.movepick cimport BLOCK, TABLE_MOVE, MovePicker, next_move
from gomoku_brain.search.params cimport (
    FIVE_EXTENSION, FOUR_EXTENSION, FUTILITY_DEPTH, FUTILITY_SLOPE, INTERNAL_DEPTH,
    INTERNAL_REDUCTION, LATE_DELAY, LATE_FOURS, LATE_MOVE_BASE, LATE_MOVE_DEPTH,
    LATE_MOVE_LEAST, LATE_MOVE_SLOPE, LATE_PV, LATE_THREAT, LATE_THREES, LEAF_FOURS,
    LEAF_NODES, LEAF_SIMPLE, LIKELY_MARGIN, LIKELY_REDUCTION, MAX_PLY, ONE_PLY,
    RAISED_REDUCTION, RAZOR_BASE, RAZOR_DEPTH, RAZOR_SLOPE, REDUCE_CUT_NODE, REDUCE_DEPTH,
    REDUCE_FOURS, REDUCE_FROM, REDUCE_HISTORY, REDUCE_NOT_IMPROVING, REDUCE_POLICY,
    REDUCE_POLICY_FREE, REDUCE_POLICY_MOST, REDUCE_PV, REDUCE_SCALE, REDUCE_THREAT,
    RESEARCH_LESS, RESEARCH_MARGIN, SINGULAR_DEPTH, SINGULAR_DOUBLE, SINGULAR_MARGIN,
    SINGULAR_MINUS, SINGULAR_SHARE, SINGULAR_TT, default_params
)
from gomoku_brain.search.threats cimport (
    FREE_CHOICE, STOP_FIVE, STOP_FOUR_THREE, STOP_OPEN_FOUR, Duty, MoveSet, contains,
    find_duty, is_among, only_delays, static_win
)
from gomoku_brain.search.tt cimport (
    EXACT, LOWER, UPPER, Bound, Probe, TranspositionTable, tt_prefetch, tt_probe,
    tt_store
)
from gomoku_brain.search.vcf cimport VcfSearch, vcf_attack

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move
from gomoku_brain.search.params import PARAMETERS

cdef enum:
    POLL_INTERVAL = 1024        # nodes between two looks at the clock: about 1 ms
    LOG_SIZE = 512
    NO_TOP = -1 << 20           # no ordering score yet

# log2 in 1/64, by integer arithmetic so that every machine prunes alike.
cdef int[LOG_SIZE] LOG2


cdef void fill_logarithms() noexcept nogil:
    """Fractional bits by repeated squaring of a 2**30 fixed-point mantissa."""
    cdef int n, _k, whole
    cdef uint64_t mantissa
    LOG2[0] = 0
    for n in range(1, LOG_SIZE):
        whole = 0
        while n >> (whole + 1):
            whole += 1
        mantissa = (<uint64_t> n << 30) >> whole
        LOG2[n] = whole
        for _k in range(6):
            mantissa = mantissa * mantissa >> 30
            LOG2[n] <<= 1
            if mantissa >> 31:
                mantissa >>= 1
                LOG2[n] |= 1


fill_logarithms()


cdef inline uint64_t key_of(const BoardState *board) noexcept nogil:
    return board.plies[board.ply].key ^ (WHITE_TO_MOVE if board.side else 0)


cdef inline bint out_of_time(WorkerState *worker) noexcept nogil:
    """Whether the search must unwind; its scores are then worthless."""
    if worker.stopped:
        return True
    if worker.nodes >= worker.node_limit:
        worker.stopped = True
    elif worker.nodes >= worker.next_poll:
        worker.next_poll = worker.nodes + POLL_INTERVAL
        worker.stopped = must_stop(worker.control)
    return worker.stopped


cdef inline void make(WorkerState *worker, int cell) noexcept nogil:
    make_move(&worker.board, cell)
    tt_prefetch(worker.table, key_of(&worker.board))
    worker.nodes += 1


cdef inline void end_pv(WorkerState *worker, int ply) noexcept nogil:
    worker.pv_length[ply] = 0


cdef inline void begin_pv(WorkerState *worker, int ply, int cell) noexcept nogil:
    """The PV from here is ``cell`` and then the child's."""
    cdef int k, length = min(worker.pv_length[ply + 1], MAX_PLY - ply - 1)
    worker.pv[ply][0] = <int16_t> cell
    for k in range(length):
        worker.pv[ply][k + 1] = worker.pv[ply + 1][k]
    worker.pv_length[ply] = length + 1


cdef int try_fours(WorkerState *worker, int ply) noexcept nogil:
    """A small local VCF search: plies to the win, or 0. Fills the PV on success."""
    cdef VcfSearch *vcf = &worker.vcf
    cdef int length, k
    vcf.board = &worker.board
    vcf.nodes = &worker.nodes
    vcf.limit = min(worker.nodes + worker.params[LEAF_NODES], worker.node_limit)
    vcf.local = True
    vcf.simple_plies = worker.params[LEAF_SIMPLE]
    vcf.fours_only = False
    vcf.gave_up = False
    vcf.failed = worker.failures
    vcf.failed_mask = FAILURES - 1
    vcf.control = NULL
    length = vcf_attack(vcf, worker.params[LEAF_FOURS], 0, last_move(&worker.board, 1))
    worker.stopped |= worker.nodes >= worker.node_limit
    if length:
        k = 0
        while k < length and vcf.line[k] != NO_CELL and ply + k < MAX_PLY:
            worker.pv[ply][k] = vcf.line[k]
            k += 1
        worker.pv_length[ply] = k
    return length


cdef inline bint decides(const Probe *probe, int alpha, int beta) noexcept nogil:
    """Whether an entry's score answers a search with this window."""
    return (
        probe.bound == EXACT
        or (probe.bound == LOWER and probe.score >= beta)
        or (probe.bound == UPPER and probe.score <= alpha)
    )


cdef int leaf(WorkerState *worker, int alpha, int beta, int ply) noexcept nogil:
    """The value of a node where the depth is used up.

    Returns a static evaluation, or a win by continuous fours when one is found. Assumes
    that the static tests found nothing and that the side to move is not threatened by a
    five.
    """
    cdef Probe probe
    cdef int score, length, static_eval
    cdef uint64_t key = key_of(&worker.board)
    tt_probe(worker.table, key, ply, &probe)
    if probe.found and worker.features & TABLE_CUTS and decides(&probe, alpha, beta):
        return probe.score
    static_eval = probe.static_eval
    if static_eval == NO_SCORE:
        static_eval = evaluate(worker.evaluator, &worker.board)
    if static_eval >= beta or not worker.features & LEAF_VCF:
        return static_eval
    length = try_fours(worker, ply) if has_fours(&worker.board, worker.board.side) else 0
    score = win_in(ply + length) if length else static_eval
    if length or not probe.found or probe.depth <= 0:   # deeper knowledge stays
        tt_store(
            worker.table, key, ply, score, static_eval, 0, NO_CELL,
            LOWER if length else EXACT
        )
    return score


cdef inline int reduction(const int *params, int depth, int tried) noexcept nogil:
    """Late move reduction in depth units, before adjustments."""
    cdef int plies = min(depth / ONE_PLY, LOG_SIZE - 1)
    return LOG2[plies] * LOG2[min(tried, LOG_SIZE - 1)] * params[REDUCE_SCALE] / (64 * 64)


cdef void remember_cutoff(
    WorkerState *worker, int ply, int cell, int depth, const int16_t *tried, int count
) noexcept nogil:
    """Reward the move that refuted the node, blame those tried before it."""
    cdef BoardState *board = &worker.board
    cdef History *history = &worker.history
    cdef int side = board.side, k, bonus = history_bonus(depth / ONE_PLY)
    if board.cells[cell].rank[side] >= THREE:
        update_history(&history.attack[side][cell], bonus)
    else:
        update_history(&history.quiet[side][cell], bonus)
        update_killers(history, ply, cell)
    history.counter[side][last_move(board, 0)] = <int16_t> cell
    for k in range(count):
        if board.cells[tried[k]].rank[side] >= THREE:
            update_history(&history.attack[side][tried[k]], -bonus)
        else:
            update_history(&history.quiet[side][tried[k]], -bonus)


cdef inline int strong_cells(const BoardState *board, int side) noexcept nogil:
    """How many cells are more than a three and not a simple four: never pruned late."""
    return (
        count_of(board, side, THREE_PLUS) + count_of(board, side, THREE_TWO)
        + count_of(board, side, MAYBE_THREE_TWO)
        + count_of(board, side, MAYBE_FOUR_THREE_TWO) + count_of(board, side, FOUR_PLUS)
        + count_of(board, side, FOUR_THREE) + count_of(board, side, FOUR_OPEN)
        + count_of(board, side, FIVE)
    )


cdef int search(
    WorkerState *worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil:
    """Negamax value of the node for its side to move, fail-soft.

    Assumes -INFINITY <= alpha < beta <= INFINITY; ``depth`` is in 1/64 ply. A result
    within the window is exact as far as the depth and the prunings go, one at or below
    alpha is an upper bound, one at or above beta a lower bound. A score in the win zone
    is a proved win: nothing that prunes may produce one. When ``worker.stopped`` is set
    the result means nothing.

    "Worth" is what the engine loses in Elo without a step, the rest as it is: 140 games at
    8,000 nodes a move each, most +- 50 to 65 (docs/AB.md, "What the steps are worth").
    """
    cdef BoardState *board = &worker.board
    cdef bint root = ply == 0, pv_node = beta - alpha > 1, improving, quiet
    cdef bint static_tests, five, delays = False
    cdef int side = board.side, best = -INFINITY, best_cell = NO_CELL, score, cell
    cdef int static_eval, tried_count = 0, new_depth, reduced, extension
    cdef int proved, old_alpha = alpha, rank, legal = 0, late_limit, late_most, exempt
    cdef int arena_base, length, less = 0
    cdef uint64_t key
    cdef Probe probe
    cdef Duty duty = FREE_CHOICE
    cdef MoveSet answers
    cdef MovePicker picker
    cdef int16_t[64] tried
    cdef Bound bound
    cdef const int *params = worker.params
    cdef int skipped = worker.stack[ply].skipped    # in a singular test
    cdef int estimate, behind, top = NO_TOP, s_beta

    end_pv(worker, ply)
    if ply > worker.seldepth:
        worker.seldepth = ply

    # 1. Stop, full board, too deep.
    if out_of_time(worker):
        return 0
    if not board.empties:
        return DRAW
    if ply >= MAX_PLY - 4:
        return evaluate(worker.evaluator, board)

    # 2. Static win test: what the ranks prove needs no search. It does not know of
    #    excluded moves, so a root that has some tries all others one by one. Worth, with
    #    4: everything (0 of 140).
    static_tests = worker.features & STATIC_TESTS and not (
        root and worker.excluded_count
    )
    if static_tests:
        proved = static_win(board, &cell)
        if proved:
            if cell != NO_CELL:
                worker.pv[ply][0] = <int16_t> cell
                worker.pv_length[ply] = 1
            return win_in(ply + proved) if proved > 0 else lose_in(ply - proved)

    # 3. Mate distance: no line from here can beat a shorter proved result.
    if not root:
        alpha = max(alpha, lose_in(ply + 2))
        beta = min(beta, win_in(ply + 1))
        if alpha >= beta:
            return alpha

    # 4. What the opponent threatens, and so which moves are left.
    answers.count = 0
    if static_tests:
        duty = find_duty(board, &answers)
        if not answers.count:
            if duty == STOP_OPEN_FOUR:
                return lose_in(ply + 4)
            if duty == STOP_FOUR_THREE:
                return lose_in(ply + 6)

    # 5. Leaf. A threatened five is answered first: it leaves no choice.
    #    Worth of its search of fours: 47.
    if depth <= 0 and duty != STOP_FIVE:
        return leaf(worker, alpha, beta, ply)

    # 6. Table. Worth of its cuts: 83.
    key = key_of(board)
    if skipped != NO_CELL:      # another question, so another entry
        key ^= ZOBRIST[WALL][skipped]
    tt_probe(worker.table, key, ply, &probe)
    if probe.cell != NO_CELL and not (
        is_empty(board, probe.cell)
        and (duty == FREE_CHOICE or contains(&answers, probe.cell))
    ):
        probe.cell = NO_CELL
    if (
        probe.cell == NO_CELL and depth >= params[INTERNAL_DEPTH] and duty != STOP_FIVE
        and worker.features & REDUCTIONS and not root
    ):
        less = params[INTERNAL_REDUCTION]
    if (
        probe.found and not pv_node and worker.features & TABLE_CUTS
        and probe.depth >= depth - less     # a search would go no deeper, see 10 (*)
        and decides(&probe, alpha, beta)
    ):
        return probe.score

    # (*) At 1 ply that lets the entry of a leaf decide: 140 of 244 of Rapfi's forced wins
    # are found so in 150,000 nodes, 137 when such a node is searched (docs/AB.md).

    # 7. Static evaluation; a threatened five makes it meaningless.
    if duty == STOP_FIVE:
        static_eval = NO_SCORE
    elif probe.static_eval != NO_SCORE:
        static_eval = probe.static_eval
    else:
        static_eval = evaluate(worker.evaluator, board)
    worker.stack[ply].static_eval = static_eval
    improving = static_eval != NO_SCORE and (
        ply < 2 or worker.stack[ply - 2].static_eval == NO_SCORE
        or static_eval > worker.stack[ply - 2].static_eval
    )
    estimate = static_eval
    if probe.found and (
        probe.bound == EXACT
        or (probe.bound == LOWER and probe.score > static_eval)
        or (probe.bound == UPPER and probe.score < static_eval)
    ):
        estimate = probe.score      # a search knows better

    if (
        not pv_node and duty != STOP_FIVE and worker.features & PRUNING
        and not is_proved(alpha) and not is_proved(beta) and not is_proved(estimate)
        and skipped == NO_CELL
    ):
        # 8. Razoring: far below alpha only a forced win helps. Worth 47.
        if (
            depth < params[RAZOR_DEPTH]
            and estimate + params[RAZOR_BASE] + params[RAZOR_SLOPE] * depth / ONE_PLY
            < alpha
        ):
            return leaf(worker, alpha, beta, ply)
        # 9. Reverse futility: so far above beta that a quiet opponent cannot catch up.
        #    Worth 153.
        if (
            depth < params[FUTILITY_DEPTH] and duty == FREE_CHOICE
            and estimate
            - params[FUTILITY_SLOPE] * (depth - improving * ONE_PLY) / ONE_PLY >= beta
        ):
            return estimate

    # 10. Without a table move the ordering is poor: search less deep (see 6). Worth 32.
    depth -= less

    # 11. Moves, best first. Worth of the histories in their order and in 14: nothing that
    #     140 games show (-17); of killers and counter-moves: 45; both before replies to
    #     threats were left out of them (15).
    late_limit = (
        params[LATE_MOVE_BASE]
        + params[LATE_MOVE_SLOPE] * (depth / ONE_PLY) * (depth / ONE_PLY) / 64
    ) / (1 if improving else 2) + params[LATE_MOVE_LEAST]
    if pv_node:
        late_limit = late_limit * params[LATE_PV] / 64 if params[LATE_PV] else MAX_STONES
    late_most = (
        max(params[LATE_THREAT], params[LATE_THREES]) * late_limit
        if params[LATE_FOURS] and params[LATE_THREES] else 64 * MAX_STONES
    )
    exempt = strong_cells(board, side)
    arena_base = worker.arena_top
    if arena_base + board.empties + BLOCK > ARENA_KEYS:
        return evaluate(worker.evaluator, board) if duty != STOP_FIVE else 0
    picker.stage = TABLE_MOVE
    picker.table_move = probe.cell
    picker.keys = &worker.arena[arena_base]
    picker.cells = &worker.arena_cells[arena_base]
    picker.params = params
    worker.arena_top += board.empties + BLOCK

    while True:
        cell = next_move(&picker, board, &worker.history, ply, duty, &answers)
        if cell == NO_CELL:
            break
        rank = board.cells[cell].rank[side]
        exempt -= rank > THREE and rank != FOUR
        if cell == skipped or (
            root and is_among(worker.excluded, worker.excluded_count, cell)
        ):
            continue
        if is_forbidden(board, cell, side):
            continue
        legal += 1
        quiet = rank < THREE and board.cells[cell].rank[side ^ 1] < THREE
        if cell == probe.cell:
            behind = 0
        else:
            if top == NO_TOP:
                top = picker.score
            behind = top - picker.score

        # 12. Late move pruning: deep in the list of a shallow node nothing is expected.
        #     Worth 389; of it in PV nodes 181, of threes 42, of our simple fours 53.
        if (
            worker.features & PRUNING and not root and duty == FREE_CHOICE
            and not is_loss(best) and depth < params[LATE_MOVE_DEPTH] and legal > late_limit
            and (
                rank < THREE or (rank == FOUR and params[LATE_FOURS])
                or (
                    rank == THREE and params[LATE_THREES]
                    and 64 * legal > params[LATE_THREES] * late_limit
                )
            )
        ):
            if quiet or 64 * legal > params[LATE_THREAT] * late_limit:
                if not exempt and 64 * legal > late_most:
                    break       # nothing that is left would be searched
                continue

        # .. and our simple fours that do not stop a threat only put it off, unless they
        #    win: that is tried once. Worth 138.
        if (
            params[LATE_DELAY] and worker.features & PRUNING and not root and rank == FOUR
            and (duty == STOP_OPEN_FOUR or duty == STOP_FOUR_THREE)
            and not is_loss(best) and depth < params[LATE_MOVE_DEPTH] and legal > 1
            and 64 * legal > params[LATE_DELAY] * (depth / ONE_PLY)
            and only_delays(&answers, cell)
        ):
            if (
                not delays and skipped == NO_CELL and not is_proved(best)
                and worker.features & LEAF_VCF
            ):
                delays = True
                length = try_fours(worker, ply)
                if length:
                    worker.arena_top = arena_base
                    score = win_in(ply + length)
                    tt_store(
                        worker.table, key, ply, score, static_eval, depth,
                        worker.pv[ply][0], LOWER
                    )
                    return score
            continue

        # 13. Extensions: the reply to a five gains half a ply, that to an open four or
        #     four-three costs a sixth of one, unless it is a four; a table move that stands
        #     out from all others is searched deeper (off by default: games show no gain).
        #     Worth 47 and 86.
        extension = 0
        if worker.features & EXTENSIONS:
            if duty == STOP_FIVE:
                extension = params[FIVE_EXTENSION]
            elif (
                duty != FREE_CHOICE and not rank & MAKES_FOUR
                and ply < 2 * worker.root_plies
            ):
                extension = params[FOUR_EXTENSION]
            if (
                cell == probe.cell and depth >= params[SINGULAR_DEPTH] and not root
                and skipped == NO_CELL and duty != STOP_FIVE and probe.bound != UPPER
                and probe.depth >= depth - params[SINGULAR_TT]
                and not is_proved(probe.score) and ply < 2 * worker.root_plies
            ):
                s_beta = probe.score - params[SINGULAR_MARGIN] * depth / (64 * ONE_PLY)
                worker.stack[ply].skipped = <int16_t> cell
                score = search(
                    worker, s_beta - 1, s_beta, depth * params[SINGULAR_SHARE] / 64, ply,
                    cut_node
                )
                worker.stack[ply].skipped = NO_CELL
                if worker.stopped:
                    worker.arena_top = arena_base
                    return 0
                end_pv(worker, ply)
                if score < s_beta:
                    extension += ONE_PLY
                    if not pv_node and score < s_beta - params[SINGULAR_DOUBLE]:
                        extension += ONE_PLY
                elif s_beta >= beta:        # several moves refute this node
                    worker.arena_top = arena_base
                    return s_beta
                elif probe.score >= beta:
                    extension -= params[SINGULAR_MINUS]
        new_depth = depth - ONE_PLY + extension

        make(worker, cell)

        # 14. Late move reduction, then the full search where it was not refuted; one ply
        #     less deep where it is hardly better than the best so far. Worth 81, the last
        #     of it 70, simple fours among the reduced 23 (300 games at 12,000 nodes; -37 in
        #     140 at 8,000); more or less of it by the kind of node: nothing that 840 games
        #     show (-37; at 16,000 nodes -26 and -12).
        five = root and rank == FIVE and worker.features & STATIC_TESTS
        if five:
            score = win_in(1)       # nobody looks for a five that stands already
            end_pv(worker, 1)
        elif (
            worker.features & REDUCTIONS and depth >= params[REDUCE_DEPTH]
            and legal >= params[REDUCE_FROM] + root + pv_node and duty != STOP_FIVE
            and (
                not rank & MAKES_FOUR or params[REDUCE_FOURS] == 2
                or (params[REDUCE_FOURS] and rank == FOUR)
            )
        ):
            reduced = reduction(params, depth, legal)
            if pv_node:
                reduced -= params[REDUCE_PV]
            if cut_node:
                reduced += params[REDUCE_CUT_NODE]
                if estimate >= beta + params[LIKELY_MARGIN]:
                    reduced += params[LIKELY_REDUCTION]
            if not improving:
                reduced += params[REDUCE_NOT_IMPROVING]
            if not quiet:
                reduced -= params[REDUCE_THREAT]
                if rank >= THREE:
                    reduced -= worker.history.attack[side][cell] / params[REDUCE_HISTORY]
            else:
                reduced -= worker.history.quiet[side][cell] / params[REDUCE_HISTORY]
            if behind > params[REDUCE_POLICY_FREE]:
                reduced += min(
                    (behind - params[REDUCE_POLICY_FREE]) * params[REDUCE_POLICY] / 1024,
                    params[REDUCE_POLICY_MOST]
                )
            reduced = max(0, min(reduced, new_depth - 1))
            score = -search(worker, -alpha - 1, -alpha, new_depth - reduced, ply + 1, True)
            if score > alpha and score < best + params[RESEARCH_MARGIN]:
                new_depth -= min(reduced, params[RESEARCH_LESS])
                reduced -= params[RESEARCH_LESS]
            if score > alpha and reduced > 0:
                score = -search(
                    worker, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node
                )
        elif not pv_node or legal > 1:
            score = -search(worker, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        else:
            score = -INFINITY
        if pv_node and not five and (legal == 1 or score > alpha):
            score = -search(worker, -beta, -alpha, new_depth, ply + 1, False)

        undo_move(board)
        if worker.stopped:
            worker.arena_top = arena_base
            return 0

        # 15. Best move so far. What answers a threat teaches nothing about free choices
        #     (worth 24 and 23 in 800 and 700 games at 16,000 nodes, the only reply to a five
        #     and the others); the depth of the only reply to a five may be negative.
        if score > best:
            best = score
            if score > alpha:
                best_cell = cell
                alpha = score
                if pv_node:
                    begin_pv(worker, ply, cell)
                if score >= beta:
                    if duty == FREE_CHOICE:
                        remember_cutoff(worker, ply, cell, depth, tried, tried_count)
                    break
                if 2 * ONE_PLY < depth < 12 * ONE_PLY and not root:
                    depth -= params[RAISED_REDUCTION]
        if tried_count < 64:
            tried[tried_count] = <int16_t> cell
            tried_count += 1

    worker.arena_top = arena_base

    # 16. No legal move: every answer to a threat is forbidden, or (rare) no candidate is
    #     left to black that is not; at the root all may be excluded.
    if best == -INFINITY and skipped != NO_CELL:
        return alpha
    if best == -INFINITY and not root:
        if duty == STOP_FIVE:
            return lose_in(ply + 2)
        if duty == STOP_OPEN_FOUR:
            return lose_in(ply + 4)
        if duty == STOP_FOUR_THREE:
            return lose_in(ply + 6)
        return static_eval

    # 17. Store.
    if not (root and worker.excluded_count) and best != -INFINITY:
        bound = LOWER if best >= beta else (EXACT if pv_node and best > old_alpha else UPPER)
        tt_store(
            worker.table, key, ply, best, static_eval, depth, best_cell, bound
        )
    return best


class Features:
    """Bits for ``Worker(features=)``, so that tests can compare with plain searches."""


Features.STATIC_TESTS = STATIC_TESTS    # a class body would not see the C constants
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
    cdef WorkerState *state
    cdef TranspositionTable table       # kept alive
    cdef SearchControl control          # kept alive
    cdef int rule                       # of the last position
    cdef Evaluation own                 # under its rule instead of the shipped one
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
        index, _default, least, most = PARAMETERS[name]
        if not least <= value <= most:
            raise ValueError(f"{name} is {least}..{most}")
        self.state.params[<int> index] = value

    def set_evaluation(self, Evaluation evaluation):
        self.own = evaluation

    cdef int take_evaluation(self, int rule) except -1:
        """Have an evaluator for positions under a rule."""
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
        memset(&self.state.history, 0, sizeof(History))
        memset(self.state.failures, 0, sizeof(self.state.failures))

    def set_position(self, Board board not None, SearchControl control not None,
                     nodes=None):
        self.take_evaluation(board.rule_code)
        if board.rule_code != self.rule:    # what is remembered holds under one rule
            self.rule = board.rule_code
            self.forget()
        self.control = control
        self.state.control = &control.state
        self.state.table = &self.table.table
        set_up(self.state.evaluator, &self.state.board, board.state)
        self.state.nodes = 0
        self.state.next_poll = 0
        self.state.node_limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        self.state.seldepth = 0
        self.state.stopped = False
        self.state.excluded_count = 0
        self.state.pv_length[0] = 0

    def resume(self, Board board not None, SearchControl control not None, limit,
               uint64_t nodes, int seldepth, bint stopped):
        self.set_position(board, control, limit)
        self.state.nodes = nodes
        self.state.seldepth = seldepth
        self.state.stopped = stopped

    def search(self, double plies, int alpha=-INFINITY, int beta=INFINITY, exclude=()):
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
        memset(self.state.stack, 0, sizeof(self.state.stack))
        with nogil:
            score = search(self.state, alpha, beta, depth, 0, False)
        return score

    def solve_vcf(self, int fours=MAX_PLY // 2, nodes=None):
        cdef VcfSearch *vcf = &self.state.vcf
        cdef uint64_t entries = 1 << 18
        cdef int length = 0, depth, k
        self.need_position()
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
                depth = 1
                while depth <= fours:
                    vcf.gave_up = False
                    length = vcf_attack(vcf, depth, 0, NO_CELL)
                    if length or not vcf.gave_up or vcf.nodes[0] >= vcf.limit:
                        break
                    depth += 1
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
        self.need_position()
        return evaluate(self.state.evaluator, &self.state.board)

    def evaluate_along(self, moves):
        """Static evaluations after each move of a line, for whoever is then to move.

        As in a search, the sums of the last position are brought up to date; the line
        is taken back at the end.
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
                found.append(evaluate(self.state.evaluator, board))
        finally:
            while board.ply > root:
                undo_move(board)
        return found

    def best_by_score(self, exclude=()):
        """The legal candidate with the best move score; None without one."""
        cdef MovePicker picker
        cdef MoveSet answers
        cdef int cell
        cdef Duty duty
        self.need_position()
        duty = find_duty(&self.state.board, &answers)
        skip = {cell_of(x, y) for x, y in exclude}
        if not answers.count:
            duty = FREE_CHOICE
        picker.stage = TABLE_MOVE
        picker.table_move = NO_CELL
        picker.keys = self.state.arena
        picker.cells = self.state.arena_cells
        picker.params = self.state.params
        while True:
            cell = next_move(
                &picker, &self.state.board, &self.state.history, 0, duty, &answers
            )
            if cell == NO_CELL:
                if duty == FREE_CHOICE:
                    return None
                duty = FREE_CHOICE
                picker.stage = TABLE_MOVE
                continue
            if cell not in skip and not is_forbidden(
                &self.state.board, cell, self.state.board.side
            ):
                return Move(cell_x(cell), cell_y(cell))

    def time_moves(self, int rounds):
        """Nanoseconds per make_move and undo_move of every candidate, on average."""
        cdef BoardState *board = &self.state.board
        cdef int16_t[MAX_STONES] cells
        cdef int count = 0, cell, k, _n
        cdef int64_t start, end
        self.need_position()
        for cell in range(CELLS):
            if (
                board.plies[board.ply].candidates[cell >> 5] >> (cell & 31) & 1
                and is_empty(board, cell)
            ):
                cells[count] = cell
                count += 1
        with nogil:
            start = now_ns()
            for _n in range(rounds):
                for k in range(count):
                    make_move(board, cells[k])
                    undo_move(board)
            end = now_ns()
        return <double> (end - start) / (rounds * max(1, count))

    def time_evaluate(self, int rounds):
        """Nanoseconds per static evaluation."""
        cdef int _n, total = 0
        cdef int64_t start, end
        self.need_position()
        with nogil:
            start = now_ns()
            for _n in range(rounds):
                self.state.board.side ^= 1
                total += evaluate(self.state.evaluator, &self.state.board)
            end = now_ns()
            self.state.board.side ^= rounds & 1
            self.state.pv_length[0] = total & 0     # keeps the loop alive
        return <double> (end - start) / rounds

    @property
    def pv(self):
        return line_of(self.state.pv[0], self.state.pv_length[0])

    @property
    def nodes(self):
        return self.state.nodes

    @property
    def seldepth(self):
        return self.state.seldepth

    @property
    def stopped(self):
        return bool(self.state.stopped)
