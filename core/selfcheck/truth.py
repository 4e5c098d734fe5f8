"""Is the throughput that a trial reports what the same work reaches without Sluice?

Real trials beside programs that verify nothing: raw reads beside fio where it is installed,
operations of known length beside a plain loop in a process of its own, at 1 thread, as many as
cores, and eight times as many.  They take turns, each going first in every other round, and the
ratio of operations per second is that of neighbours.  `make truth` compares many more of both, and
all readers.  The plain loop performs the same function, and counts what ended within its time; of
what the trial does, verification is about a half of the shorter kind.

fio 3 with `ioengine=psync` (pread, as the workload raw uses) reads the same 256 MiB file with the
same block size: buffered, `invalidate=0` so that it leaves the page cache as it is, `mem=mmap` so
that its buffers begin at a page (elsewhere blocks of a mebibyte take 1.6 times as long on some
processors, and raw looks for the best place),
`random_generator=lfsr` so that it reads each block once before any comes again, as raw does (of
blocks drawn anew each time some are still in the processor's cache), `norandommap` and
`randrepeat=0` so that it keeps no map of what it has read, `time_based` after 0.2 s of
`ramp_time`, `numjobs` threads, and its default latency measurement, for Sluice measures latencies
too.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import override
from zlib import crc32

import msgspec
import psutil

from core.language import ReportProgress, SluiceError, report_to_nobody, show_rate, show_size
from core.measure import (
    Cancel,
    Program,
    cache_folder,
    find_dataset,
    import_path,
    run_program,
    run_trial,
    usable_cores,
    written_once,
)
from core.selfcheck.cost import (
    FEWEST,
    CheckReport,
    GoalRow,
    check_loop,
    check_watching,
    judge_median,
)
from core.tell.exchange.fio import parse_fio
from core.vocabulary import (
    Context,
    Dataset,
    Job,
    Slot,
    Step,
    TrialEnded,
    Weight,
    Workload,
    choice,
    describe,
    specify,
)

_LOOP_SECONDS = 4.0  # for each kind of operation
_ROUNDS, _SECONDS = FEWEST, 0.5
_WATCHING_SECONDS = 10.0
WARM_UP = 0.2  # s
CALM = 0.03
"""Share of all cores that other programs may have while a pair is measured."""

type Rate = Callable[[float], float]
"""Operations per second, measured for so many seconds; raises SluiceError where there are none."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A trial of ours and what it is held against."""

    name: str
    ours: Rate
    theirs: Rate
    low: float
    """Least ratio of ours to theirs, at the median of rounds."""
    high: float
    """Largest one: a rate beyond is a wrong figure."""


class OtherLoad:
    """What the cores do besides this program and its children that have ended."""

    def __init__(self, of_servers: Callable[[], float] = lambda: 0.0) -> None:
        """`of_servers`: CPU seconds so far of what works for it, but is no child of it."""
        self._of_servers = of_servers
        self._begun, self._busy = time.monotonic(), self._seconds()

    def _seconds(self) -> float:
        whole, own = psutil.cpu_times(), os.times()
        idle = whole.idle + getattr(whole, "iowait", 0.0)
        # What guests have is part of the users' share.
        guests = getattr(whole, "guest", 0.0) + getattr(whole, "guest_nice", 0.0)
        return float(sum(whole) - guests - idle - sum(own[:4]) - self._of_servers())

    def share(self) -> float:
        """Of all cores, since it was made."""
        able = (time.monotonic() - self._begun) * (os.cpu_count() or 1)
        # The machine's ticks and our own do not fall together.
        return max(0.0, (self._seconds() - self._busy) / able)


def thread_counts() -> Sequence[int]:
    """One, as many as cores, and so many that a core has eight."""
    cores = max(1, round(usable_cores()))
    return sorted({1, cores, 8 * cores})


