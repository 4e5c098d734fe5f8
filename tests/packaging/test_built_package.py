"""What `make package` has built works on its own: no network, no home, no Python of the machine.

SLUICE_PACKAGES is the folder in which the archives are unpacked, one folder for each edition.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from loading import ON_WAYLAND, packaging_module

from app.shell.launcher import LIBRARIES

pytestmark = pytest.mark.package

WHERE = Path(os.environ.get("SLUICE_PACKAGES", "/nonexistent"))
EDITIONS = sorted(path.name for path in WHERE.glob("sluice*"))
WHEELS = sorted(Path(os.environ.get("SLUICE_DIST", "/nonexistent")).glob("*.whl"))
DEBS = sorted(Path(os.environ.get("SLUICE_DIST", "/nonexistent")).glob("*.deb"))
ON_EVERY_SYSTEM = {
    *("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6", "libdl.so.2", "libm.so.6"),
    *("libpthread.so.0", "libresolv.so.2", "librt.so.1", "libutil.so.1"),
}
"""Libraries of the C library, whose least version the Debian package asks for."""
SHORT = ("--duration", "200ms", "--warm-up", "0", "--repeats", "2", "--no-floor")
CURVE = "threads=1,2,4"
"""As few as a law is fitted to, which takes more libraries than a single setting."""
PATIENCE = 600  # seconds
ALONE = ["unshare", "--net", "--map-root-user"]
RIG = Path(__file__).parents[1] / "rigged_kind.py"

LOOP = """
from core.selfcheck.cost import LoopCase, measure_in_child
print(len(measure_in_child(LoopCase(nanoseconds=20_000), 0.5).groups))
"""
WINDOW = """
import sys
from pathlib import Path
sys.argv = ["sluice-app", sys.argv[1]]
import app.__main__ as start
from PySide6.QtCore import QTimer
from app.shell.window import MainWindow

def look():
    for window in start.Application.topLevelWidgets():
        bench = getattr(window, "workbench", None)
        if bench is not None and bench.held.session is not None and not bench.busy:
            window.grab().save("window.png")
            print(bench.held.session.path.name, window.windowIcon().isNull())
            window.close()

class Application(start.Application):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.timer = QTimer(interval=100)
        self.timer.timeout.connect(look)
        self.timer.start()

start.Application = Application
sys.exit(start.main())
"""


EXACT = (
    *("deflate", "jpeg2000", "jpegxl", "jpegxr", "lerc", "lzma", "lzw", "packbits", "png"),
    *("webp", "zstd"),
)
"""What an image may be compressed by without losing anything."""
IMAGES = """
import sys, tifffile
for way in sys.argv[1:]:
    print(tifffile.imread(f"{way}.tif").sum())
