"""The texts of compiled classes: shown at run time, and the same in the stubs."""

import importlib.util
import pydoc
from pathlib import Path

import pytest

from gomoku_brain import Board, Rule, SearchControl

pytestmark = pytest.mark.source
TOOL = Path(__file__).parents[1] / ".ci" / "stub_texts.py"


def load_tool():
    spec = importlib.util.spec_from_file_location("stub_texts", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXTS = load_tool()


@pytest.mark.parametrize("stub", TEXTS.stubs(), ids=lambda path: path.stem)
def test_a_stub_has_the_texts_of_its_module(stub):
    assert not TEXTS.differences(stub), "run: python .ci/stub_texts.py --write"


def test_the_tool_sees_methods_properties_and_classes():
    stub = TEXTS.ROOT / "gomoku_brain" / "game" / "position.pyi"
    seen = {node.name: text for node, text in TEXTS.pairs(stub)}
    assert {"Board", "play", "turn", "from_moves"} <= set(seen)
    assert seen["undo"].startswith("Take back the last stone")


def test_help_speaks():
    for thing, phrase in (
        (Board, "Place a stone of the side to move"),
        (Board, "Columns, 5 to 22"),
        (Rule, "Rule set"),
        (SearchControl, "End the search at the next poll"),
    ):
        assert phrase in pydoc.render_doc(thing, renderer=pydoc.plaintext)
