"""An opened game is a copy: its game changes only when it is saved."""

import random
from types import SimpleNamespace

import pytest

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_tree import Ending
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.window.app import App
from tests.gui.clicks import act, click, press
from tests.gui.players import EASY, HUMAN

TWO_LINES = "(;GM[4]FF[4]SZ[15]PB[Ann]C[A lesson];B[hh]C[The centre];W[ii];B[jj])"


def texts(window):
    """The games of the archive as they are stored."""
    base = window.archive_controller.archive()._base
    return dict(base.execute("SELECT id, text FROM games WHERE moves <> ''"))


def play_out(window, cells="h8 a1 i8 b1 j8 c1 k8 d1"):
    window.games.start(GameChoice(black=HUMAN, white=HUMAN))
    for cell in cells.split():
        click(window, cell)


@pytest.fixture
def over(window):
    """A window with a resigned game of eight moves, opened from the archive."""
    play_out(window)
    window.play.resign()
    window.games.start(GameChoice(black=HUMAN, white=HUMAN))
    (number,) = texts(window)
    window.games.restore(window.archive_controller.archive().load(number))
    return window


def moves(tree):
    return [str(node.move) for node in tree.line(tree.game)]


def test_a_look_and_a_try_leave_the_archived_game_as_it_is(over):
    before = texts(over)
    for _ in range(4):
        act(over, "back")
    click(over, "n14")
    click(over, "n13")
    assert over.play.free
    assert over.play.tree.node.path_moves()[-2:] == tuple(
        map(parse_move, ("n14", "n13"))
    )
    assert texts(over) == before
    assert over.play.tree.game.result == "0-1"
    act(over, "undo")
    act(over, "undo")
    assert not over.actions_["undo"].isEnabled()
    over.games.start(GameChoice(black=HUMAN, white=HUMAN))
    assert texts(over) == before, "nothing was changed, so no study is stored"


def test_a_changed_copy_that_is_left_is_stored_beside_its_game(over):
    ((number, text),) = texts(over).items()
    act(over, "back")
    click(over, "n14")
    over.games.start(GameChoice(black=HUMAN, white=HUMAN))
    found = texts(over)
    assert found.pop(number) == text
    (other,) = found
    copy = over.archive_controller.archive().load(other)
    assert copy.free
    assert moves(copy.tree) == "h8 a1 i8 b1 j8 c1 k8 d1".split()
    assert sum(1 for _ in copy.tree.game.nodes()) == 10


def test_two_studies_of_one_game_are_both_kept(over):
    (number,) = texts(over)
    archive = over.archive_controller.archive()
    for cell in ("n14", "c13"):
        act(over, "back")
        click(over, cell)
        over.games.start(GameChoice(black=HUMAN, white=HUMAN))
        over.games.restore(archive.load(number))
    nodes = [archive.read(each).tree.game.nodes() for each in texts(over)]
    tried = [{str(node.move) for node in each} & {"n14", "c13"} for each in nodes]
    assert tried == [set(), {"n14"}, {"c13"}]


def test_the_game_of_a_changed_copy_is_opened_again(over, monkeypatch):
    module = "gomoku_brain.gui.archive.archive_"
    (number,) = texts(over)
    chosen = SimpleNamespace(chosen=number, folder="")
    monkeypatch.setattr(f"{module}dialog.ArchiveDialog", lambda *words: chosen)
    monkeypatch.setattr(f"{module}controller.is_accepted", lambda dialog: True)
    act(over, "back")
    click(over, "n14")
    act(over, "archive")
    assert moves(over.play.tree) == "h8 a1 i8 b1 j8 c1 k8 d1".split()
    assert not over.play.tree.is_unsaved
    assert len(texts(over)) == 2, "the changed copy is a study"


def test_a_game_that_is_over_is_left_without_a_question(over, monkeypatch):
    monkeypatch.setattr("gomoku_brain.gui.game.game_starter.show_question", None)
    over.view.comment.edited.emit(over.play.tree.node, "why")
    act(over, "restart")
    assert len(texts(over)) == 2


def test_save_puts_the_copy_in_the_place_of_its_game(over):
    (number,) = texts(over)
    archive = over.archive_controller.archive()
    players = archive.read(number).config
    act(over, "back")
    click(over, "n14")
    act(over, "save")
    saved = archive.read(number)
    assert (saved.config, saved.free) == (players, False)
    assert sum(1 for _ in saved.tree.game.nodes()) == 10
    (row,) = archive.games()
    assert (row.result, row.plies) == ("0-1", 8)
    over.games.start(GameChoice(black=HUMAN, white=HUMAN))
    assert len(texts(over)) == 1, "what is saved is not stored again"


