"""Gomoku Brain: a Gomoku engine for the Gomocup/Piskvork protocol.

>>> from gomoku_brain import Board, Engine, Limits
>>> Engine().search(Board.from_moves("h8 h9"), Limits(time=1.0)).move
"""

import os
import sys

from gomoku_brain import variants
from gomoku_brain.version import __version__

# Before any compiled module is imported, by any importer.
variants.use_best(os.environ.get("GOMOKU_CPU", "").strip().lower())

__all__ = [
    "LEVELS",
    "Board",
    "BrainFault",
    "CellValue",
    "Clock",
    "DepthResult",
    "Engine",
    "Estimate",
    "Evaluation",
    "ExternalEngine",
    "ExternalInfo",
    "Figures",
    "FiguresRow",
    "Game",
    "GameNode",
    "GameRecord",
    "Head",
    "History",
    "JudgedMove",
    "Level",
    "Limits",
    "Move",
    "MoveThreats",
    "Opening",
    "Pentanomial",
    "PlainSearch",
    "PlayResult",
    "PlayedMove",
    "ProtocolOptions",
    "Puzzle",
    "Rating",
    "ReadError",
    "ReadNote",
    "ReadOptions",
    "ReportedFigures",
    "Reports",
    "Review",
    "Rule",
    "SampleArrays",
    "Score",
    "SearchControl",
    "SearchInfo",
    "SearchMethod",
    "SearchResult",
    "Session",
    "SessionState",
    "Shape",
    "Side",
    "SolveResult",
    "SourceEvaluation",
    "Sprt",
    "Tally",
    "ThreatTree",
    "TrainingSample",
    "Value",
    "ValueTable",
    "__version__",
    "candidate_values",
    "describe_move",
    "iter_games",
    "load_samples",
    "opening_book",
    "parse_games",
    "ratings",
    "read_games",
    "read_positions",
    "review_game",
    "save_samples",
    "search_many",
    "select_openings",
    "serve",
    "source_puzzles",
    "to_json",
    "to_psq",
    "to_sgf",
    "training_samples",
]

TYPE_CHECKING = False  # the import of typing costs an engine milliseconds of its start
if TYPE_CHECKING:
    from gomoku_brain.client.brain import BrainFault
    from gomoku_brain.client.external_engine import (
        ExternalEngine,
        ExternalInfo,
        PlayResult,
    )
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
    from gomoku_brain.engine.search_many import search_many
    from gomoku_brain.eval.evaluator import Evaluation
    from gomoku_brain.game.notation import Move
    from gomoku_brain.game.position import Board
    from gomoku_brain.game.rules import Rule, Side
    from gomoku_brain.levels.ladder import LEVELS, Level
    from gomoku_brain.match.stats import (
        Estimate,
        FiguresRow,
        Pentanomial,
        Rating,
        Score,
        Sprt,
        Tally,
        ratings,
    )
    from gomoku_brain.plain.plain_search import (
        DepthResult,
        PlainSearch,
        SearchMethod,
        SourceEvaluation,
    )
    from gomoku_brain.protocol.bot import Clock, serve
    from gomoku_brain.protocol.options import Options as ProtocolOptions
    from gomoku_brain.protocol.session import Session
    from gomoku_brain.protocol.states import State as SessionState
    from gomoku_brain.records.game import Game
    from gomoku_brain.records.game_head import Head
    from gomoku_brain.records.game_history import History
    from gomoku_brain.records.game_node import GameNode
    from gomoku_brain.records.game_record import (
        Figures,
        GameRecord,
        PlayedMove,
        ReportedFigures,
    )
    from gomoku_brain.records.json_games import to_json
    from gomoku_brain.records.openings import Opening
    from gomoku_brain.records.openings import book as opening_book
    from gomoku_brain.records.openings import select as select_openings
    from gomoku_brain.records.psq import to_psq
    from gomoku_brain.records.read import (
        iter_games,
        parse_games,
        read_games,
        read_positions,
    )
    from gomoku_brain.records.read_options import ReadError, ReadNote, ReadOptions
    from gomoku_brain.records.sgf import to_sgf
    from gomoku_brain.records.training_samples import TrainingSample, training_samples
    from gomoku_brain.study.annotate import (
        CellValue,
        JudgedMove,
        Review,
        Value,
        ValueTable,
    )
    from gomoku_brain.study.annotate import review as review_game
    from gomoku_brain.study.annotate import values as candidate_values
    from gomoku_brain.study.line_shapes import Shape
    from gomoku_brain.study.puzzles import Puzzle
    from gomoku_brain.study.puzzles import puzzle_levels as source_puzzles
    from gomoku_brain.study.sample_files import (
        SampleArrays,
        load_samples,
        save_samples,
    )
    from gomoku_brain.study.threat_words import MoveThreats, describe_move

