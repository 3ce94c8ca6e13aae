"""Dialog for programs that can play: name, command, settings and a test."""

import threading

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.client.brain import Brain, BrainFault, EngineSpec, split_command
from gomoku_brain.client.manager_lines import reason_of
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.base.forms import form, open_large, scrolled
from gomoku_brain.gui.base.labels import Label, add_hint
from gomoku_brain.gui.base.messages import show_question
from gomoku_brain.gui.base.words import reason_name
from gomoku_brain.gui.model.settings import Program

__all__ = ["ProgramsDialog"]

TRY_SIZE = 15
FIELDS_WIDTH = 380  # pixels, the least
VERDICT_LINES = 3  # height of the result of a test
TRY_SECONDS = 10.0


def try_program(
    name: str, command: str, stop: threading.Event | None = None
) -> dict[str, str]:
    """Start a program as for a game, request ABOUT and end it.

    Return the fields of ABOUT, or {} if the program does not support it.

    Raises:
        ValueError: The command is invalid.
        BrainFault: The program does not follow the protocol.
    """
    words = split_command(command)
    if not words:
        raise ValueError("no command")
    with Brain(EngineSpec(name or words[0], words)) as brain:
        brain.start(TRY_SIZE, TRY_SIZE, deadline=TRY_SECONDS, stop=stop)
        try:
            return brain.about(deadline=TRY_SECONDS)
        except BrainFault as fault:
            if fault.kind in ("refused", "timeout"):  # some lack ABOUT
                return {}
            raise


