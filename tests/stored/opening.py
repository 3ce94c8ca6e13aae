"""The only access of these tests to the code: every stored file as plain values.

The functions return lists, numbers and texts in neutral terms (moves as "h8", sides as
"black" and "white"), and the tests compare them with the files ``expected.json``. When
the code behind a function changes, change that function. The files and the expected
values must never be changed: they are what users have on their disks.
"""

import contextlib
import io
import json
import shutil
import sqlite3
import sys
from dataclasses import asdict
from itertools import chain
from pathlib import Path

FILES = Path(__file__).with_name("files")
PYTHON, FOLDER = "@PYTHON@", "@FOLDER@"  # of the machine, in the stored match files


def expected(folder):
    """Return the expected values of a folder of files."""
    text = (FILES / folder / "expected.json").read_text("utf-8")
    return json.loads(text, object_hook=known)


def known(figures):
    """Leave out a score of 0 at depth 0: no search made it.

    Files have it for a move whose search was stopped before depth 1.
    """
    if figures.get("depth") == 0 and not (figures.get("score") or "win_in" in figures):
        return {k: v for k, v in figures.items() if k not in ("score", "depth")}
    return figures


def copied(name, folder, new_name=None):
    """Copy a stored file or folder, so that no test writes to the original."""
    source = FILES / name
    target = folder / (new_name or source.name)
    if source.is_dir():
        return Path(shutil.copytree(source, target))
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, target))


def plain(value):
    """Return a value as JSON would store and read it."""
    return json.loads(json.dumps(value))


def run(*words):
    """Run a command. Return its exit status and its output."""
    from gomoku_brain.__main__ import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
    return status, out.getvalue()


def run_json(*words):
    """Run a command with ``--json``. Return its exit status and the row."""
    status, out = run(*words, "--json")
    return status, json.loads(out.strip().splitlines()[-1])


def run_lab(module, *words):
    """Run a program of the lab. Return its exit status and its output."""
    from importlib import import_module

    main = import_module(f"gomoku_brain.lab.{module}").main
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main([str(word) for word in words])
    return status, out.getvalue()


# Games of files


def names(moves):
    return [str(move) for move in moves]


def side(value):
    return value.name.lower()


FIGURES = ("seconds", "score", "win_in", "depth", "nodes", "by_opening", "comment")


def played_row(played):
    """Return a move with its figures; unknown ones are left out."""
    figures = {name: getattr(played, name) for name in FIGURES}
    stated = {
        name: value
        for name, value in figures.items()
        if value is not None and value is not False and value != ""
    }
    return {"move": str(played.move), **known(stated)}


def record_row(record):
    return {
        "rule": record.rule.name.lower(),
        "size": [record.width, record.height],
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "reason": record.reason,
        "detail": record.detail,
        "date": record.date,
        "id": record.id,
        "extra": dict(record.extra),
        "moves": [played_row(played) for played in record.moves],
    }


def games_of_file(path):
    """Return all games of a file, each with its main line."""
    import gomoku_brain

    return plain([game_row(game) for game in gomoku_brain.read_games(path)])


def game_row(game):
    """Return a game; stones at its start are its first moves, given by the opening."""
    black, white = game.black_stones, game.white_stones
    if not black:
        return record_row(game.record())
    stones = [
        *chain.from_iterable(zip(black, white, strict=False)),
        *black[len(white) :],
    ]
    game.set_up()
    row = record_row(game.record())
    row["moves"][:0] = [{"move": str(move), "by_opening": True} for move in stones]
    return row


def positions_of_file(path):
    """Return all positions of a file: set-up stones, and moves."""
    import gomoku_brain

    found = gomoku_brain.read_positions(str(path))
    return plain([start_row(game) | {"moves": names(game.moves)} for game in found])


def start_row(game):
    return {
        "rule": game.rule.name.lower(),
        "size": [game.width, game.height],
        "black": names(game.black_stones),
        "white": names(game.white_stones),
        "walls": names(game.walls),
        "first": side(game.first),
    }


def document_of_file(path):
    """Return the first game of a file as the board opens it: all lines and notes.

    The comments of game.sgf contain only our figures, which are compared by themselves.
    """
    from gomoku_brain.gui.archive.documents import read_file
    from gomoku_brain.gui.model.game_tree import GameTree

    game = read_file(path)[0]
    row, left_out = tree_row(GameTree(game)), game.left_out
    if path.name == "game.sgf":
        for position in row["positions"]:
            position.pop("comment", None)
    return plain({**row, "left out": left_out})


