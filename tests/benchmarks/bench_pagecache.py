"""What looking at and emptying the page cache costs, on a file of the current folder's disk.

PYTHONPATH=. python tests/benchmarks/bench_pagecache.py [--mebibytes 256]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.measure import evict
from core.measure.machine.page_cache import counting_methods, residency, warm


def timed[T](label: str, action: Callable[[], T]) -> T:
    start = time.perf_counter()
    result = action()
    print(f"{label:24} {1000 * (time.perf_counter() - start):8.2f} ms")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure work on the page cache.")
    parser.add_argument("--mebibytes", type=int, default=256)
    size = parser.parse_args().mebibytes
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        path = Path(name) / "file"
        with path.open("wb") as file:
            for _ in range(size):
                file.write(os.urandom(1 << 20))
            os.fsync(file.fileno())
        for method, count in counting_methods().items():
            timed(method, partial(residency, [path], methods={method: count}))
        done = timed("evict", lambda: evict([path]))
        print(f"{done.before.fraction:.2%} resident before, {done.after.fraction:.2%} after")
        warmed = timed("warm", lambda: warm([path]))
        print(f"{warmed.after.fraction:.2%} resident")


if __name__ == "__main__":
    main()
