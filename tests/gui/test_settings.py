import json
import sqlite3

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.settings import GameChoice, Program, Settings, load
from gomoku_brain.gui.window.app import App


def test_settings_come_back_as_they_were(tmp_path):
    path = tmp_path / "new" / "settings.json"
    settings = load(path)
    settings.change(
        theme="dark",
        language="zh_CN",
        sound=True,
        threads=2,
        splitter=[1, 5],
        programs=[Program("Pela", "/opt/pbrain-pela --fast")],
        game=GameChoice(
            "renju", 19, PlayerConfig("brain", strength=22), PlayerConfig(), turn=0.5
        ),
    )
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
    first.settings.change(theme="dark")
    second.autosave.results.change(lambda record: SolverRecord(rating=1500.0, tried=7))
    second.settings.change(zoom=120, programs=[Program("A", "a")])
    assert first.autosave.results.record.tried == 7
    first.autosave.results.change(lambda record: record.after(1500, True))
    first.settings.renew_programs()
    first.settings.change(programs=[*first.settings.programs, Program("B", "b")])
    first.finish()
    second.finish()
    found = load(tmp_path / "settings.json")
    assert (found.theme, found.zoom) == ("dark", 120)
    assert [program.name for program in found.programs] == ["A", "B"]
    again = App(qt, tmp_path)
    assert again.autosave.results.record.tried == 8
    again.finish()


OLD = {  # results in the settings of an earlier version
    "theme": "dark",
    "progress": {
        "rating": 1234.5,
        "tried": 40,
        "streak": 3,
        "longest": 9,
        "solved": [1, 5, 9],
        "days": [739000, 739001],
        "rated_day": 739001,
        "open": 17,
    },
    "solved": [1, 2, 4],
    "held_out": 21,
}
IMPORTED = SolverRecord(**OLD["progress"], levels=[1, 2, 4], held_out=21)


def test_results_of_an_earlier_version_are_imported_once(tmp_path, qt):
    file, copy = tmp_path / "settings.json", tmp_path / "settings-before.json"
    file.write_text(json.dumps(OLD))
    before = file.read_bytes()
    made = App(qt, tmp_path)
    assert made.settings.theme == "dark"
    assert made.autosave.results.record == IMPORTED
    assert copy.read_bytes() == before
    assert not {"progress", "solved", "held_out"} & json.loads(file.read_text()).keys()
    made.autosave.results.change(lambda record: record.with_level(7))
    made.finish()
    file.write_text(json.dumps(OLD | {"held_out": 99}))  # by the earlier version
    again = App(qt, tmp_path)
    assert again.autosave.results.record == IMPORTED.with_level(7)
    assert copy.read_bytes() == before
    again.finish()


def test_results_wait_in_the_file_while_there_is_no_archive(tmp_path, qt):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(OLD))
    (tmp_path / "games.db").mkdir()
    made = App(qt, tmp_path)
    assert made.autosave.results.record == IMPORTED
    made.settings.change(sound=True)
    made.finish()
    (tmp_path / "games.db").rmdir()
    again = App(qt, tmp_path)
    assert again.autosave.results.record == IMPORTED
    assert again.settings.sound
    again.finish()


def test_a_damaged_archive_keeps_the_results(tmp_path, qt):
    made = App(qt, tmp_path)
    made.autosave.results.change(lambda record: IMPORTED)
    made.autosave.archive.rebuild()
    assert made.autosave.results.record == IMPORTED
    made.finish()


def test_results_wait_while_another_window_writes(tmp_path, qt, until):
    made = Autosave(tmp_path / "games.db")
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    made.results.change(lambda record: record.with_level(2))
    assert not made.results.is_stored
    assert made.results.record.levels == [2]
    other.execute("INSERT INTO kept VALUES ('results', '{\"held_out\": 9}')")
    other.execute("COMMIT")
    other.close()
    until(lambda: made.results.is_stored)
    assert made.results.record == SolverRecord(levels=[2], held_out=9)
    made.close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"levels": 3}', "[" * 100_000])
def test_a_broken_note_is_a_new_record(tmp_path, text):
    made = Autosave(tmp_path / "games.db")
    made.archive.note("results", text)
    assert made.results.record == SolverRecord()
    made.close()


def test_a_value_of_the_wrong_type_costs_only_itself(tmp_path):
    row = {
        "theme": 5,
        "sound": True,
        "threads": "many",
        "splitter": [1, "x", 3],
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
    assert settings.splitter == [1, 3]
    assert settings.programs[0] == Program("A", "a")
    assert settings.game.size == 9
    assert settings.game.black == PlayerConfig("brain", strength=100)


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    settings = load(file / "settings.json")
    settings.change(zoom=120)
    assert settings.zoom == 120
    assert settings.trouble.startswith("settings.json: ")
    assert file.read_text() == ""


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
