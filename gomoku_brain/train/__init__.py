"""Making weights and constants: self-play, fitting, tuning by games."""
