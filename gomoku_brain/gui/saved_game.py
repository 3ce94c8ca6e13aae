"""A game as one JSON text, with its variations and players: what a crash must not take.

Also keeps that text on disk while a game is played.
"""

import contextlib
import json
from dataclasses import asdict, fields
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from gomoku_brain.game.notation import parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.background import Task
from gomoku_brain.gui.game_tree import Ending, GameTree, Node
from gomoku_brain.gui.play import Terms
from gomoku_brain.gui.seats import Seat
from gomoku_brain.gui.settings import read_into, write_whole
from gomoku_brain.match.record import PlayedMove
from gomoku_brain.match.referee import TimeControl
from gomoku_brain.study.reader import Game

__all__ = ["Autosave", "from_text", "to_text"]

DELAY_MS = 300  # after a change, before it is written
_FACTS = [f.name for f in fields(PlayedMove) if f.name != "move"]


def to_text(tree: GameTree, terms: Terms) -> str:
    """The game as JSON."""
    numbers = {node: k for k, node in enumerate(tree.nodes())}
    start = tree.start
    row = {
        "rule": start.rule.name.lower(),
        "width": start.width,
        "height": start.height,
        "first": int(start.first),
        "stones": [
            [str(move) for move in stones]
            for stones in (start.black, start.white, start.walls)
        ],
        "names": [tree.names[side] for side in Side],
        "extra": tree.extra,
        "date": tree.date,
        "here": numbers[tree.node],
        "nodes": [_node_row(node, numbers) for node in tree.nodes()],
        "terms": asdict(terms),
    }
    return json.dumps(row)


def _node_row(node: Node, numbers: dict[Node, int]) -> dict[str, object]:
    row: dict[str, object] = {}
    if node.parent is not None and node.played is not None:
        row = {"parent": numbers[node.parent], "move": str(node.played.move)}
        facts = {name: getattr(node.played, name) for name in _FACTS}
        row |= {name: value for name, value in facts.items() if value not in (None, "")}
    if node.ending is not None:
        row["ending"] = list(node.ending)
    if node.chance is not None:
        row["chance"] = node.chance
    return row


def from_text(text: str) -> tuple[GameTree, Terms]:
    """Read what `to_text` wrote. Raises ValueError for anything else."""
    try:
        row = json.loads(text)
    except RecursionError:
        raise ValueError("not a saved game: nested too deeply") from None
    try:
        black, white, walls = (
            tuple(parse_move(cell) for cell in stones) for stones in row["stones"]
        )
        start = Game(
            Rule[row["rule"].upper()],
            int(row["width"]),
            int(row["height"]),
            black,
            white,
            walls,
            Side(row["first"]),
        )
        tree = GameTree(start)
        nodes = [tree.root]
        for each in row["nodes"]:
            if "parent" in each:
                tree.go_to(nodes[each["parent"]])
                facts = {name: each[name] for name in _FACTS if name in each}
                # The newest child comes first, and children were written in order.
                node = tree.play(PlayedMove(parse_move(each["move"]), **facts))
                siblings = nodes[each["parent"]].children
                siblings.append(siblings.pop(0))
                nodes.append(node)
            if "ending" in each:
                nodes[-1].ending = Ending(*map(str, each["ending"]))
            if "chance" in each:
                nodes[-1].chance = float(each["chance"])
        tree.go_to(nodes[row["here"]])
        tree.names = dict(zip(Side, map(str, row["names"]), strict=True))
        tree.extra = {str(k): str(v) for k, v in row["extra"].items()}
        tree.date = str(row["date"])
        terms = _terms(row["terms"])
    except (LookupError, TypeError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"not a saved game: {error!r}") from None
    return tree, terms


def _terms(row: dict[str, object]) -> Terms:
    plain = read_into(Terms(), row)
    control = row["control"]
    if not isinstance(control, dict):
        raise TypeError("control")
    limits = [control[key] for key in ("turn", "match")]
    turn, match = (None if limit is None else float(limit) for limit in limits)
    return Terms(
        read_into(Seat(), row["black"]),
        read_into(Seat(), row["white"]),
        TimeControl(
            turn,
            match,
            float(control["increment"]),
            margin=float(control["margin"]),
        ),
        people_too=plain.people_too,
        swap2=plain.swap2,
        threads=plain.threads,
        hash_mb=plain.hash_mb,
    )


class Autosave(QObject):
    """Keeps the game on disk, a moment after each change, written in a thread.

    A second window of the program finds the place taken and keeps nothing.
    """

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        """Take the place, if nobody has it."""
        super().__init__(parent)
        self.path = path
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self.is_ours = self._lock.tryLock(0)
        self._game: tuple[GameTree, Terms] | None = None  # what is to be written
        self._text = ""  # what was
        self._task: Task | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._write)

    def left_behind(self) -> tuple[GameTree, Terms] | None:
        """The game that a crash left, if there is one that can be read."""
        if not self.is_ours:
            return None
        try:
            return from_text(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def keep(self, tree: GameTree, terms: Terms) -> None:
        """Write the game soon."""
        if self.is_ours:
            self._game = tree, terms
            if not self._timer.isActive():
                self._timer.start()

    def _news(self) -> str | None:
        """The text to be written, if it is another one."""
        game, self._game = self._game, None
        text = None if game is None else to_text(*game)
        if text is None or text == self._text:
            return None
        self._text = text
        return text

    def _write(self) -> None:
        if self._task is not None:
            return  # it asks again when it has written
        text = self._news()
        if text is None:
            return
        self._task = Task(lambda task: write_whole(self.path, text))
        self._task.done.connect(self._written)
        self._task.failed.connect(self._written)  # a full disk: the next one may fit
        self._task.start()

    def _written(self) -> None:
        self._task = None
        self._write()

    def flush(self) -> None:
        """Write now what is waiting."""
        self._timer.stop()
        if self._task is not None:
            self._task.wait(2.0)
            self._task = None
        text = self._news()
        if text is not None:
            with contextlib.suppress(OSError):
                write_whole(self.path, text)

    def forget(self) -> None:
        """The program ends as it should: nothing is left behind."""
        self.flush()
        if self.is_ours:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
            self._lock.unlock()
            self.is_ours = False
