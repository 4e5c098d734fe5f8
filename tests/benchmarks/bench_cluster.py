"""What a trial loses on a cluster of one: `--cluster local:1` ÷ the same without, in turns.

    PYTHONPATH=. python tests/benchmarks/bench_cluster.py [--rounds 9] [--seconds 2] [--json]

Reads a small file with the workload raw, so that all is in memory and nothing but the harness and
what surrounds it can differ.  Each round measures both, in an order that changes from round to
round.  Printed are the median of the ratios of throughput, their range, and how far nodes started
from the agreed time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from core.measure import Cancel, ClusterTrial, Connection, run_trial
from core.vocabulary import AnyFiles, Completed, RunSpec, Slot, Trial, TrialEnded, specify

THREADS = (1, 2)
BLOCKS = (4096, 65536)


def trial_of(events: Iterable[object]) -> Trial:
    """The trial in which the events end; a failed one is an error here."""
    *_, last = events
    assert isinstance(last, TrialEnded)
    assert last.trial.outcome == Completed(), last.trial.outcome
    return last.trial


def measure(rounds: int, seconds: float) -> list[dict[str, object]]:
    """Every setting in turns, at home and on a node."""
    with tempfile.TemporaryDirectory() as folder, Connection("local:1") as connection:
        path = Path(folder) / "some.bin"
        path.write_bytes(bytes(range(256)) * (1 << 16))
        data = AnyFiles().open(path)

        def at_home(spec: RunSpec) -> Trial:
            return trial_of(run_trial(Slot(0, 0, spec), "a run", Cancel()))

        def on_a_node(spec: RunSpec) -> Trial:
            return trial_of(ClusterTrial(connection, Slot(0, 0, spec), "a run", Cancel()).run())

        found = []
        for threads in THREADS:
            for block in BLOCKS:
                wishes = {"threads": threads, "duration": seconds, "block_size": block}
                spec = specify("raw", data, wishes)
                ways = partial(at_home, spec), partial(on_a_node, spec)
                found.append({"threads": threads, "block": block} | compare(*ways, rounds))
        return found


def compare(home: Callable[[], Trial], away: Callable[[], Trial], rounds: int) -> dict[str, object]:
    """Both in turns: the ratios away ÷ home."""
    ratios, late = [], []
    for number in range(rounds):
        both = {}
        for name, run in (("home", home), ("away", away))[:: 1 if number % 2 else -1]:
            both[name] = run()
        rates = {name: trial.throughput for name, trial in both.items()}
        assert rates["home"]
        assert rates["away"]
        ratios.append(rates["away"] / rates["home"])
        late += [node.late or 0.0 for node in both["away"].nodes]
    return {
        "median": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
        "latest start": max(late),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a trial loses on a cluster of one.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true", help="Print one JSON array.")
    wanted = parser.parse_args()
    found = measure(wanted.rounds, wanted.seconds)
    if wanted.json:
        print(json.dumps(found))
        return
    for one in found:
        print(
            f"{one['threads']} threads, {one['block']:>6} bytes: {one['median']:.3f} "
            f"({one['least']:.3f} to {one['most']:.3f}), started up to "
            f"{1000 * float(str(one['latest start'])):.1f} ms after the agreed time"
        )


if __name__ == "__main__":
    main()
