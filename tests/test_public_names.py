"""The public names of the package, the types of their signatures, and old names."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import gomoku_brain

PACKAGE = Path(gomoku_brain.__file__).parent
PUBLIC = {
    tuple(home.split(":") if ":" in home else (home, name))
    for name, home in gomoku_brain._HOMES.items()
}
"""The module of each public name, and its name there."""


@cache
def module(name):
    """Return the classes and functions, the values and the imports of a module."""
    path = PACKAGE.joinpath(*name.split("."))
    stub = path.with_suffix(".pyi")
    source = stub if stub.exists() else path.with_suffix(".py")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    things, values, imports = {}, {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "gomoku_brain."
        ):
            home = node.module.removeprefix("gomoku_brain.")
            for each in node.names:
                imports[each.asname or each.name] = home, each.name
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            things[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            values[node.target.id] = node.annotation
    return things, values, imports


def classes_in(home, expression):
    """Yield the classes of the package in an annotation: the module and the name."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        expression = ast.parse(expression.value, mode="eval").body
    if isinstance(expression, ast.Subscript):
        yield from classes_in(home, expression.value)
        if ast.unparse(expression.value) not in ("Literal", "Annotated"):
            yield from classes_in(home, expression.slice)
    elif isinstance(expression, ast.Name):
        things, values, imports = module(home)
        name = expression.id
        if name in imports:
            yield from classes_in(imports[name][0], ast.Name(imports[name][1]))
        elif name in things:
            yield home, name
        elif name in values and not isinstance(values[name], ast.Call):
            yield from classes_in(home, values[name])
    elif expression is not None:
        for part in ast.iter_child_nodes(expression):
            yield from classes_in(home, part)


def is_public(name):
    return not name.startswith("_") or name.startswith("__")


def annotations(node):
    """Yield the annotations of a function, or of the public members of a class."""
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and is_public(ast.unparse(part.target)):
                yield part.annotation
            elif is_public(getattr(part, "name", "_")):
                yield from annotations(part)
    else:
        given = node.args
        for each in (*given.posonlyargs, *given.args, *given.kwonlyargs):
            yield each.annotation
        yield from (each.annotation for each in (given.vararg, given.kwarg) if each)
        yield node.returns


def signatures(home, name):
    """Yield the annotations of a public name, those that it inherits among them."""
    things, values, _ = module(home)
    if name in values:
        yield home, values[name]
        return
    for annotation in annotations(things[name]):
        yield home, annotation
    for base in getattr(things[name], "bases", ()):
        for place in classes_in(home, base):
            yield from signatures(*place)


@pytest.mark.source
@pytest.mark.parametrize(("home", "name"), sorted(PUBLIC))
def test_the_types_of_a_public_signature_are_public(home, name):
    used = {
        place
        for where, annotation in signatures(home, name)
        for place in classes_in(where, annotation)
    }
    assert not used - PUBLIC


def test_every_public_name_exists():
    assert {*gomoku_brain.__all__} == {*gomoku_brain._HOMES, "__version__"}
    for name in gomoku_brain.__all__:
        assert getattr(gomoku_brain, name) is not None


@pytest.mark.source
def test_the_successors_of_old_modules_exist():
    page = (PACKAGE.parent / "docs" / "names.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \| (.*) \|$", page.partition("## Modules")[2], re.M)
    assert len(rows) > 10
    for _, successors in rows[1:]:
        for name, part in re.findall(r"`(\w+)(?:\.(\w+))?[(`]", successors):
            if name != "game" or part != "lines":  # a method
                things, values, _ = module(f"records.{name}")
                assert not part or part in {*things, *values}, (name, part)


@pytest.mark.parametrize(
    ("name", "successor"),
    [
        ("RecordTree", "Game"),
        ("parse_trees", "parse_games"),
        ("read_trees", "read_games"),
        ("record_of", "game.record()"),
        ("tree_of", "Game.from_record(record) or Game.from_board(board)"),
    ],
)
def test_an_old_name_answers_with_its_successor(name, successor):
    with pytest.raises(AttributeError) as raised:
        getattr(gomoku_brain, name)
    (line,) = str(raised.value).splitlines()
    assert line.startswith(f"gomoku_brain has no {name}")
    assert successor in line
    with pytest.raises(ImportError) as raised:
        exec(f"from gomoku_brain import {name}", {})
    assert successor in str(raised.value)


def test_another_name_has_no_successor():
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        gomoku_brain.nothing  # noqa: B018
