"""Freezes Sluice: PyInstaller makes one folder, of which editions are made."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from contents import PROJECT, ROOT, WHOLE, Edition, Owners, is_left_out, required

from core.measure.machine.about_program import COMMIT

GATHERED = "gathered"
ORIGINS = "origins.json"
INSIDE = "_internal"
"""Where PyInstaller puts everything but the program."""
WINDOW = "sluice-app"
"""The name by which the program opens its window."""


def freeze(work: Path, commit: str) -> None:
    """Have PyInstaller gather everything anew."""
    work.mkdir(parents=True, exist_ok=True)
    of_commit = work / COMMIT
    of_commit.write_text(f"{commit}\n", "utf-8")
    subprocess.run(
        [
            *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean"),
            *("--log-level", "ERROR"),
            *("--distpath", work / GATHERED, "--workpath", work / "build"),
            ROOT / "packaging" / "sluice.spec",
        ],
        check=True,
        cwd=ROOT,
        # Sets in compiled modules are in an order that the seed of hashes makes.
        env={
            **os.environ,
            "PYTHONHASHSEED": "0",
            "SLUICE_COMMIT": str(of_commit),
            "SLUICE_ORIGINS": str(work / ORIGINS),
        },
    )


def finish(work: Path) -> Path:
    """The folder of the whole: what was gathered, without what nothing opens."""
    folder = work / "frozen" / PROJECT["name"]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work / GATHERED / PROJECT["name"], folder, symlinks=True)
    inside = folder / INSIDE
    for file in files_below(inside):
        if is_left_out(file.relative_to(inside).as_posix()):
            file.unlink()
    (folder / WINDOW).symlink_to(PROJECT["name"])
    strip_symbols(inside)
    prune(folder)
    keep_licences(inside, json.loads((work / ORIGINS).read_text("utf-8")))
    settle_rights(folder)
    return folder


def edition_of(whole: Path, edition: Edition, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-RlP" if sys.platform == "linux" else "-RP", whole, folder], check=True)
    distributions, everything = required(edition), required(WHOLE)
    owners = Owners(everything)
    inside = folder / INSIDE
    for file in files_below(inside):
        owner = owners.of(file.relative_to(inside).as_posix())
        if owner is not None and owner not in distributions:
            file.unlink()
    if len(distributions) < len(everything):
        prune(folder)
        drop_licences(inside)
    remove_empty(inside)
    return folder


def files_below(folder: Path) -> list[Path]:
    """Files and links, in one order everywhere."""
    return sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())


def remove_empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink() and not any(path.iterdir()):
            path.rmdir()


def settle_rights(folder: Path) -> None:
    """Let everybody read everything, and run the program only, whatever the builder's umask is."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            run = path.is_dir() or path == folder / PROJECT["name"]
            path.chmod(0o755 if run else 0o644)


def strip_symbols(inside: Path) -> None:
    """Take out what only debuggers and linkers read.

    Not of libraries whose wheel has renamed them: their tables are where `strip` does not look.
    """
    if shutil.which("strip") is None or sys.platform != "linux":
        return
    files = [file for file in files_below(inside) if is_elf(file)]
    ours = [file for file in files if not file.relative_to(inside).parts[0].endswith(".libs")]
    subprocess.run(["strip", "--strip-unneeded", *ours], check=True)


def prune(folder: Path) -> None:
    """Remove libraries that were bundled for what is not there, and links to nothing."""
    if sys.platform != "linux":
        return
    inside = folder / INSIDE
    folders = (
        inside,
        *inside.glob("*.libs"),
        inside / "pyarrow",
        inside / "PySide6" / "Qt" / "lib",
    )
    needs = dict(needed_libraries([path for path in files_below(folder) if is_elf(path)]))
    shared = {path.name: path for path in needs if path.parent in folders and is_shared(path)}
    waiting = [path for path in needs if path not in shared.values()]
    reached: set[Path] = set()
    while waiting:
        loaded = {shared[name] for name in needs[waiting.pop()] if name in shared} - reached
        reached |= loaded
        waiting += loaded
    for path in set(shared.values()) - reached:
        path.unlink()
    for link in files_below(inside):
        if link.is_symlink() and not link.exists():
            link.unlink()


def is_shared(path: Path) -> bool:
    """Whether it is a library that others load, and not a module or Python itself."""
    name = path.name
    module = ".cpython-" in name or ".abi3." in name
    return name.startswith("lib") and not module and not name.startswith("libpython")


def is_elf(path: Path) -> bool:
    """Whether it is a program or library, by its first bytes; links are not."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


def needed_libraries(files: Iterable[Path]) -> Iterator[tuple[Path, list[str]]]:
    for file in files:
        run = subprocess.run(
            ["readelf", "-d", "-W", file], capture_output=True, text=True, check=True
        )
        yield file, re.findall(r"\(NEEDED\).*\[(.+)\]", run.stdout)


def keep_licences(inside: Path, origins: dict[str, str]) -> None:
    """Put the terms of Python and of the system's libraries beside them."""
    folder = inside / "licences"
    folder.mkdir()
    libraries: dict[str, list[str]] = {}
    for name in sorted(path.name for path in inside.glob("lib*.so*")):
        named = package_of(Path(origins.get(name, "")))
        if named is not None:
            libraries.setdefault(named, []).append(name)
    for named in libraries:
        package, _, version = named.partition("_")
        terms = Path("/usr/share/doc", package, "copyright")
        text = terms.read_text("utf-8", "replace") if terms.exists() else "see the Debian package\n"
        (folder / f"{package}_{safe_version(version)}.txt").write_text(text, "utf-8")
    (folder / "libraries.json").write_text(json.dumps(libraries, indent=1, sort_keys=True) + "\n")
    version = ".".join(map(str, sys.version_info[:3]))
    terms = next(Path(sys.base_prefix).glob("lib/python3*/LICENSE.txt"), None)
    text = terms.read_text("utf-8") if terms else "https://docs.python.org/3/license.html\n"
    (folder / f"Python_{version}.txt").write_text(text, "utf-8")


def drop_licences(inside: Path) -> None:
    """Remove the terms of libraries that an edition does not have."""
    listed = inside / "licences" / "libraries.json"
    libraries = json.loads(listed.read_text("utf-8"))
    kept = {
        named: present
        for named, names in libraries.items()
        if (present := [name for name in names if (inside / name).exists()])
    }
    for named in libraries.keys() - kept.keys():
        package, _, version = named.partition("_")
        (inside / "licences" / f"{package}_{safe_version(version)}.txt").unlink()
    listed.unlink()  # the whole's file may be this one too
    listed.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")


def safe_version(version: str) -> str:
    """A Debian version as part of a file's name."""
    return version.replace("/", "-").replace(":", ".")


def package_of(library: Path) -> str | None:
    """`NAME_VERSION` of the Debian package that a file is of; None where there is none."""
    if not library.is_absolute() or shutil.which("dpkg-query") is None:
        return None
    real = library.resolve()
    for path in (library, real, Path(str(real).removeprefix("/usr"))):
        if owner := _dpkg("-S", path):
            package = owner.split(":", 1)[0].split(",")[0]
            return _dpkg("-W", "-f=${Package}_${Version}\n", package).splitlines()[0]
    return None


def _dpkg(*words: str | Path) -> str:
    """What dpkg-query answers; empty where it knows of none."""
    command = ["dpkg-query", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
