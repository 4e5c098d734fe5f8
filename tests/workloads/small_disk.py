"""A small disk that is as full as a test wants it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BALLAST = "ballast"


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """The folder as a disk of so many bytes; skips where none can be mounted."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("needs root to mount a small disk")
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, left: int) -> None:
    """Leave so many bytes of the disk that the folder is on."""
    taken = shutil.disk_usage(folder).free - left
    with (folder / BALLAST).open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, taken)
