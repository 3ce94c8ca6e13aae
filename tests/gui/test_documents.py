import pytest
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive import documents
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.records import read, sgf
from gomoku_brain.records.game import Game

MOVES = tuple(parse_moves("h8 i9 j10 h9"))
SET_UP = Game(
    black_stones=(Move(3, 3), Move(4, 4)),
    white_stones=(Move(9, 9),),
    first=Side.WHITE,
)


@pytest.mark.parametrize("kind", [".psq", ".sgf", ".json", ".txt"])
def test_a_game_is_saved_and_read_back(tmp_path, kind):
    tree = GameTree(Game(rule=Rule.FREESTYLE, moves=MOVES))
    path = tmp_path / f"game{kind}"
    documents.save_game(tree, path)
    (game,) = documents.read_file(path)
    assert (game.moves, game.width, game.rule) == (MOVES, 15, Rule.FREESTYLE)


def test_the_whole_line_is_saved_also_from_its_middle(tmp_path):
    tree = GameTree(Game(moves=MOVES))
    tree.back(3)
    documents.save_game(tree, tmp_path / "game.sgf")
    assert documents.read_file(tmp_path / "game.sgf")[0].moves == MOVES


def test_a_set_up_position_is_saved_as_a_picture(tmp_path):
    documents.save_game(GameTree(SET_UP.copy()), tmp_path / "position.txt")
    (game,) = documents.read_file(tmp_path / "position.txt")
    assert (game.black_stones, game.white_stones) == (
        SET_UP.black_stones,
        SET_UP.white_stones,
    )
    with pytest.raises(ValueError, match=r"as \.json or \.txt"):
        documents.save_game(GameTree(SET_UP.copy()), tmp_path / "position.psq")


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in"):
        documents.save_game(GameTree(), tmp_path / "game.doc")
    with pytest.raises(ValueError, match=r"must end in"):
        documents.save_picture(Scene(), tmp_path / "board.jpg")
    assert not list(tmp_path.iterdir())


def test_sgf_keeps_all_variations(tmp_path):
    tree = GameTree(Game(moves=MOVES))
    for back, moves in ((2, "a1 a2 a3"), (1, "b3"), (4, "c1 c2"), (9, "d1")):
        tree.back(back)
        for move in parse_moves(moves):
            tree.play(move)
    documents.save_game(tree, tmp_path / "game.sgf")
    again = GameTree(*documents.read_file(tmp_path / "game.sgf"))
    assert again.node.move == tree.line()[-1].move

    def shape(node):
        return node.move, [shape(child) for child in node.variations]

    assert shape(again.game) == shape(tree.game)


def test_a_set_up_game_is_saved_with_its_moves_as_json(tmp_path):
    tree = GameTree(SET_UP.copy())
    tree.play(Move(8, 8))
    tree.play(Move(2, 2))
    documents.save_game(tree, tmp_path / "game.json")
    (game,) = documents.read_file(tmp_path / "game.json")
    assert (game.black_stones, game.white_stones, game.first) == (
        SET_UP.black_stones,
        SET_UP.white_stones,
        Side.WHITE,
    )
    assert game.moves == (Move(8, 8), Move(2, 2))


@pytest.mark.parametrize(
    "data",
    [b"", b"hello world", b"(;SZ[15]B)", b"Piskvorky 15x15, 11:11, 0\n99,1,0"],
)
def test_a_broken_file_is_reported_in_one_line_with_its_name(tmp_path, data):
    path = tmp_path / "broken.psq"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"broken\.psq") as told:
        documents.read_file(path)
    assert "\n" not in str(told.value)


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        documents.read_file(tmp_path / "none.psq")


@pytest.mark.parametrize("game", [Game(moves=MOVES), SET_UP])
def test_what_is_copied_can_be_pasted(game):
    text = documents.position_text(GameTree(game.copy()))
    again = documents.read_pasted(text, game)
    assert str(again.board()) == str(game.board())


def test_moves_are_pasted_onto_a_board_as_the_one_shown():
    shown = Game(19, Rule.RENJU)
    game = documents.read_pasted("s19 a1", shown)
    assert (game.rule, game.width) == (Rule.RENJU, 19)


def test_a_pasted_picture_may_have_another_size():
    text = "\n".join(["....."] * 4 + ["..X.."])
    assert documents.read_pasted(text, Game()).width == 5


