"""The pages of docs: their marked examples run, and their options and links exist.

``<!-- run -->`` before a block of code marks it: its lines after ``$`` are run, and
print what the block shows, except for blanks. ``..`` on the page stands for any text
in a line, ``...`` alone for any lines. The blocks of a page are one session of bash.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command import command

pytestmark = pytest.mark.source
ROOT = Path(__file__).parents[1]
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
}
MARKED = re.compile(r"^<!-- run -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
END = "---- the end of a command ----"

PAGE_OF = {
    "analyze": "docs/analyze.md",
    "bench": "CONTRIBUTING.md",
    "doctor": "docs/doctor.md",
    "experiment": "docs/experiment.md",
    "gui": "docs/gui.md",
    "levels": "docs/levels.md",
    "levels calibrate": "docs/levels.md",
    "match": "docs/match.md",
    "openings balance": "docs/openings.md",
    "openings check": "docs/openings.md",
    "openings even": "docs/openings.md",
    "openings generate": "docs/openings.md",
    "openings info": "docs/openings.md",
    "openings list": "docs/openings.md",
    "prove": "docs/proof.md",
    "rate": "docs/match.md",
    "solve": "docs/solve.md",
}
"""The page that has the options of a command."""
FOREIGN = {
    *("--add-to-menu", "--remove-from-menu", "--self-check"),  # of the board's folder
    *("--all", "--language", "--start", "--write"),  # of programs in .ci
    *("--install", "--name", "--no-deps", "--onefile"),  # of xcode-select and others
    *("--no-dashboard", "--protocol"),  # of dask
}
UNREAD = re.compile(
    r"CHANGELOG|CONTRIBUTING|WEIGHTS|RELIABILITY|STRENGTH|lessons|names"
    r"|gui-development|release|/(history|data)/"
)
"""Pages of developers or of old names, with options of their own."""
CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
DEFINITION = re.compile(r"^ +(?:-h, )?(--[a-z][a-z0-9-]+)", re.MULTILINE)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")


def as_pattern(shown):
    """Return a regular expression of an output, as a page shows it."""
    words = [
        r"[\s\S]*?" if word == "..." else re.escape(word).replace(r"\.\.", ".*?")
        for word in shown.split()
    ]
    return r"\s*" + r"\s+".join(words) + r"\s*"


@pytest.mark.slow("runs the examples of the pages", ci=True)
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    "page", [page for page, text in TEXTS.items() if MARKED.search(text)]
)
def test_the_marked_examples_of_a_page_print_what_it_shows(page, tmp_path):
    examples = EXAMPLE.findall("".join(MARKED.findall(TEXTS[page])))
    program = tmp_path / "bin" / "gomoku-brain"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gomoku_brain "$@"\n')
    program.chmod(0o755)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    done = subprocess.run(
        ["bash", "-c", "".join(f"{line}\necho '{END}'\n" for line, _ in examples)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"},
    )
    printed = done.stdout.split(END)[:-1]
    assert len(printed) == len(examples) > 0, done.stderr
    for (line, shown), output in zip(examples, printed, strict=True):
        assert re.fullmatch(as_pattern(shown), output), (
            f"$ {line}\n{output}{done.stderr}"
        )


def test_an_output_is_compared_but_for_blanks_and_dots():
    pattern = as_pattern("a  b\n...\n.. s, 5 moves\n")
    assert re.fullmatch(pattern, "a b\nx\ny\n0.5 s, 5  moves\n")
    assert not re.fullmatch(pattern, "a b\nx\n0.5 s, 6 moves\n")
    assert not re.fullmatch(pattern, "a b\nx\n0.5 s\n, 5 moves\n")


def options_of(name):
    """Return the long options in the help of a command."""
    first, *rest = *name.split(), "--help"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        assert command(first)(rest) == 0
    return {"--help", *DEFINITION.findall(output.getvalue())}


def has_option(text, option):
    return re.search(rf"{option}(?![a-z0-9-])", text) is not None


def command_of(line):
    """Return the command in a line of code, or None."""
    words = re.sub(r".*gomoku[-_]brain ", "", line).split()
    known = [name for k in (2, 1) if (name := " ".join(words[:k])) in PAGE_OF]
    return known[0] if known else None


@pytest.fixture(scope="module")
def options():
    return {name: options_of(name) for name in [*PAGE_OF, ""]}


@pytest.mark.parametrize("name", PAGE_OF)
def test_the_page_of_a_command_has_all_its_options(name, options):
    page = PAGE_OF[name]
    missing = {
        (page, option)
        for option in options[name] - {"--help"}
        if not has_option(TEXTS[page], option)
    }
    assert not missing


def test_every_option_on_a_page_exists(options):
    known = set().union(*options.values()) | FOREIGN
    for page, text in TEXTS.items():
        if UNREAD.search(page):
            continue
        for block, word in CODE.findall(text):
            for line in (block or word).replace("\\\n", " ").splitlines():
                given = set(OPTION.findall(line))
                assert given <= options.get(command_of(line), known), (page, line)


def anchors_of(text):
    """Return the anchors that GitHub gives to the headings of a page."""
    for heading in HEADING.findall(re.sub(r"(?ms)^```.*?^```", "", text)):
        plain = re.sub(r"\]\([^)]*\)|[^\w\s-]", "", heading.lower())
        yield plain.replace(" ", "-")


def test_every_link_leads_to_a_file_and_a_heading():
    for page, text in TEXTS.items():
        for path, anchor in LINK.findall(
            re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", text)
        ):
            if ":" in path:
                continue
            target = (ROOT / page).parent / path if path else ROOT / page
            assert target.exists(), (page, path)
            if anchor:
                assert anchor in anchors_of(target.read_text("utf-8")), (page, anchor)
