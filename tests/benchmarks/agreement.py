"""Does a search find what a sweep would?  Both are run for real, for each of some seeds.

    python tests/benchmarks/agreement.py [--seeds 10] [--threads 1..8] [--duration 0.5] …

They agree where the setting that the search chose reaches, in the sweep's own trials, 95 % of the
sweep's best.  On a machine that is busy with other work neither may be able to tell, so the
two are also held against each other with the spread of the trials: a choice that the sweep's
trials cannot tell from 95 % is counted apart, as one that was not answered with confidence is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.judge import relative, typical
from core.measure import RAW
from core.run import Session
from core.vocabulary import NEAR, REPEATS, Result


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One seed: what was chosen, and how it did in the sweep."""

    seed: int
    confident: bool
    values: Mapping[str, Any]
    share: float
    """Of the sweep's best median throughput."""
    high: float
    """Upper end of that share's 95 % interval."""
    trials: int
    whole: int

    @property
    def word(self) -> str:
        if self.share >= 1 - NEAR:
            return "agrees"
        return "cannot tell" if self.high >= 1 - NEAR else "differs"


def command(*arguments: str) -> list[dict[str, Any]]:
    """The events of one measuring command."""
    done = subprocess.run(
        [sys.executable, "-m", "core", *arguments, "--json", "--no-floor"],
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def attempt(seed: int, wanted: argparse.Namespace, folder: Path) -> Attempt:
    """Sweep and search with one seed, and hold the choice against the sweep."""
    counted = [f"threads={','.join(map(str, every(wanted.threads)))}", wanted.second]
    usual = [wanted.workload, *counted]
    usual += ["--duration", str(wanted.duration), "--warm-up", str(wanted.warm_up)]
    usual += ["--dataset", wanted.dataset] if wanted.dataset else []
    tuned = command("measure", *usual, "--order-seed", str(seed))
    (advice,) = [event["advice"] for event in tuned if event["type"] == "advised"]
    session = folder / f"{seed}.sluice"
    command(
        "measure", wanted.workload, *counted, *usual[3:], "--all", "--repeats", str(wanted.repeats),
        "--order-seed", str(seed), "--session", str(session),
    )  # fmt: skip
    with Session.read(session) as opened:
        swept = [one for one in opened.results() if one.spec.workload != RAW and one.valid]
    return held_against(seed, advice, swept)


def every(written: str) -> list[int]:
    """The numbers of `1..8`."""
    low, _, high = written.partition("..")
    return list(range(int(low), int(high or low) + 1))


def held_against(seed: int, advice: Mapping[str, Any], swept: Sequence[Result]) -> Attempt:
    """The share of the sweep's best that the chosen setting reaches in the sweep."""
    best = max(swept, key=lambda one: typical(one) or 0.0)
    chosen = [one for one in swept if advice["values"].items() <= one.spec.values.items()]
    share, high = 0.0, 0.0
    if advice["values"] and chosen:
        share = (typical(chosen[0]) or 0.0) / (typical(best) or 1.0)
        bound = relative(best, chosen[0]).high
        high = share if bound is None else bound
    return Attempt(
        seed=seed,
        confident=advice["confident"],
        values=advice["values"],
        share=share,
        high=high,
        trials=advice["trials"],
        whole=advice["whole"],
    )


def main() -> int:
    """Print one line a seed and the count; 0 where nine in ten agree."""
    parser = argparse.ArgumentParser(description="Hold a search against a sweep.")
    parser.add_argument("--workload", default="fasta")
    parser.add_argument("--threads", default="1..8")
    parser.add_argument("--second", default="cache=none,lru,lru-locked,per-thread")
    parser.add_argument("--dataset", default="")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--duration", type=float, default=0.5)
    parser.add_argument("--warm-up", type=float, default=0.2)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("SLUICE_SESSIONS", name)
        attempts = []
        for seed in range(1, wanted.seeds + 1):
            one = attempt(seed, wanted, Path(name))
            attempts.append(one)
            load = ", ".join(f"{level:.1f}" for level in os.getloadavg())
            sure = "sure" if one.confident else "not sure"
            print(
                f"seed {seed}: {one.word}: {dict(one.values)} ({sure}) reaches {one.share:.0%} "
                f"(at most {one.high:.0%}) of the sweep's best; "
                f"{one.trials} trials against {one.whole}; load {load}",
                flush=True,
            )
    words = [one.word for one in attempts]
    sure = [one for one in attempts if one.confident]
    print({word: words.count(word) for word in ("agrees", "cannot tell", "differs")})
    print(f"{sum(one.word == 'differs' for one in sure)} of {len(sure)} sure answers differ")
    return 0 if words.count("agrees") >= 0.9 * len(words) else 1


if __name__ == "__main__":
    sys.exit(main())
