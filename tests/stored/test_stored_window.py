"""The folder of a user's board, made by commit 3458101, at the start of the program.

See test_stored_files: the stored files and expected values must never be changed.
"""

import pytest

from tests.gui.conftest import MISSING
from tests.stored import opening
from tests.stored.opening import copied, expected
from tests.stored.test_stored_files import assert_same

if MISSING:
    pytest.skip(MISSING, allow_module_level=True)

from tests.gui.conftest import (  # noqa: F401
    a_board_that_draws_and_searches_little,
    nothing_goes_wrong_unseen,
    qt,
)


@pytest.fixture
def app(qt, tmp_path):  # noqa: F811
    copied("board/games.sqlite", tmp_path, "games.db")
    copied("board/settings.json", tmp_path)
    return opening.started_window(qt, tmp_path)


def test_the_open_game_is_on_the_board_and_others_open(app, tmp_path):
    wanted = expected("board")
    shown = wanted["window"]
    assert_same(opening.window_row(app), shown["at the start"])
    for number in ("2", "6", "8"):
        assert_same(opening.open_in_window(app, int(number)), shown[number])
    app.finish()
    # The session stored all games and results without a change.
    found = opening.archive_row(tmp_path / "games.db")
    assert (found["sound"], found["on the board"]) == (True, "8")
    for name in ("explorer", "rated games", "rating", "open rated game", "storms"):
        assert_same(found[name], wanted["archive"][name], name)
    assert_same(found["mistakes"], wanted["archive"]["mistakes"])
    for number, game in wanted["archive"]["games"].items():
        keys = ("start", "positions", "main line", "extra", "study")
        assert_same([found["games"][number][k] for k in keys], [game[k] for k in keys])
    assert opening.progress_row(tmp_path / "settings.json") == wanted["progress"]
