"""A checked proof as the brain plays from it: the file, and games against it."""

import json
import random
import threading
from zlib import crc32

import pytest

from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs import book as book_module
from gomoku_brain.proofs import proved
from gomoku_brain.proofs.book import INDEX_BYTES, BookError, ProofBook, make_book
from gomoku_brain.proofs.certificate import Certificate, Entry
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.proofs.proved import book_for
from gomoku_brain.protocol.session import Session
from tests.prove.conftest import MOVES, checked_proof


@pytest.fixture(scope="module")
def longest():
    """The longest win from each entry on, of one check: another may differ."""
    report, _ = checked_proof()
    return report.longest


@pytest.fixture(scope="module")
def book_data(small, longest):
    return make_book(small.certificate, longest)


@pytest.fixture
def in_package(book_data, monkeypatch):
    """The package's data hold the proof of the test."""

    def read(name):
        if name != "proof-freestyle15.bin":
            raise FileNotFoundError(name)
        return book_data

    monkeypatch.setattr(proved, "read_data", read)
    monkeypatch.setattr(proved, "_books", {})


@pytest.mark.parametrize(
    "images", [1, pytest.param(8, marks=pytest.mark.slow("all images", ci=True))]
)
def test_every_entry_and_its_images_are_found(small, longest, book_data, images):
    """Each entry in another of its images, or in all of them."""
    book = ProofBook(book_data)
    grid = Grid(15, 15)
    entries = zip(small.certificate.entries, longest, strict=True)
    for number, (entry, plies) in enumerate(entries):
        for k in range(number % 8, number % 8 + images):
            k %= 8
            found = book.find(
                grid.turned(entry.attacker, k), grid.turned(entry.defender, k)
            )
            assert found.plies == plies
            assert (
                grid.canonical(
                    grid.turned(entry.attacker, k) | 1 << found.cell,
                    grid.turned(entry.defender, k),
                )[:2]
                == grid.canonical(entry.attacker | 1 << entry.move, entry.defender)[:2]
            )
    assert longest[0] == max(longest)
    assert len(book) == len(longest)
    assert book.start == small.certificate.start
    assert book.move == small.certificate.entries[0].move
    assert book.open == 0
    assert book.find(0, 0) is None
    assert book.find(1, 2) is None


@pytest.mark.parametrize(
    ("width", "height", "record_bytes"),
    [(7, 12, 6), (15, 15, 6), (16, 16, 7), (12, 22, 7), (20, 20, 7), (22, 22, 7)],
)
def test_cells_of_every_board_are_kept(width, height, record_bytes):
    """Thirteen bits are enough for 35 turns on 15x15, and not for them on 16x16."""
    grid = Grid(width, height)
    rng = random.Random(width)
    cells = list(grid.cells())
    entries, seen = [], set()
    for move in cells:
        others = rng.sample([cell for cell in cells if cell != move], 5)
        attacker, defender = (
            sum(1 << cell for cell in part) for part in (others[:2], others[2:])
        )
        position = grid.canonical(attacker, defender)[:2]
        if position not in seen:
            seen.add(position)
            entries.append(Entry(attacker, defender, move, ()))
    certificate = Certificate(
        "freestyle", width, height, "black", (0, 0), tuple(entries), "test", ""
    )
    data = make_book(
        certificate, [max(0, 2 * (k % 36) - 1) for k in range(len(entries))]
    )
    assert len(data) == data.index(b"\n") + 1 + INDEX_BYTES + record_bytes * len(
        entries
    )
    book = ProofBook(data)
    assert len(book) == len(entries)
    for k, entry in enumerate(entries):
        found = book.find(entry.attacker, entry.defender)
        assert found.plies == max(0, 2 * (k % 36) - 1)
        images = [
            grid.turned(1 << entry.move, turn)
            for turn in range(len(grid.images))
            if grid.turned(entry.attacker, turn) == entry.attacker
            and grid.turned(entry.defender, turn) == entry.defender
        ]
        assert 1 << found.cell in images


