"""The manager's side of the protocol."""
