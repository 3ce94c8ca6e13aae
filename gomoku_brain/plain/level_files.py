"""Files of the moves of an experiment's play-outs: JSON, text and SGF for each
level.
"""

import json
from pathlib import Path

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.plain.figures import playout
from gomoku_brain.plain.first_moves import values_key
from gomoku_brain.plain.plan import EASY, Plan, matchups
from gomoku_brain.plain.results import Result, Results
from gomoku_brain.plain.tables import NAMES
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import OURS
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.sgf import to_sgf
from gomoku_brain.study.puzzles import puzzle_levels

__all__ = ["write_moves"]


def write_moves(plan: Plan, results: Results, folder: Path) -> list[Path]:
    """Write one JSON, one text and one SGF file for each level into
    ``folder``/moves.
    """
    target = folder / "moves"
    target.mkdir(exist_ok=True)
    written = []
    for puzzle in puzzle_levels():
        if puzzle.number not in plan.levels:
            continue
        games = []
        for attacker, defender in matchups():
            for depth in range(1, plan.depth + 1):
                result = playout(
                    plan, results, puzzle.number, attacker, defender, depth
                )
                if result is not None:
                    games.append(
                        {
                            "attacker": NAMES[attacker],
                            "defender": "easy" if defender == EASY else NAMES[defender],
                            "depth": depth,
                            **result,
                        }
                    )
        if not games:
            continue
        stem = target / f"level-{puzzle.number:02}"
        entry = {
            "level": puzzle.number,
            "board": str(puzzle.board).splitlines(),
            "to_move": "black",
            "known_win": {"move": str(puzzle.move), "plies": puzzle.plies},
            "values": results.get(values_key(plan, puzzle.number)),
            "play_outs": games,
        }
        texts = {
            ".json": json.dumps(entry, indent=1) + "\n",
            ".txt": moves_text(puzzle.number, puzzle.board, games),
            ".sgf": moves_sgf(puzzle.number, puzzle.board, games),
        }
        for suffix, text in texts.items():
            path = stem.with_suffix(suffix)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def moves_text(level: int, board: Board, games: list[Result]) -> str:
    """Return the play-outs of a level as text for people: each move with its score."""
    lines = [f"Level {level}, Black to move", "", str(board), ""]
    for game in games:
        lines.append(
            f"{game['attacker']}, depth {game['depth']}, against {game['defender']}:"
            f" {game['outcome']} in {game['count']} moves, {game['nodes']:,} nodes"
        )
        for k, move in enumerate(game["moves"], start=1):
            lines.append(
                f"{k:4} {move['side']:5} {move['move'] or '-':>4} {score_of(move):>12}"
                f" {move['nodes']:>12,} nodes {move['seconds']:9.3f} s"
            )
        lines.append("")
    return "\n".join(lines)


def score_of(move: Result) -> str:
    """Return the score of a move from its player's side, or the plies to the end."""
    if move["win_in"] is None:
        return str(move["score"])
    return f"win {move['win_in']}" if move["win_in"] > 0 else f"loss {-move['win_in']}"


def moves_sgf(level: int, board: Board, games: list[Result]) -> str:
    """Return the play-outs of a level as an SGF collection, the shortest win first."""
    trees = []
    for game in sorted(games, key=lambda g: (g["outcome"] != "won", g["count"])):
        tree = Game.from_board(
            board,
            black=f"{game['attacker']}, depth {game['depth']}",
            white=game["defender"],
        )
        tree.set_text("AP", f"{OURS}:1")
        tree.set_text("GN", f"Level {level}")
        result = {"won": "B+", "lost": "W+"}.get(game["outcome"], "Void")
        tree.set_text("RE", result)
        node: GameNode = tree
        for move in game["moves"]:
            if move["move"] is not None:
                comment = f"{score_of(move)}, {move['nodes']} nodes"
                side = Side.BLACK if move["side"] == "black" else Side.WHITE
                node = node.add_variation(move["move"], comment=comment, side=side)
        trees.append(to_sgf(tree))
    return "\n".join(trees)
