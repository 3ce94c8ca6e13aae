"""Trees of games: read, edited and written; what people's files hold stays in them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game_formats import from_sgf, lines_from_sgf, to_sgf
from gomoku_brain.records.reader import Setting, read_text
from gomoku_brain.records.record_tree import MARKS, GameNode, RecordTree, point
from gomoku_brain.records.sgf_trees import read_trees, write_tree, write_trees
from tests.sampled import sampled


def same(one, other):
    """Whether two trees say the same, node by node."""
    pairs = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if (a.side, a.move, a.properties) != (b.side, b.move, b.properties):
            return False
        if len(a.variations) != len(b.variations):
            return False
        pairs += zip(a.variations, b.variations, strict=True)
    return True


def tree_of(text):
    (tree,) = read_trees(text)
    return tree


def moves_of(tree):
    return " ".join(str(node.move) for node in tree.mainline() if node.move)


# ----- Round trips -----

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"))
NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=6).filter(
    lambda name: not name.isdigit() and name not in ("B", "W", "QPR", "QSLW")
)


@st.composite
def trees(draw):
    """A tree with every kind of property, built as a user builds one."""
    tree = RecordTree(draw(st.integers(5, 30)), draw(st.integers(5, 30)))
    tree.rule = draw(st.sampled_from([None, *Rule]))
    nodes = [tree]
    for _ in range(draw(st.integers(0, 12))):
        parent = draw(st.sampled_from(nodes))
        move = draw(st.none() | st.builds(Move, st.integers(0, 9), st.integers(0, 9)))
        nodes.append(parent.add_variation(move))
    for node in nodes:
        if draw(st.booleans()):
            node.comment = draw(WORDS)
        if draw(st.booleans()):
            node.set_label((3, 4), draw(WORDS))
            node.set_mark((5, 6), draw(st.sampled_from(MARKS)))
        for name in draw(st.lists(NAMES, max_size=3)):
            node.set_text(name, draw(WORDS))
    return tree


@given(trees())
def test_a_written_tree_reads_back_the_same(tree):
    text = write_tree(tree)
    if tree.properties.get("SZ") and "SZ" in text:
        (again,) = read_trees(text)
        assert same(tree, again)
        assert write_tree(again) == text


@sampled(100, 500)
def test_trees_with_every_property_come_back(count):
    """Every property of FF[4], and foreign ones, at random nodes of random trees."""
    known = (
        "KO MN AB AE AW PL C DM GB GW HO N UC V BM DO IT TE AR CR DD LB LN MA SL SQ TR"
        " AP CA FF GM ST AN BR BT CP DT EV GN GC ON OT PB PC PW RE RO RU SO TM US WR WT"
        " BL OB OW WL FG PM VW HA KM TB TW 5A SW XX ZZ9"
    ).split()
    rng = random.Random(39)
    for _ in range(count):
        tree = RecordTree(19)
        nodes = [tree]
        for _ in range(rng.randrange(1, 30)):
            cell = Move(rng.randrange(19), rng.randrange(19))
            nodes.append(rng.choice(nodes).add_variation(cell))
        for name in known:
            node = rng.choice(nodes)
            signs = "ab]\\:[;()\n é七 "
            count = rng.choice((1, 1, 3))
            values = ["".join(rng.choices(signs, k=9)) for _ in range(count)]
            for value in values:
                node.set_text(name, value)
                node.properties[name] *= count
        (again,) = read_trees(write_tree(tree))
        assert same(tree, again)


def test_what_was_read_is_written_as_it_stood():
    text = (
        "(;GM[1]FF[4]CA[UTF-8]SZ[15]BR[3d*]US[me]C[root\\\nsoft \\] \\: end]"
        "LB[hh:a\\:b]"
        ";5A[gg][hh]B[hh]TR[aa][bb:cc]XY[\\q];;C[no move];W[](;B[ii]N[1])(;B[jj]))\n"
    )
    tree = tree_of(text)
    assert same(tree_of(write_tree(tree)), tree)
    for piece in ("BR[3d*]", "C[root\\\nsoft \\] \\: end]", "5A[gg][hh]", "XY[\\q]"):
        assert piece in write_tree(tree)
    assert tree.comment == "rootsoft ] : end"
    assert tree.labels == {Move(7, 7): "a:b"}
    assert "DT" not in write_tree(tree)  # nothing is invented


# ----- Editing -----


def test_a_tree_is_edited_as_users_of_python_chess_know_it():
    tree = RecordTree(15, rule=Rule.RENJU)
    end = tree.add_line("h8 i9 j8")
    end.comment = "calm"
    better = tree.variation("h8").add_variation("h9", comment="better")
    assert (better.side, better.ply, better.turn) == (Side.WHITE, 2, Side.BLACK)
    assert better.parent.variations == [end.parent, better]
    better.parent.promote_to_main("h9")
    assert better.is_main_line
    assert not end.is_main_line
    better.parent.demote(better)
    assert [node.move for node in tree.mainline()] == [
        Move(7, 7),
        Move(8, 8),
        Move(9, 7),
    ]
    assert end.board().moves == ((7, 7), (8, 8), (9, 7))
    assert end.root() is tree
    assert tree.count_lines() == 2
    tree.variation(0).remove_variation("h9")
    assert tree.count_lines() == 1
    with pytest.raises(KeyError):
        tree.variation("a1")
    with pytest.raises(ValueError, match="taken out"):
        better.root()


def test_labels_and_marks_are_set_and_taken_away():
    node = RecordTree()
    node.set_label("h8", "A]")
    node.set_mark("h8", "TR")
    node.set_mark("h8", "CR")
    assert node.labels == {Move(7, 7): "A]"}
    assert node.marks == {Move(7, 7): "CR"}
    node.set_label("h8", "")
    node.set_mark("h8", "")
    assert node.properties == {}
    with pytest.raises(ValueError, match="no mark"):
        node.set_mark("h8", "QQ")


def test_a_board_has_what_was_set_up_and_played():
    tree = tree_of("(;SZ[9]AB[aa:ba]AW[cc]PL[W];W[dd];AE[aa];B[ee];W[];W[ff])")
    board = tree.end().board()
    assert board.stone((0, 0)) is None
    assert board.stone((1, 0)) is Side.BLACK
    assert board.stone((5, 5)) is Side.WHITE
    assert board.turn is Side.BLACK


# ----- What people's files hold -----


@pytest.mark.parametrize("kind", ["1", "2", "5", "11"])
def test_another_game_number_is_read_and_noted(kind):
    heard = []
    text = f"(;GM[{kind}]CA[gb2312]SZ[15];B[hh];W[ig];B[ii])"
    (game,) = read_text(text, "x", Setting(on_note=heard.append))
    assert len(game.moves) == 3
    assert heard == [f"x: GM[{kind}] is read as a game of five in a row"]
    assert f"GM[{kind}]" in write_tree(tree_of(text))


def test_property_names_with_digits_are_kept():
    (game,) = from_sgf("(;GM[4]SZ[15]5A[gg][hh];B[hh])")
    assert game.extra == {"5A": "gg hh"}
    assert from_sgf(to_sgf(game)) == [game]


def test_brackets_in_a_value_need_no_escape_where_they_are_clear():
    text = (
        "(;US[x]5A[]PW[[team] one]PB[[a][b] two]SZ[15];B[hh];W[hi])59\n(;SZ[15];B[aa])"
    )
    first, second = from_sgf(text)
    assert (first.white, first.black) == ("[team] one", "[a][b] two")
    assert len(first.moves) == 2
    assert len(second.moves) == 1


def test_a_mended_value_comes_back_as_it_was():
    text = r"(;SZ[15]C[[a] b\] c [d\] e];B[hh])"
    tree = tree_of(text)
    assert tree.comment == "[a] b] c [d] e"
    assert same(tree_of(write_tree(tree)), tree)


def test_lower_case_is_read():
    (game,) = from_sgf("(;ff[4]gm[4]sz[15];b[hh];w[ii])")
    assert len(game.moves) == 2
    assert game.width == 15


def test_a_shaped_opening_is_played_once():
    text = "(;GM[4]SZ[15];QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii])"
    tree = tree_of(text)
    assert moves_of(tree) == "h8 h7 j6 i7 g7 i9"
    assert same(tree_of(write_tree(tree)), tree)
    assert "QPR[hh,hg,jf]" in write_tree(tree)


@pytest.mark.parametrize(
    ("end", "result", "reason", "count"),
    [
        (";W[]", "*", "", 1),
        (";W[tt]", "*", "", 1),
        (";W[resign]", "1-0", "resigned", 1),
        (";W[ii];B[tt]", "*", "", 2),
    ],
)
def test_a_pass_or_a_resignation_ends_a_game(end, result, reason, count):
    (game,) = from_sgf(f"(;GM[4]SZ[15];B[hh]{end})")
    assert (game.result, game.reason, len(game.moves)) == (result, reason, count)


def test_a_pass_within_a_game_gives_a_position():
    (game,) = read_text("(;GM[4]SZ[15];B[hh];W[];B[ii];W[jj])", "x")
    assert game.black == (Move(7, 7),)
    assert game.moves == (Move(8, 8), Move(9, 9))
    assert game.first is Side.BLACK


def test_white_may_begin():
    (game,) = read_text("(;GM[4]SZ[15];W[hh];B[ii])", "x")
    assert game.first is Side.WHITE
    assert len(game.moves) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[1]SZ[19]HA[2]AB[dd][pp];W[dp])", "Go with a handicap"),
        ("(;GM[1]SZ[19]AB[dd][pp];W[dp])", "Go with a handicap"),
        ("(;GM[1]SZ[19];B[aa];W[ab];B[cc];W[ba];B[aa])", "occupied"),
        (
            "(;SZ[15];B[hh];W[];B[ii];W[];B[jj];W[];B[kk];W[];B[ll])",
            "pass all the time",
        ),
    ],
)
def test_what_cannot_be_a_game_of_ours_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        read_text(text, "x")


def test_one_bad_game_is_named_and_the_others_are_read():
    text = "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W[hh])\n(;GM[4]SZ[15];B[ii"
    text += "\n(;GM[4]SZ[15];B[jj])"
    heard = []
    games = read_text(text, "x", Setting(bad_game=heard.append))
    assert [str(game.moves[0]) for game in games] == ["h8", "j10"]
    assert [str(error).split(":")[1] for error in heard] == ["2", "3"]
    skipped = []
    assert len(from_sgf(text, skip=skipped.append)) == 2
    assert len(skipped) == 2
    with pytest.raises(ValueError, match="line 2"):
        from_sgf(text)


@pytest.mark.parametrize(
    "name", ["RIF", "Taraguchi-10", "Soosorv-8", "Soosõrv-8", "Yamaguchi", "renju"]
)
def test_opening_rules_of_renju_are_renju(name):
    heard = []
    (game,) = read_text(f"(;RU[{name}];B[hh])", "x", Setting(on_note=heard.append))
    assert game.rule is Rule.RENJU
    assert bool(heard) == (name != "renju")


@pytest.mark.parametrize("told", ["", "RE[W+]", "RE[?]", "RE[白胜]"])
def test_blacks_foul_ends_the_game(told):
    """h8 makes two open threes; under another rule it ends nothing."""
    cells = "hi aa hj ao ih oa jh oo hh".split()
    moves = "".join(f";{'BW'[i % 2]}[{cell}]" for i, cell in enumerate(cells))
    (game,) = from_sgf(f"(;RU[renju]SZ[15]{told}{moves})")
    assert (game.result, game.reason, game.detail) == ("0-1", "foul", "double three")
    (free,) = from_sgf(f"(;RU[freestyle]SZ[15]{moves})")
    assert (free.result, free.reason) == ("*", "")


def test_comments_without_a_move_stand_at_the_move_before():
    (game,) = from_sgf("(;SZ[15]C[before];B[hh]C[one];C[two];W[ii])")
    assert game.extra["C"] == "before"
    assert game.moves[0].comment == "one\ntwo"
    assert from_sgf(to_sgf(game)) == [game]


def test_reading_reports_and_can_be_stopped():
    text = "(;SZ[19]" + ";C[x]" * 30000 + ")"
    heard = []
    list(read_trees(text, watch=lambda done, whole: heard.append(done / whole)))
    assert heard == sorted(heard)
    assert len(heard) > 5

    def stop(done, whole):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(read_trees(text, watch=stop))


def test_a_deep_tree_needs_no_deep_stack():
    text = "(;SZ[15]" + "(;B[hh]" * 5000 + ")" * 5000 + ")"
    tree = tree_of(text)
    assert same(tree_of(write_tree(tree)), tree)
    assert lines_from_sgf("(;SZ[15](;B[hh](;W[ii]))(;B[aa]))")


def test_several_trees_are_a_collection():
    texts = ["(;SZ[15];B[hh])\n", "(;SZ[9];B[aa])\n"]
    trees = list(read_trees("".join(texts)))
    assert write_trees(trees).replace("]\n;", "];") == "".join(texts)
    assert point(Move(0, 25)) == "az"
    assert isinstance(trees[0].end(), GameNode)


def test_a_bad_variation_does_not_hide_the_others():
    text = "(;GM[4]SZ[15];B[hh](;W[ii];B[jj])(;W[hh];B[aa])(;W[hh];B[bb])(;W[gg]))"
    bad = []
    setting = Setting(variations=True, bad_game=bad.append)
    games = read_text(text, "x", setting)
    assert [len(game.moves) for game in games] == [3, 2]
    assert len(bad) == 1
    assert "move 2, h8: the cell is occupied" in str(bad[0])


def test_only_the_blanks_of_ascii_become_spaces():
    tree = tree_of("(;SZ[15];B[hh]C[黑\u3000白\t黑])")
    assert tree.end().comment == "黑\u3000白 黑"


def test_a_foul_outweighs_the_result_that_is_stated():
    overline = "B[hh];W[aa];B[hg];W[ac];B[hi];W[ae];B[hj];W[ag];B[hl];W[ai];B[hk]"
    game = from_sgf(f"(;SZ[15]RU[renju]RE[B+];{overline})")[0]
    assert (game.result, game.reason) == ("0-1", "foul")
