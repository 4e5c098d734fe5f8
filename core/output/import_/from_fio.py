"""What fio writes with `--output-format=json`: operations and bytes per second of each job.

Jobs of one name in one group ran together, so their rates are added.
"""

from __future__ import annotations

from itertools import groupby

import msgspec

from core.output.import_.imported import Imported


class _Side(msgspec.Struct):
    total_ios: int = 0
    iops: float = 0.0
    bw_bytes: float = 0.0


class _Job(msgspec.Struct):
    jobname: str
    groupid: int = 0
    error: int = 0
    read: _Side = msgspec.field(default_factory=_Side)
    write: _Side = msgspec.field(default_factory=_Side)
    trim: _Side = msgspec.field(default_factory=_Side)


class _File(msgspec.Struct):
    jobs: list[_Job]
    version: str = msgspec.field(name="fio version", default="fio")


def parse(content: bytes) -> tuple[Imported, ...]:
    """Operations, then bytes, of each direction of each job; raises msgspec.MsgspecError."""
    file = msgspec.json.decode(content, type=_File)

    def together(job: _Job) -> tuple[int, str]:
        return job.groupid, job.jobname

    found: list[Imported] = []
    for (_, name), jobs in groupby(sorted(file.jobs, key=together), together):
        clones = list(jobs)
        for direction in ("read", "write", "trim"):
            sides = [getattr(job, direction) for job in clones]
            if any(side.total_ios for side in sides):
                found += _imported(f"{name} · {direction}", sides, clones, file.version)
    return tuple(found)


def _imported(
    label: str, sides: list[_Side], jobs: list[_Job], source: str
) -> tuple[Imported, Imported]:
    error = next((job.error for job in jobs if job.error), 0)
    ending = f"ended with error {error}" if error else "completed"

    def rate(unit: str, per_second: float) -> Imported:
        values = (per_second,) if not error else ()
        return Imported(label=label, unit=unit, values=values, source=source, ending=ending)

    return (
        rate("operation", sum(side.iops for side in sides)),
        rate("byte", sum(side.bw_bytes for side in sides)),
    )
