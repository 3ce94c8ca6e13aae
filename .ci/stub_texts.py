"""Keep the docstrings of the stubs equal to those of the compiled modules.

    python .ci/stub_texts.py          lists what differs; then the exit status is 1
    python .ci/stub_texts.py --write  copies the texts into the stubs

The .pyx is the one place where a text is written; ``help()`` shows it from there.
Editors read the .pyi, which therefore holds a copy. Build before: the texts are taken
from the compiled modules. A text without backslashes can be copied as it stands.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
Documented = ast.FunctionDef | ast.ClassDef


def stubs() -> list[Path]:
    """Every stub of the package."""
    return sorted((ROOT / "gomoku_brain").rglob("*.pyi"))


def pairs(stub: Path) -> Iterator[tuple[Documented, str | None]]:
    """What a stub declares and the text that the compiled module has for it.

    Methods with two underscores speak for themselves and are left out.
    """
    name = ".".join(stub.relative_to(ROOT).with_suffix("").parts)
    members = _members(ast.parse(stub.read_text("utf-8")), import_module(name))
    declared = "".join(
        path.read_text("utf-8")
        for path in (stub.with_suffix(".pxd"), stub.with_suffix(".pyx"))
        if path.exists()
    )
    for node, text in members:
        # A field that Cython shows to Python cannot have a text there.
        field = rf"cdef (readonly|public) [^(\n]*\b{node.name}\b"
        if text is not None or not re.search(field, declared):
            yield node, text


def _members(tree: ast.Module | ast.ClassDef, holder: object) -> Iterator:
    for node in tree.body:
        if not isinstance(node, Documented) or node.name.startswith("_"):
            continue
        if any(isinstance(d, ast.Attribute) for d in node.decorator_list):
            continue  # the setter of a property
        member = inspect.getattr_static(holder, node.name)
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        text = member.__doc__
        yield node, None if text is None else inspect.cleandoc(text)
        if isinstance(node, ast.ClassDef):
            yield from _members(node, member)


def differences(stub: Path) -> list[str]:
    """One line for each text that differs."""
    found = []
    for node, text in pairs(stub):
        place = f"{stub.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
        if text is None:
            found.append(f"{place}: no text in the .pyx")
        elif text != ast.get_docstring(node):
            found.append(f"{place}: not the text of the .pyx")
    return found


def write(stub: Path) -> None:
    """Put the texts of the compiled module into a stub."""
    lines = stub.read_text("utf-8").split("\n")
    for node, text in sorted(pairs(stub), key=lambda pair: -pair[0].lineno):
        if text is None or text == ast.get_docstring(node):
            continue
        first = node.body[0]
        old = ast.get_docstring(node) is not None
        blank = " " * (node.col_offset + 4)
        body = [(blank + line).rstrip() for line in text.split("\n")]
        body[0] = blank + '"""' + body[0].lstrip()
        # The closing quotes stand alone under a text that has an empty line in it.
        if "" in body:
            body.append(blank + '"""')
        else:
            body[-1] += '"""'
        decorators = first.decorator_list if isinstance(first, Documented) else []
        start = min(part.lineno for part in (first, *decorators)) - 1
        if old:
            lines[start : first.end_lineno] = body
        elif isinstance(node, ast.ClassDef):
            lines[start:start] = [*body, ""]
        else:  # "...", on the line of the signature's end
            lines[start] = lines[start].removesuffix(" ...")
            lines[start + 1 : start + 1] = body
    stub.write_text("\n".join(lines), "utf-8")


def main(argv: list[str]) -> int:
    """List or write; returns the exit status."""
    found = [line for stub in stubs() for line in differences(stub)]
    if argv == ["--write"]:
        for stub in stubs():
            write(stub)
    else:
        print(*found, sep="\n")
    return int(bool(found)) if argv != ["--write"] else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main(sys.argv[1:]))
