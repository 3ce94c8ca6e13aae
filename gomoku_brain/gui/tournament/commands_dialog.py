"""Question whether the programs of a foreign tournament file may run."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.gui.base.labels import Label
from gomoku_brain.match.trust import quote

__all__ = ["CommandsDialog"]

WIDTH = 600  # pixels


class CommandsDialog(QDialog):
    """Dialog that shows commands completely; it is accepted if they may run."""

    def __init__(
        self, path: Path, commands: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """Show the commands of a file. They are lines of ``match.trust``."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Programs of a file"))
        text = self.tr(
            "The file {0} starts these programs, which you have not confirmed. They can"
            " do everything that you can do on this computer. Run them only if you"
            " trust the file."
        )
        label = Label(text.format(quote(path.name)))
        label.setWordWrap(True)
        self.commands = QPlainTextEdit("\n".join(commands))
        self.commands.setReadOnly(True)
        self.commands.setTabChangesFocus(True)
        self.commands.setAccessibleName(self.tr("Commands"))
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole
        self.run_button = buttons.addButton(self.tr("&Run them"), role.AcceptRole)
        self.cancel_button = buttons.addButton(self.tr("&Cancel"), role.RejectRole)
        self.run_button.setAutoDefault(False)
        self.cancel_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(label)
        column.addWidget(self.commands, 1)
        column.addWidget(buttons)
        self.cancel_button.setFocus()
        self.resize(WIDTH, self.sizeHint().height())
