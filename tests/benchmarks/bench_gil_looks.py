"""What does looking for waits for Python's lock take from a thread that always holds it?

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_gil_looks.py [--rounds 50] [--busy 2]

A thread computes in Python for 0.6 s, in turn with the looks of a trial and without, beside `busy`
programs that keep the cores nearly busy, as a server does.  Its throughput with looks is divided by
that without.  Exits with 1 where the median is below 0.98.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from contextlib import nullcontext
from threading import Thread
from time import perf_counter

from core.measure import SharedCounters
from core.measure.trial.worker_threads import watched
from core.selfcheck.cost import judge_median

SECONDS = 0.6
BUSY = """
import time
while True:
    until = time.perf_counter() + 0.002
    while time.perf_counter() < until:
        pass
    time.sleep(0.0008)
"""


def computed(*, looked_at: bool) -> int:
    """How often a thread went round."""
    found: list[int] = []

    def work() -> None:
        rounds, until = 0, perf_counter() + SECONDS
        while perf_counter() < until:
            rounds += sum(1 for _ in range(1000))
        found.append(rounds)

    with watched(SharedCounters.unshared(1).slot(0)) if looked_at else nullcontext():
        thread = Thread(target=work)
        thread.start()
        thread.join()
    return found[0]


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--rounds", type=int, default=50)
    asking.add_argument("--busy", type=int, default=2)
    asked = asking.parse_args()
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(asked.busy)]
    ratios = []
    try:
        for number in range(asked.rounds):
            order = (True, False) if number % 2 else (False, True)
            did = {looked_at: computed(looked_at=looked_at) for looked_at in order}
            ratios.append(did[True] / did[False])
    finally:
        for other in others:
            other.kill()
            other.wait()
    row = judge_median(
        "With looks ÷ without: ≥ 0.98", ratios, (0.98, math.inf), f"{asked.busy} busy"
    )
    print(f"{'met   ' if row.passed else 'missed'} {row.goal}: {row.measured}")
    return 0 if row.passed else 1


if __name__ == "__main__":
    sys.exit(main())
