"""The first sentence about some results, as a value; `core.output.card_text` says it."""

from __future__ import annotations

import msgspec

from core.analysis.doubt import Doubt, Mood
from core.analysis.grade import Grade


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, its details, and whether it is good news."""

    mood: Mood
    text: str
    detail: str
    doubts: tuple[Doubt, ...] = ()
    """Why it is not good news; the detail says it too."""
    grade: Grade | None = None
    """How sure the order is; None where nothing is put in order."""
