"""Build the API reference: pages of HTML from the docstrings, readable offline.

    python .ci/api_reference.py --out build/api

Needs the built package and pdoc: ``pip install -e ".[docs]"``. The first page is
``build/api/index.html``; a search over all pages is built in. A public name without a
docstring is an error, so that the reference has no gaps.
"""

import argparse
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What a user of the package calls; the rest is the engine's own.
MODULES = """
    gomoku_brain gomoku_brain.game.position gomoku_brain.game.rules
    gomoku_brain.game.notation gomoku_brain.game.symmetry gomoku_brain.game.diagram
    gomoku_brain.control.limits gomoku_brain.control.search_control
    gomoku_brain.records.game gomoku_brain.records.game_node
    gomoku_brain.records.game_record gomoku_brain.records.game_history
    gomoku_brain.records.read_options gomoku_brain.records.read
    gomoku_brain.records.openings gomoku_brain.records.json_games
    gomoku_brain.records.psq gomoku_brain.records.sgf
    gomoku_brain.study.annotate gomoku_brain.study.puzzles
    gomoku_brain.study.threat_words
    gomoku_brain.match.stats gomoku_brain.client.external_engine
    gomoku_brain.client.brain gomoku_brain.control.reports gomoku_brain.protocol.bot
    gomoku_brain.records.training_samples
""".split()


def silent_names() -> list[str]:
    """The public names of the package that have no docstring."""
    package = import_module("gomoku_brain")
    found = []
    for name in package.__all__:
        thing = getattr(package, name)
        if not isinstance(thing, type):
            continue
        if not thing.__doc__:
            found.append(name)
        found += [
            f"{name}.{part}"
            for part, value in vars(thing).items()
            if not part.startswith("_")
            and (callable(value) or isinstance(value, property | classmethod))
            and not value.__doc__
        ]
    return found


def main(argv: list[str]) -> int:
    """Build; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "api")
    options = parser.parse_args(argv)
    silent = silent_names()
    if silent:
        print("no docstring:", *silent, file=sys.stderr)
        return 1
    import pdoc
    from pdoc import render

    render.configure(
        docformat="markdown", show_source=False, footer_text="Gomoku Brain"
    )
    pdoc.pdoc(*MODULES, output_directory=options.out)
    print(options.out / "index.html")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main(sys.argv[1:]))
