"""PSQ, the game files of Piskvork and of the Gomocup archives.

    Piskvorky 15x15, 11:11, 0        width x height, levels of the players, first player
    8,8,0                            x,y counted from 1, milliseconds of the move
    9,8,1250
    Rapfi.zip                        the players' programs
    Embryo.zip
    0                                end: 0 normally, 15 by time, -2 by another
    1,Freestyle15_1                  fault, -1 unknown; then winner and tournament

The third number of the head is 0 if the first named player has the first stone, 1 if
the second has it. Piskvork leaves out the names in games that belong to no tournament,
and the last line, which GomocupJudge adds: 1 or 2 for the winner, 0 for a draw. Neither
writes the rule.

We write all of it, with the rule in the place of the tournament and the reason of the
result behind it: "1,renju (time)". So our files contain their rule and the winner.

Written from the behaviour of Piskvork (plastovicka/Piskvork@2c3296514a37) and
GomocupJudge (server.py): only the order of the fields is theirs.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.records.game import Game, as_record
from gomoku_brain.records.game_node import LETTERS, GameNode
from gomoku_brain.records.game_record import (
    GameRecord,
    PlayedMove,
    bare,
    first_wrong,
    foul_at_end,
    natural_end,
    one_line,
)
from gomoku_brain.records.read_options import Item, ReadOptions, lines_of

HEAD = re.compile(
    r"\s*Piskvorky\s+(\d{1,9})\s*x\s*(\d{1,9})\s*,\s*(\d+)\s*:\s*(\d+)\s*,\s*(\d{1,9})",
    re.IGNORECASE,
)
# A line that was meant as a head, right or not: a board, perhaps after a word. A
# player's name may look like one, but it never stands before a move or after a game.
_MEANT = re.compile(
    r"(?:[^\s#]{0,30}\s{0,9})??\d{1,4}\s{0,9}[x*]\s{0,9}\d{1,4}\b", re.IGNORECASE
)

_MOVE = re.compile(r"(-?\d+)\s*,\s*(-?\d+)\s*(?:,\s*(-?\d+)\s*)?")
_HEAD_ROOM = 1000  # characters of a text in which its first two lines are searched
_MAX_ROWS = 4000  # of a game: more than the cells of any board
_ALMOST_MOVE = re.compile(r"-?\d+\s*[,;]\s*[-\w]")  # no name and no end either
_DIGITS = 12  # of milliseconds; a longer number is no time of a move
_UNKNOWN = -1  # in the place of a time
_NUMBER = re.compile(r"-?\d{1,9}")
_BEGINS_MOVE = re.compile(r"[+-]?\d+,")  # Piskvork reads the rest from any next line
_WINNER = re.compile(r"(-1|[012])\s*,(.*)")
_OURS = re.compile(r"([a-z_]+)(?: \((.*)\))?")
_NOBODY = ("homo-1", "homo-2")  # Piskvork's name for human players
_ENDS = {"1-0": 1, "0-1": 2, "1/2-1/2": 0, "*": -1}
_RESULTS = {number: result for result, number in _ENDS.items()}
_NORMAL, _TIME, _FAULT, _UNKNOWN_END = 0, 15, -2, -1
_DRAWN_CELLS = 25  # free cells at which Piskvork ends a game as a draw
_CODES = {
    "five": _NORMAL,
    "full board": _NORMAL,
    "time": _TIME,
    "hang": _TIME,
    "crash": _FAULT,
    "flood": _FAULT,
    "refused": _FAULT,
    "garbage": _FAULT,
    "illegal move": _FAULT,
    "foul": _FAULT,
}


_cell = lru_cache(4096)(Move)  # equal moves of all games are one object


def to_psq(source: Game | GameNode | GameRecord | Board) -> str:
    """Return a game as a PSQ file, lines ending in newlines: its main line.

    Of a node it is the line through the node.

    Times are rounded to milliseconds, those of moves that the players chose to at least
    one if they are known: 0 is read as "given by the opening". Facts without a field in
    the format are left out: scores and comments, detail, date, id, extra. Raises
    ValueError for a game that is no record: see ``Game.record``.
    """
    record = as_record(source)
    lines = [f"Piskvorky {record.width}x{record.height}, 11:11, 0"]
    for played in record.moves:
        x, y = played.move
        milliseconds = 0
        if played.seconds is not None and not played.by_opening:
            milliseconds = max(1, round(played.seconds * 1000))
        lines.append(f"{x + 1},{y + 1},{milliseconds}")
    for name, nobody in zip((record.black, record.white), _NOBODY, strict=True):
        name = one_line(name) or nobody
        taken = any(form.fullmatch(name) for form in (_MOVE, _NUMBER, HEAD))
        if taken or _BEGINS_MOVE.match(name):
            name = f"player {name}"  # it would be read as a move, the end or a head
        lines.append(name)
    lines.append(str(_CODES.get(record.reason, _UNKNOWN_END)))
    reason = f" ({one_line(record.reason)})" if record.reason else ""
    lines.append(f"{_ENDS[record.result]},{record.rule.name.lower()}{reason}")
    return "\n".join(lines) + "\n"


def is_psq(text: str) -> bool:
    """Whether a text begins as a PSQ file, or was meant to."""
    if text[:9].upper() == "PISKVORKY":
        return True
    rows = [r for _, line in lines_of(text[:_HEAD_ROOM]) if (r := line.strip())]
    return begins_game("", *[*rows, "", ""][:2])


def begins_game(before: str, row: str, after: str) -> bool:
    """Whether a row is a head, or meant as one.

    ``before`` and ``after`` are the rows around it, "" if there is none: lines with a
    text, without the blanks around it.
    """
    if "x" not in row and "X" not in row and "*" not in row:
        return False  # at once: most rows are moves
    if HEAD.fullmatch(row):
        return True
    if not _MEANT.match(row):
        return False
    if _MOVE.fullmatch(after):
        return True
    is_end = _NUMBER.fullmatch(before) or _WINNER.fullmatch(before)
    return bool(is_end and not _MOVE.fullmatch(before))


def read_psq(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the games that begin at each head line, and the first in any case.

    A misspelt head also begins a game, which is then an error, so that its moves are
    not added to another game.
    """
    rows = ((i, row) for i, line in lines_of(text) if (row := line.strip()))
    part: list[tuple[int, str]] = []
    before: tuple[int, str] = (0, "")
    here = next(rows, before)
    while here[1]:
        after = next(rows, (0, ""))
        if part and begins_game(before[1], here[1], after[1]):
            yield from _items(part, options)
            part = []
        part.append(here)
        if len(part) == _MAX_ROWS:
            yield from _items(part, options)
        before, here = here, after
    yield from _items(part, options)