def test_a_review_is_stored_with_its_game_and_changes_nothing_else(
    over, until, quick_review
):
    (number,) = texts(over)
    archive = over.archive_controller.archive()
    act(over, "back")
    click(over, "n14")
    over.play.look_at(over.play.tree.at_ply(7))
    over.play.look_at(over.play.tree.line(over.play.tree.game)[-1])
    act(over, "review")
    until(lambda: not over.study.analyst.busy)
    found = archive.read(number).tree
    assert len(found.verdicts) == 8
    assert [*found.verdicts] == found.line(found.game)
    assert found.ending == Ending.won_by(Side.WHITE, "resigned")
    assert sum(1 for _ in found.game.nodes()) == 9


def test_a_game_that_has_ended_stays_as_it_ended(window):
    play_out(window, "h8 a1 i8 b1 j8 c1 k8 d1 l8")
    ((number, text),) = texts(window).items()
    assert not window.actions_["undo"].isEnabled()
    for _ in range(3):
        act(window, "back")
    click(window, "n14")
    act(window, "promote_line")
    assert texts(window) == {number: text}
    assert window.archive_controller.archive().games()[0].result == "1-0"


def test_an_ended_game_that_cannot_be_stored_is_not_left_silently(window, monkeypatch):
    play_out(window)
    base = window.archive_controller.archive()._base
    base.execute("PRAGMA query_only = ON")  # as on a full disk
    click(window, "l8")
    asked = []
    monkeypatch.setattr(
        "gomoku_brain.gui.game.game_starter.show_question",
        lambda *words: asked.append(words) or "no",
    )
    act(window, "restart")
    assert asked
    assert window.play.tree.is_over
    base.execute("PRAGMA query_only = OFF")
    window.archive_controller.retry()
    act(window, "restart")
    assert len(asked) == 1
    assert len(texts(window)) == 1


def test_a_game_changed_by_another_window_is_not_overwritten(over):
    (number,) = texts(over)
    other = Archive(over.archive_controller.archive().path)
    theirs = other.load(number)
    theirs.tree.back(3)
    theirs.tree.play(parse_move("a5"))
    assert other.save_copy(theirs) == "saved"
    other.close()
    act(over, "back")
    click(over, "n14")
    act(over, "save")
    found = texts(over)
    assert len(found) == 2
    assert '"a5"' in found[number]
    assert '"n14"' not in found[number]
    assert "Another window" in over.statusBar().currentMessage()
    act(over, "save")
    assert len(texts(over)) == 2, "the study is saved in its own place"


def test_a_deleted_game_does_not_come_back(over):
    (number,) = texts(over)
    over.archive_controller.archive().remove([number])
    act(over, "back")
    over.archive_controller.flush()
    assert texts(over) == {}


def test_a_game_is_played_from_a_position_of_another(over, until):
    ((number, text),) = texts(over).items()
    over.settings.game = GameChoice(black=HUMAN, white=EASY)
    act(over, "back")
    act(over, "back")
    act(over, "play_on")
    assert not over.actions_["play_on"].isEnabled()
    click(over, "n14")
    until(lambda: over.play.tree.ply == 8)
    found = texts(over)
    assert found.pop(number) == text
    assert len(found) == 1
    assert over.archive_controller.archive().games()[0].result == "*"


def test_a_copy_survives_a_crash_and_knows_its_game(qt, tmp_path):
    app = App(qt, tmp_path)
    window = app.start()
    play_out(window)
    window.play.resign()
    ((number, text),) = texts(window).items()
    act(window, "back")
    click(window, "n14")
    app.autosave._lock.unlock()  # as if the process had been killed
    other = App(qt, tmp_path)
    again = other.start()
    assert again.play.tree.node.path_moves()[-1] == parse_move("n14")
    assert texts(again) == {number: text}
    act(again, "save")
    assert texts(again)[number] != text
    other.finish()


def test_the_copy_of_a_killed_second_window_is_a_study_later(qt, tmp_path):
    first, second = App(qt, tmp_path), App(qt, tmp_path)
    first.start()
    window = second.start()
    play_out(window)
    window.play.resign()
    act(window, "back")
    click(window, "n14")
    assert len(texts(window)) == 1
    first.finish()
    third = App(qt, tmp_path)
    assert len(texts(third.start())) == 2
    third.finish()


def test_a_study_of_a_running_game_is_left_for_the_game(window, until):
    window.games.start(GameChoice(black=HUMAN, white=EASY))
    click(window, "h8")
    until(lambda: window.play.tree.ply == 2)
    before = texts(window)
    act(window, "free")
    click(window, "n14")
    act(window, "undo")
    assert window.play.tree.ply == 2, "the moves of the game are not undone"
    assert not window.actions_["undo"].isEnabled()
    assert texts(window) == before
    click(window, "n14")
    act(window, "free")
    assert window.play.tree.ply == 2, "a try is no move of the game"
    act(window, "pause")
    assert window.play.waits_for_person
    click(window, "g7")
    until(lambda: window.play.tree.ply == 4)
    act(window, "undo")
    assert window.play.tree.ply == 2, "in a game the pair of moves"
    assert window.play.waits_for_person


