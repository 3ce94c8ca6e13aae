"""``experiment``: the studies of the source reports, reproduced by one command.

The studies use the 20 end-game puzzles ("levels") of the source report S2. They measure
the nodes of plain minimax, alpha-beta, ordering, table and full search, the share of
pruned nodes, the time per move, the values of all candidates, complete games of each
level, and evaluations compared by pruning and by games.
"""

import argparse

from gomoku_brain import __version__
from gomoku_brain.plain.plots import draw_nodes
from gomoku_brain.plain.studies import (
    Plan,
    Results,
    is_needed,
    load_evaluation,
    measure,
    studies,
)
from gomoku_brain.plain.tables import (
    ExperimentLine,
    Measurements,
    tables_of,
    write_moves,
    write_report,
)
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.output_files import make_folder
from gomoku_brain.runs.program_end import INTERRUPTED, Interruptible, report
from gomoku_brain.runs.run_options import OneLineParser, ProgressLine, at_least

PROG = "gomoku-brain experiment"
EXAMPLES = """\
examples:
  gomoku-brain experiment                          everything, 3 to 10 minutes
  gomoku-brain experiment --quick                  a small version, under a minute
  gomoku-brain experiment --levels 11,14 --depth 5 --games 0
  gomoku-brain experiment --out study --json       the tables as JSON as well
  gomoku-brain experiment --quick --evaluation my_module:score

FOLDER/results.jsonl stores the results: the same command, run again, measures only the
missing ones, so you may interrupt a run at any time. The report is report.md in the
folder, the moves of each level are in its folder "moves".
"""
QUICK = Plan(depth=2, budget=10**6, defender_nodes=1_000, pairs=4, game_depth=2)
# A function in Python takes long.
QUICK_OWN = QUICK._replace(
    levels=(1, 6, 11, 16), pairs=1, game_depth=1, own_nodes=5_000
)
MAX_DEPTH = 8


def make_parser() -> argparse.ArgumentParser:
    """Create the parser of the command line. Each default is that of ``Plan``."""
    plan = Plan()
    made = OneLineParser(
        PROG,
        description=__doc__,
        epilog=EXAMPLES,
        statuses={130: "stopped by Ctrl-C; the report contains the finished studies"},
    )
    add = made.add_argument
    add("--out", metavar="FOLDER", default="experiment", help="default: experiment")
    add("--levels", metavar="LIST", help="as 1-20 (the default) or 1,11,14")
    for name, least, most, text in (
        ("--depth", 1, MAX_DEPTH, f"plies, default {plan.depth}"),
        ("--games", 0, None, f"of a pairing, default {2 * plan.pairs}; 0: none"),
        ("--game-depth", 1, MAX_DEPTH, f"plies in games, default {plan.game_depth}"),
    ):
        add(name, type=at_least(least, most), metavar="N", help=text)
    add(
        "--evaluation",
        metavar="MODULE:FUNCTION",
        default="",
        help="a function of yours that evaluates a Board for the side to move, beside"
        " the others",
    )
    add("--quick", action="store_true", help="smaller defaults, under a minute")
    add("--json", action="store_true", help="print the tables as JSON")
    return made


def plan_of(options: argparse.Namespace) -> Plan:
    """Return the plan of the options. Raises ``ValueError``."""
    plan = QUICK if options.quick else Plan()
    if options.evaluation:
        load_evaluation(options.evaluation)  # raises before hours of work
        plan = QUICK_OWN if options.quick else plan
    given = {"depth": options.depth, "game_depth": options.game_depth}
    if options.levels is not None:
        given["levels"] = levels_of(options.levels)
    if options.games is not None:
        if options.games % 2:
            raise ValueError("--games is an even number: each opening is played twice")
        given["pairs"] = options.games // 2
    return plan._replace(
        evaluation=options.evaluation,
        **{name: value for name, value in given.items() if value is not None},
    )


def levels_of(text: str) -> tuple[int, ...]:
    """Parse "1-20" or "1,11,14" to sorted numbers. Raises ``ValueError``."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        try:
            found.update(range(int(first), int(last if dash else first) + 1))
        except ValueError:
            raise ValueError(f"not a list of levels: {text!r}") from None
    if not found or not found <= set(Plan().levels):
        raise ValueError(f"the levels are 1 to {Plan().levels[-1]}")
    return tuple(sorted(found))


def run_studies(plan: Plan, results: Results) -> bool:
    """Run the missing measurements. Return False after an interruption."""
    with Interruptible() as run:
        for about, keys in studies(plan).items():
            with ProgressLine(about, len(keys)) as progress:
                for done, key in enumerate(keys, start=1):
                    if results.get(key) is None and is_needed(key, results):
                        results.add(key, measure(key))
                    progress.show(done)
    if run.status:
        report(PROG, "stopped; the report contains the finished studies")
    return not run.status


def main(argv: list[str]) -> int:
    """Run the studies and write the report. Return the exit status."""
    options = make_parser().parse_args(argv)
    plan = plan_of(options)
    folder = make_folder(options.out)
    with Results(folder / "results.jsonl") as results:
        finished = run_studies(plan, results)
    found = Measurements(plan, results)
    plots = draw_nodes(found, folder)
    page = write_report(found, folder, __version__, plots)
    files = [page, *plots, *write_moves(found, folder)]
    if options.json:
        row: ExperimentLine = {
            "finished": finished,
            "files": [str(path) for path in files],
            "tables": tables_of(found),
        }
        print(json_line("experiment", row))
    else:
        print(f"report: {page}")
        print(f"moves:  {folder / 'moves'}")
        if not finished:
            print("stopped: run the same command again to continue")
    return 0 if finished else INTERRUPTED
