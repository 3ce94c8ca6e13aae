"""The pictures show what they are given, legibly, and the same every time."""

from itertools import combinations

import pytest

from gomoku_brain.eval.score import WIN
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.study.annotate import JudgedMove, Review, Value

matplotlib = pytest.importorskip("matplotlib")
pictures = pytest.importorskip("gomoku_brain.study.pictures")

BOARD = Board.from_moves("h8 h9 j10")
VALUES = {Move(7, 6): Value(80), Move(3, 3): Value(-150), Move(9, 8): Value(10)}


def figure_of(monkeypatch, draw, *arguments, **more):
    """The figure that would be written."""
    figures = []
    monkeypatch.setattr(pictures, "_save", lambda figure, path: figures.append(figure))
    draw("x.png", *arguments, **more)
    return figures[0]


def boxes_of(figure, texts):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    return [Text.get_window_extent(text, renderer) for text in texts if text.get_text()]


def all_texts(figure):
    return [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]


def assert_legible(figure):
    """No text is written over another one or leaves the picture."""
    boxes = boxes_of(figure, all_texts(figure))
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    width, height = figure.bbox.size
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height


def judged(number, label, loss=0.5):
    return JudgedMove(
        number=number,
        side=Side((number - 1) % 2),
        move=Move(number % 15, number % 13),
        before=Value(0),
        after=Value(0),
        best=Move(0, 0),
        line=(Move(0, 0),),
        loss=loss,
        label=label,
        why="missed a win in 7 by a1",
        threats=(),
        depth=5,
        nodes=100,
    )


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_is_the_same_every_time(suffix, tmp_path):
    for name in ("first", "second"):
        pictures.board_picture(tmp_path / f"{name}{suffix}", BOARD, VALUES, title="t")
    first, second = (tmp_path / f"{name}{suffix}" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    start = b"\x89PNG" if suffix == ".png" else b"<?xml"
    assert first.read_bytes().startswith(start)


def test_the_colours_run_from_the_worst_to_the_best(tmp_path):
    from matplotlib.image import imread

    path = tmp_path / "heat.png"
    pictures.board_picture(path, BOARD, VALUES)
    pixels = imread(path)
    viridis = matplotlib.colormaps["viridis"]
    for move, share in ((Move(7, 6), 1.0), (Move(3, 3), 0.0)):
        # the left upper corner of the square, away from number and frame
        x = 10 + 42 * (move.x + 1.5 - 0.3)
        y = 55 + 42 * (move.y + 1.5 - 0.3)
        assert pixels[round(y), round(x), :3] == pytest.approx(
            viridis(share)[:3], abs=0.01
        )


def test_cells_show_the_chance_or_the_proof(monkeypatch):
    values = VALUES | {Move(0, 0): Value(WIN - 7, 7), Move(1, 0): Value(6 - WIN, -6)}
    numbers = {move: k for k, move in enumerate(BOARD.moves, start=1)}
    figure = figure_of(
        monkeypatch, pictures.board_picture, BOARD, values, numbers=numbers
    )
    expected = {
        (round(text.get_position()[0]), round(text.get_position()[1])): text.get_text()
        for text in figure.axes[0].texts
    }
    assert expected[7, 6] == "58"
    assert expected[3, 3] == "35"
    assert expected[0, 0] == "W4"
    assert expected[1, 0] == "L3"
    assert expected[9, 9] == "3"
    assert "white" in figure.axes[1].get_ylabel()


def test_proved_results_alone_need_no_scale(monkeypatch):
    values = {Move(0, 0): Value(WIN - 7, 7), Move(1, 0): Value(6 - WIN, -6)}
    figure = figure_of(monkeypatch, pictures.board_picture, BOARD, values)
    assert len(figure.axes) == 1
    assert {text.get_text() for text in figure.axes[0].texts} >= {"W4", "L3"}


@pytest.mark.parametrize(
    "size",
    [
        (7, 5),
        pytest.param(5, marks=pytest.mark.slow("as with 7x5", ci=True)),
        pytest.param(15, marks=pytest.mark.slow("400 texts", ci=True)),
        pytest.param(20, marks=pytest.mark.slow("600 texts", ci=True)),
        pytest.param((22, 12), marks=pytest.mark.slow("400 texts", ci=True)),
    ],
)
def test_the_texts_of_a_board_do_not_overlap(size, monkeypatch):
    board = Board(size)
    cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
    for cell in cells[::2]:
        board.play(cell)
    values = {cell: Value(18 - WIN, -18) for cell in cells[1::2]}
    numbers = {move: 100 + k for k, move in enumerate(board.moves)}
    figure = figure_of(
        monkeypatch,
        pictures.board_picture,
        board,
        values,
        numbers=numbers,
        title="a long title " * 12,
        note="a long note " * 20,
    )
    assert_legible(figure)


def test_blunders_are_named_at_the_curve_and_below_it(monkeypatch):
    moves = [judged(k, "good") for k in range(1, 20)]
    moves[7] = judged(8, "blunder")
    moves[8] = judged(9, "blunder")
    curve = [0.5] * 8 + [1.0, 0.5, *[0.4] * 10]
    review = Review(tuple(moves), 0, tuple(curve))
    figure = figure_of(monkeypatch, pictures.score_curve, review, title="a game")
    expected = [text.get_text() for text in all_texts(figure)]
    assert "8. i9" in expected
    assert "9. j10" in expected
    assert "8. white i9: missed a win in 7 by a1" in expected
    assert_legible(figure)


@pytest.mark.parametrize(
    "count", [20, pytest.param(60, marks=pytest.mark.slow("many texts", ci=True))]
)
def test_many_blunders_stay_legible(monkeypatch, count):
    moves = [judged(k, "blunder", loss=k / 100) for k in range(1, count + 1)]
    curve = [(k * 37 % 101) / 100 for k in range(count + 1)]
    review = Review(tuple(moves), 0, tuple(curve))
    figure = figure_of(monkeypatch, pictures.score_curve, review)
    assert_legible(figure)
    more = f"and {count - 8} more"
    assert [text.get_text() for text in figure.texts][-1] == more


def test_a_curve_may_begin_in_the_middle_of_a_game(tmp_path):
    review = Review((judged(9, "blunder"),), 8, (0.9, 0.2))
    pictures.score_curve(tmp_path / "curve.svg", review)
    assert (tmp_path / "curve.svg").stat().st_size > 1000


def test_other_files_than_pictures_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.png or \.svg, not heat\.gif"):
        pictures.board_picture(tmp_path / "heat.gif", BOARD)
    with pytest.raises(ValueError, match="no move to draw"):
        pictures.score_curve(tmp_path / "curve.png", Review((), 0, ()))
