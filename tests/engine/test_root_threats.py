"""Wins by fours and threes that the engine finds while it deepens, and follows."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.root_threats import RootThreats
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.tactics.replay import replay
from gomoku_brain.tactics.vct import VctSolver

# White wins in 13: puzzle 59 of lfz084's "white to move and win".
BLACK = "h5 i5 h6 f7 h8 j8 f9 g9 e10 f11 g11"
WHITE = "g5 i6 h7 k7 e8 g8 e9 f10 g10 h10"
# White wins in 27, much too far for the search by depth to see it first: puzzle 389 of
# lfz084's "white to move, VCF".
FAR_BLACK = "i7 j7 k7 j8 l8 m8 f9 h9 g10 k10 j11 l11 h12 j12 n13"
FAR_WHITE = "m7 h8 g9 k9 l9 f10 j10 g11 i11 k12 l12 m12 i13 j14"
QUIET = "h8 i9 j8"
WITHOUT_WIN = "f8 d11 i10 e11 e10 g9 g13"
NODES = 400_000


@pytest.fixture
def won():
    return Board.from_stones(
        parse_moves(BLACK), parse_moves(WHITE), size=15, rule=Rule.RENJU
    )


def find(board):
    """The threats search of a board, told of more and more nodes until it ends."""
    threats = RootThreats(1)
    assert threats.set_position(board, SearchControl()) is None
    for searched in range(0, NODES, 8_000):
        tree = threats.search(searched)
        if tree is not None:
            return threats, tree, searched
    return threats, None, NODES


def test_a_win_is_found_in_slices_and_replayed(won):
    threats, tree, _ = find(won)
    assert tree is not None
    assert replay(won, tree, SearchControl()) is None
    before = threats.nodes
    assert threats.search(NODES) is None, "it is not searched again"
    assert threats.nodes == before


@pytest.mark.parametrize(
    ("rule", "moves", "share"),
    [
        (Rule.FREESTYLE, WITHOUT_WIN, 1 / 8),
        (Rule.CARO, WITHOUT_WIN, 1 / 8),
        (Rule.RENJU, "h8 i9 j10 h10 g7 f6 i7 j6 h9", 1 / 4),
    ],
)
def test_threats_get_their_share_of_the_nodes(rule, moves, share):
    threats = RootThreats(1)
    threats.set_position(Board.from_moves(moves, rule=rule), SearchControl())
    for searched in range(0, 100_001, 10_000):
        assert threats.search(searched) is None
    assert 100_000 * share - 1_000 <= threats.nodes <= 100_000 * share + 200


def test_slices_find_what_one_search_finds(won):
    solver = VctSolver(1)
    with pytest.raises(ValueError, match="no position"):
        solver.resume(100)
    status = solver.solve(won, SearchControl(), 100)
    assert status == "unknown"
    assert solver.nodes < 150
    slices = 0
    while status == "unknown" and slices < 500:
        status = solver.resume(300)
        slices += 1
    assert status == "win"
    assert slices > 1
    assert replay(won, solver.tree(), SearchControl()) is None


@pytest.mark.parametrize("rule", list(Rule))
def test_no_win_in_slices_is_no_win_at_once(rule):
    board = Board.from_moves("h8 h9 i8 g9 g7", size=9, rule=rule)
    whole, sliced = VctSolver(1), VctSolver(1)
    expected = whole.solve(board, SearchControl(), NODES)
    assert expected == "no win"
    status = sliced.solve(board, SearchControl(), 50)
    slices = 0
    while status == "unknown" and slices < 1_000:
        status = sliced.resume(500)
        slices += 1
    assert status == expected
    won = Board.from_moves("a1 i1 b1 i2 c1 i3 d1 i5 e1", size=9, rule=Rule.FREESTYLE)
    assert sliced.solve(won, SearchControl(), 50) == "no win"
    with pytest.raises(ValueError, match="no position"):
        sliced.resume(50)


def test_the_engine_wins_the_game_it_has_announced():
    won = Board.from_stones(
        parse_moves(FAR_BLACK), parse_moves(FAR_WHITE), size=15, rule=Rule.RENJU
    )
    engine = Engine(hash_mb=16)
    result = engine.search(won, Limits(nodes=NODES))
    assert result.win_in is not None
    assert result.win_in > 0
    assert result.nodes <= NODES
    left = result.win_in
    while not won.wins_at(result.move):
        won.play(result.move)
        won.play(result.pv[1])
        result = engine.search(won, Limits(nodes=NODES))
        assert result.win_in is not None
        assert 0 < result.win_in <= left - 2
        assert result.depth == 0, "followed, not searched"
        assert result.nodes == 0
        left = result.win_in


def test_a_known_win_is_followed_without_a_search(won):
    threats, tree, _ = find(won)
    assert threats.set_position(won, SearchControl()) is tree, "the same position again"
    while len(tree.replies) < 2:  # fours have one reply
        won.play(tree.move)
        won.play(tree.replies[0][0])
        tree = tree.replies[0][1]
        assert threats.set_position(won, SearchControl()) is tree
    boards = []
    for reply, answer in tree.replies:
        after = won.copy()
        after.play(tree.move)
        after.play(reply)
        boards.append((after, answer))
    # Pondering on one reply loses neither its answer nor those to the others.
    for k in (0, 0, 0, 1, 1):
        after, answer = boards[k]
        assert threats.set_position(after, SearchControl()) is answer
        assert threats.search(NODES) is None, "nothing is searched"
        assert threats.nodes == 0


def test_a_reply_beside_the_tree_is_searched_anew(won):
    threats, tree, _ = find(won)
    answered = {reply for reply, _ in tree.replies}
    after = won.copy()
    after.play(tree.move)
    other = next(move for move in after.legal_moves() if move not in answered)
    after.play(other)
    assert threats.set_position(after, SearchControl()) is None


@pytest.mark.parametrize("change", ["another board", "a move of its own", "forgotten"])
def test_a_tree_belongs_to_its_game(won, change):
    threats, tree, _ = find(won)
    board = won.copy()
    board.play(tree.move)
    board.play(tree.replies[0][0])
    if change == "another board":
        board = Board.from_moves(QUIET, size=20)
    elif change == "a move of its own":
        board = won.copy()
        own = next(move for move in board.legal_moves() if move != tree.move)
        board.play(own)
        board.play(next(iter(board.legal_moves())))
    else:
        threats.forget()
    assert threats.set_position(board, SearchControl()) is None


def test_a_stop_ends_it(won):
    control = SearchControl()
    threats = RootThreats(1)
    threats.set_position(won, control)
    control.stop()
    assert threats.search(10**9) is None
    assert threats.nodes < 5_000


def test_a_search_that_is_not_whole_does_not_use_it(won, monkeypatch):
    engine = Engine(hash_mb=16)
    requested = []
    monkeypatch.setattr(RootThreats, "search", lambda *_: requested.append(1))
    for limits in (Limits(depth=4), Limits(nodes=20_000, multipv=2)):
        engine.search(won, limits)
    assert not requested
    engine.search(won, Limits(nodes=20_000))
    assert requested


@pytest.mark.parametrize("limit", [40_000, 60_000])
def test_all_nodes_are_counted_and_the_limit_is_kept(monkeypatch, limit):
    """On a board without a win, so that the solver uses all that it is given."""
    board = Board.from_moves(WITHOUT_WIN)
    looked = []
    real = RootThreats.search

    def look(self, searched, left):
        before = self.nodes
        found = real(self, searched, left)
        looked.append(self.nodes - before)
        return found

    monkeypatch.setattr(RootThreats, "search", look)
    engine = Engine(hash_mb=16)
    result = engine.search(board, Limits(nodes=limit))
    assert result.win_in is None
    assert sum(looked) > 1_000
    assert result.nodes <= limit + 200
    assert result.nodes == engine._worker.nodes, "theirs are among them"
