import contextlib
import threading
import time

import psutil
import pytest

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.match.cluster_games import GameCluster, check_limits
from gomoku_brain.match.tournament import (
    GameFile,
    Match,
    MatchPlayer,
    MatchSettings,
    schedule,
)
from gomoku_brain.records.openings import Opening
from gomoku_brain.runs.cluster import ClusterError

# Dask leaves a socket to the garbage collector when its first port is taken.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PLAYERS = tuple(
    MatchPlayer(EngineSpec(name, ("ours",)), PlayerLimits(nodes=100)) for name in "ab"
)
SETTINGS = MatchSettings(PLAYERS, size=7, draw_after=16)


@pytest.fixture(autouse=True)
def children_left():
    """In place of that of the folder: multiprocessing leaves its resource tracker."""


@pytest.fixture
def local():
    """A function that starts a cluster here, of threads or of processes."""
    distributed = pytest.importorskip("distributed")
    clusters = []

    def start(workers, *, processes):
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=processes,
            dashboard_address=":0",  # any port that is free
        )
        clusters.append(cluster)
        return cluster

    yield start
    for cluster in clusters:
        cluster.close()


def play_all(path, settings, pairs, cluster):
    with GameFile(path, settings) as games:
        match = Match(settings, games, pairs)
        games.start()
        match.run(cluster.play, 2)
    return match


def test_games_by_the_clock_are_refused():
    for limits in ({"turn": 1.0}, {"match": 60.0}, {"turn": 1.0, "nodes": 100}):
        timed = MatchPlayer(EngineSpec("x", ("ours",)), PlayerLimits(**limits))
        with pytest.raises(ValueError, match="x plays by the clock"):
            check_limits([PLAYERS[0], timed])
    with pytest.raises(ValueError, match="no limit"):
        check_limits([MatchPlayer(EngineSpec("x", ("ours",)))])
    check_limits(PLAYERS)


@pytest.mark.slow("a cluster of processes", ci=True)
def test_a_match_on_a_cluster(tmp_path, local):
    with GameCluster(local(2, processes=False).scheduler_address) as cluster:
        assert cluster.threads == 2
        cluster.try_engines([p.spec for p in PLAYERS], 7)
        with pytest.raises(ClusterError, match="engine none cannot run"):
            cluster.try_engines([EngineSpec("none", ("/no/such/brain",))], 7)
        match = play_all(tmp_path / "g", SETTINGS, 1, cluster)
    assert [record.result for record in match.games.records] != ["*", "*"]
    assert {record.id for record in match.games.records} == {"1-2.1a", "1-2.1b"}


def engines_of(workers):
    found = []
    for pid in workers:
        with contextlib.suppress(psutil.Error):  # one that just ended
            for child in psutil.Process(pid).children(recursive=True):
                if "gomoku_brain" in child.cmdline():
                    found.append(child)
    return found


def wait_for(condition):
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def worker_pids(cluster):
    # One that is being started again has none; psutil would take that for ourselves.
    return [worker.pid for worker in cluster.workers.values() if worker.pid]


@pytest.mark.slow("starts and kills processes of a cluster")
@pytest.mark.timeout(300)  # a quarter of a minute on an idle machine
def test_a_lost_worker_costs_only_its_game_which_is_played_again(tmp_path, local):
    openings = tuple(Opening((Move(n, n), Move(n, n + 1))) for n in range(4))
    settings = MatchSettings(PLAYERS, openings=openings, draw_after=40)
    workers = local(2, processes=True)
    killed = []

    def kill_workers():
        for _ in range(2):
            wait_for(lambda: engines_of(worker_pids(workers)))
            busy = next(pid for pid in worker_pids(workers) if engines_of([pid]))
            psutil.Process(busy).kill()
            killed.append(busy)
            wait_for(lambda pid=busy: pid not in worker_pids(workers))

    killer = threading.Thread(target=kill_workers)
    with GameCluster(workers.scheduler_address) as cluster:
        killer.start()
        match = play_all(tmp_path / "g", settings, 4, cluster)
        killer.join()
    assert len(set(killed)) == 2
    assert sorted(r.id for r in match.games.records) == [
        f"1-2.{pair}{half}" for pair in range(1, 5) for half in "ab"
    ]
    assert not match.standings.encounters[0].faults
    assert {r.reason for r in match.games.records} <= {"five", "max moves"}


@pytest.mark.slow("starts and stops processes of a cluster")
def test_a_stopped_run_leaves_no_engine_on_the_workers(tmp_path, local):
    players = tuple(
        MatchPlayer(player.spec, PlayerLimits(nodes=10**9)) for player in PLAYERS
    )
    workers = local(1, processes=True)
    pids = worker_pids(workers)

    def interrupt():
        wait_for(lambda: engines_of(pids))
        time.sleep(0.5)
        stop.set()

    stop = threading.Event()
    with GameCluster(workers.scheduler_address) as cluster:
        task = next(schedule(MatchSettings(players), 1))
        thread = threading.Thread(target=interrupt)
        thread.start()
        record = cluster.play(task, stop)
        thread.join()
    assert record.result == "*"
    wait_for(lambda: not engines_of(pids))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("address", ["localhost", "foo", "", "tcp://", "a:b", ":1"])
def test_what_is_no_address_is_refused_and_leaves_no_thread(address):
    """A client that refused it would leave one that keeps the program from ending."""
    pytest.importorskip("distributed")
    before = threading.active_count()
    with pytest.raises(ClusterError, match="is no address of a scheduler"):
        GameCluster(address)
    assert threading.active_count() == before


def test_an_encrypted_cluster_without_keys_is_refused_with_what_to_do():
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match=r"set its keys .* distributed\.comm\.tls"):
        GameCluster("tls://127.0.0.1:1")


def test_keys_that_are_missing_are_an_error_of_the_cluster(tmp_path):
    config = pytest.importorskip("dask.config")
    pytest.importorskip("distributed")
    names = ("ca-file", "client.cert", "client.key")
    missing = {f"distributed.comm.tls.{name}": str(tmp_path / "none") for name in names}
    with config.set(missing), pytest.raises(ClusterError, match="No such file"):
        GameCluster("tls://127.0.0.1:1")
