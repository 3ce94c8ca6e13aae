"""Lines of a manager: INFO keys, requests for moves, and what their answers mean."""

import re

from gomoku_brain.client.brain import Answer, BrainFault, shorten
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule

LATE_SECONDS = 2.0
"""Seconds to wait for a late answer, to distinguish a loss on time from a hang."""
PATIENCE = 300.0
"""Seconds without an answer after which an engine hangs, if no clock runs."""
REFUSAL_SECONDS = 0.5
"""Seconds for an answer after an ERROR or UNKNOWN that an INFO line may have caused."""


_UNLIMITED_MS = 2147483647  # value that managers send for a match without limit
_MOVE = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})")


def reason_of(fault: BrainFault) -> str:
    """Return the reason of a game lost by a fault of an engine's process, as in
    records.
    """
    return {"start": "crash", "timeout": "hang"}.get(fault.kind, fault.kind)


def is_refusal(answer: Answer) -> bool:
    """Whether the line is ERROR or UNKNOWN."""
    return answer.text.upper().startswith(("ERROR", "UNKNOWN"))


def infos(limits: PlayerLimits, rule: Rule) -> list[tuple[str, object]]:
    """Return the INFO keys and values that a manager sends after START."""
    keys: list[tuple[str, object]] = [("rule", int(rule)), ("game_type", 1)]
    # Some engines need a limit for the turn in every match, and others read 0 as "at
    # once". So without a limit for the turn, that of the match is sent for it.
    turn = limits.turn if limits.turn is not None else limits.match
    if turn is not None:
        keys.append(("timeout_turn", _milliseconds(turn)))
    keys.append(("timeout_match", _milliseconds(limits.match or 0)))
    optional = {
        "time_increment": _milliseconds(limits.increment) or None,
        "max_memory": limits.memory,
        "max_node": limits.nodes,
        "max_depth": limits.depth,
    }
    return keys + [(key, value) for key, value in optional.items() if value is not None]


def time_left(seconds: float | None) -> str:
    """Return the INFO line before a move; None = the match has no limit."""
    left = _UNLIMITED_MS if seconds is None else _milliseconds(max(seconds, 0))
    return f"INFO time_left {left}"


def question(board: Board, knows_position: bool) -> list[str]:
    """Return the command that requests a move.

    It is TURN if the engine knows the position before the last move.
    """
    moves = board.moves
    if not moves:
        return ["BEGIN"]
    if knows_position or (len(moves) == 1 and board.stone(moves[0]) != board.turn):
        return [f"TURN {moves[-1].x},{moves[-1].y}"]
    rows = []
    for move in moves:
        side = board.stone(move)
        owner = 3 if side is None else 1 if side is board.turn else 2
        rows.append(f"{move.x},{move.y},{owner}")
    return ["BOARD", *rows, "DONE"]


def read_moves(text: str, board: Board, count: int = 1) -> list[Move]:
    """Return ``count`` moves to empty cells from an answer; raises BrainFault."""
    words = text.split() if count > 1 else [text]
    found = [_MOVE.fullmatch(word) for word in words]
    if len(found) != count or None in found:
        raise BrainFault("garbage", f"answered {shorten(text)} where a move was due")
    moves = [Move(int(m[1]), int(m[2])) for m in found if m is not None]
    for i, (x, y) in enumerate(moves):
        if not (0 <= x < board.width and 0 <= y < board.height):
            raise BrainFault("illegal move", f"played {x},{y}, outside of the board")
        if not board.is_empty((x, y)) or (x, y) in moves[:i]:
            raise BrainFault("illegal move", f"played {x},{y}, an occupied cell")
    return moves


def read_swap2(text: str, board: Board, counts: tuple[int, ...]) -> list[Move]:
    """Return the stones of an answer to SWAP2BOARD, none for SWAP.

    ``counts`` are the possible numbers of stones (``Swap2.counts``). Raises
    BrainFault.
    """
    if 0 in counts and text.upper() == "SWAP":
        return []
    minimum, maximum = max(min(counts), 1), max(counts)
    return read_moves(text, board, min(max(len(text.split()), minimum), maximum))


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
