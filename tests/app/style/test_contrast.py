"""What is on the screen can be read by everybody: contrasts are taken from rendered pixels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import building
import msgspec
import numpy as np
import pytest
from colour import DEFICIENCIES, contrast, difference, seen
from legible import LEAST_CURVE, LEAST_EDGE, LEAST_TEXT, themes, unreadable
from numpy.typing import NDArray
from pixels import SCALE, commonest, piece, rendered
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolTip,
)
from pytestqt.qtbot import QtBot
from showing import exposed
from workload_box import opened

from app.plots.base.figure import DataDialog
from app.plots.base.painting import MARKERS, marker_image
from app.plots.base.plot_surface import Sheet
from app.plots.time.run_plots import RunPlots
from app.setup.controls.numbers import NumberBox
from app.setup.controls.range_slider import RangeSlider
from app.shell.crashes import CrashDialog
from app.shell.window import MainWindow
from app.style.theme import THEMES, Theme
from app.views.study_view import StudyView
from core import Headline, Moment, load_study
from core.judge import reproduction_of

pytestmark = pytest.mark.window
each_theme = pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
APART = 0.1
"""Of two colours in OKLab; what differs less is told apart by the shape of its markers."""


@pytest.fixture
def small(window: MainWindow) -> MainWindow:
    """As small as it can be: there is less to be looked at."""
    window.resize(window.minimumSize())
    return window


def looks() -> Iterator[Moment]:
    for place in range(60):
        work = 1000 * place + 200 * (place % 3)
        yield Moment(
            at=place / 10, operations=(work,) * 5, bytes=4096 * work, errors=0, wrong=0,
            p50=1_000_000, p99=3_000_000 + 10_000 * place, reading=building.reading(place / 10),
            cpu=tuple(80_000_000 * place + 900_000 * worker * (place % 7) for worker in range(5)),
        )  # fmt: skip


def draw_some(window: MainWindow, qtbot: QtBot) -> RunPlots:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    assert window.workbench.views.plots is not None
    window.workbench.views.setCurrentWidget(window.workbench.views.plots)
    for look in looks():
        window.workbench.views.plots.add(0, look)
    window.workbench.views.plots.redraw()
    return window.workbench.views.plots


def test_that_every_text_of_the_form_keeps_a_contrast_of_seven(
    small: MainWindow, qtbot: QtBot
) -> None:
    faint = []
    boxes = small.workbench.setup.findChildren(NumberBox)
    qtbot.waitUntil(lambda: any(box.isVisible() for box in boxes))
    wrong = next(box for box in boxes if box.isVisible())
    for _ in themes(small):
        QApplication.processEvents()  # what has no room is gone then
        faint += unreadable(small)  # Start is disabled, and the reason stands beside it
        wrong.textEdited.emit("4 parsecs")
        faint += unreadable(small.workbench.setup)
        for name in ("data", "time"):
            with opened(small.workbench, name):
                faint += unreadable(small.workbench.line.popups[name])
        assert wrong.property("wrong")
        wrong.textEdited.emit("4")
    assert not faint


def test_that_every_question_and_the_start_page_keep_a_contrast_of_seven(
    small: MainWindow,
) -> None:
    faint = []
    for _ in themes(small):
        for study in ("", "seqrepo-fd-cache"):
            small.workbench.setup.choose_study(study)
            QApplication.processEvents()  # rows have come and gone
            faint += unreadable(small.workbench.setup)
        small.workbench.show_page("start")
        faint += unreadable(small.workbench.start)
        small.workbench.show_page("question")
    assert not faint


def test_that_every_text_about_a_run_keeps_a_contrast_of_seven(small: MainWindow) -> None:
    faint = []
    small.workbench.verdict.show_running()
    panes = [small.workbench.verdict, small.workbench.top.message, small.workbench.views]
    for _ in themes(small):
        for mood in ("open", "good", "bad"):
            small.workbench.verdict.show_headline(
                Headline(mood=mood, text="Use 4", detail="by far")
            )
            small.workbench.top.message.count(3, 2)
            faint += [told for pane in panes for told in unreadable(pane)]
    assert not faint


def test_that_menus_tooltips_and_dialogs_keep_a_contrast_of_seven(
    small: MainWindow, qtbot: QtBot
) -> None:
    faint = []
    dialog = CrashDialog("Traceback\n  a line", small)
    qtbot.addWidget(dialog)
    dialog.show()
    for _ in themes(small):
        for action in small.menus.whole.actions():
            menu = action.menu()
            assert isinstance(menu, QMenu)
            menu.popup(QPoint(0, 0))
            menu.setActiveAction(next(each for each in menu.actions() if each.isEnabled()))
            faint += unreadable(menu)
            menu.close()
        QToolTip.showText(QPoint(9, 9), "What it does", small)
        tips = [tip for tip in QApplication.topLevelWidgets() if tip.inherits("QTipLabel")]
        assert any(tip.isVisible() for tip in tips)
        faint += [told for tip in tips if tip.isVisible() for told in unreadable(tip)]
        QToolTip.hideText()
        faint += unreadable(dialog)
    assert not faint


def test_that_plots_can_be_read(small: MainWindow, qtbot: QtBot) -> None:
    small.resize(1280, 800)  # with room for the times below the curves
    plots = draw_some(small, qtbot)
    for theme in themes(small):
        for panel in plots.panels:
            plots.show_plot(panel)
            QApplication.processEvents()
            plots.redraw()
            screen = rendered(panel.sheet)
            beside = QRect(0, 0, int(panel.sheet.plotItem.getAxis("left").width()) - 8, 999)
            assert contrast(*commonest(piece(screen, beside), 2)) >= LEAST_TEXT
            (ground,) = commonest(screen, 1)
            for curve in theme.curves[: len(panel.content.lines)]:
                drawn = np.count_nonzero(screen == int(curve[1:], 16))
                known = "nothing measured" not in panel.content.summary()
                assert drawn > 50 or not known, f"{curve} is not seen in {panel.plot.title}"
                assert contrast(curve, ground) >= LEAST_CURVE
        below = plots.shown.sheet
        assert contrast(*commonest(under(below), 2)) >= LEAST_TEXT


def under(sheet: Sheet) -> NDArray[np.uint32]:
    """Where the texts of a plot's bottom axis are."""
    height = int(sheet.plotItem.getAxis("bottom").height())
    left = int(sheet.plotItem.getAxis("left").width())
    area = QRect(left, sheet.height() - height + 4, sheet.width() - left, height - 6)
    return piece(rendered(sheet), area)


