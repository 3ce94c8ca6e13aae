"""Tournaments: which games are to be played, the file of those played, the results.

What is played follows from the `MatchSettings` alone: `schedule` gives every game its
place and its name. A `GameFile` keeps each game the moment it ends, so that a run that
was stopped, or killed, goes on with the games that its file lacks: none is lost, none
is played twice. `Standings` adds the games up.

A game that equals an earlier one, the same players with the same colours and moves, is
a copy: it tells nothing new, and counting it would make an error bar or an SPRT
believe in games that were never played. Copies are kept in the file, reported and left
out of every statistic.
"""

import contextlib
import hashlib
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Self

from gomoku_brain.client.brain import Brain, BrainFault, EngineSpec, shorten
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.match.game_log import GameLog
from gomoku_brain.match.processors import ProcessorSets
from gomoku_brain.match.referee import (
    PATIENCE,
    REFUSAL_SECONDS,
    Adjudication,
    BrainCache,
    GameTask,
    TimeControl,
    WrongAnswer,
    infos,
    is_refusal,
    play_game,
    read_moves,
)
from gomoku_brain.match.stats import (
    Pentanomial,
    Rating,
    Score,
    Sprt,
    Tally,
    Verdict,
    ratings,
)
from gomoku_brain.records.game_formats import GameRecord, from_json, to_json
from gomoku_brain.records.openings import Opening
from gomoku_brain.runs.journal import Journal

OURS = "ours"
"""The command that stands for the brain of this installation."""

LATE = "time"
FAULTS = frozenset({"illegal move", "crash", "hang", "flood", "garbage", "refused"})
"""Reasons, of game records, for which a player lost without being beaten."""

FORMAT = 1  # of the file of games
SWAP2_SECONDS = 10.0
"""Seconds for the first stones of swap2 when an engine is tried."""
_SLICE = 0.25  # seconds; Windows delivers Ctrl-C only between two waits

Play = Callable[[GameTask, threading.Event], GameRecord]
"""Plays a game; soon after the event is set it returns one without result ("*")."""


def program(spec: EngineSpec) -> EngineSpec:
    """The engine as it is run on this machine: "ours" becomes a command."""
    if spec.command != (OURS,):
        return spec
    package = Path(__file__).parents[1]
    return replace(
        spec,
        command=(sys.executable, "-m", package.name),
        cwd=spec.cwd or str(package.parent),
    )


@dataclass(frozen=True)
class MatchPlayer:
    """An engine and the limits under which it plays."""

    spec: EngineSpec
    time: TimeControl = field(default_factory=TimeControl)

    @property
    def name(self) -> str:
        """Its name in records."""
        return self.spec.name


