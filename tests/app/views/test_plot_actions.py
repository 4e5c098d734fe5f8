"""What can be done with plots beside looking at them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import building
import pytest
from pixels import inks
from PySide6.QtCore import QSettings, Qt, QThreadPool
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.plots.base.figure import DataDialog, png, svg
from app.shell.window import MainWindow
from app.style.theme import LIGHT
from app.views.plot_actions import PlotActions
from app.views.tabs import RunViews
from app.work.held_session import HeldSession
from core import Session
from core.desk import Prepared
from core.tell.run_results import Shown

pytestmark = pytest.mark.window
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def sweep(tmp_path: Path) -> Iterator[Shown]:
    specs = [building.spec(threads=threads) for threads in (1, 2)]
    trials = tuple(
        building.trial(spec, index=at, rate=1000.0 * (at + 1)) for at, spec in enumerate(specs)
    )
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(specs), building.environment(), {}, [])
        yield Shown.of(Prepared(session=session, run=session.run(run)), trials, None)


@pytest.fixture
def views(qtbot: QtBot, pool: QThreadPool, sweep: Shown) -> RunViews:
    made = RunViews(pool)
    qtbot.addWidget(made)
    made.add_plots()
    made.resize(900, 500)
    with qtbot.waitExposed(made):
        made.show()
    made.show_results(sweep)
    made.show_live()
    assert made.plots is not None
    made.plots.redraw()
    return made


@pytest.fixture
def held(views: RunViews, pool: QThreadPool, settings: QSettings) -> HeldSession:
    return HeldSession(pool, settings, views)


@pytest.fixture
def plotting(views: RunViews, held: HeldSession, pool: QThreadPool) -> PlotActions:
    return PlotActions(views, held, pool)


def dialog_of(views: RunViews) -> DataDialog:
    (found,) = [one for one in views.findChildren(DataDialog) if one.isVisible()]
    return found


def copied(qtbot: QtBot, dialog: DataDialog) -> list[list[str]]:
    QGuiApplication.clipboard().clear()
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().text()))
    return list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))


def test_that_the_data_of_each_plot_are_read_and_copied_as_plain_values(
    qtbot: QtBot, views: RunViews, plotting: PlotActions
) -> None:
    views.show_live()
    plotting.show_data()
    dialog = dialog_of(views)
    assert [dialog.choice.itemText(at) for at in range(dialog.choice.count())] == [
        "Throughput", "Latency", "Open files", "Memory", "CPU per worker",
    ]  # fmt: skip
    dialog.choice.setFocus()
    qtbot.keyClick(dialog.choice, Qt.Key.Key_Down)
    model = dialog.table.model()
    assert model.index(1, 1).data() == "1.00 ms"
    assert "p99 lowest 3.00 ms" in dialog.summary.text()
    rows = copied(qtbot, dialog)
    assert rows[0] == ["time (s)", "p50 (s)", "p99 (s)"]
    assert float(rows[2][1]) == pytest.approx(0.001)
    assert len(rows) == 1 + model.rowCount() == 1 + 2 * 10  # and nothing of what is between trials
    dialog.close()


def test_that_the_data_of_a_selection_are_those_of_its_time(
    views: RunViews, plotting: PlotActions
) -> None:
    assert views.plots is not None
    views.show_live()
    views.plots.pointing.select(0.25, 0.65)
    plotting.show_data()
    dialog = dialog_of(views)
    model = dialog.table.model()
    assert [model.index(at, 0).data() for at in range(model.rowCount())] == [
        "0:00.3", "0:00.4", "0:00.5", "0:00.6",
    ]  # fmt: skip
    assert dialog.summary.text().startswith("Throughput, 0:00 to 0:01")
    dialog.close()


def test_that_how_throughput_scales_is_copied_with_its_prices(
    qtbot: QtBot, views: RunViews, plotting: PlotActions
) -> None:
    views.setCurrentIndex(0)
    plotting.show_data()
    dialog = dialog_of(views)
    assert not dialog.choice.isVisible()
    head, one, two = copied(qtbot, dialog)
    assert [head[2], head[5]] == ["throughput (1/s)", "memory of the step (B)"]
    assert [float(row[2]) for row in (one, two)] == pytest.approx([1000, 2000])
    assert (one[5], two[5]) == ("", "0")
    dialog.close()


@pytest.mark.parametrize("tab", [0, 1])
def test_that_an_svg_is_made_of_lines_and_texts(views: RunViews, tab: int) -> None:
    views.setCurrentIndex(tab)
    root = ElementTree.fromstring(svg(views.currentWidget(), "a title"))
    assert root.findtext(f"{SVG}title") == "a title"
    assert not list(root.iter(f"{SVG}image"))
    assert len([*root.iter(f"{SVG}path"), *root.iter(f"{SVG}polyline")]) > 10
    texts = {"".join(text.itertext()).strip() for text in root.iter(f"{SVG}text")}
    assert {"Throughput", "operations"} <= texts if tab == 1 else {"1", "2"} <= texts


def test_that_a_png_has_twice_the_pixels_and_shows_the_curves(views: RunViews) -> None:
    assert views.plots is not None
    panel = views.plots.shown
    image = QImage.fromData(png(panel))
    assert image.size() == 2 * panel.size()
    assert LIGHT.curves[0] in inks(image)  # the first curve in light


def test_that_a_picture_is_written_whole_and_a_place_that_refuses_it_is_said(
    qtbot: QtBot, held: HeldSession, plotting: PlotActions, tmp_path: Path
) -> None:
    with qtbot.waitSignal(held.done):
        plotting.export("svg", tmp_path / "plots.svg")
    ElementTree.parse(tmp_path / "plots.svg")
    with qtbot.waitSignal(held.failed) as caught:
        plotting.export("png", tmp_path / "nowhere" / "plots.png")
    assert "does not exist" in caught.args[1]


def test_that_the_context_menu_serves_the_plot_below_the_mouse(
    views: RunViews, plotting: PlotActions
) -> None:
    assert views.plots is not None
    views.plots.show_metric("peak_rss")
    view = views.plots.shown.sheet.viewport()
    place = view.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.mapToGlobal(place))
    QApplication.sendEvent(view, event)
    (menu,) = [one for one in views.findChildren(QMenu) if one.isVisible()]
    menu.actions()[1].trigger()
    assert QGuiApplication.clipboard().text().startswith("Memory, ")
    menu.close()


def test_that_plots_are_served_from_the_keyboard_and_only_where_there_are_any(
    qtbot: QtBot, views: RunViews, plotting: PlotActions
) -> None:
    assert plotting.button.isEnabled()
    qtbot.keyClick(plotting.button, Qt.Key.Key_Space)
    menu = plotting.button.menu()
    assert menu.isVisible()
    menu.close()
    views.setCurrentWidget(views.comparison)
    assert not plotting.button.isEnabled()


def test_that_the_window_opens_the_data_with_a_key(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    window.workbench.views.show_live()
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    dialog = dialog_of(window.workbench.views)
    assert dialog.summary.text() == "Throughput: nothing measured yet."
    assert not dialog.copy.isEnabled()
    dialog.close()
