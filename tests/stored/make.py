"""Maker of the stored files, run once at commit 3458101. It need not run later.

    git worktree add /tmp/frozen 3458101    # and build it
    cd /tmp/frozen
    PYTHONPATH=/tmp/frozen:/work/main python /work/main/tests/stored/make.py

It shows how each file was made. The expected values were written by the same commit.
Never run it with other code over the files.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gomoku_brain.control.limits import Limits, PlayerLimits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive.documents import read_file, save_game, save_games
from gomoku_brain.gui.model import lessons, level_rating, node_notes, settings
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Verdict
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.repetition import Repetition, with_repetition
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.storm import STORM, StormResult
from gomoku_brain.records.game_formats import PlayedMove
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import review
from gomoku_brain.study.puzzles import puzzle_levels
from tests.stored import opening
from tests.stored.opening import FILES, FOLDER, PYTHON

WORK = Path("/tmp/stored-work")
COMMIT = "3458101"


def program(*words):
    return [sys.executable, "-m", *map(str, words)]


def run(*words):
    subprocess.run(program(*words), cwd=WORK, check=True, stdout=sys.stderr)


def killed(words, path, lines):
    """Start a command and kill it as soon as its file has so many lines."""
    process = subprocess.Popen(program(*words), cwd=WORK)
    while process.poll() is None:
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            process.send_signal(signal.SIGKILL)
        time.sleep(0.0005)
    process.wait()


def write_expected(folder, values):
    text = dumped(values, 3 if folder == "board" else 2)
    (FILES / folder / "expected.json").write_text(text + "\n", "utf-8")


def dumped(value, levels, indent=1):
    """Return JSON whose upper levels have a line for each value."""
    if not levels or not value or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    rows = [
        f"{' ' * indent}{json.dumps(key)}: {dumped(each, levels - 1, indent + 1)}"
        for key, each in value.items()
    ]
    return "{\n" + ",\n".join(rows) + f"\n{' ' * (indent - 1)}}}"


# Matches

SCRIPT = f'"{sys.executable}" -I -S "{WORK}/player.py"'


def matches():
    for name in ("player.py", "openings.txt"):
        shutil.copy(FILES / "match" / name, WORK)
    openings = ("--openings", f"{WORK}/openings.txt", "--order", "file")
    players = ("--engine", f"low={SCRIPT} 1 300", "--engine", f"mid={SCRIPT} 6")
    common = ("gomoku_brain", "match", *openings, "--time", 30, "--reuse")
    robin = (*common, *players, "time=20", "--engine", f"high={SCRIPT} 12 -300")
    robin += ("threads=1", "info.caution_factor=2", "--draw-after", 12, "--games", 6)
    robin += ("--adjudicate-win", "250,2", "--adjudicate-draw", "20,3,10")
    robin += ("--match-time", 300, "--increment", 1, "--margin", 0.5, "--memory", 64)
    robin += ("--patience", 100, "--form", "pos", "--seed", 4, "--repeat-openings")
    rows = [
        {"name": "few", "command": "ours", "nodes": 50, "level": "full"},
        {"name": "low", "cmd": SCRIPT, "args": "1 300", "cwd": str(WORK)},
        {"name": "mid", "command": f"{SCRIPT} 6", "info": {"caution_factor": 1}},
    ]
    (WORK / "engines.json").write_text(json.dumps(rows, indent=1))
    gauntlet = (*common, "--gauntlet", "--engines", f"{WORK}/engines.json")
    gauntlet += ("--rule", "renju", "--games", 4, "--anchor", "few=1500", "--depth", 20)
    gauntlet += ("--workers", 1, "--every", 5, "--size", 15)
    swap2 = ("gomoku_brain", "match", "--swap2", "--rule", "standard", "--games", 2)
    swap2 += ("--engine", "a=ours", "nodes=40", "--engine", "b=ours", "nodes=60")
    swap2 += ("--reuse", "--sprt", "0,1,0.05,0.05", "--sprt-model", "normalized")
    exports = ("--psq", f"{WORK}/psq", "--sgf", f"{WORK}/games.sgf", "--html")
    exports += (f"{WORK}/games.html", "--samples", f"{WORK}/samples.jsonl")
    gauntlet += exports
    for name, words, lines in (
        ("round_robin", robin, 8), ("gauntlet", gauntlet, 4), ("swap2", swap2, 2)
    ):  # fmt: skip
        path = WORK / f"{name}.jsonl"
        killed((*words, "--out", path), path, lines)
    run(*gauntlet, "--out", "whole.jsonl")
    torn = (WORK / "whole.jsonl").read_text().splitlines()[5][:300]
    with (WORK / "gauntlet.jsonl").open("a") as file:
        file.write(torn)  # as after a kill within a write
    for name in ("round_robin.jsonl", "gauntlet.jsonl", "swap2.jsonl", "engines.json"):
        text = (WORK / name).read_text()
        text = text.replace(sys.executable, PYTHON).replace(str(WORK), FOLDER)
        (FILES / "match" / name).write_text(text)
    for name in ("games.sgf", "samples.jsonl"):
        shutil.copy(WORK / name, FILES / "match")
    shutil.copy(WORK / "psq" / "1-2.1a.psq", FILES / "match" / "game.psq")
    made = {}
    for name in ("round_robin", "gauntlet", "swap2"):
        path = opening.match_file(f"{name}.jsonl", WORK / "again")
        made[f"{name} there"] = opening.games_of_file(path)
        made[f"{name} resumed"] = opening.resumed_match(path)
    for name in ("game.psq", "games.sgf"):
        made[name] = opening.games_of_file(FILES / "match" / name)
    lines = (FILES / "match" / "samples.jsonl").read_text().splitlines()
    made["samples"] = [len(lines), json.loads(lines[0])]
    write_expected("match", made)


# The board

STUDY = """(;FF[4]GM[4]SZ[15]RU[Renju]PB[Mäder, "A"]PW[張三]DT[1932-05-01]EV[Cup]KO[3]
C[Start: a \\] and a \\\\ and
a second line]LB[hh:A][ii:12]TR[gg]
;B[hh]C[centre];W[hg]SQ[hg]CR[gg][hi];B[jg](;W[ig]XX[foreign]C[main line];B[ih];W[jh]
C[five moves])(;W[ii]MA[ii]C[the other way];B[ih](;W[gh])(;W[jh]SL[jh]BM[1]))
(;W[gi]))"""


def tree_of(moves, seconds=(), **start):
    """Return a played game: every move has its time, and the brain's its figures."""
    tree = GameTree(Game(**start))
    for number, move in enumerate(parse_moves(moves)):
        figures = {}
        if number % 2:
            figures = {"score": 10 - 7 * number, "depth": 9, "nodes": 5000 + number}
        second = seconds[number] if number < len(seconds) else 1.25
        tree.add(PlayedMove(move, seconds=second, **figures))
    tree.date = "2026-11-20T18:30:00+01:00"
    return tree


