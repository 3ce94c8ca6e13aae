"""The version of the package, below everything that says it."""

__version__ = "0.1.0"
