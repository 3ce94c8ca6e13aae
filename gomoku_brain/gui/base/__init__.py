"""Qt helpers for all parts of the board."""
