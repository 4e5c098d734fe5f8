"""Plain gets: the floor of a store, and what is said of a client beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import building
import pytest
from driving import drive
from store_conformance import Site

from core.judge import diagnose
from core.measure import floors, is_bare
from core.vocabulary import Result, RunSpec, open_dataset, specify

pytest.importorskip("obstore")
S3 = {"store": "s3", "address": "s3://tiles", "access_key": "env:KEY", "secret_key": "env:SECRET"}


def spec_of(folder: Path, **values: Any) -> RunSpec:
    return specify("tiles", open_dataset(folder, ("tile-layer",)), {**S3, "threads": 4} | values)


def test_that_the_floor_of_a_store_is_gets_of_the_same_objects_under_the_same_load(
    folder: Path,
) -> None:
    specs = [spec_of(folder, client=one) for one in ("boto3", "s3fs", "obstore")]
    (floor,) = floors(specs)
    assert is_bare(floor)
    assert (floor.workload, floor.load.threads) == ("gets", 4)
    assert floor.parameters.items() >= S3.items()


@pytest.mark.parametrize(
    "values",
    [
        {"direction": "write"},
        {"store": "file", "address": "/tmp/tiles"},
        {"client": "obstore", "depth": "fetch"},
        {"reader": "rdd"},
    ],
    ids=str,
)
def test_that_what_is_no_read_of_objects_or_is_the_floor_itself_has_none(
    folder: Path, values: dict[str, Any]
) -> None:
    assert floors([spec_of(folder, **values)]) == ()


def results(folder: Path, client: str, rate: float) -> tuple[Result, Result]:
    of_client = spec_of(folder, client=client, depth="fetch")
    (floor,) = floors([of_client])
    return building.good(of_client, rate), building.good(floor, 1000.0)


@pytest.mark.parametrize(
    ("client", "said"),
    [
        ("boto3", "boto3 reaches 20 %"),
        ("auto", "boto3 reaches 20 %"),
        ("s3fs", "s3fs reaches 20 %"),
    ],
)
def test_that_a_slower_client_is_said_to_reach_its_share_of_what_the_store_gives(
    folder: Path, client: str, said: str
) -> None:
    result, floor = results(folder, client, 200.0)
    evidence = diagnose(result, [result, floor]).evidence
    assert f"{said} of what this store gives" in evidence
    assert not any("this store gives" in one for one in diagnose(floor, [result, floor]).evidence)


def test_that_decoding_is_said_to_be_a_part_of_it(folder: Path) -> None:
    decoding = spec_of(folder, client="obstore")
    (floor,) = floors([decoding])
    both = [building.good(decoding, 430.0), building.good(floor, 1000.0)]
    said = "obstore with decoding reaches 43 % of what this store gives"
    assert said in diagnose(both[0], both).evidence


@pytest.mark.parametrize("rate", [950.0, 2000.0])
def test_that_nothing_is_said_of_a_client_that_reaches_all_of_it(folder: Path, rate: float) -> None:
    result, floor = results(folder, "boto3", rate)
    evidence = diagnose(result, [result, floor]).evidence
    assert not any("this store gives" in one for one in evidence)


@pytest.mark.lab("http")
def test_that_plain_gets_read_and_verify_the_objects_of_a_layer(
    http_site: Site, folder: Path
) -> None:
    done = drive("gets", folder, threads=2, store="http", address=http_site.address)
    assert done.clean
    assert done.steps == ("fetch",)