def test_pictures_show_the_board(tmp_path, qt):
    scene = Scene(board=GameTree(Game(moves=MOVES)).board, numbers={MOVES[0]: 1})
    documents.save_picture(scene, tmp_path / "board.png")
    documents.save_picture(scene, tmp_path / "board.svg")
    image = QImage(str(tmp_path / "board.png"))
    middle = image.pixelColor(image.width() // 2 + 12, image.height() // 2 + 12)
    assert middle.lightness() < 80, "a black stone in the middle"
    assert image.pixelColor(image.width() // 2, 20).lightness() > 120
    assert QSvgRenderer(str(tmp_path / "board.svg")).isValid()
    assert (tmp_path / "board.svg").read_text("utf-8").lstrip().startswith("<?xml")


def test_a_picture_that_cannot_be_written_is_an_error(tmp_path, qt):
    for name in ("none/board.png", "none/board.svg"):
        with pytest.raises(FileNotFoundError):
            documents.save_picture(Scene(), tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("on.txt", "h8 a1 i8 a2 j8 a3 k8 a4 l8 a5", 10),
        (
            "on.sgf",
            "(;GM[4]SZ[15];B[hh](;W[aa];B[bb])(;W[ba];B[ih];W[bb];B[jh];W[bc];B[kh]"
            ";W[bd];B[lh];W[be]))",
            3,
        ),
    ],
)
def test_a_game_that_goes_on_after_its_five_can_be_opened(tmp_path, name, text, moves):
    path = tmp_path / name
    path.write_text(text)
    tree = GameTree(*documents.read_file(path))
    assert tree.ply == moves
    assert from_text(to_text(tree, GameConfig())).tree.ply == moves
    assert tree.line() == tree.node.path()[1:], "the main line comes first"
    ends = {node.ply for node in tree.game.nodes() if not node.variations}
    assert ends == {moves} | ({10} if name == "on.sgf" else set())


def test_a_library_of_renlib_is_a_game_with_variations(tmp_path):
    path = tmp_path / "a.lib"
    moves = bytes([0x78, 0x00, 0x79, 0x80, 0x01, 0x40, 0x7A, 0x40])
    path.write_bytes(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0" + moves)
    (game,) = documents.read_file(path)
    assert game.rule == Rule.RENJU
    assert game.moves == tuple(parse_moves("h8 i8 a1"))
    first = game.variations[0]
    assert [child.variations[0].move if child.variations else child.move
            for child in first.variations] == [Move(0, 0), Move(9, 7)]  # fmt: skip


@pytest.mark.parametrize("name", ["game.sgf", "game.psq", "game.json"])
def test_a_file_is_decoded_once_and_parsed_once(window, tmp_path, monkeypatch, name):
    calls = []

    def count(module, function):
        real = getattr(module, function)

        def counting(*args):
            calls.append(function)
            return real(*args)

        monkeypatch.setattr(module, function, counting)

    documents.save_game(GameTree(Game(moves=MOVES)), tmp_path / name)
    count(read, "decode")
    count(sgf, "parse")
    assert window.files.open_file(tmp_path / name)
    assert window.play.tree.game.moves == MOVES
    assert calls == ["decode", *(["parse"] if name == "game.sgf" else [])]
    calls.clear()
    assert window.files.save_file(tmp_path / "again.sgf")
    assert not calls, "what is written is not parsed"


def test_a_game_is_shown_and_saved_as_it_was_read(window, tmp_path):
    text = (
        "(;GM[4]SZ[15]RU[renju]PB[A]ZZ[own][two]C[start]"
        "\n;B[hh]C[0.5 s, score 12\nA comment]V[12.4]\n(;W[ii]TR[hh]LB[aa:x])"
        "\n(;W[gg]XX[y]))\n"
    )
    (tmp_path / "a.sgf").write_text(text)
    assert window.files.open_file(tmp_path / "a.sgf")
    tree = window.play.tree
    assert tree.game.variations[0].comment == "A comment"
    tree.go_to(tree.end_of_line)
    assert tree.seconds(Side.BLACK) == 0.5
    assert window.files.save_file(tmp_path / "b.sgf")
    wanted = sgf.write(*read.parse_games(text))
    assert (tmp_path / "b.sgf").read_text() == wanted
    tree = from_text(to_text(tree, GameConfig())).tree
    assert sgf.write(tree.game) == wanted


def test_a_resignation_in_the_last_node_is_the_result(tmp_path):
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15];B[hh];W[resign])")
    tree = GameTree(*documents.read_file(tmp_path / "a.sgf"))
    assert (tree.ply, tree.ending) == (1, Ending("1-0", "resigned"))
