"""The line above a plot: its title, and each curve's name and value at the crosshair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import override

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.plots.base.painting import LINE, colour_of, draw_marker, is_raster, marker_image
from app.plots.base.readout_layout import SPACE, SWATCH, Entry, Layout, Placed, Widths, whole
from app.style.theme import LIGHT, Theme
from app.style.tip import as_tip


class Readout(QWidget):
    """Shows a title and entries in one line; where room is short, numbers are left out first.

    Names that have no room beside the title are below it. With `wraps` nothing is left out, and
    entries continue on further lines. All of it is in the tooltip.
    """

    title_double_clicked = Signal()
    chosen = Signal(str)
    """The key of an entry that was clicked."""

    def __init__(self, title: str, *, wraps: bool = False) -> None:
        super().__init__()
        self.title = title
        self._wraps = wraps
        self._entries: tuple[Entry, ...] = ()
        self._widest: list[int] = []
        self._theme = LIGHT
        self._still = QPixmap()
        self._shown: tuple[object, ...] = ()
        self._widths = Widths(self.font())
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is told now, seen or not."""
        return self._entries

    @property
    def seen(self) -> tuple[str, ...]:
        """The texts that have room: the title, and names and values of entries."""
        title, placed = self._arranged()
        texts = (text for each in placed for text in (each.text.name, each.text.value))
        return tuple(filter(None, (title, *texts)))

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
        widths = [self._widths.of(entry.value) for entry in entries]
        if [entry.name for entry in entries] != [entry.name for entry in self._entries]:
            self._widest = widths
        self._widest = [max(pair) for pair in zip(widths, self._widest, strict=True)]
        self._entries = entries
        self._fit()
        self.update()

    def _fit(self) -> None:
        """Be as high as the lines need."""
        layout = self._layout_of()
        lines = layout.lines() if self._wraps else 1 + layout.names_below
        self.setFixedHeight(self._widths.line * lines)

    def _layout_of(self) -> Layout:
        return Layout(self._widths, self.title, whole(self._entries, self._widest), self.width())

    def _arranged(self) -> tuple[str, list[Placed]]:
        """The title as it fits, and where the entries stand."""
        layout = self._layout_of()
        return layout.in_lines() if self._wraps else layout.in_few_lines()

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            told = self.toolTip() or as_tip("\n".join(self._told()))
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    def _entry_at(self, place: QPointF) -> Entry | None:
        """The entry that a click there hides or shows."""
        row = int(place.y() // self._widths.line)
        _, placed = self._arranged()
        found = (e.entry for e in placed if e.row == row and e.x <= place.x() <= e.end)
        return next((entry for entry in found if entry.key), None)

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
        elif event.button() == Qt.MouseButton.LeftButton:
            self.title_double_clicked.emit()
            event.accept()

    def _told(self) -> list[str]:
        texts = [self.title, *(entry.text for entry in self._entries)]
        if any(entry.key for entry in self._entries):
            texts.append(self.tr("Click a name to hide its curve, or to show it again."))
        return [text for text in texts if text]

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._widths = Widths(self.font())
            self._widest = [self._widths.of(entry.value) for entry in self._entries]
            self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._widths.line)

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

    def _draw_values(self, painter: QPainter, placed: list[Placed]) -> None:
        painter.setFont(self.font())
        for each in placed:
            value = each.text.value
            place = QPointF(each.end - self._widths.of(value), each.row * self._widths.line)
            self._text(painter, place, value, self._theme.text)

    def _still_of(self, title: str, placed: list[Placed]) -> QPixmap:
        """Everything but the values, which alone change ten times a second."""
        told = tuple(
            (row, x, entry.rank, entry.marker, text.name, entry.hidden)
            for row, x, _, entry, text in placed
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

    def _draw_still(self, painter: QPainter, title: str, placed: list[Placed]) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._widths.bold)
        self._text(painter, QPointF(SPACE, 0), title, self._theme.text)
        painter.setFont(self.font())
        for row, x, _, entry, text in placed:
            place = QPointF(x, row * self._widths.line)
            if entry.marker:
                self._draw_swatch(painter, place, entry)
                place += QPointF(SWATCH, 0)
            font = QFont(self.font())
            font.setStrikeOut(entry.hidden)
            painter.setFont(font)
            self._text(painter, place, text.name, self._theme.muted)

    def _draw_swatch(self, painter: QPainter, place: QPointF, entry: Entry) -> None:
        colour = colour_of(self._theme, None if entry.hidden else entry.rank)
        left = place + QPointF(0, self._widths.line / 2)
        painter.setPen(QPen(QColor(colour), 1.5))
        painter.drawLine(left, left + QPointF(SWATCH - SPACE, 0))
        if entry.marker == LINE or entry.hidden:
            return
        if not is_raster(painter):
            painter.save()
            painter.translate(left + QPointF((SWATCH - SPACE) / 2, 0))
            draw_marker(painter, entry.marker, colour, self._theme.background)
            painter.restore()
            return
        image = marker_image(entry.marker, colour, self._theme.background, self.devicePixelRatioF())
        half = image.deviceIndependentSize().width() / 2
        painter.drawImage(left + QPointF((SWATCH - SPACE) / 2 - half, -half), image)

    def _text(self, painter: QPainter, place: QPointF, text: str, colour: str) -> None:
        """Write a text into the line that begins at a place."""
        metrics = self._widths.metrics
        painter.setPen(QColor(colour))
        base = (self._widths.line + metrics.ascent() - metrics.descent()) / 2
        painter.drawText(place + QPointF(0, base), text)
