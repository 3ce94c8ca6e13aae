"""The studies of the source reports, measured on their 20 levels.

Four studies, each a list of jobs: the nodes of the first move by method and depth, the
values of all candidates, whole levels played out against a defender, and evaluations
compared by games. A job is named by all that its result depends on, so that a run which
was interrupted, or has other settings, repeats nothing. Nothing measured depends on a
clock; seconds are noted beside it.
"""

import json
import math
import random
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple, Self

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.match.journal import Journal
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from gomoku_brain.study.puzzles import puzzle_levels
from gomoku_brain.study.sources import Evaluation, Method, PlainSearch, win_in

__all__ = ["Job", "Plan", "Results", "Study", "studies"]

Result = dict[str, Any]

# Seconds of the processor, since others may use it meanwhile; but Windows counts those
# in steps of 16 ms.
clock = perf_counter if sys.platform == "win32" else process_time

HASH_MB = 16
SEARCHED_TREE = 2_000_000  # nodes; a larger tree of plain minimax is only counted
MOST_DEPTH = 8
MOST_MOVES = 40  # of the attacker, then a level counts as not won
GAME_MOVES = 225
VALUES_DEPTH = 3
OPENING_STONES = 4
OPENING_NODES = 3_000
OPENING_BALANCE = 120  # score units, by our engine
SIGNATURE_DEPTH = 8
SIGNATURE_GAME = "h8 i9 h10 i7 i10 g10 h9 h11 g8"

EVALUATIONS = {
    "rules": Evaluation.RULES,
    "stones": Evaluation.STONES,
    "ours": Evaluation.OURS,
    "proved": Evaluation.PROVED,
}
METHODS = {
    "minimax": Method.MINIMAX,
    "alphabeta": Method.ALPHABETA,
    "ordered": Method.ORDERED,
    "table": Method.TABLE,
}
ENGINE = "engine"  # the full search

# The parts of our search, each line with those above it.
PARTS = {
    "window, order": 0,
    "+ table": Features.TABLE_CUTS,
    "+ static wins and replies": Features.STATIC_TESTS,
    "+ fours at the leaves": Features.LEAF_VCF,
    "+ pruning": Features.PRUNING,
    "+ reductions": Features.REDUCTIONS,
    "+ extensions": Features.EXTENSIONS,
}

# Who attacks and who defends when levels are played out.
ATTACKERS = ("rules", "stones", "ours", "proved", ENGINE)
EASY = "easy"  # a defender like the sources': S4's lowest level, the rule score
EASY_DEPTH = 2
S2_DEPTHS = 3  # S2's way is played out so deep even where a level is won before


@dataclass(frozen=True)
class Plan:
    """What to measure. Raises ValueError for settings that make no sense."""

    levels: tuple[int, ...] = tuple(range(1, 21))
    depth: int = 4
    """Deepest search, in plies, of the first moves and of the play-outs."""
    budget: int = 20_000_000
    """Nodes that one search may take; beyond, "more than" is the result."""
    defender_nodes: int = 10_000
    """Nodes of our engine for each move of the defence."""
    pairs: int = 50
    """Openings that each pairing plays, with both colours."""
    game_depth: int = 3
    """Plies of each move in the games of equal depth."""
    game_nodes: int = 20_000
    """Nodes of each move in the games of equal nodes."""

    def __post_init__(self) -> None:
        """Check the settings."""
        known = {puzzle.number for puzzle in puzzle_levels()}
        if not self.levels or not set(self.levels) <= known:
            raise ValueError(f"the levels are {min(known)} to {max(known)}")
        if not 1 <= self.depth <= MOST_DEPTH:
            raise ValueError(f"the depth is 1 to {MOST_DEPTH}")
        if not 1 <= self.game_depth <= MOST_DEPTH:
            raise ValueError(f"the depth of the games is 1 to {MOST_DEPTH}")
        if min(self.budget, self.defender_nodes, self.game_nodes) < 1:
            raise ValueError("a number of nodes is at least 1")
        if self.pairs < 0:
            raise ValueError("the number of games cannot be negative")


class Job(NamedTuple):
    """One measurement."""

    key: dict[str, Any]
    """All that the result depends on; plain JSON."""
    run: Callable[[], Result]
    """Measures; the result is plain JSON."""


