"""The scale of playing strength: 0 (beginner) to ``FULL_STRENGTH``.

It stands alone, so that the protocol can name it before a search is imported.
"""

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Final

__all__ = ["FULL_STRENGTH"]

FULL_STRENGTH: "Final" = 100
"""The strength at which the engine makes no mistakes on purpose."""
