import pytest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.records.game_formats import GameRecord, PlayedMove, from_psq, to_psq
from gomoku_brain.records.reader import Game

BLACK_FIVE = "a1 a5 b1 b5 c1 c5 d1 d5 e1"


def tree_of(moves, rule=Rule.FREESTYLE, size=15):
    return GameTree(Game(rule, size, size, moves=tuple(parse_moves(moves))))


def test_it_begins_at_the_end_of_the_moves_given():
    tree = tree_of("h8 i9 j10")
    assert (tree.ply, tree.turn) == (3, Side.WHITE)
    assert tree.numbers() == {Move(7, 7): 1, Move(8, 8): 2, Move(9, 9): 3}


def test_going_back_and_forward_changes_nothing_else():
    tree = tree_of("h8 i9 j10")
    end = tree.node
    assert tree.back(2) == 2
    assert (tree.ply, tree.turn) == (1, Side.WHITE)
    assert tree.back(5) == 1
    assert tree.forward(9) == 3
    assert tree.node is end


def test_another_move_is_a_variation_and_the_new_main_line():
    tree = tree_of("h8 i9 j10")
    tree.back()
    tree.play(Move(0, 0))
    assert [child.move for child in tree.node.parent.children] == [(0, 0), (9, 9)]
    tree.back()
    tree.forward()
    assert tree.node.move == (0, 0)


def test_the_same_move_again_goes_along_what_was_played():
    tree = tree_of("h8 i9 j10")
    tree.back()
    tree.play(Move(9, 9))
    assert len(tree.node.parent.children) == 1


@pytest.mark.parametrize("move", [Move(7, 7), Move(15, 0), Move(-1, 3)])
def test_a_move_that_cannot_be_is_refused_and_changes_nothing(move):
    tree = tree_of("h8")
    with pytest.raises(ValueError, match="empty cell"):
        tree.play(move)
    assert tree.ply == 1
    assert not tree.node.children


def test_five_in_a_row_ends_the_game_and_is_shown():
    tree = tree_of(BLACK_FIVE)
    assert tree.ending == Ending("1-0", "five")
    assert tree.winning_line() == tuple(parse_moves("a1 b1 c1 d1 e1"))
    with pytest.raises(ValueError, match="over"):
        tree.play(Move(9, 9))


def test_a_taken_back_end_is_no_end():
    tree = tree_of(BLACK_FIVE)
    tree.back()
    assert tree.ending is None
    assert tree.winning_line() == ()
    tree.play(Move(9, 9))
    assert tree.ending is None


def test_six_do_not_win_by_the_standard_rule():
    tree = tree_of("a1 a5 b1 b5 c1 c5 e1 e5 f1 f5 d1", Rule.STANDARD)
    assert tree.ending is None


def test_a_foul_of_renju_loses():
    tree = tree_of("h8 a1 h9 a15 g10 o1 i10 o15 h10", Rule.RENJU)
    assert tree.ending == Ending("0-1", "foul", "double-three")


def test_a_full_board_is_a_draw():
    order = [(x, y) for y in range(5) for x in range(5)]
    rows = ["XXOXX", "OOXOO", "XXOXX", "OOXOO", "XXOXO"]
    signs = {(x, y): rows[y][x] for x, y in order}
    black = [c for c in order if signs[c] == "X"]
    white = [c for c in order if signs[c] == "O"]
    moves = [Move(*c) for pair in zip(black, white, strict=False) for c in pair]
    moves += [Move(*c) for c in black[len(white) :]]
    tree = GameTree(Game(Rule.FREESTYLE, 5, 5, moves=tuple(moves)))
    assert tree.ply == 25
    assert tree.ending == Ending("1/2-1/2", "full board")
    assert tree.ending.winner is None


def test_time_is_counted_by_side_on_the_way_to_here():
    tree = GameTree()
    for k, move in enumerate(parse_moves("h8 i9 j10")):
        tree.play(PlayedMove(move, seconds=1.0 + k))
    assert (tree.seconds(Side.BLACK), tree.seconds(Side.WHITE)) == (4.0, 2.0)
    tree.back(2)
    assert (tree.seconds(Side.BLACK), tree.seconds(Side.WHITE)) == (1.0, 0.0)
    assert (tree.moves_of(Side.BLACK), tree.moves_of(Side.WHITE)) == (1, 0)


def test_a_line_is_removed_with_all_that_follows():
    tree = tree_of("h8 i9 j10 k11")
    node = tree.node.parent
    tree.remove(node)
    assert tree.ply == 2
    assert not tree.node.children
    with pytest.raises(ValueError, match="root"):
        tree.remove(tree.root)


def test_a_record_comes_back_as_it_was():
    moves = tuple(PlayedMove(m, seconds=0.5) for m in parse_moves("h8 i9 j10"))
    record = GameRecord(
        Rule.RENJU, 15, 15, "Ann", "Bob", moves, "0-1", "time", date="2026-11-21"
    )
    game = Game(Rule.RENJU, moves=tuple(p.move for p in moves), record=record)
    tree = GameTree(game)
    assert tree.ending == Ending("0-1", "time")
    assert tree.record() == record
    assert from_psq(to_psq(tree.record())).result == "0-1"


def test_a_resigned_game_can_be_opened_again_but_a_five_cannot():
    tree = tree_of("h8 i9")
    tree.end(Ending.won_by(Side.WHITE, "resigned"))
    tree.reopen()
    assert tree.ending is None
    tree = tree_of(BLACK_FIVE)
    tree.reopen()
    assert tree.ending is not None


def test_a_set_up_position_has_no_record():
    tree = GameTree(Game(black=(Move(0, 0),), first=Side.WHITE))
    tree.play(Move(1, 1))
    assert tree.board.stone((1, 1)) is Side.WHITE
    assert tree.moves_of(Side.WHITE) == 1
    with pytest.raises(ValueError, match="begins with stones"):
        tree.record()
