"""Solvers of forced wins by threats, and the replay of such wins."""
