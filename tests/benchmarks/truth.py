"""Is the throughput that Sluice reports what the same loop does without it?

    make truth                       the usual grid, in some twenty minutes
    make truth ARGS=--short          four minutes
    make truth ARGS=--all            every case
    make truth ARGS="--only raw --rounds 5 --json truth.json"

Each case is measured in turns by a trial of Sluice and by an independent loop that verifies
nothing: fio, hyperfine, or a plain script in processes of its own.  Every round goes over all
cases, so that what the machine does for a while does not fall upon one case alone, and who goes
first in a case changes with each round.  A ratio is that of neighbours; the median over the rounds
is held against the goal.  Exits with 1 where a goal is missed.

The machine should have nothing else to do.  The column `others` says how much of all its cores
other programs and the hypervisor had meanwhile; a pair in which they had much is measured once
more, and the calmer of the two counts.  Figures never decide that.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil
from bench_transfers import started
from truth_cases import Case, Grid, raw_cases
from truth_real import Source, real_cases
from truth_synthetic import synthetic_cases
from truth_transfers import folder_in_memory

from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import LabFolder
from core.language import SluiceError, Unavailable, show_rate
from core.measure import lab_folder
from core.selfcheck.truth import CALM, OtherLoad

SHORT_SECONDS, USUAL_SECONDS = 0.6, 1.2
ROUNDS = 3


class Pair(NamedTuple):
    """Operations per second of both sides in one round."""

    ours: float
    theirs: float
    others: float
    """Share of all cores that was not theirs, but not idle either."""


def seconds_of_servers() -> float:
    """CPU seconds of the lab's servers until now."""
    state = LabFolder(lab_folder()).state()
    running = state.servers if state else ()
    processes = [one for server in running for one in server.processes.values()]
    return sum(sum(psutil.Process(one).cpu_times()[:2]) for one in processes)


@dataclass
class Row:
    """What was measured of a case."""

    case: Case
    pairs: list[Pair] = field(default_factory=list)
    """One for each round."""
    failure: str = ""

    @property
    def ratio(self) -> float | None:
        return median(pair.ours / pair.theirs for pair in self.pairs) if self.pairs else None

    @property
    def met(self) -> bool:
        return not self.failure and self.ratio is not None and self.case.met(self.ratio)

    @property
    def disturbed(self) -> bool:
        """Whether others had much of the cores in most rounds: then its ratio means little."""
        return bool(self.pairs) and median(pair.others for pair in self.pairs) > CALM

    def measure(self, seconds: float, *, ours_first: bool) -> None:
        """One round; a side without a figure fails the case for good."""
        try:
            pair = self._pair(seconds, ours_first=ours_first)
            if pair.others > CALM:
                again = self._pair(seconds, ours_first=ours_first)
                pair = min(pair, again, key=lambda one: one.others)
        except SluiceError as error:
            self.failure = str(error)
        else:
            self.pairs.append(pair)

    def _pair(self, seconds: float, *, ours_first: bool) -> Pair:
        elsewhere, sides = OtherLoad(seconds_of_servers), [self.case.ours, self.case.theirs]
        found = [side(seconds) for side in (sides if ours_first else sides[::-1])]
        ours, theirs = found if ours_first else found[::-1]
        if theirs <= 0:
            raise SluiceError("the independent loop did nothing")
        return Pair(ours, theirs, elsewhere.share())

    def cells(self) -> tuple[str, ...]:
        case = self.case
        load = (case.name, str(case.threads), str(case.processes))
        if self.failure or self.ratio is None:
            return (*load, *4 * "–", case.goal, f"failed: {self.failure or 'not measured'}")
        ours, theirs, others = (median(side) for side in zip(*self.pairs, strict=True))
        figures = (show_rate(ours), show_rate(theirs), f"{others:.0%}", f"{self.ratio:.3f}")
        verdict = "met" if self.met else "missed"
        return (*load, *figures, case.goal, f"{verdict}, disturbed" if self.disturbed else verdict)

    def as_json(self) -> dict[str, object]:
        return {
            "case": self.case.name,
            "threads": self.case.threads,
            "processes": self.case.processes,
            "rounds": [pair._asdict() for pair in self.pairs],
            "ratio": self.ratio,
            "low": self.case.low,
            "high": self.case.high,
            "met": self.met,
            "disturbed": self.disturbed,
            "failure": self.failure,
        }


