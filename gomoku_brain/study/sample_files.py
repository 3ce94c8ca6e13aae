"""Training samples as files of arrays, for numpy and PyTorch."""

import math
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.symmetry import MIRROR_X, MIRROR_Y, SWAP
from gomoku_brain.records.training_samples import TrainingSample
from gomoku_brain.runs.output_files import write_whole
from gomoku_brain.version import __version__

__all__ = ["SampleArrays", "load_samples", "save_samples"]

Array = Any  # numpy.ndarray; numpy is imported late

FORMAT = 1  # of the files in a folder


class SampleArrays(NamedTuple):
    """Training samples of one rule and size as numpy arrays, n of each."""

    rule: Rule
    planes: Array
    """uint8 (n, 6, height, width), as ``Board.planes(last_move=True)``."""
    move: Array
    """int32 (n), the index of the move played (``Board.index_of``)."""
    result: Array
    """float32 (n), points of the game for the side to move: 1, 1/2 or 0."""
    score: Array
    """float32 (n), NaN where it is not known."""
    win_in: Array
    """int16 (n), plies to a forced end, negative for a loss; 0 if it is not known."""
    policy: Array | None
    """float32 (n, height, width), what ``policy`` returned; None without it."""


def save_samples(
    path: str | Path,
    samples: Iterable[TrainingSample],
    *,
    symmetries: bool = False,
    policy: Callable[[Board], Array] | None = None,
    shard: int = 65_536,
) -> int:
    """Write samples as arrays; return their number. Needs numpy.

    ``path`` is a new or empty folder. It receives files of up to ``shard`` samples of
    one rule and size, as they come, so the memory in use does not grow with their
    number; ``load_samples`` reads them. The planes are stored as single bits. With
    ``symmetries`` each sample is written under all symmetries of its board (8, or 4 on
    a board that is not square). ``policy`` gives each position an array (height, width)
    to learn, like probabilities of moves; without it the moves played are the targets.

    A ``path`` that ends in ``.npz`` becomes one compressed file with all samples, which
    takes several times as long: ``planes``, ``move``, ``result`` and ``score`` of
    ``SampleArrays``, as plain arrays for ``numpy.load``.

    Raises ValueError for a folder with files, for no samples and for a ``policy`` of
    another shape, and in one file for boards of different sizes. What is written of a
    folder then stays.
    """
    import numpy

    path = Path(path)
    is_file = path.suffix == ".npz"
    if is_file:
        groups = list(_groups(samples, symmetries, policy, None))
        if len({group.planes.shape[1:] for group in groups}) > 1:
            raise ValueError("the samples have boards of different sizes")
        arrays: dict[str, Any] = {
            name: numpy.concatenate([getattr(group, name) for group in groups])
            for name in ("planes", "move", "result", "score")
            if groups
        }
        count = len(arrays["move"]) if groups else 0
        if count:
            numpy.savez_compressed(path, **arrays)
    else:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise ValueError(f"{path} has files already: name a new folder")
        count = 0
        for number, group in enumerate(_groups(samples, symmetries, policy, shard)):
            _write_shard(path / f"samples-{number:05}.npz", group)
            count += len(group.move)
    if not count:
        raise ValueError("there are no samples")
    return count


def load_samples(path: str | Path) -> Iterator[SampleArrays]:
    """Yield the files of samples in a folder, or those of one file.

    Raises OSError, and ValueError for a file that ``save_samples`` did not write into
    a folder (``numpy.load`` reads the one compressed file).
    """
    path = Path(path)
    for file in sorted(path.glob("*.npz")) if path.is_dir() else [path]:
        yield _read_shard(file)


def _write_shard(path: Path, group: SampleArrays) -> None:
    """Write one file, whole or not at all."""
    import numpy

    arrays = group._asdict()
    arrays |= {
        "format": FORMAT,
        "version": __version__,
        "rule": group.rule.name.lower(),
    }
    arrays |= {"shape": group.planes.shape[1:]}
    arrays["planes"] = numpy.packbits(group.planes.reshape(len(group.move), -1), axis=1)
    data = BytesIO()
    numpy.savez(
        data, **{name: part for name, part in arrays.items() if part is not None}
    )
    write_whole(path, data.getvalue())


