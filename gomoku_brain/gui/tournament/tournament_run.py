"""A tournament in the background: the runner of `match`, its file, pause and resume.

What is played is told by a `match.tournament.MatchSettings`; the file is that of
`gomoku-brain match`, and either goes on with what the other began.
"""

import json
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.model.seats import Seat, spec_of
from gomoku_brain.match.referee import GameTask, TimeControl, play_game
from gomoku_brain.match.tournament import (
    OURS,
    GameFile,
    Match,
    MatchPlayer,
    MatchSettings,
    header_of,
    program,
)
from gomoku_brain.records.game_formats import GameRecord
from gomoku_brain.records.openings import Opening, book, select

__all__ = ["TournamentPlan", "TournamentRun", "plan_of"]

SEED = 1  # of the order of the openings, as `match` has it


@dataclass(frozen=True)
class TournamentPlan:
    """What is to be played, as it is chosen in the window."""

    seats: tuple[tuple[str, Seat], ...] = ()
    """Names and engines; brains and programs only."""
    rule: Rule = DEFAULT_RULE
    size: int = 15
    seconds: float = 1.0
    """A move; 0 = no such limit, where there is one for the game."""
    match: float = 0.0
    """Seconds a game; 0 = no such limit."""
    increment: float = 0.0
    """Seconds that the clock of the game gains with each move."""
    swap2: bool = False
    """Whether the engines make the openings, instead of the book."""
    pairs: int = 10
    """Of games, a pairing."""
    openings: str = "tuning"
    """A part of the shipped book, or "none"."""
    gauntlet: bool = False
    players: tuple[MatchPlayer, ...] = field(default=(), repr=False)
    """From a file, instead of `seats`."""

    def settings(self) -> MatchSettings:
        """The same for the runner. Raises ValueError for what cannot be played."""
        if not (self.players or self.seconds or self.match):
            raise ValueError("a limit for a move or for a game is needed")
        control = TimeControl(
            turn=self.seconds or None,
            match=self.match or None,
            increment=self.increment if self.match else 0.0,
        )
        players = self.players or tuple(
            MatchPlayer(_spec(name, seat), control) for name, seat in self.seats
        )
        found: tuple[Opening, ...] = ()
        if self.openings != "none" and not self.swap2:
            part: Any = self.openings
            found = tuple(select(book(self.rule, self.size, part), seed=SEED))
        return MatchSettings(
            players=players,
            rule=self.rule,
            size=self.size,
            openings=found,
            swap2=self.swap2,
            gauntlet=self.gauntlet,
        )

    def arguments(self) -> list[str]:
        """The words with which `match` would begin the same."""
        words = []
        for player in self.settings().players:
            spec = player.spec
            command = OURS if spec.command == (OURS,) else _joined(spec.command)
            words += ["--engine", f"{spec.name}={command}"]
            words += [f"info.{key}={value}" for key, value in spec.infos]
            if spec.cwd:
                words.append(f"cwd={spec.cwd}")
        words += ["--rule", self.rule.name.lower(), "--size", str(self.size)]
        for option, value in (
            ("--time", self.seconds),
            ("--match-time", self.match),
            ("--increment", self.increment if self.match else 0.0),
        ):
            words += [option, f"{value:g}"] if value else []
        words += ["--games", str(2 * self.pairs)]
        words += ["--swap2"] if self.swap2 else ["--openings", self.openings]
        return words + (["--gauntlet"] if self.gauntlet else [])


def _joined(command: tuple[str, ...]) -> str:
    return " ".join(f'"{word}"' if " " in word else word for word in command)


def _spec(name: str, seat: Seat) -> EngineSpec:
    if seat.kind == "brain":
        told: tuple[tuple[str, str], ...] = ()
        if seat.strength < FULL_STRENGTH:
            told = (("strength", str(seat.strength)),)
        return EngineSpec(name, (OURS,), None, told)
    return replace(spec_of(seat), name=name)


