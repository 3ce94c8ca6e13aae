import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game_record import (
    GameRecord,
    PlayedMove,
    from_json,
    natural_end,
)
from gomoku_brain.records.json_games import to_json
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import parse_games, read_games, read_positions
from gomoku_brain.records.sgf import to_sgf
from tests.records.games import records, records_of

FIVE = "h8 h9 i8 i9 j8 j9 k8 k9 l8"


def game_of(moves, rule=Rule.FREESTYLE, size=15):
    (record,) = records_of(parse_games(moves, rule, size))
    return record


def test_the_page_shows_one_game_as_we_write_it():
    page = Path(__file__).parents[2] / "docs" / "records.md"
    blocks = re.findall(r"```\w*\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    line, psq, sgf = (
        next(block for block in blocks if block.startswith(start))
        for start in ('{"rule"', "Piskvorky", "(;")
    )
    record = from_json(line.replace("\n", ""))
    assert to_psq(record) == psq
    assert to_sgf(record) == sgf
    assert records_of(parse_games(sgf)) == [record]


@given(records())
def test_json_returns_every_record(record):
    line = to_json(record)
    assert line.isascii()
    assert "\n" not in line
    assert from_json(line) == record


def test_json_says_what_is_known_and_no_more():
    record = GameRecord(
        Rule.CARO_EXACT,
        15,
        20,
        black="a",
        moves=(
            PlayedMove(Move(7, 7), by_opening=True),
            PlayedMove(Move(0, 19), seconds=0.25, score=0, win_in=-4),
        ),
        result="1-0",
        reason="time",
    )
    assert json.loads(to_json(record)) == {
        "rule": "caro_exact",
        "width": 15,
        "height": 20,
        "result": "1-0",
        "black": "a",
        "reason": "time",
        "moves": [
            {"move": "h8", "by_opening": True},
            {"move": "a20", "seconds": 0.25, "score": 0, "win_in": -4},
        ],
    }


def test_json_takes_bare_moves_and_ignores_what_it_does_not_know():
    line = (
        '{"rule": "Renju", "width": 15, "height": 15, "moves": ["h8", "7,8"],'
        ' "new": 1, "white": null}'
    )
    record = from_json(line)
    assert record.rule is Rule.RENJU
    assert [played.move for played in record.moves] == [Move(7, 7), Move(7, 8)]


def test_a_time_that_is_no_number_is_not_written():
    moves = (PlayedMove(Move(7, 7), seconds=float("nan")),)
    with pytest.raises(ValueError, match="JSON"):
        to_json(GameRecord(Rule.RENJU, 15, 15, moves=moves))


