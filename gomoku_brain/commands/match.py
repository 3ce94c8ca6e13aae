"""``match``: games between engines, over the Gomocup protocol."""

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from gomoku_brain import __version__
from gomoku_brain.client.brain import BrainFault
from gomoku_brain.commands._arguments import anchor_of
from gomoku_brain.commands._match_arguments import (
    PROG,
    STANDARD_OUTPUT,
    file_commands,
    make_parser,
    option_commands,
    pairs_of,
    resumed_of,
    settings_of,
    sprt_of,
)
from gomoku_brain.commands._match_display import display, print_error
from gomoku_brain.match.cluster_games import GameCluster, check_limits
from gomoku_brain.match.game_log import GameLog
from gomoku_brain.match.html_report import html_report
from gomoku_brain.match.referee import BrainCache, ProcessorSets, needed_processors
from gomoku_brain.match.report import report as match_report
from gomoku_brain.match.report import result
from gomoku_brain.match.tournament import (
    GameFile,
    Match,
    MatchSettings,
    Play,
    header_of,
    play_here,
    try_engine,
)
from gomoku_brain.match.trust import engine_commands, quote, remember, unconfirmed
from gomoku_brain.records.encodings import encoded
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.records.training_samples import sample_lines
from gomoku_brain.runs.end_signals import EndSignals, end_signals
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.output_files import check_outputs, make_folder, write_whole
from gomoku_brain.runs.program_end import FAILED, error_line, report


def _check_outputs(options: argparse.Namespace) -> None:
    """Check in advance that all output files can be written.

    Raises:
        OSError: A folder or file cannot be created.
        ValueError: An output is not an ordinary file, or is an input as well.
    """
    if options.out.exists() and not options.out.is_file():
        raise ValueError(f"--out {options.out} is not an ordinary file")
    if not options.out.parent.is_dir():  # a typing error, mostly
        raise ValueError(
            f"--out {options.out}: there is no folder {options.out.parent}"
        )
    if options.psq is not None:
        make_folder(options.psq)
    if options.sgf == STANDARD_OUTPUT and options.json:
        raise ValueError("--json and --sgf - both write to standard output")
    needed = [options.out]
    if Path(options.openings).is_file():
        needed.append(Path(options.openings))
    sgf = None if options.sgf == STANDARD_OUTPUT else options.sgf
    check_outputs((sgf, options.html, options.samples), needed)


def _export(options: argparse.Namespace, match: Match) -> None:
    """Write the other formats of all games, those of earlier runs included."""
    records = match.games.records
    if options.psq is not None:
        make_folder(options.psq)
        for record in records:
            path = options.psq / f"{record.id}.psq"
            write_whole(path, to_psq(record), durable=False)
    if options.sgf is not None:
        text = "\n".join(map(to_sgf, records)) + "\n"
        if options.sgf == STANDARD_OUTPUT:
            sys.stdout.buffer.write(encoded(text))
            sys.stdout.flush()
        else:
            write_whole(options.sgf, text)
    if options.html is not None:
        write_whole(options.html, html_report(match))
    if options.samples is not None:
        write_whole(options.samples, sample_lines(records))


@contextlib.contextmanager
def _local(
    options: argparse.Namespace, settings: MatchSettings
) -> Iterator[tuple[Play, int]]:
    """Try the engines, then provide the function that plays a game on this machine.

    The second value is the number of simultaneous games. Raises ``ValueError`` if an
    engine does not start.
    """
    for player in settings.players:
        try:
            try_engine(player.spec, settings.size, settings.swap2)
        except BrainFault as fault:
            words = " | ".join(fault.last_words.splitlines())
            raise ValueError(
                f"engine {player.name} {fault}" + (f": {words}" if words else "")
            ) from None
    concurrency = options.workers or 1
    timed = any(p.limits.turn or p.limits.match for p in settings.players)
    if timed and concurrency > (os.cpu_count() or 1):
        print_error(
            f"more games than {os.cpu_count()} processors: times are not reliable"
        )
    processors = None
    if options.affinity:
        specs = [player.spec for player in settings.players]
        processors = ProcessorSets(concurrency, needed_processors(specs))
    with contextlib.ExitStack() as stack:
        brains = stack.enter_context(BrainCache()) if options.reuse else None
        log = None
        if options.log is not None:
            log = stack.enter_context(GameLog(options.log))
        play = partial(play_here, brains=brains, log=log, processors=processors)
        yield play, concurrency
    if log is not None and log.error is not None:
        print_error(f"the log is not complete: {error_line(log.error)}")