def plan_of(path: Path) -> TournamentPlan:
    """The plan that a file of games was begun with.

    Raises OSError, and ValueError for a file of another kind, or one whose openings
    are not those of the shipped book.
    """
    header = header_of(path)
    try:
        row: Any = header["settings"]
        players = tuple(_player(each) for each in row["engines"])
        words = [str(word) for word in header.get("arguments", [])]  # type: ignore[attr-defined]
        games = 100
        if "--games" in words:
            games = int(words[words.index("--games") + 1])
        plan = TournamentPlan(
            rule=Rule[row["rule"].upper()],
            size=int(row["size"]),
            pairs=max(games // 2, 1),
            openings="none",
            swap2=bool(row["swap2"]),
            gauntlet=bool(row["gauntlet"]),
            players=players,
        )
        for part in ("none", "tuning", "final"):
            plan = replace(plan, openings=part)
            if json.loads(json.dumps(plan.settings().describe())) == row:
                return plan
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a file of match games: {error!r}") from None
    raise ValueError(f"{path} was not played with the openings of the shipped book")


def _player(row: dict[str, Any]) -> MatchPlayer:
    infos = tuple((str(key), str(value)) for key, value in row["infos"])
    spec = EngineSpec(row["name"], tuple(row["command"]), row["cwd"], infos)
    return MatchPlayer(spec, TimeControl(**row["time"]))


class TournamentRun(QObject):
    """Plays a plan into a file; games count the moment they end."""

    game_ended = Signal(object)
    """Its `GameRecord`."""
    moved = Signal(str, object)
    """Of a game under way: its id, and the moves so far."""
    stopped = Signal()
    """Nothing is being played any more: all is played, or it was paused."""
    failed = Signal(str)
    """Why it ended."""

    def __init__(
        self, plan: TournamentPlan, path: Path, parent: QObject | None = None
    ) -> None:
        """Read what the file has. Raises ValueError and OSError as `match` does."""
        super().__init__(parent)
        self.plan, self.path = plan, path
        self._settings = plan.settings()
        self.match = self._read()
        self._pause = threading.Event()
        self._task: BackgroundTask | None = None

    def _read(self) -> Match:
        games = GameFile(self.path, self._settings, arguments=self.plan.arguments())
        return Match(self._settings, games, self.plan.pairs)

    @property
    def is_playing(self) -> bool:
        """Whether games are under way."""
        return self._task is not None

    def start(self, concurrency: int = 1) -> None:
        """Play what the file lacks."""
        if self._task is not None:
            return
        self.match = match = self._read()
        self._pause = pause = threading.Event()

        def play(game: GameTask, stop: threading.Event) -> GameRecord:
            if pause.is_set() or stop.is_set():
                return _void(game)
            moves = [] if game.opening is None else list(game.opening.moves)
            task.tell((game.id, tuple(moves)))

            def show(move: Move) -> None:
                moves.append(move)
                task.tell((game.id, tuple(moves)))

            ready = replace(game, black=program(game.black), white=program(game.white))
            found = play_game(ready, None, pause, lambda played: show(played.move))
            return _void(game) if pause.is_set() else found

        def work(task: BackgroundTask) -> None:
            with match.games:
                match.games.begin()
                match.run(play, concurrency, task.tell)

        task = BackgroundTask(work)
        self._task = task
        task.told.connect(self._take_news)
        task.done.connect(lambda _: self._end(""))
        task.failed.connect(lambda error: self._end(str(error) or repr(error)))
        task.start()

    def pause(self) -> None:
        """End soon; games under way are void and are played again later."""
        self._pause.set()

    def wait(self, seconds: float) -> None:
        """For the end of the program."""
        if self._task is not None:
            self._task.wait(seconds)

    def _take_news(self, news: object) -> None:
        if isinstance(news, GameRecord):
            self.game_ended.emit(news)
        elif isinstance(news, tuple):
            self.moved.emit(*news)

    def _end(self, error: str) -> None:
        self._task = None
        if error:
            self.failed.emit(error)
        self.stopped.emit()


def _void(game: GameTask) -> GameRecord:
    return GameRecord(game.rule, game.size, game.size, result="*", id=game.id)
