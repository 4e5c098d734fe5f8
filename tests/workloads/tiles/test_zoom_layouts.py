"""Layers by zoom, column and row: read where they are, converted, and refused where damaged."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from driving import copied, drive, need_drivers, open_job, printed_by
from hypothesis import given
from hypothesis import strategies as st
from layout_files import (
    PNG,
    READ,
    SUFFIX,
    TILES,
    Tiles,
    write_pmtiles,
    written,
)
from one_trial import one_trial
from store_conformance import LOAD, Site, new_layer

from core.language import DatasetError, InvalidParameter, report_to_nobody
from core.measure import Inspection, convert_dataset
from core.run import Request
from core.tell.cli import main
from core.vocabulary import Completed, open_dataset, specify
from workloads.tiles.layer_in_store import named_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import LAYOUTS
from workloads.tiles.stores.layout import split_address
from workloads.tiles.stores.pmtiles_archive import Archive, open_file
from workloads.tiles.stores.tile_grid import format_of
from workloads.tiles.tile_keys import GridPlace, first_key
from workloads.tiles.tile_parameters import TileParameters

ALL = pytest.mark.parametrize("layout", LAYOUTS)


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_drivers("tiles", store="pmtiles")
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))


@st.composite
def places(draw: st.DrawFn) -> GridPlace:
    zoom = draw(st.integers(0, 31))
    number = st.integers(0, (1 << zoom) - 1)
    return GridPlace(zoom, draw(number), draw(number))


@given(places())
def test_that_a_place_and_its_key_are_one_the_other(place: GridPlace) -> None:
    assert GridPlace.of(place.key) == place
    assert first_key(place.zoom) <= place.key < first_key(place.zoom + 1) <= 1 << 63
    assert place.is_in_grid
    assert 0 <= place.south < 1 << place.zoom


@given(st.integers(0, (1 << 62) - 1))
def test_that_every_number_is_the_key_of_one_place(key: int) -> None:
    assert GridPlace.of(key).key == key


@given(places())
def test_that_pmtiles_numbers_the_tiles_of_a_zoom_as_keys_do(place: GridPlace) -> None:
    from pmtiles.tile import tileid_to_zxy, zxy_to_tileid

    number = zxy_to_tileid(*place)
    assert first_key(place.zoom) <= number < first_key(place.zoom + 1)
    assert tileid_to_zxy(number) == place


def tiles_of(driven: Any) -> Tiles:
    return {tuple(GridPlace.of(key)): tile for key, tile in driven.results}


@ALL
def test_that_a_layer_is_recognised_read_where_it_is_and_left_as_it_is(
    layout: str, tmp_path: Path, untouched: Any
) -> None:
    path = written(layout, tmp_path)
    untouched(path)
    dataset = open_dataset(path)
    assert dataset.kind == layout
    look = Inspection.of(path)
    assert look.facts["tiles"] == len(TILES)
    driven = drive("tiles", path, threads=3, store=layout, depth="fetch")
    assert driven.clean, driven
    assert tiles_of(driven) == TILES
    batched = drive("tiles", path, store=layout, depth="fetch", batch=5)
    assert batched.clean
    assert sum(map(len, (item for item, _ in batched.results))) == len(TILES)


@ALL
def test_that_a_layer_chooses_store_and_depth_itself(layout: str, tmp_path: Path) -> None:
    dataset = open_dataset(written(layout, tmp_path))
    spec = specify("tiles", dataset, LOAD)
    assert (spec.parameters["store"], spec.parameters["depth"]) == (layout, "fetch")
    done = one_trial(spec)
    assert done.outcome == Completed()
    assert (done.operations, done.wrong) == (len(TILES), 0)
    asked = Request(
        workload="tiles", dataset=dataset.path, values={"store": "file", "depth": "decode"}
    )
    assert asked.values_that_fit(dataset) == {"store": layout, "depth": "fetch"}


@ALL
def test_that_a_window_is_drawn_at_the_largest_zoom(layout: str, tmp_path: Path) -> None:
    path = written(layout, tmp_path)
    driven = drive("tiles", path, store=layout, depth="fetch", window=4)
    assert driven.clean
    found = [GridPlace.of(key) for key, _ in driven.results]
    assert len(found) == 3 * 4 or len(found) == 4 * 4
    assert {place.zoom for place in found} == {7}


@ALL
def test_that_a_tile_that_has_changed_is_wrong(layout: str, tmp_path: Path) -> None:
    path = written(layout, tmp_path)
    job = open_job("tiles", path, store=layout, depth="fetch")
    key = job.items[3]
    right = job.store.get(key)
    assert not list(job.faults(key, right))
    assert [fault.text for fault in job.faults(key, right + b"!")] == [
        "other content than was written"
    ]
    assert [fault.text for fault in job.faults(key, None)] == ["a hole where the layer has a tile"]
    assert job.describe(key) == "tile " + str(GridPlace.of(key))
    job.close()


@ALL
@pytest.mark.parametrize("to", LAYOUTS)
def test_that_every_layout_is_converted_into_every_other(
    layout: str, to: str, tmp_path: Path
) -> None:
    made = convert_dataset(written(layout, tmp_path), to, tmp_path / "out")
    assert made.kind == to
    assert READ[to](made.path) == TILES
    assert open_dataset(tmp_path / "out") == made
    again = convert_dataset(made.path, layout, tmp_path / "back")
    assert READ[layout](again.path) == TILES


@ALL
def test_that_a_generated_layer_is_converted_with_its_zoom(layout: str, tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    shape = LayerShape(columns=5, rows=3, tile_size=8, holes=0.2, zoom=9)
    make_layer(shape, tmp_path / "layer", report_to_nobody)
    made = convert_dataset(tmp_path / "layer", layout, tmp_path / "out")
    tiles = READ[layout](made.path)
    assert len(tiles) == 12
    assert {zoom for zoom, _, _ in tiles} == {9}
    assert drive("tiles", made.path, store=layout, depth="fetch").clean


@ALL
def test_that_a_generated_layer_is_placed_read_and_decoded(layout: str, tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=5, rows=3, tile_size=8), tmp_path / "layer", report_to_nobody)
    values = {"store": layout, "address": str(tmp_path / "stores")}
    for _ in range(2):  # written, and found
        driven = drive("tiles", tmp_path / "layer", threads=2, **values)
        assert driven.clean
        assert len(driven.results) == 15


@pytest.mark.parametrize("layout", ["xyz", "mbtiles"])
def test_that_objects_are_written_and_read_back(layout: str, tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=5, rows=3, tile_size=8), tmp_path / "layer", report_to_nobody)
    dataset = open_dataset(tmp_path / "layer")
    values = {"store": layout, "address": str(tmp_path / "stores"), "direction": "write"}
    for batch in (1, 4):
        done = one_trial(specify("tiles", dataset, {**LOAD, **values, "batch": batch}))
        assert (done.outcome, done.wrong) == (Completed(), 0)
    assert not list((tmp_path / "stores").iterdir())


def test_that_an_archive_is_not_written_tile_by_tile(tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=2, rows=2, tile_size=8), tmp_path / "layer", report_to_nobody)
    dataset = open_dataset(tmp_path / "layer")
    with pytest.raises(InvalidParameter, match="written as a whole"):
        specify("tiles", dataset, {"store": "pmtiles", "direction": "write"})


@ALL
def test_that_tiles_are_copied_into_other_stores_side_by_side(layout: str, tmp_path: Path) -> None:
    path = written(layout, tmp_path)
    for to in ("file", *LAYOUTS):
        driven = drive("tiles", path, store=to, depth="fetch", address=str(tmp_path / "copies"))
        assert driven.clean, driven
        assert tiles_of(driven) == TILES


@ALL
def test_that_another_store_needs_an_address(layout: str, tmp_path: Path) -> None:
    dataset = open_dataset(written(layout, tmp_path))
    with pytest.raises(InvalidParameter, match="in another store") as raised:
        specify("tiles", dataset, {"store": "file"})
    assert f"set store to {layout}" in raised.value.remedy


@ALL
def test_that_the_code_that_is_copied_reads_the_layer(layout: str, tmp_path: Path) -> None:
    dataset = open_dataset(written(layout, tmp_path))
    code = copied("tiles", dataset, store=layout, depth="fetch")["Python"]
    assert printed_by(code) == f"{sum(map(len, TILES.values()))} bytes"


@pytest.mark.parametrize("layout", ["xyz", "mbtiles"])
def test_that_the_code_that_is_copied_writes_tiles(layout: str, tmp_path: Path) -> None:
    dataset = open_dataset(written(layout, tmp_path))
    values = {"store": layout, "direction": "write", "address": str(tmp_path / "new")}
    code = copied("tiles", dataset, **values)["Python"]
    assert printed_by(code) == "10000000 bytes"
    assert len(READ[layout](tmp_path / "new" / f"my-layer{SUFFIX[layout]}")) == 100


def test_that_directories_of_an_archive_are_fetched_once(tmp_path: Path) -> None:
    """Of 20,000 tiles, which one directory cannot hold."""
    from pmtiles.tile import zxy_to_tileid

    drawn = random.Random(3)
    tiles = {
        (9, at % 512, at // 512): at.to_bytes(4) * drawn.randrange(1, 200) for at in range(20_000)
    }
    fetched: list[None] = []
    source = open_file(write_pmtiles(tmp_path / "many.pmtiles", tiles))
    archive = Archive(source, lambda: fetched.append(None))
    for place, tile in list(tiles.items())[::7]:
        found = archive.find(zxy_to_tileid(*place))
        assert found is not None
        assert source.read(*found) == tile
    source.close()
    assert 3 < len(fetched) < 40


@ALL
def test_that_a_layer_is_adopted_by_its_own_address(layout: str, tmp_path: Path) -> None:
    path = written(layout, tmp_path)
    where = ["--store", layout, "--address", str(path), str(tmp_path / "catalogue")]
    assert main(["dataset", "adopt", "tile-layer", *where]) == 0
    dataset = open_dataset(tmp_path / "catalogue")
    assert dataset.kind == "opaque-tile-layer"
    values = {"store": layout, "address": str(path.parent)}
    done = one_trial(specify("tiles", dataset, LOAD | values))
    assert (done.outcome, done.operations, done.wrong) == (Completed(), len(TILES), 0)


def test_that_an_adopted_layer_of_opaque_tiles_is_read_by_the_next_command(tmp_path: Path) -> None:
    site, name = Site("file", str(tmp_path / "store")), new_layer()
    site.write(name, {4: b"one", 5: b"other", 7: b"third"})
    where = ["--store", "file", "--address", site.address, "--layer", name]
    assert main(["dataset", "adopt", "tile-layer", *where, str(tmp_path / "catalogue")]) == 0
    dataset = open_dataset(tmp_path / "catalogue")
    done = one_trial(specify("tiles", dataset, LOAD | {"address": site.address}))
    assert (done.outcome, done.operations, done.wrong) == (Completed(), 4, 0)


@pytest.mark.parametrize("layout", ["mbtiles", "pmtiles"])
def test_that_a_name_in_capitals_is_as_good(layout: str, tmp_path: Path) -> None:
    path = written(layout, tmp_path)
    path = path.rename(path.with_suffix(path.suffix.upper()))
    driven = drive("tiles", path, store=layout, depth="fetch")
    assert (driven.clean, tiles_of(driven)) == (True, TILES)
    code = copied("tiles", open_dataset(path), store=layout, depth="fetch")["Python"]
    assert printed_by(code) == f"{sum(map(len, TILES.values()))} bytes"
    path.write_bytes(b"nothing at all")
    with pytest.raises(DatasetError, match=re.escape(str(path))):
        drive("tiles", path, store=layout, depth="fetch")


@pytest.mark.parametrize(
    ("address", "suffix", "parts"),
    [
        ("/data/a.pmtiles", ".pmtiles", ("/data", "a")),
        ("https://host/maps/a.pmtiles", ".pmtiles", ("https://host/maps", "a")),
        ("s3://b/a.pmtiles?endpoint=http://h", ".pmtiles", ("s3://b?endpoint=http://h", "a")),
        ("https://host/A.PMTILES", ".pmtiles", ("https://host", "A.PMTILES")),
        ("/data", ".pmtiles", ("/data", "")),
        ("/data/tiles/", "", ("/data", "tiles")),
    ],
)
def test_that_an_address_may_name_the_layer(
    address: str, suffix: str, parts: tuple[str, str]
) -> None:
    assert split_address(address, suffix) == parts


def test_that_an_archive_on_a_server_is_read_whatever_the_dataset_is(tmp_path: Path) -> None:
    dataset = open_dataset(written("mbtiles", tmp_path))
    there = TileParameters(store="pmtiles", address="https://host/a.pmtiles", depth="fetch")
    assert named_layer(dataset, there) == "a"
    assert named_layer(dataset, replace(there, address="/data/a.pmtiles")) == ""


def test_that_formats_are_told_by_their_first_bytes() -> None:
    told = [PNG, b"\xff\xd8\xff\xe0", b"RIFF0000WEBPVP8 ", b"\x1f\x8b\x08", b"\x1a\x05", b"?"]
    assert list(map(format_of, told)) == ["png", "jpg", "webp", "pbf", "pbf", "bin"]


@pytest.mark.parametrize("layout", ["mbtiles", "pmtiles"])
def test_that_an_address_that_names_a_file_is_enough(layout: str, tmp_path: Path) -> None:
    """Beside it a generated layer is the dataset, as where none is named."""
    path = written(layout, tmp_path)
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=2, rows=2, tile_size=8), tmp_path / "layer", report_to_nobody)
    dataset = open_dataset(tmp_path / "layer")
    values = {"store": layout, "address": str(path)}
    with pytest.raises(InvalidParameter, match="set depth to fetch"):
        specify("tiles", dataset, LOAD | values)
    done = one_trial(specify("tiles", dataset, LOAD | values | {"depth": "fetch"}))
    assert (done.outcome, done.operations, done.wrong) == (Completed(), len(TILES), 0)
    code = copied("tiles", dataset, depth="fetch", **values)["Python"]
    assert printed_by(code) == f"{sum(map(len, TILES.values()))} bytes"
