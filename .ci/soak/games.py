r"""Self-play under the eyes of a strict manager: legality, clocks, crashes, stderr.

    python .ci/soak/games.py --out games.jsonl --games 1000
    python .ci/soak/games.py --out soak.jsonl --games 10000 --limits 10-30 \
        --variants avx2,baseline --fresh 0.01 --busy

Two processes play each other through their pipes; a referee that shares no code with
the brain (reference.py) judges every move. A game's plan (rule, size, limit, opening,
manager's habits, idle or loaded) follows from the seed and the game's number; the moves
do not, as clocks decide them. Every third game is played while other processes keep all
processors busy.

The brain that plays is a copy, made when the run begins; the records tell its build.
One JSON line a game goes to the output file, and a run that is started again with the
same file continues where it stopped. For a game with trouble, the conversations are
kept beside that file. The exit status is 0 when everything that was asked for holds.

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
import compileall
import contextlib
import gc
import hashlib
import json
import math
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from gomoku_brain.match.journal import Journal
from tests.protocol.brain import Brain
from tests.reference import BLACK, EMPTY, RENJU, RULES, RefBoard

IDLE_LIMIT_MS = 10.0  # overshoot at the 99.9th percentile
LOADED_LIMIT_MS = 100.0  # overshoot of any move
QUIET_SHARE = 0.1  # of one processor used by strangers, at most, in a quiet game
FLOOR_MS = 5.0  # pauses of a bare loop that are counted
END_LIMIT_MS = 500.0  # managers kill so long after END
TOLERANCE_MS = 1000.0  # that Gomocup's judge and Piskvork forgive a late move
GROWTH = 1.1  # the most that a process may grow from its first games to its last
GROWTH_MB = 8.0  # and beside that
AGES = (1, 10, 30, 100, 300, 1000)  # games that a process has served, for its memory
UNLIMITED_MS = 2147483647
MB = 1 << 20
MEMORY = (0, 70 << 20, 350 << 20, 350 << 20, 1000 << 20)

# A child that spins until its parent is gone; it says a byte when it has begun.
_SPIN = """
import os
os.write(1, b"!")
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1000000):
        pass
