"""The tree of a win by force: in words, as SGF, and the answer to any defence.

A ``ThreatTree`` has the defences that can disturb the attacker's threat. Every other
move of the defender, and a pass, loses to the threat itself: to the five of a four,
else to a win by fours, which `the_threat` finds.
"""

from collections.abc import Callable, Iterator

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.match.sgf_tree import SgfNode, point, root_of, set_up, to_text
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits, ThreatTree

__all__ = ["MOST_NODES", "answer_to", "the_threat", "tree_lines", "win_to_sgf"]

MOST_NODES = 100_000  # of an SGF game in which repeated positions are written out
THREAT_NODES = 200_000  # for the win by fours that a move threatens

Threat = Callable[[Board], tuple[Move, ...]]


def tree_lines(tree: ThreatTree, depth: int, indent: str = "") -> Iterator[str]:
    """The tree in words: what has one answer stands in a row, else one answer a line.

    Below ``depth`` plies only the length of the win is told.
    """
    row = [str(tree.move)]
    while len(tree.replies) == 1 and depth > 2:
        reply, tree = tree.replies[0]
        row += [str(reply), str(tree.move)]
        depth -= 2
    if tree.replies and depth <= 2:
        row.append(f".. wins in {tree.plies - 1} more")
    yield indent + " ".join(row)
    if depth > 2:
        for reply, answer in tree.replies:
            lines = tree_lines(answer, depth - 2, indent + "   ")
            first = next(lines)
            yield f"{indent}   {reply}: {first.lstrip()}"
            yield from lines


# The answer to any defence ------------------------------------------------------------


def the_threat(engine: Engine, board: Board) -> tuple[Move, ...]:
    """How the side that has just moved would win by fours if the other one passed.

    Empty where no such win is found.
    """
    passed = board.copy()
    passed.turn = board.turn.other
    return engine.solve(passed, "vcf", Limits(nodes=THREAT_NODES)) or ()


def answer_to(
    engine: Engine, board: Board, tree: ThreatTree, reply: Move
) -> ThreatTree | None:
    """The tree after the attacker's move and any reply of the defender to it.

    ``board`` is the position after both. A reply that the tree does not have is met by
    a win by fours, else by one by fours and threes, both replayed by the engine; None
    where none is found.
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
    board: Board, tree: ThreatTree, name: str = "", threat: Threat | None = None
) -> str:
    """The whole tree as variations of an SGF game (FF[4], GM[4]).

    The longest defence is the main line. Each move of the attacker says in how many
    plies it wins and, with ``threat`` (as `the_threat` finds it), what beats any other
    reply. A tree of more than MOST_NODES nodes has each position that is reached in
    several ways once, and at the others a note. Raises ValueError for a board with
    walls, which SGF does not know.
    """
    root = root_of(board.width, board.height, board.rule)
    root.properties |= {"GN": name} | set_up(board)
    winner, loser = ("B", "W") if board.turn == Side.BLACK else ("W", "B")
    whole = _size(tree, {}) <= MOST_NODES
    seen: set[int] = set()
    scratch = board.copy()

    def follow(node: SgfNode, tree: ThreatTree) -> None:
        again = not whole and id(tree) in seen
        seen.add(id(tree))
        node = node.add({winner: point(tree.move)})
        if tree.plies == 1:
            node.properties["C"] = "five"
            return
        scratch.play(tree.move)
        told = [f"wins in {tree.plies}"]
        line = threat(scratch) if threat is not None else ()
        if line:
            told.append(f"any other reply loses to {format_moves(line)}")
        if again:
            told.append("what follows is written where this position came first")
        node.properties["C"] = "\n".join(told)
        if not again:
            for reply, answer in sorted(tree.replies, key=lambda pair: -pair[1].plies):
                scratch.play(reply)
                follow(node.add({loser: point(reply)}), answer)
                scratch.undo()
        scratch.undo()

    follow(root, tree)
    return to_text(root)


def _size(tree: ThreatTree, known: dict[int, int]) -> int:
    """The nodes of a tree with all that is shared written out."""
    size = known.get(id(tree))
    if size is None:
        size = 1 + sum(1 + _size(answer, known) for _, answer in tree.replies)
        known[id(tree)] = size
    return size
