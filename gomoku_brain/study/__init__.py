"""Understanding positions with the engine."""