class Progress:
    """How far it is, on stderr."""

    def __init__(self, rows: Sequence[Row], rounds: int, seconds: float) -> None:
        self._total = rounds * len(rows)
        self._guess = sum(2 * (row.case.seconds + seconds) for row in rows) / max(1, len(rows))
        self._begun, self._done = time.monotonic(), 0
        self._lively = sys.stderr.isatty()

    def show(self, row: Row) -> None:
        """What is measured next."""
        spent = time.monotonic() - self._begun
        # The guess counts as much as two measurements: the first of a grid are its shortest.
        each = (spent + 2 * self._guess) / (self._done + 2)
        left = round(each * (self._total - self._done))
        text = f"[{self._done + 1}/{self._total}, {left // 60}:{left % 60:02d} left] {row.case.key}"
        if self._lively:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)
        self._done += 1

    def end(self) -> None:
        if self._lively:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def measure(rows: Sequence[Row], rounds: int, seconds: float) -> None:
    """All rounds, or those until Ctrl+C."""
    progress = Progress(rows, rounds, seconds)
    try:
        for number in range(rounds):
            for row in rows:
                progress.show(row)
                if not row.failure:
                    row.measure(seconds, ours_first=number % 2 == 0)
    except KeyboardInterrupt:
        print("\nstopped: what was measured until now", file=sys.stderr)
    finally:
        progress.end()


_HEAD = ("case", "threads", "processes", "ours", "theirs", "others", "ratio", "goal", "")
_LEFT = (0, 8)
"""Columns of words; the others are figures."""


def table(rows: Iterable[Row]) -> str:
    lines = [_HEAD, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in _LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def cases(folder: Path, sources: Sequence[Source]) -> Iterator[Case]:
    """All cases; a line says which cannot be had here."""
    for source in sources:
        try:
            yield from source(folder)
        except Unavailable as missing:
            print(f"left out: {missing.cause}", file=sys.stderr)


def s3_address(lab: Lab) -> str:
    """The address of a server of the lab; empty, with a line that says so, where there is none."""
    try:
        return started(lab, "s3")
    except SluiceError as missing:
        print(f"left out: tiles on S3 and boto3, {missing.cause}", file=sys.stderr)
        return ""


def chosen(found: Iterable[Case], grid: Grid, only: Sequence[str]) -> list[Row]:
    """Those of the grid; of those that are named all cases, unless the grid is the short one."""
    largest = Grid.ALL if only and grid is not Grid.SHORT else grid
    rows = [Row(case) for case in found if case.grid <= largest]
    return [row for row in rows if not only or any(name in row.case.key for name in only)]


def arguments() -> argparse.Namespace:
    asking = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asking.add_argument("--short", action="store_true", help="a few cases, in four minutes")
    asking.add_argument("--all", action="store_true", help="every case")
    asking.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="cases whose name has this"
    )
    asking.add_argument("--rounds", type=int, default=ROUNDS, help="[default: %(default)s]")
    asking.add_argument("--seconds", type=float, default=0.0, help="of each side in a round")
    asking.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    asking.add_argument(
        "--published",
        type=Path,
        metavar="FOLDER",
        help="with clones of the programs for signals that bench_signal.py names",
    )
    asking.add_argument("--list", action="store_true", help="only say which cases there are")
    return asking.parse_args()


def main() -> int:
    asked = arguments()
    grid = Grid.SHORT if asked.short else Grid.ALL if asked.all else Grid.USUAL
    seconds = asked.seconds or (SHORT_SECONDS if asked.short else USUAL_SECONDS)
    temporary = partial(tempfile.TemporaryDirectory, prefix="sluice-truth-")
    with temporary() as name, temporary(dir=folder_in_memory()) as memory:
        folder = Path(name)
        with throw_away_lab(folder / "lab") as lab:
            os.environ["SLUICE_LAB"] = str(folder / "lab")
            s3 = s3_address(lab)  # before the cache is another one, which holds the server
            for variable in ("SLUICE_STATE", "SLUICE_CACHE"):
                os.environ[variable] = str(folder / variable.lower())
            real = real_cases(memory=Path(memory), s3=s3, published=asked.published)
            sources = [raw_cases, synthetic_cases, *real]
            rows = chosen(cases(folder, sources), grid, asked.only)
            if asked.list:
                print("\n".join(row.case.key for row in rows))
                return 0
            measure(rows, asked.rounds, seconds)
    print(table(rows))
    missed = [row for row in rows if not row.met]
    print(f"{len(rows) - len(missed)} of {len(rows)} goals met")
    if disturbed := sum(row.disturbed for row in rows):
        print(f"{disturbed} disturbed: measure these again when the machine has nothing else to do")
    if asked.json:
        asked.json.write_text(json.dumps([row.as_json() for row in rows], indent=1))
    return 1 if missed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
