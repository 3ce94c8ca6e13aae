"""The registry of rules: hardly a place knows a rule by its name."""

import re
from pathlib import Path

import pytest

from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.protocol.options import Options

pytestmark = pytest.mark.source
PACKAGE = Path(__file__).parents[1] / "gomoku_brain"
NAMES = "|".join(rule.name for rule in Rule)
NAMED = re.compile(rf"\bRule\.(?:{NAMES})\b|\bRule\[[\"'](?:{NAMES})|\b(?:{NAMES})\b")
COMMENT = re.compile(r'#[^\n]*|"""(?:.|\n)*?"""')

# Where a new rule is named, the stub of the first one left out.
OF_EVERY_RULE = {
    "game/rules.pyx",  # the registry
    "protocol/options.py",  # what managers say
    "gui/base/words.py",  # what users read
    "commands/_opening_balance.py",  # the worth of the first move
}
# What exists under some rules alone, and does not change with a new one.
OF_ONE_RULE = {
    "game/rules.pxd",
    "gui/dialogs/help_pages.py",  # pictures of the fouls of renju
    "gui/dialogs/settings_dialog.py",  # the rules of the shipped puzzles
    "gui/study/proof_controller.py",  # what is proved, and counts, is freestyle 15x15
    "match/tournament.py",  # swap2 is tried under the rule that is played with it
    "records/game_head.py",  # opening rules that are of renju
    "records/renlib.py",  # libraries of RenLib are of renju
    "records/portal_games.py",  # games of RenjuNet as well
    "records/json_games.py",  # puzzles of a web board, which has two rules
    "lab/puzzle_maker.py",  # the shipped puzzles
    "plain/plain_position.pyx",  # the source reports know no other rule
    "plain/shape_counts.pyx",
}


def test_only_listed_places_name_a_rule():
    naming = set()
    for path in PACKAGE.rglob("*"):
        if path.suffix in (".py", ".pyx", ".pxd"):
            code = COMMENT.sub("", path.read_text(encoding="utf-8"))
            if NAMED.search(code):
                naming.add(path.relative_to(PACKAGE).as_posix())
    assert naming == OF_EVERY_RULE | OF_ONE_RULE


def test_a_new_rule_is_named_in_four_places():
    assert len(OF_EVERY_RULE) == 4


@pytest.mark.parametrize("rule", Rule)
def test_a_manager_can_send_every_rule(rule):
    options = Options()
    options.set(f"rule {int(rule)}")
    assert options.rule_in_force(yixin=False) is rule


def test_the_differences_of_the_rules():
    assert [rule for rule in Rule if rule.has_fouls] == [Rule.RENJU]
    assert [rule for rule in Rule if rule.sides_differ] == [Rule.RENJU]
    assert DEFAULT_RULE is Rule.FREESTYLE
