"""Tuning and comparison of search settings."""
