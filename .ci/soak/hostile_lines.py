"""Hostile protocol lines: whatever a manager says, a session answers in its protocol.

    python .ci/soak/hostile_lines.py --out lines.jsonl --count 1000000

Conversations of up to some hundred lines, good ones, broken ones and noise, go as bytes
through the line splitter into a ``Session`` with the real engine, in one process. Most
are executed line by line; every eighth goes to the two threads that a real process has.
A search ends after a few nodes and takes little memory and few threads, whatever the
lines ask for, so that a million lines take minutes. What must hold:

- no exception leaves the session, and none is caught inside ("internal error");
- every line that it says is one of the protocol, in ASCII, below 1000 characters;
- BEGIN has one answer;
- nothing takes longer than the watchdog of ``chunks`` grants.
"""

import random
import re
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(folder) for folder in Path(__file__).parents[1:3]]

from gomoku_brain.control.limits import Limits, SearchResult, SolveResult
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.protocol.commands import parse_command
from gomoku_brain.protocol.session import Session
from gomoku_brain.protocol.stdio import LineSplitter
from soak.chunks import Chunk, run

SIZE = 10_000  # lines of a chunk
PATIENCE = 300.0  # seconds for a chunk
NODES = 50  # of a search
SLOW = 5.0  # seconds of processor time for a line of 50 nodes that are a fault

MOVE = r"\d{1,2},\d{1,2}"
SAID = re.compile(
    rf"""OK
    |{MOVE}(?:\ {MOVE})*
    |SWAP
    |(?:ERROR|UNKNOWN|MESSAGE|DEBUG)\ .+
    |INFO\ [A-Z]+\ .*
    |FORBID\ (?:\d{{4}})*\.
    |name="gomoku-brain",\ .+
    """,
    re.VERBOSE,
)

NUMBERS = (
    "0 1 -1 2 3 4 5 7 8 9 14 15 16 19 20 21 22 23 100 255 256 484 485 65535 65536 1000"
    " 2147483647 2147483648 -2147483648 4294967296 9223372036854775807"
    " 9223372036854775808 99999999999999999999999 1.5 1e3 +7 ++7 007 0x7 NaN inf -0 ² ٣"
).split()
KEYS = (
    "timeout_turn timeout_match time_left time_increment max_memory hash_size"
    " thread_num max_depth max_node rule game_type show_detail pondering proof strength"
    " folder evaluate caution_factor unknown_key"
).split()
WORDS = (
    "START RECTSTART RESTART BEGIN TURN PLAY BOARD SWAP2BOARD TAKEBACK ABOUT INFO END"
    " DONE STOP BENCH RELOADCONFIG YXSTOP YXBOARD YXNBEST YXSHOWFORBID YXHASHCLEAR"
    " YXSHOWINFO YXBLOCK YXBLOCKUNDO YXBLOCKRESET YXSWAP2STEP1 YXSWAP2STEP2"
    " YXSWAP2STEP3 YXUNKNOWN YXDRAW YXSHOWHASHUSAGE HELLO MESSAGE ERROR OK SUGGEST"
).split()
NOISE = [
    *("", " ", "\t", "\0", ",", ",,", ";", "%s%n", "../../etc/passwd", "'", '"', "\\"),
    *("\x1b[2J", "é", "\xff\xfe", "七", "\x7f", "\x0b", "\x85", "DONE DONE", "5,5,5,5"),
]


class ShortEngine(Engine):
    """The real engine, whose searches are short and small whatever is asked for."""

    def __init__(self) -> None:
        """A small table."""
        super().__init__(hash_mb=1)

    @property
    def hash_mb(self) -> float:
        """Of the table."""
        return super().hash_mb

    @hash_mb.setter
    def hash_mb(self, size: float) -> None:
        if not 1 <= size <= 65536:
            raise AssertionError(f"a table of {size} MB was asked for")

    @property
    def threads(self) -> int:
        """One."""
        return 1

    @threads.setter
    def threads(self, count: int) -> None:
        if not 1 <= count <= 256:
            raise AssertionError(f"{count} threads were asked for")

    def search(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: object = None,
        control: SearchControl | None = None,
    ) -> SearchResult:
        """A search of some nodes."""
        limits = limits or Limits()
        nodes = min(limits.nodes or NODES, NODES)
        return super().search(board, replace(limits, nodes=nodes), on_info, control)

    def find_win(
        self,
        board: Board,
        kind: str = "auto",
        limits: Limits | None = None,
        control: SearchControl | None = None,
    ) -> SolveResult:
        """A solver that soon gives up."""
        limits = replace(limits or Limits(), nodes=NODES)
        return super().find_win(board, kind, limits, control)


def number(rng: random.Random) -> str:
    """A number, mostly a sane one."""
    if rng.random() < 0.85:
        return str(rng.randint(0, 21))
    return rng.choice(NUMBERS)


def cell(rng: random.Random) -> str:
    """Two numbers."""
    return rng.choice(("{},{}", "{},{}", "{},{}", "{}, {}", "{} {}")).format(
        number(rng), number(rng)
    )


def rows(rng: random.Random, form: int) -> list[str]:
    """The lines of a block, mostly up to DONE."""
    found = []
    for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 30, 250))):
        text = cell(rng)
        if form == 3:
            text += f",{rng.choice('121212121212121212121230x')}"
            if rng.random() < 0.02:
                text += rng.choice(NOISE)
        found.append(text)
    if rng.random() < 0.9:
        found.append("DONE")
    return found


