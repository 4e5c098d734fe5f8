"""Builds what this platform can, into `dist`, and tries what it has built.

    make package                        everything
    python packaging/make_package.py --level 3 --only sluice --no-deb    while working on it

Twice the same checkout gives the same bytes: SOURCE_DATE_EPOCH, else the time of the commit, is
the time of everything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from contents import EDITIONS, PROJECT, ROOT, Edition, Owners, required
from freeze import INSIDE, edition_of, files_below, finish, freeze

from core.measure.machine.about_program import Component, component_of, sluice_commit

DIST = ROOT / "dist"
WORK = ROOT / "build" / "package"
LEVEL = 19
LIMITS = {"sluice": 138, "sluice-core": 85}
"""Megabytes that an archive may have, by edition: three per cent more than they have had."""


def main() -> None:
    options = _options()
    epoch = commit_time()
    commit = sluice_commit(ROOT / "resources")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    if not options.no_freeze:
        freeze(WORK, commit)
    whole = finish(WORK)
    for edition in EDITIONS:
        if options.only in (None, edition.name):
            build(edition, whole, options, commit=commit, epoch=epoch)
    if not options.no_wheel:
        build_wheel(WORK / "wheel", DIST, epoch)
    made = sorted(DIST.iterdir())
    write_sums(made, DIST / "SHA256SUMS")
    for file in made:
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file.name}")
    if not options.no_test:
        try_out()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, default=LEVEL, help="how hard zstd tries")
    parser.add_argument("--only", choices=[edition.name for edition in EDITIONS])
    parser.add_argument("--hold-limits", action="store_true", help="end at too large an archive")
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
    edition: Edition, whole: Path, options: argparse.Namespace, *, commit: str, epoch: int
) -> None:
    frozen = edition_of(whole, edition, WORK / "editions" / edition.name)
    version, machine = PROJECT["version"], platform.machine()
    stem = f"{edition.name}-{version}-{platform.system().lower()}-{machine}"
    write_sbom(edition, frozen / INSIDE, DIST / f"{stem}.cdx.json", commit=commit, epoch=epoch)
    archive = DIST / f"{stem}.tar.zst"
    pack(frozen, archive, name=f"{edition.name}-{version}", epoch=epoch, level=options.level)
    if options.level == LEVEL:
        compare_with_limit(edition, archive, frozen / INSIDE, hold=options.hold_limits)
    if shutil.which("dpkg-deb") and not options.no_deb:
        from deb import ARCHITECTURES, build_deb

        target = DIST / f"{edition.name}_{version}_{ARCHITECTURES[machine]}.deb"
        work = WORK / "deb" / edition.name
        build_deb(edition, frozen, work, target, epoch=epoch, level=min(options.level, 9))


def compare_with_limit(edition: Edition, archive: Path, inside: Path, *, hold: bool) -> None:
    """Warn of an archive that is too large, and of what is; `hold`: end with that."""
    size, limit = archive.stat().st_size / 1e6, LIMITS[edition.name]
    if size <= limit:
        return
    owners = Owners(required(edition))
    parts: Counter[str] = Counter()
    for file in files_below(inside):
        place = file.relative_to(inside).as_posix()
        parts[owners.of(place) or place.partition("/")[0]] += file.lstat().st_size
    lines = [
        f"{archive.name} has {size:.0f} MB, more than {limit}; unpacked, its largest parts have"
    ]
    lines += [f"{unpacked / 1e6:8.1f} MB  {name}" for name, unpacked in parts.most_common(10)]
    told = "\n".join(lines)
    if hold:
        raise SystemExit(told)
    print(told, file=sys.stderr)


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
    command = [sys.executable, str(ROOT / "packaging" / "set_up.py"), "--uv"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def pack(tree: Path, archive: Path, *, name: str, epoch: int, level: int) -> None:
    """Write a `.tar.zst` with the tree as its folder `name`."""
    command = ["zstd", "-q", "-f", "-T0", f"-{level}", "--long=27", "-o", archive]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as zstd:
        assert zstd.stdin is not None
        write_tar(tree, zstd.stdin, name=name, epoch=epoch)
    if zstd.returncode != 0:
        raise SystemExit(f"zstd ended with {zstd.returncode}")


def write_tar(tree: Path, stream: IO[bytes], *, name: str, epoch: int) -> None:
    """Write the tree as a folder `name`, all of it from that time (seconds since 1970)."""
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT) as tar:
        for path in (tree, *sorted(tree.rglob("*"))):
            entry = tar.gettarinfo(path, (Path(name) / path.relative_to(tree)).as_posix())
            _forget_origin(entry, epoch)
            if entry.isreg():
                with path.open("rb") as opened:
                    tar.addfile(entry, opened)
            else:
                tar.addfile(entry)


def _forget_origin(entry: tarfile.TarInfo, epoch: int) -> None:
    """Leave out who packed it, when, and with which umask."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = epoch
    runs = entry.isdir() or entry.mode & 0o100
    entry.mode = 0o777 if entry.issym() else 0o755 if runs else 0o644


