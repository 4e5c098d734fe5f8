"""What a run of `command` costs beside hyperfine and a bare start of the same program, in turns.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_commands.py --rounds 10 --runs 30
    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_commands.py --tools --runs 3

In each round all three run the program as often, one after the other; hyperfine, where it is
installed, with `--shell=none`.  Told are the means of all rounds, the ratio of ours to hyperfine's
with its range over the rounds, and by how many milliseconds a run of ours takes longer.
With `--tools` they are those of zstd, pigz, xz and sort, with two threads, that are installed, on
a generated file.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter
from typing import NamedTuple

from core.measure import Command, Commands
from core.tell.exchange.imported import Imported, read

PROGRAMS: dict[str, tuple[str, ...]] = {
    "true": ("true",),
    "sleep 0.05": ("sleep", "0.05"),
    "gzip --version": ("gzip", "--version"),
}


def tools(folder: Path) -> dict[str, tuple[str, ...]]:
    """Tools that are installed, with what they are to do; the file's lines repeat themselves."""
    drawn = Random(1)
    file, out = folder / "lines.txt", folder / "out"
    words = [f"{drawn.getrandbits(60):x}" for _ in range(5000)]
    file.write_text("\n".join(" ".join(drawn.choices(words, k=6)) for _ in range(60_000)))
    lines = {
        "zstd": ("zstd", "-q", "-f", "-k", "-6", "-T2", str(file), "-o", str(out)),
        "pigz": ("pigz", "-k", "-f", "-p", "2", str(file)),
        "xz": ("xz", "-k", "-f", "-0", "-T2", str(file)),
        "sort": ("sort", "--parallel=2", str(file), "-o", str(out)),
    }
    return {name: line for name, line in lines.items() if shutil.which(name)}


def seconds(do: Callable[[], object]) -> float:
    begun = perf_counter()
    do()
    return perf_counter() - begun


def bare(program: Sequence[str]) -> None:
    subprocess.run(
        program,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def hyperfines(program: Sequence[str], runs: int) -> list[float]:
    """The seconds that it finds for each run; none where it is not installed."""
    if (hyperfine := shutil.which("hyperfine")) is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")
        line = " ".join(program)
        subprocess.run(
            [hyperfine, "--shell=none", "--runs", str(runs), "--export-json", str(told), line],
            check=True,
            capture_output=True,
        )
        (found,) = read(told)
        assert isinstance(found, Imported)
        return [1 / rate for rate in found.values]


class Round(NamedTuple):
    """Mean seconds of a run, by who ran it."""

    ours: float
    hyperfine: float | None
    bare: float


def one_round(commands: Commands, program: Sequence[str], runs: int, number: int) -> Round:
    """All three, each of them first in every third round."""
    command = Command(arguments=program, environment=dict(os.environ))
    found: dict[str, list[float]] = {}
    ways: list[tuple[str, Callable[[], list[float]]]] = [
        ("ours", lambda: [commands.run(command).seconds for _ in range(runs)]),
        ("hyperfine", lambda: hyperfines(program, runs)),
        ("bare", lambda: [seconds(lambda: bare(program)) for _ in range(runs)]),
    ]
    for name, way in (*ways[number % 3 :], *ways[: number % 3]):
        found[name] = way()
    theirs = found["hyperfine"]
    return Round(fmean(found["ours"]), fmean(theirs) if theirs else None, fmean(found["bare"]))


def told(name: str, rounds: Sequence[Round]) -> str:
    ours, plain = fmean(one.ours for one in rounds), fmean(one.bare for one in rounds)
    line = f"{name}: ours {1000 * ours:.3f} ms, bare {1000 * plain:.3f} ms"
    pairs = [(one.ours, one.hyperfine) for one in rounds if one.hyperfine is not None]
    if not pairs:
        return f"{line}; hyperfine is not installed"
    ratios = [one / two for one, two in pairs]
    theirs = fmean(two for _, two in pairs)
    return (
        f"{line}, hyperfine {1000 * theirs:.3f} ms; ratio of the means {ours / theirs:.4f}"
        f" (rounds {min(ratios):.4f} to {max(ratios):.4f}), {1000 * (ours - theirs):+.3f} ms a run"
    )


def whole(commands: Commands, program: Sequence[str], runs: int) -> str:
    """How long a call takes beyond the run that it tells of."""
    command = Command(arguments=program, environment=dict(os.environ))
    beyond = [
        took - ran
        for took, ran in (called(lambda: commands.run(command).seconds) for _ in range(runs))
    ]
    return f"  around a run: {1000 * fmean(beyond):.3f} ms that the clock of a run does not see"


def called(do: Callable[[], float]) -> tuple[float, float]:
    begun = perf_counter()
    found = do()
    return perf_counter() - begun, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--tools", action="store_true")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    commands = Commands("bench", Path(tempfile.mkdtemp()))
    try:
        for name, program in (tools(folder) if asked.tools else PROGRAMS).items():
            rounds = [one_round(commands, program, asked.runs, n) for n in range(asked.rounds)]
            print(told(name, rounds), flush=True)
            print(whole(commands, program, asked.runs), flush=True)
    finally:
        commands.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
