"""Matches between engines: referee, tournament, statistics and reports."""
