"""Engine: iterative deepening, threads, time and swap2."""
