"""Compare the speed of builds of the brain: their benches, or their starts, in turn.

    python .ci/measure_builds.py [--rounds 15] [--start] NAME=COMMAND NAME=COMMAND ..

COMMAND starts a brain: the script ``gomoku-brain`` of a virtual environment, or the
program of a folder. Each round runs every build once, so that what else the machine
does meets all of them alike. Prints the median of each and its ratio to that of the
first: nodes per second of ``bench`` (more is better), or with ``--start`` the
milliseconds from the start of the process to its ``OK`` (less is better), on Linux also
those of processor time. Builds whose signatures differ are not compared.

The start of Python itself is a build too: ``bare="python -c 'print(\"OK\")'"``.

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
from pathlib import Path


def command_of(text):
    """(environment, words) of a command."""
    words, environment = shlex.split(text), dict(os.environ)
    while words and re.match(r"\w+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    return environment, words


def bench(environment, words):
    """({unit: figure}, nodes) of one bench."""
    done = subprocess.run(
        [*words, "bench"], env=environment, capture_output=True, text=True, check=True
    )
    nodes, nps = re.search(r"^nodes (\d+)  nps (\d+)", done.stdout, re.M).groups()
    return {"nodes/s": float(nps)}, int(nodes)


def processor_ms(pid):
    """Milliseconds that all threads of a process ran, or None without Linux's /proc."""
    files = list(Path(f"/proc/{pid}/task").glob("*/schedstat"))
    if not files:
        return None
    return sum(int(file.read_text().split()[0]) for file in files) / 1e6


def start(environment, words):
    """({unit: figure}, None) of one start: nothing must be equal between builds."""
    begin = time.perf_counter()
    with subprocess.Popen(
        words,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            process.stdin.write(b"START 15\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it reads nothing, as bare Python
        answer = process.stdout.readline()
        passed = time.perf_counter() - begin
        worked = processor_ms(process.pid)
        process.communicate(b"END\n")
    if answer.strip() != b"OK":
        sys.exit(f"{shlex.join(words)} answered {answer!r} instead of OK")
    figures = {"ms to OK": 1000 * passed}
    return figures | ({} if worked is None else {"ms of processor": worked}), None


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
    measure = start if options.start else bench
    rounds, fingerprints = {name: [] for name in builds}, {}
    for _ in range(options.rounds):
        for name, build in builds.items():
            figures, fingerprints[name] = measure(*build)
            rounds[name].append(figures)
    if len(set(fingerprints.values())) > 1:
        sys.exit(f"these do not search alike: {fingerprints}")
    for unit in next(iter(rounds.values()))[0]:
        first = None
        for name, figures in rounds.items():
            values = [row[unit] for row in figures]
            median = statistics.median(values)
            first = first or median
            print(
                f"{name:12} {median:9.1f} {unit} ({min(values):.1f} to"
                f" {max(values):.1f}), {median / first:.3f} of the first"
            )


if __name__ == "__main__":
    main()
