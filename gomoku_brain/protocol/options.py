"""INFO keys: what the manager told us about limits, rule and memory.

Values are kept as they were told (integers, held to 64 bits); the properties say what
they mean for us. Unknown keys and unreadable values are ignored without a word, as the
protocol asks.
"""

import os

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.engine.time_manager import DEFAULT_TURN_MS, UNLIMITED_MS
from gomoku_brain.game.rules import Rule
from gomoku_brain.protocol.commands import parse_number

TIME_KEYS = frozenset({"timeout_turn", "timeout_match", "time_left", "time_increment"})
MEMORY_KEYS = frozenset({"max_memory", "hash_size"})

_INT_MIN, _INT_MAX = -(1 << 63), (1 << 64) - 1
_UNLIMITED_NODES = (1 << 63) - 1
_MB = 1 << 20

# The table gets what the process itself does not need.
_PROCESS_MB = 48.0
_TABLE_SHARE = 0.75
_DEFAULT_TABLE_MB = 64.0
_MIN_TABLE_MB = 1.0
_MAX_TABLE_MB = 65536.0

_EXACT_FIVE, _YIXIN_RENJU, _RENJU, _CARO = 1, 2, 4, 8


def most_threads() -> int:
    """Search threads that make sense here."""
    return os.cpu_count() or 1


class Options:
    """The values of the INFO keys; None = not set. Times are milliseconds."""

    timeout_turn: int | None = None
    """For one move: 0 = as fast as possible, negative = no limit."""
    timeout_match: int | None = None
    """For the whole game: 0 = no limit."""
    time_left: int | None = None
    """Left of the match, as last told; UNLIMITED_MS and more = no limit."""
    time_increment: int = 0
    """Gained by the match clock with every move."""
    max_memory: int = 0
    """Bytes for the whole process: 0 = no limit."""
    hash_size: int = 0
    """Table in KiB: 0 = not told."""
    thread_num: int = 1
    """Search threads."""
    max_depth: int = 0
    """Plies: 0 or negative = no limit."""
    max_node: int = 0
    """Nodes: 0, negative or 2^63 - 1 and more = no limit."""
    rule: int = 0
    """The rule code, as told; what it means depends on the dialect."""
    game_type: int | None = None
    """0 human, 1 engine, 2 tournament, 3 network tournament."""
    show_detail: int = 0
    """Bit 1 realtime lines, bit 2 detail lines; 0 one line a move, negative none."""
    pondering: int = 0
    """Whether to think on while the opponent does: positive = yes."""
    proof: int = 1
    """Whether to play from a proof that the package holds: 0 = no."""
    strength: int = FULL_STRENGTH
    """0 (beginner) to 100 (full); a number beyond either counts as that one."""

    def __init__(
        self,
        *,
        show_detail: int = 0,
        strength: int = FULL_STRENGTH,
        thread_num: int = 1,
    ) -> None:
        """Set the values that hold before the manager sends an INFO."""
        self.show_detail = show_detail
        self.strength = strength
        self.thread_num = thread_num

    def set(self, text: str) -> str | None:
        """Take in ``key value``; the key in lower case, or None if it was ignored."""
        words = text.split()
        if len(words) < 2:
            return None
        key, value = words[0].lower(), parse_number(words[1])
        if key not in _KEYS or value is None or (key == "rule" and value < 0):
            return None
        setattr(self, key, min(max(value, _INT_MIN), _INT_MAX))
        return key

    @property
    def turn_limit(self) -> int | None:
        """Milliseconds for a move, None = no limit of its own."""
        if self.timeout_turn is not None:
            endless = self.timeout_turn < 0 or self.timeout_turn >= UNLIMITED_MS
            return None if endless else self.timeout_turn
        if self.nodes or self.depth or self._has_match_limit:
            return None
        return DEFAULT_TURN_MS

    @property
    def strict_clock(self) -> bool:
        """Whether nothing shows that the manager grants a tolerance."""
        return self.time_left is None and self.game_type is None

    @property
    def nodes(self) -> int | None:
        """Nodes to search, None = no limit."""
        return self.max_node if 0 < self.max_node < _UNLIMITED_NODES else None

    @property
    def depth(self) -> int | None:
        """Plies to search, None = no limit."""
        return self.max_depth if self.max_depth > 0 else None

    @property
    def playing_strength(self) -> int:
        """The strength to play at, 0..100."""
        return min(max(self.strength, 0), FULL_STRENGTH)

    @property
    def ponders(self) -> bool:
        """Whether to think on while the opponent does; a weaker player does not."""
        return self.pondering > 0 and self.playing_strength == FULL_STRENGTH

    @property
    def plays_proofs(self) -> bool:
        """Whether to play from a proof; a weaker player does not."""
        return self.proof != 0 and self.playing_strength == FULL_STRENGTH

    @property
    def threads(self) -> int:
        """Search threads: what was asked for, as far as there are processors."""
        return min(max(self.thread_num, 1), most_threads())

    @property
    def table_mb(self) -> float:
        """Megabytes for the transposition table; the smaller wish wins."""
        wishes = []
        if self.max_memory > 0:
            wishes.append(_TABLE_SHARE * (self.max_memory / _MB - _PROCESS_MB))
        if self.hash_size > 0:
            wishes.append(self.hash_size / 1024)
        wish = min(wishes, default=_DEFAULT_TABLE_MB)
        return min(max(wish, _MIN_TABLE_MB), _MAX_TABLE_MB)

    def rule_in_force(self, *, yixin: bool) -> Rule:
        """The rule that the code means, in the Yixin dialect or in Piskvork's."""
        if self.rule & _RENJU or (yixin and self.rule == _YIXIN_RENJU):
            return Rule.RENJU
        if self.rule & _CARO:
            return Rule.CARO_EXACT if self.rule & _EXACT_FIVE else Rule.CARO
        return Rule.STANDARD if self.rule & _EXACT_FIVE else Rule.FREESTYLE

    @property
    def _has_match_limit(self) -> bool:
        if self.time_left is not None:
            return self.time_left < UNLIMITED_MS
        return 0 < (self.timeout_match or 0) < UNLIMITED_MS


_KEYS = frozenset(Options.__annotations__)
