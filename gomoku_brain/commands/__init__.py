"""The commands of ``gomoku-brain <command>``, one module each with ``main(argv)``."""
