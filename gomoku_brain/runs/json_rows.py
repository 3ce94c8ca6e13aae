"""Lines of JSON that commands print, and the types of their values.

The rows are typed dictionaries; ``python .ci/output_schema.py --write`` makes
``docs/output.schema.json`` from their types. ``Schema`` in ``Annotated`` has more
keywords, such as a limit or a description.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Literal

__all__ = [
    "Cell",
    "Count",
    "Number",
    "Positive",
    "Schema",
    "Seconds",
    "Share",
    "SideName",
    "json_line",
]


class Schema:
    """Keywords of the JSON schema of a value, for ``Annotated``."""

    def __init__(self, **keywords: object) -> None:
        """Store the keywords, for example ``minimum=0``."""
        self.keywords = keywords


Count = Annotated[int, Schema(minimum=0)]
Positive = Annotated[int, Schema(minimum=1)]
Seconds = Annotated[float, Schema(minimum=0)]
Share = Annotated[float, Schema(minimum=0, maximum=1)]
Number = float | None
"""A number; None if it is infinite or unknown."""
Cell = Annotated[str, Schema(pattern="^([a-z][1-9][0-9]*|[0-9]+,[0-9]+)$")]
"""A cell, as "h8"."""
SideName = Literal["black", "white"]


def json_line(kind: str, row: Mapping[str, object]) -> str:
    """Return one line of output; ``kind`` becomes its "type".

    Raises ValueError for numbers that JSON does not have.
    """
    return json.dumps({"type": kind, **row}, allow_nan=False)
