"""Files of others, from public packages: read right, or refused with the cause.

What is right says a decoder that is not under test: tifffile of rasters, pyfive of HDF5, a decoder
of Zarr 2 that stands here, SQLite of MBTiles, and the package of PMTiles.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import random
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driving import Driven, drive, need_drivers
from foreign_files import BY_NAME, FOREIGN, fetch_all, has_client, pyfive_wheel, unpacked

from core.language import SluiceError
from core.tell.cli import main
from workloads.tiles.tile_keys import GridPlace

pytestmark = pytest.mark.lab(FOREIGN)

WORK: dict[str, tuple[str, dict[str, Any]]] = {
    "raster": ("raster", {"access": "sequential", "window": 256, "windows": 10_000}),
    "zarr": ("arrays", {"pattern": "all"}),
    "hdf5": ("arrays", {"pattern": "all", "reader": "h5py"}),
    "netcdf": ("arrays", {"pattern": "all", "reader": "netcdf4"}),
    "mbtiles": ("tiles", {"store": "mbtiles", "depth": "fetch"}),
    "pmtiles": ("tiles", {"store": "pmtiles", "depth": "fetch"}),
}
"""How data of a kind is read."""
BY_END = {".nc": "netcdf", ".h5": "hdf5", ".h5ad": "hdf5", ".mbtiles": "mbtiles"} | {
    ".pmtiles": "pmtiles",
    ".tif": "raster",
    ".tiff": "raster",
}

LOSSLESS = (1, 5, 8, 32773, 32946, 34925, 50000)
"""Compressions of TIFF; of the others decoders may round differently."""
ZARR = (".zgroup", ".zarray", "zarr.json")


@pytest.fixture(autouse=True)
def drivers() -> None:
    need_drivers("raster")
    need_drivers("arrays", reader="zarr")
    need_drivers("arrays", reader="netcdf4")
    need_drivers("tiles", store="pmtiles")


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a package's files; do not change them."""
    folder = tmp_path_factory.mktemp("foreign")

    def of(name: str) -> Path:
        place = folder / name.replace("/", "-")
        return place if place.exists() else unpacked(BY_NAME[name], folder)

    return of


def datasets_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Kind and path of all that a package has; of Zarr the outermost folders."""
    for path in sorted(folder.rglob("*")):
        if kind := BY_END.get(path.suffix.lower()):
            yield kind, path
        elif path.name in ZARR and not any(
            (above / name).exists() for above in path.parents[1:] for name in ZARR
        ):
            yield "zarr", path.parent


def read(kind: str, path: Path) -> Driven:
    work, values = WORK[kind]
    return drive(work, path, **values)


def outcome_of(kind: str, path: Path) -> str:
    """Whether it is right; else why it was refused, or what is wrong with it."""
    try:
        driven = read(kind, path)
    except SluiceError as refusal:
        return f"refused: {refusal.cause}"
    if not driven.clean:
        return f"named: {'; '.join(map(str, [*driven.errors, *driven.complaints]))}"
    return RIGHT[WORK[kind][0]](path, driven)


def as_tifffile(path: Path, driven: Driven) -> str:
    import tifffile

    with tifffile.TiffFile(path) as file:
        page: Any = file.pages[0]
        pixels = page.asarray()
        lossy = page.compression not in LOSSLESS
        if page.imagedepth > 1:  # of which GDAL reads the first
            pixels = pixels[0]
        if pixels.ndim == 2:
            pixels = pixels[None]
        elif page.planarconfig == 1:
            pixels = np.moveaxis(pixels, -1, 0)
    seen = np.zeros(pixels.shape[1:], bool)
    for item, value in driven.results:
        x, y, columns, rows = window = driven.job._expected[item].window
        place = slice(y, y + rows), slice(x, x + columns)
        seen[place] = True
        expected = pixels[:, *place].astype(value.dtype)
        same = np.allclose(expected, value, 0, 2) if lossy else equal(expected, value)
        if not same:
            return f"wrong in {window}"
    return "right" if seen.all() else "not all was read"


def equal(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def cells_as_decoded(path: Path, driven: Driven) -> str:
    array = driven.job.reader.array
    cells = zarr_2(path / array.name) if path.is_dir() else hdf5(path, array.name)
    if cells is None:
        return "read as by another library"
    seen = 0
    for region, value in driven.results:
        seen += value.size
        if not equal(cells[region], value):
            return f"wrong in {region}"
    return "right" if seen == cells.size else "not all was read"


def hdf5(path: Path, name: str) -> Any:
    """Cells as Python alone decodes them; None where it cannot."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(pyfive_wheel()))
        import pyfive

        try:
            return pyfive.File(io.BytesIO(path.read_bytes()))[name][...]
        except (NotImplementedError, IndexError):
            return None


