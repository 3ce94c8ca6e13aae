import json
import sys
import threading
from collections import Counter
from itertools import islice

import pytest

from gomoku_brain.client.brain import OURS, BrainFault, EngineSpec, program
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.stats import Sprt
from gomoku_brain.match.tournament import (
    Encounter,
    GameFile,
    Match,
    MatchPlayer,
    MatchSettings,
    header_of,
    run,
    schedule,
    try_engine,
)
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.openings import Opening


def player(name, **limits):
    return MatchPlayer(
        EngineSpec(name, (name,)), PlayerLimits(**limits or {"nodes": 10})
    )


def opening(number):
    return Opening((Move(number, 0), Move(number, 1)), f"book:{number + 1}")


def settings_of(names="ab", openings=4, **others):
    return MatchSettings(
        tuple(player(name) for name in names),
        openings=tuple(opening(number) for number in range(openings)),
        **others,
    )


def fake_play(task, stop):
    """Black wins; the game is one that no other task has."""
    number = int(task.id.partition(".")[2][:-1])
    moves = task.opening.moves if task.opening else (Move(0, number),)
    return record_of(task, "1-0", moves)


def record_of(task, result, moves=(), reason="five"):
    return GameRecord(
        task.rule,
        task.size,
        task.size,
        task.black.name,
        task.white.name,
        tuple(PlayedMove(move) for move in moves),
        result,
        reason,
        id=task.id,
    )


def play_all(path, settings, pairs=4, play=fake_play, **options):
    with GameFile(path, settings) as games:
        match = Match(settings, games, pairs, options.pop("sprt", None))
        games.start()
        match.run(play, **options)
    return match


# The schedule


def test_every_pairing_plays_every_opening_with_both_colours():
    tasks = list(schedule(settings_of("abc"), 4))
    seen = Counter((t.black.name, t.white.name, t.opening.name) for t in tasks)
    meetings = [x + y for x in "abc" for y in "abc" if x != y]
    names = [f"book:{n}" for n in (1, 2, 3, 4)]
    assert seen == Counter((x, y, name) for x, y in meetings for name in names)
    assert len({task.id for task in tasks}) == len(tasks) == 24


def test_the_first_of_a_gauntlet_meets_all_others_who_do_not_meet():
    tasks = schedule(settings_of("abc", gauntlet=True), 1)
    assert [t.black.name + t.white.name for t in tasks] == ["ab", "ba", "ac", "ca"]


def test_a_longer_schedule_begins_with_the_shorter():
    settings = settings_of("abc")
    longer = schedule(settings, 4)
    assert list(islice(longer, 12)) == list(schedule(settings, 2))


def test_openings_are_used_again_only_on_request(tmp_path):
    with pytest.raises(ValueError, match="4 openings are too few for 5 pairs"):
        play_all(tmp_path / "g", settings_of(), pairs=5)
    again = settings_of(repeat_openings=True)
    assert [t.opening.name for t in schedule(again, 5)][-1] == "book:1"
    with pytest.raises(ValueError, match="too few"):
        play_all(tmp_path / "g", settings_of(openings=0), pairs=2)
    play_all(tmp_path / "g", settings_of(openings=0, swap2=True), pairs=2)


def test_settings_that_cannot_be_played_are_refused():
    with pytest.raises(ValueError, match="two engines"):
        settings_of("a")
    with pytest.raises(ValueError, match="named 'a'"):
        settings_of("aa")
    with pytest.raises(ValueError, match="swap2"):
        settings_of(swap2=True)


def test_ours_runs_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try_engine(EngineSpec("x", ("ours",)), 15)
    other = EngineSpec("x", ("./ours",))
    assert program(other) is other


@pytest.mark.parametrize(("system", "suffix"), [("win32", ".exe"), ("linux", "")])
def test_without_python_ours_is_the_brain_beside_the_board(
    system, suffix, tmp_path, monkeypatch
):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / f"gomoku-board{suffix}"))
    found = program(EngineSpec("Ours", (OURS,)))
    assert found.command == (str(tmp_path / f"pbrain-gomoku-brain{suffix}"),)
    assert found.cwd is None  # the folder of the program


def test_an_engine_that_cannot_start_is_reported_before_any_game(tmp_path):
    with pytest.raises(BrainFault, match="cannot run"):
        try_engine(EngineSpec("x", (str(tmp_path / "nothing"),)), 15)


