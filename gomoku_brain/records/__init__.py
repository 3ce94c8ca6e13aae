"""Every form in which games and positions are kept: read and written."""
