from typing_extensions import disjoint_base

@disjoint_base
class Evaluation:
    """What one set of weights says of positions under one rule."""

    @property
    def rule(self) -> int:
        """Code of the rule that it was made for."""
