"""Is this commit the release that a tag says? ``check_release.py TAG [NOTES]``.

``check_release.py TAG --files FOLDER``: does the folder hold every file that a release
attaches, the brain and the board for each system, the wheels and the source?

The version stands in ``gomoku_brain/version.py`` and nowhere else; the tag must be
``v`` and that version, and CHANGELOG.md must have a dated section for it that says
something: ``## [0.1.0] - 2026-11-21``. The section is written to the file NOTES, for
the page of the release.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# By the names of their archives; * in a wheel's name is its Python and its system.
FILES = """
pbrain-gomoku-brain-{0}-windows-x86-64.zip
pbrain-gomoku-brain-{0}-windows-x86-64-gomocup.zip
pbrain-gomoku-brain-{0}-linux-x86-64.tar.gz
pbrain-gomoku-brain-{0}-linux-arm64.tar.gz
pbrain-gomoku-brain-{0}-macos-x86-64.tar.gz
pbrain-gomoku-brain-{0}-macos-arm64.tar.gz
gomoku-board-{0}-windows-x86-64.zip
gomoku-board-{0}-linux-x86-64.tar.xz
gomoku-board-{0}-linux-arm64.tar.xz
gomoku-board-{0}-macos-x86-64.tar.xz
gomoku-board-{0}-macos-arm64.tar.xz
gomoku_brain-{0}-*win_amd64.whl
gomoku_brain-{0}-*manylinux*x86_64.whl
gomoku_brain-{0}-*manylinux*aarch64.whl
gomoku_brain-{0}-*macosx*x86_64.whl
gomoku_brain-{0}-*macosx*arm64.whl
gomoku_brain-{0}.tar.gz
""".split()


def notes(changelog: str, version: str) -> str:
    """The text of a version's section; raises ValueError with what is wrong."""
    heading = rf"^## \[{re.escape(version)}\]([^\n]*)$"
    section = re.search(rf"{heading}\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if section is None:
        raise ValueError(f"CHANGELOG.md has no section ## [{version}]")
    if not re.fullmatch(r" - \d{4}-\d\d-\d\d", section[1]):
        raise ValueError(f"CHANGELOG.md: ## [{version}] needs its date: - YYYY-MM-DD")
    if not re.search(r"^- \S", section[2], re.MULTILINE):
        raise ValueError(f"CHANGELOG.md: the section of {version} lists nothing")
    return section[2].strip() + "\n"


def version_of(source: str) -> str:
    """The version in the text of the package's ``version.py``."""
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise ValueError("gomoku_brain/version.py has no __version__")
    return found[1]


def missing_files(folder: Path, version: str) -> list[str]:
    """The files of a release that a folder lacks."""
    names = [pattern.format(version) for pattern in FILES]
    return [name for name in names if not any(folder.glob(name))]


def main(arguments: list[str]) -> int:
    """Check, write the notes; the exit status."""
    tag, *rest = arguments or [""]
    folder = Path(rest[1]) if len(rest) == 2 and rest[0] == "--files" else None
    if not tag or tag.startswith("-") or (folder is None and len(rest) > 1):
        print("usage: check_release.py TAG [NOTES | --files FOLDER]", file=sys.stderr)
        return 2
    tag = tag.removeprefix("refs/tags/")
    try:
        source = (ROOT / "gomoku_brain" / "version.py").read_text(encoding="utf-8")
        version = version_of(source)
        if tag != f"v{version}":
            raise ValueError(f"the tag is {tag}, the package is version {version}")
        if folder is not None and (missing := missing_files(folder, version)):
            raise ValueError("\n  ".join([f"{folder} lacks:", *missing]))
        text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    except ValueError as error:
        print(f"check_release.py: {error}", file=sys.stderr)
        return 1
    if rest and folder is None:
        Path(rest[0]).write_text(text, encoding="utf-8")
    print(f"{tag} is version {version}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
