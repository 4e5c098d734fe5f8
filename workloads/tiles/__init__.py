"""Tiles of imagery, read and written by key in stores on this machine and elsewhere."""
