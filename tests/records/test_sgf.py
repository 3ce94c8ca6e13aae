"""SGF as others write and read it: sgfmill is the other here."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgfmill import sgf, sgf_grammar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode, point
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.read import parse_games, read_games, read_text
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.records.sgf import parse, to_sgf, write
from tests.records.games import (
    LINES,
    moves_of,
    records,
    records_of,
    same,
    trees,
    whole_tree,
)
from tests.sampled import sampled


def from_sgf(text, **options):
    return records_of(parse_games(text, **options))


def read(text, **options):
    """Read a text of one position or game for an analysis."""
    (game,) = read_text(text, "x", ReadOptions(**options))
    return game


GAME = GameRecord(
    Rule.RENJU,
    15,
    15,
    black="a]b\\c",
    white="Ž:白",
    moves=(
        PlayedMove(Move(7, 7), by_opening=True),
        PlayedMove(
            Move(0, 14), seconds=0.302, score=-12, win_in=-4, depth=9, nodes=20411
        ),
        PlayedMove(Move(14, 0), seconds=0.0, score=3, comment="two\nlines]"),
    ),
    result="0-1",
    reason="time",
    detail="killed: after 5 s",
    date="2026-11-21T00:12:54+02:00",
    id="17",
    extra={"opening": "D4", "pair": "9"},
)


def test_ours_reads_as_the_documents_say():
    assert re.sub(r"AP\[.*?\]", "", to_sgf(GAME)) == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[a\\]b\\\\c]PW[Ž:白]GN[17]DT[2026-11-21]"
        "RE[W+T]\n"
        "GC[opening: D4\npair: 9\nreason: time\ndetail: killed: after 5 s\n"
        "date: 2026-11-21T00:12:54+02:00]\n"
        ";B[hh]C[opening move]"
        ";W[ao]V[12]C[0.302 s, score -12, loss in 4, depth 9, 20411 nodes]"
        ";B[oa]V[3]C[0 s, score 3\ntwo\nlines\\]])\n"
    )
    assert from_sgf(to_sgf(GAME)) == [GAME]


def test_another_library_finds_the_same_game():
    game = sgf.Sgf_game.from_string(to_sgf(GAME))
    root = game.get_root()
    assert (root.get("GM"), root.get("SZ"), root.get("RU")) == (4, 15, "renju")
    assert game.get_player_name("b") == GAME.black
    assert game.get_player_name("w") == GAME.white
    assert game.get_winner() == "w"
    # sgfmill counts rows from the bottom
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert moves == [("b", (7, 7)), ("w", (0, 0)), ("b", (14, 14))]
    last = game.get_main_sequence()[-1]
    assert last.get("C") == "0 s, score 3\ntwo\nlines]"
    assert last.get("V") == 3


MICROSECONDS = st.none() | st.integers(0, 10**12).map(lambda us: us / 10**6)
COMMENTS = st.lists(LINES, max_size=3).map("\n".join) | st.just("score 4\n5 nodes")
KEYS = LINES.map(lambda key: key.replace(":", "").strip()).filter(
    lambda key: key and key not in ("reason", "detail", "date", "comment")
)
SIZES = st.tuples(st.integers(1, 52), st.integers(1, 52))
SGF_RECORDS = records(LINES, COMMENTS, MICROSECONDS, SIZES, KEYS)


@given(SGF_RECORDS)
@example(GameRecord(Rule.CARO, 5, 5, moves=(PlayedMove(Move(0, 0), comment="\n"),)))
@example(GameRecord(Rule.CARO, 5, 5, moves=(PlayedMove(Move(0, 0), comment="7 s"),)))
def test_sgf_returns_every_record(record):
    extra = {key: value for key, value in record.extra.items() if value}
    assert from_sgf(to_sgf(record)) == [replace(record, extra=extra)]


@given(SGF_RECORDS)
def test_ours_is_sgf_to_another_parser(record):
    (tree,) = sgf_grammar.parse_sgf_collection(to_sgf(record).encode())
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    moves = [props.get("BW"[i % 2])[0] for i, props in enumerate(nodes[1:])]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert [m.decode() for m in moves] == [
        letters[p.move.x] + letters[p.move.y] for p in record.moves
    ]


def test_a_board_without_letters_is_refused():
    with pytest.raises(ValueError, match="53x15"):
        to_sgf(GameRecord(Rule.FREESTYLE, 53, 15))


def test_the_main_line_is_the_first_variation_everywhere():
    text = (
        "(;GM[4]SZ[15];B[aa](;W[bb](;B[cc];W[dd])(;B[ee]))(;W[ff](;B[gg])(;B[hh])))"
        " then (;GM[4]SZ[15];B[oo])"
    )
    assert [*map(moves_of, parse_games(text))] == ["a1 b2 c3 d4", "o15"]
    assert [
        node.get_move()
        for node in sgf.Sgf_game.from_string(text).get_main_sequence()[1:]
    ] == [("b", (14, 0)), ("w", (13, 1)), ("b", (12, 2)), ("w", (11, 3))]


def test_a_file_of_c_gomoku_cli_is_read():
    text = """\
