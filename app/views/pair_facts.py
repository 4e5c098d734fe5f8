"""A small table beside the answer: the figures of the settings between which one chooses."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.plots.base.painting import PaintedPlot

_WIDTH, _ROW = 380, 28
_NAMES = 0.36
"""Of the width."""
_HEADS = 2
"""Lines above the figures: what each setting is, and its numbers."""


class PairFacts(PaintedPlot):
    """Lines of texts in columns; the first setting's are bold."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[tuple[str, ...], ...] = ()
        self.setAccessibleName(self.tr("Facts"))
        self.setFixedWidth(_WIDTH)
        self.hide()

    def show_lines(self, lines: tuple[tuple[str, ...], ...]) -> None:
        if lines != self.lines:
            self.lines = lines
            self.setFixedHeight(_ROW * max(len(lines), 1))
            self.setAccessibleDescription("\n".join(" · ".join(filter(None, x)) for x in lines))
            self.update()

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        theme, names = self._theme, _NAMES * self.width()
        for row, line in enumerate(self.lines):
            top = row * _ROW
            if row >= _HEADS:
                p.setPen(QColor(theme.roles["line"]))
                p.drawLine(0, top, self.width(), top)
            wide = (self.width() - names) / max(len(line) - 1, 1)
            self._take_font(p)
            self._write(p, QRectF(0, top, names, _ROW), line[0], theme.muted)
            for place, text in enumerate(line[1:]):
                self._take_font(p, bold=row != 1 and (place == 0 or row == 0))
                ink = theme.roles["sure"] if row == 0 and place < len(line) - 2 else theme.text
                area = QRectF(names + place * wide, top, wide, _ROW)
                self._write(p, area, text, ink, Qt.AlignmentFlag.AlignRight)
