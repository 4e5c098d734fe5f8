"""Plots over counts, such as threads."""
