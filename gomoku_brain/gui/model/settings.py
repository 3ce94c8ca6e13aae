"""What is remembered between two starts, as one JSON file.

A file that was damaged or written by another version costs the entries that cannot be
read, never the start.
"""

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.seats import Seat
from gomoku_brain.gui.model.terms import Terms
from gomoku_brain.match.referee import TimeControl
from gomoku_brain.records.openings import book
from gomoku_brain.records.reader import Game
from gomoku_brain.runs.output_files import write_whole

__all__ = [
    "GameChoice",
    "Program",
    "Settings",
    "handicap_stones",
    "load",
    "make_durable",
    "read_into",
    "save",
]

T = TypeVar("T")

MARGIN = 1.0  # seconds of lateness forgiven, as Piskvork does
DEFAULT_SECONDS = 2.0


@dataclass(frozen=True)
class GameChoice:
    """What was chosen for a game."""

    rule: str = "freestyle"
    size: int = 15
    black: Seat = field(default_factory=Seat)
    white: Seat = field(default_factory=lambda: Seat("brain", strength=44))
    swap2: bool = False
    turn: float = DEFAULT_SECONDS
    """Seconds a move; 0 = no such limit."""
    match: float = 0.0
    """Seconds a game; 0 = no such limit."""
    increment: float = 0.0
    opening: str = ""
    """"book" = stones of a balanced opening are on the board."""
    random_colours: bool = False
    handicap: int = 0
    """Black stones that are on the board before white's first move."""
    people_too: bool = False

    @property
    def start(self) -> Game:
        """The empty board. Raises ValueError for a rule or size that is not played."""
        rule = Rule.__members__.get(self.rule.upper())
        if rule is None or not 5 <= self.size <= 22:
            raise ValueError(f"no board for {self.rule} on {self.size} cells")
        return Game(rule, self.size, self.size)

    def drawn(self, chance: Random) -> "tuple[GameChoice, Game]":
        """The game that is really begun: colours and opening by chance, where so
        chosen. Raises ValueError as `start` does, and for a board without a book."""
        choice, start = self, self.start
        if self.random_colours and chance.random() < 0.5:
            choice = replace(self, black=self.white, white=self.black)
        if self.handicap and not self.swap2:
            start = replace(
                start,
                black=handicap_stones(self.size, self.handicap),
                first=Side.WHITE,
            )
        elif self.opening == "book" and not self.swap2:
            opening = chance.choice(book(start.rule, self.size, "all"))
            start = replace(start, moves=opening.moves)
        return choice, start

    def terms(self, threads: int = 1, hash_mb: float = 64) -> Terms:
        """The same for `Play`. Programs always have a limit."""
        turn = self.turn if self.turn > 0 else None
        match = self.match if self.match > 0 else None
        if turn is None and match is None:
            turn = DEFAULT_SECONDS
        return Terms(
            self.black,
            self.white,
            TimeControl(turn, match, max(self.increment, 0.0), margin=MARGIN),
            people_too=self.people_too,
            swap2=self.swap2,
            threads=threads,
            hash_mb=hash_mb,
        )

    def seat(self, side: Side) -> Seat:
        """Who plays a side."""
        return self.black if side is Side.BLACK else self.white


def handicap_stones(size: int, count: int) -> tuple[Move, ...]:
    """Where the black stones of a handicap stand: about the centre."""
    middle = size // 2
    around = ((0, 0), (2, -2), (-2, 2), (-2, -2), (2, 2))
    return tuple(Move(middle + dx, middle + dy) for dx, dy in around[:count])