class Study(NamedTuple):
    """Jobs of one kind."""

    name: str
    about: str
    most: int
    """How many jobs there are at most."""
    jobs: Callable[["Results"], Iterator[Job]]
    """The jobs in order; a later one may depend on results that are there by then."""


class Results:
    """What was measured, by job; kept in a file of JSON lines, one a job.

    Use it as a context manager; results are added inside. Raises OSError for a
    file that cannot be read or written, and ValueError for one with something else.
    """

    def __init__(self, path: Path) -> None:
        """Read what an earlier run left; a line that a kill cut off is dropped."""
        self._journal = Journal(path, "a file of an experiment's results", '{"key": ')
        self._found: dict[str, Result] = {}
        for number, line in enumerate(self._journal.lines, start=1):
            try:
                entry = json.loads(line)
                self._found[_name(entry["key"])] = entry["result"]
            except (ValueError, KeyError, TypeError):
                raise ValueError(
                    f"{path}, line {number}: not a result of an experiment"
                ) from None

    def __enter__(self) -> Self:
        self._journal.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def get(self, key: dict[str, Any]) -> Result | None:
        """The result of a job; None when it was not done."""
        return self._found.get(_name(key))

    def add(self, key: dict[str, Any], result: Result) -> None:
        """Keep a result, in the file as well."""
        line = json.dumps({"key": key, "result": result})
        self._journal.append(line)
        self._found[_name(key)] = json.loads(line)["result"]


