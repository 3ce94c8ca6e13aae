"""Qt helpers that every part of the board uses."""
