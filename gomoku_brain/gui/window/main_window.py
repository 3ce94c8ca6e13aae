"""Main window: creates the game, the controllers and the widgets, and connects them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QMoveEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QMessageBox

from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move
from gomoku_brain.gui.archive.archive_controller import ArchiveController
from gomoku_brain.gui.archive.explorer import Explorer
from gomoku_brain.gui.archive.file_controller import FileController
from gomoku_brain.gui.base.messages import announce, show_question
from gomoku_brain.gui.base.themes import (
    Theme,
    palette,
    set_zoom,
    style,
    theme_named,
)
from gomoku_brain.gui.base.words import (
    cell_text,
    chance_text,
    foul_text,
    set_person_name,
    set_win_unit,
)
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.game.notices import Notices
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.game.rated_games import RatedGames
from gomoku_brain.gui.game.status import game_text
from gomoku_brain.gui.model.progress import StoredResults
from gomoku_brain.gui.model.settings import Settings
from gomoku_brain.gui.puzzles.coach import Trainer
from gomoku_brain.gui.puzzles.learning_controller import LearningController
from gomoku_brain.gui.study.mark_editor import MarkEditor
from gomoku_brain.gui.study.position_editor import PositionEditor
from gomoku_brain.gui.study.proof_controller import ProofController
from gomoku_brain.gui.study.proof_panel import ProofPanel
from gomoku_brain.gui.study.study_controller import StudyController
from gomoku_brain.gui.window.actions import Actions
from gomoku_brain.gui.window.dialogs import Dialogs
from gomoku_brain.gui.window.main_view import MainView
from gomoku_brain.gui.window.presenter import Presenter
from gomoku_brain.gui.window.switches import Switches
from gomoku_brain.records.game_node import GameNode

__all__ = ["Window"]

FRAME = QSize(24, 64)  # estimate of the desktop's frame around a window
REMEMBER_MS = 400  # after the window was moved
PROOFS = (".proof", ".bin")  # endings of proof files for drag and drop
HELP = ("hint", "free")  # not in a rated game
UNDO = ("undo", "redo", "undo_one", "redo_one")  # never in a rated game
MESSAGE_MS = 6000  # duration of a text in the status bar


class Window(QMainWindow):
    """Window that shows a ``Play`` and its controls."""

    language_changed = Signal()
    """The language has changed, so the window must be created again."""
    closed = Signal()
    """The user closed the window."""

    def __init__(
        self,
        settings: Settings,
        play: Play | None = None,
        autosave: Autosave | None = None,
    ) -> None:
        """Create the window.

        Without ``play``, start a game with the options of the last one.
        """
        set_zoom(settings.zoom)  # Qt gives it to widgets that are created later
        super().__init__()
        self.settings = settings
        self.play = play or Play()
        self._shown: GameNode | None = None
        self._start_paused = False  # whether the first screen paused the game
        self._message = ""  # the last text of ``_show_status``
        set_person_name(settings.name)
        set_win_unit(settings.wins_in_plies)
        self.home = Path.cwd() if autosave is None else autosave.path.parent
        """Folder of the program's files."""
        self._build()
        self._build_controllers(autosave)
        self._place()
        self._connect()
        self._connect_actions()
        self.set_theme(theme_named(settings.theme))
        if play is None:
            self.games.start(settings.game)
        else:
            self.study.judge_end()  # the review of the other window is lost
        self.refresh()
        self.notices.remind()

    # Building

    def _build(self) -> None:
        """Create the widgets."""
        self.setWindowTitle("Gomoku Brain")
        self.setAcceptDrops(True)
        settings = self.settings
        self.actions_ = Actions(self)
        self.view = view = MainView(self.play.log, settings.lines, settings.splitter)
        self.board, self.bar, self.tabs = view.board, view.bar, view.tabs
        self.cards, self.moves, self.panel = view.cards, view.moves, view.panel
        self.evaluation, self.log = view.evaluation, view.log
        self.hint_text, self.turn_text = view.hint_text, view.turn_text
        self.setCentralWidget(view)
        self.statusBar().addWidget(view.hint_text, 1)
        self.statusBar().addPermanentWidget(view.turn_text)
        self.statusBar().messageChanged.connect(self._announce)

    def _build_controllers(self, autosave: Autosave | None) -> None:
        """Create the controllers."""
        play, settings, view = self.play, self.settings, self.view
        theme = theme_named(settings.theme)
        self.results = results = (
            StoredResults() if autosave is None else autosave.results
        )
        self.games = GameStarter(
            self, play, settings, results, lambda: self.presenter.theme
        )
        self.archive_controller = archives = ArchiveController(
            self, play, settings, self.games, autosave, lambda: self.presenter.theme
        )
        archive = archives.archive
        self.rated = RatedGames(  # stores a result before it is shown
            self, play, self.games, archive
        )
        self.mode = mode = Mode(settings, view.bar, self.rated)
        self.study = StudyController(view.panel, mode)
        self.trainer = Trainer(mode, self.study, archives)
        self.learning = LearningController(mode, self.trainer, archives)
        self.editor, self.marks = PositionEditor(mode), MarkEditor(mode)
        self.notices = Notices(mode)
        self.files = FileController(
            self, play, settings, self.scene, self.games.may_leave_game
        )
        self.dialogs = Dialogs(self, settings, results, self.home, theme, archive)
        self.explorer = Explorer(archive)
        view.add_tab(self.explorer, self.tr("Explorer"))
        self.proof_panel = ProofPanel()
        view.add_tab(self.proof_panel, self.tr("Proof"))
        self.proofs = ProofController(self, self.proof_panel, mode)
        self.presenter = Presenter(
            mode, view, self.actions_, self.study, self.explorer, self.proofs, theme
        )
        self.switches = Switches(settings, self.actions_, view, self.study)

    def _place(self) -> None:
        """Restore the last geometry of the window, else use a large size."""
        room = self.screen().availableSize() - FRAME
        self.resize(min(1180, room.width()), min(780, room.height()))
        if self.settings.geometry:
            data = QByteArray.fromBase64(self.settings.geometry.encode())
            self.restoreGeometry(data)
        self.tabs.setCurrentIndex(self.settings.tab)
        self._remember = QTimer(self)  # runs after the window has stopped moving
        self._remember.setSingleShot(True)
        self._remember.setInterval(REMEMBER_MS)
        self._remember.timeout.connect(self.remember)

    def _connect(self) -> None:
        """Connect the signals of the parts."""
        play, study, files, games = self.play, self.study, self.files, self.games
        archive_controller, notices = self.archive_controller, self.notices
        learning, presenter, view = self.learning, self.presenter, self.view
        play.changed.connect(self.refresh)
        play.moved.connect(self._stone_placed)
        play.ticked.connect(presenter.show_clocks)
        study.changed.connect(presenter.show_board)
        study.judged.connect(presenter.show_values)
        study.reviewed.connect(archive_controller.store_review)
        study.reviewed.connect(learning.store_mistakes)
        games.leaving.connect(self._leave_game)
        games.failed.connect(notices.remind)
        games.resumed.connect(notices.show_resumed)
        games.changed.connect(self.refresh)
        self.marks.changed.connect(presenter.show_board)
        self.marks.changed.connect(self._take_notes)
        self.rated.changed.connect(study.invalidate)
        self.rated.changed.connect(self.refresh)
        files.opened.connect(games.show_game)
        files.failed.connect(notices.show_failure)
        archive_controller.failed.connect(  # after the message of what was stored
            notices.show_not_stored, Qt.ConnectionType.QueuedConnection
        )
        archive_controller.damaged.connect(notices.show_damaged)
        notices.retry_wanted.connect(archive_controller.retry)
        notices.review_wanted.connect(lambda: self._with_panel(study.judge_once))
        notices.move_wanted.connect(study.show_mistake)
        study.reviewed.connect(notices.show_review)
        notices.results_wanted.connect(lambda: self.dialogs.show_results())
        files.status_text.connect(self._show_status)
        for controller in (study, archive_controller, learning, self.rated):
            controller.status_text.connect(self._show_note)
        self.mode.entering.connect(self._enter_activity)
        self.mode.refused.connect(self._show_note)
        view.bar.answered.connect(notices.remind)
        self.switches.changed.connect(presenter.show_board)
        self.switches.rows_turned.connect(self._rename_cells)
        self.switches.valued.connect(presenter.show_values)
        self.switches.zoomed.connect(lambda: self.set_theme(presenter.theme))
        self.dialogs.settings_changed.connect(self._take_settings)
        self.dialogs.programs_changed.connect(study.show_programs)
        self.dialogs.game_wanted.connect(games.show_game)
        self.proofs.changed.connect(presenter.show_board)
        self.proofs.failed.connect(notices.show_failure)
        self.proofs.review_wanted.connect(lambda: self._with_panel(study.judge))
        self.proof_panel.line_shown.connect(study.show_line)
        self.proof_panel.chosen.connect(self.mode.click)
        self.explorer.line_shown.connect(study.show_line)
        self.explorer.chosen.connect(self.mode.click)
        view.widths_chosen.connect(lambda widths: self.settings.change(splitter=widths))
        view.tabs.currentChanged.connect(lambda: self._remember.start())
        view.tabs.currentChanged.connect(lambda: presenter.explore())
        view.tabs.currentChanged.connect(lambda: presenter.show_board())
        view.panel.review.learn_wanted.connect(learning.learn)
        view.panel.curve.chosen.connect(self._look_at_ply)
        view.escaped.connect(self.marks.finish)
        view.escaped.connect(lambda: self.leave_start_page(resume=True))
        view.comment.edited.connect(self._take_comment)
        view.moves.chosen.connect(play.look_at)
        view.board.may_place = self.mode.may_place
        view.board.clicked.connect(self.mode.click)
        view.board.pointed.connect(self._point)
        view.board.wheeled.connect(self.step)

    def _connect_actions(self) -> None:
        """Connect the actions of menus, toolbar and keys; ``Switches`` has the rest."""
        play, games, files = self.play, self.games, self.files
        study, learning, dialogs = self.study, self.learning, self.dialogs
        handlers: dict[str, Callable[[], object]] = {
            "start_page": self.show_start_page,
            "new": games.new_game,
            "restart": self._restart,
            "rated": self.rated.start,
            "results": dialogs.show_results,
            "swap": games.swap_colours,
            "play_on": games.play_on,
            "puzzles": games.choose_puzzle,
            "proof_game": self.proofs.play_against,
            "open_proof": self._open_proof,
            "train": learning.train,
            "edit_position": self.editor.start,
            "train_day": learning.train_day,
            "storm": learning.train_storm,
            "train_mistakes": learning.train_mistakes,
            "next_puzzle": learning.next_puzzle,
            "learn": learning.learn,
            "open": files.open,
            "archive": self.archive_controller.show,
            "save": self._save,
            "save_as": files.save_as,
            "picture": files.save_picture,
            "resign": self.resign,
            "quit": self.close,
            "undo": play.undo,
            "redo": play.redo,
            "undo_one": lambda: play.undo(single=True),
            "redo_one": lambda: play.redo(single=True),
            "copy": files.copy,
            "copy_link": files.copy_link,
            "copy_web_link": files.copy_web_link,
            "marks": self.marks.switch,
            "copy_picture": files.copy_picture,
            "paste": files.paste,
            "promote_line": lambda: play.promote(play.tree.node),
            "remove_line": lambda: play.remove(play.tree.node),
            "remove_variation": lambda: play.remove(play.tree.branch or play.tree.node),
            "comment": self._edit_comment,
            "settings": dialogs.show_settings,
            "first": lambda: self._look_at_ply(0),
            "back": lambda: self.step(-1),
            "forward": lambda: self.step(1),
            "last": lambda: play.look_at(play.tree.end_of_line),
            "hint": learning.hint,
            "move_now": play.move_now,
            "pause": self._toggle_pause,
            "tournament": dialogs.show_tournament,
            "programs": dialogs.edit_programs,
            "show_moves": lambda: self.view.show_tab(self.moves),
            "show_analysis": lambda: self.view.show_tab(self.panel),
            "show_explorer": lambda: self.view.show_tab(self.explorer),
            "show_proof": lambda: self.view.show_tab(self.proof_panel),
            "log": lambda: self.view.show_tab(self.log),
            "next_part": self.view.to_next_part,
            "free": lambda: play.set_free(not play.free),
            "full_screen": self._toggle_full_screen,
            "solve": lambda: self._with_panel(study.solve),
            "review": lambda: self._with_panel(study.judge),
            "rules": dialogs.show_rules,
            "usage": dialogs.show_usage,
            "about": dialogs.show_about,
        }
        for name in HELP:
            handlers[name] = partial(self._help, handlers[name])
        for name in UNDO:
            handlers[name] = partial(self._undo, handlers[name])
        for name, handler in handlers.items():
            self.actions_[name].triggered.connect(
                lambda checked=False, handler=handler: handler()
            )
        for name in ("analyze", "heat", "threats"):  # they draw on the board
            self.actions_[name].triggered.connect(
                lambda: self.leave_start_page(resume=True)
            )
        self.actions_.levels.triggered.connect(
            lambda action: games.change_level(int(action.data()))
        )

    # The first screen

    def show_start_page(self) -> None:
        """Show the first screen in front of the board. A running game is paused."""
        # Imported here, because a start with a game does not need it.
        from gomoku_brain.gui.window.start_page import StartPage

        play, under_way = self.play, ""
        if play.in_progress and not play.is_copy:
            under_way = self.tr("A game is under way: {0}.").format(game_text(play))
        if not play.paused and (under_way or play.thinking):
            play.pause()
            self._start_paused = play.paused
        page = StartPage(self.settings, self.actions_, under_way)
        page.game_wanted.connect(self.games.start_chosen)
        page.left.connect(lambda: self.leave_start_page(resume=True))
        if under_way and not play.reviewing:  # also a game that was paused before
            page.back_button.clicked.connect(self.notices.go_on)
        self.view.show_page(page)
        self.presenter.show_state()

    def leave_start_page(self, resume: bool = False) -> None:
        """Show the board again. ``resume``: continue the game that was paused."""
        if self.view.page is None:
            return
        paused, self._start_paused = self._start_paused, False
        self.view.show_page(None)
        if resume and paused and self.play.paused:
            self.play.resume()
        self.presenter.show_state()

    # Showing

    def set_theme(self, theme: Theme) -> None:
        """Change all colours, and fonts to the size in the settings."""
        set_zoom(self.settings.zoom)
        self.presenter.theme = theme
        self.dialogs.set_theme(theme)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setPalette(palette(theme))
        if application.styleSheet() != style(theme):  # Qt goes through all widgets
            application.setStyleSheet(style(theme))
        self.actions_.set_theme(theme)
        self.view.set_theme(theme)
        self.refresh()

    def refresh(self) -> None:
        """Update the window and store the game."""
        if self.play.tree.node is not self._shown:
            self._shown = self.play.tree.node
            self.leave_start_page()
            self.statusBar().clearMessage()  # it belonged to the previous position
        self.bar.show_note("")
        self.presenter.update_position()
        self.archive_controller.save_changes()
        self.presenter.show_all()

    def scene(self) -> Scene:
        """Return the scene of the board."""
        return self.presenter.scene()

    def _show_status(self, text: str) -> None:
        self._message = text
        is_running = text.endswith("…")  # the work may take longer
        self.statusBar().showMessage(shown(text), 0 if is_running else MESSAGE_MS)

    def _show_note(self, text: str) -> None:
        """Show a text that matters in the bar, too, until the next change or click."""
        self._show_status(text)
        self.bar.show_note(text)

    @property
    def _has_message(self) -> bool:
        """Whether the status bar shows a message that the mouse must not replace."""
        return bool(self._message) and self.statusBar().currentMessage() == (
            self._message
        )

    def _announce(self, text: str) -> None:
        """Give a message of the status bar to screen readers."""
        self.statusBar().setAccessibleName(text)
        if text:
            announce(self.statusBar(), text)

    def _rename_cells(self) -> None:
        """Update all texts after a change of the row order."""
        self.explorer.invalidate()
        self.proofs.invalidate()
        self.refresh()
        self.study.rename_cells()

    def _with_panel(self, handler: Callable[[], None]) -> None:
        self.leave_start_page(resume=True)
        self.tabs.setCurrentWidget(self.panel)
        handler()

    def _open_proof(self) -> None:
        self.tabs.setCurrentWidget(self.proof_panel)
        self.proofs.open()

    def _enter_activity(self) -> None:
        """Store the game, to which the user comes back after an activity."""
        self.leave_start_page()
        self.view.comment.store()
        self.editor.finish()
        self.archive_controller.flush()

    def _leave_game(self) -> None:
        self.view.comment.store()
        self.mode.leave()
        self.bar.clear()
        self.bar.show_task("")
        for box in self.findChildren(QMessageBox):  # about the game that ends
            box.close()

    def _take_settings(self, language_is_new: bool) -> None:
        self.study.analyst.configure(self.settings.threads, self.settings.hash_mb)
        set_person_name(self.settings.name)
        set_win_unit(self.settings.wins_in_plies)
        self._rename_cells()
        self.set_theme(theme_named(self.settings.theme))
        if language_is_new:
            self.editor.finish()
            QTimer.singleShot(0, self.language_changed.emit)

    # On the board

    def _point(self, move: Move | None) -> None:
        value = self.study.heat.get(move) if move is not None else None
        if value is not None and move is not None and self.settings.heat:
            share = chance_text(value, self.play.tree.turn)
            self.statusBar().showMessage(f"{cell_text(move)}: {share}")
        elif move in self.view.board.scene.forbidden:
            foul = foul_text(self.play.tree.board.foul(move) or "")
            self.statusBar().showMessage(f"{cell_text(move)}: {foul}")
        elif self._has_message:
            pass
        elif move is None:
            self.statusBar().clearMessage()
        else:
            self.statusBar().showMessage(cell_text(move), 3000)

    def _stone_placed(self, node: GameNode) -> None:
        self.archive_controller.save_changes()  # before anything else happens to it
        if self.settings.sound:
            QApplication.beep()

    def step(self, moves: int) -> None:
        """Show an earlier or a later position."""
        self.play.look_at(self.play.tree.stepped(moves))

    def _restart(self) -> None:
        """Start the game again, a rated one after the choice of a level."""
        if self.rated.is_on:
            self.rated.start()
        else:
            self.games.restart()

    def _help(self, handler: Callable[[], object]) -> None:
        """Do what makes a rated game unrated, after a question."""
        if self.rated.may_help():
            self.leave_start_page()
            handler()
        else:
            self.presenter.show_state()

    def _undo(self, handler: Callable[[], object]) -> None:
        """Undo or redo; the moves of a rated game stay."""
        if self.rated.is_on:
            self.bar.show_note(self.tr("A rated game: no move is taken back."))
        else:
            self.view.comment.store()
            handler()
            self.editor.take_undone()

    def _save(self) -> None:
        """Save the game where it comes from: in the archive and in its file."""
        self.view.comment.store()
        if not self.archive_controller.save_copy() or self.play.tree.file:
            self.files.save()

    def _edit_comment(self) -> None:
        self.view.comment.open()

    def _take_comment(self, node: GameNode, text: str) -> None:
        """Store a comment on a position of the game."""
        if node.path()[0] is not self.play.tree.game:
            return  # the game has been replaced
        node.comment = text
        self._take_notes()

    def _take_notes(self) -> None:
        """Show and store changed comments and marks."""
        self.presenter.show_state()
        self.archive_controller.save_changes()

    def _look_at_ply(self, ply: int) -> None:
        self.play.look_at(self.play.tree.at_ply(ply))

    # The course of the game

    def resign(self) -> None:
        """Resign after a question."""
        answer = show_question(
            self,
            self.tr("Resign"),
            self.tr("Resign this game?"),
            [("yes", self.tr("Resign")), ("no", self.tr("Continue playing"))],
        )
        if answer == "yes":
            self.play.resign()

    def _toggle_pause(self) -> None:
        self.leave_start_page()
        play = self.play
        if play.paused:
            from_earlier = play.reviewing and not play.tree.is_at_end
            if not from_earlier or self.rated.may_help():
                play.resume()
            else:
                self.presenter.show_state()
        else:
            self.play.pause()

    # The window itself

    def event(self, event: QEvent) -> bool:
        """Stop the clock of a person while a dialog blocks the window."""
        if event.type() == QEvent.Type.WindowBlocked:
            self.play.set_blocked(True)
        elif event.type() == QEvent.Type.WindowUnblocked:
            self.play.set_blocked(False)
        return super().event(event)

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Store the window's position later."""
        super().moveEvent(event)
        self._remember.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Store the window's size later."""
        super().resizeEvent(event)
        self._remember.start()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and texts."""
        data = event.mimeData()
        if data.hasText() or any(url.isLocalFile() for url in data.urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped file or text."""
        files = [url for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if files:
            path = Path(files[0].toLocalFile())
            if len(files) > 1:
                self.files.open_one_of([Path(each.toLocalFile()) for each in files])
            elif path.suffix.lower() in PROOFS:
                self.tabs.setCurrentWidget(self.proof_panel)
                self.proofs.open_file(path)
            else:
                self.files.open_file(path)
        else:
            self.files.open_text(event.mimeData().text())

    def _may_quit(self) -> bool:
        """Return whether the window may close.

        If the game would be lost, show a question.
        """
        if self.archive_controller.is_stored() or not self.play.in_progress:
            return True
        answer = show_question(
            self,
            self.tr("A game is in progress"),
            self.tr(
                "This game cannot be stored for the next start. Save it as a file?"
            ),
            [
                ("save", self.tr("Save…")),
                ("quit", self.tr("Quit without it")),
                ("no", self.tr("Continue playing")),
            ],
        )
        if answer == "save":
            self.files.save_as()
            return not self.play.tree.is_unsaved
        return answer == "quit"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work. The game is restored at the next start."""
        self.view.comment.store()
        if not self._may_quit():
            event.ignore()
            return
        self.mode.leave()
        self.remember()
        self.study.analyst.rest()
        self.dialogs.rest()
        event.accept()
        self.closed.emit()

    def remember(self) -> None:
        """Store the window's geometry in the settings."""
        self._remember.stop()
        data = self.saveGeometry().toBase64().data()
        geometry = bytes(data).decode("ascii")
        self.settings.change(geometry=geometry, tab=self.tabs.currentIndex())
