"""``to_dict`` of a result is the row that a command prints for it."""

import json
from pathlib import Path

import pytest

import gomoku_brain
from gomoku_brain import (
    LEVELS,
    Board,
    Engine,
    ExternalInfo,
    Game,
    Limits,
    Move,
    PlayResult,
    ReportedFigures,
    Score,
    Sprt,
    candidate_values,
    describe_move,
    ratings,
    review_game,
)
from gomoku_brain.__main__ import main
from gomoku_brain.study.threat_words import describe_position

THREE = "h8 a1 i8 a2 j8 a3"
GAME = "f6 d4 c4 i6 e7 g5 e6 d6"
SCHEMA = Path(__file__).parents[1] / "docs" / "output.schema.json"


def without_times(row):
    if isinstance(row, dict):
        return {k: without_times(v) for k, v in row.items() if k != "seconds"}
    return [without_times(each) for each in row] if isinstance(row, list) else row


@pytest.fixture
def engine():
    with Engine(hash_mb=1) as made:
        yield made


@pytest.fixture
def printed(capsys):
    """The first row of JSON that a command prints."""

    def row(words):
        assert main([*words.split(), "--json", "--hash", "1", "--nodes", "900"]) == 0
        return json.loads(capsys.readouterr().out.splitlines()[0])

    return row


def assert_in(row, result, *arguments):
    """Assert that a printed row contains the values of a result."""
    made = result.to_dict(*arguments)
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    made, row = without_times(made), without_times(row)
    assert made == {key: row[key] for key in made}


LIMITS = Limits(nodes=900, multipv=2)


def test_a_search(engine, printed):
    board = Board.from_moves(GAME)
    engine.solve(board, "vcf", Limits(nodes=200_000))
    assert_in(printed(f"analyze {GAME} --lines 2"), engine.search(board, LIMITS))


def test_a_search_without_a_legal_move_has_no_number_that_json_lacks(engine):
    board = Board(5, "renju")
    with pytest.raises(ValueError, match="no empty cell"):
        engine.search(board, Limits(nodes=9, exclude=[*board.legal_moves()]))
    found = engine.search(board, Limits(nodes=9)).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_win_and_its_tree(engine, printed):
    board = Board.from_moves(THREE)
    row = printed(f"solve {THREE} --shortest --tree 6")
    found = engine.find_win(board, limits=Limits(nodes=900), shortest=True)
    assert_in(row, found, 6)
    assert found.tree.to_dict(6) == row["tree"]
    none = engine.find_win(Board.from_moves("h8"), limits=Limits(nodes=900))
    assert_in(printed("solve h8"), none)


def test_the_value_of_each_candidate_and_the_judgement_of_a_game(engine, printed):
    board = Board.from_moves(GAME)
    table = candidate_values(engine, board, Limits(nodes=900))
    row = printed(f"analyze {GAME} --values --lines 0")
    assert_in(row["values"], table)
    assert_in(row["values"]["cells"][0], table.cells[0])
    engine.new_game()
    judged = review_game(engine, Game.from_board(board), Limits(nodes=900))
    row = printed(f"analyze {GAME} --game")
    assert_in(row["review"], judged)
    assert_in(row["review"]["moves"][3], judged.moves[3])


def test_threats_and_the_effects_of_a_move(printed):
    board = Board.from_moves(THREE)
    row = printed(f"analyze {THREE} --threats --lines 0")
    assert_in(row["threats"], describe_position(board))
    assert_in(row["threats"]["shapes"][0], describe_position(board).shapes[0])
    move = board.undo()
    assert_in(row["last_move"], describe_move(board, move))


def test_levels(capsys):
    assert main(["levels", "--json"]) == 0
    levels = json.loads(capsys.readouterr().out)["levels"]
    assert levels == [level.to_dict() for level in LEVELS]


def test_results_of_matches_have_the_keys_of_the_printed_rows():
    schema = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    for rating in ratings({("a", "b"): Score(3, 1, 0), ("c", "d"): Score()}):
        row = rating.to_dict()
        assert set(row) == set(schema["ranking"]["required"])
        assert_in(row, rating)
    sprt = Sprt(0, 10)
    assert_in(sprt.to_dict(), sprt)
    assert set(sprt.to_dict()) == {*schema["sprt"]["required"]} - {"llr", "verdict"}


def test_reports_of_other_programs():
    figures = ReportedFigures(win_in=3, depth=5)
    info = ExternalInfo(figures, (Move(7, 7),), "MESSAGE x", 0.25)
    played = PlayResult(Move(7, 7), None, (), ("MESSAGE x",), 0.25)
    known = {"score": None, "win_in": 3, "depth": 5, "nodes": None, "seconds": 0.25}
    assert info.to_dict() == {**known, "line": ["h8"], "text": "MESSAGE x"}
    assert played.to_dict()["move"] == "h8"
    assert played.to_dict()["win_in"] is None
    assert_in(played.to_dict(), played)


def test_every_public_result_has_it():
    for name in ("SearchInfo", "SearchResult", "SolveResult", "ThreatTree", "Value",
                 "CellValue", "ValueTable", "JudgedMove", "Review", "Shape", "Level",
                 "MoveThreats", "Score", "Pentanomial", "Rating", "Sprt", "PlayResult",
                 "ExternalInfo"):  # fmt: skip
        assert callable(getattr(gomoku_brain, name).to_dict), name
