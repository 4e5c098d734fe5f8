"""Layers of a user's own: catalogued once, read where they are, and never changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import drive, need_drivers, open_job
from hostile_server import Answer, hostile
from one_trial import one_trial
from patience import PATIENCE
from store_conformance import Site, new_layer

from core.language import DatasetError, InvalidParameter, SluiceError, UsageError, report_to_nobody
from core.measure import Adoption, Cancel, NotAdoptedError
from core.tell.cli import main
from core.vocabulary import Completed, Dataset, Failed, build, open_dataset, specify
from workloads.tiles.adopted_layers import adopt_layer
from workloads.tiles.layer_catalogue import (
    OBJECTS,
    UNKNOWN,
    Layer,
    LayerHeading,
    heading_of,
)
from workloads.tiles.layer_in_store import place_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.tile_keys import z_order
from workloads.tiles.tile_parameters import LayerPlace

STRANGE = {z_order(40 + at % 5, 70 + at // 5): random.Random(at).randbytes(90) for at in range(9)}
"""Tiles in an encoding of somebody else's."""


@pytest.fixture(autouse=True)
def _drivers() -> None:
    need_drivers("tiles")


def tiles(folder: Path, **shape: Any) -> dict[int, bytes]:
    """Objects of a generated layer of 24 places with 6 holes."""
    folder.mkdir(parents=True)
    values: dict[str, Any] = {"columns": 6, "rows": 4, "tile_size": 16, "bands": 2, "holes": 0.25}
    make_layer(LayerShape(**values | shape), folder, report_to_nobody)
    layer = Layer.open(folder)
    objects = dict(layer.objects())
    layer.close()
    return objects


@pytest.fixture
def own(tmp_path: Path) -> dict[int, bytes]:
    return tiles(tmp_path / "origin")


@pytest.fixture
def name(site: Site) -> Iterator[str]:
    """A layer of which nothing is left after the test."""
    found = new_layer()
    yield found
    with site.opened(found) as store:
        store.remove()


def place_of_layer(site: Site, name: str, **values: Any) -> LayerPlace:
    told = {"store": site.store, "address": site.address, "layer": name, "threads": 3}
    return build(LayerPlace, told | dict(site.parameters) | values)


def adopted(site: Site, name: str, folder: Path, **values: Any) -> Dataset:
    folder.mkdir()
    adopt_layer(place_of_layer(site, name, **values), folder, report_to_nobody)
    return open_dataset(folder, ("tile-layer", "opaque-tile-layer"))


def held(site: Site, name: str, objects: Mapping[int, bytes]) -> bool:
    """Whether the layer is exactly this, and has no manifest of Sluice's."""
    with site.opened(name) as store:
        keys = list(store.keys())
        found = dict(zip(keys, store.get_many(keys), strict=True))
        return found == objects and store.manifest() is None


def test_that_a_layer_is_read_in_place_by_its_catalogue_and_stays_as_it_is(
    site: Site, name: str, own: dict[int, bytes], tmp_path: Path
) -> None:
    site.write(name, own)
    dataset = adopted(site, name, tmp_path / "catalogue")
    heading = heading_of(dataset.path)
    assert (heading.tiles, heading.columns, heading.rows, heading.zoom) == (18, 6, 4, 13)
    assert heading.bytes == sum(map(len, own.values()))
    assert not (dataset.path / OBJECTS).exists()
    place_layer(dataset, site.asked(), report_to_nobody)
    for depth in ("fetch", "decode"):
        driven = drive("tiles", dataset.path, threads=3, **site.values(depth=depth))
        assert driven.clean, driven
        assert len(driven.results) == 24
    assert held(site, name, own)


def test_that_tiles_in_another_encoding_are_compared_as_bytes_only(
    site: Site, name: str, tmp_path: Path
) -> None:
    site.write(name, STRANGE)
    dataset = adopted(site, name, tmp_path / "catalogue")
    assert heading_of(dataset.path).payload == UNKNOWN
    driven = drive("tiles", dataset.path, **site.values(depth="fetch", batch=4))
    assert driven.clean, driven
    with pytest.raises(InvalidParameter, match="encoded in a way that is not known here"):
        open_job("tiles", dataset.path, **site.values())


def test_that_what_is_not_the_catalogued_layer_is_refused_and_left_as_it_is(
    site: Site, name: str, own: dict[int, bytes], tmp_path: Path
) -> None:
    site.write(name, own)
    dataset = adopted(site, name, tmp_path / "catalogue")
    with site.opened(name) as store:
        store.remove()
    with pytest.raises(SluiceError):
        place_layer(dataset, site.asked(), report_to_nobody)
    changed = own | {max(own): b"changed"} | {min(own): b"changed"}
    site.write(name, changed)
    with pytest.raises(DatasetError, match=r"not the one that was adopted: .* other content"):
        place_layer(dataset, site.asked(), report_to_nobody)
    assert held(site, name, changed)