@pytest.mark.parametrize("size", [15, 20])
def test_a_book_without_positions_knows_none(size):
    """A first position that is won by threats has no entry."""
    empty = Certificate("freestyle", size, size, "black", (3, 0), (), "test", "")
    book = ProofBook(make_book(empty, []))
    assert len(book) == 0
    assert book.move is None
    assert book.find(3, 0) is None


def test_keys_that_differ_in_their_high_bits_are_distinguished(monkeypatch):
    """A record holds the low bits only; the others say where in the book it stands."""
    monkeypatch.setattr(book_module, "_key", lambda first, second: first << 34)
    certificate = Certificate(
        "freestyle", 15, 15, "black", (2, 0), (Entry(2, 0, 5, ()),), "test", ""
    )
    book = ProofBook(make_book(certificate, [9]))
    grid = book.grid
    attacker = grid.canonical(2, 0)[0]
    assert book.find(attacker, 0).plies == 9
    for other in (attacker - 2, attacker + 2, attacker + 4):
        monkeypatch.setattr(book_module, "_key", lambda *_, k=other: k << 34)
        assert book.find(attacker, 0) is None


def test_positions_with_the_same_key_make_no_book(monkeypatch):
    cells = list(Grid(15, 15).cells())[:100]
    entries = tuple(
        Entry(1 << a, 1 << b, cells[-1], ()) for a in cells[:20] for b in cells[20:40]
    )
    certificate = Certificate("freestyle", 15, 15, "black", (0, 0), entries, "test", "")
    monkeypatch.setattr(book_module, "_key", lambda *_: 7)
    with pytest.raises(BookError, match="the same key"):
        make_book(certificate, [1] * len(entries))
    keys = iter(range(len(entries)))
    monkeypatch.setattr(book_module, "_key", lambda *_: next(keys))
    with pytest.raises(BookError, match="the same high bits"):
        make_book(certificate, [1] * len(entries))


def test_a_book_that_cannot_be_read_is_tried_once(monkeypatch):
    tried = []

    def read(name):
        tried.append(name)
        raise MemoryError

    monkeypatch.setattr(proved, "read_data", read)
    monkeypatch.setattr(proved, "_books", {})
    talk = Session()
    start_with(talk)
    board = Board.from_moves(MOVES)
    for _ in range(2):
        move, _ = answer(talk, board, Side.BLACK)
        assert board.is_legal(move)
    assert tried == ["proof-freestyle15.bin"]


def test_a_book_is_opened_for_its_winner_alone(monkeypatch):
    shipped = [book_for(Rule[name], 15, 15) for name in ("FREESTYLE", "STANDARD")]
    assert {book.winner for book in shipped} == {proved.PACKAGE_WINNER.name.lower()}
    monkeypatch.setattr(proved, "_books", {})
    proofs = proved.ProvedMoves()
    assert proofs.find(Board.from_moves("h8")) is None
    assert not proved._books
    proofs.find(Board.from_moves("h8 a1"))
    assert proved._books


def test_a_caller_gets_a_book_that_is_being_opened(book_data, monkeypatch):
    """The window asks from two threads."""
    opening, requested = threading.Event(), threading.Event()

    def read(name):
        opening.set()
        requested.wait(10)
        return book_data

    monkeypatch.setattr(proved, "read_data", read)
    monkeypatch.setattr(proved, "_books", {})
    found = []
    first = threading.Thread(
        target=lambda: found.append(proved.book_for(Rule.FREESTYLE, 15, 15))
    )
    first.start()
    assert opening.wait(10)
    monkeypatch.setattr(proved, "read_data", lambda name: book_data)
    found.append(proved.book_for(Rule.FREESTYLE, 15, 15))
    requested.set()
    first.join()
    assert len(found) == 2
    assert None not in found


