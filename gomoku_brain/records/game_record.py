"""Record of a played game: ``GameRecord``, and its one line of JSON.

``psq`` and ``sgf`` have the other written formats; ``game_formats`` reads any of them.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from gomoku_brain.game.notation import Move, foul_words, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFigures:
    """Search figures that a player reported. None means not reported."""

    score: int | None = None
    """Score for the side that moved, in the player's own units."""

    win_in: int | None = None
    """Plies to the five: positive if the side that moved wins, negative if it loses."""

    depth: int | None = None
    """Depth of the last reported iteration, in plies."""

    nodes: int | None = None
    """Nodes searched, as precise as the report ("352K")."""

    def __post_init__(self) -> None:
        """Treat a score of 0 at depth 0 as not known.

        Versions before 2026-11-28 and other engines report it for a move whose search
        was stopped before it had a score.
        """
        if self.depth == 0 and self.score == 0 and self.win_in is None:
            object.__setattr__(self, "score", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures(ReportedFigures):
    """Figures of a move: its time, and what the search that found it reported."""

    seconds: float | None = None
    """Wall time that the mover used; None for an opening move or if unknown."""

    by_opening: bool = False
    """Whether the move was given to the players instead of chosen by them."""

    def values(self) -> dict[str, Any]:
        """Return the figures by their names."""
        return dict(zip(FIGURES, _figures_of(self), strict=True))


NO_FIGURES = Figures()


@dataclass(frozen=True, slots=True)
class PlayedMove(Figures):
    """Move of a record, with its figures and its comment."""

    move: Move

    comment: str = field(default="", kw_only=True)

    @property
    def figures(self) -> Figures:
        """The figures alone."""
        if _figures_of(self) == _NO_VALUES:
            return NO_FIGURES
        return Figures(
            seconds=self.seconds,
            score=self.score,
            win_in=self.win_in,
            depth=self.depth,
            nodes=self.nodes,
            by_opening=self.by_opening,
        )


FIGURES = ("seconds", "score", "win_in", "depth", "nodes", "by_opening")
_figures_of = attrgetter(*FIGURES)
_NO_VALUES = _figures_of(NO_FIGURES)


# Figures in words, for formats that have only comments

_WORDS = {
    "by_opening": re.compile(r"(opening move)"),
    # A longer number is no figure of a program.
    "seconds": re.compile(r"(\d{1,9}(?:\.\d*)?) ?s"),
    "milliseconds": re.compile(r"(\d{1,12}) ?ms"),  # as c-gomoku-cli writes
    "score": re.compile(r"score ([+-]?\d{1,18})"),
    "win": re.compile(r"win in (\d{1,18})"),
    "loss": re.compile(r"loss in (\d{1,18})"),
    "depth": re.compile(r"depth (\d{1,18})"),
    "nodes": re.compile(r"(\d{1,18}) nodes"),
}


_FIRST_LETTERS = "odlsw"  # of the words above


def figures_in_words(figures: Figures) -> str:
    """Return the figures as one line that ``figures_named`` reads; "" for none.

    Seconds are rounded to microseconds.
    """
    if figures is NO_FIGURES:
        return ""
    words = []
    if figures.by_opening:
        words.append("opening move")
    if figures.seconds is not None:
        seconds = f"{figures.seconds:.6f}".rstrip("0").rstrip(".")
        words.append(f"{seconds} s")
    if figures.score is not None:
        words.append(f"score {figures.score}")
    if figures.win_in is not None:
        word = "loss" if figures.win_in < 0 else "win"
        words.append(f"{word} in {abs(figures.win_in)}")
    if figures.depth is not None:
        words.append(f"depth {figures.depth}")
    if figures.nodes is not None:
        words.append(f"{figures.nodes} nodes")
    return ", ".join(words)


def figures_named(line: str) -> dict[str, float]:
    """Return the fields of ``Figures`` that a line states; {} for any other text."""
    found: dict[str, float] = {}
    if not line[:1].isdigit() and line[:1] not in _FIRST_LETTERS:
        return found  # at once: most lines are comments
    for item in line.split(", "):
        matches = ((name, form.fullmatch(item)) for name, form in _WORDS.items())
        name, row = next((pair for pair in matches if pair[1]), ("", None))
        if not row:
            return {}
        if name == "by_opening":
            found[name] = True
        elif name == "seconds":
            found[name] = float(row[1])
        elif name == "milliseconds":
            found["seconds"] = int(row[1]) / 1000
        elif name in ("win", "loss"):
            found["win_in"] = int(row[1]) if name == "win" else -int(row[1])
        else:
            found[name] = int(row[1])
    return found


@lru_cache(8192)
def bare(move: Move) -> PlayedMove:
    """Return a move without further facts; the same object each time."""
    return PlayedMove(move)


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not. Colours alternate, black first.

    A record stores the content of a file without judgement, except for its result:
    ValueError unless that is one of ``RESULTS``. TypeError for a rule or moves of
    another type. ``board`` replays the game.
    """

    rule: Rule
    width: int
    height: int

    black: str = ""
    """Name of the player with the black stones."""
    white: str = ""

    moves: tuple[PlayedMove, ...] = ()

    result: str = "*"
    """"1-0" black won, "0-1" white won, "1/2-1/2" a draw, "*" unfinished or unknown."""

    reason: str = ""
    """End of the game; empty if unknown.

    One of: five, full board, foul, illegal move, time, crash, hang, flood, garbage,
    refused, resigned (of SGF), adjudicated, max moves, stopped.
    """

    detail: str = ""
    """Further details of the reason, one line: for example the last output of the
    loser.
    """

    date: str = ""
    """Date in ISO 8601, a day or a moment."""

    id: str = ""
    """Name of the game, unique in a run."""

    extra: dict[str, str] = field(default_factory=dict, hash=False)
    """Any other known facts: the opening's name, the time control, the round."""

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"not a result: {self.result!r} (one of {RESULTS})")
        if not isinstance(self.rule, Rule):
            raise TypeError(f"the rule of a record is a Rule, not {self.rule!r}")
        if not all([isinstance(move, PlayedMove) for move in self.moves]):
            raise TypeError("moves of a record are PlayedMoves; Game takes others")

    def _repr_svg_(self) -> str:
        """Return the final position for a notebook, with the numbers of the moves."""
        return self.board().svg(numbers=True)

    def board(self, plies: int | None = None) -> Board:
        """Return the position after ``plies`` moves, or after the last.

        Raises ValueError for an unsupported size (5 to 22 cells a side are supported)
        and for a move off the board or on an occupied cell.
        """
        cells = [played.move for played in self.moves[:plies]]
        return Board.from_moves(cells, (self.width, self.height), self.rule)


