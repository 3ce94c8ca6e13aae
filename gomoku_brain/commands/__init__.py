"""Commands of ``gomoku-brain <command>``. Each is a module with ``main(argv)``."""

NAMES = (
    *("analyze", "bench", "doctor", "experiment", "gui", "levels", "match"),
    *("openings", "prove", "rate", "solve"),
)
"""Names of the commands. Each is a module of this folder with ``main(argv)``."""
