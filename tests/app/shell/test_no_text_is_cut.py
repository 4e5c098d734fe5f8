"""Every text is wholly in sight in each state of the window, at small sizes, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import building
import pytest
from cut_texts import cut_texts
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.plots.base.plot_surface import Sheet
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.style.theme import window_font
from core import Session, Trial, load_study
from core.desk import Prepared
from core.judge import reproduction_of
from core.tell.run_results import Shown
from core.vocabulary import (
    Event,
    Moment,
    MomentTaken,
    RoundBegun,
    RunPlanned,
    RunSpec,
    TrialStarted,
)

pytestmark = pytest.mark.window
SIZES = ((900, 600), (1280, 720), (1920, 1080))
LOWEST_PLOT = 160
TYPE = {12, 13, 17, 30}
"""Pixels."""
BLUE = {"start", "primary"}
"""Kinds of buttons."""
QUANTITY = re.compile(r"\d[\d.,]*\s?(?:%|×|MiB|MB/s|[mµ]?s\b|/s)")
SPECS = [
    building.spec(threads=threads, parameters={"cache": "lru-locked", "cache_size": 128})
    for threads in (1, 2, 4, 8)
]


@pytest.fixture(autouse=True)
def own_font(qapp: QApplication) -> Iterator[None]:
    """The window's own, whatever the machine has."""
    before = qapp.font()
    qapp.setFont(window_font())
    yield
    qapp.setFont(before)


def looks(workers: int) -> Iterator[Moment]:
    """As large as figures become in good weather."""
    for tenth in range(1, 60):
        done = 43_210 * tenth
        yield Moment(
            at=tenth / 10, operations=(done,) * workers, bytes=4096 * done, errors=0, wrong=0,
            p50=331_000, p99=12_400_000, cpu=(90_000_000 * tenth,) * workers,
            reading=building.reading(tenth / 10, rss=241 << 20, fds=141, dataset_fds=132),
        )  # fmt: skip


def trials(specs: list[RunSpec]) -> tuple[Trial, ...]:
    """Five blocks of each, which spread and are faster with more threads."""
    return tuple(
        building.trial(
            one,
            index=block * len(specs) + at,
            rate=2_600.0 * (1 + 0.1 * at) * (1 + 0.03 * ((block + at) % 3)),
            seconds=4.0,
            moments=tuple(looks(one.load.threads)),
            last=building.reading(4.0, rss=241 << 20, fds=141, dataset_fds=132),
            block=block,
        )
        for block in range(5)
        for at, one in enumerate(specs)
    )


def found(folder: Path, *, over: bool) -> Shown:
    measured = trials(SPECS)
    with Session.create(folder / f"{over}.sluice") as session:
        run = session.begin_run(
            building.plan(SPECS, repeats=5), building.environment(), {}, ["sluice"]
        )
        for one in measured:
            session.append(run, one)
        return Shown.of(Prepared(session=session, run=session.run(run)), measured, None, over=over)


def begin(workbench: Workbench, specs: list[RunSpec]) -> None:
    """As a run does that takes turns, some seconds after its beginning."""
    workbench.measuring.began.emit()
    plan = building.plan(specs, repeats=5)
    events: list[Event] = [RunPlanned(plan=plan, trials=20, seconds=45.0)]
    events += [TrialStarted(index=at, block=0, of=20, spec=one) for at, one in enumerate(specs)]
    events.append(RoundBegun(number=44, left=34, trials=tuple(range(len(specs)))))
    for at, one in enumerate(specs):
        events += [MomentTaken(index=at, moment=look) for look in looks(one.load.threads)]
    for event in events:
        workbench.measuring.watch.take(event)
    workbench.measuring.happened.emit(tuple(events))
    workbench.line.go.setCurrentIndex(1)
    workbench.views.plots.redraw()


