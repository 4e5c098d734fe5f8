"""Do threads that wait for Python's lock want a core less than threads that compute outside it?

    PYTHONPATH=.:tests .venv/bin/python tests/benchmarks/bench_lock_waits.py [--rounds 5] [--busy 6]

The diagnosis does not name the lock where several threads run or want to run nearly all the time
(`core.judge.diagnosis.rules`, IDLE).  That holds only if threads which decode in Python wait
more than that, and threads which hash outside the lock less, also beside `busy` loops and on one
core.  Exits with 1 where any trial is on the wrong side.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from core.judge.diagnosis.facts import facts_of
from core.judge.diagnosis.rules import IDLE
from core.measure import Cancel, describe_environment
from core.run.engine import run
from core.vocabulary import Dataset, Load, Plan, RunSpec, TrialEnded, collect, open_dataset

HOLDS = {"PythonDecode": True, "FreeHash": False}
THREADS = (2, 3, 8)
CORES = (0, 1)


def waited(workload: str, cores: int, rounds: int, dataset: Dataset) -> dict[int, list[float]]:
    """The share of the time in which the threads wanted no core, by their number."""
    specs = [
        RunSpec(
            workload=f"rigged_bottlenecks:{workload}",
            version=1,
            parameters={"note": ""},
            load=Load(duration=0.6, warm_up=0.1, threads=threads, cores=cores),
            dataset=dataset,
        )
        for threads in THREADS
    ]
    shares: dict[int, list[float]] = {threads: [] for threads in THREADS}
    for _ in range(rounds):
        events = run(Plan(title="waits for the lock", specs=tuple(specs)), Cancel())
        trials = [event.trial for event in events if isinstance(event, TrialEnded)]
        for result in collect(specs, trials, describe_environment(), {}):
            share = facts_of(result).waiting
            if share is not None:
                shares[result.spec.load.threads].append(share)
    return shares


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--rounds", type=int, default=5)
    asking.add_argument("--busy", type=int, default=6)
    asked = asking.parse_args()
    others = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(asked.busy)
    ]
    missed = False
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "data.bin")
            file.write_bytes(b"x" * 4096)
            dataset = open_dataset(file)
            for workload, holds in HOLDS.items():
                for cores in CORES:
                    found = waited(workload, cores, asked.rounds, dataset)
                    for threads, shares in found.items():
                        wrong = not shares or any((share > IDLE) is not holds for share in shares)
                        missed |= wrong
                        where = f"{threads} threads, cores: {cores or 'all'}"
                        told = " ".join(f"{share:.2f}" for share in sorted(shares))
                        met = "missed" if wrong else "met   "
                        print(f"{met} {workload}, {where}: waited {told}", flush=True)
    finally:
        for other in others:
            other.kill()
            other.wait()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
