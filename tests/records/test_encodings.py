"""Encodings: what people's files hold comes back, with and without a name for it."""

import codecs
import io
import random
import re
from itertools import islice
from pathlib import Path
from time import process_time

import pytest

from count_encodings import CODECS, letters_of
from gomoku_brain.commands.analyze import request_lines
from gomoku_brain.records.encodings import decode, decoded, encoded
from gomoku_brain.records.json_games import to_json
from gomoku_brain.records.openings import read_openings
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import parse_games, read_bytes, read_games
from gomoku_brain.records.read_options import ReadError, ReadOptions
from gomoku_brain.records.renlib import game_of_lib
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.runs.output_files import write_whole
from soak.mutated_files import ENCODING_NAMES
from tests.sampled import sampled

COUNT, LEAST = 3000, 8


def comments(name):
    rng = random.Random(name)
    letters = letters_of(CODECS[name])
    for _ in range(COUNT):
        yield "".join(rng.choices(letters, k=rng.randint(LEAST, 40)))


@pytest.mark.parametrize("name", CODECS)
@sampled(75, COUNT)
def test_a_named_encoding_returns_every_comment(name, count):
    wrong = []
    for comment in islice(comments(name), count):
        text = f"(;FF[4]GM[4]CA[{name}]SZ[15];B[hh]C[{comment}];W[ii];B[ij])"
        read = decode(text.encode(CODECS[name]))
        if read.text != text or read.note:
            wrong.append(comment)
    assert not wrong


@pytest.mark.parametrize("name", ["Shift_JIS", "Big5", "GBK"])
def test_a_byte_that_looks_like_a_bracket_ends_no_value(name):
    """The second byte of a character may be that of ] or of a backslash."""
    codec = CODECS[name]
    bad = [c for c in letters_of(codec) if c.encode(codec)[-1:] in b"\\]"]
    for comment in bad[:200]:
        text = f"(;GM[4]CA[{name}]SZ[15]GC[{comment}十];B[hh]C[{comment}];W[ii];B[ij])"
        (game,) = parse_games(decoded(text.encode(codec)))
        assert len(game.moves) == 3
        assert game.node_at(1).comment == comment


# What is read right without a name: the encodings that Western programs wrote.
WESTERN = [
    "schön gespielt",
    "Müller gegen Jörg",
    "GRÜSSE AUS KÖLN, Größe",
    "père Hélène où très naïve ça",
    "Jørgen Sørensen, Åse Ærø",
    "Õun Jüri",
    "¿Qué? “quoted” 5 €",
    "così più caffè",
    "ÄÖÜ",
    "José Muñoz",
]
CENTRAL = [
    "Dvořák Jiří Přibyl Třeboň",
    "Kučera Nováček",
    "Růžička",
    "Šimeček",
    "Łukasz Wałęsa",
]
OTHERS = [
    ("白胜 黑方 五子棋", "gbk"),
    ("你好", "gbk"),
    ("Победа чёрных", "cp1251"),
    ("第十期名人戦 表 のテスト", "cp932"),
]


@pytest.mark.parametrize(
    ("text", "codec"),
    [(text, "cp1252") for text in WESTERN]
    + [(text, "cp1250") for text in CENTRAL]
    + OTHERS,
)
def test_a_text_without_a_name_is_guessed_and_the_guess_is_noted(text, codec):
    read = decode(text.encode(codec))
    assert read.text == text
    assert "read as" in read.note


def names_in_encodings():
    """Return the 100 names of each encoding, by Python's name for it."""
    text = Path(__file__).with_name("names_in_encodings.txt").read_text("utf-8")
    found = re.findall(r"^\[(\w+)\]\n([^\[]+)", text, re.MULTILINE)
    return {codec: re.split(r",\s|\n", names.strip()) for codec, names in found}


NAMES = names_in_encodings()


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("codec", NAMES)
def test_names_without_an_encoding_are_guessed(codec, players):
    names = NAMES[codec]
    assert len(names) == len({*names}) == 100
    right = 0
    for number, black in enumerate(names):
        white = names[number - 37] if players == 2 else "A B"
        text = f"(;FF[4]GM[4]SZ[15]PB[{black}]PW[{white}]RE[B+];B[hh];W[ii])"
        right += decode(text.encode(codec)).text == text
    assert right >= 90


def test_the_guess_reads_only_a_part_of_a_large_file():
    data = random.Random(1).randbytes(1 << 18).translate(HIGH) * 20
    start = process_time()
    decode(data)
    assert process_time() - start < 1  # 0.3 s on a slow machine with other work


HIGH = bytes(byte | 0x80 for byte in range(256))


def test_valid_utf8_is_utf8_whatever_the_file_says():
    text = "(;CA[gb2312]C[白胜])"
    assert decode(text.encode()) == (text, "utf-8", "")
    assert decoded(b"\xef\xbb\xbf" + text.encode()) == text
    assert decoded(text.encode("utf-16")) == text


def test_a_wrong_name_does_not_hide_the_text():
    read = decode("(;CA[UTF-8]LB[hh:名月山];B[hh])".encode("gbk"))
    assert read.text == "(;CA[UTF-8]LB[hh:名月山];B[hh])"
    assert "gb18030" in read.note


def test_bytes_that_no_encoding_knows_are_counted():
    read = decode(b"(;CA[Big5]C[" + "表十".encode("big5") + b"\xff\xff];B[hh])")
    assert read.text == "(;CA[Big5]C[表十\U0010feff\U0010feff];B[hh])"
    assert read.note == "2 bytes could not be read as cp950 and stay unchanged"


