"""What to measure: specs, sweeps, the order of trials, limits and the floor."""
