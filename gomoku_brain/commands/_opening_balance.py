"""Balanced openings: random stones that the engine scores as even, and games to check
them.

A candidate is a few random stones of one of several forms; its number and the seed
determine it. It is accepted if neither side has a win by fours and the engine's score
is near the score from which games end even, also in a much longer search. That score is
not 0, because the evaluation does not include the long-term advantage that the rule
gives a side, nor the cost of renju's fouls for black.
"""

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from math import exp, sqrt
from random import Random

from gomoku_brain.control.limits import Limits, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import symmetries, transform_moves
from gomoku_brain.records.openings import Key, Opening, position

__all__ = [
    "EVEN",
    "OpeningRecipe",
    "balanced_score",
    "black_points",
    "candidate",
    "even_of",
    "fit_even",
    "generate",
    "shape",
]

EVEN = {
    Rule.FREESTYLE: (0, 30),
    Rule.STANDARD: (30, 45),
    Rule.RENJU: (-10, 45),
    Rule.CARO: (5, -25),
    Rule.CARO_EXACT: (5, -25),
}
"""Black's score (5,000 nodes) in a position from which it wins half of the points.

Measured on 15x15 and on 20x20 by ``gomoku-brain openings even --positions 400``. The
standard errors are 24 to 40 (110 for exact caro on 20x20, which uses caro's). These
scores belong to the evaluation; measure them again when it changes
(``docs/openings.md``).
"""

HASH_MB = 4  # cleared before each search
VCF_NODES = 2_000
SIEVE_SHARE = 10  # the first, cheap search has this part of the nodes
SIEVE_WINDOW = 3  # and a window so many times as wide
FEWEST, MOST = 3, 9  # stones
CHECK_WINDOW = 2  # windows by which the last search may differ
BATCH = 32  # candidates that a worker takes at once
DRAW_CELLS = 25  # a game with at most so many empty cells is drawn, as in Piskvork
JITTER = 0.3  # share by which the nodes of a move vary, so games differ


@dataclass(frozen=True)
class OpeningRecipe:
    """Settings that, with the engine's version, determine a list of generated
    openings.
    """

    rule: Rule
    size: int
    """Cells along a side, 12..22."""
    even: int
    """Black's score in an even position; see ``even_of``."""
    seed: int = 1
    nodes: int = 5_000
    """Nodes of the search that decides; more nodes did not predict the games better."""
    window: int = 50
    """Largest difference of the score from ``even``, in evaluation units."""
    check: int = 0
    """Nodes of a last, longer search; 0: none.

    Its score may differ by ``CHECK_WINDOW`` windows, and it must prove no win. It
    removes openings that only a strong player knows to be won.
    """


def even_of(rule: Rule, size: int) -> int:
    """Return black's score in an even position."""
    return EVEN[rule][size >= 20]


def candidate(recipe: OpeningRecipe, number: int) -> Opening | None:
    """Return random stones, the same for the same number; None if they cannot be
    played.

    Most stand near the centre; others anywhere, at an edge, or in two groups. Each
    stone is two to four cells away from an earlier one.
    """
    rng = Random(f"{recipe.seed}/{recipe.rule.name}/{recipe.size}/{number}")
    size, centre = recipe.size, recipe.size // 2
    stones = rng.randint(FEWEST, MOST)
    reach = rng.choices((2, 3, 4), weights=(45, 40, 15))[0]
    near = Move(centre + rng.randint(-2, 2), centre + rng.randint(-2, 2))
    anywhere = Move(rng.randrange(size), rng.randrange(size))
    edge = Move(rng.randint(0, 2), rng.randrange(size))
    edge = transform_moves([edge], size, size, rng.randrange(8))[0]
    forms = [[near], [anywhere], [edge], [near, anywhere], [near, edge]]
    moves = rng.choices(forms, weights=(60, 10, 8, 12, 10))[0]
    while len(moves) < stones:
        x, y = rng.choice(moves)
        move = Move(x + rng.randint(-reach, reach), y + rng.randint(-reach, reach))
        if 0 <= move.x < size and 0 <= move.y < size and move not in moves:
            moves.append(move)
    opening = Opening(tuple(moves))
    try:
        position(opening, size, recipe.rule)
    except ValueError:
        return None
    return opening


