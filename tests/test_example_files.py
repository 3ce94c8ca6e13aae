"""The programs of docs/examples, each run in a small form."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain import Board, Engine, load_samples
from gomoku_brain.eval.weights import unpack_weights

pytestmark = pytest.mark.source
ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "needs"),
    [("engine_pool", "mypy"), ("self_play", "mypy"), ("web_server", "fastapi")],
)
def test_the_types_of_a_file_hold(name, needs):
    pytest.importorskip(needs)
    api = pytest.importorskip("mypy.api")
    found, error, status = api.run(["--strict", str(EXAMPLES / f"{name}.py")])
    assert status == 0, found + error


def test_a_pool_answers_more_requests_than_it_has_engines(capsys):
    example("engine_pool").asyncio.run(example("engine_pool").main())
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["h8", reply] for reply in ("h9", "i9", "h10", "i10")
    ]
    assert len(lines) == 8


def test_the_web_server_answers_and_refuses(monkeypatch):
    pytest.importorskip("fastapi")
    client = pytest.importorskip("fastapi.testclient")
    monkeypatch.syspath_prepend(EXAMPLES)
    with client.TestClient(example("web_server").app) as web:
        request = {"moves": "h8 a1 i8 a2 j8 a3", "seconds": 0.2}
        answer = web.post("/search", json=request)
        assert answer.status_code == 200
        assert answer.json()["lines"][0]["win_in"] == 3
        for wrong in ({"moves": "h8 h8"}, {"level": "god"}, {"rule": "chess"}):
            assert web.post("/search", json=wrong).status_code == 422


def test_self_play_gives_samples_of_whole_games(tmp_path, capsys):
    pytest.importorskip("numpy")
    folder = tmp_path / "samples"
    arguments = [str(folder), "--games", "6", "--nodes", "50", "--workers", "2"]
    example("self_play").main(arguments)
    (part,) = load_samples(folder)
    assert capsys.readouterr().out == f"{len(part.move)} samples\n"
    assert set(part.result.tolist()) >= {0.0, 1.0}
    for planes, move in zip(part.planes, part.move.tolist(), strict=True):
        board = Board.from_planes(planes[:5])
        assert board.is_legal(board.move_at(move))


def test_trained_weights_evaluate_as_the_network(tmp_path):
    """Within what rounding to integers allows."""
    torch = pytest.importorskip("torch")
    trainer = example("train_weights")
    samples = str(tmp_path / "samples")
    example("self_play").main([samples, "--games", "6", "--nodes", "50"])
    mine, hand = str(tmp_path / "mine.bin"), str(tmp_path / "hand.bin")
    trainer.main([samples, mine, "--hand", hand, "--epochs", "1", "--batch", "32"])
    _, *data = trainer.positions_in(Path(samples), 60)
    net = trainer.Net()
    trainer.train(net, data, epochs=8, batch=16, rate=0.01)
    with torch.no_grad():
        kinds, tempo, _ = map(torch.from_numpy, data)
        logits = net(kinds.long(), tempo)
    (part,) = load_samples(samples)
    boards = [Board.from_planes(planes[:5]) for planes in part.planes]
    boards = [board for board in boards if trainer.position_features(board)][:60]
    with Engine(hash_mb=1) as engine:
        engine.load_weights(hand)
        by_hand = engine.evaluate(boards)
        weights = trainer.weights_of(net, unpack_weights(Path(hand).read_bytes()))
        Path(mine).write_bytes(trainer.pack_weights(weights))
        engine.load_weights(mine)
        found = engine.evaluate(boards)
    expected = (logits * trainer.UNIT).numpy()
    assert abs(found - expected).max() < 25
    assert abs(by_hand - expected).max() > 100


def test_the_sprt_of_two_commits_plays_the_builds_of_their_folders(tmp_path):
    """The builds are this installation, put where the script looks for them."""
    if sys.platform == "win32" or not (ROOT / ".git").exists():
        pytest.skip("a bash script in a git repository")
    told = subprocess.run(
        ["git", "rev-parse", "HEAD", "HEAD~1"], capture_output=True, text=True, cwd=ROOT
    )
    if told.returncode:
        pytest.skip("a repository without an earlier commit")
    for commit in told.stdout.split():
        programs = tmp_path / commit / ".venv" / "bin"
        programs.mkdir(parents=True)
        for name in ("gomoku-brain", "pbrain-gomoku-brain"):
            (programs / name).write_text(
                f"#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m gomoku_brain"
                ' "$@"\n'
            )
            (programs / name).chmod(0o755)
    done = subprocess.run(
        [
            *("bash", EXAMPLES / "sprt_of_commits.sh", "HEAD~1", "HEAD"),
            *("--nodes", "20", "--games", "2", "--sprt", "0,500"),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"BUILDS": str(tmp_path)},
    )
    assert "new - old: 2 games" in done.stdout, done.stderr
    assert len(list(tmp_path.glob("*.jsonl"))) == 1
