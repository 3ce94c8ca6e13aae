"""Tools that make weights, constants, openings and studies."""
