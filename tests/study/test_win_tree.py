"""Trees of wins: as SGF that is whole, and an answer to every defence."""

import pytest
from sgfmill import sgf

from gomoku_brain.control.limits import ThreatTree
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.read import parse_games
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.study import win_tree
from gomoku_brain.study.win_tree import answer_to, refutations, win_to_sgf
from gomoku_brain.tactics.replay import unbeaten_replies
from tests.boards import problems

OPEN_THREE = "h8 a1 i8 a2 j8 a3"  # black to move wins by an open four


@pytest.fixture
def engine():
    with Engine(hash_mb=4) as engine:
        yield engine


def test_sgf_of_alternating_stones_is_read_back():
    """The records' reader follows the main line of what is written."""
    board = Board.from_moves(OPEN_THREE)
    last = ThreatTree(Move(11, 7), 1)
    tree = ThreatTree(Move(10, 7), 3, ((Move(6, 7), last),))
    (game,) = parse_games(win_to_sgf(board, tree, "a ] b"))
    assert [str(move) for move in game.moves][-3:] == ["k8", "g8", "l8"]
    assert game.id == "a ] b"
    assert [node.comment for node in game.mainline()][-3:] == [
        "wins in 2 moves",
        "",
        "five",
    ]


def test_a_win_is_added_behind_the_game_it_was_given():
    text = (
        "(;GM[4]C[hello]XY[own]RE[?];B[hh]LB[ii:A];W[aa](;B[ih]C[why];W[ab];B[jh]"
        ";W[ac]C[end])(;B[kk]))"
    )
    (game,) = parse_games(text, rule="renju")
    before = to_sgf(game)
    tree = ThreatTree(Move(11, 7), 1)
    tree = ThreatTree(Move(10, 7), 3, ((Move(6, 7), tree),))
    (again,) = parse_games(win_to_sgf(game, tree, "name"))
    assert to_sgf(game) == before
    assert (again.comment, again.text("XY"), again.id) == ("hello", "own", "name")
    assert (again.rule, again.result) == (Rule.RENJU, "*"), "the win was not played"
    assert again.variation("h8").labels == {Move(8, 8): "A"}
    assert [str(n.move) for n in again.node_at(2).variations] == ["i8", "k11"]
    assert [n.comment for n in again.mainline()][2:] == [
        *("why", "", "", "end", "wins in 2 moves", "", "five"),
    ]


def shared_tree():
    shared = ThreatTree(Move(11, 7), 3, ((Move(0, 5), ThreatTree(Move(12, 7), 1)),))
    return ThreatTree(Move(10, 7), 5, ((Move(6, 7), shared), (Move(0, 6), shared)))


def test_positions_that_are_reached_again_are_written_out():
    text = win_to_sgf(Board.from_moves(OPEN_THREE), shared_tree())
    assert text.count("B[lh]") == text.count("B[mh]") == 2


def test_of_a_tree_too_large_they_are_written_once(monkeypatch):
    monkeypatch.setattr(win_tree, "MAX_NODES", 5)
    text = win_to_sgf(Board.from_moves(OPEN_THREE), shared_tree())
    assert (text.count("B[lh]"), text.count("B[mh]")) == (2, 1)
    assert text.count("written where this position came first") == 1


@pytest.mark.parametrize("number", [1, 3])
def test_every_line_of_the_sgf_ends_with_a_five(engine, number):
    board = problems("levels.jsonl")[number - 1].board
    tree = engine.find_win(board).tree
    text = win_to_sgf(board, tree, "", engine)
    game = sgf.Sgf_game.from_string(text)
    waiting, ends = [(game.get_root(), board.copy())], 0
    while waiting:
        node, here = waiting.pop()
        if not len(node):
            assert here.winner == board.turn
            ends += 1
        for child in node:
            colour, (row, column) = child.get_move()
            assert "bw"[here.turn] == colour
            after = here.copy()
            after.play((column, board.height - 1 - row))
            waiting.append((child, after))
    assert ends >= 1
    assert "any other reply loses to" in text
    assert number != 3 or "j5, j10 lose to" in text  # cells of the threat that is told


@pytest.mark.parametrize("number", [1, 3])
def test_every_reply_that_is_no_variation_loses_to_its_line(engine, number):
    board = problems("levels.jsonl")[number - 1].board
    side = board.turn
    own = 0

    def check(tree):
        nonlocal own
        if tree.plies == 1:
            return
        board.play(tree.move)
        expected = refutations(engine, board, tree)
        lines = {reply: line for replies, line in expected for reply in replies}
        assert expected[-1].replies == ()
        for reply in set(board.legal_moves()) - {reply for reply, _ in tree.replies}:
            after = board.copy()
            for move in (reply, *lines.get(reply, expected[-1].line)):
                assert after.is_legal(move)
                after.play(move)
            assert after.winner == side
        own += len(lines)
        for reply, answer in tree.replies:
            board.play(reply)
            check(answer)
            board.undo()
        board.undo()

    check(engine.find_win(board).tree)
    assert number != 3 or own  # it has replies on the cells of the threat


def test_a_line_stands_where_it_can_be_played_and_white_makes_no_four():
    board = Board.from_moves(OPEN_THREE + " k8")
    assert [str(move) for move in unbeaten_replies(board, [Move(11, 7)])] == ["l8"]
    board = Board.from_moves(OPEN_THREE + " c12")
    line = parse_moves("g8 f8 k8")  # as if white passed
    stopped = {str(move) for move in unbeaten_replies(board, line)}
    assert stopped == {"g8", "f8", "k8", "a4", "a5"}
    for wrong in ((), line * 41, ((15, 0),)):
        with pytest.raises(ValueError, match=r"line of|off the board"):
            unbeaten_replies(board, wrong)


def test_every_defence_gets_a_proved_answer(engine):
    board = problems("levels.jsonl")[2].board
    side = board.turn
    tree = engine.find_win(board).tree
    board.play(tree.move)
    for reply in board.legal_moves():
        after = board.copy()
        after.play(reply)
        plies = 1
        answer = answer_to(engine, after, tree, reply)
        while answer.plies > 1:  # to the end, against the longest replies
            after.play(answer.move)
            longest, following = max(answer.replies, key=lambda pair: pair[1].plies)
            after.play(longest)
            answer = following
            plies += 2
        after.play(answer.move)
        assert after.winner == side
        assert plies <= tree.plies
