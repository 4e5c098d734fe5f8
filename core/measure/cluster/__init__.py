"""Trials on the machines of a Dask cluster: one agent per node, and what puts them together."""
