"""Proof files, from which the engine plays and the board shows moves."""
