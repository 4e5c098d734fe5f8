"""What is given on the command line, double-clicked, or pressed on the first page is there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import building
import pytest
from patience import MILLISECONDS
from PySide6.QtCore import QMimeData, QPointF, QProcess, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from workload_box import choose_workload

from app.__main__ import USAGE
from app.setup.form_history import form_from
from app.shell.help_windows import AboutDialog
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.style.theme import sluice_icon
from core import Axis, Session, workloads
from core.measure import sluice_build
from core.measure.machine import starting
from core.measure.machine.about_program import components
from core.run.session.plan_trust import trust

CACHES = Axis("cache", ("lru-locked", "none", "per-thread"))

pytestmark = pytest.mark.window


def kept(path: Path) -> Path:
    """A session with one trial."""
    spec = building.spec(workload="raw", parameters={"block": 4096})
    with Session.create(path) as session:
        run = session.begin_run(
            building.plan((spec,), repeats=1), building.environment(), {}, ("sluice",)
        )
        session.append(run, building.trial(spec, index=0))
        session.end_run(run, "completed")
    return path


def shown(qtbot: QtBot, window: MainWindow) -> Workbench:
    window.show()
    qtbot.waitUntil(lambda: window.workbench is not None)
    return window.workbench


def session_of(qtbot: QtBot, workbench: Workbench) -> Path:
    """Where the open session is, once there is one."""
    qtbot.waitUntil(lambda: workbench.held.session is not None)
    return workbench.held.session.path


def test_that_a_session_is_open_once_the_window_is_there(
    qtbot: QtBot, open_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    path = kept(tmp_path / "of last night.sluice")
    window = open_window()
    window.open_places([path])
    assert session_of(qtbot, shown(qtbot, window)) == path


def test_that_a_dataset_is_chosen_once_the_window_is_there(
    qtbot: QtBot, open_window: Callable[[], MainWindow], data: Path
) -> None:
    window = open_window()
    window.open_places([data])
    dataset = shown(qtbot, window).setup.dataset
    qtbot.waitUntil(lambda: dataset.place() == str(data))


def test_that_data_is_a_first_question_which_undo_takes_back(
    qtbot: QtBot, open_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    data = tmp_path / "genes.fa"
    data.write_text(">one\nACGT\n")
    window = open_window()
    window.open_places([data])
    setup = shown(qtbot, window).setup
    qtbot.waitUntil(lambda: setup.dataset.look is not None)
    assert setup.request().axes == (Axis("threads", (1, 2, 4, 8)), CACHES)
    setup.form.row("threads").control.set_values((3,))
    with qtbot.waitSignal(window.workbench.drops.left):
        window.open_places([data])
    assert setup.request().axes == (Axis("threads", (1, 2, 4, 8)), CACHES)
    window.workbench.history.stack.undo()
    assert setup.request().axes == ()


def test_that_what_is_given_comes_before_a_run_that_was_not_finished(
    qtbot: QtBot, open_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    unfinished, asked = kept(tmp_path / "unfinished.sluice"), kept(tmp_path / "asked.sluice")
    first = open_window()
    first.open_places([unfinished])
    workbench = shown(qtbot, first)
    assert session_of(qtbot, workbench) == unfinished
    workbench.held.remember(begun=True)
    assert workbench.held.unfinished() == unfinished

    window = open_window()
    window.open_places([asked])
    assert session_of(qtbot, shown(qtbot, window)) == asked


def test_that_a_window_that_is_there_opens_what_it_is_given(
    qtbot: QtBot, window: MainWindow, workbench: Workbench, tmp_path: Path
) -> None:
    path = kept(tmp_path / "later.sluice")
    window.open_places([path])
    assert session_of(qtbot, workbench) == path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What further windows were asked to open; none of them is."""
    asked: list[list[str]] = []

    def start(program: str, arguments: list[str]) -> tuple[bool, int]:
        asked.append(arguments[arguments.index("app") + 1 :])
        return True, 1

    monkeypatch.setattr(QProcess, "startDetached", start)
    monkeypatch.setattr(starting, "has_room_for_another", lambda: True)
    return asked


