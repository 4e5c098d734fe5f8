"""Rows of runs: the curve with what to use, the answer, how sure it is, on which data and when.

Studies have such rows, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, override

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QThreadPool,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

import core
from app.style.labels import as_tip, day_text
from app.style.theme import LIGHT, Theme, points
from app.views.doubt_line import draw_bars
from app.work.question import Question
from core import one_line, show

if TYPE_CHECKING:
    from core import CurvesFigure, Headline, Listed

    type Found = tuple[Headline, CurvesFigure | None]
    """What a run answers, and its curves."""

ROW = Qt.ItemDataRole.UserRole
"""Where an item has its row."""
_PICTURE, _GAP, _SIDE = QSize(80, 44), 20, 12
_PLAIN, _SMALL = 18, 16
"""Heights of lines."""
_RING = 3.5
_ASIDE = 110
"""Pixels for what stands at the right."""

type _Index = QModelIndex | QPersistentModelIndex


class Row(Protocol):
    """What a row shows; `sentence` above, then what is `below`, then a `word` and an `aside`."""

    @property
    def sentence(self) -> str: ...
    @property
    def below(self) -> str: ...
    @property
    def word(self) -> str: ...
    @property
    def aside(self) -> str: ...
    @property
    def bars(self) -> int: ...
    @property
    def role(self) -> str:
        """The colour of word, bars and ring, by its name in the theme."""
        ...

    @property
    def curve(self) -> tuple[tuple[float, ...], int]:
        """Values without axes, and which of them has a ring, or -1."""
        ...


def told(row: Row) -> str:
    """For who does not see it."""
    return ", ".join(filter(None, (row.sentence, row.word, row.below, row.aside)))


@dataclass(frozen=True)
class RunRow:
    """The answer comes once the run was read."""

    run: Listed
    headline: Headline | None = None
    figure: CurvesFigure | None = None

    @property
    def sentence(self) -> str:
        return self.run.fault or (self.headline.text if self.headline is not None else "…")

    @property
    def role(self) -> str:
        """The colour of how sure it is."""
        if self.run.fault or self.headline is None:
            return "bad" if self.run.fault else "ink2"
        if self.headline.mood == "bad" or self.headline.beside:
            return "bad" if self.headline.mood == "bad" else "warn"
        return "sure" if self.bars > 1 else "act"

    @property
    def bars(self) -> int:
        grade = self.headline.grade if self.headline is not None else None
        return grade.bars if grade is not None else 0

    @property
    def word(self) -> str:
        """How sure it is."""
        return self.headline.how_sure if self.headline is not None else ""

    @property
    def aside(self) -> str:
        return day_text(self.run.changed)

    @property
    def below(self) -> str:
        """The data and what was done with it."""
        data = self.run.dataset.rpartition("/")[2] or self.run.dataset
        title = self.run.title if self.run.title != self.run.subject else ""
        return " · ".join(filter(None, (title, data, self.run.subject)))

    @property
    def tip(self) -> str:
        file = f"{self.run.path}, {show(self.run.size, 'bytes')}"
        parts = (self.sentence, self.run.dataset, self.run.subject, self.run.machine, file)
        return "\n".join(filter(None, parts))

    @property
    def curve(self) -> tuple[tuple[float, ...], int]:
        """That with what to use, or the first."""
        figure = self.figure
        curve = (figure.chosen or next(iter(figure.drawn), None)) if figure is not None else None
        if curve is None:
            return (), -1
        good = sorted((one for one in curve.points if not one.failed), key=lambda one: one.at)
        at = [one.at for one in good]
        ring = at.index(curve.recommended) if curve.recommended in at else -1
        return tuple(one.value for one in good), ring


def paint_curve(p: QPainter, area: QRectF, row: Row, theme: Theme) -> None:
    """Its curve without axes, from 0, with a ring at what to use."""
    values, ring = row.curve
    if len(values) < 2:
        return
    area = area.adjusted(5, 5, -5, -5)
    step, top = area.width() / (len(values) - 1), max(values) or 1.0
    marks = [
        QPointF(area.left() + place * step, area.bottom() - area.height() * value / top)
        for place, value in enumerate(values)
    ]
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(QColor(theme.roles["ink2"]), 1.6))
    p.drawPolyline(QPolygonF(marks))
    if ring >= 0:
        p.setBrush(QColor(theme.roles["paper"]))
        p.setPen(QPen(QColor(theme.roles[row.role]), 2))
        p.drawEllipse(marks[ring], _RING, _RING)


class RowList(QListWidget):
    """Each row is painted when it comes into sight; the mouse shows one tone."""

    def __init__(self, height: int, *, pictures: bool = True) -> None:
        super().__init__()
        self.setProperty("part", "rows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = RowDelegate(height, self, pictures=pictures)
        self.setItemDelegate(self._rows)

    def set_theme(self, theme: Theme) -> None:
        self._rows.theme = theme
        self.viewport().update()

    def fill(self, item: QListWidgetItem, row: Row, tip: str) -> None:
        """Have an item show a row."""
        item.setData(ROW, row)
        item.setToolTip(as_tip(tip))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, told(row))


class RunList(RowList):
    """Rows that are there at once; their answers follow, the uppermost first."""

    answered = Signal(object)
    """The answer of a run (Listed) has come."""

    def __init__(self, pool: QThreadPool, answers: dict[Listed, Found], height: int) -> None:
        """`answers`: those that were found so far; the list adds to them."""
        super().__init__(height)
        self.answers = answers
        self._items: dict[Listed, QListWidgetItem] = {}
        self._asked: Listed | None = None
        self._asking = Question(pool, self)
        self._asking.answered.connect(self._take)
        self._asking.refused.connect(lambda _: self._take(None))

    @property
    def runs(self) -> tuple[Listed, ...]:
        return tuple(self._items)

    def show_runs(self, runs: Sequence[Listed]) -> None:
        """Show these, from top to bottom."""
        if tuple(runs) != self.runs:
            self.clear()
            self._items = {}
            for run in runs:
                item = self._items[run] = QListWidgetItem()
                self.addItem(item)
                self._fill(run)
        self._ask_next()

    def item_of(self, run: Listed) -> QListWidgetItem:
        return self._items[run]

    def run_of(self, item: QListWidgetItem) -> Listed:
        row: RunRow = item.data(ROW)
        return row.run

    def _fill(self, run: Listed) -> None:
        row = RunRow(run, *self.answers.get(run, ()))
        self.fill(self._items[run], row, row.tip)

    # Answers, one after the other: each costs the reading of a run.

    def _ask_next(self) -> None:
        waiting = (one for one in self._items if not one.fault and one not in self.answers)
        self._asked = run = next(waiting, None)
        if run is not None:
            # The pool's thread imports what judges.
            self._asking.ask(lambda _: core.Shown.answer_of(run))

    def _take(self, found: Found | None) -> None:
        if (run := self._asked) is not None:
            self.answers[run] = found or (core.Headline(mood="bad", text="", detail=""), None)
            if run in self._items:
                self._fill(run)
                self.answered.emit(run)
        self._ask_next()


class RowDelegate(QStyledItemDelegate):
    """Paints the Row that an item has as its data."""

    def __init__(self, height: int, parent: QListWidget, *, pictures: bool = True) -> None:
        super().__init__(parent)
        self._height = height
        self._beside = _PICTURE.width() + _GAP if pictures else 0
        self.theme = LIGHT

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(_PICTURE.width(), self._height)

    @override
    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row, area, roles = index.data(ROW), QRect(option.rect), self.theme.roles
        state = option.state
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            p.fillRect(area, QColor(roles["act-tint"]))
            p.fillRect(QRect(area.topLeft(), QSize(3, area.height())), QColor(roles["act"]))
        elif state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(area, QColor(roles["inset"]))
        p.fillRect(QRect(area.topLeft(), QSize(area.width(), 1)), QColor(roles["line"]))
        if state & QStyle.StateFlag.State_HasFocus:
            p.setPen(QPen(QColor(roles["act"]), 2))
            p.drawRoundedRect(QRectF(area).adjusted(2, 3, -2, -2), 4, 4)
        inside = area.adjusted(_SIDE, 0, -_SIDE, 0)
        high = 2 * _PLAIN + _SMALL + 2
        top = inside.top() + (inside.height() - high) // 2
        if self._beside:
            place = QPointF(inside.left(), inside.center().y() - _PICTURE.height() / 2)
            paint_curve(p, QRectF(place, QSizeF(_PICTURE)), row, self.theme)
        texts = QRect(inside.left() + self._beside, top, inside.width() - self._beside, high)
        self._paint_texts(p, texts, row, option.font)
        p.restore()

    def _paint_texts(self, p: QPainter, area: QRect, row: Row, plain: QFont) -> None:
        roles, small = self.theme.roles, QFont(plain)
        small.setPointSizeF(points("small"))
        line = QRect(area.topLeft(), QSize(area.width(), _PLAIN))
        p.setPen(QColor(roles["ink"]))
        write(p, line, row.sentence, bold(plain))
        p.setPen(QColor(roles["ink2"]))
        write(p, line.translated(0, _PLAIN), row.below, plain)
        last = QRect(area.left(), area.top() + 2 * _PLAIN + 2, area.width(), _SMALL)
        p.setPen(QColor(roles["ink3"]))
        write(p, last, row.aside, small, Qt.AlignmentFlag.AlignRight)
        if row.word:
            draw_bars(p, QPointF(last.left(), last.top() + 1), row.bars, row.role, self.theme)
            p.setPen(QColor(roles[row.role]))
            write(p, last.adjusted(22, 0, -_ASIDE, 0), row.word, bold(small))


def bold(font: QFont) -> QFont:
    other = QFont(font)
    other.setWeight(QFont.Weight.DemiBold)
    return other


def write(
    p: QPainter,
    area: QRect,
    text: str,
    font: QFont,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """One line of text; an ellipsis ends what has no room."""
    p.setFont(font)
    elide = Qt.TextElideMode.ElideRight
    fitting = p.fontMetrics().elidedText(one_line(text), elide, area.width())
    p.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, fitting)
