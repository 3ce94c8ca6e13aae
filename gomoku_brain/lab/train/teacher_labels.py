"""A teacher's opinions on packed positions, as labels for ``trainer``.

The folder gets the opinions, 0 to 1, as 16-bit numbers in files of at most 16 MiB, in
the order of the positions, and a header that identifies them and the teacher. The same
command continues a folder, also if the packed positions have become more.
"""

import argparse
import hashlib
import json
import time
from pathlib import Path

from gomoku_brain.lab.train.losses import sigmoid
from gomoku_brain.lab.train.packed import LABEL_UNIT, LABELS, Positions
from gomoku_brain.lab.train.teacher import (
    IMAGES,
    add_threads,
    teacher_in,
    use_threads,
)
from gomoku_brain.runs.output_files import make_folder, write_whole
from gomoku_brain.runs.program_end import run_reporting
from gomoku_brain.runs.run_options import OneLineParser, ProgressLine

__all__ = ["main"]

AT_ONCE = 1 << 14  # labels written at once
FILE_LABELS = 1 << 23  # labels in a file of 16 MiB


def label(options: argparse.Namespace) -> None:
    """Write the labels that a folder lacks.

    Raises OSError, and ValueError for a folder of other labels or of other positions.
    """
    import numpy

    use_threads(options.threads)
    folder = make_folder(options.folder)
    positions = Positions([options.data])
    teacher = teacher_in(options.teacher)
    for size in set(positions.size.tolist()) - set(teacher.norms):
        raise ValueError(f"no teacher for boards of {size} x {size}")
    header = {
        "positions": len(positions),
        "fingerprint": positions.fingerprint(),
        "teacher": hashlib.sha256(options.teacher.read_bytes()).hexdigest(),
        "symmetries": options.symmetries,
    }
    path = folder / LABELS
    if path.exists():
        known = json.loads(path.read_text("ascii"))
        if known != header | {
            "positions": known["positions"],
            "fingerprint": positions.fingerprint(known["positions"]),
        }:
            raise ValueError(f"{folder} has labels of other positions or options")
    write_whole(path, json.dumps(header) + "\n")
    files = [path.stat().st_size for path in folder.glob("labels-*.bin")]
    done = sum(files) // 2 // AT_ONCE * AT_ONCE  # again what a kill cut
    started, first = time.perf_counter(), done
    with ProgressLine("labels", len(positions), done) as progress:
        while done < len(positions):
            which = numpy.arange(done, min(done + AT_ONCE, len(positions)))
            logits = teacher.logits(positions, which, options.symmetries)
            labels = numpy.rint(sigmoid(logits) * LABEL_UNIT).astype("<u2")
            number, at = divmod(done, FILE_LABELS)
            with (folder / f"labels-{number:03}.bin").open("ab") as file:
                file.truncate(2 * at)
                file.write(labels.tobytes())
            done += len(which)
            progress.show(done)
    speed = (done - first) / (time.perf_counter() - started)
    print(f"{done} labels, {speed:.0f} a second")


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.teacher_labels``; see ``--help``."""
    parser = OneLineParser(
        prog="python -m gomoku_brain.lab.train.teacher_labels",
        description="Write the opinions of a teacher on packed positions.",
    )
    parser.add_argument("folder", type=Path, help="folder to write or to go on with")
    parser.add_argument("data", type=Path, help="folder of packed positions")
    parser.add_argument("teacher", type=Path, help="teacher.pt of a finished run")
    parser.add_argument(
        "--symmetries",
        type=int,
        choices=(1, IMAGES),
        default=1,
        help="images whose mean is the opinion",
    )
    add_threads(parser)
    options = parser.parse_args(argv)
    return run_reporting("teacher_labels", lambda: label(options))


if __name__ == "__main__":
    raise SystemExit(main())
