# The linear evaluation and a network over the points of the board. The sums of each
# region are stored for the path of the search. When an evaluation is requested, they
# follow the cells that changed since (the board's undo list).

from gomoku_brain.eval.linear cimport Linear


cdef struct PointsWeights


cdef class Points(Linear):
    cdef PointsWeights *points