@dataclass(frozen=True)
class MatchSettings:
    """All that decides what is played. Raises ValueError for what cannot be."""

    players: tuple[MatchPlayer, ...]
    """At least two, with different names."""
    rule: Rule = DEFAULT_RULE
    size: int = 15
    openings: tuple[Opening, ...] = ()
    """In the order of play; without any, games begin on the empty board."""
    repeat_openings: bool = False
    """Whether a pairing may begin again with the first opening after the last."""
    swap2: bool = False
    """Whether the players make their openings themselves; then `openings` is empty."""
    gauntlet: bool = False
    """Whether the first meets all others, instead of each meeting each."""
    draw_after: int | None = None
    """Stones on the board after which a game is drawn."""
    adjudication: Adjudication | None = None
    """When a game ends because both engines' scores agree; None = never."""
    patience: float = PATIENCE
    """Seconds without an answer after which an engine without a clock has lost."""

    def __post_init__(self) -> None:
        names = [player.name for player in self.players]
        if len(names) < 2:
            raise ValueError("a match needs two engines")
        if twice := [name for name, n in Counter(names).items() if n > 1]:
            raise ValueError(f"two engines are named {twice[0]!r}")
        if self.swap2 and self.openings:
            raise ValueError("with swap2 the engines make the openings themselves")

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs that meet, by place among the players."""
        everybody = range(len(self.players))
        if self.gauntlet:
            return [(0, other) for other in everybody[1:]]
        return list(combinations(everybody, 2))

    @property
    def fresh_pairs(self) -> int | None:
        """How many pairs of games a pairing can play from different openings.

        None when there is no bound: by swap2 the players may always find others.
        """
        return None if self.swap2 else max(1, len(self.openings))

    def describe(self) -> dict[str, object]:
        """The settings as a JSON object; the openings by number and digest."""
        moves = json.dumps([opening.moves for opening in self.openings])
        # Only where it is asked for: files of runs without it stay as they are.
        agreed = self.adjudication and {"adjudication": asdict(self.adjudication)}
        return {
            "engines": [
                asdict(p.spec) | {"time": asdict(p.time)} for p in self.players
            ],
            "rule": self.rule.name.lower(),
            "size": self.size,
            "openings": len(self.openings),
            "openings_sha256": hashlib.sha256(moves.encode()).hexdigest()[:16],
            "swap2": self.swap2,
            "gauntlet": self.gauntlet,
            "draw_after": self.draw_after,
            **(agreed or {}),
            **({} if self.patience == PATIENCE else {"patience": self.patience}),
        }


def schedule(settings: MatchSettings, pairs: int) -> Iterator[GameTask]:
    """All games of so many pairs a pairing, in their order, each with its own id.

    An opening is played by all pairings before the next, by each with both colours.
    "1-3.7b" is the second game of the seventh pair between the players 1 and 3; in the
    first game of a pair the first player is black, or proposes the opening. More pairs
    leave the beginning as it was.
    """
    openings = settings.openings or (None,)
    for pair in range(pairs):
        opening = openings[pair % len(openings)]
        for first, second in settings.pairings:
            for half, places in (("a", (first, second)), ("b", (second, first))):
                black, white = (settings.players[place] for place in places)
                extra = {"pair": str(pair + 1)}
                if opening is not None and opening.name:
                    extra["opening"] = opening.name
                yield GameTask(
                    id=f"{first + 1}-{second + 1}.{pair + 1}{half}",
                    rule=settings.rule,
                    size=settings.size,
                    black=black.spec,
                    white=white.spec,
                    black_time=black.time,
                    white_time=white.time,
                    opening=opening,
                    swap2=settings.swap2,
                    max_moves=settings.draw_after,
                    adjudication=settings.adjudication,
                    patience=settings.patience,
                    extra=extra,
                )


def try_engine(
    spec: EngineSpec, size: int, swap2: bool = False, patience: float = SWAP2_SECONDS
) -> None:
    """Start the engine and a game, and end both. Raises BrainFault when it cannot.

    With `swap2` it must also place three stones within `patience` seconds: that an
    engine does not know SWAP2BOARD shows before the first game, not in all of them.
    """
    with Brain(program(spec)) as brain:
        brain.start(size, size)
        if swap2:
            _try_swap2(brain, size, patience)
        brain.close()


def _try_swap2(brain: Brain, size: int, patience: float) -> None:
    for key, value in infos(TimeControl(turn=1.0), Rule.STANDARD):
        brain.info(key, value)
    refused = "does not play swap2: "
    try:
        answer = brain.query_moves(
            "SWAP2BOARD", "DONE", deadline=patience, refusable=True
        )
        if is_refusal(answer):  # perhaps of an INFO line
            with contextlib.suppress(BrainFault):
                answer = brain.wait(REFUSAL_SECONDS)
        read_moves(answer.text, Board(size), 3)
    except BrainFault as fault:
        if fault.kind != "timeout":
            raise
        text = f"{refused}no answer to SWAP2BOARD within {patience:g} s"
        if brain.stray_line:
            text = f"{refused}it answered {shorten(brain.stray_line)}"
        raise BrainFault("refused", text, fault.last_words) from None
    except WrongAnswer:
        text = f"{refused}it answered {shorten(answer.text)}"
        raise BrainFault("refused", text) from None


def play_here(
    task: GameTask,
    stop: threading.Event,
    brains: BrainCache | None = None,
    log: GameLog | None = None,
    processors: ProcessorSets | None = None,
) -> GameRecord:
    """Play a game on this machine.

    With ``brains``, processes serve several games. ``log`` receives the conversations;
    ``processors`` provides processors of its own for each game.
    """
    task = replace(task, black=program(task.black), white=program(task.white))
    with processors.one() if processors else contextlib.nullcontext() as cpus:
        if log is None:
            return play_game(task, brains, stop, cpus=cpus)
        return log.play(
            task, lambda write: play_game(task, brains, stop, log=write, cpus=cpus)
        )


# ----- The file of games -----


class GameFile:
    """The games of a run: JSON lines, the settings first, then a game a line.

    A game is on the disk before it counts. What a killed run left of its last line is
    dropped: that game is played again. Use it as a context manager.
    """

    def __init__(self, path: Path, settings: MatchSettings, **header: object) -> None:
        """Read what an earlier run with the same settings left; nothing is written.

        `header` is kept with the settings in a new file. Raises OSError, or ValueError
        when the file is none of ours, damaged, or of a run with other settings.
        """
        self._journal = _journal(path)
        # Through JSON and back, so that tuples become lists as in a file.
        described = json.loads(json.dumps(settings.describe()))
        self.header: dict[str, object] = {
            "match": FORMAT,
            "hash": _digest(described),
            "settings": described,
            **header,
        }
        """The first line: "settings", their "hash", and what else was given."""
        self.records: list[GameRecord] = []
        """The games, in the order in which they ended."""
        lines = self._journal.lines
        if not lines:
            return
        self.header = _read_header(path, lines[0])
        if changes := _changes(self.header.get("settings"), described):
            raise ValueError(
                f"{path} was played with other settings ({'; '.join(changes[:3])}):"
                " use another file, or remove it"
            )
        self.records = _read_records(path, lines[1:])

    @property
    def path(self) -> Path:
        """The file of the games."""
        return self._journal.path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def begin(self) -> None:
        """Make the file ready for games. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._journal.begin(json.dumps(self.header))

    def append(self, record: GameRecord) -> None:
        """Keep a game; when this returns it is on the disk.

        Raises OSError, also when another run has written to the file meanwhile.
        """
        self._journal.append(to_json(record))
        self.records.append(record)


