"""Checks Sluice itself: the loop, the raw reads, the sampling, the statistics."""
