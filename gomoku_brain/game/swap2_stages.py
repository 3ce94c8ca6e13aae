"""The swap2 opening as a machine of states, for the referee, the GUI and the protocol.

The proposer places three stones: black, white, black. The other player takes black, or
stays white with a fourth stone, or places two stones (white, black) and lets the
proposer choose: black, or white with a sixth stone.
"""

from typing import Literal

__all__ = ["Stage", "Swap2", "counts_after"]

Stage = Literal[
    "place three", "choose after three", "place two", "choose at five", "decided"
]

# stage: whether the proposer acts, and the numbers of stones that its answer may have
# (0 = takes black). "place two" is the stage of a person who places stones singly.
_ANSWERS: dict[Stage, tuple[bool, tuple[int, ...]]] = {
    "place three": (True, (3,)),
    "choose after three": (False, (0, 1, 2)),
    "place two": (False, (2,)),
    "choose at five": (True, (0, 1)),
    "decided": (False, ()),
}
_BY_STONES: dict[int, Stage] = {
    0: "place three",
    3: "choose after three",
    5: "choose at five",
}


def counts_after(stones: int) -> tuple[int, ...]:
    """Return the possible numbers of stones of an answer after ``stones`` stones.

    It is () if no player chooses there. SWAP2BOARD of the protocol contains only the
    stones, so the stage follows from them.
    """
    return _ANSWERS[_BY_STONES[stones]][1] if stones in _BY_STONES else ()


class Swap2:
    """Course of one swap2 opening, from the empty board to the choice of the colours.

    ``take`` applies a whole answer. For a person who places the stones one by one,
    ``offer_two`` begins the two stones, and ``place`` counts every stone.
    """

    def __init__(self) -> None:
        """Start on the empty board."""
        self.stage: Stage = "place three"
        """The current stage."""
        self.stones = 0
        """Number of stones on the board."""
        self.choice = ""
        """Choice of the colours as in records, for example "two stones, swap"."""
        self.proposer_is_black = True
        """Whether the proposer has black, according to the choices so far."""

    @property
    def is_decided(self) -> bool:
        """Whether the colours are decided."""
        return self.stage == "decided"

    @property
    def is_choice(self) -> bool:
        """Whether a player must choose a colour."""
        return self.stage.startswith("choose")

    @property
    def proposer_acts(self) -> bool:
        """Whether the proposer must act, not the other player."""
        return _ANSWERS[self.stage][0]

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of stones that an answer may have; 0 means to take black."""
        return _ANSWERS[self.stage][1]

    def take(self, count: int) -> None:
        """Apply an answer with ``count`` stones; 0 means that the player takes black.

        Raises ValueError if the stage does not allow that number.
        """
        if count not in self.counts:
            raise ValueError(f"{count} stones at the stage {self.stage!r}")
        self.stones += count
        if self.stage == "place three":
            self.stage = "choose after three"
        elif count == 2:
            self.stage = "choose at five"
        else:
            self._decide_colours(takes_black=count == 0)

    def offer_two(self) -> None:
        """Let a person place two stones singly instead of choosing a colour."""
        if self.stage != "choose after three":
            raise ValueError(f"no two stones at the stage {self.stage!r}")
        self.stage = "place two"

    def place(self) -> None:
        """Count one of three or two stones that a person places singly."""
        if self.is_choice or self.is_decided:
            raise ValueError(f"no stone is due at the stage {self.stage!r}")
        self.stones += 1
        if self.stage == "place three" and self.stones == 3:
            self.stage = "choose after three"
        elif self.stage == "place two" and self.stones == 5:
            self.stage = "choose at five"

    def choose(self, *, black: bool) -> None:
        """Choose a colour without a stone: the player takes black, or stays white.

        A person who stays white places the next stone as a move of the game.
        """
        if not self.is_choice:
            raise ValueError(f"no colour is chosen at the stage {self.stage!r}")
        self._decide_colours(takes_black=black)

    def _decide_colours(self, *, takes_black: bool) -> None:
        two = self.stage == "choose at five"
        self.choice = ("two stones, " if two else "") + (
            "swap" if takes_black else "stay"
        )
        self.proposer_is_black = takes_black is self.proposer_acts
        self.stage = "decided"
