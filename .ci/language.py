"""Count the words of the project's old dialect, and show docstrings drawn at random.

    python .ci/language.py                          the counts, by folder
    python .ci/language.py --rev f56c677            the same for a commit
    python .ci/language.py --list gomoku_brain/gui  the places in one folder
    python .ci/language.py --sample 60 --seed 7     60 docstrings of the package
    python .ci/language.py --sample 60 --seed 7 --rev f56c677 --beside
                                                    these of the commit, beside today's

CONTRIBUTING.md, "Words and sentences", has the rules; ``tests/test_language.py`` holds
the limits.
"""

import argparse
import random
import re
import subprocess
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Every form of a word of the dialect, with the word that the tables show.
FORMS = {
    form: word
    for word, forms in {
        "tell": "tell tells told telling teller tellers",
        "say": "say says said saying",
        "ask": "ask asks asked asking",
        "seat": "seat seats seated",
        "desk": "desk desks",
        "twin": "twin twins",
        "settle": "settle settles settled settling",
        "hurry": "hurry hurries hurried",
        "deed": "deed deeds",
        "wish": "wish wishes",
        "hopeless": "hopeless",
        "nobody waits": "nobody_waits",
    }.items()
    for form in forms.split()
}
# These have no plain sense that this project needs; "say" and "ask" have one.
NEVER = frozenset(FORMS.values()) - {"say", "ask"}
OPENINGS = ("What", "Who", "How", "Where", "Which")

CODE = (".py", ".pyx", ".pxd", ".pyi")
PLACES = ("docstrings", "comments", "names", "pages")

# One token: a string with its prefix, a comment, a name, a bracket, a line end.
TOKEN = re.compile(
    r"""(?P<string>(?:(?<!\w)[rRbBfFuU]{1,2})?(?P<quote>\"{3}|'{3}|["'])
        (?:\\.|(?!(?P=quote)).)*(?P=quote))
    |(?P<comment>\#[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<open>[(\[{])|(?P<close>[)\]}])
    """,
    re.VERBOSE | re.DOTALL,
)
END = re.compile(r"[ ;]*(#.*)?(\n|$)")
HEADER = re.compile(
    r"^(?P<indent>[ ]*)(?:async )?(?:(?:def|class|cdef|cpdef|property)\b[^\n(:=]*?)"
    r"(?P<name>\w+)\s*[(:\[]",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Text:
    """One docstring, comment, name or page, with its place."""

    path: str
    line: int
    sort: str  # one of PLACES
    text: str
    owner: str = ""  # of a docstring: the class and function

    @property
    def folder(self) -> str:
        """The folder under which the tables count it."""
        parts = self.path.split("/")[:-1]
        return "/".join(parts[:2]) or "."

    def words(self) -> list[str]:
        """Return the words of the dialect in it, in their order."""
        text = self.text
        if self.sort == "names":
            text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text)
        text = re.sub(r"\bnobody\s+waits\b", "nobody_waits", text.lower())
        return [FORMS[word] for word in re.findall(r"[a-z_]+", text) if word in FORMS]

    def opens_with_a_question(self) -> bool:
        """Whether it begins with What, Who, How, Where or Which."""
        first = re.match(r"\W*(\w+)", self.text)
        return bool(first) and first[1] in OPENINGS


# The folders with texts of ours, for a copy of the tree that git does not know.
FOLDERS = (".", ".ci", ".ci/release", ".ci/soak", "docs", "gomoku_brain", "tests")


def files_of_tree() -> Iterator[tuple[str, str]]:
    """Yield path and text of every file that git knows or would take.

    In a copy of the tree without git, as that of ``.ci/run``, yield those of FOLDERS.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        listed = set(done.stdout.decode().split("\0"))
    else:
        found = (
            path
            for folder in FOLDERS
            for path in (ROOT / folder).glob("*" if folder[0] == "." else "**/*")
        )
        listed = {path.relative_to(ROOT).as_posix() for path in found}
    for path in sorted(listed):
        if _is_read(path) and (ROOT / path).is_file():
            yield path, (ROOT / path).read_text("utf-8")


def files_of_commit(commit: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file of a commit."""
    command = ["git", "ls-tree", "-r", "-z", "--name-only", commit]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    for path in sorted(listed.decode().split("\0")):
        if _is_read(path):
            shown = ["git", "show", f"{commit}:{path}"]
            done = subprocess.run(shown, cwd=ROOT, capture_output=True, check=True)
            yield path, done.stdout.decode("utf-8")


