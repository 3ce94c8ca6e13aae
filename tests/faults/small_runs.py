"""Small runs in which one call of the system fails, each n-th call in turn.

``test_faults`` starts this in a process that has the library of ``faults.c`` preloaded:
``python -m tests.faults.small_runs LIBRARY FOLDER RUN STEPS`` (``try_faults``).
"""

import contextlib
import ctypes
import gc
import io
import json
import re
import shutil
import sqlite3
import sys
from argparse import Namespace
from collections import Counter
from functools import partial
from pathlib import Path

from gomoku_brain.__main__ import main
from gomoku_brain.commands import _prove_search, match
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.model import settings
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import SavedGame, to_text
from gomoku_brain.lab.train.numbered import LineTask, make_file
from gomoku_brain.lab.train.selfplay import SelfplayRecipe
from gomoku_brain.match import tournament
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.runs import user_folder
from gomoku_brain.runs.program_end import error_line
from tests.commands.test_prove import Here

KINDS = ("write", "fsync", "rename", "malloc")
FAULTS = (sqlite3.Error, OSError, MemoryError, RuntimeError)
REASONS = re.compile(
    r"No space left on device|Input/output error|Cannot allocate memory|out of memory"
    r"|memory is short|digital envelope|disk I/O error"
    r"|database or disk is full|unable to open database"
)


def print_error(error):
    print(error_line(error), file=sys.stderr)


def called(run, folder, begin=int, end=int):
    """Return status and lines of standard error of a run, between two other calls."""
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        begin()
        try:
            status = run(folder)
        except Exception as error:
            status = f"{type(error).__name__}: {error}"
        finally:
            end()
    return status, said.getvalue().splitlines()


class CommandRun:
    """A command, which goes on when it is called again."""

    def __init__(self, name, words=""):
        self.name, self.words = name, words.split()
        self.status = self.files = None  # of a run without a fault

    def prepare(self, folder):
        """What is there before."""

    def run(self, folder):
        """Return the status."""
        try:
            return main([word.format(folder) for word in self.words])
        except SystemExit as end:
            return end.code

    def check(self, folder, status, said):
        """Yield what is wrong after a run, which goes on without faults."""
        if status not in (self.status, 2):
            yield f"status {status}"
        if status == 2 and not (
            said and said[-1].startswith(f"{self.name}: ") and REASONS.search(said[-1])
        ):
            yield f"no clear line: {said[-1:]}"
        yield from (f"left: {path.name}" for path in folder.rglob("*.tmp"))
        yield from self.missing(folder, said)
        again, lines = called(self.run, folder)
        if again != self.status:
            yield f"going on: {again}, {lines[-1:]}"
        elif self.contents(folder) != self.files:
            yield "another result after going on"

    def missing(self, folder, said):
        """Yield what was reported and is not there."""
        return ()

    def contents(self, folder):
        return {
            path.name: sorted(path.read_bytes().splitlines())
            for path in folder.rglob("*")
            if path.is_file()
        }


class MatchRun(CommandRun):
    """Four games of players who need no process."""

    def __init__(self):
        words = "match --engine a=sh --engine b=sh --nodes 1 --games 4"
        words += " --openings none --repeat-openings --every 1 --out {0}/games"
        words += " --sgf {0}/sgf --html {0}/html --psq {0}/psq --log {0}/log"
        super().__init__("gomoku-brain match", words)
        match.try_engine = lambda *_: None
        match.play_here = self.play
        # Python waits for ever for a thread that had no memory to start.
        tournament.ThreadPoolExecutor = lambda *_: Here(1)

    @staticmethod
    def play(task, stop, brains, log, processors):
        move = PlayedMove(Move(int(task.id[-2]), ord(task.id[-1]) - 90))
        names = task.black.name, task.white.name
        return log.play(
            task,
            lambda write: GameRecord(
                task.rule, 15, 15, *names, (move,), "1-0", "five", id=task.id
            ),
        )

    def run(self, folder):
        user_folder.user_folder = lambda: folder / "home"
        return super().run(folder)

    def missing(self, folder, said):
        there = (folder / "games").read_text() if (folder / "games").exists() else ""
        for line in said:
            found = re.search(r"\b\d+-\d+\.\d+[ab]\b", line)
            if found and f'"{found[0]}"' not in there:
                yield f"reported and lost: {line}"

    def contents(self, folder):
        found = super().contents(folder)
        found.pop("log", None)
        return found


class ProveRun(CommandRun):
    """A whole proof."""

    def __init__(self):
        words = "prove h8 h9 i9 h10 j10 k11 --workers 1 --state {0}/state"
        words += " --save {0}/save --out {0}/out"
        super().__init__("gomoku-brain prove", words)
        _prove_search.WorkerProcesses = Here

    def contents(self, folder):
        # Another order of tasks is another tree.
        return sorted(path.name for path in folder.iterdir())


class SelfplayRun(CommandRun):
    """Three games of the engine against itself."""

    def __init__(self):
        super().__init__("selfplay")
        recipe = SelfplayRecipe(Rule.FREESTYLE, (9,), 30, 5)
        self.tasks = [LineTask(recipe, number) for number in range(3)]
        self.options = Namespace(workers=1, cluster=None)

    def run(self, folder):
        return make_file(self.name, folder / "games", self.tasks, self.options)


def unclear(status, said):
    if status is not None:
        yield f"ended by {status}"
    yield from (f"no clear line: {line}" for line in said if not REASONS.search(line))


