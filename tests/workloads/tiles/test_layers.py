"""Layers as datasets: generated, recognised, and refused where they are damaged."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from driving import need_drivers
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import DatasetError, SluiceError, report_to_nobody
from core.measure import make_dataset
from core.vocabulary import open_dataset
from workloads.tiles.layer_catalogue import HEADING, INDEX, OBJECTS, Layer
from workloads.tiles.make_layer import LayerShape, cut_from, make_layer, terrain
from workloads.tiles.tile_codec import Decoder, Tile, TileForm, digest_of, encode, tile_of
from workloads.tiles.tile_datasets import TileLayer
from workloads.tiles.tile_keys import place_of, z_order


@pytest.fixture(scope="module", autouse=True)
def _drivers() -> None:
    need_drivers("tiles")


def layer_of(folder: Path, **shape: object) -> Layer:
    folder.mkdir(exist_ok=True)
    values = {"columns": 4, "rows": 3, "tile_size": 8, "bands": 2, **shape}
    make_layer(LayerShape(**values), folder, report_to_nobody)  # type: ignore[arg-type]
    return Layer.open(folder)


@pytest.mark.parametrize("repeat", [0, 2])
@pytest.mark.parametrize(("payload", "cells"), [("avro", "bytes"), ("avro", "ints"), ("raw", "")])
def test_that_every_object_is_the_tile_that_the_catalogue_says(
    tmp_path: Path, payload: str, cells: str, repeat: int
) -> None:
    shape = {"payload": payload, "cells": cells or "bytes", "repeat": repeat}
    layer = layer_of(tmp_path, holes=0.25, **shape)
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


def test_that_imagery_repeats_and_places_do_not(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, columns=4, rows=4, holes=0.0, repeat=2)
    decoder = Decoder(layer.heading.form)
    tiles = [decoder.decode(decoder.inflate(stored)) for _, stored in layer.objects()]
    assert len({tile[1:] for tile in tiles if tile}) == 4
    assert len({tile.place for tile in tiles if tile}) == 16
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
    from core.measure.local_datasets import sample_dataset

    found = sample_dataset("tiles")
    assert found == make_dataset("tile-layer", TileLayer().sample())


places = st.integers(0, 2**32 - 1)
bands = st.lists(st.binary(min_size=128, max_size=128), min_size=1, max_size=4)


def decoded(stored: bytes | None, form: TileForm) -> Tile | None:
    decoder = Decoder(form)
    if form.payload == "raw":
        return decoder.split(stored)
    return decoder.decode(decoder.inflate(stored))


@given(places, places)
def test_that_a_key_has_the_bits_of_column_and_row_by_turns(column: int, row: int) -> None:
    key = z_order(column, row)
    assert f"{column:032b}" == f"{key:064b}"[1::2]
    assert f"{row:032b}" == f"{key:064b}"[0::2]
    assert place_of(key) == (column, row)


def test_that_neighbours_in_a_square_of_two_follow_each_other() -> None:
    assert [z_order(*place) for place in ((2, 4), (3, 4), (2, 5), (3, 5))] == [36, 37, 38, 39]


@settings(deadline=None)
@given(
    st.integers(0, 2**13 - 1),
    st.integers(0, 2**13 - 1),
    bands,
    st.sampled_from([("avro", "bytes"), ("avro", "ints"), ("raw", "bytes")]),
    st.integers(1, 9),
)
def test_that_a_tile_is_decoded_as_it_was_encoded(
    column: int, row: int, found: Sequence[bytes], kind: tuple[str, str], level: int
) -> None:
    form = TileForm(*kind, level, 8, len(found))
    tile = tile_of(13, column, row, found)
    stored = encode(tile, form)
    again = decoded(stored, form)
    assert again == tile
    assert again is not None
    assert (again.place, again.stored) == ((column, row), len(stored))


@pytest.mark.parametrize("cells", ["bytes", "ints"])
def test_that_an_object_is_deflated_avro_that_any_reader_of_the_schema_reads(cells: str) -> None:
    """Decoded here by hand: blocks of one record, zigzag numbers, doubles, blocks of bands."""
    band = array("H", [1, 300, 65535, 7]).tobytes()
    stored = encode(tile_of(13, 1310, 3170, [band]), TileForm("avro", cells, 6, 2, 1))
    data = zlib.decompress(stored)
    records, at = zigzag(data, 0)
    column, at = zigzag(data, at)
    row, at = zigzag(data, at)
    count, at = zigzag(data, at + 4 * 8)
    columns, at = zigzag(data, at)
    rows, at = zigzag(data, at)
    length, at = zigzag(data, at)
    assert (records, column, row, count, columns, rows) == (1, 1310, 3170, 1, 2, 2)
    if cells == "bytes":
        assert (length, data[at : at + 8]) == (8, band)
        at += 8
    else:
        numbers = []
        for _ in range(length):
            number, at = zigzag(data, at)
            numbers.append(number)
        assert numbers == [1, 300, 65535, 7]
        assert data[at] == 0  # the end of the array
        at += 1
    assert data[at:] == b"\0\0"  # the ends of the bands and of the records


def zigzag(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 0x80:
            return (number >> 1) ^ -(number & 1), at


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 255))
def test_that_a_damaged_object_raises_or_gives_another_tile(place: int, byte: int) -> None:
    form = TileForm("avro", "bytes", 6, 8, 2)
    tile = tile_of(13, 5, 6, terrain(8, 2, 3, 1)(0, 0))
    stored = bytearray(encode(tile, form))
    place %= len(stored)
    same = stored[place] == byte
    stored[place] = byte
    try:
        found = decoded(bytes(stored), form)
    except Exception:  # noqa: BLE001 - whatever zlib and fastavro raise
        found = None
    assert (found == tile) <= same or zlib.decompress(stored) == zlib.decompress(encode(tile, form))


def test_that_a_hole_stays_a_hole() -> None:
    assert decoded(None, TileForm("avro", "bytes", 6, 8, 2)) is None
    assert decoded(None, TileForm("raw", "bytes", 6, 8, 2)) is None


def test_that_terrain_goes_on_across_the_border_of_tiles() -> None:
    whole = pixels(terrain(64, 1, 0, 7)(0, 0), 64)
    left, right = (pixels(terrain(32, 1, 0, 7)(column, 0), 32) for column in (0, 1))
    assert [row[:32] for row in whole[:32]] == left
    assert [row[32:] for row in whole[:32]] == right


def test_that_imagery_differs_by_seed_band_and_place_and_by_nothing_else() -> None:
    draw = terrain(16, 2, 3, 1)
    tiles = [*draw(0, 0), *draw(1, 0), *draw(0, 1), *terrain(16, 2, 3, 2)(0, 0)]
    assert len(set(tiles)) == len(tiles)
    assert draw(5, 9) == terrain(16, 2, 3, 1)(5, 9)


def test_that_deflate_halves_imagery_as_it_halves_real_one() -> None:
    found = b"".join(terrain(256, 5, 3, 1)(3, 4))
    assert 1.8 < len(found) / len(zlib.compress(found, 6)) < 2.2


def pixels(found: Sequence[bytes], width: int) -> list[list[int]]:
    numbers = array("H", found[0]).tolist()
    return [numbers[at : at + width] for at in range(0, len(numbers), width)]


@pytest.mark.real_data("tiles-real/lc8-utm-1-re.tif")
def test_that_tiles_are_cut_from_a_real_image_and_begin_again_at_its_edges(real_data: Path) -> None:
    tifffile = pytest.importorskip("tifffile")
    path = real_data / "tiles-real" / "lc8-utm-1-re.tif"
    image = tifffile.imread(path)
    planes = image if image.ndim == 3 else image[None]
    draw = cut_from(path, 16, 2)
    first = array("H", draw(0, 0)[0]).tolist()
    assert first[:16] == planes[0][0, :16].tolist()
    across = planes[0].shape[1]
    wrapped = array("H", draw(across, 0)[0]).tolist()
    assert wrapped == first


@pytest.mark.parametrize("compression", ["zlib", "lzw", "jpeg", "zstd"])
def test_that_an_image_is_cut_however_it_is_compressed(tmp_path: Path, compression: str) -> None:
    tifffile = pytest.importorskip("tifffile")
    if compression != "zlib":
        pytest.importorskip("imagecodecs")
    image = np.add.outer(np.arange(64), np.arange(64)).astype(np.uint8)
    tifffile.imwrite(tmp_path / "x.tif", image, compression=compression, tile=(16, 16))
    found = np.frombuffer(cut_from(tmp_path / "x.tif", 64, 1)(0, 0)[0], "<u2").reshape(64, 64)
    assert np.abs(found.astype(int) - image).max() <= (4 if compression == "jpeg" else 0)


def test_that_a_folder_that_is_named_as_an_image_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("tifffile")
    with pytest.raises(DatasetError, match="is a folder, and one image is wanted") as refused:
        cut_from(tmp_path, 64, 1)
    assert "Errno" not in str(refused.value)


def test_that_an_image_that_cannot_be_decoded_has_a_remedy(tmp_path: Path) -> None:
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "x.tif"
    tifffile.imwrite(path, np.zeros((16, 16), np.uint8))
    # A tag, a short, one of it: compression 1 is none, 5 is LZW, which this is not.
    entry = bytes.fromhex("0301 0300 01000000")
    assert path.read_bytes().count(entry + b"\1") == 1
    path.write_bytes(path.read_bytes().replace(entry + b"\1", entry + b"\5"))
    with pytest.raises(SluiceError) as refused:
        cut_from(path, 16, 1)
    assert 'EXTRAS="tiles"' in str(refused.value) or "COMPRESS=DEFLATE" in str(refused.value)


def test_that_what_is_no_image_is_refused_with_its_name(tmp_path: Path) -> None:
    pytest.importorskip("tifffile")
    path = tmp_path / "x.tif"
    path.write_bytes(b"II*\0 no image")
    with pytest.raises(DatasetError, match=r"x\.tif"):
        cut_from(path, 16, 1)
