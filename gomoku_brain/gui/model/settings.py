"""Settings that are stored between two starts, in one JSON file.

Invalid entries, as in a damaged file or one of another version, get their defaults.
``progress`` has the results of the person, which the archive stores.
"""

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import book
from gomoku_brain.runs.output_files import write_whole

__all__ = [
    "GameChoice",
    "Program",
    "Settings",
    "handicap_stones",
    "load",
    "make_durable",
    "read_into",
    "read_row",
]

T = TypeVar("T")

MARGIN = 1.0  # seconds of tolerated lateness, as in Piskvork
DEFAULT_SECONDS = 2.0


@dataclass(frozen=True)
class GameChoice:
    """Options of a new game."""

    rule: str = "freestyle"
    size: int = 15
    black: PlayerConfig = field(default_factory=PlayerConfig)
    white: PlayerConfig = field(
        default_factory=lambda: PlayerConfig("brain", strength=44)
    )
    swap2: bool = False
    turn: float = DEFAULT_SECONDS
    """Seconds per move; 0 = no limit."""
    match: float = 0.0
    """Seconds per game; 0 = no limit."""
    increment: float = 0.0
    opening: str = ""
    """"book" = start from a balanced opening of the book; "" = empty board."""
    random_colours: bool = False
    handicap: int = 0
    """Number of black stones on the board before white's first move."""
    people_too: bool = False
    foul_loses: bool = False
    """Whether a forbidden move of renju is played and loses, or is refused."""

    @property
    def start(self) -> Game:
        """The empty board. Raises ``ValueError`` for an unknown rule or size."""
        rule = Rule.__members__.get(self.rule.upper())
        if rule is None or not 5 <= self.size <= 22:
            raise ValueError(f"no board for {self.rule} on {self.size} cells")
        return Game(self.size, rule)

    def drawn(self, chance: Random) -> "tuple[GameChoice, Game]":
        """Draw colours and opening at random, as far as the options require it.

        Return the options with the drawn colours, and the start position.

        Raises:
            ValueError: The rule or size is unknown, or has no book.
        """
        choice, start = self, self.start
        if self.random_colours and chance.random() < 0.5:
            choice = replace(self, black=self.white, white=self.black)
        if self.handicap and not self.swap2:
            stones = handicap_stones(self.size, self.handicap)
            start.set_up(stones, first=Side.WHITE)
        elif self.opening == "book" and not self.swap2:
            opening = chance.choice(book(start.rule, self.size, "all"))
            start.add_line(opening.moves)
        return choice, start

    def game_config(self, threads: int = 1, hash_mb: float = 64) -> GameConfig:
        """Return the game settings.

        Programs always get a time limit, and people only a chosen one.
        """
        turn = self.turn if self.turn > 0 else None
        match = self.match if self.match > 0 else None
        if turn is None and match is None:
            turn = DEFAULT_SECONDS
        return GameConfig(
            self.black,
            self.white,
            PlayerLimits(turn, match, max(self.increment, 0.0), margin=MARGIN),
            people_too=self.people_too and max(self.turn, self.match) > 0,
            foul_loses=self.foul_loses,
            swap2=self.swap2,
            threads=threads,
            hash_mb=hash_mb,
        )

    def slot(self, side: Side) -> PlayerConfig:
        """Return the player of a side."""
        return self.black if side is Side.BLACK else self.white


def handicap_stones(size: int, count: int) -> tuple[Move, ...]:
    """Return the black handicap stones, around the centre."""
    middle = size // 2
    around = ((0, 0), (2, -2), (-2, 2), (-2, -2), (2, 2))
    return tuple(Move(middle + dx, middle + dy) for dx, dy in around[:count])


@dataclass(frozen=True)
class Program:
    """Program that can play games."""

    name: str = ""
    command: str = ""
    folder: str = ""
    """Working folder; "" = the folder of the program."""
    memory: int = 0
    """Memory limit that is sent to the program, in MB; 0 = none is sent."""
    threads: int = 0
    infos: str = ""
    """Further INFO keys with their values, "key value; key value"."""

    @property
    def player_config(self) -> PlayerConfig:
        """The program as a player."""
        return PlayerConfig(
            "program",
            self.name,
            command=self.command,
            folder=self.folder,
            infos=self.all_infos,
        )

    @property
    def all_infos(self) -> str:
        """All INFO keys for the program, in the form of ``PlayerConfig.infos``."""
        infos = []
        if self.memory > 0:
            infos.append(f"max_memory {self.memory << 20}")
        if self.threads > 0:
            infos.append(f"thread_num {self.threads}")
        return "; ".join([*infos, *filter(None, [self.infos.strip()])])