def test_that_what_is_told_above_plots_can_be_read(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1600, 900)  # names give way where there is no room
    plots = draw_some(window, qtbot)
    study = StudyView()
    study.show_study(reproduction_of(load_study("svfs-threads"), building.study_of_costs()))
    (chart,) = study.charts
    study.setCurrentWidget(chart)
    exposed(qtbot, study, 800, 300)
    for theme in themes(window):
        study.set_theme(theme)
        plots.panels[0].sheet.hovered.emit(2.0)
        chart.sheet.hovered.emit(1.0)
        for sheet in (plots.panels[0].sheet, chart.sheet):
            hold_legible(sheet, theme)
        assert contrast(*commonest(under(chart.sheet), 2)) >= LEAST_TEXT


def test_that_curves_and_names_of_settings_in_turns_can_be_read(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1600, 900)
    plots = draw_some(window, qtbot)
    plots.clear()
    for setting in range(8):
        plots.begin_trial(setting, f"threads {setting}")
    plots.begin_round(range(8))
    for look in looks():
        for setting in range(8):
            faster = tuple(setting * count for count in look.operations)
            plots.add(setting, msgspec.structs.replace(look, operations=faster))
    plots.redraw()
    for theme in themes(window):
        hold_legible(plots.panels[0].sheet, theme)
        screen = rendered(plots.panels[0].sheet)
        for curve in (theme.roles["border"], *theme.curves):
            assert np.count_nonzero(screen == int(curve[1:], 16)) > 50, f"{curve} is not seen"
            assert contrast(curve, theme.background) >= LEAST_CURVE


