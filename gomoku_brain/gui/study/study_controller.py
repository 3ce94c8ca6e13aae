"""Controller of the analysis: joins the analyst, its panel and the board."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from gomoku_brain.control.limits import SearchInfo, SearchResult, SolveResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import (
    cell_text,
    chance_text,
    judgement_text,
    moves_text,
)
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.model.game_players import PlayerConfig, spec_of
from gomoku_brain.gui.model.game_tree import Verdict
from gomoku_brain.gui.model.program_analysis import ProgramLine
from gomoku_brain.gui.study.analysis_panel import AnalysisPanel
from gomoku_brain.gui.study.analyst import Analyst, can_search
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.study.annotate import Review, Value, ValueTable
from gomoku_brain.study.threat_words import PositionThreats, Shape

__all__ = ["StudyController"]

LINE_PLIES = 9  # numbered moves of a line; more would hide the board
MOVE_STEP = 3  # step of a hint that shows the move
BETTER = 0.55  # winning chance from which a side is better
TRUSTED_DEPTH = 6  # plies; from this depth on a value enters the curve


class StudyController(QObject):
    """Controller of analysis and review. Results disappear with their position."""

    changed = Signal()
    """The board must be redrawn."""
    status_text = Signal(str)
    """A text for the status bar."""
    reviewed = Signal(object)
    """A review is finished. The argument is the list of the line's nodes."""
    judged = Signal()
    """The moves of the game have new values."""

    def __init__(self, panel: AnalysisPanel, mode: Mode) -> None:
        """Create the controller, without an analysis."""
        super().__init__(mode)
        self.panel, self.mode = panel, mode
        self.play, self.settings = mode.play, mode.settings
        self.analyst = Analyst(self.settings.threads, self.settings.hash_mb, self)
        self.on = False
        """Whether the position is searched in the background."""
        self.heat: dict[Move, Value] = {}
        self._shapes: tuple[Shape, ...] = ()
        self._line: tuple[Move, ...] = ()
        self._hint: Move | None = None
        self._advice: tuple[Move, Value] | None = None  # of the last hint
        self._hints = 0  # shown steps of the hint
        self._tree: object = None  # the game of the results
        self._place: object = None  # the position of the results
        self._judging: list[GameNode] = []  # the line under review
        self._reviewing = False  # whether the last job is a review
        analyst = self.analyst
        analyst.lines.connect(self._take_lines)
        analyst.program.connect(self._take_program)
        analyst.heat.connect(self._take_heat)
        analyst.threats.connect(self._take_threats)
        analyst.hinted.connect(self._take_hint)
        analyst.solved.connect(self._take_solution)
        analyst.progress.connect(panel.show_progress)
        analyst.reviewed.connect(self._take_review)
        analyst.failed.connect(self._show_failure)
        panel.line_shown.connect(self._show_line)
        panel.line_wanted.connect(self._play_line)
        panel.lines_wanted.connect(self._set_lines)
        panel.analyst_wanted.connect(self._set_analyst)
        self.show_programs()
        panel.review.chosen.connect(self.show_mistake)
        self.play.over.connect(self.judge_end)
        mode.left.connect(self.judge_end)  # back to a game that has ended
        panel.solve_button.clicked.connect(self.solve)
        panel.review_button.clicked.connect(self.judge)

    # Display

    def decorate(self, scene: Scene) -> None:
        """Add the results to the scene of the board."""
        scene.hint = self._hint
        if self.mode.hides:
            return
        scene.heat = self.heat if self.settings.heat else {}
        scene.shapes = self._shapes if self.settings.threats else ()
        scene.line = tuple(m for m in self._line if scene.board.is_empty(m))
        tree = self.play.tree
        verdict = self.verdicts.get(tree.node)
        if verdict is not None and verdict.is_mistake and not scene.line:
            best = verdict.best
            scene.better = best if scene.board.is_empty(best) else None

    def show_curve(self, theme: Theme) -> None:
        """Show the winning chances of the current line."""
        tree = self.play.tree
        line = [tree.game, *tree.line()]
        shown, verdicts = self.chances, self.verdicts
        chances = [shown.get(node) for node in line]
        errors = {
            k: judgement_text(verdicts[node])
            for k, node in enumerate(line)
            if node in verdicts and verdicts[node].is_mistake
        }
        self.panel.curve.show_curve(chances, tree.ply, errors, theme)

    @property
    def _in_game(self) -> bool:
        """Whether a game of a person is not over."""
        play = self.play
        over = play.ending is not None or play.is_looking_back
        return bool(play.people) and not play.free and not over

    @property
    def verdicts(self) -> Mapping[GameNode, Verdict]:
        """The judgements of a review that may be shown."""
        return {} if self.mode.hides else self.play.tree.verdicts

    @property
    def chances(self) -> Mapping[GameNode, float]:
        """Black's winning chances that may be shown: every display reads them here.

        During a game of a person, they are those that the person wanted.
        """
        tree = self.play.tree
        if self.mode.hides:
            return {}
        if self._in_game and not (self.on or self.settings.evaluation_in_play):
            return {n: c for n, c in tree.chances.items() if n in tree.verdicts}
        return tree.chances

    def _why_off(self, to_solve: bool = False) -> str:
        if self.mode.hides == "rated":
            return self.tr("This is a rated game: no analysis until its end.")
        if to_solve:
            return self.tr("This is a puzzle: find the win yourself, or take a hint.")
        return self.tr("The analysis waits for your answer.")

    def invalidate(self) -> None:
        """Start again at the next call of ``update_position``."""
        self._place = None

    def update_position(self) -> None:
        """Start the analysis of the position on the board if it has changed.

        It is off at the beginning of a game of a person.
        """
        tree, place = self.play.tree, self.play.tree.place
        if tree is not self._tree:
            self._tree = tree
            self.stop_review()
            if self.on and self._in_game:
                self.switch(False)
        if place == self._place:
            return
        self._place = place
        self.heat, self._shapes, self._line, self._hint = {}, (), (), None
        self._advice, self._hints = None, 0
        self.panel.clear()
        self.analyst.leave_position()
        if self.on:
            self._watch()
        if self.settings.threats:
            self._find_threats()

    def _find_threats(self) -> None:
        if self.mode.hides:
            self.panel.show_threats(None)
        else:
            self.analyst.look_for_threats(self.play.tree.board)

    def stop_review(self) -> None:
        """Stop the review, because another game starts."""
        self.analyst.stop_job()
        self._judging = []
        self.panel.progress.hide()

    # Requests

    def switch(self, on: bool) -> None:
        """Start or stop the search in the background."""
        self.on = on
        self.panel.show_lists(on)
        if on:
            self.panel.show_state(self.tr("Searching…"))
            self._watch()
        else:
            self.analyst.unwatch()
            self.panel.show_state(self.tr("Analysis is off"))

    def switch_heat(self) -> None:
        """Start the search again after a change of the heat map setting."""
        if self.on:
            self._watch()

    def switch_threats(self) -> None:
        """Update the threats after a change of their setting."""
        self.panel.show_threats(None)
        if self.settings.threats:
            self._find_threats()

    def rename_cells(self) -> None:
        """Update all texts after a change of the row order."""
        self.panel.rename_cells()
        if self.settings.threats:
            self._find_threats()

    def show_programs(self) -> None:
        """Show the list of programs that can analyse."""
        names = [program.name for program in self.settings.programs]
        self.panel.offer_analysts(names, self.settings.analyst)

    def _analyst_config(self) -> PlayerConfig | None:
        """Return the program that analyses; None = our brain."""
        for program in self.settings.programs:
            if program.name == self.settings.analyst:
                return program.player_config
        return None

    def _watch(self) -> None:
        board, slot = self.play.tree.board, self._analyst_config()
        self.analyst.unwatch()
        if self.mode.hides:
            self.panel.show_state(self._why_off())
            return
        if slot is None or self.settings.heat:  # only our brain evaluates all cells
            self.analyst.watch(board, self.settings.lines, self.settings.heat)
        if slot is not None:
            try:
                spec = spec_of(slot)
            except ValueError as error:
                self.panel.show_state(f"{slot.name}: {error}")
                return
            log = self.play.log.writer(slot.name)
            self.analyst.watch_by(spec, board, log)
        if not can_search(board):
            self.panel.show_state(self.tr("The game is over"))

    def _set_lines(self, count: int) -> None:
        self.settings.change(lines=count)
        if self.on:
            self._watch()

    def _set_analyst(self, name: str) -> None:
        self.settings.change(analyst=name)
        self.panel.clear()
        if self.on:
            self.panel.show_state(self.tr("Searching…"))
            self._watch()

    def hint(self) -> None:
        """Show the next step of a hint: the aim, the column or row, the move.

        Search for a good move first, unless it is known. The study board shows the
        move at once.
        """
        self._drop_job()
        self._advice = self._advice or self.mode.games.level_hint()
        if self._advice is not None:
            self._show_hint(*self._advice)
            return
        self.status_text.emit(self.tr("Searching for a good move…"))
        self.analyst.hint(self.play.tree.board)

    def solve(self) -> None:
        """Search for a forced win of the side to move."""
        self._drop_job()
        if self.mode.hides:
            self.panel.show_finding(self._why_off(to_solve=True))
            return
        board = self.play.tree.board
        if not can_search(board):
            self.panel.show_finding(self.tr("The game is over"))
            return
        self.panel.show_finding(self.tr("Searching for a forced win…"))
        self.analyst.solve(board)

    def _drop_job(self) -> None:
        """Stop the running job and hide its display. Only one job runs at a time."""
        self._reviewing = False
        if self.analyst.busy:
            self.analyst.stop_job()
            self.panel.progress.hide()
            self.panel.finding.hide()

    def judge_end(self) -> None:
        """Review a game of a person that has ended, to find what decided it."""
        if self.play.ended is not None and self.play.people:
            self.judge_once()

    def judge_once(self) -> None:
        """Review the current line, unless that is done."""
        line = self.play.tree.line()
        if not line or line[-1] not in self.play.tree.verdicts:
            self.judge()

    def judge(self) -> None:
        """Review every move of the current line, unless its review is running."""
        tree = self.play.tree
        line = tree.line()
        if self.analyst.busy and self._reviewing and line == self._judging:
            return
        self._drop_job()
        if self.mode.hides:
            self.panel.show_finding(self._why_off())
            return
        if not line:
            self.panel.show_finding(self.tr("There are no moves to judge."))
            return
        self._judging = line
        self._reviewing = True
        self.panel.finding.hide()
        self.panel.progress.hide()
        self.panel.show_progress(0, 1)
        self.analyst.review(tree.game.cut(len(line), line[-1]))

    # Results

    def _take_program(self, found: ProgramLine) -> None:
        self.panel.show_program(found, self.play.tree.turn)

    def _take_lines(self, lines: Sequence[SearchInfo]) -> None:
        if self._analyst_config() is not None:
            return  # by-products of the heat map
        tree = self.play.tree
        # A later line may have a better value: its search knows more.
        lines = sorted(lines, key=lambda line: -line.score)
        self.panel.show_lines(lines, tree.turn)
        if lines and (lines[0].depth >= TRUSTED_DEPTH or lines[0].win_in is not None):
            chance = lines[0].chance
            tree.chances[tree.node] = chance if tree.turn is Side.BLACK else 1 - chance
            self.judged.emit()

    def _take_heat(self, table: ValueTable) -> None:
        self.heat = {cell.move: cell.value for cell in table.cells}
        self.changed.emit()

    def _take_threats(self, found: PositionThreats) -> None:
        self._shapes = found.shapes
        if self.settings.threats:
            self.panel.show_threats(found)
        self.changed.emit()

    def _take_hint(self, result: SearchResult) -> None:
        if not self.play.tree.board.is_empty(result.move):
            return
        self._advice = result.move, Value.of(result)
        self._show_hint(*self._advice)

    def _show_hint(self, move: Move, value: Value) -> None:
        """Show the next step of a hint."""
        self._hints += 1
        if self.play.free or self._hints >= MOVE_STEP:
            self._hint = move
            worth = chance_text(value, self.play.tree.turn)
            text = self.tr("Hint: {0} ({1})").format(cell_text(move), worth)
        elif self._hints == 1:
            text = self._aim(value) + " " + self.tr("Again: the column or the row.")
        else:
            text = self.tr("Look at column {0} or row {1}. Again: the move.")
            text = text.format(cell_text(move)[0], cell_text(move)[1:])
        self.status_text.emit(text)
        self.changed.emit()

    def _aim(self, value: Value) -> str:
        """Describe the aim of the side to move."""
        if value.win_in is not None and value.win_in > 0:
            return self.tr("There is a win in {0}.").format(moves_text(value.win_in))
        if value.win_in is not None:
            text = self.tr("The opponent wins in {0}: hold out as long as you can.")
            return text.format(moves_text(value.win_in))
        if value.chance > BETTER:
            return self.tr("You are better: keep the initiative.")
        if value.chance < 1 - BETTER:
            return self.tr("You are worse: look at the opponent's threats.")
        return self.tr("The position is balanced: build and block at once.")

    def _take_solution(self, found: SolveResult) -> None:
        self.panel.show_solution(found, self.play.tree.turn)
        self._show_line(found.line)

    def _take_review(self, found: Review) -> None:
        self.panel.progress.hide()  # the list has the result
        tree = self.play.tree
        nodes = [tree.game, *self._judging]
        tree.chances.update(zip(nodes[found.first :], found.curve, strict=False))
        for move in found.moves:
            if move.number < len(nodes):
                tree.verdicts[nodes[move.number]] = Verdict(
                    move.label, move.loss, move.line, move.before, move.after
                )
        self.judged.emit()
        self.reviewed.emit(self._judging)

    def _show_failure(self, text: str) -> None:
        self.panel.show_state(text)
        if not self.analyst.busy:
            self.panel.progress.hide()
            self.panel.finding.hide()

    def show_mistake(self, node: GameNode) -> None:
        """Show the position before a mistake, with the better line."""
        verdict = self.play.tree.verdicts.get(node)
        if node.parent is None or verdict is None:
            return
        self.play.look_at(node.parent)
        self.update_position()
        self._show_line(verdict.line)

    def show_hint(self, move: Move | None) -> None:
        """Mark a move on the board; None removes the mark."""
        self.update_position()
        self._hint = move
        self.changed.emit()

    def show_line(self, line: tuple[Move, ...]) -> None:
        """Show the numbered moves of a line on the board."""
        self.update_position()
        self._show_line(line)

    def _show_line(self, line: tuple[Move, ...]) -> None:
        self._line = line[:LINE_PLIES]
        self.changed.emit()

    def _play_line(self, line: tuple[Move, ...]) -> None:
        """Add a line to the tree as a variation, on the study board."""
        self.play.set_free(True)
        here = self.play.tree.node
        with self.play.tree.game.history.step("line"):
            for move in line:
                if self.play.place(move):
                    break
        self.play.look_at(here)
