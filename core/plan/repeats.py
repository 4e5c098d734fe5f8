"""How often each spec is measured unless a study or the user says otherwise."""

from __future__ import annotations

REPEATS = 3
"""Trials of each spec in a sweep, and of each setting in the sweep that a search stands for,
unless a study or the user says otherwise."""
MOST_REPEATS = 1000
REPEATS_HELP = "Trials of each configuration, interleaved in a random order."