def zarr_2(folder: Path) -> Any:
    """Cells of an array of Zarr 2; None of Zarr 3."""
    import numcodecs

    if not (folder / ".zarray").exists():
        return None
    form = json.loads((folder / ".zarray").read_text("utf-8"))
    shape, chunks, order = form["shape"], form["chunks"], form["order"]
    codecs = [one for one in (form["compressor"], *reversed(form["filters"] or ())) if one]
    cells = np.full(shape, 0 if form["fill_value"] is None else form["fill_value"], form["dtype"])
    for index in np.ndindex(*map(math.ceil, np.divide(shape, chunks))):
        file = folder / form.get("dimension_separator", ".").join(map(str, index))
        if file.exists():
            data: Any = file.read_bytes()
            for codec in codecs:
                data = numcodecs.get_codec(codec).decode(data)
            chunk = np.frombuffer(data, form["dtype"]).reshape(chunks, order=order)
            start = np.multiply(index, chunks)
            stop = np.minimum(start + chunks, shape)
            cells[tuple(map(slice, start, stop))] = chunk[tuple(map(slice, stop - start))]
    return cells


def as_in_archive(path: Path, driven: Driven) -> str:
    places = mbtiles(path) if path.suffix == ".mbtiles" else pmtiles(path)
    for key, tile in driven.results:
        place = GridPlace.of(key)
        if places.get((place.zoom, place.column, place.row)) != tile:
            return f"wrong in {place}"
    return "right"


def mbtiles(path: Path) -> dict[tuple[int, int, int], bytes]:
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
        return {(z, x, 2**z - 1 - y): tile for z, x, y, tile in rows}


def pmtiles(path: Path) -> dict[tuple[int, int, int], bytes]:
    """The tiles of an archive without leaves; the package's reader wants directories in gzip."""
    from pmtiles.tile import (
        Compression,
        deserialize_directory,
        deserialize_header,
        tileid_to_zxy,
    )

    content = path.read_bytes()
    header: Any = deserialize_header(content[:127])
    root = content[header["root_offset"] :][: header["root_length"]]
    if header["internal_compression"] is Compression.NONE:
        root = gzip.compress(root)
    data = content[header["tile_data_offset"] :]
    return {
        tileid_to_zxy(entry.tile_id + number): data[entry.offset :][: entry.length]
        for entry in deserialize_directory(root)
        for number in range(entry.run_length)
    }


RIGHT = {"raster": as_tifffile, "arrays": cells_as_decoded, "tiles": as_in_archive}