def test_that_a_layer_that_is_not_there_is_told_with_where_it_was_looked_for(
    site: Site, tmp_path: Path
) -> None:
    with pytest.raises(SluiceError) as raised:
        adopted(site, new_layer(), tmp_path / "catalogue")
    assert raised.value.remedy
    assert "/" in str(raised.value) or "tiles_" in str(raised.value)


@pytest.fixture
def folder_site(tmp_path: Path) -> Site:
    """A store of its own, of files."""
    return Site("file", str(tmp_path / "store"))


def test_that_looking_for_a_layer_in_a_folder_creates_nothing(
    folder_site: Site, tmp_path: Path
) -> None:
    with pytest.raises(SluiceError):
        adopted(folder_site, "landsat", tmp_path / "catalogue")
    assert not Path(folder_site.address).exists()


def test_that_a_layer_without_tiles_is_told_with_the_names_that_tiles_have(
    folder_site: Site, tmp_path: Path
) -> None:
    Path(folder_site.address, "landsat").mkdir(parents=True)
    with pytest.raises(DatasetError, match="file has no tiles of layer landsat") as raised:
        adopted(folder_site, "landsat", tmp_path / "catalogue")
    assert raised.value.remedy.startswith("its tiles are looked for as ")


@pytest.mark.parametrize("stranger", ["007", "7.avro", "README", "-7"])
def test_that_a_name_that_is_no_key_is_told(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path, stranger: str
) -> None:
    folder_site.write("landsat", own)
    Path(folder_site.address, "landsat", stranger).write_bytes(b"?")
    with pytest.raises(SluiceError, match="among the layer's objects is no key") as raised:
        adopted(folder_site, "landsat", tmp_path / "catalogue")
    assert repr(stranger) in raised.value.cause


def test_that_a_folder_where_a_tile_is_wanted_is_one_sentence(
    folder_site: Site, tmp_path: Path
) -> None:
    """Tiles by zoom, column and row are files in folders of folders."""
    column = Path(folder_site.address, "landsat", "7", "3")
    column.mkdir(parents=True)
    (column / "5.png").write_bytes(b"?")
    with pytest.raises(
        SluiceError, match="7 is a folder, and tiles are files side by side \\(name"
    ):
        adopted(folder_site, "landsat", tmp_path / "catalogue")


