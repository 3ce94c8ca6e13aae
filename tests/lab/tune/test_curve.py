"""Matches at several limits, as a table and a picture."""

import json
from fractions import Fraction
from itertools import count

import pytest

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.tune.curve import draw, lines_of, main, table
from gomoku_brain.match.tournament import GameFile, MatchPlayer, MatchSettings
from gomoku_brain.records.game_record import GameRecord, PlayedMove

RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


@pytest.fixture
def played(tmp_path):
    """A function that writes a match; its results are those of "new", black and white.

    No game equals one of another file.
    """
    numbers = count()

    def write(name, mine, other, results, opponent="rival", rule=Rule.FREESTYLE):
        players = [
            MatchPlayer(EngineSpec(who, ("brain",)), PlayerLimits(**limits))
            for who, limits in (("new", mine), (opponent, other))
        ]
        path = tmp_path / name
        with GameFile(path, MatchSettings(tuple(players), rule)) as file:
            file.start()
            for k, points in enumerate(results):
                number = next(numbers)
                moves = [Move(number % 15, number // 15), Move(14, 14)]
                names = ("new", opponent) if k % 2 == 0 else (opponent, "new")
                file.append(
                    GameRecord(
                        rule,
                        15,
                        15,
                        *names,
                        moves=tuple(PlayedMove(move) for move in moves),
                        result=RESULTS[points if k % 2 == 0 else 1 - points],
                        reason="five",
                        id=f"1-2.{k // 2 + 1}{'ab'[k % 2]}",
                    )
                )
        return path

    return write


@pytest.fixture
def files(played):
    tenth, two = {"turn": 0.1}, {"turn": 2}
    return [
        played("a", tenth, tenth, [1, 1, 1, 0, 0.5, 0]),
        played("b", tenth, tenth, [1, 0.5]),
        played("c", two, two, [1, 0, 0, 0]),
        played(
            "d", {"turn": 9, "nodes": 8000000}, {"nodes": 4000000}, [1, 0.5], "half"
        ),
    ]


def test_files_of_one_limit_are_counted_together(files):
    half, rival = lines_of("new", files)
    assert half.meeting == ("half", "freestyle", 15, "nodes", Fraction(1, 2))
    assert list(half.points) == [8_000_000]
    assert rival.meeting == ("rival", "freestyle", 15, "turn", 1)
    assert sorted(rival.points) == [0.1, 2]
    games = rival.points[0.1]
    assert (games.score.wins, games.score.draws, games.score.losses) == (4, 2, 2)
    assert games.pairs.counts == (0, 1, 1, 1, 1)


def test_rules_are_kept_apart(played):
    second = {"turn": 1}
    paths = [
        played("a", second, second, [1, 1]),
        played("b", second, second, [0, 0], rule=Rule.RENJU),
    ]
    lines = lines_of("new", paths)
    assert [line.meeting.rule for line in lines] == ["freestyle", "renju"]
    assert [line.points[1].score.score for line in lines] == [1, 0]


def test_a_file_that_is_named_twice_counts_once(files):
    (line,) = lines_of("new", [files[0], files[0]])
    games = line.points[0.1]
    assert (games.score.games, games.copies, games.pairs.pairs) == (6, 6, 3)


def test_what_a_killed_run_left_of_its_last_game_is_no_game(files):
    with files[0].open("a") as file:
        file.write('{"rule": "freest')
    (line,) = lines_of("new", files[:1])
    assert line.points[0.1].score.games == 6


def test_the_table_has_a_row_for_each_limit(files):
    rows = table(lines_of("new", files)).splitlines()
    assert len(rows) == 5
    assert rows[2].startswith(
        "| against half, freestyle 15x15, with 1/2 times the nodes"
        " | 8,000,000 nodes a move | 2 | 1, 1, 0 | 75.0 % |"
    )
    assert rows[2].endswith("| 0, 1, 0, 0, 0 |")
    assert rows[4].startswith(
        "| against rival, freestyle 15x15 | 2 seconds a move | 4 | 1, 0, 3 | 25.0 % |"
    )


def test_the_program_draws_and_prints(files, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "elo.png"
    names = [str(path) for path in files]
    assert main(["new", *names, "--picture", str(picture)]) == 0
    assert capsys.readouterr().out.count("\n") == 5
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_games_that_were_all_won_have_no_place_in_the_picture(played, tmp_path):
    pytest.importorskip("matplotlib")
    second = {"turn": 1}
    picture = tmp_path / "elo.png"
    draw(picture, lines_of("new", [played("a", second, second, [1, 1])]))
    assert picture.exists()


@pytest.mark.parametrize(
    ("mine", "other", "error"),
    [
        ({"match": 60}, {"match": 60}, "without a time or nodes a move for both"),
        ({"turn": 1, "nodes": 9}, {"turn": 1}, "limits of more than one kind"),
        ({"turn": 1, "match": 9}, {"turn": 1}, "limits of more than one kind"),
        ({"turn": 1}, {"turn": 1, "depth": 4}, "limits of more than one kind"),
    ],
)
def test_limits_that_make_no_line_are_refused(played, mine, other, error):
    with pytest.raises(ValueError, match=error):
        lines_of("new", [played("a", mine, other, [1, 0])])


def test_a_wrong_match_is_reported_in_one_line(files, played, tmp_path, capsys):
    def error(*words):
        assert main([str(word) for word in words]) == 2
        return capsys.readouterr().err

    assert "not a match of other and one other" in error("other", files[0])
    assert "nothing" in error("new", tmp_path / "nothing")
    assert "would be written over" in error("new", files[0], "--picture", files[0])
    assert "no finished game" in error("new", played("e", {"turn": 1}, {"turn": 1}, []))
    header = json.loads(files[0].read_text().splitlines()[0])
    for settings in ({}, {"engines": [1]}, {"engines": None}):
        files[0].write_text(json.dumps({**header, "settings": settings}) + "\n")
        assert "damaged settings" in error("new", files[0])