class ProgramsDialog(QDialog):
    """Dialog that edits a list of programs in place."""

    changed = Signal()
    """The list has changed."""

    def __init__(self, programs: list[Program], parent: QWidget | None = None) -> None:
        """Show the list."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Programs"))
        self._programs = programs
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Programs"))
        self.list.addItems([program.name for program in programs])
        self.empty = add_hint(
            self.list,
            self.tr(
                "No programs yet. Enter a name and a command below, try the program"
                " and add it. Then it can play in a new game."
            ),
        )
        self.list.currentRowChanged.connect(self._show)
        self.list.itemClicked.connect(lambda: self._show(self.list.currentRow()))
        self.name = QLineEdit()
        self.command = QLineEdit()
        self.command.setPlaceholderText("/path/to/pbrain-program")
        self.folder = QLineEdit()
        self.folder.setPlaceholderText(self.tr("its own"))
        self.memory = QSpinBox()
        self.memory.setRange(0, 65536)
        self.memory.setSuffix(" MB")
        self.memory.setSpecialValueText(self.tr("not sent"))
        self.threads = QSpinBox()
        self.threads.setRange(0, 256)
        self.threads.setSpecialValueText(self.tr("not sent"))
        self.infos = QLineEdit()
        self.infos.setPlaceholderText("KEY VALUE; KEY VALUE")
        for field in (self.name, self.command):
            field.textChanged.connect(lambda: self._forget_test())
        self.verdict = Label()
        self.verdict.setWordWrap(True)
        self.verdict.setObjectName("muted")
        lines = self.fontMetrics().lineSpacing() * VERDICT_LINES
        self.verdict.setMinimumHeight(lines)  # a new text moves no button
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.add_button = QPushButton(self.tr("&Add or change"))
        self.add_button.clicked.connect(self.add)
        self.remove_button = QPushButton(self.tr("&Remove"))
        self.remove_button.clicked.connect(self.remove)
        self.try_button = QPushButton(self.tr("&Try"))
        self.try_button.clicked.connect(self.try_out)
        self._tries = 0
        self._left = threading.Event()
        self._arrange()
        self.changed.connect(self._show_emptiness)
        self._show_emptiness()
        open_large(self)

    def _show_emptiness(self) -> None:
        self.empty.setVisible(not self._programs)

    def sizeHint(self) -> QSize:
        """Return the preferred size, with room for long paths and all fields."""
        line = self.fontMetrics().height()
        return QSize(36 * line, 40 * line)

    def _arrange(self) -> None:
        browse = QPushButton(self.tr("&Browse…"))
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self.command, 1)
        row.addWidget(browse)
        rows = form()
        rows.addRow(self.tr("&Name:"), self.name)
        label = Label(self.tr("&Command:"))
        label.setBuddy(self.command)
        rows.addRow(label, row)
        rows.addRow(self.tr("&Folder:"), self.folder)
        rows.addRow(self.tr("&Memory:"), self.memory)
        rows.addRow(self.tr("T&hreads:"), self.threads)
        rows.addRow(self.tr("&INFO keys:"), self.infos)
        buttons = QHBoxLayout()
        for button in (self.try_button, self.add_button, self.remove_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        browse.setAutoDefault(False)
        self.add_button.setDefault(True)  # the button for Enter
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        note = Label(
            self.tr(
                "Any program that speaks the Gomocup/Piskvork protocol can play. It"
                " runs in its own process and cannot harm the game."
            )
        )
        note.setWordWrap(True)
        column.addWidget(note)
        column.addWidget(self.list, 1)
        fields = QWidget()
        fields.setLayout(rows)
        column.addWidget(scrolled(fields, minimum=FIELDS_WIDTH), 1)
        column.addLayout(buttons)
        column.addWidget(self.verdict)
        column.addWidget(close)

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._programs):
            program = self._programs[row]
            self.name.setText(program.name)
            self.command.setText(program.command)
            self.folder.setText(program.folder)
            self.memory.setValue(program.memory)
            self.threads.setValue(program.threads)
            self.infos.setText(program.infos)

    def _written(self) -> Program:
        """Return the program in the input fields."""
        return Program(
            self.name.text().strip(),
            self.command.text().strip(),
            self.folder.text().strip(),
            self.memory.value(),
            self.threads.value(),
            self.infos.text().strip(),
        )

    def _forget_test(self) -> None:
        """Hide the result of a test: the fields have another program now."""
        self._tries += 1
        self.verdict.clear()

    def _browse(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a program"))
        if name:
            self.command.setText(f'"{name}"' if " " in name else name)

    def add(self) -> None:
        """Add the program in the input fields, or update the one with its name."""
        program = self._written()
        if not program.name or not program.command:
            self.verdict.setText(self.tr("A program needs a name and a command."))
            return
        names = [known.name for known in self._programs]
        if program.name in names:
            self._programs[names.index(program.name)] = program
        else:
            self._programs.append(program)
            self.list.addItem(program.name)
        self.changed.emit()
        self.list.setCurrentRow([p.name for p in self._programs].index(program.name))

    def remove(self) -> None:
        """Remove the selected program."""
        row = self.list.currentRow()
        if 0 <= row < len(self._programs):
            del self._programs[row]
            self.list.takeItem(row)
            self.changed.emit()

    def try_out(self) -> None:
        """Start the program and show the result."""
        self._tries += 1
        this = self._tries
        name, command = self.name.text(), self.command.text()
        self.verdict.setText(self.tr("Trying…"))

        task = BackgroundTask(lambda task: try_program(name, command, self._left))

        def take(about: dict[str, str]) -> None:
            text = self._worked(about)
            if this == self._tries:
                if self._is_new():
                    self.add()
                    text += " " + self.tr("It was added to the list.")
                self.verdict.setText(text)

        def fail(error: Exception) -> None:
            reason = self.tr("the command is invalid")
            if isinstance(error, BrainFault):
                reason = reason_name(reason_of(error))
            if this == self._tries:
                self.verdict.setText(self.tr("Fails: {0} ({1})").format(reason, error))

        task.done.connect(take)
        task.failed.connect(fail)
        task.start()

    def _worked(self, about: dict[str, str]) -> str:
        text = ", ".join(f"{key} {value}" for key, value in about.items())
        return self.tr("Works: {0}").format(text or self.tr("it gives no information"))

    def _is_new(self) -> bool:
        """Return whether the fields have a program that is not in the list."""
        written = self._written()
        named = bool(written.name and written.command)
        return named and written not in self._programs

    def done(self, result: int) -> None:
        """Stop the test of a program and close the dialog.

        A program in the fields that is not in the list is added after a question.
        """
        if self._is_new():
            question = self.tr("Add {0} to the list of programs?")
            answer = show_question(
                self,
                self.tr("Programs"),
                question.format(self._written().name),
                [("yes", self.tr("Add")), ("no", self.tr("Do not add"))],
            )
            if answer == "yes":
                self.add()
        self._tries += 1
        self._left.set()
        super().done(result)
