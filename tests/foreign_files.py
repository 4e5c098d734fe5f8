"""Files of others, out of packages that anybody can fetch: nobody here has written them."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOREIGN = "foreign files"
"""What marks a test that needs them, beside the servers of the lab."""


class Package(NamedTuple):
    """A pinned package, and which of its files are wanted."""

    client: str
    """Of its registry: a program, but for Python's own."""
    name: str
    version: str
    file: str
    bytes: int
    sha256: str
    wanted: str
    """A pattern of what is unpacked of it; empty = it is used as it is."""


PACKAGES = (
    Package("pip", "anndata", "0.13.4", "anndata-0.13.4.tar.gz", 2376085,
            "fadee3955b4b826dd23d9c0aa296147d8624f8222210b6c8abc3c115a111dce4",
            r"tests/data/archives/v0\.(?:5|7\.0|11|13).*\.(?:h5ad|zip)"),
    Package("pip", "async-tiff", "0.7.2", "async_tiff-0.7.2.tar.gz", 5249708,
            "b2eb1f2671de4e331d1eaef1fd5bb3670e1f26ec7465115be488e60349f2dbce",
            r"fixtures/.*\.tiff?"),
    Package("pip", "imagecodecs", "2026.10.10", "imagecodecs-2026.10.10.tar.gz", 9685030,
            "cde6914505668196b15e0f99dbc236b779e3b61217f04d2e498cbae790965f9f",
            r"tests/data/tiff/.*\.tif"),
    Package("pip", "mapproxy", "7.0.0", "mapproxy-7.0.0.tar.gz", 3134158,
            "43c4972d98a01b04a2887f88eda5ad74e527233ad8fd01fd943a541907465d56",
            r".*\.mbtiles"),
    Package("pip", "netCDF4", "1.7.5.1.post1", "netcdf4-1.7.5.1.post1.tar.gz", 849840,
            "9823076013fd54e7984d3ae8f431671fd199b15eeb267f91b8c4b057fd8324ab",
            r"test/.*\.nc"),
    Package("pip", "ome-zarr", "0.21.0", "ome_zarr-0.21.0.tar.gz", 275516,
            "16ab76fd3f184752ee6a21548b21db3d1fb4a64bfab9fc48c8332f6bab0a0e2c",
            r"tests/data/v\d/.*"),
    Package("pip", "rasterstats", "0.21.0", "rasterstats-0.21.0.tar.gz", 76836,
            "2b955f6775b7f641c8094d00bc4381492184ba162b5dba1baa69df8db98efa5f",
            r"tests/data/.*\.tif"),
    Package("pip", "smellman-mbutil", "0.3.10", "smellman_mbutil-0.3.10.tar.gz", 269918,
            "20b4e95cc7695092b26d1df075d8f046dbd8707e1a86624b8f40df266ebc17c0",
            r"test/data/.*\.mbtiles"),
    Package("pip", "tables", "3.11.1", "tables-3.11.1.tar.gz", 4790533,
            "78abcf413091bc7c1e4e8c10fbbb438d1ac0b5a87436c5b972c3e8253871b6fb",
            r"tables/.*\.h5"),
    Package("pip", "yaozarrs", "0.3.4", "yaozarrs-0.3.4.tar.gz", 201470,
            "7d38998c01d7e562557bf8e74fb3fa35f894e2e98c38521f3bc9e01a109a15d5",
            r"tests/data/broken/.*"),
    Package("pip", "zarr", "2.18.7", "zarr-2.18.7.tar.gz", 3604558,
            "b2b8f66f14dac4af66b180d2338819981b981f70e196c9a66e6bfaa9e59572f5",
            r"fixture/(?:\d+/5|3/\d|19/\d|[a-z]\w+)/.*"),
    Package("npm", "mbtiles", "0.3.2", "mbtiles-0.3.2.tgz", 3782534,
            "21fa57e33c5be05ac1104c9b3f89f994323503cccef30c4e3ab1af661e54cef3",
            r"test/fixtures/.*\.mbtiles"),
    Package("go", "github.com/protomaps/go-pmtiles", "v1.31.2", "v1.31.2.zip", 108379,
            "09de87c97136f339b3ef039f7dc54ef320cfccdf49f974575f0f5466f2bb50c1",
            r"pmtiles/fixtures/.*\.pmtiles"),
    # Reads HDF5 without its library, and so says what is right.
    Package("pip", "pyfive", "1.3.0", "pyfive-1.3.0-py3-none-any.whl", 74277,
            "c2f0e3b0e9a880e7d6b427f286cf167c116bb1ad14f8ab594f6371dd63696dcf", ""),
)  # fmt: skip
BY_NAME = {package.name: package for package in PACKAGES}

