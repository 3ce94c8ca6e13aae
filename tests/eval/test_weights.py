"""Weights files: what they say of themselves, and what is refused."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.eval import weights as module
from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import (
    Part,
    Weights,
    pack_weights,
    shipped_weights,
    unpack_weights,
)
from gomoku_brain.game.rules import Rule
from tests.reference import RULES


def small(rule=0, kind="linear"):
    return Weights(
        kind,
        rule,
        {"cells": Part((2, 3), bytes(range(12))), "tempo": Part((1,), b"ab")},
    )


@pytest.mark.parametrize("rule", RULES)
def test_a_file_round_trips(rule):
    weights = small(int(rule), "points")
    assert unpack_weights(pack_weights(weights)) == weights


def test_the_first_lines_describe_a_file():
    lines = pack_weights(small(int(Rule.CARO_EXACT))).partition(b"\n\n")[0].decode()
    assert re.sub(r"[0-9a-f]{8}$", "SUM", lines) == (
        "gomoku-brain weights 3\nkind linear\nrule caro-exact\npart cells 2x3\n"
        "part tempo 1\ncrc32 SUM"
    )


@given(st.data())
def test_any_changed_or_cut_byte_is_refused_in_one_line(data):
    whole = pack_weights(small())
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        damaged = whole[:at]
    else:
        damaged = bytearray(whole)
        damaged[at] ^= data.draw(st.integers(1, 255))
    message, again = "", None
    try:
        again = unpack_weights(bytes(damaged))
    except ValueError as error:
        message = str(error)
    if again is None:
        assert "weights file" in message
        assert "\n" not in message
    else:  # zlib's own header has bits without a meaning
        assert again == small()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((b"gomoku-brain weights 3", b"gomoku-brain weights 4"), "does not begin with"),
        ((b"gomoku-brain weights 3", b"gomoku-brain classical 2"), "older format"),
        ((b"2x3", b"9" * 5000), "bad line 'part cells 999"),
        ((b"kind linear", b"kind linear\r"), "checksum"),
        ((b"rule freestyle", b"rule chess"), "no rule 'chess'"),
        ((b"rule freestyle\n", b""), "no line for 'rule'"),
        ((b"kind linear", b"kind linear\nkind points"), "bad line 'kind points'"),
        ((b"kind linear", b"sort linear"), "bad line 'sort linear'"),
        ((b"2x3", b"2x-3"), "bad line 'part cells 2x-3'"),
        ((b"2x3", b"2x0"), "bad line"),
        ((b"2x3", b"99999x99999"), "bad line"),
        ((b"part tempo", b"part cells"), "bad line 'part cells 1'"),
        ((b"2x3", b"3x2"), "checksum"),
    ],
)
def test_a_wrong_line_is_reported(change, words):
    data = pack_weights(small())
    assert change[0] in data
    with pytest.raises(ValueError, match=words) as caught:
        unpack_weights(data.replace(*change, 1))
    assert "\n" not in str(caught.value)


def test_numbers_that_are_more_than_the_parts_are_refused():
    weights = small()
    longer = weights.parts | {"tempo": Part((1,), b"abcd")}
    with pytest.raises(ValueError, match="not the 14 bytes of numbers"):
        unpack_weights(pack_weights(replace(weights, parts=longer)))


def test_an_unknown_kind_is_refused():
    with pytest.raises(
        ValueError, match="kind 'deep', but there are only linear, points"
    ):
        evaluation_from(small(kind="deep"))


def test_a_damaged_shipped_file_is_named(monkeypatch):
    monkeypatch.setattr(module, "read_data", lambda name: b"rubbish")
    with pytest.raises(ValueError, match=r"weights-renju\.bin: no weights file"):
        shipped_weights(int(Rule.RENJU))


def test_a_file_of_another_rule_is_refused(monkeypatch):
    data = pack_weights(small(int(Rule.CARO)))
    monkeypatch.setattr(module, "read_data", lambda name: data)
    with pytest.raises(ValueError, match=r"weights-renju\.bin: for caro, not renju"):
        shipped_weights(int(Rule.RENJU))


def test_without_a_file_there_are_no_shipped_weights(monkeypatch):
    def missing(name):
        raise FileNotFoundError(name)

    monkeypatch.setattr(module, "read_data", missing)
    assert shipped_weights(0) is None


def test_bytes_after_the_numbers_are_refused():
    with pytest.raises(ValueError, match="not the 14 bytes of numbers"):
        unpack_weights(pack_weights(small()) + b"x")


def test_a_shipped_file_without_a_part_is_named_by_its_rule():
    weights = shipped_weights(int(Rule.CARO))
    parts = {name: part for name, part in weights.parts.items() if name != "output"}
    data = pack_weights(replace(weights, parts=parts))
    code = (
        "import sys; from gomoku_brain.eval import weights;"
        "data = sys.stdin.buffer.read();"
        "weights.read_data = lambda name: data;"
        "from gomoku_brain.eval.evaluate import evaluation_of; evaluation_of(8)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, check=False
    )
    assert done.stderr.decode().splitlines()[-1] == (
        "ValueError: the weights of caro: weights of kind 'points': no part 'output'"
    )