_USUAL_SIDE = 52  # cells: what SGF can write


@lru_cache(64)
def _cells_of(width: int, height: int) -> frozenset[Move]:
    return frozenset(Move(x, y) for x in range(width) for y in range(height))


def first_wrong(moves: Sequence[Move], width: int, height: int) -> tuple[int, str]:
    """Find the first move that is off the board or on an occupied cell, and its fault.

    If there is none, the place is the number of moves, and the text is empty.
    """
    if max(width, height) <= _USUAL_SIDE:
        cells = set(moves)
        if len(cells) == len(moves) and cells <= _cells_of(width, height):
            return len(moves), ""
    seen = set()
    for place, move in enumerate(moves):
        if not (0 <= move.x < width and 0 <= move.y < height):
            return place, f"move {place + 1}, {move}: off the {width}x{height} board"
        if move in seen:
            return place, f"move {place + 1}, {move}: the cell is occupied"
        seen.add(move)
    return len(moves), ""


def natural_end(record: GameRecord) -> tuple[str, str]:
    """Return (result, reason) by the last move; "*" and "" if it does not end the game.

    It ends with a five, a foul of black under renju, or a full board. Also "*" for an
    unsupported board and for moves that cannot be played.
    """
    board = _before_last(record)
    if board is None:
        return "*", ""
    move = record.moves[-1].move
    if board.turn is Side.BLACK and board.foul(move):
        return "0-1", "foul"
    board.play(move)
    if board.winner is not None:
        return ("1-0", "0-1")[board.winner], "five"
    return ("1/2-1/2", "full board") if board.is_full else ("*", "")


def foul_at_end(record: GameRecord) -> str:
    """Return the kind of the foul with which black ended the game; empty for none."""
    board = _before_last(record)
    if board is None or board.turn is not Side.BLACK:
        return ""
    return foul_words(board.foul(record.moves[-1].move))


def _before_last(record: GameRecord) -> Board | None:
    """Return the position before the last move; None if no game can continue there."""
    try:
        if record.moves and first_wrong_move(record) is None:
            board = record.board(len(record.moves) - 1)
            return board if board.winner is None else None
    except ValueError:
        pass
    return None


def first_wrong_move(record: GameRecord) -> int | None:
    """Return the place of the first move that cannot be played; None if all can."""
    moves = [played.move for played in record.moves]
    place, what = first_wrong(moves, record.width, record.height)
    return place if what else None


def one_line(text: str) -> str:
    """Return the text with every run of blanks and line ends replaced by one blank."""
    return " ".join(text.split())


# ----- JSON -----

