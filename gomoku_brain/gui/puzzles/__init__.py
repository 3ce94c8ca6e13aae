"""Puzzles and lessons."""
