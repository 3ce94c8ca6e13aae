"""Files of games, and the archive of all games."""
