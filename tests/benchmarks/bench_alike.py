"""Does `compare` call alike what is alike?  Real trials, while the load of the machine changes.

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_alike.py
        [--pairs 200] [--seconds 0.25] [--repeats 5] [--minutes 15] [--seed 1]

Every pair measures one setting of `raw` twice: in turns within one session, as a sweep and
`compare --again` do, and in two sessions one after the other, as `compare last~1 last` finds them.
Meanwhile busy loops come and go at random, so that the machine's mood changes within sessions and
between them.  All sessions are kept in a folder of their own, and the later pairs learn from the
earlier ones how far they drift, as they would in a user's folder.

Printed are the verdicts, how many are false, and how many shown 95 % intervals hold 1, for the
pairs in turns and the pairs measured apart; of those that hold for now, what holds on the quiet
machine, too.  Exit code 1 where more than 1 % of all verdicts are
false or fewer than 93 % of all intervals hold 1.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from changing_load import changing_load

from core.judge import compare_answers, past_of
from core.measure import Cancel, find_dataset
from core.run import begin_recording, earlier_results, recorded, session_for
from core.run.engine import run
from core.vocabulary import Dataset, Plan, Result, RunSpec, Verdict, VerdictKind, specify

MOST_FALSE, LEAST_HELD = 0.01, 0.93
IN_TURNS, APART = "in turns", "apart"


def measured(specs: Sequence[RunSpec], repeats: int, seed: int) -> tuple[Result, ...]:
    """These specs in one session of their own, in the sessions folder."""
    plan = Plan(title="alike", specs=tuple(specs), repeats=repeats, seed=seed)
    session = session_for(plan)
    try:
        number = begin_recording(plan, session, ["bench_alike"])
        for _ in recorded(run(plan, Cancel()), session, number):
            pass
        return session.results(number)
    finally:
        session.close()


class Bench:
    """One setting, which is measured in pairs."""

    def __init__(self, data: Dataset, seconds: float, repeats: int) -> None:
        self._data, self._seconds, self._repeats = data, seconds, repeats

    def _spec(self, deadline: float) -> RunSpec:
        """The setting; the deadline changes nothing but makes it another spec."""
        values = {"duration": self._seconds, "warm_up": 0.0, "deadline": deadline}
        return specify("raw", self._data, values)

    def pair(self, kind: str, seed: int) -> Verdict:
        """The verdict on one pair."""
        if kind == IN_TURNS:
            one, two = measured([self._spec(501.0), self._spec(502.0)], self._repeats, seed)
        else:
            (one,) = measured([self._spec(500.0)], self._repeats, seed)
            (two,) = measured([self._spec(500.0)], self._repeats, seed)
        (verdict,) = compare_answers([(one, two)], past_of=partial(past_of, earlier_results))
        return verdict


def told(kind: str, verdicts: Sequence[Verdict]) -> str:
    """One line of counts."""
    kinds = ", ".join(f"{count} {name}" for name, count in Counter(map(kind_of, verdicts)).items())
    beside = [one for one in verdicts if one.beside]
    quiet = Counter(one.lasting.value for one in beside)
    return (
        f"{kind}: {len(verdicts)} pairs: {kinds}; {false(verdicts)} false; {len(beside)} for now "
        f"({', '.join(f'{count} {name} when quiet' for name, count in quiet.items())}); "
        f"{held(verdicts)} of {len(with_interval(verdicts))} intervals hold 1"
    )


def kind_of(verdict: Verdict) -> str:
    return verdict.kind.value


def false(verdicts: Sequence[Verdict]) -> int:
    """For now, or for the quiet machine."""
    directions = (VerdictKind.FASTER, VerdictKind.SLOWER)
    return sum(one.kind in directions or one.lasting in directions for one in verdicts)


def with_interval(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """Answers of different kinds have none."""
    return [one for one in verdicts if one.low is not None and one.high is not None]


def held(verdicts: Sequence[Verdict]) -> int:
    return sum((one.low or 0.0) <= 1.0 <= (one.high or 0.0) for one in with_interval(verdicts))


def measure_all(bench: Bench, wanted: argparse.Namespace) -> dict[str, list[Verdict]]:
    """Pairs of both kinds by turns, until there are enough or the time is over."""
    found: dict[str, list[Verdict]] = {IN_TURNS: [], APART: []}
    until = time.monotonic() + 60.0 * wanted.minutes
    with changing_load(random.Random(wanted.seed)):
        for at in range(wanted.pairs):
            if time.monotonic() > until:
                print(f"time is over after {at} of {wanted.pairs} pairs")
                break
            kind = (IN_TURNS, APART)[at % 2]
            verdict = bench.pair(kind, wanted.seed + at)
            found[kind].append(verdict)
            load = os.getloadavg()[0]
            print(f"{at + 1}: {kind}, load {load:.1f}: {verdict.sentence}", flush=True)
    return found


def main() -> int:
    """Print a line for each pair, and the counts; 0 where the goals are met."""
    parser = argparse.ArgumentParser(description="Compare what is alike.")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.25, help="length of a trial")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    # So that loops and sessions are removed then, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as name:
        os.environ["SLUICE_SESSIONS"] = name
        data = Path(name, "data")
        data.write_bytes(random.Random(0).randbytes(4 << 20))
        bench = Bench(find_dataset("raw", data), wanted.seconds, wanted.repeats)
        found = measure_all(bench, wanted)
    for kind, verdicts in found.items():
        print(told(kind, verdicts))
    every = [verdict for verdicts in found.values() for verdict in verdicts]
    good = (
        bool(every)
        and false(every) <= MOST_FALSE * len(every)
        and held(every) >= LEAST_HELD * len(with_interval(every))
    )
    print(told("all", every) + ("" if good else ": the goal is missed"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