# Matches

ALLOW = "--allow-commands"


def match_file(name, folder):
    """Copy a file of match games to a folder and put the paths of this machine in."""
    for other in ("player.py", "openings.txt"):
        copied(f"match/{other}", folder)
    for each in ("engines.json", name):
        text = (FILES / "match" / each).read_bytes().decode()
        for word, path in ((PYTHON, Path(sys.executable)), (FOLDER, folder)):
            text = text.replace(word, path.as_posix())
        (folder / each).write_bytes(text.encode())
    return folder / name


def resumed_match(path):
    """Play the rest of a match. Return the exit status and its table."""
    words = ("match", "--resume", "--out", path)
    # Later versions do not run the commands of another user's file without it.
    if ALLOW in run("match", "--help")[1]:
        words += (ALLOW,)
    status, row = run_json(*words)
    return status, match_row(row)


def match_row(row):
    figures = ("games", "points")
    return {
        "games": row["games"],
        "of": row["of"],
        "finished": row["finished"],
        "table": {each["name"]: [each[f] for f in figures] for each in row["ranking"]},
    }


# The archive and the settings of the board


def tree_row(tree):
    """Return a game tree: start, names, current line and every position with notes."""
    return {
        "start": start_row(tree.game),
        "names": [tree.game.black, tree.game.white],
        "date": tree.game.date,
        "extra": {k: v for k, v in tree.game.extra.items() if k != "C"},  # the comment
        "current": names(tree.node.path_moves()),
        "main line": names(node.move for node in tree.line()),
        "positions": [node_row(tree, node) for node in tree.game.nodes()],
    }


NOTES = ("C", "V", "LB", "L", "TR", "CR", "SQ", "MA", "SL")
HEAD = (
    *("FF", "GM", "CA", "AP", "SZ", "RU", "PB", "PW", "DT", "RE", "GC", "EV"),
    *("AB", "AW", "PL"),  # of the start, which is compared by itself
)


def node_row(tree, node):
    """Return a position; the order of the rows is that of the variations."""
    path = " ".join(names(node.path_moves()))
    figures = {
        name: value
        for name, value in node.figures.values().items()
        if value is not None and value is not False
    }
    figures, ending = known(figures), tree.ending_at(node)
    verdict = tree.verdicts.get(node)
    row = {
        "path": path,
        "figures": figures,
        "comment": node.comment,
        "labels": {str(k): v for k, v in sorted(node.labels.items())},
        "marks": {str(k): v for k, v in sorted(node.marks.items())},
        "other properties": {
            name: list(values)
            for name, values in sorted(node.properties.items())
            if name not in NOTES and (path or name not in HEAD)
        },
        "black's chance": tree.chances.get(node),
        "ending": None if ending is None else list(ending),
        "verdict": None if verdict is None else verdict_row(verdict),
    }
    return {name: value for name, value in row.items() if value not in (None, "", {})}


def verdict_row(verdict):
    return {
        "label": verdict.label,
        "loss": verdict.loss,
        "line": names(verdict.line),
        "before": list(verdict.before),
        "after": list(verdict.after),
    }


def player_row(player):
    keys = ("kind", "name", "strength", "command", "folder", "infos")
    return {key: getattr(player, key) for key in keys}


def saved_row(saved):
    """Return a stored game with its players and its clock."""
    from gomoku_brain.game.rules import Side

    tree, config = saved.tree, saved.config
    control = config.control
    clock = {k: getattr(control, k) for k in ("turn", "match", "increment", "margin")}
    colours = (Side.BLACK, Side.WHITE)
    return {
        **tree_row(tree),
        "study": saved.free,
        "players": [player_row(config.black), player_row(config.white)],
        "clock": clock,
        "people lose on time": config.people_too,
        "fouls lose": config.foul_loses,
        "swap2": config.swap2,
        "threads": config.threads,
        "hash in MB": config.hash_mb,
        "seconds used": [tree.seconds(each) for each in colours],
        "moves made": [tree.moves_of(each) for each in colours],
    }


QUERIES = {
    "player": {"player": "MED"},
    "result": {"result": "1-0"},
    "rule": {"rule": "renju"},
    "since": {"since": "2026-11-22"},
    "until": {"until": "2026-11-01"},
}
EXPLORED = ("", "h8", "h8 h9", "h8 i8")  # the last two are one position, turned


