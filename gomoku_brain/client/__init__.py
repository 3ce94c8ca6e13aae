"""Client side of the Gomocup protocol: running engines as child processes."""
