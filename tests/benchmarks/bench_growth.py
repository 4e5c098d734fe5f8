"""What data and sessions cost as they grow: a table of size against time.

    PYTHONPATH=.:tests:tests/benchmarks .venv/bin/python tests/benchmarks/bench_growth.py

Each size is looked at by `python -m core` in a process of its own: a folder of small files, a FASTA
file, a session, each for the first time and again.  Seconds are of CPU time, so that other programs
matter little, with the start of Python, and the least of some rounds; memory is the peak.
`--folder` keeps what is made, and finds it there.  Exits with 1 where ten times as much takes more
than eleven times the time.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

MOST = 11.0
_SETTINGS = 50


class Cost(NamedTuple):
    seconds: float
    megabytes: float


def make_files(path: Path, count: int) -> None:
    for number in range(count):
        if number % 1000 == 0:
            (path / f"{number // 1000}").mkdir(parents=True)
        (path / f"{number // 1000}" / f"{number}.bin").write_bytes(b"x" * 1000)


def make_fasta(path: Path, count: int) -> None:
    drawn = random.Random(1)
    bases = "".join(drawn.choices("ACGT", k=1000))
    with path.open("w") as file:
        for number in range(count):
            length = drawn.randrange(100, 400)
            lines = (bases[at : min(at + 60, length)] for at in range(0, length, 60))
            file.write(f">contig{number} {length}\n" + "\n".join(lines) + "\n")


def make_session(path: Path, count: int) -> None:
    # Not above: a command starts with the memory of who starts it.
    from bench_large_session import write

    write(path, _SETTINGS, count)


KINDS: dict[str, tuple[Callable[[Path, int], None], tuple[int, ...], tuple[str, ...]]] = {
    "files": (make_files, (2_000, 20_000, 200_000), ("dataset", "show")),
    "sequences": (make_fasta, (15_000, 150_000, 1_500_000), ("dataset", "show")),
    "trials": (make_session, (100, 1_000, 10_000), ("show",)),
}


def cost(cache: Path, *arguments: str) -> Cost:
    """Of a command in a process of its own."""
    command = [sys.executable, "-m", "core", *arguments]
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    environment = os.environ | {"SLUICE_CACHE": str(cache)}
    process = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "growth")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=KINDS, nargs="*", default=list(KINDS))
    chosen = parser.parse_args()
    chosen.folder.mkdir(exist_ok=True)
    failed = False
    print("| what | s | again | MB |\n|---|---|---|---|")
    for kind in chosen.only:
        make, sizes, command = KINDS[kind]
        before: list[float] = []
        for size in sizes:
            path = chosen.folder / f"{size}-{kind}"
            if not path.exists():
                make(path, size)
            seconds, megabytes = looked_at(chosen.rounds, *command, str(path))
            late = any(now > MOST * then for now, then in zip(seconds, before, strict=False))
            failed, before = failed or late, seconds
            figures = " | ".join(f"{one:.2f}" for one in seconds)
            print(f"| {size:,} {kind} | {figures} | {megabytes:.0f} |", flush=True)
    return int(failed)


def looked_at(rounds: int, *command: str) -> tuple[list[float], float]:
    """Seconds of the first look and of the next, and the peak memory of the first."""
    costs: list[tuple[Cost, Cost]] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            costs.append((cost(Path(cache), *command), cost(Path(cache), *command)))
    seconds = [min(one.seconds for one in column) for column in zip(*costs, strict=True)]
    return seconds, max(first.megabytes for first, _ in costs)


if __name__ == "__main__":
    sys.exit(main())
