"""Proof files as the engine plays from them and shows them."""
