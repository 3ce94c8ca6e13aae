"""The window: the board, the two players, what can be done and what is to be seen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QMoveEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui import help_pages
from gomoku_brain.gui.actions import Actions
from gomoku_brain.gui.analysis_panel import AnalysisPanel
from gomoku_brain.gui.archive_desk import ArchiveDesk
from gomoku_brain.gui.autosave import Autosave
from gomoku_brain.gui.board_painter import Scene
from gomoku_brain.gui.board_widget import BoardWidget
from gomoku_brain.gui.engine_log import EngineLog
from gomoku_brain.gui.evaluation_bar import EvaluationBar
from gomoku_brain.gui.explorer import Explorer
from gomoku_brain.gui.file_desk import FileDesk
from gomoku_brain.gui.game_starter import GameStarter
from gomoku_brain.gui.game_tree import Node
from gomoku_brain.gui.learning_desk import LearningDesk
from gomoku_brain.gui.messages import MessageBar, ask
from gomoku_brain.gui.move_list import MoveList
from gomoku_brain.gui.notices import Notices
from gomoku_brain.gui.play import Play
from gomoku_brain.gui.player_card import PlayerCard
from gomoku_brain.gui.programs_dialog import ProgramsDialog
from gomoku_brain.gui.settings import Settings
from gomoku_brain.gui.settings_dialog import SettingsDialog
from gomoku_brain.gui.status import (
    advice_text,
    enabled_actions,
    player_name,
    turn_text,
)
from gomoku_brain.gui.study_desk import StudyDesk
from gomoku_brain.gui.themes import Theme, palette, set_zoom, style, theme_named
from gomoku_brain.gui.tournament_window import TournamentWindow
from gomoku_brain.gui.trainer import Trainer
from gomoku_brain.gui.words import (
    cell_text,
    clock_text,
    refusal_text,
    set_rows,
    side_name,
)

__all__ = ["Window"]

SWITCHES = (  # settings that are actions with a check mark
    "heat threats numbers coordinates forbidden rows_from_bottom evaluation labels"
    " sound"
).split()
FRAME = QSize(24, 64)  # at most, that the desktop puts around a window
PANEL = 320  # pixels, the least
REMEMBER_MS = 400  # after the window was moved
MESSAGE_MS = 6000  # how long a word stands in the status bar


class Window(QMainWindow):
    """Shows a `Play` and lets a person take part in it."""

    language_changed = Signal()
    """The texts must be made anew: the window too."""
    closed = Signal()
    """The person has left."""

    def __init__(
        self,
        settings: Settings,
        play: Play | None = None,
        autosave: Autosave | None = None,
    ) -> None:
        """Without a game, begin one as the last was begun."""
        super().__init__()
        self.settings = settings
        self._autosave = autosave
        self.play = play or Play()
        self.home = Path.cwd() if autosave is None else autosave.path.parent
        """Where files of its own are put."""
        self.tournament: TournamentWindow | None = None
        self._theme = theme_named(settings.theme)
        self._build()
        self._connect()
        self.set_theme(self._theme)
        if play is None:
            self.games.begin(settings.game)
        self.refresh()
        self.notices.remind()

    # Building

    def _build(self) -> None:
        self.setWindowTitle("Gomoku Brain")
        self.setAcceptDrops(True)
        self.actions_ = Actions(self)
        self.board = BoardWidget()
        self.bar = MessageBar()
        self.evaluation = EvaluationBar()
        self.cards = {side: PlayerCard(side) for side in Side}
        self.moves = MoveList()
        self.panel = AnalysisPanel(self.settings.lines)
        self.log = EngineLog(self.play.log)
        self.study = StudyDesk(self.play, self.settings, self.panel)
        self.games = GameStarter(self, self.play, self.settings, lambda: self._theme)
        self.kept = ArchiveDesk(
            self,
            self.play,
            self.settings,
            self.games,
            self._autosave,
            lambda: self._theme,
        )
        self.trainer = Trainer(self.play, self.settings, self.bar, self)
        self.learning = LearningDesk(
            self.play, self.games, self.trainer, self.kept.archive, self
        )
        self.notices = Notices(self, self.play, self.settings, self.bar, self.games)
        self.files = FileDesk(
            self, self.play, self.settings, self.scene, self.games.may_leave_game
        )
        self.tabs = QTabWidget()
        self.tabs.addTab(self.moves, self.tr("Moves"))
        self.tabs.addTab(self.panel, self.tr("Analysis"))
        self.explorer = Explorer(self.kept.archive)
        self.tabs.addTab(self.explorer, self.tr("Explorer"))
        self.tabs.addTab(self.log, self.tr("Log"))
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(6, 0, 0, 6)
        column.addWidget(self.bar)
        beside = QHBoxLayout()
        beside.setSpacing(2)
        beside.addWidget(self.evaluation)
        beside.addWidget(self.board, 1)
        column.addLayout(beside, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(6, 6, 8, 6)
        for card in self.cards.values():
            column.addWidget(card)
        column.addWidget(self.tabs, 1)
        right.setMinimumWidth(PANEL - 20)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setCollapsible(0, False)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)
        self.setCentralWidget(middle)
        self.hint_text = QLabel()
        self.turn_text = QLabel()
        self.statusBar().addWidget(self.hint_text, 1)
        self.statusBar().addPermanentWidget(self.turn_text)
        room = self.screen().availableSize() - FRAME
        self.resize(min(1180, room.width()), min(780, room.height()))
        if self.settings.geometry:
            data = QByteArray.fromBase64(self.settings.geometry.encode())
            self.restoreGeometry(data)
        self.tabs.setCurrentIndex(self.settings.tab)
        self._show_look()
        if self.settings.splitter:
            self.splitter.setSizes(self.settings.splitter)
        self.board.setFocus()
        self._remember = QTimer(self)  # the window's place, once it stays there
        self._remember.setSingleShot(True)
        self._remember.setInterval(REMEMBER_MS)
        self._remember.timeout.connect(self.remember)

    def _connect(self) -> None:
        play, study, files = self.play, self.study, self.files
        games = self.games
        play.changed.connect(self.refresh)
        play.moved.connect(self._stone_placed)
        play.ticked.connect(self._show_clocks)
        study.changed.connect(self._show_board)
        study.judged.connect(self._show_values)
        study.said.connect(self._say)
        files.opened.connect(self.games.show_game)
        games.leaving.connect(self._forget)
        games.failed.connect(self.notices.remind)
        games.resumed.connect(self.notices.say_resumed)
        games.changed.connect(self.refresh)
        files.said.connect(self._say)
        files.failed.connect(self.notices.say_failure)
        kept, notices = self.kept, self.notices
        kept.said.connect(self._say)
        kept.failed.connect(notices.say_unkept)
        kept.damaged.connect(notices.say_damaged)
        notices.retry_wanted.connect(kept.retry)
        study.known_hint = games.level_hint
        learning = self.learning
        study.reviewed.connect(learning.keep_mistakes)
        self.panel.review.learn_wanted.connect(learning.learn)
        learning.said.connect(self._say)
        learning.leaving.connect(kept.flush)
        learning.hint_wanted.connect(study.hint)
        trainer = self.trainer
        trainer.hinted.connect(study.show_hint)
        trainer.line_found.connect(study.show_line)
        self.splitter.splitterMoved.connect(self._keep_widths)
        self.notices.review_wanted.connect(lambda: self._with_panel(study.judge))
        self.tabs.currentChanged.connect(lambda: self._remember.start())
        self.tabs.currentChanged.connect(lambda: self._explore())
        self.explorer.line_shown.connect(study.show_line)
        self.explorer.chosen.connect(self._click)
        self.board.may_place = lambda move: not play.refusal(move)
        self.board.clicked.connect(self._click)
        self.board.pointed.connect(self._point)
        self.board.wheeled.connect(self.step)
        self.moves.chosen.connect(play.look_at)
        self.panel.curve.chosen.connect(self._look_at_ply)
        deeds: dict[str, Callable[[], object]] = {
            "new": games.new_game,
            "restart": games.restart,
            "swap": games.swap_colours,
            "puzzles": games.choose_puzzle,
            "train": self.learning.train,
            "train_mistakes": self.learning.train_mistakes,
            "next_puzzle": self.learning.next_puzzle,
            "learn": self.learning.learn,
            "open": files.open,
            "archive": self.kept.show,
            "save": files.save,
            "picture": files.save_picture,
            "resign": self.resign,
            "quit": self.close,
            "undo": play.undo,
            "redo": play.redo,
            "undo_one": lambda: play.undo(single=True),
            "redo_one": lambda: play.redo(single=True),
            "copy": files.copy,
            "copy_picture": files.copy_picture,
            "paste": files.paste,
            "remove_line": self.remove_line,
            "settings": self.show_settings,
            "first": lambda: self._look_at_ply(0),
            "back": lambda: self.step(-1),
            "forward": lambda: self.step(1),
            "last": lambda: (
                play.look_at(play.tree.node.line()[-1])
                if play.tree.node.children
                else None
            ),
            "hint": self.learning.hint,
            "hurry": play.hurry,
            "pause": self._toggle_pause,
            "tournament": self.show_tournament,
            "programs": self.edit_programs,
            "log": lambda: self.tabs.setCurrentWidget(self.log),
            "free": self._toggle_free,
            "analyze": self._toggle_analysis,
            **{name: partial(self._toggle, name) for name in SWITCHES},
            "larger": lambda: self._zoom(self.settings.zoom + 10),
            "smaller": lambda: self._zoom(self.settings.zoom - 10),
            "normal": lambda: self._zoom(100),
            "full_screen": self._toggle_full_screen,
            "solve": lambda: self._with_panel(study.solve),
            "review": lambda: self._with_panel(study.judge),
            "rules": lambda: help_pages.show_rules(self),
            "usage": lambda: help_pages.show_usage(self),
            "about": lambda: help_pages.show_about(self),
        }
        for name, deed in deeds.items():
            self.actions_[name].triggered.connect(
                lambda checked=False, deed=deed: deed()
            )
        for name in SWITCHES:
            self.actions_[name].setChecked(getattr(self.settings, name))
        self.actions_.levels.triggered.connect(
            lambda action: games.change_level(int(action.data()))
        )

    # Showing

    def set_theme(self, theme: Theme) -> None:
        """Change all colours."""
        self._theme = theme
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setPalette(palette(theme))
        application.setStyleSheet(style(theme))
        self.actions_.set_theme(theme)
        for card in self.cards.values():
            card.set_theme(theme)
        self.moves.set_theme(theme)
        self.evaluation.set_theme(theme)
        self.refresh()

    def refresh(self) -> None:
        """Show everything as it is now."""
        tree = self.play.tree
        set_rows(tree.start.height, self.settings.rows_from_bottom)
        self.study.look()
        if not self.play.free:  # a game from a file has its own names
            tree.names = {side: player_name(self.play, side) for side in Side}
        if self.trainer.lesson is None:
            self.kept.look()
        self._show_board()
        self._show_clocks()
        self._show_state()
        self._show_values()
        self._explore()

    def _explore(self) -> None:
        self.explorer.look(self.play.tree.game())

    def scene(self) -> Scene:
        """What is to be seen on the board."""
        tree, settings = self.play.tree, self.settings
        board = tree.board
        marked = board.rule is Rule.RENJU and settings.forbidden and not tree.ending
        scene = Scene(
            board=board,
            theme=self._theme,
            coordinates=settings.coordinates,
            numbers=tree.numbers() if settings.numbers else {},
            last=tree.node.move,
            winning=tree.winning_line(),
            forbidden=tuple(board.forbidden_moves()) if marked else (),
            rows_from_bottom=settings.rows_from_bottom,
        )
        self.study.decorate(scene)
        return scene

    def _show_board(self) -> None:
        self.board.show_scene(self.scene())

    def _show_clocks(self) -> None:
        play = self.play
        for side, card in self.cards.items():
            left, used = play.left(side), play.used(side)
            text = clock_text(used if left is None else left)
            card.show_clock("" if play.free and not used else text, left is not None)

    def _show_state(self) -> None:
        play, actions = self.play, self.actions_
        ending, turn = play.ending, play.tree.turn
        for side, card in self.cards.items():
            state = ""
            if play.thinking is side:
                state = self.tr("thinking…")
            elif play.paused and side is turn and not play.is_looking_back:
                state = self.tr("paused")
            name = player_name(self.play, side)
            if play.free and any(play.tree.names.values()):
                name = play.tree.names[side] or name
            active = ending is None and side is (play.actor if play.stage else turn)
            card.show_player(name, state, active)
        self.turn_text.setText(turn_text(play))
        self.hint_text.setText(advice_text(play, self.games.puzzle))
        for name, enabled in enabled_actions(play).items():
            actions[name].setEnabled(enabled)
        actions["pause"].setChecked(play.paused and not play.is_looking_back)
        actions["free"].setChecked(play.free)
        actions["analyze"].setChecked(self.study.on)
        strengths = {s.strength for s in play.seats.values() if s.kind == "brain"}
        for action in actions.levels.actions():
            action.setChecked({action.data()} == strengths)

    def _show_values(self) -> None:
        self.study.show_curve(self._theme)
        tree = self.play.tree
        self.moves.show_tree(tree)
        self.panel.review.show_line(tree, tree.node.line(), self.moves.stones)
        chance, ending = tree.node.chance, tree.ending
        if ending is not None:
            chance = {"1-0": 1.0, "0-1": 0.0}.get(ending.result, 0.5)
        self.evaluation.show_chance(chance)

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, MESSAGE_MS)

    def _with_panel(self, deed: Callable[[], None]) -> None:
        self.tabs.setCurrentWidget(self.panel)
        deed()

    def _forget(self) -> None:
        self.study.forget()
        self.trainer.forget()
        self.bar.clear()

    # On the board

    def _click(self, move: Move) -> None:
        if self.trainer.lesson is not None:
            self.trainer.attempt(move)
            return
        refused = self.play.place(move)
        if refused:
            self._say(refusal_text(refused))

    def _point(self, move: Move | None) -> None:
        value = self.study.heat.get(move) if move is not None else None
        if move is None:
            self.statusBar().clearMessage()
        elif value is not None and self.settings.heat:
            share = f"{side_name(self.play.tree.turn)} {100 * value.chance:.0f} %"
            self.statusBar().showMessage(f"{cell_text(move)}: {value}, {share}")
        else:
            self.statusBar().showMessage(cell_text(move), 3000)

    def _stone_placed(self, node: Node) -> None:
        if self.settings.sound:
            QApplication.beep()

    def step(self, moves: int) -> None:
        """Look at an earlier or a later position."""
        node = self.play.tree.node
        for _ in range(abs(moves)):
            following = node.parent if moves < 0 else next(iter(node.children), None)
            node = following or node
        self.play.look_at(node)

    def _look_at_ply(self, ply: int) -> None:
        tree = self.play.tree
        line = [tree.root, *tree.node.line()]
        self.play.look_at(line[min(max(ply, 0), len(line) - 1)])

    def remove_line(self) -> None:
        """Delete the move shown and all that follows."""
        node = self.play.tree.node
        if node.parent is not None:
            self.play.remove_line(node)

    # The course of the game

    def resign(self) -> None:
        """Give up, after a question."""
        answer = ask(
            self,
            self.tr("Resign"),
            self.tr("Give this game up?"),
            [("yes", self.tr("Resign")), ("no", self.tr("Go on playing"))],
        )
        if answer == "yes":
            self.play.resign()

    def _toggle_pause(self) -> None:
        if self.play.paused:
            self.play.resume()
        else:
            self.play.pause()

    def _toggle_free(self) -> None:
        self.play.set_free(not self.play.free)

    # Switches

    def _toggle_analysis(self) -> None:
        self.study.switch(self.actions_["analyze"].isChecked())
        if self.study.on:
            self.tabs.setCurrentWidget(self.panel)

    def _toggle(self, name: str) -> None:
        """A setting with a check mark."""
        value = self.actions_[name].isChecked()
        setattr(self.settings, name, value)
        if name == "heat":
            if value and not self.study.on:
                self.actions_["analyze"].setChecked(True)
                self._toggle_analysis()
            else:
                self.study.switch_heat()
        elif name == "threats":
            self.study.switch_threats()
        elif name == "rows_from_bottom":
            self.refresh()
        self._show_look()
        self._show_board()

    def _show_look(self) -> None:
        """Bar, toolbar and texts as they are set."""
        settings = self.settings
        self.evaluation.setVisible(settings.evaluation)
        shape = Qt.ToolButtonStyle.ToolButtonIconOnly
        if settings.labels:
            shape = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        self.actions_.toolbar.setToolButtonStyle(shape)
        set_zoom(settings.zoom)

    def _zoom(self, percent: int) -> None:
        self.settings.zoom = min(max(percent, 70), 200)
        self._show_look()
        self.set_theme(self._theme)  # style sheets take the new font with it

    # The window itself

    def show_settings(self) -> None:
        """Change what is remembered."""
        dialog = SettingsDialog(self.settings, self)
        if dialog.exec() != SettingsDialog.DialogCode.Accepted:
            return
        language = self.settings.language
        dialog.apply()
        self.study.analyst.configure(self.settings.threads, self.settings.hash_mb)
        self.set_theme(theme_named(self.settings.theme))
        if self.settings.language != language:
            QTimer.singleShot(0, self.language_changed.emit)

    def show_tournament(self) -> None:
        """Engines against engines, in a window of its own."""
        if self.tournament is None:
            self.tournament = TournamentWindow(
                self.settings.programs, self.home, self._theme, self
            )
            self.tournament.game_wanted.connect(self.games.show_game)
        self.tournament.show()
        self.tournament.raise_()

    def edit_programs(self) -> None:
        """Add and remove programs that can take a seat."""
        programs = list(self.settings.programs)
        dialog = ProgramsDialog(programs, self)
        dialog.changed.connect(
            lambda: setattr(self.settings, "programs", list(programs))
        )
        dialog.exec()

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Remember the window's place."""
        super().moveEvent(event)
        self._remember.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the window's size."""
        super().resizeEvent(event)
        self._remember.start()
        QTimer.singleShot(0, self._share_width)

    def showEvent(self, event: QShowEvent) -> None:
        """The keys go to the board from the first one on."""
        super().showEvent(event)
        self.board.setFocus()
        QTimer.singleShot(0, self._share_width)

    def _share_width(self) -> None:
        """The board takes the square that it can fill, the panel all the rest."""
        if self.settings.splitter:
            return  # somebody has chosen otherwise
        width, height = self.splitter.width(), self.board.height()
        beside = self.splitter.sizes()[0] - self.board.width()  # bar and margins
        wanted = height + beside
        left = min(wanted, width - PANEL)
        self.splitter.setSizes([left, width - left])

    def _keep_widths(self) -> None:
        self.settings.splitter = self.splitter.sizes()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A file or a text may be dropped."""
        data = event.mimeData()
        if data.hasText() or any(url.isLocalFile() for url in data.urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file that was dropped, or the game that a text tells."""
        files = [url for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        if files:
            self.files.open_file(Path(files[0].toLocalFile()))
        else:
            self.files.open_text(event.mimeData().text())

    def _may_quit(self) -> bool:
        """Whether the window may close; asks where a game would be lost."""
        if self.kept.is_kept() or not self.play.in_progress:
            return True
        answer = ask(
            self,
            self.tr("A game is in progress"),
            self.tr("This game cannot be kept for the next start. Save it as a file?"),
            [
                ("save", self.tr("Save…")),
                ("quit", self.tr("Quit without it")),
                ("no", self.tr("Go on playing")),
            ],
        )
        if answer == "save":
            self.files.save()
            return not self.play.unsaved
        return answer == "quit"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything; the game comes back at the next start."""
        if not self._may_quit():
            event.ignore()
            return
        self.remember()
        self.study.analyst.rest()
        if self.tournament is not None:
            self.tournament.rest()
        event.accept()
        self.closed.emit()

    def remember(self) -> None:
        """Note the window's place in the settings."""
        self._remember.stop()
        data = self.saveGeometry().toBase64().data()
        settings = self.settings
        settings.geometry = bytes(data).decode("ascii")
        settings.tab = self.tabs.currentIndex()
