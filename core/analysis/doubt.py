"""What speaks against results, as values that can be had without judging any.

`core.analysis.trust` finds it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

type Mood = Literal["open", "good", "bad"]


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence on what speaks against results, and one on what to do.

    `grave`: the results are contradicted, not just unsure.
    """

    text: str
    remedy: str
    grave: bool = False

    @property
    def full_text(self) -> str:
        """Both sentences."""
        return f"{self.text} {self.remedy}"