def hold_legible(sheet: Sheet, theme: Theme) -> None:
    """What stands above a plot and on its curves is seen, and can be read."""
    screen, roles = rendered(sheet), theme.roles
    (ground,) = commonest(screen, 1)
    shown = sheet.labels.shown
    inks = {
        roles["ink"]: shown.title,
        roles["ink2"]: shown.heading,
        roles["ink3"]: any(one.note for one, _ in sheet.labels.placed()),
        **{theme.curves[one.rank or 0]: one.name for one in shown.ends},
    }
    for ink, drawn in inks.items():
        seen_as = np.count_nonzero(screen == int(ink[1:], 16))
        assert seen_as > 5 or not drawn, f"{ink} is not seen above {shown.title}"
        assert contrast(ink, ground) >= LEAST_TEXT


def test_that_the_data_of_plots_can_be_read(small: MainWindow, qtbot: QtBot) -> None:
    plots = draw_some(small, qtbot)
    dialog = DataDialog(plots.figures(), small)
    dialog.show()
    faint = []
    for theme in themes(small):
        for place in range(len(plots.panels)):
            dialog.choice.setCurrentIndex(place)
            assert dialog.table.model().rowCount() > 10
            faint += [f"{theme.name}: {told}" for told in unreadable(dialog)]
        dialog.table.selectAll()
        faint += [f"{theme.name}, selected: {told}" for told in unreadable(dialog)]
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
    assert not faint


@each_theme
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_that_curves_stay_apart_for_every_kind_of_eye(theme: Theme, deficiency: str) -> None:
    ranks = range(len(MARKERS))
    shapes = [shape(marker) for marker in MARKERS]
    for one, two in combinations(ranks, 2):
        differ = difference(*(seen(theme.curves[rank], deficiency) for rank in (one, two)))
        overlap = np.count_nonzero(shapes[one] & shapes[two])
        alike = overlap / np.count_nonzero(shapes[one] | shapes[two])
        assert alike < 0.8, f"{MARKERS[one]} and {MARKERS[two]} look alike"
        assert differ > APART or alike < 0.75


def shape(marker: str) -> NDArray[np.bool_]:
    """Where the marker puts ink: what is as its background is not to be seen."""
    image = marker_image(marker, "#ffffff", "#000000", 1.0)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return pixels[..., 0] > 127


def test_that_controls_are_seen_by_their_edges(small: MainWindow, qtbot: QtBot) -> None:
    found = small.workbench.setup.findChildren(NumberBox)
    qtbot.waitUntil(lambda: any(box.isVisible() for box in found))
    for theme in themes(small):
        # Fields and buttons are known by their fill and words; high contrast gives them edges.
        edged = (NumberBox, QLineEdit, QPushButton)
        for kind in (RangeSlider, *(edged if theme.name == "contrast" else ())):
            shown = [each for each in small.workbench.setup.findChildren(kind) if each.isVisible()]
            # Plain ones are words without a box, as links are.
            boxed = [each for each in shown if each.property("part") != "plain"]
            assert boxed
            for widget in boxed[:3]:
                ground = theme.background
                seen_as = edges(rendered(widget), ground, whole=kind is RangeSlider)
                assert seen_as >= LEAST_EDGE, f"{theme.name}: {kind.__name__}"


def edges(screen: NDArray[np.uint32], ground: str, *, whole: bool) -> float:
    """The contrast of a control's left edge, or of anything of it, with what it frames.

    A control that is filled needs no edge: its fill is held against the ground.
    """
    line = screen[screen.shape[0] // 2]
    colours = [f"#{colour:06x}" for colour in (line[::3] if whole else line[: 4 * SCALE])]
    return max(contrast(colour, colours[-1]) for colour in {*colours, ground})


def test_that_a_label_too_faint_is_found(qtbot: QtBot) -> None:
    label = QLabel("pale")
    qtbot.addWidget(label)
    label.setStyleSheet("color: #777777; background: #ffffff;")
    label.show()
    assert unreadable(label)
