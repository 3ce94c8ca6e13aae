"""Gomoku Brain: a Gomoku engine that speaks the Gomocup/Piskvork protocol."""

__version__ = "0.1.0"
