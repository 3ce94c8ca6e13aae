"""The studies of the source reports, repeated: measured, played and reported."""
