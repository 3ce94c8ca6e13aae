"""The file of a soak's games: one line of JSON a game."""

import json
import math
from dataclasses import dataclass, field

from gomoku_brain.runs.journal import Journal


@dataclass
class Record:
    """A line of the output file."""

    game: int
    seed: str
    build: str
    rule: int
    size: list[int]
    limit: int
    match: int
    loaded: bool
    fresh: bool
    watched: bool
    workers: int
    opening: list
    moves: list = field(default_factory=list)
    ms: list = field(default_factory=list)  # of each move
    cold: list = field(default_factory=list)  # which of them had to wait for a start
    late: list = field(default_factory=list)  # [number, ms, ran, waited, last MESSAGE]
    result: str = ""
    illegal: int = 0
    forbidden: int = 0
    crashes: int = 0
    stderr: int = 0  # bytes
    least_left: float | None = None  # ms of the match, of either side
    over_max: float | None = None
    over_p99: float | None = None
    end_ms: float = 0.0  # from END to the exit, of the slower one
    variants: list = field(default_factory=list)  # of the two processes
    served: int = 0  # games of these processes, with this one
    memory: list = field(default_factory=list)  # MB of each after the game
    foreign: float = 0.0  # processors used by others, on the average
    stolen: float = 0.0  # processors that the host took away
    trouble: list = field(default_factory=list)


def warm(record):
    """The times of the moves that had not to wait for the process to start."""
    cold = set(record.cold)
    return [ms for i, ms in enumerate(record.ms) if i not in cold]


def percentile(ordered, percent):
    """The smallest value that so many per cent of the values do not exceed."""
    rank = math.ceil(len(ordered) * percent / 100 - 1e-9)
    return ordered[min(max(rank, 1), len(ordered)) - 1]


def journal_of(path):
    """The file of games."""
    return Journal(path, "a file of soak games", '{"game": ', sync=False)


def read_records(journal, seed):
    """The records of a file."""
    records = [json.loads(line) for line in journal.lines]
    seeds = {record["seed"] for record in records} - {str(seed)}
    if seeds:
        raise SystemExit(
            f"{journal.path} has games of another seed: {', '.join(seeds)}"
        )
    return records
