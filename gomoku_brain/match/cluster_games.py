"""Games on the machines of a Dask cluster.

Each game is a task of the cluster. A fault of an engine is a result, and the game is
not repeated. Only games without clocks are played here: machines differ and have other
work, which a clock would measure. Nodes and depths are the same everywhere. The workers
need the engines at the paths given here.
"""

import threading
from collections.abc import Iterable, Sequence

from gomoku_brain.client.brain import BrainFault, EngineSpec
from gomoku_brain.match.referee import GameTask
from gomoku_brain.match.tournament import MatchPlayer, play_here, try_engine
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.runs.cluster import Cluster, ClusterError, stop_event


def check_limits(players: Iterable[MatchPlayer]) -> None:
    """Raise ValueError unless all players have a limit of nodes or depth, and no clock.

    Also raise it if a limit could let the games last for ever.
    """
    for player in players:
        limits = player.limits
        if limits.turn is not None or limits.match is not None:
            raise ValueError(
                f"{player.name} plays by the clock, and a cluster's machines differ:"
                " limit nodes or depth there"
            )
        if limits.nodes is None and limits.depth is None:
            raise ValueError(f"{player.name} has no limit of nodes or depth")


class GameCluster(Cluster):
    """Cluster that plays games."""

    def try_engines(
        self, specs: Sequence[EngineSpec], size: int, swap2: bool = False
    ) -> None:
        """Start each engine on every worker. Raises ClusterError if an engine fails."""
        answers = self.on_every_worker(_try, tuple(specs), size, swap2)
        for worker, answer in answers.items():
            if answer:
                raise ClusterError(f"worker {worker}: {answer}")

    def play(self, task: GameTask, stop: threading.Event) -> GameRecord:
        """Play a game on a worker, and again if the worker is lost.

        Raises ClusterError if that happens too often, or the scheduler is lost.
        """
        try:
            record = self.call(_play, task, self._run, stop=stop)
        except ClusterError as error:
            raise ClusterError(f"game {task.id}: {error}") from None
        return _stopped(task) if record is None else record


def _stopped(task: GameTask) -> GameRecord:
    return GameRecord(task.rule, task.size, task.size, reason="stopped", id=task.id)


# Functions that run on a worker


def _try(specs: tuple[EngineSpec, ...], size: int, swap2: bool) -> str:
    """Return the fault of the first engine that cannot be started, or ""."""
    for spec in specs:
        try:
            try_engine(spec, size, swap2)
        except BrainFault as fault:
            return f"engine {spec.name} {fault}"
    return ""


def _play(task: GameTask, run: str) -> GameRecord:
    return play_here(task, stop_event(run))
