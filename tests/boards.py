"""Positions for the tests of the search: from files, at random, and their images."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import transform_moves
from tests.cases import POSITIONS, RULE_NAMES, board_of
from tests.reference import RefBoard, random_position

Size = int | tuple[int, int]


class Problem(NamedTuple):
    """A position from a file, with what is known of it."""

    name: str
    board: Board
    moves: list[Move]
    """One winning move, or (type "defend") all quiet moves that hold."""
    plies: int | None
    vcf: bool | None
    """Whether fours alone win, where an exhaustive search has told."""
    difficulty: str


def problems(name: str, folder: Path = POSITIONS) -> list[Problem]:
    """The positions of a .jsonl file in tests/positions (or in another folder)."""
    found = []
    with (folder / name).open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            expected = row["expected"]
            board = Board.from_stones(
                [tuple(stone) for stone in row["black"]],
                [tuple(stone) for stone in row["white"]],
                turn=Side[row["side_to_move"].upper()],
                size=row["size"],
                rule=Rule(RULE_NAMES[row["rule"]]),
            )
            found.append(
                Problem(
                    f"{row['id']} {row['rule']}",
                    board,
                    [Move(*move) for move in expected.get("moves", ())],
                    expected.get("plies"),
                    row.get("vcf", {}).get("win"),
                    row.get("difficulty", ""),
                )
            )
    return found


def stones_of(board: Board) -> tuple[list[Move], list[Move], list[Move]]:
    """Black's stones, white's stones and the walls."""
    every = sorted(board.moves, key=lambda move: (move.y, move.x))
    return (
        [move for move in every if board.stone(move) == Side.BLACK],
        [move for move in every if board.stone(move) == Side.WHITE],
        [move for move in every if board.is_wall(move)],
    )


def reference_of(board: Board) -> RefBoard:
    """The same position for the reference."""
    black, white, walls = stones_of(board)
    return RefBoard(
        (board.width, board.height),
        int(board.rule),
        black,
        white,
        walls,
        turn=int(board.turn),
    )


def image_of(board: Board, symmetry: int) -> Board:
    """The position turned or mirrored."""
    width, height = board.width, board.height
    black, white, walls = (
        transform_moves(stones, width, height, symmetry) for stones in stones_of(board)
    )
    return Board.from_stones(
        black, white, walls, turn=board.turn, size=(width, height), rule=board.rule
    )


def with_colours_swapped(board: Board) -> Board:
    """Every stone of the other colour, the other side to move."""
    black, white, walls = stones_of(board)
    return Board.from_stones(
        white,
        black,
        walls,
        turn=board.turn.other,
        size=(board.width, board.height),
        rule=board.rule,
    )


def random_references(
    seed: str,
    rule: int,
    count: int,
    sizes: tuple[Size, ...] = (15, 9, 20, (11, 16)),
    stones: tuple[int, int] | None = None,
    walls: int = 0,
) -> Iterator[RefBoard]:
    """Random positions nobody has won, either side to move; one seed each."""
    for number in range(count):
        rng = random.Random(f"{seed} {rule} {number}")
        while True:
            reference = random_position(
                rng,
                rule,
                rng.choice(sizes),
                None if stones is None else rng.randint(*stones),
                walls=rng.choice((0, 0, walls)),
            )
            if not reference.is_finished() and reference.empties():
                break
        reference.turn ^= number & 1
        yield reference


def random_boards(
    seed: str,
    rule: int,
    count: int,
    sizes: tuple[Size, ...] = (15, 9, 20, (11, 16)),
    stones: tuple[int, int] | None = None,
    walls: int = 0,
) -> Iterator[Board]:
    """``random_references`` for the engine."""
    for reference in random_references(seed, rule, count, sizes, stones, walls):
        yield board_of(reference)