@dataclass
class Settings:
    """All stored settings. ``change`` writes them into their file."""

    language: str = "system"
    """"system", or the name of a language: "en", "zh_CN"."""
    theme: str = "system"
    """"system", or the name of a theme."""
    coordinates: bool = True
    numbers: bool = False
    """Whether the stones show their move numbers."""
    forbidden: bool = True
    """Whether forbidden points of renju are marked."""
    rows_from_bottom: bool = False
    """Whether row 1 is the lowest row."""
    labels: bool = True
    """Whether the toolbar has texts below its icons."""
    evaluation: bool = True
    """Whether the evaluation bar is shown."""
    zoom: int = 100
    """Size of texts, in percent."""
    wins_in_plies: bool = False
    """Whether the lengths of wins are shown in plies, not in the winner's moves."""
    sound: bool = False
    threads: int = 1
    """Search threads."""
    hash_mb: int = 64
    lines: int = 3
    """Number of lines of play in the analysis."""
    analyst: str = ""
    """Name of the program that analyses; "" = our brain."""
    heat: bool = False
    threats: bool = False
    game: GameChoice = field(default_factory=GameChoice)
    programs: list[Program] = field(default_factory=list)
    puzzle_rule: str = ""
    """Rule of the puzzles of the trainer, in lower case; "" = all rules."""
    name: str = ""
    """Name of the person at the board; "" = "You" in the language of the window."""
    warnings: bool = False
    """Whether a person is warned before a move that loses by force."""
    evaluation_in_play: bool = False
    """Whether the evaluation of the position is shown during a game of a person."""
    folder: str = ""
    """Folder of the last file."""
    geometry: str = ""
    """Geometry of the window from Qt, in base 64."""
    splitter: list[int] = field(default_factory=list)
    """Widths of board and panel, in pixels."""
    tab: int = 0
    """Index of the selected tab of the panel."""

    def __post_init__(self) -> None:
        """Create settings without a file."""
        self.path: Path | None = None
        """The file; None = nothing is stored."""
        self.trouble = ""
        """Reason why the file cannot be written; "" if it can."""
        self.saved: Callable[[], object] = lambda: None
        """Function that is called after each attempt to write the file."""
        self._written: dict[str, object] = {}  # the entries that are in the file

    def change(self, **values: object) -> None:
        """Change settings and write them at once, so that they survive a kill."""
        for name, value in values.items():
            setattr(self, name, value)
        self.save()

    def save(self) -> None:
        """Write all that has changed since the last time.

        Other entries of the file stay, because another window may have changed them.
        The function does not wait for the disk; see ``make_durable``.
        """
        if self.path is None:
            return
        mine = asdict(self)
        changed = {
            name: value
            for name, value in mine.items()
            if value != self._written.get(name)
        }
        row = read_row(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({**mine, **row, **changed}, indent=1)
            write_whole(self.path, text, durable=False)
        except OSError as error:
            self.trouble = f"{self.path.name}: {error.strerror or error}"
        else:
            self.trouble, self._written = "", mine
        self.saved()

    def renew_programs(self) -> None:
        """Read the programs again: another window may have changed them."""
        if self.path is not None and not self.trouble:
            self.programs = read_into(self, read_row(self.path)).programs
            self._written["programs"] = asdict(self)["programs"]


def read_into(made: T, row: object) -> T:
    """Return a copy of a dataclass, updated with the valid values of a JSON object."""
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


def _read(path: Path) -> object:
    """Read a JSON file. Raises ``OSError``; ``ValueError`` if it is another file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_row(path: Path) -> dict[str, object]:
    """Return the entries of a JSON file; none if it is damaged or missing."""
    row: object = None
    with contextlib.suppress(OSError, ValueError):
        row = _read(path)
    return row if isinstance(row, dict) else {}


def load(path: Path) -> Settings:
    """Read the settings of a file. Invalid or missing entries get their defaults.

    A file that is no JSON is renamed, because the next change writes another one.
    """
    made = Settings()
    try:
        made = read_into(made, _read(path))
    except ValueError:
        with contextlib.suppress(OSError):
            path.replace(path.with_name(f"{path.stem}-damaged{path.suffix}"))
    except OSError:
        pass
    made.path, made._written = path, asdict(made)
    return made


def make_durable(path: Path) -> None:
    """Force the file to the disk. Call it in a thread, because it may wait.

    The function writes nothing, so it never replaces a newer file by an older one.
    """
    with contextlib.suppress(OSError), path.open("r+b") as file:
        os.fsync(file.fileno())
