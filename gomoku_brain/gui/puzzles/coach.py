"""Trainer: lessons on the board, with hints and judgements of the answers."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from random import Random

from PySide6.QtCore import QTimer, Signal

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.archive.archive_controller import ArchiveController
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.base.words import (
    cell_text,
    clock_text,
    line_text,
    moves_text,
    rule_name,
    side_name,
)
from gomoku_brain.gui.game.modes import Activity, Mode
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.lessons import (
    HASH_MB,
    Lesson,
    LessonAnswer,
    check,
    following_lesson,
    next_of_set,
    of_exercise,
    puzzle_of_day,
    solution_of,
)
from gomoku_brain.gui.model.storm import (
    PENALTY,
    STORM,
    Outcome,
    Storm,
    StormResult,
    best_storms,
)
from gomoku_brain.gui.study.study_controller import StudyController
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.study.puzzles import exercises

__all__ = ["Trainer"]

RIGHT, WRONG = "✓", "✗"
TICK_MS = 100  # of the clock of a storm
MOVE_MS = 700  # between two moves of a solution


class Trainer(Activity):
    """Trainer that shows one lesson after the other.

    During a lesson, ``lesson`` is set, and a click on the board is an answer.
    """

    judged = Signal(str, bool)
    """The result of a lesson is known. The arguments are its name, and whether it was
    solved without help and at the first attempt. It is false as soon as there was an
    error or help, so leaving the lesson does not hide them."""

    def __init__(
        self,
        mode: Mode,
        study: StudyController,
        archives: ArchiveController,
    ) -> None:
        """Create a trainer without a lesson."""
        super().__init__(mode)
        self.settings, self.study, self._archives = mode.settings, study, archives
        self.results = mode.games.results
        self.lesson: Lesson | None = None
        self._last = ""  # name of the last lesson
        self._node: GameNode | None = None  # the position of the lesson
        self._queue: list[Lesson] = []
        self._day = 0  # the day whose puzzle is shown, as an ordinal; 0 = none
        self._endless = False  # whether the lessons come from the package
        self._hints = 0
        self._is_clean = True  # whether no help was used and no move was wrong
        self._is_later = False  # whether right moves of the puzzle were played
        self._done = False
        self._pending: object = None  # identifies the running check of a move
        self._engine: Engine | None = None
        self._chance = Random()
        self._storm: Storm | None = None
        self._sign = ""  # of the last answer in the storm
        self._text = ""  # the message in the bar, without the standing
        self._solving = SearchControl()  # of the search for a solution
        self._moves: list[Move] = []  # of the solution, which are not played yet
        self._mover = QTimer(self)
        self._mover.setInterval(MOVE_MS)
        self._mover.timeout.connect(self._play_solution)
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_waiting(self) -> bool:
        """Whether the trainer waits for an answer."""
        return self.lesson is not None and not self._done

    @property
    def advice(self) -> str:
        """Possible actions in the lesson, for the status bar."""
        if self.is_waiting and not self.is_shown:
            return self.tr("Not the puzzle's position: click to return to it.")
        if self.is_waiting:
            return self.tr("Your answer: click, or use the arrow keys and Enter.")
        if self._storm is None:
            return self.tr("That was the answer. Press N to continue.")
        return ""

    # Start and end

    def start_set(self) -> None:
        """Start a training with the puzzles of the package."""
        self._start([], endless=True)

    def start_day(self, day: date) -> None:
        """Show the puzzle of a day. It is rated at most once."""
        lesson = of_exercise(puzzle_of_day(exercises(), day.toordinal()))
        if self.results.record.is_day_rated(day.toordinal()):
            lesson = lesson._replace(rating=0)
        self._start([lesson], day=day.toordinal())

    def start_storm(self) -> None:
        """Start a storm: as many puzzles as possible in three minutes."""
        self._start([], storm=True)

    def start(self, lessons: Sequence[Lesson]) -> None:
        """Start a training with these lessons."""
        self._start(list(lessons))

    def _start(
        self,
        queue: list[Lesson],
        endless: bool = False,
        day: int = 0,
        storm: bool = False,
    ) -> None:
        self.mode.enter(self)
        self._queue, self._endless, self._day = queue, endless, day
        if storm:
            today = puzzle_of_day(exercises(), date.today().toordinal())
            found = [each for each in exercises() if each is not today]
            self._storm = Storm(found, self._wanted_rule(), chance=self._chance)
            self._sign = ""
            self._timer.start()
        self._show_next()

    def next(self) -> None:
        """Show the next lesson, or end the training.

        A rated puzzle stays until it is tried. After a storm, start another one.
        """
        if self._pending is not None:
            return  # the answer comes soon
        if self._stays:
            text = self.tr("Try this puzzle first, or take a hint or the answer.")
            self._show(f"{text} {self._question()}")
            return
        if self._storm is not None and self._done:
            self.start_storm()
            return
        if self._storm is not None:
            self._end_of_storm_puzzle("skipped", "")
            return
        self._show_next()

    @property
    def _stays(self) -> bool:
        """Whether the puzzle must be tried, so skipping chooses no easier one."""
        return self._endless and self._is_clean and not self._done

    def _wanted_rule(self) -> Rule | None:
        """Return the rule of the puzzles that the user chose; None: all rules."""
        name = self.settings.puzzle_rule.upper()
        return Rule[name] if name in Rule.__members__ else None

    def _show_next(self) -> None:
        if self._storm is not None:
            self._show_next_of_storm("")
        elif self._endless:
            found = next_of_set(
                exercises(),
                self.results.record,
                self._chance,
                self._wanted_rule(),
                self._last,
            )
            self._start_lesson(of_exercise(found))
        elif self._queue:
            self._start_lesson(self._queue.pop(0))
        else:
            self.mode.go_back()

    def take_over(self, other: "Trainer") -> None:
        """Continue the lesson of another window's trainer."""
        if other.lesson is None:
            return
        self.mode.before = other.mode.before
        self.mode.enter(self)
        self.lesson = other.lesson
        self._queue, self._endless = other._queue, other._endless
        self._day = other._day
        self._hints = other._hints
        self._done, self._node = other._done, other._node
        self._is_clean, self._is_later = other._is_clean, other._is_later
        self._storm, self._sign = other._storm, other._sign
        if self._storm is not None:
            other._timer.stop()
            self._storm.run_clock()  # a check of the other window is lost
            if self._done:
                self._show_storm_end(self._storm.result)
            else:
                self._timer.start()
                self._show(self._question())
            other._storm = None
        other.lesson = other._pending = None
        if self._storm is not None:
            return
        self._moves, other._moves = other._moves, []
        self._mover.start()
        found = self.play.tree.at_ply(len(self.lesson.game.moves) + 1).move
        if self._done and found is not None:
            self._show(self.tr("It was {0}.").format(cell_text(found)))
        else:
            self._show(self._question())

    def leave(self) -> None:
        """End the training. It is no answer; a storm stores what it has counted."""
        storm = self._storm
        if storm is not None and not self._done and storm.result != StormResult():
            self._store(storm.result)
        self.lesson, self._pending, self._storm = None, None, None
        self._timer.stop()
        self._stop_solution()
        self.study.show_hint(None)

    def _start_lesson(self, lesson: Lesson, text: str = "") -> None:
        self._hints = 0
        self._is_clean, self._is_later = True, False
        self._done, self._pending = False, None
        self._stop_solution()
        self.lesson, self._last = lesson, lesson.name
        self.study.show_hint(None)
        tree = GameTree(lesson.game.copy())
        tree.is_lesson = True
        self._node = tree.node
        self.play.study(tree)
        if lesson.rating and lesson.name.startswith("set:") and not self._day:
            number = int(lesson.name.partition(":")[2])
            self.results.change(lambda record: record.with_open(number))
        self._show(f"{text} {self._question()}".strip())

    # Messages

    def show_message(self) -> None:
        """Show the message again that another one has replaced."""
        if self._storm is not None and self._done:
            self._show_storm_end(self._storm.result)
        else:
            self._show(self._text)

    def _show(self, text: str) -> None:
        self._text = text
        if self._storm is not None:
            self.bar.show_message(
                text + "\n" + self._standing(),
                (self.tr("Hint"), self.hint),
                (self.tr("Skip (N)"), self.next),
                (self.tr("End the storm"), self._end_storm),
                name="trainer",
                head=self._storm_head(),
            )
            return
        offers = []
        if not self._done:
            offers.append((self.tr("Hint"), self.hint))
            offers.append((self.tr("Show the answer"), self.show_answer))
        label = self.tr("Next (N)")
        if not self._endless and not self._queue:
            label = self.tr("Finish (N)")
        if not self._stays:
            offers.append((label, self.next))
        offers.append((self.tr("Back to the game"), self.mode.go_back))
        text += "\n" + self._standing()
        self.bar.show_message(text, *offers, name="trainer")

    def _question(self) -> str:
        lesson = self.lesson
        assert lesson is not None
        side = side_name(lesson.side)
        if self._is_later:
            return self.tr("{0} still wins by force. Find the next move.").format(side)
        if lesson.played is not None:
            text = self.tr("{0} played {1} here. Find a better move.")
            return text.format(side, cell_text(lesson.played))
        text = self.tr("{0} to move wins by force. Play it to the end.")
        return text.format(side)

    def _standing(self) -> str:
        """Describe the difficulty of the lesson and the user's progress."""
        lesson, progress = self.lesson, self.results.record
        assert lesson is not None
        if self._storm is not None:
            counts = self._storm_counts(self._storm.result)
            return f"{rule_name(lesson.game.rule)}  ·  {counts}"
        if self._day:
            text = self.tr("Puzzle of the day {0}  ·  {1}  ·  days in a row: {2}")
            day = date.fromordinal(self._day).isoformat()
            days = progress.day_streak(self._day)
            return text.format(day, rule_name(lesson.game.rule), days)
        if lesson.rating:
            text = rule_name(lesson.game.rule) + "  ·  "
            text += self.tr("Puzzle rated {0}  ·  your rating {1}  ·  streak {2}")
            return text.format(lesson.rating, round(progress.rating), progress.streak)
        if not self._queue:
            return self.tr("This is the last one.")
        return self.tr("{0} more to come").format(len(self._queue))

    # Answers

    @property
    def is_shown(self) -> bool:
        """Whether the board shows the position of the lesson."""
        return self.play.tree.node is self._node

    def _return(self) -> bool:
        """Show the position of the lesson. Return whether another one was shown."""
        if self.is_shown or self._node is None:
            return False
        self.play.look_at(self._node)
        return True

    def may_place(self, move: Move) -> bool:
        """Return whether a click there would place a stone."""
        return (self._done or self.is_shown) and super().may_place(move)

    def click(self, move: Move) -> None:
        """Check a legal move of the user in a thread.

        If the board shows another position, return to that of the lesson instead.
        """
        lesson = self.lesson
        if self._done or (self.is_shown and self.play.refusal(move)):
            self.mode.place(move)  # after the answer, or to report why it is impossible
            return
        if lesson is None or self._pending is not None or self._return():
            return
        mark = self._pending = object()
        if self._storm is not None:
            self._storm.stop_clock()
        self._show(self.tr("{0}: checking…").format(cell_text(move)))
        self._engine = engine = self._engine or Engine(hash_mb=HASH_MB)
        task = BackgroundTask(lambda task: check(engine, lesson, move))

        def take(answer: LessonAnswer) -> None:
            if mark is self._pending:
                self._pending = None
                self._run_storm_clock()
                self._take(lesson, move, answer)

        def fail(error: Exception) -> None:
            if mark is self._pending:
                self._pending = None
                self._run_storm_clock()
                self._show(str(error))

        task.done.connect(take)
        task.failed.connect(fail)
        task.start()

    def _take(self, lesson: Lesson, move: Move, answer: LessonAnswer) -> None:
        if not answer.right and self._storm is not None:
            text = self.tr("Not {0}: {1} s less.").format(
                cell_text(move), round(PENALTY)
            )
            self._end_of_storm_puzzle("wrong", text)
            return
        if not answer.right:
            self._note_help()
            self._show(self._reproach(lesson, move, answer))
            return
        following = following_lesson(lesson, move, answer)
        if following is not None:
            self._continue(following, move, answer.line[0])
            return
        if self._storm is not None:
            text = self.tr("Yes, {0}!").format(cell_text(move))
            self._end_of_storm_puzzle("solved" if self._is_clean else "helped", text)
            return
        clean = self._is_clean
        if clean:
            self._count(lesson, True)
        self._done = True
        if lesson.name.startswith("set:"):
            number = int(lesson.name.partition(":")[2])
            day = self._day
            self.results.change(lambda record: record.with_solved(number, day))
        self._return()
        self.study.show_hint(None)
        self.play.place(move)
        self.play.tree.freeze()
        self.study.show_line(answer.line)
        if clean:
            self.judged.emit(lesson.name, True)
        self._show(self._praise(move, answer, clean))

    def _continue(self, following: Lesson, move: Move, reply: Move) -> None:
        """Play a right move and the reply of the defence; the puzzle goes on."""
        self._return()
        self.study.show_hint(None)
        for each in (move, reply):
            self._place(each)
        self.lesson = following
        self._sign = RIGHT
        self._hints = 0
        self._is_later = True
        text = self.tr("Yes, {0}! {1} answers {2}.").format(
            cell_text(move), side_name(following.side.other), cell_text(reply)
        )
        self._show(f"{text} {self._question()}")
        self.play.changed.emit()

    def _note_help(self) -> None:
        """Record an error or help: the lesson no longer counts as solved."""
        lesson = self.lesson
        if lesson is not None and self._is_clean:
            self._is_clean = False
            self._count(lesson, False)
            self.judged.emit(lesson.name, False)

    def _count(self, lesson: Lesson, solved: bool) -> None:
        """Update the rating by a rated puzzle: at its end, or at the first error."""
        if lesson.rating:
            rating, day = lesson.rating, self._day
            self.results.change(lambda record: record.after(rating, solved, day))

    def _reproach(self, lesson: Lesson, move: Move, answer: LessonAnswer) -> str:
        text = self.tr("Not {0}").format(cell_text(move))
        reply = answer.line[0] if answer.line else None
        if reply is not None and reply not in lesson.answers:  # no spoiler
            text += self.tr(": {0} answers {1}").format(
                side_name(lesson.side.other), cell_text(reply)
            )
        return text + self.tr(". Try again!")

    def _praise(self, move: Move, answer: LessonAnswer, clean: bool) -> str:
        text = self.tr("Yes, {0}!").format(cell_text(move))
        if clean:
            text = self.tr("Excellent: {0}, at the first attempt!").format(
                cell_text(move)
            )
        if answer.line:
            text += " " + self.tr("Continuation: {0}").format(line_text(answer.line))
        return text

    # Storm

    def _storm_counts(self, result: StormResult) -> str:
        text = self.tr("solved {0}  ·  errors {1}  ·  skipped {2}  ·  with help {3}")
        return text.format(result.solved, result.wrong, result.skipped, result.helped)

    def _storm_head(self) -> str:
        """Return the time left and the sign of the last answer."""
        assert self._storm is not None
        return f"{clock_text(self._storm.seconds_left)}   {self._sign}"

    def _run_storm_clock(self) -> None:
        if self._storm is not None:
            self._storm.run_clock()

    def _end_of_storm_puzzle(self, outcome: Outcome, text: str) -> None:
        """Count a puzzle of a storm and show the next one."""
        assert self._storm is not None
        self._sign = RIGHT if outcome in ("solved", "helped") else WRONG
        self._storm.count(outcome)
        self._show_next_of_storm(text)

    def _show_next_of_storm(self, text: str) -> None:
        storm = self._storm
        assert storm is not None
        found = None if storm.is_over else storm.draw()
        if found is None:
            self._end_storm()
            return
        self._start_lesson(of_exercise(found)._replace(rating=0), text)

    def _tick(self) -> None:
        """Show the time left, and end the storm when there is none."""
        storm = self._storm
        if storm is None or self._done:
            self._timer.stop()
        elif storm.is_over and self._pending is None:
            self._end_storm()
        elif self.bar.name == "trainer":
            self.bar.set_head(self._storm_head())

    def _end_storm(self) -> None:
        """Show the result. The last puzzle stays on the board."""
        storm = self._storm
        assert storm is not None
        self._timer.stop()
        storm.stop_clock()
        self._done, self._pending = True, None
        self.study.show_hint(None)
        if storm.is_over or storm.result != StormResult():
            self._store(storm.result)
        self._show_storm_end(storm.result)
        self.play.changed.emit()

    def _store(self, result: StormResult) -> None:
        result.date = datetime.now().isoformat(timespec="milliseconds")
        name, text = STORM + result.date, result.to_text()
        self._archives.write(lambda archive: archive.note(name, text))

    def _show_storm_end(self, result: StormResult) -> None:
        storm = self._storm
        assert storm is not None
        text = (
            self.tr("Time is up.") if storm.is_over else self.tr("The storm is over.")
        )
        text += " " + self._storm_counts(result)
        if result.hardest:
            text += "  ·  " + self.tr("hardest {0}").format(result.hardest)
        archive = self._archives.archive()
        bests = [] if archive is None else best_storms(archive)
        if bests and bests[0].date == result.date and result.solved:
            text += "\n" + self.tr("This is your best storm.")
        elif bests:
            numbers = ", ".join(str(each.solved) for each in bests)
            text += "\n" + self.tr("Your best storms: {0}").format(numbers)
        offers = [(self.tr("Another storm (N)"), self.next)]
        if storm.missed:
            label = self.tr("The missed puzzles ({0})").format(len(storm.missed))
            lessons = [of_exercise(e)._replace(rating=0) for e in storm.missed]
            offers.insert(0, (label, partial(self.start, lessons)))
        offers.append((self.tr("Back to the game"), self.mode.go_back))
        head = f"{RIGHT} {result.solved}   {WRONG} {len(storm.missed)}"
        self.bar.show_message(text, *offers, name="trainer", head=head)

    # Help

    def hint(self) -> None:
        """Show the next hint: the aim, then the region, then the move."""
        lesson = self.lesson
        if lesson is None or self._done or self._pending is not None:
            return
        self._return()
        self._note_help()  # a solution with a hint does not count for the rating
        self._hints += 1
        best = lesson.answers[0]
        if self._hints == 1:
            self._show(self._aim(lesson))
        elif self._hints == 2:
            column, row = cell_text(best)[0], cell_text(best)[1:]
            text = self.tr("Look at column {0} or row {1}.").format(column, row)
            self._show(text)
        else:
            self.study.show_hint(best)
            self._show(self.tr("It is {0}.").format(cell_text(best)))

    def _aim(self, lesson: Lesson) -> str:
        if lesson.is_win and lesson.before.win_in is not None:
            text = self.tr("There is a win in {0}: fours, or threes that hold.")
            return text.format(moves_text(lesson.before.win_in))
        if lesson.before.chance > 0.5:
            return self.tr("You are better here: keep the initiative.")
        return self.tr("The opponent threatens to win. Where would they play next?")

    def show_answer(self) -> None:
        """Play the answer on the board, and then the whole win, move by move."""
        lesson = self.lesson
        if lesson is None or self._done or self._pending is not None:
            return
        if self._storm is not None:
            return  # skip the puzzle instead
        self._note_help()
        self._done = True
        best = lesson.answers[0]
        self._return()
        self.study.show_hint(None)
        self._place(best)
        self._show(self.tr("It was {0}.").format(cell_text(best)))
        if lesson.is_win:
            self._find_solution(lesson)

    def _place(self, move: Move) -> None:
        """Place a stone after the position of the lesson, which moves there."""
        self.play.place(move)
        self.play.tree.freeze()
        self._node = self.play.tree.node

    def _find_solution(self, lesson: Lesson) -> None:
        """Search in a thread for the moves after the answer."""
        control = self._solving = SearchControl()

        def take(moves: tuple[Move, ...]) -> None:
            if control is self._solving and self.lesson is lesson:
                self._moves = list(moves[1:])
                self._mover.start()

        task = BackgroundTask(lambda task: solution_of(lesson, control))
        task.done.connect(take)
        task.start()

    def _play_solution(self) -> None:
        """Play the next move of the solution, while the user looks at the last one."""
        if not self._moves or self.lesson is None:
            self._mover.stop()
        elif self.is_shown:
            self._place(self._moves.pop(0))

    def _stop_solution(self) -> None:
        self._solving.stop()
        self._mover.stop()
        self._moves = []
