"""Positions of self-play as arrays on disk."""

import numpy as np
import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.dataset import dataset_of
from gomoku_brain.lab.train.features import COUNT_OF_KINDS
from gomoku_brain.lab.train.samples import (
    LOST,
    UNSCORED,
    WON,
    make_samples,
    open_samples,
)
from tests.lab.train.games import some_games


def test_positions_are_those_that_the_other_fits_read(samples, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(6)))
    data = dataset_of([path], Rule.FREESTYLE)
    assert len(samples) == len(data.game) > 50
    assert (samples.number[samples.game] == data.game).all()
    for name in ("side", "score", "result", "tempo", "starts", "kinds", "counts"):
        assert (getattr(samples, name) == getattr(data, name)).all(), name


def number_of(score):
    if score[0] in "WL":
        return WON if score[0] == "W" else LOST
    return int(score.rstrip("*"))


def test_games_are_kept_whole(samples):
    for game, line in enumerate(some_games(6)):
        _, size, outcome, moves, output = line.split()
        part = slice(samples.game_start[game], samples.game_start[game + 1])
        scores = [number_of(score) for score in output.split(",")]
        opening = moves.count(",") + 1 - len(scores)
        wanted = [UNSCORED] * opening + scores
        assert samples.search_score[part].tolist() == wanted
        shaken = [False] * opening + [score[-1] == "*" for score in output.split(",")]
        assert samples.shaken[part].tolist() == shaken
        assert samples.game_size[game] == int(size)
        assert samples.outcome[game] == int(outcome)


def plain_return(line, ply, scale, decay):
    """The return of TD(lambda) of a position, from the line of its game."""
    _, _, outcome, moves, output = line.split()
    scores = output.split(",")
    opening = moves.count(",") + 1 - len(scores)
    if ply == moves.count(",") + 1:
        black = (int(outcome) + 1) / 2
        return black if ply % 2 == 0 else 1 - black
    score = scores[ply - opening]
    if score[0] in "WL":
        return float(score[0] == "W")
    own = 1 / (1 + np.exp(-int(score.rstrip("*")) / scale))
    if score.endswith("*"):
        return own
    later = 1 - plain_return(line, ply + 1, scale, decay)
    return (1 - decay) * own + decay * later


@pytest.mark.parametrize("decay", [0, 0.6, 1])
def test_returns_are_those_of_the_games_later_searches(tmp_path, decay):
    # Games that end in a draw and without a proof, with moves that were shaken.
    made = [
        "0 9 0 a1,b1,c1,d1,e1 40,-30*,20\n",
        "1 9 -1 a1,b1,c1,d1 -5*,W3\n",
        "2 9 1 a1,b1,c1 10,20,-30\n",
        "3 9 1 a1,b1 100,L2\n",
    ]
    path = tmp_path / "games.txt"
    path.write_text("".join(made))
    drawn = make_samples(tmp_path / "made", [path], Rule.FREESTYLE)
    path.write_text("".join(some_games(6)))
    played = make_samples(tmp_path / "played", [path], Rule.FREESTYLE)
    assert any("*" in line for line in some_games(6))
    for samples, lines in ((drawn, made), (played, some_games(6))):
        found = samples.returns(250.0, decay)
        assert len(found) == len(samples) > 0
        for game, ply, value in zip(samples.game, samples.ply, found, strict=True):
            wanted = plain_return(lines[game], int(ply), 250.0, decay)
            assert value == pytest.approx(wanted)


def test_kinds_of_cells_add_up_to_those_of_the_position(samples):
    for at in range(0, len(samples), 7):
        size = int(samples.game_size[samples.game[at]])
        start = 2 * samples.cell_start[at]
        cells = samples.cells[start : start + 2 * size * size].reshape(-1, 2)
        empty = cells[cells[:, 0] != COUNT_OF_KINDS]
        assert len(empty) == size * size - samples.ply[at]
        mover = empty[:, samples.side[at]], empty[:, 1 - samples.side[at]]
        wanted = np.zeros(2 * COUNT_OF_KINDS, int)
        part = slice(samples.starts[at], samples.starts[at + 1])
        wanted[samples.kinds[part]] = samples.counts[part]
        for k, kinds in enumerate(mover):
            found = np.bincount(kinds, minlength=COUNT_OF_KINDS)
            half = wanted[k * COUNT_OF_KINDS : (k + 1) * COUNT_OF_KINDS]
            assert (found == half).all()


