"""Forms of other programs and servers: read as they are, or refused by their names."""

import json
import random

import pytest

from gomoku_brain.game.notation import Move, draw_board, parse_board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.read import (
    parse_games,
    read_bytes,
    read_games,
    read_positions,
    read_text,
)
from gomoku_brain.records.read_options import ReadError, ReadNote, ReadOptions
from tests.records.games import records_of

CONTEST = (
    "{[C5][Alpha 队 B][Beta W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];"
    "B(J,10);W(L,10)MARK[1];B(H,8)}"
)
PGN = """\
[Event "Friday"]
[Site "PlayX"]
[Date "2019.05.05"]
[Round "-"]
[Black "one"]
[White "two"]
[Result "1-0"]
[TimeControl "300"]

1. h8 i9 {a comment} 2. h9 i10
3. h10 1-0
"""
RIF = """\
<?xml version="1.0" encoding="UTF-8"?>
<database>
<players><player id="1" name="Ann" surname="Ant"/>
<player id="2" surname="Bee"/></players>
<rules><rule id="25" name="Taraguchi-10"/><rule id="3" name="gomoku freestyle"/></rules>
<tournaments><tournament id="7" name="Cup &amp; Co" year="2005"/></tournaments>
<openings><opening id="19" name="i5"/></openings>
<games>
<game id="4" tournament="7" round="8" rule="25" black="1" white="2" bresult="0.5"
 opening="19" alt="51" swap="R--R-"><move>h8 h9 i8</move><info>B=1245</info></game>
<game id="5" rule="25" black="1" white="2" bresult="1"><move>h8 h8</move></game>
<game id="6" rule="3" black="2" white="1" bresult="0"><move>a1 o15</move></game>
</games></database>
"""
OFFLINE = """\
<root><games><game><id>3</id><black>x</black><white>y</white><rule>renju</rule>
<winner>white</winner><board>h8 i9</board><creation_time>1</creation_time></game>
</games></root>
"""
SAV = "15\n15\n3\n7 8\n6 8\n0 14\n"
REC = "one.exe\ntwo.exe\n7,7,0\n8,7,12\n8,8,340\n0\n"


def games_of(text, **options):
    return read_text(text, "x", ReadOptions(**options))


def moves_of(game):
    return " ".join(map(str, game.moves))


def test_a_contest_record_is_read():
    (game,) = parse_games(CONTEST)
    assert game.moves == ((9, 5), (11, 5), (7, 7))
    assert (game.black, game.white) == ("Alpha 队", "Beta")
    assert (game.result, game.date) == ("1-0", "2017-07-29T14:00")
    assert game.extra == {"PC": "重庆", "event": "2017 CCGC"}
    assert game.node_at(2).comment == "MARK[1]"
    assert len(parse_games(CONTEST + "\n" + CONTEST)) == 2
    double = "{" + CONTEST.replace("[C5]", "{C5}")
    assert records_of(parse_games(double[1:])) == [game.record()]
    assert len(parse_games(CONTEST.encode().decode().replace("MARK[1]", ""))) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{[C6][A][B][先手胜][x];B(J,10);W(I,11);W(I,12)}", "Connect6"),
        ("#[AM][A][B][x][y][z]", "Amazons"),
        ("{[C5][A][B][x][y];W(J,10)}", "out of turn"),
        ("{[C5][A][B][x][y];B(J,16)}", "off the board"),
        ("{[C5][A][B][x][y];B(J,1);W(J,1)}", "occupied"),
        ("{[C5][A][B][x][y];Q}", "'Q}' is no move"),
    ],
)
def test_a_record_that_is_no_contest_game_of_ours_is_refused(text, message):
    with pytest.raises(ReadError, match=message):
        games_of(text)


def test_pgn_of_a_portal_is_read():
    first, second = games_of(PGN + "\n" + PGN.replace("1-0", "0-1"))
    assert moves_of(first) == "h8 i7 h7 i6 h6"
    assert (first.black, first.white, first.date) == ("one", "two", "2019-05-05")
    assert (first.result, second.result) == ("1-0", "0-1")
    assert first.extra == {"event": "Friday", "Site": "PlayX", "TimeControl": "300"}
    assert first.node_at(2).comment == "a comment"


