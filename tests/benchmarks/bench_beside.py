"""Does a sweep ever say a wrong number of threads as sure, beside other programs that come and go?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_busy_sweeps.py
        [--sweeps 20] [--loops 0,2,4,8] [--only raw,fasta,command] [--budget 8] [--seed 1]
        [--first first.json]

Sweeps 1, 2, 4 and 8 threads through the command line, with a budget of seconds, beside none or up
to so many busy loops, whose number changes every few seconds.  What is right is found first, in a
longer sweep without loops, unless `--first` names the file of an earlier one.  No machine is always
quiet, so it is not taken from throughput but from what other programs hardly change: the CPU time
of an operation, and on how many cores its threads want to run.  Right are the fewest threads within
10 % of the best.  Told are, for each workload and load, how often a sweep was right and
sure, for now or leading, how often it said that it cannot be told, and how often it named too many
threads or a wrong number.  Exits with 1 where one was wrong and sure.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from changing_load import changing_load

from core.desk import results_of
from core.judge import typical
from core.judge.diagnosis.facts import facts_of
from core.run import Session
from core.vocabulary import Result

THREADS = (1, 2, 4, 8)
NEAR = 0.9
"""Of the best: what reaches it is right."""
LONGER = 4.0
"""How many times the budget the first sweep has."""
KINDS = ("sure", "for now", "leading", "cannot be told")
ANSWERS = ("right", "too many", "wrong")


def made(folder: Path) -> dict[str, list[str]]:
    """The command lines, by workload, with data for each."""
    drawn = random.Random(1)
    data, lines, fasta = folder / "data.bin", folder / "lines.txt", folder / "fasta"
    data.write_bytes(drawn.randbytes(1 << 20) * 64)
    words = [f"{drawn.getrandbits(60):x}" for _ in range(5000)]
    lines.write_text("\n".join(" ".join(drawn.choices(words, k=6)) for _ in range(60_000)))
    core("dataset", "make", "fasta", "--folder", str(fasta))
    found = {
        "raw": ["raw", "--dataset", str(data), "--access", "random", "--page-cache", "warm"],
        "fasta": ["fasta", "--dataset", str(fasta), "--cache", "per-thread"],
    }
    if shutil.which("pigz"):
        run = "pigz -c -p {threads} {dataset}"
        found["command"] = ["command", "--run", run, "--dataset", str(lines), "--warm-up", "0"]
    return found


def core(*arguments: str) -> list[dict[str, Any]]:
    """The lines of a command that are JSON."""
    ran = subprocess.run(
        [sys.executable, "-m", "core", *arguments], capture_output=True, text=True, check=False
    )
    if ran.returncode:
        sys.exit(f"{' '.join(arguments)}\n{ran.stderr}")
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


def swept(line: Sequence[str], budget: float, session: Path) -> Mapping[str, Any]:
    """The advice of one sweep."""
    session.unlink(missing_ok=True)
    axis, limit = f"threads={','.join(map(str, THREADS))}", ["--budget", f"{budget:g}s"]
    told = ["--duration", "0.3", "--session", str(session), "--no-floor", "--json"]
    events = core("measure", line[0], axis, *line[1:], *limit, "--all", *told)
    advice: Mapping[str, Any] = next(one for one in events if one["type"] == "advised")["advice"]
    return advice


def rates_of(session: Path) -> dict[int, float]:
    """What a quiet machine would reach by threads, in operations per second."""
    with Session.read(session) as opened:
        run = opened.runs()[-1]
        results, _ = results_of(run, opened.trials(run.id))
    return {one.spec.load.threads: quiet_rate(one) for one in results}


def quiet_rate(result: Result) -> float:
    """As many cores as its threads want and there are, over the CPU time of an operation."""
    facts, cost = facts_of(result), typical(result, "cpu_each")
    demand = facts.demand if facts.busy is None else result.spec.load.threads  # pigz waits little
    return min(demand or 0.0, facts.cores) / cost if cost else 0.0


def right_of(rates: Mapping[int, float]) -> tuple[int, frozenset[int]]:
    """The fewest threads within `NEAR` of the best, and all that are."""
    good = [count for count, rate in rates.items() if rate >= NEAR * max(rates.values())]
    return min(good), frozenset(good)


def said(advice: Mapping[str, Any], rates: Mapping[int, float]) -> tuple[str, str]:
    """How sure an answer is, and whether it is right."""
    if advice["untellable"] or "threads" not in advice["values"]:
        return "cannot be told", ""
    threads = int(advice["values"]["threads"])
    sure = "sure" if advice["confident"] else "leading"
    kind = sure if advice["at_most_slower"] is None or advice["confident"] else "for now"
    fewest, good = right_of(rates)
    if threads == fewest:
        return kind, "right"
    return kind, "too many" if threads in good and threads > fewest else "wrong"


def main() -> int:
    """Sweep, print each answer and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=20)
    parser.add_argument("--loops", default="0,2,4,8")
    parser.add_argument("--only", default="raw,fasta,command")
    parser.add_argument("--budget", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=Path)
    asked = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder, session = Path(name), Path(name, "sweep.sluice")
        lines = {one: line for one, line in made(folder).items() if one in asked.only.split(",")}
        first: dict[str, dict[str, float]] = {}
        if asked.first and asked.first.exists():
            first = json.loads(asked.first.read_text())
        for workload, line in lines.items():
            if workload not in first:
                swept(line, LONGER * asked.budget, session)
                first[workload] = {str(n): rate for n, rate in rates_of(session).items()}
                if asked.first:
                    asked.first.write_text(json.dumps(first))
            print(f"{workload} wants: {first[workload]}", flush=True)
        for loops in map(int, asked.loops.split(",")):
            for workload, line in lines.items():
                rates = {int(count): rate for count, rate in first[workload].items()}
                counts = Counter[tuple[str, str]]()
                for seed in range(asked.seed, asked.seed + asked.sweeps):
                    with changing_load(random.Random(seed), loops):
                        advice = swept(line, asked.budget, session)
                    found = said(advice, rates)
                    counts[found] += 1
                    told = ", ".join(filter(None, found))
                    print(f"  {workload} {loops} {told}: {advice['values']}", flush=True)
                wrong += sum(counts["sure", answer] for answer in ANSWERS[1:])
                row = [
                    f"{kind}{f' and {answer}' if answer else ''} {counts[kind, answer]}"
                    for kind in KINDS
                    for answer in (*ANSWERS, "")
                    if counts[kind, answer]
                ]
                print(f"{workload} beside up to {loops} loops: {', '.join(row)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
