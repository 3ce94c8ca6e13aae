"""Start the brain for a Piskvork manager: ``python pbrain.py``."""

import sys

try:
    from gomoku_brain.__main__ import main
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("gomoku_brain."):
        raise
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    raise SystemExit(
        f"{error.name} is not built for {python}: run `{sys.executable} -m pip "
        f"install .` in the folder of pbrain.py"
    ) from None

if __name__ == "__main__":
    raise SystemExit(main())