def _items(rows: list[tuple[int, str]], options: ReadOptions) -> Iterator[Item]:
    """Yield the game of rows, and if there are too many its error, once."""
    if not rows or len(rows) > _MAX_ROWS:
        return
    try:
        game = _from_rows(rows, options.rule_or())
        if len(rows) < _MAX_ROWS:
            yield "", game
        else:
            yield "", ValueError(f"line {rows[0][0]}: a game of {_MAX_ROWS} lines")
    except ValueError as error:
        yield "", error


def from_psq(text: str, rule: Rule = DEFAULT_RULE, line: int = 1) -> GameRecord:
    """Read one PSQ file; ``rule`` applies unless the last line names one.

    Our files name one, and so do those of tournaments called "Renju_1" and the like.
    The leading moves without time are the opening's, if any move has a time. Piskvork
    measures its opening stones like any move, as 0 or 1 ms, so in its files a leading
    move of 1 ms among those of 0 ms belongs to them. Files of other programs do not
    always contain the winner: then it is the side that made the five, or else the
    opponent of the side to move if that one failed. A last move that cannot be played
    is such a failure, and left out. A tournament becomes ``extra["event"]``.

    Raises ValueError with the number of the line for other content; ``line`` is the
    number of its first one.
    """
    rows = [(n + line - 1, row) for n, each in lines_of(text) if (row := each.strip())]
    return _from_rows(rows or [(line, "")], rule)


