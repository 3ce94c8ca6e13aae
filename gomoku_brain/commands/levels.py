"""``levels``: the table of playing strengths.

``calibrate`` measures their differences by games (``_level_games``).
"""

from typing import Annotated, TypedDict

from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.levels.ladder import LEVELS
from gomoku_brain.runs.json_rows import Count, Positive, Schema, Share, json_line
from gomoku_brain.runs.run_options import OneLineParser

EXAMPLES = """\
examples:
  gomoku-brain levels
  gomoku-brain levels --json
  gomoku-brain levels calibrate --help   games that measure the differences
"""


class LevelRow(TypedDict):
    """A level: the fields of ``Level``."""

    strength: Annotated[int, Schema(minimum=0, maximum=FULL_STRENGTH)]
    name: str
    nodes: Annotated[
        Count | None,
        Schema(description="of a search; 0: it never searches, null: no limit"),
    ]
    reads: Share
    overlooks_threes: Share
    overlooks_fours: Share
    overlooks_forks: Share
    breadth: Positive
    temperature: Annotated[float, Schema(minimum=0)]


class LevelsLine(TypedDict):
    """levels --json: the ladder, weakest first; rates and shares are 0 to 1."""

    levels: list[LevelRow]


def _print_ladder(as_json: bool) -> None:
    """Print the table of the levels."""
    if as_json:
        levels = [level.to_dict() for level in LEVELS]
        print(json_line("levels", {"levels": levels}))
        return
    print("strength name      overlooks threes  fours  forks  picks from  searches")
    for level in LEVELS:
        if level.strength == FULL_STRENGTH:
            print(f"{level.strength:8} {level.name}")
            continue
        reads = "never"
        if level.nodes:
            reads = f"{level.nodes} nodes on {level.reads:.0%} of moves"
        print(
            f"{level.strength:8} {level.name:9} {level.overlooks_threes:16.1%}"
            f" {level.overlooks_fours:6.1%} {level.overlooks_forks:6.0%}"
            f" {level.breadth:11}  {reads}"
        )


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    if argv[:1] == ["calibrate"]:
        from gomoku_brain.commands import _level_games

        return _level_games.main(argv[1:])
    parser = OneLineParser(
        "gomoku-brain levels",
        description="The strengths that `INFO strength` and --strength reach.",
        epilog=EXAMPLES,
        statuses={},
    )
    parser.add_argument("--json", action="store_true", help="the ladder as JSON")
    _print_ladder(parser.parse_args(argv).json)
    return 0
