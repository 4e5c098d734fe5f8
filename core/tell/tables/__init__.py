"""Results and trials as neutral tables."""