def test_that_keys_that_are_other_numbers_are_refused(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("counted", dict(enumerate(own.values())))
    with pytest.raises(DatasetError, match="not places on a Z-order curve: tile 0, 0 "):
        adopted(folder_site, "counted", tmp_path / "one")
    folder_site.write("spread", {0: b"a", z_order(10_000, 10_000): b"b"})
    with pytest.raises(DatasetError, match="there would be 100,020,001 places for 2 of them"):
        adopted(folder_site, "spread", tmp_path / "two")


@pytest.mark.parametrize(
    ("shape", "cells"), [({"cells": "ints"}, "ints"), ({"cells": "bytes"}, "bytes")]
)
def test_that_both_forms_of_bands_are_recognised(
    folder_site: Site, tmp_path: Path, shape: dict[str, Any], cells: str
) -> None:
    folder_site.write("landsat", tiles(tmp_path / "origin", **shape))
    heading = heading_of(adopted(folder_site, "landsat", tmp_path / "catalogue").path)
    assert (heading.payload, heading.cells) == ("avro", cells)
    assert (heading.tile_size, heading.bands) == (16, 2)


def test_that_one_tile_in_another_encoding_makes_the_layer_one_of_bytes(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("mixed", own | {max(own): b"not deflated"})
    dataset = adopted(folder_site, "mixed", tmp_path / "catalogue")
    heading = heading_of(dataset.path)
    assert (heading.payload, heading.bands, heading.zoom) == (UNKNOWN, 0, 0)
    assert drive("tiles", dataset.path, **folder_site.values(depth="fetch")).clean


def test_that_an_adopted_layer_is_not_written_elsewhere(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("landsat", own)
    dataset = adopted(folder_site, "landsat", tmp_path / "catalogue")
    with pytest.raises(InvalidParameter, match="direction"):
        open_job("tiles", dataset.path, **folder_site.values(direction="write"))


def test_that_a_tile_that_is_a_link_out_of_its_layer_is_told_and_not_read(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("landsat", own)
    layer = Path(folder_site.address, "landsat")
    first, second, *_ = map(str, own)
    (layer / first).rename(layer / ".first")
    (layer / first).symlink_to(layer / ".first")
    adopted(folder_site, "landsat", tmp_path / "with a link within")
    (layer / second).rename(tmp_path / "secret")
    (layer / second).symlink_to(tmp_path / "secret")
    with pytest.raises(DatasetError, match=f"leads out of the folder, to {tmp_path / 'secret'}"):
        adopted(folder_site, "landsat", tmp_path / "catalogue")


def test_that_the_same_layer_in_two_stores_is_one_dataset(
    own: dict[int, bytes], tmp_path: Path
) -> None:
    found = set()
    for number in range(2):
        site = Site("file", str(tmp_path / f"store {number}"))
        site.write("landsat", own)
        found.add(adopted(site, "landsat", tmp_path / f"catalogue {number}").fingerprint)
    assert len(found) == 1


def test_that_catalogues_of_generated_layers_say_nothing_of_adoption(tmp_path: Path) -> None:
    tiles(tmp_path / "origin")
    told = (tmp_path / "origin" / "layer.json").read_bytes()
    assert b"adopted" not in told
    assert {"adopted"} < {*LayerHeading.__struct_fields__}


def test_that_a_list_of_several_pages_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    for variable in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(variable, "any-of-them")
    first, last = page(["5", "manifest"], more="token-1"), page(["1", "9"])
    with hostile() as server, Site("s3", server.address("s3")).opened("layer") as store:
        server.answers.extend([first, last])
        assert list(store.keys()) == [5, 1, 9]
        assert "prefix=data%2Flayer%2F" in server.asked[-1]
        assert "continuation-token=token-1" in server.asked[-1]


def page(names: list[str], more: str = "") -> Answer:
    """A page of a list as S3 writes it."""
    there = "".join(f"<Contents><Key>data/layer/{name}</Key></Contents>" for name in names)
    after = f"<NextContinuationToken>{more}</NextContinuationToken>" if more else ""
    cut = f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>"
    told = f"<ListBucketResult>{cut}{there}{after}</ListBucketResult>"
    return Answer(200, f'<?xml version="1.0" encoding="UTF-8"?>{told}'.encode())


def adoption(site: Site, name: str, folder: Path) -> Adoption:
    return Adoption("tile-layer", place_of_layer(site, name), folder)


def test_that_nothing_is_left_of_an_adoption_that_was_cancelled(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("landsat", own)
    cancel = Cancel()
    words = adoption(folder_site, "landsat", tmp_path / "out" / "it").run(cancel, stall=PATIENCE)
    try:
        assert next(words)
        cancel.request()
        with pytest.raises(NotAdoptedError):
            list(words)
    finally:
        cancel.close()
    assert list((tmp_path / "out").iterdir()) == []
    assert held(folder_site, "landsat", own)


def test_that_a_folder_with_something_in_it_is_refused(
    folder_site: Site, own: dict[int, bytes], tmp_path: Path
) -> None:
    folder_site.write("landsat", own)
    (tmp_path / "mine").write_text("mine")
    cancel = Cancel()
    try:
        with pytest.raises(UsageError, match="is not empty"):
            list(adoption(folder_site, "landsat", tmp_path).run(cancel, stall=PATIENCE))
    finally:
        cancel.close()
    assert (tmp_path / "mine").read_text() == "mine"


def run(dataset: Dataset, **values: Any) -> Any:
    load = {"duration": 0, "warm_up": 0, "threads": 2, "deadline": 600.0, "stall": PATIENCE}
    spec = specify("tiles", dataset, load | values)
    return one_trial(spec)


def test_that_the_command_adopts_a_layer_and_trials_read_it_where_it_is(
    folder_site: Site,
    own: dict[int, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    folder_site.write("landsat", own)
    out = tmp_path / "catalogue"
    where = ("--store", "file", "--address", folder_site.address)
    assert main(["dataset", "adopt", "tile-layer", *where, "--layer", "landsat", str(out)]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    dataset = open_dataset(out, ("tile-layer",))
    done = run(dataset, store="file", address=folder_site.address)
    assert done.outcome == Completed()
    assert (done.operations, done.wrong) == (24, 0)
    elsewhere = run(dataset, store="file", address=str(tmp_path / "elsewhere")).outcome
    assert isinstance(elsewhere, Failed)
    assert not (tmp_path / "elsewhere").exists()
    assert held(folder_site, "landsat", own)


def test_that_a_failed_command_says_why_and_leaves_nothing(
    folder_site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--store", "file", "--address", folder_site.address, "--layer", "landsat")
    assert main(["dataset", "adopt", "tile-layer", *where, str(tmp_path / "out")]) == 1
    assert "landsat cannot be used" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}


@pytest.mark.parametrize(
    "where",
    [
        ("--store", "s3"),
        ("--store", "s3", "--address", "/no/bucket"),
        ("--store", "s3", "--address", "s3://bucket?endpoint=ftp://host"),
    ],
    ids=" ".join,
)
def test_that_a_mistaken_address_is_a_mistake_in_using_the_command(
    where: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["dataset", "adopt", "tile-layer", *where, "--layer", "landsat", str(out)]) == 2
    assert "address: " in capsys.readouterr().err
    assert not out.exists()
