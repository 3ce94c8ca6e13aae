import json

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.settings import GameChoice, Program, Settings, load, save
from gomoku_brain.gui.window import app
from gomoku_brain.gui.window.app import App


def test_settings_come_back_as_they_were(tmp_path):
    settings = Settings(
        theme="dark",
        language="zh_CN",
        sound=True,
        threads=2,
        solved=[1, 5],
        programs=[Program("Pela", "/opt/pbrain-pela --fast")],
        game=GameChoice(
            "renju", 19, PlayerConfig("brain", strength=22), PlayerConfig(), turn=0.5
        ),
    )
    path = tmp_path / "new" / "settings.json"
    save(settings, path)
    assert load(path) == settings
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"x"', "\x00", "[" * 100_000, '{"game": 3}']
)
def test_a_broken_file_is_the_defaults(tmp_path, text):
    path = tmp_path / "settings.json"
    path.write_text(text)
    assert load(path) == Settings()
    kept = tmp_path / "settings-damaged.json"
    assert kept.exists() is (text not in ("[]", "null", '"x"', '{"game": 3}'))


def test_two_windows_do_not_undo_each_other(tmp_path, qt):
    first, second = App(qt, tmp_path), App(qt, tmp_path)
    first.settings.theme = "dark"
    second.settings.progress = SolverRecord(rating=1500.0, tried=7)
    second.settings.zoom = 120
    first.settings.renew()
    assert first.settings.progress.tried == 7
    first.settings.progress = first.settings.progress.after(1500, True)
    first.finish()
    second.finish()
    found = load(tmp_path / "settings.json")
    assert (found.theme, found.zoom, found.progress.tried) == ("dark", 120, 8)


def test_results_that_cannot_be_written_stay_in_the_window(tmp_path, qt, monkeypatch):
    made = App(qt, tmp_path)
    made.settings.solved = [1]
    monkeypatch.setattr(app, "save", lambda *given: False)
    made.settings.solved = [1, 2]
    made.settings.renew()
    assert made.settings.solved == [1, 2]
    made.finish()


def test_a_value_of_the_wrong_type_costs_only_itself(tmp_path):
    row = {
        "theme": 5,
        "sound": True,
        "threads": "many",
        "solved": [1, "x", 3],
        "programs": [{"name": "A", "command": "a"}, 7],
        "game": {"size": 9, "black": {"kind": "brain", "strength": "full"}},
        "unknown": 1,
    }
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(row))
    settings = load(path)
    assert settings.theme == "system"
    assert settings.sound is True
    assert settings.threads == 1
    assert settings.solved == [1, 3]
    assert settings.programs[0] == Program("A", "a")
    assert settings.game.size == 9
    assert settings.game.black == PlayerConfig("brain", strength=100)


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    save(Settings(), file / "settings.json")
    assert file.read_text() == ""
    assert load(file / "settings.json") == Settings()


def test_programs_always_have_a_limit():
    assert GameChoice(turn=0.0, match=0.0).game_config().control.turn == 2.0
    config = GameChoice(turn=0.0, match=90.0).game_config()
    assert (config.control.turn, config.control.match) == (None, 90.0)


def test_people_have_no_limit_that_they_did_not_choose():
    assert not GameChoice(turn=0.0, match=0.0, people_too=True).game_config().people_too
    assert GameChoice(turn=0.0, match=9.0, people_too=True).game_config().people_too


def test_a_choice_is_a_board():
    start = GameChoice("caro_exact", 5).start
    assert (start.rule, start.width) == (Rule.CARO_EXACT, 5)
    for wrong in (GameChoice("chess"), GameChoice(size=4), GameChoice(size=23)):
        with pytest.raises(ValueError, match="no board"):
            _ = wrong.start