@contextlib.contextmanager
def _on_cluster(
    options: argparse.Namespace, settings: MatchSettings
) -> Iterator[tuple[Play, int]]:
    """Provide the function that plays a game on a cluster.

    The second value is the number of simultaneous games. Raises ``ValueError`` if the
    options or the installation do not allow it.
    """
    check_limits(settings.players)
    for name in ("reuse", "affinity", "log"):
        if getattr(options, name):
            raise ValueError(f"--{name} does not work on a cluster")
    with GameCluster(options.cluster) as cluster:
        specs = [player.spec for player in settings.players]
        cluster.try_engines(specs, settings.size, settings.swap2)
        yield cluster.play, options.workers or max(1, cluster.threads)


def _play(
    match: Match, play: Play, concurrency: int, every: int, ends: EndSignals
) -> int:
    """Play the remaining games. Return 0, or the exit status after an early end."""
    try:
        with display(match, every) as on_game:
            match.run(play, concurrency, on_game)
    except KeyboardInterrupt:
        how = f"stopped by {ends.name}" if ends.name else "stopped"
        print_error(f"{how}; run the command again to continue {match.games.path}")
        return ends.exit_status
    except OSError as error:  # the games so far are reported as well
        report(PROG, error_line(error))
        return FAILED
    return 0


def _remember(
    options: argparse.Namespace, settings: MatchSettings, header: dict[str, object]
) -> None:
    """Remember the commands of a match, so that it resumes without a question.

    The options are those of this match alone. So another file does not replace the
    outputs of this one.
    """
    try:
        remember(engine_commands(player.spec for player in settings.players))
        remember(option_commands(options), header["settings"])
    except OSError as error:
        print_error(
            f"the commands of this match are not remembered ({error_line(error)}):"
            " --resume will need your confirmation"
        )


def _run(
    options: argparse.Namespace,
    arguments: list[str],
    header: dict[str, object] | None,
) -> int:
    """Play the match and return the exit status. Raises ``OSError``, ``ValueError``.

    ``header`` is the first line of the file that is resumed, None without ``--resume``.
    """
    sprt = sprt_of(options)
    settings = settings_of(options, print_error)
    pairs = pairs_of(options, settings)
    anchor = anchor_of(options.anchor, [player.name for player in settings.players])
    _check_outputs(options)
    status = 0
    with contextlib.ExitStack() as stack:
        ends = stack.enter_context(end_signals())
        games = stack.enter_context(
            GameFile(options.out, settings, version=__version__, arguments=arguments)
        )
        if header is not None and games.header != header:
            raise ValueError(f"{options.out} has changed: start again")
        _remember(options, settings, games.header)
        match = Match(settings, games, pairs, sprt)
        match.standings.anchor = anchor
        if games.records:
            there = len(games.records)
            planned = f" of {match.total}" if there <= match.total else ""
            print_error(f"{options.out}: {there}{planned} games are already played")
        if not match.is_over:
            where = _local if options.cluster is None else _on_cluster
            play, concurrency = stack.enter_context(where(options, settings))
            games.start()  # only after the engines were seen to start
            status = _play(match, play, concurrency, options.every, ends)
    if options.json:
        print(json_line("match", result(match)))
    elif options.sgf == STANDARD_OUTPUT:
        print_error(match_report(match))
    else:
        is_screen = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if is_screen else None
        print(match_report(match, width), flush=True)
    _export(options, match)
    return status or {None: 0, "H1": 0, "H0": 1, "continue": 3}[match.verdict]


def _confirm(path: Path, commands: Sequence[str]) -> None:
    """Show the commands of a file, and request a confirmation on a terminal.

    Raises ValueError unless the user confirms the commands.
    """
    print_error(f"{quote(str(path))} contains commands that you have not confirmed:")
    for command in commands:
        print_error(f"  {command}")
    screens = (sys.stdin, sys.stderr)
    if not all(stream is not None and stream.isatty() for stream in screens):
        raise ValueError(
            "nothing was started: read the commands above, and add --allow-commands"
            " if you want to run them"
        )
    print_error("They can do everything that you can do on this computer.")
    print("Type yes to run them: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise ValueError("nothing was started: the commands were not confirmed")


def main(argv: list[str]) -> int:
    """Play a match and return the exit status."""
    options = given = make_parser().parse_args(argv)
    header = None
    if options.resume:
        if not options.out.is_file():
            raise ValueError(
                f"--resume continues the games in {options.out},"
                " but the file does not exist: name it with --out"
            )
        header = header_of(options.out)
        if not (options.engine or options.engines):
            options = resumed_of(header, given, argv)
            unknown = unconfirmed(file_commands(header, options.out))
            unknown += unconfirmed(option_commands(options, given), header["settings"])
            # ``given``: the file cannot allow its own commands.
            if unknown and not given.allow_commands:
                _confirm(options.out, unknown)
    return _run(options, argv, header)
