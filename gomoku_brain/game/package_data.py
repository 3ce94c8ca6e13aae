"""Files of the folder ``data``, read by the loader of the package.

So they are also found in a zip file or a frozen program.
"""

import os

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Any

__all__ = ["read_data"]


def read_data(name: str) -> bytes:
    """Return the bytes of a file in the package's data folder. Raises OSError."""
    loader: Any = getattr(__spec__, "loader", None)
    data: bytes = loader.get_data(
        os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", name)
    )
    return data
