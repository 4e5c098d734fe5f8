"""What a package holds: all of Sluice, what it requires, and nothing that nobody opens."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from loading import ON_WAYLAND, ROOT, packaging_module
from packaging.utils import canonicalize_name

from app.shell.launcher import LIBRARIES
from workloads.shared.objects import CLIENTS
from workloads.tiles.stores import STORES

contents = packaging_module("contents")
deb = packaging_module("deb")
make_package = packaging_module("make_package")


def test_that_every_module_of_sluice_is_packaged() -> None:
    modules = contents.own_modules()
    assert {"core.measure.trial.bootstrap", "core.lab.keeper", "app.__main__", "workloads.raw"} <= {
        *modules
    }
    for name in modules:
        place = ROOT.joinpath(*name.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def test_that_the_standard_library_is_packaged_for_modules_of_the_users_own() -> None:
    modules = {*contents.standard_modules()}
    assert {"wave", "xml.sax.handler", "zoneinfo", "concurrent.futures", "_sqlite3"} <= modules
    assert not {"tkinter", "test.support", "readline", "idlelib.run", "_testcapi"} & modules


def test_that_every_file_that_sluice_opens_is_packaged() -> None:
    data = {place.as_posix() for place in contents.own_data()}
    assert {
        "core/__init__.pyi",
        "resources/code/tiles_boto3.jinja",
        "resources/guide/01-first-steps.md",
        "resources/pictures/window.png",
        "resources/report/report.html",
        "resources/studies/seqrepo-fd-cache.toml",
        "resources/themes/dark.toml",
        "resources/translations/sluice_de.qm",
        "workloads/sparse/native/harness.cpp",
    } <= data
    assert any(place.startswith("workloads/tiles/stores/java/") for place in data)
    assert not [place for place in data if contents.is_left_out(place)]


@pytest.mark.parametrize(
    ("place", "left_out"),
    [
        ("botocore/data/s3/2006-03-01/service-2.json.gz", False),
        ("botocore/data/endpoints.json", False),
        ("botocore/data/ec2/2016-11-15/service-2.json.gz", True),
        ("boto3/data/ec2/2016-11-15/resources-1.json", True),
        ("awscli/botocore/data/sts/2011-06-15/service-2.json", False),
        ("awscli/examples/s3/sync.rst", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/translations/qtbase_fr.qm", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", True),
        ("pyarrow/libarrow.so.2200", False),
        ("pyarrow/libarrow_flight.so.2200", True),
        ("numpy/_core/tests/test_multiarray.pyc", True),
        ("numpy/testing/__init__.pyc", False),
        ("imagecodecs/imagecodecs.pyc", False),
        ("imagecodecs/_lerc.abi3.so", False),
        ("imagecodecs/_avif.abi3.so", True),
        ("scipy/optimize/_nnls.pyc", False),
        ("scipy/stats/_stats.cpython-312-x86_64-linux-gnu.so", True),
    ],
)
def test_that_only_what_is_used_is_packaged(place: str, left_out: bool) -> None:
    assert contents.is_left_out(place) is left_out


CODECS = r"""
import re, sys
import imagecodecs, tifffile.tifffile
source = open(tifffile.tifffile.__file__, encoding="utf-8").read()
for name in {"jpeg8_decode", *re.findall(r"imagecodecs\.(\w+_decode)", source)}:
    getattr(imagecodecs, name)
