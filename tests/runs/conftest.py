from tests.match.conftest import children_left  # noqa: F401
