"""Large files that are no games end at once: bounds of every reader."""

import subprocess
import sys
import time

import pytest

from gomoku_brain import ReadError, parse_games, read_games

SIZE = 1_000_000  # bytes; 20 MB take twenty times as long at most
SECONDS = 3.0  # of processor time, twenty times what most of them need here
LARGE = {
    "zeros": b"\0",
    "one line of moves": b"h8 ",
    "lines of moves": b"h8\n",
    "words": b"some words ",
    "lines of words": b"some words\n",
    "PSQ": (b"Piskvorky 15x15, 11:11, 0\n", b"8,8,0\n"),
    "XML": (b"<database>", b"<a/>"),
    "XML that is deep": (b"<database>", b"<a>"),
    "XML with empty games": (b"<database>", b"<game/>"),
    "parentheses": b"(",
    "trees": b"(;B[aa]",
    "SGF moves": (b"(;GM[4]", b";B[hh]"),
    "SGF stones": (b"(;GM[4]AB", b"[aa]"),
    "SGF properties": (b"(;GM[4]", b"AB[aa]"),
    "SGF nodes": (b"(;GM[4]", b";"),
    "SGF variations": (b"(;GM[4]", b"(;B[aa])"),
    "SGF values in brackets": (b"(;GM[4]", b"C[[a] b]"),
    "JSON brackets": b"[",
    "JSON lists": b"[]\n",
    "comments": b"# a\n",
    "PGN numbers": (b'[Event "x"]\n\n', b"1. "),
    "rec": (b"a\nb\n", b"7,7,0\n"),
    "JSON rows": b'{"a":1}\n',
    "picture": b".........\n",
    "wide picture": b".",
    "PGN": (b'[Event "x"]\n\n', b"h8 i9 "),
    "PGN tags": b'[Event "x"]\n',
    "PGN variations": (b'[Event "x"]\n\n', b"( "),
    "contest": (b"{[C5][A B][C W]", b";B(J,10)"),
    "protocol": (b"START 15\n", b"BEGIN\n"),
    "BOARD": (b"START 15\nBOARD\n", b"7,7,1\n"),
    "link": (b"gomoku:renju/15/", b"h8i9"),
    "numbers": b"15\n",
    "line ends": b"\n",
    "RenLib path": (b"\xffRenLib\xff\x03\x00" + b"\xff" * 10, b"\x81\x00"),
    "RenLib siblings": (b"\xffRenLib\xff\x03\x00" + b"\xff" * 10, b"\x81\xc0"),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_that_is_no_game_is_refused_at_once(name, tmp_path):
    parts = LARGE[name] if isinstance(LARGE[name], tuple) else (b"", LARGE[name])
    path = tmp_path / "large"
    path.write_bytes(parts[0] + parts[1] * (SIZE // len(parts[1])))
    start = time.process_time()
    with pytest.raises(ReadError) as caught:
        read_games(path)
    assert time.process_time() - start < SECONDS
    assert len(str(caught.value)) < 400


def test_a_long_value_without_an_end_takes_no_longer():
    start = time.process_time()
    (game,) = parse_games("(;GM[4]C" + "[" * SIZE)
    assert time.process_time() - start < SECONDS
    assert len(game.comment) == SIZE - 1


def test_a_value_of_json_over_4_mb_is_not_parsed():
    large = '{"a": "' + "x" * 4_000_000 + '"}'
    row = '{"rule": "renju", "width": 15, "height": 15, "moves": ["h8"]}\n'
    with pytest.raises(ReadError, match="more than 4 MB in one value"):
        parse_games(large)
    heard = []
    assert len(
        parse_games(row + large + "\n" + row, errors="skip", report=heard.append)
    )
    assert "line 2: broken JSON: more than 4 MB" in str(heard[0])


def test_large_files_need_little_memory(tmp_path):
    """The peak of a process that reads 20 MB of moves of a PSQ file."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "large.psq"
    path.write_bytes(b"Piskvorky 15x15, 11:11, 0\n" + b"8,8,0\n" * 3_300_000)
    code = (
        "import resource, sys; from gomoku_brain import read_games, ReadError\n"
        "try: read_games(sys.argv[1])\n"
        "except ReadError: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    words = [sys.executable, "-c", code, str(path)]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert int(printed) < max(150_000, 1.1 * before)  # kB; a fork begins as its parent
