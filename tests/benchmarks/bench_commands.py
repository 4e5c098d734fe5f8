"""What a run of `command` costs beside a bare start of the same program, in turns.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_commands.py --rounds 300

Where hyperfine is installed, its mean is told too, of as many runs with `--shell=none`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

from core.host.commands import Command, Commands
from core.output.import_ import read

PROGRAMS: dict[str, tuple[str, ...]] = {
    "true": ("true",),
    "sleep 0.05": ("sleep", "0.05"),
    "sh -c :": ("sh", "-c", ":"),
}


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


def with_hyperfine(program: Sequence[str], rounds: int) -> float | None:
    """The mean that it finds, in seconds."""
    if (hyperfine := shutil.which("hyperfine")) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")
        line = " ".join(program)
        subprocess.run(
            [hyperfine, "--shell=none", "--runs", str(rounds), "--export-json", str(told), line],
            check=True,
            capture_output=True,
        )
        return fmean(1 / rate for rate in read(told)[0].values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    rounds = parser.parse_args().rounds
    commands = Commands("bench", Path(tempfile.mkdtemp()))
    try:
        for name, program in PROGRAMS.items():
            command = Command(arguments=program, environment=dict(os.environ))
            pairs = [
                (seconds(lambda: commands.run(command)), seconds(lambda: bare(program)))  # noqa: B023
                for _ in range(rounds)
            ]
            ours, theirs = zip(*pairs, strict=True)
            dearer = 1000 * median(one - other for one, other in pairs)
            told = f"{name}: {1000 * median(ours):.3f} ms, bare {1000 * median(theirs):.3f} ms, {dearer:+.3f} ms"
            if (mean := with_hyperfine(program, rounds)) is not None:
                told += f"; mean {1000 * fmean(ours):.3f} ms, hyperfine's {1000 * mean:.3f} ms"
            print(told)
    finally:
        commands.close()


if __name__ == "__main__":
    main()
