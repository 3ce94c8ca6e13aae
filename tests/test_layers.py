"""The dependency direction of the package, kept by a test instead of by memory."""

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.source
PACKAGE = Path(__file__).parents[1] / "gomoku_brain"

# Lowest first: a module imports only from its own folder and from those that stand
# before it. In a folder the imports have no circle.
ORDER = """
    version program_name spelling foreign_text dataclass cpu variants windows_pipe
    game eval control tactics search levels engine
    records runs proofs player protocol client match prove doctor study plain
    lab.train lab.tune lab
    __init__
    gui.model gui.base gui.board gui.game gui.study gui.archive gui.puzzles
    gui.tournament gui.dialogs gui.window
    commands __main__
"""
LAYERS = ORDER.split()
IMPORT = re.compile(
    r"""^\s*(?:from\s+gomoku_brain(?:\.([\w.]+))?\s+c?import\s+(\([^)]*\)|[^\n]*)
        |c?import\s+(gomoku_brain\b[\w.]*))""",
    re.MULTILINE | re.VERBOSE,
)
RELATIVE = re.compile(r"^\s*from\s+\.", re.MULTILINE)
SUFFIXES = {".py", ".pyi", ".pyx", ".pxd"}
FOLDERS = sorted(p.parent for p in PACKAGE.rglob("*/__init__.py"))
SOURCES = sorted(
    p
    for p in PACKAGE.rglob("*")
    if p.suffix in SUFFIXES and not (p.name == "__init__.py" and p.parent in FOLDERS)
)


def module_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def layer_of(module):
    """The folder of a module; a module beside the folders is a layer of its own."""
    return module.rpartition(".")[0] or module


NAMES = {module_of(path) for path in FOLDERS}
MODULES = {module_of(path) for path in SOURCES}
TOP = NAMES | {path.stem for path in SOURCES if path.parent == PACKAGE}


@cache
def imports_of(text):
    """Return the modules imported.

    ``from gomoku_brain.game import rules`` is game.rules.

    What ``from gomoku_brain import`` names is a module or folder, else of __init__,
    which ``import gomoku_brain`` takes whole.
    """
    return list(_imports_of(text))


def _imports_of(text):
    for module, names, whole in IMPORT.findall(text):
        if whole:
            yield whole.removeprefix("gomoku_brain").removeprefix(".") or "__init__"
            continue
        if module and module not in NAMES:
            yield module
            continue
        for name in filter(str.strip, names.strip("()").split(",")):
            word = name.split()[0]
            yield f"{module}.{word}" if module else word if word in TOP else "__init__"


@pytest.mark.parametrize(
    "source", SOURCES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_imports_point_down(source):
    module = module_of(source)
    own = LAYERS.index(layer_of(module))
    text = source.read_text(encoding="utf-8")
    assert not RELATIVE.search(text), "imports are absolute"
    for imported in imports_of(text):
        assert LAYERS.index(layer_of(imported)) <= own, f"{module} imports {imported}"


@pytest.mark.parametrize("layer", sorted({layer_of(module) for module in MODULES}))
def test_no_folder_has_a_circle(layer):
    # A node's type names that of its root, as in python-chess; nothing is imported.
    only_types = {"records.game_node": {"records.game"}}
    graph = {}
    for source in SOURCES:
        module = module_of(source)
        if layer_of(module) == layer:
            imported = set(imports_of(source.read_text(encoding="utf-8")))
            inside = {name for name in imported if layer_of(name) == layer} - {module}
            assert inside <= MODULES
            graph.setdefault(module, set()).update(
                inside - only_types.get(module, set())
            )
    TopologicalSorter(graph).prepare()  # CycleError names the circle


@pytest.mark.parametrize("folder", FOLDERS, ids=module_of)
def test_a_folder_imports_nothing_by_itself(folder):
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    assert not list(imports_of(text))


def test_every_listed_layer_exists():
    assert set(LAYERS) == {layer_of(module) for module in MODULES}


def test_a_name_stands_in_one_folder():
    """``commands`` are named by what users type."""
    leaves = [m.rpartition(".")[2] for m in MODULES if layer_of(m) != "commands"]
    assert not {name for name in leaves if leaves.count(name) > 1}


CLASS = re.compile(r"^ *(?:cdef )?class (\w+)", re.MULTILINE)


def test_a_class_name_stands_once():
    homes = {}
    for source in SOURCES:
        if source.suffix in {".py", ".pyx"}:
            for name in CLASS.findall(source.read_text(encoding="utf-8")):
                homes.setdefault(name, set()).add(module_of(source))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


SEAM = {"eval.chance", "eval.evaluate", "eval.evaluator", "eval.score"}
BEHIND = ("game.", "eval.", "lab.train.", "lab.tune.")
"""What is below or behind the seam, and what fits it."""


def test_only_the_seam_of_the_evaluation_is_known():
    for source in SOURCES:
        if not module_of(source).startswith(BEHIND):
            imported = set(imports_of(source.read_text(encoding="utf-8")))
            beyond = {name for name in imported if name.startswith("eval.")} - SEAM
            assert not beyond, f"{source} imports {beyond}"


def test_the_check_of_a_proof_needs_no_search_for_proofs():
    needed, waiting = set(), {"commands._prove_check"}
    while waiting:
        module = waiting.pop()
        needed.add(module)
        for source in SOURCES:
            if module_of(source) == module and source.suffix in {".py", ".pyx"}:
                waiting |= set(imports_of(source.read_text(encoding="utf-8"))) & MODULES
        waiting -= needed
    assert "prove.solver_hints" in needed
    assert not needed & {"prove.expander", "prove.prover", "prove.tree"}


def test_the_import_pattern_sees_every_form():
    text = """
        from gomoku_brain import Board
        from gomoku_brain import variants
        from gomoku_brain.game.board cimport x
        from gomoku_brain.eval.score import (
            WIN,
        )
        from gomoku_brain.protocol import (
            commands as words,
            options,
        )
        from gomoku_brain.gui.board import board_painter
        from gomoku_brain.tactics import fours, vcf
        cimport gomoku_brain.game.rules as r
        import gomoku_brain
        import gomoku_brain as whole
    """
    assert " ".join(imports_of(text)) == (
        "__init__ variants game.board eval.score protocol.commands protocol.options "
        "gui.board.board_painter tactics.fours tactics.vcf game.rules __init__ __init__"
    )


def test_the_map_names_every_file():
    words = set(re.findall(r"`(\w+)/?`", (PACKAGE / "README.md").read_text("utf-8")))
    files = {source.stem for source in SOURCES if source.parent.name != "commands"}
    assert not files - words