def test_the_order_of_the_lines_does_not_matter(samples, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(reversed(some_games(8))))
    folder = tmp_path / "arrays"
    again = make_samples(folder, [path], Rule.FREESTYLE, most=6)
    assert (again.search_score == samples.search_score).all()
    assert (again.kinds == samples.kinds).all()
    assert (again.cells == samples.cells).all()
    assert len(open_samples(folder, Rule.FREESTYLE)) == len(samples)
    with pytest.raises(ValueError, match="no samples of caro"):
        open_samples(folder, Rule.CARO)


def test_what_is_no_game_is_refused(tmp_path):
    games, path = tmp_path / "games.txt", tmp_path / "other.txt"
    games.write_text(some_games(1)[0])
    for line, output in (
        ("0 15 1 h8", "not a game of self-play"),
        ("0 15 1 h8,h9 5 6 7", "not a game of self-play"),
        ("0 hello 1 h8,i9 5", "not a game of self-play"),
        ("0 15 2 h8,i9 5", "not a game of self-play"),
        ("0 15 1 h8,i9 x", "not a game of self-play"),
        ("0 15 1 h8,i9 5,,6", "not a game of self-play"),
        ("0 15 1 h8,i9 40000", "not a game of self-play"),
        ("0 15 1 h8,i9 5,6,7", "not a game of self-play"),
        ("0 15 1 h8,h8 5", "h8 is occupied"),
        ("0 4 1 a1,a2 5", "board size 4x4 is not within 5..22"),
        ("0 hello h8,h9 i9=5", "not positions that searches evaluate"),
        ("0 15 h8,h9 i9,i10=", "not positions that searches evaluate"),
        ("0 15 h8,h9 i9,i10", "not positions that searches evaluate"),
    ):
        path.write_text(line + "\n")
        with pytest.raises(ValueError, match=output) as refused:
            make_samples(tmp_path / "arrays", [games, path], Rule.FREESTYLE)
        assert str(refused.value) == f"{path}: {output}: {line!r}"


def test_positions_that_were_evaluated_are_games_without_a_result(tmp_path):
    path, games = tmp_path / "evaluated.txt", tmp_path / "games.txt"
    words = "i9,i10,j11=-250 g7,g8,h7,j5=W9 a1,b2=L4"
    path.write_text(f"1 15 g7 i9=15\n0 15 h8,h9 {words}\n")
    games.write_text("".join(some_games(2)))
    both = make_samples(tmp_path / "both", [games, path], Rule.FREESTYLE)
    new = ~both.played
    assert both.held_out.tolist() == (both.number[both.game] == 0).tolist()
    assert both.number[both.game][new].tolist() == [0, 0, 0, 1]
    assert both.ply[new].tolist() == [4, 5, 3, 1]
    assert both.side[new].tolist() == [0, 1, 1, 1]
    assert np.isnan(both.result[new]).all()
    assert not np.isnan(both.result[~new]).any()
    for decay in (0, 0.8):
        value = both.returns(250.0, decay)
        wanted = [1 / (1 + np.exp(1)), 1, 0, 1 / (1 + np.exp(-15 / 250))]
        assert value[new] == pytest.approx(wanted)
        alone = make_samples(tmp_path / f"alone{decay}", [games], Rule.FREESTYLE)
        assert (value[~new] == alone.returns(250.0, decay)).all()
    last = both.game_start[both.game[new][0] + 1] - 1
    assert both.search_score[last] == -250  # before j11, the move that its search chose
