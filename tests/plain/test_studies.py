"""What an experiment counts, and what it makes of the results."""

import math

import pytest

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.plain import results as results_module
from gomoku_brain.plain.first_moves import count_nodes, value_moves
from gomoku_brain.plain.games import openings, pairing_score, play_pair
from gomoku_brain.plain.level_files import moves_sgf
from gomoku_brain.plain.plain_search import (
    Method,
    PlainSearch,
    SourceEvaluation,
)
from gomoku_brain.plain.plan import Plan, level_board, pairings_of
from gomoku_brain.plain.play_outs import play_out
from gomoku_brain.plain.players import MoveChooser
from gomoku_brain.plain.results import Results, engine_nodes
from gomoku_brain.plain.studies import studies
from gomoku_brain.records.read import parse_games

PLAN = Plan(levels=(6,), depth=3, defender_nodes=1_000)


def without_seconds(result):
    """The same result with no clock in it."""
    if isinstance(result, dict):
        clocks = ("seconds", "slowest")
        return {k: without_seconds(v) for k, v in result.items() if k not in clocks}
    if isinstance(result, list):
        return [without_seconds(entry) for entry in result]
    return result


def test_a_plan_that_makes_no_sense_is_refused():
    for bad in (
        {"levels": ()},
        {"levels": (1, 21)},
        {"depth": 0},
        {"game_depth": 9},
        {"budget": 0},
        {"pairs": -1},
    ):
        with pytest.raises(ValueError, match=r"level|depth|nodes|games"):
            Plan(**bad)


@pytest.mark.slow("searches of whole trees", ci=True)
def test_methods_agree_on_the_value_and_save_nodes():
    result = count_nodes(level_board(6), 3, PLAN.budget)
    for evaluation in ("rules", "stones", "ours", "proved"):
        rows = [r for r in result["searches"] if r["evaluation"] == evaluation][:4]
        assert len({row["score"] for row in rows}) == 1
        assert rows[0]["nodes"] == result["trees"]["2"]
        assert rows[0]["nodes"] > rows[1]["nodes"] > rows[2]["nodes"]
        assert rows[2]["nodes"] >= rows[3]["nodes"]
    assert result["trees"]["1"] < result["trees"]["2"] < result["trees"]["0"]
    assert all(part["finished"] for part in result["parts"])


def test_a_budget_cuts_a_search_short_and_is_reported():
    result = count_nodes(level_board(6), 3, 500)
    rows = {(r["evaluation"], r["method"]): r for r in result["searches"]}
    cut = rows["rules", "alphabeta"]
    assert not cut["finished"]
    assert cut["nodes"] == 500
    assert "move" not in cut
    assert result["trees"]["0"] is None  # its second ply alone is larger


def test_nothing_measured_depends_on_a_clock():
    for measure in (
        lambda: count_nodes(level_board(6), 2, 10_000),
        lambda: value_moves(level_board(6), 2, 100_000),
        lambda: play_out(level_board(6), "rules", "engine", 2, PLAN),
        lambda: play_pair("stones", "engine", "nodes", 300, "h8 h9 j10 g7"),
    ):
        assert without_seconds(measure()) == without_seconds(measure())


def test_a_level_is_played_out_by_legal_moves_to_its_result():
    won = 0
    for attacker, defender in (("rules", "easy"), ("proved", "engine")):
        result = play_out(level_board(6), attacker, defender, 3, PLAN)
        board = level_board(6).copy()
        for move in result["moves"]:
            assert board.winner is None
            assert move["side"] == board.turn.name.lower()
            board.play(parse_moves(move["move"])[0])
        mine = result["moves"][::2]
        assert result["count"] == len(mine)
        assert result["nodes"] == sum(move["nodes"] for move in mine)
        assert (board.winner == Side.BLACK) == (result["outcome"] == "won")
        won += result["outcome"] == "won"
    assert won == 2


def test_the_play_outs_of_a_level_are_games_of_sgf():
    moves = [
        {"move": "a1", "side": "black", "score": 4, "win_in": None, "nodes": 7},
        {"move": "a2", "side": "white", "score": 0, "win_in": -3, "nodes": 8},
        {"move": None, "side": "black", "score": 0, "win_in": None, "nodes": 0},
    ]
    facts = {"attacker": "rules", "defender": "easy", "depth": 2}
    longer = {**facts, "outcome": "lost", "count": 2, "moves": moves}
    shorter = {**facts, "outcome": "won", "count": 1, "moves": moves[:1]}
    first, second = parse_games(moves_sgf(6, level_board(6), [longer, shorter]))
    assert (first.id, first.black, first.white) == ("Level 6", "rules, depth 2", "easy")
    assert (first.result, second.result) == ("1-0", "0-1")
    assert first.board(0) == second.board(0) == level_board(6)
    assert [str(move) for move in second.moves] == ["a1", "a2"]
    comments = [node.comment for node in second.mainline()]
    assert comments == ["4, 7 nodes", "loss 3, 8 nodes"]


