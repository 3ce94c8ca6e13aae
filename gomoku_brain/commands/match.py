"""``match``: engines against engines, over the Gomocup protocol."""

import argparse
import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path

from gomoku_brain import __version__
from gomoku_brain.client.brain import BrainFault, EngineSpec, split_command
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.cluster import Cluster, ClusterError, check_limits
from gomoku_brain.match.openings import (
    Opening,
    book,
    duplicates,
    read_openings,
    select,
)
from gomoku_brain.match.record import GameRecord, to_psq, to_sgf
from gomoku_brain.match.referee import BrainCache, TimeControl
from gomoku_brain.match.stats import Sprt
from gomoku_brain.match.tournament import (
    OURS,
    Encounter,
    GameFile,
    Match,
    Play,
    Player,
    Settings,
    header_of,
    play_here,
    try_engine,
)
from gomoku_brain.study.rows import json_line, rule_word

PAIRS = 50
"""Pairs of games a pairing when nothing is said."""

_EPILOG = """\
An engine is NAME=COMMAND, and may have limits of its own after it:
  time match increment nodes depth memory margin   as the options of that name
  threads=N cwd=FOLDER info.KEY=VALUE              INFO thread_num, INFO KEY VALUE
The command "ours" is the brain of this installation. A value "none" takes a limit away.

examples:
  %(prog)s --engine ours --engine pela=/opt/pela/pbrain-pela --time 1 --games 40
  %(prog)s --engine new=ours --engine "old=python /old/pbrain.py" --nodes 20000 \\
      --sprt 0,10 --concurrency 4
  %(prog)s --engine few=ours nodes=200 --engine many=ours nodes=2000 --games 20
  %(prog)s --gauntlet --engine ours --engine a=./pbrain-a --engine b=./pbrain-b \\
      --rule renju --time 5 --match-time 180 --openings renju.txt --psq games/
  %(prog)s --resume --out games.jsonl

exit status: 0 all games played, or the SPRT accepted elo1; 1 the SPRT accepted elo0;
3 it came to no verdict; 2 something was wrong; 130 stopped by Ctrl-C. Run again to go
on: the games in the file are not played again.
"""

