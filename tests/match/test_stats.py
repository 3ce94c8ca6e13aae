"""Statistics against figures that others published, and against exact cases.

Published: Disservin/fastchess (MIT), app/tests/elo_test.cpp and sprt_test.cpp at commit
74deac23aadc6718fa0f8e24ac95d16392d79444. Its Stats take (wins, losses, draws) and
(LL, LD, WL, DD, WD, WW).
"""

import itertools
import math
import sys

import pytest

from gomoku_brain.match.stats import (
    NELO_UNIT,
    Z95,
    Estimate,
    Pentanomial,
    Score,
    Sprt,
    elo_of,
    ratings,
    score_of,
)


def shown(figure):
    return pytest.approx(figure, abs=0.005000001)


def wdl(wins, losses, draws):
    return Score(wins, draws, losses)


def penta(ll, ld, wl, dd, wd, ww):
    return Pentanomial(ll, ld, wl + dd, wd, ww, split=wl)


@pytest.mark.parametrize(
    ("tally", "elo", "nelo", "los", "score"),
    [
        (wdl(76, 89, 123), None, (-20.76, 40.13), 15.53, 0.477),
        (wdl(136, 96, 111), (40.70, 30.43), (49.77, 36.77), 99.60, 0.558),
        (wdl(34, 356, 0), None, (-508.44, 34.48), None, 0.087),
        (penta(34, 54, 31, 32, 64, 75), (55.58, 27.65), (57.94, 28.28), 100.0, 0.579),
        (
            penta(332, 433, 457, 41, 333, 334),
            (-8.64, 10.33),
            (-9.17, 10.96),
            5.05,
            0.488,
        ),
        (
            penta(7895, 8757, 5485, 200, 568, 9999),
            (-21.04, 2.95),
            (-19.01, 2.65),
            0.0,
            0.470,
        ),
    ],
    ids=str,
)
def test_figures_are_those_of_fastchess(tally, elo, nelo, los, score):
    if elo:
        assert (tally.elo.value, tally.elo.error) == (shown(elo[0]), shown(elo[1]))
    assert (tally.nelo.value, tally.nelo.error) == (shown(nelo[0]), shown(nelo[1]))
    if los is not None:
        assert 100 * tally.los == shown(los)
    assert tally.score == pytest.approx(score, abs=0.001)


@pytest.mark.parametrize(
    ("tally", "sprt", "llr"),
    [
        (wdl(36433, 36027, 68692), (0, 2, "normalized"), 0.92),
        (wdl(10871, 10650, 20431), (-1.75, 0.25, "normalized"), 2.30),
        (wdl(21404, 21184, 40708), (0.5, 2.5, "logistic"), -1.57),
        (wdl(57433, 57030, 106593), (0, 2, "logistic"), -2.59),
        (penta(365, 16618, 36029, 200, 16974, 390), (0, 2, "normalized"), 2.25),
        (penta(127, 4883, 10311, 401, 5150, 104), (-1.75, 0.25, "normalized"), 3.01),
        (penta(223, 9863, 20279, 1000, 10037, 246), (0.5, 2.5, "logistic"), -3.07),
        (penta(871, 26175, 55003, 980, 26678, 821), (0, 2, "logistic"), -4.98),
    ],
    ids=str,
)
def test_likelihood_ratios_are_those_of_fastchess(tally, sprt, llr):
    elo0, elo1, model = sprt
    assert Sprt(elo0, elo1, model=model).llr(tally) == shown(llr)


