"""Encodings: what people's files hold comes back, with and without a name for it."""

import random
from itertools import islice

import pytest

from count_encodings import CODECS, letters_of
from gomoku_brain.records.encodings import decode, decoded
from gomoku_brain.records.game_formats import from_sgf
from tests.sampled import sampled

COUNT, LEAST = 3000, 8


def comments(name):
    rng = random.Random(name)
    letters = letters_of(CODECS[name])
    for _ in range(COUNT):
        yield "".join(rng.choices(letters, k=rng.randint(LEAST, 40)))


@pytest.mark.parametrize("name", CODECS)
@sampled(150, COUNT)
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
        (game,) = from_sgf(decoded(text.encode(codec)))
        assert len(game.moves) == 3
        assert game.moves[0].comment == comment


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
    assert read.text == "(;CA[Big5]C[表十\ufffd\ufffd];B[hh])"
    assert "2 characters could not be read" in read.note


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
    assert read.text == game + "\ufffd"
    assert "1 characters" in read.note
