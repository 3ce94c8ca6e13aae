"""Which move to play."""
