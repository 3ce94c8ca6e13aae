"""The certificate of the folder prove."""

import pytest

from tests.prove.conftest import small_proof


@pytest.fixture(scope="session")
def small():
    return small_proof()
