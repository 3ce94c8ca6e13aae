"""Positions and games in plain text: moves, pictures of boards, lines of the protocol.

* moves: "h8 h9 j10" or "7,7 7,8"; one game a line, but one game in all if no line has
  more than one move; # begins a comment; the line may end with a result, "1-0";
* pictures of boards, as ``notation.parse_board`` reads them, divided by empty lines;
* lines of the Gomocup protocol: START, RECTSTART, INFO rule, BOARD .. DONE.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from gomoku_brain.game.notation import Move, parse_board, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import DEFAULT_SIZE, Game
from gomoku_brain.records.game_record import first_wrong
from gomoku_brain.records.read_options import (
    Item,
    ReadNote,
    ReadOptions,
    from_bottom,
    lines_of,
)

__all__ = [
    "is_picture",
    "is_protocol",
    "moves_game",
    "read_moves",
    "read_pictures",
    "read_protocol",
]

_RESULT = re.compile(r"\s(1-0|0-1|1/2-1/2|\*)\s*$")
_MAX_CELLS = 52 * 52  # of a board that any format has
_MAX_LINES = 200  # of a picture
_MAX_COMMANDS = 100_000  # lines beside those of BOARD, or before the first moves
_RESULT_ROOM = 100  # characters at the end of a line, blanks among them
_MAX_WORDS = 50_000  # characters of the moves of a game
_NUMBER = re.compile(r"(\d{1,3})\s*\.")
_SQUARE = (DEFAULT_SIZE, DEFAULT_SIZE)

# ----- Moves -----


def moves_game(line: str, options: ReadOptions) -> Game:
    """Return the game of a line of moves. Raises ValueError for another text."""
    size = options.size or _SQUARE
    row = _RESULT.search(line[-_RESULT_ROOM:])
    words = line[: len(line) - len(row[0])] if row else line
    if len(words) > _MAX_WORDS:
        some = words[:_MAX_WORDS].rsplit(None, 1)[0]
        _, wrong = first_wrong(parse_moves(some), *size)
        raise ValueError(wrong or "there are more moves than cells of a board")
    moves = parse_moves(words)
    if options.rows == "bottom":
        moves = from_bottom(moves, size[1])
    game = Game(size, options.rule_or(), moves=moves)
    if row and game.result == "*":  # the end on the board outweighs it
        game.set_result(row[1])
        game.history.clear()
    return game


def read_moves(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the games of a text, mostly one on each line."""
    rows = _rows_of(text)
    first = list(islice(rows, _MAX_CELLS))
    if len(first) > 1 and (whole := _numbered_game([words for _, words in first])):
        yield "", ReadNote("the numbered lines are read as one game")
        first = [(first[0][0], whole)]
    single: list[tuple[int, Game]] = []  # games of one move: perhaps they are one
    several = False
    for number, words in chain(first, rows):
        try:
            game = moves_game(words, options)
        except ValueError as error:
            yield f":{number}", error
            continue
        if several:
            yield f":{number}", game
            continue
        single.append((number, game))
        several = len(game.moves) != 1
        if several:
            yield from ((f":{number}", game) for number, game in single)
        elif len(single) > _MAX_CELLS:
            raise ValueError("there are more moves than cells of a board")
    if single and not several:
        yield _joined(single, options)


def _rows_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are more than a comment."""
    found = 0
    for number, line in lines_of(text):
        if words := line.partition("#")[0].strip():
            found += 1
            yield number, words
        elif not found and number > _MAX_COMMANDS and line:
            raise ValueError("no moves in many lines")


def _joined(single: list[tuple[int, Game]], options: ReadOptions) -> Item:
    """Return games of one move each as one game, or its error."""
    number, game = single[0]
    moves = [move for _, game in single for move in game.moves]
    place, wrong = first_wrong(moves, *game.size)
    if wrong:
        return f":{single[place][0]}", ValueError(wrong)
    return f":{number}", Game(game.size, options.rule_or(), moves=moves)


def _numbered_game(rows: list[str]) -> str:
    """Return the lines as one game if their numbers count its pairs of moves.

    "1. h8 i9", "2. h9 i10", "1-0" are one; a numbered list of openings is not: cells
    occur in it again.
    """
    whole = " ".join(rows)
    *numbered, last = rows
    numbered += [] if _RESULT.fullmatch(f" {last}") else [last]
    moves: list[Move] = []
    for row in numbered:
        number = _NUMBER.match(row)
        if number is None or int(number[1]) != len(moves) // 2 + 1 or len(moves) % 2:
            return ""
        result = _RESULT.search(row)
        try:
            moves += parse_moves(row[: result.start()] if result else row)
        except ValueError:
            return ""
    return whole if len({*moves}) == len(moves) else ""


# ----- Pictures -----


def is_picture(text: str) -> bool:
    """Whether the first line is a row of cells, or letters above the columns."""
    first = text.lstrip().split("\n", 1)[0]
    cells = "".join(first.split())
    if cells.lower().startswith("abcde"):
        return True
    cells = cells.strip("0123456789")
    if cells.startswith("#") and any(c.isdigit() for c in cells):
        return False  # a comment: "# 15x15"
    signs = set(cells.upper()) - {"X", "O"}
    return len(cells) >= 5 and not any(c.isalpha() or c in ",;" for c in signs)


def read_pictures(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the positions of pictures, which have no order of moves."""
    for number, block in _blocks(text):
        try:
            yield f":{number}", _from_picture(block, options)
        except ValueError as error:
            yield f":{number}", error


