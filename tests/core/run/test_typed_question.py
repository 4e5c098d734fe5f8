"""What is typed on the start page becomes the question that it means."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from core import Axis, Entry, Request
from core.language import UsageError
from core.vocabulary import registry

pytestmark = pytest.mark.quick


def test_that_a_place_is_data_also_where_nothing_is_there_yet(tmp_path: Path) -> None:
    file = tmp_path / "two words {threads}.fa"
    file.touch()
    assert Request.typed(f" {file} ").dataset == file
    assert Request.typed("/nowhere/at-all.fa").dataset == Path("/nowhere/at-all.fa")
    assert Request.typed("~/at-all.fa").dataset == Path.home() / "at-all.fa"


def test_that_a_command_is_read_by_a_shell_where_it_uses_one() -> None:
    plain = Request.typed("zstd -T{threads} -k reads.fq")
    assert plain.workload == "command"
    assert plain.values["run"] == "zstd -T{threads} -k reads.fq"
    assert plain.values["shell"] is False
    assert [axis.name for axis in plain.axes] == ["threads"]
    assert Request.typed("zstd -T{threads} -c reads.fq > x").values["shell"] is True


def test_that_an_address_asks_the_work_that_says_it_reads_such_addresses() -> None:
    for address, workload, name, value in (
        ("s3://bucket/prefix", "transfer", "client", "boto3"),
        ("synapse://syn1", "transfer", "client", "synapse-sync"),
        ("hdfs://host:9000/layers", "tiles", "store", "hdfs"),
        ("s3://bucket/Image.TIF?endpoint=http://host:1", "raster", "store", "s3"),
        ("https://host/image.tiff", "raster", "store", "http"),
        ("https://host/cube.zarr/", "arrays", "store", "http"),
        ("s3://bucket/cube.h5", "arrays", "reader", "h5py"),
    ):
        asked = Request.typed(address)
        assert (asked.workload, asked.values["address"]) == (workload, address)
        assert asked.values[name] == value


def test_that_the_pattern_that_says_most_of_an_address_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = {
        name: Entry(name=name, title="", purpose="", load="", addresses={pattern: {"store": name}})
        for name, pattern in (("any", "s3://*"), ("raster", "s3://*.tif"), ("array", "*.zarr"))
    }
    monkeypatch.setattr(registry, "workloads", lambda: rows)
    for address, names in (
        ("s3://bucket/Image.TIF?endpoint=http://host:1", ["raster", "any"]),
        ("s3://bucket/cube.zarr/", ["array", "any"]),
        ("https://host/cube.zarr", ["array"]),
        ("https://host/image.tif", []),
    ):
        takers = registry.takers_of(address)
        assert takers == [(name, {"store": name, "address": address}) for name in names]


def test_that_an_address_that_no_work_reads_is_refused_with_those_that_are_read() -> None:
    with pytest.raises(UsageError, match=r"no work here reads .*or such an address: .*s3://\*"):
        Request.typed("gopher://example.org/reads.fq")


@pytest.mark.parametrize("address", ["s3://bucket/World.MBTiles", "https://host/a.mbtiles?x=1"])
def test_that_an_address_of_a_database_is_refused_with_what_to_do(address: str) -> None:
    with pytest.raises(UsageError) as refused:
        Request.typed(address)
    assert "needs a file here" in refused.value.cause
    assert "PMTiles" in refused.value.remedy


def test_that_a_question_says_how_far_away_its_store_is_made() -> None:
    near = Request(workload="tiles", values={"round_trip": 0.02})
    assert near.distance == "store 20 ms away"
    several = replace(near, axes=(Axis("round_trip", (0.0, 0.02)),))
    assert (several.distance, Request(workload="tiles").distance) == ("", "")


def test_that_only_what_is_read_at_its_address_leaves_data_out() -> None:
    for address, leaves in (
        ("https://host/image.tif", True),
        ("s3://bucket/cube.zarr", True),
        ("https://host/world.pmtiles", True),
        ("s3://bucket/world.pmtiles?endpoint=http://host:1", True),
        ("s3://bucket/tree", False),
        ("hdfs://host:9000/layers", False),
    ):
        assert Request.typed(address).leaves_data_out is leaves
    assert not Request.first("raw").leaves_data_out
