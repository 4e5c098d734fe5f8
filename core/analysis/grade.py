"""How sure it is that a setting is the one to use: three grades, in the same words everywhere."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from core.language.translation import tr
from core.language.units import show_share

WITHIN = 0.1
"""A setting that is surely within this share of anything measured will do for now."""


class Grade(StrEnum):
    """The worst first; LEADING: the best so far, and something else may be it."""

    LEADING = "leading"
    WITHIN = "within"
    SURE = "sure"

    @property
    def bars(self) -> int:
        """Of three, for a meter."""
        return [*Grade].index(self) + 1

    @property
    def text(self) -> str:
        """`leading`, `surely within 10 %`, `sure`."""
        match self:
            case Grade.LEADING:
                return tr("leading")
            case Grade.WITHIN:
                return tr("surely within {share}", share=show_share(WITHIN))
            case Grade.SURE:
                return tr("sure")
            case _:
                assert_never(self)


def grade_of(*, sure: bool, within: bool) -> Grade:
    """From whether it surely is as good as the best, and whether it surely is within `WITHIN`."""
    if sure:
        return Grade.SURE
    return Grade.WITHIN if within else Grade.LEADING
