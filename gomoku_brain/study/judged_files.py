"""Judged game as SGF and PSQ: comments, variations with refutations, marks.

The judgement is added to the game: everything that its source has stays, its comments
first, its variations before ours. A move that lost winning chance gets the better line
as a variation in its place and the refutation as a variation behind it. BM marks
mistakes (1) and blunders (2), DO marks inaccuracies; the better move has a triangle
(TR), the refuting one a circle (CR). V is the value for black. PSQ has no place for
comments, so they stand behind the last line, one for each move, where our reader skips
them.
"""

from collections.abc import Sequence
from dataclasses import replace

from gomoku_brain.control.limits import moves_words
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import OURS
from gomoku_brain.records.game_node import GameNode, point
from gomoku_brain.records.game_record import Figures, GameRecord, figures_in_words
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.study.annotate import LOST, JudgedMove, Review, Value

__all__ = ["review_to_psq", "review_to_sgf"]

_MARKS = {"inaccuracy": ("DO", ""), "mistake": ("BM", "1"), "blunder": ("BM", "2")}
_JUDGEMENTS = ("BM", "DO", "IT", "TE")  # SGF allows a move one of them


def review_to_sgf(game: Game | GameRecord | Board, review: Review) -> str:
    """Return the judged game as SGF, with all that the game has.

    Raises ValueError for walls and for more than 52 columns.
    """
    game = Game.of(game).copy()
    ending = _ending_of(game)
    if not game.front().text("RE").strip() and ending[0] != "*":
        game.set_result(*ending)
    game.state_assumed()
    if not game.has("AN"):
        game.set_text("AN", OURS)
    regular = game.cut(None)
    regular.make_regular()  # moves before a pass were not judged, and have no number
    line = [node for node in game.mainline() if node.move is not None]
    line = line[len(line) - len(regular.moves) :]
    for verdict in review.moves:
        _judge(line[verdict.number - 1], verdict, verdict.number == len(line))
    for verdict in review.moves:
        if verdict.label not in _MARKS:
            continue
        played, end = line[verdict.number - 1], line[-1]
        if verdict.best != verdict.move and played.parent is not None:
            better = f"better: {_worth(verdict.before)}"
            _add_line(played.parent, verdict.line, verdict.side, better, end)
        if verdict.refutation and played is not end:
            reply = "best reply to" if verdict.label == "inaccuracy" else "refutes"
            refuted = f"{reply} {verdict.move}: {_worth(verdict.after.other)}"
            after = line[verdict.number].parent or played  # behind nodes of comments
            _add_line(after, verdict.refutation, verdict.side.other, refuted, end)
    return to_sgf(game)


def _ending_of(game: Game) -> tuple[str, str, str]:
    """Return (result, reason, detail); moves after a five do not change them."""
    head = game.head
    if head.result == "*":
        board = game.board(0)
        for move in game.moves:
            if board.winner is not None:
                break
            board.play(move)
        if board.winner is not None:
            return ("1-0", "0-1")[board.winner], "five", ""
    return head.result, head.reason, head.detail


def _judge(node: GameNode, verdict: JudgedMove, is_last: bool) -> None:
    """Add a judgement to the node of its move: comment, value and marks.

    The refutation of the last move stands in its comment: as a variation, a reader
    would take it for the game's own end.
    """
    words = [verdict.label + (f": {verdict.why}" if verdict.why else "")]
    if verdict.threats:
        words.append("; ".join(verdict.threats))
    if is_last and verdict.label in _MARKS and verdict.refutation:
        words.append(f"{_reply(verdict)} {format_moves(verdict.refutation)}")
    known, after = node.figures, verdict.after
    if (known.score, known.win_in) == (None, None) and after != LOST:
        score = after.score if after.win_in is None else None
        depth = verdict.depth or None
        if not node.comment and not node.has("V"):
            node.figures = replace(known, score=score, win_in=after.win_in, depth=depth)
        else:  # the source's words stay together and come first
            ours = Figures(score=score, win_in=after.win_in, depth=depth)
            words.append(figures_in_words(ours))
            if score is not None and not node.has("V"):
                for_black = score if verdict.side is Side.BLACK else -score
                node.set_text("V", str(for_black))
    node.add_comment("\n".join(words))
    if verdict.label not in _MARKS:
        return
    name, value = _MARKS[verdict.label]
    if not any(map(node.has, _JUDGEMENTS)):
        node.set_values(name, [value])
    marks = [("TR", verdict.best)] if verdict.best != verdict.move else []
    marks += [("CR", move) for move in verdict.refutation[:1]]
    marked = node.marks
    for mark, cell in marks:
        if cell not in marked:
            node.set_values(mark, [*node.properties.get(mark, ()), point(cell)])


def _add_line(
    node: GameNode, line: Sequence[Move], side: Side, words: str, end: GameNode
) -> None:
    """Add a variation behind a node, along existing nodes.

    Nothing is added behind ``end``, the last move of the game, since it would lengthen
    the game.
    """
    for number, move in enumerate(line):
        node = node.add_variation(move, side=side)
        side = side.other
        if not number:
            node.add_comment(words)
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


def review_to_psq(game: Game | GameRecord | Board, review: Review) -> str:
    """Return the judged game as PSQ, with the comments after it in lines that begin
    with ";".

    Raises ValueError for a game that begins with stones on the board.
    """
    game = Game.of(game)
    result, reason, detail = _ending_of(game)
    record = replace(game.record(), result=result, reason=reason, detail=detail)
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
