"""Whatever holds a position or a game becomes a Game, and errors name their place."""

import io
import json
import os
from pathlib import Path

import pytest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game_formats import (
    GameRecord,
    PlayedMove,
    to_json,
    to_psq,
    to_sgf,
)
from gomoku_brain.records.reader import (
    Game,
    ReadError,
    Setting,
    parse_size,
    read,
    read_text,
)
from tests.boards import problems
from tests.cases import POSITIONS

PICTURE = str(Board.from_moves("h8 h9 j10", size=15))


def one(text, **setting):
    (game,) = read_text(text, "text", Setting(**setting))
    return game


def test_moves_of_the_command_line_are_a_game():
    for words in (["h8 h9 j10"], ["h8", "h9", "j10"], ["7,7 7,8", "9,9"]):
        (game,) = read(words)
        assert game.board() == Board.from_moves("h8 h9 j10")
        assert game.moves == tuple(parse_moves("h8 h9 j10"))
        assert not game.set_up


def test_only_stones_and_white_to_begin_are_a_set_up():
    assert not Game().set_up
    assert not Game(moves=tuple(parse_moves("h8"))).set_up
    assert Game(first=Side.WHITE).set_up
    assert Game(walls=tuple(parse_moves("h8"))).set_up


def test_the_setting_wins_over_the_source():
    text = '{"moves": "h8 h9", "rule": "standard", "size": 15}'
    assert one(text).rule == Rule.STANDARD
    game = one(text, rule=Rule.RENJU, size=(20, 16))
    assert (game.rule, game.width, game.height) == (Rule.RENJU, 20, 16)
    assert one(PICTURE, side=Side.BLACK).board().turn == Side.BLACK


def test_moves_with_the_other_side_to_move_become_a_set_up():
    assert one("h8 h9", side=Side.BLACK).moves
    game = one("h8 h9", side=Side.WHITE)
    assert not game.moves
    assert game.board().turn == Side.WHITE
    assert game.board().stone((7, 8)) == Side.WHITE


def test_a_file_of_moves_holds_a_game_a_line(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("# two games\nh8 h9\n\n7,7 8,8 # a comment\n", encoding="utf-8")
    first, second = read([str(path)])
    assert first.name == f"{path}:2"
    assert second.moves == (Move(7, 7), Move(8, 8))


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("h8 h9"))
    assert read(["-"])[0].board().ply == 2


def test_a_game_longer_than_a_file_name_may_be_is_read():
    words = [f"{column}{row}" for row in range(1, 16) for column in "abcdefgh"]
    (game,) = read(words)
    assert len(game.moves) == 120
    (game,) = read([" ".join(words)])
    assert len(game.moves) == 120


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no such names there")
def test_a_pipe_is_read_by_its_name():
    """A shell's <(command), and /dev/stdin."""
    for words in (1, 2):
        names = []
        for _ in range(words):
            end, other = os.pipe()
            os.write(other, b"h8 h9")
            os.close(other)
            names.append(f"/dev/fd/{end}")
        games = read(names)
        for name in names:
            os.close(int(name.rpartition("/")[2]))
        assert [game.moves for game in games] == [((7, 7), (7, 8))] * words