def test_that_many_sessions_open_one_after_the_other(
    qtbot: QtBot,
    window: MainWindow,
    workbench: Workbench,
    tmp_path: Path,
    started: list[list[str]],
) -> None:
    paths = [kept(tmp_path / f"{number:02}.sluice") for number in range(25)]
    window.open_places(paths)
    assert started == []
    assert session_of(qtbot, workbench) == paths[0]
    qtbot.waitUntil(lambda: bool(started))
    assert started == [[str(path) for path in paths[1:]]]
    assert "01.sluice (1/24)" in workbench.top.message.text()


def test_that_windows_for_which_there_is_no_memory_are_counted_and_not_opened(
    qtbot: QtBot,
    window: MainWindow,
    workbench: Workbench,
    tmp_path: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(starting, "has_room_for_another", lambda: False)
    window.open_places([kept(tmp_path / f"{number}.sluice") for number in range(25)])
    session_of(qtbot, workbench)
    (complaint,) = shown_complaints(qtbot, workbench)
    assert "not opened: 24" in complaint.informativeText()
    complaint.close()
    assert started == []


def shown_complaints(qtbot: QtBot, workbench: Workbench) -> list[QMessageBox]:
    """Those that are on the screen, once there are any."""

    def shown_ones() -> list[QMessageBox]:
        return [one for one in workbench.findChildren(QMessageBox) if one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown_ones()))
    return shown_ones()


def test_that_the_rest_opens_although_the_first_does_not(
    qtbot: QtBot,
    window: MainWindow,
    workbench: Workbench,
    tmp_path: Path,
    started: list[list[str]],
) -> None:
    other = kept(tmp_path / "other.sluice")
    window.open_places([tmp_path / "missing.sluice", other])
    qtbot.waitUntil(lambda: bool(started))
    assert started == [[str(other)]]
    (complaint,) = shown_complaints(qtbot, workbench)
    assert "does not exist" in complaint.informativeText()
    complaint.close()


def test_that_all_that_is_dropped_opens(
    qtbot: QtBot,
    window: MainWindow,
    workbench: Workbench,
    tmp_path: Path,
    started: list[list[str]],
) -> None:
    paths = [kept(tmp_path / f"{name}.sluice") for name in ("one", "two")]
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = (dropped, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    workbench.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *how))
    assert session_of(qtbot, workbench) == paths[0]
    qtbot.waitUntil(lambda: bool(started))
    assert started == [[str(paths[1])]]


ARGUMENTS = {"sluice-app": [], "sluice": ["dataset", "make", "fasta"]}
REFUSED = """
import os, pwd
os.environ.pop("HOME", None)
for name in ("CACHE", "SESSIONS", "STATE"):
    os.environ.pop(f"SLUICE_{name}", None)
def nobody(number):
    raise KeyError(number)
pwd.getpwuid = nobody
"""


@pytest.mark.parametrize(
    ("way", "name"),
    [("from app.__main__ import main", "sluice-app"), ("from core.__main__ import main", "sluice")],
)
def test_that_without_a_home_the_window_says_what_the_command_line_says(
    way: str, name: str
) -> None:
    code = f"import sys\nsys.argv[1:] = {ARGUMENTS[name]!r}\n{way}\n{REFUSED}\nsys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == f"{name}: there is no home folder (set HOME or SLUICE_CACHE)\n"
    assert done.returncode == 1


ASKED = """
from PySide6.QtGui import QFileOpenEvent
from app.shell.application import Application
application = Application([])
application.asked_for.connect(print)
Application.sendEvent(application, QFileOpenEvent("/data/night.sluice"))
"""


def test_that_a_file_that_the_desktop_asks_for_is_told() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True)
    assert done.stdout == "/data/night.sluice\n"


def test_that_the_window_says_how_it_is_called() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout == USAGE


