"""Moves from the proofs in the package, for the rule and size of the game.

The proofs are books (``proofs.book``) in the package's data, named after rule and size,
as ``proof-freestyle15.bin``. If the winning side is to move, the book has the position,
or the position has a win by threats, which the solver finds.
"""

from collections.abc import Callable

from gomoku_brain.control.limits import SearchResult
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.notation import Move
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.control.limits import ThreatTree
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.proofs.book import ProofBook, ProvedMove
    from gomoku_brain.proofs.grid import Grid

__all__ = ["BookFor", "ProvedMoves", "book_for", "last_proved", "look_up"]

BookFor = Callable[[Rule, int, int], "ProofBook | None"]
"""Function that returns the book for a rule, a width and a height, or None."""

# Nodes to find the win after a proof's last position; 2,000 mostly suffice.
FOLLOW_NODES = 100_000

PACKAGE_WINNER = Side.BLACK
"""Winner of all proofs in the package; no book is opened for the other side."""

_books: dict[
    tuple[Rule, int, int], "ProofBook | None"
] = {}  # those searched for so far


def book_for(rule: Rule, width: int, height: int) -> "ProofBook | None":
    """Return the book of the package for such games; None if there is none."""
    games = rule, width, height
    if games not in _books:
        book = None
        try:
            if width == height:
                book = _load(rule, width)
        finally:  # a file that cannot be read is not tried again on every move
            _books[games] = book
    return _books[games]


def _load(rule: Rule, width: int) -> "ProofBook | None":
    try:
        data = read_data(f"proof-{rule.name.lower()}{width}.bin")
    except OSError:
        return None
    from gomoku_brain.proofs.book import BookError, ProofBook  # imported only if needed

    try:
        book = ProofBook(data)
    except BookError:
        return None
    size = book.grid.width, book.grid.height
    return book if (book.rule, size) == (rule.name.lower(), (width, width)) else None


class ProvedMoves:
    """Moves of proofs for one player.

    ``books`` returns the book of a game; the default returns those of the package.
    """

    def __init__(self, books: BookFor | None = None) -> None:
        """Create the moves of proofs without opening a book."""
        self._books = books or book_for
        # The rest of the last win that was followed, after each reply to its move. The
        # key is the rule, the width and both sides' stones. The value is the tree of
        # the rest, and the cell of the board for each cell of the tree.
        self._wins: dict[tuple[Rule, int, int, int], tuple[ThreatTree, list[int]]] = {}

    def find(self, board: Board) -> SearchResult | None:
        """Return the move of a proof in this position, or None if it has none."""
        book = self._book_of(board)
        if book is None:
            return None
        proved = look_up(book, board, board.moves)
        if proved is None:
            return None
        from gomoku_brain.proofs.boards import move_of

        return _result((move_of(book.grid, proved.cell),), proved.plies, 0)

    def follow(
        self, engine: "Engine", board: Board, control: "SearchControl | None"
    ) -> SearchResult | None:
        """Return the win by threats that is left after a proof's last position.

        Return None unless the game has played a move of the proof, by the order of its
        stones. The solver gets the canonical image of the position, because that is
        the image on which it is tried when a proof is made (``prove --leaf-nodes``).
        The win that it finds is followed as long as the replies are in it.
        """
        book = self._book_of(board)
        if book is None or last_proved(book, board) is None:
            return None
        from gomoku_brain.proofs.boards import cell_of, move_of, stones_of

        stones = stones_of(book.grid, board, board.moves)
        if stones is None:
            return None
        attacker, defender = stones[board.turn], stones[board.turn.other]
        game = board.rule, board.width
        nodes = 0
        known = self._wins.get((*game, attacker, defender))
        if known is None:
            solved = _solve(engine, board, book.grid, (attacker, defender), control)
            if solved is None:
                return None
            tree, back, nodes = solved
        else:
            tree, back = known

        def turned_back(move: Move) -> int:
            return back[cell_of(book.grid, move)]

        self._wins.clear()
        attacker |= 1 << turned_back(tree.move)
        for reply, after in tree.replies:
            key = *game, attacker, defender | 1 << turned_back(reply)
            self._wins[key] = after, back
        line = tuple(move_of(book.grid, turned_back(move)) for move in tree.line())
        return _result(line, len(line), nodes)

    def _book_of(self, board: Board) -> "ProofBook | None":
        """Return the book for this game, if its winning side is to move."""
        if self._books is book_for and board.turn is not PACKAGE_WINNER:
            return None
        book = self._books(board.rule, board.width, board.height)
        if book is None or board.turn.name.lower() != book.winner:
            return None
        return book


def _solve(
    engine: "Engine",
    board: Board,
    grid: "Grid",
    stones: tuple[int, int],
    control: "SearchControl | None",
) -> "tuple[ThreatTree, list[int], int] | None":
    """Return the win by threats on the canonical image of the position.

    The second result is the cell of the board for each cell of the image, the third the
    number of nodes.
    """
    from gomoku_brain.proofs.boards import board_of

    attacker, defender, symmetry = grid.canonical(*stones)
    turned = board_of(grid, (attacker, defender), board.turn, board.turn, board.rule)
    solved = engine.win_quickly(turned, FOLLOW_NODES, control)
    if solved.tree is None:
        return None
    return solved.tree, grid.images[grid.inverse[symmetry]], solved.nodes


def last_proved(book: "ProofBook", board: Board) -> int | None:
    """Return the number of moves at the game's last position of the proof.

    The winner is to move now. None if the game never was in the proof, or if it left it
    with the winner's next move.
    """
    from gomoku_brain.proofs.boards import cell_of

    moves = board.moves
    for length in range(len(moves) - 2, -1, -2):
        proved = look_up(book, board, moves[:length])
        if proved:
            return length if proved.cell == cell_of(book.grid, moves[length]) else None
    return None


def look_up(
    book: "ProofBook", board: Board, moves: tuple[Move, ...]
) -> "ProvedMove | None":
    """Return the book's entry for the position of these stones of the board."""
    from gomoku_brain.proofs.boards import stones_of

    stones = stones_of(book.grid, board, moves)
    if stones is None:
        return None
    return book.find(stones[board.turn], stones[board.turn.other])


def _result(line: tuple[Move, ...], plies: int, nodes: int) -> SearchResult:
    return SearchResult(
        score=WIN - plies,
        win_in=plies,
        depth=0,
        seldepth=plies,
        nodes=nodes,
        time=0.0,
        pv=line,
    )
