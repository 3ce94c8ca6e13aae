from math import log

import pytest

from gomoku_brain.eval.chance import SCALE
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Verdict
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import parse_games
from gomoku_brain.records.sgf import write
from gomoku_brain.study.annotate import Value

BLACK_FIVE = "a1 a5 b1 b5 c1 c5 d1 d5 e1"


def tree_of(moves, rule=Rule.FREESTYLE, size=15):
    return GameTree(Game(size, rule, moves=moves))


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
    assert [child.move for child in tree.node.parent.variations] == [(0, 0), (9, 9)]
    tree.back()
    tree.forward()
    assert tree.node.move == (0, 0)


def test_the_same_move_again_goes_along_what_was_played():
    tree = tree_of("h8 i9 j10")
    tree.back()
    tree.play(Move(9, 9))
    assert len(tree.node.parent.variations) == 1


@pytest.mark.parametrize("move", [Move(7, 7), Move(15, 0), Move(-1, 3)])
def test_a_move_that_cannot_be_is_refused_and_changes_nothing(move):
    tree = tree_of("h8")
    with pytest.raises(ValueError, match="empty cell"):
        tree.play(move)
    assert tree.ply == 1
    assert not tree.node.variations


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
    tree = GameTree(Game(5, Rule.FREESTYLE, moves=tuple(moves)))
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
    assert not tree.node.variations
    with pytest.raises(ValueError, match="root"):
        tree.remove(tree.game)


def test_a_record_comes_back_as_it_was():
    moves = tuple(PlayedMove(m, seconds=0.5) for m in parse_moves("h8 i9 j10"))
    record = GameRecord(
        Rule.RENJU, 15, 15, "Ann", "Bob", moves, "0-1", "time", date="2026-11-21"
    )
    tree = GameTree(Game.from_record(record))
    assert tree.ending == Ending("0-1", "time")
    assert tree.record() == record
    assert parse_games(to_psq(tree.record()))[0].result == "0-1"


def test_a_set_up_position_has_no_record():
    tree = GameTree(Game(black_stones=(Move(0, 0),), first=Side.WHITE))
    tree.play(Move(1, 1))
    assert tree.board.stone((1, 1)) is Side.WHITE
    assert tree.moves_of(Side.WHITE) == 1
    with pytest.raises(ValueError, match="begins with stones"):
        tree.record()


class TestFinishedGame:
    @pytest.fixture
    def tree(self):
        made = tree_of("h8 i9 j10 k11")
        made.end(Ending.won_by(Side.WHITE, "resigned"))
        made.verdicts[made.node] = "judged"
        return made

    @pytest.mark.parametrize("ply", [0, 1, 2, 3])
    def test_a_stone_at_an_earlier_position_is_a_variation(self, tree, ply):
        end = tree.node
        tree.go_to(tree.at_ply(ply))
        for move in (Move(0, 0), Move(0, 1)):
            tree.play(move)
        assert tree.game.end() is end
        assert [str(move) for move in tree.game.moves] == ["h8", "i9", "j10", "k11"]
        assert tree.at_ply(ply).variations[-1].move == (0, 0)
        assert tree.game.result == "0-1"
        assert (tree.ending_at(end), tree.ending) == (Ending("0-1", "resigned"), None)
        assert tree.verdicts == {end: "judged"}

    def test_its_own_moves_are_gone_along(self, tree):
        tree.back(2)
        revision = tree.game.history.revision
        tree.play(Move(9, 9))
        assert tree.game.history.revision == revision
        assert tree.forward() == 1
        assert tree.ending == Ending("0-1", "resigned")

    def test_only_promote_changes_the_order(self, tree):
        tree.back(3)
        new = tree.play(Move(0, 0))
        tree.promote(new)
        assert tree.game.moves == (Move(7, 7), Move(0, 0))
        assert tree.game.result == "*"
        tree.undo()
        assert tree.game.result == "0-1"
        assert tree.game.moves[1] == Move(8, 8)

    def test_the_judgement_of_the_main_line_is_shown_beside_a_try(self, tree):
        line = tree.line()
        for node in line:
            tree.verdicts[node] = "judged"
        tree.back(2)
        tree.play(Move(0, 0))
        assert tree.judged_line() == line


CHANGES = {
    "move": lambda tree: tree.play(Move(0, 0)),
    "move, a new main line": lambda tree: tree.play(Move(0, 0)),
    "deletion": lambda tree: tree.remove(tree.node),
    "deletion of another line": lambda tree: tree.remove(other_line(tree)),
    "comment": lambda tree: setattr(tree.node, "comment", "why"),
    "comment removed": lambda tree: setattr(tree.game, "comment", ""),
    "label": lambda tree: tree.node.set_label("a1", "A"),
    "mark": lambda tree: tree.node.set_mark("h8", "TR"),
    "marks": lambda tree: tree.game.node_at(2).remove_marks(),
    "order": lambda tree: tree.promote(other_line(tree)),
    "name": lambda tree: setattr(tree.game, "white", "Bob"),
    "date": lambda tree: setattr(tree.game, "date", "2026-11-21"),
    "result": lambda tree: tree.game.set_result("0-1", "time", "3 s"),
    "result, an ending": lambda tree: tree.end(Ending("1-0", "resigned")),
    "position": lambda tree: tree.set_up(
        [Move(0, 0)], [Move(0, 1)], [Move(0, 2)], Side.WHITE
    ),
}
"""Changes by the names of their steps."""