def judged(tree):
    """Judge a game as the window does."""
    nodes = [tree.root, *tree.node.line()]
    with Engine(hash_mb=4) as engine:
        found = review(engine, tree.game(), Limits(nodes=3000))
    for node, chance in zip(nodes[found.first :], found.curve, strict=False):
        node.chance = chance
    for one in found.moves:
        nodes[one.number].verdict = Verdict(
            one.label, one.loss, one.line, one.before, one.after
        )


def board():
    folder = WORK / "board"
    folder.mkdir()
    archive = Archive(folder / "games.db")
    human, level = PlayerConfig(name="Ana"), PlayerConfig("brain", strength=44)
    other = PlayerConfig(
        "program", "pela", command="/opt/pela -x", folder="/opt", infos="max_node 9"
    )
    trees = []

    def store(tree, config, kind="game", free=False, names=None):
        tree.names = dict(zip(Side, names, strict=True)) if names else tree.names
        trees.append(tree)
        return archive.store(SavedGame(tree, config, free), kind)

    # 1 a finished game against a level, judged; two of its mistakes are lessons
    tree = tree_of("h8 i8 h9 h10 g8 i10 f8 e8 g10 f11 i9 j9 f9 e9 g9 a1 g7 g11 g6")
    judged(tree)
    first = store(tree, GameConfig(human, level), names=("Ana", "medium"))
    found = lessons.lessons_of(tree, tree.node.line(), Side, first)
    for step, each in enumerate(found[:2]):
        state = Repetition(2 * step, 739_950 + step)
        archive.note(each.name, with_repetition(each.to_text(), state))
    # 2 a study with variations, comments, labels, marks and foreign properties
    (WORK / "study.sgf").write_text(STUDY, "utf-8")
    tree, _ = read_file(WORK / "study.sgf")[0].tree()
    tree.go_to(tree.at_ply(2))
    node_notes.set_label(tree, tree.node, parse_moves("c3")[0], "plan")
    node_notes.set_comment(tree, tree.node, "line one\nline two ] \\ 界")
    store(tree, GameConfig(), "study", True)
    # 3, 4 rated games: won by resignation, lost on time
    for number, end in ((3, ("1-0", "resigned")), (4, ("1-0", "time", "2.0 s late"))):
        tree = tree_of("h8 h9 i9 g7" if number == 3 else "h8 i9 j9", (4.0, 0.5, 9.75))
        tree.end(Ending(*end))
        tree.date, tree.extra = f"2026-11-{number + 18}T20:00:00", {"rated": "22"}
        players = (human, replace(level, strength=22))
        config = GameConfig(*(players if number == 3 else players[::-1]))
        store(tree, config, names=("Ana", "easy") if number == 3 else ("easy", "Ana"))
        level_rating.store(archive, tree.date, 22, 4.0 - number, number)
    # 5 a puzzle of the source report
    puzzle = puzzle_levels()[2]
    stones = [
        [m for m in puzzle.board.moves if puzzle.board.stone(m) is s] for s in Side
    ]
    start = Game(
        black=tuple(stones[0]), white=tuple(stones[1]), first=puzzle.board.turn
    )
    tree = GameTree(start)
    tree.play(puzzle.move)
    tree.extra = {"puzzle": "3"}
    store(tree, GameConfig(human, level), "puzzle", names=("Ana", "full"))
    # 6 a set-up with walls and white to move, on a small board
    black, white, walls = map(parse_moves, ("c3 d4 e5", "c4 d5", "a1 i9"))
    cells = {"black": tuple(black), "white": tuple(white), "walls": tuple(walls)}
    start = Game(Rule.STANDARD, 9, 9, **cells, first=Side.WHITE)
    tree = GameTree(start)
    tree.play(parse_moves("f6")[0])
    node_notes.set_comment(tree, tree.root, "Who wins?")
    store(tree, GameConfig(), "study", True, ("B", "W"))
    # 7 a program against a level on 20 cells, drawn; both clocks
    tree = tree_of("k10 k11 l11 m12", (1.5, 2.5), rule=Rule.CARO, width=20, height=20)
    tree.end(Ending("1/2-1/2", "adjudicated"))
    control = PlayerLimits(5.0, 180.0, 2.0, margin=1.0)
    config = GameConfig(other, level, control, threads=2, hash_mb=128)
    store(tree, config, names=("pela", "medium"))
    # 8 a foul of black, on a board that is no square
    tree = tree_of("f6 a1 f7 a3 g5 b2 h5 c5 f5", rule=Rule.RENJU, width=12, height=10)
    config = GameConfig(human, human, people_too=True, foul_loses=True)
    store(tree, config, names=("Ana", "Bo"))
    # 9 the open rated game that was on the board, with running clocks
    tree = tree_of("h8 h9 i9 g8 j10", (12.5, 0.75, 30.0, 1.0, 2.25))
    tree.extra = {"rated": "33", "opening": "book"}
    config = GameConfig(human, replace(level, strength=33), control, people_too=True)
    ninth = store(tree, config, names=("Ana", "casual"))
    level_rating.note_open(archive, level_rating.OpenGame(ninth, 33))
    archive.note("open", str(ninth))
    for day, solved in ((19, 7), (21, 11)):
        date = f"2026-11-{day}T09:00:00"
        result = StormResult(solved, 2, 1, 1, 1100 + day, date)
        archive.note(STORM + date, result.to_text())
    archive.close()
    shutil.copy(folder / "games.db", FILES / "board" / "games.sqlite")
    for number, name in ((0, "game.sgf"), (1, "study.sgf"), (5, "set_up.json")):
        save_game(trees[number], FILES / "board" / name)
    save_game(trees[0], FILES / "board" / "game.psq")
    save_game(trees[4], FILES / "board" / "puzzle.sgf")
    save_games(trees, FILES / "board" / "all.sgf")
    judge = ("--game", "--nodes", 2000, "--sgf", "judged.sgf", "--psq", "judged.psq")
    run("gomoku_brain", "analyze", FILES / "board" / "game.psq", *judge)
    for name in ("judged.sgf", "judged.psq"):
        shutil.copy(WORK / name, FILES / "board")
    choice = settings.GameChoice("renju", 19, human, other, True, 7.0, 300.0, 1.5)
    days = [739_940, 739_941]
    record = SolverRecord(1234.5, 31, 4, 9, [2, 17, 40], days, days[-1], 18)
    pela = settings.Program("pela", "/opt/pela -x", "/opt", 350, 2, "max_node 9")
    made = settings.Settings(
        language="zh_CN", theme="dark", coordinates=False, numbers=True, zoom=125,
        rows_from_bottom=True, wins_in_plies=True, sound=True, threads=2, hash_mb=256,
        lines=5, analyst="pela", game=replace(choice, handicap=2, foul_loses=True),
        programs=[pela], solved=[1, 3, 20], held_out=14, puzzle_rule="renju",
        name="Ana", warnings=True, progress=record, folder="/home/ana/games",
        geometry="AdnQywADAAAAAAAA", splitter=[700, 420], tab=2,
    )  # fmt: skip
    assert settings.save(made, FILES / "board" / "settings.json")
    files = FILES / "board"
    values = {
        "archive": opening.archive_row(opening.copied("board/games.sqlite", WORK))
    }
    values["settings"] = opening.settings_row(files / "settings.json")
    values["progress"] = opening.progress_row(files / "settings.json")
    values["next rating"] = opening.next_rating(WORK / "games.sqlite", 44, 1.0)
    for name in ("game.sgf", "game.psq", "judged.sgf", "judged.psq", "all.sgf"):
        values[name] = opening.games_of_file(files / name)
    for name in ("set_up.json", "puzzle.sgf", "study.sgf"):
        values[name] = opening.positions_of_file(files / name)
    for name in ("study.sgf", "game.sgf", "judged.sgf"):
        values[f"{name} opened"] = opening.document_of_file(files / name)
    values["window"] = window()
    write_expected("board", values)


