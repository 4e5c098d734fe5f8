"""Archives and wheels whose bytes depend on what is in them and on nothing else."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from contents import ROOT


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
    if entry.issym():
        entry.mode = 0o777
    else:
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644


def write_sums(files: Iterable[Path], sums: Path) -> None:
    """Write their SHA-256 as `sha256sum --check` reads it."""
    lines = [f"{digest(file)}  {file.name}\n" for file in sorted(files)]
    sums.write_text("".join(lines), "ascii")


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


_BUILD = "from setuptools import build_meta; import sys; build_meta.build_wheel(sys.argv[1])"


def build_wheel(work: Path, target: Path, epoch: int) -> None:
    """Write it into the folder `target`; the same bytes for the same files."""
    shutil.rmtree(work, ignore_errors=True)
    listed = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    said = subprocess.run(listed, capture_output=True, check=True).stdout.decode()
    for place in filter(None, said.split("\0")):
        if (ROOT / place).is_file():
            (work / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / place, work / place)
            os.utime(work / place, (epoch, epoch))
    subprocess.run(
        [sys.executable, "-c", _BUILD, str(target)],
        check=True,
        cwd=work,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"},
    )
