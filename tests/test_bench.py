"""The bench signature: when it changes, the engine's behaviour has changed."""

from gomoku_brain.commands import bench

SIGNATURE = 568446


def test_bench_signature_is_as_recorded():
    nodes, _ = bench.run(verbose=False)
    assert nodes == SIGNATURE


def test_bench_positions_cover_every_rule():
    rules = {board.rule.name for board, _ in bench.positions()}
    assert rules == {"FREESTYLE", "STANDARD", "RENJU", "CARO", "CARO_EXACT"}
