"""Checks Sluice itself on this machine: the loop, the raw reads, the sampling."""
