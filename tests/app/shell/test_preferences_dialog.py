"""Language, theme, folders and the room of what is made again, in one dialog."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.setup.effort_rows import UsualEffort
from app.shell.before_start import LONGEST_WAIT, longest_wait
from app.shell.preferences_dialog import PreferencesDialog
from app.shell.translator import languages, locale_for
from app.shell.window import MainWindow
from core import cache_folder
from core.measure import locked

pytestmark = pytest.mark.window


@pytest.fixture
def sample(window: MainWindow) -> Path:
    """A sample in the cache of this test."""
    place = cache_folder() / "datasets" / "seqrepo-0123456789abcdef" / "one"
    place.parent.mkdir(parents=True)
    place.write_bytes(bytes(4096))
    return place


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, sample: Path) -> PreferencesDialog:
    """Opened from the menu."""
    window.menus._show_preferences()
    (shown,) = window.findChildren(PreferencesDialog)
    assert isinstance(shown, PreferencesDialog)
    qtbot.waitUntil(shown.empty.isEnabled)
    return shown


def choose(dialog: PreferencesDialog, box: str, value: str) -> None:
    chosen = getattr(dialog, box)
    chosen.setCurrentIndex(chosen.findData(value))
    chosen.activated.emit(chosen.currentIndex())


def test_that_the_language_is_kept_for_the_next_start(
    dialog: PreferencesDialog, settings: QSettings
) -> None:
    assert languages() == ("en", "de")
    choose(dialog, "language", "de")
    assert "next start" in dialog.status.text()
    assert locale_for(settings).name().startswith("de")
    choose(dialog, "language", "en")
    assert locale_for(settings).name().startswith("en")
    settings.setValue("language", "tlh")
    assert locale_for(settings).name()  # that of the system, whatever others wrote there


def test_that_it_is_kept_how_long_a_quiet_machine_is_waited_for(
    dialog: PreferencesDialog, settings: QSettings
) -> None:
    assert longest_wait(settings) == math.inf
    dialog.wait.setCurrentIndex(dialog.wait.findData(300.0))
    dialog.wait.activated.emit(dialog.wait.currentIndex())
    assert longest_wait(settings) == 300.0
    for other in ("soon", "-5", "nan"):  # whatever others wrote there
        settings.setValue(LONGEST_WAIT, other)
        assert longest_wait(settings) == math.inf


def test_that_a_theme_is_shown_at_once(
    dialog: PreferencesDialog, window: MainWindow, qapp: QApplication
) -> None:
    choose(dialog, "theme", "dark")
    assert window.appearance.theme.name == "dark"
    choose(dialog, "theme", "light")
    assert window.appearance.theme.name == "light"


def test_that_samples_are_removed_and_told(
    qtbot: QtBot, dialog: PreferencesDialog, sample: Path
) -> None:
    dialog.empty.click()
    qtbot.waitUntil(lambda: "Removed: 4.0 KiB" in dialog.status.text())
    assert not sample.exists()
    assert not dialog.empty.isEnabled()


def test_that_nothing_is_removed_from_under_a_run(
    qtbot: QtBot, dialog: PreferencesDialog, sample: Path
) -> None:
    with locked(cache_folder() / "locks" / "run-01.lock"):
        dialog.empty.click()
        qtbot.waitUntil(lambda: "being measured" in dialog.status.text())
    assert sample.exists()


def test_that_folders_are_named_and_opened(dialog: PreferencesDialog) -> None:
    opens = [one for one in dialog.findChildren(QPushButton) if one.text() == "Open"]
    assert [one.isEnabled() for one in opens] == [False, True]  # there are no sessions yet
    assert all("SLUICE_" in one.toolTip() for one in opens)


def test_that_usual_repeats_and_budget_are_those_of_the_form_at_once(
    dialog: PreferencesDialog, window: MainWindow, settings: QSettings
) -> None:
    dialog.repeats.setValue(7)
    dialog.budget.set_value(33.0)
    dialog.budget.changed.emit()
    asked = window.workbench.setup.request()
    assert (asked.repeats, asked.budget) == (7, 33.0)
    assert UsualEffort(settings).of("")[:2] == (7, 33.0)
