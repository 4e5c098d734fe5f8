"""One run of a command that nobody measures: its output, its end and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QThreadPool
from PySide6.QtGui import QFontDatabase, QTextOption
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from app.style.dialogs import sheet
from app.style.labels import label
from app.work.question import Question
from core import Cancel

if TYPE_CHECKING:
    from core import Dataset, Request

_SIZE = (640, 420)


class _Try(Question):
    """Ends what runs when nobody wants to see it any more."""

    def __init__(self, pool: QThreadPool, parent: QDialog) -> None:
        super().__init__(pool, parent)
        self.cancel = Cancel()

    @override
    def drop(self) -> None:
        self.cancel.request()
        super().drop()


class TryDialog(QDialog):
    """Runs it in the background at once; to close it ends the run."""

    def __init__(
        self, parent: QWidget, pool: QThreadPool, request: Request, dataset: Dataset
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Try once"))
        self.resize(*_SIZE)
        self._said = label(self.tr("Running once, with the first of each setting. Not measured."))
        self._said.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.text.setAccessibleName(self.tr("What the run has put out"))
        self.text.setTabChangesFocus(True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._buttons.rejected.connect(self.reject)
        column = sheet(self, self.tr("Try once"))
        column.addWidget(self._said)
        column.addWidget(self.text, 1)
        column.addWidget(self._buttons)
        running = _Try(pool, self)
        running.answered.connect(self._show)
        running.refused.connect(self._refuse)
        self.finished.connect(running.drop)
        running.ask(lambda report: request.try_once(dataset, running.cancel, report))

    def _show(self, shown: str) -> None:
        self._said.setText(self.tr("One run with the first of each setting. Not measured."))
        self.text.setPlainText(shown)
        self._buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)

    def _refuse(self, why: str) -> None:
        self._show(why)
        self._said.setText(self.tr("It could not be run."))
