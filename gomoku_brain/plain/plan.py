"""Settings of an experiment, and the players that take part in it."""

from dataclasses import dataclass
from functools import cache

from gomoku_brain.game.position import Board
from gomoku_brain.plain.plain_search import Method, SourceEvaluation
from gomoku_brain.search.worker import Features
from gomoku_brain.study.puzzles import puzzle_levels

__all__ = ["Plan", "level_board", "matchups", "pairings_of"]

HASH_MB = 16
MAX_DEPTH = 8

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
ENGINE = "engine"  # our complete search

# Parts of our search; each row also has the parts of the rows above it.
PARTS = {
    "window, order": 0,
    "+ table": Features.TABLE_CUTS,
    "+ static wins and replies": Features.STATIC_TESTS,
    "+ fours at the leaves": Features.LEAF_VCF,
    "+ pruning": Features.PRUNING,
    "+ reductions": Features.REDUCTIONS,
    "+ extensions": Features.EXTENSIONS,
}

# Attackers and defenders of the levels that are played out.
ATTACKERS = ("rules", "stones", "ours", "proved", ENGINE)
EASY = "easy"  # defender as in the sources: S4's lowest level, the rule score
EASY_DEPTH = 2
S2_DEPTHS = 3  # depths of S2's method that are played out even after a win


@dataclass(frozen=True)
class Plan:
    """Settings of an experiment. Raises ValueError if they are out of range."""

    levels: tuple[int, ...] = tuple(range(1, 21))
    depth: int = 4
    """Deepest search, in plies, of the first moves and of the play-outs."""
    budget: int = 20_000_000
    """Nodes that one search may use; beyond, the result is "more than"."""
    defender_nodes: int = 10_000
    """Nodes of our engine for each move as the defender."""
    pairs: int = 50
    """Openings that each pairing plays, with both colours."""
    game_depth: int = 3
    """Search depth in the games of equal depth, in plies."""
    game_nodes: int = 20_000
    """Nodes of each move in the games of equal nodes."""
    evaluation: str = ""
    """Another evaluation in the games of equal depth, "module:function"; "": none."""

    def __post_init__(self) -> None:
        """Check the ranges of all settings."""
        known = {puzzle.number for puzzle in puzzle_levels()}
        if not self.levels or not set(self.levels) <= known:
            raise ValueError(f"the levels are {min(known)} to {max(known)}")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"the depth is 1 to {MAX_DEPTH}")
        if not 1 <= self.game_depth <= MAX_DEPTH:
            raise ValueError(f"the depth of the games is 1 to {MAX_DEPTH}")
        if min(self.budget, self.defender_nodes, self.game_nodes) < 1:
            raise ValueError("a number of nodes is at least 1")
        if self.pairs < 0:
            raise ValueError("the number of games cannot be negative")


_levels = cache(puzzle_levels)


def level_board(level: int) -> Board:
    """Return the position of a level; copy it before you play on."""
    return _levels()[level - 1].board


def matchups() -> list[tuple[str, str]]:
    """Return pairs of attacker and defender, first S2's method against a defender like
    S2's.
    """
    return [("rules", EASY), *((attacker, ENGINE) for attacker in ATTACKERS)]


def pairings_of(plan: Plan) -> list[tuple[str, str, str, int]]:
    """Return each pairing: two players, "depth" or "nodes", and the amount of it.

    Our evaluation without the static tests is no separate player.
    """
    plain = each_pair(list(EVALUATIONS))
    strong = each_pair(["rules", "stones", "proved", ENGINE])
    own = [(plan.evaluation, name) for name in EVALUATIONS if plan.evaluation]
    return [
        *((a, b, "depth", plan.game_depth) for a, b in [*plain, *own]),
        *((a, b, "nodes", plan.game_nodes) for a, b in strong),
    ]


def each_pair(names: list[str]) -> list[tuple[str, str]]:
    """Return all pairs of names, each once."""
    return [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