# The file


def test_a_run_that_was_cut_anywhere_goes_on_without_loss_or_repetition(tmp_path):
    settings = settings_of(openings=3)
    whole = tmp_path / "whole"
    play_all(whole, settings, pairs=3)
    data = whole.read_bytes()
    wanted = sorted(task.id for task in schedule(settings, 3))
    path = tmp_path / "cut"
    ends = [n + 1 for n, byte in enumerate(data) if byte == ord("\n")]
    near = {end + step for end in ends for step in (-2, -1, 0, 1, 9)}
    for length in sorted({0, 1, 100, *near} & set(range(len(data) + 1))):
        path.write_bytes(data[:length])
        with GameFile(path, settings) as games:
            kept = len(games.records)
        assert kept == max(0, data[:length].count(b"\n") - 1)
        played = []
        match = play_all(path, settings, pairs=3, on_game=played.append)
        assert len(played) == 6 - kept
        assert sorted(r.id for r in match.games.records) == wanted
        assert path.read_bytes().splitlines()[0] == data.splitlines()[0]
        with GameFile(path, settings) as games:
            assert sorted(r.id for r in games.records) == wanted


def test_a_run_can_be_made_longer(tmp_path):
    play_all(tmp_path / "g", settings_of(), pairs=1)
    match = play_all(tmp_path / "g", settings_of(), pairs=4)
    assert len(match.games.records) == 8
    assert match.standings.encounters[0].pairs.pairs == 4


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"size": 20}, "size 15, now 20"),
        ({"rule": Rule.RENJU}, 'rule "freestyle", now "renju"'),
        ({"openings": 3}, "openings 4, now 3"),
        ({"draw_after": 100}, "draw_after null, now 100"),
        ({"names": "ac"}, "engines a, b, now a, c"),
    ],
)
def test_a_file_of_other_settings_is_refused_with_the_difference(
    tmp_path, other, expected
):
    play_all(tmp_path / "g", settings_of())
    before = (tmp_path / "g").read_bytes()
    with pytest.raises(ValueError, match="other settings") as error:
        play_all(tmp_path / "g", settings_of(**other))
    assert expected in str(error.value)
    assert (tmp_path / "g").read_bytes() == before


def test_another_order_of_the_openings_is_another_run(tmp_path):
    settings = settings_of()
    play_all(tmp_path / "g", settings)
    turned = MatchSettings(settings.players, openings=settings.openings[::-1])
    with pytest.raises(ValueError, match="openings_sha256"):
        play_all(tmp_path / "g", turned)


@pytest.mark.parametrize(
    "data", [b"hello", b"hello\n", b'{"rule": "renju"}\n', b"[1]\n", b'{"match": 2}\n']
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, data):
    path = tmp_path / "g"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="not a file of match games"):
        play_all(path, settings_of())
    with pytest.raises(ValueError, match="not a file of match games"):
        header_of(path)
    assert path.read_bytes() == data


def test_a_damaged_line_and_a_repeated_game_are_named(tmp_path):
    path = tmp_path / "g"
    play_all(path, settings_of())
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[3][40:], *lines[4:]]))
    with pytest.raises(ValueError, match="g, line 4: "):
        GameFile(path, settings_of())
    path.write_bytes(b"".join([*lines[:3], lines[1]]))
    with pytest.raises(ValueError, match=r"g, line 4: game 1-2\.1a again"):
        GameFile(path, settings_of())


def test_the_first_line_has_settings_their_hash_and_more(tmp_path):
    with GameFile(tmp_path / "g", settings_of(), version="7") as games:
        games.start()
    header = header_of(tmp_path / "g")
    assert header["version"] == "7"
    assert len(header["hash"]) == 16
    assert header["settings"]["engines"][1]["time"]["nodes"] == 10
    assert json.loads((tmp_path / "g").read_bytes()) == header


def test_two_runs_on_one_file_spoil_nothing(tmp_path):
    path, settings = tmp_path / "games.jsonl", settings_of()
    first, second, third, *_ = schedule(settings, 2)
    with GameFile(path, settings) as one:
        one.start()
        one.append(record_of(first, "1-0"))
        with GameFile(path, settings) as late:
            one.append(record_of(second, "1-0"))  # between its reading and its start
            with pytest.raises(OSError, match="another run"):
                late.start()
        with GameFile(path, settings) as other:
            other.start()
            other.append(record_of(third, "0-1"))
        with pytest.raises(OSError, match="another run"):
            one.append(record_of(third, "1-0"))
    kept = GameFile(path, settings).records
    assert [record.id for record in kept] == [first.id, second.id, third.id]


