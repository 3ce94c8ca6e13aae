"""Dialogs for programs, settings and help."""
