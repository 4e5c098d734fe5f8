"""What sampling costs: a child with 20,000 open files, looked at ten times a second.

    PYTHONPATH=. python tests/benchmarks/bench_sampling.py [--seconds 20] [--files 20000]

Prints the CPU time spent on readings as a percentage of one core. Fewer files are opened,
and that is said, where the limit on open files cannot be raised far enough.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.sampling import Reading, Sampler

CHILD = """
import os, resource, sys
SPARE = 16
folder, count = sys.argv[1], int(sys.argv[2])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + SPARE, max(hard, count + SPARE)))
except (ValueError, OSError):
    count = min(count, hard - SPARE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
for index in range(count):
    os.open(f"{folder}/{index % 1000}", os.O_RDONLY | os.O_CREAT)
print(count, flush=True)
sys.stdin.read()
"""
PERIOD = 0.1


@contextmanager
def child_with_open_files(folder: Path, count: int) -> Iterator[tuple[int, int]]:
    """Gives the pid of a real child, and how many files of the folder it holds open."""
    command = [sys.executable, "-c", CHILD, str(folder), str(count)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        yield child.pid, int(child.stdout.readline())


def watch(sampler: Sampler, seconds: float) -> tuple[list[Reading], float]:
    """Readings at 10 Hz for that long, and the seconds of CPU they cost."""
    pause = threading.Event()
    start = time.perf_counter()
    readings = []
    cost = 0.0
    for index in range(round(seconds / PERIOD)):
        pause.wait(max(0.0, start + index * PERIOD - time.perf_counter()))
        cost -= time.thread_time()
        reading = sampler.read(time.perf_counter() - start)
        cost += time.thread_time()
        assert reading is not None
        readings.append(reading)
    return readings, cost


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what sampling costs.")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--files", type=int, default=20_000)
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), wanted.files) as (pid, opened),
    ):
        if opened < wanted.files:
            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            print(f"only {opened} files: the hard limit on open files is {limit}")
        with Sampler([pid], [Path(name)]) as sampler:
            readings, cost = watch(sampler, wanted.seconds)
            started = time.thread_time()
            last = sampler.read(wanted.seconds, complete=True)
            final = time.thread_time() - started
    assert last is not None
    looks = sum(reading.dataset_fds is not None for reading in readings)
    print(f"{last.fds} open files, {last.dataset_fds} of them in the dataset")
    print(f"{len(readings)} readings, {looks} of them followed the open files")
    print(f"{cost * 1000:.1f} ms of CPU: {100 * cost / wanted.seconds:.3f} % of one core")
    print(f"{final * 1000:.1f} ms for the complete reading at the end, which is not in it")


if __name__ == "__main__":
    main()
