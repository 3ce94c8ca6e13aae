"""A game as one JSON text, with its variations and players."""

import json
from dataclasses import asdict, fields
from operator import attrgetter
from typing import NamedTuple

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_config import GameConfig
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Node, Verdict
from gomoku_brain.gui.model.settings import read_into
from gomoku_brain.match.referee import TimeControl
from gomoku_brain.records.game_formats import PlayedMove
from gomoku_brain.records.reader import Game
from gomoku_brain.study.annotate import Value

__all__ = ["SavedGame", "from_text", "to_text"]

_FACTS = [f.name for f in fields(PlayedMove) if f.name != "move"]
_facts_of = attrgetter(*_FACTS)
_NO_FACTS = _facts_of(PlayedMove(Move(0, 0)))


class SavedGame(NamedTuple):
    """Stored game: its tree, its settings, and whether it is on the study board."""

    tree: GameTree
    config: GameConfig
    free: bool = False
    """Whether both sides are moved by hand, as ``Play.free``."""


def to_text(tree: GameTree, config: GameConfig, free: bool = False) -> str:
    """Serialize a game as JSON."""
    numbers = {node: k for k, node in enumerate(tree.nodes())}
    start = tree.start
    row = {
        "rule": start.rule.name.lower(),
        "width": start.width,
        "height": start.height,
        "first": int(start.first),
        "stones": [
            [str(move) for move in stones]
            for stones in (start.black, start.white, start.walls)
        ],
        "names": [tree.names[side] for side in Side],
        "extra": tree.extra,
        "date": tree.date,
        "here": numbers[tree.node],
        "nodes": [_node_row(node, numbers) for node in tree.nodes()],
        "terms": asdict(config),
        "free": free,
    }
    return json.dumps(row)


def _node_row(node: Node, numbers: dict[Node, int]) -> dict[str, object]:
    row: dict[str, object] = {}
    if node.parent is not None and node.played is not None:
        row = {"parent": numbers[node.parent], "move": str(node.played.move)}
        facts = _facts_of(node.played)
        if facts != _NO_FACTS:
            pairs = zip(_FACTS, facts, strict=True)
            row |= {name: value for name, value in pairs if value not in (None, "")}
    if node.ending is not None:
        row["ending"] = list(node.ending)
    if node.chance is not None:
        row["chance"] = node.chance
    if node.properties:
        row["properties"] = node.properties
    if node.verdict is not None:
        label, loss, line, before, after = node.verdict
        row["verdict"] = [label, loss, [str(move) for move in line], before, after]
    return row


def from_text(text: str) -> SavedGame:
    """Parse the output of ``to_text``. Raises ``ValueError`` for other texts."""
    try:
        row = json.loads(text)
    except RecursionError:
        raise ValueError("not a saved game: nested too deeply") from None
    try:
        black, white, walls = (
            tuple(parse_move(cell) for cell in stones) for stones in row["stones"]
        )
        start = Game(
            Rule[row["rule"].upper()],
            int(row["width"]),
            int(row["height"]),
            black,
            white,
            walls,
            Side(row["first"]),
        )
        tree = GameTree(start)
        nodes = [tree.root]
        for each in row["nodes"]:
            if "parent" in each:
                tree.go_to(nodes[each["parent"]])
                facts = {name: each[name] for name in _FACTS if name in each}
                # New children come first. The children were written in their order.
                node = tree.add(PlayedMove(parse_move(each["move"]), **facts))
                siblings = nodes[each["parent"]].children
                siblings.append(siblings.pop(0))
                nodes.append(node)
            if "ending" in each:
                nodes[-1].ending = Ending(*map(str, each["ending"]))
            if "properties" in each:
                nodes[-1].properties = {
                    str(name): [str(value) for value in values]
                    for name, values in each["properties"].items()
                }
            if "chance" in each:
                nodes[-1].chance = float(each["chance"])
            if "verdict" in each:
                nodes[-1].verdict = _verdict(*each["verdict"])
        tree.go_to(nodes[row["here"]])
        tree.names = dict(zip(Side, map(str, row["names"]), strict=True))
        tree.extra = {str(k): str(v) for k, v in row["extra"].items()}
        tree.date = str(row["date"])
        config, free = _config_of(row["terms"]), bool(row["free"])
    except (LookupError, TypeError, ArithmeticError, AttributeError) as error:
        raise ValueError(f"not a saved game: {error!r}") from None
    return SavedGame(tree, config, free)


def _verdict(
    label: str, loss: float, line: list[str], before: list[int], after: list[int]
) -> Verdict:
    cells = tuple(parse_move(cell) for cell in line)
    if not cells:
        raise TypeError("a verdict without a line")
    return Verdict(str(label), float(loss), cells, Value(*before), Value(*after))


def _config_of(row: dict[str, object]) -> GameConfig:
    plain = read_into(GameConfig(), row)
    control = row["control"]
    if not isinstance(control, dict):
        raise TypeError("control")
    limits = [control[key] for key in ("turn", "match")]
    turn, match = (None if limit is None else float(limit) for limit in limits)
    return GameConfig(
        read_into(PlayerConfig(), row["black"]),
        read_into(PlayerConfig(), row["white"]),
        TimeControl(
            turn,
            match,
            float(control["increment"]),
            margin=float(control["margin"]),
        ),
        people_too=plain.people_too,
        foul_loses=plain.foul_loses,
        swap2=plain.swap2,
        threads=plain.threads,
        hash_mb=plain.hash_mb,
    )
