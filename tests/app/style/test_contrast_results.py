"""Results can be read by everybody: tables, badges, menus and dialogs, from rendered pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import building
import pytest
from colour import contrast
from legible import LEAST_EDGE, themes, unreadable
from pixels import commonest, piece, rendered, texts
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSettings
from PySide6.QtGui import QHoverEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot
from showing import exposed

from app.shell.window import MainWindow
from app.style import dialogs
from app.style.dialogs import ConsentDialog
from app.style.theme import THEMES, Theme
from app.table.table_panel import TablePanel
from app.views.study_view import StudyView
from core import Note, Session, Trial, WouldRun, load_study
from core.desk import Prepared
from core.judge import reproduction_of
from core.tell.run_results import Shown
from core.vocabulary import Cancelled, Completed, Crashed, Failed, Outcome, TimedOut
from core.vocabulary.outcome import State

pytestmark = pytest.mark.window
each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)

ENDINGS: dict[State, Outcome] = {
    "completed": Completed(),
    "wrong data": Completed(),
    "errors": Completed(),
    "nothing done": Completed(),
    "crashed": Crashed(stage="measuring", signal="SIGBUS"),
    "failed": Failed(stage="setting up", error="OSError", message="no such file"),
    "timed out": TimedOut(stage="measuring", limit=60.0, stalled=True),
    "cancelled": Cancelled(stage="measuring"),
}
SPECS = [building.spec(threads=threads) for threads in range(1, 10)]


def every_ending() -> tuple[Trial, ...]:
    """A trial of each state; the last spec has none and so was not measured."""
    return tuple(
        building.trial(
            SPECS[at],
            index=at,
            outcome=outcome,
            wrong=12 if state == "wrong data" else 0,
            errors=9000 if state == "errors" else 0,
            **({"workers": ()} if state == "nothing done" else {}),
        )
        for at, (state, outcome) in enumerate(ENDINGS.items())
    )


@pytest.fixture
def panel(qtbot: QtBot, settings: QSettings, tmp_path: Path) -> TablePanel:
    with Session.create(tmp_path / "endings.sluice") as session:
        run = session.begin_run(building.plan(SPECS), building.environment(), {}, [])
        found = Shown.of(Prepared(session=session, run=session.run(run)), every_ending(), None)
    made = exposed(qtbot, TablePanel(settings), 1100, 420)
    made.show_results(found)
    return made


def point_at(view: QWidget, place: QPoint) -> None:
    """Let the mouse be there."""
    at, screen = QPointF(place), QPointF(view.mapToGlobal(place))
    for kind in (QEvent.Type.HoverEnter, QEvent.Type.HoverMove):
        QApplication.sendEvent(view, QHoverEvent(kind, at, screen, at))


def each_look(panel: TablePanel) -> Iterator[str]:
    """The table in each of its looks: plain, pointed at, selected, filtered."""
    view = panel.view
    panel.show_all()
    panel.filter.clear()
    view.clearSelection()
    yield "plain"
    point_at(view.viewport(), view.visualRect(view.model().index(1, 1)).center())
    yield "pointed at"
    view.selectAll()
    yield "selected and pointed at"
    point_at(view.viewport(), QPoint(5, view.viewport().height() - 2))
    yield "selected"
    view.clearSelection()
    panel.filter.setText("threads< ")
    yield "with a filter that cannot be read"
    panel.filter.setText("what no row has")
    panel.show_within("0:05 – 0:12", (3, 4))
    yield "with nothing to show"


def test_that_every_row_of_the_table_keeps_a_contrast_of_seven(
    panel: TablePanel, window: MainWindow
) -> None:
    names = {place.name for place in texts(panel.view)}
    assert "✕ crashed while measuring: SIGBUS" in names
    assert any(name.startswith("✕ wrong data in 12") for name in names)
    faint = []
    for theme in themes(window):
        panel.set_theme(theme)
        for look in each_look(panel):
            faint += [f"{theme.name}, {look}: {told}" for told in unreadable(panel)]
    assert not faint


@each_theme
def test_that_a_row_is_seen_to_be_selected(
    panel: TablePanel, window: MainWindow, theme: Theme
) -> None:
    window.appearance.choose(theme.name)
    panel.set_theme(theme)
    grounds, bars = {}, {}
    for look in each_look(panel):
        top = panel.view.visualRect(panel.view.model().index(0, 0))
        screen = rendered(panel.view.viewport())
        (grounds[look],) = commonest(piece(screen, top), 1)
        (bars[look],) = commonest(piece(screen, QRect(0, top.top(), 3, top.height())), 1)
        if look == "selected":
            break
    assert grounds["plain"] != grounds["selected"]
    assert contrast(bars["plain"], bars["selected"]) >= LEAST_EDGE


def test_that_every_text_of_a_study_keeps_a_contrast_of_seven(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = StudyView()
    view.show_study(reproduction_of(load_study("svfs-threads"), building.study_of_costs()))
    exposed(qtbot, view, 900, 300)
    faint = []
    for theme in themes(window):
        view.set_theme(theme)
        for part in range(view.count()):
            view.setCurrentIndex(part)
            faint += [f"{theme.name}, {view.tabText(part)}: {told}" for told in unreadable(view)]
        view.claims.selectAll()
        view.setCurrentWidget(view.claims)
        faint += [f"{theme.name}, selected: {told}" for told in unreadable(view)]
        view.claims.clearSelection()
    assert not faint


def test_that_every_dialog_keeps_a_contrast_of_seven(window: MainWindow, qtbot: QtBot) -> None:
    note = Note(written=1_770_000_000.0, text="The disk was busy.", run=1)
    openers = (
        lambda: dialogs.NotesDialog([note], lambda _: None, window).open(),
        lambda: dialogs.complain(window, "Writing", "The disk is full."),
        lambda: dialogs.offer_to_resume(window, "a sweep", 7, lambda: None),
        lambda: dialogs.open_in_turn(ConsentDialog(WouldRun(lines=("run: true",)), 7, window)),
    )
    faint = []
    for number, open_one in enumerate(openers):
        open_one()
        (opened,) = window.findChildren(QDialog)
        for theme in themes(window):
            faint += [f"{theme.name}, dialog {number}: {told}" for told in unreadable(opened)]
        with qtbot.waitSignal(opened.destroyed):
            opened.close()
    assert not faint


def test_that_the_menus_of_the_table_keep_a_contrast_of_seven(
    panel: TablePanel, window: MainWindow
) -> None:
    faint = []
    for theme in themes(window):
        panel.set_theme(theme)
        for button in (panel.head.rows, panel.head.columns):
            menu = button.menu()
            menu.popup(QPoint(0, 0))
            menu.setActiveAction(menu.actions()[-1])
            faint += [f"{theme.name}: {told}" for told in unreadable(menu)]
            menu.close()
    assert not faint
