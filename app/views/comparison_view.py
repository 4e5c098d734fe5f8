"""Two results beside each other: the verdict on the second, a plot of both, and the reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QThreadPool, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.style.labels import as_tip, label
from app.views.comparison_chart import ComparisonChart
from app.work.question import Question

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
        self._question.refused.connect(self._refuse)
        self._sentence = label(part="title", wraps=True)
        self._sentence.setAccessibleName(self.tr("Comparison"))
        self._reasons = label(wraps=True)
        self._reasons.setAccessibleName(self.tr("Why"))
        self.chart = ComparisonChart()
        self.in_turn = QPushButton()
        """Offered where measuring both again, in turn, would tell more."""
        self.in_turn.setProperty("part", "primary")
        self.in_turn.clicked.connect(self._measure_in_turn)
        self._pair: tuple[Result, Result] | None = None
        self._lay_out()
        self._compares = self._of_runs = False
        self.clear()

    def _lay_out(self) -> None:
        """In a low window the words can be scrolled, and the button stays in sight."""
        page = QWidget()
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(page)
        column = QVBoxLayout(page)
        for part in (self._sentence, self.chart, self._reasons):
            column.addWidget(part)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area, 1)
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
        self._question.ask(lambda _: _compared(*pair()))

    def show_pair(self, baseline: Result, candidate: Result) -> None:
        """Compare two results."""
        self._say(self.tr("Comparing…"), "")
        self._compares, self._of_runs = True, False
        self._question.ask(lambda _: _compared(baseline, candidate))

    def text(self) -> str:
        """What it says."""
        return "\n".join(filter(None, (self._sentence.text(), self._reasons.text())))

    def _show(self, answer: _Answer) -> None:
        compared = answer.compared
        verdict = compared.verdict
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
        self._pair = answer.pair
        self._offer(next(iter(compared.steps), None))

    def _offer(self, step: NextStep | None) -> None:
        self.in_turn.setVisible(step is not None)
        if step is not None:
            self.in_turn.setText(step.text)
            self.in_turn.setToolTip(as_tip(step.why))
            self.in_turn.setAccessibleDescription(step.why)

    def _measure_in_turn(self) -> None:
        if self._pair is not None:
            self.in_turn_wanted.emit(*self._pair)

    def _refuse(self, reason: str) -> None:
        self._say(self.tr("Cannot be compared"), reason)

    def _say(self, sentence: str, why: str) -> None:
        self.chart.show_compared(None)
        self._pair = None
        self._offer(None)
        self._sentence.setText(sentence)
        self._reasons.setText(why)
        self._reasons.setVisible(bool(why))


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """What the chart shows, and of which results."""

    compared: Compared
    pair: tuple[Result, Result]


def _compared(baseline: Result, candidate: Result) -> _Answer:
    # They bring numpy along, which the window does not wait for.
    from core import Compared

    return _Answer(compared=Compared.of(baseline, candidate), pair=(baseline, candidate))
