"""The studies of remote data: their cells fit their data and servers, and what was published."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.judge import load_study
from core.tell.cli.study_command import start_servers
from core.vocabulary import Dataset, build, dataset_kind

SERVERS = {"zarr-concurrency": "s3", "s3fs-block-size": "s3", "cog-requests": "http"}
"""The server that each needs."""
pytestmark = pytest.mark.quick


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A lab that says that it has the servers, and whose keeper lives."""
    addresses = {"s3": "s3://bucket?endpoint=http://127.0.0.1:9", "http": "http://127.0.0.1:9/"}
    servers = [
        {"name": name, "state": "ready", "address": address} for name, address in addresses.items()
    ]
    (tmp_path / "state.json").write_text(json.dumps({"keeper": 1, "servers": servers}))
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    with (tmp_path / "keeper.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def started(name: str) -> list[str]:
    servers: list[str] = []
    start_servers(load_study(name), lambda use, _: servers.append(use.server), quiet=True)
    return servers


@pytest.mark.parametrize("name", SERVERS)
def test_that_claims_and_plots_are_about_cells_of_the_study(name: str) -> None:
    study = load_study(name, 2)
    labels = [cell.label for cell in study.cells]
    assert len(labels) == len(set(labels))
    assert {study.baseline, *(cell.base for cell in study.cells)} <= {*labels}
    assert {one for claim in study.claims for one in (claim.cell, claim.to or claim.cell)} <= {
        *labels
    }
    assert {one for figure in study.figures for line in figure.lines for one in line.cells} <= {
        *labels
    }


@pytest.mark.parametrize("name", SERVERS)
def test_that_every_cell_can_be_measured_on_the_data_that_is_generated(
    lab: None, name: str
) -> None:
    study = load_study(name, 2)
    shape = dataset_kind(study.data).shape
    assert shape is not None
    build(shape, study.sample)
    dataset = Dataset(kind=study.data, location="/nowhere", fingerprint="00" * 16)
    here = study.cells_here(dataset, {})
    assert (len(here.specs), here.left_out) == (len(study.cells), ())
    assert len({spec.digest for spec in here.specs.values()}) == len(study.cells)


def test_that_what_is_said_to_be_published_is_what_the_published_figures_make() -> None:
    ratios = {
        claim.published.partition("×")[0]: study.published_ratio(claim)
        for study in map(load_study, SERVERS)
        for claim in study.claims
        if study.published_ratio(claim)
    }
    assert ratios == {"1.35": 1.35, "0.25": 0.25}


@pytest.mark.parametrize("name", SERVERS)
def test_that_the_server_without_which_nothing_is_measured_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    assert started(name) == [SERVERS[name]]


@pytest.mark.parametrize("name", [*SERVERS, "geotrellis-readers", "synapse-upload"])
def test_that_no_server_is_started_where_one_serves_or_cells_do_without(
    lab: None, name: str
) -> None:
    assert started(name) == []
