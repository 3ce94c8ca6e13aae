"""Conversations of real managers, replayed against the real process.

A transcript in tests/transcripts is lines of

    # a remark
    @ eol crlf|cr|lf      how lines are ended from here on
    @ send lines|burst    a write for each line, or one for lines that follow each other
    @ eof                 close the brain's input
    > text                what the manager sends; {last} is the move answered last
    < pattern             the next line of the answer, byte by byte, save for
                          {move}    a free cell, perhaps after MESSAGE lines
                          {stones}  three free cells   {swap}  SWAP, one or two cells
                          {info}    one or more MESSAGE and INFO lines
                          {number}  digits   {yes}  YES or NO   {any}  anything
                          "within N" behind {move}: milliseconds of processor time
                          that it takes after the last write
    ~ N                   nothing comes for N milliseconds
    = N                   the brain leaves with that status, with no word more
"""

import re
from pathlib import Path

import pytest

from tests.protocol.brain import SLACK
from tests.sampled import some_of

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").glob("*.txt"))
EOLS = {"crlf": "\r\n", "cr": "\r", "lf": "\n"}
WORDS = {"{any}": ".*", "{number}": r"\d+", "{yes}": "(YES|NO)"}


class Referee:
    """Which cells are taken, as far as the transcript tells."""

    def __init__(self):
        self.size = (15, 15)
        self.taken = set()

    def sent(self, line):
        word, _, rest = line.strip().upper().partition(" ")
        numbers = [int(n) for n in re.findall(r"-?\d+", rest)]
        match word:
            case "START" | "RECTSTART" if len(numbers) in (1, 2):
                self.size = (numbers[0], numbers[-1])
                self.taken.clear()
            case "RESTART" | "BOARD" | "YXBOARD" | "SWAP2BOARD":
                self.taken = set(zip(numbers[::3], numbers[1::3], strict=True))
            case "TURN":
                self.taken.add(tuple(numbers))
            case "TAKEBACK":
                self.taken.discard(tuple(numbers))
            case _ if re.fullmatch(r"\d+,\d+(,[123])?", word):
                x, y, *_ = word.split(",")
                self.taken.add((int(x), int(y)))

    def placed(self, text):
        """Take cells written as "x,y x,y"; how many there were."""
        cells = text.split(" ")
        for cell in cells:
            assert re.fullmatch(r"(0|[1-9]\d*),(0|[1-9]\d*)", cell), (
                f"no cell: {text!r}"
            )
            x, y = map(int, cell.split(","))
            assert (x, y) not in self.taken
            assert x < self.size[0]
            assert y < self.size[1]
            self.taken.add((x, y))
        return len(cells)


def play(lines, brain):
    referee, last = Referee(), ""
    eol, burst, waiting = "\n", False, []
    before = brain.processor_seconds
    for kind, text in lines:
        if kind != ">" and waiting:
            for part in [waiting] if burst else [[line] for line in waiting]:
                before = brain.processor_seconds
                brain.send(*part, eol=eol, encoding="latin-1")
            waiting = []
        match kind:
            case "@":
                word, _, value = text.partition(" ")
                assert word in ("eol", "send", "eof")
                if word == "eol":
                    eol = EOLS[value]
                elif word == "send":
                    burst = value == "burst"
                else:
                    brain.close_input()
            case ">":
                waiting.append(text.replace("{last}", last))
                referee.sent(waiting[-1])
            case "<":
                pattern, _, limit = text.partition(" within ")
                if pattern == "{move}":
                    last = brain.answer()
                    assert referee.placed(last) == 1
                    if limit:
                        took = brain.processor_seconds - before
                        assert took < int(limit) / 1000 + SLACK
                elif pattern == "{stones}":
                    assert referee.placed(brain.answer()) == 3
                elif pattern == "{swap}":
                    answer = brain.answer()
                    assert answer == "SWAP" or referee.placed(answer) in (1, 2)
                elif pattern == "{info}":
                    assert brain.line().startswith(("MESSAGE ", "INFO "))
                    skip_info(brain)
                else:
                    assert re.fullmatch(expression(text), brain.line())
            case "~":
                brain.silence(int(text) / 1000)
            case "=":
                assert brain.wait() == int(text)
                assert brain.next() is None


def skip_info(brain):
    """Leave the line behind the MESSAGE and INFO lines to be read."""
    while (line := brain.line()).startswith(("MESSAGE ", "INFO ")):
        pass
    brain.put_back(line)


def expression(text):
    parts = re.split(r"(\{\w+\})", text)
    return "".join(WORDS[p] if p.startswith("{") else re.escape(p) for p in parts)


def read(path):
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            kind, _, text = line.partition(" ")
            assert kind in ("@", ">", "<", "~", "="), f"{path.name}:{number}: {line}"
            yield kind, text


@pytest.mark.parametrize(
    "path",
    some_of(TRANSCRIPTS, 3, "another manager's conversation"),
    ids=lambda path: path.stem,
)
def test_transcript(path, brain):
    play(read(path), brain)


def test_there_is_a_transcript_of_every_manager():
    names = {path.stem.split("_")[0] for path in TRANSCRIPTS}
    managers = (
        "piskvork gomocupjudge c-gomoku-cli qpiskvork liskvork yixin-board gomocalc"
    )
    assert names >= set(managers.split())
