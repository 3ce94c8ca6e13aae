"""The ladder of strengths below full strength."""
