"""Two results or two runs beside each other: the verdict, their curves and their ratios."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, override

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

import core
from app.plots.base.painting import PaintedPlot
from app.style.layouts import scrolled, spaced
from app.views.doubt_line import Remark
from app.work.question import Question
from core import CurvesFigure

if TYPE_CHECKING:
    from app.plots.base.figure import Figure
    from app.plots.counts.scaling_view import ScalingView
    from app.style.theme import Theme
    from core import Compared, NextStep, Result

type ReadRuns = Callable[
    [], tuple[Result, Result, tuple[str, ...], tuple[Sequence[Result], Sequence[Result]]]
]
"""The answers of two runs, the names of these and their results, read on a thread of the pool."""
type Words = tuple[str, str, tuple[Remark, ...], tuple[NextStep, ...]]
"""A sentence, its reasons, how sure it is, and what to do; what is empty is that of the run."""

_BARS = {True: 2, False: 3}
"""How many of three bars are full, by whether it was measured apart."""


class CompareView(QWidget):
    """Compares two results; a thread of the pool computes the verdict."""

    in_turn_wanted = Signal(object, object)
    """Both are to be measured again, in turn: the baseline and the candidate (Result)."""
    said = Signal()
    """Its words are others."""

    def __init__(self, pool: QThreadPool) -> None:
        super().__init__()
        self._question = Question(pool, self)
        self._question.answered.connect(self._show)
        refusal = self.tr("Cannot be compared")
        self._question.refused.connect(lambda why: self._say(refusal, why))
        self.words: Words = ("", "", (), ())
        self.curves: ScalingView | None = None
        """Imported later than all else."""
        self.chart = ComparisonChart()
        self._pair: _Pair
        self._row = spaced(QHBoxLayout(self), 24, 0, 7, 0, 0)
        self._sheet = scrolled(self.chart, "sheet")
        self._row.addWidget(self._sheet)
        self._compares = False
        self.clear()

    def add_plot(self, curves: ScalingView) -> None:
        self.curves = curves
        self._row.insertWidget(0, curves, 1)
        self._show_curves()

    def clear(self) -> None:
        """Nothing is compared."""
        self._question.drop()
        self._compares = False
        self._say(self.tr("Select two results in the table to compare them"))

    @property
    def has_pair(self) -> bool:
        """Whether two results are compared, or are about to be."""
        return self._compares

    def show_last_run(self, runs: ReadRuns) -> None:
        """Compare the answers of two runs, which are read first."""
        self._ask(lambda: _Pair(*runs()))

    def show_pair(self, baseline: Result, candidate: Result) -> None:
        self._ask(lambda: _Pair(baseline, candidate))

    def _ask(self, pair: Callable[[], _Pair]) -> None:
        self._say(self.tr("Comparing…"))
        self._compares = True
        self._question.ask(lambda _: pair())

    def set_theme(self, theme: Theme) -> None:
        self.chart.set_theme(theme)
        if self.curves is not None:
            self.curves.set_theme(theme)

    def measure_in_turn(self) -> None:
        self.in_turn_wanted.emit(self._pair.baseline, self._pair.candidate)

    def text(self) -> str:
        sentence, why, remarks, _ = self.words
        return "\n".join(filter(None, (sentence, why, *(one.text for one in remarks))))

    def figures(self) -> tuple[Figure, ...]:
        shown = self.curves is not None and not self.curves.isHidden()
        return (self.curves.figure(),) if shown and self.curves is not None else ()

    def _show(self, pair: _Pair) -> None:
        compared, verdict = pair.compared, pair.compared.verdict
        self._pair = pair
        remarks = []
        if sure := compared.how_sure:
            full = _BARS[verdict.drift is not None]
            remarks.append(Remark(sure, "bars", "sure", bold=True, full=full))
        if all(verdict.trials):
            remarks.append(Remark(self.tr("trials: {} and {}").format(*verdict.trials)))
        if all(compared.settings):
            remarks.append(Remark(" ÷ ".join(compared.settings), rank=1))
        # The sentence is short: the interval is told with the reasons.
        claim, _, more = compared.sentence.removesuffix(".").partition(f": {verdict.figures}")
        if verdict.differs:
            claim = f"{claim}: {verdict.figures.partition(' (')[0]}"
        figures = f"{verdict.figures}{more}." if verdict.figures else ""
        self._say(claim, f"{figures} {verdict.because}".strip(), remarks, compared)

    def _say(
        self,
        sentence: str,
        why: str = "",
        remarks: Sequence[Remark] = (),
        compared: Compared | None = None,
    ) -> None:
        steps = compared.steps if compared is not None else ()
        self.words = sentence, why, tuple(remarks), steps
        self.chart.show_compared(compared)
        self._show_curves()
        self.said.emit()

    def _show_curves(self) -> None:
        if self.curves is not None:
            several = bool(self.chart.curves.curves)
            self.curves.show_figure(self.chart.curves)
            self.curves.setVisible(several)
            self._sheet.setMinimumWidth(_WIDTH if several else 0)


class _Pair:
    """Two results and their comparison, which is made on the thread that asks for the pair."""

    def __init__(self, baseline: Result, candidate: Result, *of_runs: Any) -> None:
        self.baseline, self.candidate = baseline, candidate
        # `core.Compared` brings numpy along, which the window does not wait for.
        self.compared = core.Compared.of(baseline, candidate, *of_runs)


_WIDTH = 428
"""Pixels of the ratios beside curves."""
_RADIUS = 4.5
_GAP = 12
_ROW, _LEAST = 30, 22
"""Pixels of a row, and of one where there is little room."""
_AROUND = 1.1
"""Factor of free room beyond the lowest and the highest mark."""
_FARTHEST = 16.0
"""Ratio beyond which an axis is not drawn: an interval can be as wide as numbers are."""
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 2.0, 3.0, 5.0, 10.0)
_TICK_ROOM = 34
"""Pixels from tick to tick."""
_CENTRE, _RIGHT = Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight


class ComparisonChart(PaintedPlot):
    """Ratios of the candidate to the baseline, all on one logarithmic axis."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Compared | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Plot of the comparison"))
        self.setToolTip(
            self.tr(
                "The ratio of each figure with the interval of its verdict. Hollow: not measurably "
                "different. Within the grey band a difference is smaller than the margin."
            )
        )

    def show_compared(self, compared: Compared | None) -> None:
        """Draw these, or nothing."""
        self._shown = compared
        self.setAccessibleDescription("\n".join(" ".join(row) for row in self.rows()))
        self.updateGeometry()
        self.update()

    @property
    def curves(self) -> CurvesFigure:
        return self._shown.curves if self._shown is not None else CurvesFigure()

    def rows(self) -> list[tuple[str, str]]:
        """The title and the figures of each row, from top to bottom."""
        if self._shown is None:
            return []
        return [(row.title, row.text) for row in self._shown.rows]

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, (len(self.rows()) + 2) * _LEAST)

    @override
    def draw(self, p: QPainter, seen: QRect) -> None:
        if self._shown is None or not self._shown.rows:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._take_font(p)
        rows, width = self.rows(), p.fontMetrics().horizontalAdvance
        high = max(min(self.height() / (len(rows) + 2), _ROW), _LEAST)
        titles = max(width(title) for title, _ in rows) + 2 * _GAP
        texts = max(width(text) for _, text in rows) + _GAP
        plot = QRectF(titles, high, max(self.width() - titles - texts, 60), len(rows) * high)
        scale, verdict = _Scale(self._shown, plot), self._shown.verdict
        head = QRectF(0, 0, self.width(), high)
        self._write(p, head, f"{verdict.candidate} ÷ {verdict.baseline}", self._ink("ink2"))
        self._draw_axis(p, scale, plot, high)
        for at, row in enumerate(self._shown.rows):
            area = QRectF(0, high * (at + 1), self.width(), high)
            self._take_font(p, bold=row.verdict is None)
            told = row.verdict is None or row.verdict.differs
            self._write(p, area, row.title, self._ink("ink" if told else "ink2"))
            self._write(p, area, row.text, self._ink("ink" if told else "ink3"), _RIGHT)
            self._draw_ratio(p, scale, at, area.center().y())

    def _ink(self, role: str) -> str:
        return self._theme.roles[role]

    def _draw_axis(self, p: QPainter, scale: _Scale, plot: QRectF, high: float) -> None:
        assert self._shown is not None
        near = 1.0 + self._shown.verdict.margin
        left, right = scale.x(1.0 / near), scale.x(near)
        band = QRectF(left, plot.top(), right - left, plot.height())
        p.fillRect(band, QColor(self._ink("inset")))
        last = -math.inf
        for tick in _TICKS:
            x = scale.x(tick)
            beside_one = tick != 1.0 and abs(scale.x(1.0) - x) < _TICK_ROOM
            if not scale.holds(tick) or x < last + _TICK_ROOM or beside_one:
                continue
            last = x
            p.setPen(QPen(QColor(self._ink("ink3" if tick == 1.0 else "line")), 1))
            p.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            below = QRectF(x - _TICK_ROOM / 2, plot.bottom(), _TICK_ROOM, high)
            self._write(p, below, self.locale().toString(tick), self._ink("ink3"), _CENTRE)

    def _draw_ratio(self, p: QPainter, scale: _Scale, at: int, y: float) -> None:
        assert self._shown is not None
        if (verdict := self._shown.rows[at].verdict) is None:
            return
        ratio = verdict.ratio or 1.0
        ink = QColor(self._ink("ink" if verdict.differs else "ink3"))
        p.setPen(QPen(ink, 2))
        low, high = verdict.low or ratio, verdict.high or ratio
        p.drawLine(QLineF(scale.x(low), y, scale.x(high), y))
        p.setBrush(ink if verdict.differs else QColor(self._theme.background))
        p.drawEllipse(QPointF(scale.x(ratio), y), _RADIUS, _RADIUS)


class _Scale:
    """Pixels of ratios on a logarithmic axis that holds all of them, as far as it reaches."""

    def __init__(self, compared: Compared, area: QRectF) -> None:
        ends = [1.25, 0.8]
        for verdict in filter(None, (row.verdict for row in compared.rows)):
            ends += [one for one in (verdict.ratio, verdict.low, verdict.high) if one]
        self._low = math.log(max(min(ends), 1.0 / _FARTHEST) / _AROUND)
        self._high = math.log(min(max(ends), _FARTHEST) * _AROUND)
        self._area = area

    def holds(self, ratio: float) -> bool:
        return self._low <= math.log(ratio) <= self._high

    def x(self, ratio: float) -> float:
        log = min(max(math.log(ratio), self._low), self._high) if ratio < math.inf else self._high
        share = (log - self._low) / (self._high - self._low)
        return self._area.left() + share * self._area.width()