_UNITS = {"time": "turn"}  # option -> field of TimeControl, where they differ
_LIMITS: dict[str, Callable[[str], float | int]] = {
    "time": float,
    "match": float,
    "increment": float,
    "nodes": int,
    "depth": int,
    "memory": int,
    "margin": float,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "gomoku-brain match",
        description="Engines against engines, over the Gomocup protocol.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    who = parser.add_argument_group("who plays")
    who.add_argument(
        "--engine",
        action="append",
        nargs="+",
        default=[],
        metavar=("[NAME=]COMMAND", "KEY=VALUE"),
        help="an engine; give two or more",
    )
    who.add_argument(
        "--gauntlet", action="store_true", help="the first against all others"
    )
    what = parser.add_argument_group("what they play")
    what.add_argument(
        "--rule",
        type=rule_word,
        choices=[rule.name.lower() for rule in Rule],
        default="freestyle",
        help="freestyle unless said",
    )
    what.add_argument("--size", type=int, default=15, help="cells a side (15)")
    what.add_argument(
        "--games",
        type=int,
        metavar="N",
        help="games a pairing, an even number (100, or with --sprt all openings)",
    )
    what.add_argument(
        "--openings",
        default="tuning",
        metavar="FILE",
        help="a file of openings; or a part of the shipped book, tuning or final;"
        " or none (tuning)",
    )
    what.add_argument(
        "--form",
        choices=("auto", "pos", "offset"),
        default="auto",
        help="how the file writes openings: h8h9j10, or 0,0, 0,1, 2,2 from the centre",
    )
    what.add_argument(
        "--order",
        choices=("random", "file"),
        default="random",
        help="of the openings (random)",
    )
    what.add_argument("--seed", type=int, default=1, help="of that order (1)")
    what.add_argument(
        "--repeat-openings",
        action="store_true",
        help="begin again after the last opening; games that come out as copies of"
        " others do not count",
    )
    what.add_argument(
        "--swap2", action="store_true", help="the engines make the openings"
    )
    what.add_argument(
        "--draw-after", type=int, metavar="N", help="a draw with N stones on the board"
    )
    limits = parser.add_argument_group("limits, of all engines that name no others")
    limits.add_argument("--time", type=float, metavar="S", help="seconds a move")
    limits.add_argument(
        "--match-time", type=float, metavar="S", dest="match", help="seconds a game"
    )
    limits.add_argument(
        "--increment", type=float, metavar="S", help="seconds gained with each move"
    )
    limits.add_argument("--nodes", type=int, metavar="N", help="nodes a move")
    limits.add_argument("--depth", type=int, metavar="N", help="depth of the search")
    limits.add_argument(
        "--memory", type=int, metavar="MB", help="told to the engines, not measured"
    )
    limits.add_argument(
        "--margin", type=float, metavar="S", help="lateness that is forgiven (0.1)"
    )
    test = parser.add_argument_group("when it is enough")
    test.add_argument(
        "--sprt",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop when the first engine is shown to be stronger by ELO1 rather than"
        " ELO0, or the other way round (risks 0.05,0.05); --sprt=-5,0 for a negative",
    )
    test.add_argument(
        "--sprt-model",
        choices=("logistic", "normalized"),
        default="logistic",
        help="what kind of Elo these are (logistic)",
    )
    how = parser.add_argument_group("how it runs")
    how.add_argument(
        "--concurrency",
        type=int,
        metavar="N",
        help="games at once (1; on a cluster as many as its workers have threads)",
    )
    how.add_argument(
        "--reuse", action="store_true", help="a process serves several games"
    )
    how.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Dask cluster, tcp://host:8786; nodes or depth only",
    )
    files = parser.add_argument_group("what is left of it")
    files.add_argument(
        "--out",
        type=Path,
        default=Path("games.jsonl"),
        metavar="FILE",
        help="the games, a line each; a run goes on with what its file lacks"
        " (games.jsonl)",
    )
    files.add_argument(
        "--resume",
        action="store_true",
        help="go on with the file as it was begun: no engine need be named again",
    )
    files.add_argument("--psq", type=Path, metavar="FOLDER", help="also a PSQ a game")
    files.add_argument("--sgf", type=Path, metavar="FILE", help="also all as SGF")
    files.add_argument(
        "--every", type=int, default=10, metavar="N", help="a line every N games (10)"
    )
    files.add_argument("--json", action="store_true", help="the result as JSON")
    return parser


# ----- From words to settings -----


def _time_control(limits: dict[str, float | int | None]) -> TimeControl:
    known = {_UNITS.get(key, key): value for key, value in limits.items()}
    if known.get("memory") is not None:
        known["memory"] = int(known["memory"] or 0) << 20
    for key in ("increment", "margin"):
        if known.get(key) is None:
            known.pop(key, None)
    return TimeControl(**known)  # type: ignore[arg-type]


def parse_engine(
    words: Sequence[str], defaults: dict[str, float | int | None]
) -> Player:
    """An engine from its words, ["NAME=COMMAND", "nodes=200", ..].

    `defaults` are the limits of all. Raises ValueError with what is wrong.
    """
    name, equals, command = words[0].partition("=")
    if not equals or set(name) & set("/\\ \"'"):
        name, command = "", words[0]
    argv = split_command(command)
    if not argv:
        raise ValueError(f"engine {words[0]!r} has no command")
    limits, infos, cwd = dict(defaults), [], None
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if key in _LIMITS and equals:
            limits[key] = None if value == "none" else _number(key, value)
        elif key == "threads" and value.isdecimal():
            infos.append(("thread_num", value))
        elif key == "cwd" and value:
            cwd = value
        elif key.startswith("info.") and equals:
            infos.append((key.removeprefix("info."), value))
        else:
            known = ", ".join([*_LIMITS, "threads", "cwd", "info.KEY"])
            raise ValueError(f"engine {words[0]!r}: {word!r} is none of {known}")
    name = name or (OURS if argv == (OURS,) else Path(argv[0]).stem)
    return Player(EngineSpec(name, argv, cwd, tuple(infos)), _time_control(limits))


def _number(key: str, value: str) -> float | int:
    try:
        number = _LIMITS[key](value)
    except ValueError:
        raise ValueError(f"{key}={value} is no number") from None
    _check_limit(key, number)
    return number