MAX_SECONDS = 1e9  # of a move: 30 years; a larger value in a file is no time
_OF_MOVE: dict[str, tuple[type, ...]] = {
    "seconds": (int, float),
    "score": (int,),
    "win_in": (int,),
    "depth": (int,),
    "nodes": (int,),
    "by_opening": (bool,),
    "comment": (str,),
}
_OF_GAME: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("black", "white", "result", "reason", "detail"), (str,)),
    **dict.fromkeys(("date", "id"), (str,)),
    "extra": (dict,),
}


def record_line(record: GameRecord) -> str:
    """Return the record as one line of ASCII, without a newline; defaults are left out.

    {"rule": "renju", "width": 15, "height": 15, "moves": [{"move": "h8"}, ...], ...}
    """
    moves = [{"move": str(m.move), **_known(m)} for m in record.moves]
    row: dict[str, object] = {
        "rule": record.rule.name.lower(),
        "width": record.width,
        "height": record.height,
        "result": record.result,
        **_known(record),
    }
    row["moves"] = moves
    # Not a number has no place in JSON; an error is better than a file that few can
    # read.
    return json.dumps(row, allow_nan=False)


def is_match(text: str) -> bool:
    """Whether this is a file of ``gomoku-brain match``, perhaps without games.

    If its last line has no end, it is being written, or the run was killed: then the
    line may be broken.
    """
    return text.startswith('{"match": ')


def from_json(line: str) -> GameRecord:
    """Read the output of ``record_line``. An entry of "moves" may also be a bare text,
    "h8".

    Unknown keys are ignored. Raises ValueError for anything else that is not a record,
    and for moves that cannot be played.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"broken JSON: {error}") from None
    return record_of_row(row)


def record_of_row(row: object) -> GameRecord:
    """Return the record of a JSON value; raises ValueError as ``from_json``."""
    if not isinstance(row, dict):
        raise ValueError("not a game record: a JSON object was expected")
    name = row.get("rule")
    if not isinstance(name, str) or name.upper() not in Rule.__members__:
        raise ValueError(f'"rule" is {name!r}, not one of {_rule_names()}')
    width, height = _cells(row, "width"), _cells(row, "height")
    moves = row.get("moves", [])
    if not isinstance(moves, list):
        raise ValueError('"moves" is not a list')
    played = tuple(_played(number, move) for number, move in enumerate(moves, 1))
    _, wrong = first_wrong([p.move for p in played], width, height)
    if wrong:
        raise ValueError(wrong)
    known = _checked(row, GameRecord)
    extra = known.get("extra", {})
    assert isinstance(extra, dict)
    for key, value in extra.items():
        if not isinstance(value, str):
            raise ValueError(f'"extra" has {value!r} as "{key}", not a text')
    known |= {"moves": played, "width": width, "height": height}
    return GameRecord(rule=Rule[name.upper()], **known)


def _cells(row: dict[str, object], key: str) -> int:
    value = row.get(key)
    if type(value) is not int or value < 1:
        raise ValueError(f'"{key}" is {value!r}, not a number of cells')
    return value


def _rule_names() -> str:
    return ", ".join(rule.name.lower() for rule in Rule)


def _known(record: PlayedMove | GameRecord) -> dict[str, object]:
    """Return the fields of JSON that are not at their default."""
    row = {}
    by_name = {f.name: f for f in fields(record)}
    for name in _OF_GAME if isinstance(record, GameRecord) else _OF_MOVE:
        f, value = by_name[name], getattr(record, name)
        empty = f.default_factory() if f.default_factory is not MISSING else f.default
        if value != empty:
            row[name] = value
    return row


def _checked(
    row: dict[str, Any], kind: type[PlayedMove | GameRecord]
) -> dict[str, Any]:
    """Return those values of a JSON object that are fields of a move or of a game.

    Raises ValueError for a value of another type.
    """
    kinds = _OF_MOVE if kind is PlayedMove else _OF_GAME
    known = {k: v for k, v in row.items() if k in kinds and v is not None}
    for name, value in known.items():
        if type(value) not in kinds[name]:
            raise ValueError(f'"{name}" is {value!r}')
    if "seconds" in known and not 0 <= known["seconds"] < MAX_SECONDS:
        raise ValueError('"seconds" is no time that a move took')
    return known


_move_named = lru_cache(4096)(parse_move)


def _played(number: int, row: object) -> PlayedMove:
    """Return one entry of "moves": an object, or a bare text."""
    if isinstance(row, str):
        row = {"move": row}
    if not isinstance(row, dict) or not isinstance(row.get("move"), str):
        raise ValueError(f'move {number} has no "move"')
    try:
        move = _move_named(row["move"])
        known = _checked(row, PlayedMove)
        return PlayedMove(move, **known) if known else bare(move)
    except ValueError as error:
        raise ValueError(f"move {number}: {error}") from None