def test_games_of_one_file_may_name_several_encodings():
    texts = {
        "Shift_JIS": "(;CA[Shift_JIS]PB[名人戦];B[hh])\n",
        "GBK": "(;CA[GBK]PB[白胜];B[ii])\n",
    }
    data = b"".join(text.encode(name) for name, text in texts.items())
    assert decode(data).text == "".join(texts.values())


def test_an_encoding_of_seven_bits_needs_its_name():
    text = "(;CA[ISO-2022-JP]PB[名人戦];B[hh])"
    assert decoded(text.encode("iso2022_jp")) == text
    assert decoded(b"(;CA[ISO-2022-JP]PB[x];B[hh])") == "(;CA[ISO-2022-JP]PB[x];B[hh])"


def test_a_damaged_byte_does_not_hide_a_text_of_utf8():
    game = "(;SZ[15]PB[张三]PW[李四王五]C[好棋 黑先胜];B[hh])"
    read = decode(game.encode() + b"\xff")
    assert read.text == game + "\U0010feff"
    assert "1 bytes" in read.note


# ----- Bytes that were not decoded -----

ALL_BYTES = bytes(range(256))


def test_bytes_that_are_not_decoded_are_written_as_they_were():
    rng = random.Random(1)
    for _ in range(500):
        data = rng.randbytes(rng.randint(1, 40))
        for encoding in ("utf-8", "ascii"):
            text = decode(data, encoding).text
            assert encoded(text) == data
            assert text.encode("utf-8").decode("utf-8") == text  # no surrogates
    for encoding in ("cp932", "gb18030", "cp950", "euc_jp", "euc_kr"):
        text = decode("大人".encode(encoding) + b"\xff", encoding).text
        assert encoded(text) == "大人".encode() + b"\xff"


def test_a_game_with_random_bytes_is_written_with_them(tmp_path):
    rng = random.Random(2)
    good = "名人戦".encode()
    for number in range(100):
        raw = [bytes(rng.choices(ALL_BYTES[128:], k=rng.randint(1, 3))) for _ in "abc"]
        data = b"(;GM[4]CA[UTF-8]SZ[15]PB[%s%s]PW[x%s x];B[hh]C[%s%s,%s];W[ii])"
        data %= good, raw[0], raw[1], good, raw[2], good
        (game,) = read_bytes(data, "x", ReadOptions())
        assert "could not be read as utf-8 and stay unchanged" in game.notes[0]
        write_whole(tmp_path / f"{number}.sgf", to_sgf(game))
        written = (tmp_path / f"{number}.sgf").read_bytes()
        assert all(each in written for each in (good + raw[0], raw[1], raw[2]))
        for text in (game.black, to_psq(game.record()), to_json(game.record())):
            text.encode("utf-8")
        write_whole(tmp_path / "x.psq", to_psq(game.record()))
        assert good + raw[0] in (tmp_path / "x.psq").read_bytes()
        (json_game,) = parse_games(to_json(game.record()))
        assert json_game.black == game.black


# ----- Names of codecs that are no encodings of text -----

OPENING = b"(;GM[4]SZ[15]CA[%s]PB[\xe9\xb0\xd7 x];B[hh];W[ii])"
XML = (
    b'<?xml version="1.0" encoding="%s"?><database><games><game id="4" rule="3">'
    b"<move>h8 h9 i8</move><info>\xe9</info></game></games></database>"
)
LIBRARY = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x78\x48CA[%s]\xe9\x00\x00\x00"


def read_as_file(read):
    def read_data(data, path):
        path.write_bytes(data)
        return read(path)

    return read_data


@pytest.mark.parametrize(
    ("pattern", "read"),
    [
        (OPENING, lambda data, path: [decode(data).text]),
        (OPENING, lambda data, path: read_bytes(data, "file", ReadOptions())),
        (LIBRARY, lambda data, path: [game_of_lib(data)]),
        (OPENING, lambda data, path: list(request_lines(io.BytesIO(data)))),
        (OPENING, read_as_file(read_games)),
        (OPENING, read_as_file(lambda path: read_openings(path, 15))),
    ],
    ids=["text", "reader", "library", "stream", "games", "openings"],
)
def test_every_name_that_python_knows_ends_in_a_text(pattern, read, tmp_path):
    for name in ENCODING_NAMES:
        data = pattern % name.encode()
        assert read(data, tmp_path / "file.sgf"), name


def test_an_xml_file_may_declare_any_encoding():
    for name in ENCODING_NAMES:
        if name[0].isalpha():
            assert read_bytes(XML % name.encode(), "file", ReadOptions()), name
    with pytest.raises(ReadError, match="file:1: broken XML"):  # by XML's grammar
        read_bytes(XML % b"8859", "file", ReadOptions())


@pytest.mark.parametrize(
    "name",
    [
        *("hex", "zip", "rot13", "uu", "idna", "punycode", "undefined", "utf-7"),
        *("unicode_escape", "raw-unicode-escape", "cp037", "UTF-16LE", "oem"),
        "x-unknown",
    ],
)
def test_a_name_of_no_text_encoding_is_ignored_and_noted(name):
    text = f"(;GM[4]CA[{name}]PB[Müller \\u0041];B[hh])"
    assert decode(text.encode("cp1252")) == (
        text,
        "cp1252",
        f"CA[{name}]: read as cp1252",
    )


def test_a_codec_that_a_program_registers_is_no_encoding_of_a_file():
    found = []

    def search(name):
        found.append(name)

    codecs.register(search)
    try:
        decode(OPENING % b"x-of-a-plugin")
    finally:
        codecs.unregister(search)
    assert found == []


def test_every_named_encoding_reads_any_bytes():
    rng = random.Random(1)
    for name in ENCODING_NAMES:
        for _ in range(3):
            start = f"(;CA[{name}]C[".encode()
            assert decode(start + rng.randbytes(200)).text.startswith("(;CA[")