def _check_limit(key: str, value: float | int | None) -> None:
    least = 0 if key in ("increment", "margin") else 1e-3
    if value is not None and not least <= value < 1e9:
        raise ValueError(f"{key} {value:g} is out of range")


def _openings(options: argparse.Namespace) -> tuple[Opening, ...]:
    """The openings in the order of play, no two of them equal."""
    rule, size = Rule[options.rule.upper()], options.size
    if options.swap2 or options.openings == "none":
        return ()
    if options.openings in ("tuning", "final"):
        found = book(rule, size, options.openings)
    else:
        found = read_openings(Path(options.openings), size, options.form, rule)
    equal = {later for _, later in duplicates(found, size)}
    if equal:
        _say(f"left out {len(equal)} openings that equal others (turned or mirrored)")
    fresh = [opening for place, opening in enumerate(found) if place not in equal]
    return tuple(
        select(fresh, seed=options.seed if options.order == "random" else None)
    )


def _settings(options: argparse.Namespace) -> Settings:
    if not 5 <= options.size <= 22:
        raise ValueError(f"no board of size {options.size}: 5 to 22")
    if options.draw_after is not None and options.draw_after < 1:
        raise ValueError("--draw-after needs a positive number")
    defaults = {key: getattr(options, key) for key in _LIMITS}
    for key, value in defaults.items():
        _check_limit(key, value)
    players = [parse_engine(words, defaults) for words in options.engine]
    for player in players:
        time = player.time
        if (time.turn, time.match, time.nodes, time.depth) == (None,) * 4:
            raise ValueError(
                f"how long may {player.name} think? --time, --match-time, --nodes or"
                " --depth says it"
            )
    return Settings(
        players=tuple(players),
        rule=Rule[options.rule.upper()],
        size=options.size,
        openings=_openings(options),
        repeat_openings=options.repeat_openings,
        swap2=options.swap2,
        gauntlet=options.gauntlet,
        draw_after=options.draw_after,
    )


def _sprt(options: argparse.Namespace) -> Sprt | None:
    if options.sprt is None:
        return None
    words = options.sprt.split(",")
    try:
        elo0, elo1, alpha, beta = map(
            float, [*words, "0.05", "0.05"][: max(4, len(words))]
        )
    except ValueError:
        raise ValueError(
            f"--sprt {options.sprt}: write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA"
        ) from None
    return Sprt(elo0, elo1, alpha, beta, options.sprt_model)


def _pairs(options: argparse.Namespace, settings: Settings) -> int:
    """Pairs of games a pairing."""
    fresh = settings.fresh_pairs
    if options.games is None:
        if options.sprt is not None and fresh is not None:
            return fresh
        return PAIRS if fresh is None else min(PAIRS, fresh)
    if options.games < 2 or options.games % 2:
        raise ValueError(
            f"--games {options.games}: each opening is played with both colours, so it"
            " must be an even number"
        )
    return int(options.games) // 2


def _resumed(options: argparse.Namespace, argv: list[str]) -> argparse.Namespace:
    """The options of the run that began the file, and those given now."""
    words = header_of(options.out).get("arguments")
    if not isinstance(words, list):
        raise ValueError(f"{options.out} does not say how it was begun")
    resumed = _parser().parse_args([*map(str, words), *argv])
    resumed.out = options.out
    return resumed


# ----- What people see -----


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def encounter_lines(encounter: Encounter) -> list[str]:
    """The results between two players, in words."""
    e, tally, pairs = encounter, encounter.tally, encounter.pairs
    first, second = e.first, e.second
    if not e.score.games:
        return [f"{first} - {second}: no game yet"]
    lines = [
        f"{first} - {second}: {e.score.games} games, {e.score},"
        f" {100 * e.score.score:.1f} %",
        f"  Elo {tally.elo} (95 %), LOS {100 * tally.los:.1f} %",
    ]
    if pairs.pairs:
        lines.append(
            f"  pairs {pairs.pairs}, pentanomial {pairs}: 2-0 {pairs.ww},"
            f" 0-2 {pairs.ll}, split {pairs.split}"
        )
    if e.late or e.faults:
        lines.append(
            f"  lost on time {e.late[first]} - {e.late[second]},"
            f" by other faults {e.faults[first]} - {e.faults[second]}"
        )
    if e.copies:
        lines.append(f"  {e.copies} games were copies of others and do not count")
    return lines


