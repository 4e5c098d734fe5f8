"""Published studies: which there are, what they claim, and what came out here."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.style.labels import label
from app.style.layouts import NARROW, side_of, spaced
from app.style.theme import Theme
from app.views.run_rows import ROW, Row, RowList
from app.views.study_view import TextTable
from core import Reproduction, load_study, study_names, tr_word, usable_cores
from core import tr as sentence

_ROW = 78
_LIST, _SMALL_LIST = 428, 364
"""Pixels of the list, also in a narrow window."""
_BARS = 3


class StudiesPage(QWidget):
    """A study that needs other data than is chosen says so, and does not begin on it."""

    repeated = Signal(str)
    """The name of the study to repeat."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Studies"))
        cores = usable_cores()
        self._studies = {name: load_study(name, cores) for name in study_names()}
        self._shown: tuple[str, Reproduction | None] = "", None
        """The kind of the chosen data, and the reproduction of the shown run."""
        self.list = RowList(_ROW)
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
        if self.list.count() and self._shown == (kind, reproduction):
            return
        self._shown = kind, reproduction
        chosen = self.chosen() or (reproduction.study.name if reproduction is not None else "")
        names = sorted(self._studies, key=lambda one: not self._fits(one))
        self.list.blockSignals(True)
        self.list.clear()
        for name in names:
            item = self.list.add(self._row_of(name))
            if name == chosen or self.list.currentItem() is None:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        fitting = sum(map(self._fits, names))
        self._fitting.setText(
            self.tr("{fitting} of {all} studies fit the chosen data.").format(
                fitting=fitting, all=len(names)
            )
            if kind
            else sentence(
                "1 study can be repeated.", "{count:,} studies can be repeated.", count=len(names)
            )
        )
        self._show()

    def chosen(self) -> str:
        """The name of the study that is looked at; empty before there is one."""
        row: Row | None = self.list.currentIndex().data(ROW)
        return str(row.of) if row is not None else ""

    def _fits(self, study: str) -> bool:
        return not self._shown[0] or self._studies[study].fits(self._shown[0])

    def _here(self, study: str) -> Reproduction | None:
        """What came out here, if the shown run repeats it."""
        here = self._shown[1]
        return here if here is not None and here.study.name == study else None

    def _row_of(self, study: str) -> Row:
        """Its published figures as columns; whether it fits the data, or what came out here."""
        about, here = self._studies[study], self._here(study)
        title, claims = tr_word(about.title), len(about.claims)
        name, _, rest = title.partition(": ")
        word = "" if self._fits(study) else sentence("needs other data")
        if here is not None:
            word = here.answer or sentence("measured here")
        return Row(
            of=study,
            sentence=name,
            below=rest,
            word=word,
            aside=sentence("1 claim", "{count:,} claims", count=claims) if claims else "",
            bars=_BARS if here is not None else 0,
            role="sure" if here is not None else "ink3",
            values=tuple(cell.published for cell in about.cells if cell.published is not None),
            tip=title,
        )

    def _show(self) -> None:
        if not (name := self.chosen()):
            return
        study = self._studies[name]
        fits, here = self._fits(name), self._here(name)
        self._title.setText(tr_word(study.title))
        self._about.setText(tr_word(study.about))
        self._source.setText(
            self.tr("Published: {source}; {machine}").format(
                source=study.source, machine=tr_word(study.machine)
            )
        )
        self._source.setVisible(not study.programs)
        self._problem.setText(
            "" if fits else self.tr("The chosen data is of another kind; take it away first.")
        )
        self._problem.setVisible(not fits)
        self.repeat.setEnabled(fits)
        self.claims.setVisible(bool(study.claims))
        titles = (self.tr("Judgement"), self.tr("Claim"), self.tr("Published"), self.tr("Here"))
        if here is not None:
            rows = tuple(one.row[:4] for one in here.judged)
        else:
            rows = tuple(("", tr_word(one.text), one.published_here, "") for one in study.claims)
        self.claims.show_claims(titles, rows)

    def _repeat(self) -> None:
        if self.repeat.isEnabled() and (name := self.chosen()):
            self.repeated.emit(name)
