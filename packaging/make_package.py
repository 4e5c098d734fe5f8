"""Builds what this platform can, into `dist`, and tries what it has built.

    make package                        everything
    python packaging/make_package.py --level 3 --only sluice --no-deb    while working on it

Twice the same checkout gives the same bytes: SOURCE_DATE_EPOCH, else the time of the commit, is
the time of everything.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from archive import pack, write_sums
from contents import EDITIONS, PROJECT, ROOT, Edition
from freeze import INSIDE, edition_of, finish, freeze
from sbom import write_sbom

from core.host.program import sluice_commit

DIST = ROOT / "dist"
WORK = ROOT / "build" / "package"
LEVEL = 19
LIMITS = {"sluice": 150, "sluice-core": 90}
"""Megabytes that an archive may have, by edition."""


def main() -> None:
    """Build, list and try."""
    asked = _asked()
    epoch = commit_time()
    commit = sluice_commit(ROOT / "resources")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    if not asked.no_freeze:
        freeze(WORK, commit)
    whole = finish(WORK)
    for edition in EDITIONS:
        if asked.only in (None, edition.name):
            build(edition, whole, asked, commit=commit, epoch=epoch)
    if not asked.no_wheel:
        from archive import build_wheel

        build_wheel(WORK / "wheel", DIST, epoch)
    made = sorted(DIST.iterdir())
    write_sums(made, DIST / "SHA256SUMS")
    for file in made:
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file.name}")
    if not asked.no_test:
        try_out()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, default=LEVEL, help="how hard zstd tries")
    parser.add_argument("--only", choices=[edition.name for edition in EDITIONS])
    for part in ("freeze", "deb", "wheel", "test"):
        parser.add_argument(f"--no-{part}", action="store_true")
    return parser.parse_args()


def commit_time() -> int:
    """Seconds since 1970 that everything built is dated with."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def build(
    edition: Edition, whole: Path, asked: argparse.Namespace, *, commit: str, epoch: int
) -> None:
    """Every form of one edition."""
    frozen = edition_of(whole, edition, WORK / "editions" / edition.name)
    version, machine = PROJECT["version"], platform.machine()
    stem = f"{edition.name}-{version}-{platform.system().lower()}-{machine}"
    write_sbom(edition, frozen / INSIDE, DIST / f"{stem}.cdx.json", commit=commit, epoch=epoch)
    archive = DIST / f"{stem}.tar.zst"
    pack(frozen, archive, name=f"{edition.name}-{version}", epoch=epoch, level=asked.level)
    size = archive.stat().st_size / 1e6
    if asked.level == LEVEL and size > LIMITS[edition.name]:
        raise SystemExit(f"{archive.name} has {size:.0f} MB, more than {LIMITS[edition.name]}")
    if shutil.which("dpkg-deb") and not asked.no_deb:
        from deb import ARCHITECTURES, build_deb

        target = DIST / f"{edition.name}_{version}_{ARCHITECTURES[machine]}.deb"
        work = WORK / "deb" / edition.name
        build_deb(edition, frozen, work, target, epoch=epoch, level=min(asked.level, 9))


def try_out() -> None:
    """Run the tests of what was built, on archives unpacked elsewhere."""
    with tempfile.TemporaryDirectory(prefix="sluice-package-") as folder:
        for archive in sorted(DIST.glob("*.tar.zst")):
            subprocess.run(["tar", "--zstd", "-xf", archive, "-C", folder], check=True)
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-m", "package", ROOT / "tests" / "packaging"],
            check=True,
            cwd=ROOT,
            env={
                **os.environ,
                "SLUICE_PACKAGES": folder,
                "SLUICE_DIST": str(DIST),
                "SLUICE_UV": _uv(),
            },
        )


def _uv() -> str:
    """The program that installs the wheel, as set-up finds it."""
    asked = [sys.executable, str(ROOT / "packaging" / "set_up.py"), "--uv"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
