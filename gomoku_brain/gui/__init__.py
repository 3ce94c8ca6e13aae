"""The desktop board (Qt, the extra `gui`)."""