def report(match: Match) -> str:
    """All results so far, as a text of some lines."""
    lines = []
    encounters = match.standings.encounters
    if len(encounters) > 1:
        width = max(len(player.name) for player in match.settings.players)
        lines = [
            f"{place:2} {row.name:{width}} {row.score.points:6g} of"
            f" {row.score.games:4}  Elo {row.elo}"
            for place, row in enumerate(match.standings.ratings(), 1)
        ]
        lines += match.standings.crosstable()
    for encounter in encounters:
        lines += encounter_lines(encounter)
    if match.sprt is not None and match.llr is not None:
        low, high = match.sprt.bounds
        lines.append(f"{match.sprt}: LLR {match.llr:.2f} ({low:.2f}, {high:.2f})")
        lines.append(f"  {_verdict_text(match)}")
    return "\n".join(lines)


def _verdict_text(match: Match) -> str:
    assert match.sprt is not None
    encounter, sprt = match.standings.encounters[0], match.sprt
    return {
        "H1": f"H1: {encounter.first} is stronger, rather by {sprt.elo1:g} than"
        f" {sprt.elo0:g}",
        "H0": f"H0: {encounter.first} is not stronger, rather {sprt.elo0:g} than"
        f" {sprt.elo1:g}",
        "continue": "no verdict yet",
    }[match.verdict or "continue"]


def _game_line(match: Match, record: GameRecord) -> str:
    done = len(match.games.records)
    detail = f": {record.detail}" if record.detail else ""
    return (
        f"[{done}/{match.total}] {record.id} {record.black} - {record.white}"
        f" {record.result} ({record.reason}, {len(record.moves)} stones){detail}"
    )


