"""Commands that a file of games contains, and the commands that this user confirmed.

The first line of a file of games names programs, folders, files and perhaps a cluster.
People exchange such files as results. So a command from a file runs only if the user
named it (on the command line, in the board's list of programs) or confirmed it, now or
earlier on this machine. The commands of every match that the user starts are
remembered, so that the match resumes without a question.

A command is represented by the line that the user sees. The line determines the
program, its arguments, its working folder and its INFO lines, so a digest of it
identifies the command. The store is a folder of empty files, each named by a digest: a
file exists or not, so a crash or another match cannot damage the store.
"""

import contextlib
import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from unicodedata import bidirectional

from gomoku_brain.client.brain import OURS, EngineSpec, working_folder
from gomoku_brain.runs.user_folder import user_folder

__all__ = ["engine_commands", "quote", "remember", "unconfirmed"]

FOLDER = "confirmed-commands"
MOST = 1000
"""Number of commands that are remembered; the oldest ones are dropped."""
_NOT_PLAIN = {"R", "AL", "AN", "NSM"}  # from right to left, combining
_DIGEST = re.compile(r"[0-9a-f]{64}")


def quote(word: str) -> str:
    """Quote a word as in a shell, with escapes for all characters that are not visible.

    Also escaped are characters that change the order or the look of others, as in
    Arabic, and all but one of several blanks. Different words have different quotes,
    none of which hides or moves other text on a terminal.
    """
    if "  " not in word and all(map(_is_plain, word)):
        return shlex.quote(word)
    escaped = "".join(
        f"\\{c}" if c in "\\'" else c if _is_plain(c) else ascii(c)[1:-1] for c in word
    )
    return "$'" + escaped.replace("  ", " \\x20") + "'"


def _is_plain(character: str) -> bool:
    return character.isprintable() and bidirectional(character) not in _NOT_PLAIN


def engine_commands(specs: Iterable[EngineSpec]) -> list[str]:
    """Return the commands of engines, a line each; none for our brain in its own
    folder.
    """
    lines = []
    for spec in specs:
        if spec.command == (OURS,) and spec.cwd is None:
            continue
        program, *arguments = spec.command
        if Path(program).name != program:
            program = str(Path(program).absolute())
        # A bracket without quotes is no part of a word.
        more = [f"folder {quote(str(working_folder(spec).absolute()))}"]
        more += [f"INFO {quote(key)} {quote(value)}" for key, value in spec.infos]
        words = " ".join(map(quote, (program, *arguments)))
        lines.append(f"{words} ({'; '.join(more)})")
    return list(dict.fromkeys(lines))


def unconfirmed(commands: Iterable[str], scope: object = None) -> list[str]:
    """Return the commands that this user has neither started nor confirmed yet.

    With a ``scope``, a JSON value, they were confirmed for that scope alone.
    """
    try:
        store = _store()
        there = {entry.name for entry in os.scandir(store)}
    except OSError:
        there = set()
    return [command for command in commands if _digest(command, scope) not in there]


def remember(commands: Iterable[str], scope: object = None) -> None:
    """Remember that the user started or confirmed these commands. Raises OSError."""
    digests = [_digest(command, scope) for command in commands]
    if not digests:
        return
    store = _store()
    store.mkdir(parents=True, exist_ok=True)
    for digest in digests:
        (store / digest).touch()
    found = [store / name for name in os.listdir(store) if _DIGEST.fullmatch(name)]
    if len(found) > MOST:
        with contextlib.suppress(OSError):  # another match may remove them as well
            found.sort(key=os.path.getmtime)
            for path in found[:-MOST]:
                path.unlink(missing_ok=True)


def _store() -> Path:
    folder = user_folder()
    if not folder.is_absolute():  # it could be a part of a foreign folder
        raise OSError(f"{folder} is not an absolute path")
    return folder / FOLDER


def _digest(command: str, scope: object) -> str:
    return hashlib.sha256(json.dumps([command, scope]).encode()).hexdigest()