_FINDER = """
import json, sys
from pip._internal.commands import create_command
command = create_command("download")
options, _ = command.parse_args(["--no-deps", "--quiet", "anything"])
with command.main_context():
    finder = command._build_package_finder(options, command.get_default_session(options))
    names, files = sys.argv[1::2], sys.argv[2::2]
    links = [one.link for name in names for one in finder.find_all_candidates(name)]
    urls = {one.filename: one.url_without_fragment for one in links if one.filename in files}
print(json.dumps(urls))
"""
"""Where files are, as pip knows it.  It has a command for that only where it may run what a source
distribution brings along."""


def has_client(package: Package) -> bool:
    return package.client == "pip" or shutil.which(package.client) is not None


def _lacking() -> list[Package]:
    """What is not on this machine, and can be fetched."""
    return [one for one in PACKAGES if has_client(one) and not (_folder() / one.file).exists()]


@cache
def _folder() -> Path:
    """In the cache of the suite: a test may have one of its own."""
    from core.lab.kits import kits_folder

    return kits_folder() / "foreign-files"


def are_here() -> bool:
    return not _lacking()


def fetch_all() -> None:
    """Have all packages on this machine, whose clients are here; raises SluiceError."""
    from core.lab.downloads import fetch
    from core.lab.recipe import Artefact
    from core.language import Unavailable, report_to_nobody
    from core.measure import locked

    with locked(_folder().with_suffix(".lock")):
        lacking = _lacking()
        try:
            urls = dict(_addresses(lacking))
        except subprocess.CalledProcessError as error:
            raise Unavailable(str(error.stderr), "check the network") from error
        artefacts = [
            Artefact(name=one.file, url=urls[one.file], sha256=one.sha256, bytes=one.bytes)
            for one in lacking
            if one.file in urls
        ]
        fetch(artefacts, _folder(), report=report_to_nobody, title=FOREIGN)


def _addresses(packages: Sequence[Package]) -> Iterator[tuple[str, str]]:
    """Where each file is, from the client of its registry."""
    by_pip = [word for one in packages if one.client == "pip" for word in (one.name, one.file)]
    if by_pip:
        yield from json.loads(_output_of(sys.executable, "-c", _FINDER, *by_pip)).items()
    for one in packages:
        if one.client == "npm":
            base = _output_of("npm", "config", "get", "registry").rstrip("/")
            yield one.file, f"{base}/{one.name}/-/{one.file}"
        if one.client == "go":
            base = _output_of("go", "env", "GOPROXY").split(",")[0].rstrip("/")
            yield one.file, f"{base}/{one.name}/@v/{one.file}"


def _output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def unpacked(package: Package, folder: Path) -> Path:
    """The wanted files of a package below a folder, by their places in it."""
    pattern = re.compile(rf"[^/]+/(?:protomaps/[^/]+/)?({package.wanted})")
    for name, content in _members(_folder() / package.file):
        if (match := pattern.fullmatch(name)) and ".." not in name:
            place = folder / package.name.replace("/", "-") / match[1]
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.suffix == ".zip":  # a folder of Zarr
                zipfile.ZipFile(io.BytesIO(content)).extractall(place.with_suffix(""))
            else:
                place.write_bytes(content)
    return folder / package.name.replace("/", "-")


def _members(file: Path) -> Iterator[tuple[str, bytes]]:
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())
        return
    with tarfile.open(file) as archive:
        for member in archive:
            if member.isfile() and (content := archive.extractfile(member)):
                yield member.name, content.read()


def pyfive_wheel() -> Path:
    return _folder() / BY_NAME["pyfive"].file
