import pytest

from gomoku_brain.control.limits import SearchInfo
from gomoku_brain.game.notation import Move
from gomoku_brain.protocol import commands


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("START 15", "START", "15"),
        ("  turn\t 7, 7  ", "TURN", "7, 7"),
        ("Begin", "BEGIN", ""),
        ("INFO folder C:\\a b\\c", "INFO", "folder C:\\a b\\c"),
        ("\0END\0", "END", ""),
        ("7,7,1", "7,7,1", ""),
        ("\xff\xfe", "\xff\xfe".upper(), ""),
    ],
)
def test_a_line_is_cut_after_its_first_word(line, word, rest):
    assert commands.parse_command(line) == commands.Command(word, rest)


@pytest.mark.parametrize("line", ["", "   ", "\t", "\0\0", " \0 "])
def test_an_empty_line_is_no_command(line):
    assert commands.parse_command(line) is None


@pytest.mark.parametrize("text", ["7,8", "7, 8", "7 ,8", "7 8", " 7\t,\t8 ", "+7,8"])
def test_numbers_may_be_divided_by_a_comma_or_blanks(text):
    assert commands.parse_numbers(text) == [7, 8]


@pytest.mark.parametrize(
    "text", ["7,,8", ",7", "7,", "a,b", "7;8", "7.0,8", "0x7,8", "1_0,8", "--7", "²"]
)
def test_other_text_is_not_numbers(text):
    assert commands.parse_numbers(text) is None


def test_an_empty_text_is_no_numbers():
    assert commands.parse_numbers("  ") == []


def test_numbers_of_any_length_are_read_or_refused_without_an_error():
    assert commands.parse_number("9" * 100) == int("9" * 100)
    assert commands.parse_number("9" * 100_000) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7,7,1 8,7,2 DONE", ("7,7,1 8,7,2", True)),
        ("done", ("", True)),
        ("7,7,1", ("7,7,1", False)),
        ("7,7,1 Done BEGIN", ("7,7,1", True)),
        ("UNDONE", ("UNDONE", False)),
    ],
)
def test_done_ends_a_block_within_a_line_or_alone(text, expected):
    assert commands.split_done(text) == expected


def test_moves_are_written_without_blanks():
    assert commands.move_reply(Move(3, 14)) == "3,14"
    assert commands.moves_reply([Move(7, 7), Move(8, 7)]) == "7,7 8,7"


def test_forbidden_points_are_two_digits_each():
    assert commands.forbid_reply([Move(9, 12), Move(10, 11)]) == "FORBID 09121011."
    assert commands.forbid_reply([]) == "FORBID ."


def test_an_unknown_word_is_said_back_short_and_in_ascii():
    assert commands.unknown_reply("FOO") == "UNKNOWN command FOO"
    assert commands.unknown_reply("\xff\x07") == r"UNKNOWN command \xff\x07"
    assert len(commands.unknown_reply("A" * 100_000)) < 100


def test_about_is_plain_ascii_with_five_fields():
    line = commands.about_reply("1.2.3")
    assert line.isascii()
    fields = dict(part.split("=") for part in line.split(", "))
    assert list(fields) == ["name", "version", "author", "country", "www"]
    assert fields["version"] == '"1.2.3"'
    assert all(v[0] == v[-1] == '"' and v.count('"') == 2 for v in fields.values())


def info(**changes):
    values = {
        "depth": 12,
        "seldepth": 20,
        "multipv": 1,
        "score": -35,
        "win_in": None,
        "nodes": 812_345,
        "time": 0.8123,
        "pv": (Move(7, 7), Move(8, 8)),
    }
    return SearchInfo(**(values | changes))


def test_a_line_of_play_has_the_documented_form():
    assert commands.search_message(info()) == (
        "MESSAGE depth 12-20 ev -35 n 812345 n/ms 1000 tm 812 pv h8 i9"
    )
    assert commands.search_message(info(multipv=2), numbered=True).startswith(
        "MESSAGE depth 12-20 multipv 2 ev -35 "
    )


@pytest.mark.parametrize(
    ("win_in", "text"), [(7, "+M7"), (-12, "-M12"), (1, "+M1"), (0, "-M0")]
)
def test_forced_results_are_reported_in_plies(win_in, text):
    assert f" ev {text} " in commands.search_message(info(win_in=win_in, score=29993))


def test_lines_stay_short_of_a_thousand_characters():
    line = (Move(21, 21),) * 484
    assert len(commands.search_message(info(pv=line, nodes=10**18))) < 1000
    assert all(len(text) < 1000 for text in commands.detail_lines(info(pv=line), 10))


def test_a_search_of_no_time_divides_by_nothing():
    assert " n/ms 5 tm 0 " in commands.search_message(info(nodes=5, time=0.0))


def test_a_line_of_play_may_be_empty():
    assert commands.search_message(info(pv=())).endswith(" pv")


def test_detail_lines_have_the_expected_result_between_0_and_1():
    rates = {}
    for key, values in {
        "even": {"score": 0},
        "good": {"score": 5000},
        "huge": {"score": -(10**9)},
        "won": {"win_in": 3},
        "lost": {"win_in": -4},
    }.items():
        lines = commands.detail_lines(info(**values), 1)
        (rate,) = [float(x.split()[-1]) for x in lines if x.startswith("INFO WINRATE")]
        rates[key] = rate
    assert rates["even"] == 0.5
    assert 0.99 < rates["good"] <= 1
    assert (rates["huge"], rates["won"], rates["lost"]) == (0, 1, 0)
