"""Start the brain for a Gomocup/Piskvork manager: ``python pbrain.py``."""

import sys

# A manager starts whatever Python it finds, so this file can be read from 3.6 on.
LEAST = (3, 11)


def why_missing(module: str) -> str:
    """Why a compiled module is not there, and what to do."""
    from pathlib import Path  # not in the time of every start

    path = Path(__file__).resolve().parent.joinpath(*module.split("."))
    others = [
        p for p in path.parent.glob(path.name + ".*") if p.suffix in (".so", ".pyd")
    ]
    state = "built for another Python" if others else "not built"
    return (
        f"{module} is {state}: run `{sys.executable} -m pip install .` in the folder of"
        " pbrain.py"
    )


if sys.version_info < LEAST:
    raise SystemExit(
        "gomoku-brain needs Python {}.{} or later, and {} is {}.{}".format(
            *LEAST, sys.executable, *sys.version_info[:2]
        )
    )
try:
    from gomoku_brain.__main__ import main

    if __name__ == "__main__":
        raise SystemExit(main())
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("gomoku_brain."):
        raise
    raise SystemExit(why_missing(error.name or "")) from None
