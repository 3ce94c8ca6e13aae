"""Judgement of every candidate move of a position, and of the moves of a game.

Scores are in evaluation units, for the side named. ``eval.chance`` maps scores and
proofs to one scale, the winning chance from 0 to 1, by which the moves of a game are
judged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal, NamedTuple, cast

from gomoku_brain.control.limits import (
    Limits,
    SearchInfo,
    SearchResult,
    end_words,
    moves_words,
    own_moves,
)
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.root_search import MAX_DEPTH
from gomoku_brain.eval.chance import SCALE, chance
from gomoku_brain.eval.score import WIN, WIN_ZONE
from gomoku_brain.game.notation import Move, foul_words
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.study.row_types import names, side_name
from gomoku_brain.study.threat_words import describe_move, made_by

__all__ = [
    "BLUNDER",
    "INACCURACY",
    "LOST",
    "MISTAKE",
    "CellValue",
    "JudgedMove",
    "Label",
    "Review",
    "Value",
    "ValueTable",
    "candidates",
    "review",
    "values",
]

# Least loss of winning chance for a move of each label.
INACCURACY = 0.05
MISTAKE = 0.10
BLUNDER = 0.20

CONFIRM = 4  # factor of the limits to search again before a move is called a blunder
RADIUS = 2  # most cells between a stone and a candidate, in all eight directions

# Threats of a refuting move that the text mentions.
_THREATS = ("open four", "four", "open three", "two threes in line")

Label = Literal["best", "good", "inaccuracy", "mistake", "blunder", "opening"]
Stop = Callable[[], bool]


class Value(NamedTuple):
    """Value of a position or a move for one side."""

    score: int
    """Evaluation units."""
    win_in: int | None = None
    """Plies to the end of a forced result, as in ``SearchResult``; None: not proved."""
    scale: float = SCALE
    """Score units per logit of the chance, as in ``SearchResult``.

    It has no meaning if the result is proved.
    """

    @classmethod
    def of(cls, found: SearchResult | SearchInfo) -> "Value":
        """Return the value that a search found, for its side to move."""
        if found.score is None:  # every move is forbidden
            return LOST
        if found.win_in is not None:
            return cls(found.score, found.win_in)
        return cls(found.score, None, found.scale)

    @property
    def chance(self) -> float:
        """Winning chance, 0 to 1."""
        return chance(self.score, self.win_in, self.scale)

    @property
    def other(self) -> "Value":
        """Value for the other side."""
        win_in = None if self.win_in is None else -self.win_in
        return Value(-self.score, win_in, self.scale)

    def to_dict(self) -> dict[str, Any]:
        """Return the value as values of JSON."""
        return {
            "score": self.score,
            "win_in": self.win_in,
            "chance": round(self.chance, 4),
        }

    def __str__(self) -> str:
        """Format the value: "+120"; "win in 4 moves" or "loss in 1 move" for a forced
        result, counted in the winner's own moves; "lost" at the end.
        """
        if self.win_in is not None:
            return end_words(self.win_in)
        return "lost" if self == LOST else f"{self.score:+d}"

    @property
    def short(self) -> str:
        """A forced result for a cell of the board, "W4" or "L3" in the winner's own
        moves; empty without one.
        """
        if self.win_in is None:
            return ""
        return f"{'W' if self.win_in > 0 else 'L'}{own_moves(self.win_in)}"


LOST = Value(-WIN)
"""Value of a finished game, lost by a five or by a forbidden move."""


def _never() -> bool:
    return False


# Values of all candidates


@dataclass(frozen=True, slots=True)
class CellValue:
    """Value of one candidate for the side to move."""

    move: Move
    value: Value
    depth: int
    """Plies searched after the move, 0 for a move that ends the game."""
    nodes: int
    """Nodes searched for it, in all rounds."""
    pv: tuple[Move, ...]
    """Expected line, which begins with the move."""

    def to_dict(self) -> dict[str, Any]:
        """Return the value of the candidate as values of JSON."""
        return {
            "move": str(self.move),
            **self.value.to_dict(),
            "depth": self.depth,
            "nodes": self.nodes,
            "line": names(self.pv),
        }


@dataclass(frozen=True, slots=True)
class ValueTable:
    """Values of all candidates of a position, searched in the same way."""

    cells: tuple[CellValue, ...]
    """Values of the candidates, best first."""
    depth: int
    """Plies to which every candidate was searched after its move; 0: some were not
    searched.
    """
    nodes: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the table as values of JSON, as ``analyze --values`` prints it."""
        return {
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "cells": [cell.to_dict() for cell in self.cells],
        }


