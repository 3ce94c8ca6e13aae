"""What the command lines of several commands share."""

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from gomoku_brain.game.position import Board
from gomoku_brain.study.reader import ReadError, Setting, parse_count, read


class OneLineParser(argparse.ArgumentParser):
    """Tells an error in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def at_least(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number, "1000000" or "1e6"."""

    def number(text: str) -> int:
        try:
            return parse_count(text, least)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return number


def only_board(texts: Sequence[str], setting: Setting) -> Board:
    """The one position that is named. Raises ReadError where it is not one."""
    games = read(texts, setting)
    if len(games) != 1:
        raise ReadError(f"one position is needed, not {len(games)}")
    return games[0].board()
