"""How often each spec is measured unless a study or the user says otherwise."""

from __future__ import annotations

REPEATS = 3
"""Trials of each spec in a sweep, and in the sweep to which a search is compared."""
MOST_REPEATS = 1000
REPEATS_HELP = "Trials of each configuration, interleaved in a random order."