"""


# --- What is played ---


@dataclass(frozen=True)
class Plan:
    """All that is settled about a game before its first move."""

    game: int
    loaded: bool
    rule: int
    width: int
    height: int
    limit: int  # ms a move
    match: int  # ms a game and side, 0 = no limit
    memory: int  # bytes
    fresh: bool  # new processes, or those of the game before
    watched: bool  # such processes have a log, and a standard error that is let through
    # How the manager is used to speak:
    burst: bool  # START, INFO and the first position without waiting for OK
    tells_left: bool  # INFO time_left before every move
    always_board: bool  # BOARD for every move
    restart: bool  # RESTART when it is possible
    eol: str
    opening: tuple[tuple[int, int], ...]
    first: int  # which of the two processes is black


def make_plan(seed, game, limits=(20, 50), fresh=0.4):
    """The plan of a game; rule, size class and load meet in every combination.

    `limits` are the least and the most milliseconds for a move, `fresh` the share of
    games with new processes.
    """
    rng = random.Random(f"{seed}/{game}")
    side = rng.randint(5, 22)
    size = (
        (15, 15),
        (20, 20),
        (side, side if rng.random() < 0.3 else rng.randint(5, 22)),
    )[game // 3 % 3]
    # Stones of an opening lie within three cells of the centre: at most three a side,
    # so that nothing is won or foul before the game begins.
    near = [
        (x, y)
        for x in range(size[0])
        for y in range(size[1])
        if abs(x - size[0] // 2) <= 3 and abs(y - size[1] // 2) <= 3
    ]
    burst = rng.random() < 0.25
    return Plan(
        game=game,
        loaded=game % 3 == 2,
        rule=RULES[game % 5],
        width=size[0],
        height=size[1],
        limit=rng.randint(*limits),
        match=rng.choice((0, 0, rng.randint(3000, 60000))),
        memory=rng.choice(MEMORY),
        fresh=rng.random() < fresh,
        watched=rng.random() < 0.5,
        burst=burst,
        tells_left=burst or rng.random() < 0.7,
        always_board=rng.random() < 0.1,
        restart=rng.random() < 0.7,
        eol=rng.choice(("\n", "\r\n", "\r")),
        opening=tuple(rng.sample(near, rng.randint(0, 6))),
        first=rng.randrange(2),
    )


# --- Who plays ---


class Player:
    """A brain's process, with what a manager remembers of it."""

    def __init__(self, plan, program, variant=""):
        self.log = None
        self.variant = variant  # of the build; "" as the brain chooses
        self.served = 0  # games
        env = {"PYTHONPATH": str(program.parent)}
        if variant:
            env["GOMOKU_CPU"] = variant
        self.watched = plan.watched
        if plan.watched:
            handle, self.log = tempfile.mkstemp(prefix="selfplay-", suffix=".log")
            os.close(handle)
            env |= {"GOMOKU_LOG": self.log, "GOMOKU_DEBUG_STDERR": "1"}
        command = [sys.executable, "-W", "error", str(program)]
        self.brain = Brain(command=command, env=env, stderr=True)
        self.size = None  # of the game before
        self.sent = []  # all that was written, as (time, line)
        self.end_ms = 0.0  # from END to the exit
        self.stderr_seen = 0

    def begin(self, plan, trouble):
        """Announce a game; a manager in a hurry does so with its first position."""
        size = (plan.width, plan.height)
        if plan.restart and not plan.burst and size == self.size:
            start = "RESTART"
        elif plan.width == plan.height:
            start = f"START {plan.width}"
        else:
            start = f"RECTSTART {plan.width},{plan.height}"
        self.size, self.eol = size, plan.eol
        self.used = 0.0  # ms of the match
        self.announced = False
        self.head = [
            f"INFO max_memory {plan.memory}",
            f"INFO timeout_match {plan.match}",
            f"INFO timeout_turn {plan.limit}",
            f"INFO rule {plan.rule}",
        ]
        if plan.tells_left:
            self.head.insert(3, "INFO game_type 1")
        if plan.burst:
            self.head.insert(0, start)
            return
        self.send(start)
        answer = self.brain.next()
        if answer != "OK":
            trouble.append(f"{start} answered by {answer!r}")
            raise Lost
        self.send(*self.head)
        self.head = []

    def send(self, *lines):
        """Write lines at once; the time before it."""
        now = self.brain.send(*lines, eol=self.eol)
        self.sent += [(now, line) for line in lines]
        return now

    def ask(self, plan, stones, trouble):
        """Have a move made after these stones; a Timed."""
        lines = []
        if plan.tells_left:
            left = round(plan.match - self.used) if plan.match else UNLIMITED_MS
            lines.append(f"INFO time_left {left}")
        lines += self._position(plan, stones)
        self.announced = True

        while (early := self._waiting()) is not None:
            trouble.append(f"line without a command: {early!r}")
        cold, wants_ok = not self.sent, bool(self.head)
        lines[:0], self.head = self.head, []
        before = usage(self.brain.process.pid)
        sent = self.send(*lines)
        said = None
        while True:
            line = self.brain.next()  # raises AssertionError when it hangs
            if line is None:
                raise Lost
            if wants_ok:
                wants_ok = False
                if line == "OK":
                    continue
            if not line.startswith(("MESSAGE ", "DEBUG ")):
                break
            said = line
            if len(line) >= 1000:
                trouble.append(f"line of {len(line)} characters: {line[:80]!r}")
        ms = (self.brain.arrived - sent) * 1000
        self.used += ms
        after = usage(self.brain.process.pid)
        ran, waited = (b - a for a, b in zip(before, after, strict=True))
        return Timed(line, ms, cold, ran, waited, said)

    def _position(self, plan, stones):
        if not plan.always_board:
            if self.announced or (len(stones) == 1 and not plan.burst):
                return ["TURN {},{}".format(*stones[-1])]
            if not stones and not plan.burst:
                return ["BEGIN"]
        own = len(stones) % 2  # the parity of our stones' numbers
        rows = [
            f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(stones)
        ]
        return ["BOARD", *rows, "DONE"]

    def _waiting(self):
        """A line that has come already, or None."""
        try:
            return self.brain.next(0)
        except AssertionError:
            return None

    def memory(self):
        """MB that the process has in memory."""
        with contextlib.suppress(psutil.Error):
            return round(psutil.Process(self.brain.process.pid).memory_info().rss / MB)
        return 0

    def new_errors(self):
        """Bytes on standard error since the last call."""
        before, self.stderr_seen = self.stderr_seen, len(self.brain._errors)
        return self.stderr_seen - before

    def leave(self, trouble):
        """Say END and see the process off."""
        process = self.brain.process
        if process.poll() is None:
            with contextlib.suppress(OSError):
                sent = self.send("END")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                self.end_ms = (time.perf_counter() - sent) * 1000
        if process.poll() != 0:
            trouble.append(f"exit status {process.poll()}")
        try:
            self.brain.close()
        except AssertionError:
            trouble.append("a CR in the output")
        while (line := self._waiting()) is not None:
            trouble.append(f"line after the last move: {line!r}")
        if self.log:
            text = Path(self.log).read_text(encoding="utf-8", errors="replace")
            for line in text.splitlines():
                if line.partition(" ")[2].startswith("!"):
                    trouble.append(f"logged: {line}")
            self.logged = text
            os.unlink(self.log)

    def conversation(self):
        """All that was said, for whoever looks into a trouble."""
        wrote = "".join(f"{when:.4f} > {line}\n" for when, line in self.sent)
        parts = [wrote, self.brain.raw.decode("latin-1"), self.brain.errors()]
        if self.log:
            parts.append(getattr(self, "logged", ""))
        return "\n--- ".join(parts)