NO_NUMBERS = "has no array of numbers$"
REFUSED = {
    "anndata": {
        NO_NUMBERS: "v0.11.4/adata.h5ad v0.11.4/adata.zarr",
        "netcdf4 does not read .*: Filter error: undefined filter": "v0.7.0/adata.h5ad",
    },
    "async-tiff": {
        "missing codec JXL": "uint8_1band_jxl_block64.tif",
        "GDAL and tifffile read .* differently, window": "cmyk-3c-8b.tiff tiled-cmyk-i8.tif",
        "SGILOG: 34676> not supported": "logluv-3c-16b.tiff",
    },
    "imagecodecs": {
        "missing codec": "jpeg2000.u1.tif jpegxl.u1.tif jpegxr.u1.tif png.u1.tif",
        "GDAL and tifffile read .* differently, window": "rgb_u2_jpeg.tif rgb_u2_jpegll.tif",
    },
    "netCDF4": {
        "does not begin as NetCDF 4 does": "CRM032_test1.nc netcdf_dummy_file.nc ubyte.nc",
    },
    "tables": {
        NO_NUMBERS: "Table2_1_lzo_nrv2e_shuffle.h5 Tables_lzo1.h5 Tables_lzo1_shuffle.h5 "
        "Tables_lzo2.h5 Tables_lzo2_shuffle.h5 array_mdatom.h5 bug-idx.h5 elink.h5 elink2.h5 "
        "flavored_vlarrays-format1.6.h5 issue_368.h5 issue_560.h5 itemsize.h5 "
        "nested-type-with-gaps.h5 non-chunked-table.h5 out_of_order_types.h5 scalar.h5 "
        "smpl_compound_chunked.h5 smpl_unsupptype.h5 time-table-vlarray-1_x.h5 "
        "times-nested-be.h5 vlstr_attr.h5 vlunicode_endian.h5 zerodim-attrs-1.3.h5 "
        "zerodim-attrs-1.4.h5",
        "netcdf4 does not read .*: Filter error: undefined filter": "b2nd-no-chunkshape.h5",
        "no array of numbers named 'longdouble'": "float.h5",
        "makes netCDF4 crash: its texts _i_table1/var1/": "indexes_2_0.h5 indexes_2_1.h5",
    },
    "yaozarrs": {"labels/zarr.json is damaged or of another version": "broken_v05.ome.zarr"},
    "zarr": {
        NO_NUMBERS: "14/5 15/5 utf8attrs",
        "tensorstore does not read .*Expected boolean, but received: 0$": "17/5",
    },
    "mbtiles": {"is damaged: database disk image is malformed": "corrupt.mbtiles"},
}
"""What says why, and the ends of the paths of what is refused so."""
UNCHECKED = ("blosc_bigendian.h5", "ex-noattr.h5", "test_szip.h5")
"""What pyfive does not read; h5py and netCDF4 read the same."""
COUNTS = {
    "anndata": {"hdf5": 4, "zarr": 3},
    "async-tiff": {"raster": 86},
    "imagecodecs": {"raster": 75},
    "mapproxy": {"mbtiles": 1},
    "netCDF4": {"netcdf": 8},
    "ome-zarr": {"zarr": 2},
    "rasterstats": {"raster": 5},
    "smellman-mbutil": {"mbtiles": 2},
    "tables": {"hdf5": 47},
    "yaozarrs": {"zarr": 1},
    "zarr": {"zarr": 42},
    "mbtiles": {"mbtiles": 5},
    "github.com/protomaps/go-pmtiles": {"pmtiles": 2},
}


def expected_of(package: str, path: Path) -> str:
    for sentence, ends in REFUSED.get(package, {}).items():
        if any(str(path).endswith(end) for end in ends.split()):
            return f"refused: .*{sentence}"
    if path.name == "blosc_bigendian.h5":
        # netCDF4 brings the filter along, which h5py finds only if it was not loaded before.
        return "(read as by another library|named: .*can't open directory)"
    return "read as by another library" if path.name in UNCHECKED else "right"


def programs(name: str) -> list[pytest.MarkDecorator]:
    client = BY_NAME[name].client
    return [] if client == "pip" else [pytest.mark.tool(client)]


@pytest.mark.parametrize("name", [pytest.param(one, marks=programs(one)) for one in COUNTS])
def test_that_files_of_others_are_read_right_or_refused_with_the_cause(
    package: Callable[[str], Path], name: str
) -> None:
    datasets = list(datasets_in(package(name)))
    assert Counter(kind for kind, _ in datasets) == COUNTS[name]
    outcomes = {path: outcome_of(kind, path) for kind, path in datasets}
    others = {
        path: outcome
        for path, outcome in outcomes.items()
        if not re.search(rf"^{expected_of(name, path)}", outcome)
    }
    assert others == {}


def test_that_overviews_of_others_are_read(package: Callable[[str], Path]) -> None:
    work, values = WORK["raster"]
    import tifffile

    seen = 0
    for path in (package("async-tiff") / "fixtures/geotiff-test-data").rglob("*.tif"):
        with tifffile.TiffFile(path) as file:
            pages: Any = list(file.pages)
        if "jxl" not in path.name and any(
            page.is_reduced and not page.is_mask for page in pages[1:]
        ):
            driven = drive(work, path, **values, level=1)
            assert driven.clean, path
            seen += 1
    assert seen == 23


@pytest.mark.tool("npm")
def test_that_archives_that_the_package_of_pmtiles_converts_are_read(
    package: Callable[[str], Path], tmp_path: Path
) -> None:
    from pmtiles.convert import mbtiles_to_pmtiles

    for path in (package("mbtiles") / "test/fixtures").glob("plain_[12].mbtiles"):
        source = tmp_path / path.name
        shutil.copy(path, source)
        with closing(sqlite3.connect(source)) as file, file:  # which it wants to know
            file.execute(
                "INSERT INTO metadata VALUES ('format', 'png'), ('minzoom', 0), ('maxzoom', 4)"
            )
        archive = source.with_suffix(".pmtiles")
        mbtiles_to_pmtiles(str(source), str(archive), maxzoom=None)
        assert outcome_of("pmtiles", archive) == "right"


