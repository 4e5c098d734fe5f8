"""The line above a plot: its title, and each curve's name and value at the crosshair.

Numbers give way before names, because a plot that does not say what it shows says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, override

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.plots.base.painting import LINE, PaintedPlot, colour_of, draw_marker
from app.style.labels import as_tip

SWATCH = 18
SPACE = 5
_GAP = 14
_MOST_WIDTHS = 1000


@dataclass(frozen=True, kw_only=True)
class LegendEntry:
    """One curve's name and value; `rank` gives the colour of its marker.

    Without a rank it is muted, and without a marker there is nothing before the name.
    """

    name: str
    value: str = ""
    rank: int | None = None
    marker: str = ""
    key: str = ""
    """What a click on it hides or shows again; nothing if empty."""
    hidden: bool = False
    room: int = 0
    """Pixels that are kept for its value."""


class PlacedEntry(NamedTuple):
    """An entry in a line of the read-out; `end` is where its value ends."""

    row: int
    x: float
    end: float
    entry: LegendEntry


class Widths:
    """Widths of texts in a font, each made once, because laying out a text takes longest here."""

    def __init__(self, font: QFont) -> None:
        self.bold = QFont(font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.metrics = QFontMetrics(font)
        self._bold_metrics = QFontMetrics(self.bold)
        self._widths: dict[tuple[str, bool], int] = {}

    @property
    def line(self) -> int:
        return self.metrics.height() + 4

    def of(self, text: str, *, bold: bool = False) -> int:
        if (text, bold) not in self._widths:
            if len(self._widths) >= _MOST_WIDTHS:
                self._widths.clear()
            metrics = self._bold_metrics if bold else self.metrics
            self._widths[text, bold] = metrics.horizontalAdvance(text)
        return self._widths[text, bold]

    def cut_title(self, title: str, room: int) -> str:
        if self.of(title, bold=True) <= room:
            return title
        return self._bold_metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 0))

    def of_entry(self, entry: LegendEntry) -> int:
        space = SPACE if entry.name and entry.value else 0
        return (SWATCH if entry.marker else 0) + self.of(entry.name) + space + entry.room


class ReadoutLayout(NamedTuple):
    """A title and entries in a given width: in two lines at most, or in all that it needs."""

    widths: Widths
    title: str
    entries: Sequence[LegendEntry]
    width: int
    wraps: bool

    @property
    def _room(self) -> int:
        return self.width - 2 * SPACE

    @property
    def _beside(self) -> int:
        """What the title leaves of its line."""
        return self._room - _GAP - self.widths.of(self.title, bold=True)

    @property
    def _curves(self) -> list[LegendEntry]:
        return [one for one in self.entries if one.marker]

    def rows(self) -> list[Sequence[LegendEntry]]:
        """The entries in each line; those of the first stand beside the title."""
        if self.wraps:
            return self._wrapped()
        # Beside the title, or below it where not even the names of the curves have room there.
        names = self._width([_bare(one) for one in self._curves if one.name])
        room = self._beside if names <= self._beside else self._room
        fitting = next((some for some in self._ever_less() if self._width(some) <= room), [])
        return [fitting] if names <= self._beside else [[], fitting]

    def _ever_less(self) -> Iterator[Sequence[LegendEntry]]:
        """Ever fewer entries: all, those of curves, these without values, and then fewer names.

        Where curves have no names here, values are left out from the last.
        """
        yield self.entries
        curves = self._curves
        if not any(one.name for one in curves):
            yield from (self.entries[:count] for count in range(len(self.entries) - 1, 0, -1))
            return
        others = [one for one in self.entries if not one.marker]
        yield from ([*curves, *others[:count]] for count in range(len(others) - 1, -1, -1))
        named = list(map(_bare, curves))
        yield named
        for count in range(len(named) - 1, 0, -1):
            yield [*named[:count], LegendEntry(name=f"+{len(named) - count}")]

    def _wrapped(self) -> list[Sequence[LegendEntry]]:
        if not self.entries or self._width(self.entries) <= self._beside:
            return [self.entries]
        rows: list[list[LegendEntry]] = [[], []] if self.title else [[]]
        for one in self.entries:
            if rows[-1] and self._width([*rows[-1], one]) > self._room:
                rows.append([])
            rows[-1].append(one)
        return [*rows]

    def _width(self, entries: Sequence[LegendEntry]) -> int:
        return sum(map(self.widths.of_entry, entries)) + _GAP * max(len(entries) - 1, 0)

    def placed(self) -> Iterator[PlacedEntry]:
        """Where the entries stand that have room."""
        for number, row in enumerate(self.rows()):
            beside = self.title and not number
            x = float(self.width - SPACE - self._width(row) if beside else SPACE)
            for entry in row:
                end = x + self.widths.of_entry(entry)
                yield PlacedEntry(number, x, end, entry)
                x = end + _GAP


def _bare(entry: LegendEntry) -> LegendEntry:
    """An entry without its value."""
    return replace(entry, value="", room=0)


class Readout(PaintedPlot):
    """Shows a title and entries in one line; where room is short, numbers are left out first.

    Names that have no room beside the title are below it. With `wraps` nothing is left out, and
    entries continue on further lines. All of it is in the tooltip.
    """

    chosen = Signal(str)
    """The key of an entry that was clicked."""

    def __init__(self, title: str, *, wraps: bool = False) -> None:
        super().__init__()
        self.title = title
        self._wraps = wraps
        self.entries: tuple[LegendEntry, ...] = ()
        """All entries, whether there is room for them or not."""
        self._widest: list[int] = []
        self._widths = Widths(self.font())
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def seen(self) -> tuple[str, ...]:
        """The texts that have room: the title, and names and values of entries."""
        placed = self._arranged().placed()
        texts = (text for at in placed for text in (at.entry.name, at.entry.value))
        return tuple(filter(None, (self._cut_title, *texts)))

    def set_title(self, title: str) -> None:
        if title != self.title:
            self.title = title
            self._fit()
            self.update()

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these; values keep the room of the widest one so far, so that nothing jumps."""
        if tuple(entries) == self.entries:
            return
        widths = [self._widths.of(entry.value) for entry in entries]
        if [entry.name for entry in entries] != [entry.name for entry in self.entries]:
            self._widest = widths
        self._widest = [max(pair) for pair in zip(widths, self._widest, strict=True)]
        self.entries = tuple(entries)
        self._fit()
        self.update()

    def _fit(self) -> None:
        """Be as high as the lines need."""
        self.setFixedHeight(self._widths.line * len(self._arranged().rows()))

    def _arranged(self) -> ReadoutLayout:
        rooms = zip(self.entries, self._widest, strict=True)
        entries = [replace(entry, room=room) for entry, room in rooms]
        return ReadoutLayout(self._widths, self.title, entries, self.width(), self._wraps)

    @property
    def _cut_title(self) -> str:
        return self._widths.cut_title(self.title, self.width() - 2 * SPACE)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            texts = [self.title, *(f"{one.name} {one.value}".strip() for one in self.entries)]
            if any(entry.key for entry in self.entries):
                texts.append(self.tr("Click a name to hide its curve, or to show it again."))
            tip = self.toolTip() or as_tip("\n".join(filter(None, texts)))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def _entry_at(self, place: QPointF) -> LegendEntry | None:
        """The entry that a click there hides or shows."""
        for row, x, end, entry in self._arranged().placed():
            if entry.key and row == place.y() // self._widths.line and x <= place.x() <= end:
                return entry
        return None

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._entry_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        entry = self._entry_at(event.position())
        if entry is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.chosen.emit(entry.key)
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._entry_at(event.position()) is not None:
            self.mousePressEvent(event)  # two quick clicks are two

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._widths = Widths(self.font())
            self._widest = [self._widths.of(entry.value) for entry in self.entries]
            self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._widths.line)

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setFont(self._widths.bold)
        self._text(p, QPointF(SPACE, 0), self._cut_title, self._theme.text)
        for row, x, end, entry in self._arranged().placed():
            top = row * self._widths.line
            if entry.marker:
                self._draw_swatch(p, QPointF(x, top + self._widths.line / 2), entry)
            font = QFont(self.font())
            font.setStrikeOut(entry.hidden)
            p.setFont(font)
            name = QPointF(x + SWATCH if entry.marker else x, top)
            self._text(p, name, entry.name, self._theme.muted)
            p.setFont(self.font())
            value = QPointF(end - self._widths.of(entry.value), top)
            self._text(p, value, entry.value, self._theme.text)

    def _draw_swatch(self, p: QPainter, left: QPointF, entry: LegendEntry) -> None:
        colour = colour_of(self._theme, None if entry.hidden else entry.rank)
        p.setPen(QPen(QColor(colour), 1.5))
        p.drawLine(left, left + QPointF(SWATCH - SPACE, 0))
        if entry.marker != LINE and not entry.hidden:
            middle = left + QPointF((SWATCH - SPACE) / 2, 0)
            draw_marker(p, middle, entry.marker, (colour, self._theme.background))

    def _text(self, p: QPainter, place: QPointF, text: str, colour: str) -> None:
        """Write a text into the line that begins at a place."""
        metrics = self._widths.metrics
        p.setPen(QColor(colour))
        base = (self._widths.line + metrics.ascent() - metrics.descent()) / 2
        p.drawText(place + QPointF(0, base), text)
