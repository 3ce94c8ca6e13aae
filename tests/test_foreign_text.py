"""Foreign text in every output: no control characters, no tags, limited quotes."""

import contextlib
import json
import os
import re
import shlex
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gomoku_brain import __main__ as command_line
from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.foreign_text import MAX_QUOTED, MAX_REFUSAL, brief, shown
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.game_log import GameLog
from gomoku_brain.match.html_report import html_report
from gomoku_brain.match.report import game_line, report
from gomoku_brain.match.tournament import GameFile, Match, MatchPlayer, MatchSettings
from gomoku_brain.protocol.commands import unknown_reply
from gomoku_brain.protocol.start_settings import from_file
from gomoku_brain.records.game_record import GameRecord, record_line
from gomoku_brain.records.openings import Opening
from gomoku_brain.records.read import parse_games
from gomoku_brain.records.read_options import ReadError
from gomoku_brain.runs.terminal import clean_streams, unfiltered
from gomoku_brain.study.service import Service

TAGS = "<b>B</b><img src=x>"
BIDI = "\u202e\u202d\u2066\u2069\u200e\u061c\u2028\u2029\x85"
EVIL = f"A\x1b]0;x\x07\x1b[2J\r\0\x7f\x9b{BIDI}{TAGS}Z"
FORGED = f"{EVIL}\nforged"
MILD = f"A\x7f\x9b\u202e\u2066{TAGS}Z"
"""Without the characters that mark a file as binary."""


def assert_clean(text, lines=True):
    """Only printable characters, and ``lines`` of them."""
    assert "A\\x1b" in text, "the text is there, and its characters are visible"
    assert not re.search(r"^forged", text, re.MULTILINE)
    rest = text.replace("\n", "") if lines else text
    assert rest.isprintable(), sorted({c for c in rest if not c.isprintable()})


# ----- The function -----

ANY = st.text(st.characters(codec=None))  # with lone surrogates


@given(ANY, st.integers(0, 40))
@example(FORGED, 20)
@example("\ud800\r\n\x1b", 7)
def test_shown_text_is_printable_and_no_longer_than_the_limit(text, most):
    for found in (shown(text), shown(text, most)):
        plain = re.sub("[\xa0\u3000\u200c\u200d]", "", found)
        assert plain.isprintable()
        assert len(found.splitlines()) <= 1
    assert len(shown(text, most)) <= most
    assert shown(shown(text)) == shown(text)
    kept = shown(text, lines=True)
    assert kept.replace("\n", " ").replace("\t", " ") == shown(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M"])), st.text(" "))
@example("Ærøskøbing 五子棋　棋手 Гомоку", "")
def test_plain_text_is_unchanged(text, blanks):
    assert shown(text + blanks) == text + blanks
    assert shown(text, len(text)) == text


def test_escapes_are_those_of_python():
    assert shown("a\x1b\x07\0\u202e\ud800\U000e0001") == (
        r"a\x1b\x07\x00\u202e\ud800\U000e0001"
    )
    assert shown("a\r\nb\nc\u2028d") == "a b c d"
    assert shown("a\r\nb\tc", lines=True) == "a\nb\tc"
    assert shown("abcdef", 5) == "abc.."


@given(ANY, st.booleans())
@example("it's a 'b" * 99, True)
def test_a_brief_message_has_its_beginning_and_its_end(quoted, double):
    quote = json.dumps(quoted) if double else repr(quoted)
    text = brief(f"x.sgf:3: not a move: {quote * 3} (write h8)")
    assert text.startswith("x.sgf:3: not a move: ")
    assert text.endswith(" (write h8)")
    assert text.isprintable()
    assert len(text) <= 340


def test_a_brief_message_cuts_its_long_quotes_only():
    text = brief(f"{'no ' * 20}'{'q' * 9999}' in \"{'r' * 9999}\", known: 'a', 'b'")
    assert text.startswith("no no ")
    assert text.endswith("known: 'a', 'b'")
    assert max(map(len, re.findall(r"'[^']*'", text))) == MAX_QUOTED
    assert brief("the engine's 'a' and 'b'") == "the engine's 'a' and 'b'"


# ----- Sources and sinks -----


RECORD = GameRecord(
    *(Rule.FREESTYLE, 15, 15, FORGED, EVIL, (), "1-0", "crash", FORGED), id=EVIL
)


def sgf(text):
    words = text.replace("]", "\\]")
    keys = "".join(f"{key}[{words}]" for key in "GN PB PW EV RO RE C".split())
    return f"(;GM[4]SZ[15]{keys};B[hh]C[{words}];W[hi])"


GAMES = {
    "SGF": sgf(FORGED),
    "PSQ": f"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n{EVIL}\n{EVIL}\n",
    "PGN": "".join(
        f'[{key} "{MILD}"]\n' for key in ("Event", "Black", "White", "Result")
    )
    + f"\n1. h8 i9 {{{MILD}}} *\n",
    "contest": f"{{[C5][{MILD} B][{MILD} W][{MILD}][2017.07.29][{MILD}]"
    ";B(J,10);W(L,10)}",
    "RenjuNet": "<database><players><player id='1' surname='{0}'/></players>"
    "<tournaments><tournament id='7' name='{0}'/></tournaments><games><game id='4'"
    " tournament='7' black='1' white='1' bresult='{0}'><move>h8 h9</move></game>"
    "</games></database>".format(f"A\x7f\x9b{BIDI}\\x1b"),
    "JSON": json.dumps({"moves": "h8 h9", "id": FORGED + "\ud800", "black_name": EVIL}),
    "JSON rule": json.dumps({"moves": "h8 h9", "rule": FORGED + "\ud800" * 999}),
    "match": record_line(RECORD),
    "protocol": f"START {EVIL}\nBOARD\n7,7,1\nDONE\n",
    "picture": ". X O\n. X O\n. . \x1b[2J\u202e\n",
    "moves": f"h8 h9 {MILD}\n",
    "link": f"https://gomocalc.com/#/{MILD}",
}
READERS = {
    "analyze": ("analyze", "--depth", "1", "--lines", "1", "--hash", "1"),
    "solve": ("solve", "--nodes", "10", "--hash", "1"),
    "openings check": ("openings", "check"),
}


@pytest.fixture
def run(capsys):
    """Both streams of a command."""

    def run(*words):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["gomoku-brain"])
            with contextlib.suppress(SystemExit):
                command_line.main([*map(str, words)])
        return "".join(capsys.readouterr())

    return run