@pytest.mark.parametrize(
    "coded",
    [
        "h8 h9".encode("utf-16"),
        "h8 h9".encode("utf-8-sig"),
        "h8 h9 # é".encode("latin-1"),
        "h8 h9 # é".encode(),
    ],
)
def test_standard_input_is_decoded_as_files_are(coded, monkeypatch, tmp_path):
    stdin = io.TextIOWrapper(io.BytesIO(coded), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    (game,) = read(["-"])
    assert game.moves == ((7, 7), (7, 8))
    path = tmp_path / "game.txt"
    path.write_bytes(coded)
    assert read([str(path)])[0].moves == game.moves


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("h8 h9\nh0\nh8 h8\nj10\n", ["text:1", "text:4"]),
        (
            '{"moves": "h8"}\n{"moves": "z9"}\n{broken\n7\n{"moves": "a1"}\n',
            ["text:1", "text:5"],
        ),
        ('{broken\n{"moves": "z9"}\n{"moves": "a1"}\n', ["text:3"]),
        (
            ".....\n" * 5 + "\n" + "..Q..\n" * 5 + "\n" + ".....\n" * 4 + "....X\n",
            ["text:1", "text:13"],
        ),
        (
            "START 15\nBOARD\n1,1,1\nDONE\nBOARD\n99,1,1\nDONE\nBOARD\n2,2,1\nDONE\n",
            ["text:2", "text:8"],
        ),
        (
            "".join(
                f"Piskvorky 15x15, 11:11, 0\n8,8,0\n{row}\na.zip\nb.zip\n-1\n"
                for row in ("8,9,0", "99,9,0", "7,7,0")
            ),
            ["text, game 1", "text, game 2"],
        ),
        (
            "(;SZ[15];B[hh];Q)(;B[ii])(;C[hi];B[ij])(;SZ[15];B[jj])",
            ["text, game 1", "text, game 2", "text, game 3"],
        ),
    ],
    ids=["moves", "json", "broken first", "pictures", "protocol", "psq", "sgf"],
)
def test_what_cannot_be_read_may_be_skipped(text, names):
    with pytest.raises(ReadError):
        read_text(text, "text")
    skipped = []
    games = read_text(text, "text", Setting(skip=skipped.append))
    assert [game.name for game in games] == names
    assert skipped
    assert all(str(error).startswith("text:") for error in skipped)


def test_json_that_is_nested_without_end_is_told():
    with pytest.raises(ReadError, match="nested"):
        read_text("[" * 100_000, "text")


def test_a_picture_is_read_with_and_without_coordinates():
    bare = "\n".join(line[3:] for line in PICTURE.split("\n")[1:])
    for text in (PICTURE, bare, bare.replace(" ", ""), "\n\n" + PICTURE + "\n"):
        assert one(text).board() == Board.from_moves("h8 h9 j10")


def test_pictures_are_divided_by_empty_lines():
    games = read_text(PICTURE + "\n\n" + PICTURE, "text")
    assert [game.name for game in games] == ["text:1", "text:18"]


def test_a_picture_may_have_any_stone_counts_and_walls():
    game = one(".....\n.XXX.\n.O#..\n.....\n.....", side=Side.BLACK)
    board = game.board()
    assert (board.width, board.turn, board.ply) == (5, Side.BLACK, 5)
    assert board.is_wall((2, 2))
    assert one(".....\n.XXX.\n.O#..\n.....\n.....").board().turn == Side.WHITE


def test_our_position_files_are_read_as_the_tests_read_them():
    for name in ("levels.jsonl", "tactics.jsonl"):
        games = read([str(POSITIONS / name)])
        known = problems(name)
        assert len(games) == len(known)
        for game, problem in zip(games, known, strict=True):
            assert game.board() == problem.board
            assert game.name in problem.name
            assert game.facts["expected"]


def test_json_with_stones_and_the_moves_that_placed_them_is_a_game():
    text = '{"black": [[7, 7]], "white": [[7, 8]], "moves": [[7, 7], [7, 8]]}'
    assert one(text) == Game(moves=(Move(7, 7), Move(7, 8)), name="text:1")


