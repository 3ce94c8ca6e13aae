"""Settings that are stored between two starts, in one JSON file.

Invalid entries, as in a damaged file or one of another version, get their defaults.
"""

import contextlib
import json
import os
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_config import GameConfig
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.match.referee import TimeControl
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import book
from gomoku_brain.runs.output_files import write_whole

__all__ = [
    "RESULTS",
    "GameChoice",
    "Program",
    "Settings",
    "handicap_stones",
    "load",
    "make_durable",
    "merged",
    "read_into",
    "save",
]

T = TypeVar("T")

MARGIN = 1.0  # seconds of tolerated lateness, as in Piskvork
DEFAULT_SECONDS = 2.0
RESULTS = ("progress", "solved", "held_out", "programs")  # shared by all windows


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
            TimeControl(turn, match, max(self.increment, 0.0), margin=MARGIN),
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
    """All stored settings. ``watch`` sets a function that is called after a change."""

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
    labels: bool = False
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
    solved: list[int] = field(default_factory=list)
    """Numbers of the solved end-game puzzles."""
    held_out: int = 0
    """Number of stones in the longest game against the proof."""
    puzzle_rule: str = ""
    """Rule of the puzzles of the trainer, in lower case; "" = all rules."""
    name: str = ""
    """Name of the person at the board; "" = "You" in the language of the window."""
    warnings: bool = False
    """Whether a person is warned before a move that loses by force."""
    evaluation_in_play: bool = False
    """Whether the evaluation of the position is shown during a game of a person."""
    progress: SolverRecord = field(default_factory=SolverRecord)
    """Results with the puzzles of the trainer."""
    folder: str = ""
    """Folder of the last file."""
    geometry: str = ""
    """Geometry of the window from Qt, in base 64."""
    splitter: list[int] = field(default_factory=list)
    """Widths of board and panel, in pixels."""
    tab: int = 0
    """Index of the selected tab of the panel."""

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)
        changed = self.__dict__.get("_changed")
        if changed is not None:
            changed(name)

    def watch(
        self,
        changed: Callable[[str], None] | None,
        renew: Callable[[], None] | None = None,
    ) -> None:
        """Set the functions for changes and for ``renew``; None: none.

        Args:
            changed: Function that is called with the name of each changed field.
            renew: Function that brings the results up to date.
        """
        object.__setattr__(self, "_changed", changed)
        object.__setattr__(self, "_renew", renew)

    def renew(self) -> None:
        """Bring the results up to date, before a change depends on them.

        Another window of the program may have changed them.
        """
        renew = self.__dict__.get("_renew")
        if renew is not None:
            renew()

    def take_results(self, other: "Settings") -> None:
        """Take over the results of other settings, without a report of changes."""
        for name in RESULTS:
            object.__setattr__(self, name, getattr(other, name))


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


def load(path: Path) -> Settings:
    """Read the settings of a file. Invalid or missing entries get their defaults.

    A file that is no JSON is renamed, because the next change writes another one.
    """
    try:
        return read_into(Settings(), _read(path))
    except ValueError:
        with contextlib.suppress(OSError):
            path.replace(path.with_name(f"{path.stem}-damaged{path.suffix}"))
    except OSError:
        pass
    return Settings()


def merged(settings: Settings, path: Path, changed: Collection[str]) -> Settings:
    """Return the settings of a file, with the changed fields of ours.

    So a window does not undo the changes of another one. Without a readable file,
    return ours.
    """
    try:
        found = read_into(Settings(), _read(path))
    except (OSError, ValueError):
        return settings
    return replace(found, **{name: getattr(settings, name) for name in changed})


def save(settings: Settings, path: Path, durable: bool = True) -> bool:
    """Write the file and create its folder. Return False if that fails.

    With ``durable`` False, the function does not wait for the disk. Then the file
    survives the end of the program, but perhaps not a power failure.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(asdict(settings), indent=1), durable)
    except OSError:
        return False
    return True


def make_durable(path: Path) -> None:
    """Force the file to the disk. Call it in a thread, because it may wait.

    The function writes nothing, so it never replaces a newer file by an older one.
    """
    with contextlib.suppress(OSError), path.open("r+b") as file:
        os.fsync(file.fileno())
