"""Folder of this user's settings, games and confirmed commands."""

import os
import sys
from pathlib import Path

__all__ = ["user_folder"]


def user_folder() -> Path:
    """Return ``GOMOKU_BOARD_HOME``, or the usual folder of the system for settings.

    Raises OSError if the system does not know the user's folder.
    """
    if named := os.environ.get("GOMOKU_BOARD_HOME"):
        return Path(named)
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA", "")
            place = Path(local) if local else Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            place = Path.home() / "Library" / "Preferences"
        else:
            place = Path(os.environ.get("XDG_CONFIG_HOME", ""))
            if not place.is_absolute():  # invalid by its specification
                place = Path.home() / ".config"
    except RuntimeError as error:
        raise OSError(str(error)) from None
    return place / "gomoku-brain"
