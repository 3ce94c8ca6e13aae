"""Command line of ``match``, parsed to ``MatchSettings``, ``Sprt`` and openings."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from gomoku_brain.client.brain import OURS, EngineSpec, split_command
from gomoku_brain.client.manager_lines import PATIENCE
from gomoku_brain.commands._arguments import add_anchor
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.eval.evaluate import evaluation_in
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.levels.ladder import level_named
from gomoku_brain.match.referee import Adjudication
from gomoku_brain.match.stats import Sprt
from gomoku_brain.match.tournament import (
    MatchPlayer,
    MatchSettings,
    player_of,
)
from gomoku_brain.match.trust import engine_commands, quote
from gomoku_brain.protocol.options import INFO_KEYS
from gomoku_brain.records.openings import (
    Opening,
    book,
    duplicates,
    read_openings,
    select,
)
from gomoku_brain.runs.run_options import (
    OneLineParser,
    add_cluster,
    add_rule,
    add_square_size,
    add_workers,
    at_least,
    seconds,
    seconds_or_zero,
)
from gomoku_brain.spelling import did_you_mean

PROG = "gomoku-brain match"
PAIRS = 50
"""Default number of pairs of games for two engines."""

EPILOG = """\
An engine is NAME=COMMAND. Limits for this engine alone may follow:
  time match increment nodes depth memory margin   as the options of that name
  level=NAME                 a level of our brain, beginner .. full (see `levels`)
  weights=FILE               weights of our brain, as it has the option --weights
  threads=N                  INFO thread_num
  info.KEY=VALUE             INFO KEY VALUE, as info.caution_factor=3; any key
  cwd=FOLDER                 where it runs
The command "ours" is the brain of this installation. The value "none" removes a limit.

examples:
  %(prog)s --engine ours --engine pela=/opt/pela/pbrain-pela --time 1 --games 40
  %(prog)s --engine new=ours --engine "old=python /old/pbrain.py" --nodes 20000 \\
      --sprt 0,10 --workers 4
  %(prog)s --engine few=ours nodes=200 --engine many=ours nodes=2000 --games 20
  %(prog)s --gauntlet --engine ours --engine a=./pbrain-a --engine b=./pbrain-b \\
      --rule renju --time 5 --match-time 180 --openings renju.txt --psq games/
  %(prog)s --resume --out games.jsonl
