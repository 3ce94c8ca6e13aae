"""What an experiment counts, and what it makes of the results."""

import json

import pytest

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.plain import studies as studies_module
from gomoku_brain.plain.studies import (
    Plan,
    Results,
    count_nodes,
    engine_nodes,
    is_needed,
    level_boards,
    measure,
    openings,
    pairings_of,
    play_level,
    play_pair,
    studies,
    value_moves,
)
from gomoku_brain.plain.tables import (
    Measurements,
    Total,
    cell_text,
    games_as_sgf,
    tables_of,
)
from gomoku_brain.records.read import parse_games

BUDGET = 20_000_000
PLAYED = {"attacker": "rules", "defender": "easy", "defence": 2, "depth": 2}


def without_seconds(result):
    """The same result with no clock in it."""
    if isinstance(result, dict):
        return {k: without_seconds(v) for k, v in result.items() if k != "seconds"}
    if isinstance(result, list):
        return [without_seconds(entry) for entry in result]
    return result


@pytest.mark.slow("searches of whole trees", ci=True)
def test_methods_agree_on_the_value_and_save_nodes():
    result = count_nodes(6, 3, BUDGET)
    for evaluation in ("rules", "stones", "ours", "proved"):
        rows = [r for r in result["searches"] if r["evaluation"] == evaluation][:4]
        assert len({row["score"] for row in rows}) == 1
        assert rows[0]["nodes"] == result["trees"]["2"]
        assert rows[0]["nodes"] > rows[1]["nodes"] > rows[2]["nodes"]
        assert rows[2]["nodes"] >= rows[3]["nodes"]
    assert result["trees"]["2"] < result["trees"]["0"]


def test_a_budget_cuts_a_search_short_and_is_reported():
    result = count_nodes(6, 3, 500)
    rows = {(r["evaluation"], r["method"]): r for r in result["searches"]}
    cut = rows["rules", "alphabeta"]
    assert not cut["finished"]
    assert cut["nodes"] == 500
    assert cut["score"] is None
    assert result["trees"]["0"] is None  # its second ply alone is larger


def test_nothing_measured_depends_on_a_clock():
    for run in (
        lambda: count_nodes(6, 2, 10_000),
        lambda: value_moves(6, 2, 100_000),
        lambda: play_level(6, "rules", "engine", 1_000, 2, BUDGET),
        lambda: play_pair(["stones", "proved"], "h8 h9 j10 g7", "depth", 2),
    ):
        assert without_seconds(run()) == without_seconds(run())


def test_a_key_alone_says_what_is_measured():
    plan = Plan(levels=(6,), depth=1, budget=1_000, defender_nodes=100, pairs=1)
    plan = plan._replace(game_depth=1)
    for keys in studies(plan).values():
        assert json.loads(json.dumps(measure(keys[0])))


def test_a_level_is_played_out_by_legal_moves_to_its_result():
    for attacker, defender, defence in (("rules", "easy", 2), ("proved", "engine", 99)):
        result = play_level(6, attacker, defender, defence, 3, BUDGET)
        board = level_boards()[5].copy()
        for move in result["moves"]:
            assert board.winner is None
            board.play(parse_moves(move["move"])[0])
        mine = result["moves"][::2]
        assert result["count"] == len(mine)
        assert result["nodes"] == sum(move["nodes"] for move in mine)
        assert board.winner == Side.BLACK
        assert result["outcome"] == "won"


def test_a_play_out_without_enough_nodes_ends():
    result = play_level(6, "rules", "easy", 2, 3, 100)
    assert result["outcome"] == "too many nodes"
    assert [move["move"] for move in result["moves"]] == [None]


def test_deeper_play_outs_wait_for_no_win(tmp_path):
    keys = studies(Plan(levels=(6,), pairs=0))["levels played out"]
    with Results(tmp_path / "results.jsonl") as results:
        assert all(is_needed(key, results) for key in keys)
        for key in keys:
            if key["depth"] == 1:
                results.add(key, {"outcome": "won"})
        needed = [key for key in keys if is_needed(key, results)]
        rules = [key for key in keys if key["attacker"] == "rules"]
        assert needed[: len(rules)] == rules  # as S2, which always ran to depth 3
        assert {key["depth"] for key in needed[len(rules) :]} == {1}


def test_the_play_outs_of_a_level_are_games_of_sgf():
    moves = [
        {
            "move": "a1",
            "score": 4,
            "win_in": None,
            "depth": 2,
            "nodes": 7,
            "seconds": 0.5,
        },
        {
            "move": "a2",
            "score": 0,
            "win_in": -3,
            "depth": 1,
            "nodes": 8,
            "seconds": 1.25,
        },
        {
            "move": None,
            "score": 0,
            "win_in": None,
            "depth": 2,
            "nodes": 0,
            "seconds": 0.0,
        },
    ]
    facts = {"level": 6, **PLAYED}
    longer = {**facts, "outcome": "lost", "count": 2, "moves": moves}
    shorter = {**facts, "outcome": "won", "count": 1, "moves": moves[:1]}
    first, second = parse_games(games_as_sgf([longer, shorter], "rules: a1 4"))
    assert (first.id, first.white) == ("Level 6", "easy defender")
    assert first.black == "rule score (S1-S3), depth 2"
    assert (first.result, second.result) == ("1-0", "0-1")
    assert first.board(0) == second.board(0) == level_boards()[5]
    assert first.comment == "rules: a1 4"
    assert [str(move) for move in second.moves] == ["a1", "a2"]
    figures = [node.figures.values() for node in second.mainline()]
    facts = ("score", "win_in", "depth", "nodes", "seconds")
    assert [[each[name] for name in facts] for each in figures] == [
        [4, None, 2, 7, 0.5],
        [0, -3, 1, 8, 1.25],
    ]


