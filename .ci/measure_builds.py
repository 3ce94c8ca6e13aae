"""Compare the speed of builds of the brain: their benches, or their starts, in turn.

    python .ci/measure_builds.py [--rounds 15] [--start] NAME=COMMAND NAME=COMMAND ..

COMMAND starts a brain: the script ``gomoku-brain`` of a virtual environment, or the
program of a folder. Each round runs every build once, so that what else the machine
does meets all of them alike. Prints the median of each and its ratio to that of the
first: nodes per second of ``bench`` (more is better), or with ``--start`` the
milliseconds from the start of the process to its ``OK`` (less is better). Builds whose
signatures differ are not compared.

A COMMAND may begin with settings of the environment: ``old="GOMOKU_CPU=baseline
/path/to/gomoku-brain"``.
"""

import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import time


def command_of(text):
    """(environment, words) of a command."""
    words, environment = shlex.split(text), dict(os.environ)
    while words and re.match(r"\w+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    return environment, words


def bench(environment, words):
    """(nodes per second, nodes) of one bench."""
    done = subprocess.run(
        [*words, "bench"], env=environment, capture_output=True, text=True, check=True
    )
    nodes, nps = re.search(r"^nodes (\d+)  nps (\d+)", done.stdout, re.M).groups()
    return float(nps), int(nodes)


def start(environment, words):
    """(milliseconds from the start to OK, nothing that must be equal)."""
    begin = time.perf_counter()
    with subprocess.Popen(
        words,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        process.stdin.write(b"START 15\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        passed = time.perf_counter() - begin
        process.communicate(b"END\n")
    if answer.strip() != b"OK":
        sys.exit(f"{shlex.join(words)} said {answer!r} instead of OK")
    return 1000 * passed, None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("builds", nargs="+", metavar="NAME=COMMAND")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--start", action="store_true", help="time the start to OK")
    options = parser.parse_args()
    builds = {}
    for build in options.builds:
        name, _, command = build.partition("=")
        builds[name] = command_of(command)
    measure, unit = (start, "ms to OK") if options.start else (bench, "nodes/s")
    figures, fingerprints = {name: [] for name in builds}, {}
    for _ in range(options.rounds):
        for name, build in builds.items():
            figure, fingerprints[name] = measure(*build)
            figures[name].append(figure)
    if len(set(fingerprints.values())) > 1:
        sys.exit(f"these do not search alike: {fingerprints}")
    medians = {name: statistics.median(values) for name, values in figures.items()}
    first = next(iter(medians.values()))
    for name, median in medians.items():
        low, high = min(figures[name]), max(figures[name])
        print(
            f"{name:12} {median:9.1f} {unit} ({low:.1f} to {high:.1f}),"
            f" {median / first:.3f} of the first"
        )


if __name__ == "__main__":
    main()