def test_the_study_of_a_killed_game_is_left_for_the_game(qt, tmp_path, until):
    app = App(qt, tmp_path)
    window = app.start()
    window.games.start(GameChoice(black=HUMAN, white=EASY))
    click(window, "h8")
    until(lambda: window.play.tree.ply == 2)
    act(window, "free")
    click(window, "n14")
    app.autosave._lock.unlock()  # as if the process had been killed
    other = App(qt, tmp_path)
    again = other.start()
    assert again.play.free
    act(again, "back")
    act(again, "free")
    act(again, "pause")
    click(again, "g7")
    until(lambda: again.play.tree.ply == 4)
    assert again.play.slots[Side.WHITE] == EASY
    other.finish()


class TestFile:
    @pytest.fixture
    def file(self, window, tmp_path):
        path = tmp_path / "lesson.sgf"
        path.write_text(TWO_LINES)
        assert window.files.open_file(path)
        return path

    def test_it_changes_only_by_save_and_keeps_its_first_line(self, window, file):
        window.play.look_at(window.play.tree.at_ply(2))
        click(window, "m3")
        act(window, "back")
        assert file.read_text() == TWO_LINES
        assert texts(window) == {}
        act(window, "save")
        text = file.read_text()
        assert text.index("jj") < text.index("mc")
        assert "C[The centre]" in text
        assert not window.play.tree.is_unsaved

    def test_it_is_saved_in_the_file_also_after_a_review(
        self, window, file, until, quick_review
    ):
        act(window, "review")
        until(lambda: not window.study.analyst.busy)
        act(window, "last")
        click(window, "a1")
        act(window, "save")
        assert "W[aa]" in file.read_text()

    def test_looking_at_it_leaves_nothing(self, window, file):
        act(window, "forward")
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        assert texts(window) == {}

    def test_a_collection_is_not_overwritten_by_one_of_its_games(
        self, window, tmp_path, monkeypatch
    ):
        path = tmp_path / "two.sgf"
        path.write_text(TWO_LINES * 2)
        monkeypatch.setattr(
            "gomoku_brain.gui.archive.file_controller.QInputDialog.getItem",
            lambda *words: (words[3][0], True),
        )
        asked = []
        monkeypatch.setattr(
            "gomoku_brain.gui.archive.file_controller.QFileDialog.getSaveFileName",
            lambda *words: asked.append(words) or ("", ""),
        )
        assert window.files.open_file(path)
        click(window, "a1")
        act(window, "save")
        assert asked
        assert path.read_text() == TWO_LINES * 2


class TestUndo:
    def test_every_change_has_a_name_and_is_undone(self, window, answer_yes):
        window.files.open_text(TWO_LINES)
        tree = window.play.tree

        def state():
            return [
                (node.parent, node.move, node.comment, node.labels, node.marks)
                for node in tree.game.nodes()
            ]

        changes = {
            "move": lambda: click(window, "a1"),
            "comment": lambda: window.view.comment.edited.emit(tree.node, "why"),
            "mark": lambda: mark(window, "h8", "TR"),
            "label": lambda: mark(window, "i9", "letter"),
            "variation": lambda: window.study._play_line(
                (parse_move("b1"), parse_move("b2"))
            ),
            "order of the variations": lambda: (
                act(window, "back"),
                click(window, "c9"),
                act(window, "promote_line"),
            ),
            "deletion": lambda: act(window, "remove_line"),
        }
        states = []
        for name, change in changes.items():
            states.append(state())
            change()
            assert state() != states[-1], name
            assert name in window.actions_["undo"].text()
        last = state()
        while window.actions_["undo"].isEnabled():
            act(window, "undo")
        assert state() == states[0]
        while window.actions_["redo"].isEnabled():
            act(window, "redo")
        assert state() == last

    def test_several_hundred_steps_are_undone(self, window, answer_yes):
        window.files.open_text("h8")
        node = window.play.tree.node
        for k in range(400):
            node.set_mark(parse_move("a1"), ("TR", "SQ")[k % 2])
        for _ in range(400):
            assert window.play.undo()
        assert not node.marks

    def test_a_variation_is_deleted_from_its_first_move(self, window, answer_yes):
        window.files.open_text(TWO_LINES)
        window.play.look_at(window.play.tree.at_ply(2))
        for cell in ("a1", "a2", "a3"):
            click(window, cell)
        assert not window.actions_["redo"].isEnabled()
        act(window, "remove_variation")
        assert sum(1 for _ in window.play.tree.game.nodes()) == 4
        assert window.play.tree.ply == 2
        assert not window.actions_["remove_variation"].isEnabled()
        act(window, "undo")
        assert sum(1 for _ in window.play.tree.game.nodes()) == 7

    def test_a_rated_game_refuses_it(self, window):
        window.rated.begin(EASY.strength)
        ply = window.play.tree.ply
        act(window, "undo")
        assert window.play.tree.ply == ply
        assert window.rated.is_on
        assert "no move" in window.bar.line.text()

    def test_the_editor_undoes_its_stones(self, window, answer_yes):
        act(window, "edit_position")
        click(window, "h8")
        click(window, "i8")
        act(window, "undo")
        game = window.play.tree.game
        assert game.black_stones == (parse_move("h8"),)
        act(window, "undo")
        act(window, "redo")
        assert game.black_stones == (parse_move("h8"),)
        assert window.editor.is_active


