import pytest
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive import documents
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.model.game_config import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.records.reader import Game

MOVES = tuple(parse_moves("h8 i9 j10 h9"))
SET_UP = Game(black=(Move(3, 3), Move(4, 4)), white=(Move(9, 9),), first=Side.WHITE)


@pytest.mark.parametrize("kind", [".psq", ".sgf", ".json", ".txt"])
def test_a_game_is_saved_and_read_back(tmp_path, kind):
    tree = GameTree(Game(Rule.FREESTYLE, moves=MOVES))
    path = tmp_path / f"game{kind}"
    documents.save_game(tree, path)
    ((game, *_),) = documents.read_file(path)
    assert (game.moves, game.width, game.rule) == (MOVES, 15, Rule.FREESTYLE)


def test_the_whole_line_is_saved_also_from_its_middle(tmp_path):
    tree = GameTree(Game(moves=MOVES))
    tree.back(3)
    documents.save_game(tree, tmp_path / "game.sgf")
    assert documents.read_file(tmp_path / "game.sgf")[0].game.moves == MOVES


def test_a_set_up_position_is_saved_as_a_picture(tmp_path):
    documents.save_game(GameTree(SET_UP), tmp_path / "position.txt")
    ((game, *_),) = documents.read_file(tmp_path / "position.txt")
    assert (game.black, game.white) == (SET_UP.black, SET_UP.white)
    with pytest.raises(ValueError, match=r"as \.json or \.txt"):
        documents.save_game(GameTree(SET_UP), tmp_path / "position.psq")


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
    (document,) = documents.read_file(tmp_path / "game.sgf")
    again = document.tree()[0]
    assert again.node.move == tree.node.line()[-1].move

    def shape(node):
        return node.move, [shape(child) for child in node.children]

    assert shape(again.root) == shape(tree.root)


def test_a_set_up_game_is_saved_with_its_moves_as_json(tmp_path):
    tree = GameTree(SET_UP)
    tree.play(Move(8, 8))
    tree.play(Move(2, 2))
    documents.save_game(tree, tmp_path / "game.json")
    ((game, *_),) = documents.read_file(tmp_path / "game.json")
    assert (game.black, game.white, game.first) == (
        SET_UP.black,
        SET_UP.white,
        Side.WHITE,
    )
    assert game.moves == (Move(8, 8), Move(2, 2))


@pytest.mark.parametrize(
    "data",
    [b"", b"hello world", b"(;SZ[15]B[hh]", b"Piskvorky 15x15, 11:11, 0\n99,1,0"],
)
def test_a_broken_file_is_told_in_one_line_with_its_name(tmp_path, data):
    path = tmp_path / "broken.psq"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"broken\.psq") as told:
        documents.read_file(path)
    assert "\n" not in str(told.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        documents.read_file(tmp_path / "none.psq")


@pytest.mark.parametrize("game", [Game(moves=MOVES), SET_UP])
def test_what_is_copied_can_be_pasted(game):
    text = documents.position_text(GameTree(game))
    again = GameTree(documents.read_pasted(text, game))
    assert str(again.board) == str(GameTree(game).board)


def test_moves_are_pasted_onto_a_board_as_the_one_shown():
    shown = Game(Rule.RENJU, 19, 19)
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
    tree = documents.read_file(path)[0].tree()[0]
    assert tree.ply == moves
    assert from_text(to_text(tree, GameConfig())).tree.ply == moves
    assert tree.node.line() == tree.node.path(), "the main line comes first"
    ends = {len(node.path()) for node in tree.nodes() if not node.children}
    assert ends == {moves} | ({9} if name == "on.sgf" else set())


def test_a_library_of_renlib_is_a_game_with_variations(tmp_path):
    path = tmp_path / "a.lib"
    moves = bytes([0x78, 0x00, 0x79, 0x80, 0x01, 0x40, 0x7A, 0x40])
    path.write_bytes(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0" + moves)
    (document,) = documents.read_file(path)
    assert document.game.rule == Rule.RENJU
    assert document.game.moves == tuple(parse_moves("h8 i8 a1"))
    tree = document.tree()[0]
    first = tree.root.children[0]
    assert [child.children[0].move if child.children else child.move
            for child in first.children] == [Move(0, 0), Move(9, 7)]  # fmt: skip
