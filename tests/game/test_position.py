"""The Python face of a board: moves in every form, copies, arrays, pictures, texts."""

import copy
import pickle
import random
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from gomoku_brain.game.diagram import board_svg
from gomoku_brain.game.notation import Move, as_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

FORMS = ["h8", "7,7", (7, 7), [7, 7], Move(7, 7), " H8 "]
NO_MOVES = [
    b"\x01\x02",
    {3, 4},
    {1: 2, 3: 4},
    (1.5, 2),
    (1,),
    (1, 2, 3),
    None,
    5,
    ("a", "b"),
    (None, 0),
    {},
    7.0,
]


class Index:
    """A number that is none of Python's own, as numpy's are."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def positions():
    """Boards with every kind of history."""
    rng = random.Random(20)
    for rule in Rule:
        board = Board((15, 11), rule)
        for _ in range(40):
            board.play(rng.choice(board.legal_moves()))
        yield board
    yield Board(5)
    set_up = Board.from_stones(["a1", "b1", "c1"], ["e5"], ["c3"], turn="black", size=5)
    set_up.play("d1")
    set_up.play("e4")
    set_up.play("e1")  # the five
    set_up.play("a5")  # and on
    yield set_up
    set_up.remove("c1")
    yield set_up
    yield Board.from_stones([(k, 0) for k in range(5)], [], turn=Side.WHITE)


def everything(board):
    return (
        *(str(board), repr(board), board.key, board.moves, board.turn, board.winner),
        *(board.rule, board.width, board.height, board.ply, board.legal_moves()),
        board.forbidden_moves(),
    )


# Moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("move", FORMS, ids=repr)
def test_a_move_is_taken_in_every_form(move):
    board = Board()
    assert board.is_empty(move)
    assert board.is_legal(move)
    board.play(move)
    assert board.moves == (Move(7, 7),)
    assert type(board.moves[0]) is Move
    assert type(board.moves[0].x) is int
    assert board.stone(move) == Side.BLACK
    assert not board.is_wall(move)
    board.remove(move)
    assert not board.moves
    assert board.line_classes(move, "white")
    assert not board.wins_at(move)
    assert board.foul(move) is None


def test_numbers_of_other_libraries_become_pythons_own():
    board = Board()
    board.play((Index(3), Index(4)))
    assert board.moves == (Move(3, 4),)
    assert type(board.moves[0].x) is int


@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
@pytest.mark.parametrize(
    "method", ["play", "remove", "is_empty", "is_wall", "stone", "foul", "is_legal"]
)
def test_what_is_no_move_is_refused_and_changes_nothing(method, move):
    board = Board.from_moves("h8")
    before = everything(board)
    with pytest.raises(
        TypeError, match=r"a move is \"h8\" or \(x, y\) in whole numbers"
    ):
        getattr(board, method)(move)
    assert everything(board) == before
    board.verify()


@pytest.mark.parametrize("move", ["h16", "z9", (15, 0), (-1, 3), (10**30, 0)])
def test_a_cell_off_the_board_is_named(move):
    board = Board()
    with pytest.raises(ValueError, match="is off the 15x15 board"):
        board.play(move)
    assert not board.is_empty(move)
    assert not board.is_legal(move)


def test_the_error_of_a_text_without_a_cell_states_the_expected_form():
    with pytest.raises(ValueError, match=r'not a move.*write "h8" or "7,7"'):
        Board().play("h0")
    with pytest.raises(ValueError, match="h8 is occupied"):
        Board.from_moves(["h8", (7, 7)])


def test_as_move_gives_moves_as_they_are():
    assert as_move((3, 4)) == Move(3, 4)
    assert as_move("30,2") == Move(30, 2)


# Rules, sides, sizes ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["caro_exact", "CARO_EXACT", "caro-exact", 9])
def test_a_rule_by_name(name):
    assert Board(rule=name).rule is Rule.CARO_EXACT
    assert Board.from_moves("h8", rule=name).rule is Rule.CARO_EXACT
    assert Board.from_picture(str(Board()), rule=name).rule is Rule.CARO_EXACT


def test_stones_are_taken_as_text_wherever_moves_are():
    board = Board.from_stones("h8 i9", "7,8", walls="a1")
    assert board == Board.from_stones(["h8", "i9"], ["h9"], ["a1"])
    assert Board.from_moves("h8 h9") == Board.from_moves(iter(["h8", (7, 8)]))


@pytest.mark.parametrize("wrong", [5, None, 1.5])
def test_what_is_no_list_of_moves_is_refused(wrong):
    expected = f'moves are a text as "h8 h9" or a list of moves, not {wrong}'
    with pytest.raises(TypeError, match=expected):
        Board.from_moves(wrong)
    with pytest.raises(TypeError, match=expected):
        Board.from_stones(["h8"], wrong)
    with pytest.raises(TypeError, match=f"a picture is a text, not {wrong}"):
        Board.from_picture(wrong)


@pytest.mark.parametrize("rule", ["gomoku", 2, None, 1.5, ""])
def test_another_rule_is_refused_with_those_that_there_are(rule):
    with pytest.raises(
        ValueError, match=r"no rule .*freestyle \(0\), .*caro_exact \(9\)"
    ):
        Board(rule=rule)


def test_a_side_by_name():
    board = Board()
    board.turn = "white"
    assert board.turn is Side.WHITE
    with pytest.raises(ValueError, match="no side 'red'"):
        board.turn = "red"


@pytest.mark.parametrize("size", [15.0, "15", None, (15, 15, 15), (15.5, 15)])
def test_what_is_no_size_is_refused(size):
    with pytest.raises(TypeError, match="a size is a whole number or"):
        Board(size)


def test_a_size_out_of_range_is_refused():
    with pytest.raises(ValueError, match=r"board size 4x23 is not within 5\.\.22"):
        Board((4, 23))


# Copies -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        Board.copy,
        *[lambda b, p=p: pickle.loads(pickle.dumps(b, p)) for p in range(2, 6)],
    ],
    ids=["copy", "deepcopy", "method", *(f"pickle-{p}" for p in range(2, 6))],
)
def test_a_copy_is_the_same_in_everything(copied):
    for board in list(positions()):
        reference = copied(board)
        assert reference is not board
        assert everything(reference) == everything(board)
        reference.verify()
        while board.ply:  # and so is its whole history
            assert reference.undo() == board.undo()
            assert everything(reference) == everything(board)


def test_a_copy_is_independent():
    board = Board.from_moves("h8 h9")
    reference = copy.deepcopy(board)
    reference.play("a1")
    assert board.moves == (Move(7, 7), Move(7, 8))


def best_of(board):
    """Runs in another process."""
    return len(board.legal_moves()), board


def test_boards_travel_between_processes():
    boards = list(positions())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for board, (count, back) in zip(boards, pool.map(best_of, boards), strict=True):
            assert count == len(board.legal_moves())
            assert everything(back) == everything(board)


# Arrays -------------------------------------------------------------------------------


def test_planes_match_their_names():
    pytest.importorskip("numpy")
    board = Board.from_stones(["b1"], ["d3"], ["c5"], turn="white", size=(6, 5))
    planes = board.planes()
    assert planes.shape == (5, 5, 6)
    assert planes.dtype == "uint8"
    named = dict(zip(Board.PLANES, planes, strict=True))
    assert named["own"].nonzero() == ([2], [3])
    assert named["opponent"].nonzero() == ([0], [1])
    assert named["walls"].nonzero() == ([4], [2])
    assert named["legal"].sum() == 27
    assert not named["black_to_move"].any()
    planes[:] = 7  # the caller's own
    assert board.planes().max() == 1


def test_the_legal_mask_is_the_list_of_legal_moves():
    pytest.importorskip("numpy")
    renju = Board.from_moves("h8 a1 i8 a3 g9 a5 g10 a7", rule="renju")
    assert renju.forbidden_moves()
    for board in (renju, *positions()):
        mask = board.legal_mask()
        assert mask.dtype == bool
        assert mask.shape == (board.height, board.width)
        rows, columns = mask.nonzero()
        moves = list(zip(columns.tolist(), rows.tolist(), strict=True))
        assert moves == board.legal_moves()
        for y in range(board.height):
            for x in range(board.width):
                assert mask[y, x] == board.is_legal((x, y))


def test_a_board_made_of_planes_is_the_same_position():
    pytest.importorskip("numpy")
    for board in positions():
        back = Board.from_planes(board.planes(), rule=board.rule)
        assert back == board
        assert back.key == board.key
        assert Board.from_planes(board.planes().astype(float), rule=board.rule) == board
        assert (back.planes() == board.planes()).all()


def test_bad_planes_are_refused():
    numpy = pytest.importorskip("numpy")
    good = Board.from_moves("h8 h9").planes()
    for change, expected in (
        (lambda a: a[:4], r"shape \(5, height, width\)"),
        (lambda a: a[0], r"shape \(5, height, width\)"),
        (lambda a: a * 2, "0 and 1 only"),
        (lambda a: a * numpy.nan, "0 and 1 only"),
        (lambda a: a[[0, 0, 2, 3, 4]], "h8 is occupied"),
        (lambda a: a[[0, 1, 2, 3, 3]], "not all the same"),
        (lambda a: a[:, :4], "board size 15x4"),
    ):
        with pytest.raises(ValueError, match=expected):
            Board.from_planes(change(good))


def test_numpys_numbers_are_moves():
    numpy = pytest.importorskip("numpy")
    board = Board()
    board.play(numpy.array([3, 4]))
    board.play((numpy.uint8(5), numpy.int64(6)))
    assert board.moves == (Move(3, 4), Move(5, 6))
    with pytest.raises(TypeError, match="a move is"):
        board.play(numpy.array([3.0, 4.0]))


# Pictures -----------------------------------------------------------------------------


def test_a_board_made_of_its_picture_is_the_same_position():
    for board in positions():
        back = Board.from_picture(str(board), turn=board.turn, rule=board.rule)
        assert back == board


def test_a_bare_picture():
    board = Board.from_picture(".....\n.XO..\n.....\n...#.\n.....")
    assert (board.stone("b2"), board.stone("c2")) == (Side.BLACK, Side.WHITE)
    assert board.is_wall("d4")
    assert board.turn is Side.BLACK
    with pytest.raises(ValueError, match="unknown character"):
        Board.from_picture(".....\n.XQ..\n.....\n...#.\n.....")


def test_notebooks_are_shown_a_drawing():
    board = Board.from_stones(["b1"], ["d3"], ["c5"], size=(6, 5))
    board.play("f5")
    drawn = board._repr_svg_()
    root = ElementTree.fromstring(drawn)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    # The ring on the last stone is a circle, too; a board of this size has no stars.
    assert tags.count("circle") == 4
    assert tags.count("rect") == 2  # the wood and the wall
    assert tags.count("text") == 11  # coordinates
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts == [*"abcdef", *"12345"]


def test_a_drawing_with_numbers_names_the_order():
    drawn = Board.from_moves("h8 h9 j10").svg(numbers=True, cell=40)
    root = ElementTree.fromstring(drawn)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[-3:] == ["1", "2", "3"]
    assert root.get("width") == root.get("height") == str(40 * 14 + 2 * 48)


def test_a_drawing_with_values_writes_them_on_their_cells():
    numbers = [9_999_999, 80_034.0, -999.6, -12, 0.034, -0.001, 7]
    values = {Move(x, 0): number for x, number in enumerate(numbers)}
    root = ElementTree.fromstring(Board().svg(values=values))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[30:] == ["10M", "80k", "-1k", "-12", "0.03", "0", "7"]
    boxes = [element for element in root.iter() if element.tag.endswith("rect")][1:]
    shades = [float(element.get("fill-opacity")) for element in boxes]
    order = sorted(range(7), key=numbers.__getitem__)
    assert sorted(range(7), key=shades.__getitem__) == order
    framed = [element.get("stroke") != "none" for element in boxes]
    assert framed == [True] + [False] * 6


def test_a_drawing_too_small_to_be_seen_is_refused():
    with pytest.raises(ValueError, match="too small"):
        board_svg(15, 15, [], cell=3)


# Speed --------------------------------------------------------------------------------


@pytest.mark.slow("a million moves under each rule", ci=True)
@pytest.mark.parametrize("rule", list(Rule))
def test_a_million_random_moves_take_less_than_ten_seconds(rule):
    rng = random.Random(1)
    played = 0
    begun = time.process_time()
    while played < 1_000_000:
        board = Board(rule=rule)
        while board.winner is None and (moves := board.legal_moves()):
            board.play(rng.choice(moves))
            played += 1
    seconds = time.process_time() - begun
    print(f"{rule.name.lower()}: {seconds:.1f} s")
    assert seconds < 10


# Results, strict moves, symmetries, planes of many boards

FOUL = "h7 a1 h9 a15 g8 o1 i8 o15"


def test_both_sides_are_true_and_print_their_names():
    assert [bool(side) for side in Side] == [True, True]
    assert [str(side) for side in Side] == ["black", "white"]
    assert f"{Side.BLACK} {Side.WHITE:>6} {Side.WHITE:d}" == "black  white 1"
    assert [int(side) for side in Side] == [0, 1]


@pytest.mark.parametrize(
    ("moves", "rule", "result"),
    [
        ("", "freestyle", "*"),
        ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "freestyle", "1-0"),
        ("o15 a1 o14 b1 n13 c1 n12 d1 a5 e1", "freestyle", "0-1"),
        (FOUL, "renju", "*"),
        (f"{FOUL} h8", "renju", "0-1"),
        (f"{FOUL} h8", "freestyle", "*"),
        ("a1 a2 b1 b2 c1 c2 d1 d2 e1 e2", "freestyle", "1-0"),
    ],
)
def test_the_result_of_a_game(moves, rule, result):
    board = Board.from_moves(moves, rule=rule)
    before = board.copy()
    assert board.result == result
    assert board.is_over == (result != "*")
    assert board == before
    assert board.moves == before.moves
    board.verify()


def test_a_full_board_is_a_draw():
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"]
    board = Board.from_picture("\n".join(rows))
    assert (board.result, board.is_over) == ("1/2-1/2", True)


def test_strict_moves_refuse_fouls_and_moves_after_the_end():
    board = Board.from_moves(FOUL, rule="renju")
    with pytest.raises(ValueError, match="h8 is forbidden: a double-three"):
        board.play("h8", strict=True)
    board.play("a3", strict=True)
    board.play("h8", strict=True)  # white may
    board = Board.from_moves("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    with pytest.raises(ValueError, match="the game is over: 1-0"):
        board.play("o15", strict=True)
    board.play("o15")


def test_the_docstring_names_what_a_board_cannot_do():
    with pytest.raises(TypeError):
        hash(Board())
    with pytest.raises(TypeError):
        type("Mine", (Board,), {})
    assert "no hash" in Board.__doc__
    assert "final" in Board.__doc__


@pytest.mark.parametrize("size", [15, (9, 6)])
def test_symmetric_images_keep_history_and_turn(size):
    board = Board.from_moves("a1 c2 b4 e5", size)
    assert list(board.symmetries) == list(range(8 if size == 15 else 4))
    for k in board.symmetries:
        image = board.transformed(k)
        assert image.moves == tuple(board.transform_move(m, k) for m in board.moves)
        assert image.turn is board.turn
        assert sum(image.transformed(j) == board for j in image.symmetries) >= 1
        image.verify()
    with pytest.raises(ValueError, match="no symmetry 8"):
        board.transformed(8)


def test_planes_of_many_boards_and_of_the_last_move():
    numpy = pytest.importorskip("numpy")
    boards = [Board.from_moves(m, 9) for m in ("", "a1", "a1 c2", "d4 e5 f6")]
    stacked = Board.stack_planes(boards)
    assert stacked.shape == (4, 5, 9, 9)
    assert (stacked == numpy.stack([board.planes() for board in boards])).all()
    last = Board.stack_planes(boards, last_move=True)
    assert (last[:, :5] == stacked).all()
    assert last[:, 5].sum(axis=(1, 2)).tolist() == [0, 1, 1, 1]
    assert last[2, 5, 1, 2] == 1
    assert (boards[2].planes(last_move=True) == last[2]).all()
    for wrong in ([], [Board(9), Board(10)]):
        with pytest.raises(ValueError, match="board"):
            Board.stack_planes(wrong)


# --- Keys ---


def plain_key(board):
    """What ``position_key`` promises, cell by cell."""
    contents = []
    for y in range(board.height):
        for x in range(board.width):
            if board.is_wall((x, y)):
                contents.append(3)
            elif board.stone((x, y)) is None:
                contents.append(0)
            else:
                contents.append(1 + int(board.stone((x, y))))
    contents += [0] * (-len(contents) % 4)
    packed = [
        contents[k] << 6 | contents[k + 1] << 4 | contents[k + 2] << 2 | contents[k + 3]
        for k in range(0, len(contents), 4)
    ]
    head = [int(board.rule), board.width, board.height, int(board.turn)]
    return bytes(head + packed)


def keyed_boards():
    """Boards of every kind: rules, shapes, walls, set-up stones, sides to move."""
    yield from positions()
    rng = random.Random(58)
    for size in (5, 9, (9, 8), (8, 9), 15, 22, (5, 22)):
        for rule in Rule:
            for count in (0, 1, 5, 20):
                board = Board(size, rule)
                cells = rng.sample(board.legal_moves(), count)
                yield Board.from_stones(
                    cells[::3],
                    cells[1::3],
                    cells[2::3],
                    turn=rng.choice(list(Side)),
                    size=size,
                    rule=rule,
                )


def test_the_key_of_a_position_is_what_its_docstring_states():
    for board in keyed_boards():
        assert board.position_key == plain_key(board)
        assert type(board.position_key) is bytes


def test_equal_positions_have_equal_keys_however_they_were_reached():
    board = Board.from_moves("h8 h9 j10 a1")
    others = [
        Board.from_moves("j10 a1 h8 h9"),
        Board.from_stones("h8 j10", "h9 a1", turn="black"),
        Board.from_planes(board.planes()),
        board.copy(),
        pickle.loads(pickle.dumps(board)),
    ]
    moved = Board.from_moves("h8 h9 j10 a1 c3")
    moved.undo()
    others.append(moved)
    for other in others:
        assert other == board
        assert other.position_key == board.position_key
    assert len({other.position_key for other in others}) == 1


def test_different_positions_have_different_keys():
    """``key`` has neither rule nor size: a win of one rule is none of another."""
    moves = "c8 c1 d8 d3 e8 e5 g8 k7 h8 l9"
    assert Board.from_moves(moves).key == Board.from_moves(moves, rule="standard").key
    boards = [Board.from_moves(moves, rule=rule) for rule in Rule]
    turned = boards[0].copy()
    turned.turn = "white"
    boards += [turned, Board.from_moves(moves, size=16)]
    boards += [Board.from_moves(moves, size=(15, 16))]
    boards += [Board.from_moves(moves, size=(16, 15))]
    fewer = Board.from_moves(moves)
    fewer.remove("c8")
    walled = Board.from_stones("d8 e8 g8 h8", "c1 d3 e5 k7 l9", "c8", turn="white")
    swapped = Board.from_stones("c1 d3 e5 k7 l9", "c8 d8 e8 g8 h8", turn="black")
    boards += [fewer, walled, swapped]
    assert len({board.position_key for board in boards}) == len(boards)
    boards = [board.copy() for board in keyed_boards()]
    for board in boards:
        for other in boards:
            assert (board == other) == (board.position_key == other.position_key)


def test_a_small_board_is_no_large_one_with_walls_at_its_edges():
    edge = [f"f{row}" for row in range(1, 7)] + [f"{column}1" for column in "abcde"]
    small, large = Board(5), Board.from_stones((), (), edge, size=6)
    assert small != large
    assert small.position_key != large.position_key


def test_the_canonical_form_is_the_smallest_key_of_all_images():
    for board in keyed_boards():
        keys = [board.transformed(k).position_key for k in board.symmetries]
        key, symmetry = board.canonical()
        assert key == min(keys)
        assert symmetry == keys.index(key)
        assert board.transformed(symmetry).position_key == key


def test_all_images_have_the_same_canonical_form():
    for board in keyed_boards():
        forms = {board.transformed(k).canonical()[0] for k in board.symmetries}
        assert len(forms) == 1
        for k in board.symmetries:
            image = board.transformed(k)
            again = image.transformed(image.canonical()[1])
            assert again.position_key == board.canonical()[0]
            assert again.canonical() == (again.position_key, 0)


def test_a_hundred_thousand_canonical_forms_take_less_than_two_seconds():
    board = Board.from_moves("h8 h9 j10 i9 g7 g9 f9 f8 i7 j6 e10 d11")
    begun = time.perf_counter()
    for _ in range(100_000):
        board.canonical()
    assert time.perf_counter() - begun < 2
