"""Games and positions as links, and back."""

import pytest

from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import read_positions, read_text
from gomoku_brain.records.read_options import ReadError, ReadOptions
from gomoku_brain.records.short_forms import link_of, web_link

PLAIN = ReadOptions()


GAMES = {
    "gomoku:renju/15/h8i9j10": Game(15, Rule.RENJU, moves="h8 i9 j10"),
    "gomoku:freestyle/15/-": Game(),
    "gomoku:caro_exact/20x15/a1t15": Game((20, 15), Rule.CARO_EXACT, moves="a1 t15"),
    "gomoku:standard/15/a1/h8j8/i9/w": Game(
        15,
        Rule.STANDARD,
        black_stones="h8 j8",
        white_stones="i9",
        first=Side.WHITE,
        moves="a1",
    ),
}


@pytest.mark.parametrize("link", GAMES)
def test_a_game_is_a_link_and_comes_back(link):
    game = GAMES[link]
    assert link_of(game) == link
    for text in (link, f"  <{link.upper()}>\n"):
        (found,) = read_text(text, "clipboard", PLAIN)
        assert found.board() == game.board()
        assert (found.moves, found.rule, found.first) == (
            game.moves,
            game.rule,
            game.first,
        )


def test_the_commands_read_a_link():
    (found,) = read_positions("gomoku:renju/15/h8i9")
    assert (found.rule, len(found.moves)) == (Rule.RENJU, 2)


@pytest.mark.parametrize(
    "text",
    [
        "gomoku:",
        "gomoku:chess/15/h8",
        "gomoku:renju/15/h8/",
        "gomoku:renju/15/z9",
        "gomoku:renju/15/h8h8",
        "gomoku:renju/99/h8",
        "gomoku:renju/15/h8/-/-",
    ],
)
def test_a_damaged_link_is_refused_in_one_line(text):
    with pytest.raises(ReadError) as error:
        read_text(text, "clipboard", PLAIN)
    assert "\n" not in str(error.value)


def test_a_web_link_counts_rows_from_the_bottom_and_is_read_again():
    game = GAMES["gomoku:renju/15/h8i9j10"]
    link = web_link(game)
    assert link == "https://gomocalc.com/#/h8i7j6"
    (found,) = read_text(link, "clipboard", PLAIN)
    assert found.moves == game.moves
    for name in list(GAMES)[2:]:
        with pytest.raises(ValueError, match=r"square|stones"):
            web_link(GAMES[name])


def test_walls_have_no_link():
    with pytest.raises(ValueError, match="walls"):
        link_of(Game(walls="h8"))
