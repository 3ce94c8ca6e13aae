"""Every text of the window has its Chinese, compiled as it stands in the .ts."""

import ast
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QToolButton,
)

import gomoku_brain.gui.window.app as app_module
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base import background
from gomoku_brain.gui.base.languages import available
from gomoku_brain.gui.model.settings import load
from gomoku_brain.gui.window.app import App

FOLDER = Path(app_module.__file__).parents[1]


def texts_in_the_source():
    """(context, text) of each `self.tr` and `translate`."""
    for path in sorted(FOLDER.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        owners = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                owners |= {id(child): node.name for child in ast.walk(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            words = [a.value for a in node.args if isinstance(a, ast.Constant)]
            if isinstance(node.func, ast.Attribute) and node.func.attr == "tr":
                yield owners[id(node)], words[0]
            elif isinstance(node.func, ast.Name) and node.func.id == "translate":
                yield words[0], words[1]


LANGUAGES = sorted(
    path.stem for path in FOLDER.glob("*.ts") if not path.stem.startswith("qt_")
)


def translations(language):
    root = ET.parse(FOLDER / f"{language}.ts").getroot()
    for context in root.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation.get("type") not in ("vanished", "obsolete"):
                yield (
                    (context.findtext("name"), message.findtext("source")),
                    translation,
                )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_and_no_other(language):
    known = {
        key: t for key, t in translations(language) if t.get("type") is None and t.text
    }
    assert set(texts_in_the_source()) == set(known)


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_what_is_filled_in(language):
    for (_, text), translation in translations(language):
        fields = sorted(re.findall(r"\{\w*\}", text))
        assert sorted(re.findall(r"\{\w*\}", translation.text)) == fields, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_says_the_same(qt, language):
    translator = QTranslator()
    data = read_data(f"gui_{language}.qm")
    assert translator.load(data)
    for (context, text), translation in translations(language):
        assert translator.translate(context, text) == translation.text


def test_a_language_is_there_as_soon_as_its_file_is():
    assert set(available()) == {"en", *LANGUAGES}
    assert available()["zh_CN"] == "简体中文"


@pytest.fixture
def app(qt, tmp_path):
    made = []

    def start(**settings):
        load(tmp_path / "settings.json").change(**settings)
        made.append(App(qt, tmp_path))
        made[-1].start()
        return made[-1]

    yield start
    for each in made:
        each.window.study.analyst.rest()
        each.finish()
        each.set_language("en")


def test_the_window_speaks_chinese(app):
    window = app(language="zh_CN").window
    assert window.actions_["new"].text() == "新对局(&N)…"
    assert window.cards[Side.BLACK].state.text() == "黑方"
    assert "黑方走棋" in window.turn_text.text()


def test_the_language_changes_while_a_game_is_played(app):
    started = app(language="en")
    play = started.window.play
    play.set_free(True)
    play.place(play.tree.board.legal_moves()[7])
    started.settings.language = "zh_CN"
    started.window.language_changed.emit()
    assert started.window.play is play
    assert started.window.actions_["undo"].text() == "撤销：着法(&U)"  # noqa: RUF001
    assert started.window.scene().board.ply == 1
    started.settings.language = "en"
    started.window.language_changed.emit()
    assert started.window.actions_["undo"].text() == "&Undo: move"


def test_a_puzzle_is_asked_on_in_the_other_language(app, until):
    started = app(language="en")
    play = started.window.play
    before = play.tree
    started.window.actions_["train"].trigger()
    asked = started.window.trainer.lesson
    started.settings.language = "zh_CN"
    started.window.language_changed.emit()
    window = started.window
    assert window.trainer.lesson is asked
    assert window.bar.buttons[0].text() == "提示"
    assert not started.autosave.archive.games(), "a puzzle is no game"
    window.board.clicked.emit(asked.answers[0])
    until(lambda: play.tree.ply > len(asked.game.moves))
    started.settings.language = "en"
    started.window.language_changed.emit()
    window = started.window
    text = window.bar.text.text()
    assert "still wins by force" in text or str(asked.answers[0]) in text
    window.bar.buttons[-1].click()
    assert play.tree is before
    assert window.trainer.lesson is None


def test_a_solution_is_played_on_in_the_other_language(app, until):
    started = app(language="en")
    window, play = started.window, started.window.play
    window.results.change(lambda record: record.with_open(150))
    window.actions_["train"].trigger()
    window.trainer.show_answer()
    until(lambda: window.trainer._moves)
    started.window.language_changed.emit()
    started.window.trainer._mover.setInterval(0)
    until(lambda: play.tree.ending is not None)


def test_the_result_of_a_rated_game_stays_in_the_other_language(app):
    started = app(language="en")
    started.window.rated.begin(22)
    started.window.play.resign()
    text = started.window.bar.text.text()
    assert "your rating is" in text
    started.window.language_changed.emit()
    assert started.window.bar.text.text() == text


def test_a_storm_goes_on_in_the_other_language(app, until):
    started = app(language="en")
    before = started.window.play.tree
    started.window.actions_["storm"].trigger()
    storm = started.window.trainer._storm
    started.settings.language = "zh_CN"
    started.window.language_changed.emit()
    window = started.window
    assert window.trainer._storm is storm
    assert "解出 0" in window.bar.text.text()
    storm._used = 180.0
    until(lambda: "时间到" in window.bar.text.text())
    started.settings.language = "en"
    started.window.language_changed.emit()
    window = started.window
    assert "Time is up." in window.bar.text.text()
    window.bar.buttons[-1].click()
    assert window.play.tree is before


def test_the_explorer_s_book_may_come_after_its_window_has_gone(app, qt, until):
    started = app(language="en")
    started.window.view.show_tab(started.window.explorer)
    started.window.language_changed.emit()
    until(lambda: not background._running)
    qt.processEvents()  # an error in a slot would fail this test


def test_qt_s_own_words_are_chinese(app):
    window = app(language="zh_CN").window
    buttons = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(buttons.Ok | buttons.Cancel | buttons.Close, window)
    texts = [button.text() for button in box.buttons()]
    assert all(re.search(r"[\u4e00-\u9fff]", text) for text in texts), texts
    dialog = QFileDialog(window)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    kinds = (QLabel, QPushButton, QCheckBox)
    labels = [each.text() for kind in kinds for each in dialog.findChildren(kind)]
    labels += [each.toolTip() for each in dialog.findChildren(QToolButton)]
    labels = [text for text in labels if text]
    assert len(labels) > 8
    assert all(re.search(r"[\u4e00-\u9fff]", text) for text in labels), labels
