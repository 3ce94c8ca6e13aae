"""Measurements of an experiment: four studies, each a series of keys.

The studies are: nodes of the first move by method and depth, values of all candidates,
whole levels played out against a defender, and evaluations compared by games. No result
depends on a clock; the seconds are stored beside it. A key names everything on which a
result depends, so an interrupted run, or one with other settings, repeats no
measurement.
"""

import json
import pkgutil
import random
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Self

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.plain.plain_search import (
    PlainSearch,
    SearchMethod,
    SourceEvaluation,
    clock,
    win_in,
)
from gomoku_brain.runs.journal import Journal
from gomoku_brain.study.puzzles import puzzle_levels

__all__ = ["Plan", "Result", "Results", "is_needed", "measure", "studies"]

Key = dict[str, Any]
Result = dict[str, Any]

EVALUATIONS = {each.name.lower(): each for each in SourceEvaluation}
METHODS = {each.name.lower(): each for each in SearchMethod}
ENGINE = "engine"  # our complete search
EASY = "easy"  # defender as in the sources: S4's lowest level, the rule score
EASY_DEPTH = 2
MATCHUPS = [("rules", EASY), *((name, ENGINE) for name in [*EVALUATIONS, ENGINE])]
"""Attackers and defenders of the levels, first S2's method as S2 played it."""
S2_DEPTHS = 3  # depths of S2's method that are played out even after a win
MAX_MOVES = 40  # of the attacker; a level with more moves counts as not won
HASH_MB = 16
SEARCHED_TREE = 2_000_000  # nodes; above it, plain minimax is only counted
VALUES_DEPTH = 3
MAX_NODES = 10**9  # of a move in the games: no limit
OPENING_STONES = 4
OPENING_NODES = 3_000
OPENING_BALANCE = 120  # score units, by our engine
SIGNATURE_DEPTH = 8
SIGNATURE_GAME = "h8 i9 h10 i7 i10 g10 h9 h11 g8".split()

level_boards = cache(lambda: [puzzle.board for puzzle in puzzle_levels()])


class Plan(NamedTuple):
    """Settings of an experiment."""

    levels: tuple[int, ...] = tuple(range(1, 21))
    depth: int = 4
    """Deepest search, in plies, of the first moves and of the play-outs."""
    budget: int = 20_000_000
    """Nodes that one search may use; beyond, the result is "more than"."""
    defender_nodes: int = 10_000
    """Nodes of our engine for each move as the defender."""
    pairs: int = 50
    """Openings that each pairing plays, with both colours."""
    game_depth: int = 3
    """Search depth in the games, in plies."""
    evaluation: str = ""
    """Another evaluation, "module:function"; "": none."""
    own_nodes: int = 20_000
    """Nodes that one search with it may use outside the games."""


class Results:
    """Results by key, stored as a file of JSON lines.

    Use it as a context manager, and add results inside. Raises OSError if the file
    cannot be read or written, and ValueError if it has other content.
    """

    def __init__(self, path: Path) -> None:
        """Read the results of an earlier run; an incomplete last line is dropped."""
        self._journal = Journal(path, "a file of an experiment's results", '{"key": ')
        self._found: dict[str, Result] = {}
        for number, line in enumerate(self._journal.lines, start=1):
            try:
                entry = json.loads(line)
                self._found[_name(entry["key"])] = entry["result"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ValueError(
                    f"{path}, line {number}: not a result of an experiment"
                ) from None

    def __enter__(self) -> Self:
        self._journal.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def get(self, key: Key) -> Result | None:
        """Return the result of a key; None if there is none."""
        return self._found.get(_name(key))

    def add(self, key: Key, result: Result) -> None:
        """Store the result of a key, in memory and in the file."""
        line = json.dumps({"key": key, "result": result})
        self._journal.append(line)
        self._found[_name(key)] = json.loads(line)["result"]


def _name(key: Key) -> str:
    return json.dumps(key, sort_keys=True)


@cache
def engine_nodes() -> int:
    """Return the node count of fixed searches by our engine.

    Another number means another engine. It is part of every key, so that results of an
    older engine are not used for this one.
    """
    lines = [SIGNATURE_GAME[:k] for k in range(3, len(SIGNATURE_GAME) + 1)]
    nodes = 0
    with Engine(hash_mb=1) as engine:
        for board in [*level_boards(), *(Board.from_moves(line) for line in lines)]:
            engine.new_game()
            nodes += engine.search(board, Limits(depth=SIGNATURE_DEPTH)).nodes
    return nodes


def studies(plan: Plan) -> dict[str, list[Key]]:
    """Return the keys of each study, in the order in which they run."""
    depths = range(1, plan.depth + 1)
    engine = {"engine": engine_nodes()}
    levels = [{**engine, "budget": plan.budget, "level": n} for n in plan.levels]
    least = min(VALUES_DEPTH, plan.depth)
    defences = {EASY: EASY_DEPTH, ENGINE: plan.defender_nodes}
    own = {"budget": plan.own_nodes, "evaluation": plan.evaluation}
    added = [{}, own] if plan.evaluation else [{}]
    return {
        "first moves": [
            {"study": "nodes", **level, "depth": depth, **more}
            for level in levels
            for depth in depths
            for more in added
        ],
        "all candidates": [
            {"study": "values", **level, "depth": least, **more}
            for level in levels
            for more in added
        ],
        "levels played out": [
            {"study": "play-out", **level, "attacker": attacker, "defender": defender}
            | {"defence": defences[defender], "depth": depth}
            for level in levels
            for attacker, defender in MATCHUPS
            for depth in depths
        ],
        "pairs of games": [
            {"study": "games", **engine, "players": players, "opening": opening}
            | {"terms": "depth", "amount": plan.game_depth}
            for opening in openings(plan.pairs)
            for players in pairings_of(plan)
        ],
    }


def is_needed(key: Key, results: Results) -> bool:
    """Whether a key is measured: not a play-out deeper than one that won."""
    if key["study"] != "play-out":
        return True
    first = S2_DEPTHS if key["attacker"] == "rules" else 1
    lesser = [{**key, "depth": depth} for depth in range(first, key["depth"])]
    return not any((results.get(k) or {}).get("outcome") == "won" for k in lesser)


def measure(key: Key) -> Result:
    """Return the result of a key, as plain JSON."""
    rest = {name: part for name, part in key.items() if name not in ("study", "engine")}
    return MEASURES[key["study"]](**rest)


# ----- Nodes of the first move -----


def load_evaluation(name: str) -> Callable[[Board], float]:
    """Return the function of a name "module:function".

    Modules of the current folder are found. Raises ValueError if there is none.
    """
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Callable[[Board], float] = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"--evaluation {name}: {error}") from None
    if ":" not in name or not callable(found):
        raise ValueError(f"--evaluation {name}: not MODULE:FUNCTION")
    return found


