"""Comparison of evaluations by games from balanced openings, each played with both
colours.
"""

import math
import random
import statistics
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.plain.plan import Plan, pairings_of
from gomoku_brain.plain.players import MoveChooser
from gomoku_brain.plain.results import Job, Result, job_key

OPENING_STONES = 4
OPENING_NODES = 3_000
OPENING_BALANCE = 120  # score units, by our engine


def game_key(a: str, b: str, terms: str, amount: int, opening: str) -> dict[str, Any]:
    """Return the key of the job that plays an opening twice."""
    return job_key("games", players=[a, b], terms=terms, amount=amount, opening=opening)


def game_jobs(plan: Plan) -> Iterator[Job]:
    """Yield the jobs opening by opening.

    So an interrupted run has played about the same number of games of every pairing.
    """
    for opening in openings(plan.pairs):
        for a, b, terms, amount in pairings_of(plan):
            yield Job(
                game_key(a, b, terms, amount, opening),
                partial(play_pair, a, b, terms, amount, opening),
            )


def openings(count: int) -> tuple[str, ...]:
    """Return balanced openings of four stones near the middle, no two equal under
    symmetry.

    They are the same in every run: drawn from a fixed seed and judged by our engine.
    """
    return _drawn(count)


def draw_openings(count: int) -> tuple[str, ...]:
    """Draw the openings that ``openings`` returns; fifty take half a second."""
    rng = random.Random("experiment")
    area = [Move(x, y) for x in range(4, 11) for y in range(4, 11)]
    seen = set()
    found: list[str] = []
    with Engine(hash_mb=1) as engine:
        while len(found) < count:
            moves = rng.sample(area, OPENING_STONES)
            form = canonical((moves[::2], moves[1::2]), 15, 15).groups
            if form in seen:
                continue
            seen.add(form)
            engine.new_game()
            result = engine.search(Board.from_moves(moves), Limits(nodes=OPENING_NODES))
            assert result.score is not None
            if result.win_in is None and abs(result.score) <= OPENING_BALANCE:
                found.append(format_moves(moves))
    return tuple(found)


_drawn = cache(draw_openings)


def play_pair(a: str, b: str, terms: str, amount: int, opening: str) -> Result:
    """Play two games from an opening, in which player ``a`` has either colour once.

    The points in the result are those of ``a``.
    """
    players = {a: MoveChooser(a), b: MoveChooser(b)}
    games = [
        play_game(players, black, white, terms, amount, opening)
        for black, white in ((a, b), (b, a))
    ]
    points = 0.0
    for game in games:
        points += 0.5 if game["winner"] is None else float(game["winner"] == a)
    return {"points": points, "games": games}


def play_game(
    players: dict[str, MoveChooser],
    black: str,
    white: str,
    terms: str,
    amount: int,
    opening: str,
) -> Result:
    """Play one game under the freestyle rule, without a clock."""
    board = Board.from_moves(opening)
    names = {Side.BLACK: black, Side.WHITE: white}
    nodes, seconds, moves = {black: 0, white: 0}, {black: 0.0, white: 0.0}, 0
    for player in players.values():
        player.new_game()
    while board.winner is None and not board.is_full:
        name = names[board.turn]
        if terms == "depth":
            choice = players[name].to_depth(board, amount, 10**9)
        else:
            choice = players[name].within_nodes(board, amount)
        assert choice.move is not None
        nodes[name] += choice.nodes
        seconds[name] += choice.seconds
        moves += 1
        board.play(choice.move)
    return {
        "black": black,
        "winner": None if board.winner is None else names[board.winner],
        "moves": format_moves(board.moves),
        "nodes": nodes,
        "seconds": seconds,
        "played": moves,
    }


class PairingScore(NamedTuple):
    """Score of a pairing's games, for the first player."""

    pairs: int
    wins: int
    draws: int
    losses: int
    copies: int
    """Games that repeat an earlier one move by move; they add no evidence."""
    moves: float
    """Mean number of moves of a player in a game, without the opening."""
    seconds: tuple[float, float]
    """Mean time of a move of either player, in seconds."""
    score: float
    """Share of the points, 0 to 1."""
    interval: tuple[float, float]
    """95 % confidence interval of ``score``."""


def pairing_score(rows: list[Result], player: str, opponent: str) -> PairingScore:
    """Return the score of the pairs played.

    The interval is that of the mean of pairs. Its width counts two more pairs, one won
    and one lost, so that a few pairs with equal results do not look certain (as Agresti
    and Coull, 1998, do for proportions).
    """
    games = [game for row in rows for game in row["games"]]
    wins = sum(game["winner"] == player for game in games)
    draws = sum(game["winner"] is None for game in games)
    shares = [row["points"] / 2 for row in rows]
    mean = sum(shares) / len(shares)
    padded = [0.0, *shares, 1.0]
    error = 1.96 * statistics.stdev(padded) / math.sqrt(len(padded))
    return PairingScore(
        len(rows),
        wins,
        draws,
        len(games) - wins - draws,
        len(games) - len({game["moves"] for game in games}),
        sum(game["played"] for game in games) / 2,
        (
            sum(game["seconds"][player] for game in games),
            sum(game["seconds"][opponent] for game in games),
        ),
        mean,
        (max(0.0, mean - error), min(1.0, mean + error)),
    )
