"""The commands of ``gomoku-brain <command>``, one module each with ``main(argv)``."""

NAMES = (
    *("analyze", "bench", "doctor", "experiment", "gui", "levels", "match"),
    *("openings", "prove", "solve"),
)
"""The commands: each is a module of this folder with ``main(argv)``."""
