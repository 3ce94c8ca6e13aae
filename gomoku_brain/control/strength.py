"""Scale of playing strength: 0 (beginner) to ``FULL_STRENGTH``.

It is a module of its own, so that the protocol can use it before a search is imported.
"""

TYPE_CHECKING = False  # importing typing takes milliseconds of the start
if TYPE_CHECKING:
    from typing import Final

__all__ = ["FULL_STRENGTH"]

FULL_STRENGTH: "Final" = 100
"""Strength at which the engine makes no deliberate mistakes."""