# Module that defines each public name; after a colon, its name there.
_HOMES = {
    "LEVELS": "levels.ladder",
    "Board": "game.position",
    "BrainFault": "client.brain",
    "CellValue": "study.annotate",
    "Clock": "protocol.bot",
    "DepthResult": "plain.plain_search",
    "Engine": "engine.engine",
    "Estimate": "match.stats",
    "Evaluation": "eval.evaluator",
    "ExternalEngine": "client.external_engine",
    "ExternalInfo": "client.external_engine",
    "Figures": "records.game_record",
    "FiguresRow": "match.stats",
    "Game": "records.game",
    "GameNode": "records.game_node",
    "GameRecord": "records.game_record",
    "Head": "records.game_head",
    "History": "records.game_history",
    "JudgedMove": "study.annotate",
    "Level": "levels.ladder",
    "Limits": "control.limits",
    "Move": "game.notation",
    "MoveThreats": "study.threat_words",
    "Opening": "records.openings",
    "Pentanomial": "match.stats",
    "PlainSearch": "plain.plain_search",
    "PlayResult": "client.external_engine",
    "PlayedMove": "records.game_record",
    "ProtocolOptions": "protocol.options:Options",
    "Puzzle": "study.puzzles",
    "Rating": "match.stats",
    "ReadError": "records.read_options",
    "ReadNote": "records.read_options",
    "ReadOptions": "records.read_options",
    "ReportedFigures": "records.game_record",
    "Reports": "control.reports",
    "Review": "study.annotate",
    "Rule": "game.rules",
    "SampleArrays": "study.sample_files",
    "Score": "match.stats",
    "SearchControl": "control.search_control",
    "SearchInfo": "control.limits",
    "SearchMethod": "plain.plain_search",
    "SearchResult": "control.limits",
    "Session": "protocol.session",
    "SessionState": "protocol.states:State",
    "Shape": "study.line_shapes",
    "Side": "game.rules",
    "SolveResult": "control.limits",
    "SourceEvaluation": "plain.plain_search",
    "Sprt": "match.stats",
    "Tally": "match.stats",
    "ThreatTree": "control.limits",
    "TrainingSample": "records.training_samples",
    "Value": "study.annotate",
    "ValueTable": "study.annotate",
    "candidate_values": "study.annotate:values",
    "describe_move": "study.threat_words",
    "iter_games": "records.read",
    "load_samples": "study.sample_files",
    "opening_book": "records.openings:book",
    "parse_games": "records.read",
    "ratings": "match.stats",
    "read_games": "records.read",
    "read_positions": "records.read",
    "review_game": "study.annotate:review",
    "save_samples": "study.sample_files",
    "search_many": "engine.search_many",
    "select_openings": "records.openings:select",
    "serve": "protocol.bot",
    "source_puzzles": "study.puzzles:puzzle_levels",
    "to_json": "records.json_games",
    "to_psq": "records.psq",
    "to_sgf": "records.sgf",
    "training_samples": "records.training_samples",
}

# Old names and their successors; docs/names.md has all of them.
_SUCCESSORS = {
    "RecordTree": "Game",
    "parse_trees": "parse_games",
    "read_trees": "read_games",
    "record_of": "game.record()",
    "tree_of": "Game.from_record(record) or Game.from_board(board)",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that the start of an engine is not
    delayed.
    """
    home = _HOMES.get(name)
    if home is None:
        if name not in _SUCCESSORS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        text = f"{__name__} has no {name} any more: use {_SUCCESSORS[name]}"
        # An AttributeError in "from .. import" would lose its text.
        is_import = sys._getframe(1).f_code.co_name == "_handle_fromlist"
        raise (ImportError if is_import else AttributeError)(text)
    from importlib import import_module

    module, _, own = home.partition(":")
    value: object = getattr(import_module(f"{__name__}.{module}"), own or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