def good(rng: random.Random) -> list[str]:
    """What a manager may well say."""
    word = rng.choice(WORDS)
    if word == "START":
        return [f"START {rng.choice((5, 8, 15, 15, 20, 22, number(rng)))}"]
    if word == "RECTSTART":
        return [f"RECTSTART {cell(rng)}"]
    if word in ("TURN", "PLAY", "TAKEBACK"):
        return [f"{word} {cell(rng)}"]
    if word in ("BOARD", "YXBOARD"):
        return [word, *rows(rng, 3)]
    if word in ("SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO"):
        return [word, *rows(rng, 2)]
    if word == "INFO":
        value = rng.choice((number(rng), rng.choice(NUMBERS)))
        return [f"INFO {rng.choice(KEYS)} {value}"]
    if word in ("YXNBEST", "BENCH"):
        return [f"{word} {number(rng)}"]
    if word == "END" and rng.random() < 0.95:  # else every conversation soon ends
        return ["BEGIN"]
    return [word]


def spoilt(rng: random.Random, line: str) -> str:
    """A line with something wrong."""
    kind = rng.randrange(8)
    at = rng.randrange(len(line) + 1)
    if kind == 0:
        return line[:at]
    if kind == 1:
        return line[:at] + rng.choice(NOISE) + line[at:]
    if kind == 2:
        return line.swapcase()
    if kind == 3:
        return f"{line} {rng.choice(NUMBERS)}"
    if kind == 4:
        return line * rng.choice((2, 3, 50))
    if kind == 5:
        return rng.choice(NOISE) + line
    if kind == 6:
        return re.sub(r"\d+", lambda _: rng.choice(NUMBERS), line)
    return "".join(
        chr(rng.randrange(256)) for _ in range(rng.choice((1, 10, 100, 5000)))
    )


def conversation(rng: random.Random) -> list[str]:
    """Lines to one session."""
    lines = []
    if rng.random() < 0.9:  # without a game most commands have the same answer
        lines.append(f"START {rng.choice((5, 6, 9, 15, 15, 20, 22))}")
        lines.append(f"INFO rule {rng.choice((0, 1, 4, 8, 9, 2, 5))}")
    hostility = rng.choice((0.0, 0.1, 0.5))
    for _ in range(rng.choice((5, 30, 100))):
        for line in good(rng):
            lines.append(spoilt(rng, line) if rng.random() < hostility else line)
    return lines


def check(said: list[str], line: str, chunk: Chunk) -> None:
    """Judge what was said after a line."""
    for answer in said:
        proper = answer.isascii() and answer.isprintable() and len(answer) < 1000
        if not (proper and SAID.fullmatch(answer)):
            chunk.faults.append(f"{line[:100]!r} is answered by {answer[:200]!r}")
        elif "internal error" in answer:
            chunk.faults.append(f"{line[:100]!r}: internal error")


def answers(said: list[str]) -> list[str]:
    """What a manager waits for; that a block was left without DONE is told besides."""
    remark = re.compile(r"(?:MESSAGE|DEBUG|INFO) |ERROR \w+ without DONE$")
    return [answer for answer in said if not remark.match(answer)]


def execute(line: str, session: Session, chunk: Chunk) -> None:
    """Have a line executed to its end."""
    started = time.process_time()
    said = session.handle(line)
    seconds = time.process_time() - started
    chunk.timed(seconds, line)
    chunk.counts["answer"] += len(said)
    if seconds > SLOW:
        chunk.faults.append(f"{line[:100]!r} took {seconds:.1f} s")
    check(said, line, chunk)
    if line.strip().upper() == "BEGIN" and len(answers(said)) != 1:
        chunk.faults.append(f"{line!r} has {len(answers(said))} answers: {said}")


def by_threads(lines: list[str], session: Session, chunk: Chunk) -> None:
    """Feed from one thread while another executes, as a process does."""
    errors: list[str] = []

    def feed() -> None:
        try:
            for line in lines:
                if not session.feed(line):
                    break
        except Exception as error:
            errors.append(f"feed: {error!r}")
        finally:
            session.close()

    reader = threading.Thread(target=feed, daemon=True)
    reader.start()
    session.run()
    reader.join(60)
    chunk.faults += errors
    if reader.is_alive():
        chunk.faults.append("the reader hangs")


def play(seed: str, number: int, verbose: bool) -> Chunk:
    """A chunk of conversations."""
    rng = random.Random(f"lines/{seed}/{number}")
    chunk = Chunk()
    engine = ShortEngine()
    while chunk.counts["line"] < SIZE:
        lines = conversation(rng)
        eol = rng.choice(("\n", "\r\n", "\r"))
        data = "".join(line + eol for line in lines).encode("utf-8", "replace")
        splitter, parts = LineSplitter(), []
        while data:  # cut anywhere
            length = rng.choice((1, 7, 100, 65536))
            parts += splitter.feed(data[:length])
            data = data[length:]
        parts += splitter.finish()
        chunk.counts["line"] += len(parts)
        chunk.counts["conversation"] += 1
        threaded = rng.random() < 1 / 8
        last = "nothing yet"
        logged: list[str] = []
        said: list[str] = []
        session = Session(engine, emit=said.append, log=logged.append, seed=1)
        try:
            if threaded:
                chunk.counts["conversation in two threads"] += 1
                by_threads(parts, session, chunk)
                check(said, "a conversation in two threads", chunk)
                chunk.counts["answer"] += len(said)
            else:
                for last in parts:
                    if verbose:
                        print(repr(last[:200]), flush=True)
                    execute(last, session, chunk)
                    command = parse_command(last)
                    if command is not None and command.word == "END":
                        break  # a process would be gone
        except Exception as error:
            chunk.faults.append(f"{last[:100]!r} raises {error!r}")
        for text in logged:
            if "Traceback" in text:
                chunk.faults.append(f"logged: {text[:500]}")
    return chunk


if __name__ == "__main__":
    raise SystemExit(run(__doc__ or "", "line", SIZE, play, PATIENCE))
