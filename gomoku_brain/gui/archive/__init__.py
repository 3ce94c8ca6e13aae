"""Games from and to files and the archive."""
