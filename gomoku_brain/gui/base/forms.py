"""Forms of dialogs, with aligned fields."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

__all__ = ["align", "form", "is_accepted", "open_large", "scrolled"]

MIN_WIDTH = 600  # pixels of an area that scrolls
SCREEN = 0.9  # largest share of the screen


def form() -> QFormLayout:
    """Create a form whose fields use the available width on every system."""
    made = QFormLayout()
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return made


def align(*forms: QFormLayout) -> None:
    """Give the labels of several forms the same width, which aligns their fields."""
    items = [
        each.itemAt(row, QFormLayout.ItemRole.LabelRole)
        for each in forms
        for row in range(each.rowCount())
    ]
    labels = [label for item in items if item and (label := item.widget())]
    width = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(width)


class _ScrollArea(QScrollArea):
    """Area that prefers the whole size of its content."""

    def sizeHint(self) -> QSize:
        """Return the preferred size of the content, with room for a scroll bar."""
        bar = self.verticalScrollBar().sizeHint().width()
        inside = self.widget()
        return QSize(bar, 0) + (QSize() if inside is None else inside.sizeHint())


def scrolled(*parts: QWidget, minimum: int = MIN_WIDTH) -> QScrollArea:
    """Put widgets below each other into an area that scrolls on a small screen.

    Args:
        parts: The widgets, from the top.
        least: Width in pixels below which the area does not become narrower.
    """
    inside = QWidget()
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        column.addWidget(part)
    area = _ScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    bar = area.verticalScrollBar().sizeHint().width()
    width = inside.minimumSizeHint().width() + bar
    area.setMinimumWidth(min(width, minimum))
    return area


def is_accepted(dialog: QDialog) -> bool:
    """Show a dialog, wait until it is closed, and return whether it was accepted.

    Qt deletes it when the caller has returned to the event loop. Without that, each
    dialog would live as long as its window.
    """
    result = dialog.exec()
    dialog.deleteLater()
    return result == QDialog.DialogCode.Accepted


def open_large(dialog: QWidget) -> None:
    """Resize a dialog to its preferred size, as far as the screen allows."""
    room = dialog.screen().availableSize() * SCREEN
    dialog.resize(dialog.sizeHint().boundedTo(room))
