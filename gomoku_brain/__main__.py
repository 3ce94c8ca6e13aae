"""Command line: ``python -m gomoku_brain [command]``; bare, it speaks the protocol."""

import sys

_USAGE = """\
usage: python -m gomoku_brain [command [options]]

Without a command: play as a brain for a Gomocup/Piskvork manager, on standard input
and output.

commands: {commands}
  <command> --help      the options of a command
  --version             the version
  --help                this text
"""


def main(argv: list[str] | None = None) -> int:
    """Run a command, or the protocol without one; return the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments:
        from gomoku_brain.protocol.stdio import serve

        serve()
        return 0
    name, *rest = arguments
    if name in ("-h", "--help", "help"):
        print(_USAGE.format(commands=" ".join(_command_names())), end="")
        return 0
    if name in ("-V", "--version"):
        from gomoku_brain import __version__

        print(f"gomoku-brain {__version__}")
        return 0
    if name not in _command_names():
        known = ", ".join(_command_names())
        print(f"unknown command {name!r}; there are: {known}", file=sys.stderr)
        return 2
    import importlib

    command = importlib.import_module(f"gomoku_brain.commands.{name}")
    return int(command.main(rest) or 0)


def _command_names() -> list[str]:
    """Every module of the commands folder is a command."""
    import pkgutil

    from gomoku_brain import commands

    found = [module.name for module in pkgutil.iter_modules(commands.__path__)]
    return sorted(name for name in found if not name.startswith("_"))


if __name__ == "__main__":
    raise SystemExit(main())
