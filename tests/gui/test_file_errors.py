"""What is wrong with a file is told in the user's language, whatever it is."""

import re

import pytest

from gomoku_brain.gui.archive import documents
from gomoku_brain.gui.archive.file_errors import expected, reading_error
from gomoku_brain.gui.base.languages import Languages
from gomoku_brain.records.game import Game

HEAD = "Piskvorky 15x15, 11:11, 0\n"
BROKEN = {
    "twice.sgf": ("(;GM[4]SZ[15];B[hh];W[hh])", "move 2: there is a stone already."),
    "go.sgf": (
        "(;GM[1]HA[2]AB[aa][bb];W[cc])",
        "it is another game, GM[1]; Gomoku is GM[4].",
    ),
    "large.sgf": ("(;GM[4]SZ[99];B[hh])", "SZ[99] is not a board size."),
    "turn.sgf": ("(;GM[4];B[hh];B[ii])", "a side moves in the other side's turn."),
    "point.sgf": (
        "(;GM[4];B[hhh])",
        '"hhh" is not a move of SGF: write two letters, like hh.',
    ),
    "bare.sgf": ("(;GM[4];B hh)", "B has no value, [..]."),
    "middle.sgf": (
        "(;GM[4];B[hh];AB[aa])",
        "the board changes in the middle of the game.",
    ),
    "tree.sgf": ("(;GM[4]())", "a game of SGF begins with (;"),
    "off.sgf": ("(;GM[4];B[zz])", "move 1 is off the board of 15 x 15 cells."),
    "pass.sgf": (
        "(;B[aa];W[];B[bb];W[];B[cc];W[];B[dd];W[];B[ee])",
        "a side passes, which is not possible in Gomoku.",
    ),
    "twice.psq": (HEAD + "8,8,0\n8,8,0\n", "move 2: there is a stone already."),
    "large.psq": (
        "Piskvorky 99x15, 11:11, 0\n8,8,0\n",
        "the board has 99 x 15 cells; possible are 5 to 22 cells a side.",
    ),
    "word.psq": (
        "Piskvorki 15x15, 11:11, 0\n8,8,0\n",
        "a PSQ file begins like this: Piskvorky 15x15, 11:11, 0",
    ),
    "off.psq": (HEAD + "18,8,0\n", "move 1 is off the board of 15 x 15 cells."),
    "cut.json": ("{", "it is not complete JSON."),
    "other.json": (
        "{}",
        'JSON must contain "moves", or "black" and "white".',
    ),
    "cell.json": ('{"moves": [1]}', '"moves" contains 1, which is not a cell.'),
    "deep.json": ("[" * 5000, "it is nested too deeply."),
    "word.txt": ("hello you", '"hello" is not a move.'),
    "off.txt": ("h8 z99", "move 2 is off the board of 15 x 15 cells."),
    "empty.txt": ("", "there is no game in it."),
    "board.txt": ("BOARD\n1,1,1\n", "the BOARD block has no DONE at its end."),
    "row.txt": ("BOARD\n1,1,9\nDONE", '"1,1,9" is not understood.'),
}


def wrong(folder, name):
    path = folder / name
    path.write_text(BROKEN[name][0])
    with pytest.raises(ValueError, match=re.escape(name)) as caught:
        documents.read_file(path)
    return reading_error(caught.value, path)


@pytest.mark.parametrize("name", BROKEN)
def test_a_sentence_for_each_fault(qt, tmp_path, name):
    said = wrong(tmp_path, name)
    assert re.sub(r"^line \d+: ", "", said) == BROKEN[name][1]


@pytest.mark.parametrize("name", BROKEN)
def test_it_is_said_in_chinese(qt, tmp_path, name):
    languages = Languages(qt)
    languages.use("zh_CN")
    try:
        said = wrong(tmp_path, name)
        assert re.search(r"[\u4e00-\u9fff]", said), said
        assert not re.search(r"[a-z]{5,} [a-z]{2,}", said), said
        assert "棋" in expected()
    finally:
        languages.use("en")


def test_the_line_is_reported(qt, tmp_path):
    assert wrong(tmp_path, "twice.psq").startswith("line 3: ")


def test_of_a_pasted_text_no_line_is_reported(qt):
    with pytest.raises(ValueError, match="clipboard") as caught:
        documents.read_pasted("h8 h8", Game())
    assert reading_error(caught.value) == "move 2: there is a stone already."