def _name(key: dict[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)


def studies(plan: Plan) -> list[Study]:
    """The studies of a plan, in the order to run them."""
    levels = len(plan.levels)
    pairings = len(pairings_of(plan))
    return [
        Study("nodes", "first moves", levels * plan.depth, lambda _: node_jobs(plan)),
        Study("values", "all candidates", levels, lambda _: value_jobs(plan)),
        Study(
            "play-outs",
            "levels played out",
            levels * plan.depth * len(matchups()),
            lambda results: playout_jobs(plan, results),
        ),
        Study(
            "games", "pairs of games", pairings * plan.pairs, lambda _: game_jobs(plan)
        ),
    ]


_levels = cache(puzzle_levels)


def engine_nodes() -> int:
    """The nodes of fixed searches by our engine: another number, another engine.

    It is part of a job's name, so that results of an older engine are not taken for
    this one's.
    """
    boards = [level.board for level in _levels()]
    moves = SIGNATURE_GAME.split()
    boards += [Board.from_moves(" ".join(moves[:k])) for k in range(3, len(moves) + 1)]
    nodes = 0
    with Engine(hash_mb=1) as engine:
        for board in boards:
            engine.new_game()
            nodes += engine.search(board, Limits(depth=SIGNATURE_DEPTH)).nodes
    return nodes


_engine = cache(engine_nodes)


def level_board(level: int) -> Board:
    """The position of a level; to be copied, not played on."""
    return _levels()[level - 1].board


# --- Nodes of the first move, by method and depth ---


def node_key(plan: Plan, level: int, depth: int) -> dict[str, Any]:
    """The job that searches the first move of a level to a depth."""
    return {
        "study": "nodes",
        "engine": _engine(),
        "level": level,
        "depth": depth,
        "budget": plan.budget,
    }


def node_jobs(plan: Plan) -> Iterator[Job]:
    """Level by level, depth by depth."""
    for level in plan.levels:
        for depth in range(1, plan.depth + 1):
            yield Job(
                node_key(plan, level, depth),
                partial(count_nodes, level_board(level), depth, plan.budget),
            )


def count_nodes(board: Board, depth: int, budget: int) -> Result:
    """All methods and evaluations on one position and depth."""
    trees = {
        str(radius): tree_size(board, depth, radius, budget) for radius in (0, 1, 2)
    }
    searches = []
    for evaluation, code in EVALUATIONS.items():
        for method, how in METHODS.items():
            row: Result = {"evaluation": evaluation, "method": method}
            tree = trees["2"]
            if method == "minimax" and (tree is None or tree > SEARCHED_TREE):
                row |= {"nodes": tree, "finished": tree is not None}
            else:
                search = PlainSearch(code, how)
                start = clock()
                found = search.search(board, depth, budget)
                row |= {
                    "nodes": min(found.nodes, budget),
                    "finished": found.finished,
                    "evaluations": found.evaluations,
                    "seconds": clock() - start,
                }
                if found.finished:
                    row |= {"move": str(found.move), "score": found.score}
            searches.append(row)
    with Engine(hash_mb=HASH_MB) as engine:
        engine.new_game()
        start = clock()
        result = engine.search(board, Limits(depth=depth, nodes=budget))
        taken = clock() - start
    searches.append(
        {
            "evaluation": "ours",
            "method": ENGINE,
            "nodes": result.nodes,
            "finished": result.nodes < budget,
            "seconds": taken,
            "move": str(result.move),
            "score": result.score,
            "win_in": result.win_in,
        }
    )
    return {
        "trees": trees,
        "searches": searches,
        "parts": count_parts(board, depth, budget),
    }


def tree_size(board: Board, depth: int, radius: int, budget: int) -> int | None:
    """Nodes of plain minimax; None where even counting would take too long."""
    search = PlainSearch(Evaluation.RULES, Method.MINIMAX, radius)
    for lesser in range(1, depth):  # counting makes the moves of all plies but the last
        if search.tree_size(board, lesser) > budget:
            return None
    return search.tree_size(board, depth)


def count_parts(board: Board, depth: int, budget: int) -> list[Result]:
    """Nodes of our search, iterations 1..depth, as its parts are switched on."""
    rows = []
    features = 0
    for part, bit in PARTS.items():
        features |= bit
        table = TranspositionTable(HASH_MB)
        table.make_room(budget)
        worker = Worker(table, features)
        worker.set_position(board, SearchControl(), budget)
        score = 0
        for plies in range(1, depth + 1):
            score = worker.search(plies)
        rows.append(
            {
                "part": part,
                "nodes": worker.nodes,
                "finished": not worker.stopped,
                "score": score,
            }
        )
    return rows


# --- The values of all candidates ---


def values_key(plan: Plan, level: int) -> dict[str, Any]:
    """The job that values all first moves of a level."""
    return {
        "study": "values",
        "engine": _engine(),
        "level": level,
        "depth": min(VALUES_DEPTH, plan.depth),
        "budget": plan.budget,
    }


def value_jobs(plan: Plan) -> Iterator[Job]:
    """One job a level."""
    for level in plan.levels:
        key = values_key(plan, level)
        yield Job(
            key,
            partial(value_moves, level_board(level), key["depth"], plan.budget),
        )


def value_moves(board: Board, depth: int, budget: int) -> Result:
    """Each evaluation's exact value of every candidate, and our engine's score.

    The scales differ; a forced result is told by its plies, "win 3" or "loss 2".
    """
    found: Result = {}
    for evaluation, code in EVALUATIONS.items():
        values = PlainSearch(code, Method.TABLE).values(board, depth, budget)
        found[evaluation] = values and {
            str(move): told(value, win_in(value))
            for move, value in sorted(values.items(), key=lambda item: -item[1])
        }
    with Engine(hash_mb=HASH_MB) as engine:
        engine.new_game()
        limits = Limits(depth=depth, nodes=budget, multipv=board.width * board.height)
        result = engine.search(board, limits)
    found[ENGINE] = {
        str(line.pv[0]): told(line.score, line.win_in) for line in result.lines
    }
    return found


def told(score: int, plies: int | None) -> int | str:
    """A score, or how long a forced result takes."""
    if plies is None:
        return score
    return f"win {plies}" if plies > 0 else f"loss {-plies}"


# --- Players ---


class Choice(NamedTuple):
    """A move and what it took; ``move`` is None when the budget was not enough."""

    move: Move | None
    score: int
    win_in: int | None
    nodes: int
    depth: int
    seconds: float


class Player:
    """Chooses moves, by one of the plain searches or by our engine."""

    def __init__(self, evaluation: str, method: str = "table") -> None:
        self._plain: PlainSearch | None = None
        self._engine: Engine | None = None
        if evaluation == ENGINE:
            self._engine = Engine(hash_mb=HASH_MB)
        else:
            self._plain = PlainSearch(EVALUATIONS[evaluation], METHODS[method])

    def new_game(self) -> None:
        """Forget earlier games."""
        if self._engine:
            self._engine.new_game()

    def to_depth(self, board: Board, depth: int, budget: int) -> Choice:
        """The move of a search to a depth."""
        if self._engine:
            return self._by_engine(board, Limits(depth=depth, nodes=budget))
        assert self._plain
        start = clock()
        found = self._plain.search(board, depth, budget)
        return Choice(
            found.move if found.finished else None,
            found.score,
            win_in(found.score),
            found.nodes,
            depth,
            clock() - start,
        )

    def within_nodes(self, board: Board, nodes: int) -> Choice:
        """The move of the deepest search that a number of nodes allows.

        The plain searches deepen ply by ply; the last that was finished counts. The
        first is finished in any case.
        """
        if self._engine:
            return self._by_engine(board, Limits(nodes=nodes))
        assert self._plain
        start = clock()
        best = self._plain.search(board, 1)
        used, depth = best.nodes, 1
        while win_in(best.score) is None and used < nodes and depth < 20:
            found = self._plain.search(board, depth + 1, nodes - used)
            used += min(found.nodes, nodes - used)
            if not found.finished:
                break
            best, depth = found, depth + 1
        seconds = clock() - start
        return Choice(best.move, best.score, win_in(best.score), used, depth, seconds)

    def _by_engine(self, board: Board, limits: Limits) -> Choice:
        assert self._engine
        start = clock()
        found = self._engine.search(board, limits)
        seconds = clock() - start
        return Choice(
            found.move, found.score, found.win_in, found.nodes, found.depth, seconds
        )


# --- Levels played out ---


def matchups() -> list[tuple[str, str]]:
    """Attacker and defender; first S2's way against a defender like S2's."""
    return [("rules", EASY), *((attacker, ENGINE) for attacker in ATTACKERS)]


def playout_key(
    plan: Plan, level: int, attacker: str, defender: str, depth: int
) -> dict[str, Any]:
    """The job that plays a level out."""
    return {
        "study": "play-out",
        "engine": _engine(),
        "level": level,
        "attacker": attacker,
        "defender": defender,
        "defence": EASY_DEPTH if defender == EASY else plan.defender_nodes,
        "depth": depth,
        "budget": plan.budget,
    }


def playout_jobs(plan: Plan, results: Results) -> Iterator[Job]:
    """Each attacker on each level, deeper until it wins."""
    for level in plan.levels:
        for attacker, defender in matchups():
            for depth in range(1, plan.depth + 1):
                key = playout_key(plan, level, attacker, defender, depth)
                yield Job(
                    key,
                    partial(
                        play_out, level_board(level), attacker, defender, depth, plan
                    ),
                )
                won = (results.get(key) or {}).get("outcome") == "won"
                if won and (attacker != "rules" or depth >= S2_DEPTHS):
                    break


def play_out(
    level: Board, attacker: str, defender: str, depth: int, plan: Plan
) -> Result:
    """Play a level until somebody wins or the attacker's moves run out.

    The attacker by the rule score searches S2's way, without ordering and table;
    ``trees`` then adds up what plain minimax would have taken for its moves, over the
    candidates ("2") and over all empty cells ("0").
    """
    board = level.copy()
    s2_way = attacker == "rules"
    me = Player(attacker, "alphabeta" if s2_way else "table")
    other = Player("rules" if defender == EASY else ENGINE)
    me.new_game()
    other.new_game()
    outcome = "not won"
    trees: dict[str, int | None] = {"0": 0, "2": 0}
    moves = []
    for _ in range(MOST_MOVES):
        if s2_way:
            for radius, known in trees.items():
                tree = tree_size(board, depth, int(radius), SEARCHED_TREE)
                trees[radius] = (
                    known + tree if known is not None and tree is not None else None
                )
        choice = me.to_depth(board, depth, plan.budget)
        moves.append(move_row(board, choice))
        if choice.move is None:
            outcome = "too many nodes"
            break
        board.play(choice.move)
        if board.winner is not None:
            outcome = "won"
            break
        if board.is_full:
            break
        if defender == EASY:
            choice = other.to_depth(board, EASY_DEPTH, plan.budget)
        else:
            choice = other.within_nodes(board, plan.defender_nodes)
        assert choice.move is not None
        moves.append(move_row(board, choice))
        board.play(choice.move)
        if board.winner is not None:
            outcome = "lost"
            break
        if board.is_full:
            break
    mine = moves[::2]
    return {
        "outcome": outcome,
        "count": len(mine),
        "nodes": sum(move["nodes"] for move in mine),
        "seconds": sum(move["seconds"] for move in mine),
        "slowest": max(move["seconds"] for move in mine),
        "trees": trees if s2_way else None,
        "moves": moves,
    }


def move_row(board: Board, choice: Choice) -> Result:
    """A move of a play-out with what is known of it."""
    return {
        "side": board.turn.name.lower(),
        "move": None if choice.move is None else str(choice.move),
        "score": choice.score,
        "win_in": choice.win_in,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "seconds": choice.seconds,
    }


# --- Games ---


def pairings_of(plan: Plan) -> list[tuple[str, str, str, int]]:
    """Who plays whom, on which terms ("depth" or "nodes") and how many of them.

    Our evaluation without the static tests is no player on its own: once is enough.
    """
    plain = each_pair(list(EVALUATIONS))
    strong = each_pair(["rules", "stones", "proved", ENGINE])
    return [
        *((a, b, "depth", plan.game_depth) for a, b in plain),
        *((a, b, "nodes", plan.game_nodes) for a, b in strong),
    ]


def each_pair(names: list[str]) -> list[tuple[str, str]]:
    """Everybody once against everybody."""
    return [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]


def game_key(a: str, b: str, terms: str, amount: int, opening: str) -> dict[str, Any]:
    """The job that plays an opening twice."""
    return {
        "study": "games",
        "engine": _engine(),
        "players": [a, b],
        "terms": terms,
        "amount": amount,
        "opening": opening,
    }


def game_jobs(plan: Plan) -> Iterator[Job]:
    """Opening by opening, so that an interrupted run has played all pairings alike."""
    for opening in openings(plan.pairs):
        for a, b, terms, amount in pairings_of(plan):
            yield Job(
                game_key(a, b, terms, amount, opening),
                partial(play_pair, a, b, terms, amount, opening),
            )


def openings(count: int) -> tuple[str, ...]:
    """Balanced openings of four stones near the middle, no two equal under symmetry.

    The same for every run: drawn from a fixed seed and judged by our engine.
    """
    return _drawn(count)


def draw_openings(count: int) -> tuple[str, ...]:
    """``openings``, each time anew: half a second for fifty."""
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
            if result.win_in is None and abs(result.score) <= OPENING_BALANCE:
                found.append(format_moves(moves))
    return tuple(found)


_drawn = cache(draw_openings)


def play_pair(a: str, b: str, terms: str, amount: int, opening: str) -> Result:
    """Two games from an opening, a with either colour; the points are those of a."""
    players = {a: Player(a), b: Player(b)}
    games = [
        play_game(players, black, white, terms, amount, opening)
        for black, white in ((a, b), (b, a))
    ]
    points = 0.0
    for game in games:
        points += 0.5 if game["winner"] is None else float(game["winner"] == a)
    return {"points": points, "games": games}


def play_game(
    players: dict[str, Player],
    black: str,
    white: str,
    terms: str,
    amount: int,
    opening: str,
) -> Result:
    """One game under the freestyle rule; nobody gets a clock."""
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


class Match(NamedTuple):
    """What a pairing's games say, for the first player."""

    pairs: int
    wins: int
    draws: int
    losses: int
    copies: int
    """Games that repeat an earlier one move by move: they prove nothing."""
    moves: float
    """Moves of each player, openings left out."""
    seconds: tuple[float, float]
    """What both players took for them."""
    score: float
    """Share of the points, 0..1."""
    interval: tuple[float, float]
    """The 95 % interval of ``score``."""


def match_of(rows: list[Result], player: str, opponent: str) -> Match:
    """Count the pairs played; the interval is that of the mean of pairs.

    Its width counts two more pairs, one won and one lost, so that a few pairs that
    ended alike do not look certain (as Agresti and Coull, 1998, do for proportions).
    """
    games = [game for row in rows for game in row["games"]]
    wins = sum(game["winner"] == player for game in games)
    draws = sum(game["winner"] is None for game in games)
    shares = [row["points"] / 2 for row in rows]
    mean = sum(shares) / len(shares)
    padded = [0.0, *shares, 1.0]
    error = 1.96 * statistics.stdev(padded) / math.sqrt(len(padded))
    return Match(
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


def elo(share: float) -> float:
    """The Elo difference that a share of the points means."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))
