from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.model.clock import GameClock


class Time:
    now = 100.0

    def __call__(self):
        return self.now


def test_it_counts_the_side_that_moves_and_not_the_pauses():
    time = Time()
    clock = GameClock(PlayerLimits(), time)
    clock.run(Side.BLACK)
    time.now += 2
    clock.pause()
    time.now += 50
    assert clock.elapsed == 2
    clock.run(Side.BLACK)
    time.now += 3
    assert clock.side is Side.BLACK
    assert clock.stop() == 5
    assert clock.elapsed == 0
    assert clock.side is None


def test_what_is_left_is_the_nearest_limit():
    clock = GameClock(PlayerLimits(turn=5, match=60, increment=2))
    assert clock.left(0, 0) == 5
    assert clock.left(59, 0) == 1
    assert clock.left(59, 1) == 3
    assert clock.match_left(70, 3) == -4
    assert GameClock(PlayerLimits()).left(1000, 3) is None