def _from_rows(rows: list[tuple[int, str]], rule: Rule) -> GameRecord:
    """Read the numbered lines with a text of one file."""
    top, first = rows[0]
    head = HEAD.fullmatch(first)
    if not head:
        raise ValueError(f'line {top}: no head like "Piskvorky 15x15, 11:11, 0"')
    width, height, begins = (int(head[i]) for i in (1, 2, 5))
    if max(width, height) > len(LETTERS):
        size = f"{width}x{height} is not within 1..{len(LETTERS)}"
        raise ValueError(f"line {top}: board size {size}")
    if not width or not height or begins > 1:
        raise ValueError(f"line {top}: no such board or player: {first!r}")

    moves: list[Move] = []
    times: list[int] = []
    places: list[tuple[int, str]] = []
    rest: list[str] = []
    for number, text in rows[1:]:
        row = _MOVE.fullmatch(text)
        if row and not rest:
            x, y, time = row.groups("0")
            moves.append(_cell(int(x[:9]) - 1, int(y[:9]) - 1))  # no board has more
            times.append(int(time) if len(time) <= _DIGITS else _UNKNOWN)
            places.append((number, text))
        else:
            rest.append(text)
    is_cut = len(rest) < 2  # perhaps within a move
    if not is_cut and (_ALMOST_MOVE.match(rest[0]) or any(map(_MOVE.fullmatch, rest))):
        number = rows[len(moves) + 1][0]
        raise ValueError(f"line {number}: {rest[0]!r} is no move")
    tail = _tail(rest)

    place, wrong = first_wrong(moves, width, height)
    if wrong:
        if place < len(moves) - 1 or tail.ours or tail.winner not in (1, 2):
            raise ValueError(f"line {places[place][0]}: {places[place][1]!r}: {wrong}")
        del moves[-1], times[-1]
    piskvork = tail.winner is None  # GomocupJudge and we write 0 for an opening
    played = _played(moves, times, _given(times, maximum=1 if piskvork else 0))
    result, reason, detail = tail.result, tail.reason, ""
    if tail.rule is not None:
        rule = tail.rule
    if not tail.ours:
        game = GameRecord(rule, width, height, moves=played)
        result, reason = _foreign_end(game, tail, bool(wrong))
        detail = foul_at_end(game) if reason == "foul" else ""
    return GameRecord(
        rule=rule,
        width=width,
        height=height,
        black=tail.names[begins],
        white=tail.names[1 - begins],
        moves=played,
        result=result,
        reason=reason,
        detail=detail,
        extra={"event": tail.event} if tail.event else {},
    )


class _Tail(NamedTuple):
    """Lines that follow the moves."""

    names: tuple[str, str] = ("", "")
    code: int = _UNKNOWN_END
    winner: int | None = None
    event: str = ""
    rule: Rule | None = None
    ours: bool = False
    reason: str = ""

    @property
    def result(self) -> str:
        return "*" if self.winner is None else _RESULTS[self.winner]


def _tail(lines: list[str]) -> _Tail:
    """Read the lines after the moves; unknown lines are skipped."""
    tail = _Tail()
    if lines and not _NUMBER.fullmatch(lines[0]):
        names = ["" if name in _NOBODY else name for name in [*lines[:2], ""]]
        tail = tail._replace(names=(names[0], names[1]))
        lines = lines[2:]
    for line in lines:
        if _NUMBER.fullmatch(line):
            tail = tail._replace(code=int(line))
        elif row := _WINNER.fullmatch(line):
            tail = tail._replace(winner=int(row[1]), event=row[2].strip())
    row = _OURS.fullmatch(tail.event)
    if row and row[1].upper() in Rule.__members__:
        rule = Rule[row[1].upper()]
        return tail._replace(event="", rule=rule, ours=True, reason=row[2] or "")
    for rule in Rule:
        if tail.event.upper().startswith(rule.name):
            tail = tail._replace(rule=rule)
    return tail


def _foreign_end(game: GameRecord, tail: _Tail, refused: bool) -> tuple[str, str]:
    """Return the (result, reason) of a file of another program.

    GomocupJudge gives the number 1 to the winner that moved first after the opening,
    which is white after an odd number of stones. But whenever it ends a game without a
    five, the side to move has failed; after such an opening that decides.
    """
    result, reason = natural_end(game)
    if result != "*":
        return result, reason
    by_failure = ("0-1", "1-0")[len(game.moves) % 2]
    reason = "illegal move" if refused else "time" if tail.code == _TIME else ""
    if tail.winner in (1, 2):
        given = sum(played.by_opening for played in game.moves)
        return (by_failure if given % 2 else tail.result), reason
    if tail.winner is None and tail.code in (_TIME, _FAULT):
        return by_failure, reason
    nearly_full = len(game.moves) >= game.width * game.height - _DRAWN_CELLS
    if tail.winner is None and tail.code == _NORMAL and nearly_full:
        return "1/2-1/2", "full board"
    return tail.result, ""


def _given(times: list[int], maximum: int) -> int | None:
    """Return the number of leading moves that an opening gave; None if no time is
    known.

    ``maximum`` is the longest time of such a move in milliseconds. If no move took
    longer, or none of the leading ones took 0, only those without time count.
    """
    if not any(times):  # no time was measured
        return None
    given = next((i for i, time in enumerate(times) if not 0 <= time <= maximum), None)
    if given is None or 0 not in times[:given]:
        given = next(i for i, time in enumerate(times) if time)
    return given


def _played(
    moves: list[Move], times: list[int], given: int | None
) -> tuple[PlayedMove, ...]:
    if given is None:
        return tuple(map(bare, moves))
    opening = [PlayedMove(move, by_opening=True) for move in moves[:given]]
    own = [
        bare(move) if time < 0 else PlayedMove(move, seconds=time / 1000)
        for move, time in zip(moves[given:], times[given:], strict=True)
    ]
    return (*opening, *own)
