"""Windows of rasters: right whatever the file is like, and counted as the server counts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import copied, drive, need_drivers, open_job, printed_by
from hostile_server import HostileServer, hostile
from patience import PATIENCE, until

from core.lab.kits import kit_of
from core.lab.recipe import Server, Site
from core.lab.server_processes import RunningServer
from core.lab.server_table import free_ports
from core.lab.servers.http import HTTP
from core.language import DatasetError, InvalidParameter, SluiceError, report_to_nobody
from core.measure import Supervisor
from core.vocabulary import Dataset, build, dataset_kind, open_dataset
from workloads.raster import gdal
from workloads.raster.raster_datasets import RasterShape, write_raster


@pytest.fixture(autouse=True)
def _drivers() -> None:
    need_drivers("raster", store="http")


@pytest.fixture(scope="module")
def cog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cloud-optimised raster of 1,000 × 700 pixels with overviews."""
    need_drivers("raster")
    return written(tmp_path_factory.mktemp("cog") / "it's.tif", block_size=128)


def written(path: Path, **shape: Any) -> Path:
    values = {"width": 1000, "height": 700, "bands": 2} | shape
    write_raster(build(RasterShape, values), path, report_to_nobody)
    return path


@pytest.fixture
def server(cog: Path) -> Iterator[HostileServer]:
    with hostile() as server:
        server.objects["/raster.tif"] = cog.read_bytes()
        yield server


def address_of(server: HostileServer) -> str:
    return f"{server.url}/raster.tif"


FEW = {"windows": 20, "window": 100}


@pytest.mark.parametrize("access", ["random", "grid", "sequential"])
@pytest.mark.parametrize("handles", ["own", "each", "locked"])
def test_that_windows_are_right_however_a_raster_is_opened(
    cog: Path, access: str, handles: str
) -> None:
    driven = drive("raster", cog, threads=2, access=access, handles=handles, level=1, **FEW)
    assert driven.clean, driven.complaints + driven.errors
    assert len(driven.results) == 20


@pytest.mark.parametrize(
    ("layout", "compress"),
    [
        ("cog", "zstd"),
        ("tiled", "lzw"),
        ("tiled", "none"),
        ("striped", "deflate"),
        ("striped", "none"),
    ],
)
def test_that_every_layout_and_compression_is_read(
    tmp_path: Path, layout: str, compress: str
) -> None:
    path = written(tmp_path / "x.tif", layout=layout, compress=compress, width=600, height=90)
    job = open_job("raster", path)
    told = " ".join(job.notes)
    job.close()
    assert ("not cloud-optimised" in told) is (layout != "cog")
    assert drive("raster", path, decode_threads=2, **FEW).clean


FOREIGN: dict[str, dict[str, Any]] = {
    "bits": {"dtype": "bool"},
    "signed bytes": {"dtype": "int8"},
    "whole numbers": {"dtype": "int16", "byteorder": ">"},
    "floats": {"dtype": "float32", "compression": "zlib", "predictor": 3},
    "halves": {"dtype": "float16"},
    "doubles in BigTIFF": {"dtype": "float64", "bigtiff": True},
    "complex": {"dtype": "complex64"},
    "strips of some rows": {"dtype": "uint8", "rowsperstrip": 7, "compression": "lzw"},
    "tiles": {"dtype": "uint16", "tile": (16, 32), "compression": "zlib", "predictor": 2},
    "packbits": {"dtype": "uint8", "compression": "packbits"},
    "lzma": {"dtype": "uint8", "tile": (32, 32), "compression": "lzma"},
    "bands apart": {"dtype": "uint8", "bands": 3, "planarconfig": "separate", "tile": (16, 16),
                    "photometric": "minisblack"},
    "bands together": {"dtype": "uint16", "bands": 3, "planarconfig": "contig", "tile": (16, 16),
                       "photometric": "minisblack"},
    "palette": {"dtype": "uint8", "photometric": "palette"},
    "white is zero": {"dtype": "uint8", "photometric": "miniswhite"},
    "JPEG": {"dtype": "uint8", "tile": (64, 64), "compression": "jpeg"},
    "JPEG of colours": {"dtype": "uint8", "bands": 3, "tile": (64, 64), "compression": "jpeg",
                        "planarconfig": "contig", "photometric": "rgb"},
    "WebP": {"dtype": "uint8", "bands": 3, "tile": (64, 64), "compression": "webp",
             "planarconfig": "contig", "photometric": "rgb"},
}  # fmt: skip
"""Rasters as another program writes them."""


@pytest.mark.parametrize("name", FOREIGN)
def test_that_rasters_of_others_are_read(tmp_path: Path, name: str) -> None:
    path = foreign(tmp_path / "x.tif", **FOREIGN[name])
    driven = drive("raster", path, threads=2, **FEW)
    assert driven.clean, driven.complaints + driven.errors