@pytest.mark.parametrize("way", ["new", "Finish", "Cancel"])
def test_an_edited_position_is_lost_only_by_cancel(window, answer_yes, way):
    act(window, "edit_position")
    click(window, "h8")
    if way != "new":
        press(window, way)
    window.games.start(GameChoice(black=HUMAN, white=HUMAN))
    rows = window.archive_controller.archive().games()
    assert len(rows) == (way != "Cancel")


@pytest.fixture
def answer_yes(monkeypatch):
    monkeypatch.setattr(
        "gomoku_brain.gui.game.game_starter.show_question", lambda *words: "yes"
    )


def mark(window, cell, kind):
    window.marks._kind = kind
    window.marks.click(parse_move(cell))


def state_of(tree):
    """Everything of a game that a person can change, and what is shown."""
    numbers = {node: k for k, node in enumerate(tree.game.nodes())}
    rows = [
        (numbers.get(node.parent), node.move, {**node.properties}, tree.ending_at(node))
        for node in numbers
    ]
    return rows, numbers[tree.node], (tree.game.result, tree.game.reason)


def change(window, chance):
    """Make a random change of a study, as a person would."""
    tree = window.play.tree
    nodes = list(tree.game.nodes())
    if chance.random() < 0.4:
        window.play.look_at(chance.choice(nodes))
    here, deeds = tree.node, ["move"] * 5 + ["comment", "mark", "label"] * 2
    deeds += ["promote_line", "remove_line", "remove_variation"]
    deed = chance.choice(deeds)
    cell = Move(chance.randrange(15), chance.randrange(15))
    if deed == "move":
        window.mode.click(cell)
    elif deed == "comment":
        window.view.comment.edited.emit(here, f"about {chance.random():.3f}")
    elif deed in ("mark", "label"):
        mark(window, str(cell), "SQ" if deed == "mark" else "number")
    elif window.actions_[deed].isEnabled():
        act(window, deed)


def test_300_random_changes_are_undone_and_made_again_one_by_one(over):
    chance = random.Random(7)
    tree, history = over.play.tree, over.play.tree.game.history
    states = [state_of(tree)]
    while len(states) <= 300:
        last = history.last_step
        change(over, chance)
        if history.last_step is not last:
            states.append(state_of(tree))
    for k in reversed(range(300)):
        assert over.actions_["undo"].isEnabled()
        act(over, "undo")
        assert state_of(tree)[0] == states[k][0]
        assert state_of(tree)[2] == states[k][2]
    assert not over.actions_["undo"].isEnabled()
    for k in range(1, 301):
        act(over, "redo")
        assert state_of(tree)[0] == states[k][0]
        assert state_of(tree)[2] == states[k][2]
    assert not over.actions_["redo"].isEnabled()


@pytest.mark.parametrize(
    "tries", [60, pytest.param(3000, marks=pytest.mark.slow("more tries", ci=True))]
)
def test_tries_leave_file_and_archive_byte_for_byte(
    over, tmp_path, until, quick_review, tries
):
    chance = random.Random(tries)
    archive = over.archive_controller.archive()
    ((number, _),) = texts(over).items()
    act(over, "review")
    until(lambda: not over.study.analyst.busy)
    path = tmp_path / "lesson.sgf"
    path.write_text(TWO_LINES)
    before = texts(over)[number]
    for k in range(tries):
        if k % 30 == 0:
            if k % 60:
                assert over.files.open_file(path)
            else:
                over.games.restore(archive.load(number))
        change(over, chance)
        if chance.random() < 0.2:
            over.actions_[chance.choice(("back", "first", "last"))].trigger()
        if chance.random() < 0.1 and over.actions_["undo"].isEnabled():
            act(over, "undo")
    over.archive_controller.flush()
    assert texts(over)[number] == before
    assert path.read_text() == TWO_LINES