def printable(text):
    return text.replace("\n", "").isprintable() and "\nforged" not in text


@pytest.mark.parametrize("form", GAMES)
def test_a_file_of_games_reaches_no_terminal(run, tmp_path, form):
    path = tmp_path / "game"
    path.write_text(GAMES[form], encoding="utf-8", newline="")
    for words in READERS.values():
        text = run(*words, path)
        assert text
        assert printable(text), (words, text)
    assert max(map(len, text.splitlines())) < 500


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_the_name_of_a_file_reaches_no_terminal(run, tmp_path):
    path = tmp_path / f"A\x1b[2J\r\u202e{TAGS.replace('/', '')}\udcff\nforged"
    path.write_text("a broken game")
    engine = shlex.quote(str(path))
    for words in (
        *((*words, path) for words in READERS.values()),
        ("prove", "--check", path),
        ("match", "--resume", "--out", path),
        ("match", "--out", tmp_path / "m", "--engines", path, "--time", "1"),
        ("levels", "calibrate", "--out", path),
        ("doctor", "--quick", "--engine", engine),
        ("help", path),
        (path,),
    ):
        assert printable(run(*words)), words
        path.write_text("(;GM[4]SZ[15];B[hh])")


ENGINE = """
import sys, os
evil = "A\\x1b]0;x\\x07\\x1b[2J\\x00\\x7f\\u202e\\u2028<b>B</b><img src=x>Z"
def write(handle, text): os.write(handle, (text + "\\n").encode())
for line in sys.stdin:
    word = line.split()[0]
    write(2, evil)
    write(1, "MESSAGE " + evil)
    if word == "START" and "start" in sys.argv: write(1, evil); sys.exit(3)
    elif word in ("START", "RESTART", "RECTSTART"): write(1, "OK")
    elif word == "ABOUT": write(1, f'name="{evil}", version="{evil}"')
    elif word == "END": break
    elif word in ("BEGIN", "TURN") or word == "DONE":
        if "play" in sys.argv: write(1, evil); sys.exit(3)
        write(1, evil)
"""