def _from_picture(block: str, options: ReadOptions) -> Game:
    picture = parse_board(block)
    size = (picture.width, picture.height)
    if options.size not in (None, size):
        raise ValueError(f"the picture shows {size[0]}x{size[1]} cells")
    return Game(
        size,
        options.rule_or(),
        black_stones=picture.black,
        white_stones=picture.white,
        walls=picture.walls,
    )


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text between empty lines, with their first line's number."""
    lines: list[str] = []
    start = 0
    for number, line in chain(lines_of(text), [(0, "")]):
        if line.strip():
            start = start if lines else number
            lines.append(line[:_MAX_CELLS])
            if len(lines) > _MAX_LINES:
                raise ValueError(f"line {start}: a picture of more rows than a board")
        elif lines:
            yield start, "\n".join(lines)
            lines = []


# ----- Protocol -----

_PROTOCOL_WORDS = {"START", "RECTSTART", "INFO", "BOARD", "YXBOARD"}


def is_protocol(text: str) -> bool:
    """Whether a text begins with a command that has to do with positions."""
    return text.split(None, 1)[:1] != [] and (
        text.split(None, 1)[0].upper() in _PROTOCOL_WORDS
    )


def read_protocol(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the positions of the BOARD blocks; other commands are skipped.

    Raises ValueError for a line that is not understood.
    """
    size, rule = None, None
    rows: list[list[int]] | None = None
    start = others = 0
    for number, line in lines_of(text):
        words = line.replace(",", " ").split()
        if not words:
            continue
        word = words[0].upper()
        others += rows is None
        if others > _MAX_COMMANDS or len(rows or ()) > _MAX_CELLS:
            raise ValueError(f"line {number}: more lines than a board has cells")
        try:
            if rows is not None and word != "DONE":
                rows.append([int(number) for number in words])
                if len(rows[-1]) != 3 or rows[-1][2] not in (1, 2, 3):
                    raise ValueError
            elif rows is not None:
                block, rows = rows, None
                yield f":{start}", _from_block(block, options, size, rule)
            elif word == "START":
                size = (int(words[1]), int(words[-1]))
            elif word == "RECTSTART":
                size = (int(words[1]), int(words[2]))
            elif word == "INFO" and words[1].lower() == "rule":
                rule = Rule(int(words[2]))
            elif word in ("BOARD", "YXBOARD"):
                rows, start = [], number
        except (ValueError, IndexError):
            raise ValueError(f"line {number}: not understood: {line!r}") from None
    if rows is not None:
        raise ValueError(f"line {start}: this BOARD has no DONE")


def _from_block(
    rows: list[list[int]],
    options: ReadOptions,
    size: tuple[int, int] | None,
    rule: Rule | None,
) -> Game:
    """Return the position of a BOARD block; a game if its stones alternate from black.

    The side of the reader is to move: it has the white stones if the other side has one
    stone more, the black ones if both have as many, and else those of the first line.
    """
    owners = [owner for *_, owner in rows]
    lead = owners.count(2) - owners.count(1)
    first = next((owner for owner in owners if owner != 3), 1)
    own = Side(lead) if lead in (0, 1) else Side(first == 2)
    cells = [Move(x, y) for x, y, _ in rows]
    black, white, walls = (
        [cell for cell, owner in zip(cells, owners, strict=True) if owner == wanted]
        for wanted in (own + 1, 2 - own, 3)
    )
    size = size or options.size or _SQUARE
    rule = options.rule_or() if rule is None else rule
    if owners == [own + 1 if k % 2 == 0 else 2 - own for k in range(len(rows))]:
        return Game(size, rule, moves=cells)
    return Game(
        size,
        rule,
        black_stones=black,
        white_stones=white,
        walls=walls,
        first=own,
    )
