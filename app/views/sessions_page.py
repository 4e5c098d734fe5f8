"""Every run ever: found by words, opened, compared, thrown away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QFile, QStandardPaths, QThreadPool, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.style.labels import ClippedLabel, as_tip, label, restyle
from app.style.layouts import side_of, spaced
from app.style.theme import Theme
from app.views.run_rows import RunList
from app.work.question import Question, drop_questions
from core import Listed, SessionError, sessions_folder
from core import tr as sentence

if TYPE_CHECKING:
    from app.views.run_rows import Found

_ROW = 78


class SessionsPage(QWidget):
    """A list that is there at once; the answers follow, the newest run's first.

    Two selected runs are compared; title and notes belong to the session that is open.
    """

    chosen = Signal(object, int)
    """The run to show: its session (Path) and its number; 0 is the last one."""
    compared = Signal(object, object)
    """Two runs (Origin), the older first."""
    listed = Signal()
    """The folder was looked at."""

    def __init__(
        self,
        pool: QThreadPool,
        open_session: Callable[[], Path | None],
        answers: dict[Listed, Found],
    ) -> None:
        """`open_session`: the one that this window has open now; `answers`: those found so far."""
        super().__init__()
        self.setAccessibleName(self.tr("Runs"))
        self._open_session = open_session
        self._listing, self._removing = Question(pool, self), Question(pool, self)
        self._listing.answered.connect(self._show)
        self._removing.answered.connect(lambda _: self.look())
        self._removing.refused.connect(self._say_how_many)
        self.list = RunList(pool, answers, _ROW)
        self.list.answered.connect(self._filter_one)
        self.list.setAccessibleName(self.tr("Runs"))
        self.list.setSelectionMode(RunList.SelectionMode.ExtendedSelection)
        self.list.itemActivated.connect(lambda *_: self.open_selected())
        self.list.itemSelectionChanged.connect(self._fit_buttons)
        self.search = QLineEdit()
        self.search.setMinimumHeight(36)
        self.search.setPlaceholderText(
            self.tr("Search answers, data, work, machines, days and titles")
        )
        self.search.setAccessibleName(self.tr("Search the runs"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self._said = ClippedLabel("reason", 1)
        self._said.setAccessibleName(self.tr("How many runs"))
        self.buttons = {
            "open": self._button(self.tr("&Open"), self.open_selected),
            "compare": self._button(self.tr("&Compare"), self.compare_selected),
            "remove": self._button(self.tr("Move to the &wastebasket"), self.remove_selected),
        }
        self.buttons["open"].setProperty("part", "primary")
        self.buttons["compare"].setToolTip(self.tr("Select two runs"))
        self._lay_out()
        self._fit_buttons()

    def _button(self, text: str, does: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(lambda *_: does())
        return button

    def _lay_out(self) -> None:
        row = spaced(QHBoxLayout(), 8)
        row.addWidget(self.search, 1)
        for button in self.buttons.values():
            row.addWidget(button)
        column = self._column = spaced(QVBoxLayout(self), 0)
        column.addWidget(label(self.tr("Runs"), "large"))
        column.addSpacing(4)
        column.addWidget(self._said)
        column.addSpacing(12)
        column.addLayout(row)
        column.addSpacing(12)
        column.addWidget(self.list, 1)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = side_of(self.width())
        self._column.setContentsMargins(side, 16, side, 16)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def look(self) -> None:
        """List the folder as it is now."""
        self._said.setText(self.tr("Looking…"))
        self._listing.ask(lambda report: Listed.in_folder(sessions_folder(), report))

    def _show(self, runs: tuple[Listed, ...]) -> None:
        selected = self.selected()
        self.list.blockSignals(True)
        self.list.show_runs(runs)
        if runs:
            same = (one for one in runs if selected and _key(one) == _key(selected[0]))
            self.list.setCurrentItem(self.list.item_of(next(same, runs[0])))
        self.list.blockSignals(False)
        self._filter()
        self.listed.emit()

    # What is shown, and what can be done with it.

    def selected(self) -> list[Listed]:
        """The runs that are selected, the current one first."""
        current = self.list.currentItem()
        items = sorted(self.list.selectedItems(), key=lambda one: one is not current)
        return [self.list.run_of(item) for item in items if not item.isHidden()]

    def _one(self) -> Listed | None:
        """The only one that is selected."""
        selected = self.selected()
        return selected[0] if len(selected) == 1 else None

    def said(self) -> str:
        """How many there are, or what could not be done."""
        return self._said.text()

    def shown(self) -> list[Listed]:
        """The runs that the search leaves, from top to bottom."""
        return [one for one in self.list.runs if not self.list.item_of(one).isHidden()]

    def _filter(self) -> None:
        for one in self.list.runs:
            self._filter_one(one)
        self._say_how_many()
        self._fit_buttons()

    def _filter_one(self, one: Listed) -> None:
        found, words = self.list.answers.get(one), self.search.text().lower().split()
        answer = found[0].text if found is not None else ""
        self.list.item_of(one).setHidden(not one.has(words, answer))

    def _say_how_many(self, problem: str = "") -> None:
        """How many there are, or, until something else is done, why one is still there."""
        shown, every = len(self.shown()), len(self.list.runs)
        count = sentence("1 run", "{count:,} runs", count=every)
        if shown != every:
            count = self.tr("{} of {} runs").format(shown, every)
        self._said.setText(problem or count)
        restyle(self._said, "part", "problem" if problem else "reason")

    def _fit_buttons(self) -> None:
        one = self._one()
        is_open = one is not None and one.path == self._open_session()
        self.buttons["open"].setEnabled(one is not None)
        self.buttons["compare"].setEnabled(sum(bool(each.run) for each in self.selected()) == 2)
        self.buttons["remove"].setEnabled(one is not None and not is_open)
        why = self.tr("This window has it open") if is_open else ""
        self.buttons["remove"].setToolTip(as_tip(why))

    def open_selected(self) -> None:
        if (one := self._one()) is not None:
            self.chosen.emit(one.path, one.run)

    def compare_selected(self) -> None:
        two = sorted((one for one in self.selected() if one.run), key=lambda one: one.changed)
        if len(two) == 2:
            from core import Origin

            self.compared.emit(*(Origin(one.path, one.run) for one in two))

    def remove_selected(self) -> None:
        """Move the file to the wastebasket, from where it can be taken back."""
        if (one := self._one()) is not None and one.path != self._open_session():
            self._removing.ask(partial(_removed, one))

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        drop_questions(self)  # nobody looks at the answers


def _key(one: Listed) -> tuple[Path, int]:
    return one.path, one.run


def _removed(one: Listed, _: object) -> None:
    if not one.fault:
        one.require_idle()
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    with suppress(OSError):  # Qt makes the wastebasket there, but not the folder around it
        Path(where).mkdir(parents=True, exist_ok=True)
    if not QFile(str(one.path)).moveToTrash():
        raise SessionError(
            sentence("{path} cannot be moved to the wastebasket", path=one.path),
            sentence("delete the file by hand"),
        )