def test_openings_differ_under_symmetry_and_every_run_has_the_same():
    texts = openings(6)
    assert len(texts) == 6
    forms = set()
    for text in texts:
        moves = parse_moves(text)
        assert len(set(moves)) == 4
        forms.add(canonical((moves[::2], moves[1::2]), 15, 15).groups)
    assert len(forms) == 6
    assert openings(3) == texts[:3]


def test_a_pair_of_games_has_both_colours_and_counts_points():
    result = play_pair(["rules", "ours"], "h8 h9 j10 g7", "depth", 1)
    assert [game["black"] for game in result["games"]] == ["rules", "ours"]
    points = 0
    for game in result["games"]:
        board = Board.from_moves(game["moves"])
        names = [game["black"], ({"rules", "ours"} - {game["black"]}).pop()]
        winner = None if board.winner is None else names[board.winner]
        assert game["winner"] == winner
        assert game["played"] == board.ply - 4
        points += 0.5 if winner is None else winner == "rules"
    assert result["points"] == points


def test_every_pair_of_evaluations_meets():
    assert len(pairings_of(Plan())) == 6
    pairings = pairings_of(Plan(evaluation="a:b"))
    assert pairings[6:] == [["a:b", e] for e in ("rules", "stones", "ours", "proved")]


def few_stones(board):
    """An evaluation of a user."""
    return -len(board.moves) / 8


def test_an_evaluation_of_the_user_has_its_rows_beside_the_others(tmp_path):
    own = f"{__name__}:few_stones"
    plan = Plan(levels=(6,), depth=2, pairs=0, evaluation=own, own_nodes=200)
    with Results(tmp_path / "results.jsonl") as results:
        for study in ("first moves", "all candidates"):
            for key in studies(plan)[study]:
                results.add(key, measure(key))
    found = Measurements(plan, results)
    tables = {name: table["rows"] for name, table in tables_of(found).items()}
    *_, (name, *counts) = tables["nodes"]
    assert name == f"depth 2, {own}"
    minimax, plain, *_ = counts[1:]
    assert (minimax, plain) == (tables["nodes"][-2][2], "> 200")
    rows = {row[0]: row[1:] for row in (*tables["cutoffs"], *tables["pruned"])}
    assert len(rows) == len(tables["cutoffs"]) == len(tables["pruned"]) == 5
    assert rows[name][1].startswith("< ")
    value = (level_boards()[5].ply + 1) / 8  # of the position after each move
    assert set(value_moves(6, 1, 200, own)[own].values()) == {value}


def games_table(tmp_path, *pairs):
    """Results in which the first pairing's games were won by these players."""
    plan = Plan(pairs=len(pairs))
    keys = studies(plan)["pairs of games"]
    keys = [key for key in keys if key["players"] == ["rules", "stones"]]
    with Results(tmp_path / "results.jsonl") as results:
        for k, (key, winners) in enumerate(zip(keys, pairs, strict=True)):
            seconds = {"rules": 0.5, "stones": 0.25}
            rows = [
                {
                    "winner": w,
                    "moves": f"{k // 2} {n}",
                    "played": 50,
                    "seconds": seconds,
                }
                for n, w in enumerate(winners)
            ]
            results.add(key, {"games": rows})
    (row,) = tables_of(Measurements(plan, results))["games"]["rows"]
    return row


def test_games_are_counted_in_pairs_with_copies_and_times(tmp_path):
    row = games_table(tmp_path, ("rules", "rules"), ("stones", None))
    assert row[1:4] == [4, "2-1-1", 0.625]
    assert row[5:] == [2, "20,000 / 10,000"]


def test_sums_say_what_a_budget_limited():
    cut = Total(2_000, False, None, 0)
    assert (cut.text(), cut.time(), cut.pruned(8_000)) == ("> 2,000", "-", "< 75.0 %")
    whole = Total(2_000, True, 0.0012345, 0)
    assert (whole.text(), whole.time(), whole.pruned(8_000)) == (2_000, 0.00123, 0.75)
    assert Total(None, False, None, 0).text() == whole.pruned(None) == "-"


@pytest.mark.parametrize(
    ("table", "cell", "text"),
    [
        ("nodes", 12345, "12,345"),
        ("pruned", 0.953, "95.3 %"),
        ("pruned", 0.9994, "99.94 %"),
        ("time", 1.234, "1.23 s"),
        ("time", 0.0123, "12.3 ms"),
        ("needs", ">4", ">4"),
    ],
)
def test_cells_have_their_units_in_the_report(table, cell, text):
    assert cell_text(table, cell) == text


def test_results_of_another_engine_are_not_taken_for_this_ones(monkeypatch):
    assert engine_nodes() > 10_000
    keys = [keys[0] for keys in studies(Plan(pairs=1)).values()]
    monkeypatch.setattr(studies_module, "engine_nodes", lambda: 5)
    others = [keys[0] for keys in studies(Plan(pairs=1)).values()]
    for key, other in zip(keys, others, strict=True):
        assert key != other
        assert key | {"engine": 5} == other


def test_results_survive_a_kill_in_the_middle_of_a_line(tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        results.add({"study": "x", "level": 1}, {"nodes": 5})
        results.add({"level": 2, "study": "x"}, {"nodes": 6})
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    with Results(path) as again:
        assert again.get({"level": 1, "study": "x"}) == {"nodes": 5}
        assert again.get({"study": "x", "level": 2}) is None
        again.add({"level": 2, "study": "x"}, {"nodes": 6})
    assert path.read_bytes() == whole


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"key": {}, "result": {}}\n[1]\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2: not a result"):
        Results(path)
