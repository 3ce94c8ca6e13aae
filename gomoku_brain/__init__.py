"""Gomoku Brain: a Gomoku engine that speaks the Gomocup/Piskvork protocol.

>>> from gomoku_brain import Board, Engine, Limits
>>> Engine().search(Board.from_moves("h8 h9"), Limits(time=1.0)).move
"""

import os

from gomoku_brain import variants
from gomoku_brain.version import __version__

# Before any compiled module is imported, whoever imports it.
variants.use_best(os.environ.get("GOMOKU_CPU", "").strip().lower())

__all__ = [
    "LEVELS",
    "Board",
    "Engine",
    "Level",
    "Limits",
    "Move",
    "Rule",
    "SearchControl",
    "SearchInfo",
    "SearchResult",
    "Session",
    "Side",
    "SolveResult",
    "ThreatTree",
    "__version__",
]

TYPE_CHECKING = False  # typing's own costs a brain milliseconds of its start
if TYPE_CHECKING:
    from gomoku_brain.control.limits import (
        Limits,
        SearchInfo,
        SearchResult,
        SolveResult,
        ThreatTree,
    )
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.game.notation import Move
    from gomoku_brain.game.position import Board
    from gomoku_brain.game.rules import Rule, Side
    from gomoku_brain.levels.ladder import LEVELS, Level
    from gomoku_brain.protocol.session import Session

_HOMES = {
    "LEVELS": "levels.ladder",
    "Board": "game.position",
    "Engine": "engine.engine",
    "Level": "levels.ladder",
    "Limits": "control.limits",
    "Move": "game.notation",
    "Rule": "game.rules",
    "SearchControl": "control.search_control",
    "SearchInfo": "control.limits",
    "SearchResult": "control.limits",
    "Session": "protocol.session",
    "Side": "game.rules",
    "SolveResult": "control.limits",
    "ThreatTree": "control.limits",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that the start costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
