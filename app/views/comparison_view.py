"""Two results beside each other: a plot of both, and the verdict on the second as its caption."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.style.label_widget import label
from app.views.comparison_chart import Compared, ComparisonChart, latency_pairs
from app.work.question import Question

if TYPE_CHECKING:
    from core import Result


class CompareView(QWidget):
    """Compares two results; a thread of the pool computes the verdict."""

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
        column = QVBoxLayout(self)
        column.addWidget(self.chart)
        column.addWidget(self._sentence)
        column.addWidget(self._reasons)
        column.addStretch(1)
        self._compares = self._of_runs = False
        self.clear()

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

    def _show(self, compared: Compared) -> None:
        verdict = compared.verdict
        trials = self.tr("{} and {} trials").format(*verdict.trials)
        which = (
            self.tr("The answer of the run before against that of this run")
            if self._of_runs
            else ""
        )
        counted = trials if all(verdict.trials) else ""
        self._say(verdict.sentence, " · ".join(filter(None, (which, counted))))
        self.chart.show_compared(compared)

    def _refuse(self, reason: str) -> None:
        self._say(self.tr("Cannot be compared"), reason)

    def _say(self, sentence: str, why: str) -> None:
        self.chart.show_compared(None)
        self._sentence.setText(sentence)
        self._reasons.setText(why)
        self._reasons.setVisible(bool(why))


def _compared(baseline: Result, candidate: Result) -> Compared:
    from core import compare, past_of  # bring numpy along, which the window does not wait for

    verdict = compare(baseline, candidate, past_of=past_of)
    return Compared(verdict=verdict, latencies=latency_pairs(baseline, candidate))