def foreign(path: Path, dtype: str, bands: int = 1, **form: Any) -> Path:
    import numpy as np
    import tifffile

    apart = form.get("planarconfig") == "separate"
    shape = (150, 120) if bands == 1 else (bands, 150, 120) if apart else (150, 120, bands)
    drawn = np.random.Generator(np.random.PCG64(4)).integers(
        0, 2 if dtype == "bool" else 120, shape
    )
    pixels = np.sort(drawn, axis=0 if bands == 1 else -2).astype(dtype)
    if form.get("photometric") == "palette":
        form["colormap"] = np.arange(768, dtype=np.uint16).reshape(3, 256)
    byteorder, big = form.pop("byteorder", "<"), form.pop("bigtiff", False)
    with tifffile.TiffWriter(path, byteorder=byteorder, bigtiff=big) as writer:
        writer.write(pixels, **form)
    return path


def cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def without_directory(content: bytes) -> bytes:
    return content[:4] + (len(content) + 999).to_bytes(4, "little") + content[8:]


def strange_compression(content: bytes) -> bytes:
    return content.replace(
        b"\x03\x01\x03\x00\x01\x00\x00\x00\x08\x00", b"\x03\x01\x03\x00\x01\x00\x00\x00\x99\x09"
    )


def flipped(content: bytes) -> bytes:
    middle = len(content) * 2 // 3
    return (
        content[:middle]
        + bytes(byte ^ 0x55 for byte in content[middle : middle + 4000])
        + content[middle + 4000 :]
    )


@pytest.mark.parametrize("damage", [cut, without_directory, strange_compression, flipped])
def test_that_a_damaged_raster_is_named_with_the_reason(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = written(tmp_path / "x.tif", layout="tiled")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DatasetError, match=r"x\.tif cannot be decoded: .") as refused:
        open_job("raster", path, windows=1000)
    assert "\n" not in str(refused.value)


def test_that_a_block_damaged_after_it_was_looked_at_is_an_error_with_gdals_reason(
    tmp_path: Path,
) -> None:
    path = written(tmp_path / "x.tif", layout="tiled")
    job = open_job("raster", path, access="sequential", window=512)
    path.write_bytes(flipped(path.read_bytes()))
    complaints = []
    with job.worker(0) as (step,):
        for item in job.items:
            try:
                complaints.append(job.check(item, step.perform(item)))
            except SluiceError as error:
                complaints.append(str(error))
    job.close()
    assert any("TIFF" in one or "ZIP" in one.upper() for one in complaints), complaints


def test_that_an_overview_that_is_not_there_is_refused_with_how_many_there_are(cog: Path) -> None:
    with pytest.raises(DatasetError, match="has 3 overviews, and 9 is wanted"):
        open_job("raster", cog, level=9)


@pytest.mark.parametrize("distance", [{}, {"round_trip": 0.001}], ids=["near", "far"])
def test_that_requests_and_bytes_are_those_that_the_server_counts(
    cog: Path, server: HostileServer, distance: dict[str, float]
) -> None:
    job = open_job("raster", cog, store="http", address=address_of(server), **FEW, **distance)
    passed = []
    with job.worker(0) as (step,):
        for _ in range(2):
            job.rewind()
            before, bodies = job.counts_so_far(), gdal.counts().bytes
            asked, sent = len(server.asked), server.sent
            results = [step.perform(item) for item in job.items]
            counted = {name: job.counts_so_far()[name] - before[name] for name in before}
            sent = server.sent - sent
            assert counted["requests"] == len(server.asked) - asked
            assert gdal.counts().bytes - bodies == sent
            assert sent < counted["wire bytes"] < 1.1 * sent
            # By which a proxy that takes a whole core is known.
            assert (counted.pop("proxy seconds", 0) > 0) is bool(distance)
            assert not any(map(job.check, job.items, results))
            passed.append(counted)
    assert job.counters()["requests to open"] == 2
    job.close()
    assert passed[0] == passed[1]
    assert 0 < passed[0]["wanted bytes"] <= 2 * passed[0]["wire bytes"]


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Server]:
    """That of the lab, which takes a copy and logs each request."""
    (tmp_path / "site").mkdir()
    ports, options = free_ports(["main"]), {"access_log": True}
    site = Site(
        folder=tmp_path / "site", logs=tmp_path / "logs", ports=ports, secrets={}, options=options
    )
    server = HTTP.start(kit_of(HTTP, report_to_nobody), site)
    with Supervisor() as supervisor:
        running = RunningServer(server, supervisor, site=site, secrets={}, tell_ended=lambda: None)
        try:
            running.wait_until_ready(PATIENCE, lambda: False)
            yield server
        finally:
            running.stop()


