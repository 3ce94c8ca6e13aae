"""Judged game as SGF and PSQ: comments, variations with refutations, marks.

In SGF, a move that lost winning chance has the better line as a variation in its place
and the refutation as a variation behind it. BM marks mistakes (1) and blunders (2), DO
marks inaccuracies; the better move has a triangle (TR), the refuting one a circle (CR).
V is the value for black. PSQ has no place for comments, so they stand behind the last
line, one for each move, where our reader skips them.
"""

from collections.abc import Sequence
from dataclasses import replace

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game_formats import (
    GameRecord,
    PlayedMove,
    natural_end,
    to_psq,
)
from gomoku_brain.records.game_record import moves_words
from gomoku_brain.records.reader import Game
from gomoku_brain.records.sgf import head_properties, move_properties
from gomoku_brain.records.sgf_writer import SgfNode, point, root_of, set_up, to_text
from gomoku_brain.study.annotate import LOST, JudgedMove, Review, Value

__all__ = ["game_record", "review_to_psq", "review_to_sgf"]

_MARKS: dict[str, dict[str, str | Sequence[str]]] = {
    "inaccuracy": {"DO": [""]},
    "mistake": {"BM": "1"},
    "blunder": {"BM": "2"},
}


def game_record(game: Game) -> GameRecord:
    """Return the record of a game from the empty board, created if the source has none.

    Raises ValueError for a game that begins with stones on the board.
    """
    if game.set_up:
        raise ValueError("the game begins with stones on the board")
    if game.record is not None:
        return game.record
    record = GameRecord(
        game.rule,
        game.width,
        game.height,
        moves=tuple(map(PlayedMove, game.moves)),
        id=game.name,
    )
    board = game.board(0)
    for count, move in enumerate(game.moves, start=1):
        board.play(move)
        if board.winner is not None:  # moves after a five do not change the result
            record_to_end = replace(record, moves=record.moves[:count])
            break
    else:
        record_to_end = record
    result, reason = natural_end(record_to_end)
    return replace(record, result=result, reason=reason)


def review_to_sgf(game: Game, review: Review) -> str:
    """Return the judged game as SGF.

    The source's players, result and comments stay. Raises ValueError for walls and for
    more than 52 columns.
    """
    root = root_of(game.width, game.height, game.rule)
    if game.set_up:
        root.properties |= game.head | set_up(game.board(0))
        played: Sequence[PlayedMove] = [PlayedMove(move) for move in game.moves]
    else:
        record = game_record(game)
        root.properties |= head_properties(record)
        played = record.moves[: len(game.moves)]
    root.properties |= {"AN": "gomoku-brain"}
    judged = {move.number: move for move in review.moves}
    path = [root]
    for number, one in enumerate(played, start=1):
        side = Side((game.first + number - 1) % 2)
        verdict = judged.get(number)
        properties: dict[str, str | Sequence[str]] = {}
        if verdict is not None:
            one = _annotated(one, verdict, number == len(played))
            properties = _marks(verdict)
        properties = {**move_properties(one, side is Side.BLACK), **properties}
        path.append(path[-1].add(properties))
    for verdict in review.moves:  # behind the main line, which comes first
        if verdict.label not in _MARKS:
            continue
        end = path[-1]
        if verdict.best != verdict.move:
            better = f"better: {_worth(verdict.before)}"
            _add_line(path[verdict.number - 1], verdict.line, verdict.side, better, end)
        if verdict.refutation and verdict.number < len(path) - 1:
            reply = "best reply to" if verdict.label == "inaccuracy" else "refutes"
            refuted = f"{reply} {verdict.move}: {_worth(verdict.after.other)}"
            after = path[verdict.number]
            _add_line(after, verdict.refutation, verdict.side.other, refuted, end)
    return to_text(root)


def _annotated(played: PlayedMove, verdict: JudgedMove, is_last: bool) -> PlayedMove:
    """Return the move with our comment after the source's, and our value if it has
    none.

    The refutation of the last move stands in its comment: as a variation, a reader
    would take it for the game's own end.
    """
    words = [verdict.label + (f": {verdict.why}" if verdict.why else "")]
    if verdict.threats:
        words.append("; ".join(verdict.threats))
    if is_last and verdict.label in _MARKS and verdict.refutation:
        words.append(f"{_reply(verdict)} {format_moves(verdict.refutation)}")
    comment = "\n".join(filter(None, (played.comment, *words)))
    if (played.score, played.win_in) != (None, None) or verdict.after == LOST:
        return replace(played, comment=comment)  # a foul has no value: it loses
    return replace(
        played,
        score=verdict.after.score if verdict.after.win_in is None else None,
        win_in=verdict.after.win_in,
        depth=verdict.depth or None,
        comment=comment,
    )


def _marks(verdict: JudgedMove) -> dict[str, str | Sequence[str]]:
    """Return the properties that judge a move, and the marks on the board after it."""
    if verdict.label not in _MARKS:
        return {}
    marks = dict(_MARKS[verdict.label])
    if verdict.best != verdict.move:
        marks["TR"] = point(verdict.best)
    if verdict.refutation:
        marks["CR"] = point(verdict.refutation[0])
    return marks


def _add_line(
    node: SgfNode, line: Sequence[Move], side: Side, words: str, end: SgfNode
) -> None:
    """Add a variation behind a node, along existing nodes.

    Nothing is added behind ``end``, the last move of the game, since it would lengthen
    the game.
    """
    for number, move in enumerate(line):
        colour, cell = "BW"[side], point(move)
        known = [n for n in node.following if n.properties.get(colour) == cell]
        node = known[0] if known else node.add({colour: cell})
        if not number:
            before = node.properties.get("C", "")
            node.properties["C"] = f"{before}\n{words}" if before else words
        side = side.other
        if node is end:
            break


def _reply(verdict: JudgedMove) -> str:
    """Return the name of the line behind a bad move; an inaccuracy has a reply, no
    refutation.
    """
    return "best reply" if verdict.label == "inaccuracy" else "refuted by"


def _worth(value: Value) -> str:
    """Return a value in words: "+120", "wins in 4 moves", "loses in 3 moves"."""
    if value.win_in is None:
        return str(value)
    return f"{'wins' if value.win_in > 0 else 'loses'} in {moves_words(value.win_in)}"


def review_to_psq(game: Game, review: Review) -> str:
    """Return the judged game as PSQ, with the comments after it in lines that begin
    with ";".

    Raises ValueError for a game that begins with stones on the board.
    """
    record = game_record(game)
    record = replace(record, moves=record.moves[: len(game.moves)])
    lines = [to_psq(record).rstrip("\n")]
    for verdict in review.moves:
        words = f"; {verdict.number}. {verdict.move} {_worth(verdict.after)}"
        words += f": {verdict.label}"
        words += f": {verdict.why}" if verdict.why else ""
        if verdict.label in _MARKS and verdict.best != verdict.move:
            words += f" | better: {format_moves(verdict.line)}"
        if verdict.label in _MARKS and verdict.refutation:
            words += f" | {_reply(verdict)}: {format_moves(verdict.refutation)}"
        lines.append(words)
    return "\n".join(lines) + "\n"
