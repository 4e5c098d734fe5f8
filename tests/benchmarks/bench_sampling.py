"""What sampling costs: a child with 20,000 open files, looked at ten times a second.

    PYTHONPATH=. python tests/benchmarks/bench_sampling.py [--seconds 20] [--files 20000]

Prints the CPU time spent on readings as a percentage of one core, and that of bare reads of the
three files of /proc that each reading needs, for a quarter of the time. Fewer files are opened,
and that is said, where the limit on open files cannot be raised far enough.
"""

from __future__ import annotations

import argparse
import resource

from core.selfcheck.cost import FILES, floor, watch


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
    print(f"{found.cost * 1000:.1f} ms of CPU: {found.share:.3%} of one core")
    print(f"{floor(wanted.seconds / 4, wanted.files):.3%} of one core for bare reads")
    print(f"{found.last_cost * 1000:.1f} ms for the complete reading at the end, not in it")


if __name__ == "__main__":
    main()
