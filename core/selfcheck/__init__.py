"""Sluice measured by its own standards: the loop, the raw reads, the sampling, the statistics."""
