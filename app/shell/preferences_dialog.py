"""What a user sets once: language, theme, how much a run takes, and what may stay on the disk."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QLocale, QSettings, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
)

from app.setup.controls.numbers import NumberControl
from app.setup.effort_rows import budget_of_slider
from app.shell.before_start import LONGEST_WAIT, longest_wait
from app.shell.translator import LANGUAGE, chosen_language, languages
from app.style import dialogs
from app.style.labels import ClippedLabel, as_tip, label, restyle
from app.style.menus import QuietCombo
from app.style.theme import SYSTEM, Appearance
from app.work.question import Question, drop_questions
from core import EFFORT, CacheUse, SluiceError, cache_folder, one_line, sessions_folder, show

if TYPE_CHECKING:
    from app.shell.workbench import Workbench


_WAITS = (300.0, 1800.0, 7200.0, 28800.0)
"""Seconds that can be chosen."""


class PreferencesDialog(QDialog):
    """Everything takes effect at once but the language, which waits for the next start."""

    def __init__(self, settings: QSettings, appearance: Appearance, workbench: Workbench) -> None:
        super().__init__(workbench.window())
        self.setWindowTitle(self.tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(560)
        self._settings = settings
        self._looking, self._emptying = (Question(workbench.pool, self) for _ in range(2))
        self._looking.answered.connect(self._show_size)
        self._looking.refused.connect(self._refuse)
        self._emptying.answered.connect(self._show_freed)
        self._emptying.refused.connect(self._refuse)
        self.language = self._languages()
        self.theme = QuietCombo()
        titles = {
            SYSTEM: self.tr("As the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
            "contrast": self.tr("High contrast"),
        }
        for name, title in titles.items():
            self.theme.addItem(title, name)
        self.theme.setCurrentIndex(self.theme.findData(appearance.chosen))
        self.theme.activated.connect(lambda _: appearance.choose(self.theme.currentData()))
        self._effort = workbench.setup.effort
        usual = self._effort.usual.of("")
        self.repeats = QSpinBox()
        self.repeats.lineEdit().setTextMargins(8, 0, 0, 0)  # as in the boxes around it
        self.repeats.setRange(1, EFFORT.repeats.high)
        self.repeats.setValue(usual.repeats)
        self.budget = NumberControl(budget_of_slider(), single=True)
        self.budget.set_value(usual.budget)
        self.repeats.valueChanged.connect(self._prefer)
        self.budget.changed.connect(self._prefer)
        self.wait = self._waits()
        self.status = label(part="muted", wraps=True)
        self.empty = QPushButton(self.tr("&Remove them"))
        self.empty.setEnabled(False)
        self.empty.setAutoDefault(False)
        self.empty.clicked.connect(self._empty)
        self._size = label(self.tr("Looking…"))
        self._lay_out()
        self._looking.ask(lambda _: CacheUse().size())

    def _languages(self) -> QComboBox:
        """In their own names, as whoever looks for one knows it."""
        box = QuietCombo()
        box.addItem(self.tr("As the system"), "")
        for code in languages():
            box.addItem(QLocale(code).nativeLanguageName(), code)
        box.setCurrentIndex(box.findData(chosen_language(self._settings)))
        box.activated.connect(self._choose_language)
        return box

    def _waits(self) -> QComboBox:
        """For how long a quiet machine is waited for, before it is measured beside others."""
        box = QuietCombo()
        box.addItem(self.tr("Until the machine is quiet"), math.inf)
        for seconds in _WAITS:
            box.addItem(self.tr("At most {}").format(show(seconds, "seconds")), seconds)
        box.setCurrentIndex(max(box.findData(longest_wait(self._settings)), 0))
        box.activated.connect(lambda _: self._settings.setValue(LONGEST_WAIT, box.currentData()))
        return box

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(10)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.addRow(self.tr("&Language"), self.language)
        form.addRow(self.tr("&Theme"), self.theme)
        form.addRow(self.tr("Usual &repeats"), self.repeats)
        form.addRow(self.tr("Usual &time"), self.budget)
        form.addRow(self.tr("&Wait until quiet"), self.wait)
        form.addRow(self.tr("Sessions"), self._folder(sessions_folder, "SLUICE_SESSIONS"))
        form.addRow(self.tr("Data it makes"), self._folder(cache_folder, "SLUICE_CACHE"))
        row = QHBoxLayout()
        row.addWidget(self._size, 1)
        row.addWidget(self.empty)
        form.addRow(self.tr("Samples, indexes, reports"), row)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        column = dialogs.sheet(self, self.tr("Preferences"))
        column.addLayout(form)
        column.addWidget(self.status)
        column.addStretch(1)
        column.addWidget(buttons)

    def _prefer(self) -> None:
        """Make this usual from now on; a form that says something else keeps it."""
        if not self.budget.problem:
            self._effort.prefer(self.repeats.value(), float(self.budget.value()))

    def _folder(self, folder: Callable[[], Path], variable: str) -> QHBoxLayout:
        """Where it is, and a button that opens it."""
        row = QHBoxLayout()
        text, button = ClippedLabel("muted", 1), QPushButton(self.tr("Open"))
        try:
            place = folder()
        except SluiceError as error:
            text.setText(str(error))
            button.setEnabled(False)
        else:
            text.setText(one_line(str(place)))
            button.setEnabled(place.is_dir())
            url = QUrl.fromLocalFile(str(place))
            button.clicked.connect(lambda: QDesktopServices.openUrl(url))
        hint = self.tr("The variable {} names another folder, from the next start on")
        button.setToolTip(as_tip(hint.format(variable)))
        button.setAccessibleName(self.tr("Open the folder of {}").format(variable))
        button.setAutoDefault(False)  # what is blue is the way out
        row.addWidget(text, 1)
        row.addWidget(button)
        return row

    def _choose_language(self) -> None:
        self._settings.setValue(LANGUAGE, self.language.currentData())
        self._say(self.tr("The language changes with the next start."))

    def _empty(self) -> None:
        self.empty.setEnabled(False)
        self._emptying.ask(lambda _: CacheUse().empty())

    def _show_size(self, size: int) -> None:
        self._size.setText(show(size, "bytes"))
        self.empty.setEnabled(size > 0)

    def _show_freed(self, freed: int) -> None:
        self._show_size(0)
        self._say(
            self.tr("Removed: {}. They are made again when wanted.").format(show(freed, "bytes"))
        )

    def _refuse(self, why: str) -> None:
        self._say(why, "problem")
        self.empty.setEnabled(True)

    def _say(self, text: str, part: str = "muted") -> None:
        self.status.setText(text)
        restyle(self.status, "part", part)

    @override
    def done(self, result: int) -> None:
        drop_questions(self)
        super().done(result)
