"""The bots of docs/bot.md play, load in ``doctor`` and ``match``, and have types."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain import Board, ExternalEngine, Limits
from gomoku_brain.commands import doctor, match
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.gui.model.game_players import (
    PlayerConfig,
    PlayerRequest,
    make_player,
)
from gomoku_brain.records.read import read_games

pytestmark = pytest.mark.source
PAGE = Path(__file__).parents[1] / "docs" / "bot.md"
NAMES = ["first.py", "one_ahead.py", "alphabeta.py"]
TEXTS = re.findall(
    r"^```python\n(.*?)^```$",
    PAGE.read_text("utf-8") if PAGE.exists() else "",  # the mark skips without it
    re.MULTILINE | re.DOTALL,
)
BOTS = list(zip(NAMES, TEXTS, strict=bool(TEXTS)))


@pytest.fixture
def bots(tmp_path):
    for name, text in BOTS:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_page_names_its_files_in_their_order():
    text = PAGE.read_text("utf-8")
    places = [text.index(f"`{name}`") for name in NAMES]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=[pytest.mark.slow("it thinks for all its time", ci=True)]
            if name == "alphabeta.py"
            else [],
        )
        for name, _ in BOTS
    ],
)
def test_a_bot_plays_a_legal_move_in_time(bots, name):
    board = Board.from_moves("h8 h9 i9 g7 j10 k11")
    with ExternalEngine([sys.executable, str(bots / name)]) as engine:
        engine.play(board, Limits(time=5))
        result = engine.play(board, Limits(time=1))
        assert board.is_legal(result.move)


def test_one_ahead_and_alpha_beta_win_and_block(bots):
    won = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 o15")
    lost = Board.from_moves("h8 a1 i8 o15 j8 a3 k8")
    for name in ("one_ahead.py", "alphabeta.py"):
        with ExternalEngine([sys.executable, str(bots / name)]) as engine:
            for board in (won, lost):
                move = engine.play(board, Limits(time=2)).move
                assert str(move) in ("g8", "l8")


@pytest.mark.slow("two games under the clock", ci=True)
def test_alpha_beta_beats_one_ahead_in_a_match(bots, monkeypatch, capsys):
    monkeypatch.chdir(bots)
    engines = [
        word
        for name in ("alphabeta.py", "first.py")
        for word in ("--engine", f'{name[:-3]}="{sys.executable}" {name}')
    ]
    assert match.main([*engines, "--time", "0.3", "--games", "2"]) == 0
    games = read_games(bots / "games.jsonl")
    assert {game.reason for game in games} == {"five"}
    assert "+2 =0 -0" in capsys.readouterr().out


@pytest.mark.slow("the checks of doctor, under the clock", ci=True)
def test_doctor_finds_nothing_wrong_for_piskvork(bots, capsys):
    command = f'"{sys.executable}" "{bots / "alphabeta.py"}"'
    words = ["--engine", command, "--manager", "piskvork", "--rules", "0"]
    doctor.main([*words, "--turn", "2"])
    failures = [
        line
        for line in capsys.readouterr().out.splitlines()
        if line.strip().startswith("FAIL") and "its name" not in line
    ]
    assert not failures


def test_the_board_plays_against_a_bot(bots):
    """Without a window: the player of a slot, as the board makes it."""
    command = f'"{sys.executable}" "{bots / "alphabeta.py"}"'
    slot = PlayerConfig(kind="program", name="mine", command=command)
    player = make_player(slot, PlayerLimits(turn=2.0))
    try:
        board = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 o15")
        played = player.choose(board, None, PlayerRequest())
        assert str(played.move) in ("g8", "l8")
        assert played.depth is None or played.depth >= 1
    finally:
        player.close()


@pytest.mark.slow("runs mypy", ci=True)
def test_the_types_of_the_bots_hold(bots):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *NAMES],
        capture_output=True,
        text=True,
        cwd=bots,
        env={**os.environ, "MYPYPATH": str(PAGE.parents[1])},
    )
    assert done.returncode == 0, done.stdout
