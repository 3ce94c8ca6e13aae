"""Makers of data files that are shipped."""
