"""Docstrings and pages keep to plain words; CONTRIBUTING.md has the rules."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.source
TOOL = Path(__file__).parents[1] / ".ci" / "language.py"

# Limits for the docstrings of the package: a share of openings and a number of words.
OPENING_SHARE = 0.03
WORDS_IN_DOCSTRINGS = 53

# Uses of "say" and "ask" in all pages together; the other words stand in none.
WORDS_IN_PAGES = 18


def load_tool():
    spec = importlib.util.spec_from_file_location("language", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["language"] = module
    spec.loader.exec_module(module)
    return module


LANGUAGE = load_tool()


@pytest.fixture(scope="module")
def texts():
    """The docstrings and comments of the package, and all pages."""
    files = [
        (path, text)
        for path, text in LANGUAGE.files_of_tree()
        if path.startswith("gomoku_brain/") or path.endswith(".md")
    ]
    return list(LANGUAGE.texts(files, names=False))


@pytest.fixture(scope="module")
def docstrings(texts):
    """The docstrings of the package, the stubs' copies included."""
    return [
        text
        for text in texts
        if text.sort == "docstrings" and text.path.startswith("gomoku_brain/")
    ]


@pytest.fixture(scope="module")
def pages(texts):
    """All pages but CONTRIBUTING.md, which lists the words."""
    return [t for t in texts if t.sort == "pages" and t.path != "CONTRIBUTING.md"]


def places(texts):
    return [f"{text.path}:{text.line} {text.words()}" for text in texts]


def test_few_docstrings_begin_with_a_question_word(docstrings):
    openings = [text for text in docstrings if text.opens_with_a_question()]
    limit = OPENING_SHARE * len(docstrings)
    assert len(openings) <= limit, "python .ci/language.py --list gomoku_brain"


def test_docstrings_leave_the_old_words(docstrings):
    used = sum(len(text.words()) for text in docstrings)
    assert used <= WORDS_IN_DOCSTRINGS, "python .ci/language.py --list gomoku_brain"


def test_no_page_uses_a_word_that_has_no_plain_sense(pages):
    assert not places(t for t in pages if LANGUAGE.NEVER & set(t.words()))


def test_pages_seldom_say_and_ask(pages):
    used = [text for text in pages if text.words()]
    assert sum(len(t.words()) for t in used) <= WORDS_IN_PAGES, places(used)


EXAMPLE = '''"""What a module holds."""

# It tells who asks.
class Teller:  # noqa
    """Whether it is told."""

    seat: int = 0
    """How many seats."""

    cdef int fill(self, const int *cells) except -1:
        r"""Fill the "cells", as told; a 'twin' of ``a\\b``."""
        text = """Told in no docstring."""
        call(
            """What is an argument."""
        )
        return len("What # is no comment")


cdef extern from *:
    """
    What C says.
    """
    int told "c_told"(int) nogil
'''


def test_the_tool_finds_docstrings_comments_and_names():
    found = list(LANGUAGE.texts([("gomoku_brain/a/b.pyx", EXAMPLE)]))
    docstrings = [text for text in found if text.sort == "docstrings"]
    assert [(text.line, text.owner) for text in docstrings] == [
        (1, ""),
        (5, "Teller"),
        (8, "Teller"),
        (11, "Teller.fill"),
    ]
    assert [text.opens_with_a_question() for text in docstrings] == [
        True,
        False,
        True,
        False,
    ]
    count = LANGUAGE.counts(found)["gomoku_brain/a"]
    assert count["docstrings"] == Counter(
        {"all": 4, "openings": 2, "tell": 2, "seat": 1, "twin": 1}
    )
    assert count["comments"] == Counter({"all": 2, "openings": 0, "tell": 1, "ask": 1})
    assert count["names"]["tell"] == 2  # Teller and told, not "c_told"
    assert count["names"]["seat"] == 1


def test_the_tool_reads_the_prose_of_a_page():
    page = "Nobody\nwaits, it says.\n\n```\nasks\n```\n\n`told` [desk](seat.md) twins\n"
    found = list(LANGUAGE.texts([("docs/a.md", page)]))
    assert [text.line for text in found] == [1, 8]
    assert [text.words() for text in found] == [
        ["nobody waits", "say"],
        ["desk", "twin"],
    ]


def test_a_draw_repeats_itself(texts):
    drawn = LANGUAGE.sample(texts, 60, 7)
    assert len(drawn) == 60
    assert drawn == LANGUAGE.sample(list(texts), 60, 7)
    assert drawn != LANGUAGE.sample(texts, 60, 8)
