"""Settings with their own actions: marks on the board, bars, size of texts."""

from PySide6.QtCore import QObject, Qt, Signal

from gomoku_brain.gui.model.settings import Settings
from gomoku_brain.gui.study.study_controller import StudyController
from gomoku_brain.gui.window.actions import Actions
from gomoku_brain.gui.window.main_view import MainView

__all__ = ["Switches"]

NAMES = (  # of settings, and of their actions with a check mark
    "heat threats numbers coordinates forbidden rows_from_bottom evaluation labels"
    " sound evaluation_in_play warnings"
).split()
ZOOMS = (70, 200)  # smallest and largest size of texts, in percent


class Switches(QObject):
    """Connection between these actions, their settings and the window."""

    changed = Signal()
    """The board must be redrawn."""
    rows_turned = Signal()
    """The order of rows has changed."""
    valued = Signal()
    """Values must be shown or hidden."""
    zoomed = Signal()
    """The size of texts has changed."""

    def __init__(
        self,
        settings: Settings,
        actions: Actions,
        view: MainView,
        study: StudyController,
    ) -> None:
        """Show the current settings and connect the actions."""
        super().__init__(view)
        self.settings, self.actions = settings, actions
        self.view, self.study = view, study
        for name in NAMES:
            actions[name].setChecked(getattr(settings, name))
            actions[name].triggered.connect(
                lambda checked=False, name=name: self._switch(name, checked)
            )
        actions["analyze"].triggered.connect(lambda: self.switch_analysis())
        for name, percent in (("larger", 10), ("smaller", -10)):
            actions[name].triggered.connect(
                lambda checked=False, by=percent: self._zoom(self.settings.zoom + by)
            )
        actions["normal"].triggered.connect(lambda: self._zoom(100))
        self.show_look()

    def switch_analysis(self) -> None:
        """Start or stop the search in the background, as the action requires."""
        self.study.switch(self.actions["analyze"].isChecked())
        if self.study.on:
            self.view.tabs.setCurrentWidget(self.view.panel)

    def _switch(self, name: str, value: bool) -> None:
        self.settings.change(**{name: value})
        if name == "heat":
            if value and not self.study.on:
                self.actions["analyze"].setChecked(True)
                self.switch_analysis()
            else:
                self.study.switch_heat()
        elif name == "threats":
            self.study.switch_threats()
        elif name == "rows_from_bottom":
            self.rows_turned.emit()
        elif name == "evaluation_in_play":
            self.valued.emit()
        self.show_look()
        self.changed.emit()

    def show_look(self) -> None:
        """Apply the settings of evaluation bar and toolbar."""
        settings = self.settings
        self.view.evaluation.setVisible(settings.evaluation)
        shape = Qt.ToolButtonStyle.ToolButtonIconOnly
        if settings.labels:
            shape = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        self.actions.toolbar.setToolButtonStyle(shape)

    def _zoom(self, percent: int) -> None:
        self.settings.change(zoom=min(max(percent, ZOOMS[0]), ZOOMS[1]))
        self.zoomed.emit()
