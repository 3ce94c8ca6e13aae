"""Tournaments: the schedule of games, the file of finished games, and the results.

The schedule follows from the ``MatchSettings`` alone: ``schedule`` gives every game its
place and its name. A ``GameFile`` stores each game at its end, so a run that was
stopped, or killed, continues with the games that its file lacks: none is lost, none is
played twice. ``Standings`` sums the games.

A game with the same players, colours and moves as an earlier one is a copy. It adds no
information, and counting it would make error bars and the SPRT too certain. Copies are
stored in the file, reported and left out of every statistic.
"""

import contextlib
import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Annotated, Any, Self

from gomoku_brain.client.brain import BrainFault, EngineSpec, program
from gomoku_brain.client.external_engine import ExternalEngine
from gomoku_brain.client.manager_lines import PATIENCE
from gomoku_brain.control.limits import Limits, PlayerLimits
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.match.game_log import GameLog
from gomoku_brain.match.referee import (
    Adjudication,
    BrainCache,
    GameTask,
    ProcessorSets,
    play_game,
)
from gomoku_brain.match.stats import (
    FiguresRow,
    Pentanomial,
    Rating,
    Score,
    Sprt,
    Tally,
    Verdict,
    ratings,
)
from gomoku_brain.records.game_record import GameRecord, from_json, record_line
from gomoku_brain.records.openings import Opening
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.json_rows import Count, Schema

LATE = "time"
FAULTS = frozenset({"illegal move", "crash", "hang", "flood", "garbage", "refused"})
"""Reasons, of game records, for which a player lost by a fault of its own."""

FORMAT = 1  # version of the file of games
_ID = re.compile(r"[0-9]+-[0-9]+\.[0-9]+[ab]")  # of a game, as in ``schedule``
SWAP2_SECONDS = 10.0
"""Seconds for the first stones of swap2 when an engine is tried."""
_SLICE = 0.25  # seconds; Windows delivers Ctrl-C only between two waits

Play = Callable[[GameTask, threading.Event], GameRecord]
"""Function that plays a game.

Soon after the event is set it returns a game without result ("*").
"""


@dataclass(frozen=True)
class MatchPlayer:
    """Engine and the limits under which it plays."""

    spec: EngineSpec
    limits: PlayerLimits = field(default_factory=PlayerLimits)

    @property
    def name(self) -> str:
        """Its name in records."""
        return self.spec.name


