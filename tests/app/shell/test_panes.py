"""The plots get the height that the table does not need, until the user decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import building
import pytest
from PySide6.QtCore import QPoint, QSettings, Qt, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.setup.controls.range_slider import RangeSlider
from app.shell.window import MainWindow
from app.shell.window_parts import Panes
from app.style.theme import Appearance
from app.table.table_panel import TablePanel
from app.views.tabs import RunViews
from app.views.tiles import Evidence
from core import Session
from core.desk import Prepared
from core.tell.run_results import Shown

pytestmark = pytest.mark.window


def panes_of(qtbot: QtBot, settings: QSettings, pool: QThreadPool) -> Panes:
    made = Panes(Evidence(RunViews(pool)), TablePanel(settings))
    qtbot.addWidget(made)
    made.resize(900, 900)
    return made


@pytest.fixture
def panes(qtbot: QtBot, settings: QSettings, pool: QThreadPool) -> Panes:
    made = panes_of(qtbot, settings, pool)
    with qtbot.waitExposed(made):
        made.show()
    return made


def table_of(panes: Panes) -> TablePanel:
    (found,) = panes.findChildren(TablePanel)
    return found


def tabs_of(panes: Panes) -> list[str]:
    (views,) = panes.findChildren(RunViews)
    return [views.tabText(at) for at in range(views.count())]


def fill(panes: Panes, session: Session, rows: int) -> None:
    """Show that many results, as the window does."""
    specs = [building.spec(threads=threads) for threads in range(1, rows + 1)]
    plan = building.plan(specs)
    run = session.begin_run(plan, building.environment(), {}, ("sluice",))
    trials = tuple(building.trial(slot.spec, index=slot.index) for slot in plan.slots())
    prepared = Prepared(session=session, run=session.run(run), trials=trials)
    table_of(panes).show_results(Shown.of(prepared, trials, None))
    panes.settle()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.create(tmp_path / "of panes.sluice") as made:
        yield made


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_that_few_rows_leave_the_height_to_the_plots(
    qapp: QApplication, settings: QSettings, panes: Panes, session: Session, theme: str
) -> None:
    Appearance(qapp, settings, panes).choose(theme)
    fill(panes, session, 4)
    plots, table = panes.sizes()
    assert table < 0.25 * (plots + table)
    view = table_of(panes).view
    last = view.visualRect(view.model().index(3, 0))
    assert last.bottom() <= view.viewport().height()


def test_that_many_rows_take_less_than_half(panes: Panes, session: Session) -> None:
    fill(panes, session, 60)
    plots, table = panes.sizes()
    assert 0.4 * (plots + table) < table < 0.5 * (plots + table)
    panes.resize(900, 600)
    plots, table = panes.sizes()
    assert table < 0.5 * (plots + table)


def test_that_a_low_window_has_the_table_in_a_tab(
    qtbot: QtBot, panes: Panes, session: Session
) -> None:
    fill(panes, session, 4)
    (views,) = panes.findChildren(RunViews)
    panes.resize(900, 320)
    assert tabs_of(panes) == ["Answer", "Live", "Inside", "Compare", "Table"]
    assert not table_of(panes).isVisible()
    assert panes.widget(0).height() == 320
    panes.look_for()
    assert table_of(panes).filter.hasFocus()
    view = table_of(panes).view
    assert view.visualRect(view.model().index(3, 0)).bottom() <= view.viewport().height()
    panes.leave_room(racing=True)
    assert table_of(panes).isVisible()
    panes.leave_room(racing=False)
    panes.resize(900, 900)
    assert tabs_of(panes) == ["Answer", "Live", "Inside", "Compare"]
    assert table_of(panes).isVisible()
    assert views.currentWidget() is not None


def test_that_the_table_gives_way_to_a_race(panes: Panes) -> None:
    panes.leave_room(racing=True)
    assert not table_of(panes).isVisible()
    panes.leave_room(racing=False)
    assert table_of(panes).isVisible()


def test_that_the_line_stays_where_the_user_has_put_it(
    qtbot: QtBot, panes: Panes, session: Session, settings: QSettings, pool: QThreadPool
) -> None:
    fill(panes, session, 4)
    assert panes.state is None
    handle = panes.handle(1)
    middle = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, middle - QPoint(0, 200))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle - QPoint(0, 200))
    moved = panes.sizes()
    assert moved[1] > 300
    fill(panes, session, 2)
    assert panes.sizes() == moved
    panes.resize(900, 320)
    panes.resize(900, 900)
    assert panes.sizes() == moved
    again = panes_of(qtbot, settings, pool)
    again.restore(panes.state)
    with qtbot.waitExposed(again):
        again.show()
    assert again.sizes() == moved
    assert again.state is not None


def test_that_what_was_kept_and_is_no_state_is_left_alone(panes: Panes) -> None:
    for rubbish in (None, "", 7, b"rubbish"):
        panes.restore(rubbish)
        assert panes.state is None


def test_that_sliders_are_long_enough_to_be_aimed_at(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 800)
    sliders = [one for one in window.workbench.setup.findChildren(RangeSlider) if one.isVisible()]
    qtbot.waitUntil(lambda: all(each.width() >= 96 for each in sliders))
    assert len(sliders) > 2
