"""Links: a game or a position as a short text for chats and mails.

    gomoku:renju/15/h8i9j10             rule, size, moves
    gomoku:freestyle/20x15/-/h8j8/i9/w  the same, then black stones, white stones and
                                        the side to move; "-" is an empty part

Rows count from the top. ``short_forms`` reads links. ``web_link`` makes an address of
gomocalc.com, a calculator in the web whose rows count from the bottom.
"""

from collections.abc import Iterable

from gomoku_brain.game.notation import Move
from gomoku_brain.records.game import Game
from gomoku_brain.records.short_forms import LINK_SCHEME

__all__ = ["link_of", "web_link"]

_WEB = "https://gomocalc.com/#/"


def link_of(game: Game) -> str:
    """Return a game as a link.

    Raises:
        ValueError: The board has walls, which a link cannot hold.
    """
    if game.walls:
        raise ValueError("a link cannot hold walls")
    size = str(game.width)
    if game.height != game.width:
        size += f"x{game.height}"
    parts = [game.rule.name.lower(), size, _text(game.moves)]
    if game.set_up:
        parts += [_text(game.black), _text(game.white), "bw"[game.first]]
    return LINK_SCHEME + "/".join(parts)


def _text(moves: Iterable[Move]) -> str:
    return "".join(map(str, moves)) or "-"


def web_link(game: Game) -> str:
    """Return the address of a game at gomocalc.com, where size and rule are settings.

    Raises:
        ValueError: The game begins with stones on the board, or the board is not
            square.
    """
    if game.set_up:
        raise ValueError("the game begins with stones on the board")
    if game.width != game.height:
        raise ValueError("the board is not square")
    cells = (Move(move.x, game.height - 1 - move.y) for move in game.moves)
    return _WEB + "".join(map(str, cells))
