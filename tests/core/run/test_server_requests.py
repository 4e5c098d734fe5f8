"""What a run will ask of somebody's own servers is known before the first request."""

from __future__ import annotations

import json
from pathlib import Path

import building
import pytest
from driving import need_drivers

from core.lab.lab_folder import LabFolder
from core.language import report_to_nobody
from core.run import Request, Session, begin_recording, rest_of_run, task_of
from core.run.task import ServerRequests
from core.tell.cli import main
from core.vocabulary import Axis, Dataset, open_dataset
from workloads.tiles.make_layer import LayerShape, make_layer

ADDRESS = "s3://mine?endpoint=http://127.0.0.1:9"
TILES = 4


@pytest.fixture
def layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    need_drivers("tiles", store="s3", address=ADDRESS)
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    (tmp_path / "layer").mkdir()
    shape = LayerShape(columns=2, rows=2, tile_size=16)
    make_layer(shape, tmp_path / "layer", report_to_nobody)
    return open_dataset(tmp_path / "layer")


def requests(layer: Dataset, *counts: int, **values: str | float) -> ServerRequests:
    asked = {"store": "s3", "address": ADDRESS, "duration": 2.0, "warm_up": 0.5} | values
    request = Request(
        workload="tiles", values=asked, axes=(Axis("threads", counts),), repeats=3, floor=False
    )
    return task_of(request, layer).requests


def test_that_data_is_placed_once_and_each_trial_measures(layer: Dataset) -> None:
    one, two = requests(layer, 1), requests(layer, 1, 2)
    assert one.addresses == (ADDRESS,)
    assert TILES < one.placing == two.placing < 2 * TILES + 4
    assert one.measuring == 3 * 2502
    assert two.measuring == 2 * one.measuring  # no client of Python's is twice as fast
    assert (one.verifying, one.removing) == (0, 0)
    written = requests(layer, 1, direction="write")
    assert (written.placing, written.verifying) == (0, 3 * TILES)
    assert written.removing > 0


def test_that_files_and_the_lab_s_own_servers_are_not_counted(
    layer: Dataset, tmp_path: Path
) -> None:
    assert not requests(layer, 1, store="file", address="").text
    lab = tmp_path / "lab"
    lab.mkdir()
    own = {"name": "s3", "state": "ready", "address": ADDRESS}
    (lab / "state.json").write_text(json.dumps({"keeper": 1, "servers": [own]}))
    with LabFolder(lab).kept():
        assert not requests(layer, 1).text
    assert requests(layer, 1).text


def test_that_many_requests_are_not_made_unless_somebody_agrees(
    layer: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "none.sluice"
    asked = ["measure", "tiles", "--store=s3", f"--address={ADDRESS}", f"--session={session}"]
    assert main([*asked, "--dataset", str(layer.path), "--duration=1h", "--no-floor"]) == 2
    told = capsys.readouterr().err
    assert f"requests at most to {ADDRESS}" in told
    assert "add --yes" in told
    assert not session.exists()


def begun(layer: Dataset, path: Path, **values: float) -> tuple[Path, int]:
    """A session with the first of a run's three trials, and what all of them measure with."""
    asked = {"store": "s3", "address": ADDRESS, "warm_up": 0.0} | values
    budget = float(asked.pop("budget", 0.0))
    request = Request(workload="tiles", values=asked, repeats=3, floor=False, budget=budget)
    task = task_of(request, layer)
    with Session.create(path) as session:
        number = begin_recording(task.plan, session, ("sluice", "measure", "tiles"))
        slot = task.plan.slots()[0]
        trial = building.trial(slot.spec, index=0, block=0, seconds=10.0)
        session.append(number, trial)
    return path, task.requests.measuring


def test_that_a_run_that_goes_on_makes_what_is_left_of_its_requests(
    layer: Dataset, tmp_path: Path
) -> None:
    path, whole = begun(layer, tmp_path / "own.sluice", duration=2.0)
    limited, in_all = begun(layer, tmp_path / "limited.sluice", duration=2.0, budget=30.0)
    with Session.open(path) as session:
        assert rest_of_run(session, 1).task.requests.measuring == whole * 2 / 3
    with Session.open(limited) as session:
        left = rest_of_run(session, 1).task.requests.measuring
        assert left == pytest.approx(in_all * 2 / 3, rel=0.02)


def test_that_many_requests_are_asked_about_again_when_a_run_goes_on(
    layer: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = begun(layer, tmp_path / "own.sluice", duration=3600.0)
    assert main(["resume", str(path)]) == 2
    assert "add --yes" in capsys.readouterr().err
    with Session.read(path) as session:
        assert len(session.trials(1)) == 1