def test_a_damaged_book_is_refused_wherever_the_damage_is(book_data, monkeypatch):
    """The brain then plays on without it, as if there were none."""
    rng = random.Random(3)
    places = [
        *range(book_data.index(b"\n") + 1),
        *rng.sample(range(len(book_data)), 300),
    ]
    for place in places:
        damaged = bytearray(book_data)
        damaged[place] ^= 1 << rng.randrange(8)
        with pytest.raises(BookError):
            ProofBook(bytes(damaged))
    damaged = book_data.replace(b'"height": 15', b'"height": 10')
    monkeypatch.setattr(proved, "read_data", lambda name: damaged)
    monkeypatch.setattr(proved, "_books", {})
    assert proved.book_for(Rule.FREESTYLE, 15, 15) is None


def test_a_book_under_the_name_of_another_is_not_used(book_data, monkeypatch):
    monkeypatch.setattr(proved, "read_data", lambda name: book_data)
    monkeypatch.setattr(proved, "_books", {})
    assert proved.book_for(Rule.STANDARD, 15, 15) is None
    assert proved.book_for(Rule.FREESTYLE, 16, 16) is None
    assert proved.book_for(Rule.FREESTYLE, 15, 15) is not None


@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: b"{}\n", lambda b: b""])
def test_what_is_no_book_is_refused(book_data, change):
    with pytest.raises(BookError, match="book of a proof"):
        ProofBook(change(book_data))


@pytest.mark.parametrize(
    "change",
    [
        {"rule": "caro4"},
        {"rule": "FREESTYLE"},
        {"rule": ["freestyle"]},
        {"winner": "red"},
        {"winner": None},
        {"width": 2},
        {"width": float("inf")},
        {"height": "x"},
        {"entries": -1},
        {"entries": 5},
        {"record_bytes": 9},
        {"start": ["h8"]},
        {"start": [["h8"], ["h8"]]},
        {"start": [["h8"], ["i9"]], "move": "i9"},
        {"start": [["h8"], ["i9"]], "move": "a1", "open": ["h8"]},
        {"start": [["h8"], ["i9"]], "move": "a1", "open": ["a1"]},
        {"rule": "renju"},
        {"move": "z99"},
        {"open": 7},
        {"proof_book": True},
    ],
    ids=str,
)
def test_a_book_with_impossible_content_is_refused(book_data, change):
    """Its checksum is right: another program made it."""
    line, _, body = book_data.partition(b"\n")
    header = json.loads(line) | change
    del header["crc32"]
    expected = json.dumps(header, sort_keys=True).encode() + b"\n"
    header["crc32"] = crc32(body, crc32(expected))
    with pytest.raises(BookError, match="not a book of a proof"):
        ProofBook(json.dumps(header, sort_keys=True).encode() + b"\n" + body)


def test_a_book_of_another_version_is_recognised(book_data):
    old = book_data.replace(b'"proof_book": 4', b'"proof_book": 1')
    assert old != book_data
    with pytest.raises(BookError, match="another version: make it again"):
        ProofBook(old)


def start_with(talk, *more):
    for line in ("START 15", "INFO timeout_turn 2000", *more):
        list(talk.handle(line))


def board_lines(board, side):
    yield "BOARD"
    for move in board.moves:
        yield f"{move.x},{move.y},{1 if board.stone(move) == side else 2}"
    yield "DONE"


def answer(talk, board, side):
    """The brain's move in a position, and what it says."""
    *expected, move = [
        r for line in board_lines(board, side) for r in talk.handle(line)
    ]
    x, y = move.split(",")
    return Move(int(x), int(y)), expected


@pytest.mark.usefixtures("in_package")
def test_the_brain_never_leaves_the_proof_and_wins():
    rng = random.Random(5)
    for _ in range(4):
        talk = Session()
        start_with(talk)
        board = Board.from_moves(MOVES)
        distance = 1000
        while True:
            move, expected = answer(talk, board, Side.BLACK)
            board.play(move)
            words = next(line for line in expected if line.startswith("MESSAGE proved"))
            plies = int(words.split()[-2])
            assert plies <= distance
            distance = plies - 2
            if board.winner is not None:
                break
            replies = board.legal_moves()
            board.turn = Side.BLACK
            fives = [move for move in replies if board.wins_at(move)]
            board.turn = Side.WHITE
            near = [
                move
                for move in replies
                if any(
                    max(abs(move.x - m.x), abs(move.y - m.y)) < 3 for m in board.moves
                )
            ]
            board.play(rng.choice(fives or near))
            assert board.winner is None
        assert board.winner == Side.BLACK


