"""The window: the board, the two players, what can be done and what is to be seen."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMessageBox,
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
from gomoku_brain.gui.board_painter import Scene
from gomoku_brain.gui.board_widget import BoardWidget
from gomoku_brain.gui.engine_log import EngineLog
from gomoku_brain.gui.file_desk import FileDesk
from gomoku_brain.gui.game_tree import Ending, GameTree, Node
from gomoku_brain.gui.messages import MessageBar, ask, tell
from gomoku_brain.gui.move_list import MoveList
from gomoku_brain.gui.new_game_dialog import NewGameDialog
from gomoku_brain.gui.play import Play, Terms
from gomoku_brain.gui.player_card import PlayerCard
from gomoku_brain.gui.programs_dialog import ProgramsDialog
from gomoku_brain.gui.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.saved_game import Autosave
from gomoku_brain.gui.seats import PlayerFault, Seat
from gomoku_brain.gui.settings import GameChoice, Settings
from gomoku_brain.gui.settings_dialog import SettingsDialog
from gomoku_brain.gui.study_desk import StudyDesk
from gomoku_brain.gui.themes import Theme, palette, style, theme_named
from gomoku_brain.gui.words import (
    clock_text,
    ending_text,
    refusal_text,
    rule_name,
    seat_name,
    side_name,
)
from gomoku_brain.search.limits import FULL_STRENGTH
from gomoku_brain.study.puzzles import Puzzle, puzzle_levels
from gomoku_brain.study.reader import Game

__all__ = ["Window"]

PUZZLE_SECONDS = 2.0  # a move of the defence
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
        self.autosave = autosave
        self.play = play or Play()
        self.puzzle: Puzzle | None = None
        self._theme = theme_named(settings.theme)
        self._build()
        self._connect()
        self.set_theme(self._theme)
        if play is None:
            self.begin(settings.game)
        self.refresh()
        self._remind()

    # Building

    def _build(self) -> None:
        self.setWindowTitle("Gomoku Brain")
        self.actions_ = Actions(self)
        self.board = BoardWidget()
        self.bar = MessageBar()
        self.cards = {side: PlayerCard(side) for side in Side}
        self.moves = MoveList()
        self.panel = AnalysisPanel(self.settings.lines)
        self.log = EngineLog(self.play.log)
        self.study = StudyDesk(self.play, self.settings, self.panel)
        self.files = FileDesk(
            self, self.play, self.settings, self.scene, self.may_leave_game
        )
        self.tabs = QTabWidget()
        self.tabs.addTab(self.moves, self.tr("Moves"))
        self.tabs.addTab(self.panel, self.tr("Analysis"))
        self.tabs.addTab(self.log, self.tr("Log"))
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(6, 0, 0, 6)
        column.addWidget(self.bar)
        column.addWidget(self.board, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(6, 6, 8, 6)
        for card in self.cards.values():
            column.addWidget(card)
        column.addWidget(self.tabs, 1)
        right.setMinimumWidth(300)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([720, 360])
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)
        self.setCentralWidget(middle)
        self.hint_text = QLabel()
        self.turn_text = QLabel()
        self.statusBar().addWidget(self.hint_text, 1)
        self.statusBar().addPermanentWidget(self.turn_text)
        self.resize(1120, 820)
        if self.settings.geometry:
            data = QByteArray.fromBase64(self.settings.geometry.encode())
            self.restoreGeometry(data)
        self.board.setFocus()

    def _connect(self) -> None:
        play, study, files = self.play, self.study, self.files
        play.changed.connect(self.refresh)
        play.moved.connect(self._stone_placed)
        play.over.connect(self._show_ending)
        play.faulty.connect(self._show_fault)
        play.choice_wanted.connect(self._offer_colours)
        play.ticked.connect(self._show_clocks)
        study.changed.connect(self._show_board)
        study.judged.connect(self._show_values)
        study.said.connect(self._say)
        files.opened.connect(self.show_game)
        files.said.connect(self._say)
        self.board.may_place = lambda move: not play.refusal(move)
        self.board.clicked.connect(self._click)
        self.board.pointed.connect(self._point)
        self.board.wheeled.connect(self.step)
        self.moves.chosen.connect(play.look_at)
        self.panel.curve.chosen.connect(self._look_at_ply)
        deeds: dict[str, Callable[[], object]] = {
            "new": self.new_game,
            "restart": self.restart,
            "swap": self.swap_colours,
            "puzzles": self.choose_puzzle,
            "open": files.open,
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
            "hint": study.hint,
            "hurry": play.hurry,
            "pause": self._toggle_pause,
            "programs": self.edit_programs,
            "log": lambda: self.tabs.setCurrentWidget(self.log),
            "free": self._toggle_free,
            "analyze": self._toggle_analysis,
            "heat": lambda: self._toggle("heat"),
            "threats": lambda: self._toggle("threats"),
            "numbers": lambda: self._toggle("numbers"),
            "coordinates": lambda: self._toggle("coordinates"),
            "forbidden": lambda: self._toggle("forbidden"),
            "sound": lambda: self._toggle("sound"),
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
        for name in ("heat", "threats", "numbers", "coordinates", "forbidden", "sound"):
            self.actions_[name].setChecked(getattr(self.settings, name))
        self.actions_.levels.triggered.connect(
            lambda action: self.change_level(int(action.data()))
        )

    # Beginning games

    def may_leave_game(self, question: str) -> bool:
        """Whether the game in progress may be lost; asks, if there is one."""
        if not self.play.in_progress:
            return True
        choices = [("yes", self.tr("Leave the game")), ("no", self.tr("Go on playing"))]
        return ask(self, self.tr("A game is in progress"), question, choices) == "yes"

    def begin(self, choice: GameChoice, start: Game | None = None) -> bool:
        """Begin a game as chosen; whether it could be begun."""
        terms = choice.terms(self.settings.threads, self.settings.hash_mb)
        puzzle = self.puzzle
        try:
            self._forget()
            self.puzzle = None
            self.play.begin(terms, start or choice.start)
        except ValueError as error:
            self.puzzle = puzzle
            self._remind()
            tell(self, self.tr("The game cannot be begun"), str(error))
            return False
        return True

    def new_game(self) -> None:
        """Ask what to play, and begin."""
        dialog = NewGameDialog(self.settings.game, self.settings.programs, self)
        if dialog.exec() != NewGameDialog.DialogCode.Accepted:
            return
        if self.may_leave_game(self.tr("Begin a new game and lose this one?")):
            self.settings.game = dialog.choice()
            self.begin(self.settings.game)

    def restart(self) -> None:
        """The same game from its beginning."""
        if not self.may_leave_game(self.tr("Begin this game anew?")):
            return
        if self.puzzle is not None:
            self.begin_puzzle(self.puzzle)
        else:
            self.begin(self.settings.game)

    def swap_colours(self) -> None:
        """A new game with the other colours."""
        if self.may_leave_game(self.tr("Begin a new game and lose this one?")):
            old = self.settings.game
            self.settings.game = replace(old, black=old.white, white=old.black)
            self.begin(self.settings.game)

    def change_level(self, strength: int) -> None:
        """Another strength of our brain, in a new game or in this one."""
        answer = "new"
        if self.play.in_progress:
            choices = [
                ("new", self.tr("New game")),
                ("keep", self.tr("Change it in this game")),
                ("cancel", self.tr("Cancel")),
            ]
            if all(seat.kind != "brain" for seat in self.play.seats.values()):
                del choices[1]
            answer = ask(
                self,
                self.tr("A game is in progress"),
                self.tr("Begin a new game at this level, or change the level in it?"),
                choices,
            )
        game = self.settings.game
        if answer == "cancel":
            self.refresh()
            return
        brains = [side for side in Side if game.seat(side).kind == "brain"]
        for side in brains or [Side.WHITE]:
            seat = Seat("brain", strength=strength)
            name = "black" if side is Side.BLACK else "white"
            game = replace(game, **{name: seat})  # type: ignore[arg-type]
        self.settings.game = game
        if answer == "new":
            self.begin(game)
        else:
            for side in Side:
                if self.play.seats[side].kind == "brain":
                    self.play.set_seat(side, Seat("brain", strength=strength))

    def choose_puzzle(self) -> None:
        """Show the 20 levels and play one."""
        dialog = PuzzlesDialog(puzzle_levels(), self.settings.solved, self._theme, self)
        if dialog.exec() != PuzzlesDialog.DialogCode.Accepted or not dialog.chosen:
            return
        if self.may_leave_game(self.tr("Leave this game for the puzzle?")):
            self.begin_puzzle(dialog.chosen)

    def begin_puzzle(self, puzzle: Puzzle) -> None:
        """A person attacks with black, the program defends."""
        board = puzzle.board
        sides = {
            side: tuple(m for m in board.moves if board.stone(m) is side)
            for side in Side
        }
        start = Game(
            board.rule,
            board.width,
            board.height,
            sides[Side.BLACK],
            sides[Side.WHITE],
            first=Side.BLACK,
        )
        choice = GameChoice(
            black=Seat(),
            white=Seat("brain", strength=FULL_STRENGTH),
            turn=PUZZLE_SECONDS,
        )
        if self.begin(choice, start):
            self.puzzle = puzzle
            self.refresh()

    def show_game(self, tree: GameTree) -> None:
        """Study a game from a file or the clipboard."""
        self._forget()
        self.puzzle = None
        self.play.study(tree)

    def adopt(self, tree: GameTree, terms: Terms) -> None:
        """Go on with a saved game; paused until somebody says so."""
        self._forget()
        try:
            self.play.adopt(terms, tree)
        except ValueError:  # a player that cannot be called any more
            self.play.study(tree)
        self.bar.show_message(
            self.tr("The last game was interrupted; here it is again."),
            (self.tr("Go on"), self._go_on),
        )

    def _go_on(self) -> None:
        if self.play.paused:
            self.play.resume()

    def _player_name(self, side: Side) -> str:
        seats = self.play.seats
        if seats[side].kind == "human" and seats[side.other].kind == "human":
            return seats[side].name or side_name(side)
        return seat_name(seats[side])

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
        self.refresh()

    def refresh(self) -> None:
        """Show everything as it is now."""
        tree = self.play.tree
        self.study.look()
        if not self.play.free:  # a game from a file has its own names
            tree.names = {side: self._player_name(side) for side in Side}
        if not self.play.stage.startswith("choose") and not self.play.fault:
            self._clear_stale_bar()
        self._show_board()
        self._show_clocks()
        self._show_state()
        self._show_values()
        if self.autosave is not None:
            self.autosave.keep(tree, self._terms_now())

    def _terms_now(self) -> Terms:
        seats = self.play.seats
        return replace(
            self.play.terms,
            black=seats[Side.BLACK],
            white=seats[Side.WHITE],
            swap2=False,
        )

    def _clear_stale_bar(self) -> None:
        if self.bar.buttons and not self.play.paused:
            self.bar.clear()

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
            card.time.setText("" if play.free and not used else text)

    def _show_state(self) -> None:
        play, actions = self.play, self.actions_
        ending, turn = play.ending, play.tree.turn
        for side, card in self.cards.items():
            state = ""
            if play.thinking is side:
                state = self.tr("thinking…")
            elif play.paused and side is turn:
                state = self.tr("paused")
            name = self._player_name(side)
            if play.free and any(play.tree.names.values()):
                name = play.tree.names[side] or name
            active = ending is None and side is (play.actor if play.stage else turn)
            card.show_player(name, state, active)
        self.turn_text.setText(self._turn_words())
        self._show_hint_text()
        tree = play.tree
        engine_plays = any(play.seats[s].kind != "human" for s in Side)
        movable = not play.stage
        for name, enabled in {
            "undo": tree.ply > 0 and movable,
            "undo_one": tree.ply > 0 and movable,
            "redo": not tree.is_at_end and movable,
            "redo_one": not tree.is_at_end and movable,
            "first": tree.ply > 0 and movable,
            "back": tree.ply > 0 and movable,
            "forward": not tree.is_at_end and movable,
            "last": not tree.is_at_end and movable,
            "remove_line": tree.ply > 0 and movable,
            "resign": (
                ending is None and not play.free and bool(play.people) and movable
            ),
            "hint": play.waits_for_person and movable,
            "hurry": play.can_hurry,
            "pause": ending is None and not play.free,
            "swap": engine_plays,
            "review": tree.ply > 0,
        }.items():
            actions[name].setEnabled(enabled)
        actions["pause"].setChecked(play.paused)
        actions["free"].setChecked(play.free)
        actions["analyze"].setChecked(self.study.on)
        strengths = {s.strength for s in play.seats.values() if s.kind == "brain"}
        for action in actions.levels.actions():
            action.setChecked({action.data()} == strengths)

    def _turn_words(self) -> str:
        play = self.play
        rule = rule_name(play.tree.start.rule)
        if play.ending is not None:
            return f"{rule}  ·  {ending_text(play.ending)}"
        mover = self.tr("{0} to move").format(side_name(play.tree.turn))
        number = self.tr("move {0}").format(play.tree.ply + 1)
        return f"{rule}  ·  {number}  ·  {mover}"

    def _show_hint_text(self) -> None:
        play = self.play
        if play.ending is not None:
            text = self.tr("Step back to study the game, or begin a new one.")
        elif play.free:
            text = self.tr("Study board: move both sides; every line is kept.")
        elif play.reviewing:
            text = self.tr(
                "Paused to look. Play here for a new line, or go on (Ctrl+P)."
            )
        elif play.paused:
            text = self.tr("Paused. Go on with Ctrl+P.")
        elif play.stage == "place three":
            text = self.tr("Swap2: place three stones: black, white, black.")
        elif play.stage == "place two":
            text = self.tr("Swap2: place two more stones: white, black.")
        elif play.stage:
            text = self.tr("Swap2: a colour is being chosen.")
        elif self.puzzle is not None:
            text = self.tr("Puzzle {0}: black to move wins in {1}.").format(
                self.puzzle.number, self.puzzle.plies
            )
        elif play.waits_for_person:
            text = self.tr("Your move: click, or use the arrow keys and Enter.")
        else:
            name = self._player_name(play.actor)
            text = self.tr("{0} is thinking…").format(name)
        self.hint_text.setText(text)

    def _show_values(self) -> None:
        self.study.show_curve(self._theme)
        self.moves.show_tree(self.play.tree)

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, MESSAGE_MS)

    def _with_panel(self, deed: Callable[[], None]) -> None:
        self.tabs.setCurrentWidget(self.panel)
        deed()

    def _forget(self) -> None:
        self.study.forget()
        self.bar.clear()

    # On the board

    def _click(self, move: Move) -> None:
        refused = self.play.place(move)
        if refused:
            self._say(refusal_text(refused))

    def _point(self, move: Move | None) -> None:
        value = self.study.heat.get(move) if move is not None else None
        if move is None:
            self.statusBar().clearMessage()
        elif value is not None and self.settings.heat:
            self.statusBar().showMessage(f"{move}: {value}, {100 * value.chance:.0f} %")
        else:
            self.statusBar().showMessage(str(move), 3000)

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

    def _show_ending(self, ending: Ending) -> None:
        puzzle = self.puzzle
        if puzzle is not None and ending.winner is Side.BLACK:
            self.settings.solved = sorted({*self.settings.solved, puzzle.number})
        box = QMessageBox(self)
        box.setObjectName("ending")
        box.setWindowTitle(self.tr("The game is over"))
        box.setText(self._ending_words(ending))
        if ending.detail and ending.reason not in ("foul",):
            box.setInformativeText(ending.detail)
        role = QMessageBox.ButtonRole.ActionRole
        again = box.addButton(self.tr("Play again"), role)
        again.setObjectName("again")
        if puzzle is not None:
            more = box.addButton(self.tr("Next puzzle"), role)
            more.clicked.connect(self._next_puzzle)
        else:
            more = box.addButton(self.tr("Swap colours"), role)
            more.clicked.connect(self.swap_colours)
        more.setObjectName("more")
        study = box.addButton(
            self.tr("Look at the game"), QMessageBox.ButtonRole.RejectRole
        )
        study.setObjectName("study")
        again.clicked.connect(self.restart)
        box.setDefaultButton(study)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _ending_words(self, ending: Ending) -> str:
        text = ending_text(ending)
        if self.puzzle is not None:
            won = ending.winner is Side.BLACK
            solved = self.tr("Puzzle {0} is solved.").format(self.puzzle.number)
            return solved if won else self.tr("Not this time. {0}").format(text)
        winner = ending.winner
        if winner is None or self._player_name(winner) == side_name(winner):
            return text
        name = self.tr("Winner: {0}").format(self._player_name(winner))
        return f"{text}\n{name}"

    def _next_puzzle(self) -> None:
        if self.puzzle is not None:
            levels = puzzle_levels()
            self.begin_puzzle(levels[self.puzzle.number % len(levels)])

    def _show_fault(self, side: Side, fault: PlayerFault) -> None:
        words = self.tr("{0} ({1}): {2}").format(
            self._player_name(side), side_name(side), fault
        )
        if fault.last_words:
            words += f"\n{fault.last_words}"
        self.bar.show_message(
            words,
            (self.tr("Try again"), self.play.resume),
            (self.tr("Our brain takes over"), lambda: self._replace(side, "brain")),
            (self.tr("I take over"), lambda: self._replace(side, "human")),
            (self.tr("Count as a loss"), self.play.forfeit),
        )

    def _remind(self) -> None:
        """Say again what the game waits for."""
        if self.play.fault is not None:
            self._show_fault(*self.play.fault)
        elif self.play.stage.startswith("choose") and self.play.waits_for_person:
            self._offer_colours()

    def _replace(self, side: Side, kind: str) -> None:
        self.play.set_seat(side, Seat("brain" if kind == "brain" else "human"))
        self.play.resume()

    def _offer_colours(self) -> None:
        choose = self.play.choose_colour
        offers = [
            (self.tr("Take black"), lambda: choose("black")),
            (self.tr("Stay white"), lambda: choose("white")),
        ]
        if self.play.stage == "choose after three":
            offers.append((self.tr("Add two stones"), lambda: choose("two")))
        self.bar.show_message(self.tr("Swap2: which colour do you take?"), *offers)

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
        self._show_board()

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

    def edit_programs(self) -> None:
        """Add and remove programs that can take a seat."""
        ProgramsDialog(self.settings.programs, self).exec()

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before a game is lost; then stop everything."""
        if not self.may_leave_game(self.tr("Quit and lose this game?")):
            event.ignore()
            return
        self.remember()
        self.study.analyst.rest()
        event.accept()
        self.closed.emit()

    def remember(self) -> None:
        """Note the window's place in the settings."""
        data = self.saveGeometry().toBase64().data()
        self.settings.geometry = bytes(data).decode("ascii")