HEAD = '"rule": "renju", "width": 15, "height": 15'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "broken JSON"),
        ("[]", "object was expected"),
        ('{"width": 15, "height": 15}', '"rule" is None'),
        ('{"rule": "go", "width": 15, "height": 15}', "\"rule\" is 'go', not one of"),
        ('{"rule": "renju", "width": "15", "height": 15}', "\"width\" is '15'"),
        ('{"rule": "renju", "width": 15, "height": 0}', '"height" is 0'),
        ('{"rule": "renju", "width": true, "height": 5}', '"width" is True'),
        (f'{{{HEAD}, "moves": "h8"}}', '"moves" is not a list'),
        (f'{{{HEAD}, "moves": [{{}}]}}', 'move 1 has no "move"'),
        (f'{{{HEAD}, "moves": ["h8", "pass"]}}', "move 2: not a move: 'pass'"),
        (f'{{{HEAD}, "moves": ["h8", "h8"]}}', "move 2, h8: the cell is occupied"),
        (f'{{{HEAD}, "moves": ["h8", "p8"]}}', "move 2, p8: off the 15x15 board"),
        (
            f'{{{HEAD}, "moves": [{{"move": "h8", "depth": 1.5}}]}}',
            'move 1: "depth" is 1.5',
        ),
        (
            f'{{{HEAD}, "moves": [{{"move": "h8", "score": true}}]}}',
            'move 1: "score" is True',
        ),
        (
            f'{{{HEAD}, "moves": [{{"move": "h8", "seconds": 1e999}}]}}',
            'move 1: "seconds" is no time that a move took',
        ),
        (
            f'{{{HEAD}, "moves": [{{"move": "h8", "seconds": NaN}}]}}',
            'move 1: "seconds" is no time that a move took',
        ),
        (f'{{{HEAD}, "result": "2-0"}}', "not a result: '2-0'"),
        (f'{{{HEAD}, "black": 7}}', '"black" is 7'),
        (f'{{{HEAD}, "extra": {{"a": 1}}}}', '"extra" has 1 as "a"'),
    ],
)
def test_broken_json_is_reported(line, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        from_json(line)


def test_the_board_replays_the_game():
    record = game_of(FIVE)
    assert record.board().winner is Side.BLACK
    assert record.board(8).winner is None
    assert record.board(1).moves == (Move(7, 7),)
    with pytest.raises(ValueError, match="22"):
        GameRecord(Rule.RENJU, 30, 30).board()


@pytest.mark.parametrize(
    ("moves", "rule", "end"),
    [
        (FIVE, Rule.FREESTYLE, ("1-0", "five")),
        (FIVE + " a1", Rule.FREESTYLE, ("*", "")),
        ("a1 " + FIVE, Rule.FREESTYLE, ("0-1", "five")),
        (FIVE[:-3], Rule.FREESTYLE, ("*", "")),
        # six: nobody's win where five must be exact
        ("h8 a1 i8 a2 j8 a3 l8 a4 m8 b9 k8", Rule.STANDARD, ("*", "")),
        ("h8 a1 i8 a2 j8 a3 l8 a4 m8 b9 k8", Rule.CARO, ("1-0", "five")),
        ("", Rule.FREESTYLE, ("*", "")),
    ],
)
def test_the_position_states_the_natural_end(moves, rule, end):
    record = GameRecord(rule, 15, 15)
    if moves:
        record = game_of(moves, rule)
        assert (record.result, record.reason) == end
    assert natural_end(record) == end


def test_a_full_board_is_a_draw():
    cells = [Move(x, y) for y in range(5) for x in range(5)]
    # Pairs of one colour, shifted by two from row to row: five are nowhere in line.
    sides = [[c for c in cells if (c.x + 2 * c.y) % 4 // 2 == side] for side in (0, 1)]
    moves = [sides[ply % 2][ply // 2] for ply in range(25)]
    record = GameRecord(Rule.FREESTYLE, 5, 5, moves=tuple(map(PlayedMove, moves)))
    assert natural_end(record) == ("1/2-1/2", "full board")


def test_an_unknown_result_is_refused():
    with pytest.raises(ValueError, match="not a result: 'black'"):
        GameRecord(Rule.RENJU, 15, 15, result="black")


FORMS = {
    "psq": to_psq,
    "sgf": to_sgf,
    "json": lambda record: to_json(record) + "\n",
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=ascii)
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=ascii)
@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_read_by_its_content(tmp_path, form, bom, end):
    first = GameRecord(
        Rule.RENJU, 15, 15, "Čapek", "白", game_of(FIVE).moves, "1-0", "five"
    )
    second = GameRecord(Rule.CARO, 12, 20, moves=game_of("a1 a2 a3").moves)
    text = bom + "\n" + FORMS[form](first) + "\n" + FORMS[form](second)
    path = tmp_path / "games.txt"
    path.write_bytes(text.replace("\n", end).encode())
    assert records_of(read_games(path)) == [first, second]
    path.write_bytes(text.removeprefix(bom).encode("utf-16"))
    assert records_of(read_games(path)) == [first, second]


def test_old_windows_texts_are_read(tmp_path):
    path = tmp_path / "game.psq"
    path.write_bytes(
        "Piskvorky 15x15, 0:0, 0\n8,8,0\nJosé\nhomo-2\n-1\n".encode("cp1252")
    )
    (game,) = read_games(str(path))
    assert (game.black, game.white) == ("José", "")


def test_moves_are_one_game_a_line():
    games = parse_games("# two games\nh8 h9 j10\n\n7,7 8,8 # and a comment\n")
    assert [[*map(str, game.moves)] for game in games] == [
        ["h8", "h9", "j10"],
        ["h8", "i9"],
    ]


def test_one_move_a_line_is_one_game():
    record = game_of("7,7\n8,8\n9,9\n")
    assert [str(p.move) for p in record.moves] == ["h8", "i9", "j10"]
    assert game_of("t20 t19", size=20).width == 20


def test_the_last_line_of_a_match_that_was_killed_is_left_out(tmp_path):
    path = tmp_path / "games.jsonl"
    game = to_json(GameRecord(Rule.RENJU, 15, 15, moves=(PlayedMove(Move(7, 7)),)))
    head = '{"match": 1, "players": []}\n'
    path.write_text(f"{head}{game}\n{game[:40]}", encoding="utf-8")
    assert len(read_games(path)) == 1
    assert len(read_positions(str(path))) == 1
    for text in (head, head[:-1], head[:-8]):  # no game was played yet
        path.write_text(text, encoding="utf-8")
        assert read_games(path) == []
        with pytest.raises(ValueError, match="no position and no game"):
            read_positions(str(path))
    path.write_text(f"{head[:20]}\n{game}\n", encoding="utf-8")
    assert len(read_games(path)) == 1
    path.write_text(f"{game}\n{game[:40]}", encoding="utf-8")  # of another program
    heard = []
    assert len(read_games(path, report=heard.append)) == 1
    assert str(heard[0]).endswith("the last line is not complete")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": no position and no game in it"),
        (" \n\n# only words\n", ": no position and no game in it"),
        ("\nhello\n", ":2: not a move: 'hello'"),
        ("h8 h9\nh8 x\n", ":2: not a move: 'x'"),
        ("h8 h9\n\nh8 h8\n", ":3: move 2, h8: the cell is occupied"),
        ("7,7\n8,8\n7,7\n", ":3: move 3, h8: the cell is occupied"),
        ("h8 t20", ":1: move 2, t20: off the 15x15 board"),
        (
            "\n" + '{"rule": "renju", "width": 15, "height": 15}\n{"rule"}',
            ":3: broken",
        ),
        ("\n(;GM[4]SZ[15];B[hh]\n;W[hh])", ":3: move 2, h8: the cell is occupied"),
        (f"(;GM[4]SZ[{'9' * 5000}];B[hh])", ":1: SZ["),
        ("(;GM[4]SZ[15];B[aa:cc])", ":1: 'aa:cc' is no point"),
        ("(;GM[4]SZ[15]AB[aa:bb:cc])", ":1: 'aa:bb:cc' is no rectangle"),
        (f"Piskvorky {'9' * 5000}x15, 0:0, 0\n8,8,0\n", ":1: no head like"),
        (
            f"Piskvorky 15x15, 0:0, 0\n{'9' * 5000},8,0\n",
            ":2: '999",
        ),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n", ":3: '8,8,0': move 2, h8"),
        (
            "Piskvorky 15x15, 0:0, 0\n-1\nPiskvorky 15x15, 0:0, 0\n\n0,8,0\n-1\n",
            ":5: '0,8,0': move 1, -1,7: off the 15x15 board",
        ),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, message):
    path = tmp_path / "games.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="^" + re.escape(f"{path}{message}")):
        read_games(path)


@given(st.sampled_from(list(FORMS)), st.data())
def test_whatever_happens_to_a_file_it_is_read_or_refused(form, data):
    """Pieces of a file are cut out, doubled and put elsewhere."""
    record = GameRecord(
        Rule.RENJU, 15, 15, "a", "b", game_of(FIVE).moves, "1-0", "five"
    )
    text = FORMS[form](record) * 2
    places = st.integers(0, len(text))
    for _ in range(data.draw(st.integers(1, 3))):
        begin, end, to = data.draw(places), data.draw(places), data.draw(places)
        piece = data.draw(
            st.just(text[begin:end]) | st.sampled_from("\x00[](;:,{}9-1 ")
        )
        text = data.draw(st.sampled_from((text[:to] + piece + text[to:], text[to:])))
    refusal = ""
    try:
        parse_games(text)
    except ValueError as error:
        refusal = str(error)
    assert re.match(r"$|line \d+: |no position and no game|a binary", refusal)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path / "none.psq")
