"""Many positions searched by threads, and what a search knows before it begins."""

import math
import signal
import threading
from dataclasses import replace
from itertools import pairwise

import numpy
import pytest

from gomoku_brain import (
    Board,
    Engine,
    Evaluation,
    Game,
    Limits,
    Move,
    Rule,
    search_many,
)
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.eval.weights import pack_weights, shipped_weights
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

BOARDS = [
    Board.from_moves(moves, rule=rule)
    for moves in ("h8 h9 j10", "h8 i9 g9 i7", "h8 a1 i8 a3 j9 a5 j10 a7")
    for rule in (Rule.FREESTYLE, Rule.RENJU)
]


def told(results):
    return [(r.move, r.score, r.nodes, r.depth, r.pv) for r in results]


def test_the_results_are_those_of_one_search_each_for_every_number_of_workers():
    expected = [Engine(hash_mb=16).search(b, Limits(nodes=800)) for b in BOARDS]
    for workers in (1, 2, 5, 40):
        found = search_many(iter(BOARDS), Limits(nodes=800), workers=workers)
        assert told(found) == told(expected)
    assert search_many([], Limits(nodes=1)) == []
    weak = Limits(strength="beginner")
    assert told(search_many(BOARDS, weak, workers=3)) == told(search_many(BOARDS, weak))


def test_a_wrong_board_is_refused_before_any_search():
    won = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    for boards, error in (([*BOARDS, won], ValueError), (["h8"], TypeError)):
        with pytest.raises(error):
            search_many(boards)  # without a limit: it would not end
    with pytest.raises(ValueError, match="workers"):
        search_many(BOARDS, workers=0)


def test_ctrl_c_ends_all_searches():
    main = threading.main_thread().ident
    threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        search_many([Board.from_moves("h8 h9 j10")] * 50, workers=2)
    assert not [t for t in threading.enumerate() if t.name.startswith("search")]


def test_an_error_of_one_search_ends_the_others(monkeypatch):
    search = Engine.search

    def fail(self, board, *rest, **words):
        if not board.ply:
            raise MemoryError("no memory for this one")
        return search(self, board, *rest, **words)

    monkeypatch.setattr(Engine, "search", fail)
    with pytest.raises(MemoryError, match="this one"):
        search_many([Board(), *[Board.from_moves("h8 h9 j10")] * 5], workers=2)


@pytest.mark.parametrize("rule", list(Rule))
def test_move_scores_are_in_the_order_of_a_search_without_history(rule):
    board = Board.from_moves("h8 h9 j10 i8 g7 k9", (17, 13), rule)
    engine = Engine(hash_mb=1)
    scores = engine.move_scores(board)
    assert scores.shape == (13, 17)
    assert (~numpy.isnan(scores) == board.legal_mask()).all()
    worker = Worker(TranspositionTable(0.1))
    worker.set_position(board, SearchControl())
    tried = []
    while len(tried) < 20:
        tried.append(worker.best_by_score(tried))
    for first, second in pairwise(tried):
        assert scores[first.y, first.x] >= scores[second.y, second.x]
    assert scores[tried[0].y, tried[0].x] == numpy.nanmax(scores)


def test_there_are_no_move_scores_on_foul_points_and_after_the_end():
    board = Board.from_moves("h8 a1 i8 a3 j9 a5 j10 a7", rule=Rule.RENJU)
    (foul,) = board.forbidden_moves()
    scores = Engine(hash_mb=1).move_scores(board)
    assert math.isnan(scores[foul.y, foul.x])
    over = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    assert numpy.isnan(Engine(hash_mb=1).move_scores(over)).all()


def test_an_index_is_that_of_a_flat_plane():
    board = Board((17, 13))
    assert board.index_of("c11") == 2 + 17 * 10
    for number in range(17 * 13):
        move = board.move_at(number)
        assert board.index_of(move) == number
        assert board.planes()[3].reshape(-1)[number] == board.is_legal(move)
    assert board.move_at(numpy.int64(18)) == Move(1, 1)
    for number in (-1, 17 * 13, 10**30):
        with pytest.raises(ValueError, match="no index of a 17x13 board"):
            board.move_at(number)


def test_weights_of_a_file_replace_those_of_their_rule(tmp_path):
    shipped = shipped_weights(Rule.STANDARD)
    file = tmp_path / "mine.bin"
    parts = dict(shipped.parts)
    cells = parts["cells"]
    parts["cells"] = replace(cells, numbers=bytes(len(cells.numbers)))
    file.write_bytes(pack_weights(replace(shipped, parts=parts)))
    standard = Board.from_moves("h8 i9 g9 i7 i8 g8 j10", rule="standard")
    other = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")
    with Engine(hash_mb=1) as engine:
        before = engine.evaluate([standard, other]).tolist()
        engine.load_weights(file)
        assert engine.evaluate(standard) != before[0]
        assert engine.evaluate(other) == before[1]
        file.write_bytes(file.read_bytes()[:-9])
        with pytest.raises(ValueError, match=r"mine\.bin: damaged weights file"):
            engine.load_weights(str(file))
        with pytest.raises(OSError, match="none"):
            engine.load_weights(tmp_path / "none")
        engine.set_evaluation(None)
        assert engine.evaluate([standard, other]).tolist() == before


def test_an_evaluation_in_python_is_refused_with_what_to_do():
    class Mine(Evaluation):
        pass

    for wrong in (lambda board: 0, Mine(), Mine, "weights.bin"):
        with pytest.raises(TypeError, match=r"Engine\.load_weights"):
            Engine(hash_mb=1).set_evaluation(wrong)


def test_a_notebook_shows_results_as_text_and_games_as_pictures():
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    with Engine(hash_mb=1) as engine:
        for result in (engine.search(board, Limits(nodes=50)), engine.find_win(board)):
            assert pretty(result) == str(result)
    game = Game.from_board(board)
    shown = board.svg(numbers=True)
    assert game._repr_svg_() == game.record()._repr_svg_() == shown
