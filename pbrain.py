"""Start the brain for a Gomocup/Piskvork manager: ``python pbrain.py``."""

try:
    from gomoku_brain.__main__ import main

    if __name__ == "__main__":
        raise SystemExit(main())
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("gomoku_brain."):
        raise
    raise SystemExit(
        f"{error.name} is not built: run `pip install .` in the folder of pbrain.py"
    ) from None