def test_reading_writes_nothing(tmp_path):
    with GameFile(tmp_path / "deep" / "g", settings_of()) as games:
        assert games.records == []
    assert list(tmp_path.iterdir()) == []


# Results


def encounter_of(*results, moves=None):
    """From results of the first player, two to a pair: "w", "d", "l"."""
    encounter = Encounter("a", "b")
    for number, result in enumerate(results):
        task = list(schedule(settings_of(openings=99), number // 2 + 1))[number]
        black = task.black.name == "a"
        text = {"d": "1/2-1/2", "w": "1-0" if black else "0-1"}.get(
            result, "0-1" if black else "1-0"
        )
        cells = moves[number] if moves else task.opening.moves
        encounter.add(record_of(task, text, cells))
    return encounter


def test_pairs_are_counted_from_the_side_of_the_first():
    encounter = encounter_of(*"ww", *"wl", *"dd", *"dl", *"wd", *"ll", *"w")
    assert encounter.pairs.counts == (1, 1, 2, 1, 1)
    assert encounter.pairs.split == 1
    assert (encounter.score.wins, encounter.score.draws, encounter.score.losses) == (
        5,
        4,
        4,
    )
    assert encounter.tally is encounter.pairs
    row = encounter.to_dict()
    assert row["games"] == 13
    assert row["points"] == 7
    assert row["pairs_won"] == row["pairs_lost"] == 1


def test_before_the_first_pair_the_games_are_the_estimate():
    encounter = encounter_of("w")
    assert encounter.tally is encounter.score
    json.dumps(encounter.to_dict(), allow_nan=False)
    json.dumps(Encounter("a", "b").to_dict(), allow_nan=False)


def test_a_copy_is_reported_and_neither_it_nor_its_pair_counts():
    same, other = [Move(1, 1)], [Move(2, 2)]
    games = [same, same, other, other, same, [Move(3, 3)]]
    encounter = encounter_of(*"wl" * 3, moves=games)
    assert encounter.copies == 1  # the fifth game; the second has other colours
    assert encounter.pairs.pairs == 2
    assert encounter.score.games == 5


def test_a_game_that_a_fault_ended_is_no_copy():
    """Two engines may fail before the same move, in turns, or again and again."""
    encounter = Encounter("a", "b")
    for number, loser in enumerate("abab"):
        record = GameRecord(
            Rule.FREESTYLE,
            15,
            15,
            black="a",
            white="b",
            result="0-1" if loser == "a" else "1-0",
            reason="crash" if number else "time",
            id=f"1-2.{number // 2}{'ab'[number % 2]}",
        )
        encounter.add(record)
    assert encounter.copies == 0
    assert (encounter.score.wins, encounter.score.losses) == (2, 2)
    assert encounter.pairs.pairs == 2


@pytest.mark.parametrize("name", ["../1-2.1a", "/x/1-2.1a", "1-2.1a\n", "x", ""])
def test_a_name_of_a_game_is_no_path(tmp_path, name):
    """``match --psq FOLDER`` names files after the games of a file."""
    settings = settings_of()
    match = play_all(tmp_path / "g", settings, 1)
    text = (tmp_path / "g").read_text()
    first = json.dumps(match.games.records[0].id)
    (tmp_path / "g").write_text(text.replace(first, json.dumps(name), 1))
    with pytest.raises(ValueError, match="none of this match"):
        play_all(tmp_path / "g", settings, 1)


def test_a_run_made_shorter_still_plays_what_it_lacks(tmp_path):
    """With several at once, the games played are not the first of the schedule."""
    settings = settings_of(openings=8)

    def win(task, stop):
        number = int(task.id.partition(".")[2][:-1])
        return record_of(task, "1-0", [Move(number, 1)])

    whole = play_all(tmp_path / "g", settings, 6, win)
    lost = whole.games.records[3].id
    lines = (tmp_path / "g").read_text().splitlines(keepends=True)
    (tmp_path / "g").write_text("".join(line for line in lines if lost not in line))
    with GameFile(tmp_path / "g", settings) as games:
        match = Match(settings, games, 3)
        assert [task.id for task in match.tasks] == [lost]
        assert not match.is_over
        games.start()
        match.run(win)
    assert match.is_over
    assert len(match.games.records) == 12


def test_games_over_and_over_leave_an_sprt_without_verdict(tmp_path):
    settings = settings_of(openings=1, repeat_openings=True)

    def win(task, stop):
        result = "1-0" if task.black.name == "a" else "0-1"
        return record_of(task, result, task.opening.moves)

    match = play_all(tmp_path / "g", settings, 40, win, sprt=Sprt(0, 100))
    assert match.standings.copies == 78
    assert match.standings.encounters[0].pairs.pairs == 1
    assert match.verdict == "continue"


def test_losses_on_time_and_by_faults_are_counted_to_the_loser():
    encounter = Encounter("a", "b")
    causes = ["time", "crash", "hang", "flood", "garbage", "illegal move", "foul"]
    tasks = schedule(settings_of(openings=9), 9)
    for task, reason in zip(tasks, causes, strict=False):
        result = "0-1" if task.black.name == "b" else "1-0"  # always b's loss
        encounter.add(record_of(task, result, task.opening.moves, reason))
    assert encounter.late == {"b": 1}
    assert encounter.faults == {"b": 5}
    assert encounter.score.wins == len(causes)


def test_the_table_ranks_many_players(tmp_path):
    def strong_wins(task, stop):
        better = task.black.name < task.white.name
        even = task.opening.name == "book:1"
        won = "1/2-1/2" if even else "1-0" if better else "0-1"
        return record_of(task, won, task.opening.moves)

    match = play_all(tmp_path / "g", settings_of("cab"), 4, strong_wins)
    assert [row.name for row in match.standings.ratings()] == ["a", "b", "c"]


# Playing


@pytest.mark.parametrize(("share", "verdict"), [(70, "H1"), (45, "H0")])
def test_an_sprt_stops_the_run_by_itself_with_the_right_verdict(
    tmp_path, share, verdict
):
    def play(task, stop):
        number = int(task.id.partition(".")[2][:-1]) * 2 + task.id.endswith("b")
        first_wins = number * 37 % 100 < share
        result = "1-0" if first_wins == (task.black.name == "a") else "0-1"
        return record_of(task, result, [Move(number % 19, number // 19)])

    settings = settings_of(openings=1, repeat_openings=True, size=20)
    sprt = Sprt(0, 30)
    match = play_all(tmp_path / "g", settings, 180, play, sprt=sprt, concurrency=3)
    assert match.verdict == verdict
    assert 10 < len(match.games.records) < 360
    # Nothing is left to do for who comes again.
    again = play_all(tmp_path / "g", settings, 180, play, sprt=sprt)
    assert len(again.games.records) == len(match.games.records)
    assert again.is_over


def test_an_sprt_is_between_two(tmp_path):
    with pytest.raises(ValueError, match="between two"):
        play_all(tmp_path / "g", settings_of("abc"), sprt=Sprt(0, 5))


def test_never_more_games_at_once_than_requested(tmp_path):
    lock, now, most = threading.Lock(), 0, 0
    meet = threading.Barrier(3)

    def play(task, stop):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        meet.wait(10)  # for the others of the three
        with lock:
            now -= 1
        return fake_play(task, stop)

    play_all(tmp_path / "g", settings_of(openings=6), 6, play, concurrency=3)
    assert most == 3


def test_a_stopped_run_stops_its_games_and_keeps_the_finished(tmp_path):
    stopped = threading.Event()

    def play(task, stop):
        if task.id == "1-2.1a":
            return fake_play(task, stop)
        assert stop.wait(10)
        stopped.set()
        return record_of(task, "*", reason="stopped")

    def on_game(record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_all(tmp_path / "g", settings_of(), 4, play, concurrency=2, on_game=on_game)
    assert stopped.is_set()
    played = []
    match = play_all(tmp_path / "g", settings_of(), 4, on_game=played.append)
    assert len(played) == 7
    assert len(match.games.records) == 8


def test_an_error_in_a_game_ends_the_run():
    def play(task, stop):
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        run(schedule(settings_of(), 4), play, lambda record: True)
