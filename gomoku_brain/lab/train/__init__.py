"""Training of the weights."""
