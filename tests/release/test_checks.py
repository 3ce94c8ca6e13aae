"""What a release must satisfy: tag, version, changelog; the contents of a wheel."""

import importlib.util
import zipfile
from pathlib import Path

import pytest

import gomoku_brain

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.source


def script(name):
    path = ROOT / ".ci" / "release" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHANGELOG = """\
# Changelog

## [0.2.0] - 2027-01-31

### Added

- Something.

## [0.1.0] - 2026-11-21

## [0.0.9]

- Without a date.
"""


def test_the_notes_are_the_section_of_the_version():
    assert script("check_release").notes(CHANGELOG, "0.2.0") == (
        "### Added\n\n- Something.\n"
    )


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.3.0", "has no section"),
        ("0.2", "has no section"),
        ("0.1.0", "lists nothing"),
        ("0.0.9", "needs its date"),
    ],
)
def test_a_release_without_its_changelog_is_refused(version, words):
    with pytest.raises(ValueError, match=words):
        script("check_release").notes(CHANGELOG, version)


def test_the_version_is_read_as_python_reads_it():
    source = (ROOT / "gomoku_brain" / "__init__.py").read_text(encoding="utf-8")
    assert script("check_release").version_of(source) == gomoku_brain.__version__


def test_another_tag_than_the_version_is_refused(capsys):
    assert script("check_release").main(["refs/tags/v99.0.0"]) == 1
    assert "the tag is v99.0.0" in capsys.readouterr().err


@pytest.fixture
def wheel(tmp_path):
    """A wheel with the right names, then with those of a list added or taken away."""
    check = script("check_wheel")

    def make(add=(), drop=()):
        path = tmp_path / "gomoku_brain-1.0-cp313-cp313-win_amd64.whl"
        names = check.expected()
        names |= {f"gomoku_brain-1.0.dist-info/{name}" for name in check.RECORDS}
        with zipfile.ZipFile(path, "w") as archive:
            for name in sorted((names | set(add)) - set(drop)):
                compiled = (ROOT / name).with_suffix(
                    ".pyx"
                ).exists() and "." not in name
                suffix = ".cp313-win_amd64.pyd" if compiled else ""
                archive.writestr(name + suffix, b"")
        return check.differences(path)

    return make


def test_a_wheel_with_all_files_passes(wheel):
    assert wheel() == []


@pytest.mark.parametrize(
    "name", ["gomoku_brain/game/board", "gomoku_brain/data/levels.txt"]
)
def test_a_wheel_that_lacks_a_file_is_refused(wheel, name):
    assert [line.rsplit(" ", 2)[1:] for line in wheel(drop=[name])] == [
        ["missing", name]
    ]


@pytest.mark.parametrize(
    "name",
    ["gomoku_brain/game/board.pyx", "gomoku_brain/game/board.c", "tests/cases.py"],
)
def test_a_wheel_with_anything_else_is_refused(wheel, name):
    assert len(wheel(add=[name])) == 1