@contextlib.contextmanager
def _live(match: Match) -> Iterator[Callable[[GameRecord], None]]:
    """A table that is always up to date, on a terminal. Raises ImportError."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    console = Console(stderr=True)
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )
    job = bar.add_task("", total=match.total, completed=len(match.games.records))

    def picture(last: str = "") -> Group:
        line = Text(last, no_wrap=True, overflow="ellipsis")
        return Group(Text(report(match)), line, bar)

    with Live(picture(), console=console, transient=True) as live:

        def show(record: GameRecord) -> None:
            line = _game_line(match, record)
            if record.detail:
                console.print(Text(line))
            bar.update(job, completed=len(match.games.records))
            live.update(picture(line))

        yield show


def _plain(match: Match, every: int, record: GameRecord) -> None:
    """Lines on standard error, now and then."""
    due = len(match.games.records) % every == 0
    if due or record.detail:
        _say(_game_line(match, record))
    if due:
        _say(report(match))


def _display(
    match: Match, every: int
) -> contextlib.AbstractContextManager[Callable[[GameRecord], None]]:
    """What shows how the run goes."""
    if sys.stderr.isatty() and importlib.util.find_spec("rich"):
        return _live(match)
    return contextlib.nullcontext(partial(_plain, match, every))


def result(match: Match) -> dict[str, object]:
    """The result as a JSON object."""
    row: dict[str, object] = {
        "file": str(match.games.path),
        "games": len(match.games.records),
        "of": match.total,
        "finished": match.is_over,
        "copies": match.standings.copies,
        "pairings": [e.figures() for e in match.standings.encounters],
        "ranking": [
            {"name": row.name, **match.standings.tally(row.name).figures()}
            for row in match.standings.ratings()
        ],
    }
    if match.sprt is not None:
        row["sprt"] = {
            **{f.name: getattr(match.sprt, f.name) for f in fields(match.sprt)},
            "llr": match.llr,
            "bounds": list(match.sprt.bounds),
            "verdict": match.verdict,
        }
    return row


# ----- The run -----


def _check_outputs(options: argparse.Namespace) -> None:
    """See before hours of play that all can be written. Raises OSError, ValueError."""
    if options.out.exists() and not options.out.is_file():
        raise ValueError(f"--out {options.out} is no ordinary file")
    if options.psq is not None:
        options.psq.mkdir(parents=True, exist_ok=True)
    if options.sgf is not None:
        options.sgf.open("a").close()


def _export(options: argparse.Namespace, records: Sequence[GameRecord]) -> None:
    """Write the other forms of all games, also of those of earlier runs."""
    if options.psq is not None:
        options.psq.mkdir(parents=True, exist_ok=True)
        for record in records:
            (options.psq / f"{record.id}.psq").write_text(
                to_psq(record), encoding="utf-8", newline="\n"
            )
    if options.sgf is not None:
        text = "\n".join(map(to_sgf, records)) + "\n"
        options.sgf.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def _local(
    options: argparse.Namespace, settings: Settings
) -> Iterator[tuple[Play, int]]:
    """Games on this machine: what plays one, and how many at once."""
    for player in settings.players:
        try:
            try_engine(player.spec, settings.size)
        except BrainFault as fault:
            words = " | ".join(fault.last_words.splitlines())
            raise ValueError(
                f"engine {player.name} {fault}" + (f": {words}" if words else "")
            ) from None
    concurrency = options.concurrency or 1
    timed = any(p.time.turn or p.time.match for p in settings.players)
    if timed and concurrency > (os.cpu_count() or 1):
        _say(f"more games at once than {os.cpu_count()} processors: times will suffer")
    if not options.reuse:
        yield play_here, concurrency
        return
    with BrainCache() as brains:
        yield partial(play_here, brains=brains), concurrency


@contextlib.contextmanager
def _on_cluster(
    options: argparse.Namespace, settings: Settings
) -> Iterator[tuple[Play, int]]:
    """Games on a cluster: what plays one, and how many at once."""
    check_limits(settings.players)
    if options.reuse:
        raise ValueError("--reuse is not for a cluster")
    try:
        cluster = Cluster(options.cluster)
    except ImportError:
        raise ValueError(
            '--cluster needs more: pip install "gomoku-brain[cluster]"'
        ) from None
    with cluster:
        cluster.try_engines([p.spec for p in settings.players], settings.size)
        yield cluster.play, options.concurrency or max(1, cluster.threads)


def _play(match: Match, play: Play, concurrency: int, every: int) -> int:
    """Play what is left; 0, or the exit status for what ended it early."""
    try:
        with _display(match, every) as on_game:
            match.run(play, concurrency, on_game)
    except KeyboardInterrupt:
        _say(f"stopped; run again to go on with {match.games.path}")
        return 130
    except (OSError, ClusterError) as error:
        _say(f"gomoku-brain match: {error}")
        return 2
    return 0


def _run(options: argparse.Namespace, arguments: list[str]) -> int:
    """Play; returns the exit status. Raises what `main` says in a line."""
    if options.concurrency is not None and options.concurrency < 1:
        raise ValueError("--concurrency needs a positive number")
    if options.every < 1:
        raise ValueError("--every needs a positive number")
    sprt = _sprt(options)
    settings = _settings(options)
    pairs = _pairs(options, settings)
    _check_outputs(options)
    status = 0
    with contextlib.ExitStack() as stack:
        games = stack.enter_context(
            GameFile(options.out, settings, version=__version__, arguments=arguments)
        )
        match = Match(settings, games, pairs, sprt)
        if games.records:
            _say(
                f"{options.out}: {len(games.records)} of {match.total} games are there"
            )
        if not match.is_over:
            where = _local if options.cluster is None else _on_cluster
            play, concurrency = stack.enter_context(where(options, settings))
            games.begin()  # not before the engines were seen to start
            status = _play(match, play, concurrency, options.every)
    if options.json:
        print(json_line("match", result(match)))
    else:
        print(report(match), flush=True)
    _export(options, games.records)
    return status or {None: 0, "H1": 0, "H0": 1, "continue": 3}[match.verdict]


def main(argv: list[str]) -> int:
    """Play a match; returns the exit status."""
    options = _parser().parse_args(argv)
    try:
        if options.resume:
            if not options.out.is_file():
                raise ValueError(
                    f"--resume goes on with the games in {options.out},"
                    " and there is no such file: name it with --out"
                )
            header_of(options.out)
            if not options.engine:
                options = _resumed(options, argv)
        return _run(options, argv)
    except BrokenPipeError:
        raise  # no mistake of the user
    except (OSError, ValueError, ClusterError) as error:
        _say(f"gomoku-brain match: {' '.join(str(error).split())}")
        return 2
    except KeyboardInterrupt:  # before the first game
        _say("stopped")
        return 130
