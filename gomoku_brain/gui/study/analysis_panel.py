"""Panel of the analysis: best lines, winning chances of the game, and threats."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.control.limits import SearchInfo, SolveResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.flow_layout import FlowLayout
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.themes import fixed_font
from gomoku_brain.gui.base.words import (
    chance_text,
    kind_name,
    line_text,
    moves_text,
    side_name,
    span_text,
)
from gomoku_brain.gui.model.program_analysis import ProgramLine
from gomoku_brain.gui.study.review_list import ReviewList
from gomoku_brain.gui.study.score_curve import ScoreCurve
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import PositionThreats

__all__ = ["AnalysisPanel", "count_text"]

PROGRESS_STEPS = 1000  # of the bar of a review
CELL_MARGIN = 4  # pixels around a text in the list
_PV = Qt.ItemDataRole.UserRole


def count_text(count: float) -> str:
    """Format a number of nodes briefly: 950, 12.3 k, 4.5 M."""
    for unit, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if count >= unit:
            return f"{count / unit:.1f}{sign}"
    return f"{count:.0f}"


class AnalysisPanel(QWidget):
    """Display of the results of an ``Analyst``."""

    line_shown = Signal(object)
    """A line was selected. The argument is its moves, () for none."""
    line_wanted = Signal(object)
    """A line was activated, to be played as a variation."""
    lines_wanted = Signal(int)
    """The user changed the number of lines."""
    analyst_wanted = Signal(str)
    """The user chose who analyses. The argument is the name of a program, "" for our
    brain."""

    def __init__(self, lines: int) -> None:
        """Create an empty panel."""
        super().__init__()
        self.state = Label(self.tr("Analysis is off"))
        self.state.setWordWrap(True)
        self.state.setObjectName("muted")
        self.count = QSpinBox()
        self.count.setRange(1, 10)
        self.count.setValue(lines)
        self.count.setAccessibleName(self.tr("Lines"))
        self.count.valueChanged.connect(self.lines_wanted)
        self.analyst = QComboBox()
        self.analyst.setAccessibleName(self.tr("Analysis engine"))
        self.analyst.setToolTip(
            self.tr(
                "The engine that searches for the best lines. The heat map, hints,"
                " forced wins and reviews always come from our brain."
            )
        )
        self.analyst.activated.connect(self._choose_analyst)
        self.table = QTreeWidget()
        self.table.setRootIsDecorated(False)
        self.table.setColumnCount(2)
        self.table.setHeaderLabels([self.tr("Value"), self.tr("Line")])
        self.table.setAccessibleName(self.tr("Best lines"))
        self.table.setMinimumHeight(64)
        self.table.setWordWrap(True)
        self.table.setAllColumnsShowFocus(True)
        self.table.setMouseTracking(True)
        self.table.viewport().installEventFilter(self)
        self.table.itemEntered.connect(self._hover_line)
        self.table.itemSelectionChanged.connect(self._show_line)
        self.table.itemActivated.connect(self._want_line)
        self._wraps = QTimer(self)  # runs after the columns have their new widths
        self._wraps.setSingleShot(True)
        self._wraps.setInterval(0)
        self._wraps.timeout.connect(self._wrap_lines)
        self.table.header().sectionResized.connect(lambda: self._wraps.start())
        self.table.hide()
        self.spare = QWidget()
        """Empty space that limits the height of the curve."""
        self.review = ReviewList()
        self.curve = ScoreCurve()
        self.progress = QProgressBar()
        self.progress.hide()
        self.solve_button = QPushButton(self.tr("Find a forced win"))
        self.review_button = QPushButton(self.tr("Judge the whole game"))
        self.finding = Label()
        self.finding.setWordWrap(True)
        self.finding.hide()
        self.threats = Label()
        self.threats.setWordWrap(True)
        self.threats.setAccessibleName(self.tr("Threats"))
        self.threats.hide()
        self.threats.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._arrange()

    def set_fonts(self) -> None:
        """Adapt the lines to the size of all texts."""
        self.table.setFont(fixed_font())
        self.table.header().setFont(fixed_font())

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.analyst, 1)
        lines = Label(self.tr("Lines:"))
        lines.setBuddy(self.count)
        head.addWidget(lines)
        head.addWidget(self.count)
        buttons = FlowLayout()  # with large texts below each other
        buttons.addWidget(self.solve_button)
        buttons.addWidget(self.review_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addLayout(head)
        column.addWidget(self.state)
        column.addWidget(self.table, 2)
        column.addWidget(self.spare, 2)
        column.addWidget(self.review, 2)
        column.addWidget(self.curve, 1)
        column.addWidget(self.progress)
        column.addLayout(buttons)
        column.addWidget(self.finding)
        column.addWidget(self.threats)

    # Display

    def show_lists(self, searching: bool) -> None:
        """Show the best lines only during a search."""
        self.table.setVisible(searching)
        self.spare.setVisible(not searching and self.review.isHidden())

    def show_state(self, text: str) -> None:
        """Show the state of the analysis."""
        self.state.setText(text)

    def offer_analysts(self, names: Sequence[str], chosen: str) -> None:
        """Show our brain and the programs as choices, and select one."""
        self.analyst.clear()
        self.analyst.addItem("Gomoku Brain", "")
        for name in names:
            self.analyst.addItem(name, name)
        self.analyst.setCurrentIndex(max(self.analyst.findData(chosen), 0))
        self._show_count()

    def _choose_analyst(self) -> None:
        self._show_count()
        self.analyst_wanted.emit(str(self.analyst.currentData()))

    def _show_count(self) -> None:
        """Enable the number of lines for our brain only. Programs report one line."""
        self.count.setEnabled(not self.analyst.currentData())

    def clear(self) -> None:
        """Remove the results of the last position."""
        self.table.clear()
        self.finding.hide()

    def show_lines(self, lines: Sequence[SearchInfo], turn: Side) -> None:
        """Show the best lines for the side to move."""
        if not lines:
            return
        top = lines[0]
        speed = sum(line.nodes for line in lines[:1]) / max(top.time, 1e-3)
        self.state.setText(
            self.tr(
                "{side} to move, depth {depth}-{seldepth}, {nodes} nodes, {speed}/s"
            )
            .replace("{side}", side_name(turn))
            .replace("{depth}", str(top.depth))
            .replace("{seldepth}", str(max(line.seldepth for line in lines)))
            .replace("{nodes}", count_text(max(line.nodes for line in lines)))
            .replace("{speed}", count_text(speed))
        )
        rows = []
        for line in lines:
            value = Value.of(line)
            rows.append((chance_text(value, turn), line.pv))
        self._fill(rows)

    def show_program(self, found: ProgramLine, turn: Side) -> None:
        """Show the analysis of a program, with scores in its own units."""
        figures = found.figures
        words = [self.tr("{0} to move").format(side_name(turn))]
        if figures.depth is not None:
            words.append(self.tr("depth {0}").format(figures.depth))
        if figures.nodes is not None:
            words.append(self.tr("{0} nodes").format(count_text(figures.nodes)))
        words.append(self.tr("{0} s").format(f"{found.seconds:.0f}"))
        self.state.setText(f"{found.program}: {', '.join(words)}")
        if found.line:
            text = "-" if figures.score is None else f"{figures.score:+d}"
            if figures.win_in is not None:
                text = chance_text(Value(0, figures.win_in), turn)
            self._fill([(text, found.line)])

    def _fill(self, rows: Sequence[tuple[str, tuple[Move, ...]]]) -> None:
        """Show values with their lines, and keep the selection."""
        current = self.table.currentItem()
        chosen = -1 if current is None else self.table.indexOfTopLevelItem(current)
        self.table.blockSignals(True)
        self.table.clear()
        for text, pv in rows:
            row = QTreeWidgetItem([text, line_text(pv)])
            row.setData(0, _PV, pv)
            row.setToolTip(1, line_text(pv))
            self.table.addTopLevelItem(row)
        self.table.resizeColumnToContents(0)
        self._wrap_lines()
        again = self.table.topLevelItem(chosen)
        if again is not None:
            self.table.setCurrentItem(again)
        self.table.blockSignals(False)

    def rename_cells(self) -> None:
        """Update the cells in the lines after a change of the row order."""
        for place in range(self.table.topLevelItemCount()):
            row = self.table.topLevelItem(place)
            if row is not None:
                words = line_text(Move(*move) for move in row.data(0, _PV))
                row.setText(1, words)
                row.setToolTip(1, words)
        self.finding.hide()

    def _wrap_lines(self) -> None:
        """Give each line the height that its column requires."""
        width = self.table.columnWidth(1) - 4 * CELL_MARGIN
        metrics = self.table.fontMetrics()
        for place in range(self.table.topLevelItemCount()):
            row = self.table.topLevelItem(place)
            if row is not None:
                room = QRect(0, 0, max(width, 50), 10_000)
                taken = metrics.boundingRect(
                    room, Qt.TextFlag.TextWordWrap, row.text(1)
                )
                row.setSizeHint(1, QSize(width, taken.height() + CELL_MARGIN))

    def show_threats(self, found: PositionThreats | None) -> None:
        """Describe threats; None hides them."""
        self.threats.setVisible(found is not None)
        if found is None:
            return
        parts = []
        for side in Side:
            own = [
                f"{kind_name(s.kind)} {span_text(s.stones)}"
                for s in found.shapes
                if s.side == side
            ]
            if own:
                parts.append(f"{side_name(side)}: {', '.join(own)}")
        if found.wins_in and found.winner is None:
            cells = line_text(found.wins)
            text = self.tr("{0} wins at {1}")
            parts.append(text.format(side_name(found.turn), cells))
        elif found.threatened_in:
            cells = line_text(found.threats)
            text = self.tr("{0} threatens to win at {1}")
            parts.append(text.format(side_name(found.turn.other), cells))
            if found.answers:
                cells = line_text(found.answers)
                parts.append(self.tr("Defences: {0}").format(cells))
        self.threats.setText("\n".join(parts) or self.tr("No threats"))

    def show_solution(self, found: SolveResult, turn: Side) -> None:
        """Show the result of the search for a forced win."""
        if found.status == "win":
            kind = {"vcf": self.tr("fours"), "vct": self.tr("fours and threes")}
            text = self.tr("{0} wins in {1} by {2}: {3}").format(
                side_name(turn),
                moves_text(len(found.line)),
                kind[found.kind],
                line_text(found.line),
            )
        elif found.status == "no win":
            text = self.tr("{0} has no win by threats").format(side_name(turn))
        else:
            text = self.tr("No win found within the time limit")
        self.show_finding(text)

    def show_progress(self, done: int, count: int) -> None:
        """Show the progress of a review. Its bar never goes back."""
        shown = self.progress.value() if self.progress.isVisibleTo(self) else 0
        self.progress.setRange(0, PROGRESS_STEPS)
        self.progress.setValue(max(shown, PROGRESS_STEPS * done // max(count, 1)))
        self.progress.show()

    def show_finding(self, text: str) -> None:
        """Show the result of a job, or that it is running."""
        self.finding.setText(text)
        self.finding.show()

    # Input

    def _hover_line(self, row: QTreeWidgetItem) -> None:
        """Show the line under the mouse on the board."""
        pv = row.data(0, _PV)
        self.line_shown.emit(tuple(Move(*move) for move in pv or ()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the selected line again when the mouse leaves the list."""
        if event.type() == QEvent.Type.Leave:
            self._show_line()
        elif event.type() == QEvent.Type.Resize:
            self._wraps.start()
        return super().eventFilter(watched, event)

    def _show_line(self) -> None:
        self.line_shown.emit(self._chosen_line())

    def _want_line(self) -> None:
        line = self._chosen_line()
        if line:
            self.line_wanted.emit(line)

    def _chosen_line(self) -> tuple[Move, ...]:
        row = self.table.currentItem()
        if row is None or not row.isSelected():
            return ()
        pv = row.data(0, _PV)
        return tuple(Move(*move) for move in pv or ())
