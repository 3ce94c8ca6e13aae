"""Tests of an engine in the same way as managers use it."""
