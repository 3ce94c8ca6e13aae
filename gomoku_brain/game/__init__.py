"""What a position is: rules, board, patterns, fouls. Knows nothing of good or bad."""
