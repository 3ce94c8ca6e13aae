"""Files of users, made by commit 3458101: they open, resume and mean the same.

``opening`` reads them, and the files ``expected.json`` contain the values that its code
of that commit returned. When a change of the code breaks a test here, translate the
stored form on reading and correct ``opening``. Never change a stored file or an
expected value. README.md beside this file lists what is compared.
"""

import json
from itertools import chain

import pytest

from tests.stored import opening
from tests.stored.opening import FILES, copied, expected

MATCH, BOARD, PROVE, LAB = map(expected, ("match", "board", "prove", "lab"))


@pytest.fixture(autouse=True, scope="module")
def stored_files_stay_unchanged():
    before = contents()
    yield
    assert contents() == before


def contents():
    paths = (path for path in FILES.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in paths if "__pycache__" not in str(path)}


# Matches


@pytest.mark.parametrize("name", ["round_robin", "gauntlet", "swap2"])
def test_a_half_played_match_is_resumed_to_its_end(tmp_path, name):
    path = opening.match_file(f"{name}.jsonl", tmp_path)
    there = MATCH[f"{name} there"]
    assert opening.games_of_file(path) == there
    # The incomplete last line of a killed run is no game.
    whole = b"".join(
        line for line in path.read_bytes().splitlines(True) if line[-1:] == b"\n"
    )
    status, row = opening.resumed_match(path)
    wanted_status, wanted = MATCH[f"{name} resumed"]
    if name == "swap2":  # another engine may play these games with other results
        row, wanted = ({**each, "table": None} for each in (row, wanted))
    assert (status, row) == (wanted_status, wanted)
    assert path.read_bytes().startswith(whole)
    games = opening.games_of_file(path)
    assert games[: len(there)] == there
    ids = [game["id"] for game in games]
    assert len(ids) == len(set(ids)) == MATCH[f"{name} resumed"][1]["games"]


def test_a_finished_match_is_shown_again_without_a_game(tmp_path):
    path = opening.match_file("round_robin.jsonl", tmp_path)
    table = opening.resumed_match(path)
    played = path.read_bytes()
    assert opening.resumed_match(path) == table
    assert path.read_bytes() == played


@pytest.mark.parametrize("name", ["game.psq", "games.sgf"])
def test_games_that_match_wrote_have_their_moves_figures_and_results(tmp_path, name):
    assert opening.games_of_file(copied(f"match/{name}", tmp_path)) == MATCH[name]


def test_a_resumed_match_writes_its_other_files_again(tmp_path):
    path = opening.match_file("gauntlet.jsonl", tmp_path)
    opening.resumed_match(path)
    games = opening.games_of_file(path)
    sgf = opening.games_of_file(tmp_path / "games.sgf")
    assert [[m["move"] for m in game["moves"]] for game in sgf] == [
        [m["move"] for m in game["moves"]] for game in games
    ]
    assert {path.stem for path in (tmp_path / "psq").iterdir()} == {
        game["id"] for game in games
    }
    assert "<html" in (tmp_path / "games.html").read_text("utf-8")
    # The games before the stop, in the run that was not stopped and in this one.
    old = (FILES / "match" / "samples.jsonl").read_text().splitlines()
    new = (tmp_path / "samples.jsonl").read_text().splitlines()
    assert [len(old), json.loads(old[0])] == MATCH["samples"]
    # Positions without a finished search need not be samples.
    there, again = (
        [
            row
            for row in map(json.loads, lines)
            if row["game"] == "1-2.1a" and row.get("depth")
        ]
        for lines in (old, new)
    )
    assert again == there


# The board


@pytest.fixture
def archive(tmp_path):
    return copied("board/games.sqlite", tmp_path, "games.db")


def test_the_archive_has_all_games_and_results(archive):
    assert_same(opening.archive_row(archive), BOARD["archive"])


def test_games_stored_again_remain_the_same(archive):
    opening.store_again(archive)
    assert_same(opening.archive_row(archive), BOARD["archive"])


def test_a_rebuilt_archive_has_all_games_and_results(archive):
    assert opening.rebuilt(archive) == len(BOARD["archive"]["games"])
    assert_same(opening.archive_row(archive), BOARD["archive"])


def test_the_rating_goes_on_from_the_stored_games(archive):
    assert opening.next_rating(archive, 44, 1.0) == BOARD["next rating"]


def test_the_settings_and_the_progress_are_read(tmp_path):
    path = copied("board/settings.json", tmp_path)
    assert opening.settings_row(path) == BOARD["settings"]
    assert opening.progress_row(path) == BOARD["progress"]
    opening.write_settings_again(path)
    assert opening.settings_row(path) == BOARD["settings"]


@pytest.mark.parametrize(
    "name", ["game.sgf", "game.psq", "judged.sgf", "judged.psq", "all.sgf"]
)
def test_games_that_the_board_wrote_are_read(tmp_path, name):
    assert opening.games_of_file(copied(f"board/{name}", tmp_path)) == BOARD[name]


