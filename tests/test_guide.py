"""The pages for developers name files and functions that exist."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.source
ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gomoku_brain"
GUIDE = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
MAP = (PACKAGE / "README.md").read_text(encoding="utf-8")
SUFFIXES = (".py", ".pyx", ".pxd")
FILES = [path for path in PACKAGE.rglob("*") if path.suffix in SUFFIXES]

CODE = re.compile(r"`([^`\n]+)`")
NAMES = re.compile(r"\w+")
PATH = re.compile(r"[a-z_]+(?:/[a-z_0-9]+)+")
NAME = re.compile(r"(?:([A-Za-z]\w*)\.)?([A-Za-z_]\w*)")
ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)
# Words of the guide's text that are no names of this package.
OTHERS = {"analyze", "pt_BR"}


def sources(module):
    """The files of a module that is written ``folder/file``."""
    found = [(PACKAGE / module).with_suffix(suffix) for suffix in SUFFIXES]
    return [path for path in found if path.exists()]


def text_of(paths):
    return "".join(path.read_text(encoding="utf-8") for path in paths)


@cache
def lines_by_name(text):
    """Return the lines of a text that contain a name, for all names."""
    found = defaultdict(list)
    for line in text.split("\n"):
        for name in {*NAMES.findall(line)}:
            found[name].append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def defines(text, name):
    """Whether a text defines a class, a function, a constant or an attribute."""
    return re.search(
        rf"^ *(class|def|async def|cdef|cpdef)\b[^\n(]*\b{name}\b *[(:\[]"
        rf"|^[^\n(]*\b{name}\b(:[^\n=]*)? = "
        rf"|^ *{name}(: |,$| *=)",
        lines_by_name(text).get(name, ""),
        re.MULTILINE,
    )


def decisions():
    """The rows of "Where it is decided": each a question and its place."""
    part = GUIDE.partition("## Where it is decided")[2].partition("\n## ")[0]
    return [row for row in ROW.findall(part) if "`" in row[1]]


def sections():
    """The tables of files in the map: each a folder and a name."""
    for part in re.split(r"^##+ ", MAP, flags=re.MULTILINE)[1:]:
        head = part.partition("\n")[0].partition(":")[0].strip()
        if head in ("Words", "On top"):
            continue
        folder = "" if head == "The base" else head
        for names, _ in ROW.findall(part):
            for name in CODE.findall(names):
                yield folder, name


@pytest.mark.parametrize(("question", "place"), decisions())
def test_a_decision_has_a_file_and_its_functions(question, place):
    words = CODE.findall(place)
    modules = [word for word in words if PATH.fullmatch(word)]
    assert modules, f"{question} has no file"
    for module in modules:
        assert sources(module), f"no file {module}"
    text = text_of(path for module in modules for path in sources(module))
    for word in words:
        name = NAME.fullmatch(word)
        if name is not None and word not in OTHERS:
            for part in filter(None, name.groups()):
                assert defines(text, part), f"none of these files defines {part}"


def test_every_link_of_the_guide_leads_to_a_file():
    for target in re.findall(r"\]\(([^)#\s]+)", GUIDE):
        assert (ROOT / "docs" / target).exists(), target


def test_the_guide_names_functions_of_the_package():
    """Names of two parts, and of two words: ``Session.feed``, ``start_pv``."""
    text = text_of(FILES)
    stems = {path.stem for path in FILES}
    for word in CODE.findall(GUIDE):
        name = NAME.fullmatch(word)
        if name is None or word in OTHERS or not re.search(r"[._]|[a-z][A-Z]", word):
            continue
        owner, part = name.groups()
        if part in ("py", "pyx", "pyi", "pxd", "ts", "qm") or part in stems:
            continue
        assert owner is None or owner in stems or defines(text, owner), word
        assert defines(text, part), word


def test_every_file_of_the_map_exists():
    for folder, name in sections():
        assert sources(f"{folder}/{name}" if folder else name), f"{folder}/{name}"


def test_the_checks_see_a_missing_name():
    assert defines("cdef bint stops(\n    int threat", "stops")
    assert defines("    async def play(self):", "play")
    assert defines("SCALE = 250.0", "SCALE")
    assert defines("cdef uint32_t[9] NEAR = [", "NEAR")
    assert not defines("def play_game(task): play(task)", "play")
