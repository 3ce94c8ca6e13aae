"""Self-play: the engine plays itself, and every position becomes a training sample.

    python docs/examples/self_play.py FOLDER --games 2000 --workers 2

The games begin with a few random stones, and all of them go on at once: one call of
``search_many`` searches a position of each. The score of a search is stored with its
position, so that ``train_weights.py`` can learn from scores and results.
"""

import argparse
import random
from collections.abc import Iterator

from gomoku_brain import (
    Board,
    Limits,
    Move,
    SearchResult,
    Side,
    TrainingSample,
    save_samples,
    search_many,
)

Played = list[tuple[Move, SearchResult]]

AT_ONCE = 256  # games
EVEN = 250  # score units; a game begins from an opening that is no further from even
SHAKE = 0.1  # share of the first moves that another one replaces
SHAKEN = 12  # moves of which it may be one


def opening(dice: random.Random, size: int) -> Board:
    """Return a board with a few stones near the centre and near one another."""
    board = Board(size)
    wanted = dice.randint(2, 7)
    while board.ply < wanted:
        near = dice.choice(board.moves or [Move(size // 2, size // 2)])
        cell = Move(near.x + dice.randint(-3, 3), near.y + dice.randint(-3, 3))
        if 0 <= cell.x < size and 0 <= cell.y < size and board.is_legal(cell):
            board.play(cell)
    return board


def samples_of(
    board: Board, played: Played, winner: Side | None
) -> Iterator[TrainingSample]:
    """Yield a sample for each search of a game."""
    first = board.ply - len(played)
    for number, (move, found) in enumerate(played):
        side = Side.BLACK if (first + number) % 2 == 0 else Side.WHITE
        yield TrainingSample(
            board.rule,
            board.width,
            board.height,
            board.moves[: first + number],
            move,
            0.5 if winner is None else float(winner is side),
            score=found.score,
            win_in=found.win_in,
            depth=found.depth,
            nodes=found.nodes,
        )


def self_play(
    games: int,
    nodes: int,
    *,
    size: int = 15,
    workers: int = 1,
    seed: int = 1,
) -> Iterator[TrainingSample]:
    """Yield the samples of so many games. A proved result ends a game."""
    dice = random.Random(seed)
    running: list[tuple[Board, Played]] = []
    while games or running:
        while games and len(running) < AT_ONCE:
            running.append((opening(dice, size), []))
            games -= 1
        boards = [board for board, _ in running]
        results = search_many(boards, Limits(nodes=nodes), workers=workers)
        going_on = []
        for (board, played), found in zip(running, results, strict=True):
            assert found.score is not None
            if not played and (found.win_in or abs(found.score) > EVEN):
                games += 1  # not from this opening
                continue
            move = found.move
            if len(played) < SHAKEN and dice.random() < SHAKE:  # games that differ
                move = dice.choice([m for m in board.legal_moves() if near(board, m)])
            played.append((move, found))
            side = board.turn
            board.play(move)
            if found.win_in is not None and move == found.move:
                winner = side if found.win_in > 0 else side.other
                yield from samples_of(board, played, winner)
            elif board.is_over or board.ply > 0.8 * size * size:
                yield from samples_of(board, played, board.winner)
            else:
                going_on.append((board, played))
        running = going_on


def near(board: Board, cell: Move) -> bool:
    """Whether a stone is within two cells."""
    return any(max(abs(cell.x - x), abs(cell.y - y)) <= 2 for x, y in board.moves)


def main(argv: list[str] | None = None) -> None:
    """Play, and write the samples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=1000, help="a move")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    count = save_samples(
        options.folder,
        self_play(
            options.games,
            options.nodes,
            size=options.size,
            workers=options.workers,
            seed=options.seed,
        ),
    )
    print(count, "samples")


if __name__ == "__main__":
    main()
