"""PSQ files of Piskvork and GomocupJudge, and ours as Piskvork reads them."""

import contextlib
import re
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.psq import from_psq, to_psq
from gomoku_brain.records.read import parse_games
from tests.records.games import LINES, records

# The fields, their order and the line ends are those of a file that Piskvork wrote
# (Gomocup/GomocupOnline, TestData); the game is our own.
PISKVORK = "\r\n".join(
    """\
Piskvorky 20x20, 7:7, 0
10,10,456
11,11,4500
10,11,60
10,12,4261
10,9,65
11,10,5037
10,8,65
11,12,5060
10,7,66
pisq7.exe
renjusolver.ZIP
0
""".split("\n")
)
JUDGE = """\
Piskvorky 15x15, 11:11, 0
1,1,0
3,5,0
9,3,0
8,8,12345
9,9,30000
EMBRYO21.zip
RAPFI21.zip
-1
{}
"""


def test_a_file_of_piskvork_is_read_field_by_field():
    record = from_psq(PISKVORK)
    assert (record.rule, record.width, record.height) == (Rule.FREESTYLE, 20, 20)
    assert (record.black, record.white) == ("pisq7.exe", "renjusolver.ZIP")
    assert record.moves[0] == PlayedMove(Move(9, 9), seconds=0.456)
    assert record.moves[1] == PlayedMove(Move(10, 10), seconds=4.5)
    assert len(record.moves) == 9
    assert (record.result, record.reason) == ("1-0", "five")


def test_the_second_player_may_begin():
    record = from_psq(PISKVORK.replace("7:7, 0", "7:7, 1"))
    assert (record.black, record.white) == ("renjusolver.ZIP", "pisq7.exe")
    assert record.result == "1-0"


def test_leading_moves_without_time_are_the_opening():
    record = from_psq(JUDGE.format("0,Freestyle15_1"))
    assert [played.by_opening for played in record.moves] == [True] * 3 + [False] * 2
    assert [played.seconds for played in record.moves[2:]] == [None, 12.345, 30.0]
    assert record.extra == {"event": "Freestyle15_1"}


@pytest.mark.parametrize(
    ("times", "given"),
    [
        ((1, 0, 0, 350, 900), 3),  # "9,8,1 / 8,9,0 / 10,11,0", as Piskvork writes them
        ((0, 1, 0, 350, 900), 3),
        ((0, 0, 1, 350, 900), 3),
        ((0, 0, 0, 350, 900), 3),
        ((0, 1, 1, 1, 0, 350), 5),
        ((0, 350, 0, 900, 1), 1),
        ((1, 350, 0, 900, 1), 0),  # a brain that answers BEGIN at once
        ((1, 1, 350, 900, 1), 0),
        ((2, 0, 0, 350, 900), 0),
        ((0, 1, 0, 1, 1), 1),  # two fast brains: nothing tells where they began
        ((1, 0, 1, 1, 1), 0),
    ],
)
def test_piskvork_measures_its_opening_like_any_move(times, given):
    places = [(9, 8), (8, 9), (10, 11), (9, 10), (11, 10), (12, 12)]
    moves = [f"{x},{y},{ms}" for (x, y), ms in zip(places, times, strict=False)]
    record = from_psq("\n".join([HEAD, *moves, "a.exe", "b.exe", "0", ""]))
    assert [played.by_opening for played in record.moves] == [
        i < given for i in range(len(times))
    ]
    # The judge and we write 0 for the stones of an opening.
    for last in ("0,Freestyle_1", "-1,freestyle"):
        record = from_psq("\n".join([HEAD, *moves, "a", "b", "-1", last]))
        measured = next(i for i, ms in enumerate(times) if ms)
        assert sum(played.by_opening for played in record.moves) == measured


def test_a_time_that_no_move_took_is_not_known():
    record = from_psq(f"Piskvorky 15x15, 0:0, 0\n8,8,5\n9,9,{'9' * 400}\n-1\n")
    assert [played.seconds for played in record.moves] == [0.005, None]


def test_no_times_at_all_are_no_opening():
    record = from_psq("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,9,0\n7,7\n-1\n")
    assert record.moves == tuple(PlayedMove(Move(i, i)) for i in (7, 8, 6))


