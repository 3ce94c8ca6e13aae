"""Processors for games: each running game gets a set that no other game uses."""

import os
import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gomoku_brain.client.brain import EngineSpec

__all__ = ["ProcessorSets", "needed_processors"]


def needed_processors(specs: Sequence[EngineSpec]) -> int:
    """Return the processors that a game between any two of these engines needs.

    Engines think in turn, so it is the greatest INFO thread_num among them, at least 1.
    """
    threads = [
        int(value)
        for spec in specs
        for key, value in spec.infos
        if key.lower() == "thread_num" and value.isdecimal()
    ]
    return max([1, *threads])


class ProcessorSets:
    """The processors of this process, in sets of one size.

    Raises ValueError if there are too few, or if the system cannot bind processes.
    """

    def __init__(self, games: int, size: int) -> None:
        """Take ``games`` sets of ``size`` processors each."""
        if not hasattr(os, "sched_getaffinity"):
            raise ValueError("--affinity needs Linux")
        allowed = sorted(os.sched_getaffinity(0))
        if games * size > len(allowed):
            raise ValueError(
                f"--affinity: {games} games at once with {size} processors each need"
                f" {games * size}, and {len(allowed)} are available"
            )
        self._free: queue.SimpleQueue[frozenset[int]] = queue.SimpleQueue()
        for k in range(games):
            self._free.put(frozenset(allowed[k * size : (k + 1) * size]))

    @contextmanager
    def one(self) -> Iterator[frozenset[int]]:
        """Take a free set for the duration of the block; wait if none is free."""
        cpus = self._free.get()
        try:
            yield cpus
        finally:
            self._free.put(cpus)
