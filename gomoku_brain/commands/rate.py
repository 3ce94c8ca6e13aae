"""``rate``: the Elo table of the players in files of games.

The files may have any of the formats of records, and are counted together. Games that
equal an earlier one of the same players count once, and those without a result not at
all.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gomoku_brain.commands._arguments import add_anchor, anchor_of
from gomoku_brain.match.report import standings_lines, standings_row, text_of
from gomoku_brain.match.tournament import Standings
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.records.read import iter_games
from gomoku_brain.records.read_options import ReadError, ReadNote
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.program_end import report
from gomoku_brain.runs.run_options import OneLineParser

PROG = "gomoku-brain rate"
EXAMPLES = """\
examples:
  gomoku-brain rate games.jsonl other.jsonl
  gomoku-brain rate club/*.sgf league.psq --anchor "Gomoku Brain=2000"
  gomoku-brain rate archive/ --json > ratings.json
"""
STATUSES = {1: "no game counted"}
PAIRED = re.compile(r"\d+-\d+\.\d+[ab]")  # the id of a game of a match


def read_records(files: Sequence[str]) -> tuple[list[GameRecord], int]:
    """Return the games with names and a result, and the number of the others.

    What cannot be read is reported on standard error and skipped.
    """

    def on_report(message: ReadError | ReadNote) -> None:
        report(PROG, message)

    found: list[GameRecord] = []
    skipped = 0
    for place, file in enumerate(files):
        games = iter_games(Path(file), errors="skip", report=on_report)
        for number, game in enumerate(games):
            record = game.record()
            names = {record.black, record.white}
            if record.result == "*" or len(names) != 2 or "" in names:
                skipped += 1
                continue
            # Games of a match are pairs by their ids; others stand alone.
            is_paired = PAIRED.fullmatch(record.id)
            name = record.id if is_paired else f"{number}."
            found.append(replace(record, id=f"{place}/{name}"))
    return found, skipped


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    parser = OneLineParser(
        PROG, description=__doc__, epilog=EXAMPLES, statuses=STATUSES
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="or a folder")
    add_anchor(parser)
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    options = parser.parse_args(argv)
    records, skipped = read_records(options.files)
    names = list(dict.fromkeys(n for r in records for n in (r.black, r.white)))
    anchor = anchor_of(options.anchor, names)
    pairings: dict[frozenset[str], tuple[str, str]] = {}
    for record in records:
        players = record.black, record.white
        pairings.setdefault(frozenset(players), players)
    standings = Standings(pairings.values())
    standings.anchor = anchor
    for record in records:
        standings.add(record)
    if options.json:
        counts = {"games": len(records), "skipped": skipped}
        print(json_line("rating", counts | standings_row(standings)))
    else:
        lines = standings_lines(standings) or ["no game counts"]
        if skipped:
            lines.append(f"games without a result or without two names: {skipped}")
        print(text_of(lines))
    return 0 if records else 1
