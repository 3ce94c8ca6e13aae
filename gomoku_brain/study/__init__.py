"""Analysis of positions and games with the engine."""
