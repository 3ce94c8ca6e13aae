"""The file format, and what becomes of damaged files."""

import json
import random
import zlib

import pytest

from gomoku_brain.proofs.certificate import CertificateError, decode, encode
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.prove.full_check import (
    LAST_FACTOR,
    Refused,
    check,
    check_entries,
)
from gomoku_brain.prove.solver_hints import LEAF_NODES, SolverHints
from tests.prove.conftest import PROBLEM
from tests.sampled import sampled


def rewritten(data, body, **changes):
    """A file with another body or first line, and a checksum that fits."""
    from gomoku_brain.proofs import certificate

    header = json.loads(data.partition(b"\n")[0])
    header.pop("sha256")
    header |= changes
    digest = certificate.hashlib.sha256(certificate._line(header) + body).hexdigest()
    return certificate._line({**header, "sha256": digest}) + zlib.compress(body)


def body_of(data):
    return zlib.decompress(data.partition(b"\n")[2])


def test_what_is_written_is_read(small):
    certificate = small.certificate
    grid = Grid(15, 15)
    assert certificate.rule == "freestyle"
    assert certificate.winner == "black"
    assert grid.names(certificate.start[0]) == ["h8", "i9"]
    assert grid.names(certificate.start[1]) == ["h9", "h10"]
    assert certificate.maker == "a test"
    found = {}
    for entry in certificate.entries:
        first, second, turn = grid.canonical(entry.attacker, entry.defender)
        image = grid.images[turn]
        replies = tuple(sorted(image[reply] for reply, _ in entry.replies))
        found[first, second] = (image[entry.move], replies)
        for reply, number in entry.replies:
            after = certificate.entries[number]
            assert (
                grid.canonical(after.attacker, after.defender)[:2]
                == (
                    grid.canonical(
                        entry.attacker | 1 << entry.move, entry.defender | 1 << reply
                    )[:2]
                )
            )
    expected = {key: (move, tuple(sorted(r))) for key, (move, r) in small.book.items()}
    # A position that is its own mirror image may have its replies turned.
    assert found.keys() == expected.keys()
    assert len(certificate.entries) > 5


def test_a_start_without_entries_is_kept():
    grid = Grid(9, 7)
    data = encode("standard", grid, "white", (1 << 3, 1 << 5), {}, "a test")
    certificate = decode(data)
    assert certificate.entries == ()
    assert certificate.start == (1 << 3, 1 << 5)
    assert (certificate.width, certificate.height) == (9, 7)


@pytest.mark.parametrize(("width", "height", "count"), [(9, 9, 8), (9, 7, 4)])
def test_symmetries_keep_the_lines(width, height, count):
    grid = Grid(width, height)
    assert len(grid.images) == count
    rng = random.Random(1)
    cells = list(grid.cells())
    for _ in range(20):
        first = sum(1 << cell for cell in rng.sample(cells, 5))
        second = sum(1 << cell for cell in rng.sample(cells, 5)) & ~first
        key = grid.canonical(first, second)
        for k in range(count):
            image = grid.turned(first, k), grid.turned(second, k)
            assert grid.canonical(*image)[:2] == key[:2]
            assert grid.turned(image[0], grid.inverse[k]) == first
        assert grid.turned(first, key[2]) == key[0]


def test_names_and_cells():
    grid = Grid(15, 10)
    assert grid.cell("a1") == 0
    assert grid.cell("c2") == 16 + 2
    assert [grid.cell(grid.name(cell)) for cell in grid.cells()] == list(grid.cells())
    for name in ("", "a", "a0", "a11", "p1", "8h", "a1 ", "a-1"):
        with pytest.raises(ValueError, match="no cell"):
            grid.cell(name)


def test_a_cut_file_is_refused(small):
    for length in range(len(small.data)):
        with pytest.raises(CertificateError):
            decode(small.data[:length])
    with pytest.raises(CertificateError, match="follows"):
        decode(small.data + b"x")


def test_a_changed_byte_is_refused(small):
    for at in range(len(small.data)):
        changed = bytearray(small.data)
        changed[at] ^= 1
        try:
            found = decode(bytes(changed))
        except CertificateError:
            continue
        # zlib has several ways to pack the same bytes.
        assert body_of(bytes(changed)) == body_of(small.data)
        assert found == small.certificate


