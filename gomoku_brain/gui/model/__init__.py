"""Data of the desktop board, without Qt."""
