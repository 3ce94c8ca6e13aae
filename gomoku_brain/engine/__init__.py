"""The engine: iterative deepening, threads, time and swap2."""