def _is_read(path: str) -> bool:
    return path.endswith((*CODE, ".md"))


def texts(files: Iterable[tuple[str, str]], *, names: bool = True) -> Iterator[Text]:
    """Yield what people read in the files, with or without the names in code."""
    for path, text in files:
        if path.endswith(".md"):
            yield from _of_page(path, text)
        else:
            yield from _of_code(path, text, names)


def _of_page(path: str, text: str) -> Iterator[Text]:
    """Yield a page by paragraphs, without its code and the targets of its links."""
    text = re.sub(r"^( *```).*?^ *```", _blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"``[^`]+``|`[^`]+`|\]\([^)]*\)", _blank, text)
    line = 1
    for part in re.split(r"(\n\s*\n)", text):
        if part.strip():
            yield Text(path, line, "pages", part)
        line += part.count("\n")


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n") or " "


def _of_code(path: str, code: str, names: bool) -> Iterator[Text]:
    depth = 0
    headers = list(HEADER.finditer(code))
    line, counted = 1, 0
    for match in TOKEN.finditer(code):
        line += code.count("\n", counted, match.start())
        counted = match.start()
        if match["open"] or match["close"]:
            depth += 1 if match["open"] else -1
        elif match["comment"]:
            yield Text(path, line, "comments", match[0].lstrip("# "))
        elif match["name"]:
            if names:
                yield Text(path, line, "names", match[0])
        elif match["string"] and not depth and _is_docstring(code, match):
            text = match[0].lstrip("rRbBfFuU").strip("\"'")
            owner = _owner(code, match.start(), headers)
            yield Text(path, line, "docstrings", text, owner)


def _is_docstring(code: str, match: re.Match[str]) -> bool:
    """Whether a string is a statement of its own; C code in Cython is none."""
    start = code.rfind("\n", 0, match.start()) + 1
    if code[start : match.start()].strip() or not END.match(code, match.end()):
        return False
    before = code[:start].rstrip()
    previous = before[before.rfind("\n") + 1 :]
    return not previous.endswith("\\") and "extern" not in previous


def _owner(code: str, start: int, headers: list[re.Match[str]]) -> str:
    """Return the dotted name of what a docstring belongs to.

    ``headers`` are those of the file, in their order.
    """
    indent = start - (code.rfind("\n", 0, start) + 1)
    names: list[str] = []
    before = bisect_right(headers, start, key=lambda header: header.end())
    for header in reversed(headers[:before]):
        if len(header["indent"]) < indent:
            names.insert(0, header["name"])
            indent = len(header["indent"])
    return ".".join(names)


def counts(found: Iterable[Text]) -> dict[str, dict[str, Counter[str]]]:
    """Count by folder and place: each word, all texts, and those that open wrongly.

    The totals have the keys ``all`` and ``openings``.
    """
    result: dict[str, dict[str, Counter[str]]] = {}
    for text in found:
        count = result.setdefault(text.folder, {}).setdefault(text.sort, Counter())
        count["all"] += 1
        count["openings"] += text.opens_with_a_question()
        count.update(text.words())
    return result


def words_in(count: Counter[str]) -> int:
    """Return how many words of the dialect a count holds."""
    return sum(count[word] for word in set(FORMS.values()))


def table(found: list[Text]) -> str:
    """Return all counts as text."""
    by_folder = counts(found)
    lines = [
        f"{'folder':28}{'docstrings':>11}{'question':>9}{'share':>7}  "
        + "  ".join(f"{'words in ' + place:>19}" for place in PLACES)
    ]
    total = {place: Counter[str]() for place in PLACES}
    package = Counter[str]()
    for folder, places in sorted(by_folder.items()):
        for place, count in places.items():
            total[place] += count
        if folder.startswith("gomoku_brain"):
            package += places.get("docstrings", Counter())
        lines.append(_row(folder, places))
    lines.append(_row("the package", {"docstrings": package}))
    lines.append(_row("everything", total))
    lines.append("")
    words = sorted(set(FORMS.values()))
    lines.append(f"{'word':16}" + "".join(f"{place:>12}" for place in PLACES))
    for word in words:
        lines.append(
            f"{word:16}" + "".join(f"{total[place][word]:12}" for place in PLACES)
        )
    return "\n".join(lines)


