"""Gomoku Brain: a Gomoku engine for the Gomocup/Piskvork protocol.

>>> from gomoku_brain import Board, Engine, Limits
>>> Engine().search(Board.from_moves("h8 h9"), Limits(time=1.0)).move
"""

import os

from gomoku_brain import variants
from gomoku_brain.version import __version__

# Before any compiled module is imported, by any importer.
variants.use_best(os.environ.get("GOMOKU_CPU", "").strip().lower())

__all__ = [
    "LEVELS",
    "Board",
    "BrainFault",
    "Clock",
    "Engine",
    "ExternalEngine",
    "ExternalInfo",
    "GameNode",
    "GameRecord",
    "Level",
    "Limits",
    "Move",
    "Pentanomial",
    "PlayResult",
    "PlayedMove",
    "RecordTree",
    "Reports",
    "Rule",
    "Score",
    "SearchControl",
    "SearchInfo",
    "SearchResult",
    "Session",
    "Side",
    "SolveResult",
    "Sprt",
    "ThreatTree",
    "TrainingSample",
    "__version__",
    "candidate_values",
    "describe_move",
    "opening_book",
    "parse_games",
    "parse_trees",
    "ratings",
    "read_games",
    "read_positions",
    "read_trees",
    "record_of",
    "review_game",
    "save_samples",
    "select_openings",
    "serve",
    "source_puzzles",
    "to_json",
    "to_psq",
    "to_sgf",
    "training_samples",
    "tree_of",
]

TYPE_CHECKING = False  # the import of typing costs an engine milliseconds of its start
if TYPE_CHECKING:
    from gomoku_brain.client.brain import BrainFault
    from gomoku_brain.control.limits import (
        Limits,
        SearchInfo,
        SearchResult,
        SolveResult,
        ThreatTree,
    )
    from gomoku_brain.control.reports import Reports
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.game.notation import Move
    from gomoku_brain.game.position import Board
    from gomoku_brain.game.rules import Rule, Side
    from gomoku_brain.levels.ladder import LEVELS, Level
    from gomoku_brain.match.external_engine import (
        ExternalEngine,
        ExternalInfo,
        PlayResult,
    )
    from gomoku_brain.match.stats import Pentanomial, Score, Sprt, ratings
    from gomoku_brain.protocol.bot import Clock, serve
    from gomoku_brain.protocol.session import Session
    from gomoku_brain.records.game_formats import (
        parse_games,
        read_games,
        record_of,
        to_json,
        to_psq,
        to_sgf,
        tree_of,
    )
    from gomoku_brain.records.game_record import GameRecord, PlayedMove
    from gomoku_brain.records.game_trees import parse_trees, read_trees
    from gomoku_brain.records.openings import book as opening_book
    from gomoku_brain.records.openings import select as select_openings
    from gomoku_brain.records.reader import read as read_positions
    from gomoku_brain.records.record_tree import GameNode, RecordTree
    from gomoku_brain.records.training_samples import (
        TrainingSample,
        save_samples,
        training_samples,
    )
    from gomoku_brain.study.annotate import review as review_game
    from gomoku_brain.study.annotate import values as candidate_values
    from gomoku_brain.study.puzzles import puzzle_levels as source_puzzles
    from gomoku_brain.study.threat_words import describe_move

# Module that defines each public name; after a colon, its name there.
_HOMES = {
    "LEVELS": "levels.ladder",
    "Board": "game.position",
    "BrainFault": "client.brain",
    "Clock": "protocol.bot",
    "Engine": "engine.engine",
    "ExternalEngine": "match.external_engine",
    "ExternalInfo": "match.external_engine",
    "GameNode": "records.record_tree",
    "GameRecord": "records.game_record",
    "Level": "levels.ladder",
    "Limits": "control.limits",
    "Move": "game.notation",
    "Pentanomial": "match.stats",
    "PlayResult": "match.external_engine",
    "PlayedMove": "records.game_record",
    "RecordTree": "records.record_tree",
    "Reports": "control.reports",
    "Rule": "game.rules",
    "Score": "match.stats",
    "SearchControl": "control.search_control",
    "SearchInfo": "control.limits",
    "SearchResult": "control.limits",
    "Session": "protocol.session",
    "Side": "game.rules",
    "SolveResult": "control.limits",
    "Sprt": "match.stats",
    "ThreatTree": "control.limits",
    "TrainingSample": "records.training_samples",
    "candidate_values": "study.annotate:values",
    "describe_move": "study.threat_words",
    "opening_book": "records.openings:book",
    "parse_games": "records.game_formats",
    "parse_trees": "records.game_trees",
    "ratings": "match.stats",
    "read_games": "records.game_formats",
    "read_positions": "records.reader:read",
    "read_trees": "records.game_trees",
    "record_of": "records.game_formats",
    "review_game": "study.annotate:review",
    "save_samples": "records.training_samples",
    "select_openings": "records.openings:select",
    "serve": "protocol.bot",
    "source_puzzles": "study.puzzles:puzzle_levels",
    "to_json": "records.game_formats",
    "to_psq": "records.game_formats",
    "to_sgf": "records.game_formats",
    "training_samples": "records.training_samples",
    "tree_of": "records.game_formats",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that the start of an engine is not
    delayed.
    """
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, _, own = home.partition(":")
    value: object = getattr(import_module(f"{__name__}.{module}"), own or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