@contextlib.contextmanager
def opened_archive(path):
    from gomoku_brain.gui.model.archive import Archive

    archive = Archive(path)
    try:
        yield archive
    finally:
        archive.close()


def copied_game(archive):
    """The number of the game whose copy is on the board."""
    return str(json.loads(archive.noted("draft"))["game"])


def archive_row(path):
    """Return the whole content of an archive."""
    from gomoku_brain.gui.model.archive import Query

    with opened_archive(path) as archive:
        rows = [list(row) for row in archive.games()]
        stored = archive_numbers(path)
        return plain(
            {
                "damaged": archive.set_aside is not None,
                "sound": archive.is_sound(),
                "list": rows,
                "found": {
                    name: [row.id for row in archive.games(Query(**words))]
                    for name, words in QUERIES.items()
                },
                "games": {str(n): saved_row(archive.load(n)) for n in stored},
                "explorer": {m: explored(archive, m) for m in EXPLORED},
                "on the board": archive.noted("open") or copied_game(archive),
                **results_row(archive),
            }
        )


def archive_numbers(path):
    """Return the numbers of all games, also of those that no list shows."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        return [number for (number,) in base.execute("SELECT id FROM games")]


def explored(archive, moves):
    from gomoku_brain.records.game import Game

    game = Game(moves=moves)
    return [
        {
            "moves": names(each.moves),
            "counts": [each.black, each.draws, each.white, each.unfinished],
        }
        for each in archive.continuations(game)
    ]


def results_row(archive):
    """Return rated games, storms and mistakes to learn from."""
    from gomoku_brain.gui.model import lessons, level_rating, repetition, storm

    history, unfinished = level_rating.history(archive), level_rating.open_game(archive)
    mistakes = {}
    for name, text in archive.noted_all("game:").items():
        lesson, state = (
            lessons.from_text(name, text),
            repetition.repetition_of(text),
        )
        mistakes[name] = {
            **start_row(lesson.game),
            "moves": names(lesson.game.moves),
            "answers": names(lesson.answers),
            "played": str(lesson.played),
            "before": list(lesson.before),
            "step": state.step,
            "due": state.due,
        }
    return {
        "rated games": [list(each) for each in history],
        "rating": level_rating.rating_of(history),
        "open rated game": unfinished and list(unfinished),
        "storms": [asdict(each) for each in storm.best_storms(archive)],
        "mistakes": mistakes,
    }


def store_again(path):
    """Load every game of an archive and write it again."""
    with opened_archive(path) as archive:
        kinds = {row.id: row.kind for row in archive.games()}
        for number in archive_numbers(path):
            saved = archive.load(number)
            with saved.tree.game.history.unrecorded():  # it counts as a change
                pass
            assert archive.store(saved, kinds.get(number, "game")) == number


def rebuilt(path):
    """Rescue all games of an archive, as after damage. Return their number."""
    with opened_archive(path) as archive:
        archive.rebuild()
        return archive.rescued


def next_rating(path, strength, score):
    """Store one more rated game. Return the rating after it."""
    from gomoku_brain.gui.model import level_rating

    with opened_archive(path) as archive:
        made = level_rating.store(archive, "2026-12-01T10:00:00", strength, score, 0)
        return made.rating


def solver_record(path):
    """Return the results of the person, which the start moves to the archive."""
    from gomoku_brain.gui.model.progress import StoredResults, import_results

    with opened_archive(path.with_name("games.db")) as archive:
        results = StoredResults(lambda: archive, lambda: results.store(archive))
        import_results(path, results)
        assert results.is_stored
        return results.record


def settings_row(path):
    """Return all settings and results by the names of the stored file."""
    from gomoku_brain.gui.model.settings import load

    progress = asdict(solver_record(path))
    solved, held_out = progress.pop("levels"), progress.pop("held_out")
    results = {"progress": progress, "solved": solved, "held_out": held_out}
    return plain(asdict(load(path)) | results)


def write_settings_again(path):
    from gomoku_brain.gui.model.settings import load

    settings = load(path)
    settings.save()
    assert not settings.trouble


def progress_row(path):
    """Return results that follow from these: streaks and the next puzzle."""
    from gomoku_brain.gui.model.lessons import next_of_set
    from gomoku_brain.gui.model.settings import load
    from gomoku_brain.study.puzzles import exercises

    progress = solver_record(path)
    shown = next_of_set(exercises(), progress, None)
    return {
        "streak of days": progress.day_streak(max(progress.days)),
        "puzzle shown again": shown.name,
        "rating after a solved puzzle of 1200": progress.after(1200, True).rating,
        "programs": [player_row(each.player_config) for each in load(path).programs],
    }


def started_window(qt, folder):
    """Start the board with a folder of settings and games."""
    from gomoku_brain.gui.window.app import App

    app = App(qt, folder)
    app.start()
    return app


def window_row(app):
    """Return the game that the window shows after its start."""
    play = app.window.play
    colours = sorted(play.slots)
    tree = tree_row(play.tree)
    del tree["names"]  # the window has its own name of a level, in its language
    return plain(
        {
            **tree,
            "players": [player_row(play.slots[one]) for one in colours],
            "paused": play.paused,
            "study": play.free,
            "to move": side(play.tree.turn),
            "seconds left": [play.left(one) for one in colours],
            "number": app.autosave.archive.number_of(play.tree),
        }
    )


def open_in_window(app, number):
    """Open a game of the archive in the window, and return what it shows."""
    app.window.games.restore(app.autosave.archive.load(number))
    return window_row(app)


# Proofs

PUZZLE = ("h8", "h9", "i9", "h10")
LOOKED_UP = (PUZZLE, (*PUZZLE, "j10", "k11"), ("a1",))


def prove_on(state, *words):
    """Continue a proof in its state file. Return the exit status and the result.

    The counts depend on the solver, if it examines further positions.
    """
    search = ("prove", *PUZZLE, "--workers", 1, "--state", state)
    status, row = run_json(*search, *words)
    keys = ("rule", "width", "height", "winner", "result", "proved", "leaves", "open")
    return status, {key: row[key] for key in keys}


def checked(proof, journal, *words):
    """Check a proof with its journal. Return the exit status and the findings."""
    files = ("--check", proof, "--journal", journal)
    status, row = run_json("prove", *files, "--workers", 1, *words)
    return status, {k: v for k, v in row.items() if k not in ("type", "file")}


def is_of_this_checker(journal):
    """Return whether a journal of a check counts for the checker of today."""
    from gomoku_brain.prove import full_check

    return full_check._checker_digest() in journal.read_text().partition("\n")[0]


def looked_up(proof):
    """Return what a proof or book contains for some positions."""
    found = {}
    for moves in LOOKED_UP:
        status, row = run_json("prove", "--show", proof, *moves)
        keys = ("winner", "checked", "kind", "move", "plies", "replies")
        found[" ".join(moves)] = [status, {key: row[key] for key in keys}]
    return plain(found)


# The lab

SELFPLAY = ("--sizes", "9,15", "--nodes", 60, "--seed", 5)
EVALUATED = ("--searched", 400, "--every", 40, "--nodes", 50)
DUEL = ("--nodes", 60, "--pairs", 2)
SPSA = (
    "--nodes",
    150,
    "--iterations",
    8,
    "--seed",
    3,
    "--params",
    "razor_depth,late_delay",
)
LEVELS = ("--games", 2, "--nodes", 50, "--only", "casual", "novice")
OPENINGS = ("--count", 3, "--nodes", 500, "--even", 0)
EXPERIMENT = ("--quick", "--levels", "6", "--games", 2, "--depth", 1)
TABLES = ("nodes", "time", "needs", "games")
EVALUATED_POSITIONS = ("", "h8 i9 h9", "h8 i9 h9 h7 j10 g8 h10 h11")


def engine_is_of_the_files():
    """Return whether the search is the one that made the files of the lab.

    A search with another signature must refuse to continue them.
    """
    from tests.test_bench import SIGNATURE

    return expected("lab")["signature"] == SIGNATURE


def selfplay_rows(path):
    """Return the games of a file of self-play in the order of their numbers."""
    from gomoku_brain.game.rules import Rule
    from gomoku_brain.lab.train.samples import game_lines, game_of

    lines = game_lines(path, Rule.FREESTYLE, None)
    return plain([_game_row(game_of(line)) for line in lines])


def _game_row(game):
    number, size, result, moves, scores = game
    scores = [str(score) for score in scores]
    return [number, size, result, " ".join(names(moves)), scores]


def evaluated_lines(path):
    """Return the lines of a file of evaluated positions, without a number twice."""
    from gomoku_brain.lab.train.numbered import checksum, numbered_lines

    lines = numbered_lines(path)
    return [checksum(lines), [line.split() for line in lines]]


def samples_row(folder):
    """Return the arrays of a folder of samples: lengths, sums and results."""
    from gomoku_brain.game.rules import Rule
    from gomoku_brain.lab.train.samples import open_samples

    samples = open_samples(folder, Rule.FREESTYLE)
    arrays = ("score", "ply", "kinds", "counts", "cells", "search_score", "outcome")
    return {
        "positions": len(samples),
        "side": samples.side.tolist(),
        "result": samples.result.tolist(),
        "scores": samples.score.tolist(),
        **{f"sum of {k}": int(getattr(samples, k).sum(dtype="i8")) for k in arrays},
    }


def weights_row(path):
    """Return kind, checksum and shapes of weights, and values of fixed positions."""
    import zlib

    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.eval.evaluate import evaluation_from
    from gomoku_brain.eval.weights import unpack_weights
    from gomoku_brain.game.position import Board
    from gomoku_brain.search.tt import TranspositionTable
    from gomoku_brain.search.worker import Worker

    weights = unpack_weights(path.read_bytes())
    worker = Worker(TranspositionTable(0.1), 0)
    worker.set_evaluation(evaluation_from(weights))
    values = {}
    for moves in EVALUATED_POSITIONS:
        worker.set_position(Board.from_moves(moves), SearchControl())
        values[moves] = worker.evaluate()
    return plain(
        {
            "kind": weights.kind,
            "rule": weights.rule,
            "parts": {name: part.shape for name, part in weights.parts.items()},
            "crc32": {n: zlib.crc32(part.numbers) for n, part in weights.parts.items()},
            "values": values,
        }
    )


def levels_resumed(path):
    """Resume games between levels. Return the exit status and the results."""
    words = ("--out", path, "--resume", *LEVELS)
    status, row = run_json("levels", "calibrate", *words)
    keys = ("level", "over", "games", "wins", "draws", "losses")
    return status, [{key: step[key] for key in keys} for step in row["steps"]]


def selfplay_resumed(path):
    return run_lab("train.selfplay", path, "--games", 6, *SELFPLAY)


def evaluated_resumed(path, games):
    return run_lab("train.evaluated", path, games, *EVALUATED)


def duel_resumed(path):
    return run_lab("tune.duel", path, *DUEL)


def duel_result(path):
    """Return the result of a file of pairs."""
    from gomoku_brain.lab.train.numbered import numbered_lines
    from gomoku_brain.lab.tune.duel import result_of

    return result_of(numbered_lines(path)).split(", ")[:2]


def spsa_resumed(path):
    """Finish a run that tunes constants. Return the exit status, output and state."""
    return *run_lab("tune.spsa", path, *SPSA), json.loads(path.read_text())


def openings_resumed(path):
    """Finish a list of openings. ``path`` is the list, beside its part."""
    status, row = run_json("openings", "generate", "--out", path, *OPENINGS)
    return status, [row["openings"], row["tried"], path.read_text()]


def openings_row(path):
    """Return the openings of a list as moves."""
    from gomoku_brain.records.openings import read_openings

    return [names(opening.moves) for opening in read_openings(path, 15, "auto")]


def experiment_tables(folder, monkeypatch):
    """Continue an experiment without new measurements. Return its tables."""
    from gomoku_brain.commands import experiment
    from gomoku_brain.plain import studies
    from gomoku_brain.plain.tables import Measurements, tables_of

    path = folder / "results.jsonl"
    first = json.loads(path.read_text().partition("\n")[0])
    # The key of a measurement contains the number of nodes of its engine.
    monkeypatch.setattr(studies, "engine_nodes", lambda: first["key"]["engine"])
    words = [str(word) for word in EXPERIMENT]
    plan = experiment.plan_of(experiment.make_parser().parse_args(words))
    with studies.Results(path) as found:
        monkeypatch.setattr(studies.Results, "add", None)  # an error if it is called
        assert experiment.run_studies(plan, found)
        tables = tables_of(Measurements(plan, found))
    cells = {name: [row[1:] for row in tables[name]["rows"]] for name in TABLES}
    cells["games"] = [row[:2] for row in cells["games"]]  # games, won-drawn-lost
    return plain(cells)
