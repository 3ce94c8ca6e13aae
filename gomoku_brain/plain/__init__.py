"""The studies of the source reports, repeated."""