@pytest.mark.lab("http")
@pytest.mark.parametrize("handles", ["own", "each"])
def test_that_a_copy_on_nginx_is_read_by_the_requests_and_bytes_of_its_log(
    cog: Path, nginx: Server, handles: str
) -> None:
    assert nginx.status is not None
    job = open_job("raster", cog, store="http", address=nginx.address, handles=handles, **FEW)
    with job.worker(0) as (step,):
        job.rewind()
        logged, before = nginx.status(), job.counts_so_far()
        for item in job.items:
            assert job.check(item, step.perform(item)) == ""
        after = job.counts_so_far()
        log = nginx.status
        for name in ("requests", "wire bytes", "sent bytes"):
            until(lambda: log()[name] - logged[name] == after[name] - before[name])  # noqa: B023
    job.close()


def test_that_no_pass_lives_on_what_an_earlier_one_has_fetched(
    cog: Path, server: HostileServer
) -> None:
    job = open_job("raster", cog, store="http", address=address_of(server), file_cache=True, **FEW)
    with job.worker(0) as (step,):
        job.rewind()
        counted = []
        for _ in range(2):
            before = len(server.asked)
            for item in job.items:
                step.perform(item)
            counted.append(len(server.asked) - before)
    job.close()
    assert counted[1] >= counted[0] > 5


def test_that_a_raster_that_is_not_cloud_optimised_says_what_it_costs_to_open(
    tmp_path: Path,
) -> None:
    path = written(tmp_path / "x.tif", layout="striped")
    with hostile() as server:
        server.objects["/raster.tif"] = path.read_bytes()
        job = open_job("raster", path, store="http", address=address_of(server), **FEW)
        (note,) = job.notes
        job.close()
    assert re.match(r"not cloud-optimised: it is striped; .*: \d+ requests? to open$", note)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("wrong keys", "403"),
        ("absent", "not found|404"),
        ("busy", "503"),
        ("redirect loop", "sends on to other addresses"),
        ("whole", "range|Range"),
        ("other range", "another range than it was asked for"),
        ("killed", "."),
    ],
)
def test_that_a_hostile_server_is_told_in_one_sentence(
    cog: Path, server: HostileServer, fault: str, said: str
) -> None:
    server.fault = fault
    if fault == "absent":
        server.objects.clear()
    with pytest.raises(SluiceError, match=said) as refused:
        open_job("raster", cog, store="http", address=address_of(server), timeout=5.0, **FEW)
    assert "\n" not in str(refused.value)
    assert address_of(server) in str(refused.value)


def test_that_no_address_and_one_that_is_none_are_refused(cog: Path) -> None:
    for address, said in [("", "needs an address"), ("ftp://here/x.tif", "no address of a web")]:
        with pytest.raises(InvalidParameter, match=said):
            open_job("raster", cog, store="http", address=address)


def test_that_facts_say_what_a_raster_is_and_a_text_named_tif_is_none(
    cog: Path, tmp_path: Path
) -> None:
    facts = dataset_kind("raster").facts(cog)
    assert facts["pixels"] == "1,000 × 700 × 2 uint16"
    assert (facts["layout"], facts["overviews"]) == ("cloud-optimised", 3)
    (tmp_path / "x.tif").write_text("no raster")
    with pytest.raises(DatasetError, match="does not begin as TIFF does"):
        open_dataset(tmp_path / "x.tif", ("raster",))


@pytest.mark.parametrize(
    "values",
    [{}, {"handles": "each", "access": "grid"}, {"handles": "locked", "access": "sequential"},
     {"level": 1, "block_cache": 1 << 28, "decode_threads": 2}],
)  # fmt: skip
def test_that_copied_code_reads_the_same(cog: Path, values: dict[str, Any]) -> None:
    dataset: Dataset = open_dataset(cog, ("raster",))
    driven = drive("raster", cog, **FEW, **values)
    code = copied("raster", dataset, **FEW, **values)["Python"]
    size = sum(pixels.nbytes for _, pixels in driven.results)
    assert printed_by(code) == f"{size} bytes"


def test_that_copied_code_makes_the_same_requests(cog: Path, server: HostileServer) -> None:
    values = {"store": "http", "address": address_of(server), **FEW}
    job = open_job("raster", cog, **values)
    with job.worker(0) as (step,):
        job.rewind()
        before = len(server.asked)
        for item in job.items:
            step.perform(item)
    opening = job.counters()["requests to open"]
    job.close()
    measured = len(server.asked) - before
    server.asked.clear()
    code = copied("raster", open_dataset(cog, ("raster",)), threads=1, **values)["Python"]
    printed_by(code)
    assert len(server.asked) == opening + measured
