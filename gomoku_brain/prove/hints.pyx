"""Winning moves of one side in many similar positions.

``VctSolver`` clears everything between two positions, because the attacker, the rule or
the size may differ. A search or check of a proof that one side wins from one opening
solves hundreds of thousands of positions of the same kind, which differ by a few
stones. Here the board moves from one position to the next by the stones that differ,
and the table of the solver keeps its proofs.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku_brain.game.bits cimport pop_lsb64
from gomoku_brain.game.board cimport BoardState, count_of, five_cells, is_empty, place, unplace
from gomoku_brain.game.geometry cimport CELLS, NO_CELL, cell_of, cell_x, cell_y
from gomoku_brain.game.patterns cimport FIVE
from gomoku_brain.game.position cimport Board
from gomoku_brain.control.search_control cimport SearchControl
from gomoku_brain.control.params cimport LAST_PLY
from gomoku_brain.tactics.proof_table cimport ProofCost, ProofEntry, probe
from gomoku_brain.tactics.vcf cimport VcfSearch, vcf_attack
from gomoku_brain.tactics.vct cimport (
    VctSearch, VctSolver, forget_positions, probe_attack, proof_key, solve_position
)

cdef enum:
    WORDS = 9               # 64-bit words of a position: 22 rows of 23 bits fit
    BITS = 64 * WORDS
    MAX_FOURS = 20         # of a win by fours
    FAILURES = 1 << 15      # stored positions without a win by so many fours


@cython.final
cdef class Hints:
    """Winning moves of one side from the threat solver, to search or check a proof.

    Positions are given as two integers: bit ``y * (width + 1) + x`` of ``attacker`` or
    ``defender`` is set if that side has a stone there, and the attacker is to move.
    Moves are the numbers of such bits. The results of one position help in the next.

    Raises ValueError for a table of no size, and for stones that are off the board or
    on one another; MemoryError if memory is short.
    """
    cdef VctSolver solver
    cdef VcfSearch vcf
    cdef uint64_t *failed
    cdef uint64_t made              # moves before the last search
    cdef int side
    cdef int width
    cdef int height
    cdef int[BITS] cells            # the cell of a bit; NO_CELL if there is none

    def __cinit__(self, int width, int height, rule, attacker, double hash_mb=16):
        cdef int x, y, k
        cdef Board board = Board((width, height), rule)
        board.turn = attacker
        self.failed = <uint64_t *> calloc(FAILURES, sizeof(uint64_t))
        if self.failed == NULL:
            raise MemoryError("no memory for hints")
        self.solver = VctSolver(hash_mb)
        self.solver.set_position(board, SearchControl(), None)
        self.side = attacker
        self.width = width
        self.height = height
        for k in range(BITS):
            self.cells[k] = NO_CELL
        for y in range(height):
            for x in range(width):
                self.cells[y * (width + 1) + x] = cell_of(x, y)
        self.vcf = self.solver.search.vcf
        self.vcf.failed = self.failed
        self.vcf.failed_mask = FAILURES - 1
        self.vcf.fours_only = True

    def __dealloc__(self):
        free(self.failed)

    cdef int show(self, attacker, defender) except -1:
        """Set the solver's board to a position, with the attacker to move."""
        cdef BoardState *board = &self.solver.search.board
        cdef uint64_t[2][WORDS] wanted
        cdef int side, word, cell, k, bit
        cdef uint64_t bits
        cdef char[CELLS] owner
        try:
            data = attacker.to_bytes(8 * WORDS, "little")
            memcpy(wanted[self.side], PyBytes_AS_STRING(data), 8 * WORDS)
            data = defender.to_bytes(8 * WORDS, "little")
            memcpy(wanted[self.side ^ 1], PyBytes_AS_STRING(data), 8 * WORDS)
        except OverflowError:
            raise ValueError("a stone is off the board") from None
        memset(owner, 0, sizeof(owner))
        for side in range(2):
            for word in range(WORDS):
                bits = wanted[side][word]
                while bits:
                    bit = pop_lsb64(&bits)
                    cell = self.cells[64 * word + bit]
                    if cell == NO_CELL:
                        raise ValueError("a stone is off the board")
                    if owner[cell]:
                        raise ValueError("two stones are on one cell")
                    owner[cell] = <char> (1 + side)
        k = 1
        while k <= board.ply and owner[board.plies[k].move] == 1 + board.plies[k].stone:
            k += 1
        while board.ply >= k:
            unplace(board)
        for side in range(2):
            for word in range(WORDS):
                bits = wanted[side][word]
                while bits:
                    bit = pop_lsb64(&bits)
                    cell = self.cells[64 * word + bit]
                    if is_empty(board, cell):
                        place(board, cell, side)
        board.side = self.side
        return 0

    cdef ProofCost search(self, uint64_t nodes) noexcept:
        """Solve the position that was set."""
        cdef VctSearch *search = self.solver.search
        cdef ProofCost result
        # The nodes of each search are counted from 0, since the solver tries fours and
        # threes alone up to a number of nodes.
        self.made += search.nodes
        search.nodes = 0
        search.next_poll = 0
        search.limit = nodes
        search.wide = False
        search.incomplete = False
        search.proofs.age = <uint16_t> (2 * search.solves)
        with nogil:
            result = solve_position(search)
        return result

    cdef object number(self, int cell):
        """Return a move as the number of its bit, or None."""
        return cell_y(cell) * (self.width + 1) + cell_x(cell)

    def solve(self, attacker, defender, uint64_t nodes):
        """Whether the attacker wins by fours and threes, within so many moves made.

        "no win" is a proof as far as the solver's threats go.
        """
        cdef VctSearch *search = self.solver.search
        cdef ProofCost result
        self.show(attacker, defender)
        result = self.search(nodes)
        if result.win == 0:
            return "win"
        if result.refute == 0 and not search.stopped and not search.incomplete:
            return "no win"
        return "unknown"

    def threat(self, attacker, defender, uint64_t nodes):
        """Return the attacker's first move of a win by fours and threes.

        None if none is found within so many moves made.
        """
        cdef VctSearch *search = self.solver.search
        cdef ProofEntry *entry
        cdef uint64_t key
        cdef int move
        cdef ProofCost result
        self.show(attacker, defender)
        search.stopped = False
        search.limit = search.nodes + nodes
        result = probe_attack(search, &move)
        if result.win == 0:
            return self.number(move)
        if result.refute == 0:
            return None
        key = proof_key(search)
        entry = probe(&search.proofs, key)
        if entry == NULL or entry.cost.win or entry.move == NO_CELL:
            result = self.search(nodes)
            if result.win:
                return None
            entry = probe(&search.proofs, key)
            if entry == NULL or entry.cost.win or entry.move == NO_CELL:
                return None
        return self.number(entry.move)

    def four(self, attacker, defender, uint64_t nodes):
        """Return the first four of a win with as few fours as possible, or the five
        itself.

        None if none is found within so many moves made.
        """
        cdef VctSearch *search = self.solver.search
        cdef VcfSearch *vcf = &self.vcf
        cdef int fours, length = 0, cell
        self.show(attacker, defender)
        if count_of(&search.board, self.side, FIVE):
            five_cells(&search.board, self.side, &cell, 1)
            return self.number(cell)
        if search.board.ply >= LAST_PLY:
            return None
        vcf.limit = search.nodes + nodes
        with nogil:
            for fours in range(MAX_FOURS + 1):
                vcf.gave_up = False
                length = vcf_attack(vcf, fours, 0, NO_CELL)
                if length or not vcf.gave_up or search.nodes + 2 > vcf.limit:
                    break
        return self.number(vcf.line[0]) if length else None

    def age(self):
        """Age the table: proofs stay, other entries give way to those of new
        positions.
        """
        self.solver.search.solves += 1

    def clear(self):
        """Clear all results, as if no position had been solved."""
        cdef VctSearch *search = self.solver.search
        search.solves += 1
        forget_positions(search)
        self.vcf.salt = search.salt

    @property
    def nodes(self):
        """Moves made since the object was created."""
        return self.made + self.solver.search.nodes
