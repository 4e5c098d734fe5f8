"""Two results or two runs beside each other: the verdict, their ratios, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

import core
from app.style.labels import as_tip, label
from app.style.layouts import scrolled
from app.style.theme import LIGHT
from app.work.question import Question

if TYPE_CHECKING:
    from app.style.theme import Theme
    from core import Compared, NextStep, Result

type ReadRuns = Callable[[], tuple[Result, Result, tuple[str, ...]]]
"""The answers of two runs and the names of these, read on a thread of the pool."""


class CompareView(QWidget):
    """Compares two results; a thread of the pool computes the verdict."""

    in_turn_wanted = Signal(object, object)
    """Both are to be measured again, in turn: the baseline and the candidate (Result)."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        self._question = Question(pool, self)
        self._question.answered.connect(self._show)
        refusal = self.tr("Cannot be compared")
        self._question.refused.connect(lambda why: self._say(refusal, why))
        self._sentence = label(part="title", wraps=True)
        self._sentence.setAccessibleName(self.tr("Comparison"))
        self._reasons = label(wraps=True)
        self._reasons.setAccessibleName(self.tr("Why"))
        self.chart = ComparisonChart()
        self.in_turn = QPushButton()
        """Offered where measuring both again, in turn, would tell more."""
        self.in_turn.clicked.connect(
            lambda: self.in_turn_wanted.emit(self._pair.baseline, self._pair.candidate)
        )
        self._pair: _Pair
        self._lay_out()
        self._compares = False
        self.clear()

    def _lay_out(self) -> None:
        """In a low window the words can be scrolled, and the button stays in sight."""
        page = QWidget()
        column = QVBoxLayout(page)
        for part in (self._sentence, self.chart, self._reasons):
            column.addWidget(part)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(page, "sheet"), 1)
        below = QVBoxLayout()
        below.setContentsMargins(10, 0, 10, 8)
        below.addWidget(self.in_turn, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addLayout(below)

    def clear(self) -> None:
        """Nothing is compared."""
        self._question.drop()
        self._compares = False
        self._say(self.tr("Select two results below to compare them."), "")

    @property
    def has_pair(self) -> bool:
        """Whether two results are compared, or are about to be."""
        return self._compares

    def show_last_run(self, runs: ReadRuns) -> None:
        """Compare the answers of two runs, which are read first."""
        self._say(self.tr("Comparing…"), "")
        self._compares = True
        self._question.ask(lambda _: _Pair(*runs()))

    def show_pair(self, baseline: Result, candidate: Result) -> None:
        self._say(self.tr("Comparing…"), "")
        self._compares = True
        self._question.ask(lambda _: _Pair(baseline, candidate))

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)

    def text(self) -> str:
        return "\n".join(filter(None, (self._sentence.text(), self._reasons.text())))

    def _show(self, pair: _Pair) -> None:
        compared, verdict = pair.compared, pair.compared.verdict
        trials = self.tr("trials: {} and {}").format(*verdict.trials)
        counted = trials if all(verdict.trials) else ""
        doubt = " · ".join(filter(None, (compared.how_sure, counted)))
        self._say(compared.sentence, "\n".join(filter(None, (verdict.because, doubt))))
        self.chart.show_compared(compared)
        self._pair = pair
        self._offer(next(iter(compared.steps), None))

    def _offer(self, step: NextStep | None) -> None:
        self.in_turn.setVisible(step is not None)
        if step is not None:
            self.in_turn.setText(step.text)
            self.in_turn.setToolTip(as_tip(step.why))
            self.in_turn.setAccessibleDescription(step.why)

    def _say(self, sentence: str, why: str) -> None:
        self.chart.show_compared(None)
        self._offer(None)
        self._sentence.setText(sentence)
        self._reasons.setText(why)
        self._reasons.setVisible(bool(why))


class _Pair:
    """Two results and their comparison, which is made on the thread that asks for the pair."""

    def __init__(self, baseline: Result, candidate: Result, names: Sequence[str] = ()) -> None:
        self.baseline, self.candidate = baseline, candidate
        # `core.Compared` brings numpy along, which the window does not wait for.
        self.compared = core.Compared.of(baseline, candidate, names)


_RADIUS = 4.5
_GAP = 12
_ROW = 30
_FAINT = 90
"""Of 255: the band in which a difference is within the margin."""
_AROUND = 1.1
"""Factor of free room beyond the lowest and the highest mark."""
_FARTHEST = 16.0
"""Ratio beyond which an axis is not drawn: an interval can be as wide as numbers are."""
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 2.0, 3.0, 5.0, 10.0)
_TICK_ROOM = 34
"""Pixels from tick to tick."""


