"""What every search obeys, and its plain records."""
