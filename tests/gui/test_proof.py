"""A proof in the window: shown position by position, opened, played against."""

import pytest

from gomoku_brain.control.limits import FULL_STRENGTH, PlayerLimits
from gomoku_brain.game.notation import parse_move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base.words import moves_text, win_length
from gomoku_brain.gui.model.game_players import BrainPlayer, PlayerRequest
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.proofs import proved
from gomoku_brain.proofs.book import ProofBook, make_book
from gomoku_brain.proofs.certificate import decode, encode, read
from gomoku_brain.proofs.grid import Grid
from gomoku_brain.prove.full_check import Findings, check
from gomoku_brain.records.game import Game
from gomoku_brain.study.known_proofs import (
    KnownProofs,
    Proof,
    ProofError,
    read_proof,
)
from tests.gui.players import EASY, HUMAN

GRID = Grid(15, 15)
THREATS = "h8 a1 h9 a15 i8 o8 g9"  # black is to win by threats wherever white moves now


def stones(text):
    return sum(1 << GRID.cell(name) for name in text.split())


def board_of(moves):
    board = Board(15)
    for move in parse_moves(moves):
        board.play(move)
    return board


@pytest.fixture(scope="module")
def certificate_data():
    """From h8 a1 h9 a15 i8 o8 on; the reply o15 to g9 is written down, o1 is open."""
    start = stones("h8 h9 i8"), stones("a1 a15 o8")
    after = start[0] | stones("g9"), start[1] | stones("o15")
    first, turned = GRID.canonical(*start)[:2], GRID.canonical(*start)[2]
    second, turned_2 = GRID.canonical(*after)[:2], GRID.canonical(*after)[2]

    def seen(cell, symmetry):
        return GRID.images[symmetry][GRID.cell(cell)]

    book = {
        first: (seen("g9", turned), (seen("o15", turned),)),
        second: (seen("i7", turned_2), ()),
    }
    return encode("freestyle", GRID, "black", start, book, "a test", stones("o1"))


@pytest.fixture(scope="module")
def report(certificate_data):
    return check(decode(certificate_data))


@pytest.fixture
def proof(certificate_data, report):
    book = make_book(decode(certificate_data), report.longest)
    return Proof(ProofBook(book), "a.bin")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """The package holds no proof."""
    monkeypatch.setattr(proved, "_books", {(Rule.FREESTYLE, 15, 15): None})


@pytest.fixture
def window(qt, settings):
    settings.game = GameChoice(black=HUMAN, white=EASY)
    made = Window(settings)
    made.show()
    yield made
    made.study.analyst.rest()
    made.play.close()


def study(window, moves):
    window.tabs.setCurrentWidget(window.proof_panel)
    window.games.show_game(GameTree(Game(moves=moves)))
    window.play.look_at(window.play.tree.line()[-1])


def test_a_proof_says_what_it_knows_of_each_position(proof):
    start = proof.lookup(board_of("h8 a1 h9 a15 i8 o8"))
    assert start.kind == "open"
    assert start.move == parse_move("g9")
    assert [reply.move for reply in start.replies] == [parse_move("o15")]
    after = proof.lookup(board_of(THREATS))
    assert after.kind == "open"
    assert after.replies == start.replies
    known = proof.lookup(board_of(THREATS + " o15"))
    assert known.kind == "move"
    assert known.move == parse_move("i7") == start.replies[0].answer
    assert known.plies == start.replies[0].plies > 0
    answered = proof.lookup(board_of(THREATS + " o15 i7"))
    assert answered.kind == "replies"
    assert answered.plies == known.plies - 1
    assert proof.lookup(board_of(THREATS + " o15 i7 o14")).kind == "threats"
    assert proof.lookup(board_of(THREATS + " o1")).kind == "open"
    assert proof.lookup(board_of("h8 h9")).kind == ""
    assert not proof.is_whole


def test_files_are_read_and_what_is_not_checked_says_so(
    certificate_data, report, tmp_path
):
    path = tmp_path / "a.proof"
    path.write_bytes(certificate_data)
    unchecked = read_proof(path)
    assert not unchecked.checked
    assert unchecked.lookup(board_of(THREATS + " o15")).plies == 0
    certificate = read(path)
    with Findings(tmp_path / "a.proof.check", certificate) as journal:
        check(certificate, journal, only=[0])
    assert not read_proof(path).checked
    with Findings(tmp_path / "a.proof.check", certificate) as journal:
        check(certificate, journal)
    checked = read_proof(path)
    assert checked.checked
    assert checked.lookup(board_of(THREATS + " o15")).plies == report.longest[1]
    book = tmp_path / "a.bin"
    book.write_bytes(make_book(certificate, report.longest))
    assert read_proof(book).checked
    for bad in (b"", b"{}\n", certificate_data[:-4], book.read_bytes()[:-4]):
        path.write_bytes(bad)
        with pytest.raises(ProofError):
            read_proof(path)


