"""Targets and losses against their definitions."""

import math

import numpy as np
import pytest

from gomoku_brain.lab.train.losses import (
    aligned_loss_of,
    held_out_figures,
    is_held_out,
    logistic_scale,
    loss_of,
    sigmoid,
    target_of,
)


def test_a_loss_is_the_mean_cross_entropy():
    logits, aim = np.array([0.0, 2.0, -1.0]), np.array([0.5, 1.0, 0.0])
    p = [1 / (1 + math.exp(-z)) for z in logits]
    entropy = [
        -a * math.log(q) - (1 - a) * math.log(1 - q)
        for a, q in zip(aim, p, strict=True)
    ]
    assert loss_of(logits, aim) == pytest.approx(sum(entropy) / 3)
    assert sigmoid(np.array([-800.0, 0.0, 800.0])).tolist() == [0, 0.5, 1]


def test_an_aligned_loss_does_not_depend_on_scale_and_constant():
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 2, 5000)
    aim = (rng.random(5000) < sigmoid(logits)).astype(float)
    best = aligned_loss_of(logits, aim)
    assert best == pytest.approx(loss_of(logits, aim), abs=1e-3)
    for other in (1.5 * logits, logits + 0.7, 0.4 * logits - 1):
        assert aligned_loss_of(other, aim) == pytest.approx(best, abs=1e-7)
        assert loss_of(other, aim) > best + 1e-3
    assert aligned_loss_of(rng.permutation(logits), aim) > best + 0.1


def test_the_scale_is_the_one_that_the_results_follow():
    rng = np.random.default_rng(3)
    score = rng.normal(0, 300, 40_000)
    result = (rng.random(40_000) < 1 / (1 + np.exp(-score / 250))).astype(float)
    assert logistic_scale(score, result) == pytest.approx(250, rel=0.03)


def test_a_target_mixes_the_result_with_the_search():
    score, result = (
        np.array([100.0, -300.0, 50.0, 20.0]),
        np.array([1.0, 0.0, 0.0, 1.0]),
    )
    fitted = np.array([True, True, True, False])
    scale = logistic_scale(score[fitted], result[fitted])
    for mix, wanted in ((0.0, result), (1.0, 1 / (1 + np.exp(-score / scale)))):
        target, found = target_of(score, result, fitted, mix)
        assert found == scale
        assert target == pytest.approx(wanted)

    def opinion(given):
        assert given == scale
        return np.full(4, 0.25)

    target, _ = target_of(score, result, fitted, 0.8, opinion)
    assert target == pytest.approx(0.8 * 0.25 + 0.2 * result)


def test_without_a_result_the_search_alone_is_the_target():
    score, result = np.array([100.0, -50.0, 80.0]), np.array([1.0, 0.0, np.nan])
    every = np.ones(3, bool)
    target, scale = target_of(score, result, every, 0.5)
    assert target[2] == 1 / (1 + np.exp(-80 / scale))
    others, _ = target_of(score[:2], result[:2], every[:2], 0.5)
    assert target[:2].tolist() == others.tolist()
    with pytest.raises(ValueError, match="no position has a result"):
        target_of(score[2:], result[2:], every[2:], 0.5)


def test_one_game_in_ten_judges():
    held = is_held_out(np.arange(1, 101))
    assert held.sum() == 10
    assert held[9]


def test_the_figures_have_the_searchs_loss_beside_the_fits():
    score, result = np.array([200.0, -100.0]), np.array([1.0, 0.0])
    figures = held_out_figures(score / 100, result, score, result, 100.0)
    assert figures["held-out loss"] == figures["held-out loss of results"]
    assert figures["the search's"] == figures["held-out loss"]
