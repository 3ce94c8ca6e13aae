"""A conversation with a session whose engine and clock are fakes."""

import threading
import time

from gomoku_brain.protocol.session import Session
from tests.protocol.brain import TIMEOUT
from tests.protocol.fakes import FakeClock, FakeControl, FakeEngine


class Talk:
    """A session with fakes, and what it answered."""

    def __init__(self, *, quiet=True, waiting=False, seconds=0.0, startup=None):
        self.clock = FakeClock()
        self.engine = FakeEngine(self.clock, waiting=waiting, seconds=seconds)
        self.logged = []
        self.lines = []
        self.session = Session(
            self.engine,
            emit=self.lines.append,
            control=FakeControl,
            clock=self.clock,
            startup=startup,
            log=self.logged.append,
            quiet=quiet,
        )
        self.thread = None

    def say(self, *lines):
        """Handle lines one by one; all replies."""
        return [reply for line in lines for reply in self.session.handle(line)]

    @property
    def board(self):
        return self.session._dialogue.board

    @property
    def limits(self):
        return self.engine.limits

    @property
    def seconds(self):
        """What the last search was granted until its hard stop; None = no limit."""
        return self.engine.granted[-1][0]

    # With a thread, as in the process

    def run(self):
        self.thread = threading.Thread(target=self.session.run, daemon=True)
        self.thread.start()
        return self

    def feed(self, *lines):
        for line in lines:
            self.session.feed(line)

    def think(self, *lines):
        """Feed lines and wait until a search is under way."""
        self.feed(*lines)
        assert self.engine.begun.acquire(timeout=TIMEOUT)

    def expect(self, count):
        """The first ``count`` replies, waited for."""
        end = time.monotonic() + TIMEOUT
        while len(self.lines) < count and time.monotonic() < end:
            time.sleep(0.001)
        assert len(self.lines) >= count, self.lines
        return self.lines

    def finish(self):
        self.session.close()
        self.thread.join(TIMEOUT)
        assert not self.thread.is_alive()
        return self.lines
