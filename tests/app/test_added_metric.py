"""A metric that is added in one place is seen wherever figures are."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import building
import pytest
from page import Page
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from app.plots.time.run_plots import RunPlots
from app.table.table_head import Kind
from app.table.table_panel import TablePanel
from core import LiveFigure, Moment, Session
from core.desk import Prepared
from core.tell.cli import main
from core.tell.cli.terminal_results import print_results
from core.tell.exchange import format_named
from core.tell.exchange.json_format import json_schema
from core.tell.guide import metrics
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report
from core.tell.run_results import Shown
from core.tell.tables.result_tables import summarise
from core.vocabulary import METRICS, Live, Metric
from core.vocabulary.metrics import register

pytestmark = pytest.mark.window

WAITED = Metric(
    "waited",
    "Waited",
    "Time that operations waited for an elephant.",
    lambda trial: 3.0 + 1.5 * (trial.index % 2) + 0.001 * trial.index,
    "seconds",
    better="less",
    live=Live("Waited", "elephant", lambda moment: 0.25 * moment.at),
)
SPECS = [building.spec(parameters={"cache": cache}) for cache in ("none", "lru")]
TRIALS = tuple(
    building.trial(spec, index=2 * block + at, block=block, rate=1000.0 + block)
    for block in range(6)
    for at, spec in enumerate(SPECS)
)
RESULTS = [building.result(spec, TRIALS[at::2]) for at, spec in enumerate(SPECS)]


@pytest.fixture(autouse=True)
def _waited() -> Iterator[None]:
    register(WAITED)
    yield
    del METRICS["waited"]


@pytest.fixture
def prepared(tmp_path: Path) -> Iterator[Prepared]:
    with Session.create(tmp_path / "waited.sluice") as session:
        run = session.begin_run(building.plan(SPECS, repeats=6), building.environment(), {}, [])
        for trial in TRIALS:
            session.append(run, trial)
        session.end_run(run, "completed")
        yield Prepared(session=session, run=session.run(run))


def exported(form: str) -> bytes:
    stream = io.BytesIO()
    format_named(form).export(RESULTS, stream)
    return stream.getvalue()


def test_that_tables_of_results_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert summarise(RESULTS).column("waited")[0].text == "3.0 s"
    print_results(RESULTS)
    printed = capsys.readouterr().out
    assert "Waited" in printed
    assert "3.0 s" in printed


def test_that_tables_of_the_window_have_it(
    qtbot: QtBot, settings: QSettings, prepared: Prepared
) -> None:
    panel = TablePanel(settings)
    qtbot.addWidget(panel)
    panel.show_results(Shown.of(prepared, TRIALS, None))
    kinds: tuple[Kind, ...] = ("results", "trials")
    for kind in kinds:
        panel.choose_kind(kind)
        model = panel.view.model()
        titles = [
            model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())
        ]
        assert "waited" in panel.view.shown_columns()
        assert "Waited" in {title.partition("\n")[0] for title in titles}


def test_that_it_has_a_live_plot(qtbot: QtBot) -> None:
    plots = RunPlots()
    qtbot.addWidget(plots)
    plots.resize(900, 700)
    with qtbot.waitExposed(plots):
        plots.show()
    for tenth in range(1, 21):
        plots.add(0, moment(tenth / 10))
    plots.redraw()
    panel = next(one for one in plots.panels if one.plot.title == "Waited")
    assert "waited" in {tile.metric.key for tile in LiveFigure.all()}  # whose click shows it
    plots.show_metric("waited")
    plots.redraw()
    assert panel.isVisible()
    assert [(one.name, one.note) for one in panel.sheet.labels.shown.ends] == [
        ("elephant", "500 ms")
    ]
    others = {one.plot.title for one in plots.panels}
    assert others == {
        "Throughput", "Latency", "Open files", "Memory", "CPU per worker", "Waited",
    }  # fmt: skip
    plots.hide()


def moment(at: float) -> Moment:
    return Moment(
        at=at, operations=(round(at * 100),), cpu=(round(at * 5e8),), bytes=0, errors=0, wrong=0,
        p50=1000, p99=3000, reading=building.reading(at),
    )  # fmt: skip


def test_that_report_and_guide_have_it() -> None:
    report = Report(title="waited", chapters=(Chapter(title="waited", results=tuple(RESULTS)),))
    titles, *rows = Page(render_report(report)).table("Trials in the order").rows
    assert [row[titles.index("Waited")] for row in rows[:2]] == ["3.0 s", "4.5 s"]
    assert (
        "| Waited | Time that operations waited for an elephant. | `waited_seconds` |" in metrics()
    )


def test_that_files_for_other_programs_have_it() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    values = [WAITED.of(trial) for result in RESULTS for trial in result.trials]
    rows = list(csv.DictReader(io.StringIO(exported("csv").decode())))
    assert [float(row["waited_seconds"]) for row in rows] == values
    assert (
        pq.read_table(pa.BufferReader(exported("parquet")))["waited_seconds"].to_pylist() == values
    )
    figures = json.loads(exported("json"))["results"][0]["metrics"]["waited"]
    assert figures == values[:6]
    described = json_schema()["$defs"]["ExportedResult"]["properties"]["metrics"]["properties"]
    assert described["waited"]["description"] == WAITED.help
    openmetrics = exported("openmetrics").decode()
    assert f"# HELP sluice_waited_seconds {WAITED.help}" in openmetrics
    assert openmetrics.count("\nsluice_waited_seconds{") == 2


def test_that_two_settings_are_compared_by_it(
    prepared: Prepared, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(prepared.session.path)
    code = main(["compare", f"{place}#cache=none", "#cache=lru", "--metric", "waited"])
    assert code == 3
    printed = capsys.readouterr().out
    assert "cache LRU, no lock is higher in waited than cache none" in printed
    assert "waited" in next(line for line in printed.splitlines() if "baseline" in line)
    assert main(["compare", f"{place}#cache=none", "#cache=lru", "--metric", "elephant"]) == 2
