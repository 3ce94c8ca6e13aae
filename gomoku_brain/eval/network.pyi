def load_weights(rule: int) -> None:
    """Make all that evaluations under a rule need ready; ValueError for a damaged file.

    The file is read once: its linear weights and, if there is one, its network."""
