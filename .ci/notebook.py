"""Print rows of the lab notebook (docs/data), or check all of them.

    python .ci/notebook.py                      check everything
    python .ci/notebook.py tries row=53,62      some rows, without their empty columns
    python .ci/notebook.py matches "player=Bench 445394" openings=together

The check computes points, scores and error bars again from the counts of games and
pairs. Then it reads the pages in docs/history, from which the rows come: every line of
their tables needs a row of its own that names the table as its source and has all
numbers and words of the line.
"""

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gomoku_brain.match.stats import Pentanomial, Score

DOCS = Path(__file__).parents[1] / "docs"
NAMES = ("tries", "matches", "fits")
PAIRS = ("pairs_0", "pairs_05", "pairs_1", "pairs_15", "pairs_2")
# Tables without rows here: they sum up rows, describe or decide, or a page keeps them.
WITHOUT = {
    *("STRENGTH:1", "STRENGTH:4", "STRENGTH:11", "STRENGTH:13", "STRENGTH:14"),
    *("WEIGHTS:1", "WEIGHTS:9", "WEIGHTS:10", "WEIGHTS:11", "WEIGHTS:12"),
    *("WEIGHTS:17", "WEIGHTS:18", "levels:1"),
}
Row = dict[str, str]


def rows_of(name: str) -> list[Row]:
    """Return the rows of docs/data/NAME.csv."""
    with (DOCS / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def old_tables() -> Iterator[tuple[str, list[str]]]:
    """Yield (page:number, lines) of each table of the old pages."""
    for page in ("AB", "STRENGTH", "WEIGHTS", "levels"):
        text = (DOCS / "history" / f"{page}.md").read_text(encoding="utf-8")
        tables = re.findall(r"^\|.*\n\|[ :|-]+\n((?:\|.*\n)+)", text, re.MULTILINE)
        for number, table in enumerate(tables, 1):
            yield f"{page}:{number}", table.splitlines()


def words(text: str) -> Counter[str]:
    """Count the numbers, without sign and commas, and the words of three letters."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.replace("`", ""))
    return Counter(re.findall(r"\d[\w.]*\w|\d|[A-Za-z]\w\w+", text))


def lost(rows: list[Row]) -> Iterator[str]:
    """Yield what the old tables have and the rows do not have."""
    for source, lines in old_tables():
        left = [
            words(" ".join(row.values())) for row in rows if row["source"] == source
        ]
        if len(left) != (0 if source in WITHOUT else len(lines)):
            yield f"{source}: {len(lines)} lines in the page, {len(left)} rows"
        for line in lines if left else []:
            need = words(line)
            found = next((each for each in left if need <= each), None)
            if found is None:
                yield f"{source}: no row has all of {line}"
            else:
                left.remove(found)


def figures(row: Row) -> Iterator[tuple[str, float, float]]:
    """Yield (column, value by the counts, tolerance) for what can be computed again."""
    pairs = games = None
    if all(row.get(column) for column in PAIRS):
        pairs = Pentanomial(*(int(row[column]) for column in PAIRS))
        yield "games", pairs.games, 0
    if row.get("won"):
        games = Score(int(row["won"]), int(row["drawn"]), int(row["lost"]))
        yield "games", games.games, 0
        if pairs:
            yield "points", pairs.points - games.points, 0
    if tally := pairs or games:
        yield "score", 100 * tally.score, 0.0501
        yield "elo", tally.elo.value, 0.501
    if pairs:
        low, high = pairs.interval
        yield "score_error", 50 * (high - low), 0.0501
        yield "elo_low", pairs.elo.low, 0.501
        yield "elo_high", pairs.elo.high, 0.501
        yield "elo_error", pairs.elo.error, 0.501


def wrong(rows: list[Row]) -> Iterator[str]:
    """Yield each figure that differs from the one of the row's own counts."""
    for row in rows:
        for column, value, tolerance in figures(row):
            written = float((row.get(column) if column != "points" else "0") or "nan")
            if abs(written - value) > tolerance and written != value:
                yield f"row {row['row']}: {column} is {written:g}, not {value:.2f}"


def main(arguments: list[str]) -> int:
    """Print what the arguments ask for; returns 1 if the check finds a fault."""
    if arguments:
        wanted = [condition.split("=", 1) for condition in arguments[1:]]
        for row in rows_of(arguments[0]):
            if all(row[key] in value.split(",") for key, value in wanted):
                print("; ".join(f"{key}: {row[key]}" for key in row if row[key]))
        return 0
    rows = [row for name in NAMES for row in rows_of(name)]
    faults = [*lost(rows), *wrong(rows)]
    print(*faults, f"{len(rows)} rows, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