def _row(folder: str, places: dict[str, Counter[str]]) -> str:
    docstrings = places.get("docstrings", Counter())
    share = 100 * docstrings["openings"] / max(1, docstrings["all"])
    return (
        f"{folder:28}{docstrings['all']:11}{docstrings['openings']:9}{share:6.1f}%  "
        + "  ".join(f"{words_in(places.get(p, Counter())):19}" for p in PLACES)
    )


def sample(found: Iterable[Text], number: int, seed: int) -> list[Text]:
    """Draw docstrings of the package; stubs, which repeat them, are left out."""
    docstrings = [
        text
        for text in found
        if text.sort == "docstrings"
        and text.path.startswith("gomoku_brain/")
        and not text.path.endswith(".pyi")
    ]
    drawn = random.Random(seed).sample(docstrings, min(number, len(docstrings)))
    return sorted(drawn, key=lambda text: (text.path, text.line))


def todays(old: Text, commit: str, found: list[Text]) -> Text | None:
    """Find today's docstring of what had ``old`` in a commit, also when it moved.

    None: it was renamed or removed.
    """
    path = _renames(commit).get(old.path, old.path)
    docstrings = [text for text in found if text.sort == "docstrings"]
    same = [text for text in docstrings if text.owner == old.owner]
    here = [text for text in same if text.path == path]
    if not here and old.owner and len(same) == 1:
        here = same
    return here[0] if here else None


_RENAMES: dict[str, dict[str, str]] = {}


def _renames(commit: str) -> dict[str, str]:
    if commit not in _RENAMES:
        command = ["git", "diff", "-M30%", "-l0", "--name-status", commit]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, check=True, text=True
        )
        rows = [row.split("\t") for row in done.stdout.splitlines()]
        _RENAMES[commit] = {row[1]: row[2] for row in rows if row[0].startswith("R")}
    return _RENAMES[commit]


def _shown(text: Text | None) -> str:
    if text is None:
        return "(renamed or removed)"
    body = "\n".join("    " + line.strip() for line in text.text.strip().split("\n"))
    return f"{text.path}:{text.line} {text.owner}\n{body}"


def main() -> None:
    """Print what the arguments request."""
    parser = argparse.ArgumentParser(description="The words of docstrings and pages")
    parser.add_argument("--rev", help="read the files of this commit")
    parser.add_argument("--list", metavar="FOLDER", help="list the places in a folder")
    parser.add_argument("--sample", type=int, metavar="N", help="draw N docstrings")
    parser.add_argument("--seed", type=int, default=7, help="of the draw (default 7)")
    parser.add_argument(
        "--beside", action="store_true", help="show today's text beside each of --rev"
    )
    given = parser.parse_args()
    files = files_of_commit(given.rev) if given.rev else files_of_tree()
    found = list(texts(files))
    if given.list is not None:
        folder = given.list.rstrip("/")
        for text in found:
            if text.path == folder or text.path.startswith(folder + "/"):
                words = text.words()
                if text.sort == "docstrings" and text.opens_with_a_question():
                    words.insert(0, "opening")
                if words:
                    line = " ".join(text.text.split())
                    place = f"{text.path}:{text.line}"
                    print(f"{place} {text.sort} [{', '.join(words)}] {line[:200]}")
    elif given.sample:
        print(
            f"{given.sample} docstrings, seed {given.seed}, {given.rev or 'the tree'}"
        )
        now = list(texts(files_of_tree())) if given.beside and given.rev else []
        for text in sample(found, given.sample, given.seed):
            print("\n" + _shown(text))
            if now:
                print("  now " + _shown(todays(text, given.rev, now)))
    else:
        print(table(found))


if __name__ == "__main__":
    main()