class ComparisonChart(QWidget):
    """Ratios of the candidate to the baseline, all on one logarithmic axis."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Compared | None = None
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Plot of the comparison"))
        self.setToolTip(
            self.tr(
                "The ratio of each figure with the interval of its verdict. Hollow: not measurably "
                "different. Within the grey band a difference is smaller than the margin."
            )
        )
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def show_compared(self, compared: Compared | None) -> None:
        """Draw these, or nothing."""
        self._shown = compared
        self.setVisible(compared is not None and bool(compared.rows))
        self.setAccessibleDescription("\n".join(" ".join(row) for row in self.rows()))
        self.updateGeometry()
        self.update()

    def rows(self) -> list[tuple[str, str]]:
        """The title and the figures of each row, from top to bottom."""
        if self._shown is None:
            return []
        return [(row.title, row.text) for row in self._shown.rows]

    @override
    def sizeHint(self) -> QSize:
        return QSize(520, (len(self.rows()) + 2) * _ROW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shown is None or not self._shown.rows:
            return
        rows, width = self.rows(), self.fontMetrics().horizontalAdvance
        titles = max(width(title) for title, _ in rows) + _GAP
        texts = max(width(text) for _, text in rows) + _GAP
        plot = QRectF(titles, _ROW, max(self.width() - titles - texts, 60), len(rows) * _ROW)
        scale = _Scale(self._shown, plot)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_sides(painter, self._shown)
            self._draw_axis(painter, scale, plot)
            for at, (row, (title, text)) in enumerate(zip(self._shown.rows, rows, strict=True)):
                area = QRectF(0, _ROW * (at + 1), self.width(), _ROW)
                self._write(painter, area, title, "ink2")
                beside = area.adjusted(plot.right() + _GAP, 0, 0, 0)
                self._write(painter, beside, text, "ink" if row.verdict.differs else "ink3")
                self._draw_ratio(painter, scale, at, area.center().y())

    def _draw_sides(self, painter: QPainter, compared: Compared) -> None:
        """Both sides by name, colour and mark, and which is divided by which."""
        left, middle = _RADIUS + 1, _ROW / 2
        width = self.fontMetrics().horizontalAdvance
        for rank, name in enumerate((compared.verdict.candidate, compared.verdict.baseline)):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.curves[rank]))
            box = QRectF(left - _RADIUS, middle - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
            painter.drawRect(box) if rank else painter.drawEllipse(box)
            room = self.width() / 2 - 4 * _GAP
            text = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, round(room))
            self._write(painter, QRectF(left + _GAP, 0, room, _ROW), text, "ink")
            left += _GAP + width(text)
            if not rank:
                self._write(painter, QRectF(left + _GAP, 0, room, _ROW), "÷", "ink3")
                left += 3 * _GAP

    def _draw_axis(self, painter: QPainter, scale: _Scale, plot: QRectF) -> None:
        assert self._shown is not None
        near = 1.0 + self._shown.verdict.margin
        band = QColor(self._theme.roles["edge"])
        band.setAlpha(_FAINT)
        left, right = scale.x(1.0 / near), scale.x(near)
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), band)
        last = -math.inf
        for tick in _TICKS:
            x = scale.x(tick)
            beside_one = tick != 1.0 and abs(scale.x(1.0) - x) < _TICK_ROOM
            if not scale.holds(tick) or x < last + _TICK_ROOM or beside_one:
                continue
            last = x
            painter.setPen(QPen(QColor(self._theme.roles["ink3" if tick == 1.0 else "line"]), 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            below = QRectF(x - _TICK_ROOM / 2, plot.bottom(), _TICK_ROOM, _ROW)
            centre = Qt.AlignmentFlag.AlignHCenter
            self._write(painter, below, self.locale().toString(tick), "ink3", centre)

    def _draw_ratio(self, painter: QPainter, scale: _Scale, at: int, y: float) -> None:
        assert self._shown is not None
        verdict = self._shown.rows[at].verdict
        ratio = verdict.ratio or 1.0
        ink = QColor(self._theme.roles["ink" if verdict.differs else "ink3"])
        painter.setPen(QPen(ink, 2))
        low, high = verdict.low or ratio, verdict.high or ratio
        painter.drawLine(QLineF(scale.x(low), y, scale.x(high), y))
        painter.setBrush(ink if verdict.differs else QColor(self._theme.background))
        painter.drawEllipse(QPointF(scale.x(ratio), y), _RADIUS, _RADIUS)

    def _write(
        self,
        painter: QPainter,
        area: QRectF,
        text: str,
        role: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        painter.setPen(QColor(self._theme.roles[role]))
        painter.drawText(area, align | Qt.AlignmentFlag.AlignVCenter, text)


class _Scale:
    """Pixels of ratios on a logarithmic axis that holds all of them, as far as it reaches."""

    def __init__(self, compared: Compared, area: QRectF) -> None:
        ends = [1.25, 0.8]
        for row in compared.rows:
            ends += [one for one in (row.verdict.ratio, row.verdict.low, row.verdict.high) if one]
        self._low = math.log(max(min(ends), 1.0 / _FARTHEST) / _AROUND)
        self._high = math.log(min(max(ends), _FARTHEST) * _AROUND)
        self._area = area

    def holds(self, ratio: float) -> bool:
        return self._low <= math.log(ratio) <= self._high

    def x(self, ratio: float) -> float:
        log = min(max(math.log(ratio), self._low), self._high) if ratio < math.inf else self._high
        share = (log - self._low) / (self._high - self._low)
        return self._area.left() + share * self._area.width()