def search_with(evaluation: str, method: str) -> PlainSearch:
    """Return a search with one of ``EVALUATIONS`` or with a "module:function"."""
    code = EVALUATIONS.get(evaluation)
    how = METHODS[method]
    return PlainSearch(load_evaluation(evaluation) if code is None else code, how)


def count_nodes(level: int, depth: int, budget: int, evaluation: str = "") -> Result:
    """Search one level to one depth with every method and evaluation.

    Return the nodes of each search, and those of minimax by radius (0: all cells). A
    function of the user as ``evaluation`` is the only one, without minimax and engine.
    """
    board = level_boards()[level - 1]
    trees = {str(radius): tree_size(board, depth, radius, budget) for radius in (0, 2)}
    tree = trees["2"]
    searches: list[Result] = []
    most = 0 if evaluation else SEARCHED_TREE
    for name in [evaluation] if evaluation else EVALUATIONS:
        for method in METHODS:
            row: Result = {"evaluation": name, "method": method}
            searches.append(row)
            if method == "minimax" and (tree is None or tree > most):
                row |= {"nodes": tree, "finished": tree is not None}
                continue
            found = search_with(name, method).search(board, depth, budget)
            row |= {
                "seconds": found.seconds,
                "nodes": found.nodes,
                "finished": found.finished,
                "evaluations": found.evaluations,
                "cutoffs": found.cutoffs,
                "score": found.score if found.finished else None,
            }
    if evaluation:
        return {"searches": searches}
    choice = MoveChooser(ENGINE, depth, budget).choose(board)
    facts = {"evaluation": "ours", "method": ENGINE, "finished": choice.nodes < budget}
    searches.append({**facts, "nodes": choice.nodes, "seconds": choice.seconds})
    return {"trees": trees, "searches": searches}


def tree_size(board: Board, depth: int, radius: int, budget: int) -> int | None:
    """Return the nodes of plain minimax; None if even counting would take too long."""
    search = PlainSearch(SourceEvaluation.RULES, SearchMethod.MINIMAX, radius)
    for lesser in range(1, depth):  # counting makes the moves of all plies but the last
        if search.tree_size(board, lesser) > budget:
            return None
    return search.tree_size(board, depth)


# ----- The values of all candidates -----


def value_moves(level: int, depth: int, budget: int, evaluation: str = "") -> Result:
    """Return each evaluation's exact value of every candidate, and our engine's score.

    A function of the user as ``evaluation`` is the only one. The evaluations have
    different scales. A forced result is a text with its plies: "win 3" or "loss 2".
    """
    board = level_boards()[level - 1]
    found: Result = {}
    for name in [evaluation] if evaluation else EVALUATIONS:
        values = search_with(name, "table").values(board, depth, budget)
        found[name] = values and {
            str(move): score_label(value, win_in(value))
            for move, value in sorted(values.items(), key=lambda item: -item[1])
        }
    if evaluation:
        return found
    limits = Limits(depth=depth, nodes=budget, multipv=board.width * board.height)
    with Engine(hash_mb=HASH_MB) as engine:
        lines = engine.search(board, limits).lines
    found[ENGINE] = {
        str(line.pv[0]): score_label(line.score, line.win_in) for line in lines
    }
    return found