def test_the_panel_shows_move_distance_and_replies(window, proof):
    panel = window.proof_panel
    study(window, "h8 a1 h9 a15 i8 o8")
    assert "There is no proof" in panel.state.text()
    assert not panel.play_button.isEnabled()
    window.play.proofs.add(proof)
    study(window, "h8 a1 h9 a15 i8 o8 g9 o15")
    shown = proof.lookup(window.play.tree.board)
    text = f"Proved: Black wins in {moves_text(shown.plies)} with i7."
    assert panel.state.text() == text
    assert window.board.scene.hint == parse_move("i7")
    window.step(-1)
    assert "Open replies: 1." in panel.state.text()
    assert panel.table.topLevelItemCount() == 1
    row = panel.table.topLevelItem(0)
    assert [row.text(k) for k in range(3)] == [
        "o15",
        "i7",
        str(win_length(shown.plies)),
    ]
    panel.table.setCurrentItem(row)
    assert window.board.scene.line == (parse_move("o15"), parse_move("i7"))
    panel.table.itemActivated.emit(row, 0)
    assert panel.state.text() == text
    window.tabs.setCurrentWidget(window.moves)
    assert window.board.scene.hint is None


def test_a_certificate_is_opened_and_a_broken_one_changes_nothing(
    window, certificate_data, tmp_path, until
):
    window.tabs.setCurrentWidget(window.proof_panel)
    path = tmp_path / "a.proof"
    path.write_bytes(certificate_data[:-4])
    window.proofs.open_file(path)
    until(lambda: window.bar.isVisible())
    assert "a.proof cannot be opened: cut off" in window.bar.text.text()
    assert "There is no proof" in window.proof_panel.state.text()
    path.write_bytes(certificate_data)
    study(window, THREATS + " o15")
    window.proofs.open_file(path)
    until(lambda: "It contains i7." in window.proof_panel.state.text())
    assert "nothing is proved" in window.proof_panel.state.text()
    assert not window.proof_panel.play_button.isEnabled()


def test_without_a_proof_the_menu_entry_says_what_is_missing(window):
    window.actions_["proof_game"].trigger()
    assert "There is no proof to play against" in window.bar.text.text()
    assert len(window.bar.buttons) == 2


def test_who_plays_against_the_proof_loses_and_the_record_is_kept(
    window, proof, until, monkeypatch
):
    monkeypatch.setattr(window.proofs, "_counts", lambda proof: True)
    window.play.proofs.add(proof)
    study(window, "h8 a1 h9 a15 i8 o8")
    window.proof_panel.play_button.click()
    assert "How long can you hold out?" in window.bar.text.text()
    play = window.play
    assert play.tree.turn is Side.WHITE
    assert play.slots[Side.WHITE].kind == "human"

    def lose(first):
        play.place(parse_move(first))
        for _ in range(60):
            until(lambda: play.ending is not None or play.waits_for_person)
            if play.ending is not None:
                return
            board = play.tree.board
            free = [
                m
                for m in parse_moves("b15 d15 f15 h15 j15 l15 n15 b13 d13 f13 h13 j13")
            ]
            play.place(next(move for move in free if board.is_empty(move)))

    lose("o15")
    assert play.ending.winner is Side.BLACK
    stones_then = play.tree.board.ply
    assert window.results.record.held_out == stones_then
    assert window.bar.text.text() == (
        f"You held out for {stones_then} stones: your record."
    )
    window.bar.buttons[0].click()
    assert f"Your record: {stones_then} stones." in window.bar.text.text()
    lose("o1")
    assert "your reply is open" in window.bar.text.text()
    assert window.results.record.held_out == stones_then


def test_the_brain_plays_from_an_opened_proof_at_full_strength_only(
    proof, certificate_data
):
    board = board_of(THREATS + " o15")
    control = PlayerLimits(0.2)
    proofs = KnownProofs()

    def nodes(strength=FULL_STRENGTH):
        brain = BrainPlayer("brain", strength, control, hash_mb=4, books=proofs.book_of)
        played = brain.choose(board, None, PlayerRequest())
        assert played.nodes or played.move == parse_move("i7")
        return played.nodes

    assert nodes() != 0
    proofs.add(Proof(proof.book, "a.proof", checked=False))
    assert nodes() != 0
    proofs.add(proof)
    assert nodes() == 0
    assert nodes(FULL_STRENGTH - 1) != 0


def test_a_proof_of_the_package_is_known(proof, monkeypatch, certificate_data, report):
    data = make_book(decode(certificate_data), report.longest)
    monkeypatch.setattr(proved, "_books", {})
    monkeypatch.setattr(proved, "read_data", lambda name: data)
    proofs = KnownProofs()
    found = proofs.find_for(Board(15))
    assert found.name == ""
    assert found.checked
    assert proofs.find_for(Board(15)) is found
