"""The report for a browser: whole, by itself, and safe against names."""

import json
import re
from html.parser import HTMLParser

import pytest

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.match.html_report import html_report, llr_curve
from gomoku_brain.match.referee import Adjudication
from gomoku_brain.match.stats import Sprt
from gomoku_brain.match.tournament import GameFile, Match, MatchPlayer, MatchSettings
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.openings import Opening

VOID = {"meta", "input", "br", "link"}


class Reader(HTMLParser):
    """Notes texts and attributes, and that every tag is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href")]

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def play(task, stop):
    """The stronger one wins but for the games of the second opening."""
    strong = task.black.name == "</script><b>"
    result = "1/2-1/2" if task.extra["pair"] == "2" else "1-0" if strong else "0-1"
    number = int(task.extra["pair"])
    cells = parse_moves(f"h8 {chr(96 + number)}1 {'a' if strong else 'b'}{number + 3}")
    moves = (
        PlayedMove(cells[0], by_opening=True),
        PlayedMove(cells[1], seconds=0.5, score=-12, depth=7),
        PlayedMove(cells[2], win_in=3, comment="<i>sure</i>"),
    )
    names = task.black.name, task.white.name
    return GameRecord(task.rule, 15, 15, *names, moves, result, "five", id=task.id)


def match_of(path, names=("</script><b>", "weak"), pairs=12, **more):
    settings = MatchSettings(
        tuple(
            MatchPlayer(EngineSpec(n, ("x", "y&z")), PlayerLimits(nodes=9))
            for n in names
        ),
        openings=tuple(Opening((), f"book:{n}") for n in range(pairs)),
        **more,
    )
    sprt = Sprt(0, 200) if len(names) == 2 else None
    with GameFile(path, settings, version="7") as games:
        match = Match(settings, games, pairs, sprt)
        if pairs:
            games.start()
            match.run(play)
    return match


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_holds_all_and_needs_nothing(tmp_path):
    agreed = Adjudication(win_score=500, draw_score=5)
    match = match_of(tmp_path / "g.jsonl", adjudication=agreed)
    page = html_report(match)
    reader = read(page)
    assert reader.links == []
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    text = " ".join(" ".join(reader.texts).split())
    for words in (
        "</script><b> - weak",
        f"{len(match.games.records)} of 24 games",
        "against",
        "SPRT [0, 200] logistic Elo",
        "won at 500, 3 moves of both in a row",
        "drawn within 5, 8 moves of both in a row, from 40 stones on",
        "x y&z; 9 nodes",
    ):
        assert words in text
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert len(data["games"]) == len(match.games.records)
    first = data["games"][0]
    assert (first["b"], first["o"]) == ("</script><b>", 1)
    assert first["m"] == [[7, 7], [0, 0], [0, 3]]
    texts = ["", "score -12, depth 7, 0.50 s", "wins in 2 moves, <i>sure</i>"]
    assert first["t"] == texts
    assert page.count("<tr><td>1-2.") == len(match.games.records)


def test_many_engines_have_a_crosstable_and_no_curve(tmp_path):
    match = match_of(tmp_path / "g.jsonl", ("a", "b", "c"), pairs=4)
    match.standings.anchor = ("b", 1500.0)
    page = html_report(match)
    text = " ".join(" ".join(read(page).texts).split())
    assert "SPRT" not in text
    assert "Elo as compared with b, who has 1500" in text
    assert page.count('<td class="self">') == 3


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c")])
def test_before_the_first_game_there_is_a_page(tmp_path, names):
    page = html_report(match_of(tmp_path / "g.jsonl", names, pairs=0))
    assert "no game yet" in " ".join(read(page).texts)


def test_the_curve_ends_where_the_test_stands(tmp_path):
    match = match_of(tmp_path / "g.jsonl")
    curve = llr_curve(match)
    assert curve[0] == (0, 0.0)
    assert curve[-1] == (match.standings.encounters[0].pairs.pairs, match.llr)
    assert [pairs for pairs, _ in curve] == list(range(len(curve)))
    short = llr_curve(match, 3)
    assert len(short) <= 4
    assert (short[0], short[-1]) == (curve[0], curve[-1])
