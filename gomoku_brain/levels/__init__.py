"""Ladder of strengths below full strength."""
