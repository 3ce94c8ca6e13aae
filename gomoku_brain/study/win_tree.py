"""Tree of a win by force as SGF, and the answer to any defence.

A ``ThreatTree`` has the defences that can stop the attacker's threat. Every other move
of the defender, and a pass, loses to the threat itself: to the five of a four, else to
a win by fours. There may be several such wins, and one alone need not beat every reply.
``refutations`` returns which of them beats which replies.
"""

from typing import NamedTuple

from gomoku_brain.control.limits import Limits, ThreatTree, moves_words
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import OURS
from gomoku_brain.records.game_node import GameNode, escaped
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.tactics.replay import unbeaten_replies

__all__ = [
    "MAX_NODES",
    "Refutation",
    "answer_to",
    "refutations",
    "the_threat",
    "win_to_sgf",
]

MAX_NODES = 100_000  # most nodes of an SGF game that repeats positions
THREAT_NODES = 200_000  # nodes of the search for the win by fours that a move threatens


class Refutation(NamedTuple):
    """Win of the attacker by fours, and the replies that lose to it."""

    replies: tuple[Move, ...]
    """Replies that lose to the line; empty: all replies of no other refutation."""
    line: tuple[Move, ...]
    """Moves from the attacker's first four to the five."""


def the_threat(engine: Engine, board: Board) -> tuple[Move, ...]:
    """Return the win by fours of the side that has just moved, if the other side
    passed.

    Empty if no such win is found.
    """
    passed = board.copy()
    passed.turn = board.turn.other
    return engine.solve(passed, "vcf", Limits(nodes=THREAT_NODES)) or ()


def refutations(engine: Engine, board: Board, tree: ThreatTree) -> list[Refutation]:
    """Return lines that beat the replies which are not in the tree; the last is for the
    rest.

    ``board`` is the position after the tree's first move. Each line is played against
    every reply listed with it. Empty if the tree has all replies.
    """
    known = {reply for reply, _ in tree.replies}
    left = [move for move in board.legal_moves() if move not in known]
    found: list[Refutation] = []
    rest = the_threat(engine, board)
    if rest:
        left = _unbeaten(board, rest, left)
        if len(left) + len(known) == len(board.legal_moves()):
            rest = ()  # beats none of these replies
    while left:
        reply = left[0]
        board.play(reply)
        line = engine.solve(board, "vcf", Limits(nodes=THREAT_NODES)) or ()
        board.undo()
        if not line:  # a win that is left out is no error
            left.remove(reply)
            continue
        still = [move for move in _unbeaten(board, line, left) if move != reply]
        beaten = tuple(move for move in left if move not in still)
        if rest:
            found.append(Refutation(beaten, line))
        else:
            rest = line
        left = still
    return [*found, Refutation((), rest)] if rest else found


def _unbeaten(board: Board, line: tuple[Move, ...], replies: list[Move]) -> list[Move]:
    """Return those of the replies that a line of fours and a five does not beat."""
    stand = set(unbeaten_replies(board, line))
    return [reply for reply in replies if reply in stand]


def answer_to(
    engine: Engine, board: Board, tree: ThreatTree, reply: Move
) -> ThreatTree | None:
    """Return the tree after the attacker's move and any reply of the defender to it.

    ``board`` is the position after both. A reply that is not in the tree is answered by
    a win by fours, else by one by fours and threes, both replayed by the engine; None
    if none is found.
    """
    for known, answer in tree.replies:
        if known == reply:
            return answer
    for kind in ("vcf", "vct"):
        result = engine.find_win(board, kind, Limits(nodes=10 * THREAT_NODES))
        if result.tree is not None:
            return result.tree
    return None


# SGF ----------------------------------------------------------------------------------


def win_to_sgf(
    source: Game | Board,
    tree: ThreatTree,
    name: str = "",
    engine: Engine | None = None,
) -> str:
    """Return the whole tree as SGF: as variations behind a game, or behind a board.

    The longest defence is the main line. The comment of each move of the attacker has
    the length of the win and, if ``engine`` is given to search for it, the lines that
    beat any other reply. Everything that a game has stays. A tree of more than
    ``MAX_NODES`` nodes has each position that is reached in several ways once, with a
    note in the other places. Raises ValueError for a board with walls, which SGF does
    not have.
    """
    game = Game.of(source).copy()
    board = game.board()
    game.state_assumed()
    if not game.has("AP"):  # else the five of the tree would be the game's result
        game.set_text("AP", f"{OURS}:1")
    if name and not game.id:
        game.set_text("GN", name)
    winner, loser = board.turn, board.turn.other
    whole = _size(tree, {}) <= MAX_NODES
    seen: set[int] = set()
    scratch = board.copy()
    known: dict[tuple[int, int], list[str]] = {}

    def comment_on_replies(tree: ThreatTree) -> list[str]:
        """Return the comment about replies that are no variations, cached by
        position.
        """
        place = scratch.key, id(tree)
        if engine is not None and place not in known:
            known[place] = list(map(_in_words, refutations(engine, scratch, tree)))
        return known.get(place, [])

    def follow(node: GameNode, tree: ThreatTree) -> None:
        again = not whole and id(tree) in seen
        seen.add(id(tree))
        if tree.plies == 1:
            wins = scratch.wins_at(tree.move)
            words = "five" if wins else "no legal move is left"
            _add_node(node, tree.move, winner, words)
            return
        scratch.play(tree.move)
        comments = [f"wins in {moves_words(tree.plies)}", *comment_on_replies(tree)]
        if again:
            comments.append("what follows is written where this position came first")
        node = _add_node(node, tree.move, winner, "\n".join(comments))
        if not again:
            for reply, answer in sorted(tree.replies, key=lambda pair: -pair[1].plies):
                scratch.play(reply)
                follow(_add_node(node, reply, loser), answer)
                scratch.undo()
        scratch.undo()

    follow(game.end(), tree)
    return to_sgf(game)


def _add_node(node: GameNode, move: Move, side: Side, comment: str = "") -> GameNode:
    """Append a node with a new move; faster than ``add_variation``, and not undone."""
    new = GameNode(node, side, move)
    if comment:
        new.properties["C"] = [escaped(comment)]
    node.variations.append(new)
    return new


def _in_words(refutation: Refutation) -> str:
    """Format a refutation: "h3 loses to m8 i4 n9", "any other reply loses to i4 h3
    m8".
    """
    line = format_moves(refutation.line)
    if not refutation.replies:
        return f"any other reply loses to {line}"
    one = len(refutation.replies) == 1
    replies = ", ".join(map(str, refutation.replies))
    return f"{replies} {'loses' if one else 'lose'} to {line}"


def _size(tree: ThreatTree, known: dict[int, int]) -> int:
    """Return the nodes of a tree with all shared parts written out."""
    size = known.get(id(tree))
    if size is None:
        size = 1 + sum(1 + _size(answer, known) for _, answer in tree.replies)
        known[id(tree)] = size
    return size