"""


class Package:
    """One edition, and a folder for all that it may write."""

    def __init__(self, folder: Path, place: Path) -> None:
        self.program = folder / "sluice"
        self.whole = not folder.name.startswith("sluice-core")
        self.place = place
        for name in ("home", "tmp", "data"):
            (place / name).mkdir()

    def start(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        alone = ALONE if shutil.which("unshare") and can_be_alone() else []
        return subprocess.run(
            [*alone, str(self.program), *arguments],
            cwd=self.place / "data",
            env={
                "PATH": "/usr/bin:/bin",
                "HOME": str(self.place / "home"),
                "TMPDIR": str(self.place / "tmp"),
                "QT_QPA_PLATFORM": "offscreen",
                **variables,
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def run(self, *arguments: str) -> str:
        """What it says; all of it must succeed, and leave no file for a time behind."""
        done = self.start(*arguments)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        assert not list((self.place / "tmp").iterdir())
        return done.stdout


def can_be_alone() -> bool:
    return subprocess.run([*ALONE, "true"], check=False, capture_output=True).returncode == 0


@pytest.fixture(scope="module", params=WHEELS, ids=lambda wheel: wheel.name)
def programs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel, and with what it requires."""
    environment = tmp_path_factory.mktemp("wheel") / "venv"
    uv = os.environ["SLUICE_UV"]
    making = [uv, "venv", "--no-project", "--offline", "--python", sys.executable, environment]
    subprocess.run(making, check=True, capture_output=True)
    subprocess.run(
        [
            *(uv, "pip", "install", "--python", environment / "bin" / "python"),
            *("--offline", "--no-deps", request.param),
        ],
        check=True,
        capture_output=True,
    )
    (site,) = environment.glob("lib/python3*/site-packages")
    (site / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
    return environment / "bin"


@pytest.fixture(scope="module", params=EDITIONS)
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(WHERE / request.param, tmp_path_factory.mktemp("place"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The edition with readers of signals and clients of stores."""
    (folder,) = (WHERE / name for name in EDITIONS if not name.startswith("sluice-core"))
    return Package(folder, tmp_path_factory.mktemp("whole"))


def test_that_there_is_something_to_try() -> None:
    assert EDITIONS


def test_that_it_says_version_commit_and_platform(package: Package) -> None:
    told = package.run("--version")
    assert told.startswith("sluice ")
    assert "commit " in told


def test_that_its_help_names_commands_that_can_be_typed(package: Package) -> None:
    assert "sluice measure fasta" in package.run("--help")


@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_fasta_is_read(package: Package, reader: str) -> None:
    told = package.run("measure", "fasta", "--reader", reader, "--threads", "2", *SHORT)
    assert "sequences/s" in told


def test_that_a_run_becomes_a_report_and_an_export(package: Package) -> None:
    package.run("measure", "raw", CURVE, *SHORT, "--session", "raw.sluice")
    package.run("report", "raw.sluice", "-o", "raw.html")
    assert "<svg" in (package.place / "data" / "raw.html").read_text("utf-8")
    package.run("export", "raw.sluice", "-o", "raw.csv")
    done = package.start("export", "raw.sluice", "-o", "raw.parquet")
    assert (done.returncode == 0) is package.whole, done.stderr


def test_that_a_crash_is_a_result(package: Package) -> None:
    code = "import os; os.abort()"
    assert package.start("-c", code).returncode == -6


def test_that_a_module_of_the_users_own_is_measured(package: Package) -> None:
    shutil.copy(RIG, package.place / "data")
    told = package.run("--path", ".", "measure", "rigged_kind:Counted", *SHORT)
    assert "rows/s" in told


def test_that_the_loop_is_compared_in_a_process_of_its_own(package: Package) -> None:
    assert int(package.run("-c", LOOP)) > 0


def test_that_the_window_opens_the_session_it_is_given(package: Package) -> None:
    package.run("measure", "raw", CURVE, *SHORT, "--session", "shown.sluice")
    told = package.run("-c", WINDOW, str(package.place / "data" / "shown.sluice"))
    assert told.split() == ["shown.sluice", "False"]


def test_that_signals_are_made_read_and_converted(whole: Package) -> None:
    whole.run("dataset", "make", "signal", "--reads", "200", "--folder", "signal")
    whole.run("dataset", "convert", "signal/reads.pod5", "--to", "blow5", "--folder", "converted")
    for reader in ("pod5-c-io", "blow5-c"):
        assert "reads/s" in whole.run(
            "measure", "signal", "--dataset", "signal", "--reader", reader, *SHORT
        )


def test_that_images_are_read_however_they_are_compressed(whole: Package) -> None:
    tifffile = pytest.importorskip("tifffile")
    pixels = np.resize(np.arange(256, dtype=np.uint8), (64, 64, 3))
    for way in (*EXACT, "jpeg"):
        place = whole.place / "data" / f"{way}.tif"
        tifffile.imwrite(place, pixels, compression=way, photometric="rgb")
    assert whole.run("-c", IMAGES, *EXACT).split() == [str(pixels.sum())] * len(EXACT)
    assert int(whole.run("-c", IMAGES, "jpeg")) > 0


@pytest.mark.parametrize(
    "module",
    ["boto3", "synapseclient", "cassandra.cluster", "hdfs_native", "jpype", "pod5", "pyslow5",
     "svfsc", "tifffile", "fastavro", "pyarrow.parquet", "awscli.clidriver", "blue_crab.blue_crab",
     "biocommons.seqrepo", "imagecodecs._imcd", "imagecodecs._jpeg8", "keyring", "obstore.store",
     "s3fs", "pmtiles.reader", "pmtiles.convert", "pmtiles.writer"],
)  # fmt: skip
def test_that_every_driver_is_there(whole: Package, module: str) -> None:
    whole.run("-c", f"import {module}")


def test_that_the_command_of_aws_knows_its_services(whole: Package) -> None:
    assert "aws-cli" in whole.run("-m", "awscli", "--version")
    done = whole.start("-m", "awscli", "s3", "ls", "--endpoint-url", "http://127.0.0.1:9",
                       AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b", AWS_MAX_ATTEMPTS="1")  # fmt: skip
    assert "Could not connect" in done.stderr


def test_that_every_part_is_listed_with_a_licence(package: Package) -> None:
    code = """
import json
from core.measure.machine.about_program import components
print(json.dumps([[each.name, each.licence] for each in components()]))
"""
    parts = dict(json.loads(package.run("-c", code)))
    assert {"numpy", "PySide6_Essentials", "Python"} <= parts.keys()
    assert {name for name, licence in parts.items() if not licence} <= {"hdfs-native"}  # says none


def test_that_nothing_says_where_it_was_installed(package: Package) -> None:
    """It would tell the builder's folders, and make other bytes of the same parts."""
    found = {file.name for file in package.program.parent.rglob("*.dist-info/*")}
    assert "METADATA" in found
    assert not found & {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"}


def test_that_every_library_that_is_not_packaged_is_asked_for(package: Package) -> None:
    freeze = packaging_module("freeze")
    files = freeze.files_below(package.program.parent)
    programs = [file for file in files if freeze.is_elf(file)]
    needed = {name for _, names in freeze.needed_libraries(programs) for name in names}
    assert needed - {file.name for file in files} <= {*LIBRARIES, *ON_WAYLAND, *ON_EVERY_SYSTEM}


@pytest.mark.parametrize("module", ["mailbox", "sqlite3", "wave", "xml.sax", "zoneinfo"])
def test_that_modules_of_the_users_own_have_the_whole_standard_library(
    package: Package, module: str
) -> None:
    package.run("-c", f"import {module}")


@pytest.mark.tool("lintian")
@pytest.mark.parametrize("deb", DEBS, ids=lambda deb: deb.name)
def test_that_lintian_finds_no_fault(deb: Path) -> None:
    asked = ["lintian", "--fail-on", "error,warning", deb]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_that_the_wheel_brings_both_programs_and_all_their_files(
    programs: Path, tmp_path: Path
) -> None:
    def said(*command: str) -> str:
        done = subprocess.run(
            [programs / command[0], *command[1:]],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = said("python", "-P", "-c", "import core; print(core.__file__)")
    assert str(programs.parent) in where
    assert "sluice-app" in said("sluice-app", "--help")
    said("sluice", "measure", "raw", *SHORT, "--session", "raw.sluice")
    said("sluice", "report", "raw.sluice", "-o", "raw.html")
    assert "seqrepo-fd-cache" in said("sluice", "studies")