def test_a_text_is_read_as_a_single_word(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("h8 h9")
    assert read(str(path))[0].moves == read(["h8", "h9"])[0].moves
    assert read("h8 h9")[0].moves == read(["h8", "h9"])[0].moves
    for nothing in ([], "", ["", " "]):
        with pytest.raises(ReadError, match="nothing to read: name a file or moves"):
            read(nothing)


def test_json_says_who_is_to_move_after_moves_as_well():
    text = '{"moves": ["h8", "h9", "j10"], "side_to_move": "black"}'
    assert one(text).board().turn is Side.BLACK
    assert [str(move) for move in one(text).black] == ["h8", "j10"]
    text = '{"moves": ["h8", "h9"], "side_to_move": "black"}'
    assert not one(text).set_up  # as the moves have it: still a game


def test_json_may_have_moves_after_a_set_up():
    text = '{"black": ["h8"], "white": [], "side_to_move": "white", "moves": ["h9"]}'
    game = one(text)
    assert game.set_up
    assert game.first == Side.WHITE
    assert game.board().stone((7, 8)) == Side.WHITE


def test_json_comes_as_an_object_a_list_or_lines():
    row = {"moves": ["h8", "h9"], "id": "a"}
    texts = (
        json.dumps(row),
        json.dumps(row, indent=2),
        json.dumps([row], indent=2),
        json.dumps([[7, 7], [7, 8]]),
    )
    for text in texts:
        assert one(text).moves == (Move(7, 7), Move(7, 8))
    assert len(read_text(json.dumps(row) + "\n" + json.dumps(row) + "\n", "text")) == 2


def test_an_empty_json_list_has_no_position():
    with pytest.raises(ReadError, match="no position"):
        read_text("[]", "text")


def test_a_board_block_in_move_order_is_a_game():
    game = one("START 20\nINFO rule 1\nBOARD\n7,7,2\n7,8,1\n8,8,2\nDONE\n")
    assert (game.rule, game.width) == (Rule.STANDARD, 20)
    assert game.moves == (Move(7, 7), Move(7, 8), Move(8, 8))
    assert game.board().turn == Side.WHITE


def test_a_board_block_of_any_stones_is_a_set_up():
    board = one("BOARD\n7,7,1\n8,8,1\n9,9,2\n1,1,3\nDONE").board()
    assert board.stone((7, 7)) == board.turn == Side.BLACK
    assert board.stone((9, 9)) == Side.WHITE
    assert board.is_wall((1, 1))


RECORD = GameRecord(
    Rule.STANDARD,
    15,
    15,
    black="A",
    white="B",
    moves=tuple(PlayedMove(move, score=5) for move in parse_moves("h8 h9 j10")),
)


def test_records_of_games_keep_what_they_tell():
    for text in (to_json(RECORD), to_sgf(RECORD)):
        game = one(text)
        assert (game.rule, game.moves) == (Rule.STANDARD, tuple(parse_moves("h8h9j10")))
        assert game.record.moves[1].score == 5
        assert game.record.black == "A"
    psq = one(to_psq(RECORD), rule=Rule.STANDARD)
    assert psq.board() == Board.from_moves("h8 h9 j10", rule=Rule.STANDARD)
    header = '{"match": 1, "settings": {}}\n'
    assert one(header + to_json(RECORD)).record == RECORD


def test_sgf_may_set_up_any_stones_for_either_side():
    game = one("(;GM[4]SZ[15]PL[W]AB[aa:ca][hh]AW[ii];W[jj](;B[kk];W[ll])(;B[mm]))")
    assert game.black == tuple(parse_moves("a1 b1 c1 h8"))
    assert game.white == (Move(8, 8),)
    assert game.first == Side.WHITE
    assert game.moves == tuple(parse_moves("j10 k11 l12"))
    assert game.board(0).ply == 5
    assert one("(;GM[4]SZ[9:12]AB[aa][bb]AW[cc])").board().turn == Side.WHITE
    two = read_text("(;AB[aa])\n(;AB[bb];W[cc])", "text")
    assert [game.name for game in two] == ["text:1", "text:2"]


VARIATIONS = "(;GM[4];B[hh](;W[hi];B[ii])(;W[gg])) (;GM[4];B[aa])"


def test_variations_are_games_of_their_own_when_asked():
    games = read_text(VARIATIONS, "text")
    assert [(len(game.moves), game.others) for game in games] == [(3, 1), (1, 0)]
    games = read_text(VARIATIONS, "text", Setting(variations=True))
    assert [(game.name, len(game.moves), game.others) for game in games] == [
        ("text, game 1", 3, 0),
        ("text, game 1, line 2", 2, 0),
        ("text, game 2", 1, 0),
    ]
    setting = Setting(variations=True)
    text = "(;GM[4]AB[aa][bb]PL[W](;W[hi];B[ii])(;W[gg]))"
    assert [len(game.moves) for game in read_text(text, "text", setting)] == [2, 1]


def test_libraries_of_renlib_are_files_like_others(tmp_path):
    path = tmp_path / "a.lib"
    moves = bytes([0x78, 0x00, 0x79, 0x80, 0x01, 0x40, 0x7A, 0x40])
    path.write_bytes(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0" + moves)
    (game,) = read([str(path)])
    assert (game.rule, game.others) == (Rule.RENJU, 1)
    assert game.moves == tuple(parse_moves("h8 i8 a1"))
    setting = Setting(Rule.FREESTYLE, variations=True)
    first, second = read([str(path)], setting)
    assert (first.rule, first.moves) == (Rule.FREESTYLE, game.moves)
    assert second.moves == tuple(parse_moves("h8 j8"))
    passed = bytes([0x78, 0x00, 0x00, 0x00, 0x79, 0x40])  # white passes
    path.write_bytes(path.read_bytes()[:22] + passed)
    (game,) = read([str(path)])
    assert game.name == str(path)
    assert (game.black, game.moves) == ((Move(7, 7),), (Move(8, 7),))
    path.write_bytes(path.read_bytes()[:15])
    with pytest.raises(ReadError, match=r"a\.lib: the library ends within its head"):
        read([str(path)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text: no position and no game in it"),
        ("h8 h9\nh8 h0", "text:2: not a move: 'h0'"),
        ("h8 h8", "text:1: move 2: h8 is occupied"),
        ("h8 p1", "text:1: move 2: p1 is off the 15x15 board"),
        (PICTURE.replace("\n10", "\n11"), "text:1: row 10 of"),
        ("....\n....", "text:1: not a move"),
        ("Piskvorki 15x15, 11:11, 0\n8,8,0\n", "text:1: no head like "),
        ("piskvorky\n8,8,0\n", "text:1: no head like "),
        ("......\n.....\n", "text:1: row 2 has 5 cells, not 6"),
        ('{"moves": ["h8"]}\n{"moves": [', "text:2: broken JSON"),
        ('{"moves": [\n[7, 7],\n]}', "text:3: broken JSON"),
        ('{"id": 1}', 'text:1: neither "black" and "white" nor "moves" in it'),
        ('{"moves": ["h8", 7]}', 'text:1: "moves" has 7, not a cell'),
        ('{"moves": ["h8"], "rule": "go"}', "text:1: \"rule\" is 'go', not one of"),
        ('{"moves": ["h8"], "size": 3}', "text:1: board size 3x3 is not within"),
        ('{"black": [], "white": [], "turn": 1}', "text:1: the side to move is 1"),
        ("(;GM[4]SZ[15];B[hh];B[ii])", "text:1: B moves out of turn"),
        ("(;GM[4]SZ[15]\n;B[hh];W[hh])", "text:2: "),
        ("(;GM[4]SZ[15]\n;B[h", "text:2: "),
        ("(;AB[hh];W[ii];W[jj])", "text:1: a side moves twice in a row"),
        ("(;AB[h8])", "text:1: 'h8' is no point"),
        ("(;AB[hh]", "text:1: the text ends within a game"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,1\n8,8,1", "text:3: "),
        ("START 15\nBOARD\n7,7,4\nDONE", "text:3: not understood: '7,7,4'"),
        ("BOARD\n7,7,1", "text:1: this BOARD has no DONE"),
    ],
)
def test_an_error_names_file_and_line(text, message):
    with pytest.raises(ReadError) as error:
        read_text(text, "text")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_bad_move_are_told_apart():
    with pytest.raises(ReadError, match=r"there is no file games\.psq"):
        read(["games.psq"])
    with pytest.raises(ReadError, match=r"^not a move: 'x'"):
        read(["h9x"])


def test_sizes_are_one_number_or_two():
    assert parse_size("15") == (15, 15)
    assert parse_size("15x20") == (15, 20)
    for text in ("", "15x", "15x20x3", "-5", "a"):
        with pytest.raises(ValueError, match="not a size"):
            parse_size(text)


@pytest.mark.parametrize("text", ['{"a":' * 5000, "[" * 5000, '{"size": ' + "9" * 5000])
def test_json_beyond_what_python_reads_is_told_in_a_line(text):
    for several in (text, f"{text}\n{text}", f'{{"moves": "h8"}}\n{text}'):
        with pytest.raises(ReadError, match=r"^file:[^\n]*$"):
            [game.board() for game in read_text(several, "file")]


def test_a_position_that_is_set_up_keeps_the_head_of_its_game():
    text = "(;SZ[15]PB[Al]PW[Bo]RE[B+]C[root];W[hh];B[ii])"
    (game,) = read_text(text, "w.sgf")
    assert game.set_up
    assert game.head == {"PB": "Al", "PW": "Bo", "RE": "B+", "C": "root"}
