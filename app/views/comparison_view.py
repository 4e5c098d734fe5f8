"""Two results beside each other: the verdict on the second, a plot of both, and the reasons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

import core
from app.style.labels import as_tip, label
from app.style.layouts import scrolled
from app.work.question import Question
from core import show

if TYPE_CHECKING:
    from core import Compared, NextStep, Result


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
        self.in_turn.setProperty("part", "primary")
        self.in_turn.clicked.connect(
            lambda: self.in_turn_wanted.emit(self._pair.baseline, self._pair.candidate)
        )
        self._pair: _Pair
        self._lay_out()
        self._compares = self._of_runs = False
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
        self._compares = self._of_runs = False
        self._say(self.tr("Select two results below to compare them."), "")

    @property
    def has_pair(self) -> bool:
        """Whether two results are compared, or are about to be."""
        return self._compares

    def show_last_run(self, pair: Callable[[], tuple[Result, Result]]) -> None:
        """Compare the answers of two runs, which are read first."""
        self._say(self.tr("Comparing…"), "")
        self._compares, self._of_runs = True, True
        self._question.ask(lambda _: _Pair(*pair()))

    def show_pair(self, baseline: Result, candidate: Result) -> None:
        self._say(self.tr("Comparing…"), "")
        self._compares, self._of_runs = True, False
        self._question.ask(lambda _: _Pair(baseline, candidate))

    def text(self) -> str:
        return "\n".join(filter(None, (self._sentence.text(), self._reasons.text())))

    def _show(self, pair: _Pair) -> None:
        compared, verdict = pair.compared, pair.compared.verdict
        trials = self.tr("trials: {} and {}").format(*verdict.trials)
        which = (
            self.tr("The answer of the run before against that of this run")
            if self._of_runs
            else ""
        )
        counted = trials if all(verdict.trials) else ""
        counts = " · ".join(filter(None, (which, counted)))
        self._say(verdict.claim, "\n".join(filter(None, (verdict.because, counts))))
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

    def __init__(self, baseline: Result, candidate: Result) -> None:
        self.baseline, self.candidate = baseline, candidate
        # `core.Compared` brings numpy along, which the window does not wait for.
        self.compared = core.Compared.of(baseline, candidate)


_RADIUS = 5.0
_GAP = 12
_FAINT = 90
"""Of 255: the band in which a difference is within the margin."""
_AROUND = 1.15
"""Factor of free room beyond the lowest and the highest mark."""


class ComparisonChart(QWidget):
    """A ring is the baseline, a dot the candidate; all scales are logarithmic."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Compared | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Plot of the comparison"))
        self.setToolTip(
            self.tr(
                "The ratio with its 95 % interval; within the grey band a difference is smaller "
                "than the margin. Below it the latencies of both, on logarithmic scales."
            )
        )
        self.hide()

    def show_compared(self, compared: Compared | None) -> None:
        """Draw these, or nothing."""
        self._shown = compared
        drawn = compared is not None and bool(compared.latencies or compared.verdict.ratio)
        self.setVisible(drawn)
        self.setAccessibleDescription("\n".join(" ".join(row) for row in self.rows()))
        self.updateGeometry()
        self.update()

    def rows(self) -> list[tuple[str, str]]:
        """The title and the figures of each row, from top to bottom."""
        if self._shown is None:
            return []
        verdict, latencies = self._shown.verdict, self._shown.latencies
        rows = []
        if verdict.ratio is not None:
            rows.append((self.tr("ratio"), verdict.figures))
        return rows + [(pair.title, pair.text) for pair in latencies]

    @override
    def sizeHint(self) -> QSize:
        return QSize(360, (len(self.rows()) + 1) * self._row_height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def _row_height(self) -> int:
        return round(1.7 * self.fontMetrics().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shown is None:
            return
        rows, metrics = self.rows(), self.fontMetrics()
        titles_width = (
            max((metrics.horizontalAdvance(title) for title, _ in rows), default=0) + _GAP
        )
        texts_width = max((metrics.horizontalAdvance(text) for _, text in rows), default=0) + _GAP
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height, room = self._row_height(), self.width() - titles_width - texts_width
        areas = [
            QRectF(titles_width, place * height, max(room, 1), height)
            for place in range(len(rows) + 1)
        ]
        for (title, text), area in zip(rows, areas, strict=False):
            self._write(painter, QRectF(0, area.top(), titles_width, height), title)
            beside = QRectF(area.right() + _GAP, area.top(), texts_width, height)
            self._write(painter, beside, text)
        drawn = iter(areas)
        if self._shown.verdict.ratio is not None:
            self._draw_ratio(painter, next(drawn), self._shown)
        self._draw_latencies(painter, drawn, self._shown)
        self._draw_legend(painter, areas[-1], self._shown)
        painter.end()

    def _draw_ratio(self, painter: QPainter, area: QRectF, compared: Compared) -> None:
        verdict = compared.verdict
        assert verdict.ratio is not None
        low, high = verdict.low or verdict.ratio, verdict.high or verdict.ratio
        near = 1.0 + verdict.margin
        scale = _Scale((low, high, verdict.ratio, near, 1.0 / near), area)
        same = QRectF(area)
        same.setLeft(scale.x(1.0 / near))
        same.setRight(scale.x(near))
        band = self._colour(QPalette.ColorRole.Mid)
        band.setAlpha(_FAINT)
        painter.fillRect(same, band)
        painter.setPen(QPen(self._colour(QPalette.ColorRole.WindowText), 1))
        painter.drawLine(QLineF(scale.x(1.0), area.top(), scale.x(1.0), area.bottom()))
        self._write_small(painter, QPointF(scale.x(1.0) + 3, area.top()), show(1.0, "ratio"))
        middle = area.center().y()
        painter.setPen(QPen(self._colour(QPalette.ColorRole.Highlight), 3))
        painter.drawLine(QLineF(scale.x(low), middle, scale.x(high), middle))
        self._mark(painter, QPointF(scale.x(verdict.ratio), middle), filled=True)

    def _draw_latencies(
        self, painter: QPainter, areas: Iterator[QRectF], compared: Compared
    ) -> None:
        pairs = compared.latencies
        values = [value for pair in pairs for value in (pair.baseline, pair.candidate)]
        for pair, area in zip(pairs, areas, strict=False):
            scale, middle = _Scale(values, area), area.center().y()
            ends = [QPointF(scale.x(value), middle) for value in (pair.baseline, pair.candidate)]
            painter.setPen(QPen(self._colour(QPalette.ColorRole.Mid), 1))
            painter.drawLine(QLineF(*ends))
            self._mark(painter, ends[0], filled=False)
            self._mark(painter, ends[1], filled=True)

    def _draw_legend(self, painter: QPainter, area: QRectF, compared: Compared) -> None:
        verdict = compared.verdict
        place = QPointF(_RADIUS + 1, area.center().y())
        for name, filled in ((verdict.baseline, False), (verdict.candidate, True)):
            self._mark(painter, place, filled=filled)
            start, metrics = place.x() + _RADIUS + 5, self.fontMetrics()
            room = self.width() - start if filled else self.width() / 2
            middle = Qt.TextElideMode.ElideMiddle
            elided = metrics.elidedText(name, middle, round(max(room - 30, 30)))
            width = metrics.horizontalAdvance(elided)
            self._write(painter, QRectF(start, area.top(), width + 4, area.height()), elided)
            place = QPointF(start + width + 2 * _GAP, place.y())

    def _mark(self, painter: QPainter, place: QPointF, *, filled: bool) -> None:
        accent = self._colour(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(accent, 2))
        painter.setBrush(accent if filled else self._colour(QPalette.ColorRole.Base))
        painter.drawEllipse(place, _RADIUS, _RADIUS)

    def _write(self, painter: QPainter, area: QRectF, text: str) -> None:
        painter.setPen(self._colour(QPalette.ColorRole.WindowText))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _write_small(self, painter: QPainter, place: QPointF, text: str) -> None:
        """A word above the middle of its row, where nothing else is drawn."""
        usual, small = painter.font(), painter.font()
        small.setPointSizeF(0.75 * usual.pointSizeF())
        painter.setFont(small)
        painter.drawText(place + QPointF(0, painter.fontMetrics().ascent()), text)
        painter.setFont(usual)

    def _colour(self, role: QPalette.ColorRole) -> QColor:
        return self.palette().color(role)


class _Scale:
    """Pixels of values on a logarithmic scale that holds all of them."""

    def __init__(self, values: Sequence[float], area: QRectF) -> None:
        self._low = math.log(min(values) / _AROUND)
        self._high = math.log(max(values) * _AROUND)
        self._area = area

    def x(self, value: float) -> float:
        share = (math.log(value) - self._low) / (self._high - self._low)
        return self._area.left() + share * self._area.width()