def write_sums(files: Iterable[Path], sums: Path) -> None:
    """Write their SHA-256 as `sha256sum --check` reads it."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files)
    ]
    sums.write_text("".join(lines), "ascii")


_BUILD = "from setuptools import build_meta; import sys; build_meta.build_wheel(sys.argv[1])"


def build_wheel(work: Path, target: Path, epoch: int) -> None:
    """Write it into the folder `target`; the same bytes for the same files."""
    shutil.rmtree(work, ignore_errors=True)
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listing = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for path in filter(None, listing.split("\0")):
        if (ROOT / path).is_file():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, work / path)
            os.utime(work / path, (epoch, epoch))
    subprocess.run(
        [sys.executable, "-c", _BUILD, str(target)],
        check=True,
        cwd=work,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"},
    )


def write_sbom(edition: Edition, inside: Path, file: Path, *, commit: str, epoch: int) -> None:
    """Write the list for a frozen edition, the same bytes for the same parts."""
    parts = [
        part
        for name, distribution in required(edition).items()
        if name != PROJECT["name"]
        for part in [of_python(component_of(distribution))]
    ]
    parts.append(
        _component("Python", platform.python_version(), "Python-2.0", "pkg:generic/python")
    )
    libraries = json.loads((inside / "licences" / "libraries.json").read_text("utf-8"))
    parts += [of_debian(named, files) for named, files in sorted(libraries.items())]
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{_serial(edition, commit)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat(),
            "component": {
                "type": "application",
                "bom-ref": edition.name,
                "name": edition.name,
                "version": PROJECT["version"],
                "licenses": [{"license": {"id": PROJECT["license"]}}],
            },
        },
        "components": parts,
    }
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _serial(edition: Edition, commit: str) -> uuid.UUID:
    return uuid.uuid5(uuid.NAMESPACE_URL, f"sluice:{edition.name}:{PROJECT['version']}:{commit}")


def of_python(component: Component) -> dict[str, Any]:
    """A distribution of the package index."""
    name = component.name.lower().replace("_", "-")
    return _component(component.name, component.version, component.licence, f"pkg:pypi/{name}")


def of_debian(named: str, files: list[str]) -> dict[str, Any]:
    """A package of the system whose libraries are bundled; its terms are a file beside them."""
    name, _, version = named.partition("_")
    component = _component(name, version, f"see licences/{name}_*.txt", f"pkg:deb/debian/{name}")
    return {**component, "description": ", ".join(files)}


def _component(name: str, version: str, licence: str, address: str) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{address}@{version}",
        "name": name,
        "version": version,
        "purl": f"{address}@{version}",
    }
    return {**component, "licenses": [{"license": {"name": licence}}]} if licence else component


if __name__ == "__main__":
    main()
