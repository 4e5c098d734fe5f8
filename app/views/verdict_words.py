"""The sentence of the verdict and its reasons, laid out in a place that never changes."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from app.style.labels import as_tip, lines_of, sized
from app.style.theme import LIGHT, Theme

_STEP = 20
"""Pixels by which a line is shortened until both are about as long."""
_LEADING = 34
"""Pixels from one line of a sentence to the next."""
_MOST_WORDS = 26
"""Of a sentence and its reasons, so that with all that stands around them there are 50."""


class Words(QLabel):
    """The sentence in one line or two, and its reasons in one."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._theme = LIGHT
        self._why = self._tone = ""
        self.top = 0
        """Where a sentence of one line begins."""

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def say(self, sentence: str, why: str, tone: str, tip: str) -> None:
        """`tone`: the colour of the sentence by its name in the theme."""
        self._why, self._tone = " ".join(why.split()), tone
        self.setText(" ".join(sentence.split()))
        self.setToolTip(as_tip(tip))
        self.setAccessibleName(self.tr("Verdict: {}").format(sentence))
        self.setAccessibleDescription(tip or why)
        self.update()

    def cut(self) -> tuple[str, ...]:
        """Texts that end in an ellipsis."""
        lines, why = self._lines(), self._reason()
        cut = (self.text(), lines[-1:] or [""]), (self._why, [why])
        return tuple(text for text, (*_, last) in cut if last.endswith("…"))

    def shown_texts(self) -> tuple[str, ...]:
        """What can be read."""
        return (*self._lines(), self._reason())

    def _lines(self) -> list[str]:
        font = self._font(30)
        lines = lines_of(self.text(), font, self.width(), 2)
        narrower = self.width()
        while len(lines) > 1 and not lines[-1].endswith("…"):
            balanced, narrower = lines, narrower - _STEP
            lines = lines_of(self.text(), font, narrower, 2)
            if narrower < self.width() // 2 or lines[-1].endswith("…"):
                lines = balanced
                break
        metrics, elide = QFontMetrics(font), Qt.TextElideMode.ElideRight
        return [metrics.elidedText(line, elide, self.width()) for line in lines]

    def _reason(self) -> str:
        """As many whole reasons as fit and are read; all are in the tooltip."""
        metrics, most = QFontMetrics(self._font(17)), _MOST_WORDS - len(self.text().split())
        shown = self._why
        while metrics.horizontalAdvance(shown) > self.width() or len(shown.split()) > most:
            end = max(shown.rfind(mark, 0, -1) for mark in (". ", " · ", "; "))
            if end < 0:
                return metrics.elidedText(shown, Qt.TextElideMode.ElideRight, self.width())
            shown = shown[: end + 1].rstrip(" ;")
        return shown

    def _font(self, pixels: int) -> QFont:
        font = sized(self.font(), pixels, bold=pixels > 17)
        font.setFeature(QFont.Tag("tnum"), 0)
        if pixels > 17:
            font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, -0.45)
        return font

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, roles = QPainter(self), self._theme.roles
        lines = self._lines()
        top, height = (self.top, 36) if len(lines) < 2 else (0, _LEADING)
        painter.setFont(self._font(30))
        painter.setPen(QColor(roles[self._tone]))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for line in lines:
            painter.drawText(QRect(0, top, self.width() + 1, height), flags, line)
            top += height
        painter.setFont(self._font(17))
        painter.setPen(QColor(roles["ink2"]))
        top += 4 if len(lines) < 2 else -4
        painter.drawText(QRect(0, top, self.width() + 1, 24), flags, self._reason())
        painter.end()
