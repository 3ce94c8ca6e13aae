import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.samples import make_samples
from tests.lab.train.games import some_games


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Positions of six short games."""
    return samples_of(Rule.FREESTYLE, tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="session")
def renju_samples(tmp_path_factory):
    """Positions of six short games under the rule whose sides differ."""
    return samples_of(Rule.RENJU, tmp_path_factory.mktemp("renju"))


def samples_of(rule, folder):
    path = folder / "games.txt"
    path.write_text("".join(some_games(6, rule)))
    return make_samples(folder / "arrays", [path], rule)


@pytest.fixture
def local():
    """A cluster of two processes here."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        yield cluster


@pytest.fixture
def positions_of(samples, renju_samples):
    return {Rule.FREESTYLE: samples, Rule.RENJU: renju_samples}
