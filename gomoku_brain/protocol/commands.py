"""Words of the Gomocup protocol: a line becomes a Command, an answer becomes a line.

Nothing here remembers anything or moves a byte. Lines come in any case, with commas or
blanks between numbers; lines go out in the one form that every manager reads: plain
ASCII, upper-case keywords, "x,y" without blanks.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence

from gomoku_brain.game.notation import Move, format_moves

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import NamedTuple

    from gomoku_brain.control.limits import SearchInfo, SearchResult

    class _Words(NamedTuple):
        word: str
        rest: str

else:
    _Words = namedtuple("_Words", ("word", "rest"))

Emit = Callable[[str], None]
"""Receives one line for the manager, without its line end."""

OK = "OK"
STOP_WORDS = frozenset({"STOP", "YXSTOP"})
WORDS = STOP_WORDS | {
    "ABOUT",
    "BEGIN",
    "BENCH",
    "BOARD",
    "END",
    "INFO",
    "PLAY",
    "RECTSTART",
    "RELOADCONFIG",
    "RESTART",
    "START",
    "SWAP2BOARD",
    "TAKEBACK",
    "TURN",
}
MOVE_WORDS = frozenset({"BEGIN", "BOARD", "SWAP2BOARD", "TURN", "YXNBEST"})
"""Commands that ask for a move, some of them after further lines."""

_MAX_PV = 60  # moves; keeps a line below 1000 characters
_MAX_ECHO = 40  # characters of an unknown command that are said back


class Command(_Words):
    """A line: ``word`` is its first word in upper case, ``rest`` the stripped rest."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The whole line, for lines that are data and no command."""
        return f"{self.word} {self.rest}"


def parse_command(line: str) -> Command | None:
    """Cut a line into command and arguments; None for an empty one."""
    words = line.replace("\0", " ").split(None, 1)
    if not words:
        return None
    return Command(words[0].upper(), words[1].strip() if len(words) > 1 else "")


def is_command(word: str) -> bool:
    """Whether a word, in upper case, begins a command rather than data."""
    return word in WORDS or word.startswith("YX")


def parse_number(text: str) -> int | None:
    """Read a decimal integer; None for anything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    # More digits than 64 bits hold are still a number; int() has a limit of its own.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 1000):
        return None
    return int(text)


def parse_numbers(text: str) -> list[int] | None:
    """Read "7,7", "7, 7", "7 7" ..: integers divided by one comma, or by blanks.

    None when anything else is in the text; an empty text is an empty list.
    """
    if not text.strip():
        return []
    numbers = []
    for part in text.split(","):
        words = part.split()
        if not words:
            return None
        for word in words:
            number = parse_number(word)
            if number is None:
                return None
            numbers.append(number)
    return numbers


def split_done(text: str) -> tuple[str, bool]:
    """The text before the word DONE, and whether there is one."""
    words = text.split()
    for i, word in enumerate(words):
        if word.upper() == "DONE":
            return " ".join(words[:i]), True
    return text, False


def move_reply(move: Move) -> str:
    """A move as managers read it: "7,7"."""
    return f"{move.x},{move.y}"


def moves_reply(moves: Iterable[Move]) -> str:
    """Several moves on one line: "7,7 8,7 9,9"."""
    return " ".join([move_reply(move) for move in moves])


def error_reply(text: str) -> str:
    """The line for a command that cannot be carried out."""
    return f"ERROR {text}"


def unknown_reply(word: str) -> str:
    """The line for a word that is no command."""
    echo = "".join([c if c.isascii() and c.isprintable() else "?" for c in word])
    if len(echo) > _MAX_ECHO:
        echo = echo[:_MAX_ECHO] + ".."
    return f"UNKNOWN command {echo}"


def about_reply(version: str) -> str:
    """The line that says who we are."""
    return (
        f'name="gomoku-brain", version="{version}", '
        'author="Gomoku Brain developers", country="International", www="-"'
    )


def forbid_reply(moves: Iterable[Move]) -> str:
    """Forbidden points in the Yixin form: "FORBID 09121011."."""
    return "FORBID " + "".join([f"{x:02}{y:02}" for x, y in moves]) + "."


def format_score(info: "SearchInfo") -> str:
    """The score in evaluation units, or "+M7" / "-M12": plies to the forced end."""
    if info.win_in is None:
        return str(info.score)
    return f"{'+' if info.win_in > 0 else '-'}M{abs(info.win_in)}"


def search_message(info: "SearchInfo", *, numbered: bool = False) -> str:
    """One line of play for people and scripts.

    ``MESSAGE depth D-S ev E n N n/ms R tm T pv h8 i9``; with several lines of play
    they are ``numbered`` by ``multipv K`` after the depth.
    """
    milliseconds = round(info.time * 1000)
    number = f" multipv {info.multipv}" if numbered else ""
    return (
        f"MESSAGE depth {info.depth}-{info.seldepth}{number} ev {format_score(info)} "
        f"n {info.nodes} n/ms {info.nodes // max(milliseconds, 1)} "
        f"tm {milliseconds} pv {format_moves(info.pv[:_MAX_PV])}"
    ).rstrip()


def proved_message(result: "SearchResult") -> str:
    """What is said of a move that a proof holds: ``MESSAGE proved: wins in N``."""
    return f"MESSAGE proved: wins in {result.win_in}"


def realtime_messages(info: "SearchInfo") -> list[str]:
    """What Yixin-Board draws on its board while we think (``show_detail`` bit 1)."""
    return [
        f"MESSAGE REALTIME BEST {move_reply(info.pv[0])}",
        f"MESSAGE REALTIME VAL {info.score}",
        f"MESSAGE REALTIME PV {format_moves(info.pv[:_MAX_PV])}",
    ]


def detail_lines(info: "SearchInfo", lines: int) -> list[str]:
    """What gomocalc reads (``show_detail`` bit 2); ``lines`` of play are searched."""
    milliseconds = round(info.time * 1000)
    return [
        f"INFO PV {info.multipv - 1}",
        f"INFO NUMPV {lines}",
        f"INFO DEPTH {info.depth}",
        f"INFO SELDEPTH {info.seldepth}",
        f"INFO NODES {info.nodes}",
        f"INFO TOTALNODES {info.nodes}",
        f"INFO TOTALTIME {milliseconds}",
        f"INFO SPEED {info.nodes * 1000 // max(milliseconds, 1)}",
        f"INFO EVAL {format_score(info)}",
        f"INFO WINRATE {info.chance:.4f}",
        f"INFO BESTLINE {moves_reply(info.pv[:_MAX_PV])}",
        "INFO PV DONE",
    ]


def swap2_messages(stones: Sequence[Move], first: int = 1) -> list[str]:
    """Opening stones in the Yixin form (its row is the first number).

    ``first`` is the number of the first of them in the game.
    """
    return [
        f"MESSAGE SWAP2 MOVE{i} {move.x} {move.y}"
        for i, move in enumerate(stones, first)
    ]