print(*(name for name in sys.modules if name.startswith("imagecodecs._")))
"""


def test_that_every_codec_that_an_image_may_need_is_packaged() -> None:
    pytest.importorskip("imagecodecs")
    loading = [sys.executable, "-c", CODECS]
    loaded = subprocess.run(loading, capture_output=True, text=True, check=True).stdout.split()
    assert {"imagecodecs._imcd", "imagecodecs._jpegxl", "imagecodecs._shared"} <= {*loaded}
    places = [f"{name.replace('.', '/')}.abi3.so" for name in loaded]
    assert not [place for place in places if contents.is_left_out(place)]


def test_that_an_edition_holds_what_its_extras_require_and_what_that_requires() -> None:
    core, whole = contents.required(contents.CORE), contents.required(contents.WHOLE)
    assert {"sluice", "click", "numpy", "pysam", "pyside6-essentials", "shiboken6"} <= {*core}
    assert {*core} < {*whole}
    assert {"pyarrow", "pod5", "lib-pod5", "boto3", "synapseclient"} <= {*whole} - {*core}
    assert {"cryptography", "secretstorage"} <= {*whole} - {*core}
    assert not {"pytest", "mypy", "ipython", "polars", "pyspark", "rasterio", "zarr"} & {*whole}


def test_that_the_whole_has_every_client_of_objects_and_store_of_tiles() -> None:
    drivers = {driver for one in (*CLIENTS, *STORES) for driver in one.drivers}
    needed = {canonicalize_name(driver.distribution) for driver in drivers}
    assert {"boto3", "s3fs", "obstore", "pmtiles"} <= needed
    # s3fs is fsspec's, which others require without use.
    assert {*needed, "fsspec", "aiobotocore"} <= {*contents.required(contents.WHOLE)}


def test_that_modules_of_nothing_required_are_excluded() -> None:
    unwanted = contents.unwanted_modules(contents.required(contents.WHOLE))
    assert {"pytest", "mypy", "hypothesis"} <= {*unwanted}
    assert not {"core", "app", "workloads", "resources", "numpy", "click"} & {*unwanted}


def test_that_a_packaged_file_is_known_by_the_distribution_it_comes_from() -> None:
    names = ("click", "numpy", "jaraco-context", "jaraco-functools")
    owners = contents.Owners({name: metadata.distribution(name) for name in names})
    assert owners.of("click/core.pyc") == "click"
    assert owners.of("numpy/made_by_a_hook.so") == "numpy"
    assert owners.of("jaraco/context/__init__.pyc") == "jaraco-context"
    assert owners.of("jaraco/of_nobody.pyc") is None
    assert owners.of("libz.so.1") is None


def test_that_no_metadata_says_where_something_was_installed() -> None:
    found = contents.metadata_files(metadata.distribution("sluice"))
    assert {file.name for file, _ in found} >= {"METADATA", "entry_points.txt"}
    assert not {"RECORD", "direct_url.json"} & {file.name for file, _ in found}


def packed(tree: Path) -> bytes:
    stream = io.BytesIO()
    make_package.write_tar(tree, stream, name="sluice-1", epoch=1_000_000)
    return stream.getvalue()


def test_that_an_archive_says_nothing_of_who_packed_it_and_when(tmp_path: Path) -> None:
    made = []
    for mask, age in ((0o022, 5), (0o077, 50)):
        tree = tmp_path / str(age)
        tree.mkdir()
        for name in ("b", "a", "program"):
            (tree / name).write_text(name)
        (tree / "program").chmod(0o777 & ~mask)
        (tree / "a").chmod(0o666 & ~mask)
        (tree / "link").symlink_to("program")
        for path in tree.iterdir():
            os.utime(path, (age, age), follow_symlinks=False)
        made.append(packed(tree))
    assert made[0] == made[1]
    assert b"sluice-1/program" in made[0]


LIMIT = make_package.LIMITS[contents.CORE.name]


def compare_with_limit(folder: Path, size: int, *, hold: bool) -> None:
    """As for an archive of so many megabytes, in which numpy is the largest part."""
    for place, megabytes in (
        ("archive", size),
        ("inside/numpy/all.so", 2),
        ("inside/libz.so.1", 1),
    ):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).touch()
        os.truncate(folder / place, megabytes * 1_000_000)
    places = (folder / "archive", folder / "inside")
    make_package.compare_with_limit(contents.CORE, *places, hold=hold)


def test_that_a_build_warns_of_too_large_an_archive_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compare_with_limit(tmp_path, LIMIT + 1, hold=False)
    first, *parts = capsys.readouterr().err.splitlines()
    assert f"archive has {LIMIT + 1} MB, more than {LIMIT}" in first
    assert [part.split() for part in parts] == [["2.0", "MB", "numpy"], ["1.0", "MB", "libz.so.1"]]


def test_that_a_build_for_a_release_ends_at_too_large_an_archive(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=rf"more than {LIMIT}; unpacked, [\s\S]* numpy"):
        compare_with_limit(tmp_path, LIMIT + 1, hold=True)


def test_that_nothing_is_said_of_an_archive_within_its_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compare_with_limit(tmp_path, LIMIT, hold=True)
    assert capsys.readouterr().err == ""


def test_that_the_list_of_parts_is_the_same_for_the_same_parts(tmp_path: Path) -> None:
    (tmp_path / "licences").mkdir()
    libraries = {"libssl3_3.0.17": ["libssl.so.3"]}
    (tmp_path / "licences" / "libraries.json").write_text(json.dumps(libraries), "utf-8")
    made = []
    for name in ("first", "second"):
        file = tmp_path / name
        make_package.write_sbom(contents.CORE, tmp_path, file, commit="1a2b3c", epoch=1_000_000)
        made.append(file.read_bytes())
    assert made[0] == made[1]
    told = json.loads(made[0])
    parts = {part["name"]: part for part in told["components"]}
    assert {"numpy", "Python", "libssl3"} <= parts.keys()
    assert "pyarrow" not in parts
    assert len({part["bom-ref"] for part in told["components"]}) == len(told["components"])
    assert all(part["version"] for part in told["components"])


def test_that_a_debian_package_asks_for_the_libraries_that_a_window_needs() -> None:
    wanted = deb.system_libraries()
    assert "libegl1" in wanted
    assert "libglib2.0-0 | libglib2.0-0t64" in wanted
    assert not [name for name in wanted if "xvfb" in name]


def test_that_set_up_and_the_debian_package_ask_for_what_a_window_loads() -> None:
    wanted = {name.split(" | ")[0] for name in deb.system_libraries()}
    assert wanted == {*LIBRARIES.values(), *ON_WAYLAND.values()}
