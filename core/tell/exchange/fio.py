"""What fio writes with `--output-format=json`: operations and bytes per second of each job.

Jobs of one name in one group ran together: what all of them did, over the time from the first start
to the last end, as fio has it for a group.  Of the documents that
`--status-interval` adds to a file, each covers its run from the start on, and the last counts;
those of several runs are repetitions.  Before fio 3.0 latencies are in microseconds (`clat`), and
before 3.3 there are no bytes per second but KiB.  Jobs of servers stand in `client_stats`, with
their host.
Source: stat.c and client.c of fio 2.1, 2.19, 3.0, 3.33 and 3.41.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from core.tell.exchange.imported import Imported
from core.vocabulary import resolves

_PERCENTILES = {"p50": 50.0, "p99": 99.0, "p999": 99.9}
_SAME_NUMBER_EVERYWHERE = 34
"""Up to this number an error has one meaning on all systems, so on the one that measured, too."""
_QUEUEING = ("libaio", "io_uring", "posixaio", "solarisaio", "windowsaio")
"""Engines for which `iodepth` is the number of operations under way.  `raw` has io_uring too; those
of others are compared with as many threads."""
_READING = ("read", "randread")
_TOLERANCE = 0.005
"""Of the size of an operation that is computed from rates."""
_VARYING_SIZES = {"bsrange", "blocksize_range", "bssplit"}


class _Lasting(msgspec.Struct):
    percentile: dict[str, float] = {}
    samples: int = msgspec.field(name="N", default=0)

    def seconds(self, percent: float, operations: int, scale: float) -> float | None:
        value = next((v for key, v in self.percentile.items() if float(key) == percent), 0.0)
        enough = resolves(self.samples or operations, percent)
        return value * scale if value and enough else None


class _Side(msgspec.Struct):
    total_ios: int = 0
    iops: float = 0.0
    runtime: float = 0.0
    bw: float = 0.0
    bw_bytes: float | None = None
    io_bytes: int = 0
    lat_ns: _Lasting | None = None
    clat_ns: _Lasting | None = None
    lat: _Lasting | None = None
    clat: _Lasting | None = None

    @property
    def bytes_per_second(self) -> float:
        return self.bw * 1024 if self.bw_bytes is None else self.bw_bytes

    @property
    def mean_size(self) -> float:
        """Bytes of an operation; fio 2 calls `io_bytes` what are KiB."""
        size = self.bytes_per_second / self.iops
        exact = self.io_bytes / self.total_ios if self.total_ios else 0.0
        return exact if abs(exact - size) <= _TOLERANCE * size else size

    def has_blocks_of(self, size: int) -> bool:
        """Whether all operations may have had this size, or all but the last of each pass."""
        if abs(self.mean_size - size) <= _TOLERANCE * size:
            return True
        return self.io_bytes > 0 and math.ceil(self.io_bytes / size) == self.total_ios

    @property
    def active(self) -> bool:
        return self.total_ios > 0 or self.iops > 0

    def latency(self, percent: float) -> float | None:
        """Seconds of whole operations, or else from their submission on, as fio was asked."""
        of_unit = ((self.lat_ns, 1e-9), (self.clat_ns, 1e-9), (self.lat, 1e-6), (self.clat, 1e-6))
        values = (one.seconds(percent, self.total_ios, scale) for one, scale in of_unit if one)
        return next((value for value in values if value is not None), None)


class _Job(msgspec.Struct):
    jobname: str
    groupid: int = 0
    error: int = 0
    hostname: str = ""
    job_start: int = 0
    options: dict[str, str] = msgspec.field(name="job options", default_factory=dict)
    read: _Side = msgspec.field(default_factory=_Side)
    write: _Side = msgspec.field(default_factory=_Side)
    trim: _Side = msgspec.field(default_factory=_Side)
    mixed: _Side = msgspec.field(default_factory=_Side)

    @property
    def key(self) -> tuple[str, int, str]:
        return self.hostname, self.groupid, self.jobname

    @property
    def sides(self) -> dict[str, _Side]:
        """Those directions in which there was an operation."""
        every = {name: getattr(self, name) for name in ("read", "write", "trim", "mixed")}
        return {name: side for name, side in every.items() if side.active}

    @property
    def seconds(self) -> float:
        return max((side.runtime for side in self.sides.values()), default=0.0) / 1000


class _File(msgspec.Struct):
    jobs: list[_Job] = []
    client_stats: list[_Job] = []
    version: str = msgspec.field(name="fio version", default="fio")
    timestamp: float = 0.0
    timestamp_ms: float = 0.0
    options: dict[str, str] | list[dict[str, str | int]] = msgspec.field(
        name="global options", default_factory=dict
    )

    @property
    def every(self) -> list[_Job]:
        return self.jobs or self.client_stats

    def continues(self, before: _File) -> bool:
        """Whether this is the same run as that of the document before, later."""
        pairs = list(zip(before.every, self.every, strict=False))
        if len(before.every) != len(self.every) or any(a.key != b.key for a, b in pairs):
            return False
        if all(a.job_start and b.job_start for a, b in pairs):
            return all(a.job_start == b.job_start for a, b in pairs)
        for a, b in pairs:
            if a.seconds > b.seconds or any(
                side.total_ios > getattr(b, name).total_ios for name, side in a.sides.items()
            ):
                return False
        # A run that began after the document before cannot have run for longer than since then.
        longest: dict[int, float] = {}
        for job in self.every:
            longest[job.groupid] = max(longest.get(job.groupid, 0.0), job.seconds)
        busy = sum(longest.values())
        if self.timestamp_ms and before.timestamp_ms:
            return (self.timestamp_ms - before.timestamp_ms) / 1000 < busy
        return self.timestamp - before.timestamp + 1 < busy


def parse_fio(*documents: bytes) -> tuple[Imported, ...]:
    """Operations, then bytes, of each direction of each job; raises msgspec.MsgspecError."""
    runs: list[_File] = []
    for document in documents:
        file = msgspec.json.decode(document, type=_File)
        if runs and file.continues(runs[-1]):
            runs.pop()
        runs.append(file)
    repetitions: dict[tuple[str, int, str, str], _Repetitions] = {}
    for run in runs:
        for key, group in groupby(sorted(run.every, key=lambda job: job.key), lambda job: job.key):
            jobs = tuple(group)
            for direction in dict.fromkeys(name for job in jobs for name in job.sides) or ("",):
                repetitions.setdefault((*key, direction), []).append((run, jobs))
    return tuple(
        one for (*_, direction), times in repetitions.items() for one in _imported(direction, times)
    )


type _Repetitions = list[tuple[_File, tuple[_Job, ...]]]


def _imported(direction: str, times: _Repetitions) -> Iterator[Imported]:
    run, jobs = times[-1]
    sides = [[getattr(job, direction) for job in jobs if direction] for _, jobs in times]
    ending = _ending([jobs for _, jobs in times], sides)
    label = " · ".join(filter(None, (jobs[0].hostname, jobs[0].jobname, direction)))
    options = _options(run, jobs[0])

    def rates(unit: str, rates: Sequence[float], latencies: Mapping[str, float]) -> Imported:
        return Imported(
            label=label,
            unit=unit,
            values=tuple(rates) if ending == "completed" else (),
            source=run.version,
            ending=ending,
            parameters=_parameters(jobs, options, [side for some in sides for side in some]),
            latencies=latencies if ending == "completed" else {},
            reads=direction == "read" or (direction == "mixed" and _access(options) in _READING),
            cold=options.get("direct") == "1" or options.get("invalidate") != "0",
        )

    every = [jobs for _, jobs in times]
    operations = [
        _together(some, jobs, lambda side: side.iops)
        for some, jobs in zip(sides, every, strict=True)
    ]
    yield rates("operation", operations, _slowest(sides))
    if ending == "completed":
        moved = [
            _together(some, jobs, lambda side: side.bytes_per_second)
            for some, jobs in zip(sides, every, strict=True)
        ]
        yield rates("byte", moved, {})


def _together(
    sides: Sequence[_Side], jobs: Sequence[_Job], rate: Callable[[_Side], float]
) -> float:
    """What jobs of a group did per second, all together; those that fio gives no time are added."""
    active = [(side, job) for side, job in zip(sides, jobs, strict=False) if side.active]
    if len(active) < 2 or not all(side.runtime for side, _ in active):
        return sum(map(rate, sides))
    starts = [job.job_start for _, job in active]
    first = min(starts) if all(starts) else None  # before fio 3.29 nothing tells of it
    ends = [side.runtime + (0 if first is None else job.job_start - first) for side, job in active]
    return sum(rate(side) * side.runtime for side, _ in active) / max(ends)


def _ending(times: Sequence[tuple[_Job, ...]], sides: Sequence[Sequence[_Side]]) -> str:
    errors = [next((job.error for job in jobs if job.error), 0) for jobs in times]
    if error := next(filter(None, errors), 0):
        words = f" ({os.strerror(error)})" if error <= _SAME_NUMBER_EVERYWHERE else ""
        which = f"{sum(map(bool, errors))} of {len(errors)} runs " if len(errors) > 1 else ""
        return f"{which}ended with error {error}{words}"
    if not any(sides):
        return "no operation was done"
    if not all(any(side.iops > 0 for side in some) for some in sides):
        return "too short for a rate"
    return "completed"


def _slowest(sides: Sequence[Sequence[_Side]]) -> dict[str, float]:
    """By percentile the longest of all jobs and runs; percentiles cannot be put together."""
    every = [side for some in sides for side in some if side.active]
    longest = {}
    for name, percent in _PERCENTILES.items():
        latencies = [side.latency(percent) for side in every]
        measured = [value for value in latencies if value is not None]
        if measured and len(measured) == len(latencies):
            longest[name] = max(measured)
    return longest


def _options(run: _File, job: _Job) -> dict[str, str]:
    """All that was asked of a job; servers tell what was asked of all their jobs by host."""
    every = [run.options] if isinstance(run.options, dict) else run.options
    mine = [one for one in every if one.get("hostname", job.hostname) == job.hostname]
    return {name: str(value) for one in mine for name, value in one.items()} | job.options


def _access(options: Mapping[str, str]) -> str:
    return options.get("rw") or options.get("readwrite") or "read"


def _parameters(
    jobs: Sequence[_Job], options: Mapping[str, str], sides: Sequence[_Side]
) -> dict[str, str]:
    """What the workload `raw` calls them."""
    clones = len(jobs) if len(jobs) > 1 else _whole(options.get("numjobs"))
    engine = options.get("ioengine", "")
    depth = _whole(options.get("iodepth")) if engine.startswith(_QUEUEING) else 1
    ours = engine.startswith("io_uring")
    parameters = {
        "threads": str(clones if ours else clones * depth),
        "access": "random" if _access(options).startswith("rand") else "sequential",
        "direct": "yes" if options.get("direct") == "1" else "no",
        "queue_depth": str(depth if ours else 1),
    }
    if size := _block_size(options, [side for side in sides if side.iops]):
        parameters["block_size"] = str(size)
    return parameters


def _block_size(options: Mapping[str, str], sides: Sequence[_Side]) -> int | None:
    """Bytes of every operation; None where they are not the same."""
    if _VARYING_SIZES & options.keys() or not sides:
        return None
    requested = _bytes(options.get("bs") or options.get("blocksize") or "")
    mean = sides[0].mean_size
    for size in (requested, round(mean) if mean.is_integer() else 0, 512 * round(mean / 512)):
        if size and all(side.has_blocks_of(size) for side in sides):
            return size
    return None


_SIZE = re.compile(r"(\d+)(?:([kmg])i?)?b?", re.IGNORECASE)


def _bytes(written: str) -> int:
    """A size as fio takes it, in powers of 1024; 0 for one for each direction."""
    match = _SIZE.fullmatch(written.strip())
    if match is None:
        return 0
    return int(match[1]) << 10 * ("kmg".index(match[2].lower()) + 1 if match[2] else 0)


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 1
