"""Command line: ``gomoku-brain [command]``; without a command it speaks the
protocol.
"""

import gc
import sys

_USAGE = """\
usage: {program} [--threads N] [--strength N | --level NAME] [--seed N]
       {indent} [--weights FILE]
       {program} command [options]

Without a command: play as a brain for a Gomocup/Piskvork manager, on standard input
and output. INFO commands of the manager override these options.
  --threads N           search threads (1), at most one a processor
  --strength N          0 (beginner) to 100 (full, the default){see_levels}
  --level NAME          the same by the name of a level: {levels}
  --seed N              errors of a strength below 100: the same ones every time
  --weights FILE        evaluate by this file under its rule

commands: {commands}
  <command> --help      the options of a command; also: help <command>
  --version             the version
  --help                this text

A name like pbrain-gomoku-easy-t4 of the program, or of a copy of it, sets level and
threads as well; so do lines like "threads = 4" in the file pbrain-gomoku-brain.ini
beside it. Options override the name, the name overrides the file.
"""
_OPTIONS = ("--threads", "--strength", "--level", "--seed", "--weights")
"""Options of the brain; the program has no command then."""


def main(argv: list[str] | None = None) -> int:
    """Run a command, or the protocol without one; return the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments:
        gc.disable()  # until the engine is loaded
        from gomoku_brain.protocol.start_settings import at_start
        from gomoku_brain.protocol.stdio import run_protocol

        run_protocol(at_start())
        return 0
    if arguments[0].startswith(_OPTIONS):
        return _serve_with_options(arguments)
    try:
        status = _run(arguments)
    except KeyboardInterrupt:  # the second one, while the first was acted upon
        status = 130
    if argv is None:
        _end_quietly()
    return status


def _end_quietly() -> None:
    """Suppress tracebacks of Ctrl-C at the end of the program; after some seconds, exit
    at once.

    Otherwise Python would print the place that its exit had reached, or die by the
    signal.
    """
    import atexit
    import os
    import signal
    import time

    patience = 1.0  # seconds; an end by force leaves complaints of the worker processes
    ending = time.monotonic()

    def end(*_: object) -> None:
        if time.monotonic() - ending > patience:
            os._exit(130)

    signal.signal(signal.SIGINT, end)
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def _run(arguments: list[str]) -> int:
    """Run a command; no exit that a user can cause shows a traceback."""
    from gomoku_brain.program_name import program_name
    from gomoku_brain.runs.program_end import (
        FAILED,
        drop_output,
        report,
        run_reporting,
    )

    _prepare_streams()
    name, *rest = arguments
    if name == "help" and rest:  # the usual form of other programs: help match
        name, rest = rest[0], ["--help"]
    program = program_name()
    if name in _command_names():
        program += f" {name}"
    status = FAILED
    try:
        status = run_reporting(program, lambda: _do(name, rest))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        drop_output()
        return 1
    except OSError as error:  # usually a full disk
        drop_output()
        if status != FAILED:  # otherwise it was reported
            report(program, error)
        return FAILED
    return status


def _do(name: str, arguments: list[str]) -> int:
    """Do the action of the first word; return the exit status."""
    import importlib

    if name in ("-h", "--help", "help"):
        print(_usage(_command_names()), end="")
        return 0
    if name in ("-V", "--version"):
        from gomoku_brain import __version__

        print(f"gomoku-brain {__version__}")
        return 0
    if name not in _command_names():
        from gomoku_brain.spelling import did_you_mean

        known = _command_names()
        tip = did_you_mean(name, [*known, *_OPTIONS])
        raise ValueError(
            f"unknown command {name!r}; there are: {', '.join(known)}{tip}"
        )
    command = importlib.import_module(f"gomoku_brain.commands.{name}")
    return int(command.main(arguments) or 0)


def _usage(commands: list[str]) -> str:
    """Return the text of ``--help``, for a program that has these commands."""
    from gomoku_brain.levels.ladder import LEVELS
    from gomoku_brain.program_name import program_name

    return _USAGE.format(
        program=program_name(),
        indent=" " * len(program_name()),
        see_levels="; see `levels`" if "levels" in commands else "",
        levels=" ".join(level.name for level in LEVELS),
        commands=" ".join(commands),
    )


def _prepare_streams() -> None:
    """Replace a stream that was closed at the start, which is None, by an empty one.

    A character that standard output cannot encode, as of a name, is printed as "?".
    """
    import io
    import os

    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, mode))  # noqa: SIM115  to the end
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")


def _serve_with_options(arguments: list[str]) -> int:
    """Speak the protocol with the threads and the strength of the options.

    An option that is missing comes from the program's name or its settings file.
    """
    from gomoku_brain.control.limits import FULL_STRENGTH
    from gomoku_brain.dataclass import replace
    from gomoku_brain.eval.evaluate import use_weights
    from gomoku_brain.levels.ladder import LEVELS, level_named
    from gomoku_brain.program_name import program_name
    from gomoku_brain.protocol.start_settings import at_start
    from gomoku_brain.protocol.stdio import run_protocol
    from gomoku_brain.runs.program_end import error_line
    from gomoku_brain.runs.run_options import OneLineParser, at_least

    settings = at_start()
    parser = OneLineParser(program_name())
    parser.add_argument(
        "--threads", type=at_least(1), default=settings.threads, metavar="N"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--strength",
        type=at_least(0, FULL_STRENGTH),
        metavar="0..100",
        default=settings.strength,
    )
    which.add_argument(
        "--level", choices=[level.name for level in LEVELS], metavar="NAME"
    )
    parser.add_argument("--seed", type=int)
    parser.add_argument("--weights", metavar="FILE")
    options = parser.parse_args(arguments)
    if options.weights is not None:
        try:
            use_weights(options.weights)
        except (OSError, ValueError) as error:
            parser.error(f"argument --weights: {error_line(error)}")
    strength = options.strength
    if options.level is not None:
        strength = level_named(options.level).strength
    settings = replace(settings, strength=strength, threads=options.threads)
    run_protocol(settings, options.seed)
    return 0


def _command_names() -> list[str]:
    """Return the commands of this program; the folder of the frozen program has
    fewer.
    """
    from importlib.util import find_spec

    from gomoku_brain.commands import NAMES

    return [name for name in NAMES if find_spec(f"gomoku_brain.commands.{name}")]


if __name__ == "__main__":
    raise SystemExit(main())
