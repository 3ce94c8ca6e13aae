"""Forms of dialogs: fields one below the other, all beginning at the same place."""

from PySide6.QtWidgets import QFormLayout, QWidget

__all__ = ["align", "form", "open_large"]

SCREEN = 0.9  # of it at most


def form() -> QFormLayout:
    """A form whose fields take the width that there is, on every system."""
    made = QFormLayout()
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return made


def align(*forms: QFormLayout) -> None:
    """Give the labels of several forms one width, so that their fields are in line."""
    items = [
        each.itemAt(row, QFormLayout.ItemRole.LabelRole)
        for each in forms
        for row in range(each.rowCount())
    ]
    labels = [label for item in items if item and (label := item.widget())]
    width = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(width)


def open_large(dialog: QWidget) -> None:
    """Give a dialog the size that it wants, if the screen has it."""
    room = dialog.screen().availableSize() * SCREEN
    dialog.resize(dialog.sizeHint().boundedTo(room))
