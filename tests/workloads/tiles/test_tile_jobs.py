"""Requests for tiles: read and judged, written and audited, in every store."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from driving import copied, drive, open_job, printed_by
from store_conformance import Site, secrets_of

from core.language import InvalidParameter, report_to_nobody
from core.vocabulary import Dataset, open_dataset
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import layer_of, place_layer, written_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.tile_keys import place_of
from workloads.tiles.tiles_workload import TilesOfImagery

MARK = "test-0-0000"
"""Of jobs that `driving` opens."""
_SEEDS = count(100)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A layer that no other test has, of 24 places with 6 holes."""
    shape = LayerShape(
        columns=6, rows=4, tile_size=16, bands=2, holes=0.25, level=1, seed=next(_SEEDS)
    )
    path = tmp_path / "layer"
    path.mkdir()
    make_layer(shape, path, report_to_nobody)
    return path


@pytest.fixture
def layer(folder: Path) -> Iterator[Layer]:
    opened = Layer.open(folder)
    yield opened
    opened.close()


@pytest.fixture
def placed(site: Site, folder: Path, layer: Layer) -> Iterator[None]:
    """The layer is in the store, until the test ends."""
    place_layer(_dataset(folder), site.asked(), report_to_nobody)
    yield
    with site.opened(layer_of(layer.heading)) as store:
        store.remove()


def _dataset(folder: Path) -> Dataset:
    return open_dataset(folder, ("tile-layer",))


def refill(site: Site, layer: Layer, changed: Mapping[int, bytes | None]) -> None:
    """Write the layer with other objects or without some, and the manifest that it had."""
    name = layer_of(layer.heading)
    with site.opened(name) as store:
        manifest = store.manifest()
        assert manifest is not None
        store.remove()
    objects = dict(layer.objects()) | changed
    site.write(name, {key: value for key, value in objects.items() if value is not None})
    with site.opened(name) as store:
        store.set_manifest(manifest)


def hole_of(layer: Layer) -> int:
    """A place without a tile."""
    heading = layer.heading
    from workloads.tiles.layer_catalogue import rectangle

    keys = rectangle(heading.column, heading.row, heading.columns, heading.rows)
    return next(key for key in keys if key not in layer.placed)


WAYS: list[dict[str, Any]] = [
    {},
    {"batch": 5},
    {"depth": "fetch"},
    {"depth": "fetch", "batch": 7},
    {"direction": "write"},
    {"direction": "write", "batch": 4},
]


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_that_all_tiles_of_a_request_are_right(
    site: Site, placed: None, folder: Path, way: dict[str, Any], threads: int
) -> None:
    driven = drive("tiles", folder, threads=threads, **site.values(**way))
    assert driven.clean
    wanted = 18 if way.get("direction") == "write" else 24
    assert driven.job.weigh([result for _, result in driven.results]).operations == wanted


@pytest.mark.parametrize("payload", [{"payload": "raw"}, {"cells": "ints"}], ids=str)
def test_that_layers_of_every_payload_are_read(
    site: Site, tmp_path: Path, payload: dict[str, Any]
) -> None:
    make_layer(LayerShape(columns=3, rows=3, tile_size=8, **payload), tmp_path, report_to_nobody)
    driven = drive("tiles", tmp_path, **site.values())
    assert driven.clean
    assert driven.steps == (
        ("fetch", "decode") if payload.get("payload") else ("fetch", "inflate", "decode")
    )


def test_that_holes_of_the_layer_are_right_and_weigh_nothing(
    site: Site, placed: None, folder: Path, layer: Layer
) -> None:
    driven = drive("tiles", folder, **site.values())
    holes = [item for item, result in driven.results if result is None]
    assert driven.clean
    assert set(holes).isdisjoint(layer.placed)
    assert len(holes) == 6
    weight = driven.job.weigh([result for _, result in driven.results])
    assert weight.bytes == layer.heading.bytes


@pytest.mark.parametrize("batch", [1, 24])
@pytest.mark.parametrize("depth", ["fetch", "decode"])
def test_that_each_wrong_tile_of_a_request_is_a_fault_of_its_own(
    site: Site, placed: None, folder: Path, layer: Layer, batch: int, depth: str
) -> None:
    keys = list(layer.placed)
    hole = hole_of(layer)
    refill(
        site,
        layer,
        {
            keys[1]: None,
            keys[2]: layer.object(keys[3]),
            keys[3]: layer.object(keys[2]),
            hole: layer.object(keys[4]),
        },
    )
    driven = drive("tiles", folder, **site.values(batch=batch, depth=depth))
    assert not driven.errors
    swapped = "the tile of another key" if depth == "decode" else "other content than was written"
    assert sorted(driven.complaints) == sorted(
        [
            "a hole where the layer has a tile",
            swapped,
            swapped,
            "a tile where the layer has a hole",
        ]
    )