@pytest.mark.parametrize(
    ("last", "rule", "result"),
    [
        ("0,Freestyle15_1", Rule.FREESTYLE, "1/2-1/2"),
        ("0,Renju_1", Rule.RENJU, "1/2-1/2"),
        ("0,standard", Rule.STANDARD, "1/2-1/2"),
        ("0,Caro_2", Rule.CARO, "1/2-1/2"),
        # White is to move after five stones, so white failed. The judge calls winner 2
        # who moved second after an opening of three stones: black.
        ("2,Fastgame", Rule.CARO_EXACT, "1-0"),
    ],
)
def test_the_last_line_of_the_judge_states_winner_and_rule(last, rule, result):
    record = from_psq(JUDGE.format(last), rule=Rule.CARO_EXACT)
    # what ours look like tells the rule and is no tournament
    if not last.endswith("standard"):
        assert record.extra == {"event": last[2:]}
    assert (record.rule, record.result) == (rule, result)


def test_after_an_even_opening_the_judge_names_colours():
    game = JUDGE.replace("9,3,0\n", "")
    assert from_psq(game.format("1,Freestyle_1")).result == "1-0"
    assert from_psq(game.format("2,Freestyle_1")).result == "0-1"


def test_a_move_that_the_judge_refused_is_the_reason():
    game = JUDGE.replace("9,9,30000", "8,8,30000").format("2,Freestyle_1")
    record = from_psq(game)
    assert len(record.moves) == 4
    assert (record.result, record.reason) == ("0-1", "illegal move")
    with pytest.raises(ValueError, match=r"^line 6: .*occupied"):
        from_psq(game.replace("2,Freestyle_1", "0,Freestyle_1"))
    with pytest.raises(ValueError, match=r"^line 5: .*off the 15x15"):
        from_psq(game.replace("8,8,12345", "16,8,12345"))


@pytest.mark.parametrize(
    ("code", "result", "reason"),
    [
        (15, "0-1", "time"),
        (-2, "0-1", ""),
        (-1, "*", ""),
        (0, "*", ""),
    ],
)
def test_without_a_winner_the_code_states_who_failed(code, result, reason):
    moves = "8,8,10\n9,9,10\n7,7,10\n8,9,10\n"
    record = from_psq(f"Piskvorky 15x15, 3:3, 0\n{moves}a.exe\nb.exe\n{code}\n")
    assert (record.result, record.reason) == (result, reason)


