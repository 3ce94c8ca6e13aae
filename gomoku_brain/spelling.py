"""Suggestions for misspelled names."""

from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return "; did you mean 'renju'?" with the most similar name, or ""."""
    from difflib import get_close_matches  # late: only errors need it

    found = get_close_matches(word.lower(), list(names), 1)
    return f"; did you mean {found[0]!r}?" if found else ""