def saved_game(moves):
    return SavedGame(GameTree(Game(moves=moves)), GameConfig())


class ArchiveRun:
    """Games that are stored move by move; the first one was there before."""

    def prepare(self, folder):
        with contextlib.closing(Archive(folder / "games.db")) as archive:
            archive.store(saved_game("a1 b2"))
        self.begun = saved_game("h8"), saved_game("a1 c3")

    def run(self, folder):
        """Store the games, and print the errors."""
        self.stored = {}
        try:
            archive = Archive(folder / "games.db")
        except FAULTS as error:
            return print_error(error)
        for saved in self.begun:
            number = None
            for move in (Move(8, 8), Move(9, 9)):
                try:
                    saved.tree.play(move)
                    number = archive.store(saved)
                    self.stored[number] = [to_text(*saved)]
                except FAULTS as error:
                    print_error(error)
                    if number is not None:  # it may be there nevertheless
                        self.stored.setdefault(number, []).append(to_text(*saved))
        checks = (archive.checkpoint, archive.is_sound, archive.repair, archive.close)
        for check in checks:
            try:
                if check() is False:
                    print("the archive is taken for damaged", file=sys.stderr)
            except FAULTS as error:
                print_error(error)

    def check(self, folder, status, said):
        yield from unclear(status, said)
        aside = [path.name for path in folder.iterdir() if "damaged" in path.name]
        if aside:
            yield f"taken for damaged: {aside}"
        with contextlib.closing(Archive(folder / "games.db")) as archive:
            rows = {row.id: row for row in archive.games()}
            if min(rows, default=0) != 1:
                yield "the game that was there before is lost"
            for number, texts in self.stored.items():
                if number not in rows or to_text(*archive.read(number)) not in texts:
                    yield f"game {number} was stored and is not there"
            if archive.repair() or not archive.is_sound():
                yield "the file disagrees with itself"
            archive.store(saved_game("o15"))


class RescueRun:
    """A damaged archive, whose last game is only in the file beside it."""

    def prepare(self, folder):
        with contextlib.closing(Archive(folder / "old.db")) as archive:
            archive.store(saved_game("a1 b2"))
            archive.checkpoint()
            archive.store(saved_game("c3 d4"))
            for end in ("", "-wal"):
                shutil.copy(folder / f"old.db{end}", folder / f"games.db{end}")
            query = "SELECT rootpage FROM sqlite_master WHERE name LIKE '%kept_1'"
            ((page,),) = archive._base.execute(query)
        with (folder / "games.db").open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"x" * 4096)

    def run(self, folder):
        try:
            Archive(folder / "games.db").close()
        except FAULTS as error:
            print_error(error)

    def check(self, folder, status, said):
        yield from unclear(status, said)
        with contextlib.closing(Archive(folder / "games.db")) as archive:
            if len(archive.games()) != 2:
                yield f"{len(archive.games())} games are left of 2"


class SettingsRun:
    """Three changes of the settings."""

    def prepare(self, folder):
        settings.load(folder / "settings.json").change(lines=1)

    def run(self, folder):
        """Change them, and print the errors."""
        self.new = 1
        try:
            made = settings.load(folder / "settings.json")
            for lines in (4, 5, 6):
                made.change(lines=lines)
                if made.trouble:
                    print(made.trouble, file=sys.stderr)
                else:
                    self.new = lines
            settings.make_durable(folder / "settings.json")
        except FAULTS as error:
            print_error(error)

    def check(self, folder, status, said):
        yield from unclear(status, said)
        yield from (f"left: {p.name}" for p in folder.iterdir() if p.suffix == ".tmp")
        made = settings.load(folder / "settings.json")
        if made.lines != self.new:
            yield f"lines {made.lines}, written were {self.new}"
        made.change(lines=7)
        if settings.load(folder / "settings.json").lines != 7:
            yield "nothing can be changed afterwards"


RUNS = {
    "match": MatchRun,
    "prove": ProveRun,
    "selfplay": SelfplayRun,
    "archive": ArchiveRun,
    "rescue": RescueRun,
    "settings": SettingsRun,
}


def try_faults(library, folder, name, steps):
    """Print the number of calls, the ends of the runs and all that was wrong.

    ``steps``: "write=1 malloc=20" lets each write fail, and every 20th malloc.
    """
    faults = ctypes.CDLL(library)
    run, folder = RUNS[name](), Path(folder)

    def one(kind, fault, lasting):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run.prepare(folder)
        gc.collect()
        begin = partial(faults.begin_faults, KINDS.index(kind), fault, lasting)
        return called(run.run, folder, begin, faults.end_faults)

    for step in steps.split():
        kind, _, step = step.partition("=")
        for _ in range(2):  # the first run imports
            run.status, _ = one(kind, 0, False)
        assert run.status in (0, 1, None)
        if isinstance(run, CommandRun):
            run.files = run.contents(folder)
        calls = faults.end_faults()
        for lasting in (False, True)[: 1 + (kind == "write")]:
            ends, problems, tried = Counter(), [], range(1, calls + 1, int(step))
            for fault in tried:
                status, said = one(kind, fault, lasting)
                wrong = list(run.check(folder, status, said))
                problems += [f"{fault}: {problem}" for problem in wrong]
                last = said[-1] if said else "no error"
                ends[re.sub(r"\S*/|\d+", "", last)] += 1
            row = {"run": name, "kind": kind, "lasting": lasting, "calls": calls}
            row |= {"tried": len(tried), "ends": ends, "problems": problems}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    try_faults(*sys.argv[1:])
