def load_classical(rule: int) -> None:
    """Make the weights of a rule ready; raises ValueError for a damaged file."""

def kind_ranks(rule: int, side: int) -> bytes: ...