def states(window: MainWindow, folder: Path) -> Iterator[str]:
    """The window in each of its states, one after the other."""
    workbench = window.workbench
    yield "empty"
    workbench.show_page("start")
    yield "start"
    workbench.show_page("question")
    workbench.setup.form.more.setChecked(True)
    yield "the whole form"
    workbench.setup.form.more.setChecked(False)
    workbench.setup.choose_study("seqrepo-fd-cache")
    yield "form of a study"
    workbench.setup.choose_study("")
    begin(workbench, SPECS[2:3])
    yield "running"
    begin(workbench, SPECS)
    yield "sweeping"
    workbench.measuring.summed_up.emit(found(folder, over=False))
    yield "sweeping, with results"
    workbench.verdict.end_running()
    whole = found(folder, over=True)
    workbench.measuring.summed_up.emit(whole)
    workbench.results.count_runs(3)
    views = workbench.views
    for view in (views.plots, views.answer_page, views.inside, workbench.results):
        views.setCurrentWidget(view)
        yield f"results, {views.title()}"
    workbench.results.choose_kind("trials")
    workbench.results.show_within("0:05 – 0:12", (3, 4))
    yield "trials of a piece of time"
    workbench.results.choose_kind("results")
    workbench.results.show_all()
    views.comparison.show_pair(*whole.in_table[:2])
    views.setCurrentWidget(views.comparison)
    yield "compared"
    study = reproduction_of(load_study("svfs-threads"), building.study_of_costs())
    views._show_study(study)
    views.setCurrentWidget(views.study)
    for part in range(views.study.count()):
        views.study.setCurrentIndex(part)
        yield f"study, {views.study.tabText(part)}"


def too_loud(window: MainWindow) -> Iterator[str]:
    """More than one blue button, and texts in a fifth size."""
    kinds = (QLabel, QAbstractButton, QLineEdit, QComboBox, QTabBar, QHeaderView)
    seen = [one for one in window.findChildren(QWidget) if isinstance(one, kinds)]
    seen = [one for one in seen if one.isVisible() and not one.visibleRegion().isEmpty()]
    sizes = {one: QFontInfo(one.font()).pixelSize() for one in seen}
    yield from (
        f"{size} px: {type(one).__name__} {one.objectName()}"
        for one, size in sizes.items()
        if size not in TYPE
    )
    blue = [
        one.accessibleName() for one in seen if one.isEnabled() and one.property("part") in BLUE
    ]
    if len(blue) > 1:
        yield f"blue: {', '.join(blue)}"


def hold(window: MainWindow, qtbot: QtBot, size: tuple[int, int], folder: Path) -> None:
    """To show every text wholly in every state."""
    window.resize(*size)
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    short = []
    for state in states(window, folder):
        qtbot.waitUntil(lambda: not window.busy)
        short += [f"{state}: {told}" for told in cut_texts(window)]
        short += [f"{state}: {told}" for told in too_loud(window)]
        plots = [one for one in window.findChildren(Sheet) if one.isVisible()]
        if size[0] > 900:
            short += [f"{state}: {one.height()} px" for one in plots if one.height() < LOWEST_PLOT]
    assert window.size().toTuple() == size
    assert not short, "\n".join(short)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_that_no_text_of_the_window_is_cut(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    hold(window, qtbot, size, tmp_path)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_that_no_text_of_a_german_window_is_cut(
    german: None, window: MainWindow, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    hold(window, qtbot, size, tmp_path)


def told(window: MainWindow) -> Iterator[str]:
    """What labels, tables and the tops of plots say."""
    yield from (one.text() for one in window.findChildren(QLabel))
    for sheet in window.findChildren(Sheet):
        yield sheet.labels.shown.title
    for table in window.findChildren(QTableView):
        if (model := table.model()) is not None:
            for row in range(model.rowCount()):
                for column in range(model.columnCount()):
                    yield str(model.index(row, column).data())


def test_that_quantities_of_a_german_window_have_german_marks(
    german: None, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    quantities: set[str] = set()
    for _ in states(window, tmp_path):
        qtbot.waitUntil(lambda: not window.busy)
        quantities.update(one[0] for text in told(window) for one in QUANTITY.finditer(text))
    assert any("," in one for one in quantities)
    assert not [one for one in quantities if re.search(r"\d\.(?!\d{3}(?!\d))\d", one)]
