"""Is this commit the release that a tag says? ``check_release.py TAG [NOTES]``.

The version stands in ``gomoku_brain/version.py`` and nowhere else; the tag must be
``v`` and that version, and CHANGELOG.md must have a dated section for it that says
something: ``## [0.1.0] - 2026-11-21``. The section is written to the file NOTES, for
the page of the release.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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


def main(arguments: list[str]) -> int:
    """Check, write the notes; the exit status."""
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print("usage: check_release.py TAG [NOTES]", file=sys.stderr)
        return 2
    tag = arguments[0].removeprefix("refs/tags/")
    try:
        source = (ROOT / "gomoku_brain" / "version.py").read_text(encoding="utf-8")
        version = version_of(source)
        if tag != f"v{version}":
            raise ValueError(f"the tag is {tag}, the package is version {version}")
        text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    except ValueError as error:
        print(f"check_release.py: {error}", file=sys.stderr)
        return 1
    if len(arguments) == 2:
        Path(arguments[1]).write_text(text, encoding="utf-8")
    print(f"{tag} is version {version}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