def balanced_score(engine: Engine, board: Board, recipe: OpeningRecipe) -> int | None:
    """Return black's score; None if it is far from even or a side has a proved win."""
    colour = 1 if board.turn == Side.BLACK else -1
    score = 0

    def fits(nodes: int, window: int) -> bool:
        nonlocal score
        engine.new_game()
        result = engine.search(board, Limits(nodes=nodes))
        assert result.score is not None
        score = colour * result.score
        return result.win_in is None and abs(score - recipe.even) <= window

    if not fits(recipe.nodes // SIEVE_SHARE, recipe.window * SIEVE_WINDOW):
        return None
    if not fits(recipe.nodes, recipe.window):
        return None
    decisive = score
    other = board.copy()
    other.turn = board.turn.other
    engine.new_game()
    for side in (board, other):
        if engine.solve(side, limits=Limits(nodes=VCF_NODES)) is not None:
            return None
    if recipe.check and not fits(recipe.check, recipe.window * CHECK_WINDOW):
        return None
    return decisive


def generate(
    recipe: OpeningRecipe, first: int = 0, workers: int = 1
) -> Iterator[tuple[int, Opening | None]]:
    """Yield (number, opening) of the candidates from ``first`` on; None for a rejected
    one.

    The iterator is endless, in the order of the numbers, and the same for any number of
    workers (threads, since searches release the GIL). Equal openings are not removed
    here.
    """
    own = threading.local()

    def judge(start: int) -> list[tuple[int, Opening | None]]:
        if not hasattr(own, "engine"):
            own.engine = Engine(hash_mb=HASH_MB)
        judged = []
        for number in range(start, start + BATCH):
            if stopped.is_set():
                break
            opening = candidate(recipe, number)
            if opening is not None:
                board = position(opening, recipe.size, recipe.rule)
                if balanced_score(own.engine, board, recipe) is None:
                    opening = None
            judged.append((number, opening))
        return judged

    stopped = threading.Event()
    waiting: deque[Future[list[tuple[int, Opening | None]]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for start in count(first, BATCH):
                waiting.append(pool.submit(judge, start))
                if len(waiting) > workers:
                    yield from waiting.popleft().result()
        finally:  # the consumer has stopped, or was interrupted
            stopped.set()
            for future in waiting:
                future.cancel()


def shape(opening: Opening, size: int) -> Key:
    """Return a key that all symmetric images, orders and shifts of the same stones
    share.

    It is stricter than ``canonical``: a list without equal shapes has no opening twice,
    not even shifted by a cell.
    """
    forms = []
    for k in symmetries(size, size):
        moves = transform_moves(opening.moves, size, size, k)
        left, top = min(x for x, _ in moves), min(y for _, y in moves)
        moves = [Move(x - left, y - top) for x, y in moves]
        forms.append((tuple(sorted(moves[::2])), tuple(sorted(moves[1::2]))))
    return min(forms)


def black_points(engine: Engine, board: Board, nodes: int, rng: Random) -> float:
    """Return black's points (1, 0.5 or 0) in a game of the engine against itself.

    A move has ``nodes`` nodes, varied by ``JITTER``. The game ends with a proved win,
    which the engine has replayed, or as a draw when the board is nearly full.
    """
    engine.new_game()

    def choose(board: Board) -> SearchResult:
        budget = round(nodes * rng.uniform(1 - JITTER, 1 + JITTER))
        return engine.search(board, Limits(nodes=budget))

    max_stones = board.width * board.height - DRAW_CELLS
    winner = play_out(board.copy(), (choose, choose), max_stones)
    return {None: 0.5, Side.BLACK: 1.0, Side.WHITE: 0.0}[winner]


def fit_even(samples: Iterable[tuple[int, float]]) -> tuple[float, float, float]:
    """Return (score at which black gets half of the points, its standard error, slope
    of 100 units).

    ``samples`` are pairs: black's score in a position, and its share of the points in
    the games from there. The fit is a logistic regression by Newton's method. A
    position counts as one game, since games from it resemble each other, so the error
    is rather too large than too small. Raises ValueError if the results do not depend
    on the scores.
    """
    points = [(score / 100, share) for score, share in samples]
    base = slope = 0.0
    for _ in range(30):
        gradient = [0.0, 0.0]
        one = cross = square = 0.0
        for x, share in points:
            expected = 1 / (1 + exp(-max(-30.0, min(30.0, base + slope * x))))
            weight = expected * (1 - expected)
            gradient[0] += share - expected
            gradient[1] += (share - expected) * x
            one += weight
            cross += weight * x
            square += weight * x * x
        area = one * square - cross * cross
        if area < 1e-9:
            break
        base += (square * gradient[0] - cross * gradient[1]) / area
        slope += (one * gradient[1] - cross * gradient[0]) / area
    if area < 1e-9 or slope < 0.01:
        raise ValueError("the results do not depend on the scores; play more games")
    even = -base / slope
    # The variance of -base/slope, by the delta method.
    variance = (square - 2 * even * cross + even * even * one) / area / slope**2
    return 100 * even, 100 * sqrt(variance), slope