@dataclass(frozen=True)
class Program:
    """A program that can take a seat."""

    name: str = ""
    command: str = ""
    folder: str = ""
    """In which it runs; "" = its own."""
    memory: int = 0
    """MB that it is told it may use; 0 = it is told nothing."""
    threads: int = 0
    infos: str = ""
    """Further INFO keys with their values, "key value; key value"."""

    @property
    def seat(self) -> Seat:
        """The same as a player."""
        return Seat(
            "program",
            self.name,
            command=self.command,
            folder=self.folder,
            infos=self.told,
        )

    @property
    def told(self) -> str:
        """All INFO keys that it is told beyond the game's own, as `Seat.infos`."""
        told = []
        if self.memory > 0:
            told.append(f"max_memory {self.memory << 20}")
        if self.threads > 0:
            told.append(f"thread_num {self.threads}")
        return "; ".join([*told, *filter(None, [self.infos.strip()])])


@dataclass
class Settings:
    """Everything that is remembered; who watches is told of each change."""

    language: str = "system"
    """"system", or the name of a language: "en", "zh_CN"."""
    theme: str = "system"
    """"system" or the name of a theme."""
    coordinates: bool = True
    numbers: bool = False
    """On the stones."""
    forbidden: bool = True
    """Marks of renju's forbidden points."""
    rows_from_bottom: bool = False
    """Whether row 1 is the lowest."""
    labels: bool = False
    """Words below the pictures of the toolbar."""
    evaluation: bool = True
    """The bar beside the board."""
    zoom: int = 100
    """Size of texts, percent."""
    sound: bool = False
    threads: int = 1
    """Of the searches."""
    hash_mb: int = 64
    lines: int = 3
    """Of the analysis."""
    analyst: str = ""
    """The program that analyses, by its name; "" = our brain."""
    heat: bool = False
    threats: bool = False
    game: GameChoice = field(default_factory=GameChoice)
    programs: list[Program] = field(default_factory=list)
    solved: list[int] = field(default_factory=list)
    """Numbers of the levels that were solved."""
    held_out: int = 0
    """Stones on the board at the end of the longest game against the proof."""
    progress: SolverRecord = field(default_factory=SolverRecord)
    """With the puzzles of the trainer."""
    folder: str = ""
    """Of the last file."""
    geometry: str = ""
    """Of the window, as Qt tells it, in base 64."""
    splitter: list[int] = field(default_factory=list)
    """Widths of board and panel."""
    tab: int = 0
    """Which tab of the panel is shown."""

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)
        told = self.__dict__.get("_told")
        if told is not None:
            told()

    def watch(self, told: Callable[[], None] | None) -> None:
        """Call a function after every change; None ends that."""
        object.__setattr__(self, "_told", told)


def read_into(made: T, row: object) -> T:
    """The dataclass with those values of a JSON object that have the right type."""
    if not isinstance(row, dict):
        return made
    known: dict[str, Any] = {}
    for one in fields(made):  # type: ignore[arg-type]  # they are dataclasses
        old, new = getattr(made, one.name), row.get(one.name)
        if is_dataclass(old):
            known[one.name] = read_into(old, new)
        elif one.name == "programs" and isinstance(new, list):
            known[one.name] = [read_into(Program(), each) for each in new]
        elif isinstance(old, list) and isinstance(new, list):
            known[one.name] = [each for each in new if type(each) is int]
        elif isinstance(old, float) and isinstance(new, int | float):
            known[one.name] = float(new)
        elif type(new) is type(old):
            known[one.name] = new
        else:
            known[one.name] = old
    return type(made)(**known)


def load(path: Path) -> Settings:
    """The settings of a file; the defaults where it says nothing that can be used."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Settings()
    return read_into(Settings(), row)


def save(settings: Settings, path: Path, durable: bool = True) -> bool:
    """Write the file, and make its folder; whether it could be written.

    A file that is not durable outlives the program, but not a power cut just then; it
    is written without waiting for the disk.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(asdict(settings), indent=1), durable)
    except OSError:
        return False
    return True


def make_durable(path: Path) -> None:
    """Have the disk keep the file as it stands; for a thread that may wait for it.

    Nothing is written, so that a newer file is never replaced by an older one.
    """
    with contextlib.suppress(OSError), path.open("r+b") as file:
        os.fsync(file.fileno())
