"""What is to be measured: specs, sweeps, the order of trials, limits and the floor."""