def test_trees_of_a_play_out_are_those_of_its_positions():
    result = play_out(level_board(6), "rules", "easy", 2, PLAN)
    board = level_board(6).copy()
    size = 0
    for k, move in enumerate(result["moves"]):
        if k % 2 == 0:
            plain = PlainSearch(SourceEvaluation.RULES, Method.MINIMAX, 0)
            size += plain.search(board, 2).nodes
        board.play(parse_moves(move["move"])[0])
    assert result["trees"]["0"] == size


def test_openings_differ_under_symmetry_and_every_run_has_the_same():
    texts = openings(12)
    assert len(texts) == 12
    forms = set()
    for text in texts:
        moves = parse_moves(text)
        assert len(set(moves)) == 4
        forms.add(canonical((moves[::2], moves[1::2]), 15, 15).groups)
    assert len(forms) == 12
    assert openings(5) == texts[:5]


def test_a_pair_of_games_has_both_colours_and_counts_points():
    result = play_pair("rules", "ours", "depth", 1, "h8 h9 j10 g7")
    assert [game["black"] for game in result["games"]] == ["rules", "ours"]
    points = 0
    for game in result["games"]:
        board = Board.from_moves(game["moves"])
        names = [game["black"], ({"rules", "ours"} - {game["black"]}).pop()]
        winner = None if board.winner is None else names[board.winner]
        assert game["winner"] == winner
        points += 0.5 if winner is None else winner == "rules"
    assert result["points"] == points


def test_a_player_within_nodes_uses_no_more():
    board = Board.from_moves("h8 h9 j10 g7")
    for name in ("rules", "engine"):
        choice = MoveChooser(name).within_nodes(board, 2_000)
        assert choice.move is not None
        assert choice.nodes <= 2_000
    assert MoveChooser("rules").within_nodes(board, 1).depth == 1  # one ply in any case


def test_every_pair_of_players_meets_on_equal_terms():
    pairings = pairings_of(Plan(game_depth=3, game_nodes=70))
    assert len(pairings) == len(set(pairings)) == 6 + 6
    assert {terms[2:] for terms in pairings} == {("depth", 3), ("nodes", 70)}


def games(*results):
    """Pairs with the given points for "a"; every game has moves of its own."""
    rows = []
    for k, points in enumerate(results):
        winners = {2: "aa", 1: "ab", 0: "bb"}[points]
        rows.append(
            {
                "points": points,
                "games": [
                    {
                        "winner": winner,
                        "moves": f"{k} {n}",
                        "played": 30,
                        "seconds": {"a": 0.5, "b": 0.25},
                    }
                    for n, winner in enumerate(winners)
                ],
            }
        )
    return rows


def test_the_interval_of_a_match_is_that_of_its_pairs():
    match = pairing_score(games(2, 1, 1, 0, 2, 1), "a", "b")
    assert (match.wins, match.draws, match.losses, match.copies) == (7, 0, 5, 0)
    assert match.score == pytest.approx(7 / 12)
    assert match.moves == 12 * 15
    assert match.seconds == (6, 3)
    # 0 1 .5 .5 0 1 .5 1: mean .5625, sum of squares 3.75 - 8 * .5625^2 = 1.21875
    error = 1.96 * math.sqrt(1.21875 / 7 / 8)
    assert match.interval == pytest.approx((7 / 12 - error, 7 / 12 + error))


def test_pairs_that_ended_alike_are_not_certain():
    low, high = pairing_score(games(1, 1, 1, 1), "a", "b").interval
    assert low < 0.4 < 0.6 < high
    assert pairing_score(games(2, 2), "a", "b").interval[1] == 1


def test_copies_of_games_are_counted():
    rows = games(1, 1)
    rows[1]["games"][0]["moves"] = rows[0]["games"][0]["moves"]
    assert pairing_score(rows, "a", "b").copies == 1


def test_results_of_another_engine_are_not_taken_for_this_ones(monkeypatch):
    assert engine_nodes() == engine_nodes() > 10_000
    plan = Plan(pairs=1)
    keys = [next(study.jobs(None)).key for study in studies(plan)]
    monkeypatch.setattr(results_module, "_engine", lambda: 5)
    others = [next(study.jobs(None)).key for study in studies(plan)]
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
