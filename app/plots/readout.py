"""The line above a plot: its title, and what each curve is and has at the crosshair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, override

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.plots.curves import draw_marker
from app.theme import LIGHT, Theme

_SWATCH = 18
_GAP = 14
_SPACE = 5


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One curve's name and value; `rank` gives colour and marker, None has neither."""

    rank: int | None
    marker: str
    name: str
    value: str


class _Text(NamedTuple):
    """What is drawn of an entry; `room` is the width that its value keeps."""

    name: str
    value: str
    room: int


class Readout(QWidget):
    """Shows a title and entries in one line; names give way before values do."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self._entries: tuple[Entry, ...] = ()
        self._widest: list[int] = []
        self._theme = LIGHT
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
            self.update()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these; values keep the room of the widest one so far, so that nothing jumps."""
        entries = tuple(entries)
        if entries == self._entries:
            return
        metrics = QFontMetrics(self.font())
        widths = [metrics.horizontalAdvance(entry.value) for entry in entries]
        if [entry.name for entry in entries] != [entry.name for entry in self._entries]:
            self._widest = widths
        self._widest = [max(pair) for pair in zip(widths, self._widest, strict=True)]
        self._entries = entries
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self.font()).height() + 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(bold)
        room = self.width() - 2 * _SPACE - _GAP
        texts = self._texts_that_fit(room - metrics.horizontalAdvance(self.title))
        needed = self._needed(texts)
        painter.setFont(bold)
        title = metrics.elidedText(self.title, Qt.TextElideMode.ElideRight, max(room - needed, 0))
        self._text(painter, _SPACE, title, self._theme.text)
        painter.setFont(self.font())
        x = float(self.width() - _SPACE - needed)
        for entry, text in zip(self._entries, texts, strict=True):
            x = self._draw_entry(painter, x, entry, text) + _GAP
        painter.end()

    def _texts_that_fit(self, room: int) -> list[_Text]:
        """Names and values; else names only where there is no swatch; else names, no values."""
        whole = [
            _Text(entry.name, entry.value, width)
            for entry, width in zip(self._entries, self._widest, strict=True)
        ]
        known = [
            text if entry.rank is None else text._replace(name="")
            for entry, text in zip(self._entries, whole, strict=True)
        ]
        bare = [
            text if entry.rank is None else _Text(text.name, "", 0)
            for entry, text in zip(self._entries, whole, strict=True)
        ]
        return next((texts for texts in (whole, known) if self._needed(texts) <= room), bare)

    def _needed(self, texts: Sequence[_Text]) -> int:
        widths = [self._width(*each) for each in zip(self._entries, texts, strict=True)]
        return sum(widths) + _GAP * max(len(widths) - 1, 0)

    def _width(self, entry: Entry, text: _Text) -> int:
        name = QFontMetrics(self.font()).horizontalAdvance(text.name)
        space = _SPACE if text.name and text.value else 0
        return (_SWATCH if entry.rank is not None else 0) + name + space + text.room

    def _draw_entry(self, painter: QPainter, x: float, entry: Entry, text: _Text) -> float:
        metrics = QFontMetrics(self.font())
        end = x + self._width(entry, text)
        if entry.rank is not None:
            self._draw_swatch(painter, x, entry, entry.rank)
            x += _SWATCH
        self._text(painter, x, text.name, self._theme.muted)
        value = end - metrics.horizontalAdvance(text.value)
        self._text(painter, value, text.value, self._theme.text)
        return end

    def _draw_swatch(self, painter: QPainter, x: float, entry: Entry, rank: int) -> None:
        colour = self._theme.curves[rank % len(self._theme.curves)]
        middle = self.height() / 2
        painter.setPen(QPen(QColor(colour), 1.5))
        painter.drawLine(QPointF(x, middle), QPointF(x + _SWATCH - _SPACE, middle))
        centre = QPointF(x + (_SWATCH - _SPACE) / 2, middle)
        painter.translate(centre)
        draw_marker(painter, entry.marker, colour, self._theme.background)
        painter.translate(-centre)

    def _text(self, painter: QPainter, x: float, text: str, colour: str) -> None:
        painter.setPen(QColor(colour))
        metrics = painter.fontMetrics()
        base = (self.height() + metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(x, base), text)