@dataclass
class Timed:
    """An answer and what it cost, in milliseconds."""

    line: str
    ms: float
    cold: bool  # the start of the process is in it
    ran: float
    waited: float
    said: str | None  # the last MESSAGE


class Lost(Exception):
    """The brain has left or can no longer be talked to."""


def usage(pid):
    """Milliseconds that a process ran, and that it was kept waiting while it could.

    The kernel books by thread and at its own pace, so small values say little.
    """
    ran = waited = 0
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            numbers = Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()
            ran, waited = ran + int(numbers[0]), waited + int(numbers[1])
    return ran / 1e6, waited / 1e6


# --- A game ---


@dataclass
class Record:
    """A line of the output file."""

    game: int
    seed: str
    build: str
    rule: int
    size: list[int]
    limit: int
    match: int
    loaded: bool
    fresh: bool
    watched: bool
    workers: int
    opening: list
    moves: list = field(default_factory=list)
    ms: list = field(default_factory=list)  # of each move
    cold: list = field(default_factory=list)  # which of them had to wait for a start
    late: list = field(default_factory=list)  # [number, ms, ran, waited, last MESSAGE]
    result: str = ""
    illegal: int = 0
    forbidden: int = 0
    crashes: int = 0
    stderr: int = 0  # bytes
    least_left: float | None = None  # ms of the match, of either side
    over_max: float | None = None
    over_p99: float | None = None
    end_ms: float = 0.0  # from END to the exit, of the slower one
    variants: list = field(default_factory=list)  # of the two processes
    served: int = 0  # games of these processes, with this one
    memory: list = field(default_factory=list)  # MB of each after the game
    foreign: float = 0.0  # processors used by others, on the average
    stolen: float = 0.0  # processors that the host took away
    trouble: list = field(default_factory=list)


