"""What of a title and its entries has room above a plot, and where each of them stands.

Numbers give way before names, because a plot that does not say what it shows says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

SWATCH = 18
SPACE = 5
_GAP = 14
_KNOWN = 1000


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One curve's name and value; `rank` gives the colour of its marker.

    Without a rank it is muted, and without a marker there is nothing before the name.
    """

    rank: int | None
    marker: str
    name: str
    value: str
    key: str = ""
    """What a click on it hides or shows again; nothing if empty."""
    hidden: bool = False

    @property
    def text(self) -> str:
        """Name and value in words."""
        return " ".join(filter(None, (self.name, self.value)))


class Text(NamedTuple):
    """The drawn parts of an entry; `room` is the width reserved for its value."""

    name: str
    value: str
    room: int


class Placed(NamedTuple):
    """The line of an entry, and its place there: `end` is where its value ends."""

    row: int
    x: float
    end: float
    entry: Entry
    text: Text


class Widths:
    """Widths of texts in a font; kept, because laying out a text takes longest here."""

    def __init__(self, font: QFont) -> None:
        self.bold = QFont(font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.metrics = QFontMetrics(font)
        self._bold_metrics = QFontMetrics(self.bold)
        self._known: dict[tuple[str, bool], int] = {}

    @property
    def line(self) -> int:
        """The height of a line."""
        return self.metrics.height() + 4

    def of(self, text: str, *, bold: bool = False) -> int:
        """The width of a text."""
        known = self._known.get((text, bold))
        if known is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            metrics = self._bold_metrics if bold else self.metrics
            known = self._known[text, bold] = metrics.horizontalAdvance(text)
        return known

    def cut_title(self, title: str, room: int) -> str:
        """The title as it fits."""
        if self.of(title, bold=True) <= room:
            return title
        return self._bold_metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 0))

    def of_entry(self, entry: Entry, text: Text) -> int:
        """The width of an entry with its swatch."""
        space = SPACE if text.name and text.value else 0
        return (SWATCH if entry.marker else 0) + self.of(text.name) + space + text.room


type Shown = tuple[Entry, Text]


def whole(entries: Sequence[Entry], rooms: Sequence[int]) -> list[Shown]:
    """All entries with all their texts; `rooms`: the widths that values keep."""
    return [
        (entry, Text(entry.name, entry.value, room))
        for entry, room in zip(entries, rooms, strict=True)
    ]


class Layout(NamedTuple):
    """A title and entries in a given width."""

    widths: Widths
    title: str
    shown: list[Shown]
    width: int

    @property
    def _room(self) -> int:
        return self.width - 2 * SPACE

    @property
    def _beside(self) -> int:
        """What the title leaves of its line."""
        return self._room - _GAP - self.widths.of(self.title, bold=True)

    @property
    def names_below(self) -> bool:
        """Whether not even the names of the curves have room beside the title."""
        named = [(entry, Text(text.name, "", 0)) for entry, text in self._curves if text.name]
        return self._needed(named) > self._beside

    def in_few_lines(self) -> tuple[str, list[Placed]]:
        """The title as it fits; and beside it, or below if there is no room for all names, what
        of the entries has room.
        """
        below = self.names_below
        room = self._room if below else self._beside
        kept = next((some for some in self._ever_less() if self._needed(some) <= room), [])
        rows = [[], kept] if below else [kept]
        return self.widths.cut_title(self.title, self._room), list(self._placed(rows))

    def in_lines(self) -> tuple[str, list[Placed]]:
        """The title, and all entries: beside it, or in lines of their own."""
        return self.widths.cut_title(self.title, self._room), list(self._placed(self._rows()))

    def lines(self) -> int:
        """How many lines `in_lines` takes."""
        return len(self._rows())

    @property
    def _curves(self) -> list[Shown]:
        return [one for one in self.shown if one[0].marker]

    def _ever_less(self) -> Iterator[list[Shown]]:
        """What to try: all; without what is no curve's; without values; and then fewer names.

        Where curves have no names here, values are left out from the last.
        """
        yield self.shown
        if not any(entry.marker and entry.name for entry, _ in self.shown):
            yield from (self.shown[:count] for count in range(len(self.shown) - 1, 0, -1))
            return
        curves = self._curves
        others = [one for one in self.shown if not one[0].marker]
        yield from ([*curves, *others[:count]] for count in range(len(others) - 1, -1, -1))
        named = [(entry, Text(text.name, "", 0)) for entry, text in curves]
        yield named
        for count in range(len(named) - 1, 0, -1):
            rest = Entry(rank=None, marker="", name=f"+{len(named) - count}", value="")
            yield [*named[:count], (rest, Text(rest.name, "", 0))]

    def _rows(self) -> list[list[Shown]]:
        """The entries in each line; those of the first stand beside the title."""
        if not self.shown or self._needed(self.shown) <= self._beside:
            return [self.shown]
        rows: list[list[Shown]] = [[], []] if self.title else [[]]
        left = self._room
        for one in self.shown:
            width = self.widths.of_entry(*one) + _GAP
            if width - _GAP > left and rows[-1]:
                rows.append([])
                left = self._room
            rows[-1].append(one)
            left -= width
        return rows

    def _needed(self, shown: Sequence[Shown]) -> int:
        return sum(self.widths.of_entry(*one) for one in shown) + _GAP * max(len(shown) - 1, 0)

    def _placed(self, rows: Sequence[list[Shown]]) -> Iterator[Placed]:
        for number, row in enumerate(rows):
            beside = self.title and not number
            x = float(self.width - SPACE - self._needed(row) if beside else SPACE)
            for entry, text in row:
                end = x + self.widths.of_entry(entry, text)
                yield Placed(number, x, end, entry, text)
                x = end + _GAP
