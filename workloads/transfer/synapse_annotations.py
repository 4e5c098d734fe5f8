"""The five annotations of the published measurements: what is given, and what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from core import tr

GIVEN: Mapping[str, Any] = {
    "annot1": "value1",
    "annot2": 1,
    "annot3": 1.2,
    "annot4": True,
    "annot5": datetime(2020, 1, 1, tzinfo=UTC),
}
IN_MANIFEST: Mapping[str, str] = {
    "annot1": "value1",
    "annot2": "1",
    "annot3": "1.2",
    "annot4": "true",
    "annot5": "2020-01-01",
}
_STORED: Mapping[str, tuple[str, str]] = {
    "annot1": ("STRING", "value1"),
    "annot2": ("LONG", "1"),
    "annot3": ("DOUBLE", "1.2"),
    "annot4": ("BOOLEAN", "true"),
}
_DATE = "annot5"
_DAY = 86_400_000  # milliseconds; a manifest has no time zone


def flaw_of(stored: Mapping[str, Any]) -> str:
    """What is wrong with the annotations of a file, as the service tells them; empty if right."""
    for name, (kind, value) in _STORED.items():
        found = stored.get(name, {})
        if found.get("type") != kind or list(found.get("value", ())) != [value]:
            return tr("its annotation {name} is not what was given", name=name)
    date = stored.get(_DATE, {})
    if date.get("type") != "TIMESTAMP_MS" or not _near(*date.get("value", ())):
        return tr("its annotation {name} is not what was given", name=_DATE)
    return ""


def _near(*told: str) -> bool:
    given: datetime = GIVEN[_DATE]
    wanted = round(1000 * given.timestamp())
    return len(told) == 1 and abs(int(told[0]) - wanted) <= _DAY
