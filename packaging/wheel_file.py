"""Builds the wheel, from the files that git knows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from contents import ROOT

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
