"""A few games of the brain against itself under the strict manager; see there.

Times are not judged here: the machine that runs the tests does other things as well.
"""

import json

import pytest

from soak.game_file import journal_of, read_records
from soak.game_plan import make_plan
from soak.games import main
from soak.verdict import summarize
from tests.reference import RULES

pytestmark = pytest.mark.source


def play(out, games, *more):
    """The verdict's lines that say something about the brain rather than its times."""
    main(["--out", str(out), "--games", str(games), "--quiet", *more])
    text, _ = summarize(read_records(journal_of(out), "1"))
    return [
        line
        for line in text.splitlines()
        if line.startswith(("ok  ", "FAIL")) and "ms" not in line.split()
    ]


def test_every_rule_meets_every_class_of_size_idle_and_loaded():
    plans = [make_plan(1, game) for game in range(45)]
    assert {plan.rule for plan in plans if plan.loaded} == set(RULES)
    for rule in RULES:
        sizes = [(p.width, p.height) for p in plans if p.rule == rule]
        assert sizes.count((15, 15)) >= 3
        assert sizes.count((20, 20)) >= 3
        assert len(set(sizes)) >= 4


@pytest.mark.slow("two whole games of the brain", ci=True)
def test_a_run_continues_where_it_stopped(tmp_path, capsys):
    out = tmp_path / "games.jsonl"
    play(out, 1)
    first = out.read_text()
    out.write_text(first + first[:100])  # cut off in the middle of a line
    verdict = play(out, 2)
    lines = out.read_text().splitlines()
    assert lines[0] + "\n" == first
    assert sorted(json.loads(line)["game"] for line in lines) == [0, 1]
    assert all(line.startswith("ok  ") for line in verdict), capsys.readouterr().out
    assert len(verdict) == 7


@pytest.mark.slow("45 whole games between two processes")
@pytest.mark.timeout(600)
def test_games_of_all_rules_and_sizes_are_clean(tmp_path, capsys):
    verdict = play(tmp_path / "games.jsonl", 45)
    assert all(line.startswith("ok  ") for line in verdict), capsys.readouterr().out
