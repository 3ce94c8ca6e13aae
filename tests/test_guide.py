"""The pages for developers name files and functions that exist."""

import ast
import re
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
# In Cython: the name before the bracket, the colon, the value or the end of the line.
DEFINITION = re.compile(
    r"^ *(?:class|c?p?def)\b[^\n(=]*?\b(\w+) *(?:[(:=]|$)", re.MULTILINE
)
PATH = re.compile(r"[a-z_]+(?:/[a-z_0-9]+)+")
NAME = re.compile(r"(?:([A-Za-z]\w*)\.)?([A-Za-z_]\w*)")
ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)
# Words of the guide's text that are no names of this package.
OTHERS = {"analyze", "pt_BR"}


def sources(module):
    """The files of a module that is written ``folder/file``."""
    found = [(PACKAGE / module).with_suffix(suffix) for suffix in SUFFIXES]
    return [path for path in found if path.exists()]


@cache
def defined(path):
    """Names of the classes, functions, constants and attributes that a file defines."""
    text = path.read_text(encoding="utf-8")
    return names_of_python(text) if path.suffix == ".py" else names_of_cython(text)


def names_of_python(text):
    found = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                found.add(node.name)
            case ast.Name(name, ast.Store()) | ast.Attribute(_, name, ast.Store()):
                found.add(name)
    return found


def names_of_cython(text):
    """What stands before a bracket, a colon or the end of a definition's first line."""
    return {*DEFINITION.findall(text)}


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
    names = set().union(*(defined(path) for name in modules for path in sources(name)))
    for word in words:
        name = NAME.fullmatch(word)
        if name is not None and word not in OTHERS:
            for part in filter(None, name.groups()):
                assert part in names, f"none of these files defines {part}"


def test_every_link_of_the_guide_leads_to_a_file():
    for target in re.findall(r"\]\(([^)#\s]+)", GUIDE):
        assert (ROOT / "docs" / target).exists(), target


def test_the_guide_names_functions_of_the_package():
    """Names of two parts, and of two words: ``Session.feed``, ``start_pv``."""
    names = set().union(*map(defined, FILES))
    stems = {path.stem for path in FILES}
    for word in CODE.findall(GUIDE):
        name = NAME.fullmatch(word)
        if name is None or word in OTHERS or not re.search(r"[._]|[a-z][A-Z]", word):
            continue
        owner, part = name.groups()
        if part in ("py", "pyx", "pyi", "pxd", "ts", "qm") or part in stems:
            continue
        assert owner is None or owner in stems or owner in names, word
        assert part in names, word


def test_every_file_of_the_map_exists():
    for folder, name in sections():
        assert sources(f"{folder}/{name}" if folder else name), f"{folder}/{name}"


def test_the_checks_see_a_missing_name():
    cython = """
cdef uint32_t[9] NEAR = [
cdef bint stops(
    int threat
    cpdef list find(self, int cell):
        return elsewhere(cell)
"""
    assert names_of_cython(cython) == {"NEAR", "stops", "find"}
    python = """
SCALE: float = 250.0
async def play(self):
    self.game, (first, _) = start(), both
    task(self.other)
"""
    assert names_of_python(python) == {"SCALE", "play", "game", "first", "_"}
