"""Principal variation search: the node function and its parts.

``search`` is the node function, a page of numbered steps to be read from top to bottom.
Each step has its reason and its worth: the Elo that the engine loses without it,
measured as ``docs/lessons.md`` describes (What the steps are worth). ``leaf`` ends
every line with a static evaluation and a search of continuous fours. The helpers before
them have the conditions of single steps. This module prints nothing, and reads the
clock only through the worker's control.
"""

from libc.stdint cimport int16_t, uint64_t

from gomoku_brain.eval.evaluate cimport evaluate
from gomoku_brain.eval.score cimport (
    DRAW, INFINITY, NO_SCORE, WIN, is_loss, is_proved, loss_score, win_score
)
from gomoku_brain.game.atomics cimport count_one
from gomoku_brain.game.board cimport (
    BoardState, count_of, has_fours, is_empty, last_move, make_move, table_key,
    table_key_after, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport NO_CELL
from gomoku_brain.game.patterns cimport (
    FIVE, FOUR, FOUR_OPEN, FOUR_PLUS, FOUR_THREE, MAKES_FOUR, MAYBE_FOUR_THREE_TWO,
    MAYBE_THREE_TWO, THREE, THREE_PLUS, THREE_TWO
)
from gomoku_brain.control.search_control cimport must_stop
from gomoku_brain.search.history cimport (
    History, history_bonus, update_history, update_killers
)
from gomoku_brain.search.movepick cimport BLOCK, MovePicker, next_move, start_picker
from gomoku_brain.control.params cimport (
    FIVE_EXTENSION, FOUR_EXTENSION, FUTILITY_DEPTH, FUTILITY_SLOPE, INTERNAL_DEPTH,
    INTERNAL_REDUCTION, LAST_PLY, LATE_DELAY, LATE_MOVE_BASE, LATE_MOVE_DEPTH,
    LATE_MOVE_SLOPE, LATE_THREES, LEAF_FOURS, LEAF_NODES, LEAF_SIMPLE, MAX_PLY, ONE_PLY,
    RAZOR_BASE, RAZOR_DEPTH, RAZOR_SLOPE, REDUCE_CUT_NODE, REDUCE_DEPTH, REDUCE_FROM,
    REDUCE_HISTORY, REDUCE_NOT_IMPROVING, REDUCE_PV, REDUCE_SCALE, REDUCE_THREAT,
    RESEARCH_LESS, RESEARCH_MARGIN
)
from gomoku_brain.search.reduction cimport late_move_reduction
from gomoku_brain.tactics.threats cimport (
    FREE_CHOICE, STOP_FIVE, STOP_FOUR_THREE, STOP_OPEN_FOUR, Forced, MoveSet, contains,
    find_forced_replies, is_among, only_delays, static_win
)
from gomoku_brain.search.tt cimport (
    EXACT, LOWER, UPPER, Bound, Probe, tt_prefetch, tt_probe, tt_store
)
from gomoku_brain.tactics.vcf cimport VcfSearch, vcf_attack

cdef enum:
    POLL_INTERVAL = 1024    # nodes between two checks of the clock: about 1 ms
    MAX_TRIED = 64         # moves of a node whose histories a cutoff lowers


# Helpers of several steps
# -----------------------------------------------------------------

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
    # The memory has as long as the move takes: 1.05 times the nodes a second.
    tt_prefetch(worker.table, table_key_after(&worker.board, cell))
    make_move(&worker.board, cell)
    count_one(&worker.nodes)


cdef inline void end_pv(WorkerState *worker, int ply) noexcept nogil:
    worker.pv_length[ply] = 0


cdef inline void start_pv(WorkerState *worker, int ply, int cell) noexcept nogil:
    """Set the PV from here to ``cell`` and then the child's PV."""
    cdef int k, length = min(worker.pv_length[ply + 1], MAX_PLY - ply - 1)
    worker.pv[ply][0] = <int16_t> cell
    for k in range(length):
        worker.pv[ply][k + 1] = worker.pv[ply + 1][k]
    worker.pv_length[ply] = length + 1


cdef inline bint decides(const Probe *probe, int alpha, int beta) noexcept nogil:
    """Whether an entry's score suffices for a search with this window."""
    return (
        probe.bound == EXACT
        or (probe.bound == LOWER and probe.score >= beta)
        or (probe.bound == UPPER and probe.score <= alpha)
    )


cdef inline int score_unanswered(Forced forced, int ply, int otherwise) noexcept nogil:
    """Return the score of a node in which no move answers the opponent's threat."""
    if forced == STOP_FIVE:
        return loss_score(ply + 2)
    if forced == STOP_OPEN_FOUR:
        return loss_score(ply + 4)
    if forced == STOP_FOUR_THREE:
        return loss_score(ply + 6)
    return otherwise


cdef inline void store_static_eval(
    WorkerState *worker, uint64_t key, int ply, const Probe *probe, int static_eval
) noexcept nogil:
    """Store the static evaluation of a node that returns it, unless the table has the
    node.

    Without these entries, 31 to 50 % of all evaluations were of positions that had been
    evaluated before, in earlier iterations or by transposition, and the search was a
    tenth slower. The entry is a lower bound of depth 0, like that of a leaf.
    """
    if not probe.found:
        tt_store(
            worker.table, key, ply, static_eval, static_eval, 0, NO_CELL, LOWER
        )


# The leaf ---------------------------------------------------------------------------------

cdef int try_fours(WorkerState *worker, int ply) noexcept nogil:
    """Search for a small local VCF; return its plies, or 0. Fills the PV on success."""
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


cdef int leaf(WorkerState *worker, int alpha, int beta, int ply) noexcept nogil:
    """Return the value of a node whose depth is used up.

    It is a static evaluation, or a win by continuous fours if one is found. The static
    tests must have found nothing, and the side to move must not be threatened by a
    five.
    """
    cdef Probe probe
    cdef int score, length, static_eval
    cdef uint64_t key = table_key(&worker.board)
    tt_probe(worker.table, key, ply, &probe)
    if probe.found and worker.features & TABLE_CUTS and decides(&probe, alpha, beta):
        return probe.score
    static_eval = probe.static_eval
    if static_eval == NO_SCORE:
        static_eval = evaluate(worker.evaluator, &worker.board)
    if static_eval >= beta or not worker.features & LEAF_VCF:
        store_static_eval(worker, key, ply, &probe, static_eval)
        return static_eval
    length = try_fours(worker, ply) if has_fours(&worker.board, worker.board.side) else 0
    score = win_score(ply + length) if length else static_eval
    if length or not probe.found or probe.depth <= 0:   # an entry of a deeper search stays
        tt_store(
            worker.table, key, ply, score, static_eval, 0, NO_CELL,
            LOWER if length else EXACT
        )
    return score


# The conditions of single steps -----------------------------------------------------------

cdef inline int late_move_limit(
    const int *params, int depth, bint improving
) noexcept nogil:
    """Return the number of moves of a node that are tried before the rest is late."""
    cdef int plies = depth / ONE_PLY
    return (params[LATE_MOVE_BASE] + params[LATE_MOVE_SLOPE] * plies * plies / 64) / (
        1 if improving else 2
    )


cdef inline bint is_late(const int *params, int limit, int tried, int rank) noexcept nogil:
    """Whether a move is so far down the list that it is not tried.

    Simple fours are late like quiet moves, plain threes later, and stronger moves never
    (see ``strong_cells``).
    """
    if rank == THREE:
        return 64 * tried > params[LATE_THREES] * limit
    return tried > limit and (rank < THREE or rank == FOUR)


cdef inline int strong_cells(const BoardState *board, int side) noexcept nogil:
    """Return the number of cells with more than a three but no simple four: never
    pruned as late.
    """
    return (
        count_of(board, side, THREE_PLUS) + count_of(board, side, THREE_TWO)
        + count_of(board, side, MAYBE_THREE_TWO)
        + count_of(board, side, MAYBE_FOUR_THREE_TWO) + count_of(board, side, FOUR_PLUS)
        + count_of(board, side, FOUR_THREE) + count_of(board, side, FOUR_OPEN)
        + count_of(board, side, FIVE)
    )


cdef inline int extension_of(
    const WorkerState *worker, Forced forced, int rank, int ply
) noexcept nogil:
    """Return the additional depth of a reply to a threat."""
    if not worker.features & EXTENSIONS:
        return 0
    if forced == STOP_FIVE:
        return worker.params[FIVE_EXTENSION]
    if (
        forced != FREE_CHOICE and not rank & MAKES_FOUR
        and ply < 2 * worker.root_plies     # or a line of threats would never end
    ):
        return worker.params[FOUR_EXTENSION]
    return 0


cdef inline int reduction_of(
    const WorkerState *worker, int cell, int depth, int tried, bint quiet,
    bint pv_node, bint cut_node, bint is_decided, bint improving
) noexcept nogil:
    """Return the reduction of depth for the first search of a late move; may be
    negative.

    It is smaller in PV nodes, for moves that make or stop a three and for moves with a
    good history. It is larger if a cut is expected anyway, most of all if it is
    decided, and if the position gets worse.
    """
    cdef const int *params = &worker.params[0]
    cdef int side = worker.board.side
    cdef int reduced = late_move_reduction(params[REDUCE_SCALE], depth / ONE_PLY, tried)
    if pv_node:
        reduced -= params[REDUCE_PV]
    if cut_node:
        reduced += params[REDUCE_CUT_NODE]
        if is_decided:
            reduced += ONE_PLY
    if not improving:
        reduced += params[REDUCE_NOT_IMPROVING]
    if not quiet:
        reduced -= params[REDUCE_THREAT]
    if worker.board.cells[cell].rank[side] >= THREE:
        return reduced - worker.history.attack[side][cell] / params[REDUCE_HISTORY]
    if quiet:
        return reduced - worker.history.quiet[side][cell] / params[REDUCE_HISTORY]
    return reduced


cdef void remember_cutoff(
    WorkerState *worker, int ply, int cell, int depth, const int16_t *tried, int count
) noexcept nogil:
    """Reward the move that refuted the node, and lower the histories of those tried
    before it.
    """
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


# The node ---------------------------------------------------------------------------------

cdef int search(
    WorkerState *worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil:
    """Return the negamax value of the node for its side to move, fail-soft.

    -INFINITY <= alpha < beta <= INFINITY; ``depth`` is in 1/64 ply. A result within the
    window is exact as far as the depth and the prunings go, one at or below alpha is an
    upper bound, one at or above beta a lower bound. A score in the win zone is a proved
    win: pruning must never produce one. If ``worker.stopped`` is set, the result has no
    meaning.
    """
    cdef BoardState *board = &worker.board
    cdef const int *params = worker.params
    cdef bint root = ply == 0, pv_node = beta - alpha > 1, improving, quiet, prunes, is_decided
    cdef bint static_tests, reduces, five, delays = False
    cdef int side = board.side, best = -INFINITY, best_cell = NO_CELL, score, cell, rank
    cdef int static_eval, estimate, proved, old_alpha = alpha
    cdef int legal = 0, tried_count = 0, late_limit, exempt
    cdef int new_depth, reduced = 0, less, length, arena_base
    cdef uint64_t key
    cdef Probe probe
    cdef Forced forced = FREE_CHOICE
    cdef MoveSet answers
    cdef MovePicker picker
    cdef int16_t[MAX_TRIED] tried
    cdef Bound bound

    end_pv(worker, ply)
    if ply > worker.seldepth:
        worker.seldepth = ply

    # 1. Stop: a limit was met, the board is full, or the arrays by ply end here.
    if out_of_time(worker):
        return 0
    if not board.empties:
        return DRAW
    if ply >= LAST_PLY:
        return evaluate(worker.evaluator, board)

    # 2. Static wins: a result that the ranks of the cells prove needs no search. At a
    # root with excluded moves, which the test does not know, all others are tried one
    # by one. Without this step and step 4 all of 140 games are lost.
    static_tests = worker.features & STATIC_TESTS and not (
        root and worker.excluded_count
    )
    if static_tests:
        proved = static_win(board, &cell)
        if proved:
            if cell != NO_CELL:
                worker.pv[ply][0] = <int16_t> cell
                worker.pv_length[ply] = 1
            return win_score(ply + proved) if proved > 0 else loss_score(ply - proved)

    # 3. Mate distance: if a shorter win is known elsewhere, no line from here can
    # matter. It only saves nodes, so it has no Elo figure.
    if not root:
        alpha = max(alpha, loss_score(ply + 2))
        beta = min(beta, win_score(ply + 1))
        if alpha >= beta:
            return alpha

    # 4. Forced replies: the opponent's threat leaves few moves that can be right, or
    # none. The worth is included in step 2.
    answers.count = 0
    if static_tests:
        forced = find_forced_replies(board, &answers)
        if not answers.count and (forced == STOP_OPEN_FOUR or forced == STOP_FOUR_THREE):
            return score_unanswered(forced, ply, 0)

    # 5. Leaf: the depth is used up. A threatened five is answered first, since it leaves
    #    no choice. The search of fours in the leaf is worth 47.
    if depth <= 0 and forced != STOP_FIVE:
        return leaf(worker, alpha, beta, ply)

    # 6. Table: a result of a search of at least this depth needs no second search. A
    # node without a table move will be searched less deep (step 10), so for it an entry
    # of that smaller depth suffices. Without it 83 Elo are lost.
    key = table_key(board)
    tt_probe(worker.table, key, ply, &probe)
    if probe.cell != NO_CELL and not (
        is_empty(board, probe.cell)
        and (forced == FREE_CHOICE or contains(&answers, probe.cell))
    ):
        probe.cell = NO_CELL
    less = 0
    if (
        probe.cell == NO_CELL and depth >= params[INTERNAL_DEPTH] and forced != STOP_FIVE
        and worker.features & REDUCTIONS and not root
    ):
        less = params[INTERNAL_REDUCTION]
    if (
        probe.found and not pv_node and worker.features & TABLE_CUTS
        and probe.depth >= depth - less and decides(&probe, alpha, beta)
    ):
        return probe.score

    # 7. Estimate: the static evaluation, or the table's score if a search was more
    # exact. While a five is threatened the static evaluation would mean nothing.
    if forced == STOP_FIVE:
        static_eval = NO_SCORE
    elif probe.static_eval != NO_SCORE:
        static_eval = probe.static_eval
    else:
        static_eval = evaluate(worker.evaluator, board)
    worker.static_evals[ply] = static_eval
    improving = static_eval != NO_SCORE and (
        ply < 2 or worker.static_evals[ply - 2] == NO_SCORE
        or static_eval > worker.static_evals[ply - 2]
    )
    estimate = static_eval
    if probe.found and (
        probe.bound == EXACT
        or (probe.bound == LOWER and probe.score > static_eval)
        or (probe.bound == UPPER and probe.score < static_eval)
    ):
        estimate = probe.score
    prunes = (
        not pv_node and forced != STOP_FIVE and worker.features & PRUNING
        and not is_proved(alpha) and not is_proved(beta) and not is_proved(estimate)
    )

    # 8. Razoring: so far below alpha only a win by fours can help, and a leaf searches
    # for one. Without it 47 Elo are lost.
    if (
        prunes and depth < params[RAZOR_DEPTH]
        and estimate + params[RAZOR_BASE] + params[RAZOR_SLOPE] * depth / ONE_PLY < alpha
    ):
        return leaf(worker, alpha, beta, ply)

    # 9. Reverse futility: so far above beta that the opponent, who threatens nothing,
    # cannot catch up within the depth. Without it 153 Elo are lost. The table stores
    # the evaluation, so that it need not be computed again.
    if (
        prunes and depth < params[FUTILITY_DEPTH] and forced == FREE_CHOICE
        and estimate - params[FUTILITY_SLOPE] * (depth - improving * ONE_PLY) / ONE_PLY
        >= beta
    ):
        if not root:        # excluded moves leave the forced replies of a root unknown
            store_static_eval(worker, key, ply, &probe, static_eval)
        return estimate

    # 10. Internal reduction: without a table move the first move is a guess, so the
    # node is searched less deep; if it matters, it is visited again with a table move.
    # Without it 32 Elo are lost.
    depth -= less

    # 11. Moves, best first, so that the first one cuts in nine of ten cut nodes. Killers
    #     and counter-moves are worth 45, histories nothing that 140 games show (-17).
    # Whether the table proves a win in n plies and beta is at most -n. A larger margin,
    # for other likely fail-highs, was removed (docs/history/AB.md).
    is_decided = estimate >= beta + WIN
    late_limit = late_move_limit(params, depth, improving)
    exempt = strong_cells(board, side)
    arena_base = worker.arena_top
    if arena_base + board.empties + BLOCK > ARENA_KEYS:
        return evaluate(worker.evaluator, board) if forced != STOP_FIVE else 0
    start_picker(
        &picker, probe.cell, &worker.arena[arena_base], &worker.arena_cells[arena_base],
        params
    )
    worker.arena_top += board.empties + BLOCK

    while True:
        cell = next_move(&picker, board, &worker.history, ply, forced, &answers)
        if cell == NO_CELL:
            break
        rank = board.cells[cell].rank[side]
        exempt -= rank > THREE and rank != FOUR
        if root and is_among(worker.excluded, worker.excluded_count, cell):
            continue
        if is_forbidden(board, cell, side):
            continue
        legal += 1
        quiet = rank < THREE and board.cells[cell].rank[side ^ 1] < THREE

        # 12. Late move pruning: so far down the list of a shallow node nothing is
        # expected, and if no exempt move is left either, the loop ends. Without it 389
        # Elo are lost.
        if (
            worker.features & PRUNING and not root and forced == FREE_CHOICE
            and not is_loss(best) and depth < params[LATE_MOVE_DEPTH]
            and is_late(params, late_limit, legal, rank)
        ):
            if not exempt and 64 * legal > params[LATE_THREES] * late_limit:
                break
            continue

        # 13. Delays: a simple four that does not stop the threat only delays the loss,
        # unless it begins a win by fours, which is searched once. Without it 138 Elo
        # are lost.
        if (
            worker.features & PRUNING and not root and rank == FOUR
            and (forced == STOP_OPEN_FOUR or forced == STOP_FOUR_THREE)
            and not is_loss(best) and depth < params[LATE_MOVE_DEPTH] and legal > 1
            and 64 * legal > params[LATE_DELAY] * (depth / ONE_PLY)
            and only_delays(&answers, cell)
        ):
            if not delays and not is_proved(best) and worker.features & LEAF_VCF:
                delays = True
                length = try_fours(worker, ply)
                if length:
                    worker.arena_top = arena_base
                    score = win_score(ply + length)
                    tt_store(
                        worker.table, key, ply, score, static_eval, depth,
                        worker.pv[ply][0], LOWER
                    )
                    return score
            continue

        # 14. Extensions: replies to threats are forced, so the line is followed to where
        #     it becomes quiet. Replies to open fours and four-threes are worth 86 (replies
        #     to fives 47).
        new_depth = depth - ONE_PLY + extension_of(worker, forced, rank, ply)

        # 15. Reductions: a late move is searched less deep at first, and again only if
        # it turns out better than alpha. Without it 81 Elo are lost.
        reduces = (
            worker.features & REDUCTIONS and depth >= params[REDUCE_DEPTH]
            and legal >= params[REDUCE_FROM] + root + pv_node and forced != STOP_FIVE
            and (not rank & MAKES_FOUR or rank == FOUR)
        )
        if reduces:
            reduced = reduction_of(
                worker, cell, depth, legal, quiet, pv_node, cut_node, is_decided, improving
            )
            reduced = max(0, min(reduced, new_depth - 1))

        # 16. Search the move: with an empty window that only shows whether it is better
        # than alpha, and in a PV node with the whole window if it is. A reduced move
        # that is better is searched again; if it is hardly better than the best so far,
        # one ply less deep than in full, which is worth 70.
        make(worker, cell)
        five = root and rank == FIVE and worker.features & STATIC_TESTS
        score = -INFINITY
        if five:
            score = win_score(1)       # no search tests for a five that stands already
            end_pv(worker, 1)
        elif reduces:
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
        if pv_node and not five and (legal == 1 or score > alpha):
            score = -search(worker, -beta, -alpha, new_depth, ply + 1, False)
        undo_move(board)
        if worker.stopped:
            worker.arena_top = arena_base
            return 0

        # 17. Best move so far. A cutoff by a free choice updates the histories; an
        # answer to a threat has no meaning for free choices. Leaving out the only
        # replies to fives is worth 24, the other replies 23 more.
        if score > best:
            best = score
            if score > alpha:
                best_cell = cell
                alpha = score
                if pv_node:
                    start_pv(worker, ply, cell)
                if score >= beta:
                    if forced == FREE_CHOICE:
                        remember_cutoff(worker, ply, cell, depth, tried, tried_count)
                    break
        if tried_count < MAX_TRIED:
            tried[tried_count] = <int16_t> cell
            tried_count += 1

    worker.arena_top = arena_base

    # 18. No legal move: every answer to a threat is forbidden or, which is rare, every
    # candidate is forbidden to black. At the root all moves may be excluded; then the
    # caller gets no move.
    if best == -INFINITY and not root:
        return score_unanswered(forced, ply, static_eval)

    # 19. Store the result for later visits, except if excluded moves were not tried.
    if not (root and worker.excluded_count) and best != -INFINITY:
        bound = LOWER if best >= beta else (EXACT if pv_node and best > old_alpha else UPPER)
        tt_store(
            worker.table, key, ply, best, static_eval, depth, best_cell, bound
        )
    return best