def play(plan, players, record):
    """Play a game to its end; the result stands in the record."""
    board = RefBoard((plan.width, plan.height), plan.rule)
    stones = []

    def put(cell):
        side = len(stones) % 2
        board.place(board.index(cell), side)
        stones.append(cell)
        if board.wins(board.index(cell), side):
            return "white" if side else "black"
        return "draw" if len(stones) == plan.width * plan.height else ""

    for cell in plan.opening:
        record.result = put(cell)
    for player in players:
        player.begin(plan, record.trouble)
    while not record.result:
        side = len(stones) % 2
        player = players[(plan.first + side) % 2]
        timed = player.ask(plan, stones, record.trouble)
        record.ms.append(round(timed.ms, 2))
        if timed.cold:
            record.cold.append(len(record.ms) - 1)
        if timed.ms > plan.limit:
            numbers = [round(x, 1) for x in (timed.ms, timed.ran, timed.waited)]
            record.late.append([len(record.ms) - 1, *numbers, timed.said])
        if plan.match:
            left = round(plan.match - player.used, 1)
            if record.least_left is None or left < record.least_left:
                record.least_left = left

        cell = read_move(timed.line)
        if cell is None:
            record.trouble.append(f"not a move: {timed.line!r}")
            raise Lost
        record.moves.append(cell)
        x, y = cell
        inside = x < plan.width and y < plan.height
        if not inside or board.cells[board.index(cell)] != EMPTY:
            record.illegal += 1
            record.result = "illegal"
            record.trouble.append(f"illegal move {timed.line}")
        elif plan.rule == RENJU and side == BLACK and (foul := board.foul(cell)):
            empty = sum(board.cells[p] == EMPTY for p in board.all_cells)
            record.result = "no move left"
            if len(board.fouls()) < empty:
                record.forbidden += 1
                record.result = "forbidden"
                record.trouble.append(f"{foul} at {timed.line}")
        else:
            record.result = put(cell)


def read_move(line):
    """The cell of an answer that is exactly "x,y", else None."""
    x, comma, y = line.partition(",")
    if not (comma and x.isdecimal() and y.isdecimal()):
        return None
    cell = int(x), int(y)
    return cell if line == "{},{}".format(*cell) else None


class Arena:
    """Plays games one after the other, and keeps the processes between them."""

    def __init__(self, options):
        self.seed, self.program = str(options.seed), options.brain
        self.spinners, self.workers = options.spinners, options.workers
        self.variants = options.variants
        self.plan_of = partial(
            make_plan, self.seed, limits=options.limits, fresh=options.fresh
        )
        self.build = fingerprint(self.program.parent)
        self.players = []

    def __enter__(self):
        self.collecting = gc.isenabled()
        gc.disable()  # no collection shall fall into a move; see play
        return self

    def __exit__(self, *error):
        if self.collecting:
            gc.enable()
        for player in self.players:
            player.leave([])

    def play(self, game, following=None):
        """Play a game. Returns its record and, after trouble, the conversations."""
        plan = self.plan_of(game)
        if self.players and plan.fresh:
            raise AssertionError("the processes should have left")
        record = Record(
            game=game,
            seed=self.seed,
            build=self.build,
            rule=plan.rule,
            size=[plan.width, plan.height],
            limit=plan.limit,
            match=plan.match,
            loaded=plan.loaded,
            fresh=not self.players,
            watched=plan.watched,
            workers=self.workers,
            opening=list(plan.opening),
        )
        gc.collect()
        with spinning(self.spinners if plan.loaded else 0) as spinners:
            if not self.players:
                chosen = self.variants[game % len(self.variants) :] + self.variants
                self.players = [
                    Player(plan, self.program, variant) for variant in (chosen * 2)[:2]
                ]
            record.watched = self.players[0].watched
            ours = [*spinners, *(player.brain.process.pid for player in self.players)]
            meter = Meter(ours)
            broken = False
            try:
                play(plan, self.players, record)
            except (Lost, OSError, AssertionError) as error:
                broken = True
                record.crashes += 1
                record.result = record.result or "crash"
                record.trouble.append(f"{type(error).__name__} {error}")
            record.foreign, record.stolen = meter.read()
        for player in self.players:
            player.served += 1
        record.served = self.players[0].served
        record.variants = [player.variant for player in self.players]
        record.memory = [player.memory() for player in self.players]

        conversations = None
        over = sorted(ms - plan.limit for ms in warm(record))
        if over:
            record.over_max = round(over[-1], 2)
            record.over_p99 = round(percentile(over, 99), 2)
        odd = broken or record.result in ("illegal", "forbidden")
        players = self.players
        if odd or following is None or self.plan_of(following).fresh:
            for player in players:
                player.leave(record.trouble)
                record.end_ms = max(record.end_ms, round(player.end_ms, 1))
            self.players = []
        record.stderr = sum(player.new_errors() for player in players)
        if record.trouble or record.stderr:
            heads = (f"===== process {i}\n" for i in range(2))
            pairs = zip(heads, players, strict=True)
            conversations = "".join(h + p.conversation() + "\n" for h, p in pairs)
        return record, conversations


