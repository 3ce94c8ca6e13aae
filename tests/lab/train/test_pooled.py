"""The network over points: its gradient, its symmetry, and its training."""

import numpy as np
import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.game.symmetry import transform_move
from gomoku_brain.lab.train.losses import loss_of
from gomoku_brain.lab.train.pooled import PooledNet, Training
from gomoku_brain.lab.train.samples import make_samples
from tests.lab.train.games import some_games
from tests.sampled import sampled

RULES = [Rule.FREESTYLE, Rule.RENJU]


def every(samples):
    return np.arange(len(samples), dtype=np.int64)


@pytest.mark.parametrize("rule", RULES)
def test_gradient_is_that_of_small_steps(positions_of, rule):
    samples = positions_of[rule]
    net = PooledNet(samples, rule, 3)
    positions, wanted = every(samples)[::3].copy(), samples.result[::3]
    dice = np.random.default_rng(4)
    for parameter in net.parameters.values():  # away from where something is cut off
        parameter += dice.normal(0, 0.03, parameter.shape).astype(np.float32)
    net.parameters["bias"] += 0.2
    net.put_together()
    net.loss(positions, wanted)
    slopes = {name: slope.copy() for name, slope in net.slopes.items()}
    for name, slope in slopes.items():
        parameter = net.parameters[name]
        step = (3e-4 * slope / float(np.abs(slope).max())).astype(np.float32)
        values = []
        for sign in (1, -2):
            parameter += sign * step
            net.put_together()
            values.append(net.loss(positions, wanted))
        parameter += step
        wanted_change = float((slope.astype(float) * step).sum())
        assert (values[0] - values[1]) / 2 == pytest.approx(wanted_change, rel=0.1), (
            name
        )


def turned(line, k):
    from gomoku_brain.game.notation import format_moves, parse_moves

    number, size, outcome, moves, scores = line.split()
    turn = [
        transform_move(move, int(size), int(size), k)
        for move in parse_moves(moves.replace(",", " "))
    ]
    return (
        f"{number} {size} {outcome} {format_moves(turn).replace(' ', ',')} {scores}\n"
    )


@pytest.mark.parametrize("rule", RULES)
@sampled(2, 7)
def test_a_position_turned_or_mirrored_has_the_same_value(
    positions_of, rule, tmp_path, count
):
    samples = positions_of[rule]
    net = PooledNet(samples, rule, 3)
    wanted = net.logits(every(samples))
    for k in (3, 4, 1, 2, 5, 6, 7)[:count]:  # a turn and a mirror first
        path = tmp_path / f"{k}.txt"
        lines = [turned(line, k) for line in some_games(6, rule)]
        path.write_text("".join(lines))
        other = make_samples(tmp_path / str(k), [path], rule)
        again = PooledNet(other, rule, 3)
        assert again.logits(every(other)) == pytest.approx(wanted, abs=1e-4)


def test_black_and_white_to_move_learn_apart(renju_samples):
    """What is fitted to positions with black to move leaves white's alone."""
    samples = renju_samples
    net = PooledNet(samples, Rule.RENJU, 3)
    black = np.flatnonzero(samples.side == 0)
    net.loss(black, samples.result[black])
    for name in ("linear_rest", "tempo"):
        mine, other = np.split(net.slopes[name], 2)
        assert mine.any(), name
        assert not other.any(), name
    for view in np.split(net.slopes["table_rest"], 2):  # both are looked at
        assert view.any()


def moved(net, seed):
    dice = np.random.default_rng(seed)
    for parameter in net.parameters.values():
        parameter += dice.normal(0, 0.02, parameter.shape).astype(np.float32)
    net.put_together()
    return net


@pytest.mark.parametrize("rule", RULES)
def test_a_network_begins_with_the_parameters_of_another(positions_of, rule):
    samples = positions_of[rule]
    known = moved(PooledNet(samples, rule, 3), 1)
    net = PooledNet(samples, rule, 4)
    wanted = known.logits(every(samples))
    assert (net.logits(every(samples)) != wanted).any()
    net.begin_with(known.parameters | known.parts)
    assert (net.logits(every(samples)) == wanted).all()


def test_both_sides_begin_with_what_another_rule_has_for_both(renju_samples):
    positions = every(renju_samples)
    known = moved(PooledNet(renju_samples, Rule.FREESTYLE, 3), 1)
    net = PooledNet(renju_samples, Rule.RENJU, 4)
    net.begin_with(known.parameters)
    rests, ranks = net.parameters["table_rest"], net.parts["table"]
    assert (rests.reshape(2, -1) == known.parameters["table_rest"].ravel()).all()
    assert (ranks[:10] == known.parts["table"][:10]).all()  # of one rank in both
    found, wanted = net.logits(positions), known.logits(positions)
    assert np.corrcoef(found, wanted)[0, 1] > 0.9
    before = {name: p.copy() for name, p in known.parameters.items()}
    with pytest.raises(ValueError, match="'linear_common' does not fit such"):
        known.begin_with(net.parameters)
    for name, parameter in before.items():
        assert (known.parameters[name] == parameter).all()


def test_parameters_that_are_no_start_are_refused(samples):
    net = PooledNet(samples, Rule.FREESTYLE, 3)
    known = {name: p.copy() for name, p in net.parameters.items()}
    with pytest.raises(ValueError, match="'tempo' does not fit such a network"):
        net.begin_with({n: p for n, p in known.items() if n != "tempo"})
    known["output"][3] = np.nan
    with pytest.raises(ValueError, match="'output' has numbers that are not finite"):
        net.begin_with(known)


def training(net, samples, epochs=3):
    return Training(
        net, every(samples), samples.result, epochs=epochs, batch=16, rate=5e-3, seed=7
    )


def test_training_is_deterministic_and_lowers_the_loss(samples):
    found = []
    for _ in range(2):
        net = PooledNet(samples, Rule.FREESTYLE, 3)
        before = loss_of(net.logits(every(samples)), samples.result)
        for _ in training(net, samples, 12).run():
            pass
        found.append(net.logits(every(samples)))
    assert (found[0] == found[1]).all()
    assert loss_of(found[0], samples.result) < before - 0.05


@pytest.mark.parametrize("rule", RULES)
def test_a_fit_that_was_cut_ends_with_the_same_numbers(positions_of, rule):
    samples = positions_of[rule]
    whole = PooledNet(samples, rule, 3)
    straight = training(whole, samples)
    losses = list(straight.run())
    first = training(PooledNet(samples, rule, 3), samples)
    steps = first.run()
    before = [next(steps) for _ in range(straight.batches + 2)]
    state = {name: array.copy() for name, array in first.state().items()}
    net = PooledNet(samples, rule, 99)
    second = training(net, samples)
    second.go_on(state)
    assert before + list(second.run()) == losses
    for name, parameter in whole.parameters.items():
        assert (net.parameters[name] == parameter).all(), name


def test_a_state_of_another_network_is_refused(samples):
    state = training(PooledNet(samples, Rule.FREESTYLE, 3), samples).state()
    other = training(PooledNet(samples, Rule.RENJU, 3), samples)
    with pytest.raises(ValueError, match="is not of this network"):
        other.go_on(state)


def test_a_batch_must_be_filled(samples):
    net = PooledNet(samples, Rule.FREESTYLE, 3)
    with pytest.raises(ValueError, match="do not fill one batch"):
        Training(
            net, every(samples)[:9], samples.result, epochs=1, batch=16, rate=1, seed=1
        )