def _read_shard(path: Path) -> SampleArrays:
    import numpy

    try:
        with numpy.load(path) as file:
            found = dict(file)
        if "format" not in found:  # as in the one file of a path that ends in .npz
            raise ValueError("numpy.load reads it, if it is an archive of arrays")
        if int(found["format"]) != FORMAT:
            raise ValueError(f"format {found['format']}, not {FORMAT}")
        shape = tuple(int(size) for size in found["shape"])
        bits = numpy.unpackbits(found["planes"], axis=1, count=math.prod(shape))
        found |= {"planes": bits.reshape(-1, *shape), "rule": Rule(str(found["rule"]))}
        return SampleArrays(
            *(found.get(name) for name in SampleArrays._fields)  # type: ignore[arg-type]
        )
    except (OSError, MemoryError):
        raise
    except Exception as error:  # numpy and zipfile raise many kinds for other bytes
        raise ValueError(f"{path}: no file of samples: {error}") from error


def _groups(
    samples: Iterable[TrainingSample],
    with_images: bool,
    policy: Callable[[Board], Array] | None,
    size: int | None,
) -> Iterator[SampleArrays]:
    """Yield the samples of each rule and size in groups of ``size``."""
    import numpy

    rows: dict[tuple[Rule, int, int], list[tuple[Any, ...]]] = {}
    board = Board()
    for sample in samples:
        board = _position_of(sample, board)
        key = sample.rule, sample.width, sample.height
        found = rows.setdefault(key, [])
        found.append(
            (
                board.planes(last_move=True),
                board.index_of(sample.move),
                sample.result,
                numpy.nan if sample.score is None else sample.score,
                sample.win_in or 0,
                None if policy is None else _target(policy, board),
            )
        )
        images = len(board.symmetries) if with_images else 1
        if size is not None and (len(found) + 1) * images > size:
            yield _arrays(key, rows.pop(key), images)
    for key, found in rows.items():
        yield _arrays(key, found, len(Board(key[1:]).symmetries) if with_images else 1)


def _target(policy: Callable[[Board], Array], board: Board) -> Array:
    """Return a copy of the policy of a position; ValueError for another shape."""
    import numpy

    target = numpy.array(policy(board), numpy.float32)
    if target.shape != (board.height, board.width):
        raise ValueError(
            f"the policy has the shape {target.shape}, not"
            f" {(board.height, board.width)}"
        )
    return target


def _position_of(sample: TrainingSample, board: Board) -> Board:
    """Return the position of a sample, by the moves since an earlier one if it can."""
    known = board.ply
    fits = (sample.width, sample.height) == (board.width, board.height)
    if not fits or board.rule != sample.rule or sample.moves[:known] != board.moves:
        return sample.board()
    for move in sample.moves[known:]:
        board.play(move)
    return board


def _arrays(
    key: tuple[Rule, int, int], rows: list[tuple[Any, ...]], images: int
) -> SampleArrays:
    """Return rows as arrays, each under the first ``images`` symmetries in turn."""
    import numpy

    rule, width, height = key
    planes, move, result, score, win_in, policy = zip(*rows, strict=True)
    grid = numpy.arange(width * height, dtype=numpy.int32).reshape(height, width)

    def of_all(arrays: Array) -> Array:
        """Return the images of arrays whose last axes are a board's."""
        shown = numpy.stack([_image(arrays, k) for k in range(images)], axis=1)
        return shown.reshape(-1, *shown.shape[2:])

    # A cell's index in an image is where the image of the grid shows its number.
    places = numpy.stack(
        [numpy.argsort(_image(grid, k), axis=None) for k in range(images)]
    )
    numbers = numpy.repeat(
        numpy.array([result, score, win_in], numpy.float32), images, axis=1
    )
    return SampleArrays(
        rule,
        of_all(numpy.stack(planes)),
        places[:, numpy.array(move)].T.reshape(-1).astype(numpy.int32),
        numbers[0],
        numbers[1],
        numbers[2].astype(numpy.int16),
        None if policy[0] is None else of_all(numpy.stack(policy)),
    )


def _image(arrays: Array, symmetry: int) -> Array:
    """Return the images of arrays whose last axes are a board's rows and columns."""
    if symmetry & MIRROR_X:
        arrays = arrays[..., ::-1]
    if symmetry & MIRROR_Y:
        arrays = arrays[..., ::-1, :]
    return arrays.swapaxes(-1, -2) if symmetry & SWAP else arrays
