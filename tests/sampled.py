"""Random tests in two sizes: a few cases in every run, all of them with ``-m slow``."""

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
