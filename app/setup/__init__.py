"""The left panel: what to measure, on which data, how hard, how often."""
