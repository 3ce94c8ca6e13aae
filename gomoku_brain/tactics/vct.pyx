"""Victory by continuous threats (VCT): a df-pn search with every defence.

The attacker makes fours, and moves that threaten to win by fours, until one of them
cannot be answered.

*The search* is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002): depth first, by proof and disproof numbers in a table of its own.
The graph has no cycles, since stones are only added.

*A threat* is a move after which the attacker would win by fours if the defender passed.
The attacker makes only such moves. *The defences* depend on the threat. After a four,
and if an open four or a four-three is threatened, they are the replies that ``threats``
proves to be the only ones. For every other threat they are the cells of its region:
``threat_region`` proves that no other cell can save the defender.

Every claimed win is replayed by ``replay``, which shares no code with this search,
before it is announced.

*The shortest win* is found by searches in which the attacker may make one move, then
two, and so on. In such a search with a bound,

- a threat counts only if its win by fours ends within the moves that are left, and so
  does a static proof. A stone outside the region of a threat does not change that win,
  so it does not delay the five.
- the proved sets of replies for open fours and four-threes are not used, because
  ``threats`` does not state how long the other replies delay the loss.
- the number of moves left follows from the position, since each move adds a stone. So
  the table needs no other keys.
- moves of every rank include every win within three moves. For after the first move of
  a win in m moves of any kind, the attacker would win in m - 1 if the defender passed.
  With m = 3 that is a win by one four, so the first move is a threat as defined above.
"""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from gomoku_brain.eval.evaluate cimport Evaluation
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport (
    BoardState, cells_of_rank, copy_board, count_of, is_empty, make_move, score_at, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport MARGIN, NO_CELL, STRIDE, cell_x, cell_y
from gomoku_brain.game.patterns cimport (
    BLOCKED_THREE, FIVE, FOUR_OPEN, LANES, MAKES_FOUR, MAYBE_FOUR_THREE_TWO, NONE,
    RANK_MASK, THREE, TWO
)
from gomoku_brain.game.position cimport Board, run_winner
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE, ZOBRIST
from gomoku_brain.control.search_control cimport SearchControl, must_stop
from gomoku_brain.control.params cimport LAST_PLY
from gomoku_brain.tactics.proof_table cimport (
    NEVER, ProofCost, ProofEntry, free_table, is_done, make_table, probe, proved, refuted,
    store_proof
)
from gomoku_brain.tactics.threat_region cimport Region, threatens
from gomoku_brain.tactics.threats cimport (
    FREE_CHOICE, STOP_FIVE, Forced, MoveSet, contains, fill_moves, find_forced_replies,
    five_replies, static_win
)
from gomoku_brain.tactics.vcf cimport vcf_attack, vcf_without

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move
from gomoku_brain.control.limits import ThreatTree

cdef enum:
    VCF_FOURS = 20          # own fours in a row that are tried at each node; set by hand
    VCF_NODES = 400         # nodes of such an attempt; set by hand
    COUNTER_NODES = 100     # the same for the defender's fours against a threat; set by hand
    THREAT_FOURS = 20       # own fours in a row that make a move a threat; set by hand
    THREAT_NODES = 2000     # nodes to find them; set by hand
    POLL_NODES = 1024
    MAX_FIVES = 8
    NARROW_NODES = 500_000  # most nodes, for fours and threes alone; set by hand
    TREE_NODES = 2_000_000  # most nodes, for the tree of a win that was found
    TIERS = 3
    ANY_NUMBER = 1 << 20    # moves left of a search without a bound
    BOUND_NODES = 20_000    # THREAT_NODES of a search with a bound; set by hand
    BEST_RANK = RANK_MASK | MAKES_FOUR

# Attacks come in tiers of lower and lower rank. Each tier starts when the moves before
# it all have a proof number of at least its cost (so df-pn tries it last). The last
# tier is only for a search of all ranks.
cdef int[TIERS + 1] TIER_RANK = [THREE, BLOCKED_THREE, TWO, NONE]
cdef uint32_t[TIERS + 1] TIER_COST = [0, 12, 24, 36]        # set by hand


cdef inline uint32_t slack(uint32_t second) noexcept nogil:
    """Return the limit of the best child, whose next best costs ``second``.

    It is a quarter more than in plain df-pn, so that the search does not change between
    two children at every step (the 1 + epsilon of Pawlewicz and Lew, 2007).
    """
    return second + second // 4 + 1


cdef inline bint is_restricted(const VctSearch *self) noexcept nogil:
    """Whether the position is that of the search, and some moves are excluded there.

    No other position of the search has its key, since stones are only added.
    """
    return self.excluded.count and self.board.ply == self.root_ply


# Threats -------------------------------------------------------------------------------

cdef bint is_threat(VctSearch *self, Region *region) noexcept nogil:
    """Whether the side that has just moved would win by fours if it moved again."""
    cdef int fours = min(<int> THREAT_FOURS, moves_left(self) - 1)
    cdef uint64_t nodes = BOUND_NODES if self.maximum else THREAT_NODES
    cdef bint wins = threatens(&self.threat, fours, nodes, region)
    if not wins and self.threat.cut and (fours == THREAT_FOURS or self.threat.gave_up):
        self.incomplete = True
    return wins


cdef int wins_by_fours(VctSearch *self, uint32_t nodes, int fours) noexcept nogil:
    """Return the result of ``vcf_attack`` for the side to move: plies to its five or 0.

    The line is stored.
    """
    cdef VcfSearch *vcf = &self.vcf
    vcf.limit = self.nodes + nodes
    vcf.gave_up = False
    if is_restricted(self):
        return vcf_without(vcf, fours, &self.excluded)
    return vcf_attack(vcf, fours, 0, NO_CELL)


# Nodes ---------------------------------------------------------------------------------

cdef inline int moves_left(const VctSearch *self) noexcept nogil:
    """Return the moves that the attacker may still make, whichever side is to move."""
    if not self.maximum:
        return ANY_NUMBER
    return self.maximum - (self.board.ply - self.root_ply + 1) // 2


cdef inline void store(
    VctSearch *self, uint64_t key, const ProofCost *cost, uint64_t work, int move
) noexcept nogil:
    """Store a position, unless the search was stopped and its result is unknown."""
    if not self.stopped:
        store_proof(&self.proofs, key, cost, work, move)


cdef bint out_of_budget(VctSearch *self) noexcept nogil:
    """Whether the search must end; checks the clock now and then."""
    if self.nodes >= self.limit:
        self.stopped = True
    elif self.nodes >= self.next_poll:
        self.next_poll = self.nodes + POLL_NODES
        if must_stop(self.control):
            self.stopped = True
    return self.stopped


cdef int count_attacks(const BoardState *board) noexcept nogil:
    """Return the number of attacks of the first tier of the side to move."""
    cdef int k, n = 0
    for k in range(LANES - 1):      # the last lane is that of fouls
        n += count_of(board, board.side, THREE + k)
    for k in range(LANES):
        n += count_of(board, board.side, MAYBE_FOUR_THREE_TWO + k)
    return n


cdef ProofCost probe_attack(VctSearch *self, int *move) noexcept nogil:
    """Return the result of an attacker's node as far as it needs no search of
    threats.
    """
    cdef BoardState *board = &self.board
    cdef int n = static_win(board, move), left = moves_left(self)
    cdef ProofCost cost
    if self.fours_only and n > 1 and not board.cells[move[0]].rank[board.side] & MAKES_FOUR:
        n = 0
    if n > 0 and is_restricted(self) and contains(&self.excluded, move[0]):
        n = 0
    if 0 < n < 2 * left:
        return proved()
    if n < 0 or not board.empties or left <= 0:
        return refuted()
    n = wins_by_fours(self, VCF_NODES, min(<int> VCF_FOURS, left - 1))
    if 0 < n < 2 * left:
        move[0] = self.vcf.line[0]
        return proved()
    move[0] = NO_CELL
    # All attacks of the first tier must be refuted; without any, the next tier begins.
    # With 1 for both, 256 instead of 277 of 580 puzzles are won (row 250 of
    # docs/data/tries.csv).
    n = count_attacks(board)
    cost.win = TIER_COST[1] if not n and self.last_tier > 0 else 1
    cost.refute = max(n, 1)
    return cost


cdef ProofCost find_defences(VctSearch *self, MoveSet *moves) noexcept nogil:
    """Find the defender's moves that may save him; every other one is proved to lose.

    A win is proved if there are none, and refuted if the defender wins or is not
    threatened at all.
    """
    cdef BoardState *board = &self.board
    cdef int n, best, k, kept = 0, row
    cdef uint32_t bits
    cdef Forced forced
    cdef Region region
    cdef ProofCost cost
    moves.count = 0
    n = static_win(board, &best)
    if n > 0 or not board.empties or moves_left(self) <= 0:
        return refuted()
    if n < 0:
        return proved()         # two fives: one of them can be answered
    forced = find_forced_replies(board, moves)
    if self.maximum and forced != STOP_FIVE:
        forced = FREE_CHOICE      # how long the other moves delay the loss is not known
    if self.fours_only and forced != STOP_FIVE:
        return refuted()
    if forced == FREE_CHOICE:
        if not is_threat(self, &region):
            return refuted()
        moves.count = 0
        for row in range(MARGIN, MARGIN + board.height):
            bits = region.rows[row] & board.empty[row]
            while bits:
                moves.cells[moves.count] = row * STRIDE + pop_lsb32(&bits)
                moves.count += 1
    for k in range(moves.count):
        if not is_forbidden(board, moves.cells[k], board.side):
            moves.cells[kept] = moves.cells[k]
            kept += 1
    moves.count = kept
    if not kept:
        return proved()
    if forced != STOP_FIVE and wins_by_fours(self, COUNTER_NODES, VCF_FOURS):
        return refuted()
    cost.win = kept
    cost.refute = 1
    return cost


cdef void add_attacks(
    VctSearch *self, MoveSet *moves, int minimum, int maximum
) noexcept nogil:
    """Append the attacker's legal moves of these ranks that may be threats, best first.

    While a five is threatened, they are the moves that stop it, whatever their rank. If
    he could make a five, but only on excluded cells, every move counts as a four.
    """
    cdef BoardState *board = &self.board
    cdef int side = board.side, row, cell, k, j, rank
    cdef int[512] order
    cdef int value, first = moves.count, kept = moves.count
    cdef uint32_t bits
    cdef MoveSet found
    cdef bint restricted = is_restricted(self)
    cdef bint fours_only = self.fours_only and not (restricted and count_of(board, side, FIVE))
    if not five_replies(board, side ^ 1, &found):
        for row in range(MARGIN, MARGIN + board.height):
            bits = board.empty[row]
            while bits:
                cell = row * STRIDE + pop_lsb32(&bits)
                rank = board.cells[cell].rank[side]
                if minimum <= rank <= maximum:
                    found.cells[found.count] = cell
                    found.count += 1
    for k in range(found.count):
        cell = found.cells[k]
        if fours_only and not board.cells[cell].rank[side] & MAKES_FOUR:
            continue
        if restricted and contains(&self.excluded, cell):
            continue
        if is_forbidden(board, cell, side):
            continue
        value = (
            board.cells[cell].rank[side] << 16 | (score_at(board, cell, side) + 32768) >> 1
        )
        j = kept
        while j > first and order[j - 1] < value:
            order[j] = order[j - 1]
            moves.cells[j] = moves.cells[j - 1]
            j -= 1
        order[j] = value
        moves.cells[j] = cell
        kept += 1
    moves.count = kept


cdef ProofCost attack(VctSearch *self, int ply, ProofCost limits) noexcept nogil:
    """Search a node with the attacker to move until a proof number reaches its
    limit.
    """
    cdef BoardState *board = &self.board
    cdef Frame *frame = &self.frames[ply]
    cdef MoveSet *moves = &frame.moves
    cdef uint64_t key = proof_key(self), child_key, start = self.nodes
    cdef ProofEntry *entry
    cdef MoveSet replies
    cdef ProofCost result, child_limits
    cdef int k, best, open_moves, move = NO_CELL, looked_at = 0, tier = 0
    cdef int last_tier = self.last_tier
    cdef uint32_t minimum, second, maximum
    if ply >= LAST_PLY:
        self.incomplete = True
        return refuted()
    moves.count = 0
    add_attacks(self, moves, TIER_RANK[0], BEST_RANK)
    if is_restricted(self):
        last_tier = TIERS       # an excluded win stays a threat after any other move
    if count_of(board, board.side ^ 1, FIVE):
        tier = last_tier
    while True:
        for k in range(looked_at, moves.count):
            child_key = key ^ ZOBRIST[board.side][moves.cells[k]] ^ WHITE_TO_MOVE
            entry = probe(&self.proofs, child_key)
            if entry != NULL:
                frame.costs[k] = entry.cost
            else:
                make_move(board, moves.cells[k])
                self.nodes += 1
                frame.costs[k] = find_defences(self, &replies)
                undo_move(board)
                store(self, child_key, &frame.costs[k], 0, NO_CELL)
                if out_of_budget(self):
                    result.win = 1
                    result.refute = 1
                    return result
            if frame.costs[k].win == 0:
                result = proved()
                store(self, key, &result, self.nodes - start, moves.cells[k])
                return result
        looked_at = moves.count
        minimum = NEVER
        second = NEVER
        maximum = 0
        open_moves = 0
        best = -1
        for k in range(moves.count):
            if frame.costs[k].refute == 0:
                continue
            open_moves += 1
            maximum = max(maximum, frame.costs[k].refute)
            if frame.costs[k].win < minimum:
                second = minimum
                minimum = frame.costs[k].win
                best = k
            elif frame.costs[k].win < second:
                second = frame.costs[k].win
        if tier < last_tier:
            if TIER_COST[tier + 1] <= minimum and TIER_COST[tier + 1] < limits.win:
                tier += 1
                add_attacks(self, moves, TIER_RANK[tier], TIER_RANK[tier - 1] - 1)
                continue
            open_moves += 1     # the rest stands for one move more
            maximum = max(maximum, 1)
            second = min(second, max(minimum, TIER_COST[tier + 1]))
            minimum = min(minimum, TIER_COST[tier + 1])
        elif best < 0:
            result = refuted()
            break
        result.win = minimum
        result.refute = min(maximum + open_moves - 1, <uint32_t> (NEVER - 1))
        if minimum == 0:
            move = moves.cells[best]
            result = proved()
            break
        if result.win >= limits.win or result.refute >= limits.refute:
            break
        child_limits.win = min(limits.win, slack(second))
        child_limits.refute = limits.refute - (open_moves - 1)
        make_move(board, moves.cells[best])
        self.nodes += 1
        frame.costs[best] = defend(self, ply + 1, child_limits)
        undo_move(board)
        if out_of_budget(self):
            return result
    store(self, key, &result, self.nodes - start, move)
    return result


cdef ProofCost defend(VctSearch *self, int ply, ProofCost limits) noexcept nogil:
    """Search a node with the defender to move until a proof number reaches its
    limit.
    """
    cdef BoardState *board = &self.board
    cdef Frame *frame = &self.frames[ply]
    cdef MoveSet *moves = &frame.moves
    cdef uint64_t key = proof_key(self), child_key, start = self.nodes, sum_win
    cdef ProofEntry *entry
    cdef ProofCost result, child_limits
    cdef int k, best, move
    cdef uint32_t minimum, second
    result = find_defences(self, moves)
    if is_done(&result):
        store(self, key, &result, self.nodes - start, NO_CELL)
        return result
    for k in range(moves.count):
        child_key = key ^ ZOBRIST[board.side][moves.cells[k]] ^ WHITE_TO_MOVE
        entry = probe(&self.proofs, child_key)
        if entry != NULL:
            frame.costs[k] = entry.cost
        else:
            make_move(board, moves.cells[k])
            self.nodes += 1
            frame.costs[k] = probe_attack(self, &move)
            undo_move(board)
            store(self, child_key, &frame.costs[k], 0, move)
            if out_of_budget(self):
                return result
        if frame.costs[k].refute == 0:
            result = refuted()
            store(self, key, &result, self.nodes - start, NO_CELL)
            return result
    while True:
        minimum = NEVER
        second = NEVER
        sum_win = 0
        best = -1
        for k in range(moves.count):
            if frame.costs[k].win == 0:
                continue
            sum_win += frame.costs[k].win
            if frame.costs[k].refute < minimum:
                second = minimum
                minimum = frame.costs[k].refute
                best = k
            elif frame.costs[k].refute < second:
                second = frame.costs[k].refute
        if best < 0:
            result = proved()
            break
        if minimum == 0:
            result = refuted()
            break
        result.refute = minimum
        result.win = <uint32_t> min(sum_win, <uint64_t> (NEVER - 1))
        if result.win >= limits.win or result.refute >= limits.refute:
            break
        child_limits.refute = min(limits.refute, slack(second))
        child_limits.win = <uint32_t> (limits.win - (sum_win - frame.costs[best].win))
        make_move(board, moves.cells[best])
        self.nodes += 1
        frame.costs[best] = attack(self, ply + 1, child_limits)
        undo_move(board)
        if out_of_budget(self):
            return result
    store(self, key, &result, self.nodes - start, NO_CELL)
    return result


cdef ProofCost solve_position(VctSearch *self) noexcept nogil:
    """Search the attacker's position until it is decided or the budget is used up.

    It first searches for a while with fours and threes alone, which suffice for most
    wins, then with all tiers. Proved wins stay in the table, and a search that ran out
    of its budget continues from there when it is called again.
    """
    cdef ProofCost result, limits
    cdef int move
    cdef uint64_t limit = self.limit
    self.stopped = False
    result = probe_attack(self, &move)
    store(self, proof_key(self), &result, 1, move)
    if is_done(&result) or out_of_budget(self):
        return result
    limits.win = NEVER
    limits.refute = NEVER
    if not self.wide:
        self.last_tier = 0
        self.limit = min(limit, <uint64_t> NARROW_NODES)
        result = attack(self, 0, limits)
        self.limit = limit
        if result.win == 0 or (self.fours_only and result.refute == 0):
            return result
        if must_stop(self.control) or self.nodes >= limit:
            self.stopped = True     # a refutation would need all tiers
            return result
        self.stopped = False
        self.wide = True
        self.proofs.age ^= 1       # a refuted position may be won with more moves
    self.last_tier = 0 if self.fours_only else TIERS if self.every else TIERS - 1
    return attack(self, 0, limits)


cdef void forget_positions(VctSearch *self) noexcept nogil:
    """Invalidate all stored positions: keys have another salt from now on.

    Entries of other positions are useless, since the attacker, the rule or the size may
    differ.
    """
    self.salt = <uint64_t> 0x9E3779B97F4A7C15 * self.solves
    self.vcf.salt = self.salt
    self.threat.salt = self.salt


@cython.final
cdef class VctSolver:
    """Search for wins by fours and threes, with a table of its own.

    The table of ``hash_mb`` MB (24 bytes a position) is allocated once. Raises
    ValueError for a size that is not positive, MemoryError if memory is short.
    """

    def __cinit__(self, double hash_mb=32):
        self.search = <VctSearch *> calloc(1, sizeof(VctSearch))
        if self.search == NULL:
            raise MemoryError("no memory for the solver")
        make_table(&self.search.proofs, hash_mb)

    def __dealloc__(self):
        if self.search != NULL:
            free_table(&self.search.proofs)
        free(self.search)

    cdef int set_position(self, Board board, SearchControl control, nodes) except -1:
        """Take a copy of a position and clear the searches of others."""
        cdef VctSearch *search = self.search
        cdef Evaluation evaluation = evaluation_of(board.rule_code)
        copy_board(&search.board, board.state, evaluation.kind_values)
        search.control = &control.state
        self.control = control
        search.nodes = 0
        search.next_poll = 0
        search.limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        search.stopped = False
        search.incomplete = False
        search.wide = False
        search.maximum = 0
        search.root_ply = search.board.ply
        search.fours_only = False
        search.every = False
        search.excluded.count = 0
        search.last_tier = TIERS - 1
        search.solves += 1
        search.proofs.age = <uint16_t> (2 * search.solves)
        forget_positions(search)
        search.threat.board = &search.board
        search.threat.nodes = &search.nodes
        search.vcf.board = &search.board
        search.vcf.nodes = &search.nodes
        search.vcf.failed = search.failures
        search.vcf.failed_mask = VCT_FAILURES - 1
        search.vcf.local = False
        search.vcf.fours_only = False
        search.vcf.control = NULL       # those searches are short
        return 0

    def solve(
        self, Board board not None, SearchControl control not None, nodes=None, *,
        int moves=0, bint fours_only=False, bint every=False, bint wide=False, exclude=()
    ):
        """Search for a win of the side to move by continuous threats.

        Return "win", "no win" or "unknown". "no win" is a proof within the moves that
        count as threats; "unknown" means that ``control``, ``nodes`` (moves made) or an
        inner limit ended the search.

        With ``moves`` only wins count in which the attacker makes at most so many, the
        five included. ``fours_only`` lets him make only fours. ``every`` lets him try
        moves of any rank that are threats, as needed to prove that no win at all is so
        short. ``wide`` starts with all kinds of moves at once. The attacker's first
        move is none of ``exclude``; then all threats are tried as that move. Raises
        ValueError for a negative number of moves.
        """
        if moves < 0:
            raise ValueError(f"the attacker cannot make {moves} moves")
        self.set_position(board, control, nodes)
        self.search.maximum = moves
        self.search.fours_only = fours_only
        self.search.vcf.fours_only = fours_only
        self.search.every = every
        fill_moves(&self.search.excluded, &self.search.board, exclude)
        if wide:
            self.search.wide = True
            self.search.proofs.age ^= 1
        if board.winner is not None:
            self.control = None     # nothing to resume
            return "no win"
        return self._run()

    def resume(self, uint64_t nodes):
        """Continue an "unknown" search for so many moves more; return a status as
        ``solve``.

        Raises ValueError if no position has been searched.
        """
        if self.control is None:
            raise ValueError("no position has been searched")
        self.search.limit = self.search.nodes + nodes
        return self._run()

    cdef object _run(self):
        cdef VctSearch *search = self.search
        cdef ProofCost result
        with nogil:
            result = solve_position(search)
        if result.win == 0:
            return "win"
        if result.refute == 0 and not search.stopped and not search.incomplete:
            return "no win"
        return "unknown"

    def tree(self, uint64_t nodes=TREE_NODES):
        """Return the tree of the win that ``solve`` or ``resume`` has just found.

        It makes at most so many moves, under the ``control`` of that search, and
        repeats the search of positions that the table has lost; None if a limit ends
        it. Raises ValueError without such a search.
        """
        if self.control is None:
            raise ValueError("no search has found a win")
        self.search.limit = self.search.nodes + nodes
        return self._attack_tree({})

    cdef object _attack_tree(self, dict known):
        """Return the winner's move in the current position, with the trees behind it.

        Equal positions share trees.
        """
        cdef VctSearch *search = self.search
        cdef BoardState *board = &search.board
        cdef uint64_t key = proof_key(search)
        cdef ProofCost result, limits
        cdef ProofEntry *entry
        cdef int move, side = board.side
        tree = known.get(key)
        if tree is not None:
            return tree
        search.nodes += 1       # large trees take long as well
        if out_of_budget(search):
            return None
        result = probe_attack(search, &move)
        if result.win:
            entry = probe(&search.proofs, key)
            if entry == NULL or entry.cost.win or entry.move == NO_CELL:
                limits.win = NEVER      # the table has lost it
                limits.refute = NEVER
                with nogil:
                    result = attack(search, 0, limits)
                entry = probe(&search.proofs, key)
                if result.win or entry == NULL:
                    return None
            move = entry.move
        plies = 1
        replies = []
        make_move(board, move)
        if run_winner(board, move) != side:
            for cell in self._defences():
                make_move(board, cell)
                answer = self._attack_tree(known)
                undo_move(board)
                if answer is None:
                    undo_move(board)
                    return None
                replies.append((Move(cell_x(cell), cell_y(cell)), answer))
                plies = max(plies, answer.plies + 2)
        undo_move(board)
        replies.sort(key=lambda reply: -reply[1].plies)
        tree = ThreatTree(Move(cell_x(move), cell_y(move)), plies, tuple(replies))
        known[key] = tree
        return tree

    cdef list _defences(self):
        """Return the replies of the tree: those that were searched, else some that lose
        at once.
        """
        cdef VctSearch *search = self.search
        cdef BoardState *board = &search.board
        cdef MoveSet moves
        cdef int[MAX_FIVES] cells
        cdef int k, n, rank
        find_defences(search, &moves)
        if moves.count:
            return [moves.cells[k] for k in range(moves.count)]
        for rank in (FIVE, FOUR_OPEN):
            n = cells_of_rank(board, board.side ^ 1, rank, cells, MAX_FIVES)
            found = [
                cells[k] for k in range(n) if not is_forbidden(board, cells[k], board.side)
            ]
            if found:
                return found
        for row in range(MARGIN, MARGIN + board.height):
            for column in range(MARGIN, MARGIN + board.width):
                k = row * STRIDE + column
                if is_empty(board, k) and not is_forbidden(board, k, board.side):
                    return [k]
        return []       # renju: black may play nowhere

    @property
    def nodes(self):
        """Moves made by the last search."""
        return self.search.nodes

    @property
    def stopped(self):
        """Whether ``control`` or the node limit ended the last search."""
        return bool(self.search.stopped)

    @property
    def incomplete(self):
        """Whether an inner limit cut off some search of fours."""
        return bool(self.search.incomplete)


# For tests -----------------------------------------------------------------------------

def _py_defences(VctSolver solver not None, Board board not None):
    """Return the moves that may save the side to move, or None if it is not threatened.

    (Also None if it wins itself.)
    """
    cdef MoveSet moves
    cdef ProofCost result
    solver.set_position(board, SearchControl(), None)
    result = find_defences(solver.search, &moves)
    if result.refute == 0:
        return None
    return [Move(cell_x(moves.cells[k]), cell_y(moves.cells[k])) for k in range(moves.count)]
