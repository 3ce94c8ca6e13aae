"""Libraries of RenLib: made here byte by byte, as the format's description says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.read import (
    parse_games,
    read_bytes,
    read_games,
    read_positions,
)
from gomoku_brain.records.read_options import ReadError, ReadOptions
from gomoku_brain.records.renlib import game_of_lib
from gomoku_brain.records.sgf import to_sgf

HEAD = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
SIBLING, LEAF, OLD, MARK, COMMENT, NO_MOVE, MORE = 0x80, 0x40, 0x20, 0x10, 8, 2, 1
ROOT = bytes([0, 0])


def text(words):
    """A text as it stands in the file: ended by 0, padded to pairs."""
    raw = words.encode("utf-8") + b"\0"
    return raw + b"\0" * (len(raw) % 2)


def node(move, flags=0, words=""):
    x, y = (-1, 0) if move is None else parse_move(move)
    return bytes([16 * y + x + 1, flags | (COMMENT if words else 0)]) + (
        text(words) if words else b""
    )


def lines_of(data):
    """All lines of a library, as the reader of positions has them."""
    return read_bytes(data, "", ReadOptions(variations=True))


def moves_of(line):
    return " ".join(map(str, line.moves))


def written(tree):
    """A tree, {"h8": {"i8": {}, ..}}, as the bytes of its nodes."""
    data = b""
    for number, (move, following) in enumerate(tree.items(), 1):
        flags = SIBLING if number < len(tree) else 0
        flags |= 0 if following else LEAF
        data += node(move, flags) + written(following)
    return data


def test_every_line_is_read_the_first_moves_first():
    tree = {"h8": {"h9": {"i9": {}, "j9": {"a1": {}}}, "i8": {}}, "a15": {}}
    lines = lines_of(HEAD + ROOT + written(tree))
    assert list(map(moves_of, lines)) == ["h8 h9 i9", "h8 h9 j9 a1", "h8 i8", "a15"]
    (main,) = read_bytes(HEAD + ROOT + written(tree), "", ReadOptions())
    assert moves_of(main) == "h8 h9 i9"
    assert (main.rule, main.width, main.height) == (Rule.RENJU, 15, 15)


CELLS = st.builds(Move, st.integers(0, 14), st.integers(0, 14)).map(str)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=8, unique=True), min_size=1))
def test_any_lines_come_back(lines):
    tree = {}
    for line in lines:
        here = tree
        for move in line:
            here = here.setdefault(move, {})

    def leaves(tree, before):
        for move, following in tree.items():
            yield from (
                leaves(following, [*before, move])
                if following
                else ([" ".join([*before, move])])
            )

    read = lines_of(HEAD + ROOT + written(tree))
    assert list(map(moves_of, read)) == list(leaves(tree, []))


def test_comments_marks_and_texts_stand_at_their_nodes():
    data = HEAD + bytes([0, COMMENT]) + text("about it all")
    data += node("h8", 0, "one line\bmore\r\nlines")
    data += node("h9", MARK)
    data += bytes([0x79, MORE, 0, 1]) + text("A")  # a text on the board at i8
    data += bytes([0x7A, OLD | LEAF]) + b"old" + bytes([ord("!") | 0x80])
    (line,) = lines_of(data)
    assert [each.comment for each in [line, *line.mainline()]] == [
        "about it all",
        "one line\nmore\nlines",
        "",
        "",
        "old!",
    ]
    assert line.node_at(2).marks == {Move(7, 8): "MA"}
    assert line.node_at(2).labels == {Move(8, 7): "A"}


def test_points_that_are_no_moves_are_passed_over():
    data = HEAD + ROOT + node("h8") + node("a1", NO_MOVE | SIBLING | LEAF)
    (line,) = lines_of(data + node("h9", LEAF))
    assert moves_of(line) == "h8 h9"


def test_the_old_head_has_no_root_and_a_single_byte_may_be_left():
    data = HEAD[:9] + b"\0" + HEAD[10:] + node("h8", 0, "x") + node("h9") + b"\n"
    (line,) = lines_of(data)
    assert moves_of(line) == "h8 h9"


def test_a_pass_makes_a_position():
    moves = [node("h8"), node("i8"), node(None), node("j8", LEAF)]
    (line,) = lines_of(HEAD + ROOT + b"".join(moves))
    assert line.is_set_up
    assert (line.black_stones, line.white_stones) == ((Move(7, 7),), (Move(8, 7),))
    assert (line.first, line.moves) == (Side.WHITE, (Move(9, 7),))
    (line,) = lines_of(HEAD + ROOT + b"".join(moves[:3]))
    assert moves_of(line) == "h8 i8"


def test_a_long_line_and_a_wide_tree_need_no_recursion():
    every = [str(Move(k % 15, k // 15)) for k in range(225)]
    line = {}
    for move in reversed(every):
        line = {move: line}
    data = HEAD + ROOT + b"".join(node(move) for move in every)
    (read,) = lines_of(data)
    assert len(read.moves) == 225
    wide = {"h8": {move: {} for move in every if move != "h8"}}
    assert len(lines_of(HEAD + ROOT + written(wide))) == 224


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HEAD[:12], "the library ends within its head"),
        (HEAD, "the library has no move"),
        (HEAD[:8] + b"\x04\x00" + HEAD[10:], "a library of the version 4.0 is too new"),
        (HEAD + ROOT + b"\x70\x00", "node 2: 0x70 is no point of the board"),
        (HEAD + ROOT + node("h8") + node("h8"), "move 2, h8: the cell is occupied"),
    ],
)
def test_broken_libraries_are_reported_in_a_line(data, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        lines_of(data)
    with pytest.raises(ValueError, match=r"^no library of RenLib: the head is missing"):
        game_of_lib(b"")


@given(st.binary(max_size=200))
def test_no_bytes_do_worse_than_a_line(data):
    told = ""
    try:
        lines = lines_of(HEAD + data)
    except ReadError as error:
        told = str(error)
    assert told.count("\n") == 0
    assert told or lines


def test_files_of_games_may_be_libraries(tmp_path):
    path = tmp_path / "games.lib"
    path.write_bytes(HEAD + ROOT + written({"h8": {"h9": {}, "i9": {}}}))
    (game,) = read_games(path)
    assert moves_of(game) == "h8 h9"
    assert game.count_lines() == 2
    path.write_bytes(HEAD[:12])
    with pytest.raises(ValueError, match=r"games\.lib: the library ends"):
        read_games(path)


def test_a_library_as_a_tree_has_its_marks_and_labels():
    data = HEAD + bytes([0, COMMENT]) + text("about it all")
    data += node("h8", 0, "one") + node("h9", MARK)
    data += bytes([0x79, MORE | SIBLING | LEAF, 0, 1]) + text("A")  # a text at i8
    data += bytes([0x7A, NO_MOVE | MORE | LEAF, 0, 1]) + text("B")
    tree = game_of_lib(data)
    assert tree.notes == []
    assert tree.comment == "about it all"
    second = tree.variations[0].variations[0]
    assert second.marks == {Move(7, 8): "MA"}
    assert second.labels == {Move(8, 7): "A", Move(9, 7): "B"}
    (again,) = parse_games(to_sgf(tree))
    assert to_sgf(again) == to_sgf(tree)
    assert [n.comment for n in again.nodes()] == [n.comment for n in tree.nodes()]


def test_a_library_that_is_cut_is_noted():
    data = HEAD + ROOT + written({"h8": {"h9": {"i9": {}}, "i8": {}}})
    assert game_of_lib(data).notes == []
    assert "a part is lost" in game_of_lib(data[:-2]).notes[0]
    assert "a part is lost" in game_of_lib(data[:-4]).notes[0]
    heard = []
    read_bytes(data[:-2], "x.lib", ReadOptions(report=heard.append))
    assert [*map(str, heard)] == [
        "x.lib: the library ends within its tree: a part is lost"
    ]


def test_comments_of_one_library_have_one_encoding():
    words = "黑方必胜 白方 五子棋"
    data = HEAD + ROOT + node("h8", COMMENT)[:2]
    data += words.encode("gbk") + b"\0" * (2 - len(words.encode("gbk")) % 2)
    data += node("h9", LEAF)
    (line,) = lines_of(data)
    assert line.node_at(1).comment == words


def test_the_encoding_of_comments_may_be_named():
    words = "Ζάππας"  # of which nothing shows the encoding
    data = HEAD + ROOT + node("h8", COMMENT | LEAF)[:2]
    data += words.encode("cp1253") + b"\0" * 2
    (game,) = read_bytes(data, "x", ReadOptions(encoding="cp1253"))
    assert game.end().comment == words
    assert game_of_lib(data).end().comment != words
    with pytest.raises(ReadError, match="x: there is no encoding 'hex'"):
        read_bytes(data, "x", ReadOptions(encoding="hex"))


def test_reading_reports_and_can_be_stopped():
    data = HEAD + ROOT + b"\x78\xc0" * 50000
    heard = []
    game_of_lib(data, lambda done, whole: heard.append((done, whole)))
    assert len(heard) > 5
    assert all(done <= whole == len(data) for done, whole in heard)

    def stop(done, whole):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        game_of_lib(data, stop)


def test_a_library_is_renju_however_it_is_read(tmp_path):
    path = tmp_path / "games.lib"
    path.write_bytes(HEAD + ROOT + written({"h8": {"h9": {}}}))
    assert read_games(path)[0].rule is Rule.RENJU
    assert read_games(path, Rule.CARO)[0].rule is Rule.CARO
    assert read_positions([str(path)])[0].rule is Rule.RENJU


def test_comments_that_name_several_encodings_are_read():
    data = bytes([0x78, COMMENT]) + "CA[gbk] (; 白胜".encode("gbk") + bytes(1)
    data += bytes([0x79, LEAF | COMMENT]) + "CA[big5] (; 黑先勝".encode("big5")
    (line,) = lines_of(HEAD + data)
    assert [each.comment for each in line.mainline()] == [
        "CA[gbk] (; 白胜",
        "CA[big5] (; 黑先勝",
    ]
