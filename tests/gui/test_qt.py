import pytest


def test_qt_can_be_used(missing):
    """Shows among the skipped tests that all others of this folder are not run."""
    if missing:
        pytest.skip(f"the board is not tested: {missing}")
