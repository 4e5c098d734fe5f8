"""Labels of plain text, and tooltips that stay plain text.

Labels can be told that they hold plain text.  A tooltip takes for rich text whatever resembles it,
so that a name from a file could bring links and pictures along.
"""

from __future__ import annotations

import re
from html import escape
from typing import override

from PySide6 import QtGui
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget


def as_tip(text: str) -> str:
    """The text as a tooltip shows it: unchanged, unless Qt would read tags in it."""
    if not QtGui.Qt.mightBeRichText(text):
        return text
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'


def day_text(seconds: float) -> str:
    """`today 19:30`, `yesterday 09:41`, or the day as the locale writes it."""
    when, locale = QDateTime.fromSecsSinceEpoch(int(seconds)), QLocale()
    clock = locale.toString(when.time(), QLocale.FormatType.ShortFormat)
    match when.daysTo(QDateTime.currentDateTime()):
        case 0:
            return QCoreApplication.translate("labels", "today {}").format(clock)
        case 1:
            return QCoreApplication.translate("labels", "yesterday {}").format(clock)
        case _:
            return f"{locale.toString(when.date(), QLocale.FormatType.ShortFormat)} {clock}"


def label(text: str = "", part: str = "", *, wraps: bool = False) -> QLabel:
    """Plain text that a theme styles by its part; text from outside is never markup."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wraps)
    if part:
        widget.setProperty("part", part)
    return widget


def sized(font: QFont, pixels: int, *, bold: bool = False) -> QFont:
    """The same font in that size."""
    font = QFont(font)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def keep_room(widget: QWidget) -> None:
    """Have it take as much room while it is hidden, so that nothing beside it moves."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def lines_of(text: str, font: QFont, width: int, most: int) -> list[str]:
    """The text in so many lines at most; an ellipsis ends what is cut."""
    # Lines do not begin with a unit, nor within a rate.
    whole = re.sub(r"(?<=\d) (?=(?:%|m?s|min|[KMG]iB)(?!\w))", "\N{NO-BREAK SPACE}", text)
    whole = re.sub(r"/s\b", "ts", whole)
    layout = QTextLayout(whole, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) <= most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(text)]
    pieces = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    lines = pieces[:most]
    if len(pieces) > most:
        tail, elide = text[starts[most - 1] :], Qt.TextElideMode.ElideRight
        lines[-1] = QFontMetrics(font).elidedText(tail, elide, width)
    return [line.rstrip() for line in lines]


_NARROWEST = 12
"""Letters that a line has room for, however narrow the window is."""


class ClippedLabel(QLabel):
    """As high as so many lines, whatever it says; an ellipsis ends what is cut.

    A new text moves nothing.  QLabel's own would have the whole window laid out anew.
    """

    def __init__(self, part: str, lines: int) -> None:
        super().__init__()
        self._line, self._lines = "", lines
        self.setProperty("part", part)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @override
    def text(self) -> str:
        return self._line

    @override
    def setText(self, text: str) -> None:
        line = " ".join(text.split())
        if line != self._line:
            self._line = line
            self.setToolTip(as_tip(text))
            self.update()

    def shown(self, width: int, height: int | None = None) -> list[str]:
        """The lines of text that a label of that size shows; None = as high as it likes to be."""
        most = self._lines
        if height is not None:
            most = max(min(most, height // self.fontMetrics().lineSpacing()), 1)
        return lines_of(self._line, self.font(), width, most)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(_NARROWEST * metrics.averageCharWidth(), metrics.lineSpacing() * self._lines)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        style, spacing = self.style(), self.fontMetrics().lineSpacing()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        lines = self.shown(self.width(), self.height())
        above = self.alignment() & Qt.AlignmentFlag.AlignTop
        top = 0 if above else max((self.height() - len(lines) * spacing) // 2, 0)
        for number, line in enumerate(lines):
            place = QRect(QPoint(0, top + number * spacing), QSize(self.width(), spacing))
            style.drawItemText(painter, place, flags, option.palette, True, line)
        painter.end()
