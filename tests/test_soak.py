"""A little of each soak: hostile lines, mutated files, and chunks that go on."""

import json
import random
from collections import Counter

import pytest

from soak import chunks, hostile_lines, mutated_files
from soak.chunks import Chunk
from tests.sampled import sampled

pytestmark = pytest.mark.source


@sampled(500, 3000)
def test_hostile_lines_are_answered_in_the_protocol(monkeypatch, count):
    monkeypatch.setattr(hostile_lines, "SIZE", count)
    chunk = hostile_lines.play("test", 0, False)
    assert chunk.faults == []
    assert chunk.counts["line"] >= count
    assert chunk.counts["answer"] > count // 10
    assert chunk.counts["conversation in two threads"] > 0


def test_what_is_no_line_of_the_protocol_is_found():
    chunk = Chunk()
    hostile_lines.check(["OK", "7,7", "MESSAGE x", "SWAP"], "START 15", chunk)
    assert chunk.faults == []
    bad = ["ok", "7,7 ", "", "MESSAGE \n", "é", "x" * 1000, "ERROR internal error"]
    hostile_lines.check(bad, "START 15", chunk)
    assert len(chunk.faults) == len(bad)


def test_mutated_files_are_read_or_refused(monkeypatch):
    monkeypatch.setattr(mutated_files, "SIZE", 300)
    chunk = mutated_files.play("test", 0, False)
    assert chunk.faults == []
    assert chunk.counts["file"] == 300
    verdicts = Counter(name.partition(": ")[2] for name in chunk.counts)
    assert verdicts["read"] >= 10
    assert verdicts["refused"] >= 10


def test_every_reader_reads_a_good_file_of_its_kind():
    for reader in mutated_files.READERS:
        reader.read(mutated_files.samples()[reader.name][0])


@sampled(4, 30)
def test_a_forged_file_passes_its_checksum(count):
    rng = random.Random(1)
    forgers = [reader for reader in mutated_files.READERS if reader.forge is not None]
    for reader in forgers:
        good = mutated_files.samples()[reader.name][0]
        expected = set()
        for _ in range(count):
            try:
                reader.read(reader.forge(rng, good))
            except reader.errors as error:
                expected.add(str(error))
        assert expected
        assert not any("checksum" in text for text in expected)


def test_a_soak_goes_on_with_the_chunks_that_its_file_lacks(tmp_path, capsys):
    played = []

    def play(seed, number, verbose):
        played.append(number)
        faults = ["bad"] if number == 2 else []
        return Chunk(Counter({"line": 10}), faults)

    def run(count):
        arguments = ["--out", str(tmp_path / "out"), "--count", str(count)]
        return chunks.run("test", "line", 10, play, 60, arguments)

    assert run(15) == 0
    with (tmp_path / "out").open("a") as file:
        file.write('{"chunk": 2')  # a run that was killed
    assert run(40) == 1
    assert played == [0, 1, 2, 3]
    output = capsys.readouterr().out
    assert "40 lines in 4 chunks" in output
    assert "FAULT in chunk 2: bad" in output
    rows = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [row["chunk"] for row in rows[1:]] == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="seed 2"):
        chunks.run(
            "test", "line", 10, play, 60, ["--out", str(tmp_path / "out"), "--seed=2"]
        )