def rate_of_trial(workload: str, dataset: Dataset, values: dict[str, object]) -> Rate:
    def rate(seconds: float) -> float:
        load = {"duration": seconds, "warm_up": WARM_UP, "processes": 1}
        cancel = Cancel()
        try:
            slot = Slot(0, 0, specify(workload, dataset, load | values))
            events = list(run_trial(slot, "selfcheck", cancel))
        finally:
            cancel.close()
        (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
        if trial.throughput is None:
            raise SluiceError(f"a trial of {workload}: {describe(trial.outcome)}")
        return trial.throughput

    return rate


type _Pair = tuple[float, float, float]
"""Operations per second of ours and of theirs, and the share of the cores that others had."""


def compare(
    comparisons: Sequence[Comparison],
    rounds: int,
    seconds: float,
    report: ReportProgress = report_to_nobody,
    *,
    longer: int = 1,
) -> tuple[GoalRow, ...]:
    """One row for each comparison, over that many rounds, or up to `longer` times as many where it
    cannot be told.
    """
    pairs: list[list[_Pair]] = [[] for _ in comparisons]
    for number in range(rounds * longer):
        for place, one in enumerate(comparisons):
            if number < rounds or _judge(one, pairs[place]).judgement == "cannot tell":
                report("comparing with others", number, rounds * longer, "rounds")
                pairs[place].append(_pair(one, seconds, ours_first=number % 2 > 0))
    report("comparing with others", rounds * longer, rounds * longer, "rounds")
    return tuple(map(_judge, comparisons, pairs))


def _pair(one: Comparison, seconds: float, *, ours_first: bool) -> _Pair:
    elsewhere = OtherLoad()
    sides = (one.ours, one.theirs) if ours_first else (one.theirs, one.ours)
    rates = {side: side(seconds) for side in sides}
    return rates[one.ours], rates[one.theirs], elsewhere.share()


def _judge(one: Comparison, pairs: Sequence[_Pair]) -> GoalRow:
    ours, theirs, others = (statistics.median(side) for side in zip(*pairs, strict=True))
    remark = f"{show_rate(ours)} against {show_rate(theirs)}, {len(pairs)} rounds"
    if others > CALM:
        remark += f", other programs had {others:.0%} of the cores: repeat without them"
    goal = f"{one.name}: {one.low:.2f}–{one.high:.2f}"
    ratios = [ours / theirs for ours, theirs, _ in pairs]
    return judge_median(goal, ratios, (one.low, one.high), remark)


_MEBIBYTE = 1 << 20
_FILE_SIZE = 256  # MiB
_BLOCKS = (65_536, 4_096)  # bytes
_POSSIBLE = 1.5
"""Some of fio's own work for each read can be saved, but that is less than half of the shortest."""


def without_fio() -> Sequence[GoalRow]:
    """A row that says so where fio is not installed."""
    if shutil.which("fio"):
        return ()
    return (
        GoalRow(
            goal="Raw reads ÷ fio",
            measured="fio is not installed",
            judgement="cannot tell",
            would_tell="install fio",
        ),
    )


def reads_beside_fio(dataset: Dataset) -> Sequence[Comparison]:
    """Reads of blocks of two sizes, at each number of threads; none where there is no fio."""
    if without_fio():
        return ()
    values = {"access": "random", "page_cache": "warm"}
    shapes = [(block, threads) for block in _BLOCKS for threads in thread_counts()]
    return [
        Comparison(
            name=f"Raw reads ÷ fio, {show_size(block)}, {threads} thread{'s'[: threads > 1]}",
            ours=rate_of_trial("raw", dataset, values | {"block_size": block, "threads": threads}),
            theirs=partial(rate_of_fio, [dataset.path], block, threads),
            low=0.95,
            high=_POSSIBLE,
        )
        for block, threads in shapes
    ]


def file_to_read(report: ReportProgress) -> Dataset:
    """A file of random bytes, which is made once."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            for done in range(_FILE_SIZE):
                report("writing a file to read", done, _FILE_SIZE, "MiB")
                file.write(os.urandom(_MEBIBYTE))

    folder = cache_folder() / "selfcheck"
    return find_dataset("raw", written_once(folder / f"random-{_FILE_SIZE}MiB", write))


def rate_of_fio(  # noqa: PLR0913 -- the parameters of `raw`
    files: Sequence[Path],
    block: int,
    threads: int,
    seconds: float,
    *,
    access: str = "random",
    direct: bool = False,
    depth: int = 0,
) -> float:
    """Reads per second of one run of fio over files of one folder; raises SluiceError.

    `depth`: how many its io_uring has in flight; 0 = it reads by pread.
    """
    options = {
        "name": "selfcheck",
        "filename": ":".join(file.name for file in files),
        "file_service_type": "random",
        "rw": "randread" if access == "random" else "read",
        "bs": block,
        "ioengine": "io_uring" if depth else "psync",
        "iodepth": max(1, depth),
        "direct": int(direct),
        "invalidate": 0,
        "mem": "mmap",
        "random_generator": "lfsr",
        "norandommap": 1,
        "randrepeat": 0,
        "time_based": 1,
        "ramp_time": f"{round(1000 * WARM_UP)}ms",
        "runtime": f"{round(1000 * seconds)}ms",
        "thread": 1,
        "numjobs": threads,
        "group_reporting": 1,
        "output-format": "json",
    }
    command = ["fio", "--readonly", *(f"--{name}={value}" for name, value in options.items())]
    done = run_program(Program(arguments=command, cwd=files[0].parent, measured=True))
    if not done.well:
        last = done.complaints.splitlines()[-1:]
        raise SluiceError(f"fio ended with {done.code}: {' '.join(last)}")
    text = done.output[done.output.index("{") :]  # it may say something before
    (reads,) = (one for one in parse_fio(text.encode()) if one.unit == "operation")
    if not reads.values:
        raise SluiceError(f"fio: {reads.ending}")
    return reads.values[0]


_KNOWN = "core.selfcheck.truth:KnownOperations"
_DATA = bytes(1 << 18)
"""Some 0.1 ms of a checksum, meanwhile nobody holds Python's lock."""
_SLEEP = 0.001  # s
_LISTED = 1000

type Operation = Callable[[int], int]


def _checksum(_: int) -> int:
    return crc32(_DATA)


def _sleep(_: int) -> int:
    time.sleep(_SLEEP)
    return 0


OPERATIONS: Mapping[str, Operation] = {"checksum": _checksum, "sleep": _sleep}


@dataclass(frozen=True, kw_only=True)
class KnownParameters:
    operation: str = choice(
        "checksum",
        options={"checksum": "Computes for 0.1 ms.", "sleep": "Waits for 1 ms."},
        help="What is done.",
    )


class KnownJob(Job[int, int]):
    """One of the operations; a checksum verifies each."""

    items: Sequence[int] = range(_LISTED)

    def __init__(self, operation: str) -> None:
        self._perform = OPERATIONS[operation]

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("work", self._perform),)

    @override
    def check(self, item: int, result: int) -> str:
        return "" if result in (0, _checksum(item)) else "another checksum"

    @override
    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), 0)