def warm(record):
    """The times of the moves that had not to wait for the process to start."""
    cold = set(record.cold)
    return [ms for i, ms in enumerate(record.ms) if i not in cold]


@contextlib.contextmanager
def spinning(number):
    """Keep so many processors busy; yields the processes' ids."""
    command = [sys.executable, "-S", "-c", _SPIN]
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(number)
    ]
    try:
        for child in children:
            child.stdout.read(1)
        yield [child.pid for child in children]
    finally:
        for child in children:
            child.kill()
            child.wait()
            child.stdout.close()


class Meter:
    """How much of the processors went to others than ourselves and these processes."""

    def __init__(self, pids):
        self.processes = [psutil.Process(), *(psutil.Process(pid) for pid in pids)]
        self.start = self._now()

    def _now(self):
        times = psutil.cpu_times()
        total, ours = sum(times), 0.0
        # Guests are counted as user time already.
        total -= getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
        stolen = getattr(times, "steal", 0.0)
        idle = times.idle + getattr(times, "iowait", 0.0)
        for process in self.processes:
            with contextlib.suppress(psutil.Error):
                own = process.cpu_times()
                ours += own.user + own.system
        return time.perf_counter(), total - idle - stolen, stolen, ours

    def read(self):
        """Processors used by others, and taken away by the host, since the start."""
        pairs = zip(self.start, self._now(), strict=True)
        seconds, busy, stolen, ours = (after - before for before, after in pairs)
        return round(max(busy - ours, 0.0) / seconds, 3), round(stolen / seconds, 3)


def floor(seconds):
    """What the machine does to a program that only looks at the clock.

    Neither run-queue delay nor stolen time shows a virtual machine that stood still:
    the kernel books the pause as time that the program ran.
    """
    pauses = []
    last = start = time.perf_counter()
    while last < start + seconds:
        now = time.perf_counter()
        if now - last > FLOOR_MS / 1000:
            pauses.append((now - last) * 1000)
        last = now
    return (
        f"a bare loop was held up for over {FLOOR_MS:g} ms {len(pauses)} times in "
        f"{seconds:g} s, for {max(pauses, default=0.0):.1f} ms at most"
    )