def candidates(board: Board, radius: int = RADIUS) -> list[Move]:
    """Return the legal moves within so many rows and columns of a stone, row by row.

    On an empty board they are those around the centre. If no legal move is near a
    stone, all legal moves are returned.
    """
    stones = board.moves or (Move(board.width // 2, board.height // 2),)
    near = {
        (x + dx, y + dy)
        for x, y in stones
        for dx in range(-radius, radius + 1)
        for dy in range(-radius, radius + 1)
    }
    legal = board.legal_moves()
    return [move for move in legal if move in near] or legal


def values(
    engine: Engine,
    board: Board,
    limits: Limits | None = None,
    *,
    radius: int = RADIUS,
    on_progress: Callable[[int, int, int], None] | None = None,
    stop: Stop = _never,
) -> ValueTable:
    """Search after every candidate to one common depth, deeper in rounds.

    Each round plays one candidate after the other and searches the position after it;
    the transposition table keeps the results of earlier rounds. If a limit interrupts a
    round, only its proved results are used. So all other values have one depth.

    ``limits``: time and nodes are for all rounds together; the depth is that after the
    candidate (at least 1; the first round is always finished). Without limits, the
    search ends when all candidates are proved or ``stop`` returns true. ``on_progress``
    is called with the round's depth, the number of finished cells and the number of all
    cells. Raises ValueError for a board without a legal move.
    """
    limits = limits or Limits()
    begun = perf_counter()
    order = candidates(board, radius)
    if not order:
        raise ValueError("the position has no legal move")
    known: dict[Move, CellValue] = {}
    finished, spent = 0, 0
    last = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
    for depth in range(1, last + 1):
        fresh: dict[Move, CellValue] = {}
        for done, move in enumerate(order):
            if on_progress:
                on_progress(depth, done, len(order))
            old = known.get(move)
            if old and (old.value.win_in is not None or old.depth == 0):
                fresh[move] = old
                continue
            left = _left(limits, begun, spent) if depth > 1 else Limits()
            if left is None or stop():
                break
            found = _value_of(engine, board, move, replace(left, depth=depth))
            spent += found.nodes
            if stop() or (found.value.win_in is None and 0 < found.depth < depth):
                break
            fresh[move] = replace(found, nodes=found.nodes + (old.nodes if old else 0))
        complete = len(fresh) == len(order)
        # the proofs of an unfinished round are valid
        sure = {m: c for m, c in fresh.items() if c.value.win_in is not None}
        known = fresh if complete or depth == 1 else known | sure
        order.sort(key=lambda move: _rank(known.get(move)))
        if not complete:
            break
        finished = depth
        if all(c.value.win_in is not None or c.depth == 0 for c in known.values()):
            break
    cells = tuple(known[move] for move in order if move in known)
    return ValueTable(cells, finished, spent, perf_counter() - begun)


def _rank(cell: CellValue | None) -> int:
    return WIN * 2 if cell is None else -cell.value.score


def _left(limits: Limits, begun: float, spent: int) -> Limits | None:
    """Return the remaining time and nodes; None if one of them is used up."""
    seconds = nodes = None
    if limits.time is not None:
        seconds = limits.time - (perf_counter() - begun)
        if seconds <= 0:
            return None
    if limits.nodes is not None:
        nodes = limits.nodes - spent
        if nodes <= 0:
            return None
    return Limits(time=seconds, nodes=nodes)


def _value_of(engine: Engine, board: Board, move: Move, limits: Limits) -> CellValue:
    """Return the value of one candidate, by a search of the position after it."""
    won = board.wins_at(move)
    after = board.copy()
    after.play(move)
    if won or after.is_full:
        value = Value(WIN - 1, 1) if won else Value(0)
        return CellValue(move, value, 0, 0, (move,))
    result = engine.search(after, limits)
    value = _before(Value.of(result))
    return CellValue(move, value, result.depth, result.nodes, (move, *result.pv))


def _before(reply: Value) -> Value:
    """Return the value of a move, from the other side's value of the position after
    it.
    """
    score = -reply.score
    if abs(score) <= WIN_ZONE:
        return Value(score, None, reply.scale)
    plies = WIN - abs(score) + 1
    return Value(WIN - plies, plies) if score > 0 else Value(plies - WIN, -plies)


# A game, move by move


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """Judged move of a game; values are those of its mover."""

    number: int
    """1 for the first move of the game."""
    side: Side
    move: Move
    before: Value
    """Value of the best move."""
    after: Value
    """Value of the move that was played."""
    best: Move
    line: tuple[Move, ...]
    """Expected line from the position before the move, the best move first."""
    loss: float
    """Lost winning chance, 0 to 1."""
    label: Label
    why: str
    """Reason why a move is not good, by its refutation; else empty.

    Example: "loses in 7 moves to h8, which makes a four-three; c7 was better".
    """
    threats: tuple[str, ...]
    """Threats that the move makes, blocks and leaves, in words."""
    depth: int
    """Depth of the search before the move, in plies."""
    nodes: int
    """Nodes of the search before the move."""
    refutation: tuple[Move, ...] = ()
    """Expected line after the move, the opponent's best reply first.

    Empty if the move ended the game, or was a foul.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the judged move as values of JSON."""
        return {
            "number": self.number,
            "side": side_name(self.side),
            "move": str(self.move),
            "value": self.after.to_dict(),
            "best": str(self.best),
            "best_value": self.before.to_dict(),
            "line": names(self.line),
            "loss": round(self.loss, 4),
            "label": self.label,
            "why": self.why,
            "refutation": names(self.refutation),
            "threats": list(self.threats),
            "depth": self.depth,
            "nodes": self.nodes,
        }


@dataclass(frozen=True, slots=True)
class Review:
    """Judgement of a game; after ``stop``, of its last moves only."""

    moves: tuple[JudgedMove, ...]
    first: int
    """Ply at which the curve begins (0: the whole game)."""
    curve: tuple[float, ...]
    """Black's winning chance before each ply from ``first``, and at the end."""
    end: str = ""
    """End of the game on the board, in words; empty if the game did not end there."""
    after_end: int = 0
    """Number of moves in the source after the end; they are not judged."""

    def to_dict(self) -> dict[str, Any]:
        """Return the review as values of JSON, as ``analyze --game`` prints it."""
        return {
            "first": self.first,
            "curve": [round(value, 4) for value in self.curve],
            "moves": [move.to_dict() for move in self.moves],
            "end": self.end,
            "after_end": self.after_end,
        }


class _Seen(NamedTuple):
    """Searched position of a game, for its side to move."""

    value: Value
    line: tuple[Move, ...]
    depth: int
    nodes: int

    @property
    def is_lost(self) -> bool:
        """Whether the loss is proved."""
        return self.value.score < -WIN_ZONE


def review(
    engine: Engine,
    game: Game | GameRecord | Board,
    limits: Limits,
    *,
    on_progress: Callable[[int, int], None] | None = None,
    stop: Stop = _never,
) -> Review:
    """Judge every move of a game's main line, from its last pass on.

    The game is copied at the call. The positions are searched from the last to the
    first, so proofs of later positions are in the table for the earlier ones. The value
    of the move played is the other side's value of the position after it. If the search
    prefers another move, that move is played and valued in the same way, so both values
    have one depth. Before a move is called a blunder, its searches are repeated with
    ``CONFIRM`` times the limits, which are for one search. The judgement stops at the
    first five.

    ``on_progress`` is called with the finished and the total work, up to the end of the
    review. The unit is one search within the limits. The total can change, because
    repeated searches become known on the way. Raises ValueError for a game without
    moves, for one with stones that are set up within it, and for wrong moves.
    """
    game = Game.of(game).cut(None)
    game.make_regular()
    nodes, played = game.nodes_of_line(), game.moves
    if not played:
        raise ValueError("no moves to judge")
    boards = [game.board(0)]
    if boards[0].winner is not None:
        raise ValueError("the game was over before its first move")
    foul = ""
    for move in played:
        if foul or boards[-1].winner is not None:
            break
        if boards[-1].turn is Side.BLACK:
            foul = boards[-1].foul(move) or ""
        boards.append(boards[-1].copy())
        boards[-1].play(move)
    count = len(boards) - 1
    engine.new_game()
    seen: dict[int, _Seen] = {}
    best: dict[int, _Seen] = {}
    judged: dict[int, JudgedMove] = {}

    def search_ply(ply: int, limits: Limits) -> tuple[_Seen, _Seen] | None:
        """Return a position and the move preferred there; None after ``stop``."""
        if foul and ply == count:
            return _FOULED, _FOULED
        position = choice = _search_position(engine, boards[ply], limits)
        if ply < count and not stop():
            choice = _preferred(engine, boards[ply], position, played[ply], limits)
        return None if stop() else (position, choice)

    done, doubts = 0, set[int]()  # finished work; plies whose searches are repeated

    def report(work: int) -> None:
        nonlocal done
        done += work
        if on_progress:
            on_progress(done, count + 1 + 2 * CONFIRM * len(doubts))

    first = count + 1
    for ply in range(count, -1, -1):
        found = search_ply(ply, limits)
        if found is None:
            break
        seen[ply], best[ply] = found
        first = ply
        if ply < count:
            draft = _judge(nodes[ply], ply, boards[ply], seen[ply + 1], best[ply])
            if _is_doubtful(draft, seen[ply + 1], best[ply]):
                doubts.add(ply)
        report(1)

    confirmed: set[int] = set()
    ply = first
    # forward, so a proof is known when the moves before it are judged
    while ply < count:
        implied = _implied(best[ply], played[ply])
        if implied and not seen[ply + 1].is_lost:
            seen[ply + 1] = best[ply + 1] = implied
        judged[ply] = _judge(nodes[ply], ply, boards[ply], seen[ply + 1], best[ply])
        doubtful = _is_doubtful(judged[ply], seen[ply + 1], best[ply])
        if doubtful and ply not in confirmed and not stop():
            confirmed.add(ply)
            doubts.add(ply)
            for again in (ply + 1, ply):
                found = search_ply(again, _times(limits, CONFIRM))
                if found is not None:
                    seen[again], best[again] = found
                report(CONFIRM)
            ply = max(ply - 1, first)  # the move before may now have another judgement
        else:
            if ply not in confirmed:
                doubts.discard(ply)
            ply += 1
    if not stop():
        report(0)
    curve = []
    for ply in range(first, count + 1):
        value = judged[ply].before if ply in judged else seen[ply].value
        black = boards[ply].turn == Side.BLACK
        curve.append(value.chance if black else value.other.chance)
    moves = tuple(judged[ply] for ply in sorted(judged))
    end = ""
    if first <= count:
        end = _fouled(count, foul) if foul else _end(boards, played)
    after = len(played) - count
    return Review(moves, min(first, count), tuple(curve), end, after)


def _fouled(count: int, foul: str) -> str:
    """Return the end of a game by black's foul, in words."""
    return f"white won: black's move {count} is forbidden ({foul_words(foul)})"


def _end(boards: Sequence[Board], moves: Sequence[Move]) -> str:
    """Return how the game ended on the last board, for example "five h8-l8 with move
    9".
    """
    last, count = boards[-1], len(boards) - 1
    if last.winner is not None:
        made = made_by(boards[-2], moves[count - 1], boards[-2].turn)
        fives = [shape.span for shape in made if shape.kind == "five"]
        what = (
            f"five {' and '.join(fives)}"
            if len(fives) < 2
            else (f"{len(fives)} fives {' and '.join(fives)}")
        )
        return f"{last.winner.name.lower()} won with move {count}: {what}"
    if last.is_full:
        return f"a draw: move {count} filled the board"
    return ""


_FOULED = _Seen(Value(WIN), (), 0, 0)
"""White's view after a foul of black."""


def _times(limits: Limits, factor: int) -> Limits:
    return replace(
        limits,
        time=None if limits.time is None else limits.time * factor,
        nodes=None if limits.nodes is None else limits.nodes * factor,
        depth=None if limits.depth is None else limits.depth + 2,
    )


def _search_position(engine: Engine, board: Board, limits: Limits) -> _Seen:
    """Return the value of a position for its side to move, by a search or by the
    rules.
    """
    if board.winner is not None:
        return _Seen(LOST, (), 0, 0)  # the side to move had just won
    if board.is_full:
        return _Seen(Value(0), (), 0, 0)
    result = engine.search(board, limits)
    value = Value.of(result)
    return _Seen(value, result.pv, result.depth, result.nodes)


def _preferred(
    engine: Engine, board: Board, position: _Seen, played: Move, limits: Limits
) -> _Seen:
    """Return the move that a search prefers to the one played, with its value.

    The value is that of a search of the position after it.
    """
    move = position.line[0]
    if move == played or position.value.win_in is not None:
        return position
    after = board.copy()
    after.play(move)
    reply = _search_position(engine, after, limits)
    return _Seen(
        _before(reply.value),
        (move, *(reply.line or position.line[1:])),
        position.depth,
        position.nodes + reply.nodes,
    )


def _judge(
    node: GameNode, ply: int, board: Board, reply: _Seen, best: _Seen
) -> JudgedMove:
    """Judge one move, by the position after it and the move that the search prefers."""
    move = cast(Move, node.move)
    foul = board.foul(move) if board.turn == Side.BLACK else None
    before, line = best.value, best.line
    after = LOST if foul else _before(reply.value)
    if not foul and (line[0] == move or after.score >= before.score):
        before, line = after, (move, *reply.line)
    loss = max(0.0, before.chance - after.chance)
    label, why = _label(before, after, loss, move, line)
    if label in ("mistake", "blunder") and why:
        why = _refuted(board, move, reply, before, after, line[0])
    if foul:
        label, why = "blunder", f"forbidden ({foul_words(foul)})"
    if node.figures.by_opening:
        label, why = "opening", ""
    return JudgedMove(
        number=ply + 1,
        side=board.turn,
        move=move,
        before=before,
        after=after,
        best=line[0],
        line=line,
        loss=loss,
        label=label,
        why=why,
        refutation=() if foul else reply.line,
        threats=tuple(describe_move(board, move).phrases()),
        depth=best.depth,
        nodes=best.nodes,
    )


def _refuted(
    board: Board, move: Move, reply: _Seen, before: Value, after: Value, best: Move
) -> str:
    """Return the reasons against a bad move: the win that it missed, the reply that
    refutes it, and the better move.
    """
    parts = []
    if _is_won(before):
        made = _what_it_makes(board, best)
        length = moves_words(before.win_in or 0)
        parts.append(f"missed a win in {length} by {best}{made}")
    if reply.line:
        follower = board.copy()
        follower.play(move)
        answer = reply.line[0]
        made = _what_it_makes(follower, answer)
        if after.win_in is not None and after.win_in < 0:
            parts.append(f"loses in {moves_words(after.win_in)} to {answer}{made}")
        elif made:
            parts.append(f"allows {answer}{made}")
    if not _is_won(before):
        parts.append(f"{best} was better")
    return "; ".join(parts)


def _what_it_makes(board: Board, move: Move) -> str:
    """Return the threat that a move makes, as ", which makes a four"; else an empty
    text.
    """
    threats = describe_move(board, move)
    if threats.wins_in == 1 or any(shape.kind in _THREATS for shape in threats.makes):
        return f", which {threats.phrases()[0]}"
    return ""


def _implied(best: _Seen, played: Move) -> _Seen | None:
    """Return the position after a move that was proved to win; it is lost for the other
    side.
    """
    if best.line[0] != played or best.value.win_in is None or best.value.win_in < 2:
        return None
    plies = best.value.win_in - 1
    return _Seen(Value(plies - WIN, -plies), best.line[1:], best.depth - 1, 0)


def _is_doubtful(judged: JudgedMove, reply: _Seen, best: _Seen) -> bool:
    """Whether a longer search may change the judgement of a move.

    True for a blunder, and for a move that the search preferred until the position
    after it was found lost, since another move may not lose. False in a lost position,
    where all moves are equal.
    """
    surprise = judged.label == "best" and not best.is_lost and _is_won(reply.value)
    saved = best.is_lost and not _is_won(reply.value)
    return judged.label == "blunder" or surprise or saved


def _is_won(value: Value) -> bool:
    return value.win_in is not None and value.win_in > 0


def _label(
    before: Value, after: Value, loss: float, move: Move, line: tuple[Move, ...]
) -> tuple[Label, str]:
    """Return the label of a move, and the win that it missed."""
    won, wins = _is_won(before), _is_won(after)
    lost = before.win_in is not None and not won
    loses = after.win_in is not None and not wins
    best = line[0]
    if move == best:
        return "best", ""
    if won and not wins:
        why = f"missed a win in {moves_words(before.win_in or 0)} by {best}"
        if after.win_in is not None:
            why += f", loses in {moves_words(after.win_in)}"
        return "blunder", why
    # A move that overlooks a five or an open four is a blunder in any position.
    soon = after.win_in is not None and -4 <= after.win_in < 0
    if loses and not lost and (loss >= INACCURACY or soon):
        assert after.win_in is not None
        return "blunder", f"loses in {moves_words(after.win_in)}; {best} was better"
    if loss >= BLUNDER:
        return "blunder", f"{best} was better"
    if loss >= MISTAKE:
        return "mistake", f"{best} was better"
    if loss >= INACCURACY:
        return "inaccuracy", f"{best} was better"
    return "good", ""