def window():
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    folder = WORK / "home"
    opening.copied("board/games.sqlite", folder, "games.db")
    opening.copied("board/settings.json", folder)
    app = opening.started_window(QApplication([]), folder)
    shown = {"at the start": opening.window_row(app)}
    for number in (2, 6, 8):
        shown[str(number)] = opening.open_in_window(app, number)
    app.finish()
    return shown


# Proofs


def proofs():
    search = ("gomoku_brain", "prove", *opening.PUZZLE, "--workers", 1)
    part = WORK / "state.db"
    run_any = [*program(*search, "--state", part), "--tasks", "58"]
    subprocess.run(run_any, cwd=WORK, check=False)
    run(*search, "--out", "small.proof", "--save", "small.snapshot")
    check = ("gomoku_brain", "prove", "--check", "small.proof", "--workers", 1)
    run(*check, "--journal", "whole", "--book", "small.book")
    lines = (WORK / "whole").read_text().splitlines(keepends=True)
    (FILES / "prove" / "small.journal").write_text("".join(lines[:40]) + lines[40][:9])
    shutil.copy(part, FILES / "prove" / "state.sqlite")
    for name in ("small.proof", "small.snapshot"):
        shutil.copy(WORK / name, FILES / "prove")
    again = WORK / "proofs again"
    state = opening.copied("prove/state.sqlite", again)
    proof = opening.copied("prove/small.proof", again)
    journal = opening.copied("prove/small.journal", again)
    snapshot = opening.copied("prove/small.snapshot", again)
    write_expected(
        "prove",
        {
            "stopped": opening.prove_on(state, "--time", 0),
            "proved": opening.prove_on(state),
            "snapshot": opening.prove_on(
                again / "new", "--load", snapshot, "--time", 0
            ),
            "check": opening.checked(proof, journal, "--book", again / "book"),
            "proof shown": opening.looked_up(proof),
            "book shown": opening.looked_up(again / "book"),
        },
    )


