"""What the brain imports before its first OK and its first move."""

import subprocess
import sys
from pathlib import Path

import pytest

import gomoku_brain

ROOT = Path(gomoku_brain.__file__).parents[1]

# Modules of the standard library that cost a tenth of the start of a bare Python and
# more, most of them by what they import themselves.
HEAVY = {
    *("argparse", "ast", "asyncio", "contextlib", "dataclasses", "datetime", "fnmatch"),
    *("importlib.metadata", "importlib.resources", "inspect", "logging", "numpy"),
    *("pathlib", "random", "shutil", "socket", "sqlite3", "subprocess", "tempfile"),
    *("threading", "typing", "urllib.parse"),
}
FOR_PROOFS = {"json", "re"}
# The package before OK, which comes when the engine can search.
OURS = """
    __init__ __main__ cpu dataclass variants version
    game game.board game.forbidden game.notation game.package_data game.patterns
    game.position game.rules game.zobrist
    eval eval.chance eval.evaluate eval.evaluator eval.linear eval.points eval.score
    eval.weights
    control control.interrupt control.limits control.params control.search_control
    control.strength control.task
    tactics tactics.threats tactics.vcf
    search search.alphabeta search.movepick search.reduction search.tt search.worker
    engine engine.engine engine.line_replay engine.root_search engine.root_threats
    engine.smp engine.time_manager
    player player.player
    protocol protocol.blocks protocol.commands protocol.dialogue
    protocol.options protocol.session protocol.start_settings protocol.states
    protocol.stdio
"""
LATER = """
    player.thought protocol.lines_of_play
    proofs proofs.boards proofs.book proofs.grid proofs.proved
"""

CODE = """
import os, sys
root, seen, *sys.argv = sys.argv[1:]
sys.path.insert(0, root)
output = os.open(seen, os.O_WRONLY)
write = os.write
def watched(descriptor, data):
    write(output, " ".join(sys.modules).encode() + b"\\n")
    return write(descriptor, data)
os.write = watched
from gomoku_brain.__main__ import main
main()
"""
GAME = b"START 15\nINFO show_detail -1\nINFO timeout_turn 0\nBOARD\n7,7,2\nDONE\n"


@pytest.mark.parametrize(
    "program",
    ["pbrain-gomoku-brain", "pbrain-gomoku-brain-t4", "gomoku-brain", "pbrain.py"],
)
def test_only_what_a_search_needs_is_imported(tmp_path, program):
    seen = tmp_path / "modules"
    seen.touch()
    ended = subprocess.run(
        # Without site: what a virtual environment imports at its start is not ours.
        [sys.executable, "-S", "-c", CODE, ROOT, seen, tmp_path / program],
        input=GAME,
        capture_output=True,
        check=True,
    )
    assert len(ended.stdout.split()) == 2, "an OK and a move"
    before_ok, before_move = (
        set(line.split()) for line in seen.read_text("utf-8").splitlines()
    )
    assert not before_ok & (HEAVY | FOR_PROOFS)
    assert not before_move & HEAVY
    package = "gomoku_brain"
    ok, move = (
        {
            name.removeprefix(f"{package}.") if name != package else "__init__"
            for name in names
            if name.partition(".")[0] == package
        }
        for names in (before_ok, before_move)
    )
    assert ok == set(OURS.split())
    assert move - ok <= set(LATER.split())
