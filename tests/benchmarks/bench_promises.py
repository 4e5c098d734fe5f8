"""Is the time that a run promises the time that it takes?

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_promises.py [--only WORD] [--known]

Carries out twenty plans of all workloads whose data can be made here, and asks the model of each
run for the time that is left, as the terminal and the window do.  Prints what was promised over
what it took: before the start, after a tenth of the time, half of it, and nine tenths.  A budget
promises a limit, so there only more than 1.3 is too much.

`--known` does all of it twice and judges the second time, when this machine knows how long the same
took.  Exits with 1 where, at a tenth or at half of the time, less than 9 plans in 10 are within
1.3.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from bisect import bisect_left
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import click

from core.measure import Cancel
from core.run import (
    Request,
    RunProgress,
    SampleData,
    begin_recording,
    recorded,
    session_for,
    task_of,
)
from core.tell.cli.measure_command import measure
from core.vocabulary import RunPlanned

WITHIN, OF = 1.3, 0.9
_PYTHON = f"{sys.executable} -c"
PLANS = (
    "raw",
    "raw --threads 4 --repeats 5 --duration 1s",
    "raw --why --duration 1s",
    "raw threads=1,2,4 --duration 1s",
    "raw threads=1,2,4,8 --duration 1s --turns off",
    "raw threads=1,2 page-cache=warm,cold --duration 1s",
    "raw threads=1,2,4,8 --budget 20s",
    "fasta --duration 2s",
    "fasta threads=1,2,4 --duration 1s --no-floor",
    "fasta cache=lru-locked,per-thread,pool threads=1,4 --duration 1s",
    "fasta threads=1,2 --budget 15s",
    "fasta threads=1..9 --duration 0.5s --budget 15s",
    "signal --duration 2s",
    "signal threads=1,2 --duration 1s --no-floor",
    "sparse --duration 2s",
    "sparse threads=1,2 --duration 1s --no-floor",
    "tiles --duration 2s",
    "tiles threads=1,2,4 --duration 1s --no-floor",
    f"command processes=1,2 --run '{_PYTHON} pass' --duration 1s --no-floor",
    f"command --run '{_PYTHON} \"import time; time.sleep(6)\"' --duration 1s --no-floor",
)


class Kept(NamedTuple):
    """One plan: when something was promised, the whole time as it was told then, and the time."""

    words: str
    at: list[float]
    told: list[float]
    took: float
    budget: bool

    def promised(self, share: float) -> float:
        """What was promised after that share of the time, over the time."""
        place = min(bisect_left(self.at, share * self.took), len(self.told) - 1)
        return self.told[place] / self.took

    def kept(self, share: float) -> bool:
        """Whether it came true."""
        factor = self.promised(share)
        return (factor <= WITHIN and (self.budget or factor >= 1 / WITHIN)) or (
            self.budget and factor >= 1 / WITHIN
        )


def request_of(words: str) -> Request:
    import shlex

    workload, *rest = shlex.split(words)
    command = measure.get_command(click.Context(measure), workload)
    return command.read(command.make_context(workload, rest).params)


def carry_out(words: str, folder: Path) -> Kept:
    request = request_of(words)
    task = task_of(request, SampleData(request.workload).make())
    cancel, watch = Cancel(), RunProgress()
    at, told = list[float](), list[float]()
    with closing(session_for(task.plan, folder / "a.sluice")) as session, closing(cancel):
        number = begin_recording(task.plan, session, ["bench"])
        for event in recorded(task.carry_out(cancel), session, number):
            watch.take(event)
            at.append(watch.elapsed)
            told.append(watch.elapsed + watch.seconds_left)
            if isinstance(event, RunPlanned):
                told[-1] = event.seconds
    return Kept(words, at, told, watch.elapsed, bool(task.plan.budget))


def _line(one: Kept) -> str:
    shares = (0.0, 0.1, 0.5, 0.9)
    told = "".join(f"{one.promised(share):8.2f}" for share in shares)
    return f"{one.words.replace(sys.executable, 'python')[:72]:72}{told}{one.took:8.1f} s"


def main() -> int:
    """All plans; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--known", action="store_true")
    wanted = parser.parse_args()
    done: list[Kept] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SLUICE_STATE"] = folder
        print(f"{'promised ÷ taken':72}   start   tenth    half 9 of 10    taken", flush=True)
        for plan in (one for one in PLANS if wanted.only in one):
            for _ in range(2 if wanted.known else 1):
                found = carry_out(plan, Path(folder))
            print(_line(found), flush=True)
            done.append(found)
    missed = False
    for share in (0.1, 0.5):
        kept = sum(one.kept(share) for one in done)
        print(f"within {WITHIN} after {share:.0%} of the time: {kept} of {len(done)}")
        missed |= kept < OF * len(done)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