def test_rows_count_as_the_user_states():
    (game,) = games_of(PGN, rows="top")
    assert moves_of(game) == "h8 i9 h9 i10 h10"
    (game,) = games_of("h8 i9", rows="bottom")
    assert moves_of(game) == "h8 i7"
    assert moves_of(games_of("h8 i9")[0]) == "h8 i9"
    with pytest.raises(ReadError, match="off the board of 15 rows"):
        games_of("h16", rows="bottom")


def test_games_that_end_on_the_board_show_the_meaning_of_a_result():
    """A portal that writes 1-0 for White, as chess does."""
    five = "1. h8 a1 2. h9 b1 3. h10 c1 4. h11 d1 5. h12"
    won = f'[Result "0-1"]\n\n{five} 0-1\n\n'
    heard = []
    games = games_of(won * 2 + '[Result "0-1"]\n\n1. h8 i9 0-1\n', report=heard.append)
    assert [game.result for game in games] == ["1-0"] * 3
    assert [*map(str, heard)] == ["x: 1-0 is read as a win of White, as the games show"]


def test_one_bad_game_of_a_portal_is_named():
    bad = []
    text = PGN + '\n[Event "b"]\n\n1. h8 h8 *\n\n' + PGN
    games = games_of(text, errors="games", report=bad.append)
    assert len(games) == 2
    assert [str(error) for error in bad] == ["x:13: move 2, h8: the cell is occupied"]
    with pytest.raises(ReadError, match="occupied"):
        games_of(text)


def test_chess_is_refused_by_its_name():
    with pytest.raises(ReadError, match="moves of chess"):
        games_of('[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 *\n')


def test_a_database_of_renjunet_is_read():
    bad = []
    first, last = games_of(RIF, errors="games", report=bad.append)
    assert moves_of(first) == "h8 h7 i8"
    assert (first.black, first.white) == ("Ann Ant", "Bee")
    assert (first.rule, first.result, first.date) == (Rule.RENJU, "1/2-1/2", "")
    assert first.extra == {
        "event": "Cup & Co 2005",
        "round": "8",
        "rules": "Taraguchi-10",
        "opening": "i5",
        "comment": "B=1245",
        "alt": "51",
        "swap": "R--R-",
    }
    assert last.rule is Rule.FREESTYLE
    assert moves_of(last) == "a15 o1"
    assert [*map(str, bad)] == ["x: game 5: move 2, h8: the cell is occupied"]


def test_a_database_of_renju_offline_is_read():
    (game,) = parse_games(OFFLINE)
    assert (game.black, game.white, game.result, game.id) == ("x", "y", "0-1", "3")
    assert game.rule is Rule.RENJU
    assert game.extra["creation_time"] == "1"


def test_a_broken_database_gives_the_games_before():
    bad = []
    games = games_of(
        RIF[: RIF.index('<game id="6"') + 30] + "></a>",
        errors="games",
        report=bad.append,
    )
    assert len(games) == 1
    assert "broken XML" in str(bad[-1])
    entity = '<!DOCTYPE a [<!ENTITY b "c">]><database><games/></database>'
    with pytest.raises(ReadError, match="DOCTYPE"):
        games_of(entity)


def test_files_of_yixin_board_are_read(tmp_path):
    (game,) = games_of(SAV)
    assert moves_of(game) == "i8 i7 o1"
    assert games_of("15\n15\n0\n")[0].moves == ()
    for text, message in [
        ("15\n15\n3\n7 8\n", "3 moves are announced"),
        ("30\n15\n1\n7 8\n", "no board"),
        ("15\n15\n1\n7 18\n", "off the"),
        ("15\n15\n2\n7 8\nx\n", "x:5: .x. is no"),
    ]:
        with pytest.raises(ReadError, match=message):
            games_of(text)
    path = tmp_path / "x.pos"
    path.write_bytes(bytes([3, 112, 97, 127]))
    (game,) = read_positions([str(path)])
    assert game.moves == (Move(7, 7), Move(6, 7), Move(8, 7))
    assert read_games(path)[0].board().ply == 3
    path.write_bytes(bytes([5, 112, 113, 111, 240, 114]))
    (game,) = read_positions([str(path)])
    assert game.black_stones == (Move(7, 7), Move(7, 6))
    assert game.moves == (Move(7, 9),)
    assert game.first is Side.BLACK
    (whole,) = read_games(path)
    assert whole.board() == game.board()
    with pytest.raises(ValueError, match="stones on the board"):
        whole.record()


