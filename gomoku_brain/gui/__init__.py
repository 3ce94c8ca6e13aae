"""Desktop board (Qt, the extra ``gui``)."""
