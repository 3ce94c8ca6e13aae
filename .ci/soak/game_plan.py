"""What is settled about a soak's game before its first move."""

import random
from dataclasses import dataclass

from tests.reference import RULES

MEMORY = (0, 70 << 20, 350 << 20, 350 << 20, 1000 << 20)


@dataclass(frozen=True)
class GamePlan:
    """All that is settled about a game before its first move."""

    game: int
    loaded: bool
    rule: int
    width: int
    height: int
    limit: int  # ms a move
    match: int  # ms a game and side, 0 = no limit
    memory: int  # bytes
    fresh: bool  # new processes, or those of the game before
    watched: bool  # such processes have a log, and a standard error that is let through
    # How the manager is used to speak:
    burst: bool  # START, INFO and the first position without waiting for OK
    tells_left: bool  # INFO time_left before every move
    always_board: bool  # BOARD for every move
    restart: bool  # RESTART when it is possible
    eol: str
    opening: tuple[tuple[int, int], ...]
    first: int  # which of the two processes is black


def make_plan(seed, game, limits=(20, 50), fresh=0.4):
    """The plan of a game; rule, size class and load meet in every combination.

    `limits` are the least and the most milliseconds for a move, `fresh` the share of
    games with new processes.
    """
    rng = random.Random(f"{seed}/{game}")
    side = rng.randint(5, 22)
    size = (
        (15, 15),
        (20, 20),
        (side, side if rng.random() < 0.3 else rng.randint(5, 22)),
    )[game // 3 % 3]
    # Stones of an opening lie within three cells of the centre: at most three a side,
    # so that nothing is won or foul before the game begins.
    near = [
        (x, y)
        for x in range(size[0])
        for y in range(size[1])
        if abs(x - size[0] // 2) <= 3 and abs(y - size[1] // 2) <= 3
    ]
    burst = rng.random() < 0.25
    return GamePlan(
        game=game,
        loaded=game % 3 == 2,
        rule=RULES[game % 5],
        width=size[0],
        height=size[1],
        limit=rng.randint(*limits),
        match=rng.choice((0, 0, rng.randint(3000, 60000))),
        memory=rng.choice(MEMORY),
        fresh=rng.random() < fresh,
        watched=rng.random() < 0.5,
        burst=burst,
        tells_left=burst or rng.random() < 0.7,
        always_board=rng.random() < 0.1,
        restart=rng.random() < 0.7,
        eol=rng.choice(("\n", "\r\n", "\r")),
        opening=tuple(rng.sample(near, rng.randint(0, 6))),
        first=rng.randrange(2),
    )