@pytest.mark.parametrize(
    ("tally", "elo1", "tested", "computed"),
    [
        (wdl(4250, 0, 0), 10, 120.56, 120.5482677),
        (penta(0, 0, 0, 0, 0, 5550), 5, 111.82, 111.7975551),
    ],
    ids=str,
)
def test_likelihood_ratios_of_a_single_outcome(tally, elo1, tested, computed):
    """fastchess's tests allow 1 %; `computed` is what its code, compiled, returns."""
    llr = Sprt(0, elo1, model="normalized").llr(tally)
    assert llr == pytest.approx(computed, abs=1e-6)
    assert llr == pytest.approx(tested, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "sprt", "llr"),
    [
        # official-stockfish/Stockfish pull request 4493
        ((2002, 72968, 180891, 74129, 2034), (0, 2, "normalized"), 3.22),
        ((24, 7350, 23669, 7717, 28), (0.5, 2.5, "normalized"), 2.94),
        # official-monty/Monty pull request 66
        ((434, 4052, 8304, 4206, 492), (0, 4, "normalized"), 3.00),
        ((829, 14632, 32502, 15215, 902), (1, 5, "normalized"), 2.93),
        # Stockfish pull requests 3331, 3209 and 3098, when Elo was logistic
        ((115, 2196, 11328, 2317, 136), (-0.25, 1.25, "logistic"), 2.94),
        ((58, 3302, 33130, 3518, 84), (0.25, 1.25, "logistic"), 2.97),
        ((491, 7345, 29693, 7670, 465), (-0.25, 1.25, "logistic"), 2.96),
    ],
    ids=str,
)
def test_likelihood_ratios_are_those_that_fishtest_published(counts, sprt, llr):
    elo0, elo1, model = sprt
    assert Sprt(elo0, elo1, model=model).llr(Pentanomial(*counts)) == shown(llr)


def test_bounds_and_verdicts_are_walds():
    sprt = Sprt(0, 5, alpha=0.05, beta=0.1)
    low, high = sprt.bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert sprt.verdict(Score()) == "continue"
    assert sprt.llr(Score()) == 0
    assert sprt.verdict(Score(1000, 100, 500)) == "H1"
    assert sprt.verdict(Score(500, 100, 1000)) == "H0"
    assert sprt.verdict(Score(11, 3, 10)) == "continue"


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 5, "elo1": 0},
        {"elo0": 0, "elo1": math.nan},
        {"elo0": 0, "elo1": math.inf},
        {"elo0": 0, "elo1": 5, "alpha": 0},
        {"elo0": 0, "elo1": 5, "beta": 1},
        {"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5},
        {"elo0": 0, "elo1": 5, "model": "bayesian"},
        {"elo0": 0, "elo1": 8000},
        {"elo0": 0, "elo1": 300, "model": "normalized"},
        {"elo0": -300, "elo1": 0, "model": "normalized"},
    ],
    ids=str,
)
def test_a_senseless_test_is_refused(wrong):
    with pytest.raises(ValueError, match=r"must be|no model"):
        Sprt(**wrong)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize(
    "tally", [Score(7, 3, 9), Score(1, 0, 0), Pentanomial(3, 0, 9, 1, 2)], ids=str
)
def test_swapping_the_sides_swaps_the_ratio(tally, model):
    ratio = Sprt(-3, 5, model=model).llr(tally)
    swapped = Sprt(-5, 3, model=model).llr(tally.swapped())
    assert ratio == pytest.approx(-swapped, abs=1e-9)


def test_nothing_is_known_before_the_first_game():
    for tally in (Score(), Pentanomial()):
        assert math.isnan(tally.elo.value)
        assert (tally.elo.low, tally.elo.high) == (-math.inf, math.inf)
        assert str(tally.elo) == str(tally.nelo) == "unknown"
        assert tally.los == 0.5
        figures = tally.to_dict()
        assert figures.pop("games") == figures.pop("points") == 0
        assert figures.pop("los") == 0.5
        assert set(figures.values()) == {None}


def test_all_wins_are_infinitely_better_but_the_interval_begins_somewhere():
    score = Score(wins=10)
    assert score.elo.value == score.elo.high == math.inf
    # Clopper and Pearson's bound: ten wins of ten still happen once in 40 at 69.15 %.
    assert score_of(score.elo.low) ** 10 == pytest.approx(0.025)
    assert str(score.elo) == "> +140.2"
    assert Estimate(-0.3, -125.0, 124.6).text(0) == "+0 +/- 125"
    assert str(score.swapped().elo) == "< -140.2"
    assert score.elo.text_with_interval() == "> +140"
    assert str(score.nelo) == "unknown"
    assert score.los == 1 - 0.5**11
    assert score.swapped().elo.value == -math.inf
    assert score.swapped().elo.high == pytest.approx(-score.elo.low)
    assert score.swapped().los == 0.5**11
    figures = score.to_dict()
    assert figures["elo"] is figures["elo_high"] is figures["nelo"] is None
    assert figures["elo_low"] == score.elo.low


