def load_classical(rule: int, packed: bytes | None) -> None:
    """Make the linear weights of a rule ready; None = the hand-set ones.

    ``network.load_weights`` reads them. Raises ValueError for another size."""

def kind_ranks(rule: int, side: int) -> bytes: ...
