"""Whole trials of tiles: placed, measured, audited, swept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from one_trial import one_trial
from patience import PATIENCE
from s3_imitation import imitated, refusal

from core.catalog.registry import open_dataset
from core.language.reporting import report_to_nobody
from core.plan.specify import specify
from core.result.outcome import Completed, Failed, describe
from core.result.result import Trial
from core.trial.leftovers import leftovers
from workloads.tiles.make_layer import make_layer
from workloads.tiles.tile_datasets import LayerShape

TILES = 18
LOAD = {"duration": 0, "warm_up": 0, "threads": 2, "deadline": 5 * PATIENCE, "stall": PATIENCE}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    need_drivers("tiles")
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    path = tmp_path / "layer"
    path.mkdir()
    make_layer(
        LayerShape(columns=6, rows=4, tile_size=16, holes=0.25, level=1), path, report_to_nobody
    )
    return path


def trial(folder: Path, **values: Any) -> Trial:
    spec = specify("tiles", open_dataset(folder, ("tile-layer",)), LOAD | values)
    return one_trial(spec)


@pytest.mark.parametrize("processes", [1, 2])
def test_that_a_request_is_read_whole_from_a_layer_that_the_engine_has_placed(
    folder: Path, cache: Path, processes: int
) -> None:
    done = trial(folder, processes=processes)
    assert done.outcome == Completed()
    assert done.operations == 24
    (layer,) = (cache / "tiles").iterdir()
    assert len(list(layer.iterdir())) == TILES + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_that_what_is_written_is_audited_and_gone_afterwards(
    folder: Path, cache: Path, processes: int
) -> None:
    done = trial(folder, direction="write", processes=processes)
    assert done.outcome == Completed()
    assert list((cache / "tiles").iterdir()) == []
    assert leftovers() == ()


def test_that_one_damaged_tile_leaves_no_completed_trial(folder: Path, cache: Path) -> None:
    assert trial(folder).outcome == Completed()
    (layer,) = (cache / "tiles").iterdir()
    tile = next(file for file in sorted(layer.iterdir()) if file.name != "manifest")
    damaged = bytearray(tile.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    tile.write_bytes(damaged)
    done = trial(folder, depth="fetch")
    assert done.wrong == 1
    assert "other content than was written" in str(done.complaints)


def test_that_what_s3_refuses_ends_the_trial_in_its_words_with_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "access-of-the-chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-chain")
    with imitated() as server:
        said = "The difference between the request time and the server's time is too large."
        server.answers.append(refusal(403, "RequestTimeTooSkewed", said))
        done = trial(folder, store="s3", address=server.address)
    assert isinstance(done.outcome, Failed)
    assert said in describe(done.outcome)
    assert "set this machine's clock" in describe(done.outcome)
