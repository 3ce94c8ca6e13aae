"""Search for proofs that the side to move wins, and the check of their certificates."""
