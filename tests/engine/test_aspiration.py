"""The aspiration window: where it begins, how it is widened, and when it ends."""

import pytest

from gomoku_brain.engine.smp import aspirate
from gomoku_brain.eval.score import INFINITY


class Stub:
    """A worker that tells its score as far as the window goes."""

    stopped = False

    def __init__(self, score, stop_after=None):
        self.score, self.stop_after = score, stop_after
        self.windows, self.others = [], []

    def search(self, depth, low, high, exclude):
        self.windows.append((low, high))
        self.others.append((depth, exclude))
        self.stopped = len(self.windows) == self.stop_after
        return max(low, min(high, self.score))


@pytest.mark.parametrize(
    ("score", "windows"),
    [
        (100, [(52, 148)]),
        (148, [(52, 148), (52, 292)]),
        (52, [(52, 148), (-92, 148)]),
        (500, [(52, 148), (52, 292), (52, 724)]),
        (9000, [(52, 148), (52, 292), (52, 724), (52, INFINITY)]),
        (-9000, [(52, 148), (-92, 148), (-524, 148), (-INFINITY, 148)]),
    ],
)
def test_the_window_is_widened_on_the_side_that_failed(score, windows):
    stub = Stub(score)
    assert aspirate(stub, 7, 100, 48, ("h8",)) == score
    assert stub.windows == windows
    assert set(stub.others) == {(7, ("h8",))}


def test_without_an_expectation_the_window_is_full():
    stub = Stub(-29_998)
    assert aspirate(stub, 1, None, 48) == -29_998
    assert stub.windows == [(-INFINITY, INFINITY)]


@pytest.mark.parametrize("score", [INFINITY, -INFINITY])
def test_a_score_at_the_end_of_the_scale_ends_the_search(score):
    stub = Stub(score)
    assert aspirate(stub, 1, None, 48) == score
    assert len(stub.windows) == 1


def test_a_stopped_worker_is_not_used_again():
    stub = Stub(9000, stop_after=2)
    aspirate(stub, 7, 100, 48)
    assert len(stub.windows) == 2