def test_all_draws_are_equal_but_not_certainly():
    for tally in (Score(draws=20), Pentanomial(dd_wl=20)):
        assert tally.elo.value == 0
        assert tally.elo.low == pytest.approx(-tally.elo.high)
        # Something else up to this often would still be unseen once in 40.
        assert (1 - 2 * (score_of(tally.elo.high) - 0.5)) ** 20 == pytest.approx(0.025)
        assert tally.los == 0.5
        assert math.isnan(tally.nelo.value)


def test_one_pair_is_weak_evidence():
    won = Pentanomial(ww=1)
    assert won.elo.value == math.inf
    assert won.elo.low < -600
    assert won.los == 0.75
    assert Pentanomial(wd=1).elo.low < -600 < 600 < Pentanomial(wd=1).elo.high


def test_an_interval_that_leaves_the_scale_is_open():
    score = Score(wins=9, losses=1)
    assert score.elo.value == pytest.approx(elo_of(0.9))
    assert score.elo.high == score.elo.error == math.inf
    assert str(score.elo) == f"+381.7 (> {score.elo.low:+.1f})"
    assert str(score.swapped().elo) == f"-381.7 (< {-score.elo.low:+.1f})"
    assert score.elo.text(0) == f"+382 (> {score.elo.low:+.0f})"


def test_tallies_count_points_and_pairs():
    assert Score.of([1, 0.5, 0, 1]) == Score(2, 1, 1)
    pairs = [(1, 1), (1, 0), (0, 1), (0.5, 0.5), (0.5, 1), (0, 0.5), (0, 0)]
    tally = Pentanomial.of(pairs)
    assert tally == Pentanomial(1, 1, 3, 1, 1, split=2)
    assert (tally.pairs, tally.games, tally.points) == (7, 14, 7)
    assert tally.score == 0.5
    assert tally + Pentanomial(ww=1, split=0) == Pentanomial(1, 1, 3, 1, 2, 2)
    assert Pentanomial(1, 2, 3, 4, 5, 1).swapped() == Pentanomial(5, 4, 3, 2, 1, 1)
    assert Score(1, 2, 3) + Score(3, 0, 0) == Score(4, 2, 3)
    assert str(Score(1, 2, 3)) == "+1 =2 -3"
    assert str(tally) == "[1, 1, 3, 1, 1]"


def test_pairs_of_independent_games_agree_with_single_games():
    """Every sequence of two games as often as chance makes it: same figures."""
    wins, draws, losses = 5, 3, 2
    pairs = Pentanomial(
        losses**2,
        2 * losses * draws,
        draws**2 + 2 * wins * losses,
        2 * wins * draws,
        wins**2,
    )
    games = Score(20 * wins, 20 * draws, 20 * losses)
    assert pairs.games == games.games
    for name in ("elo", "nelo"):
        mine, other = getattr(pairs, name), getattr(games, name)
        assert (mine.low, mine.value, mine.high) == pytest.approx(
            (other.low, other.value, other.high)
        )
    assert pairs.los == pytest.approx(games.los)


def test_elo_and_score_are_inverse():
    for elo in (-800, -1, 0, 1, 400):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert score_of(400) == pytest.approx(10 / 11)


def test_strengths_nine_three_one_are_found():
    """Scores 3:1, 3:1, 9:1 agree with strengths 9:3:1 exactly."""
    table = ratings(
        {
            ("b", "a"): Score(wins=25, losses=75),
            ("b", "c"): Score(wins=75, losses=25),
            ("a", "c"): Score(wins=90, losses=10),
        }
    )
    unit = 400 * math.log10(3)
    assert [row.name for row in table] == ["a", "b", "c"]
    assert [row.elo.value for row in table] == pytest.approx([unit, 0, -unit])
    assert table[0].score == Score(wins=165, losses=35)


