"""A clock, a control and an engine that do exactly what a test tells them."""

import threading

from gomoku_brain.control.limits import SearchInfo, SearchResult
from gomoku_brain.game.notation import Move
from tests.protocol.brain import TIMEOUT


class FakeClock:
    """Seconds that pass only when told to."""

    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


class FakeControl:
    """Records what a SearchControl is told; a stop wakes the fake search."""

    def __init__(self):
        self.stopped = False
        self.deadlines = []
        self.woken = threading.Event()

    def stop(self):
        self.stopped = True
        self.woken.set()

    def set_deadline(self, time, target=None):
        self.deadlines.append((time, target))


class FakeEngine:
    """Plays the first legal move, or those of ``script``; waits when ``waiting``.

    A waiting search lasts until its control is stopped or ``release`` is called;
    ``begun`` counts the searches that are under way; ``granted`` has the seconds that
    each had until its hard stop and its target when it began. ``error`` ends every
    search, each of ``errors`` one.
    """

    def __init__(self, clock=None, *, waiting=False, seconds=0.0):
        self.clock = clock
        self.waiting = waiting
        self.seconds = seconds
        self.script = []
        self.error = None
        self.errors = []
        self.score, self.win_in = 0, None
        self.infos = 0
        self.searches = []
        self.granted = []
        self.games = self.settled = self.released_memory = 0
        self.sizes = []
        self.threads = 1
        self.begun = threading.Semaphore(0)
        self.released = threading.Event()
        self.control = None

    @property
    def hash_mb(self):
        return self.sizes[-1] if self.sizes else 0

    @hash_mb.setter
    def hash_mb(self, size):
        self.sizes.append(size)

    @property
    def limits(self):
        """Limits of the last search."""
        return self.searches[-1][1]

    def prepare(self, rule):
        self.rule = rule

    def new_game(self):
        self.games += 1

    def release_memory(self):
        self.released_memory += 1

    def grow_idle(self):
        self.settled += 1
        if self.error is not None:
            raise self.error
        return self.settled < 3

    def release(self):
        self.released.set()
        if self.control:
            self.control.woken.set()

    def search(self, board, limits, on_info=None, control=None):
        self.searches.append((str(board), limits))
        self.control = control
        self.granted.append(self._granted(control))
        if self.clock is not None:
            self.clock.advance(self.seconds)
        legal = [move for move in board.legal_moves() if move not in limits.exclude]
        moves = [self.script.pop(0)] if self.script else legal
        infos = [
            self._info(i, moves[i - 1], limits) for i in range(1, limits.multipv + 1)
        ]
        for depth in range(1, self.infos + 1):
            on_info(self._info(1, moves[0], limits, depth))
        if self.error is not None or self.errors:
            raise self.error or self.errors.pop(0)
        self.begun.release()
        if self.waiting and not self.released.is_set():
            assert control.woken.wait(TIMEOUT)
        best = infos[0]
        return SearchResult(
            score=self.score,
            win_in=self.win_in,
            depth=best.depth,
            seldepth=best.seldepth,
            nodes=best.nodes,
            time=best.time,
            pv=best.pv,
            lines=tuple(infos),
        )

    def _granted(self, control):
        if self.clock is None or not control.deadlines:
            return None, None
        return tuple(at and at - self.clock.now for at in control.deadlines[-1])

    def _info(self, multipv, move, limits, depth=12):
        return SearchInfo(
            depth=depth,
            seldepth=depth + 8,
            multipv=multipv,
            score=self.score,
            win_in=self.win_in,
            nodes=12345,
            time=0.5,
            pv=(Move(*move), Move(0, 14)),
        )