def header_of(path: Path) -> dict[str, object]:
    """The first line of a file of games. Raises OSError, or ValueError without one."""
    return _read_header(path, _lines_of(path)[0])


def records_of(path: Path) -> list[GameRecord]:
    """The finished games of such a file, without what a killed run left of its last.

    Raises OSError, and ValueError for a file that is damaged or none of these.
    """
    first, *games = _lines_of(path)
    _read_header(path, first)
    return _read_records(path, games)


def _lines_of(path: Path) -> Sequence[str]:
    """The lines of a file that has some. Raises OSError, or ValueError without one."""
    path.stat()  # OSError for one that is not there
    lines = _journal(path).lines
    if not lines:
        raise ValueError(f"{path} is empty")
    return lines


def _journal(path: Path) -> Journal:
    return Journal(path, "a file of match games", '{"match": ')


def _read_header(path: Path, line: str) -> dict[str, object]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("match") != FORMAT:
        raise ValueError(f"{path} is not a file of match games")
    return header


def _read_records(path: Path, lines: Sequence[str]) -> list[GameRecord]:
    records, seen = [], set()
    for number, line in enumerate(lines, 2):
        try:
            record = from_json(line)
            if record.id in seen:
                raise ValueError(f"game {record.id} again")
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        seen.add(record.id)
        records.append(record)
    return records


