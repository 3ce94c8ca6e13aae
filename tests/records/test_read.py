"""The one door: games and positions of any text, and errors that name their place."""

import io
import json
import os
from pathlib import Path

import pytest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.json_games import to_json
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import (
    iter_games,
    parse_games,
    read_bytes,
    read_games,
    read_positions,
    read_text,
)
from gomoku_brain.records.read_options import (
    ReadError,
    ReadNote,
    ReadOptions,
    parse_size,
)
from gomoku_brain.records.sgf import to_sgf
from tests.boards import problems
from tests.cases import POSITIONS
from tests.records.games import moves_of

PICTURE = str(Board.from_moves("h8 h9 j10", size=15))


def games_of(text, **options):
    return read_text(text, "text", ReadOptions(**options))


def one(text, **options):
    (game,) = games_of(text, **options)
    return game


def test_moves_of_the_command_line_are_a_game():
    for words in (["h8 h9 j10"], ["h8", "h9", "j10"], ["7,7 7,8", "9,9"]):
        (game,) = read_positions(words)
        assert game.board() == Board.from_moves("h8 h9 j10")
        assert game.moves == tuple(parse_moves("h8 h9 j10"))
        assert not game.is_set_up


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
    first, second = read_positions([str(path)])
    assert first.name == f"{path}:2"
    assert second.moves == (Move(7, 7), Move(8, 8))


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("h8 h9"))
    assert read_positions(["-"])[0].board().ply == 2


def test_a_game_longer_than_a_file_name_may_be_is_read():
    words = [f"{column}{row}" for row in range(1, 16) for column in "abcdefgh"]
    (game,) = read_positions(words)
    assert len(game.moves) == 120
    (game,) = read_positions([" ".join(words)])
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
        games = read_positions(names)
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
    (game,) = read_positions(["-"])
    assert game.moves == ((7, 7), (7, 8))
    path = tmp_path / "game.txt"
    path.write_bytes(coded)
    assert read_positions([str(path)])[0].moves == game.moves


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
        games_of(text)
    skipped = []
    games = games_of(text, errors="skip", report=skipped.append)
    assert [game.name for game in games] == names
    assert skipped
    assert all(str(error).startswith("text:") for error in skipped)


def test_json_that_is_nested_without_end_is_reported():
    with pytest.raises(ReadError, match="nested"):
        games_of("[" * 100_000)


def test_a_picture_is_read_with_and_without_coordinates():
    bare = "\n".join(line[3:] for line in PICTURE.split("\n")[1:])
    for text in (PICTURE, bare, bare.replace(" ", ""), "\n\n" + PICTURE + "\n"):
        assert one(text).board() == Board.from_moves("h8 h9 j10")


def test_pictures_are_divided_by_empty_lines():
    games = games_of(PICTURE + "\n\n" + PICTURE)
    assert [game.name for game in games] == ["text:1", "text:18"]


def test_a_picture_may_have_any_stone_counts_and_walls():
    game = one(".....\n.XXX.\n.O#..\n.....\n.....", side=Side.BLACK)
    board = game.board()
    assert (board.width, board.turn, board.ply) == (5, Side.BLACK, 5)
    assert board.is_wall((2, 2))
    assert one(".....\n.XXX.\n.O#..\n.....\n.....").board().turn == Side.WHITE


def test_our_position_files_are_read_as_the_tests_read_them():
    for name in ("levels.jsonl", "tactics.jsonl"):
        games = read_positions([str(POSITIONS / name)])
        known = problems(name)
        assert len(games) == len(known)
        for game, problem in zip(games, known, strict=True):
            assert game.board() == problem.board
            assert game.name in problem.name
            assert game.facts["expected"]


def test_json_with_stones_and_the_moves_that_placed_them_is_a_game():
    text = '{"black": [[7, 7]], "white": [[7, 8]], "moves": [[7, 7], [7, 8]]}'
    game = one(text)
    assert (game.moves, game.name) == ((Move(7, 7), Move(7, 8)), "text:1")
    assert not game.is_set_up


