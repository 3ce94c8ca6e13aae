from tests.match.conftest import no_child_left  # noqa: F401
