"""Evaluation of positions: scores, winning chances and weights."""