# The lab


def lab():
    train, tune = "gomoku_brain.lab.train.", "gomoku_brain.lab.tune."
    run(train + "selfplay", "selfplay.txt", "--games", 6, *opening.SELFPLAY)
    run(train + "evaluated", "evaluated.txt", "selfplay.txt", *opening.EVALUATED)
    run(tune + "duel", "duel.txt", *opening.DUEL)
    killed((tune + "spsa", "spsa.json", *opening.SPSA), WORK / "spsa.json", 3)
    run("gomoku_brain", "levels", "calibrate", "--out", "levels.jsonl", *opening.LEVELS)
    words = (train + "fit", "selfplay.txt", "--out", "linear.weights", "--steps", 5)
    run(*words, "--choice-steps", 5)
    part = WORK / "openings.txt.part"
    words = ("gomoku_brain", "openings", "generate", "--out", WORK / "openings.txt")
    killed((*words, *opening.OPENINGS), part, 3)
    run(*words[:-1], "list.txt", *opening.OPENINGS)
    words = ("gomoku_brain", "experiment", "--out", "experiment", *opening.EXPERIMENT)
    run(*words)
    lines = (WORK / "selfplay.txt").read_text().splitlines(keepends=True)
    (WORK / "one.txt").write_text(lines[0])
    make = "from gomoku_brain.lab.train.samples import make_samples as m; "
    make += (
        "from gomoku_brain.game.rules import Rule as R; from pathlib import Path as P; "
    )
    make += "m(P('samples'), [P('one.txt')], R.FREESTYLE)"
    subprocess.run([sys.executable, "-c", make], cwd=WORK, check=True)
    for name in ("samples", "experiment"):
        (FILES / "lab" / name).mkdir(exist_ok=True)
    for name in (
        *("selfplay.txt", "evaluated.txt", "duel.txt", "spsa.json", "levels.jsonl"),
        *(
            "linear.weights",
            "openings.txt.part",
            "list.txt",
            "experiment/results.jsonl",
        ),
        *(f"samples/{path.name}" for path in (WORK / "samples").iterdir()),
    ):
        shutil.copy(WORK / name, FILES / "lab" / name)
    # The order of a run with two processes, whose last line was torn.
    torn = "".join([lines[3], lines[0], lines[2], lines[1][:25]])
    (FILES / "lab" / "selfplay_part.txt").write_text(torn)
    again = WORK / "lab again"
    for path in (FILES / "lab").iterdir():
        if path.name != "expected.json":
            opening.copied(f"lab/{path.name}", again)
    write_expected(
        "lab",
        {
            "signature": 445394,
            "selfplay": opening.selfplay_rows(again / "selfplay.txt"),
            "selfplay resumed": opening.selfplay_resumed(again / "selfplay_part.txt"),
            "evaluated": opening.evaluated_lines(again / "evaluated.txt"),
            "duel": opening.duel_result(again / "duel.txt"),
            "spsa": opening.spsa_resumed(again / "spsa.json"),
            "levels": opening.levels_resumed(again / "levels.jsonl"),
            "weights": opening.weights_row(again / "linear.weights"),
            "samples": opening.samples_row(again / "samples"),
            "list": opening.openings_row(again / "list.txt"),
            "openings resumed": opening.openings_resumed(again / "openings.txt"),
            "experiment": opening.experiment_tables(
                again / "experiment", pytest.MonkeyPatch()
            ),
        },
    )


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    for folder in ("match", "board", "prove", "lab"):
        (FILES / folder).mkdir(exist_ok=True)
    for part in sys.argv[1:] or ("matches", "board", "proofs", "lab"):
        globals()[part]()


if __name__ == "__main__":
    main()
