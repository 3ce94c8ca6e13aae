"""Game records in every form that we read and write.

This module is the face of its neighbours: `game_record` holds the classes and JSON.
"""

from gomoku_brain.match.game_record import (
    RESULTS,
    GameRecord,
    PlayedMove,
    from_json,
    to_json,
)

__all__ = ["RESULTS", "GameRecord", "PlayedMove", "from_json", "to_json"]