def fingerprint(root):
    """Eight digits that tell builds of the brain apart."""
    digest = hashlib.sha256()
    for path in sorted(root.glob("gomoku_brain/**/*")):
        if path.suffix in (".py", ".so", ".pyd", ".bin"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


@contextlib.contextmanager
def frozen(program):
    """A copy of the brain, so that a rebuild does not change it under its games."""
    with tempfile.TemporaryDirectory(prefix="selfplay-") as folder:
        package = Path(folder, "gomoku_brain")
        # Time stamps are kept, and with them the worth of the compiled Python files.
        shutil.copytree(program.parent / "gomoku_brain", package)
        copy = shutil.copy2(program, folder)
        compileall.compile_dir(package, quiet=2)
        yield Path(copy)


# --- Many games ---


def work(options, games, put):
    """Play these games and hand (record as dict, conversations) to ``put``."""
    with Arena(options) as arena:
        for game, following in zip(games, [*games[1:], None], strict=True):
            record, conversations = arena.play(game, following)
            put((vars(record), conversations))
    put(None)


def journal_of(path):
    """The file of games."""
    return Journal(path, "a file of soak games", '{"game": ', sync=False)


def read_records(journal, seed):
    """The records of a file."""
    records = [json.loads(line) for line in journal.lines]
    seeds = {record["seed"] for record in records} - {str(seed)}
    if seeds:
        raise SystemExit(
            f"{journal.path} has games of another seed: {', '.join(seeds)}"
        )
    return records


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
        journal.begin()

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


# --- What comes of it ---


def percentile(ordered, percent):
    """The smallest value that so many per cent of the values do not exceed."""
    rank = math.ceil(len(ordered) * percent / 100 - 1e-9)
    return ordered[min(max(rank, 1), len(ordered)) - 1]


def of_ages(games):
    """MB of the processes by how many games they have served: (label, median, most)."""
    rows = []
    for least, above in zip(AGES, [*AGES[1:], math.inf], strict=True):
        found = sorted(
            mb for game in games if least <= game.served < above for mb in game.memory
        )
        if found:
            rows.append((f"{least}+", percentile(found, 50), found[-1]))
    return rows


def summarize(records, busy=False):
    """The summary as text, and whether everything that was asked for holds."""
    games = [Record(**record) for record in records]

    def total(name):
        return sum(getattr(game, name) for game in games)

    results = Counter(game.result for game in games)
    matches = [game for game in games if game.least_left is not None]
    overdrawn = sum(game.least_left < 0 for game in matches)
    troubled = [game for game in games if game.trouble]
    other = sum(len(game.trouble) for game in games)
    lines = [
        f"games {len(games)}, moves {sum(len(game.ms) for game in games)}",
        "results: " + ", ".join(f"{name} {n}" for name, n in results.most_common()),
        f"illegal {total('illegal')}, forbidden {total('forbidden')}, "
        f"crashes {total('crashes')}, stderr bytes {total('stderr')} "
        f"({sum(game.watched for game in games)} games with stderr let through), "
        f"troubles of any kind {other}",
        f"match clocks: {len(matches)} games, overdrawn {overdrawn}, "
        f"least left {min((g.least_left for g in matches), default=0)} ms",
        "",
        "overshoot of timeout_turn, ms (negative: before the limit)",
        f"{'':14}{'games':>6}{'moves':>8}{'late':>6}"
        f"{'p50':>9}{'p99':>9}{'p99.9':>9}{'max':>9}",
    ]
    idle = [game for game in games if not game.loaded]
    loaded = [game for game in games if game.loaded]
    groups = {
        "idle": idle,
        "idle, quiet": [game for game in idle if game.foreign <= QUIET_SHARE],
        "loaded": loaded,
        "loaded, quiet": [game for game in loaded if game.foreign <= QUIET_SHARE],
    }
    figures = {}
    for name, group in groups.items():
        over = sorted(ms - game.limit for game in group for ms in warm(game))
        late = sum(ms > 0 for ms in over)
        over = over or [-math.inf]
        figures[name] = [percentile(over, p) for p in (50, 99, 99.9, 100)]
        row = "".join(f"{value:9.2f}" for value in figures[name])
        moves = sum(len(warm(game)) for game in group)
        lines.append(f"{name:14}{len(group):6}{moves:8}{late:6}{row}")
    last = max((game.end_ms for game in games), default=0.0)
    lines.append(f"from END to the exit: {last} ms at most")
    cold = sorted(game.ms[i] - game.limit for game in games for i in game.cold)
    if cold:
        lines.append(
            f"not counted: {len(cold)} first moves with the start of the process in "
            f"them, up to {cold[-1]:.0f} ms over"
        )
    foreign = sorted(game.foreign for game in idle) or [0.0]
    lines.append(
        f"processors used by others during idle games: median "
        f"{percentile(foreign, 50)}, max {foreign[-1]}; taken away by the host: max "
        f"{max((game.stolen for game in games), default=0.0)}"
    )
    late = [(game, *entry) for game in games for entry in game.late]
    late = [entry for entry in late if entry[1] not in entry[0].cold]
    late.sort(key=lambda entry: entry[0].limit - entry[2])
    if late:
        lines += ["", "latest moves (ran/waited: the brain's process)"]
    for game, number, ms, ran, waited, said in late[:10]:
        lines.append(
            f"  #{game.game} {'loaded' if game.loaded else 'idle'} answer {number}: "
            f"{ms} ms of {game.limit}, ran {ran}, waited {waited}, foreign "
            f"{game.foreign}; {(said or '')[:70]}"
        )
    if troubled:
        lines += ["", "trouble"]
    for game in troubled[:20]:
        lines += [f"  #{game.game}: {text}" for text in game.trouble[:5]]

    builds = {game.build for game in games}
    if len(builds) > 1:
        lines.append(f"NOTE: games of {len(builds)} different builds")
    if any(game.workers > 1 for game in games):
        lines.append("NOTE: several workers at once: idle figures mean nothing")
    lost = [
        game
        for game in games
        if any(ms > game.limit + TOLERANCE_MS for ms in game.ms)
        or (game.least_left or 0) < -TOLERANCE_MS
    ]
    # Late by less than its process was kept waiting for a processor.
    starved = sum(
        all(
            waited > ms - game.limit - TOLERANCE_MS
            for _, ms, _, waited, _ in game.late
            if ms > game.limit + TOLERANCE_MS
        )
        for game in lost
    )
    ages = of_ages(games)
    variants = Counter(name or "as chosen" for game in games for name in game.variants)
    lines += [
        "",
        f"games lost on time with a tolerance of {TOLERANCE_MS:g} ms: {len(lost)}, of"
        f" them {starved} by less than the brain was kept waiting for a processor",
        "seats by variant: " + ", ".join(f"{v} {n}" for v, n in variants.items()),
        "MB of a process by the games that it has served, median and most: "
        + ", ".join(f"{label} {median} {most}" for label, median, most in ages),
    ]
    flat = (
        not ages or ages[-1][1] <= max(row[1] for row in ages[:3]) * GROWTH + GROWTH_MB
    )
    checks = {
        "no game lost on time with the tolerance of managers": (
            len(lost) == (starved if busy else 0)
        ),
        "memory flat": flat,
        "no illegal move": total("illegal") == 0,
        "no forbidden move": total("forbidden") == 0,
        "no crash": total("crashes") == 0,
        "nothing on stderr": total("stderr") == 0,
        "no other trouble": other == 0,
    }
    clocks = {
        f"idle p99.9 <= {IDLE_LIMIT_MS:g} ms": figures["idle"][2] <= IDLE_LIMIT_MS,
        f"loaded max <= {LOADED_LIMIT_MS:g} ms": (
            figures["loaded"][3] <= LOADED_LIMIT_MS
        ),
        f"END within {END_LIMIT_MS:g} ms": last <= END_LIMIT_MS,
    }
    if not busy:
        checks |= clocks
    lines.append("")
    lines += [f"{'ok  ' if held else 'FAIL'} {name}" for name, held in checks.items()]
    return "\n".join(lines), all(checks.values())


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