def test_that_about_names_the_build_and_every_part_with_its_licence(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = AboutDialog(window)
    qtbot.addWidget(dialog)
    assert sluice_build() in dialog.text()
    lines = dialog.detailedText().splitlines()
    assert len(lines) == len(components())
    assert any(line.startswith("numpy ") and "BSD" in line for line in lines)


def test_that_the_window_has_an_icon_in_the_sizes_that_desktops_ask_for(qtbot: QtBot) -> None:
    sizes = {size.width() for size in sluice_icon().availableSizes()}
    assert {16, 32, 48, 128} <= sizes


def test_that_one_click_leads_from_nothing_to_a_measurement(
    qtbot: QtBot, workbench: Workbench
) -> None:
    choose_workload(workbench.setup, "raw")
    workbench.setup.effort.prefer(2, 6.0)
    workbench.show_page("start")
    assert workbench.start.sample.text() == "Sample data · an answer in 1 min"
    workbench.start.sample.click()
    qtbot.waitUntil(lambda: workbench.measuring.running, timeout=5 * MILLISECONDS)
    assert " threads=1..8 " in workbench.command.text()
    assert workbench.question.isVisible()
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_return_on_a_question_of_the_start_page_asks_about_its_work(
    qtbot: QtBot, workbench: Workbench
) -> None:
    workbench.show_page("start")
    cards = workbench.start.findChildren(QPushButton)
    (card,) = [one for one in cards if one.accessibleName() == "Nanopore signals"]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert workbench.setup.workload == "signal"
    assert [axis.name for axis in workbench.setup.request().axes] == ["threads"]
    assert workbench.question.isVisible()


def test_that_the_line_at_the_foot_is_what_an_opened_run_was_asked(
    qtbot: QtBot, window: MainWindow, workbench: Workbench, tmp_path: Path
) -> None:
    path = tmp_path / "sent.sluice"
    specs = [building.spec("raw", parameters={"block_size": 4096}, threads=n) for n in (1, 2)]
    with Session.create(path) as session:
        plan = building.plan(specs, repeats=3, seed=7)
        run = session.begin_run(plan, building.environment(), {}, ("sluice",))
        session.append(run, building.trial(specs[0], index=0))
        trust(session.run(run))
    workbench.views.setCurrentIndex(2)
    window.open_places([path])
    assert session_of(qtbot, workbench) == path
    assert "measure raw threads=1,2 " in workbench.command.text()
    assert "--order-seed 7" in workbench.command.text()
    assert workbench.views.currentIndex() == 0
    choose_workload(workbench.setup, "sparse")
    assert "measure sparse " in workbench.command.text()
    for box in workbench.findChildren(QMessageBox):
        box.close()


def test_that_a_sample_leaves_no_settings_behind(
    qtbot: QtBot, workbench: Workbench, settings: QSettings
) -> None:
    choose_workload(workbench.setup, "raw")
    threads = workbench.setup.form.row("threads").control
    threads.set_values((3,))
    threads.changed.emit()
    was = workbench.setup.state()
    workbench.measure_sample()
    assert workbench.setup.request().axes == (Axis("threads", (1, 2, 4, 8)),)
    qtbot.waitUntil(lambda: workbench.measuring.running, timeout=5 * MILLISECONDS)
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)
    workbench.keep_state()
    assert form_from(settings.value("form")) == was
    assert workbench.setup.dataset.recent() == []
    workbench.history.stack.undo()
    assert workbench.setup.state() == was


def test_that_a_study_offers_to_make_the_data_that_it_needs(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    workbench.setup.choose_study("seqrepo-fd-cache")
    workbench.before_start.begin()
    for chosen in (False, True):
        if chosen:
            workbench.setup.dataset.choose(data)
        qtbot.waitUntil(
            lambda: getattr(workbench.preflight_strip.offered(), "name", "") == "sample"
        )
    assert workbench.preflight_strip.offered().text.startswith("Make its sample (")
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_every_question_of_the_start_page_begins_without_a_problem_of_its_own(
    workbench: Workbench,
) -> None:
    for name in workloads():
        workbench.start.work_wanted.emit(name)
        assert (workbench.setup.workload, workbench.setup.form_problem()) == (name, "")
