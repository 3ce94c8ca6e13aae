"""Alpha-beta search of one thread: node function, move ordering and table."""