def test_error_bars_of_equal_players_are_those_of_the_information_matrix():
    """n games of each two of m players, all scores even and no draws: the information
    is n/4 (m I - E) in natural units, its pseudo-inverse 4/(n m) (I - E/m)."""
    m, n = 4, 50
    results = {
        (str(i), str(j)): Score(wins=n // 2, losses=n // 2)
        for i in range(m)
        for j in range(i)
    }
    error = Z95 * math.sqrt(4 / (n * m) * (1 - 1 / m)) * NELO_UNIT / 2
    for row in ratings(results):
        assert row.elo.value == pytest.approx(0, abs=1e-9)
        assert row.elo.error == pytest.approx(error)


def test_draws_narrow_the_error_bars_of_two_as_they_do_in_a_match():
    """Half the difference each; the match's interval, for small errors, half each."""
    score = Score(5100, 40000, 4900)
    first, second = ratings({("x", "y"): score})
    assert first.name == "x"
    assert first.elo.value - second.elo.value == pytest.approx(score.elo.value)
    assert 2 * first.elo.error == pytest.approx(score.elo.error, rel=1e-4)


def test_order_of_a_pair_does_not_matter():
    one = ratings({("x", "y"): Score(3, 1, 2), ("y", "x"): Score(1, 1, 1)})
    other = ratings({("x", "y"): Score(4, 2, 3)})
    assert one == other


def test_who_won_all_or_lost_all_gets_a_finite_rating_from_a_prior():
    table = ratings(
        {
            ("a", "b"): Score(6, 0, 2),
            ("a", "c"): Score(2, 0, 4),
            ("b", "c"): Score(4, 0, 4),
            ("king", "a"): Score(wins=2),
            ("b", "last"): Score(wins=2),
            ("stranger", "other"): Score(draws=1),
        }
    )
    elos = {row.name: row.elo.value for row in table}
    assert table[0].name == "king"
    gap = 400 * math.log10(5)  # 2-0 and a drawn game: 2.5 points to 0.5
    assert elos["king"] - elos["a"] == pytest.approx(gap, abs=1e-4)
    assert elos["b"] - elos["last"] == pytest.approx(gap, abs=1e-4)
    assert math.isnan(elos["stranger"])
    assert math.isnan(elos["other"])
    rated = [elos[name] for name in ("king", "a", "b", "c", "last")]
    assert sum(rated) == pytest.approx(0, abs=1e-9)
    among = ratings(
        {
            ("a", "b"): Score(6, 0, 2),
            ("a", "c"): Score(2, 0, 4),
            ("b", "c"): Score(4, 0, 4),
        }
    )
    alone = {row.name: row.elo.value for row in among}  # the prior is not theirs
    assert alone["a"] - alone["b"] == pytest.approx(elos["a"] - elos["b"], abs=1e-4)


def test_very_uneven_tables_converge():
    table = ratings(
        {
            ("a", "b"): Score(9999, 0, 1),
            ("b", "c"): Score(1, 9999, 0),
            ("c", "d"): Score(1, 0, 9999),
        }
    )
    by_name = {row.name: row.elo.value for row in table}
    assert by_name["a"] - by_name["b"] == pytest.approx(400 * math.log10(9999))
    assert by_name["d"] - by_name["c"] == pytest.approx(400 * math.log10(9999))


def test_tables_of_nobody_and_of_oneself():
    assert ratings({}) == []
    idle = ratings({("a", "b"): Score()})
    assert [row.name for row in idle] == ["a", "b"]
    assert all(math.isnan(row.elo.value) for row in idle)
    swept = ratings({("a", "b"): Score(losses=2)})
    half = 200 * math.log10(5)
    assert [row.name for row in swept] == ["b", "a"]
    assert [row.elo.value for row in swept] == pytest.approx([half, -half])
    assert [row.score.games for row in swept] == [2, 2]
    with pytest.raises(ValueError, match="against itself"):
        ratings({("a", "a"): Score(1, 0, 0)})


@pytest.mark.parametrize(("model", "most"), [("logistic", 2000), ("normalized", 200)])
def test_the_largest_differences_have_a_ratio_for_any_results(model, most):
    sprt = Sprt(-most, most, model=model)
    for counts in itertools.product((0, 1, 1000), repeat=5):
        if any(counts):
            assert math.isfinite(sprt.llr(Pentanomial(*counts)))


def test_pairs_of_several_opponents_are_added():
    one, two = Pentanomial(1, 2, 3, 4, 5, split=2), Pentanomial(ww=4, dd_wl=1, split=1)
    assert one + two == Pentanomial(1, 2, 4, 4, 9, split=3)
    assert one.swapped() == Pentanomial(5, 4, 3, 2, 1, split=2)
    assert (one + one.swapped()).score == 0.5


def test_an_anchor_has_its_rating_and_the_others_theirs_from_it():
    results = {
        ("a", "b"): Score(30, 10, 20),
        ("b", "c"): Score(25, 5, 10),
        ("a", "c"): Score(20, 4, 6),
    }
    free = {row.name: row.elo for row in ratings(results)}
    anchored = {row.name: row.elo for row in ratings(results, "b", 1500)}
    assert anchored["b"] == Estimate(1500, 1500, 1500)
    for name in "ac":
        gap = free[name].value - free["b"].value
        assert anchored[name].value - 1500 == pytest.approx(gap)
    # Of two players the difference has twice the error of each to their mean.
    two = {("a", "b"): Score(30, 10, 20)}
    (mean,) = {round(row.elo.error, 6) for row in ratings(two)}
    (error,) = (row.elo.error for row in ratings(two, "b") if row.name == "a")
    assert error == pytest.approx(2 * mean, abs=1e-5)
    tally = Score(30, 10, 20).elo
    assert ratings(two, "b")[0].elo.value == pytest.approx(tally.value, abs=1e-6)


def test_before_the_anchor_has_a_rating_nobody_has():
    results = {("a", "b"): Score(5, 0, 5), ("c", "d"): Score()}
    assert next(iter(ratings(results, "a"))).name == "a"
    rows = ratings(results, "c")
    assert [math.isnan(row.elo.value) for row in rows] == [True] * 4
    assert [row.name for row in rows] == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="the anchor 'e' is none of the players"):
        ratings(results, "e")


