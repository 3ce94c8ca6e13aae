"""Facts of a played game: `GameRecord`, and its one line of JSON.

The other written forms are in `psq` and `sgf`; `game_formats` reads any of them.
"""

import json
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move and what is known of how it was found."""

    move: Move

    seconds: float | None = None
    """Wall time that the mover used; None for an opening move or when not known."""

    score: int | None = None
    """The mover's opinion of the position, from its own side, in its own units."""

    win_in: int | None = None
    """Plies until the five, positive when the mover says that it wins, negative when
    that it loses."""

    depth: int | None = None
    """Plies."""

    nodes: int | None = None

    by_opening: bool = False
    """Whether the move was given to the players instead of chosen by them."""

    comment: str = ""


@cache
def bare(move: Move) -> PlayedMove:
    """A move of which nothing else is known; the same object each time."""
    return PlayedMove(move)


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not. Colours alternate, black first.

    A record keeps what a file says and does not judge it, but for its result:
    ValueError unless that is one of RESULTS. `board` replays the game.
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
    """End of the game: five, full board, foul, illegal move, time, crash, hang,
    flood, garbage, refused, resigned (of SGF), adjudicated, max moves, stopped; empty
    when not known."""

    detail: str = ""
    """More about the reason: the last words of the loser, one line."""

    date: str = ""
    """ISO 8601, a day or a moment."""

    id: str = ""
    """Name of the game, unique in a run."""

    extra: dict[str, str] = field(default_factory=dict, hash=False)
    """Anything else that is known: the opening's name, the time control, the round."""

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"not a result: {self.result!r} (one of {RESULTS})")

    def board(self, plies: int | None = None) -> Board:
        """The position after so many moves, or after the last.

        Raises ValueError for a size that the rules do not know (they know 5..22 cells a
        side) and for a move off the board or on an occupied cell.
        """
        cells = [played.move for played in self.moves[:plies]]
        return Board.from_moves(cells, (self.width, self.height), self.rule)


def first_wrong(moves: Sequence[Move], width: int, height: int) -> tuple[int, str]:
    """Find the first move that is off the board or on an occupied cell, and its fault.

    The place is the number of moves, and the text empty, when none is.
    """
    seen = set()
    for place, move in enumerate(moves):
        if not (0 <= move.x < width and 0 <= move.y < height):
            return place, f"move {place + 1}, {move}: off the {width}x{height} board"
        if move in seen:
            return place, f"move {place + 1}, {move}: the cell is occupied"
        seen.add(move)
    return len(moves), ""


def natural_end(record: GameRecord) -> tuple[str, str]:
    """(result, reason) as the last move tells: a five that it made, a foul of black
    under renju, or a full board; else "*" and "".

    Also "*" for a board that the rules do not know and for moves that cannot be played.
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
    """The kind of the foul with which black ended the game; empty for none."""
    board = _before_last(record)
    if board is None or board.turn is not Side.BLACK:
        return ""
    return (board.foul(record.moves[-1].move) or "").replace("-", " ")


def _before_last(record: GameRecord) -> Board | None:
    """The position before the last move; None where no game goes on there."""
    try:
        if record.moves and first_wrong_move(record) is None:
            board = record.board(len(record.moves) - 1)
            return board if board.winner is None else None
    except ValueError:
        pass
    return None


def first_wrong_move(record: GameRecord) -> int | None:
    """The place of the first move that no board takes; None where all can be played."""
    moves = [played.move for played in record.moves]
    place, what = first_wrong(moves, record.width, record.height)
    return place if what else None


def one_line(text: str) -> str:
    """The text with every run of blanks and line ends made one blank."""
    return " ".join(text.split())


# ----- JSON -----

MOST_SECONDS = 1e9  # of a move: 30 years; what a file says beyond that is no time
_KINDS: dict[str, type | tuple[type, ...]] = {
    "seconds": (int, float),
    "score": int,
    "win_in": int,
    "depth": int,
    "nodes": int,
    "by_opening": bool,
    "comment": str,
    "black": str,
    "white": str,
    "result": str,
    "reason": str,
    "detail": str,
    "date": str,
    "id": str,
    "extra": dict,
}


def to_json(record: GameRecord) -> str:
    """The record as one line of ASCII, without a newline; defaults are left out.

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
    # Not a number has no place in JSON; better to fail than to write what few read.
    return json.dumps(row, allow_nan=False)


def is_unfinished(text: str) -> bool:
    """Whether this is a file of `gomoku-brain match` whose last line has no end.

    It is being written, or the run was killed: the line may be broken.
    """
    return text.startswith('{"match": ') and not text.endswith("\n")


def from_json(line: str) -> GameRecord:
    """Read what to_json wrote. An entry of "moves" may also be a bare text, "h8".

    Keys that are not known are ignored. Raises ValueError for anything else that is
    not a record, and for moves that no board takes.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"broken JSON: {error}") from None
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
    """The fields that say something: those of _KINDS that are not at their default."""
    row = {}
    for f in fields(record):
        value = getattr(record, f.name)
        empty = f.default_factory() if f.default_factory is not MISSING else f.default
        if f.name in _KINDS and value != empty:
            row[f.name] = value
    return row


def _checked(row: dict[str, object], kind: type) -> dict:  # type: ignore[type-arg]
    """Those values of a JSON object that are fields of `kind`, with their types."""
    known = {}
    for f in fields(kind):
        if f.name in _KINDS and (value := row.get(f.name)) is not None:
            wanted = _KINDS[f.name]
            if not isinstance(value, wanted) or (
                isinstance(value, bool) and wanted is not bool
            ):
                raise ValueError(f'"{f.name}" is {value!r}')
            if f.name == "seconds":
                assert isinstance(value, (int, float))
                if not 0 <= value < MOST_SECONDS:
                    raise ValueError('"seconds" is no time that a move took')
            known[f.name] = value
    return known


def _played(number: int, row: object) -> PlayedMove:
    """One entry of "moves": an object, or a bare text."""
    if isinstance(row, str):
        row = {"move": row}
    if not isinstance(row, dict) or not isinstance(row.get("move"), str):
        raise ValueError(f'move {number} has no "move"')
    try:
        return PlayedMove(parse_move(row["move"]), **_checked(row, PlayedMove))
    except ValueError as error:
        raise ValueError(f"move {number}: {error}") from None