"""
STATUSES = {
    0: "all games are played, or the SPRT accepted elo1",
    1: "the SPRT accepted elo0",
    3: "the SPRT has no result yet",
    129: "stopped by SIGHUP",
    130: "stopped by Ctrl-C; run the command again to continue: the games in the file"
    " are not played again",
    143: "stopped by SIGTERM",
}

_UNITS = {"time": "turn"}  # option -> field of PlayerLimits, where they differ
STANDARD_OUTPUT = Path("-")
PARTS = ("tuning", "final", "none")
"""Values of ``--openings`` that name no file."""
NAMING = ("engines", "openings", "cluster", "psq", "sgf", "html", "samples", "log")
"""Options that name files or a cluster, apart from ``--out``, which only the command
line names."""
LIMITS: dict[str, Callable[[str], float | int]] = {
    "time": seconds,
    "match": seconds,
    "increment": seconds_or_zero,
    "nodes": at_least(1),
    "depth": at_least(1),
    "memory": at_least(1),
    "margin": seconds_or_zero,
}
"""Limits of a player and their types, for options and for words "KEY=VALUE"."""


def make_parser() -> argparse.ArgumentParser:
    made = OneLineParser(
        PROG,
        description="Engines against engines, over the Gomocup protocol.",
        epilog=EPILOG,
        statuses=STATUSES,
    )
    who = made.add_argument_group("engines")
    who.add_argument(
        "--engine",
        action="append",
        nargs="+",
        default=[],
        metavar=("[NAME=]COMMAND", "KEY=VALUE"),
        help="command of an engine; give two or more",
    )
    who.add_argument(
        "--engines",
        type=Path,
        metavar="FILE",
        help="a JSON file of engines; all play, or those that --engine NAME selects",
    )
    who.add_argument(
        "--gauntlet",
        action="store_true",
        help="let the first engine play against all others",
    )
    what = made.add_argument_group("games")
    add_rule(what, DEFAULT_RULE)
    add_square_size(what)
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
        help="order of the openings (random)",
    )
    what.add_argument(
        "--seed", type=int, default=1, help="seed of the random order (1)"
    )
    what.add_argument(
        "--repeat-openings",
        action="store_true",
        help="begin again after the last opening; games that are copies of"
        " others do not count",
    )
    what.add_argument(
        "--swap2", action="store_true", help="let the engines make the openings"
    )
    what.add_argument(
        "--draw-after",
        type=at_least(1),
        metavar="N",
        help="a draw with N stones on the board",
    )
    what.add_argument(
        "--adjudicate-win",
        metavar="SCORE[,MOVES]",
        help="end a game as won if one engine reports SCORE or more and the other"
        " -SCORE or less for MOVES successive moves of both (3); off by default",
    )
    what.add_argument(
        "--adjudicate-draw",
        metavar="SCORE[,MOVES[,FROM]]",
        help="end a game as drawn if both report SCORE or less, either way, for"
        " MOVES successive moves (8), with FROM stones or more on the board (40)",
    )
    limits = made.add_argument_group("limits of all engines without their own")
    limits.add_argument(
        "--time", type=LIMITS["time"], metavar="S", help="seconds for each move"
    )
    limits.add_argument(
        "--match-time",
        type=LIMITS["match"],
        metavar="S",
        dest="match",
        help="seconds of each player for a game",
    )
    limits.add_argument(
        "--increment",
        type=LIMITS["increment"],
        metavar="S",
        help="seconds gained with each move",
    )
    limits.add_argument(
        "--nodes", type=LIMITS["nodes"], metavar="N", help="nodes a move"
    )
    limits.add_argument(
        "--depth", type=LIMITS["depth"], metavar="N", help="depth of the search"
    )
    limits.add_argument(
        "--memory",
        type=LIMITS["memory"],
        metavar="MB",
        help="memory that the engines are told; it is not measured",
    )
    limits.add_argument(
        "--margin",
        type=LIMITS["margin"],
        metavar="S",
        help="tolerance of lateness (0.1)",
    )
    limits.add_argument(
        "--patience",
        type=seconds,
        default=PATIENCE,
        metavar="S",
        help=f"seconds after which an engine without a clock has lost ({PATIENCE:g})",
    )
    test = made.add_argument_group("end of the match")
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
        help="model of the Elo difference (logistic)",
    )
    how = made.add_argument_group("execution")
    add_workers(
        how,
        "games that are played at once (1; on a cluster as many as its workers have"
        " threads)",
        default=None,
    )
    how.add_argument(
        "--reuse", action="store_true", help="a process serves several games"
    )
    how.add_argument(
        "--affinity",
        action="store_true",
        help="bind the engines of each game to processors of their own (Linux)",
    )
    add_cluster(how, "with nodes or depth only: play on")
    files = made.add_argument_group("files")
    files.add_argument(
        "--out",
        type=Path,
        default=Path("games.jsonl"),
        metavar="FILE",
        help="the games, one a line; a run continues the games of its file"
        " (games.jsonl)",
    )
    files.add_argument(
        "--resume",
        action="store_true",
        help="continue with the options of the run that created the file",
    )
    files.add_argument(
        "--allow-commands",
        action="store_true",
        help="with --resume: run the commands of the file, and write its outputs,"
        " without a question, also if you neither started nor confirmed them",
    )
    files.add_argument(
        "--psq", type=Path, metavar="FOLDER", help="also one PSQ file per game"
    )
    files.add_argument(
        "--sgf",
        type=Path,
        metavar="FILE",
        help="also all as SGF; - is standard output (the table: standard error)",
    )
    files.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="also a report for a browser: tables, curve, every game to play through",
    )
    files.add_argument(
        "--samples",
        type=Path,
        metavar="FILE",
        help="also the positions with move, score and result, a line of JSON each",
    )
    files.add_argument(
        "--log",
        metavar="FILE",
        help="the conversations with all engines, with times; a folder (FOLDER/)"
        " receives a file for each game",
    )
    add_anchor(files)
    files.add_argument(
        "--every",
        type=at_least(1),
        default=10,
        metavar="N",
        help="a line every N games (10)",
    )
    files.add_argument("--json", action="store_true", help="the result as JSON")
    return made


# ----- From words to settings -----


def _player_limits(limits: dict[str, float | int | None]) -> PlayerLimits:
    given = {key: value for key, value in limits.items() if value is not None}
    return PlayerLimits(**_fields(given))


def _fields(limits: Mapping[str, float | int | None]) -> dict[str, Any]:
    """Return the fields of a PlayerLimits; None removes a limit."""
    known: dict[str, Any] = {_UNITS.get(k, k): value for k, value in limits.items()}
    if known.get("memory") is not None:
        known["memory"] = int(known["memory"]) << 20
    for key in ("increment", "margin"):
        if key in known and known[key] is None:
            known[key] = getattr(PlayerLimits(), key)
    return known


def parse_engine(
    words: Sequence[str], defaults: dict[str, float | int | None]
) -> MatchPlayer:
    """Parse an engine from its words, for example ["NAME=COMMAND", "nodes=200"].

    ``defaults`` are the limits of all engines.

    Raises:
        ValueError: A word is invalid.
    """
    name, equals, command = words[0].partition("=")
    if not equals or set(name) & set("/\\ \"'"):
        name, command = "", words[0]
    label = f"engine {words[0]!r}"
    try:
        argv = split_command(command)
    except ValueError:
        raise ValueError(f"{label}: a quote is not closed") from None
    if not argv:
        raise ValueError(f"{label} has no command")
    name = name or Path(argv[0]).stem
    spec = EngineSpec(name, argv)
    return with_words(MatchPlayer(spec, _player_limits(defaults)), words[1:], label)


def with_words(player: MatchPlayer, words: Sequence[str], label: str) -> MatchPlayer:
    """Return the engine with the settings of words "KEY=VALUE" added.

    Raises ValueError, with ``label`` first.
    """
    limits: dict[str, float | int | None] = {}
    infos, cwd, command = list(player.spec.infos), player.spec.cwd, player.spec.command
    for word in words:
        key, equals, value = word.partition("=")
        if key in LIMITS and equals:
            limits[key] = None if value == "none" else _number(key, value)
        elif key == "threads" and value.isdecimal():
            infos.append(("thread_num", value))
        elif key == "level" and equals:
            infos.append(("strength", str(level_named(value).strength)))
        elif key == "weights" and value:
            if command[0] != OURS:
                raise ValueError(f"{label}: only our brain (ours) has weights=FILE")
            command = (*command, "--weights", str(Path(value).absolute()))
        elif key == "cwd" and value:
            cwd = value
        elif key.startswith("info.") and equals:
            info = key.removeprefix("info.")
            if command[0] == OURS:
                _check_spelling(info, label)
            infos.append((info, value))
        else:
            keys = [*LIMITS, "level", "threads", "weights", "cwd", "info.KEY"]
            tip = did_you_mean(key, keys) if key not in keys else ""
            raise ValueError(f"{label}: {word!r} is not one of {', '.join(keys)}{tip}")
    spec = replace(player.spec, command=command, cwd=cwd, infos=tuple(infos))
    return MatchPlayer(spec, replace(player.limits, **_fields(limits)))


def _check_spelling(info: str, label: str) -> None:
    """Raise ValueError for a misspelled INFO key of our brain."""
    tip = "" if info.lower() in INFO_KEYS else did_you_mean(info, INFO_KEYS)
    if tip:
        raise ValueError(f"{label}: our brain knows no INFO {info}{tip}")


def engines_in(
    path: Path, defaults: dict[str, float | int | None]
) -> dict[str, MatchPlayer]:
    """Read a file of engines, with the keys of ``--engine`` or those of cutechess.

    Returns the engines by name, in the order of the file. Raises OSError, and
    ValueError with the place of a mistake.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error}") from None
    if isinstance(rows, dict):
        rows = rows.get("engines")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f'{path}: write a list of engines, [{{"name": .., ..}}, ..]')
    found: dict[str, MatchPlayer] = {}
    for number, row in enumerate(rows, 1):
        label = f"{path}, engine {row.get('name') or number}"
        player = _engine_of_row(row, defaults, label)
        if player.name in found:
            raise ValueError(f"{path}: two engines are named {player.name!r}")
        found[player.name] = player
    return found


