r"""Self-play under the eyes of a strict manager: legality, clocks, crashes, stderr.

    python .ci/soak/games.py --out games.jsonl --games 1000
    python .ci/soak/games.py --out soak.jsonl --games 10000 --limits 10-30 \
        --variants avx2,baseline --fresh 0.01 --busy

Two processes (contestant.py) play each other through their pipes; a referee that shares
no code with the brain (arena.py, with the tests' reference.py) judges every move. A
game's plan (game_plan.py: rule, size, limit, opening, manager's habits, idle or loaded)
follows from the seed and the game's number; the moves do not, as clocks decide them.
Every third game is played while other processes keep all processors busy (machine.py).

The brain that plays is a copy, made when the run begins; the records tell its build.
One JSON line a game goes to the output file (game_file.py), and a run that is started
again with the same file continues where it stopped. For a game with trouble, the
conversations are kept beside that file. The exit status is 0 when everything that was
asked for holds (verdict.py).

A move's time runs from before the command is written until its line is read, by a
thread that does nothing but read. "Overshoot" is that time less INFO timeout_turn.
Figures called idle mean something only on a machine that is idle but for this; so each
game notes how much other processes used of the processors ("foreign"), and games with
next to none are summed up apart, as "quiet". On a machine with other work, ``--busy``
judges only what a manager would see: legality, crashes, and losses on time with the
second of tolerance that Gomocup and Piskvork grant.
For a late move it is also noted how long the brain ran and how long it was kept waiting
for a processor.
"""

import argparse
import json
import math
import multiprocessing
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / ".ci")]

from soak.arena import Arena
from soak.contestant import frozen
from soak.game_file import journal_of, read_records
from soak.machine import floor
from soak.verdict import summarize


def work(options, games, put):
    """Play these games and hand (record as dict, conversations) to ``put``."""
    with Arena(options) as arena:
        for game, following in zip(games, [*games, None][1:], strict=True):
            record, conversations = arena.play(game, following)
            put((vars(record), conversations))
    put(None)


def run(options):
    """Play what is missing in the output file; all records."""
    journal = journal_of(options.out)
    records = read_records(journal, options.seed)
    done = {record["game"] for record in records}
    todo = [game for game in range(options.games) if game not in done]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with (
        frozen(options.brain.resolve()) as options.brain,
        journal,
    ):
        journal.start()

        def keep(item):
            record, conversations = item
            journal.append(json.dumps(record))
            records.append(record)
            if conversations is not None:
                name = f"{options.out.name}.game{record['game']}.txt"
                options.out.with_name(name).write_text(conversations, encoding="utf-8")
            if not options.quiet:
                print(describe(record, len(done), options.games), flush=True)
            done.add(record["game"])

        if options.workers == 1:
            work(options, todo, lambda item: item and keep(item))
        else:
            spread(options, todo, keep)
    return records


def spread(options, todo, keep):
    """Share the games among worker processes."""
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    # Runs of games rather than every n-th one, so that processes can be reused.
    share = math.ceil(len(todo) / options.workers) or 1
    shares = [todo[i : i + share] for i in range(0, len(todo), share)]
    workers = [
        context.Process(target=work, args=(options, games, queue.put), daemon=True)
        for games in shares
    ]
    for worker in workers:
        worker.start()
    left = len(workers)
    while left:
        item = queue.get()
        if item is None:
            left -= 1
        else:
            keep(item)
    for worker in workers:
        worker.join()


def describe(record, done, total):
    """A game in a line for people."""
    width, height = record["size"]
    text = (
        f"{done + 1}/{total} #{record['game']} rule {record['rule']} {width}x{height} "
        f"{record['limit']} ms {'loaded' if record['loaded'] else 'idle'}: "
        f"{record['result']} in {len(record['ms'])}, over max {record['over_max']}"
    )
    return "; ".join([text, *record["trouble"][:3]])


def _range(text):
    least, _, most = text.partition("-")
    return int(least), int(most or least)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description="Play games of the brain against itself and watch everything."
    )
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, resumed")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    parser.add_argument(
        "--spinners",
        type=int,
        default=max(2, os.cpu_count() or 1),
        help="busy processes beside a loaded game",
    )
    parser.add_argument(
        "--brain", type=Path, default=ROOT / "pbrain.py", help="another pbrain.py"
    )
    parser.add_argument("--quiet", action="store_true", help="the summary only")
    parser.add_argument(
        "--floor", type=float, default=0.0, help="seconds to measure the machine first"
    )
    parser.add_argument(
        "--limits", type=_range, default=(20, 50), metavar="A-B", help="ms a move"
    )
    parser.add_argument(
        "--variants",
        type=lambda text: text.split(","),
        default=[""],
        metavar="A,B",
        help="of the build, for the two processes in turn (as the brain chooses)",
    )
    parser.add_argument(
        "--fresh", type=float, default=0.4, help="share of games with new processes"
    )
    parser.add_argument(
        "--busy",
        action="store_true",
        help="the machine has other work: no load of our own, clocks are not judged",
    )
    options = parser.parse_args(arguments)
    if options.busy:
        options.spinners = 0
    if options.floor > 0:
        print(floor(options.floor), flush=True)
    text, held = summarize(run(options), options.busy)
    print(text)
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