@pytest.fixture
def engine(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    return lambda *words: shlex.join([sys.executable, "-I", "-S", str(script), *words])


@pytest.mark.parametrize("where", ["start", "play"])
def test_the_words_of_an_engine_reach_no_sink_of_match(run, tmp_path, engine, where):
    out, log, page = (tmp_path / name for name in ("m.jsonl", "m.log", "m.html"))
    text = run(
        *("match", "--openings", "none", "--games", "2", "--time", "1", "--out", out),
        *("--engine", f"x={engine(where)}", "--engine", f"y={engine(where)}"),
        *("--log", log, "--html", page),
    )
    assert_clean(text)
    if where == "play":
        assert_clean(log.read_text("utf-8"))
        assert "\\x1b" in (data := page.read_text("utf-8"))
        assert data.replace("\n", "").isprintable()
        assert "<img" not in data


def test_the_words_of_an_engine_reach_no_sink_of_doctor(run, engine):
    assert_clean(run("doctor", "--quick", "--engine", engine("start")))


def match_of(path):
    players = tuple(
        MatchPlayer(EngineSpec(name, ("x", EVIL)), PlayerLimits(nodes=9))
        for name in (FORGED, EVIL)
    )
    settings = MatchSettings(players, openings=(Opening((), "none"),))
    match = Match(settings, GameFile(path, settings), 1)
    match.games.records.append(RECORD)
    match.standings.add(RECORD)
    return match


def test_the_names_of_a_match_reach_no_page_and_no_report(tmp_path):
    match = match_of(tmp_path / "m.jsonl")
    assert_clean(report(match))
    assert_clean(game_line(match, RECORD), lines=False)
    page = html_report(match)
    assert_clean(page)
    assert "<img" not in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert_clean(data["games"][0]["b"], lines=False)
    assert_clean(data["games"][0]["d"], lines=False)


def test_the_lines_of_an_engine_reach_no_log(tmp_path):
    match = match_of(tmp_path / "m.jsonl")

    def play(log):
        log(FORGED, f"< {FORGED}")
        return RECORD

    with GameLog(tmp_path / "log") as log:
        log.play(match.tasks[0], play)
    assert_clean((tmp_path / "log").read_text("utf-8"))


def test_json_lines_and_bytes_pass_unchanged(capsysbinary):
    line = json.dumps({"name": EVIL})
    with clean_streams():
        print(line)
        sys.stdout.buffer.write(b"\x1b")
        print("\r", end="", file=unfiltered(sys.stderr), flush=True)
        sys.stdout.flush()
        print(EVIL, file=sys.stderr, flush=True)
    out, err = capsysbinary.readouterr()
    assert sorted(out) == sorted(line.encode() + os.linesep.encode() + b"\x1b")
    assert err.startswith(b"\rA\\x1b")


def test_the_brain_repeats_only_ascii(tmp_path):
    reply = unknown_reply(EVIL)
    assert_clean(reply, lines=False)
    assert reply.isascii()
    (tmp_path / "x.ini").write_text(EVIL, "utf-8")
    fault = from_file(str(tmp_path / "x.ini")).fault
    assert_clean(fault, lines=False)
    assert fault.isascii()


def test_no_module_bypasses_the_clean_streams_and_labels():
    package = Path(command_line.__file__).parent
    for path in package.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "sys.__std" not in text, path
        labels = re.findall(r"(?<!class Label\()\bQLabel\(", text)
        assert not labels, f"{path}: use gui.base.labels.Label"


# ----- The refusals of readers -----


@pytest.mark.parametrize(
    "text",
    [
        "q" * 9999,
        f"(;GM[4]SZ[15];B[{'z' * 9999}])",
        f"(;GM[4]SZ[{'9' * 9999}];B[hh])",
        f"Piskvorky 15x15, 0:0, 0\n{'9' * 9999},8,0\n",
        json.dumps({"moves": "h8", "rule": "z" * 9999}),
        json.dumps({"moves": "h8", "rule": [1] * 9999}),
        json.dumps({"moves": "z" * 9999}),
        json.dumps({"black": ["z" * 9999], "white": []}),
        '[Black "x"]\n\n1. ' + "h" * 9999,
        "15\n15\n1\n" + "7" * 9999,
        "START " + "9" * 9999 + "\nBOARD\nDONE\n",
    ],
    ids=lambda text: text[:20],
)
def test_a_refusal_quotes_little(text):
    with pytest.raises(ReadError) as caught:
        parse_games(text)
    assert len(str(caught.value)) <= 300
    assert str(caught.value).isprintable()


def test_a_refused_certificate_is_quoted_shortly(run, tmp_path):
    path = tmp_path / "x.proof"
    path.write_text(json.dumps({"certificate": EVIL * 999}) + "\n")
    for words in ((), ("--json",)):
        text = run("prove", "--check", path, *words)
        assert "a certificate of format" in text
        assert printable(text)
        assert len(text) < 700


def test_a_brief_message_is_made_in_little_time():
    start = time.process_time()
    for text in ("\\'" * 4_000_000, "'" * 9_999_999, "\x1b" * 9_999_999):
        assert len(brief(text)) == MAX_REFUSAL
    assert time.process_time() - start < 2


def test_an_answer_of_the_service_quotes_little():
    lines = []
    service = Service(lines.append, hash_mb=1)
    service.take(json.dumps({"id": 1, "moves": "h8", FORGED * 999: 1}))
    service.take(json.dumps({"cancel": FORGED * 999}))
    service.close()
    assert len(lines) == 2
    for message in (json.loads(line)["message"] for line in lines):
        assert_clean(message, lines=False)
        assert len(message) <= 300


# ----- The board -----


@pytest.fixture(scope="module")
def qt():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    widgets = pytest.importorskip("PySide6.QtWidgets")
    return widgets.QApplication.instance() or widgets.QApplication(["tests"])


def rich(text):
    """The text of a tool tip, as Qt shows it; it has no picture and no bold word."""
    from PySide6.QtGui import QTextDocument

    document = QTextDocument()
    document.setHtml(text)
    assert "<img" not in document.toHtml()
    return document.toPlainText()


def assert_plain(label):
    from PySide6.QtCore import Qt

    assert label.textFormat() == Qt.TextFormat.PlainText
    assert_clean(label.text())


def test_labels_and_cards_show_plain_text(qt):
    from gomoku_brain.game.rules import Side
    from gomoku_brain.gui.base.labels import Label
    from gomoku_brain.gui.base.messages import MessageBar
    from gomoku_brain.gui.board.player_card import PlayerCard

    label = Label(EVIL)
    assert_plain(label)
    assert TAGS in label.text()
    card = PlayerCard(Side.BLACK)
    card.show_player(EVIL, EVIL, True)
    for each in (card.name, card.state):
        assert_plain(each)
    assert_clean(rich(card.name.toolTip()))
    assert_clean(card.accessibleName())
    bar = MessageBar()
    bar.show_message(EVIL)
    assert_plain(bar.text)
    bar.set_head(EVIL)
    assert_plain(bar.head)


def test_message_boxes_show_plain_text(qt):
    from PySide6.QtWidgets import QLabel, QWidget

    from gomoku_brain.gui.base.messages import show_warning

    parent = QWidget()
    box = show_warning(parent, "title", EVIL, EVIL)
    for name in ("qt_msgbox_label", "qt_msgbox_informativelabel"):
        assert_plain(box.findChild(QLabel, name))
    box.close()


def test_the_lists_of_tournaments_and_games_show_plain_text(qt, tmp_path):
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    from gomoku_brain.gui.archive.archive_dialog import _Games
    from gomoku_brain.gui.base.background import LineBuffer
    from gomoku_brain.gui.base.themes import LIGHT
    from gomoku_brain.gui.model.archive import Row
    from gomoku_brain.gui.tournament.tournament_window import TournamentWindow
    from gomoku_brain.gui.window.engine_log import EngineLog

    match = match_of(tmp_path / "m.jsonl")
    window = TournamentWindow((), tmp_path, LIGHT)
    window._list(RECORD)
    window._fill(match.standings)
    item = window.games.item(0)
    assert_clean(item.text(), lines=False)
    assert_clean(rich(item.toolTip()))
    assert_clean(window.table.verticalHeaderItem(0).text(), lines=False)
    assert_clean(window.table.horizontalHeaderItem(3).text(), lines=False)
    parent = QWidget()
    games = _Games([""] * 6, "", parent)
    games.show_rows([Row(1, "", "", "renju", 15, 15, EVIL, EVIL, "*", "", 0)])
    index = games.index(0, 1)
    assert_clean(games.data(index), lines=False)
    assert_clean(rich(games.data(index, Qt.ItemDataRole.ToolTipRole)))
    buffer = LineBuffer()
    log = EngineLog(buffer)
    buffer.writer("x")(EVIL)
    log.fetch()
    assert_clean(log.text.toPlainText())