_OTHER_NAMES = {"workingDirectory": "cwd", "dir": "cwd", "cmd": "command"}
_NOT_USED = {"protocol", "proto", "ponder", "timemargin", "variants", "stderrFile"}
"""Keys of other runners that mean nothing here."""


def _engine_of_row(
    row: dict[str, object], defaults: dict[str, float | int | None], label: str
) -> MatchPlayer:
    row = {_OTHER_NAMES.get(key, key): value for key, value in row.items()}
    command = row.pop("command", None)
    try:
        if isinstance(command, list) and all(isinstance(w, str) for w in command):
            argv = tuple(command)
        elif isinstance(command, str):
            argv = split_command(command)
        else:
            argv = ()
        if isinstance(args := row.pop("args", ""), str):
            argv += split_command(args)
    except ValueError:
        raise ValueError(f"{label}: a quote is not closed") from None
    if not argv:
        raise ValueError(f'{label}: "command" is missing')
    name = str(row.pop("name", "") or Path(argv[0]).stem)
    words = []
    for key, value in row.items():
        if key == "info" and isinstance(value, dict):
            words += [f"info.{k}={_plain(v)}" for k, v in value.items()]
        elif key == "options" and isinstance(value, list):
            for option in value:
                if not (isinstance(option, dict) and "name" in option):
                    raise ValueError(f"{label}: an option has a name and a value")
                words.append(f"info.{option['name']}={_plain(option.get('value', ''))}")
        elif key not in _NOT_USED:
            words.append(f"{key}={'none' if value is None else _plain(value)}")
    player = MatchPlayer(EngineSpec(name, argv), _player_limits(defaults))
    return with_words(player, words, label)


