"""Published studies: which there are, what they claim, and what came out here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import label
from app.style.layouts import NARROW, side_of, spaced
from app.style.theme import Theme
from app.views.run_rows import ROW, RowList
from app.views.study_view import TextTable
from core import Reproduction, load_study, study_names, tr_word
from core import tr as sentence

_ROW = 78
_LIST, _SMALL_LIST = 428, 300
"""Pixels of the list, also in a narrow window."""
_BARS = 3


@dataclass(frozen=True)
class StudyRow:
    """A study, whether it fits the chosen data, and how many of its claims hold here."""

    name: str
    title: str
    claims: int
    fits: bool
    here: Reproduction | None = None

    @property
    def sentence(self) -> str:
        return self.title.partition(": ")[0]

    @property
    def below(self) -> str:
        return self.title.partition(": ")[2]

    @property
    def word(self) -> str:
        if self.here is not None:
            return self.here.answer or sentence("measured here")
        return "" if self.fits else sentence("needs other data")

    @property
    def aside(self) -> str:
        count = self.claims
        return sentence("1 claim", "{count:,} claims", count=count) if count else ""

    @property
    def bars(self) -> int:
        return _BARS if self.here is not None else 0

    @property
    def role(self) -> str:
        return "sure" if self.here is not None else "ink3"

    @property
    def curve(self) -> tuple[tuple[float, ...], int]:
        return (), -1


class StudiesPage(QWidget):
    """A study that needs other data than is chosen says so, and does not begin on it."""

    repeated = Signal(str)
    """The name of the study to repeat."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Studies"))
        self._shown: tuple[str, Reproduction | None] | None = None
        self._rows: dict[str, StudyRow] = {}
        self.list = RowList(_ROW, pictures=False)
        self.list.setAccessibleName(self.tr("Studies"))
        self.list.currentItemChanged.connect(lambda *_: self._show())
        self.list.itemActivated.connect(lambda *_: self._repeat())
        self._title = label(part="title", wraps=True)
        self._about, self._source = label(wraps=True), label(part="muted", wraps=True)
        self._problem = label(part="problem", wraps=True)
        self.claims = TextTable(self.tr("Claims of the study"))
        self.claims.setWordWrap(True)
        self.repeat = QPushButton(self.tr("Repeat this study"))
        self.repeat.setProperty("part", "primary")
        self.repeat.clicked.connect(lambda *_: self._repeat())
        self._fitting = label(part="reason")
        self._lay_out()

    def _lay_out(self) -> None:
        right = spaced(QVBoxLayout(), 8)
        for part in (self._title, self._about, self._source, self._problem):
            right.addWidget(part)
        right.addWidget(self.repeat, 0, Qt.AlignmentFlag.AlignLeft)
        right.addWidget(self.claims, 100)
        right.addStretch(1)
        row = spaced(QHBoxLayout(), 24)
        row.addWidget(self.list)
        row.addLayout(right, 1)
        column = self._column = spaced(QVBoxLayout(self), 0)
        column.addWidget(label(self.tr("Is what was published true here?"), "large"))
        column.addSpacing(4)
        column.addWidget(self._fitting)
        column.addSpacing(16)
        column.addLayout(row, 1)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.setFixedWidth(_SMALL_LIST if self.width() < NARROW else _LIST)
        side = side_of(self.width())
        self._column.setContentsMargins(side, 16, side, 16)

    def show_studies(self, kind: str, reproduction: Reproduction | None) -> None:
        """Offer first the studies that fit data of that kind; an empty one fits all.

        `reproduction`: that of the shown run.
        """
        if self._shown == (kind, reproduction):
            return
        self._shown = kind, reproduction
        here = {reproduction.study.name: reproduction} if reproduction is not None else {}
        chosen = self.chosen() or next(iter(here), "")
        studies = [load_study(name) for name in study_names()]
        rows = [
            StudyRow(
                name=one.name,
                title=tr_word(one.title),
                claims=len(one.claims),
                fits=not kind or one.fits(kind),
                here=here.get(one.name),
            )
            for one in studies
        ]
        self._rows = {row.name: row for row in sorted(rows, key=lambda one: not one.fits)}
        self.list.blockSignals(True)
        self.list.clear()
        for name, row in self._rows.items():
            item = QListWidgetItem()
            self.list.fill(item, row, row.title)
            self.list.addItem(item)
            if name == chosen:
                self.list.setCurrentItem(item)
        if not self.chosen():
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        fitting = sum(row.fits for row in rows)
        self._fitting.setText(
            self.tr("{fitting} of {all} studies fit the chosen data.").format(
                fitting=fitting, all=len(rows)
            )
            if kind
            else sentence(
                "1 study can be repeated.", "{count:,} studies can be repeated.", count=len(rows)
            )
        )
        self._show()

    def chosen(self) -> str:
        """The name of the study that is looked at; empty before there is one."""
        row: StudyRow | None = self.list.currentIndex().data(ROW)
        return row.name if row is not None else ""

    def _show(self) -> None:
        if not (name := self.chosen()):
            return
        row, study = self._rows[name], load_study(name)
        self._title.setText(tr_word(study.title))
        self._about.setText(tr_word(study.about))
        self._source.setText(
            self.tr("Published: {source}; {machine}").format(
                source=study.source, machine=tr_word(study.machine)
            )
        )
        self._source.setVisible(not study.programs)
        self._problem.setText(
            "" if row.fits else self.tr("The chosen data is of another kind; take it away first.")
        )
        self._problem.setVisible(not row.fits)
        self.repeat.setEnabled(row.fits)
        self.claims.setVisible(bool(study.claims))
        titles = (self.tr("Judgement"), self.tr("Claim"), self.tr("Published"), self.tr("Here"))
        if row.here is not None:
            rows = tuple(one.row[:4] for one in row.here.judged)
        else:
            rows = tuple(("", tr_word(one.text), one.published_here, "") for one in study.claims)
        self.claims.show_claims(titles, rows)

    def _repeat(self) -> None:
        if self.repeat.isEnabled() and (name := self.chosen()):
            self.repeated.emit(name)
