"""The table of results and trials, driven as a user drives it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import building
import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.style.theme import THEMES, Theme
from app.table.table_head import KINDS
from app.table.table_model import ColumnFigures
from app.table.table_panel import TablePanel
from core import Session, Table, Trial
from core.desk import Prepared
from core.tell.run_results import Shown
from core.tell.tables.table import Cell, Column
from core.vocabulary import Crashed

pytestmark = pytest.mark.window

SPECS = [
    building.spec(parameters={"cache": cache}, threads=threads)
    for cache in ("none", "lru")
    for threads in (1, 4)
]
RATES = (100.0, 400.0, 900.0, 3000.0)


def trials(repeats: int = 3) -> tuple[Trial, ...]:
    made = [
        building.trial(spec, index=4 * block + at, block=block, rate=rate + 2 * block)
        for block in range(repeats)
        for at, (spec, rate) in enumerate(zip(SPECS, RATES, strict=True))
    ]
    made[1] = building.trial(SPECS[1], index=1, outcome=Crashed(stage="measuring", signal="SIGBUS"))
    return tuple(made)


@pytest.fixture
def prepared(tmp_path: Path) -> Iterator[Prepared]:
    with Session.create(tmp_path / "sweep.sluice") as session:
        run = session.begin_run(building.plan(SPECS, repeats=2), building.environment(), {}, [])
        yield Prepared(session=session, run=session.run(run))


@pytest.fixture
def sweep(prepared: Prepared) -> Shown:
    return Shown.of(prepared, trials(), None)


def shown_with(qtbot: QtBot, settings: QSettings, results: Shown) -> TablePanel:
    made = TablePanel(settings)
    qtbot.addWidget(made)
    made.resize(1000, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_results(results)
    return made


@pytest.fixture
def panel(qtbot: QtBot, settings: QSettings, sweep: Shown) -> TablePanel:
    return shown_with(qtbot, settings, sweep)


def all_titles(panel: TablePanel) -> list[str]:
    """Without the units below them."""
    model, whole = panel.view.model(), Qt.ItemDataRole.AccessibleTextRole
    places = range(model.columnCount())
    heads = (model.headerData(at, Qt.Orientation.Horizontal, whole) for at in places)
    return [head.partition(", ")[0] for head in heads]


def texts(panel: TablePanel, title: str) -> list[str]:
    model = panel.view.model()
    column = all_titles(panel).index(title)
    return [model.index(at, column).data() for at in range(model.rowCount())]


def click(qtbot: QtBot, panel: TablePanel, row: int, modifier: Qt.KeyboardModifier) -> None:
    view = panel.view
    place = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def type_filter(qtbot: QtBot, panel: TablePanel, text: str) -> None:
    panel.filter.clear()
    qtbot.keyClicks(panel.filter, text)


def tick(menu: QMenu, title: str) -> None:
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == title).trigger()


def test_that_results_and_trials_have_a_row_each(qtbot: QtBot, panel: TablePanel) -> None:
    assert panel.head.rows.text() == "4 settings"
    assert texts(panel, "Threads") == ["4", "1", "1", "4"]  # the best first
    assert texts(panel, "Against best")[0] == "best"
    assert texts(panel, "Against best")[1].startswith("0.300 (")
    tick(panel.head.rows.menu(), "Trials")
    assert panel.head.rows.text() == "12 trials"
    assert texts(panel, "Trial") == [str(n) for n in range(1, 13)]
    assert texts(panel, "Repeat") == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    assert texts(panel, "Open files") == ["20"] * 12


def test_that_typing_filters_and_what_cannot_be_read_is_marked(
    qtbot: QtBot, panel: TablePanel
) -> None:
    type_filter(qtbot, panel, "lru threads>1")
    assert texts(panel, "Throughput") == ["3,002 ± 23"]
    click(qtbot, panel, 0, Qt.KeyboardModifier.NoModifier)
    assert panel.head.rows.text() == "1 of 4 settings, 1 selected"
    qtbot.keyClicks(panel.filter, " p99<")
    assert panel.filter.property("wrong") == "true"
    assert panel.filter.accessibleDescription() == "p99< lacks a value"
    assert len(texts(panel, "Threads")) == 1
    qtbot.keyClicks(panel.filter, "1ns")
    assert panel.filter.property("wrong") == "false"
    assert texts(panel, "Threads") == []


def test_that_a_click_on_a_title_sorts_by_value_and_the_third_one_undoes_it(
    qtbot: QtBot, panel: TablePanel
) -> None:
    header = panel.view.header()
    column = all_titles(panel).index("Throughput")
    place = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    seen, marks = [], []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        seen.append(texts(panel, "Threads"))
        head = header.model().headerData(column, Qt.Orientation.Horizontal)
        marks.append(head.partition("\n")[2])
    assert marks == ["sequences/s ↑", "sequences/s ↓", "sequences/s"]
    assert seen == [["1", "1", "4", "4"], ["4", "1", "1", "4"], ["4", "1", "1", "4"]]
    assert texts(panel, "Throughput")[-1] == "–"


def test_that_a_unit_stands_once_above_its_column_and_figures_stand_in_line(
    panel: TablePanel,
) -> None:
    model = panel.view.model()
    column = all_titles(panel).index("Throughput")
    assert model.headerData(column, Qt.Orientation.Horizontal) == "Throughput\nsequences/s"
    files = all_titles(panel).index("Open files")
    assert model.headerData(files, Qt.Orientation.Horizontal) == "Open\nfiles"
    index = model.index(0, column)
    assert index.data() == "3,002 ± 23"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "3,002 ± 23 sequences/s"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "3,002 ± 23 sequences/s"


@pytest.mark.parametrize(
    ("told", "unit", "shown"),
    [
        (["10,249 ± 740 reads/s", "8,100 ± 1,138 reads/s"], "reads/s",
         ["10,249 ± \u2007\u2008740", "8,100 ± 1,138"]),
        (["143 (18.2 to 1,120) k-mers read/s"], "k-mers read/s", ["143 (18.2 to 1,120)"]),
        (["342 µs", "4.25 ms"], "", ["342 µs", "4.25 ms"]),
        (["1.9 ms (1.8 ms to 2.0 ms)", "2.0 ms"], "", ["1.9 ms (1.8 ms to 2.0 ms)", "2.0 ms"]),
        (["0.98× (0.93× to 1.03×)", "0.5×"], "×", ["0.98 (0.93 to 1.03)", "0.5"]),
        (["12 %", "7.22 %"], "%", ["12", "7.22"]),
        (["12", "7"], "", ["12", "7"]),
    ],
)  # fmt: skip
def test_that_only_a_unit_of_all_figures_leaves_their_cells(
    told: list[str], unit: str, shown: list[str]
) -> None:
    rows = (*((Cell(1.0, text),) for text in told), (Cell(None, "–"),))
    table = Table(columns=(Column(key="rate", title="Rate", unit="rate"),), rows=rows)
    found = ColumnFigures.of(table, 0)
    assert found.unit == unit
    assert [found.text(cell.text) for (cell,) in rows] == [*shown, "–"]


def test_that_what_is_selected_stays_selected_while_rows_move_and_come(
    qtbot: QtBot, panel: TablePanel, prepared: Prepared
) -> None:
    panel.show_results(Shown.of(prepared, trials(1)[1:], None))
    with qtbot.waitSignal(panel.chosen) as caught:
        click(qtbot, panel, 1, Qt.KeyboardModifier.NoModifier)
    (row,) = caught.args[0]
    assert row.result.spec == SPECS[2]
    with qtbot.assertNotEmitted(panel.chosen):
        panel.show_results(Shown.of(prepared, trials(1), None))
        type_filter(qtbot, panel, "lru")
    assert [kept.result.spec for kept in panel.view.selected()] == [SPECS[2]]
    with qtbot.waitSignal(panel.chosen) as caught:
        type_filter(qtbot, panel, "threads=4")
    assert caught.args[0] == ()


def test_that_columns_grow_with_their_texts_unless_the_user_has_made_them_so(
    qtbot: QtBot, panel: TablePanel, prepared: Prepared
) -> None:
    header = panel.view.header()
    keys = [column.key for column in panel.rows.table.columns]
    throughput, ratio = keys.index("throughput"), keys.index("ratio")
    before = header.sectionSize(throughput)
    header.resizeSection(ratio, 41)
    longer = [building.trial(spec, index=at, rate=1e9) for at, spec in enumerate(SPECS)]
    panel.show_results(Shown.of(prepared, tuple(longer), None))
    noisy = [building.trial(s, index=4 + at, rate=1e9 + 777.7) for at, s in enumerate(SPECS)]
    panel.show_results(Shown.of(prepared, (*longer, *noisy), None))
    assert header.sectionSize(throughput) > before
    widths = [header.sectionSize(at) for at in range(header.count())]
    for kind in KINDS[1::-1]:  # others stand at their places meanwhile
        panel.choose_kind(kind)
    assert [header.sectionSize(at) for at in range(header.count())] == widths
    assert header.sectionSize(ratio) == 41


def test_that_a_column_that_was_hidden_before_grows_with_its_texts(
    qtbot: QtBot, settings: QSettings, panel: TablePanel, prepared: Prepared, sweep: Shown
) -> None:
    tick(panel.head.columns.menu(), "Throughput")
    other = shown_with(qtbot, settings, sweep)
    assert "throughput" not in other.view.shown_columns()
    tick(other.head.columns.menu(), "Throughput")

    def width() -> int:
        keys = [column.key for column in other.rows.table.columns]
        return other.view.columnWidth(keys.index("throughput"))

    before = width()
    wider = (building.trial(one, index=12 + at, block=3, rate=1e30) for at, one in enumerate(SPECS))
    other.show_results(Shown.of(prepared, (*trials(), *wider), None))
    assert width() > before > 0


def test_that_what_an_empty_table_says_has_the_colour_of_hints(
    qtbot: QtBot, panel: TablePanel
) -> None:
    type_filter(qtbot, panel, "nothing-is-called-so")
    pictures = []
    for theme in THEMES:
        panel.view.set_theme(theme)
        pictures.append(panel.view.viewport().grab().toImage())
    assert len({theme.muted for theme in THEMES}) == len(THEMES)
    assert all(one != other for one, other in combinations(pictures, 2))


def test_that_titles_are_whole_while_there_is_no_row(
    qtbot: QtBot, settings: QSettings, prepared: Prepared
) -> None:
    header = shown_with(qtbot, settings, Shown.of(prepared, (), None)).view.header()
    seen = [at for at in range(header.count() - 1) if not header.isSectionHidden(at)]
    assert seen
    assert not [at for at in seen if header.sectionSize(at) < header.sectionSizeHint(at)]


def test_that_columns_are_chosen_in_a_menu_and_kept(
    qtbot: QtBot, panel: TablePanel, settings: QSettings, sweep: Shown
) -> None:
    assert not {"harness", "p50", "trials"} & {*panel.view.shown_columns()}
    menu = panel.head.columns.menu()
    tick(menu, "p99")
    tick(menu, "Harness")
    for each in (panel, shown_with(qtbot, settings, sweep)):
        each.show_results(sweep)
        assert "p99" not in each.view.shown_columns()
        assert "harness" in each.view.shown_columns()
    shown, every = len(panel.view.shown_columns()), len(panel.rows.table.columns)
    assert panel.head.columns.text() == f"{shown} of {every} columns"


def test_that_the_shown_columns_of_the_selected_rows_are_copied(
    qtbot: QtBot, panel: TablePanel
) -> None:
    type_filter(qtbot, panel, "lru")
    click(qtbot, panel, 1, Qt.KeyboardModifier.NoModifier)
    qtbot.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    told = QGuiApplication.clipboard().text().splitlines()
    assert told[2].startswith("| Cache | Threads | Result | Throughput |")
    assert [line.split(" | ")[1] for line in told[4:]] == ["1"]
    panel.view.clearSelection()
    tick(panel.head.rows.menu(), "Copy as CS&V")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("cache,threads,ending,throughput")
    assert [line.split(",")[1] for line in lines[1:]] == ["4", "1"]
    assert "harness" not in lines[0]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_that_the_best_row_stands_out_and_a_bad_end_has_its_colour(
    panel: TablePanel, theme: Theme
) -> None:
    panel.set_theme(theme)
    endings = texts(panel, "Result")
    assert endings[1:3] == ["slower", "slower"]
    assert endings[3] == "✕ crashed while measuring: SIGBUS (1 of 3)"
    model = panel.view.model()
    column = all_titles(panel).index("Result")
    panel.view.scrollTo(model.index(0, column))
    best, bad = (panel.view.visualRect(model.index(row, column)) for row in (0, 3))
    image = panel.view.viewport().grab().toImage()
    assert QColor(theme.roles["sure"]).name() in inks(image, best)
    assert QColor(theme.roles["bad"]).name() in inks(image, bad)
    assert QColor(theme.roles["bad"]).name() not in inks(image, best)


def inks(image: QImage, area: QRect) -> set[str]:
    """The colours in an area."""
    across, down = range(area.left(), area.right()), range(area.top(), area.bottom())
    return {image.pixelColor(x, y).name() for x in across for y in down if x < image.width()}


def test_that_only_what_has_to_do_with_some_trials_is_shown(
    qtbot: QtBot, panel: TablePanel
) -> None:
    panel.show_within("0:05 – 0:12", (3, 4))
    assert panel.within.text() == "✕  Only 0:05 – 0:12 · 2 trials"
    assert texts(panel, "Cache") == ["LRU, no lock", "none"]
    panel.choose_kind("trials")
    assert texts(panel, "Trial") == ["4", "5"]
    with qtbot.waitSignal(panel.widened):
        qtbot.mouseClick(panel.within, Qt.MouseButton.LeftButton)
    panel.show_all()
    assert not panel.within.isVisible()
    assert len(texts(panel, "Trial")) == 12


def test_that_decided_results_say_so_until_others_are_decided(panel: TablePanel) -> None:
    panel.decide([SPECS[0].digest, SPECS[1].digest])
    endings = texts(panel, "Result")
    assert endings[2] == "slower, no more trials"
    assert endings[3].endswith(", no more trials")
    assert not any("no more" in one for one in endings[:2])
    model = panel.view.model()
    told = model.index(2, all_titles(panel).index("Result")).data(Qt.ItemDataRole.ToolTipRole)
    assert told == "slower, not measured any more"
    panel.decide([SPECS[2].digest])
    ended = [
        at for at, one in enumerate(texts(panel, "Result")) if one.endswith(", no more trials")
    ]
    assert ended == [1]
    panel.decide([])
    assert not any("no more trials" in ending for ending in texts(panel, "Result"))


def test_that_key_columns_and_result_stay_while_the_others_are_scrolled(
    qtbot: QtBot, panel: TablePanel
) -> None:
    view, frozen = panel.view, panel.view.frozen
    panel.resize(2400, 400)
    assert not frozen.isVisible()
    panel.resize(800, 400)
    assert frozen.isVisible()
    titles = all_titles(panel)
    kept = [title for at, title in enumerate(titles) if not frozen.isColumnHidden(at)]
    assert kept == ["Cache", "Threads", "Result"]
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    index = view.model().index(1, titles.index("Result"))
    left = frozen.mapTo(view, QPoint(0, 0)).x()
    assert left == view.viewport().x()
    assert frozen.visualRect(index).size() == view.visualRect(index).size()
    assert frozen.visualRect(index).y() == view.visualRect(index).y()
    assert frozen.visualRect(index).height() == 30
    with qtbot.waitSignal(panel.chosen) as caught:
        place = frozen.visualRect(index).center()
        qtbot.mouseClick(frozen.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [row.result.spec for row in caught.args[0]] == [SPECS[2]]
    assert view.hasFocus()
    header = frozen.header()
    header.resizeSection(0, 150)
    assert view.columnWidth(0) == 150
    middle = QPoint(header.sectionViewportPosition(1) + 20, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert texts(panel, "Threads") == ["1", "1", "4", "4"]


def test_that_a_selected_row_is_pale_with_a_bar_and_keeps_its_colours(panel: TablePanel) -> None:
    theme = THEMES[0]
    panel.set_theme(theme)
    view, column = panel.view, all_titles(panel).index("Result")
    index = view.model().index(3, column)
    view.setCurrentIndex(index)
    image = view.viewport().grab().toImage()
    area = view.visualRect(index)
    assert image.pixelColor(1, area.center().y()).name() == theme.roles["act"]
    assert {theme.roles["act-tint"], theme.roles["bad"]} <= inks(image, area)


def test_that_rows_are_not_sorted_under_the_mouse(
    qtbot: QtBot, panel: TablePanel, prepared: Prepared
) -> None:
    view = panel.view
    before = view.row_keys()
    rates = (100.0, 400.0, 9000.0, 3000.0)
    made = [
        building.trial(spec, index=4 * block + at, block=block, rate=rate + block)
        for block in range(3)
        for at, (spec, rate) in enumerate(zip(SPECS, rates, strict=True))
    ]
    qtbot.mouseMove(view.viewport(), view.visualRect(view.model().index(1, 0)).center())
    panel.show_results(Shown.of(prepared, tuple(made), None))
    assert view.row_keys() == before
    qtbot.mouseMove(panel.filter, QPoint(5, 5))
    assert view.row_keys() == [SPECS[at].digest for at in (2, 3, 1, 0)]


def test_that_the_filter_understands_its_own_example(qtbot: QtBot, panel: TablePanel) -> None:
    panel.resize(1200, 400)
    example = panel.filter.placeholderText().partition(": ")[2]
    assert example == "lru threads>1 p99<5ms"
    type_filter(qtbot, panel, example)
    assert panel.filter.property("wrong") == "false"
    assert texts(panel, "Cache") == ["LRU, no lock"]
    for words in ('"no lock" threads=4', "cache=lru threads>1"):
        type_filter(qtbot, panel, words)
        assert texts(panel, "Cache") == ["LRU, no lock"]
    type_filter(qtbot, panel, "memory<1GiB result!=slower")
    assert panel.filter.property("wrong") == "false"
