"""File formats and notations of games and positions, read and written."""