def test_a_record_of_gomotur_is_read():
    (game,) = parse_games(REC)
    assert game.moves == ((7, 7), (8, 7), (8, 8))
    assert (game.black, game.white, game.width) == ("one.exe", "two.exe", 20)
    assert game.end().figures.seconds == 0.34
    with pytest.raises(ValueError, match="line 5: 'x y' is no move"):
        parse_games(REC.replace("8,8,340", "x y"))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("https://x.example/#/h8i9j10", "h8 i7 j6"),
        ("https://x.example/?p=h8-i9-j10&z=1", "h8 i7 j6"),
        ("H8I9&&&15&3", "h8 i7"),
        ("https://x.example/r.html#H8I9&&&11&3", "h8 i7"),
        ("H8I9\n{}{}", "h8 i7"),
    ],
)
def test_addresses_of_web_boards_are_read(text, moves):
    (game,) = games_of(text)
    assert moves_of(game) == moves
    (again,) = read_positions([text])
    assert moves_of(again) == moves


def test_stones_of_a_web_board_are_a_position():
    (game,) = games_of("H8{A15B15}{C15}")
    assert game.black_stones == (Move(0, 0), Move(1, 0))
    assert game.white_stones == (Move(2, 0),)
    assert game.first is Side.WHITE


def test_a_collection_of_puzzles_is_read():
    puzzles = {
        "defaultSettings": {"title": "t", "rule": 2, "size": 15},
        "puzzles": [
            {"comment": "a page of words"},
            {"stones": "H8I9", "side": 1, "level": 3},
            {"blackStones": "A15B15", "whiteStones": "C15", "side": 2, "rule": 1},
            {"stones": "H8I9", "side": 2},
            {"stones": "H8H8", "side": 1},
            {"stones": "A14", "side": 2, "size": 6},
            {"stones": "H8A0I8B1A0", "side": 1},
        ],
    }
    heard = []
    options = {"errors": "skip", "report": heard.append}
    first, second, third, small, passed = games_of(json.dumps(puzzles), **options)
    assert (moves_of(first), first.rule) == ("h8 i7", Rule.RENJU)
    assert (second.black_stones, second.first) == ((Move(0, 0), Move(1, 0)), Side.WHITE)
    assert second.rule is Rule.FREESTYLE
    assert third.first is Side.WHITE
    assert third.moves == ()
    assert (small.moves, small.width) == ((Move(0, 1),), 6)
    assert passed.black_stones == (Move(7, 7), Move(8, 7))
    assert passed.white_stones == (Move(1, 14),)
    (bad,) = (error for error in heard if isinstance(error, ReadError))
    (note,) = (note for note in heard if isinstance(note, ReadNote))
    assert str(note) == "x: 1 puzzles have no stones"
    assert "x, puzzle 5" in str(bad)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"%PDF-1.4", "PDF"),
        (b"PK\x03\x04aa", "a ZIP archive is not read: unpack it"),
        (b"\x04\x22\x4d\x18aa", "database of Rapfi"),
        (b"SQLite format 3\0", "SQLite"),
        (b"<html><body>x", "web page"),
        (b"<?xml version='1.0'?><feed/>", "XML of a kind other"),
        (b"ab\0\1cd", "binary file"),
    ],
)
def test_a_form_that_is_not_read_is_refused_by_its_name(data, message, tmp_path):
    with pytest.raises(ReadError, match=message):
        read_bytes(data, "x", ReadOptions())
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read_games(path)


def test_pictures_are_read_with_any_numbers():
    """The first row drawn is the top row, by whatever numbers."""
    stones = {(0, 0): "X", (3, 1): "O"}
    ours = draw_board(15, 15, stones)
    picture = parse_board(ours)
    letters, *rows = ours.splitlines()
    down = [f"{15 - y:2} {row.split(None, 1)[1]}" for y, row in enumerate(rows)]
    right = [f"{row.split(None, 1)[1]} {15 - y:2}" for y, row in enumerate(rows)]
    both = [f"{row} {15 - y}" for y, row in enumerate(down)]
    go = "A B C D E F G H J K L M N O P"
    for lines in (
        [letters, *down],
        [*down, letters],
        [letters, *both, letters],
        [*right, go],
        down,
    ):
        assert parse_board("\n".join(lines)) == picture
        assert games_of("\n".join(lines))[0].black_stones == (Move(0, 0),)
    drawn = "\n".join(rows).translate(str.maketrans("XO.", "●○┼"))
    assert parse_board(drawn) == picture
    with pytest.raises(ValueError, match="row 2 of the picture is numbered 13"):
        parse_board("\n".join([down[0], *down[2:], down[1]]))
    with pytest.raises(ValueError, match="numbered 15 and 14"):
        parse_board("\n".join([f"{both[0][:-2]}14", *both[1:]]))


