"""Texts for the status bar, and the actions that are possible now."""

from PySide6.QtCore import QCoreApplication

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.words import (
    ending_text,
    moves_text,
    rule_name,
    side_name,
    slot_name,
)
from gomoku_brain.gui.game.play import Play
from gomoku_brain.study.puzzles import Puzzle

__all__ = [
    "advice_text",
    "enabled_actions",
    "game_text",
    "player_name",
    "task_text",
    "turn_text",
]

translate = QCoreApplication.translate


def player_name(play: Play, side: Side) -> str:
    """Return the name of a side's player, as cards and records show it."""
    slots = play.slots
    if slots[side].kind == "human" and slots[side.other].kind == "human":
        return slots[side].name or side_name(side)
    return slot_name(slots[side])


def game_text(play: Play) -> str:
    """Describe who plays against whom, and how far the game is."""
    text = translate("Status", "{0} (black) against {1} (white), move {2}")
    names = (player_name(play, side) for side in Side)
    return text.format(*names, play.tree.ply + 1)


def turn_text(play: Play) -> str:
    """Describe the rule, and the side to move or the end of the game."""
    rule = rule_name(play.tree.game.rule)
    if "rated" in play.tree.facts and not play.free:
        rule = translate("Status", "Rated") + f"  ·  {rule}"
    if play.ending is not None:
        return f"{rule}  ·  {ending_text(play.ending)}"
    mover = translate("Status", "{0} to move").format(side_name(play.tree.turn))
    number = translate("Status", "move {0}").format(play.tree.ply + 1)
    return f"{rule}  ·  {number}  ·  {mover}"


def advice_text(play: Play, puzzle: Puzzle | None = None) -> str:
    """Describe the possible actions of a person."""
    if play.ending is not None:
        return translate("Status", "Step back to study the game, or start a new one.")
    if play.free:
        return translate(
            "Status", "Study board: move both sides. Ctrl+Z undoes, Ctrl+S saves."
        )
    if play.is_looking_back:
        return translate(
            "Status",
            "An earlier position. A stone here is a variation; the game stays.",
        )
    if play.reviewing:
        return translate(
            "Status",
            "Paused at an earlier position. Play here for a new line, or"
            " continue (Ctrl+P).",
        )
    if play.paused:
        return translate("Status", "Paused. Continue with Ctrl+P.")
    if task := task_text(play, puzzle):
        return task
    if play.stage.startswith("choose"):
        return translate("Status", "Swap2: a colour is being chosen.")
    if play.waits_for_person:
        return translate("Status", "Your move: click, or use the arrow keys and Enter.")
    name = player_name(play, play.actor)
    return translate("Status", "{0} is thinking…").format(name)


def task_text(play: Play, puzzle: Puzzle | None = None) -> str:
    """Describe the step of swap2 or the end game that a person plays; "" = none."""
    if not play.waits_for_person or play.free or play.paused or play.is_looking_back:
        return ""
    if play.stage == "place three":
        return translate("Status", "Swap2: place three stones: black, white, black.")
    if play.stage == "place two":
        return translate("Status", "Swap2: place two more stones: white, black.")
    return "" if play.stage or puzzle is None else _end_game_text(play, puzzle)


def _end_game_text(play: Play, puzzle: Puzzle) -> str:
    """Describe whether black still wins by force, as far as the defence has proved."""
    win_in: int | None = puzzle.plies
    if play.tree.ply:  # the defence's own loss, one ply before its move
        lost_in = play.tree.node.figures.win_in
        win_in = -lost_in - 1 if lost_in is not None and lost_in < 0 else None
    if win_in is not None:
        text = translate("Status", "End game {0}: black to move wins in {1}.")
        return text.format(puzzle.number, moves_text(win_in))
    text = translate(
        "Status",
        "End game {0}: the defence sees no forced win of black any more. Take"
        " back (Ctrl+Z) to try again.",
    )
    return text.format(puzzle.number)


def enabled_actions(play: Play) -> dict[str, bool]:
    """Return which of the actions that depend on the game are possible."""
    tree, ending = play.tree, play.ending
    movable = not play.stage
    before = tree.ply > 0 and movable
    after = not tree.is_at_end and movable
    engine_plays = any(play.slots[side].kind != "human" for side in Side)
    is_copy, history = play.is_copy, tree.game.history
    return {
        "undo": bool(history.undo_name) if is_copy else before,
        "undo_one": before and not is_copy,
        "redo": bool(history.redo_name) if is_copy else after,
        "redo_one": after and not is_copy,
        "first": before,
        "back": before,
        "forward": after,
        "last": after,
        "promote_line": is_copy and tree.branch is not None,
        "remove_line": is_copy and before,
        "remove_variation": is_copy and tree.branch is not None,
        "resign": ending is None
        and not (play.free or play.is_looking_back)
        and bool(play.people)
        and movable,
        "hint": play.waits_for_person and movable,
        "move_now": play.can_move_now,
        "pause": ending is None and not play.free and not play.is_looking_back,
        "swap": engine_plays,
        "play_on": is_copy and ending is None,
        "review": tree.ply > 0 or not tree.is_at_end,
    }
