"""Sluice holds its word under limits of processes, files, memory and time."""

from __future__ import annotations

from pathlib import Path

from conditions import Condition
from families import is_borne, of_family


@of_family("limits")
def test_that_it_is_borne_or_named(condition: Condition, place: Path) -> None:
    is_borne(condition, place)
