"""Proofs that the side to move wins: made, kept as certificates, and checked."""
