"""What an experiment measures: its settings, and who takes part in it."""

from dataclasses import dataclass
from functools import cache

from gomoku_brain.game.position import Board
from gomoku_brain.lab.experiment.plain_search import Method, SourceEvaluation
from gomoku_brain.search.worker import Features
from gomoku_brain.study.puzzles import puzzle_levels

__all__ = ["Plan", "level_board", "matchups", "pairings_of"]

HASH_MB = 16
MOST_DEPTH = 8

EVALUATIONS = {
    "rules": SourceEvaluation.RULES,
    "stones": SourceEvaluation.STONES,
    "ours": SourceEvaluation.OURS,
    "proved": SourceEvaluation.PROVED,
}
METHODS = {
    "minimax": Method.MINIMAX,
    "alphabeta": Method.ALPHABETA,
    "ordered": Method.ORDERED,
    "table": Method.TABLE,
}
ENGINE = "engine"  # the full search

# The parts of our search, each line with those above it.
PARTS = {
    "window, order": 0,
    "+ table": Features.TABLE_CUTS,
    "+ static wins and replies": Features.STATIC_TESTS,
    "+ fours at the leaves": Features.LEAF_VCF,
    "+ pruning": Features.PRUNING,
    "+ reductions": Features.REDUCTIONS,
    "+ extensions": Features.EXTENSIONS,
}

# Who attacks and who defends when levels are played out.
ATTACKERS = ("rules", "stones", "ours", "proved", ENGINE)
EASY = "easy"  # a defender like the sources': S4's lowest level, the rule score
EASY_DEPTH = 2
S2_DEPTHS = 3  # S2's way is played out so deep even where a level is won before


@dataclass(frozen=True)
class Plan:
    """What to measure. Raises ValueError for settings that make no sense."""

    levels: tuple[int, ...] = tuple(range(1, 21))
    depth: int = 4
    """Deepest search, in plies, of the first moves and of the play-outs."""
    budget: int = 20_000_000
    """Nodes that one search may take; beyond, "more than" is the result."""
    defender_nodes: int = 10_000
    """Nodes of our engine for each move of the defence."""
    pairs: int = 50
    """Openings that each pairing plays, with both colours."""
    game_depth: int = 3
    """Plies of each move in the games of equal depth."""
    game_nodes: int = 20_000
    """Nodes of each move in the games of equal nodes."""

    def __post_init__(self) -> None:
        """Check the settings."""
        known = {puzzle.number for puzzle in puzzle_levels()}
        if not self.levels or not set(self.levels) <= known:
            raise ValueError(f"the levels are {min(known)} to {max(known)}")
        if not 1 <= self.depth <= MOST_DEPTH:
            raise ValueError(f"the depth is 1 to {MOST_DEPTH}")
        if not 1 <= self.game_depth <= MOST_DEPTH:
            raise ValueError(f"the depth of the games is 1 to {MOST_DEPTH}")
        if min(self.budget, self.defender_nodes, self.game_nodes) < 1:
            raise ValueError("a number of nodes is at least 1")
        if self.pairs < 0:
            raise ValueError("the number of games cannot be negative")


_levels = cache(puzzle_levels)


def level_board(level: int) -> Board:
    """The position of a level; to be copied, not played on."""
    return _levels()[level - 1].board


def matchups() -> list[tuple[str, str]]:
    """Attacker and defender; first S2's way against a defender like S2's."""
    return [("rules", EASY), *((attacker, ENGINE) for attacker in ATTACKERS)]


def pairings_of(plan: Plan) -> list[tuple[str, str, str, int]]:
    """Who plays whom, on which terms ("depth" or "nodes") and how many of them.

    Our evaluation without the static tests is no player on its own: once is enough.
    """
    plain = each_pair(list(EVALUATIONS))
    strong = each_pair(["rules", "stones", "proved", ENGINE])
    return [
        *((a, b, "depth", plan.game_depth) for a, b in plain),
        *((a, b, "nodes", plan.game_nodes) for a, b in strong),
    ]


def each_pair(names: list[str]) -> list[tuple[str, str]]:
    """Everybody once against everybody."""
    return [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