DAMAGED = (
    ("async-tiff", "fixtures/geotiff-test-data/real_data/nlcd/nlcd_landcover.tif"),
    ("async-tiff", "fixtures/geotiff-test-data/real_data/eox/eox_cloudless.tif"),
    ("async-tiff", "fixtures/image-tiff/tiled-jpeg-rgb-u8.tif"),
    ("netCDF4", "test/20171025_2056.Cloud_Top_Height.nc"),
    ("anndata", "tests/data/archives/v0.5.0/adata.h5ad"),
    ("ome-zarr", "tests/data/v2"),
    ("zarr", "fixture/19/1"),
    ("smellman-mbutil", "test/data/one_tile.mbtiles"),
    pytest.param(
        "github.com/protomaps/go-pmtiles",
        "pmtiles/fixtures/test_fixture_1.pmtiles",
        marks=pytest.mark.tool("go"),
    ),
)


@pytest.fixture
def copy(
    package: Callable[[str], Path], name: str, file: str, tmp_path: Path
) -> tuple[str, Path, Path]:
    """Kind and path of a copy, and the file in it that holds its cells."""
    there = package(name) / file
    place = tmp_path / there.name
    if there.is_file():
        shutil.copy(there, place)
        return BY_END[there.suffix], place, place
    shutil.copytree(there, place)
    files = (one for one in place.rglob("*") if one.is_file() and not one.name.startswith("."))
    return "zarr", place, max(files, key=lambda one: one.stat().st_size)


@pytest.mark.parametrize(("name", "file"), DAMAGED)
def test_that_a_file_of_others_that_was_cut_is_named(copy: tuple[str, Path, Path]) -> None:
    kind, path, holding = copy
    content = holding.read_bytes()
    for size in (len(content) * 2 // 3, len(content) // 3, 100, 0):
        holding.write_bytes(content[:size])
        outcome = outcome_of(kind, path)
        assert re.match("refused|named", outcome), (size, outcome)
        assert "\n" not in outcome


@pytest.mark.parametrize(("name", "file"), DAMAGED)
def test_that_flipped_bytes_in_files_of_others_are_named_or_read_as_another_decoder_reads_them(
    copy: tuple[str, Path, Path],
) -> None:
    kind, path, holding = copy
    content = holding.read_bytes()
    drawn = random.Random(64)
    for _ in range(10):
        at = drawn.randrange(len(content))
        holding.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        outcome = outcome_of(kind, path)
        assert re.match("refused|named|right", outcome), (at, outcome)


SENTENCES = (
    ("async-tiff", "fixtures/geotiff-test-data/real_data/eox/eox_cloudless.tif", ""),
    ("netCDF4", "test/issue671.nc", ""),
    ("zarr", "fixture/19/1", ""),
    ("smellman-mbutil", "test/data/one_tile.mbtiles", ""),
    ("tables", "tables/tests/indexes_2_1.h5", "makes netCDF4 crash: its texts"),
    ("async-tiff", "fixtures/image-tiff/logluv-3c-16b.tiff", "SGILOG: 34676> not supported"),
    ("netCDF4", "test/ubyte.nc", "converted by nccopy -4"),
    ("yaozarrs", "tests/data/broken/broken_v05.ome.zarr", "labels/zarr.json is damaged"),
)
"""Files, and what is said of those that are refused."""


@pytest.mark.parametrize(("name", "file", "sentence"), SENTENCES)
def test_that_a_command_measures_files_of_others_or_says_why_not(
    package: Callable[[str], Path],
    name: str,
    file: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = package(name) / file
    work, _ = WORK[BY_END.get(path.suffix, "zarr")]
    short = ["--duration", "0", "--repeats", "1", "--no-floor"]
    code = main(["measure", work, "--dataset", str(path), *short])
    shown = "".join(capsys.readouterr())
    assert (code == 0) is not bool(sentence), shown
    assert sentence in " ".join(shown.split())
    assert "Traceback" not in shown


if __name__ == "__main__":  # by hand: what becomes of each
    fetch_all()
    for name in COUNTS:
        if has_client(BY_NAME[name]):
            for kind, path in datasets_in(unpacked(BY_NAME[name], Path(sys.argv[1]))):
                print(kind, path, outcome_of(kind, path))