(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.21 00:12:54]RO[1.1]RU[4]SZ[15]PB[A]PW[B]RE[W+1]\
TE[White win by time forfeit]
;B[en]C[opening move];W[go]C[302ms];B[cn]C[0ms]
;W[hj]C[62ms])

(;FF[4]GM[4]GN[2]RU[0]SZ[20]RE[0]TE[Draw by adjudication];B[en])
"""
    first, second = from_sgf(text)
    assert (first.rule, first.width, first.black, first.white) == (4, 15, "A", "B")
    assert (first.result, first.reason) == ("0-1", "time")
    assert first.date == "2026-11-21T00:12:54"
    assert first.moves[:3] == (
        PlayedMove(Move(4, 13), by_opening=True),
        PlayedMove(Move(6, 14), seconds=0.302),
        PlayedMove(Move(2, 13), seconds=0.0),
    )
    assert first.extra["event"] == "A x B"
    assert (second.result, second.reason) == ("1/2-1/2", "adjudicated")
    assert (second.rule, second.width) == (Rule.FREESTYLE, 20)


@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ("0", Rule.FREESTYLE),
        ("9", Rule.CARO_EXACT),
        ("Caro exact", Rule.CARO_EXACT),
        ("CARO", Rule.CARO),
        ("RIF Renju", Rule.RENJU),
        ("Standard Gomoku", Rule.STANDARD),
        ("house rules", Rule.CARO),
    ],
)
def test_rules_are_reported_by_code_or_word(rules, rule):
    (record,) = from_sgf(f"(;GM[4]RU[{rules}];B[hh])", rule=Rule.CARO)
    assert record.rule is rule
    assert record.extra == ({"rules": rules} if rules == "house rules" else {})


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("B+5", ("1-0", "")),
        ("b+R", ("1-0", "resigned")),
        ("W+T", ("0-1", "time")),
        ("W+Time", ("0-1", "time")),
        ("0", ("1/2-1/2", "")),
        ("Draw", ("1/2-1/2", "")),
        ("Void", ("*", "")),
        ("?", ("*", "")),
        ("", ("*", "")),
    ],
)
def test_results_of_others(result, expected):
    (record,) = from_sgf(f"(;GM[4]RE[{result}];B[hh])")
    assert (record.result, record.reason) == expected


def test_a_five_on_the_board_states_what_the_file_does_not():
    text = "(;GM[4];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae])"
    (record,) = from_sgf(text)
    assert (record.result, record.reason) == ("1-0", "five")


def test_set_up_stones_are_the_start_position():
    game = read("(;GM[4]AB[hh][ii]AW[hi];W[aa])")
    assert (*game.black_stones, *game.white_stones) == ((7, 7), (8, 8), (7, 8))
    assert (game.first, game.moves) == (Side.WHITE, ((0, 0),))
    game = read("(;GM[4]AB[aa:ba]AW[ac:bc]PL[B])")
    assert game.board().ply == 4
    assert read("(;GM[4];AB[hh];PL[W];W[aa])").black_stones == ((7, 7),)


@pytest.mark.parametrize("corners", ["aa:bc", "bc:aa", "ac:ba", "ba:ac"])
def test_a_rectangle_of_set_up_stones_is_given_by_any_two_corners(corners):
    game = read(f"(;GM[4]SZ[15]AB[{corners}]PL[W])")
    assert sorted(game.black_stones) == [Move(x, y) for x in range(2) for y in range(3)]


@pytest.mark.parametrize("opening", ["", "AB[hh]PL[W]"])
def test_a_move_is_no_rectangle(opening):
    text = f"(;GM[4]SZ[15]{opening};{'W' if opening else 'B'}[aa:cc])"
    with pytest.raises(ValueError, match="line 1: 'aa:cc' is no point"):
        parse_games(text)


def test_old_and_odd_writing_is_understood():
    text = "(;GaMe[4]SiZe[15]; Black [hh] ;White[ii])"
    assert moves_of(read(text)) == "h8 i9"
    assert moves_of(read("(;GM[4];B[hh]W[ii];B[jj])")) == "h8 i9 j10"
    assert moves_of(read("(;;B[hh])", size=(9, 9))) == "h8"
    (record,) = from_sgf("(;GM[4]PB[a\\\nb\tc\\]]GC[free\r\nwords]C[root];B[hh]V[3.6])")
    assert record.black == "ab c]"
    assert record.extra == {"comment": "free\nwords", "C": "root"}
    assert record.moves[0].score == 4
    (record,) = from_sgf("(;GM[4]SZ[12:20];B[aA])".replace("aA", "lt"))
    assert (record.width, record.height) == (12, 20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[4];B\n;W[hh])", "line 1: B has no value"),
        ("(;GM[4]\n7;B[hh])", "line 2: 7 has no value"),
        ("(;GM[4]\n$;B[hh])", "line 2: '$' was not expected"),
        ("(;\nGM[1]HA[2]AB[dd][pp];W[hh])", "line 2: GM[1] is not our game"),
        ("(;GM[4]\nSZ[big])", "line 1: SZ[big] is no board"),
        ("(;GM[4]SZ[53])", "line 1: SZ[53] is no board"),
        ("(;GM[4]\n;B[h8x])", "line 2: 'h8x' is no point"),
        ("(;GM[4]SZ[15];B[hh]\n;W[st])", "line 2: move 2, s20: off the 15x15 board"),
        ("(;GM[4];B[hh]\n\n;W[hh])", "line 3: move 2, h8: the cell is occupied"),
    ],
)
def test_broken_files_are_refused_with_their_line(text, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        parse_games(text)
    with pytest.raises(ValueError, match="no game: SGF begins"):
        list(parse("nothing"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[4]\n;B[];W[aa])", "a side passes: a record has no passes"),
        ("(;GM[4]\n;B[hh];B[ii])", "black moves out of turn: in a record black begins"),
        ("(;GM[4];W[hh])", "white moves out of turn: in a record black begins"),
        ("(;GM[4]\nAB[aa][bb])", "the game begins with stones on the board: a record"),
        ("(;GM[4]\nAW[aa])", "the game begins with stones on the board: a record"),
        ("(;GM[4];B[hh]\n;AW[aa])", "stones are set up within the game: a record"),
    ],
)
def test_a_game_that_is_no_record_is_read_and_refused_as_one(text, message):
    (game,) = parse_games(text)
    assert same(whole_tree(to_sgf(game)), game)
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        game.record()


def test_long_collections_are_read_in_one_walk():
    games = [GAME] * 300
    assert from_sgf("".join(map(to_sgf, games))) == games


def test_variations_are_read_line_by_line_the_main_line_first():
    text = "(;GM[4];B[hh](;W[hi];B[ii](;W[aa])(;W[bb]))(;W[gg];B[ff])(;W[aa]))"
    lines = ["h8 h9 i9 a1", "h8 h9 i9 b2", "h8 g7 f6", "h8 a1"]
    games = read_text(text, "x", ReadOptions(variations=True))
    assert [*map(moves_of, games)] == lines
    (game,) = parse_games(text)
    ends = [line[-1] for line in game.lines()]
    assert [moves_of(game.cut(None, end)) for end in ends] == lines
    assert moves_of(game) == lines[0]


def test_a_move_in_the_root_has_a_node_of_its_own():
    text = "(;SZ[15]B[ii]C[one]LB[aa:x]PB[Al](;W[jj])(;W[hh]))"
    game = whole_tree(text)
    assert (moves_of(game), game.black, game.comment) == ("i9 j10", "Al", "")
    node = game.variation("i9")
    assert (node.comment, node.labels) == ("one", {Move(0, 0): "x"})
    assert game.count_lines() == 2
    assert same(whole_tree(to_sgf(game)), game)
    assert game.record().moves[0].comment == "one"
    assert from_sgf("(;B[])")[0].moves == ()


def test_a_resigned_game_says_so():
    record = GameRecord(Rule.FREESTYLE, 15, 15, result="1-0", reason="resigned")
    assert "RE[B+R]" in to_sgf(record)
    assert from_sgf(to_sgf(record))[0].reason == "resigned"


def test_a_long_value_without_an_end_ends_at_once():
    words = "a line of words\n" * 2000
    (game,) = parse_games("(;GM[4];B[hh]C[" + words)
    assert game.end().comment == words.rstrip("\n") or game.end().comment == words


@pytest.mark.parametrize("told", ["9" * 400 + " s", "9" * 400 + "ms"])
def test_a_time_that_no_move_took_stays_a_comment(told):
    (game,) = parse_games(f"(;GM[4]SZ[15];B[hh]C[{told}])")
    node = game.end()
    assert (node.figures.seconds, node.comment) == (None, told)


# ----- Round trips -----


@given(trees())
def test_a_written_tree_reads_back_the_same(tree):
    text = write(tree)
    again = whole_tree(text)
    assert same(tree, again)
    assert write(again) == text


@sampled(50, 500)
def test_trees_with_every_property_come_back(count):
    """Every property of FF[4], and foreign ones, at random nodes of random trees."""
    known = (
        "KO MN AB AE AW PL C DM GB GW HO N UC V BM DO IT TE AR CR DD LB LN MA SL SQ TR"
        " AP CA FF GM ST AN BR BT CP DT EV GN GC ON OT PB PC PW RE RO RU SO TM US WR WT"
        " BL OB OW WL FG PM VW HA KM TB TW 5A SW XX ZZ9"
    ).split()
    rng = random.Random(39)
    for _ in range(count):
        tree = Game(19)
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
        assert same(tree, whole_tree(write(tree)))


def test_what_was_read_is_written_as_it_stood():
    text = (
        "(;GM[1]FF[4]CA[UTF-8]SZ[15]BR[3d*]US[me]C[root\\\nsoft \\] \\: end]"
        "LB[hh:a\\:b]"
        ";5A[gg][hh]B[hh]TR[aa][bb:cc]XY[\\q];;C[no move];W[](;B[ii]N[1])(;B[jj]))\n"
    )
    tree = whole_tree(text)
    assert same(whole_tree(write(tree)), tree)
    for piece in ("BR[3d*]", "C[root\\\nsoft \\] \\: end]", "5A[gg][hh]", "XY[\\q]"):
        assert piece in write(tree)
    assert tree.comment == "rootsoft ] : end"
    assert tree.labels == {Move(7, 7): "a:b"}
    assert "DT" not in write(tree)  # nothing is invented


# ----- Content of people's files -----


def test_a_board_has_what_was_set_up_and_played():
    tree = whole_tree("(;SZ[9]AB[aa:ba]AW[cc]PL[W];W[dd];AE[aa];B[ee];W[];W[ff])")
    board = tree.end().board()
    assert board.stone((0, 0)) is None
    assert board.stone((1, 0)) is Side.BLACK
    assert board.stone((5, 5)) is Side.WHITE
    assert board.turn is Side.BLACK


@pytest.mark.parametrize("kind", ["1", "2", "5", "11"])
def test_another_game_number_is_read_and_noted(kind):
    heard = []
    text = f"(;GM[{kind}]CA[gb2312]SZ[15];B[hh];W[ig];B[ii])"
    (game,) = read_text(text, "x", ReadOptions(report=heard.append))
    assert len(game.moves) == 3
    assert [*map(str, heard)] == [f"x: GM[{kind}] is read as a game of five in a row"]
    assert f"GM[{kind}]" in write(whole_tree(text))


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
    tree = whole_tree(text)
    assert tree.comment == "[a] b] c [d] e"
    assert same(whole_tree(write(tree)), tree)


def test_lower_case_is_read():
    (game,) = from_sgf("(;ff[4]gm[4]sz[15];b[hh];w[ii])")
    assert len(game.moves) == 2
    assert game.width == 15


def test_a_shaped_opening_is_played_once():
    text = "(;GM[4]SZ[15];QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii])"
    tree = whole_tree(text)
    assert moves_of(tree) == "h8 h7 j6 i7 g7 i9"
    assert same(whole_tree(write(tree)), tree)
    assert "QPR[hh,hg,jf]" in write(tree)


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
    game = read("(;GM[4]SZ[15];B[hh];W[];B[ii];W[jj])")
    assert game.black_stones == (Move(7, 7),)
    assert game.moves == (Move(8, 8), Move(9, 9))
    assert game.first is Side.BLACK


def test_white_may_begin():
    game = read("(;GM[4]SZ[15];W[hh];B[ii])")
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
        read(text)


def test_one_bad_game_is_named_and_the_others_are_read():
    text = "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W[hh])\n(;GM[4]SZ[15];B[ii"
    text += "\n(;GM[4]SZ[15];B[jj])"
    heard = []
    games = read_text(text, "x", ReadOptions(errors="games", report=heard.append))
    assert [str(game.moves[0]) for game in games] == ["h8", "j10"]
    assert [str(error).split(":")[1] for error in heard] == ["2", "3"]
    skipped = []
    assert len(parse_games(text, errors="skip", report=skipped.append)) == 2
    assert len(skipped) == 2
    with pytest.raises(ValueError, match="line 2"):
        from_sgf(text)


@pytest.mark.parametrize(
    "name", ["RIF", "Taraguchi-10", "Soosorv-8", "Soosõrv-8", "Yamaguchi", "renju"]
)
def test_opening_rules_of_renju_are_renju(name):
    heard = []
    (game,) = read_text(f"(;RU[{name}];B[hh])", "x", ReadOptions(report=heard.append))
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
    position = read("(;SZ[15];B[hh]C[5 s\none];C[two]TR[aa];W[ii])")
    node = position.node_at(1)
    assert (node.comment, node.figures.seconds) == ("one\ntwo", 5)
    assert node.marks == {Move(0, 0): "TR"}


def test_reading_reports_and_can_be_stopped():
    text = "(;SZ[19]" + ";C[x]" * 30000 + ")"
    heard = []
    list(parse(text, lambda done, whole: heard.append(done / whole)))
    assert heard == sorted(heard)
    assert len(heard) > 5

    def stop(done, whole):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(parse(text, stop))


def test_a_deep_tree_needs_no_deep_stack():
    text = "(;SZ[15]" + "(;B[hh]" * 5000 + ")" * 5000 + ")"
    tree = whole_tree(text)
    assert same(whole_tree(write(tree)), tree)
    assert tree.copy().count_lines() == tree.count_lines() == 1


def test_several_trees_are_a_collection():
    texts = ["(;SZ[15];B[hh])\n", "(;SZ[9];B[aa])\n"]
    games = parse_games("".join(texts))
    assert write(*games).replace("]\n;", "];") == "".join(texts)
    assert point(Move(0, 25)) == "az"
    assert isinstance(games[0].end(), GameNode)


def test_a_bad_variation_does_not_hide_the_others():
    text = "(;GM[4]SZ[15];B[hh](;W[ii];B[jj])(;W[hh];B[aa])(;W[hh];B[bb])(;W[gg]))"
    bad = []
    options = ReadOptions(variations=True, errors="games", report=bad.append)
    games = read_text(text, "x", options)
    assert [len(game.moves) for game in games] == [3, 2]
    assert len(bad) == 1
    assert "move 2, h8: the cell is occupied" in str(bad[0])


def test_only_the_blanks_of_ascii_become_spaces():
    tree = whole_tree("(;SZ[15];B[hh]C[黑\u3000白\t黑])")
    assert tree.end().comment == "黑\u3000白 黑"


def test_a_foul_outweighs_the_result_that_is_stated():
    overline = "B[hh];W[aa];B[hg];W[ac];B[hi];W[ae];B[hj];W[ag];B[hl];W[ai];B[hk]"
    game = from_sgf(f"(;SZ[15]RU[renju]RE[B+];{overline})")[0]
    assert (game.result, game.reason) == ("0-1", "foul")


CUT = (
    "(;FF[4]GM[4]SZ[15]PB[白 a]C[a comment][two];B[hh]C[on\\]e];W[ii]AB[]"
    "(;B[jj];W[kk])(;B[ll]))"
)


def test_a_file_that_is_cut_anywhere_gives_what_is_there(tmp_path):
    (whole,) = parse_games(CUT)
    data = CUT.encode()
    path = tmp_path / "cut.sgf"
    counts = []
    for end in range(2, len(data)):
        path.write_bytes(data[:end])
        heard = []
        (game,) = read_games(path, report=heard.append)
        assert game.moves == whole.moves[: len(game.moves)]
        assert game.black in ("", whole.black)
        assert whole.comment.startswith(game.comment) or game.is_end
        assert any("the text ends within the game" in str(note) for note in heard)
        assert same(whole_tree(to_sgf(game)), game)
        counts.append(len(game.moves))
    assert counts == sorted(counts)
    assert {*counts} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("text", "moves", "note"),
    [
        ("My game:\n(;GM[4]SZ[15];B[hh];W[ii])", "h8 i9", ""),
        ("(;SZ[15];B[hh]\n-----\n;W[ii])\n----\n(this)", "h8 i9", ""),
        ("(SZ[15];B[hh];W[ii])", "h8 i9", "a ; is missing"),
        ("(B[hh];W[ii](B[jj])(B[kk]))", "h8 i9 j10", "a ; is missing"),
        ("(;SZ[15]AB[]AW[]AE[]PL[];B[hh];W[ii])", "h8 i9", ""),
        ("(;SZ[15];B[hh];W[ii](;B[jj])(;B[undefined];W[kk]))", "h8 i9 j10", "no point"),
    ],
)
def test_small_faults_cost_nothing_else(text, moves, note):
    heard = []
    (game,) = parse_games(text, report=heard.append)
    assert moves_of(game) == moves
    assert [note in str(each) for each in heard] == ([True] if note else [])
    assert same(whole_tree(to_sgf(game)), game)


def test_a_variation_with_no_point_is_kept_and_not_shown():
    text = "(;SZ[15];B[hh];W[ii](;B[jj])(;B[undefined];B[kk]))"
    (game,) = parse_games(text)
    assert to_sgf(game).replace("\n", "") == text
    assert game.make_regular() == 1
    assert [node.move for node in game.node_at(2).variations] == [Move(9, 9)]
