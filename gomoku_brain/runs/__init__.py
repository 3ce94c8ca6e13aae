"""The parts that all long commands share."""