def test_a_cut_end_names_the_entry(small):
    body = body_of(small.data)
    count = len(small.certificate.entries)
    with pytest.raises(CertificateError, match=f"entry {count} of {count}: the file"):
        decode(rewritten(small.data, body[:-1]))


def test_too_many_or_too_few_entries_are_refused(small):
    body, count = body_of(small.data), len(small.certificate.entries)
    with pytest.raises(CertificateError, match="states fewer entries"):
        decode(rewritten(small.data, body, entries=count - 1))
    with pytest.raises(CertificateError, match=f"{count} entries, not"):
        decode(rewritten(small.data, body, entries=count + 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rule": "renju"}, "renju"),
        ({"winner": "red"}, "red"),
        ({"width": 99}, "board"),
        ({"width": "15"}, "number"),
        ({"black": ["z9"]}, "z9"),
        ({"black": ["h8", "h8"]}, "twice"),
        ({"black": ["h9", "i9"]}, "both sides"),
        ({"certificate": 2}, "format 2"),
    ],
)
def test_a_wrong_first_line_is_reported(small, changes, message):
    with pytest.raises(CertificateError, match=message):
        decode(rewritten(small.data, body_of(small.data), **changes))
    with pytest.raises(CertificateError, match="not a certificate"):
        decode(b"something else\n" + small.data)


def test_a_move_on_a_stone_names_the_entry(small):
    body = bytearray(body_of(small.data))
    body[0] = 7 * 15 + 7  # h8, where black has a stone
    with pytest.raises(CertificateError, match=r"entry 1 of .*: the move h8 is not"):
        decode(rewritten(small.data, bytes(body)))


@sampled(3, 60)
def test_random_bodies_are_read_or_refused_and_never_believed(small, count):
    """A changed byte and a checksum that fits: refused, or still a proof."""
    rng = random.Random(7)
    hints = SolverHints(PROBLEM, LEAF_NODES)
    body = body_of(small.data)
    refused = 0
    for _ in range(count):
        changed = bytearray(body)
        changed[rng.randrange(len(body))] = rng.randrange(225)
        try:
            certificate = decode(rewritten(small.data, bytes(changed)))
        except CertificateError:
            refused += 1
            continue
        found = check_entries(PROBLEM, list(enumerate(certificate.entries)), hints)
        refused += isinstance(found[-1][1], str)
    assert refused > count * 5 // 6


@sampled(2, 1000)
def test_a_wrong_move_is_refused_and_named(small, count):
    """A move far away threatens nothing; few positions are won all the same."""
    hints = SolverHints(PROBLEM, LEAF_NODES)
    grid = Grid(15, 15)
    entries = small.certificate.entries
    refused = []
    for number, entry in enumerate(entries[:count]):
        part = [(0, entry._replace(move=grid.cell("o15"), replies=()))]
        ((_, reported),) = check_entries(PROBLEM, part, hints)
        if isinstance(reported, str):
            refused.append(number)
    assert len(refused) >= len(entries[:count]) * 3 // 4
    number = refused[-1]
    wrong = list(entries)
    wrong[number] = wrong[number]._replace(move=next(bits_of(wrong[number].defender)))
    certificate = small.certificate._replace(entries=tuple(wrong))
    reported = (
        rf"entry {number + 1} of {len(entries)} \(.*: the move is not on an empty"
    )
    with pytest.raises(Refused, match=reported):
        check(certificate)


def test_a_missing_reply_is_refused(small):
    """Few of the listed replies are won by threats; then nothing is missing."""
    hints = SolverHints(PROBLEM, LEAF_NODES // LAST_FACTOR)
    tried = refused = 0
    for entry in small.certificate.entries:
        for reply, _ in entry.replies:
            others = tuple(pair for pair in entry.replies if pair[0] != reply)
            part = [(0, entry._replace(replies=others))]
            hints.clear()
            ((_, reported),) = check_entries(PROBLEM, part, hints)
            tried += 1
            if isinstance(reported, str):
                assert reported.startswith("the reply ")
                refused += 1
    assert refused > tried // 2


def test_an_illegal_reply_is_refused(small):
    entry = small.certificate.entries[0]
    stone = next(bits_of(entry.defender))
    part = [(0, entry._replace(replies=((stone, 0),)))]
    assert "not legal" in check_entries(PROBLEM, part)[0][1]
