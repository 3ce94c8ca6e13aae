from typing_extensions import disjoint_base

@disjoint_base
class Evaluation:
    """Evaluation of positions under one rule, with one set of weights.

    ``load_weights`` of an engine makes one from a file. It cannot be written in Python.
    """
    @property
    def rule(self) -> int:
        """Code of the rule that it evaluates."""
