"""Plots of what was measured: the only package that imports pyqtgraph."""
