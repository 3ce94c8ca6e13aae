"""A game as one JSON text, with its variations and players.

The form is that of earlier versions: names, date and other facts stand beside the
nodes. The root has also the properties of its SGF file.
"""

import json
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Verdict
from gomoku_brain.gui.model.settings import read_into
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import KEPT, set_facts
from gomoku_brain.records.game_node import GameNode, escaped
from gomoku_brain.records.game_record import FIGURES, NO_FIGURES, Figures
from gomoku_brain.study.annotate import Value

__all__ = ["SavedGame", "from_text", "to_text"]


class SavedGame(NamedTuple):
    """Stored game: its tree, its settings, and whether it is on the study board."""

    tree: GameTree
    config: GameConfig
    free: bool = False
    """Whether both sides are moved by hand, as ``Play.free``."""


def to_text(tree: GameTree, config: GameConfig, free: bool = False) -> str:
    """Serialize a game as JSON."""
    game = tree.game
    numbers = {node: k for k, node in enumerate(game.nodes())}
    width, height = game.size
    row = {
        "rule": game.rule.name.lower(),
        "width": width,
        "height": height,
        "first": int(game.first),
        "stones": [
            [str(move) for move in stones]
            for stones in (game.black_stones, game.white_stones, game.walls)
        ],
        "names": [game.black, game.white],
        "extra": game.extra,
        "date": game.date,
        "here": numbers[tree.node],
        "nodes": [_node_row(node, tree, numbers) for node in numbers],
        "terms": asdict(config),
        "free": free,
    }
    return json.dumps(row)


def _node_row(
    node: GameNode, tree: GameTree, numbers: dict[GameNode, int]
) -> dict[str, object]:
    row: dict[str, object] = {}
    # ``properties`` would give every node a dictionary.
    properties = node.properties if node.has_properties else {}
    comment = ""
    if node.parent is not None:
        row = {"parent": numbers[node.parent], "move": str(node.move)}
        figures, comment = node.figures, node.comment
        if figures != NO_FIGURES or comment:
            facts = {**figures.values(), "comment": comment}
            row |= {k: value for k, value in facts.items() if value not in (None, "")}
    if node in tree.endings:
        row["ending"] = list(tree.endings[node])
    if node in tree.chances:
        row["chance"] = tree.chances[node]
    if node in tree.unplayed_seconds:
        row["unplayed_seconds"] = tree.unplayed_seconds[node]
    stored = {
        name: values
        for name, values in properties.items()
        if name != "C" or values != [escaped(comment)]
    }
    if stored:
        row["properties"] = stored
    if node in tree.verdicts:
        label, loss, line, before, after = tree.verdicts[node]
        row["verdict"] = [label, loss, [str(move) for move in line], before, after]
    return row


def from_text(text: str) -> SavedGame:
    """Parse the output of ``to_text``. Raises ``ValueError`` for other texts."""
    try:
        row = json.loads(text)
    except RecursionError:
        raise ValueError("not a saved game: nested too deeply") from None
    try:
        return SavedGame(_tree_of(row), _config_of(row["terms"]), bool(row["free"]))
    except (LookupError, TypeError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"not a saved game: {error!r}") from None


def _tree_of(row: dict[str, Any]) -> GameTree:
    rows = row["nodes"]
    game = _start_of(row, rows[0].get("properties", {}))
    nodes: list[GameNode] = [game]
    for each in rows:
        if "parent" in each:
            parent = nodes[each["parent"]]
            side = game.turn if parent.side is None else parent.side.other
            node = GameNode(parent, side, parse_move(each["move"]))
            parent.variations.append(node)
            nodes.append(node)
            _set_notes(node, each)
    black, white = map(str, row["names"])
    _set_head(game, black, white, row["extra"], str(row["date"]))
    tree = GameTree(game)
    for node in nodes:
        tree.go_to(node)  # raises ValueError for an illegal move
    _set_judgements(tree, nodes, rows)
    tree.go_to(nodes[row["here"]])
    tree.freeze()
    return tree


def _start_of(row: dict[str, Any], stated: dict[str, list[str]]) -> Game:
    """Return the game without moves; ``stated`` are the properties of its file."""
    rule, size = Rule[row["rule"].upper()], (int(row["width"]), int(row["height"]))
    stones = [[parse_move(cell) for cell in cells] for cells in row["stones"]]
    is_file = "GM" in stated or "FF" in stated
    game = Game(None if is_file else size, None if is_file else rule)
    _set_properties(game, stated)
    if game.size != size:
        game.size = size
    if game.rule is not rule:
        game.rule = rule
    black, white, walls = stones
    game.set_up(black, white, walls, Side(row["first"]))
    return game


def _set_properties(node: GameNode, stated: dict[str, list[str]]) -> None:
    for name, values in stated.items():
        node.properties[str(name)] = [str(value) for value in values]


def _set_notes(node: GameNode, row: dict[str, Any]) -> None:
    """Set properties, figures and the comment of a node.

    Earlier versions changed a comment beside the properties of the file.
    """
    _set_properties(node, row.get("properties", {}))
    known = {name: row[name] for name in FIGURES if name in row}
    if not all(isinstance(value, int | float) for value in known.values()):
        raise TypeError("figures")
    if known and node.figures != (figures := Figures(**known)):
        node.figures = figures
    if "comment" in row and node.comment != row["comment"]:
        node.comment = str(row["comment"])


def _set_head(
    game: Game, black: str, white: str, extra: dict[str, str], date: str
) -> None:
    """Set names, date and other facts that the properties of the root do not state."""
    if (game.black, game.white) != (black, white):
        game.black, game.white = black, white
    if game.date != date:
        game.date = date
    known = game.extra
    for name, value in extra.items():
        if known.get(name) == str(value):
            continue
        if name in KEPT or name == "RE":
            game.set_text(name, str(value))
        else:
            set_facts(game, {str(name): str(value)})


def _set_judgements(
    tree: GameTree, nodes: list[GameNode], rows: list[dict[str, Any]]
) -> None:
    """Set endings, chances and verdicts, and the result of the main line."""
    endings = {}
    tree.endings = {}
    for node, each in zip(nodes, rows, strict=True):
        if "ending" in each:
            ending = Ending(*map(str, each["ending"]))
            if ending != tree.ending_at(node):
                endings[node] = ending
        if "chance" in each:
            tree.chances[node] = float(each["chance"])
        if "unplayed_seconds" in each:
            tree.unplayed_seconds[node] = float(each["unplayed_seconds"])
        if "verdict" in each:
            tree.verdicts[node] = _verdict(*each["verdict"])
    tree.set_endings(endings)


def _verdict(
    label: str, loss: float, line: list[str], before: list[int], after: list[int]
) -> Verdict:
    cells = tuple(parse_move(cell) for cell in line)
    if not cells:
        raise TypeError("a verdict without a line")
    return Verdict(str(label), float(loss), cells, Value(*before), Value(*after))


def _config_of(row: dict[str, object]) -> GameConfig:
    control = row["control"]
    if not isinstance(control, dict):
        raise TypeError("control")
    limits = [control[key] for key in ("turn", "match")]
    turn, match = (None if limit is None else float(limit) for limit in limits)
    increment, margin = float(control["increment"]), float(control["margin"])
    stored = PlayerLimits(turn, match, increment, margin=margin)
    return replace(read_into(GameConfig(), row), control=stored)
