"""A judged game as SGF and PSQ: comments, refuting variations, marks.

In SGF a move that gave something away has the better line as a variation in its place,
and what refutes it as a variation behind it. BM marks mistakes (1) and blunders (2), DO
inaccuracies; the better move has a triangle (TR), the refuting one a circle (CR). V is
the value for black. PSQ has no place for any of that: its comments stand behind the
last line, one a move, where our reader passes them over.
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
from gomoku_brain.records.reader import Game
from gomoku_brain.records.sgf import head_properties, move_properties
from gomoku_brain.records.sgf_tree import SgfNode, point, root_of, set_up, to_text
from gomoku_brain.study.annotate import LOST, JudgedMove, Review, Value

__all__ = ["game_record", "review_to_psq", "review_to_sgf"]

_MARKS: dict[str, dict[str, str | Sequence[str]]] = {
    "inaccuracy": {"DO": [""]},
    "mistake": {"BM": "1"},
    "blunder": {"BM": "2"},
}


def game_record(game: Game) -> GameRecord:
    """The record of a game from the empty board, made up where the source has none.

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
        if board.winner is not None:  # what follows a five changes nothing
            record_to_end = replace(record, moves=record.moves[:count])
            break
    else:
        record_to_end = record
    result, reason = natural_end(record_to_end)
    return replace(record, result=result, reason=reason)


def review_to_sgf(game: Game, review: Review) -> str:
    """The judged game as SGF; raises ValueError for walls and for more than 52 columns.

    What the source says of players, result and moves is kept.
    """
    root = root_of(game.width, game.height, game.rule)
    if game.set_up:
        root.properties |= {"GN": game.name} | set_up(game.board(0))
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
        told = judged.get(number)
        properties: dict[str, str | Sequence[str]] = {}
        if told is not None:
            one = _annotated(one, told, number == len(played))
            properties = _marks(told)
        properties = {**move_properties(one, side is Side.BLACK), **properties}
        path.append(path[-1].add(properties))
    for told in review.moves:  # behind the main line, which came first
        if told.label not in _MARKS:
            continue
        end = path[-1]
        if told.best != told.move:
            better = f"better: {_worth(told.before)}"
            _add_line(path[told.number - 1], told.line, told.side, better, end)
        if told.refutation and told.number < len(path) - 1:
            reply = "best reply to" if told.label == "inaccuracy" else "refutes"
            refuted = f"{reply} {told.move}: {_worth(told.after.other)}"
            after = path[told.number]
            _add_line(after, told.refutation, told.side.other, refuted, end)
    return to_text(root)


def _annotated(played: PlayedMove, told: JudgedMove, is_last: bool) -> PlayedMove:
    """The move with our words behind the source's, and our values if it has none.

    Of the last move the refutation is told here: as a variation it would be read as
    the game's own end.
    """
    words = [told.label + (f": {told.why}" if told.why else "")]
    if told.threats:
        words.append("; ".join(told.threats))
    if is_last and told.label in _MARKS and told.refutation:
        words.append(f"{_reply(told)} {format_moves(told.refutation)}")
    comment = "\n".join(filter(None, (played.comment, *words)))
    if (played.score, played.win_in) != (None, None) or told.after == LOST:
        return replace(played, comment=comment)  # a foul has no value: it loses
    return replace(
        played,
        score=told.after.score if told.after.win_in is None else None,
        win_in=told.after.win_in,
        depth=told.depth or None,
        comment=comment,
    )


def _marks(told: JudgedMove) -> dict[str, str | Sequence[str]]:
    """What judges a move, and the marks on the board behind it."""
    if told.label not in _MARKS:
        return {}
    marks = dict(_MARKS[told.label])
    if told.best != told.move:
        marks["TR"] = point(told.best)
    if told.refutation:
        marks["CR"] = point(told.refutation[0])
    return marks


def _add_line(
    node: SgfNode, line: Sequence[Move], side: Side, words: str, end: SgfNode
) -> None:
    """A variation behind a node, along what is there already.

    Nothing is put behind ``end``, the last move of the game: it would lengthen it.
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


def _reply(told: JudgedMove) -> str:
    """What the line behind a bad move is called; an inaccuracy is not refuted."""
    return "best reply" if told.label == "inaccuracy" else "refuted by"


def _worth(value: Value) -> str:
    """A value in words: "+120", "win in 7", "loss in 6"."""
    if value.win_in is None:
        return str(value)
    return f"{'win' if value.win_in > 0 else 'loss'} in {abs(value.win_in)}"


def review_to_psq(game: Game, review: Review) -> str:
    """The judged game as PSQ, the comments behind it in lines that begin with ";".

    Raises ValueError for a game that begins with stones on the board.
    """
    record = game_record(game)
    record = replace(record, moves=record.moves[: len(game.moves)])
    lines = [to_psq(record).rstrip("\n")]
    for told in review.moves:
        words = f"; {told.number}. {told.move} {_worth(told.after)}: {told.label}"
        words += f": {told.why}" if told.why else ""
        if told.label in _MARKS and told.best != told.move:
            words += f" | better: {format_moves(told.line)}"
        if told.label in _MARKS and told.refutation:
            words += f" | {_reply(told)}: {format_moves(told.refutation)}"
        lines.append(words)
    return "\n".join(lines) + "\n"
