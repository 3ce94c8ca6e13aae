# The linear evaluation and, on top of it, a small network over the kinds of empty cells. The
# sums of its rows are kept for the path of the search and brought up to date, when an
# evaluation asks for them, by the cells that changed since (the board's undo list).

from gomoku_brain.eval.linear cimport Linear

cpdef enum:
    WIDTH = 16              # numbers in a row
    HIDDEN = 16             # outputs of the hidden layer


cdef struct NetworkWeights


cdef class Network(Linear):
    cdef NetworkWeights *network
