"""Rows of runs and of studies: a picture, what it answers, on which data, how sure, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, override

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
_PICTURE, _GAP, _SIDE = QSize(80, 44), 14, 6
_PLAIN, _SMALL = 18, 16
"""Heights of lines."""
_RING = 3.5
_ASIDE = 110
"""Pixels for what stands at the right."""

type _Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, kw_only=True)
class Row:
    """What a row shows; `sentence` above, then what is `below`, then a `word` and an `aside`."""

    of: object
    """What it stands for."""
    sentence: str
    below: str
    word: str = ""
    aside: str = ""
    bars: int = 0
    role: str = "ink2"
    """The colour of word, bars and ring, by its name in the theme."""
    values: tuple[float, ...] = ()
    """Drawn without axes: as columns, or as a curve where one of them has a `ring`."""
    ring: int | None = None
    """Which of the values is what to use; -1 is none of a curve."""
    tip: str = ""


def row_of(run: Listed, headline: Headline | None, figure: CurvesFigure | None) -> Row:
    """The answer comes once the run was read."""
    grade = headline.grade if headline is not None else None
    values, ring = _curve(figure)
    data = run.dataset.rpartition("/")[2] or run.dataset
    title = run.title if run.title != run.subject else ""
    known = core.workloads().get(run.workload)
    work = core.tr_word(known.title) if known is not None else run.subject
    file = f"{run.path}, {show(run.size, 'bytes')}"
    sentence, whole = run.fault or "…", run.fault
    if headline is not None:
        whole = headline.text
        sentence = core.ResultCard(headline=headline, reason=whole).sentence
    about = (whole, run.dataset, run.subject, run.machine, file)
    return Row(
        of=run,
        sentence=sentence,
        below=" · ".join(filter(None, (title, data, work))),
        word=headline.how_sure if headline is not None else "",
        aside=day_text(run.changed),
        bars=grade.bars if grade is not None else 0,
        role=_role(run, headline),
        values=values,
        ring=ring,
        tip="\n".join(filter(None, about)),
    )


def _role(run: Listed, headline: Headline | None) -> str:
    """The colour of how sure it is."""
    if run.fault or headline is None:
        return "bad" if run.fault else "ink2"
    if headline.mood == "bad" or headline.beside:
        return "bad" if headline.mood == "bad" else "warn"
    return "sure" if headline.grade is not None and headline.grade.bars > 1 else "act"


def _curve(figure: CurvesFigure | None) -> tuple[tuple[float, ...], int]:
    """The one with what to use, or the first."""
    curve = (figure.chosen or next(iter(figure.drawn), None)) if figure is not None else None
    points = curve.points if curve is not None else ()
    good = sorted((one for one in points if not one.failed), key=lambda one: one.at)
    at = [one.at for one in good]
    ring = at.index(curve.recommended) if curve and curve.recommended in at else -1
    return tuple(one.value for one in good), ring


def _paint_values(p: QPainter, area: QRectF, row: Row, theme: Theme) -> None:
    """From 0 upwards, without axes."""
    if len(row.values) < 2:
        return
    area = area.adjusted(5, 5, -5, -5)
    count, top = len(row.values), max(row.values) or 1.0
    heights = [max(area.height() * value / top, 1.0) for value in row.values]
    if row.ring is None:
        step = min(area.width() / count, 8.0)
        for at, high in enumerate(heights):
            place = QRectF(area.left() + at * step, area.bottom() - high, step - 1.5, high)
            p.fillRect(place, QColor(theme.roles["edge"]))
        return
    step = area.width() / (count - 1)
    marks = [
        QPointF(area.left() + at * step, area.bottom() - high) for at, high in enumerate(heights)
    ]
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(QColor(theme.roles["ink2"]), 1.6))
    p.drawPolyline(QPolygonF(marks))
    if row.ring >= 0:
        p.setBrush(QColor(theme.roles["paper"]))
        p.setPen(QPen(QColor(theme.roles[row.role]), 2))
        p.drawEllipse(marks[row.ring], _RING, _RING)


class RowList(QListWidget):
    """Each row is painted when it comes into sight; the mouse shows one tone."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self.setProperty("part", "rows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = RowDelegate(height, self)
        self.setItemDelegate(self._rows)

    def set_theme(self, theme: Theme) -> None:
        self._rows.theme = theme
        self.viewport().update()

    def add(self, row: Row) -> QListWidgetItem:
        item = QListWidgetItem(self)
        self.fill(item, row)
        return item

    def fill(self, item: QListWidgetItem, row: Row) -> None:
        """Have an item show a row."""
        item.setData(ROW, row)
        item.setToolTip(as_tip(row.tip))
        told = ", ".join(filter(None, (row.sentence, row.word, row.below, row.aside)))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, told)


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
            self._items = {run: self.add(self._row_of(run)) for run in runs}
        self._ask_next()

    def sentences(self) -> dict[Path, str]:
        """What the last runs of sessions answer, of those that were read so far."""
        answers = sorted(self.answers.items(), key=lambda one: one[0].run)
        return {run.path: row_of(run, *found).sentence for run, found in answers}

    def item_of(self, run: Listed) -> QListWidgetItem:
        return self._items[run]

    def run_of(self, item: QListWidgetItem) -> Listed:
        row: Row = item.data(ROW)
        assert isinstance(row.of, core.Listed)
        return row.of

    def _row_of(self, run: Listed) -> Row:
        return row_of(run, *self.answers.get(run, (None, None)))

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
                self.fill(self._items[run], self._row_of(run))
                self.answered.emit(run)
        self._ask_next()


class RowDelegate(QStyledItemDelegate):
    """Paints the Row that an item has as its data."""

    def __init__(self, height: int, parent: QListWidget) -> None:
        super().__init__(parent)
        self._height = height
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
        place = QPointF(inside.left(), inside.center().y() - _PICTURE.height() / 2)
        _paint_values(p, QRectF(place, QSizeF(_PICTURE)), row, self.theme)
        inside.setLeft(inside.left() + _PICTURE.width() + _GAP)
        texts = QRect(inside.left(), top, inside.width(), high)
        self._paint_texts(p, texts, row, option.font)
        p.restore()

    def _paint_texts(self, p: QPainter, area: QRect, row: Row, plain: QFont) -> None:
        roles, small = self.theme.roles, QFont(plain)
        small.setPointSizeF(points("small"))
        line = QRect(area.topLeft(), QSize(area.width(), _PLAIN))
        p.setPen(QColor(roles["ink"]))
        _write(p, line, row.sentence, _bold(plain))
        p.setPen(QColor(roles["ink2"]))
        _write(p, line.translated(0, _PLAIN), row.below, plain)
        last = QRect(area.left(), area.top() + 2 * _PLAIN + 2, area.width(), _SMALL)
        p.setPen(QColor(roles["ink3"]))
        _write(p, last, row.aside, small, Qt.AlignmentFlag.AlignRight)
        if row.word:
            draw_bars(p, QPointF(last.left(), last.top() + 1), row.bars, row.role, self.theme)
            p.setPen(QColor(roles[row.role]))
            _write(p, last.adjusted(22, 0, -_ASIDE, 0), row.word, _bold(small))


def _bold(font: QFont) -> QFont:
    other = QFont(font)
    other.setWeight(QFont.Weight.DemiBold)
    return other


def _write(
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
