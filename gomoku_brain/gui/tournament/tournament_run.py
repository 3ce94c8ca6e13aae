"""Tournament in the background, with pause and resume.

``match.tournament.MatchSettings`` describes the games. The file has the format of
``gomoku-brain match``, and each of the two can continue the other's file.
"""

import json
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gomoku_brain.client.brain import OURS, EngineSpec, program
from gomoku_brain.control.limits import FULL_STRENGTH, PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.model.game_players import PlayerConfig, spec_of
from gomoku_brain.match.referee import GameTask, play_game
from gomoku_brain.match.tournament import (
    GameFile,
    Match,
    MatchPlayer,
    MatchSettings,
    header_of,
    player_of,
)
from gomoku_brain.match.trust import engine_commands, remember
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.records.openings import Opening, book, select
from gomoku_brain.runs.program_end import error_line

__all__ = ["TournamentPlan", "TournamentRun", "plan_of"]

SEED = 1  # for the order of the openings, as in ``match``


@dataclass(frozen=True)
class TournamentPlan:
    """Options of a tournament, as chosen in the window."""

    engines: tuple[tuple[str, PlayerConfig], ...] = ()
    """Names and engines: levels of our brain, and programs."""
    rule: Rule = DEFAULT_RULE
    size: int = 15
    seconds: float = 1.0
    """Seconds per move; 0 = no limit, if there is one per game."""
    match: float = 0.0
    """Seconds per game; 0 = no limit."""
    increment: float = 0.0
    """Seconds that the clock gains with each move."""
    swap2: bool = False
    """Whether the engines make the openings by swap2, instead of the book."""
    pairs: int = 10
    """Number of pairs of games for two engines."""
    openings: str = "tuning"
    """A part of the book of the package, or "none"."""
    gauntlet: bool = False
    players: tuple[MatchPlayer, ...] = field(default=(), repr=False)
    """Engines from a file, instead of ``engines``."""

    def settings(self) -> MatchSettings:
        """Return the settings for the match runner.

        Raises:
            ValueError: The options are invalid.
        """
        if not (self.players or self.seconds or self.match):
            raise ValueError("a limit for a move or for a game is needed")
        control = PlayerLimits(
            turn=self.seconds or None,
            match=self.match or None,
            increment=self.increment if self.match else 0.0,
        )
        players = self.players or tuple(
            MatchPlayer(_spec(name, slot), control) for name, slot in self.engines
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
        """Return the arguments of ``match`` for the same tournament."""
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


def _spec(name: str, slot: PlayerConfig) -> EngineSpec:
    if slot.kind == "brain":
        settings: tuple[tuple[str, str], ...] = ()
        if slot.strength < FULL_STRENGTH:
            settings = (("strength", str(slot.strength)),)
        return EngineSpec(name, (OURS,), None, settings)
    return replace(spec_of(slot), name=name)


def plan_of(path: Path) -> TournamentPlan:
    """Return the options of the run that created a file of games.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not a file of games, or its openings are not from the book.
    """
    header = header_of(path)
    try:
        row: Any = header["settings"]
        players = tuple(player_of(each) for each in row["engines"])
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
    except (LookupError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"{path} is not a file of match games: {error!r}") from None
    raise ValueError(f"{path} was not played with the openings of the shipped book")


class TournamentRun(QObject):
    """Execution of a plan, with its file. Each game is stored when it ends."""

    game_ended = Signal(object)
    """A game ended. The argument is its ``GameRecord``."""
    moved = Signal(object, object)
    """A running game has a new move. The arguments are its ``GameTask`` and moves."""
    stopped = Signal()
    """No game is running any more, at the end or in a pause."""
    failed = Signal(str)
    """The run failed. The argument is the reason."""

    def __init__(
        self, plan: TournamentPlan, path: Path, parent: QObject | None = None
    ) -> None:
        """Read the file of the tournament. Raises ``ValueError`` and ``OSError``."""
        super().__init__(parent)
        self.plan, self.path = plan, path
        self._settings = plan.settings()
        self.match = self._read()
        self.commands = engine_commands(each.spec for each in self._settings.players)
        """The commands of the engines, as in ``match.trust``."""
        self.memory_error = ""
        """Reason why the commands are not remembered; "" if they are."""
        self._pause = threading.Event()
        self._task: BackgroundTask | None = None

    def _read(self) -> Match:
        games = GameFile(self.path, self._settings, arguments=self.plan.arguments())
        return Match(self._settings, games, self.plan.pairs)

    @property
    def is_playing(self) -> bool:
        """Whether games are running."""
        return self._task is not None

    def start(self, concurrency: int = 1) -> None:
        """Play the missing games, and remember the commands of the engines.

        The user has chosen or confirmed these.
        """
        if self._task is not None:
            return
        try:
            remember(self.commands)
        except OSError as error:
            self.memory_error = error_line(error)
        self.match = match = self._read()
        self._pause = pause = threading.Event()

        def play(game: GameTask, stop: threading.Event) -> GameRecord:
            if pause.is_set() or stop.is_set():
                return _void(game)
            moves = [] if game.opening is None else list(game.opening.moves)
            task.report((game, tuple(moves)))

            def show(move: Move) -> None:
                moves.append(move)
                task.report((game, tuple(moves)))

            ready = replace(game, black=program(game.black), white=program(game.white))
            found = play_game(ready, None, pause, lambda played: show(played.move))
            return _void(game) if pause.is_set() else found

        def work(task: BackgroundTask) -> None:
            with match.games:
                match.games.start()
                match.run(play, concurrency, task.report)

        task = BackgroundTask(work)
        self._task = task
        task.reported.connect(self._take_news)
        task.done.connect(lambda _: self._end(""))
        task.failed.connect(lambda error: self._end(str(error) or repr(error)))
        task.start()

    def pause(self) -> None:
        """Stop soon. Running games are cancelled and played again later."""
        self._pause.set()

    def wait(self, seconds: float) -> None:
        """Wait up to ``seconds`` for the end of the run."""
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
