"""Makers of shipped data."""
