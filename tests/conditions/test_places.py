"""Sluice holds its word under full, read-only and odd places."""

from __future__ import annotations

from pathlib import Path

from conditions import Condition
from families import is_borne, of_family


@of_family("places")
def test_that_it_is_borne_or_named(condition: Condition, place: Path) -> None:
    is_borne(condition, place)
