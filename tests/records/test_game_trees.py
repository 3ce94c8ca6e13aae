"""Games of any file as trees; trees and boards as files."""

import pytest

import gomoku_brain
from gomoku_brain import (
    Board,
    Move,
    RecordTree,
    Rule,
    Side,
    parse_games,
    parse_trees,
    read_trees,
    record_of,
    to_json,
    to_psq,
    to_sgf,
    tree_of,
)
from gomoku_brain.records.game_trees import iterate_trees

LIBRARY = (
    b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x00\x08about it\x00\x00"
    b"\x78\x80\x79\x48good\x00\x00\x7a\x40"
)


def test_a_tree_becomes_a_record_and_a_file_of_any_form():
    tree = RecordTree(15, rule=Rule.RENJU)
    tree.set_text("PB", "one")
    node = tree.add_line("h8 i9 j8")
    node.comment = "calm"
    other = tree.variation("h8").add_variation("h9", comment="better")
    record = record_of(tree)
    assert [str(played.move) for played in record.moves] == ["h8", "i9", "j8"]
    assert (record.black, record.rule) == ("one", Rule.RENJU)
    assert record.moves[2].comment == "calm"
    assert [str(played.move) for played in record_of(other).moves] == ["h8", "h9"]
    assert parse_games(to_psq(tree))[0].moves[0].move == (7, 7)
    assert len(parse_games(to_psq(other))[0].moves) == 2
    assert parse_games(to_json(record))[0].black == "one"
    (again,) = parse_trees(to_sgf(tree))
    assert to_sgf(again) == to_sgf(tree) == to_sgf(other)
    assert again.count_lines() == 2
    assert to_sgf(tree).startswith(
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[one]\n;B[hh]"
    )


def test_a_record_becomes_a_tree():
    (record,) = parse_games("(;GM[4]SZ[15]PB[a]RU[renju];B[hh]C[x\ny];W[ii])")
    tree = tree_of(record)
    assert tree.text("PB") == "a"
    assert tree.variation("h8").comment == "x\ny"
    assert record_of(tree) == record


def test_a_board_is_written_as_it_is():
    board = Board.from_moves("h8 h9 j10", size=(15, 12), rule="renju")
    tree = tree_of(board)
    assert tree.moves() == []
    assert tree.end().moves() == [Move(7, 7), Move(7, 8), Move(9, 9)]
    assert tree.end().board() == board
    set_up = Board.from_stones(["h8", "a1", "b1"], ["a2"], turn="black", rule="caro")
    tree = tree_of(set_up)
    assert tree.board() == set_up
    assert tree.board().turn is Side.BLACK
    assert not tree.variations
    with pytest.raises(ValueError, match="are no opening"):
        record_of(tree)
    with pytest.raises(ValueError, match="walls"):
        to_sgf(Board.from_stones([], [], walls=["h8"]))
    passed = Board.from_moves("h8")
    passed.turn = "black"
    assert tree_of(passed).end().board().turn is Side.BLACK


def test_files_of_every_form_are_trees(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(
        "(;CA[gb2312]SZ[15]C[五子棋开局指南];B[hh](;W[ii])(;W[hi]))".encode("gbk")
    )
    (tree,) = read_trees(path)
    assert tree.comment == "五子棋开局指南"
    assert tree.text("CA") == "UTF-8"
    assert tree.count_lines() == 2
    path.write_bytes(LIBRARY)
    (tree,) = read_trees(path)
    assert (tree.comment, tree.rule) == ("about it", Rule.RENJU)
    assert tree.count_lines() == 2
    assert read_trees(path, rule=Rule.FREESTYLE)[0].rule is Rule.FREESTYLE
    (again,) = parse_trees(to_sgf(tree))
    assert again.comment == "about it"
    path.write_text("h8 h9\nh8 i9\n")
    assert len(read_trees(path, size=19)) == 2
    path.write_text("(;B[hh])(;B[hh];W[")
    with pytest.raises(ValueError, match=r"x: line 1: "):
        read_trees(path)
    errors = []
    assert len(read_trees(path, skip=errors.append)) == 1
    assert len(errors) == 1
    path.write_text("what")
    with pytest.raises(ValueError, match="not a move") as caught:
        read_trees(path)
    assert str(caught.value).count(str(path)) == 1


def test_reading_reports_its_progress_and_can_be_stopped(tmp_path):
    path = tmp_path / "x.sgf"
    path.write_text("(;SZ[15];B[hh];W[ii])\n" * 5000)
    heard = []
    trees = list(
        iterate_trees(path, watch=lambda done, whole: heard.append(done / whole))
    )
    assert len(trees) == 5000
    assert heard == sorted(heard)
    assert len(heard) >= 3

    def stop(done, whole):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read_trees(path, watch=stop)


def test_the_trees_are_public():
    assert gomoku_brain.RecordTree is RecordTree
    assert issubclass(RecordTree, gomoku_brain.GameNode)
