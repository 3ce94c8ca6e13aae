"""Progress display of ``match``: a live table, or lines at intervals."""

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gomoku_brain.match.report import game_line, report
from gomoku_brain.match.tournament import Match
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.runs.terminal import unfiltered


def print_error(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr, flush=True)


def fitted(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return the first lines, and the number of the others if they do not fit."""
    if len(lines) <= most:
        return lines
    shown = max(most - 1, 0)
    return [*lines[:shown], f".. {len(lines) - shown} more lines at the end"]


@contextlib.contextmanager
def _live(match: Match) -> Iterator[Callable[[GameRecord], None]]:
    """Show a live table on the terminal. Raises ``ImportError`` without rich."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    console = Console(file=unfiltered(sys.stderr))
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )
    job = bar.add_task("", total=match.total, completed=len(match.games.records))

    def picture(last: str = "") -> Group:
        line = Text(last, no_wrap=True, overflow="ellipsis")
        # What does not fit could not be erased at the end. Two lines stand above the
        # table, and the cursor below it.
        lines = report(match, console.width).split("\n")
        rows = fitted(lines, console.height - 3)
        table = Text("\n".join(rows), no_wrap=True, overflow="ellipsis")
        return Group(bar, line, table)

    with Live(picture(), console=console, transient=True) as live:

        def show(record: GameRecord) -> None:
            line = game_line(match, record)
            if record.detail:
                console.print(Text(line))
            bar.update(job, completed=len(match.games.records))
            live.update(picture(line))

        yield show


def _plain(match: Match, every: int, record: GameRecord) -> None:
    """Print the game and the table at intervals, and every game with a remark."""
    due = len(match.games.records) % every == 0
    if due or record.detail:
        print_error(game_line(match, record))
    if due:
        print_error(report(match))


def display(
    match: Match, every: int
) -> contextlib.AbstractContextManager[Callable[[GameRecord], None]]:
    """Return the context manager that provides the function to show each game.

    With rich on a terminal this is a live table, else lines on standard error.
    """
    if sys.stderr.isatty() and importlib.util.find_spec("rich"):
        return _live(match)
    return contextlib.nullcontext(partial(_plain, match, every))
