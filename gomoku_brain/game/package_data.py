"""Files of the folder data, read by the loader that brought the package, so that a zip
or a frozen program works as well."""

import os
from typing import Any

__all__ = ["read_data"]


def read_data(name: str) -> bytes:
    """The bytes of a file in the package's data folder. Raises OSError."""
    loader: Any = getattr(__spec__, "loader", None)
    data: bytes = loader.get_data(
        os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", name)
    )
    return data
