"""The line above a plot: its title, and each curve's name and value at the crosshair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, override

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.plots.base.painting import LINE, colour_of, draw_marker, is_raster, marker_image
from app.style.theme import LIGHT, Theme

_SWATCH = 18
_GAP = 14
_SPACE = 5
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


class _Text(NamedTuple):
    """The drawn parts of an entry; `room` is the width reserved for its value."""

    name: str
    value: str
    room: int


class _Placed(NamedTuple):
    """The line of an entry, and its place there."""

    row: int
    x: float
    entry: Entry
    text: _Text


class Readout(QWidget):
    """Shows a title and entries in one line; where room is short, names are dropped before values.

    With `wraps` nothing is dropped, and entries continue on further lines.
    """

    def __init__(self, title: str, *, wraps: bool = False) -> None:
        super().__init__()
        self.title = title
        self._wraps = wraps
        self._entries: tuple[Entry, ...] = ()
        self._widest: list[int] = []
        self._theme = LIGHT
        self._still = QPixmap()
        self._shown: tuple[object, ...] = ()
        self._metrics = QFontMetrics(self.font())
        self._advances: dict[tuple[str, bool], int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is shown now."""
        return self._entries

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme
        self.update()

    def set_title(self, title: str) -> None:
        """Show another title."""
        if title != self.title:
            self.title = title
            self._fit()
            self.update()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these; values keep the room of the widest one so far, so that nothing jumps."""
        entries = tuple(entries)
        if entries == self._entries:
            return
        widths = [self._advance(entry.value) for entry in entries]
        if [entry.name for entry in entries] != [entry.name for entry in self._entries]:
            self._widest = widths
        self._widest = [max(pair) for pair in zip(widths, self._widest, strict=True)]
        self._entries = entries
        self._fit()
        self.update()

    def _fit(self) -> None:
        """Be as high as the lines need."""
        if self._wraps:
            self.setFixedHeight(self._line * len(self._rows()))

    @property
    def _line(self) -> int:
        return self._metrics.height() + 4

    def _rows(self) -> list[list[int]]:
        """Places of the entries in each line; those of the first stand beside the title."""
        texts = self._whole()
        whole = self.width() - 2 * _SPACE
        if not self._entries or self._needed(texts) <= whole - _GAP - self._title_width:
            return [list(range(len(texts)))]
        rows: list[list[int]] = [[], []] if self.title else [[]]
        left = whole
        for place, each in enumerate(zip(self._entries, texts, strict=True)):
            width = self._width(*each) + _GAP
            if width - _GAP > left and rows[-1]:
                rows.append([])
                left = whole
            rows[-1].append(place)
            left -= width
        return rows

    @property
    def _title_width(self) -> int:
        return self._advance(self.title, bold=True)

    def _advance(self, text: str, *, bold: bool = False) -> int:
        """Width of a text; cached, because laying out a text takes longest here."""
        known = self._advances.get((text, bold))
        if known is None:
            if len(self._advances) >= _KNOWN:
                self._advances.clear()
            metrics = QFontMetrics(self._bold) if bold else self._metrics
            known = self._advances[text, bold] = metrics.horizontalAdvance(text)
        return known

    @property
    def _bold(self) -> QFont:
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        return bold

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._metrics = QFontMetrics(self.font())
            self._advances.clear()
            self._widest = [self._advance(entry.value) for entry in self._entries]
            self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._line)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        title, placed = self._arranged()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._still_of(title, placed))
            self._draw_values(painter, placed)

    def draw(self, painter: QPainter) -> None:
        """Draw it at the painter's origin."""
        title, placed = self._arranged()
        self._draw_still(painter, title, placed)
        self._draw_values(painter, placed)

    def _arranged(self) -> tuple[str, list[_Placed]]:
        """The title as it fits, and where the entries stand."""
        texts = self._whole() if self._wraps else self._texts_that_fit()
        rows = self._rows() if self._wraps else [list(range(len(texts)))]
        room = self.width() - 2 * _SPACE
        if rows[0]:
            room -= _GAP + self._needed(texts)
        title = self.title
        if self._title_width > room:
            metrics = QFontMetrics(self._bold)
            title = metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 0))
        return title, list(self._lay_out(rows, texts))

    def _draw_values(self, painter: QPainter, placed: list[_Placed]) -> None:
        painter.setFont(self.font())
        for row, x, entry, text in placed:
            end = x + self._width(entry, text) - self._advance(text.value)
            self._text(painter, QPointF(end, row * self._line), text.value, self._theme.text)

    def _lay_out(self, rows: list[list[int]], texts: list[_Text]) -> Iterator[_Placed]:
        for row, places in enumerate(rows):
            beside = self.title and not row
            x = float(self.width() - _SPACE - self._needed(texts) if beside else _SPACE)
            for place in places:
                yield _Placed(row, x, self._entries[place], texts[place])
                x += self._width(self._entries[place], texts[place]) + _GAP

    def _still_of(self, title: str, placed: list[_Placed]) -> QPixmap:
        """Everything but the values, which alone change ten times a second."""
        told = tuple(
            (row, x, entry.rank, entry.marker, text.name) for row, x, entry, text in placed
        )
        shown = (title, told, self._theme.name, self.size(), self.devicePixelRatioF(), self.font())
        if shown == self._shown:
            return self._still
        self._shown = shown
        ratio = self.devicePixelRatioF()
        self._still = QPixmap(self.size() * ratio)
        self._still.setDevicePixelRatio(ratio)
        self._still.fill(Qt.GlobalColor.transparent)
        with QPainter(self._still) as painter:
            self._draw_still(painter, title, placed)
        return self._still

    def _draw_still(self, painter: QPainter, title: str, placed: list[_Placed]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._bold)
        self._text(painter, QPointF(_SPACE, 0), title, self._theme.text)
        painter.setFont(self.font())
        for row, x, entry, text in placed:
            place = QPointF(x, row * self._line)
            if entry.marker:
                self._draw_swatch(painter, place, entry)
                place += QPointF(_SWATCH, 0)
            self._text(painter, place, text.name, self._theme.muted)

    def _whole(self) -> list[_Text]:
        return [
            _Text(entry.name, entry.value, width)
            for entry, width in zip(self._entries, self._widest, strict=True)
        ]

    def _texts_that_fit(self) -> list[_Text]:
        """Names and values; or names only where there is no swatch; or names without values.

        Entries that have no names are left out, from the last, until the others fit.
        """
        room = self.width() - 2 * _SPACE - _GAP - self._title_width
        whole = self._whole()
        known = [
            text if not entry.marker else text._replace(name="")
            for entry, text in zip(self._entries, whole, strict=True)
        ]
        bare = [
            text if not entry.marker else _Text(text.name, "", 0)
            for entry, text in zip(self._entries, whole, strict=True)
        ]
        fewer = [known[:count] for count in range(len(known), 0, -1)]
        named = any(entry.marker and entry.name for entry in self._entries)
        tried = [whole, known] if named else [whole, *fewer]
        return next((texts for texts in tried if self._needed(texts) <= room), bare)

    def _needed(self, texts: Sequence[_Text]) -> int:
        widths = [self._width(*each) for each in zip(self._entries, texts, strict=False)]
        return sum(widths) + _GAP * max(len(widths) - 1, 0)

    def _width(self, entry: Entry, text: _Text) -> int:
        name = self._advance(text.name)
        space = _SPACE if text.name and text.value else 0
        return (_SWATCH if entry.marker else 0) + name + space + text.room

    def _draw_swatch(self, painter: QPainter, place: QPointF, entry: Entry) -> None:
        colour = colour_of(self._theme, entry.rank)
        left = place + QPointF(0, self._line / 2)
        painter.setPen(QPen(QColor(colour), 1.5))
        painter.drawLine(left, left + QPointF(_SWATCH - _SPACE, 0))
        if entry.marker == LINE:
            return
        if not is_raster(painter):
            painter.save()
            painter.translate(left + QPointF((_SWATCH - _SPACE) / 2, 0))
            draw_marker(painter, entry.marker, colour, self._theme.background)
            painter.restore()
            return
        image = marker_image(entry.marker, colour, self._theme.background, self.devicePixelRatioF())
        half = image.deviceIndependentSize().width() / 2
        painter.drawImage(left + QPointF((_SWATCH - _SPACE) / 2 - half, -half), image)

    def _text(self, painter: QPainter, place: QPointF, text: str, colour: str) -> None:
        """Write a text into the line that begins at a place."""
        painter.setPen(QColor(colour))
        base = (self._line + self._metrics.ascent() - self._metrics.descent()) / 2
        painter.drawText(place + QPointF(0, base), text)