@pytest.mark.parametrize("name", ["set_up.json", "puzzle.sgf", "study.sgf"])
def test_positions_that_the_board_wrote_are_read(tmp_path, name):
    assert opening.positions_of_file(copied(f"board/{name}", tmp_path)) == BOARD[name]


@pytest.mark.parametrize("name", ["study.sgf", "game.sgf", "judged.sgf"])
def test_files_open_on_the_board_with_all_lines_and_notes(tmp_path, name):
    pytest.importorskip("PySide6")
    row = opening.document_of_file(copied(f"board/{name}", tmp_path))
    assert_same(row, BOARD[f"{name} opened"])


def assert_same(found, wanted, place=""):
    """Compare nested values and name the first place where they differ."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in dict.fromkeys(chain(wanted, found)):
            assert key in found, f"{place}: {key!r} is missing"
            assert key in wanted, f"{place}: {key!r} is new: {found[key]!r}"
            assert_same(found[key], wanted[key], f"{place} {key}")
    elif isinstance(wanted, list) and isinstance(found, list):
        assert len(found) == len(wanted), place
        for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
            assert_same(one, other, f"{place} {number}")
    else:
        assert found == wanted, place


# Proofs


def test_a_proof_is_finished_from_its_state(tmp_path):
    state = copied("prove/state.sqlite", tmp_path)
    assert [*opening.prove_on(state, "--time", 0)] == PROVE["stopped"]
    status, row = opening.prove_on(state)
    assert [status, row["result"]] == [0, "proved"]


def test_a_snapshot_of_a_proof_is_loaded(tmp_path):
    snapshot = copied("prove/small.snapshot", tmp_path)
    found = opening.prove_on(tmp_path / "new", "--load", snapshot, "--time", 0)
    assert [*found] == PROVE["snapshot"]


def test_a_proof_is_checked_from_its_journal_and_shown(tmp_path):
    proof = copied("prove/small.proof", tmp_path)
    journal = copied("prove/small.journal", tmp_path)
    if not opening.is_of_this_checker(journal):
        # By design a journal counts only for the checker that wrote it.
        assert opening.checked(proof, journal)[0] != 0
        journal.unlink()
    book = tmp_path / "book"
    assert [*opening.checked(proof, journal, "--book", book)] == PROVE["check"]
    assert opening.looked_up(proof) == PROVE["proof shown"]
    assert opening.looked_up(book) == PROVE["book shown"]


# The lab


@pytest.fixture
def lab(tmp_path):
    for path in (FILES / "lab").iterdir():
        copied(f"lab/{path.name}", tmp_path)
    return tmp_path


needs_the_engine = pytest.mark.skipif(
    not opening.engine_is_of_the_files(),
    reason="by design another search does not continue these files",
)


def test_self_play_and_its_positions_are_read(lab):
    assert opening.selfplay_rows(lab / "selfplay.txt") == LAB["selfplay"]
    assert opening.evaluated_lines(lab / "evaluated.txt") == LAB["evaluated"]
    assert opening.duel_result(lab / "duel.txt") == LAB["duel"]


def test_self_play_with_scores_that_no_search_made_is_not_continued(lab):
    """Their searches of a few nodes reported 0 where they finished no iteration."""
    part = lab / "selfplay_part.txt"
    before = part.read_bytes()
    assert opening.selfplay_resumed(part)[0] == 2
    evaluated = lab / "evaluated.txt"
    assert opening.evaluated_resumed(evaluated, lab / "selfplay.txt")[0] == 2
    assert part.read_bytes() == before


@needs_the_engine
def test_complete_files_of_lines_are_accepted_without_a_change(lab):
    path = lab / "duel.txt"
    before = path.read_bytes()
    assert opening.duel_resumed(path)[0] == 0
    assert path.read_bytes() == before


@needs_the_engine
def test_a_tuning_run_is_resumed(lab):
    assert [*opening.spsa_resumed(lab / "spsa.json")] == LAB["spsa"]


@needs_the_engine
def test_a_list_of_openings_is_finished(lab):
    assert [*opening.openings_resumed(lab / "openings.txt")] == LAB["openings resumed"]


def test_a_list_of_openings_is_read(lab):
    assert opening.openings_row(lab / "list.txt") == LAB["list"]


def test_games_between_levels_are_counted_again(lab):
    path = lab / "levels.jsonl"
    before = path.read_bytes()
    assert [*opening.levels_resumed(path)] == LAB["levels"]
    assert path.read_bytes() == before


def test_weights_have_their_numbers_and_values(lab):
    assert opening.weights_row(lab / "linear.weights") == LAB["weights"]


def test_samples_have_their_arrays(lab):
    assert opening.samples_row(lab / "samples") == LAB["samples"]


def test_an_experiment_measures_nothing_again(lab, monkeypatch):
    before = (lab / "experiment" / "results.jsonl").read_bytes()
    tables = opening.experiment_tables(lab / "experiment", monkeypatch)
    assert tables == LAB["experiment"]
    assert (lab / "experiment" / "results.jsonl").read_bytes() == before