@pytest.mark.usefixtures("in_package")
def test_a_win_that_is_left_to_the_solver_is_played_in_every_image(small):
    """The solver looks at the canonical image; its moves are turned back."""
    entry = small.certificate.entries[0]
    grid = Grid(15, 15)
    listed = dict(entry.replies)
    taken = entry.attacker | entry.defender | 1 << entry.move
    reply = next(c for c in grid.cells() if not taken >> c & 1 and c not in listed)
    nodes, moves = set(), set()
    with Engine(hash_mb=1) as engine:
        for image in range(8):
            black, white = (
                [
                    Move(grid.images[image][c] % 16, grid.images[image][c] // 16)
                    for c in bits_of(stones)
                ]
                for stones in (entry.attacker, entry.defender)
            )
            board = Board.from_stones(black, white, turn=Side.BLACK)
            for cell in (entry.move, reply):
                turned = grid.images[image][cell]
                board.play(Move(turned % 16, turned // 16))
            found = proved.ProvedMoves().follow(engine, board, None)
            assert found is not None
            nodes.add(found.nodes)
            back = grid.images[grid.inverse[image]]
            moves.add(back[found.move.y * 16 + found.move.x])
            for move in found.pv:
                board.play(move)
            assert board.winner is Side.BLACK
    assert len(nodes) == 1
    assert len(moves) == 1


@pytest.mark.usefixtures("in_package")
def test_a_win_that_was_found_is_followed_without_a_search(small):
    """What the solver proved once it may not find again from an empty table."""
    grid = Grid(15, 15)
    entry = small.certificate.entries[0]
    board = Board.from_stones(
        *(
            [Move(c % 16, c // 16) for c in bits_of(stones)]
            for stones in (entry.attacker, entry.defender)
        ),
        turn=Side.BLACK,
    )
    listed = dict(entry.replies)
    taken = entry.attacker | entry.defender | 1 << entry.move
    reply = next(c for c in grid.cells() if not taken >> c & 1 and c not in listed)
    for cell in (entry.move, reply):
        board.play(Move(cell % 16, cell // 16))
    proofs = proved.ProvedMoves()
    with Engine(hash_mb=1) as engine:
        first = proofs.follow(engine, board, None)
        assert first.nodes > 0
        board.play(first.pv[0])
        board.play(first.pv[1])
        second = proofs.follow(engine, board, None)
        assert second.nodes == 0
        assert second.pv == first.pv[2:]
        assert second.win_in == first.win_in - 2


@pytest.mark.usefixtures("in_package")
@pytest.mark.parametrize(
    "lines",
    [["INFO proof 0"], ["INFO strength 50"], ["INFO rule 1"]],
    ids=lambda x: x[0],
)
def test_the_proof_is_left_out(lines):
    talk = Session()
    start_with(talk, "INFO max_node 200", *lines)
    _, expected = answer(talk, Board.from_moves(MOVES), Side.BLACK)
    assert not [line for line in expected if "proved" in line]


@pytest.mark.usefixtures("in_package")
def test_the_other_side_has_no_proof():
    board = Board.from_moves(MOVES)
    assert proved.ProvedMoves().find(board).win_in > 9
    other = Board.from_stones(
        [m for m in board.moves if board.stone(m) == Side.WHITE],
        [m for m in board.moves if board.stone(m) == Side.BLACK],
        turn=Side.WHITE,
    )
    assert proved.ProvedMoves().find(other) is None
    walled = Board.from_stones(
        [parse_move("h8"), parse_move("i9")],
        [parse_move("h9"), parse_move("h10")],
        [parse_move("a1")],
        turn=Side.BLACK,
    )
    assert proved.ProvedMoves().find(walled) is None
    assert proved.ProvedMoves().find(Board(15, Rule.RENJU)) is None
    assert proved.ProvedMoves().find(Board((15, 14))) is None
