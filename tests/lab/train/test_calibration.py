"""What a score is worth, from games whose curve is known."""

import random
from functools import cache

import numpy as np
import pytest

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import calibration
from gomoku_brain.lab.train.calibration import (
    FORMS,
    bins,
    interval,
    judged,
    main,
    mean_and_error,
    positions_of,
    scales,
)
from gomoku_brain.records.game_record import GameRecord, PlayedMove, record_line

SCALE = 150.0


def game(scores, result="1-0", pair=None, **facts):
    """A game whose moves, row by row, told these scores; None for no score."""
    moves = []
    for ply, score in enumerate(scores):
        if score is None:
            moves.append(without_score(ply))
            continue
        expected = {"win_in": score} if isinstance(score, float) else {"score": score}
        expected = {name: int(v) for name, v in expected.items()}
        moves.append(PlayedMove(Move(ply % 15, ply // 15), **expected))
    facts = {"rule": Rule.FREESTYLE, "reason": "five", **facts}
    extra = {} if pair is None else {"pair": str(pair)}
    return GameRecord(
        width=15, height=15, moves=tuple(moves), result=result, extra=extra, **facts
    )


@cache
def without_score(ply):
    return PlayedMove(Move(ply % 15, ply // 15))


def some_games(count, scale=SCALE):
    """Games of ten scores of black's; who wins is drawn by the curve of the filling."""
    dice = random.Random(3)
    found = []
    for number in range(count):
        score = dice.randint(-400, 400)
        plies = dice.randrange(0, 160, 2)
        chance = 1 / (1 + np.exp(-score * (1 - plies / 225) / scale))
        result = "1-0" if dice.random() < chance else "0-1"
        scores = [None] * plies + [score, None]
        rule = dice.choice((Rule.FREESTYLE, Rule.RENJU))
        found.append(("games", game(scores, result, number // 2, rule=rule)))
    return found


def test_the_scale_of_a_known_curve_is_found():
    positions = positions_of(some_games(6000))
    everything = np.ones(len(positions), bool)
    found = scales(FORMS["filled"], positions, everything)
    assert found[Rule.FREESTYLE] == found[Rule.RENJU] == pytest.approx(SCALE, rel=0.08)
    by_rule = scales(FORMS["rules"], positions, everything)
    assert by_rule[Rule.RENJU] == pytest.approx(SCALE, rel=0.12)
    assert scales(FORMS["plain"], positions, everything)[0] > 1.2 * SCALE
    logits = judged(FORMS["filled"], positions, 5)
    for expected, won, error, count in bins(
        logits, positions.result, positions.opening
    ):
        assert abs(expected - won) < 4 * error + 0.02, count


@pytest.mark.slow("3,000 games", ci=True)
def test_the_interval_holds_the_scale_and_narrows_with_the_games():
    widths = []
    for count in (300, 3000):
        p = positions_of(some_games(count))
        low, high = interval(FORMS["filled"].units(p), p.result, p.opening)
        assert low < SCALE < high
        widths.append(high / low)
    assert widths[1] < widths[0] ** 0.6


def test_an_opening_is_judged_by_the_others_alone():
    games = some_games(200)
    positions = positions_of(games)
    before = judged(FORMS["filled"], positions, 4)
    positions.result = np.where(positions.opening == 7, 0.5, positions.result)
    after = judged(FORMS["filled"], positions, 4)
    same_fold = positions.opening % 4 == 7 % 4
    assert np.array_equal(before[same_fold], after[same_fold])
    assert not np.array_equal(before, after)


def test_what_a_position_is():
    games = [
        ("one", game([10, -20, 30.0, None, -40], "0-1", 1, black="a", white="b")),
        ("one", game([50], "1/2-1/2", 1, black="b", white="a")),
        ("two", game([60], "1-0", 1, rule=Rule.CARO, black="a", white="b")),
        ("two", game([70], "1-0", 2, reason="time", black="a", white="b")),
        ("two", game([80], "*", 3, reason="", black="a", white="b")),
    ]
    found = positions_of(games)
    assert found.score.tolist() == [10, -20, -40, 50, 60]
    assert found.result.tolist() == [0, 1, 0, 0.5, 1]
    assert found.opening.tolist() == [0, 0, 0, 0, 1]
    assert found.game.tolist() == [0, 0, 0, 1, 2]
    assert found.filled.tolist() == [0, 1 / 225, 4 / 225, 0, 0]
    assert found.rule.tolist() == [0, 0, 0, 0, Rule.CARO]
    assert (found.proved, found.right) == (1, 0)
    assert positions_of(games, ["b"]).score.tolist() == [-20, 50]
    with pytest.raises(ValueError, match="no game with scores"):
        positions_of(games, ["c"])


def test_the_error_is_that_of_the_openings():
    values = np.array([1.0, 2.0, 4.0, 5.0])
    alone = mean_and_error(values, np.arange(4))
    assert alone == pytest.approx((3.0, values.std(ddof=1) / 2))
    twice = mean_and_error(np.repeat(values, 2), np.repeat(np.arange(4), 2))
    assert twice == pytest.approx(alone)


def test_the_program_prints_its_table_and_draws_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(calibration, "RESAMPLES", 20)
    path, picture = tmp_path / "games.jsonl", tmp_path / "curve.png"
    path.write_text("".join(record_line(g) + "\n" for _, g in some_games(300)))
    assert main([str(path), "--picture", str(picture)]) == 0
    output = capsys.readouterr().out
    for rule in ("freestyle", "renju", "all"):
        assert f"| {rule} | " in output
    assert output.count("| before |") == 3
    assert "one scale, by the filling of the board: 1" in output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main([str(path), "--folds", "1"]) == 2
    assert main([str(path), "--player", "nobody"]) == 2
    assert "no game with scores" in capsys.readouterr().err
