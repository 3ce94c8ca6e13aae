"""INFO keys: limits, rule and memory as the manager sets them.

The attributes store the integers as sent, limited to 64 bits. The properties convert
them to the engine's settings, and milliseconds to seconds. Unknown keys and
unreadable values are ignored without a message, as the protocol requires.
"""

import os

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.game.rules import Rule
from gomoku_brain.protocol.commands import parse_decimal

TIME_KEYS = frozenset({"timeout_turn", "timeout_match", "time_left", "time_increment"})
MEMORY_KEYS = frozenset({"max_memory", "hash_size"})

UNLIMITED_MS = 2147483647  # such a value or more is how managers send "no limit"
_DEFAULT_TURN = 5.0  # seconds of a move without a limit of any kind
_INT_MIN, _INT_MAX = -(1 << 63), (1 << 64) - 1
_UNLIMITED_NODES = (1 << 63) - 1
_MB = 1 << 20

# The table gets the memory that the process itself does not need.
_PROCESS_MB = 48.0
_TABLE_SHARE = 0.75
_DEFAULT_TABLE_MB = 64.0
_MIN_TABLE_MB = 1.0
_MAX_TABLE_MB = 65536.0

_EXACT_FIVE, _YIXIN_RENJU, _RENJU, _CARO = 1, 2, 4, 8


def max_threads() -> int:
    """Return the largest useful number of search threads on this machine."""
    return os.cpu_count() or 1


class Options:
    """Values of the INFO keys. None means not set.

    The times that are sent are milliseconds, those of the properties seconds.
    """

    timeout_turn: int | None = None
    """Time for one move: 0 = as fast as possible, negative = no limit."""
    timeout_match: int | None = None
    """Time for the whole game: 0 = no limit."""
    time_left: int | None = None
    """Time left for the game, as last sent; ``UNLIMITED_MS`` or more = no limit."""
    time_increment: int = 0
    """Time that the match clock gains with every move."""
    max_memory: int = 0
    """Bytes for the whole process: 0 = no limit."""
    hash_size: int = 0
    """Size of the transposition table in KiB: 0 = not set."""
    thread_num: int = 1
    """Number of search threads."""
    max_depth: int = 0
    """Depth limit in plies: 0 or negative = no limit."""
    max_node: int = 0
    """Node limit: 0, negative or 2^63 - 1 and more = no limit."""
    rule: int = 0
    """Rule code as sent; its meaning depends on the dialect."""
    game_type: int | None = None
    """Opponent: 0 human, 1 engine, 2 tournament, 3 network tournament."""
    show_detail: int = 0
    """Output: bit 1 realtime lines, bit 2 detail lines, 0 one line a move, negative
    none."""
    pondering: int = 0
    """Whether to search in the opponent's time: positive = yes."""
    proof: int = 1
    """Whether to play from a proof in the package: 0 = no."""
    strength: int = FULL_STRENGTH
    """Playing strength, 0 (beginner) to 100 (full); numbers outside are limited to
    these."""

    def __init__(
        self,
        *,
        show_detail: int = 0,
        strength: int = FULL_STRENGTH,
        thread_num: int = 1,
    ) -> None:
        """Set the values that are valid until the manager sends an INFO."""
        self.show_detail = show_detail
        self.strength = strength
        self.thread_num = thread_num

    def set(self, text: str) -> str | None:
        """Parse and store ``key value``. Return the key in lower case, or None.

        A value with a fraction is rounded down.
        """
        words = text.split()
        if len(words) < 2:
            return None
        key, value = words[0].lower(), parse_decimal(words[1])
        if key not in INFO_KEYS or value is None or (key == "rule" and value < 0):
            return None
        setattr(self, key, min(max(value, _INT_MIN), _INT_MAX))
        return key

    @property
    def turn(self) -> float | None:
        """Seconds for a move; None = no limit per move."""
        if self.timeout_turn is not None:
            return None if self.timeout_turn < 0 else _seconds(self.timeout_turn)
        match = self.match if self.time_left is None else self.left
        if self.nodes or self.depth or match is not None:
            return None
        return _DEFAULT_TURN

    @property
    def match(self) -> float | None:
        """Seconds for the whole game; None = no limit."""
        return _seconds(self.timeout_match) if (self.timeout_match or 0) > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds left for the game, as last sent; None = no limit."""
        return _seconds(self.time_left)

    @property
    def increment(self) -> float:
        """Seconds that the match clock gains with every move."""
        return self.time_increment / 1000

    @property
    def strict_clock(self) -> bool:
        """Whether the manager may grant no tolerance of time.

        A manager that sends ``time_left`` or ``game_type`` grants some.
        """
        return self.time_left is None and self.game_type is None

    @property
    def nodes(self) -> int | None:
        """Nodes to search; None = no limit."""
        return self.max_node if 0 < self.max_node < _UNLIMITED_NODES else None

    @property
    def depth(self) -> int | None:
        """Plies to search; None = no limit."""
        return self.max_depth if self.max_depth > 0 else None

    @property
    def playing_strength(self) -> int:
        """The playing strength, limited to 0..100."""
        return min(max(self.strength, 0), FULL_STRENGTH)

    @property
    def ponders(self) -> bool:
        """Whether to ponder in the opponent's time. Weaker levels do not ponder."""
        return self.pondering > 0 and self.playing_strength == FULL_STRENGTH

    @property
    def plays_proofs(self) -> bool:
        """Whether to play from a proof. Weaker levels do not."""
        return self.proof != 0 and self.playing_strength == FULL_STRENGTH

    @property
    def threads(self) -> int:
        """Number of search threads: the value of INFO, at most one per processor."""
        return min(max(self.thread_num, 1), max_threads())

    @property
    def table_mb(self) -> float:
        """Megabytes for the transposition table. The smaller of two limits applies."""
        sizes = []
        if self.max_memory > 0:
            sizes.append(_TABLE_SHARE * (self.max_memory / _MB - _PROCESS_MB))
        if self.hash_size > 0:
            sizes.append(self.hash_size / 1024)
        size = min(sizes, default=_DEFAULT_TABLE_MB)
        return min(max(size, _MIN_TABLE_MB), _MAX_TABLE_MB)

    def rule_in_force(self, *, yixin: bool) -> Rule:
        """Return the rule for the rule code, in the Yixin dialect or in Piskvork's."""
        if self.rule & _RENJU or (yixin and self.rule == _YIXIN_RENJU):
            return Rule.RENJU
        if self.rule & _CARO:
            return Rule.CARO_EXACT if self.rule & _EXACT_FIVE else Rule.CARO
        return Rule.STANDARD if self.rule & _EXACT_FIVE else Rule.FREESTYLE


def _seconds(milliseconds: int | None) -> float | None:
    """Return a time as sent in seconds; None = no limit."""
    if milliseconds is None or milliseconds >= UNLIMITED_MS:
        return None
    return milliseconds / 1000


INFO_KEYS = frozenset(Options.__annotations__)
"""The keys that this brain knows."""
