"""Layers as datasets: generated, recognised, and refused where they are damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import need_drivers

from core.catalog.local_datasets import make_dataset
from core.catalog.registry import open_dataset
from core.errors import DatasetError
from core.language.reporting import report_to_nobody
from workloads.tiles.layer_files import HEADING, INDEX, OBJECTS, Layer, place_of
from workloads.tiles.make_layer import make_layer
from workloads.tiles.tile_codec import Decoder, digest_of
from workloads.tiles.tile_datasets import LayerShape, TileLayer


@pytest.fixture(scope="module", autouse=True)
def _drivers() -> None:
    need_drivers("tiles")


def layer_of(folder: Path, **shape: object) -> Layer:
    folder.mkdir(exist_ok=True)
    values = {"columns": 4, "rows": 3, "tile_size": 8, "bands": 2, **shape}
    make_layer(LayerShape(**values), folder, report_to_nobody)  # type: ignore[arg-type]
    return Layer.open(folder)


@pytest.mark.parametrize(("payload", "cells"), [("avro", "bytes"), ("avro", "ints"), ("raw", "")])
def test_that_every_object_is_the_tile_that_the_catalogue_says(
    tmp_path: Path, payload: str, cells: str
) -> None:
    layer = layer_of(tmp_path, payload=payload, cells=cells or "bytes", holes=0.25)
    decoder = Decoder(layer.heading.form)
    assert len(layer.placed) == layer.heading.tiles == 9
    for key, stored in layer.objects():
        tile = (
            decoder.split(stored) if payload == "raw" else decoder.decode(decoder.inflate(stored))
        )
        assert tile is not None
        assert digest_of([stored]) == layer.placed[key].stored
        assert digest_of(tile) == layer.placed[key].decoded
        assert tile.place == place_of(key)
    layer.close()


def test_that_holes_are_a_share_of_the_places_drawn_from_the_seed(tmp_path: Path) -> None:
    several = [
        layer_of(tmp_path / str(number), columns=10, rows=10, holes=0.3, seed=seed)
        for number, seed in enumerate((1, 1, 2))
    ]
    first, again, other = (set(layer.placed) for layer in several)
    assert len(first) == len(other) == 70
    assert first == again != other


def test_that_a_layer_is_never_empty(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, columns=1, rows=1, holes=0.9)
    assert len(layer.placed) == 1


def test_that_a_world_too_small_for_the_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="zoom"):
        layer_of(tmp_path, zoom=1)


def test_that_a_layer_reaches_to_the_edge_of_a_small_world(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, columns=4, rows=4, zoom=2, holes=0.0)
    assert set(layer.placed) == set(range(16))


def test_that_layers_of_the_same_tiles_have_the_same_digest_and_others_do_not(
    tmp_path: Path,
) -> None:
    digests = [
        layer_of(tmp_path / name, **shape).heading.digest  # type: ignore[arg-type]
        for name, shape in {
            "one": {},
            "again": {},
            "seed": {"seed": 2},
            "level": {"level": 1, "noise": 0},
            "holes": {"holes": 0.5},
        }.items()
    ]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def test_that_the_facts_of_a_layer_are_told(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, holes=0.5)
    facts = TileLayer().facts(tmp_path)
    assert (facts["tiles"], facts["holes"], facts["zoom"]) == (6, 6, 13)
    assert facts["bytes of objects"] == (tmp_path / OBJECTS).stat().st_size
    layer.close()


def cut_objects(folder: Path) -> None:
    path = folder / OBJECTS
    path.write_bytes(path.read_bytes()[:-1])


def swap_index(folder: Path) -> None:
    path = folder / INDEX
    path.write_bytes(path.read_bytes()[:-1] + b"\0")


def remove_objects(folder: Path) -> None:
    (folder / OBJECTS).unlink()


def spoil_heading(folder: Path) -> None:
    heading = json.loads((folder / HEADING).read_text())
    del heading["tiles"]
    (folder / HEADING).write_text(json.dumps(heading))


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (cut_objects, OBJECTS),
        (swap_index, INDEX),
        (remove_objects, OBJECTS),
        (spoil_heading, HEADING),
    ],
)
def test_that_a_damaged_layer_is_refused_with_the_file_that_is_wrong(
    tmp_path: Path, damage: Callable[[Path], None], named: str
) -> None:
    layer_of(tmp_path).close()
    damage(tmp_path)
    with pytest.raises(DatasetError, match=named):
        Layer.open(tmp_path)


def test_that_a_cut_layer_is_named_where_its_folder_is_opened(tmp_path: Path) -> None:
    layer_of(tmp_path).close()
    cut_objects(tmp_path)
    with pytest.raises(DatasetError, match=OBJECTS):
        open_dataset(tmp_path, ("tile-layer",))


def test_that_the_sample_is_small_and_the_default_as_published() -> None:
    kind = TileLayer()
    sample, default = kind.sample(), LayerShape()
    assert sample.columns * sample.rows * sample.tile_size**2 < 300_000
    assert (default.columns * default.rows, default.tile_size, default.bands) == (900, 256, 5)


def test_that_a_dataset_that_nobody_names_is_the_sample(cache: Path) -> None:
    from core.catalog.local_datasets import sample_dataset

    found = sample_dataset("tiles")
    assert found == make_dataset("tile-layer", TileLayer().sample())
