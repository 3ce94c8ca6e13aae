"""The lab notebook: its figures follow from the counts, and no old row is lost."""

import re

import pytest

import notebook

pytestmark = pytest.mark.source
TRIES, MATCHES, FITS = map(notebook.rows_of, notebook.NAMES)


def test_scores_and_error_bars_are_those_of_the_counts():
    assert sum(any(notebook.figures(row)) for row in TRIES + MATCHES) >= 196
    assert not list(notebook.wrong(TRIES + MATCHES + FITS))


def test_no_row_of_the_old_pages_is_lost():
    assert not list(notebook.lost(TRIES + MATCHES + FITS))


def test_the_tries_are_numbered_without_a_gap():
    numbers = [int(row["row"]) for row in TRIES if row["row"].isdigit()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 265
    rows = [row["row"] for row in TRIES + MATCHES + FITS]
    assert len(rows) == len({*rows})


def test_every_match_of_the_page_is_a_row():
    page = (notebook.DOCS / "STRENGTH.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| [A-Zf].*\] \|$", page, re.MULTILINE)
    assert len(lines) == 18
    rows = [notebook.words(" ".join(row.values())) for row in MATCHES]
    for line in lines:
        assert any(notebook.words(line) <= row for row in rows), line


def test_every_row_that_the_lessons_name_is_there():
    text = (notebook.DOCS / "lessons.md").read_text(encoding="utf-8")
    rows = {row["row"] for row in TRIES + MATCHES + FITS}
    named = {*re.findall(r"\b[A-F]\d+\b|\bM\d+\b", text)}
    assert {"E2", "M169", "F148"} <= named <= rows


def test_a_wrong_score_and_a_missing_row_are_found():
    row = next(row for row in MATCHES if row["openings"] == "together")
    found = list(notebook.wrong([row | {"elo_low": "99"}, row | {"drawn": "1"}]))
    assert [fault.split(" is ")[0] for fault in found] == [
        f"row {row['row']}: {column}" for column in ("elo_low", "games", "points")
    ]
    fewer = [each for each in TRIES if each["row"] != "53"]
    first, second = notebook.lost(fewer + MATCHES + FITS)
    assert first == "AB:3: 25 lines in the page, 24 rows"
    assert second.startswith("AB:3: no row has all of | 53 |")