def test_points_that_no_game_has_are_refused():
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0 points, not 0\.3"):
        Score.of([1, 0.3])
    with pytest.raises(ValueError, match=r"1, 0\.5 or 0 points, not 2"):
        Pentanomial.of([(0, 1), (2, 1)])


def test_ratings_need_no_numpy(monkeypatch):
    """The folder of the board has none."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    results = {("a", "b"): Score(7, 2, 1), ("b", "c"): Score(6, 0, 4)}
    assert [row.name for row in ratings(results)] == ["a", "b", "c"]


def test_ratings_of_many_players_are_the_most_likely_ones():
    """The points expected of each player are those that it has made."""
    names = [f"p{k}" for k in range(12)]
    results = {
        (a, b): Score(1 + (3 * i + j) % 5, j % 3, 1 + (i + 2 * j) % 4)
        for (i, a), (j, b) in itertools.combinations(enumerate(names), 2)
    }
    elo = {row.name: row.elo.value for row in ratings(results)}
    assert sum(elo.values()) == pytest.approx(0, abs=1e-6)
    for name in names:
        made = expected = 0.0
        for (a, b), score in results.items():
            if name in (a, b):
                other, own = (b, score) if name == a else (a, score.swapped())
                made += own.points
                expected += own.games * score_of(elo[name] - elo[other])
        assert made == pytest.approx(expected, abs=1e-9)


def test_players_that_never_met_the_others_are_noted():
    results = {("a", "b"): Score(3, 0, 1), ("c", "d"): Score(1, 0, 0)}
    rows = {row.name: row for row in ratings(results)}
    assert rows["a"].note == rows["b"].note == ""
    for name in "cd":
        assert "no chain of games links" in rows[name].note
        assert rows[name].note in str(rows[name])
    anchored = {row.name: row for row in ratings(results, anchor="d")}
    assert "the anchor d" in anchored["a"].note


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, -2, 1), (0, 0, -1)])
def test_an_impossible_score_is_refused(counts):
    with pytest.raises(ValueError, match="0 or more"):
        Score(*counts)
