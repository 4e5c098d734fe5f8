"""Errors and wrong data of operations by kind: each kind counted, with its first case."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.language.sanitise import beginning, remembered
from core.result.outcome import Complaint

_KINDS_OF_COMPLAINT = 20
_LONGEST = 800
_NUMBERS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+")


@dataclass
class Complaints:
    """What went wrong in operations, by kind, with counts and the first case of each."""

    found: dict[tuple[bool, str], Complaint] = field(default_factory=dict)

    def add(
        self, *, wrong_data: bool, text: str, item: str, count: int = 1, kind: str = ""
    ) -> None:
        """Count `count` more; cases that differ only in numbers or UUIDs are one kind."""
        key = (wrong_data, kind or _NUMBERS.sub("#", text)[:120])
        if key not in self.found and len(self.found) >= _KINDS_OF_COMPLAINT:
            key = (wrong_data, "")
            text = "other"
        before = self.found.get(key)
        self.found[key] = Complaint(
            wrong_data=wrong_data,
            text=before.text if before else beginning(text, _LONGEST, remembered()),
            count=count + (before.count if before else 0),
            first_item=before.first_item if before else beginning(item, 200, remembered()),
        )

    def merge(self, other: Complaints) -> None:
        """Count another worker's complaints too, also of one that goes on."""
        for (wrong, kind), one in other.found.copy().items():
            self.add(
                wrong_data=wrong, text=one.text, item=one.first_item, count=one.count, kind=kind
            )
