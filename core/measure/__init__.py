"""Measuring: the machine, one trial, a cluster."""