def other_line(tree):
    return tree.game.variations[0].variations[1]


class TestHistory:
    @pytest.fixture
    def tree(self):
        (game,) = parse_games(
            "(;GM[4]SZ[15]PB[Ann]C[A lesson];B[hh](;W[ii]MA[aa]LB[bb:x];B[jj]C[5 s])"
            "(;W[gg];B[ff]))"
        )
        game.make_regular()
        tree = GameTree(game)
        game.history.clear()
        return tree

    @staticmethod
    def shape(tree):
        """Return everything that is shown and written, with the nodes themselves."""
        nodes = [(node, node.written(), node.variations) for node in tree.game.nodes()]
        content = [(node, dict(values), [*below]) for node, values, below in nodes]
        head = write(tree.game.cut(0)) if not tree.game.walls else tree.game.walls
        endings = [tree.ending_at(node) for node, *_ in content]
        return content, endings, head, tree.node, str(tree.board), tree.game.head

    @pytest.mark.parametrize("name", CHANGES)
    def test_a_change_is_undone_and_made_again_with_the_node_shown(self, tree, name):
        if name == "position":
            tree = GameTree(Game(9))
        if "main line" in name:
            tree.back(2)
        before = self.shape(tree)
        CHANGES[name](tree)
        after = self.shape(tree)
        assert after != before
        assert name.startswith(tree.game.history.undo_name)
        for _ in range(2):
            assert tree.undo()
            assert self.shape(tree) == before
            assert not tree.undo()
            assert tree.redo()
            assert self.shape(tree) == after
            assert not tree.redo()

    def test_an_undone_change_is_shown_at_its_place(self, tree):
        here = tree.node
        new = tree.play(Move(0, 0))
        tree.go_to(other_line(tree))
        tree.undo()
        assert tree.node is here
        tree.redo()
        assert tree.node.move == (6, 6), "where the change was undone"
        assert here.variations == [new]

    def test_many_changes_are_undone_one_by_one(self, tree):
        shapes = [self.shape(tree)]
        for cell in range(6):
            tree.play(Move(cell, 12))
            tree.node.comment = f"{cell}"
            tree.node.set_mark((cell, 12), "CR")
            shapes.append(self.shape(tree))
        tree.end(Ending("1-0", "time"))
        assert tree.undo()
        for shape in reversed(shapes[:-1]):
            for _ in range(3):
                assert tree.undo()
            assert self.shape(tree) == shape
        while tree.redo():
            pass
        assert tree.ending == Ending("1-0", "time")
        assert tree.game.result == "1-0"

    def test_facts_that_the_board_notes_are_not_undone(self, tree):
        tree.set_names("A", "B")
        tree.set_fact("puzzle", "3")
        tree.set_date("2026-11-21T10:00:00")
        assert not tree.undo()
        tree.node.comment = "new"
        tree.undo()
        assert (tree.name(Side.WHITE), tree.facts["puzzle"]) == ("B", "3")
        assert tree.game.date == "2026-11-21T10:00:00"


class TestDecidingMove:
    """The loser's largest blunder since the chance was even."""

    @pytest.mark.parametrize(
        ("afters", "reason", "found"),
        [  # black's chances after each move, in percent; even ones are white's
            ((50, 50, 20, 20, 15, 15), "resigned", 3),
            ((50, 50, 20, 60, 10, 10), "resigned", 5),
            ((50, 50, 20, 60, 55, 30), "resigned", None),
            ((50, 50, 20, 20, 10, 70), "time", None),
            ((55, 50, 45, 45, 40, 40), "time", None),
        ],
    )
    def test_it_is_named_only_if_it_is_clear(self, afters, reason, found):
        tree = GameTree(Game(moves="h8 a1 i9 a3 g7 a5"))
        tree.end(Ending("0-1", reason))
        before = 50
        for node, after in zip(tree.line(tree.game), afters, strict=True):
            own = 1 if node.side is Side.BLACK else -1
            loss = own * (before - after) / 100
            label = "blunder" if loss >= 0.2 else "good"
            value = Value(round(SCALE * own * log(after / (100 - after))))
            tree.verdicts[node] = Verdict(label, loss, (node.move,), value, value)
            before = after
        move = tree.deciding_move()
        assert (None if move is None else move.ply) == found