def score_label(score: float, plies: int | None) -> float | str:
    """Return the score, or "win N" or "loss N" if the result is forced in N plies."""
    if plies is None:
        return score
    return f"win {plies}" if plies > 0 else f"loss {-plies}"


# ----- Players and games -----


class SearchedMove(NamedTuple):
    """Chosen move and its cost; ``move`` is None if the budget did not suffice."""

    move: Move | None
    score: float
    win_in: int | None
    nodes: int
    depth: int
    seconds: float


class MoveChooser:
    """Player that chooses moves, by one of the plain searches or by our engine."""

    def __init__(
        self, name: str, depth: int | None, nodes: int, method: str = "table"
    ) -> None:
        """Create a player that searches to a depth with at most so many nodes.

        ``name`` is one of ``EVALUATIONS``, a function as "module:function", or
        ``ENGINE``, which has no method and needs no depth.
        """
        self._depth, self._nodes = depth, nodes
        self._engine = Engine(hash_mb=HASH_MB) if name == ENGINE else None
        self._plain = None if name == ENGINE else search_with(name, method)

    def choose(self, board: Board) -> SearchedMove:
        """Return the move of a search."""
        start = clock()
        if self._engine:
            limits = Limits(depth=self._depth, nodes=self._nodes)
            found = self._engine.search(board, limits)
            assert found.score is not None
            cost = found.nodes, found.depth, clock() - start
            return SearchedMove(found.move, found.score, found.win_in, *cost)
        assert self._plain
        assert self._depth
        best = self._plain.search(board, self._depth, self._nodes)
        move = best.move if best.finished else None
        cost = best.nodes, self._depth, clock() - start
        return SearchedMove(move, best.score, win_in(best.score), *cost)


def play(
    board: Board, black: MoveChooser, white: MoveChooser, max_stones: int | None = None
) -> list[SearchedMove]:
    """Play on a board until the game is over or a search has no move.

    Return the choices.
    """
    made: list[SearchedMove] = []

    def choose(board: Board) -> Move | None:
        made.append((black, white)[board.turn].choose(board))
        return made[-1].move

    play_out(board, (choose, choose), max_stones)
    return made


# ----- Levels played out -----


def play_level(
    level: int, attacker: str, defender: str, defence: int, depth: int, budget: int
) -> Result:
    """Play a level until a player wins or the attacker has made all its moves.

    The attacker with the rule score searches as in S2, without ordering and table.
    """
    board = level_boards()[level - 1].copy()
    method = "alphabeta" if attacker == "rules" else "table"
    black = MoveChooser(attacker, depth, budget, method)
    if defender == EASY:
        white = MoveChooser("rules", defence, budget)
    else:
        white = MoveChooser(ENGINE, None, defence)
    choices = play(board, black, white, board.ply + 2 * MAX_MOVES)
    outcome = "not won" if board.winner is None else ("won", "lost")[board.winner]
    return {
        "outcome": outcome if choices[-1].move else "too many nodes",
        "count": len(choices[::2]),
        "nodes": sum(choice.nodes for choice in choices[::2]),
        "moves": [
            {**choice._asdict(), "move": choice.move and str(choice.move)}
            for choice in choices
        ],
    }


# ----- Evaluations compared by games -----


def pairings_of(plan: Plan) -> list[list[str]]:
    """Return the two players of each pairing, every evaluation with each other."""
    own = [[plan.evaluation, name] for name in EVALUATIONS if plan.evaluation]
    return [*map(list, combinations(EVALUATIONS, 2)), *own]


@cache
def openings(count: int) -> tuple[str, ...]:
    """Return balanced openings of four stones near the middle, no two equal under
    symmetry.

    They are the same in every run: drawn from a fixed seed and judged by our engine.
    """
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


def points_of(player: str) -> Callable[[Result], float]:
    """Return the function from a game to the points of a player: 1, 0.5 or 0."""
    return lambda game: {player: 1.0, None: 0.5}.get(game["winner"], 0.0)


def play_pair(players: list[str], opening: str, terms: str, amount: int) -> Result:
    """Play two games from an opening, in which each player has either colour once.

    Both search to the depth ``amount``; ``terms`` is always "depth".
    """
    assert terms == "depth"
    games = []
    for names in (players, players[::-1]):
        board = Board.from_moves(opening)
        black, white = (MoveChooser(name, amount, MAX_NODES) for name in names)
        choices = play(board, black, white)
        games.append(
            {
                "black": names[0],
                "winner": None if board.winner is None else names[board.winner],
                "moves": format_moves(board.moves),
                "played": len(choices),
                "seconds": {
                    name: sum(choice.seconds for choice in choices[k::2])
                    for k, name in enumerate(names)
                },
            }
        )
    return {"points": sum(map(points_of(players[0]), games)), "games": games}


MEASURES: dict[str, Callable[..., Result]] = {
    "nodes": count_nodes,
    "values": value_moves,
    "play-out": play_level,
    "games": play_pair,
}
