"""What is said beside other programs, held against the quiet machine and against a longer run.

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_beside.py
        [--sweeps 5] [--loops 0,1,2,4] [--only raw,fasta,…] [--budget 25] [--seed 1]
        [--formula]

Sweeps 1, 2, 4 and 8 threads through the command line, with a budget of seconds, beside none or up
to so many busy loops, whose number changes every few seconds.  The machine has to be quiet apart
from these.  Two truths: what longer sweeps without loops measure, before and after all others, and
for each load what longer sweeps beside it measure.

A claim for the quiet machine is wrong where its ratio to one thread, with its interval, leaves the
truth out by more than `NEAR`, or where its setting reaches less of the best than it says.  A claim
for now that is sure is wrong where its setting reaches less than 1 − 2 × `NEAR` of the best beside
the same load.  Exits with 1 where more than one claim in a hundred is wrong.

`--formula` prints instead, beside so many loops all the time, what each setting measured and what
is computed of it, each over the truth.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from changing_load import BUSY_LOOP, changing_load, end

from core.desk import results_of
from core.judge import typical
from core.judge.alone import alone
from core.run import Session
from core.vocabulary import CoreUse, Result

THREADS = (1, 2, 4, 8)
NEAR = 0.05
LONGER = 1.5
"""How many times the budget the sweeps have that find the truth."""
KINDS = ("right", "wrong", "for now alone", "right for now", "wrong for now", "leading for now")
_LAB = ("start", "proxy", "--of", "s3", "--latency", "20ms")

type Truth = Mapping[int, float]
"""Throughput by threads."""


def made(folder: Path, wanted: Sequence[str]) -> dict[str, list[str]]:
    """The command lines, by workload, with data for each."""
    drawn = random.Random(1)
    data, lines, sleeper = folder / "data.bin", folder / "lines.txt", folder / "sleeper.sh"
    sleeper.write_text("sleep 0.$((80 / $1 + 10))\n")
    data.write_bytes(drawn.randbytes(1 << 20) * 64)
    words = [f"{drawn.getrandbits(60):x}" for _ in range(5000)]
    lines.write_text("\n".join(" ".join(drawn.choices(words, k=6)) for _ in range(60_000)))
    short = ["--warm-up", "0", "--duration", "1"]
    text, command = ["--dataset", str(lines), *short], ["command", "--run"]
    found = {
        "raw": ["raw", "--dataset", str(data), "--access", "random", "--page-cache", "warm"],
        "fasta": ["fasta", "--cache", "per-thread"],
        "fasta, one lock": ["fasta", "--cache", "lru-locked"],
        "signal": ["signal"],
        "pigz": [*command, "pigz -c -p {threads} {dataset}", *text],
        "zstd": [*command, "zstd -q -c -9 -T{threads} {dataset}", *text],
        "sleep": [*command, f"sh {sleeper} {{threads}}", *short],
        "store": ["tiles", "--store", "s3"],
    }
    found = {name: found[name] for name in wanted}
    for kind in ("fasta", "signal"):
        place = folder / kind
        of_kind = [line for line in found.values() if line[0] == kind]
        if of_kind:
            core("dataset", "make", kind, "--folder", str(place))
        for line in of_kind:
            line += ["--dataset", str(place)]
    for program in ("pigz", "zstd"):
        if not shutil.which(program):
            found.pop(program, None)
    if "store" in found:
        core("lab", "start", "s3")
        core("lab", *_LAB)
        servers = core("lab", "status", "--json")[0]["servers"]
        found["store"] += [
            *("--address", next(one["address"] for one in servers if one["name"] == "proxy")),
            *("--access-key", "lab:s3/access-key", "--secret-key", "lab:s3/secret-key"),
        ]
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
    told = ["--session", str(session), "--no-floor", "--json"]
    events = core("measure", line[0], axis, *line[1:], *limit, "--all", *told)
    advice: Mapping[str, Any] = next(one for one in events if one["type"] == "advised")["advice"]
    return advice


def results_in(session: Path) -> Sequence[Result]:
    with Session.read(session) as opened:
        run = opened.runs()[-1]
        results, _ = results_of(run, opened.trials(run.id))
    return results


def truth_of(session: Path) -> dict[int, float]:
    return {one.spec.load.threads: typical(one) or 0.0 for one in results_in(session)}


def ratio_of(truth: Truth, threads: int) -> float:
    return truth[threads] / truth[min(truth)]


def is_right(claim: Mapping[str, Any], truths: Sequence[Truth], *, now: bool) -> bool:
    """Whether a claim agrees with one of these truths, of which the machine drifts from one to the
    other."""
    return any(_agrees(claim, truth, now=now) for truth in truths)


def _agrees(claim: Mapping[str, Any], truth: Truth, *, now: bool) -> bool:
    threads, slack = int(claim["setting"]["threads"]), 1.0 + NEAR
    reached = truth[threads] / max(truth.values())
    if now:
        return reached >= 1.0 - 2.0 * NEAR
    ratio, least = ratio_of(truth, threads), claim["at_least"]
    low, high = claim["low"] or ratio, claim["high"] or ratio
    return low / slack <= ratio <= high * slack and reached * slack >= min(least, 1.0)


def said(advice: Mapping[str, Any], quiet: Sequence[Truth], beside: Sequence[Truth]) -> list[str]:
    """What one answer counts as, for the quiet machine and for now."""
    claim, now = advice["quiet"], advice["now"]
    counts = []
    if not advice["beside"] and not advice["confident"] and advice["at_most_slower"] is None:
        counts.append("leading")
    elif not claim["setting"]:
        counts.append("for now alone")
    else:
        counts.append("right" if is_right(claim, quiet, now=False) else "wrong")
    if advice["beside"]:
        right = is_right(now, beside, now=True)
        kind = "leading for now" if now["confidence"] == "leading" else "right for now"
        counts.append(kind if right or kind.startswith("leading") else "wrong for now")
    return counts


@contextmanager
def steady_load(loops: int) -> Any:
    running = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(loops)]
    time.sleep(0.3)
    try:
        yield
    finally:
        for loop in running:
            end(loop)


def formula(lines: Mapping[str, Sequence[str]], loops: Sequence[int], session: Path) -> None:
    """Measured and computed, each over the truth."""
    for name, line in lines.items():
        truth: dict[int, float] = {}
        for count in (0, *(one for one in loops if one)):
            with steady_load(count):
                swept(line, 12.0, session)
            results = results_in(session)
            truth = truth or {one.spec.load.threads: typical(one) or 0.0 for one in results}
            told = {one.spec.load.threads: one for one in alone(results).results}
            for one in sorted(results, key=lambda one: one.spec.load.threads):
                threads, use = one.spec.load.threads, CoreUse.of(one.finished_trials[0])
                computed = told.get(threads)
                whole = typical(computed) if computed else None
                of_truth = f"{whole / truth[threads]:.2f}" if whole else "not told"
                cores = (
                    f"{use.running:5.2f} running, {use.queued:5.2f} waiting, {use.waits:6.0f} waits"
                    if use
                    else "no account of its threads"
                )
                measured = (typical(one) or 0.0) / truth[threads]
                print(
                    f"{name}: {count} loops, {threads} threads: {cores}; measured {measured:.2f}, "
                    f"computed {of_truth} of the truth",
                    flush=True,
                )


def main() -> int:
    """Sweep, print each answer and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweeps", type=int, default=5)
    parser.add_argument("--loops", default="0,1,2,4")
    parser.add_argument("--only", default="raw,fasta,fasta, one lock,signal,pigz,zstd,sleep,store")
    parser.add_argument("--budget", type=float, default=25.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formula", action="store_true")
    asked = parser.parse_args()
    loops = list(map(int, asked.loops.split(",")))
    wanted = asked.only.replace(", ", "\0").split(",")
    with tempfile.TemporaryDirectory() as name:
        folder, session = Path(name), Path(name, "sweep.sluice")
        lines = made(folder, [one.replace("\0", ", ") for one in wanted])
        try:
            if asked.formula:
                formula(lines, loops, session)
                return 0
            wrong, told = 0, 0
            for workload, line in lines.items():
                counts = sweeps(workload, line, loops, asked, session)
                wrong += counts["wrong"] + counts["wrong for now"]
                told += counts["right"] + counts["right for now"]
        finally:
            if "store" in lines:
                core("lab", "stop")
    print(f"{wrong} of {wrong + told} claims are wrong")
    return 1 if wrong * 100 > wrong + told else 0


def sweeps(
    workload: str,
    line: Sequence[str],
    loops: Sequence[int],
    asked: argparse.Namespace,
    session: Path,
) -> Counter[str]:
    """All answers about one workload, by what they count as."""
    swept(line, LONGER * asked.budget, session)
    quiet, whole = [truth_of(session)], Counter[str]()
    answers: list[tuple[int, Mapping[str, Any], list[Truth]]] = []
    for count in loops:
        beside: list[Truth] = []
        for seed in range(asked.seed, asked.seed + asked.sweeps):
            with changing_load(random.Random(seed), count):
                answers.append((count, swept(line, asked.budget, session), beside))
        if count:
            with changing_load(random.Random(-1), count):
                swept(line, LONGER * asked.budget, session)
            beside.append(truth_of(session))
    swept(line, LONGER * asked.budget, session)
    quiet.append(truth_of(session))
    for truth in quiet:
        print(f"{workload} alone: {', '.join(f'{n}: {ratio_of(truth, n):.2f}' for n in truth)}")
    for count in loops:
        of_load = Counter[str]()
        for answer, beside in ((one[1], one[2]) for one in answers if one[0] == count):
            kinds = said(answer, quiet, beside or quiet)
            of_load.update(kinds)
            shown = {name: answer[name] for name in ("now", "quiet") if answer["beside"]}
            print(f"  {count}: {', '.join(kinds)} {shown or answer['quiet']}", flush=True)
        row = ", ".join(f"{kind} {of_load[kind]}" for kind in of_load)
        print(f"{workload} beside up to {count} loops: {row}", flush=True)
        whole += of_load
    return whole


if __name__ == "__main__":
    sys.exit(main())
