"""Tournament window: choice of engines and options, start, pause and results."""

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.foreign_text import shown
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.base.flow_layout import FlowLayout
from gomoku_brain.gui.base.forms import form, is_accepted, open_large, scrolled
from gomoku_brain.gui.base.labels import Label, add_hint, plain_tip
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import reason_name, rule_name, slot_name
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.board.board_widget import BoardWidget
from gomoku_brain.gui.model.game_players import PlayerConfig, spec_of
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.settings import Program
from gomoku_brain.gui.tournament.commands_dialog import CommandsDialog
from gomoku_brain.gui.tournament.tournament_run import (
    TournamentPlan,
    TournamentRun,
    plan_of,
)
from gomoku_brain.levels.ladder import LEVELS
from gomoku_brain.match.referee import GameTask
from gomoku_brain.match.stats import Score
from gomoku_brain.match.tournament import Standings
from gomoku_brain.match.trust import engine_commands, unconfirmed
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.records.openings import has_book

__all__ = ["TournamentWindow"]

OPTIONS_WIDTH = 420  # pixels, the least; wider options scroll
SHOW_MS = 80  # between two updates of a running game
_DATA = Qt.ItemDataRole.UserRole


class TournamentWindow(QDialog):
    """Window of a tournament. ``match`` can read its file of games."""

    game_wanted = Signal(object)
    """A game must be shown on the board. The argument is its ``GameTree``."""

    def __init__(
        self,
        programs: Sequence[Program],
        folder: Path,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show the levels of our brain and the programs. ``folder`` is for files."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Tournament"))
        self.run: TournamentRun | None = None
        self._folder, self._theme = folder, theme
        self._titles: dict[str, str] = {}  # of the levels, whose names are in the file
        self._watched: GameTask | None = None  # the game on the small board
        self._moves: tuple[Move, ...] = ()  # moves of that game
        self._shows = QTimer(self)
        self._shows.setSingleShot(True)
        self._shows.setInterval(SHOW_MS)
        self._shows.timeout.connect(self._show_moves)
        self.engines = QListWidget()
        self.engines.setAccessibleName(self.tr("Engines"))
        for level in reversed(LEVELS):
            slot = PlayerConfig("brain", strength=level.strength)
            self._titles[f"Brain, {level.name}"] = slot_name(slot)
            self._offer(f"Brain, {level.name}", slot)
        self.offer_programs(programs)
        self.rule = QComboBox()
        for rule in Rule:
            self.rule.addItem(rule_name(rule), rule.name)
        self.size_ = QSpinBox()
        self.size_.setRange(5, 22)
        self.size_.setValue(15)
        self.seconds = self._time(1.0, self.tr("no limit"))
        self.match = self._time(0.0, self.tr("no limit"))
        self.match.setToolTip(self.tr("Seconds that each side has for a whole game"))
        self.increment = self._time(0.0, self.tr("none"))
        self.pairs = QSpinBox()
        self.pairs.setRange(1, 1000)
        self.pairs.setValue(10)
        self.openings = QComboBox()
        self.openings.addItem(self.tr("Balanced, from the book"), "tuning")
        self.openings.addItem(self.tr("Balanced, its final part"), "final")
        self.openings.addItem(self.tr("None: the empty board"), "none")
        self.openings.addItem(self.tr("Swap2: by the engines"), "swap2")
        self.gauntlet = QCheckBox(self.tr("The first one against all others"))
        self.at_once = QSpinBox()
        self.at_once.setRange(1, 64)
        self.state = Label()
        self.state.setWordWrap(True)
        # Rich text of a file could load a picture, on Windows from another computer.
        self.progress = QProgressBar()
        self.table = QTableWidget()
        self.table.setAccessibleName(self.tr("Crosstable"))
        self._no_table = add_hint(
            self.table, self.tr("The points and the Elo of each engine stand here.")
        )
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.games = QListWidget()
        self.games.setAccessibleName(self.tr("Games"))
        self._no_games = add_hint(
            self.games,
            self.tr("Finished games. A double click opens one on the large board."),
        )
        self.games.itemActivated.connect(self._show_game)
        self.names = Label()
        self.names.setMinimumWidth(1)  # long names do not widen the window
        self.board = BoardWidget()
        self.board.set_name(self.tr("A running game"))
        self.board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.start_button = QPushButton(self.tr("&Start"))
        self.pause_button = QPushButton(self.tr("&Pause"))
        self.new_button = QPushButton(self.tr("Ne&w"))
        self.new_button.setToolTip(self.tr("Choose engines for another tournament"))
        self.open_button = QPushButton(self.tr("&Open a tournament…"))
        self._arrange()
        self.start_button.clicked.connect(self.start)
        self.pause_button.clicked.connect(self.pause)
        self.new_button.clicked.connect(self.new)
        self.open_button.clicked.connect(self._choose_file)
        self.openings.currentIndexChanged.connect(lambda: self._enable())
        self.match.valueChanged.connect(lambda: self._enable())
        self._clear()
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size, for the table and a board."""
        return QSize(1060, 660)

    def offer_programs(self, programs: Sequence[Program]) -> None:
        """Show the list of programs. The checked ones stay checked."""
        self._programs = programs
        checked = {name for name, slot in self.selected_engines()}
        while self.engines.count() > len(LEVELS):
            self.engines.takeItem(len(LEVELS))
        for each in programs:
            self._offer(each.name, each.player_config)
            if each.name in checked:
                row = self.engines.item(self.engines.count() - 1)
                row.setCheckState(Qt.CheckState.Checked)

    def _offer(self, name: str, slot: PlayerConfig) -> None:
        item = QListWidgetItem(self._title(name))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Unchecked)
        item.setData(_DATA, (name, slot))
        self.engines.addItem(item)

    def _title(self, name: str) -> str:
        """Return the name of an engine in the language of the window."""
        return self._titles.get(name, name)

    def _time(self, value: float, none: str) -> QDoubleSpinBox:
        """Create an input field for seconds, in which ``none`` replaces 0."""
        box = QDoubleSpinBox()
        box.setRange(0, 36000)
        box.setDecimals(2)
        box.setSuffix(self.tr(" s"))
        box.setSpecialValueText(none)
        box.setValue(value)
        return box

    def _arrange(self) -> None:
        rows = form()
        rows.addRow(self.tr("&Rule:"), self.rule)
        rows.addRow(self.tr("Si&ze:"), self.size_)
        rows.addRow(self.tr("Per &move:"), self.seconds)
        rows.addRow(self.tr("Per gam&e:"), self.match)
        rows.addRow(self.tr("&Added per move:"), self.increment)
        rows.addRow(self.tr("Pairs of &games:"), self.pairs)
        rows.addRow(self.tr("Ope&nings:"), self.openings)
        rows.addRow(self.tr("Games at &once:"), self.at_once)
        rows.addRow("", self.gauntlet)
        options = QWidget()
        left = QVBoxLayout(options)
        left.setContentsMargins(0, 0, 0, 0)
        left.addWidget(Label(self.tr("Engines (two or more):")))
        left.addWidget(self.engines, 1)
        left.addLayout(rows)
        buttons = FlowLayout()
        for button in (
            self.open_button,
            self.new_button,
            self.pause_button,
            self.start_button,
        ):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        lower = QHBoxLayout()
        self.games.setMinimumWidth(150)  # fits the players and the result of a game
        lower.addWidget(self.games, 1)
        watched = QVBoxLayout()
        watched.addWidget(self.names)
        watched.addWidget(self.board, 1)
        lower.addLayout(watched, 1)
        right = QVBoxLayout()
        right.addWidget(self.state)
        right.addWidget(self.progress)
        right.addWidget(self.table, 1)
        right.addLayout(lower, 2)
        row = QHBoxLayout(self)
        column = QVBoxLayout()
        column.addWidget(scrolled(options, minimum=OPTIONS_WIDTH), 1)
        column.addLayout(buttons)
        row.addLayout(column, 2)
        row.addLayout(right, 3)

    def set_theme(self, theme: Theme) -> None:
        """Draw the board in the colours of another theme."""
        self._theme = theme
        self.board.show_scene(replace(self.board.scene, theme=theme))

    # Options

    def selected_engines(self) -> tuple[tuple[str, PlayerConfig], ...]:
        """Return the selected engines with their names."""
        rows = [self.engines.item(k) for k in range(self.engines.count())]
        return tuple(
            row.data(_DATA) for row in rows if row.checkState() == Qt.CheckState.Checked
        )

    def plan(self) -> TournamentPlan:
        """Return the chosen options."""
        size = self.size_.value()
        openings = str(self.openings.currentData())
        swap2 = openings == "swap2"
        rule = Rule[self.rule.currentData()]
        if swap2 or not has_book(rule, size):
            openings = "none"
        return TournamentPlan(
            engines=tuple((name, slot) for name, slot in self.selected_engines()),
            rule=rule,
            size=size,
            seconds=self.seconds.value(),
            match=self.match.value(),
            increment=self.increment.value(),
            pairs=1 if openings == "none" and not swap2 else self.pairs.value(),
            openings=openings,
            swap2=swap2,
            gauntlet=self.gauntlet.isChecked(),
        )

    # Playing

    def start(self) -> None:
        """Start the chosen tournament, or continue the paused one."""
        if self.run is None:
            number = 1
            while (path := self._folder / f"tournament-{number}.jsonl").exists():
                number += 1
            if not self._take(self.plan, path):
                return
        assert self.run is not None
        if self._may_run(self.run):
            self.run.start(self.at_once.value())
            self._show()

    def _may_run(self, run: TournamentRun) -> bool:
        """Whether the user named all programs of the tournament, or confirms them."""
        own = []
        for program in self._programs:
            with contextlib.suppress(ValueError):  # of an invalid command
                own.append(spec_of(program.player_config))
        named = engine_commands(own)
        unknown = [line for line in unconfirmed(run.commands) if line not in named]
        if not (run.plan.players and unknown):
            return True
        return is_accepted(CommandsDialog(run.path, unknown, self))

    def new(self) -> None:
        """Enable the options for another tournament, with the last values."""
        if self.run is None or self.run.is_playing:
            return
        self._detach()
        self._clear()
        self.engines.setFocus()

    def _clear(self) -> None:
        """Show a window without a tournament, with the use of its parts."""
        self._watched, self._moves = None, ()
        self.games.clear()
        self.table.setRowCount(0)
        self.table.setColumnCount(0)
        self.progress.hide()
        self.state.setText(self.tr("Choose the engines, then press Start."))
        self.names.setText(self.tr("A running game is shown here."))
        self.board.show_scene(Scene(theme=self._theme, coordinates=False))
        self._enable()

    def _detach(self) -> None:
        """Drop the run. Its signals no longer reach the window."""
        run, self.run = self.run, None
        if run is not None:
            run.disconnect(self)
            run.deleteLater()

    def open_file(self, path: Path) -> bool:
        """Show a tournament of this window or of ``match``. Start continues it."""
        return self._take(lambda: plan_of(path), path)

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Open a tournament"),
            str(self._folder),
            self.tr("Games of a tournament (*.jsonl);;All (*)"),
        )
        if name:
            self.open_file(Path(name))

    def _take(self, plan: Callable[[], TournamentPlan], path: Path) -> bool:
        try:
            run = TournamentRun(plan(), path, self)
        except (ValueError, OSError) as error:
            self.state.setText(str(error))
            return False
        self.run = run
        run.game_ended.connect(self._take_game)
        run.moved.connect(self._take_move)
        run.stopped.connect(self._show)
        run.failed.connect(self._show_failure)
        self.games.clear()
        for record in run.match.games.records:
            self._list(record)
        self._show()
        return True

    def pause(self) -> None:
        """Pause. The running games are played again later."""
        if self.run is not None:
            self.run.pause()
            self.state.setText(self.tr("Pausing…"))

    def rest(self) -> None:
        """Stop the tournament at the end of the program."""
        if self.run is not None:
            self.run.pause()
            self.run.wait(5.0)

    def _show_failure(self, text: str) -> None:
        self._show()
        self.state.setText(text)

    # Display

    def _take_game(self, record: GameRecord) -> None:
        self._list(record)
        self._watched = None
        self._show()

    def _list(self, record: GameRecord) -> None:
        names = self._title(record.black), self._title(record.white)
        record = replace(record, black=names[0], white=names[1])
        reason = reason_name(record.reason)
        text = f"{record.result}  {record.black} - {record.white}  ({reason})"
        item = QListWidgetItem(shown(text))
        item.setData(_DATA, record)
        item.setToolTip(plain_tip(record.detail))
        self.games.insertItem(0, item)
        self._no_games.hide()

    def _take_move(self, game: GameTask, moves: tuple[Move, ...]) -> None:
        """Show the moves of one running game until it ends."""
        if self._watched in (None, game):
            self._watched, self._moves = game, moves
            names = (self._title(each.name) for each in (game.black, game.white))
            self.names.setText(self.tr("Black: {0}\nWhite: {1}").format(*names))
            if not self._shows.isActive():
                self._shows.start()

    def _show_moves(self) -> None:
        """Update the board at intervals, because fast engines move too often."""
        if self.run is not None and self.isVisible():
            plan, moves = self.run.plan, self._moves
            self.board.show_scene(
                Scene(
                    board=Board.from_moves(moves, plan.size, plan.rule),
                    theme=self._theme,
                    coordinates=False,
                    last=moves[-1] if moves else None,
                )
            )

    def _show_game(self, item: QListWidgetItem) -> None:
        self.game_wanted.emit(GameTree(Game.from_record(item.data(_DATA))))

    def _show(self) -> None:
        """Update state, progress and table."""
        self._enable()
        run = self.run
        if run is None:
            return
        match = run.match
        done = len(match.games.records)
        self.progress.show()
        self.progress.setRange(0, match.total)
        self.progress.setValue(done)
        if run.is_playing:
            text = self.tr("Playing: {0} of {1} games")
        elif match.is_over:
            text = self.tr("Finished: {0} of {1} games")
        else:
            text = self.tr("Paused: {0} of {1} games")
        text = text.format(done, match.total) + f"  ·  {run.path}"
        if run.memory_error:
            text += "\n" + self.tr("The programs are not remembered: {0}").format(
                run.memory_error
            )
        self.state.setText(text)
        self._fill(match.standings)

    def _enable(self) -> None:
        run = self.run
        playing = run is not None and run.is_playing
        over = run is not None and run.match.is_over
        self.start_button.setEnabled(not playing and not over)
        label = self.tr("&Start") if run is None else self.tr("&Continue")
        self.start_button.setText(label)
        self.pause_button.setEnabled(playing)
        self.open_button.setEnabled(not playing)
        self.new_button.setEnabled(run is not None and not playing)
        for part in (
            self.engines,
            self.rule,
            self.size_,
            self.seconds,
            self.match,
            self.increment,
            self.pairs,
            self.openings,
            self.gauntlet,
        ):
            part.setEnabled(run is None)
        self._no_table.setVisible(run is None)
        self._no_games.setVisible(self.games.count() == 0)
        if run is None:
            self.increment.setEnabled(self.match.value() > 0)
            self.pairs.setEnabled(self.openings.currentData() != "none")

    def _fill(self, standings: Standings) -> None:
        """Show the crosstable, the strongest engine first."""
        ratings = standings.ratings()
        names = [row.name for row in ratings]
        titled = [shown(self._title(name)) for name in names]
        scores: dict[tuple[str, str], Score] = {}
        for each in standings.encounters:
            scores[each.first, each.second] = each.score
            scores[each.second, each.first] = each.score.swapped()
        titles = [self.tr("Elo"), self.tr("Points"), self.tr("Games"), *titled]
        self.table.setColumnCount(len(titles))
        self.table.setRowCount(len(names))
        self.table.setHorizontalHeaderLabels(titles)
        self.table.setVerticalHeaderLabels(titled)
        for k, rating in enumerate(ratings):
            known = not math.isnan(rating.elo.value)
            elo = rating.elo.text(0).replace("+/-", "±") if known else ""
            words = [elo, f"{rating.score.points:g}", str(rating.score.games)]
            for other in names:
                score = scores.get((rating.name, other))
                words.append("" if score is None else str(score))
            for column, word in enumerate(words):
                cell = QTableWidgetItem(word)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                self.table.setItem(k, column, cell)
        self.table.resizeColumnsToContents()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide the window. The games continue, and the menu shows it again."""
        self.hide()
        event.ignore()

    def reject(self) -> None:
        """Hide the window on Escape."""
        self.hide()