@pytest.mark.parametrize("depth", ["fetch", "decode"])
def test_that_a_corrupted_object_is_an_error_or_a_wrong_result(
    site: Site, placed: None, folder: Path, layer: Layer, depth: str
) -> None:
    keys = list(layer.placed)
    damaged = bytearray(layer.object(keys[5]))
    damaged[len(damaged) // 2] ^= 1
    refill(site, layer, {keys[5]: bytes(damaged)})
    driven = drive("tiles", folder, **site.values(depth=depth))
    assert len(driven.errors) + len(driven.complaints) == 1
    assert depth == "decode" or driven.complaints == ["other content than was written"]


def test_that_a_layer_is_written_once_and_used_again(
    site: Site, placed: None, folder: Path, layer: Layer
) -> None:
    refill(site, layer, {next(iter(layer.placed)): b"still here"})
    place_layer(_dataset(folder), site.asked(), report_to_nobody)
    with site.opened(layer_of(layer.heading)) as store:
        assert store.get(next(iter(layer.placed))) == b"still here"


def test_that_a_layer_that_was_half_written_is_written_anew(
    site: Site, folder: Path, layer: Layer
) -> None:
    name = layer_of(layer.heading)
    site.write(name, {next(iter(layer.placed)): b"half", hole_of(layer): b"left over"})
    driven = drive("tiles", folder, **site.values())
    assert driven.clean
    with site.opened(name) as store:
        assert store.remove() >= 18


def test_that_a_layer_with_another_manifest_is_written_anew(
    site: Site, placed: None, folder: Path, layer: Layer
) -> None:
    with site.opened(layer_of(layer.heading)) as store:
        store.set_manifest(b"something else")
        told = store.manifest()
    place_layer(_dataset(folder), site.asked(), report_to_nobody)
    with site.opened(layer_of(layer.heading)) as store:
        assert msgspec.json.decode(store.manifest() or b"")["digest"] == layer.heading.digest
        assert told != store.manifest()


@pytest.fixture(autouse=True)
def _swept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nothing that a test has written is left for the next."""
    yield
    if "site" in request.fixturenames:
        site = request.getfixturevalue("site")
        TilesOfImagery().remove_leftovers(MARK, site.asked(direction="write"), report_to_nobody)


def written(site: Site, folder: Path, **parameters: Any) -> Any:
    """A job that has written the whole layer, and is still open."""
    job = open_job("tiles", folder, **site.values(direction="write", **parameters))
    with job.worker(0) as steps:
        for item in job.items:
            value = item
            for step in steps:
                value = step.perform(value)
    return job


def test_that_what_was_written_is_found_right_by_another_client(site: Site, folder: Path) -> None:
    with closing(written(site, folder)) as job:
        assert list(job.audit(report_to_nobody)) == []


@pytest.mark.parametrize("batch", [1, 6])
def test_that_the_audit_finds_tiles_that_were_swapped_or_lost(
    site: Site, folder: Path, layer: Layer, batch: int
) -> None:
    keys = list(layer.placed)
    objects = dict(layer.objects())
    objects[keys[0]], objects[keys[1]] = objects[keys[1]], objects[keys[0]]
    del objects[keys[2]]
    name = written_layer(MARK)
    with closing(written(site, folder, batch=batch)) as job:
        job.store.finish()
        with site.opened(name) as store:
            store.remove()
        site.write(name, objects)
        faults = list(job.audit(report_to_nobody))
    assert sorted((fault.text, place_named(fault.item)) for fault in faults) == sorted(
        [
            ("other content than was written", place_of(keys[0])),
            ("other content than was written", place_of(keys[1])),
            ("nothing where a tile was written", place_of(keys[2])),
        ]
    )
    assert all(fault.wrong_data for fault in faults)


def place_named(told: str) -> tuple[int, int]:
    found = re.match(r"tile (\d+), (\d+) \(", told)
    assert found
    return int(found[1]), int(found[2])


def test_that_a_sweep_removes_what_a_killed_trial_has_written(site: Site, folder: Path) -> None:
    job = written(site, folder)
    asked_for = site.asked(direction="write")
    assert TilesOfImagery().remove_leftovers(MARK, asked_for, report_to_nobody) >= 18
    assert TilesOfImagery().remove_leftovers(MARK, asked_for, report_to_nobody) == 0
    job.store.close()


def test_that_only_writing_leaves_something(site: Site) -> None:
    assert TilesOfImagery().leaves(site.asked(direction="write"))
    assert not TilesOfImagery().leaves(site.asked())


def test_that_requests_are_counted_from_the_start_of_the_clock(
    site: Site, placed: None, folder: Path
) -> None:
    job = open_job("tiles", folder, **site.values())
    job.weigh([None] * 5)
    job.rewind()
    job.weigh([None] * 36)
    assert job.counters().items() >= {"windows": 1.5, "tiles of a window": 24}.items()
    job.close()


@pytest.mark.parametrize("seed", range(5))
def test_that_a_window_is_a_square_of_the_layer_at_a_place_drawn_from_the_seed(
    made: Callable[[str], Dataset], seed: int
) -> None:
    job = open_job("tiles", made("tile-layer").path, window=4, seed=seed)
    columns, rows = zip(*map(place_of, job.items), strict=True)
    assert (len(job.items), len(set(columns)), len(set(rows))) == (16, 4, 4)
    assert max(columns) - min(columns) == max(rows) - min(rows) == 3
    job.close()


def test_that_objects_of_files_are_freed_before_the_next_where_that_is_what_costs(
    made: Callable[[str], Dataset],
) -> None:
    """Memory that was not used just before takes longer to get than such a file to read; beside
    other workers, each is kept and compared all the same."""
    beside = open_job("tiles", made("tile-layer").path, depth="fetch", threads=2)
    assert beside.checking == "later"
    beside.close()
    kept = {}
    for depth in ("fetch", "decode"):
        job = open_job("tiles", made("tile-layer").path, depth=depth)
        kept[depth] = job.checking
        if depth == "fetch":
            assert job.held * job.size_of_result(job.layer) <= 256 * 1024
        job.close()
    assert kept == {"fetch": "between", "decode": "later"}


def test_that_windows_of_other_seeds_are_elsewhere(made: Callable[[str], Dataset]) -> None:
    found = set()
    for seed in range(8):
        job = open_job("tiles", made("tile-layer").path, window=2, seed=seed)
        found.add(tuple(job.items))
        job.close()
    assert len(found) > 4


def test_that_files_that_are_read_are_those_of_the_layer_in_the_store(
    folder: Path, layer: Layer, tmp_path: Path
) -> None:
    site = Site("file", str(tmp_path / "store"))
    assert TilesOfImagery().files(site.asked(), _dataset(folder)) == []
    assert drive("tiles", folder, **site.values()).clean
    files = TilesOfImagery().files(site.asked(), _dataset(folder))
    assert {file.name for file in files} == {str(key) for key in layer.placed}
    assert sorted(files) == list(files)
    assert not TilesOfImagery().irrelevant(site.asked())


@pytest.mark.parametrize("way", [{"store": "s3"}, {"direction": "write"}])
def test_that_the_page_cache_means_nothing_for_servers_and_for_writing(
    folder: Path, tmp_path: Path, way: dict[str, str]
) -> None:
    parameters = Site(way.get("store", "file"), "s3://tiles").asked(**way)
    assert TilesOfImagery().files(parameters, _dataset(folder)) == ()
    assert TilesOfImagery().irrelevant(parameters) == {"page_cache"}


@pytest.mark.parametrize("store", ["s3", "hdfs", "accumulo", "cassandra"])
def test_that_a_server_without_an_address_is_refused_when_it_is_planned(
    folder: Path, store: str
) -> None:
    with pytest.raises(InvalidParameter, match=store) as raised:
        TilesOfImagery().admit(Site(store, "").asked(), _dataset(folder))
    assert raised.value.name == "address"
    assert raised.value.remedy


@pytest.mark.parametrize("address", ["tiles", "./tiles", "s3://tiles/here"])
def test_that_files_need_the_whole_path_of_their_folder(folder: Path, address: str) -> None:
    with pytest.raises(InvalidParameter, match=re.escape(address)) as raised:
        TilesOfImagery().admit(Site("file", address).asked(), _dataset(folder))
    assert raised.value.remedy


def test_that_files_without_an_address_are_in_the_cache(folder: Path, cache: Path) -> None:
    assert drive("tiles", folder).clean
    assert len(list((cache / "tiles").rglob("*"))) == 1 + 18 + 1


@pytest.mark.parametrize("way", [{}, {"depth": "fetch"}, {"depth": "fetch", "batch": 7}], ids=str)
def test_that_the_code_that_is_copied_reads_the_layer(
    site: Site, placed: None, folder: Path, layer: Layer, way: dict[str, Any]
) -> None:
    given = site.values(**way)
    code = copied("tiles", _dataset(folder), **given)
    assert code["GeoTrellis"] == "geotrellis.blocking-thread-pool.threads = 3"
    if site.store in ("file", "s3", "http", "cassandra"):
        done = printed_by(code["Python"], secrets_of(given))
        inflated = sum(len(zlib.decompress(value)) for _, value in layer.objects())
        assert done == f"{layer.heading.bytes if 'depth' in way else inflated} bytes"


def test_that_the_code_that_is_copied_writes_objects(site: Site, folder: Path) -> None:
    given = site.values(direction="write")
    code = copied("tiles", _dataset(folder), **given)
    if site.store in ("file", "s3", "http", "cassandra"):
        assert printed_by(code["Python"], secrets_of(given)) == "10000000 bytes"
        with site.opened("my-layer") as store:
            assert sorted(store.keys()) == list(range(100))
            store.remove()
