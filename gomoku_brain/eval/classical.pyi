def load_classical(rule: int) -> None:
    """Make the weights of a rule ready; raises ValueError for a damaged file."""
