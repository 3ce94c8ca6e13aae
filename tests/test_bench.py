"""The bench signature: when it changes, the engine or the bench has changed."""

import json

import pytest

from gomoku_brain import variants
from gomoku_brain.commands import bench
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.root_threats import RootThreats

SIGNATURE = 445394


def test_bench_signature_is_as_recorded():
    nodes, _ = bench.run(verbose=False)
    assert nodes == SIGNATURE


def test_bench_sees_wins_that_the_threats_find_at_the_root(monkeypatch):
    found = []
    real = RootThreats.search

    def search(self, *nodes):
        tree = real(self, *nodes)
        if tree is not None:
            found.append(tree)
        return tree

    monkeypatch.setattr(RootThreats, "search", search)
    limited = [(board, limits) for board, limits in bench.positions() if limits.nodes]
    assert len(limited) > 1
    with Engine(threads=1, hash_mb=bench.HASH_MB) as engine:
        for count, (board, limits) in enumerate(limited, 1):
            engine.new_game()
            assert engine.search(board, limits).nodes < limits.nodes
            assert len(found) == count


def test_bench_names_the_variant_first(capsys):
    assert bench.main(["--depth", "1"]) == 0
    assert capsys.readouterr().out.startswith(f"variant {variants.in_words()}\n")


def test_bench_positions_cover_every_rule():
    rules = {board.rule.name for board, _ in bench.positions()}
    assert rules == {"FREESTYLE", "STANDARD", "RENJU", "CARO", "CARO_EXACT"}


def test_json_has_the_signature_and_every_search(capsys):
    assert bench.main(["--depth", "1", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["type"] == "bench"
    assert row["nodes"] == sum(each["nodes"] for each in row["positions"])
    assert {each["rule"] for each in row["positions"]} >= {"freestyle", "renju"}
    with pytest.raises(SystemExit):
        bench.main(["--speed", "--json"])
