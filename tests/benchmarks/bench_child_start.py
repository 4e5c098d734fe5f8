"""How long a trial's child takes from its start to its first operation, beside a bare Python.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_child_start.py --rounds 15

In each round both start once, one after the other, so that other programs delay both alike.  The
child opens `raw` on one small file, which takes next to nothing: what is left are its imports.
Exits with 1 where the goal is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core import Cancel, Inspection, Request
from core.run import task_of
from core.vocabulary import TrialEnded

GOAL = 3.5


def bare() -> float:
    """Seconds from the start to the end of a Python that does nothing."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", "pass"], check=True)
    return time.perf_counter() - begun


def start_up(data: Path) -> float:
    """Seconds from the start of a trial's child to its first operation."""
    values = {"duration": 0.1, "warm_up": 0.0, "page_cache": "warm"}
    request = Request(workload="raw", values=values, repeats=1, floor=False, dataset=data)
    task = task_of(request, Inspection.of(data, "raw").dataset)
    (trial,) = [one.trial for one in task.carry_out(Cancel()) if isinstance(one, TrialEnded)]
    assert trial.start_up > 0
    return trial.start_up


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the start of a trial's child.")
    parser.add_argument("--rounds", type=int, default=15)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SLUICE_SESSIONS": folder, "SLUICE_CACHE": f"{folder}/cache"}
        data = Path(folder) / "data"
        data.mkdir()
        (data / "one.bin").write_bytes(os.urandom(1 << 20))
        # The first round only warms the caches.
        found = [(bare(), start_up(data)) for _ in range(wanted.rounds + 1)]
    ratios = [child / alone for alone, child in found[1:]]
    alone, child = map(statistics.median, zip(*found[1:], strict=True))
    print(f"a bare Python {1000 * alone:.0f} ms, a child to its first operation {1000 * child:.0f}")
    ratio = statistics.median(ratios)
    print(f"child: {ratio:.2f} times a bare start, at most {GOAL:g}")
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
