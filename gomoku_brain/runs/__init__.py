"""Parts that all long commands share."""
