"""What sampling costs: a child with 20,000 open files, looked at ten times a second.

    PYTHONPATH=. python tests/benchmarks/bench_sampling.py [--seconds 20] [--files 20000]

Prints the CPU time spent on readings as a percentage of one core, and that of bare reads of the
three files of /proc that each reading needs, for a quarter of the time. Fewer files are opened,
and that is said, where the limit on open files cannot be raised far enough.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from contextlib import ExitStack
from pathlib import Path

from core.selfcheck.cost import FILES, child_with_open_files, costs_of, watch


def floor(seconds: float, files: int) -> float:
    """The share of one core that bare reads of the same files of /proc take, and nothing else."""
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), files) as (pid, _),
        ExitStack() as opened,
    ):
        held = [os.open(f"/proc/{pid}/{file}", os.O_RDONLY) for file in ("stat", "statm", "fd")]
        for descriptor in held:
            opened.callback(os.close, descriptor)
        stat, statm, fds = held

        def read(_: float) -> None:
            os.pread(stat, 1024, 0)
            os.pread(statm, 1024, 0)
            os.fstat(fds)

        return sum(costs_of(read, seconds)) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what sampling costs.")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--files", type=int, default=FILES)
    wanted = parser.parse_args()
    found = watch(wanted.seconds, wanted.files)
    opened = found.last.dataset_fds or 0
    if opened < wanted.files:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        print(f"only {opened} files: the hard limit on open files is {limit}")
    looks = sum(reading.dataset_fds is not None for reading in found.readings)
    print(f"{found.last.fds} open files, {opened} of them in the dataset")
    print(f"{len(found.readings)} readings, {looks} of them followed the open files")
    print(f"{sum(found.costs) * 1000:.1f} ms of CPU: {found.share:.3%} of one core")
    print(f"{floor(wanted.seconds / 4, wanted.files):.3%} of one core for bare reads")
    print(f"{found.last_cost * 1000:.1f} ms for the complete reading at the end, not in it")


if __name__ == "__main__":
    main()
