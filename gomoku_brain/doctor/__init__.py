"""Tests of an engine the way managers use it."""