@dataclass(frozen=True)
class MatchSettings:
    """Settings that determine the games of a match. Raises ValueError if they are
    invalid.
    """

    players: tuple[MatchPlayer, ...]
    """Two or more players with different names."""
    rule: Rule = DEFAULT_RULE
    size: int = 15
    openings: tuple[Opening, ...] = ()
    """Openings in the order of play; without any, games begin on the empty board."""
    repeat_openings: bool = False
    """Whether a pairing may start again with the first opening after the last."""
    swap2: bool = False
    """Whether the players make their openings themselves; then ``openings`` is
    empty.
    """
    gauntlet: bool = False
    """Whether the first player meets all others, instead of each meeting each."""
    draw_after: int | None = None
    """Number of stones on the board after which a game is drawn."""
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
    def names_of_pairings(self) -> list[tuple[str, str]]:
        """The pairs that meet, by name."""
        return [(self.players[i].name, self.players[j].name) for i, j in self.pairings]

    @property
    def fresh_pairs(self) -> int | None:
        """Number of pairs of games that a pairing can play from different openings.

        None if there is no bound: with swap2 the players may always find others.
        """
        return None if self.swap2 else max(1, len(self.openings))

    def describe(self) -> dict[str, object]:
        """Return the settings as a JSON object; the openings by number and digest."""
        moves = json.dumps([opening.moves for opening in self.openings])
        # Only if it is set, so that files of runs without it stay valid.
        agreed = self.adjudication and {"adjudication": asdict(self.adjudication)}
        return {
            "engines": [
                asdict(p.spec) | {"time": asdict(p.limits)} for p in self.players
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
    """Yield all games of ``pairs`` pairs for each pairing, in their order, with unique
    ids.

    An opening is played by all pairings before the next, by each with both colours.
    "1-3.7b" is the second game of the seventh pair between the players 1 and 3; in the
    first game of a pair the first player is black, or proposes the opening. More pairs
    only add games at the end.
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
                    black_limits=black.limits,
                    white_limits=white.limits,
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
    """Start the engine and a game, and end both. Raises BrainFault if that fails.

    With ``swap2`` it must also place three stones within ``patience`` seconds. So an
    engine without SWAP2BOARD is found before the first game.
    """
    board, turn = Board(size, Rule.STANDARD), 1.0
    margin = patience - turn
    with ExternalEngine(spec.command, cwd=spec.cwd, margin=margin) as engine:
        engine.prepare(board)
        if not swap2:
            return
        try:
            engine.swap2(board, Limits(time=turn))
        except BrainFault as fault:
            if fault.kind == "refused":
                raise
            text = f"does not play swap2: it {fault}"
            raise BrainFault("refused", text, fault.last_words) from None


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
    """File of the games of a run: JSON lines, the settings first, then a game a line.

    A game is on the disk before it counts. An incomplete last line of a killed run is
    dropped, and its game is played again. Use it as a context manager.
    """

    def __init__(self, path: Path, settings: MatchSettings, **header: object) -> None:
        """Read the games of an earlier run with the same settings; nothing is written.

        ``header`` is stored with the settings in a new file. Raises OSError, and
        ValueError if the file has another format, is damaged, or is of a run with other
        settings.
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
        """First line of the file: "settings", their "hash", and the values of
        ``header``.
        """
        self.records: list[GameRecord] = []
        """Games in the order in which they ended."""
        lines = self._journal.lines
        if not lines:
            return
        self.header = _read_header(path, lines[0])
        if changes := _changes(self.header.get("settings"), described):
            raise ValueError(
                f"{path} was made with other settings ({'; '.join(changes[:3])}):"
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

    def start(self) -> None:
        """Prepare the file for new games. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._journal.start(json.dumps(self.header))

    def append(self, record: GameRecord) -> None:
        """Append a game; on return it is on the disk.

        Raises OSError, also if another run has written to the file meanwhile.
        """
        self._journal.append(record_line(record))
        self.records.append(record)


def header_of(path: Path) -> dict[str, object]:
    """Return the first line of a file of games. Raises OSError, or ValueError without
    one.
    """
    return _read_header(path, _lines_of(path)[0])


def player_of(row: dict[str, Any]) -> MatchPlayer:
    """Return an engine of ``MatchSettings.describe``, as it stands in a file of games.

    Raises LookupError, TypeError, AttributeError or ValueError for another object.
    """
    infos = tuple((str(key), str(value)) for key, value in row["infos"])
    command = tuple(map(str, row["command"]))
    if not command:
        raise LookupError("command")
    cwd = None if row["cwd"] is None else str(row["cwd"])
    spec = EngineSpec(str(row["name"]), command, cwd, infos)
    return MatchPlayer(spec, PlayerLimits(**row["time"]))


def records_of(path: Path) -> list[GameRecord]:
    """Return the finished games of such a file, without an incomplete last line.

    Raises OSError, and ValueError for a file that is damaged or has another format.
    """
    first, *games = _lines_of(path)
    _read_header(path, first)
    return _read_records(path, games)


def _lines_of(path: Path) -> Sequence[str]:
    """Return the lines of a file. Raises OSError, and ValueError if it has none."""
    size = path.stat().st_size  # OSError for a missing file
    lines = _journal(path).lines
    if not lines and size:
        raise ValueError(
            f"{path} has no complete first line: its run ended at once, before any game"
        )
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
    """Return the differences of two JSON values: "engine few: time.nodes 200, now
    300".
    """
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
    """Return the names of engines in a JSON list; none for another list."""
    found = [v.get("name") for v in values if isinstance(v, dict)]
    names = [name for name in found if isinstance(name, str)]
    return names if len(names) == len(values) else []


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + ".."


# ----- Results -----


class PairingRow(FiguresRow):
    """The results between two players, from the first one's side."""

    first: str
    second: str
    wins: Count
    draws: Count
    losses: Count
    pentanomial: Annotated[list[Count], Schema(minItems=5, maxItems=5)]
    pairs: Count
    pairs_won: Count
    pairs_lost: Count
    pairs_split: Count
    copies: Count
    late: dict[str, Count]
    faults: dict[str, Count]


@dataclass
class Encounter:
    """Results between two players, from the side of the first."""

    first: str
    second: str
    score: Score = field(default_factory=Score)
    """All games except copies."""
    pairs: Pentanomial = field(default_factory=Pentanomial)
    """Complete pairs in which no game was a copy."""
    copies: int = 0
    """Number of games that equal an earlier one; none of them ended by a fault."""
    late: Counter[str] = field(default_factory=Counter)
    """Games lost on time, by player."""
    faults: Counter[str] = field(default_factory=Counter)
    """Games lost by another of the ``FAULTS``, by player."""
    _halves: dict[str, float | None] = field(default_factory=dict)
    _seen: set[object] = field(default_factory=set)

    @property
    def tally(self) -> Tally:
        """Tally for the estimates: the pairs, or the games before the first pair."""
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

    def to_dict(self) -> PairingRow:
        """Return all figures as values of JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "wins": self.score.wins,
            "draws": self.score.draws,
            "losses": self.score.losses,
            **self.tally.to_dict(),
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
    """Results of all games so far."""

    def __init__(self, pairings: Iterable[tuple[str, str]]) -> None:
        """Start without a game, for these pairs of players."""
        self.encounters = [Encounter(*names) for names in pairings]
        self._of = {frozenset((e.first, e.second)): e for e in self.encounters}
        self.anchor: tuple[str, float] | None = None
        """Player and its fixed rating; without one the mean of all ratings is 0."""

    def add(self, record: GameRecord) -> None:
        """Count a finished game. Raises ValueError for a game with other players."""
        encounter = self._of.get(frozenset((record.black, record.white)))
        if encounter is None or record.result == "*":
            raise ValueError(f"game {record.id!r} is none of this match")
        encounter.add(record)

    @property
    def copies(self) -> int:
        """Number of games that equal an earlier one."""
        return sum(encounter.copies for encounter in self.encounters)

    def ratings(self) -> list[Rating]:
        """Return the players, the strongest first."""
        results = {(e.first, e.second): e.score for e in self.encounters}
        return ratings(results, *(self.anchor or ()))

    def tally(self, name: str) -> Tally:
        """Return a player's results against all others, in the same form as a
        pairing's.

        They come from the pairs of games as soon as there is one, so that both agree.
        """
        pairs, score = Pentanomial(), Score()
        for encounter in self.encounters:
            if name == encounter.first:
                pairs, score = pairs + encounter.pairs, score + encounter.score
            elif name == encounter.second:
                pairs += encounter.pairs.swapped()
                score += encounter.score.swapped()
        return pairs if pairs.trials else score

    def crosstable(self, width: int | None = None) -> list[str]:
        """Return the crosstable, the strongest player first: a text of some lines.

        A column is the opponent of that place; points, then the number of games. A
        table wider than ``width`` characters becomes several, with some of the columns
        each.
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
        names = max(len(row.name) for row in rows)
        column = max(len(cell) for line in cells for cell in line) + 2
        at_once = len(rows)
        if width is not None:
            at_once = max((width - names - 3) // column, 1)
        lines = []
        for first in range(0, len(rows), at_once):
            last = min(first + at_once, len(rows))
            head = "".join(f"{place:>{column}}" for place in range(first + 1, last + 1))
            lines.append(f"   {'':{names}}{head}")
            for place, (row, line) in enumerate(zip(rows, cells, strict=True), 1):
                part = "".join(f"{cell:>{column}}" for cell in line[first:last])
                lines.append(f"{place:2} {row.name:{names}}{part}")
        return lines


# ----- Playing -----


class Match:
    """Run of a match: the schedule, the games played, and the condition of its end.

    Raises ValueError if there are too few openings for the pairs, if the file has games
    of other players, and for an SPRT unless there is one pairing.
    """

    def __init__(
        self,
        settings: MatchSettings,
        games: GameFile,
        pairs: int,
        sprt: Sprt | None = None,
    ) -> None:
        """Count the games of the file."""
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
        self.standings = Standings(settings.names_of_pairings)
        for record in games.records:
            if not _ID.fullmatch(record.id):  # it becomes the name of a file
                raise ValueError(f"game {record.id!r} is none of this match")
            self.standings.add(record)
        played = {record.id for record in games.records}
        tasks = list(schedule(settings, pairs))
        self.total = len(tasks)
        """Number of games of the schedule."""
        self.tasks = [task for task in tasks if task.id not in played]
        """Games that the file lacked at the start."""
        self._left = {task.id for task in self.tasks}

    @property
    def verdict(self) -> Verdict | None:
        """Current verdict of the SPRT; None without one."""
        if self.sprt is None:
            return None
        return self.sprt.verdict(self.standings.encounters[0].pairs)

    @property
    def llr(self) -> float | None:
        """Log-likelihood ratio of the SPRT for the pairs so far; None without one."""
        if self.sprt is None:
            return None
        return self.sprt.llr(self.standings.encounters[0].pairs)

    @property
    def is_over(self) -> bool:
        """Whether all games are played, or the SPRT has its verdict."""
        return self.verdict in ("H0", "H1") or not self._left

    def run(
        self,
        play: Play,
        concurrency: int = 1,
        on_game: Callable[[GameRecord], None] | None = None,
    ) -> None:
        """Play the remaining games, until the SPRT, if there is one, has its verdict.

        Each finished game is written to the file, counted, and passed to ``on_game``.
        See the function ``run``.
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
    """Play the games, ``concurrency`` at once, and pass each finished one to ``take``.

    ``take`` is called in this thread; once it returns False no other game counts.
    However this ends, also by an exception or KeyboardInterrupt, the games in progress
    are stopped first, and do not count.
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
