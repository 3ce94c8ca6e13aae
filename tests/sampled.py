"""Tests in two sizes: a few cases in every run, all of them with ``-m slow``."""

from collections.abc import Iterable
from typing import Any

import pytest

WHY = "the same test with all of its random cases"


def sampled(few: int, every: int) -> pytest.MarkDecorator:
    """Give a test its number of cases as ``count``.

    The few cases are the first ones of all, so that both sizes look at the same ones.
    ``.ci/run`` runs both sizes.
    """
    return pytest.mark.parametrize(
        "count",
        [
            pytest.param(few, id="few"),
            pytest.param(every, id="all", marks=pytest.mark.slow(WHY, ci=True)),
        ],
    )


def some_of(cases: Iterable[Any], step: int, why: str) -> list[Any]:
    """Return the cases for parametrize: every ``step``-th as it is, the others slow."""
    return [
        pytest.param(
            *(case if type(case) in (tuple, list) else (case,)),
            marks=[pytest.mark.slow(why, ci=True)] if number % step else [],
        )
        for number, case in enumerate(cases)
    ]
