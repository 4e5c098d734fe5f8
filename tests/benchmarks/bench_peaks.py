"""The peak memory of a program and all it starts, beside what its control group says.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_peaks.py --folder FOLDER_ON_A_DISK

Each program runs in a control group of its own (v2, or the memory controller of v1) that this
makes and removes, so it wants root.  Told are both peaks, the ratio of ours to the group's, how
much of the group's was still page cache at the end, and the ratio to the group's without that.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from core.measure import Command, Commands

MIB = 1 << 20
_V2, _V1 = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")
_THREE = """import os, subprocess, sys, time
left, size, how = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
def generation(left):
    held = bytearray(os.urandom(4096)) * (size // 4096)
    if left == 1:
        time.sleep(1)
    elif how == "exec":
        subprocess.run([sys.executable, "-c", sys.argv[4], str(left - 1), *sys.argv[2:]], check=True)
    elif os.fork() == 0:
        generation(left - 1)
        os._exit(0)
    else:
        os.wait()
    return held
generation(left)
"""


class Group(NamedTuple):
    """A control group, and where it tells its peak and the bytes of its page cache."""

    folder: Path
    peak: str
    cache: str

    @property
    def most(self) -> int:
        return int((self.folder / self.peak).read_text())

    @property
    def cached(self) -> int:
        lines = (self.folder / "memory.stat").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.split()[0] == self.cache)


@contextmanager
def group(name: str) -> Iterator[Group]:
    """Made, and removed; ends the program where there can be none."""
    controllers = _V2 / "cgroup.subtree_control"
    if controllers.exists() and "memory" in controllers.read_text().split():
        made = Group(_V2 / name, "memory.peak", "file")
    elif (_V1 / "memory.max_usage_in_bytes").exists():
        made = Group(_V1 / name, "memory.max_usage_in_bytes", "total_cache")
    else:
        sys.exit(f"no memory controller is enabled in {controllers} or {_V1}")
    try:
        made.folder.mkdir()
    except OSError as error:
        sys.exit(f"no control group can be made: {error}")
    try:
        yield made
    finally:
        made.folder.rmdir()


def programs(folder: Path, size: int) -> dict[str, tuple[str, ...]]:
    """What is run, with files of that many MiB."""
    drawn = random.Random(1)
    file, lines = folder / "file", folder / "lines"
    with file.open("wb") as written:
        for _ in range(size):
            written.write(drawn.randbytes(MIB))
    with lines.open("w") as text:
        for _ in range(size // 5):
            text.write(drawn.randbytes(MIB // 2).hex().replace("7", "\n"))
    three = (sys.executable, "-c", _THREE, "3")
    return {
        f"three generations of {held} MiB, {how}": (*three, str(held * MIB), how, _THREE)
        for held in (40, 200)
        for how in ("exec", "fork")
    } | {
        f"cp of {size} MiB": ("cp", str(file), str(folder / "copy")),
        f"sort of {size // 5} MiB": ("sort", "-o", str(folder / "sorted"), str(lines)),
        f"gzip -1 of {size // 5} MiB": ("gzip", "-1", "-k", "-f", str(lines)),
    }


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--folder", type=Path, help="on a disk; else where temporary files are")
    asked.add_argument("--size", type=int, default=300, help="MiB of the file")
    asked.add_argument("--rounds", type=int, default=3)
    wishes = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=wishes.folder) as place:
        folder = Path(place)
        (folder / "runs").mkdir()
        commands = Commands(f"peaks-{os.getpid()}", folder / "runs")
        try:
            for name, program in programs(folder, wishes.size).items():
                for _ in range(wishes.rounds):
                    print(measured(commands, name, program), flush=True)
        finally:
            commands.close()


def measured(commands: Commands, name: str, program: tuple[str, ...]) -> str:
    """A line on one run."""
    with group(f"sluice-peaks-{os.getpid()}") as own:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
        enter = f'echo $$ > {own.folder}/cgroup.procs && exec "$@"'
        line = Command(
            arguments=("/bin/sh", "-c", enter, "sh", *program), environment=dict(os.environ)
        )
        ran = commands.run(line)
        if ran.code:
            sys.exit(f"{name} ended with {ran.code}: {ran.last_words}")
        ours, theirs, cached = ran.peaks.memory, own.most, own.cached
    return (
        f"{name:38} ours {ours / MIB:6.1f}  group {theirs / MIB:6.1f} MiB  ratio"
        f" {ours / theirs:5.3f}  page cache at the end {cached / MIB:6.1f}"
        f"  ratio without it {ours / (theirs - cached):5.3f}  looks {ran.peaks.looks}"
    )


if __name__ == "__main__":
    main()
