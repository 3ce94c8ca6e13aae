"""``experiment``: the studies of the source reports, reproduced by one command.

The studies use the 20 end-game puzzles ("levels") of the source report S2. They measure
the nodes of plain minimax, alpha-beta, ordering, table and full search, the share of
pruned nodes, the time per move, the values of all candidates, complete games of each
level, and evaluations compared by pruning and by games.
"""

import argparse

from gomoku_brain import __version__
from gomoku_brain.commands._arguments import require_pictures
from gomoku_brain.plain.own_search import load_evaluation
from gomoku_brain.plain.plan import Plan
from gomoku_brain.plain.results import Results
from gomoku_brain.plain.studies import studies
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
missing ones, so you may interrupt a run at any time. The report is report.html and
report.md in the folder, the moves of each level are in its folder "moves".
"""
SMALL = {
    "depth": 2,
    "budget": 1_000_000,
    "defender_nodes": 1_000,
    "game_depth": 2,
    "game_nodes": 1_000,
}
SMALL_GAMES = 8


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
    add("--levels", metavar="LIST", default="1-20", help="as 1-20 or 1,11,14")
    add("--depth", type=at_least(0), metavar="N", help=f"plies, default {plan.depth}")
    add(
        "--games",
        type=at_least(0),
        metavar="N",
        help=f"games a pairing, default {2 * plan.pairs}; 0 for none",
    )
    add(
        "--game-depth",
        type=at_least(0),
        metavar="N",
        help=f"plies a move in games of equal depth, default {plan.game_depth}",
    )
    add(
        "--game-nodes",
        type=at_least(0),
        metavar="N",
        help=f"nodes a move in games of equal nodes, default {plan.game_nodes}",
    )
    add(
        "--budget",
        type=at_least(0),
        metavar="N",
        help=f"nodes that one search may take, default {plan.budget}",
    )
    add(
        "--defender-nodes",
        type=at_least(0),
        metavar="N",
        help=f"nodes a move of our engine's defence, default {plan.defender_nodes}",
    )
    add(
        "--evaluation",
        metavar="MODULE:FUNCTION",
        default="",
        help="a function of yours that evaluates a Board for the side to move; it plays"
        " games of equal depth against the others",
    )
    add("--quick", action="store_true", help="smaller defaults, under a minute")
    add("--json", action="store_true", help="print the tables as JSON")
    return made


def plan_of(options: argparse.Namespace) -> Plan:
    """Return the plan of the options. Raises ``ValueError``."""
    given = {
        name: getattr(options, name)
        for name in SMALL
        if getattr(options, name) is not None
    }
    games = options.games
    if options.quick:
        given = SMALL | given
        games = SMALL_GAMES if games is None else games
    if games is not None:
        if games % 2:
            raise ValueError("--games is an even number: each opening is played twice")
        given["pairs"] = games // 2
    if options.evaluation:
        load_evaluation(options.evaluation)  # raises before hours of work
    return Plan(
        levels=levels_of(options.levels), evaluation=options.evaluation, **given
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
    return tuple(sorted(found))


def measure(plan: Plan, results: Results) -> bool:
    """Run the missing jobs. Return False after an interruption."""
    with Interruptible() as run:
        for study in studies(plan):
            if not study.most:
                continue
            with ProgressLine(study.about, study.most) as progress:
                done = 0
                for job in study.jobs(results):
                    if results.get(job.key) is None:
                        results.add(job.key, job.run())
                    done += 1
                    progress.show(done)
                progress.finish(done)
    if run.status:
        report(PROG, "stopped; the report contains the finished studies")
    return not run.status


def main(argv: list[str]) -> int:
    """Run the studies and write the report. Return the exit status."""
    options = make_parser().parse_args(argv)
    require_pictures()
    plan = plan_of(options)
    folder = make_folder(options.out)
    with Results(folder / "results.jsonl") as results:
        finished = measure(plan, results)
    from gomoku_brain.plain.chapters import write_report
    from gomoku_brain.plain.level_files import write_moves
    from gomoku_brain.plain.tables import ExperimentLine, summary

    files = [*write_report(plan, results, folder, __version__)]
    files += write_moves(plan, results, folder)
    if options.json:
        row: ExperimentLine = {
            "finished": finished,
            "files": [str(path) for path in files],
            "tables": summary(plan, results),
        }
        print(json_line("experiment", row))
    else:
        print(f"report: {files[0]}")
        print(f"moves:  {folder / 'moves'}")
        if not finished:
            print("stopped: run the same command again to continue")
    return 0 if finished else INTERRUPTED
