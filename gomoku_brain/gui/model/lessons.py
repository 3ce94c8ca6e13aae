"""Lessons of the trainer: puzzles of the package, and mistakes of the user's games."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model import search_limits
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.study.annotate import INACCURACY, Value
from gomoku_brain.study.puzzles import Exercise

__all__ = [
    "Lesson",
    "LessonAnswer",
    "check",
    "following_lesson",
    "from_text",
    "lessons_of",
    "next_of_set",
    "puzzle_of_day",
    "solution_of",
]

DAY_STEP = 167  # between the puzzles of two days; a prime, so all have their turn
HASH_MB = 16.0
NEAREST = 8  # number of puzzles near the user's rating; one is chosen at random


class Lesson(NamedTuple):
    """Position in which the user must find the right move."""

    name: str
    """Name: "set:17" for a puzzle of the package, "game:3:14" for a move of a game."""
    game: Game
    """Game with the moves up to the position."""
    answers: tuple[Move, ...]
    """Moves that are known to be right."""
    before: Value
    """Value of the position for the side to move."""
    played: Move | None = None
    """The mistake that was played here."""
    rating: int = 0
    """Difficulty as an Elo rating; 0 = unrated."""

    @property
    def board(self) -> Board:
        """Board with the position."""
        return self.game.board()

    @property
    def side(self) -> Side:
        """The side to move."""
        return self.board.turn

    @property
    def is_win(self) -> bool:
        """Whether the lesson requires a forced win."""
        return self.before.win_in is not None and self.before.win_in > 0

    def to_text(self) -> str:
        """Serialize the lesson as JSON."""
        row = {
            "rule": self.game.rule.name.lower(),
            "size": [self.game.width, self.game.height],
            "moves": [str(move) for move in self.game.moves],
            "answers": [str(move) for move in self.answers],
            "before": list(self.before),
            "played": None if self.played is None else str(self.played),
        }
        return json.dumps(row)


def from_text(name: str, text: str) -> Lesson:
    """Parse the output of ``Lesson.to_text``. Raises ``ValueError`` for other texts."""
    try:
        row = json.loads(text)
        width, height = map(int, row["size"])
        moves, answers = (
            tuple(parse_move(cell) for cell in row[key]) for key in ("moves", "answers")
        )
        played = None if row["played"] is None else parse_move(row["played"])
        game = Game((width, height), Rule[row["rule"].upper()], moves=moves)
        game.board()
        return Lesson(name, game, answers, Value(*row["before"]), played)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a lesson: {error!r}") from None


def of_exercise(exercise: Exercise) -> Lesson:
    """Convert a puzzle of the package to a lesson."""
    game = Game(exercise.size, exercise.rule, moves=exercise.moves)
    plies = exercise.plies
    worth = Value(10**6 - plies, plies)
    return Lesson(exercise.name, game, exercise.answers, worth, rating=exercise.rating)


def lessons_of(
    tree: GameTree, line: Sequence[GameNode], sides: Iterable[Side], number: int = 0
) -> list[Lesson]:
    """Return the mistakes of these sides in a reviewed line of a game."""
    wanted = set(sides)
    found = []
    for ply, node in enumerate(line):
        verdict = tree.verdicts.get(node)
        if verdict is None or not verdict.is_mistake or node.side not in wanted:
            continue
        game = tree.bare_game(node.path_moves()[:ply])
        name = f"game:{number}:{ply + 1}"
        found.append(Lesson(name, game, (verdict.best,), verdict.before, node.move))
    return found


def next_of_set(
    exercises: Sequence[Exercise],
    progress: SolverRecord,
    chance: Random,
    rule: Rule | None = None,
    last: str = "",
) -> Exercise:
    """Choose an unsolved puzzle with a rating near that of the user.

    A puzzle that was shown but not tried comes first. ``rule`` leaves out the puzzles
    of other rules; None: all rules. ``last`` is the name of the puzzle before, which
    does not come again at once.
    """
    wanted = [k for k, e in enumerate(exercises) if rule is None or e.rule is rule]
    wanted = wanted or list(range(len(exercises)))
    if progress.open - 1 in wanted:
        return exercises[progress.open - 1]
    solved = set(progress.solved)
    fresh = [k for k in wanted if k + 1 not in solved]
    ranked = sorted(
        fresh or wanted,
        key=lambda k: abs(exercises[k].rating - progress.rating),
    )
    ranked = [k for k in ranked if exercises[k].name != last] or ranked
    return exercises[chance.choice(ranked[:NEAREST])]


def puzzle_of_day(exercises: Sequence[Exercise], day: int) -> Exercise:
    """Return the puzzle of a day, the same for everybody.

    Args:
        exercises: The puzzles of the package.
        day: The day as an ordinal of ``datetime.date``.
    """
    return exercises[day * DAY_STEP % len(exercises)]


class LessonAnswer(NamedTuple):
    """Result of an attempt."""

    right: bool
    line: tuple[Move, ...]
    """Line of play after the move."""
    after: Value
    """Value of the move for the side that played it."""


def following_lesson(lesson: Lesson, move: Move, answer: LessonAnswer) -> Lesson | None:
    """Return the rest of a puzzle after a right move and the reply of the defence.

    None if the puzzle is at its end: the win is on the board, or its rest is not
    proved.
    """
    left = answer.after.win_in
    is_puzzle = lesson.name.startswith("set:") and lesson.is_win
    if not is_puzzle or left is None or left < 2 or len(answer.line) < 2:
        return None
    if move == lesson.answers[0] and lesson.before.win_in is not None:
        left = min(left, lesson.before.win_in - 1)  # a search may prove a longer win
    reply, best = answer.line[:2]
    game = lesson.game.copy()
    game.end().add_line((move, reply))
    return lesson._replace(
        game=game, answers=(best,), before=Value(10**6 - left + 1, left - 1)
    )


def solution_of(lesson: Lesson, control: SearchControl) -> tuple[Move, ...]:
    """Return the moves of a short win with the first answer, up to the five.

    It ends earlier if no win by threats is found.
    """
    board, limits, answer = lesson.board, search_limits.ANSWER, lesson.answers[0]
    only = replace(limits, root_moves=(answer,))
    with Engine(hash_mb=HASH_MB) as engine:
        line = engine.find_win(board, "auto", only, control, shortest=True).line
        if line:
            return line
        board.play(answer)  # it is no threat
        reply = engine.search(board, limits, control=control).move
        board.play(reply)
        rest = engine.find_win(board, "auto", limits, control, shortest=True).line
    return answer, reply, *rest


def check(engine: Engine, lesson: Lesson, move: Move) -> LessonAnswer:
    """Judge a move by a search of the position after it.

    If there is a forced win, every move that keeps it is right. Otherwise a move is
    right if it loses less winning chance than an inaccuracy.
    """
    board = lesson.board
    won = board.wins_at(move)
    foul = board.foul(move) is not None and board.turn is Side.BLACK
    board.play(move)
    if won or foul or board.is_full:
        return LessonAnswer(won, (), Value(1 if won else -1, 1 if won else -1))
    result = engine.search(board, search_limits.ANSWER)
    after = Value.of(result).other
    right = move in lesson.answers
    if lesson.is_win:
        right = right or (after.win_in is not None and after.win_in > 0)
    else:
        right = right or lesson.before.chance - after.chance < INACCURACY
    right = right and move != lesson.played
    return LessonAnswer(right, result.pv, after)