def _digest(described: dict[str, object]) -> str:
    text = json.dumps(described, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _changes(old: object, new: object, name: str = "") -> list[str]:
    """Differences of two JSON values: "engine few: time.nodes 200, now 300"."""
    if isinstance(old, list) and isinstance(new, list):
        old_names, new_names = _names(old), _names(new)
        if old_names and new_names and old_names == new_names:
            return [
                f"engine {engine}: {change}"
                for engine, before, after in zip(old_names, old, new, strict=True)
                for change in _changes(before, after)
            ]
        if old_names and new_names:
            return [f"{name} {', '.join(old_names)}, now {', '.join(new_names)}"]
        if len(old) == len(new):
            old, new = dict(enumerate(old, 1)), dict(enumerate(new, 1))
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return [] if old == new else [f"{name} {_short(old)}, now {_short(new)}"]
    return [
        change
        for key in {**old, **new}
        for change in _changes(
            old.get(key), new.get(key), f"{name}.{key}" if name else str(key)
        )
    ]


def _names(values: Sequence[object]) -> list[str]:
    """The names of engines in a JSON list; none for another list."""
    found = [v.get("name") for v in values if isinstance(v, dict)]
    names = [name for name in found if isinstance(name, str)]
    return names if len(names) == len(values) else []


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + ".."


# ----- Results -----


@dataclass
class Encounter:
    """What happened between two players, from the side of the first."""

    first: str
    second: str
    score: Score = field(default_factory=Score)
    """All games but copies."""
    pairs: Pentanomial = field(default_factory=Pentanomial)
    """The complete pairs in which no game was a copy."""
    copies: int = 0
    """Games that equal an earlier one; none that a fault ended."""
    late: Counter[str] = field(default_factory=Counter)
    """Games lost on time, by player."""
    faults: Counter[str] = field(default_factory=Counter)
    """Games lost by another of the FAULTS, by player."""
    _halves: dict[str, float | None] = field(default_factory=dict)
    _seen: set[object] = field(default_factory=set)

    @property
    def tally(self) -> Tally:
        """What the estimates follow from: the pairs, before the first one the games."""
        return self.pairs if self.pairs.trials else self.score

    def add(self, record: GameRecord) -> None:
        """Count a finished game."""
        black_points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[record.result]
        loser = {"1-0": record.white, "0-1": record.black}.get(record.result, "")
        if loser and record.reason == LATE:
            self.late[loser] += 1
        elif loser and record.reason in FAULTS:
            self.faults[loser] += 1

        game: object = (record.black, *[played.move for played in record.moves])
        if record.reason == LATE or record.reason in FAULTS:
            game = record.id  # the moves do not determine it
        points = black_points if record.black == self.first else 1 - black_points
        counted: float | None = points
        if game in self._seen:
            self.copies += 1
            counted = None
        else:
            self._seen.add(game)
            self.score += Score.of([points])

        pair = record.id[:-1]
        if pair not in self._halves:
            self._halves[pair] = counted
            return
        other = self._halves.pop(pair)
        if other is not None and counted is not None:
            self.pairs += Pentanomial.of([(other, counted)])

    def figures(self) -> dict[str, object]:
        """All of it as a JSON object."""
        return {
            "first": self.first,
            "second": self.second,
            "wins": self.score.wins,
            "draws": self.score.draws,
            "losses": self.score.losses,
            **self.tally.figures(),
            "games": self.score.games,
            "points": self.score.points,
            "score": self.score.score if self.score.games else None,
            "pentanomial": list(self.pairs.counts),
            "pairs": self.pairs.pairs,
            "pairs_won": self.pairs.ww,
            "pairs_lost": self.pairs.ll,
            "pairs_split": self.pairs.split,
            "copies": self.copies,
            "late": {name: self.late[name] for name in (self.first, self.second)},
            "faults": {name: self.faults[name] for name in (self.first, self.second)},
        }


class Standings:
    """The results of all games so far."""

    def __init__(self, settings: MatchSettings) -> None:
        """No game yet."""
        names = [player.name for player in settings.players]
        self.encounters = [Encounter(names[i], names[j]) for i, j in settings.pairings]
        self._of = {frozenset((e.first, e.second)): e for e in self.encounters}
        self.anchor: tuple[str, float] | None = None
        """Whose rating is what; without one the mean of all is 0."""

    def add(self, record: GameRecord) -> None:
        """Count a finished game. Raises ValueError when nobody plays it here."""
        encounter = self._of.get(frozenset((record.black, record.white)))
        if encounter is None or record.result == "*":
            raise ValueError(f"game {record.id!r} is none of this match")
        encounter.add(record)

    @property
    def copies(self) -> int:
        """Games that equal an earlier one."""
        return sum(encounter.copies for encounter in self.encounters)

    def ratings(self) -> list[Rating]:
        """The players, the strongest first."""
        results = {(e.first, e.second): e.score for e in self.encounters}
        return ratings(results, *(self.anchor or ()))

    def tally(self, name: str) -> Tally:
        """A player's results against all others, told as those of a pairing are.

        From the pairs of games as soon as there is one, so that the two agree.
        """
        pairs, score = Pentanomial(), Score()
        for encounter in self.encounters:
            if name == encounter.first:
                pairs, score = pairs + encounter.pairs, score + encounter.score
            elif name == encounter.second:
                pairs += encounter.pairs.swapped()
                score += encounter.score.swapped()
        return pairs if pairs.trials else score

    def crosstable(self) -> list[str]:
        """Who scored what against whom, the strongest first: a text of some lines.

        A column is the opponent of that place; points, then the number of games.
        """
        rows = self.ratings()
        scores = {(e.first, e.second): e.score for e in self.encounters}
        scores |= {(e.second, e.first): e.score.swapped() for e in self.encounters}
        cells = [
            [
                f"{score.points:g}/{score.games}"
                if (score := scores.get((row.name, other.name))) and score.games
                else "-"
                for other in rows
            ]
            for row in rows
        ]
        width = max(len(row.name) for row in rows)
        column = max(len(cell) for line in cells for cell in line) + 2
        head = "".join(f"{place:>{column}}" for place in range(1, len(rows) + 1))
        return [
            f"   {'':{width}}{head}",
            *(
                f"{place:2} {row.name:{width}}"
                + "".join(f"{c:>{column}}" for c in line)
                for place, (row, line) in enumerate(zip(rows, cells, strict=True), 1)
            ),
        ]


# ----- Playing -----


class Match:
    """A run: what is to be played, what was played, and when it is enough.

    Raises ValueError when there are too few openings for so many pairs, when the file
    holds games of others, and for an SPRT unless there is one pairing.
    """

    def __init__(
        self,
        settings: MatchSettings,
        games: GameFile,
        pairs: int,
        sprt: Sprt | None = None,
    ) -> None:
        """Count the games that the file holds."""
        if sprt is not None and len(settings.pairings) > 1:
            raise ValueError("an SPRT is between two engines")
        fresh = settings.fresh_pairs
        if fresh is not None and pairs > fresh and not settings.repeat_openings:
            raise ValueError(
                f"{fresh} openings are too few for {pairs} pairs of games a pairing:"
                " from the same opening engines play the same games"
            )
        self.settings = settings
        self.games = games
        self.sprt = sprt
        self.standings = Standings(settings)
        for record in games.records:
            self.standings.add(record)
        played = {record.id for record in games.records}
        tasks = list(schedule(settings, pairs))
        self.total = len(tasks)
        """Games of the schedule."""
        self.tasks = [task for task in tasks if task.id not in played]
        """Those that the file lacked at first."""
        self._left = {task.id for task in self.tasks}

    @property
    def verdict(self) -> Verdict | None:
        """What the SPRT says now; None without one."""
        if self.sprt is None:
            return None
        return self.sprt.verdict(self.standings.encounters[0].pairs)

    @property
    def llr(self) -> float | None:
        """Of the SPRT, by the pairs played so far; None without one."""
        if self.sprt is None:
            return None
        return self.sprt.llr(self.standings.encounters[0].pairs)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play, or the SPRT has its verdict."""
        return self.verdict in ("H0", "H1") or not self._left

    def run(
        self,
        play: Play,
        concurrency: int = 1,
        on_game: Callable[[GameRecord], None] | None = None,
    ) -> None:
        """Play what is left, until the SPRT, if there is one, has its verdict.

        Each game that ends is written to the file, counted, and told to `on_game`. See
        `run`.
        """

        def take(record: GameRecord) -> bool:
            self.games.append(record)
            self.standings.add(record)
            self._left.discard(record.id)
            if on_game is not None:
                on_game(record)
            return not self.is_over

        if not self.is_over:
            run(self.tasks, play, take, concurrency)


def run(
    tasks: Iterable[GameTask],
    play: Play,
    take: Callable[[GameRecord], bool],
    concurrency: int = 1,
) -> None:
    """Play the games, several at once, and hand each finished one to `take`.

    `take` is called in this thread; once it returns False no other game counts. However
    this ends, also by an exception or KeyboardInterrupt, the games that are under way
    are stopped first, and are void.
    """
    stop = threading.Event()
    waiting = iter(tasks)
    running: set[Future[GameRecord]] = set()
    with ThreadPoolExecutor(concurrency, "game") as pool:
        try:
            while True:
                for task in islice(waiting, concurrency - len(running)):
                    running.add(pool.submit(play, task, stop))
                if not running:
                    return
                done, running = wait(running, _SLICE, FIRST_COMPLETED)
                for future in done:
                    record = future.result()
                    if record.result != "*" and not take(record):
                        return
        finally:
            stop.set()