class KnownOperations(Workload[KnownParameters]):
    name = _KNOWN
    parameters = KnownParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[KnownParameters]) -> Job[int, int]:
        return KnownJob(context.parameters.operation)


class _Loop(msgspec.Struct, frozen=True, kw_only=True):
    """The order to the process of the plain loop."""

    operation: str
    threads: int
    seconds: float


def rate_of_loop(operation: str, threads: int, seconds: float) -> float:
    """Operations per second of the plain loop in a process of its own; raises SluiceError."""
    order = msgspec.json.encode(_Loop(operation=operation, threads=threads, seconds=seconds))
    command = [sys.executable, "-P", "-m", "core.selfcheck.truth", order.decode()]
    environment = os.environ | {"PYTHONPATH": import_path()}
    done = run_program(Program(arguments=command, environment=environment, measured=True))
    if done.code != 0:
        raise SluiceError(f"the process of the plain loop ended with {done.code}")
    return float(done.output)


def _loop(order: _Loop) -> float:
    perform, clock = OPERATIONS[order.operation], time.monotonic
    begun = threading.Barrier(order.threads + 1)
    counts: list[int] = []

    def live() -> None:
        begun.wait()
        while clock() < since:
            perform(0)
        count, now = 0, since
        while now < until:
            perform(0)
            now = clock()
            count += now < until
        counts.append(count)

    threads = [threading.Thread(target=live) for _ in range(order.threads)]
    for thread in threads:
        thread.start()
    since = clock() + WARM_UP
    until = since + order.seconds
    begun.wait()
    for thread in threads:
        thread.join()
    return sum(counts) / order.seconds


def operations_beside_loop(dataset: Dataset) -> Sequence[Comparison]:
    """Each operation beside the plain loop, at each number of threads."""
    return [
        Comparison(
            name=f"Trial ÷ plain loop, {operation}, {threads} thread{'s'[: threads > 1]}",
            ours=rate_of_trial(_KNOWN, dataset, {"operation": operation, "threads": threads}),
            theirs=partial(rate_of_loop, operation, threads),
            low=0.97,
            high=1.03,
        )
        for operation in OPERATIONS
        for threads in thread_counts()
    ]


def check_truth(report: ReportProgress = report_to_nobody, *, longer: int = 1) -> CheckReport:
    """What trials report against other programs, in some seconds for each pair and round."""
    dataset = file_to_read(report)
    comparisons = [*reads_beside_fio(dataset), *operations_beside_loop(dataset)]
    compared = compare(comparisons, _ROUNDS, _SECONDS, report, longer=longer)
    return CheckReport(title="Throughput", rows=(*without_fio(), *compared))


def check_speed(report: ReportProgress = report_to_nobody, *, longer: int = 1) -> CheckReport:
    """The loop, what trials report, and the sampling against their goals."""
    return CheckReport(
        title="Speed",
        rows=(
            *check_loop(_LOOP_SECONDS, report, longer=longer),
            *check_truth(report, longer=longer).rows,
            check_watching(_WATCHING_SECONDS, report, longer=longer),
        ),
    )


if __name__ == "__main__":
    sys.stdout.write(str(_loop(msgspec.json.decode(sys.argv[1], type=_Loop))))
