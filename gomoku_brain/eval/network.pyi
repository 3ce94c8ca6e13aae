def load_network(rule: int) -> None:
    """Make a rule's network ready, if it has one; ValueError for a damaged file."""
