"""Words of the Gomocup protocol: parsing lines to commands, formatting answers.

The functions have no state and do no input or output. Input lines may use any case,
with commas or blanks between numbers. Output lines use the one form that every manager
reads: plain ASCII, upper-case keywords, "x,y" without blanks.
"""

from collections.abc import Callable, Iterable, Sequence

from gomoku_brain.dataclass import dataclass
from gomoku_brain.game.notation import Move, format_moves

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.control.limits import SearchInfo, SearchResult

Emit = Callable[[str], None]
"""Function that receives one line for the manager, without its line end."""

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
MOVE_WORDS = frozenset(
    {
        *("BEGIN", "BOARD", "SWAP2BOARD", "TURN"),
        *("YXBALANCEONE", "YXBALANCETWO", "YXNBEST", "YXSEARCHDEFEND"),
    }
)
"""Commands that request a move. Some of them need further lines."""

_MAX_PV = 60  # moves; keeps a line below 1000 characters
_MAX_ECHO = 40  # characters of an unknown command that the answer repeats


@dataclass(frozen=True, slots=True)
class Command:
    """Input line."""

    word: str
    """First word, in upper case."""
    rest: str

    @property
    def text(self) -> str:
        """The line with its first word in upper case, for a line of data."""
        return f"{self.word} {self.rest}"


def parse_command(line: str) -> Command | None:
    """Split a line into command and arguments. Return None for an empty line."""
    words = line.replace("\0", " ").split(None, 1)
    if not words:
        return None
    return Command(words[0].upper(), words[1].strip() if len(words) > 1 else "")


def is_command(word: str) -> bool:
    """Return whether an upper-case word begins a command and not a line of data."""
    return word in WORDS or word.startswith("YX")


def parse_number(text: str) -> int | None:
    """Parse a decimal integer. Return None for other text."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    # Numbers of more than 64 bits are valid here. ``int()`` limits the digits.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 1000):
        return None
    return int(text)


def parse_decimal(text: str) -> int | None:
    """Parse a decimal number, such as "500.7", and round it down.

    Return None for other text.
    """
    whole, _, fraction = text.partition(".")
    number = parse_number(whole)
    if number is None or not fraction.strip("0"):
        return number
    if not (fraction.isascii() and fraction.isdigit()):
        return None
    return number - whole.startswith("-")


def parse_numbers(text: str) -> list[int] | None:
    """Parse integers separated by one comma or by blanks ("7,7", "7, 7", "7 7").

    Return None if the text contains anything else, and an empty list for an empty text.
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
    """Return the text before the word DONE, and whether the text contains DONE."""
    words = text.split()
    for i, word in enumerate(words):
        if word.upper() == "DONE":
            return " ".join(words[:i]), True
    return text, False


def move_reply(move: Move) -> str:
    """Format a move as managers read it: "7,7"."""
    return f"{move.x},{move.y}"


def moves_reply(moves: Iterable[Move]) -> str:
    """Format moves on one line: "7,7 8,7 9,9"."""
    return " ".join([move_reply(move) for move in moves])


def error_reply(text: str) -> str:
    """Format the answer to a command that cannot be executed."""
    return f"ERROR {text}"


def unknown_reply(word: str) -> str:
    """Format the answer to an unknown command."""
    from gomoku_brain.foreign_text import shown  # late: only errors need it

    return f"UNKNOWN command {shown(ascii(word)[1:-1], _MAX_ECHO)}"


def about_reply(version: str) -> str:
    """Format the answer to ABOUT: name, version, author and country."""
    return (
        f'name="gomoku-brain", version="{version}", '
        'author="Gomoku Brain developers", country="International", www="-"'
    )


def forbid_reply(moves: Iterable[Move]) -> str:
    """Format forbidden points in the Yixin form: "FORBID 09121011."."""
    return "FORBID " + "".join([f"{x:02}{y:02}" for x, y in moves]) + "."


def format_score(info: "SearchInfo") -> str:
    """Format a score in evaluation units, or a forced end in plies ("+M7", "-M12")."""
    if info.win_in is None:
        return str(info.score)
    return f"{'+' if info.win_in > 0 else '-'}M{abs(info.win_in)}"


def search_message(info: "SearchInfo", *, numbered: bool = False) -> str:
    """Format one line of play for people and scripts.

    ``MESSAGE depth D-S ev E n N n/ms R tm T pv h8 i9``. With ``numbered``, ``multipv
    K`` follows the depth.
    """
    milliseconds = round(info.time * 1000)
    number = f" multipv {info.multipv}" if numbered else ""
    return (
        f"MESSAGE depth {info.depth}-{info.seldepth}{number} ev {format_score(info)} "
        f"n {info.nodes} n/ms {info.nodes // max(milliseconds, 1)} "
        f"tm {milliseconds} pv {format_moves(info.pv[:_MAX_PV])}"
    ).rstrip()


def proved_message(result: "SearchResult") -> str:
    """Format the message about a move from a proof: ``MESSAGE proved: wins in N
    plies``.
    """
    unit = "ply" if result.win_in == 1 else "plies"
    return f"MESSAGE proved: wins in {result.win_in} {unit}"


def realtime_messages(info: "SearchInfo") -> list[str]:
    """Format the lines for the display of Yixin-Board (``show_detail`` bit 1)."""
    return [
        f"MESSAGE REALTIME BEST {move_reply(info.pv[0])}",
        f"MESSAGE REALTIME VAL {info.score}",
        f"MESSAGE REALTIME PV {format_moves(info.pv[:_MAX_PV])}",
    ]


def detail_lines(info: "SearchInfo", lines: int) -> list[str]:
    """Format the lines for gomocalc (``show_detail`` bit 2).

    ``lines`` is the number of lines of play in this search.
    """
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
    """Format opening stones in the Yixin form (its row is the first number).

    ``first`` is the number of the first stone in the game.
    """
    return [
        f"MESSAGE SWAP2 MOVE{i} {move.x} {move.y}"
        for i, move in enumerate(stones, first)
    ]
