"""The line above a plot: its title, and what each curve is and has at the crosshair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

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
        room = float(self.width() - _SPACE)
        title = QFontMetrics(bold).horizontalAdvance(self.title)
        names = self._names_that_fit(room - title - _GAP)
        needed = self._needed(names)
        elided = QFontMetrics(bold).elidedText(
            self.title, Qt.TextElideMode.ElideRight, int(max(room - needed - _GAP, 0))
        )
        painter.setFont(bold)
        self._text(painter, _SPACE, elided, self._theme.text)
        painter.setFont(self.font())
        x = self.width() - _SPACE - needed
        for entry, name, width in zip(self._entries, names, self._widest, strict=True):
            x = self._draw_entry(painter, x, entry, name, width) + _GAP
        painter.end()

    def _names_that_fit(self, room: float) -> list[str]:
        """All names, or only those of the entries that have no swatch to be known by."""
        names = [entry.name for entry in self._entries]
        if self._needed(names) <= room:
            return names
        return ["" if entry.rank is not None else entry.name for entry in self._entries]

    def _needed(self, names: Sequence[str]) -> int:
        metrics = QFontMetrics(self.font())
        widths = [
            (_SWATCH if entry.rank is not None else 0)
            + (metrics.horizontalAdvance(name) + _SPACE if name else 0)
            + width
            for entry, name, width in zip(self._entries, names, self._widest, strict=True)
        ]
        return sum(widths) + _GAP * max(len(widths) - 1, 0)

    def _draw_entry(
        self, painter: QPainter, x: float, entry: Entry, name: str, width: int
    ) -> float:
        metrics = QFontMetrics(self.font())
        if entry.rank is not None:
            self._draw_swatch(painter, x, entry, entry.rank)
            x += _SWATCH
        if name:
            self._text(painter, x, name, self._theme.muted)
            x += metrics.horizontalAdvance(name) + _SPACE
        self._text(
            painter, x + width - metrics.horizontalAdvance(entry.value), entry.value,
            self._theme.text,
        )  # fmt: skip
        return x + width

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
