"""SGF as others write and read it: sgfmill is the other here."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgfmill import sgf, sgf_grammar

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_formats import (
    GameRecord,
    PlayedMove,
    from_sgf,
    lines_from_sgf,
    to_sgf,
    variations_from_sgf,
)
from tests.records.games import LINES, records

GAME = GameRecord(
    Rule.RENJU,
    15,
    15,
    black="a]b\\c",
    white="Ž:白",
    moves=(
        PlayedMove(Move(7, 7), by_opening=True),
        PlayedMove(Move(0, 14), 0.302, score=-12, win_in=-4, depth=9, nodes=20411),
        PlayedMove(Move(14, 0), 0.0, score=3, comment="two\nlines]"),
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


def moves_of(text, **defaults):
    (record,) = from_sgf(text, **defaults)
    return " ".join(str(played.move) for played in record.moves)


def test_the_main_line_is_the_first_variation_everywhere():
    text = (
        "(;GM[4]SZ[15];B[aa](;W[bb](;B[cc];W[dd])(;B[ee]))(;W[ff](;B[gg])(;B[hh])))"
        " then (;GM[4]SZ[15];B[oo])"
    )
    games = from_sgf(text)
    assert [[str(p.move) for p in game.moves] for game in games] == [
        ["a1", "b2", "c3", "d4"],
        ["o15"],
    ]
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
def test_rules_are_told_by_code_or_word(rules, rule):
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


def test_a_five_on_the_board_tells_what_the_file_does_not():
    text = "(;GM[4];B[aa];W[ba];B[ab];W[bb];B[ac];W[bc];B[ad];W[bd];B[ae])"
    (record,) = from_sgf(text)
    assert (record.result, record.reason) == ("1-0", "five")


def test_set_up_stones_are_an_opening():
    assert moves_of("(;GM[4]AB[hh][ii]AW[hi];W[aa])") == "h8 h9 i9 a1"
    assert moves_of("(;GM[4]AB[aa:ba]AW[ac:bc]PL[B])") == "a1 a3 b1 b3"
    (record,) = from_sgf("(;GM[4];AB[hh];PL[W];W[aa])")
    assert [played.by_opening for played in record.moves] == [True, False]


@pytest.mark.parametrize("corners", ["aa:bc", "bc:aa", "ac:ba", "ba:ac"])
def test_a_rectangle_of_set_up_stones_is_told_by_any_two_corners(corners):
    ((line,),) = lines_from_sgf(f"(;GM[4]SZ[15]AB[{corners}]PL[W])")
    assert sorted(line.black) == [Move(x, y) for x in range(2) for y in range(3)]


@pytest.mark.parametrize("opening", ["", "AB[hh]PL[W]"])
def test_a_move_is_no_rectangle(opening):
    with pytest.raises(ValueError, match="line 1: 'aa:cc' is no point"):
        lines_from_sgf(f"(;GM[4]SZ[15]{opening};{'W' if opening else 'B'}[aa:cc])")


def test_old_and_odd_writing_is_understood():
    assert moves_of("words (;GaMe[4]SiZe[15]; Black [hh] ;White[ii])") == "h8 i9"
    assert moves_of("(;GM[4];B[hh]W[ii];B[jj])") == "h8 i9 j10"
    assert moves_of("(;;B[hh])", size=9) == "h8"
    (record,) = from_sgf("(;GM[4]PB[a\\\nb\tc\\]]GC[free\r\nwords]C[root];B[hh]V[3.6])")
    assert record.black == "ab c]"
    assert record.extra == {"comment": "free\nwords", "C": "root"}
    assert record.moves[0].score == 4
    (record,) = from_sgf("(;GM[4]SZ[12:20];B[aA])".replace("aA", "lt"))
    assert (record.width, record.height) == (12, 20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "line 1: no game: SGF begins with (;"),
        ("(B[hh])", "line 1: a game tree begins with ;"),
        ("(;GM[4]\n;B[hh", "line 2: the value has no end ]"),
        ("(;GM[4]\n;B[hh]\n", "line 3: the text ends within a game"),
        ("(;GM[4];B\n;W[hh])", "line 1: B has no value"),
        ("(;GM[4]\n7;B[hh])", "line 2: 7 has no value"),
        ("(;GM[4]\n$;B[hh])", "line 2: '$' was not expected"),
        ("(;\nGM[1]HA[2]AB[dd][pp];W[hh])", "line 2: GM[1] is not our game"),
        ("(;GM[4]\nSZ[big])", "line 1: SZ[big] is no board"),
        ("(;GM[4]SZ[53])", "line 1: SZ[53] is no board"),
        ("(;GM[4]\n;B[];W[aa])", "line 2: a pass within the game"),
        ("(;GM[4]\n;B[h8x])", "line 2: 'h8x' is no point"),
        ("(;GM[4]\n;B[hh];B[ii])", "line 2: B moves out of turn"),
        ("(;GM[4];W[hh])", "line 1: W moves out of turn"),
        ("(;GM[4]SZ[15];B[hh]\n;W[st])", "line 2: move 2, s20: off the 15x15 board"),
        ("(;GM[4];B[hh]\n\n;W[hh])", "line 3: move 2, h8: the cell is occupied"),
        ("(;GM[4]\nAB[aa][bb])", "line 2: 2 black and 0 white stones are no opening"),
        ("(;GM[4]\nAW[aa])", "line 2: 0 black and 1 white stones are no opening"),
        ("(;GM[4];B[hh]\n;AW[aa])", "line 2: AW changes the board within the game"),
        ("(;GM[4]AB[aa]\nPL[B])", "line 2: PL[B], but it is the other's turn"),
    ],
)
def test_broken_files_are_told_with_their_line(text, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        from_sgf(text)


def test_long_collections_are_read_in_one_walk():
    games = [GAME] * 300
    assert from_sgf("".join(map(to_sgf, games))) == games


def lines_of(text):
    (lines,) = variations_from_sgf(text)
    return [" ".join(str(p.move) for p in line.moves) for line in lines]


def test_variations_are_read_line_by_line_the_main_line_first():
    text = "(;GM[4];B[hh](;W[hi];B[ii](;W[aa])(;W[bb]))(;W[gg];B[ff])(;W[aa]))"
    assert lines_of(text) == ["h8 h9 i9 a1", "h8 h9 i9 b2", "h8 g7 f6", "h8 a1"]
    (main,) = from_sgf(text)
    assert " ".join(str(p.move) for p in main.moves) == "h8 h9 i9 a1"


def test_variations_come_back_as_they_were_written():
    lines = ["h8 h9 i9 a1", "h8 h9 i9 b2 c3", "h8 g7 f6", "a1 a2"]
    main, *others = [
        GameRecord(
            Rule.FREESTYLE, 15, 15, moves=tuple(map(PlayedMove, parse_moves(line)))
        )
        for line in lines
    ]
    assert lines_of(to_sgf(main, others)) == lines


def test_a_resigned_game_says_so():
    record = GameRecord(Rule.FREESTYLE, 15, 15, result="1-0", reason="resigned")
    assert "RE[B+R]" in to_sgf(record)
    assert from_sgf(to_sgf(record))[0].reason == "resigned"


def test_a_long_value_without_an_end_is_refused_at_once():
    text = "(;GM[4];B[hh]C[" + "a line of words\n" * 2000
    with pytest.raises(ValueError, match="the value has no end"):
        from_sgf(text)


@pytest.mark.parametrize("told", ["9" * 400 + " s", "9" * 400 + "ms"])
def test_a_time_that_no_move_took_stays_a_comment(told):
    (played,) = from_sgf(f"(;GM[4]SZ[15];B[hh]C[{told}])")[0].moves
    assert (played.seconds, played.comment) == (None, told)
