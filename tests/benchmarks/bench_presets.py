"""What presets advise, held against exhaustive sweeps of hyperfine, and the time that both take.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_presets.py --folder FOLDER
    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_presets.py --folder FOLDER --only zstd

Data is generated into FOLDER.  Of each preset hyperfine runs every number of threads, `--runs`
times each, and `measure command --preset` then answers the same question by itself.  A preset's
figures are kept in FOLDER, and one that is there is not measured again.  The regret is what our
answer takes beyond hyperfine's best, in hyperfine's own figures.  It fails beyond 3 %, unless the
95 % intervals of the two means overlap: then hyperfine cannot tell them apart either.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from core.desk import chosen_result
from core.judge import advise
from core.run import Session
from core.run.presets import Preset

COUNTS = (1, 2, 3, 4)
MOST_REGRET = 0.03
OURS = (sys.executable, "-m", "core", "measure", "command")
PRESETS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "zstd": ("text.fq", {"level": "9"}),
    "pigz": ("text.fq", {}),
    "xz": ("short.fq", {"level": "3"}),
    "bgzip": ("text.fq", {}),
    "samtools-sort": ("names.bam", {}),
    "samtools-view": ("names.bam", {}),
    "samtools-fastq": ("names.bam", {}),
    "bwa-mem": ("short.fq", {"reference": "ref.fa"}),
    "bowtie2": ("tiny.fq", {"index": "index"}),
    "minimap2": ("long.fq", {"reference": "ref.fa"}),
    "seqkit": ("text.fq", {}),
    "sort": ("text.fq", {}),
}
"""The data of each, and its values that are not as usual; a run takes about a second."""


def generate(folder: Path) -> None:
    """Reads of a random reference, and what tools need beside them."""
    if (folder / "names.bam").exists():
        return
    drawn = Random(7)
    reference = "".join(drawn.choices("ACGT", k=300_000))
    (folder / "ref.fa").write_text(f">chr1\n{reference}\n")

    def reads(name: str, count: int, length: int) -> None:
        with (folder / name).open("w") as file:
            for number in range(count):
                at = drawn.randrange(len(reference) - length)
                letters = list(reference[at : at + length])
                for place in drawn.sample(range(length), length // 100):
                    letters[place] = drawn.choice("ACGT")
                quality = "".join(drawn.choices("ABCDEFGHI", k=length))
                file.write(f"@r{number}\n{''.join(letters)}\n+\n{quality}\n")

    reads("text.fq", 120_000, 100)
    reads("short.fq", 25_000, 100)
    reads("tiny.fq", 12_000, 100)
    reads("long.fq", 900, 3000)
    for line in (
        "bwa index ref.fa",
        "bowtie2-build -q ref.fa index",
        "bwa mem -t 2 ref.fa text.fq | samtools view -b -o new.bam - && mv new.bam names.bam",
    ):
        subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True)


def for_hyperfine(preset: Preset, folder: Path, data: str, values: Mapping[str, str]) -> str:
    """Its command as a line of a shell, in which only the threads are open."""
    given = {"dataset": str(folder / data), "out": str(folder / "out"), **values}

    def put(match: re.Match[str]) -> str:
        name, _, usual = match[1].partition(":")
        if name == "threads":
            return "{threads}"
        if "threads" in name:
            return f"$(({name.replace('threads', '{threads}')}))"
        return shlex.quote(given.get(name, usual.partition(",")[0]))

    return re.sub(r"\{([^{}]+)\}", put, preset.run)


def hyperfines(line: str, told: Path, runs: int, cwd: Path) -> tuple[dict[int, list[float]], float]:
    """The seconds of each run by threads, and how long all took."""
    counts = ",".join(map(str, COUNTS))
    command = ["hyperfine", "--style=none", "--output=pipe", "--warmup=1", f"--runs={runs}"]
    begun = perf_counter()
    subprocess.run([*command, "-L", "threads", counts, "--export-json", told, line],
                   check=True, cwd=cwd, stdout=subprocess.DEVNULL)  # fmt: skip
    took = perf_counter() - begun
    results = json.loads(told.read_text())["results"]
    return {int(one["parameters"]["threads"]): one["times"] for one in results}, took


def ours(name: str, folder: Path, data: str, values: Mapping[str, str]) -> tuple[int, float]:
    """The threads that it advises, and how long it took."""
    session = folder / f"{name}.sluice"
    session.unlink(missing_ok=True)
    written = [f"{key}={shlex.quote(value)}" for key, value in values.items()]
    command = [*OURS, "--preset", name, f"threads={','.join(map(str, COUNTS))}", "--no-floor",
               "--dataset", folder / data, "--session", session]  # fmt: skip
    command += ["--values", " ".join(written)] if written else []
    begun = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = perf_counter() - begun
    with Session.read(session) as opened:
        results = opened.results(1)
    chosen = chosen_result(results, advise(results))
    assert chosen is not None
    return int(chosen.spec.load.threads), took


def interval(times: Sequence[float]) -> tuple[float, float]:
    """95 % of the mean."""
    mean = statistics.fmean(times)
    half = 2.1 * statistics.stdev(times) / len(times) ** 0.5 if len(times) > 1 else 0.0
    return mean - half, mean + half


def measured(name: str, folder: Path, runs: int) -> dict[str, Any]:
    data, given = PRESETS[name]
    here = {"reference", "index"}
    values = {key: str(folder / one) if key in here else one for key, one in given.items()}
    (folder / "out").mkdir(exist_ok=True)
    line = for_hyperfine(Preset.named(name), folder, data, values)
    times, theirs = hyperfines(line, folder / f"{name}.hyperfine.json", runs, folder)
    threads, took = ours(name, folder, data, values)
    means = {count: statistics.fmean(some) for count, some in times.items()}
    best = min(means, key=means.__getitem__)
    overlap = interval(times[threads])[0] <= interval(times[best])[1]
    return {
        "preset": name, "ours": threads,  "best": best, "overlap": overlap,
        "regret": means[threads] / means[best] - 1, "means": means, "runs": runs,
        "seconds": took, "seconds of hyperfine": theirs,
    }  # fmt: skip


def row(one: Mapping[str, Any]) -> str:
    means = " ".join(f"{mean:.3f}" for mean in one["means"].values())
    alike = "not measurably different" if one["overlap"] else "different"
    return (
        f"{one['preset']:15} ours {one['ours']}, best {one['best']},"
        f" regret {100 * one['regret']:.1f} % ({alike}); {one['seconds']:.0f} s,"
        f" hyperfine {one['seconds of hyperfine']:.0f} s [{means} s a run, {one['runs']} runs]"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--only", default=",".join(PRESETS))
    parser.add_argument("--runs", type=int, default=20)
    asked = parser.parse_args()
    folder: Path = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PYTHONPATH", os.getcwd())  # noqa: PTH109
    generate(folder)
    wrong = 0
    for name in asked.only.split(","):
        kept = folder / f"{name}.{asked.runs}.json"
        if not kept.exists():
            kept.write_text(json.dumps(measured(name, folder, asked.runs)))
        one = json.loads(kept.read_text())
        wrong += one["regret"] > MOST_REGRET and not one["overlap"]
        print(row(one), flush=True)
    print(f"{wrong} of {len(asked.only.split(','))} are worse")
    return wrong > 0


if __name__ == "__main__":
    raise SystemExit(main())
