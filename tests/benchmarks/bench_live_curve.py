"""Is the live curve's mean the answer?

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_live_curve.py [--only WORD] [--seconds 3]

Measures all workloads whose data can be made here with 1, 2 and 4 threads, in one piece and in
turns, and prints the mean of the throughput as it was drawn, by points that do not overlap, over
the throughput of the trial, and the lowest and the highest point over it.  Exits with 1 where a
mean is more than 5 % off.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from core.judge import TimePlot
from core.measure import Cancel, run_trial
from core.run import SampleData
from core.run.round_robin import RoundRobin
from core.vocabulary import Slot, Trial, TrialEnded, specify

WITHIN = 0.05
_THREADS = (1, 2, 4)
_PYTHON = f"{sys.executable} -c pass"
CASES: tuple[tuple[str, dict[str, object]], ...] = (
    ("raw", {}),
    ("raw", {"access": "random", "block_size": 4096}),
    ("fasta", {}),
    ("fasta", {"cache": "none"}),
    ("signal", {}),
    ("sparse", {}),
    ("tiles", {}),
    ("command", {"run": _PYTHON}),
)


def row(name: str, trial: Trial) -> bool:
    """Print one trial; whether its curve's mean is its answer."""
    if trial.throughput is None:
        print(f"{name:52} {trial.outcome}", flush=True)
        return False
    moments = [moment for moment in trial.moments if moment.at > 0]
    drawn = TimePlot.values(moments, None)[1][:, 0] / trial.throughput
    known = np.flatnonzero(np.isfinite(drawn))
    if not len(known):
        print(f"{name:52} nothing is drawn", flush=True)
        return False
    mean = _mean(np.array([moment.measured or moment.at for moment in moments]), drawn, known)
    drawn = drawn[known]
    told = f"{mean:8.3f}{drawn.min():8.2f}{drawn.max():8.2f}"
    print(f"{name:52}{told}   {trial.throughput:,.0f}/s", flush=True)
    return abs(mean - 1) <= WITHIN


def _mean(measured: np.ndarray, drawn: np.ndarray, known: np.ndarray) -> float:
    """Of points that do not overlap, from the first one on, by the time since the one before."""
    chosen = [known[0]]
    for at in known:
        if measured[at] - measured[chosen[-1]] >= 0.99 * measured[chosen[0]]:
            chosen.append(at)
    if measured[known[-1]] - measured[chosen[-1]] > 0.5 * measured[chosen[0]]:
        chosen.append(known[-1])
    lengths = np.diff(measured[chosen], prepend=0.0)
    return float(np.average(drawn[chosen], weights=lengths))


def main() -> int:
    """All cases; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=3.0)
    wanted = parser.parse_args()
    cancel, kept = Cancel(), []
    print(f"{'drawn ÷ answer':52}    mean  lowest highest")
    for workload, values in CASES:
        data = SampleData(workload).make()
        called = " ".join((workload, *map(str, values.values()))).replace(sys.executable, "python")
        if wanted.only not in called:
            continue
        load = {"duration": wanted.seconds}
        specs = [specify(workload, data, load | values | {"threads": n}) for n in _THREADS]
        slots = [Slot(index, 0, spec) for index, spec in enumerate(specs)]
        for slot in slots:
            for event in run_trial(slot, "bench", cancel):
                if isinstance(event, TrialEnded):
                    name = f"{called}, {slot.spec.load.threads} threads"
                    kept.append(row(name, event.trial))
        for event in RoundRobin(seed=1)(slots, "bench", cancel, len(slots)):
            if isinstance(event, TrialEnded):
                name = f"{called}, {specs[event.trial.index].load.threads} threads in turns"
                kept.append(row(name, event.trial))
    print(f"within {WITHIN:.0%}: {sum(kept)} of {len(kept)}")
    return int(sum(kept) < len(kept))


if __name__ == "__main__":
    raise SystemExit(main())