def test_a_text_is_read_as_a_single_word(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("h8 h9")
    assert read_positions(str(path))[0].moves == read_positions(["h8", "h9"])[0].moves
    assert read_positions("h8 h9")[0].moves == read_positions(["h8", "h9"])[0].moves
    for nothing in ([], "", ["", " "]):
        with pytest.raises(ReadError, match="nothing to read: name a file or moves"):
            read_positions(nothing)


def test_json_says_who_is_to_move_after_moves_as_well():
    text = '{"moves": ["h8", "h9", "j10"], "side_to_move": "black"}'
    assert one(text).board().turn is Side.BLACK
    assert [str(move) for move in one(text).black_stones] == ["h8", "j10"]
    text = '{"moves": ["h8", "h9"], "side_to_move": "black"}'
    assert not one(text).is_set_up  # as the moves have it: still a game


def test_json_may_have_moves_after_a_set_up():
    text = '{"black": ["h8"], "white": [], "side_to_move": "white", "moves": ["h9"]}'
    game = one(text)
    assert game.is_set_up
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
    assert len(games_of(json.dumps(row) + "\n" + json.dumps(row) + "\n")) == 2


def test_an_empty_json_list_has_no_position():
    with pytest.raises(ReadError, match="no position"):
        games_of("[]")


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
        assert game.node_at(2).figures.score == 5
        assert game.black == "A"
    psq = one(to_psq(RECORD), rule=Rule.STANDARD)
    assert psq.board() == Board.from_moves("h8 h9 j10", rule=Rule.STANDARD)
    header = '{"match": 1, "settings": {}}\n'
    assert one(header + to_json(RECORD)).record() == RECORD


def test_sgf_may_set_up_any_stones_for_either_side():
    game = one("(;GM[4]SZ[15]PL[W]AB[aa:ca][hh]AW[ii];W[jj](;B[kk];W[ll])(;B[mm]))")
    assert game.black_stones == tuple(parse_moves("a1 b1 c1 h8"))
    assert game.white_stones == (Move(8, 8),)
    assert game.first == Side.WHITE
    assert game.moves == tuple(parse_moves("j10 k11 l12"))
    assert game.board(0).ply == 5
    assert one("(;GM[4]SZ[9:12]AB[aa][bb]AW[cc])").board().turn == Side.WHITE
    two = games_of("(;AB[aa])\n(;AB[bb];W[cc])")
    assert [game.name for game in two] == ["text:1", "text:2"]


VARIATIONS = "(;GM[4];B[hh](;W[hi];B[ii])(;W[gg])) (;GM[4];B[aa])"


def test_variations_are_games_of_their_own_when_asked():
    games = games_of(VARIATIONS)
    assert [(len(game.moves), game.count_lines()) for game in games] == [(3, 2), (1, 1)]
    games = games_of(VARIATIONS, variations=True)
    assert [(game.name, len(game.moves), game.count_lines()) for game in games] == [
        ("text, game 1", 3, 1),
        ("text, game 1, line 2", 2, 1),
        ("text, game 2", 1, 1),
    ]
    text = "(;GM[4]AB[aa][bb]PL[W](;W[hi];B[ii])(;W[gg]))"
    assert [len(game.moves) for game in games_of(text, variations=True)] == [2, 1]


def test_libraries_of_renlib_are_files_like_others(tmp_path):
    path = tmp_path / "a.lib"
    moves = bytes([0x78, 0x00, 0x79, 0x80, 0x01, 0x40, 0x7A, 0x40])
    path.write_bytes(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0" + moves)
    (game,) = read_positions([str(path)])
    assert (game.rule, game.count_lines()) == (Rule.RENJU, 2)
    assert game.moves == tuple(parse_moves("h8 i8 a1"))
    options = ReadOptions(Rule.FREESTYLE, variations=True)
    first, second = read_positions([str(path)], options)
    assert (first.rule, first.moves) == (Rule.FREESTYLE, game.moves)
    assert second.moves == tuple(parse_moves("h8 j8"))
    passed = bytes([0x78, 0x00, 0x00, 0x00, 0x79, 0x40])  # white passes
    path.write_bytes(path.read_bytes()[:22] + passed)
    (game,) = read_positions([str(path)])
    assert game.name == str(path)
    assert (game.black_stones, game.moves) == ((Move(7, 7),), (Move(8, 7),))
    path.write_bytes(path.read_bytes()[:15])
    with pytest.raises(ReadError, match=r"a\.lib: the library ends within its head"):
        read_positions([str(path)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text: no position and no game in it"),
        ("h8 h9\nh8 h0", "text:2: not a move: 'h0'"),
        ("h8 h8\nh8 h0", "text:1: move 2, h8: the cell is occupied"),
        ("h8 p1", "text:1: move 2, p1: off the 15x15 board"),
        (PICTURE.replace("\n10", "\n11"), "text:1: row 10 of"),
        ("....\n....", "text:1: not a move"),
        ("Piskvorki 15x15, 11:11, 0\n8,8,0\n", "text:1: no head like "),
        ("piskvorky\n8,8,0\n", "text:1: no head like "),
        ("......\n.....\n", "text:1: row 2 has 5 cells, not 6"),
        ('{"moves": ["h8"]}\n{"moves": [}', "text:2: broken JSON"),
        ('{"moves": [\n[7, 7],\n]}', "text:3: broken JSON"),
        ('{"id": 1}', 'text:1: neither "black" and "white" nor "moves" in it'),
        ('{"moves": ["h8", 7]}', 'text:1: "moves" has 7, not a cell'),
        ('{"moves": ["h8"], "rule": "go"}', "text:1: \"rule\" is 'go', not one of"),
        ('{"moves": ["h8"], "size": 3}', "text:1: board size 3x3 is not within"),
        ('{"black": [], "white": [], "turn": 1}', "text:1: the side to move is 1"),
        ("(;GM[4]SZ[15];B[hh];B[ii])", "text:1: a side moves twice in a row"),
        ("(;GM[4]SZ[15]\n;B[hh];W[hh])", "text:2: "),
        ("(;GM[4]SZ[15]\n;B)", "text:2: B has no value"),
        ("(;AB[hh];W[ii];W[jj])", "text:1: a side moves twice in a row"),
        ("(;AB[h8])", "text:1: 'h8' is no point"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,1\n8,8,1", "text:3: "),
        ("START 15\nBOARD\n7,7,4\nDONE", "text:3: not understood: '7,7,4'"),
        ("BOARD\n7,7,1", "text:1: this BOARD has no DONE"),
    ],
)
def test_an_error_names_file_and_line(text, message):
    with pytest.raises(ReadError) as error:
        games_of(text)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_bad_move_are_distinguished():
    with pytest.raises(ReadError, match=r"there is no file games\.psq"):
        read_positions(["games.psq"])
    with pytest.raises(ReadError, match=r"^not a move: 'x'"):
        read_positions(["h9x"])


def test_sizes_are_one_number_or_two():
    assert parse_size("15") == (15, 15)
    assert parse_size("15x20") == (15, 20)
    for text in ("", "15x", "15x20x3", "-5", "a"):
        with pytest.raises(ValueError, match="not a size"):
            parse_size(text)


@pytest.mark.parametrize("text", ['{"a":' * 5000, "[" * 5000, '{"size": ' + "9" * 5000])
def test_json_beyond_what_python_reads_is_reported_in_a_line(text):
    for several in (text, f"{text}\n{text}", f'{{"moves": "h8"}}\n{text}'):
        with pytest.raises(ReadError, match=r"^file:[^\n]*$"):
            [game.board() for game in read_text(several, "file", ReadOptions())]


def test_a_position_that_is_set_up_keeps_the_head_of_its_game():
    text = "(;SZ[15]PB[Al]PW[Bo]RE[B+]C[root];W[hh];B[ii])"
    game = one(text)
    assert game.is_set_up
    assert (game.black, game.white, game.result) == ("Al", "Bo", "1-0")
    assert game.comment == "root"


# ----- Whole games -----

LIBRARY = (
    b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x00\x08about it\x00\x00"
    b"\x78\x80\x79\x48good\x00\x00\x7a\x40"
)


def test_games_are_read_whole(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(
        "(;CA[gb2312]SZ[15]C[五子棋开局指南];B[hh](;W[ii])(;W[hi]))".encode("gbk")
    )
    (game,) = read_games(path)
    assert game.comment == "五子棋开局指南"
    assert game.text("CA") == "UTF-8"
    assert game.count_lines() == 2
    path.write_bytes(LIBRARY)
    (game,) = read_games(path)
    assert (game.comment, game.rule) == ("about it", Rule.RENJU)
    assert game.count_lines() == 2
    assert read_games(path, rule="freestyle")[0].rule is Rule.FREESTYLE
    (again,) = parse_games(to_sgf(game))
    assert again.comment == "about it"
    path.write_text("what")
    with pytest.raises(ReadError, match="not a move") as caught:
        read_games(path)
    assert str(caught.value).count(str(path)) == 1


def test_pictures_and_positions_are_games_too():
    (game,) = parse_games(PICTURE)
    assert game.board() == Board.from_moves("h8 h9 j10")
    (game,) = parse_games('{"black": ["h8"], "white": [], "side_to_move": "white"}')
    assert (game.black_stones, game.first) == ((Move(7, 7),), Side.WHITE)
    (game,) = parse_games("gomoku:renju/15/h8i9")
    assert (game.rule, len(game.moves)) == (Rule.RENJU, 2)
    (game,) = parse_games("START 20\nINFO rule 1\nBOARD\n7,7,2\n7,8,1\nDONE\n")
    assert (game.rule, game.width) == (Rule.STANDARD, 20)
    (game,) = parse_games("h8 h9", rule=Rule.CARO, size=(20, 18))
    assert (game.rule, game.size) == (Rule.CARO, (20, 18))


def test_a_path_several_and_a_folder_are_read(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    first, second, third = tmp_path / "b.txt", tmp_path / "a.psq", inner / "c.sgf"
    first.write_text("h8 h9\nh8 i9")
    second.write_text(to_psq(RECORD))
    third.write_text("(;SZ[15];B[aa])")

    def names_of(source):
        return [game.name for game in read_games(source)]

    assert names_of(first) == names_of(str(first)) == [f"{first}:1", f"{first}:2"]
    assert names_of([str(third), second]) == [str(third), str(second)]
    assert names_of(path for path in [second]) == [str(second)]
    assert names_of(tmp_path) == [str(second), f"{first}:1", f"{first}:2", str(third)]
    assert names_of([inner, str(second)]) == [str(third), str(second)]
    with pytest.raises(FileNotFoundError):
        read_games([first, tmp_path / "none"])


def test_games_are_read_one_by_one(tmp_path):
    first, second = tmp_path / "a.sgf", tmp_path / "b.sgf"
    first.write_text("(;SZ[15];B[aa])(;SZ[15];B[bb])(;SZ[15];B)")
    games = iter_games([first, second])
    second.write_text("(;SZ[15];B[cc])")  # nothing was read yet
    assert next(games).moves == (Move(0, 0),)
    assert next(games).moves == (Move(1, 1),)
    with pytest.raises(ReadError, match=r"a\.sgf:1: B has no value"):
        next(games)
    skipped = []
    games = iter_games([first, second], errors="skip", report=skipped.append)
    assert [str(game.moves[0]) for game in games] == ["a1", "b2", "c3"]
    assert len(skipped) == 1


def test_the_encoding_may_be_named(tmp_path):
    path = tmp_path / "x.sgf"
    path.write_bytes("(;SZ[15]PB[中村茂];B[hh])".encode("cp932"))
    assert read_games(path, encoding="shift_jis")[0].black == "中村茂"
    options = ReadOptions(encoding="cp932")
    assert read_positions(path, options)[0].black == "中村茂"
    for wrong in ("hex", "no such"):
        with pytest.raises(ReadError, match=r"x\.sgf: there is no encoding"):
            read_games(path, encoding=wrong)


BROKEN = "(;SZ[15];B[hh];Q)(;B[ii])(;B[jj];W[jj])"


def test_errors_are_raised_or_reported(tmp_path):
    path = tmp_path / "x.sgf"
    path.write_text(BROKEN)
    with pytest.raises(ReadError, match=r"x\.sgf:1: Q has no value"):
        read_games(path)
    for errors in ("games", "skip"):
        heard = []
        (game,) = read_games(path, errors=errors, report=heard.append)
        assert game.moves == (Move(8, 8),)
        assert [str(error).partition(": ")[2] for error in heard] == [
            "Q has no value",
            "move 2, j10: the cell is occupied",
        ]
        assert all(isinstance(error, ReadError) for error in heard)
    path.write_text("(;SZ[15];B[hh];Q)")
    with pytest.raises(ReadError, match=r"x\.sgf:1: Q has no value"):
        read_games(path, errors="games", report=heard.append)
    with pytest.raises(ReadError, match="no position and no game"):
        read_games(path, errors="skip", report=heard.append)
    path.write_text("h8 h9\nh0\n")  # a text of lines is broken as a whole
    with pytest.raises(ReadError, match=":2: not a move: 'h0'"):
        read_games(path, errors="games", report=heard.append)
    assert len(read_games(path, errors="skip", report=heard.append)) == 1


def test_notes_and_errors_come_to_one_callback():
    heard = []
    text = "(;GM[1];B[hh])(;GM[1];B[ii])(;GM[4];B[hh];W[hh])"
    games = parse_games(text, errors="skip", report=heard.append)
    assert games[0].notes == ["GM[1] is read as a game of five in a row"]
    error, note = heard
    assert isinstance(error, ReadError)
    assert isinstance(note, ReadNote)
    assert str(note) == "GM[1] is read as a game of five in a row (2 games)"
    heard.clear()
    (game,) = read_bytes(b"(;PB[\xe9];B[hh])", "x", ReadOptions(report=heard.append))
    assert [*map(str, heard)] == ["x: no encoding is named: read as cp1252"]
    assert game.notes == ["no encoding is named: read as cp1252"]


def test_an_error_of_a_whole_text_is_reported_as_well():
    text = "BOARD\n7,7,1\nDONE\nBOARD\n7,7,4\nDONE\n"
    heard = []
    (game,) = parse_games(text, errors="skip", report=heard.append)
    assert game.board().ply == 1
    assert [*map(str, heard)] == ["line 5: not understood: '7,7,4'"]
    with pytest.raises(ReadError, match="line 5: not understood"):
        parse_games(text, errors="games")


def test_reading_reports_its_progress_and_can_be_stopped(tmp_path):
    path = tmp_path / "x.sgf"
    path.write_text("(;SZ[15];B[hh];W[ii])\n" * 5000)
    heard = []
    games = iter_games(path, progress=lambda done, whole: heard.append(done / whole))
    assert sum(1 for _ in games) == 5000
    assert heard == sorted(heard)
    assert len(heard) >= 3

    def stop(done, whole):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read_games(path, progress=stop)


def test_a_position_has_name_line_and_facts(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"moves": "h8", "id": "a", "expected": ["i9"]}\n{"moves": "h9"}\n')
    first, second = read_positions(path)
    assert (first.name, first.facts) == ("a", {"id": "a", "expected": ["i9"]})
    assert (second.name, second.facts) == (f"{path}:2", {})
    games = games_of("(;GM[4];B[hh](;W[hi])(;W[gg]))", variations=True)
    assert [(game.name, game.line) for game in games] == [
        ("text", 1),
        ("text, line 2", 2),
    ]
    paths = [tmp_path / "y.txt", str(path)]
    paths[0].write_text("a1")
    assert [game.name for game in read_positions(paths)] == [
        f"{paths[0]}:1",
        "a",
        f"{path}:2",
    ]


@pytest.mark.parametrize(
    ("text", "moves", "words"),
    [
        ("(;GM[4];B[hh];W[hi]\n(;GM[4]PB[C];B[aa])", "h8 h9", "a ) is missing"),
        ("(;GM[4];B[hh];W[hi])\n;B[ii];W[jj])", "h8 h9", "moves behind the end"),
        ("(;GM[4];B[hh]C[one;W[hi];B[ii]C[two])", "h8 i9", "a ] is missing"),
        ("(;GM[4];SZ[19]B[aa])", "a1", "SZ behind the first node"),
        ("(;GM[4]RU[foo];B[aa])", "a1", "the rule 'foo' is not known"),
        ("(;GM[4]RE[B+][W+];B[aa])", "a1", "the result 'B+ / W+' is not known"),
    ],
)
def test_what_is_read_in_another_way_is_said(text, moves, words):
    heard = []
    game = parse_games(text, report=heard.append)[0]
    assert moves_of(game) == moves
    assert words in " ".join(map(str, heard))
    assert game.result == "*"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9;9,0\n7,7,0\nA\n", "'9;9,0' is no move"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\nfoo\n7,7,0\nA\n", "'foo' is no move"),
        ('[Event "x"]\n\n1. h8 i9 1-0\n\n1. a1 b2 0-1', "moves behind the result"),
        ("[]\n[]\n", "an empty list is no position"),
        ("h" + "9" * 100_000, "not a move"),
    ],
)
def test_what_would_be_read_wrong_is_refused(text, message):
    with pytest.raises(ReadError, match=message):
        parse_games(text)


def test_a_set_result_outweighs_a_resignation():
    (game,) = parse_games("(;GM[4];B[hh];W[hi];B[resign])")
    assert game.result == "0-1"
    game.set_result("*")
    (again,) = parse_games(to_sgf(game))
    assert game.result == again.result == "*"
