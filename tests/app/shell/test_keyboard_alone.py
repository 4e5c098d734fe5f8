"""From an empty window to an exported result without a mouse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from core import workloads

pytestmark = [pytest.mark.window, pytest.mark.slow]
MOST_TABS = 150
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ROLE = QAccessible.Role


def focused() -> QWidget:
    """Where keys go."""
    popup = QApplication.activePopupWidget()
    if popup is not None:
        return popup.focusWidget() or popup
    return QApplication.focusWidget() or QApplication.activeWindow()


def walk_to(name: str) -> QWidget:
    """Press Tab until what has the focus is called that."""
    for _ in range(MOST_TABS):
        if focused().accessibleName() == name:
            return focused()
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    raise AssertionError(f"{name} is not reached within {MOST_TABS} presses of Tab")


def write(text: str) -> None:
    """Replace what the field holds."""
    QTest.keyClick(focused(), Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(focused(), text)
    QTest.keyClick(focused(), Qt.Key.Key_Return)


@pytest.fixture
def active(qtbot: QtBot, window: MainWindow, workbench: Workbench) -> Workbench:
    window.activateWindow()
    with qtbot.waitActive(window):
        pass
    return workbench


def leave() -> None:
    """Close what a field of the question has opened."""
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


def test_that_keys_go_to_the_data_at_first_and_come_back_to_it(
    qtbot: QtBot, active: Workbench
) -> None:
    qtbot.waitUntil(lambda: focused().accessibleName() == "Data")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert focused().accessibleName() == "Dataset"
    leave()
    assert focused().accessibleName() == "Data"


def passed(start: str, end: str) -> list[str]:
    """The names of all that Tab leads to between two controls."""
    walk_to(start)
    names: list[str] = []
    while (name := focused().accessibleName()) != end:
        names.append(name)
        assert len(names) < MOST_TABS, f"{end} is not reached"
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    return [*names, end]


def in_order(names: list[str], *wanted: str) -> bool:
    """Whether these are among the names, in this order."""
    left = iter(names)
    return all(name in left for name in wanted)


def test_that_tab_follows_the_page_from_top_to_bottom(active: Workbench) -> None:
    active.setup.form.more.setChecked(True)
    names = passed("Data", "Copy the command line")
    wanted = ("Data", "Work", "Settings to try", "Time", "Views of the run")
    settings = ("Threads: from, slider", "Threads: to, slider", "Threads", "More settings")
    rest = ("Search the other settings", "Page cache: as-is")
    assert in_order(names, *wanted, *settings, *rest), names


def test_that_tab_goes_around_within_what_a_field_opens(active: Workbench) -> None:
    walk_to("Time")
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    names = [one.accessibleName() for one in stops()]
    assert in_order(names, "Budget: from, slider", "Budget", "Repeats"), names
    assert "Data" not in names
    leave()


def test_that_tab_goes_back_the_way_it_came(active: Workbench) -> None:
    there = passed("Data", "More settings")
    back = [focused().accessibleName()]
    while back[-1] != "Data":
        assert len(back) < MOST_TABS
        QTest.keyClick(focused(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        back.append(focused().accessibleName())
    assert back == there[::-1]


def test_that_the_settings_scroll_to_what_tab_leads_to(active: Workbench) -> None:
    active.window().resize(900, 600)
    active.setup.form.more.setChecked(True)
    QApplication.processEvents()
    last = walk_to("Page cache: as-is")
    assert not last.visibleRegion().isEmpty()
    first = walk_to("Threads")  # around the whole window
    assert not first.visibleRegion().isEmpty()


def test_that_what_an_expert_needs_is_two_presses_away(active: Workbench) -> None:
    press("Settings to try")
    press("More settings")
    for name in ("Warm up", "Page cache: cold", "Regions"):
        assert walk_to(name).isVisible()


def test_that_a_place_is_looked_at_again_only_by_typing_or_return(
    qtbot: QtBot, active: Workbench, tmp_path: Path
) -> None:
    press("Data")
    write(str(tmp_path / "nothing.fa"))
    picker = active.setup.dataset
    qtbot.waitUntil(lambda: not picker.looking and "nothing.fa" in picker.problem)
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert not picker.looking  # passing through with the keys asks nothing
    walk_to("Dataset")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert picker.looking
    qtbot.waitUntil(lambda: not picker.looking)
    QTest.keyClick(focused(), Qt.Key.Key_End)
    QTest.keyClicks(focused(), "i")
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert picker.looking
    qtbot.waitUntil(lambda: not picker.looking and "nothing.fai" in picker.problem)


def test_that_a_closed_window_does_not_look_at_what_was_being_typed(
    qtbot: QtBot, window: MainWindow, active: Workbench, tmp_path: Path
) -> None:
    press("Data")
    qtbot.waitUntil(lambda: not active.busy)
    QTest.keyClicks(focused(), str(tmp_path / "nothing.fa"))
    window.close()
    assert not window.isVisible()
    assert not active.setup.dataset.looking


def test_that_what_start_waits_for_tells_the_size_of_a_sample(active: Workbench) -> None:
    assert "hoose a dataset, or make a sample (" in active.verdict.card.headline.detail


def test_that_everything_from_opening_to_an_export_goes_without_a_mouse(
    qtbot: QtBot, active: Workbench, data: Path, tmp_path: Path
) -> None:
    press("Work")
    QTest.keyClicks(QApplication.activePopupWidget().focusWidget(), "Raw reads\r")
    qtbot.waitUntil(lambda: active.setup.workload == "raw")
    press("Data")
    write(str(data))
    leave()
    qtbot.waitUntil(lambda: active.setup.dataset.look is not None)
    walk_to("More settings")
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    walk_to("Duration")
    write("0.2 s")
    press("Time")
    walk_to("Repeats")
    write("2")
    leave()
    assert active.setup.request().values["duration"] == pytest.approx(0.2)
    assert active.setup.request().repeats == 2
    QTest.keyClick(active.window(), Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: active.measuring.running)
    qtbot.waitUntil(lambda: not active.measuring.running)
    qtbot.waitUntil(lambda: active.has_results)
    place = tmp_path / "by-keyboard.json"
    with named_in_dialog(place):
        choose_from_menu("S", "E", "JSON")
    qtbot.waitUntil(place.exists)
    exported = json.loads(place.read_text("utf-8"))
    assert exported["results"]
    qtbot.waitUntil(lambda: not active.busy)


def heard(widget: QWidget) -> tuple[str, QAccessible.Role, str]:
    """What a screen reader says of it: its name, what it is, and its value or description."""
    told = QAccessible.queryAccessibleInterface(widget)
    text = QAccessible.Text
    value = told.text(text.Value) or told.text(text.Description)
    return told.text(text.Name), told.role(), value


def press(name: str) -> QWidget:
    """Walk to a button that is called that, or begins so, hear that it is one, and press it."""
    for _ in range(MOST_TABS):
        if heard(focused())[0].startswith(name):
            break
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    found = focused()
    called, role, _ = heard(found)
    assert called.startswith(name)
    assert role in {ROLE.Button, ROLE.ButtonMenu, ROLE.CheckBox}
    QTest.keyClick(found, Qt.Key.Key_Space)
    return found


def fill(name: str, text: str, told: str = "") -> None:
    """Walk to a field of that name, write into it, and hear that it holds it, as `told`."""
    write_into = walk_to(name)
    write(text)
    called, role, value = heard(write_into)
    assert (called, role in {ROLE.EditableText, ROLE.SpinBox}) == (name, True)
    assert value == (told or text)


def test_that_a_screen_reader_hears_the_whole_task_from_the_question_to_the_copied_code(
    qtbot: QtBot, active: Workbench, tmp_path: Path
) -> None:
    sequences = tmp_path / "sequences.fa"
    sequences.write_bytes(b"".join(b">s%d\n%s\n" % (at, b"ACGT" * 50) for at in range(50)))
    active.show_page("start")
    press(workloads()["fasta"].title)
    assert active.pages.currentWidget() is active.question
    press("Data")
    fill("Dataset", str(sequences))
    leave()
    qtbot.waitUntil(lambda: active.setup.dataset.look is not None)
    fill("Threads", "2")  # one setting has an answer on a busy machine too
    handle = walk_to("Threads: to, slider")
    assert heard(handle) == ("Threads: to, slider", ROLE.Slider, "2")
    press("More settings")
    fill("Duration", "0.2 s")
    fill("Warm up", "0 s")
    press("Time")
    fill("Budget", "0", "none")
    fill("Repeats", "2")
    leave()
    assert heard(walk_to("Time"))[2] == "2 repeats"
    qtbot.waitUntil(lambda: active.ready)
    press("Measure")
    qtbot.waitUntil(lambda: active.measuring.running)
    qtbot.waitUntil(lambda: not active.busy and bool(active.verdict.steps.texts()))
    (sentence,) = [
        one
        for one in active.verdict.findChildren(QLabel)
        if heard(one)[0] == f"Verdict: {active.verdict.card.sentence}"
    ]
    assert heard(sentence)[1] == ROLE.StaticText
    unnamed = [stop for stop in stops() if not heard(stop)[0]]
    assert not unnamed
    press("Copy for my code")
    QTest.keyClick(focused(), Qt.Key.Key_Down)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    copied = QApplication.clipboard().text()
    assert copied in {one.text for one in active.verdict.card.copies}


def stops() -> list[QWidget]:
    """Where Tab stops, once around."""
    found = [focused()]
    while True:
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        if focused() is found[0]:
            return found
        found.append(focused())
        assert len(found) < MOST_TABS


@contextmanager
def named_in_dialog(place: Path) -> Iterator[None]:
    """Type this into the dialog for a file that is opened meanwhile, which blocks who opens it."""

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog.isAncestorOf(focused()):
            looking.stop()
            write(str(place))

    looking = QTimer()
    looking.setInterval(20)
    looking.timeout.connect(look)
    looking.start()
    yield
    looking.stop()


def choose_from_menu(menu: str, inner: str, wanted: str) -> None:
    """Open a menu and a menu within it by their letters, and go down to an entry."""
    walk_to("Menu")
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    QTest.keyClick(focused(), getattr(Qt.Key, f"Key_{menu}"))
    QTest.keyClick(focused(), getattr(Qt.Key, f"Key_{inner}"))
    shown = focused()
    assert isinstance(shown, QMenu)
    for _ in shown.actions():
        chosen = shown.activeAction()
        if chosen is not None and wanted in chosen.text():
            break
        QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Return)
