"""Game records in every supported format, read and written.

This module is the interface of its neighbours: ``game_record`` has the classes and
JSON, ``psq``, ``sgf`` and ``renlib`` those formats, ``foreign_forms`` the formats that
are only read. The content determines the format of a file.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from gomoku_brain.game.notation import Move, parse_board, parse_moves
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.records.encodings import decoded
from gomoku_brain.records.foreign_forms import (
    form_of,
    pos_form,
    refuse_unread,
    refuse_unread_text,
)
from gomoku_brain.records.form_reading import Line, Reading
from gomoku_brain.records.game_record import (
    RESULTS,
    GameRecord,
    PlayedMove,
    first_wrong,
    from_json,
    is_unfinished,
    natural_end,
    to_json,
)
from gomoku_brain.records.psq import begins_game, from_psq, is_psq, to_psq
from gomoku_brain.records.renlib import (
    LIB_RULE,
    is_lib,
    lib_lines,
    lines_from_lib,
    tree_from_lib,
)
from gomoku_brain.records.sgf import (
    SetUp,
    from_sgf,
    lines_from_sgf,
    record_of,
    to_sgf,
    tree_lines,
    tree_of,
    variations_from_sgf,
)

__all__ = [
    "LIB_RULE",
    "RESULTS",
    "GameRecord",
    "PlayedMove",
    "SetUp",
    "decoded",
    "from_json",
    "from_psq",
    "from_sgf",
    "is_lib",
    "is_psq",
    "lib_lines",
    "lines_from_lib",
    "lines_from_sgf",
    "natural_end",
    "parse_games",
    "psq_games",
    "read_games",
    "record_of",
    "text_of",
    "to_json",
    "to_psq",
    "to_sgf",
    "tree_from_lib",
    "tree_lines",
    "tree_of",
    "variations_from_sgf",
]


def read_games(
    path: str | Path, rule: Rule | None = None, size: int = 15
) -> list[GameRecord]:
    """Read all games of a file; ``rule`` and ``size`` apply if it names none.

    Without a rule it is that of most programs, freestyle, and renju for a library of
    RenLib, of which only the main line is read. Raises OSError for a file that cannot
    be read, and ValueError with the file's name and, if there is one, the line for
    content that ``parse_games`` cannot read.
    """
    data = Path(path).read_bytes()
    try:
        if is_lib(data):
            known = LIB_RULE if rule is None else rule
            return _only_games(lines_from_lib(data, known, main_only=True))
        if (read := pos_form(data)) is not None:
            return _only_games(read(Reading(rule)))
        refuse_unread(data)
        return parse_games(decoded(data), rule, size)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _only_games(lines: Iterable[Line]) -> list[GameRecord]:
    """Return the lines as games. Raises ValueError for a position."""
    found = []
    for line in lines:
        if isinstance(line, SetUp):
            what = "a side passes in it, or it begins with stones"
            raise ValueError(f"{what}: that is a position, no game")
        found.append(line)
    return found


def text_of(path: str | Path) -> str:
    """Return the text of a file, decoded; line ends are unchanged. Raises OSError."""
    return decoded(Path(path).read_bytes())


def parse_games(
    text: str, rule: Rule | None = None, size: int = 15
) -> list[GameRecord]:
    """Read all games of a text in any supported format.

    - PSQ: one game or several, one after the other;
    - SGF: a collection;
    - the formats of ``foreign_forms``: PGN, RenjuNet's XML, contest records and others;
    - JSON lines as ``to_json`` writes them, blank lines between them; also a file of
      ``gomoku-brain match``, whose first line has the settings;
    - moves, "h8 h9" or "7,7 7,8": one game a line, but one game in all if no line
      has more than one move.

    ``rule`` and ``size`` apply if the text names none; without a rule it is freestyle,
    and for RenjuNet renju. Raises ValueError with the line for broken content, and for
    a text without games or in another format. Pictures of boards are refused: they have
    no order of moves.
    """
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    if (form := form_of(start)) is not None:
        return _only_games(form.read(text, Reading(rule, size)))
    rule = DEFAULT_RULE if rule is None else rule
    if start.startswith("("):
        return from_sgf(text, rule, size)
    if is_psq(start):
        return psq_games(text, rule)
    lines = re.split(r"\r\n?|\n", text)
    if start.startswith("{"):
        return _json_games(lines, is_unfinished(text))
    refuse_unread_text(text)
    return _plain_games(lines, rule, size)


def _json_games(lines: list[str], unfinished: bool) -> list[GameRecord]:
    records = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not (number == 1 and line.startswith('{"match": ')):
            try:
                records.append(from_json(line))
            except ValueError as error:
                if unfinished and number == len(lines):
                    break
                raise ValueError(f"line {number}: {error}") from None
    return records


def psq_games(
    text: str, rule: Rule, skip: Callable[[ValueError], None] | None = None
) -> list[GameRecord]:
    """Return the games that begin at each head line, and the first in any case.

    ``skip`` is called with the error of each broken one, instead of raising it.

    A misspelt head also begins a game: its error is raised, and it is not added to
    another game.
    """
    lines = re.split(r"\r\n?|\n", text)
    rows = [(i, row) for i, line in enumerate(lines) if (row := line.strip())]
    texts = ["", *(row for _, row in rows), ""]
    heads = [
        i
        for number, (i, _) in enumerate(rows)
        if number == 0 or begins_game(*texts[number : number + 3])
    ]
    ends = [*heads[1:], len(lines)]
    games = []
    for begin, end in zip(heads, ends, strict=True):
        try:
            games.append(from_psq("\n".join(lines[begin:end]), rule, line=begin + 1))
        except ValueError as error:
            if skip is None:
                raise
            skip(error)
    return games


def _plain_games(lines: list[str], rule: Rule, size: int) -> list[GameRecord]:
    """Return games of bare moves; text after a # is a comment."""
    rows: list[tuple[int, list[Move]]] = []
    for number, line in enumerate(lines, 1):
        line = line.partition("#")[0]
        if line.strip():
            try:
                rows.append((number, parse_moves(line)))
            except ValueError as error:
                if rows:
                    raise ValueError(f"line {number}: {error}") from None
                raise ValueError(_what_else(lines, number, str(error))) from None
    if not rows:
        raise ValueError("there is no game in it")
    if all(len(moves) == 1 for _, moves in rows):
        games = [[(number, moves[0]) for number, moves in rows]]
    else:
        games = [[(number, move) for move in moves] for number, moves in rows]
    records = []
    for game in games:
        moves = [move for _, move in game]
        place, wrong = first_wrong(moves, size, size)
        if wrong:
            raise ValueError(f"line {game[place][0]}: {wrong}")
        record = GameRecord(rule, size, size, moves=tuple(map(PlayedMove, moves)))
        result, reason = natural_end(record)
        records.append(replace(record, result=result, reason=reason))
    return records


def _what_else(lines: list[str], number: int, error: str) -> str:
    """Return the error of a text whose first line is not moves either."""
    try:
        parse_board("\n".join(lines))
    except ValueError:
        return f"line {number}: neither PSQ, SGF nor JSON lines, and {error}"
    return "a picture of a board has no order of moves, so it is no game"