def _plain(value: object) -> str:
    """Return a JSON value in the form of the protocol: 1 for true."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def players_of(
    options: argparse.Namespace, defaults: dict[str, float | int | None]
) -> list[MatchPlayer]:
    """Return the engines of ``--engine`` and of the file of ``--engines``.

    With both, ``--engine NAME`` selects an engine of the file and may change it.
    """
    if options.engines is None:
        return [parse_engine(words, defaults) for words in options.engine]
    found = engines_in(options.engines, defaults)
    if not options.engine:
        return list(found.values())
    return [
        with_words(found[words[0]], words[1:], f"engine {words[0]!r}")
        if words[0] in found
        else parse_engine(words, defaults)
        for words in options.engine
    ]


def _number(key: str, value: str) -> float | int:
    try:
        return LIMITS[key](value)
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"{key}={value}: {error}") from None


def openings_of(
    options: argparse.Namespace, report: Callable[[str], None]
) -> tuple[Opening, ...]:
    """Return the openings in the order of play, without equal ones.

    ``report`` receives a message about openings that were left out.
    """
    rule, size = options.rule, options.size
    if options.swap2 or options.openings == "none":
        return ()
    if options.openings in ("tuning", "final"):
        found = book(rule, size, options.openings)
    else:
        found = read_openings(Path(options.openings), size, options.form, rule)
    equal = {later for _, later in duplicates(found, size)}
    if equal:
        report(f"left out {len(equal)} openings that equal others (turned or mirrored)")
    fresh = [opening for place, opening in enumerate(found) if place not in equal]
    return tuple(
        select(fresh, seed=options.seed if options.order == "random" else None)
    )


def settings_of(
    options: argparse.Namespace, report: Callable[[str], None]
) -> MatchSettings:
    defaults = {key: getattr(options, key) for key in LIMITS}
    players = players_of(options, defaults)
    for player in players:
        limits = player.limits
        if (limits.turn, limits.match, limits.nodes, limits.depth) == (None,) * 4:
            raise ValueError(
                f"{player.name} has no limit: add --time, --match-time, --nodes or"
                " --depth"
            )
        for option, path in pairwise(player.spec.command):
            if player.spec.command[0] == OURS and option == "--weights":
                rule = Rule(evaluation_in(path).rule)
                if rule != options.rule:  # they would change nothing
                    raise ValueError(
                        f"{player.name}: {path} has the weights of {rule.name.lower()},"
                        f" not of {Rule(options.rule).name.lower()}"
                    )
    return MatchSettings(
        players=tuple(players),
        rule=options.rule,
        size=options.size,
        openings=openings_of(options, report),
        repeat_openings=options.repeat_openings,
        swap2=options.swap2,
        gauntlet=options.gauntlet,
        draw_after=options.draw_after,
        adjudication=adjudication_of(options),
        patience=options.patience,
    )


def adjudication_of(options: argparse.Namespace) -> Adjudication | None:
    """Return the scores that end a game early; None without such an option."""
    win = _numbers("--adjudicate-win", options.adjudicate_win, 2)
    draw = _numbers("--adjudicate-draw", options.adjudicate_draw, 3)
    if not win and not draw:
        return None
    names = ("win_score", "win_moves"), ("draw_score", "draw_moves", "draw_from")
    given = dict(zip(names[0], win, strict=False))
    return Adjudication(**given, **dict(zip(names[1], draw, strict=False)))


def _numbers(option: str, text: str | None, most: int) -> list[int]:
    """Parse at most ``most`` whole numbers with commas between; [] for None."""
    words = [] if text is None else text.split(",")
    try:
        if len(words) <= most:
            return [int(word) for word in words]
    except ValueError:
        pass
    raise ValueError(f"{option} {text}: write whole numbers with commas between them")


def sprt_of(options: argparse.Namespace) -> Sprt | None:
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


def pairs_of(options: argparse.Namespace, settings: MatchSettings) -> int:
    """Return the number of pairs of games for two engines."""
    fresh = settings.fresh_pairs
    if options.games is None:
        if options.sprt is not None and fresh is not None:
            return fresh
        return PAIRS if fresh is None else min(PAIRS, fresh)
    if options.games < 2 or options.games % 2:
        raise ValueError(
            f"--games {options.games}: each opening is played with both colours, so it"
            " must be an even number of 2 or more"
        )
    return int(options.games) // 2


def resumed_of(
    header: dict[str, Any], given: argparse.Namespace, argv: list[str]
) -> argparse.Namespace:
    """Return the options of the run that created the file, updated by the new ones.

    ``header`` is the first line of the file; ``given`` are the options in ``argv``.
    """
    words = header.get("arguments")
    if not isinstance(words, list):
        raise ValueError(f"{given.out} does not contain the options of its run")
    resumed = make_parser().parse_args([*map(str, words), *argv])
    resumed.out = given.out
    return resumed


# ----- Commands, as in ``match.trust`` -----


def file_commands(header: dict[str, Any], path: Path) -> list[str]:
    """Return the commands of the engines in a file of games.

    No file is opened or looked up. ``path`` is for the message of ``ValueError``.
    """
    try:
        specs = [player_of(row).spec for row in header["settings"]["engines"]]
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} has no valid settings: {error!r}") from None
    return engine_commands(specs)


def option_commands(
    options: argparse.Namespace, given: argparse.Namespace | None = None
) -> list[str]:
    """Return the options that name files or a cluster and differ from ``given``.

    ``given`` None: all options that name files or a cluster.
    """
    lines = []
    harmless = {"openings": PARTS, "sgf": (STANDARD_OUTPUT,)}
    for name in NAMING:
        value = getattr(options, name)
        if value in (None, getattr(given, name, None), *harmless.get(name, ())):
            continue
        word = value if name == "cluster" else str(Path(value).absolute())
        lines.append(f"--{name} {quote(word)}")
    return lines
