import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.train.samples import make_samples
from tests.train.games import some_games


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Positions of six short games."""
    folder = tmp_path_factory.mktemp("samples")
    path = folder / "games.txt"
    path.write_text("".join(some_games(6)))
    return make_samples(folder / "arrays", [path], Rule.FREESTYLE, with_cells=True)
