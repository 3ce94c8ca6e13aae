from typing import final

from gomoku_brain.eval.evaluator import Evaluation

@final
class ShapeCounts(Evaluation):
    """Rule score of shape counts, as an evaluation for ``Engine.set_evaluation``.

    Freestyle only: five or more win. Moves are ordered by the rank of their cell.
    """
