"""Analysis, review and proofs in the window."""
