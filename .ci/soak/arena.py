"""Plays a soak's games: two processes, a strict manager, a referee of its own."""

import gc
from functools import partial

from soak.contestant import Contestant, Lost, fingerprint
from soak.game_file import Record, percentile, warm
from soak.game_plan import make_plan
from soak.machine import Meter, spinning
from tests.reference import BLACK, EMPTY, RENJU, RefBoard


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
                    Contestant(plan, self.program, variant)
                    for variant in (chosen * 2)[:2]
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