@pytest.mark.parametrize("tail", ["", "-1\n", "a\nb\n", "a\n", "a\nb\n-1\nsome junk\n"])
def test_the_end_of_a_file_may_be_missing(tail):
    record = from_psq(f"\nPiskvorky 19x15, 11:0, 0 \n\n 8 , 8,5\n9,9,7\n{tail}")
    assert [tuple(played.move) for played in record.moves] == [(7, 7), (8, 8)]
    assert (record.width, record.height, record.result) == (19, 15, "*")
    assert record.black == ("a" if "a" in tail else "")
    assert record.white == ("b" if "b" in tail else "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: no head like"),
        ("Gomoku 15x15\n", "line 1: no head like"),
        ("\nPiskvorky 15, 11:11, 0\n", "line 2: no head like"),
        ("Piskvorky 0x15, 11:11, 0\n", "line 1: no such board or player"),
        ("Piskvorky 15x15, 11:11, 2\n", "line 1: no such board or player"),
        ("Piskvorky 915x15, 11:11, 0\n", "line 1: board size 915x15 is not within"),
        ("Piskvorky 15x15, 1:1, 0\n\n8,8\n8,8\n-1\n", "line 4: '8,8': move 2, h8: the"),
    ],
)
def test_broken_files_are_reported_with_their_line(text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        from_psq(text)


def test_ours_has_the_fields_of_a_gomocup_file():
    moves = (
        PlayedMove(Move(0, 14), by_opening=True),
        PlayedMove(Move(7, 6), seconds=1.2344),
        PlayedMove(Move(1, 1), seconds=0.0),
    )
    record = GameRecord(Rule.RENJU, 15, 15, "Us", "Rapfi", moves, "0-1", "time")
    assert to_psq(record) == (
        "Piskvorky 15x15, 11:11, 0\n1,15,0\n8,7,1234\n2,2,1\nUs\nRapfi\n15\n"
        "2,renju (time)\n"
    )


def as_piskvork_reads(text):
    """What Piskvork's openPsq finds, told by its scanf formats: a head of five numbers,
    moves as long as two numbers with a comma come, then two lines, the programs. Its
    white space swallows line ends, and a number that no comma follows is lost."""
    head = re.match(r"Piskvorky\s*(\d+)x\s*(\d+),\s*(\d+):\s*(\d+),\s*(\d+)\s*", text)
    width, height, _, _, begins = map(int, head.groups())
    assert begins in (0, 1)
    text = text[head.end() :]
    moves = []
    while move := re.match(r"\s*([+-]?\d+),\s*([+-]?\d+)(?:,\s*([+-]?\d+))?", text):
        moves.append((int(move[1]) - 1, int(move[2]) - 1, int(move[3] or 0)))
        text = text[move.end() :]
    text = re.sub(r"^\s*([+-]?\d+)?", "", text)
    names = text.split("\n")[:2]
    return width, height, moves, names


def name_in_psq(name):
    """Return a name as the file has it, with a prefix if it looks like a move."""
    begins_move = re.match(r"[+-]?\d+,", name)
    if begins_move or re.fullmatch(r"-?\d+(\s*,\s*-?\d+){0,2}", name):
        return f"player {name}"
    return name


PSQ_LINES = LINES.filter(lambda name: name not in ("homo-1", "homo-2"))
MILLISECONDS = st.none() | st.integers(1, 10**7).map(lambda ms: ms / 1000)
PSQ_RECORDS = records(texts=PSQ_LINES, seconds=MILLISECONDS)


@given(PSQ_RECORDS)
def test_psq_returns_what_it_has_a_place_for(record):
    read = from_psq(to_psq(record), rule=Rule.RENJU)
    measured = any(played.seconds for played in record.moves)
    given = next((i for i, p in enumerate(record.moves) if p.seconds), 0)
    moves = tuple(
        PlayedMove(played.move, by_opening=True)
        if i < given
        else PlayedMove(
            played.move, seconds=played.seconds or (0.0 if measured else None)
        )
        for i, played in enumerate(record.moves)
    )
    names = [name_in_psq(name) for name in (record.black, record.white)]
    assert read == replace(
        record,
        moves=moves,
        black=names[0],
        white=names[1],
        detail="",
        date="",
        id="",
        extra={},
    )


@given(PSQ_RECORDS)
def test_piskvork_finds_our_moves_and_players(record):
    width, height, moves, names = as_piskvork_reads(to_psq(record))
    assert (width, height) == (record.width, record.height)
    assert [Move(x, y) for x, y, _ in moves] == [played.move for played in record.moves]
    assert [ms for *_, ms in moves] == [
        round((played.seconds or 0) * 1000) for played in record.moves
    ]
    black, white = name_in_psq(record.black), name_in_psq(record.white)
    if not re.match(r"[+-]?\d", black):
        assert names == [black or "homo-1", white or "homo-2"]


@pytest.mark.parametrize("black", ["0,0:", "5,", "+1,2", "-3,a"])
def test_a_name_that_begins_as_a_move_is_none(black):
    moves = (PlayedMove(Move(7, 7)),)
    text = to_psq(GameRecord(Rule.FREESTYLE, 15, 15, black, "6", moves))
    _, _, piskvork, names = as_piskvork_reads(text)
    assert piskvork == [(7, 7, 0)]
    assert names == [f"player {black}", "player 6"]
    assert [played.move for played in from_psq(text).moves] == [Move(7, 7)]


def test_line_ends_in_names_are_blanks():
    record = GameRecord(Rule.RENJU, 15, 15, "a\n1,1,1\n", "\t", reason="crash\n7")
    read = from_psq(to_psq(record))
    assert (read.black, read.white, read.reason) == ("a 1,1,1", "", "crash 7")


HEAD = "Piskvorky 15x15, 11:11, 0"


@pytest.mark.parametrize("wrong", [0, 1])
@pytest.mark.parametrize(
    "misspelt",
    [
        "Piskvorki 15x15, 11:11, 0",
        "Piskvorky 15x15 11:11, 0",
        "Piskvorky: 15x15, 11:11, 0",
        "Piškvorky 15x15, 11:11, 0",
        "15x15; 11:11; 0",
        "Piskvorky 15*15, 11:11, 0",
        "Piskvorky15x15, 11:11, 0",
    ],
)
def test_a_misspelt_head_among_others_loses_no_game(wrong, misspelt):
    heads = [HEAD, HEAD]
    heads[wrong] = misspelt
    text = "".join(f"{head}\n8,8,5\n\n9,9,5\n-1\n" for head in heads)
    with pytest.raises(ValueError, match=f"^line {5 * wrong + 1}: no head like"):
        parse_games(text)
    whole = text.replace(misspelt, HEAD.lower())
    assert len(parse_games(whole)) == 2


@pytest.mark.parametrize("head", [HEAD + " ", "Piskvorki 15x15, 11:11, 0"])
def test_a_game_without_moves_is_not_lost_among_others(head):
    names = "a\nb\n-1\n"
    text = f"{HEAD}\n8,8,5\n{names}{head}\n{names}"
    if head.startswith(HEAD):
        assert [len(game.moves) for game in parse_games(text)] == [1, 0]
    else:
        with pytest.raises(ValueError, match=r"^line 6: no head like"):
            parse_games(text)


def test_a_head_alone_is_a_game():
    assert [game.moves for game in parse_games(HEAD + "\n")] == [()]
    with pytest.raises(ValueError, match=r"^line 1: no head like"):
        parse_games("Piskvorky 15\n")


def test_a_comment_is_no_head():
    (game,) = parse_games("# 15x15\n7,7\n8,8\n")
    assert len(game.moves) == 2


def test_a_line_of_digits_takes_no_time():
    text = f"{HEAD}\n8,8,5\n{'1' * 1_000_000}\n{' ' * 1_000_000}x\n8,8,5\n"
    started = time.process_time()
    with contextlib.suppress(ValueError):
        parse_games(text)
    assert time.process_time() - started < 20, "it is a matter of milliseconds"


@pytest.mark.parametrize(
    "name", ["Rapfi 15x15, 6b", "net 20x20", "engine1x2,3", HEAD, "20*20", "8,8"]
)
def test_a_player_may_be_named_like_a_head(name):
    moves = tuple(PlayedMove(Move(x, x)) for x in range(3))
    record = GameRecord(Rule.RENJU, 15, 15, name, name, moves=moves)
    first, second = parse_games(to_psq(record) * 2)
    assert first.record() == second.record()
    assert first.black.removeprefix("player ") == name
    assert first.white.removeprefix("player ") == name
    assert len(first.moves) == 3


FOUL = "hi aa hj ao ih oa jh oo hh".split()  # h8 makes two open threes


@pytest.mark.parametrize("end", ["", "-2\n", "15\n", "0\n", "0\n2,Renju_1\n"])
def test_blacks_foul_is_its_loss(end):
    moves = "".join(f"{ord(x) - 96},{ord(y) - 96},5\n" for x, y in FOUL)
    text = f"Piskvorky 15x15, 11:11, 0\n{moves}one\ntwo\n{end}"
    game = from_psq(text, Rule.RENJU)
    assert (game.result, game.reason, game.detail) == ("0-1", "foul", "double three")
    if "Renju" not in end:
        assert from_psq(text, Rule.FREESTYLE).reason != "foul"


def test_a_board_that_is_nearly_full_is_piskvorks_draw():
    cells = [(x, y) for y in range(10) for x in range(10)]
    # in this order no five is made: columns are taken in pairs, shifted by two
    order = sorted(cells, key=lambda c: ((c[0] // 2 + c[1]) % 2, c[1], c[0]))
    black, white = order[:38], order[50:87]
    moves = [cell for pair in zip(black, white, strict=False) for cell in pair]
    lines = "".join(f"{x + 1},{y + 1},9\n" for x, y in [*moves, black[37]])
    text = f"Piskvorky 10x10, 11:11, 0\n{lines}one\ntwo\n0\n"
    game = from_psq(text)
    assert len(game.moves) == 75
    assert (game.result, game.reason) == ("1/2-1/2", "full board")
    fewer = "".join(lines.splitlines(keepends=True)[:-2])
    assert from_psq(text.replace(lines, fewer)).result == "*"
