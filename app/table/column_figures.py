"""How the figures of a column stand below each other: their unit once above, numbers in line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core import Table, one_line

_BETWEEN, _TIMES = " ± ", "×"
_WITH_UNIT = re.compile(r".*[\d)] ([^\d)]+)")


@dataclass(frozen=True, kw_only=True)
class ColumnFigures:
    """The unit that all figures of a column are told in, and the longest of their half widths."""

    unit: str = ""
    """Empty where there are several, or none."""
    longest: str = ""

    @staticmethod
    def of(table: Table, place: int) -> ColumnFigures:
        """Look at all cells of the column at that place; one of words has no unit."""
        cells = (row[place] for row in table.rows) if table.columns[place].unit else ()
        texts = [cell.text for cell in cells if cell.value is not None]
        unit = _unit(texts[0]) if texts else ""
        end = f" {unit}"
        # There can be many thousand trials: they are looked at without a pattern.
        if not all(_TIMES in one if unit == _TIMES else one.endswith(end) for one in texts):
            unit = ""
        half_widths = [_bare(one, unit).partition(_BETWEEN)[2] for one in texts if _BETWEEN in one]
        return ColumnFigures(unit=unit, longest=max(half_widths, key=len, default=""))

    def text(self, told: str) -> str:
        """What is shown of a cell below the unit."""
        number, between, half_width = one_line(_bare(told, self.unit)).partition(_BETWEEN)
        lacking = self.longest[: max(len(self.longest) - len(half_width), 0)] if between else ""
        return f"{number}{between}{''.join(map(_space, lacking))}{half_width}"


def _unit(text: str) -> str:
    if _TIMES in text:
        return _TIMES
    found = _WITH_UNIT.fullmatch(text)
    return found[1] if found else ""


def _bare(text: str, unit: str) -> str:
    return text.replace(_TIMES, "") if unit == _TIMES else text.removesuffix(f" {unit}")


def _space(letter: str) -> str:
    """As wide as that digit or mark."""
    return "\N{FIGURE SPACE}" if letter.isdigit() else "\N{PUNCTUATION SPACE}"
