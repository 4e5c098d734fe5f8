"""What the network carried stands beside the answer, over the same places."""

from __future__ import annotations

import random
from itertools import combinations

import building
import msgspec
import pytest
from PySide6.QtCore import Qt, QThreadPool
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.counts.answer_view import AnswerView
from app.plots.counts.scaling_view import Growth, ScalingView
from app.plots.counts.wire_plots import WirePlots
from app.views.tabs import RunViews
from core import CurvesFigure, FigureCurve, Result
from core.judge import advise
from core.tell.result_figures import throughput_figure
from core.tell.setting_facts import wire_figures, with_border
from core.vocabulary import FigurePoint, MetricEstimate

pytestmark = pytest.mark.window
NAMES = ("boto3", "s3fs", "obstore", "http", "a client with a long name")


def result(threads: int, client: str, rate: float, each: float | None = None) -> Result:
    """`each`: requests for each operation, where they were counted."""
    of = building.spec("transfer", parameters={"client": client}, threads=threads)
    trials = []
    for at in range(3):
        one = building.trial(of, index=at, rate=rate + at, unit="file", counters={})
        counters = {} if each is None else {"requests": each * one.operations}
        trials.append(msgspec.structs.replace(one, counters=counters))
    return building.result(of, trials)


SWEEP = tuple(
    result(threads, client, rate * threads, each)
    for client, rate, each in (("boto3", 100.0, 1.0), ("s3cp", 50.0, 2.0), ("rclone", 20.0, None))
    for threads in (1, 2, 4)
)


def test_that_requests_are_drawn_over_the_places_of_the_answer_with_a_line_at_the_advice(
    qtbot: QtBot,
) -> None:
    figure = throughput_figure(SWEEP, advise(SWEEP))
    wire = wire_figures(figure, SWEEP)
    view = exposed(qtbot, AnswerView(), 700, 450)
    plots = exposed(qtbot, view.wire, 428, 430)
    view.show_wire(wire, hatched=False)
    view.scaling.show_figure(figure, "file")
    small = plots.plots[0]
    assert (small.isVisible(), plots.plots[1].isVisible()) == (True, False)
    assert small.sheet.labels.shown.title == "Requests"
    assert small.sheet.labels.shown.heading == "for each file"
    marked = {plot.sheet.labels.shown.advised for plot in (view.scaling, small)}
    assert marked == {(2.0, "sure")}  # 4 threads
    assert [row[1] for row in small.table()[1:4]] == ["1", "2", "4"]
    # rclone is drawn, and nobody has counted its requests.
    assert list(small.labels()) == ["client boto3", "client s3cp"]
    qtbot.keyClick(small, Qt.Key.Key_Right)
    assert small.labels() == {"client boto3": "1.00×", "client s3cp": "2.00×"}
    assert small.sheet.labels.shown.heading == "1 thread"


def test_that_in_a_narrow_window_what_was_counted_stands_side_by_side_below(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    views = RunViews(pool)
    views.add_plots()
    exposed(qtbot, views, 868, 400)
    page, answer = views.answer_page, views.answer
    assert answer is not None
    answer.show_wire(wire_figures(throughput_figure(SWEEP), SWEEP) * 2, hatched=False)
    page.show_facts((), counted=True)
    qtbot.waitUntil(lambda: answer.wire.width() == page.width())
    first, second = answer.wire.plots
    assert (first.y(), second.x()) == (second.y(), first.geometry().right() + 17)
    assert answer.wire.y() >= answer.geometry().bottom() >= page.height() / 2
    assert not views.tiles.isVisible()
    views.resize(1232, 500)
    qtbot.waitUntil(lambda: answer.wire.width() == 428)
    assert second.y() > first.geometry().bottom()


def test_that_nothing_stands_beside_where_nothing_was_counted() -> None:
    bare = [one for one in SWEEP if one.spec.parameters["client"] == "rclone"]
    assert wire_figures(throughput_figure(bare), bare) == ()
    assert wire_figures(throughput_figure(SWEEP[:1]), SWEEP[:1]) == ()


def drawn(ends: list[float], border: float) -> CurvesFigure:
    """Curves that end at these values, below the leanest client's."""

    def curve(name: str, value: float) -> FigureCurve:
        found = MetricEstimate(value=value)
        return FigureCurve(
            name=name, points=tuple(FigurePoint(at=at, found=found) for at in (1, 4, 16))
        )

    pairs = zip(NAMES, ends, strict=True)
    return CurvesFigure(
        title="Requests",
        about="for each object",
        unit="ratio",
        curves=tuple(curve(*pair) for pair in pairs),
        border=curve("leanest", border),
    )


def test_that_names_at_the_ends_of_small_plots_never_overlap(qtbot: QtBot) -> None:
    plots = exposed(qtbot, WirePlots(), 428, 430)
    rng = random.Random(11)
    for _ in range(20):
        near = rng.choice([0.01, 0.5, 5.0])
        ends = [1.0 + near * rng.random() for _ in NAMES]
        plots.show_figures([drawn(ends, 1.0), drawn(ends[::-1], 1.0 + near)])
        for plot in plots.plots:
            placed = plot.sheet.labels.placed()
            assert [one.name for one, _ in placed] == [*NAMES, "leanest"]
            areas = [area for _, area in placed]
            assert not any(one.intersects(other) for one, other in combinations(areas, 2))
            whole = plot.sheet.labels.boundingRect()
            assert all(whole.contains(area) for area in areas)


def test_that_more_than_the_leanest_client_is_hatched_once_it_is_the_answer(qtbot: QtBot) -> None:
    view = exposed(qtbot, ScalingView(), 700, 400)
    figure = drawn([100.0, 200.0, 300.0, 400.0, 500.0], 600.0)
    figure = CurvesFigure(curves=figure.curves, border=figure.border)
    view.show_figure(figure, "tile")
    assert view.sheet.labels.shown.corner == "more than the store gives"
    last, _ = view.sheet.labels.placed()[-1]
    assert (last.name, last.note) == ("leanest client", "leanest")
    with_border = view.sheet.grab().toImage()
    view.show_figure(figure, "tile", growth=Growth())
    assert view.sheet.labels.shown.corner == ""
    view.show_figure(CurvesFigure(curves=figure.curves), "tile")
    assert view.sheet.grab().toImage() != with_border


def test_that_the_border_is_the_leanest_client_that_was_measured_beside_the_others() -> None:
    def tiles(workload: str, threads: int, rate: float) -> Result:
        parameters = {"store": "s3", "address": "s3://bucket"}
        of = building.spec(workload, parameters=parameters, threads=threads)
        return building.result(of, [building.trial(of, rate=rate, unit="tile")])

    rows = [tiles("tiles", threads, 100.0 * threads) for threads in (1, 2, 4)]
    gets = [tiles("gets", threads, 300.0 * threads) for threads in (1, 2, 4)]
    figure = with_border(throughput_figure(rows), [*rows, *gets])
    assert figure.border is not None
    assert figure.border.name == "obstore"
    assert figure.border.line == tuple((one, pytest.approx(300.0 * one)) for one in (1, 2, 4))
    assert figure.top() == pytest.approx(1200.0)
    assert with_border(throughput_figure(rows), rows).border is None
