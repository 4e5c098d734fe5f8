"""The question: declared once, with the load that is usual, on this machine or on nodes."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot
from workload_box import ask, choose_workload

from app.setup.controls.numbers import NumberBox
from app.setup.setup_panel import SetupPanel
from app.shell.workbench import Workbench
from core import Axis, Request, Session
from core.tell.cli.measure_command import measure
from core.vocabulary.registry import load_workload

pytestmark = pytest.mark.window


def test_that_the_form_says_of_repeats_and_floor_what_the_command_line_says(
    panel: SetupPanel,
) -> None:
    (repeats,) = [box for box in panel.findChildren(NumberBox) if box.accessibleName() == "Repeats"]
    (floor,) = [box for box in panel.findChildren(QCheckBox) if "bare files" in box.text()]
    command = measure.get_command(click.Context(measure), "raw")
    flags = {param.name: param for param in command.params if isinstance(param, click.Option)}
    allowed = flags["repeats"].type.kind
    assert (allowed.low, allowed.high) == (repeats.kind.low, repeats.kind.high)
    assert (flags["repeats"].help or "").startswith(f"{repeats.toolTip()}  [default: ")
    assert flags["floor"].default == floor.isChecked()
    assert flags["floor"].help == floor.toolTip()


USUAL = load_workload("transfer").usual_load()["threads"]


def set_threads(panel: SetupPanel, threads: int) -> None:
    row = panel.form.row("threads")
    row.control.set_value(threads)
    row.control.changed.emit()


def test_that_threads_that_nobody_chose_are_those_usual_for_the_workload(
    panel: SetupPanel,
) -> None:
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 1
    choose_workload(panel, "transfer")
    assert panel.request().values["threads"] == USUAL > 1
    assert "--threads" not in panel.chosen().command_line()
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 1


def test_that_the_field_of_the_settings_has_the_names_of_the_chips(panel: SetupPanel) -> None:
    choose_workload(panel, "fasta")
    row = panel.form.row("cache")
    row.control.set_values(("lru-locked", "per-thread"))
    row.control.changed.emit()
    assert panel.texts()["settings"].value == "LRU, one lock / per thread"
    assert panel.texts()["work"].detail == "pysam"
    row.control.set_values(("lru-locked", "per-thread", "none"))
    row.control.changed.emit()
    assert panel.texts()["settings"] == ("3 caches", "3", False, False)


def test_that_threads_that_somebody_chose_stay_with_their_question(panel: SetupPanel) -> None:
    choose_workload(panel, "fasta")
    set_threads(panel, 3)
    assert "--threads 3" in panel.chosen().command_line()
    choose_workload(panel, "transfer")
    assert panel.request().values["threads"] == USUAL
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 3


def test_that_nodes_need_a_cluster_and_the_line_names_it(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    ask(qtbot, workbench, Request(workload="raw", values={"nodes": 2}, dataset=data))
    assert "2 nodes need a cluster" in workbench.setup.problem()
    request = Request(workload="raw", values={"nodes": 2}, dataset=data, cluster="local:2")
    ask(qtbot, workbench, request)
    assert not workbench.setup.problem()
    assert workbench.setup.request().cluster == "local:2"
    assert "--cluster local:2" in workbench.command.text()
    assert "--nodes 2" in workbench.command.text()


def test_that_a_cluster_is_never_an_axis(qtbot: QtBot, workbench: Workbench, data: Path) -> None:
    request = Request(
        workload="raw", axes=(Axis("nodes", (1, 2)),), dataset=data, cluster="local:2"
    )
    ask(qtbot, workbench, request)
    assert [axis.name for axis in workbench.setup.request().axes] == ["nodes"]


@pytest.mark.slow
def test_that_the_window_measures_on_two_nodes(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    values = {"nodes": 2, "duration": 0.3, "warm_up": 0.0}
    request = Request(workload="raw", values=values, dataset=data, repeats=1, cluster="local:2")
    ask(qtbot, workbench, request)
    workbench.run.start()
    qtbot.waitUntil(lambda: not workbench.measuring.running and bool(workbench.measuring.outcome))
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    with Session.read(path) as session:
        (trial,) = [one for one in session.trials(1) if one.nodes]
    assert len(trial.nodes) == 2
    assert sum(node.operations for node in trial.nodes) == trial.operations
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_the_field_of_the_work_has_the_command(panel: SetupPanel) -> None:
    choose_workload(panel, "command")
    row = panel.form.row("run")
    row.control.set_values(("gzip -{level:1..9} -c {dataset}",))
    row.control.changed.emit()
    work = panel.texts()["work"]
    assert (work.value, work.detail) == ("gzip -{level:1..9} -c {dataset}", "Any program")
