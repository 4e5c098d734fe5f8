"""Nodes and the cluster that has them are in the drawer of the form."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.setup.form_history import form_of
from app.shell.workbench import Workbench
from core import Axis, Request, Session

pytestmark = pytest.mark.window


def ask(qtbot: QtBot, workbench: Workbench, request: Request) -> None:
    setup = workbench.setup
    setup.restore(form_of(request, setup.state()))
    qtbot.waitUntil(lambda: setup.dataset.look is not None)


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
    qtbot.waitUntil(lambda: not workbench.measuring.running and bool(workbench.measuring.said))
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    with Session.read(path) as session:
        (trial,) = [one for one in session.trials(1) if one.nodes]
    assert len(trial.nodes) == 2
    assert sum(node.operations for node in trial.nodes) == trial.operations
    qtbot.waitUntil(lambda: not workbench.busy)
