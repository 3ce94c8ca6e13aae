"""What a manager says, and what the brain answers."""
