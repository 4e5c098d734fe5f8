"""Runs, sessions and questions, carried out beside the window's thread."""
