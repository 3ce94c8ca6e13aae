"""What the trainer asks: shipped puzzles, and mistakes of one's own games."""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_tree import GameTree, Node
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import INACCURACY, Value
from gomoku_brain.study.puzzle_set import Exercise

__all__ = ["Lesson", "LessonAnswer", "check", "from_text", "lessons_of", "next_of_set"]

CHECK_NODES = 150_000
NEAREST = 8  # puzzles about as hard as the solver is good, of which chance takes one


class Lesson(NamedTuple):
    """A position with a question: what is to be played?"""

    name: str
    """ "set:17" for a shipped puzzle, "game:3:14" for a move of a game."""
    game: Game
    """With the moves to the position."""
    answers: tuple[Move, ...]
    """Moves that are known to be right."""
    before: Value
    """What the position is worth to its side to move."""
    played: Move | None = None
    """The mistake that was made here."""
    rating: int = 0
    """Difficulty; 0 for one that nobody has rated."""

    @property
    def board(self) -> Board:
        """The position."""
        return self.game.board()

    @property
    def side(self) -> Side:
        """Who is to move."""
        return self.board.turn

    @property
    def is_win(self) -> bool:
        """Whether a forced win is to be found."""
        return self.before.win_in is not None and self.before.win_in > 0

    def to_text(self) -> str:
        """One JSON text."""
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
    """Read what `Lesson.to_text` wrote. Raises ValueError for anything else."""
    try:
        row = json.loads(text)
        width, height = map(int, row["size"])
        moves, answers = (
            tuple(parse_move(cell) for cell in row[key]) for key in ("moves", "answers")
        )
        played = None if row["played"] is None else parse_move(row["played"])
        game = Game(Rule[row["rule"].upper()], width, height, moves=moves)
        game.board()
        return Lesson(name, game, answers, Value(*row["before"]), played)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a lesson: {error!r}") from None


def of_exercise(exercise: Exercise) -> Lesson:
    """A shipped puzzle."""
    game = Game(exercise.rule, exercise.size, exercise.size, moves=exercise.moves)
    plies = exercise.plies
    worth = Value(10**6 - plies, plies)
    return Lesson(exercise.name, game, exercise.answers, worth, rating=exercise.rating)


def lessons_of(
    tree: GameTree, line: Sequence[Node], sides: Iterable[Side], number: int = 0
) -> list[Lesson]:
    """The mistakes that these sides made in a judged line of a game."""
    wanted = set(sides)
    found = []
    moves = tuple(node.move for node in line if node.move is not None)
    for ply, node in enumerate(line):
        verdict = node.verdict
        side = tree.start.first if ply % 2 == 0 else tree.start.first.other
        if verdict is None or not verdict.is_mistake or side not in wanted:
            continue
        start = tree.start
        game = Game(
            start.rule,
            start.width,
            start.height,
            start.black,
            start.white,
            start.walls,
            start.first,
            moves=moves[:ply],
        )
        name = f"game:{number}:{ply + 1}"
        found.append(Lesson(name, game, (verdict.best,), verdict.before, node.move))
    return found


def next_of_set(
    exercises: Sequence[Exercise], progress: SolverRecord, chance: Random
) -> Exercise:
    """A puzzle about as hard as the solver is good: one of those not solved yet."""
    solved = set(progress.solved)
    fresh = [k for k in range(len(exercises)) if k + 1 not in solved]
    ranked = sorted(
        fresh or range(len(exercises)),
        key=lambda k: abs(exercises[k].rating - progress.rating),
    )
    return exercises[chance.choice(ranked[:NEAREST])]


class LessonAnswer(NamedTuple):
    """What is to be said of an attempt."""

    right: bool
    line: tuple[Move, ...]
    """What follows the move."""
    after: Value
    """What the move is worth to its mover."""


def check(engine: Engine, lesson: Lesson, move: Move) -> LessonAnswer:
    """Judge a move by a search of what follows it.

    Of a forced win every move is right that is proved to keep it; of any other lesson
    a move that gives less winning chance away than an inaccuracy.
    """
    board = lesson.board
    won = board.wins_at(move)
    foul = board.foul(move) is not None and board.turn is Side.BLACK
    board.play(move)
    if won or foul or board.is_full:
        return LessonAnswer(won, (), Value(1 if won else -1, 1 if won else -1))
    result = engine.search(board, Limits(nodes=CHECK_NODES))
    after = Value.of(result).other
    right = move in lesson.answers
    if lesson.is_win:
        right = right or (after.win_in is not None and after.win_in > 0)
    else:
        right = right or lesson.before.chance - after.chance < INACCURACY
    right = right and move != lesson.played
    return LessonAnswer(right, result.pv, after)
