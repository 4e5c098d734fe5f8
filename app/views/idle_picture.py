"""What the workers of a trial did, where some had nothing to do, and what would be enough."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from app.plots.base.painting import PaintedPlot, filled
from core import ResultCard

_TITLE, _HIGH, _LOW = 28, 40, 19
"""Pixels of a title, and at most of a row: of what was done, and of what would be."""
_AIR = 6
_NAMES = 96
_WORK, _ENOUGH = 12, 5
"""Pieces of work of who did most, and of each worker where all have enough."""
_MOST = 8
"""Workers that have a row."""


class IdlePicture(PaintedPlot):
    """Rows of work; a hatched row had none."""

    def __init__(self) -> None:
        super().__init__()
        self._operations: tuple[int, ...] = ()
        self._needs = ""
        self.setAccessibleName(self.tr("What each worker did"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.hide()

    def show_card(self, card: ResultCard | None) -> None:
        """Be seen in place of a plot where workers had nothing to do."""
        idle = card.idle if card is not None else None
        self.setVisible(idle is not None)
        if idle is not None:
            self._operations, self._needs = idle.idle[:_MOST], idle.needs
            self.setAccessibleDescription(idle.text)
            self.update()

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        workers = len(self._operations)
        room = (self.height() - 2 * _TITLE - _AIR) / workers - 2 * _AIR
        high = min(0.68 * room, _HIGH)
        self._take_font(p)
        title = self.tr("what {} workers did in one trial").format(workers)
        most = max(self._operations)
        pieces = [round(_WORK * one / most + 0.49) for one in self._operations]
        top = self._rows(p, 0.0, title, high, [(one, _WORK) for one in pieces])
        title = self.tr("with {}").format(self._needs)
        self._rows(p, top, title, min(0.32 * room, _LOW), [(_ENOUGH, _ENOUGH)] * workers)

    def _rows(
        self, p: QPainter, top: float, title: str, high: float, pieces: list[tuple[int, int]]
    ) -> float:
        """Draw a row of pieces, so many of so many, for each worker; returns where they end."""
        roles, done = self._theme.roles, top == 0.0
        self._write(p, QRectF(0, top, self.width(), _TITLE - _AIR), title, roles["ink2"])
        top += _TITLE
        for at, (count, of) in enumerate(pieces):
            name = QRectF(0, top, _NAMES - _AIR, high)
            self._write(p, name, self.tr("worker {}").format(at + 1), roles["ink"])
            row = QRectF(_NAMES, top, max(self.width() - _NAMES - 1, 1), high)
            wide = row.width() / of
            p.setPen(Qt.PenStyle.NoPen if done else QPen(QColor(roles["act"]), 1.2))
            p.setBrush(QColor(roles["ink"]) if done else QColor(self._theme.background))
            for piece in range(count):
                area = QRectF(row.left() + piece * wide, top, wide, high).adjusted(1, 0, -1, 0)
                p.drawRoundedRect(area, 3, 3)
            if not count:
                self._write_nothing(p, row)
            top += high + _AIR
        return top + _AIR

    def _write_nothing(self, p: QPainter, row: QRectF) -> None:
        roles = self._theme.roles
        p.setBrush(QColor(roles["inset"]))
        p.drawRoundedRect(row, 4, 4)
        p.setBrush(filled(QColor(roles["edge"]), hatched=True))
        p.drawRoundedRect(row, 4, 4)
        text = self.tr("nothing to do")
        wide = p.fontMetrics().horizontalAdvance(text) + 40
        pill = QRectF(row.center().x() - wide / 2, row.top(), wide, row.height())
        pill.adjust(0, row.height() / 5, 0, -row.height() / 5)
        p.setBrush(QColor(self._theme.background))
        p.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        self._write(p, pill, text, roles["ink"], Qt.AlignmentFlag.AlignHCenter)
