"""The ways in which engines misbehave: for each, who loses and why.

docs/match-faults.md shows the same table. A fault has its owner: the engine that
misbehaves loses, a remark loses nothing, and no process is left behind.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from gomoku_brain.client.brain import MAX_BYTES
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.match import referee
from gomoku_brain.match.referee import GameTask, play_game
from gomoku_brain.records.openings import Opening
from tests.match.engines import fake

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the scripted engine needs POSIX signals"
)
PAGE = Path(__file__).parents[2] / "docs" / "match-faults.md"
TIGHT = PlayerLimits(turn=0.3, margin=0.05)  # for engines that fail at once
AMPLE = PlayerLimits(turn=20)
UNTIMED = PlayerLimits(nodes=10)


class Mode(NamedTuple):
    """One way to misbehave, and the verdict."""

    words: str
    """As docs/match-faults.md has it."""
    deed: tuple[str, ...]
    """Arguments of fake_brain.py."""
    reason: str
    """The reason in the record; "five" if the engine wins all the same."""
    time: PlayerLimits = AMPLE
    detail: str = ""
    """A part of the detail."""
    rule: Rule = Rule.FREESTYLE
    opening: str = ""


MODES = [
    Mode("leaves with 0 in START", ("leave", "START"), "crash", detail="status 0"),
    Mode("leaves with an error in START", ("crash", "START"), "crash", detail="3"),
    Mode("leaves with 0 in the third move", ("leave", "3"), "crash"),
    Mode("leaves with an error in the third move", ("crash", "3"), "crash"),
    Mode("dies by a signal", ("segfault", "3"), "crash", detail="signal SIGSEGV"),
    Mode("hangs in START", ("stall", "START"), "hang"),
    Mode("hangs in a move", ("stall", "1"), "hang", TIGHT),
    Mode("hangs in a move without a clock", ("stall", "3"), "hang", UNTIMED),
    Mode("gives no line end to its move", ("no-newline", "1"), "hang", TIGHT),
    Mode("is slow in START", ("slow", "START"), "five"),
    Mode("is slow, within its time", ("slow", "3"), "five"),
    Mode(
        "is late by 0.6 s", ("slow", "1"), "time", PlayerLimits(turn=0.05, margin=0.1)
    ),
    Mode("writes a banner before OK", ("banner", "START"), "five"),
    Mode("chatters before a move", ("chatter", "3"), "five"),
    Mode("writes INFO lines", ("info-lines", "3"), "five"),
    Mode("writes DETAIL, REALTIME, SUGGEST, FORBID", ("detail-lines", "3"), "five"),
    Mode("writes MESSAGE, DEBUG, ERROR, UNKNOWN", ("chatty", "3"), "five"),
    Mode("answers INFO with ERROR", ("ERROR_what", "INFO"), "five"),
    Mode("answers INFO with UNKNOWN", ("UNKNOWN", "INFO"), "five"),
    Mode("answers INFO with OK", ("OK", "INFO"), "five"),
    Mode("writes OK with a text", ("OK_-_ready", "START"), "five"),
    Mode("refuses START", ("ERROR_size", "START"), "refused"),
    Mode("answers START without OK", ("READY", "START"), "garbage"),
    Mode("answers a move with a text", ("hello", "1"), "garbage", TIGHT),
    Mode("answers a move with two moves", ("7,7_8,8", "3"), "garbage"),
    Mode("gives two answers", ("twice", "2"), "garbage", detail="unexpected output"),
    Mode("writes blank lines", ("blank-lines", "3"), "five"),
    Mode("writes `x , y` with blanks", ("spaces", "3"), "five"),
    Mode("ends lines with CR LF", ("crlf", "3"), "five"),
    Mode("ends lines with CR", ("cr", "3"), "five"),
    Mode("writes a line in pieces", ("pieces", "3"), "five"),
    Mode("writes bytes of GBK", ("gbk", "3"), "five"),
    Mode("writes bytes of no encoding", ("bytes", "3"), "five"),
    Mode("writes a MESSAGE of 300 kB", ("big-line", "3"), "five"),
    Mode("writes another line of 300 kB", ("big-chatter", "3"), "five"),
    Mode("writes 200 kB on standard error", ("stderr", "3"), "five"),
    Mode("floods with lines", ("flood", "3"), "flood"),
    Mode("floods with one line", ("long-line", "3"), "flood"),
    Mode("plays an occupied cell", ("0,2", "3"), "illegal move", detail="occupied"),
    Mode("plays outside of the board", ("15,3", "3"), "illegal move", detail="outside"),
    Mode(
        "plays a forbidden point",
        ("7,7", "1"),
        "foul",
        detail="double-three",
        rule=Rule.RENJU,
        opening="h7 a1 h9 a15 g8 o1 i8 o15",
    ),
    Mode("leaves grandchildren", ("child", "2"), "five"),
    Mode("closes its input", ("closes-input", "1"), "hang", TIGHT),
    Mode("ignores END", ("stall", "END"), "five"),
    Mode("ignores signals", ("deaf", "END"), "five"),
]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.words)
def test_the_owner_of_a_fault_loses(mode, monkeypatch, hurry):
    monkeypatch.setattr(referee, "LATE_SECONDS", 1.0)
    if mode.deed[-1] == "START" and mode.reason in ("hang", "garbage"):
        seconds = 0.3 if mode.reason == "hang" else 3.0  # a wrong answer must come
        hurry("START", "Guilty", seconds)
    task = GameTask(
        id="1",
        rule=mode.rule,
        size=15,
        black=fake(*mode.deed, name="Guilty"),
        white=fake("--row", "2", name="Innocent"),
        black_limits=mode.time,
        white_limits=AMPLE,
        opening=Opening(tuple(parse_moves(mode.opening))),
        patience=1.0,
    )
    record = play_game(task)
    assert (record.reason, record.result) == (
        mode.reason,
        "1-0" if mode.reason == "five" else "0-1",
    ), record.detail
    assert mode.detail in record.detail
    if mode.reason != "five":
        assert record.detail.startswith("Guilty ")


@pytest.mark.source
def test_the_page_has_the_table():
    text = PAGE.read_text(encoding="utf-8")
    assert len(MODES) >= 34
    verdicts = {"five": "none"}
    for mode in MODES:
        verdict = verdicts.get(mode.reason, mode.reason)
        assert f"| {mode.words} | {verdict} |" in text


def test_a_flood_is_counted_for_each_move():
    """300 kB with each of five moves are more than the bound of one move."""
    deeds = [word for n in "12345" for word in ("big-line", n)]
    task = GameTask("1", Rule.FREESTYLE, 15, fake(*deeds), fake("--row", "2"))
    assert 5 * 300_000 > MAX_BYTES > 300_000
    assert play_game(task).reason == "five"