def test_the_name_of_a_portal_game_names_its_rule():
    (game,) = parse_games("(;GM[5]SZ[15]GN[A-B(B) : RIF rule];B[hh];W[hg];)")
    assert game.rule is Rule.RENJU
    assert len(game.moves) == 2


def test_random_texts_of_the_forms_are_read_or_refused():
    """No text of these forms ends in anything but a result or one line of an error."""
    rng = random.Random(39)
    good = [CONTEST, PGN, RIF, OFFLINE, SAV, REC, "H8I9&A1&B1&15", "H8{A1}{B1}"]
    for _ in range(1500):
        text = rng.choice(good)
        for _ in range(rng.choice((1, 1, 2, 6))):
            at = rng.randrange(len(text) + 1)
            end = at + rng.choice((0, 1, 5, 50))
            other = rng.choice(good)
            begin = rng.randrange(len(other))
            text = text[:at] + other[begin : begin + rng.choice((0, 1, 9))] + text[end:]
        message = "x: .."
        try:
            for game in games_of(text):
                game.board()
        except ReadError as error:
            message = str(error)
        assert message.startswith("x")
        assert "\n" not in message


def test_variations_of_pgn_are_left_out():
    (game,) = games_of('[Event "x"]\n\n1. h8 i9 (1... h9 2. g7) 2. j10 k11 1-0')
    assert moves_of(game) == "h8 i7 j6 k5"  # rows from the bottom
    with pytest.raises(ReadError, match="no end"):
        games_of('[Event "x"]\n\n1. h8 (1. h9 1-0')


def test_a_pgn_states_its_result_in_words():
    (game,) = parse_games('[Event "x"]\n[Result "Black wins"]\n\n1. h8 i9')
    assert game.result == "1-0"


def test_a_contest_record_whose_team_looks_like_a_head():
    text = "{C5}[A][B][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(L,10)}"
    with pytest.raises(ReadError):
        games_of(text)


def test_xml_that_is_cut_gives_the_games_before_the_place():
    text = (
        '<?xml version="1.0"?><database><players><player id="1" name="A"/></players>'
        '<games><game id="7" black="1" bresult="1"><move>h8 h9 i8</move></game>'
        '<game id="8" black="1"><move>h8 i9</move><info>wo</info></game></games>'
        "</database>"
    )
    first = text.index("</game>") + len("</game>")
    for end in range(first, len(text) - 1):
        heard = []
        games = parse_games(text[:end], report=heard.append)
        assert games[0].result == "1-0"
        assert [game.black for game in games] == ["A"] * len(games)
        assert [*map(str, heard)] == ["the XML ends within a game or a table"]
    assert len(games) == 2


def test_a_line_of_json_that_is_cut_is_left_out_with_a_note():
    row = '{"rule": "renju", "width": 15, "height": 15, "moves": ["h8", "i9"]}'
    for end in range(1, len(row)):
        heard = []
        (game,) = parse_games(f"{row}\n{row[:end]}", report=heard.append)
        assert len(game.moves) == 2
        assert [*map(str, heard)] == ["the last line is not complete"]
    with pytest.raises(ReadError, match="line 2: broken JSON"):
        parse_games(f"{row}\n{row[:-1]}\n")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1. h8 i9 2. h9 i10 1-0", ["h8 i9 h10 1-0"]),
        ("1. h8 i9\n2. h9 i10\n1-0", ["h8 i9 h10 1-0"]),
        ("1. h8 h9\n2. h8 i9\n3. h8 j10", [""] * 3),
        ("h8 i9 0-1\nh8 j9 *", ["0-1", "*"]),
    ],
)
def test_moves_with_numbers_and_a_result(text, games):
    found = parse_games(text)
    assert len(found) == len(games)
    for game, words in zip(found, games, strict=True):
        assert game.result == (words.split() or ["*"])[-1]
        assert len(game.moves) == (4 if words.startswith("h8") else 2)
