"""Published studies: those first that fit the data, what they claim, and what is found here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import as_tip, label
from app.views.study_view import TextTable
from core import load_study, study_names, tr_word

if TYPE_CHECKING:
    from core import Reproduction

_LIST = 220, 360
"""Pixels."""
_NAME = Qt.ItemDataRole.UserRole


class StudiesPage(QWidget):
    """A study that needs other data than is chosen says so, and does not begin on it."""

    repeated = Signal(str)
    """The name of the study to repeat."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Studies"))
        self._kind = ""
        self._found: Reproduction | None = None
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Studies"))
        self.list.setWordWrap(True)
        self.list.setMinimumWidth(_LIST[0])
        self.list.setMaximumWidth(_LIST[1])
        self.list.setSpacing(4)
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
        right = QVBoxLayout()
        right.setSpacing(8)
        for part in (self._title, self._about, self._source, self._problem):
            right.addWidget(part)
        right.addWidget(self.claims, 100)
        right.addWidget(self.repeat, 0, Qt.AlignmentFlag.AlignLeft)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 12)
        row.setSpacing(16)
        row.addWidget(self.list, 2)
        row.addLayout(right, 5)

    def show_studies(self, kind: str, found: Reproduction | None) -> None:
        """Offer those that fit data of that kind first, any where it is empty.

        `found`: what the shown run reproduced.
        """
        self._kind, self._found = kind, found
        kept = self.chosen() or (found.study.name if found is not None else "")
        studies = [load_study(name) for name in study_names()]
        studies.sort(key=lambda one: not self._fits(one.name))
        self.list.blockSignals(True)
        self.list.clear()
        for one in studies:
            fits = self._fits(one.name)
            text = tr_word(one.title)
            other = "" if fits else self.tr("needs other data")
            item = QListWidgetItem("\n".join(filter(None, (text, other))))
            item.setData(_NAME, one.name)
            item.setToolTip(as_tip(text))
            self.list.addItem(item)
            if one.name == kept:
                self.list.setCurrentItem(item)
        if not self.chosen():
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._show()

    def _fits(self, name: str) -> bool:
        return not self._kind or load_study(name).fits(self._kind)

    def chosen(self) -> str:
        """The name of the study that is looked at; empty before there is one."""
        row = self.list.currentRow()
        return str(self.list.item(row).data(_NAME)) if row >= 0 else ""

    def _show(self) -> None:
        if not (name := self.chosen()):
            return
        study, fits = load_study(name), self._fits(name)
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
        if self._found is not None and self._found.study.name == name:
            rows = tuple(one.row[:4] for one in self._found.judged)
        else:
            rows = tuple(("", tr_word(one.text), one.published_here, "") for one in study.claims)
        self.claims.show_claims(titles, rows)

    def _repeat(self) -> None:
        if self.repeat.isEnabled() and (name := self.chosen()):
            self.repeated.emit(name)
