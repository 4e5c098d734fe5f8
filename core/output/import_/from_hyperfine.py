"""What hyperfine writes with `--export-json`; a throughput is one over a command's time.

hyperfine 1 lists `times`; hyperfine 2 lists `measurements`, each with `time_wall_clock`.
"""

from __future__ import annotations

import math

import msgspec

from core.language.translation import tr
from core.output.import_.imported import Imported


class _Quantity(msgspec.Struct):
    value: float


class _Measurement(msgspec.Struct):
    time_wall_clock: _Quantity
    exit_code: int | None = None


class _Entry(msgspec.Struct):
    command: str
    name: str | None = None
    times: list[float] = []
    exit_codes: list[int | None] = []
    measurements: list[_Measurement] = []
    ending: str = ""
    parameters: dict[str, str | int | float] = {}


class _File(msgspec.Struct):
    results: list[_Entry]
    schema_version: int = 1


def parse(content: bytes) -> tuple[Imported, ...]:
    """The commands in a file; raises msgspec.MsgspecError."""
    file = msgspec.json.decode(content, type=_File)
    return tuple(_imported(entry, f"hyperfine {file.schema_version}") for entry in file.results)


def _imported(entry: _Entry, source: str) -> Imported:
    times = entry.times or [one.time_wall_clock.value for one in entry.measurements]
    codes = entry.exit_codes or [one.exit_code for one in entry.measurements]
    failed = sum(code != 0 for code in codes)
    ending = entry.ending or "completed"
    if failed:
        of = tr("1 run", "{count:,} runs", count=len(codes))
        ending = f"{failed} of {of} did not exit with 0"
    elif not times and ending == "completed":
        ending = "no single times were exported"
    elif not all(math.isfinite(time) and time > 0 for time in times):
        ending = "a time is not above 0 (measure with --shell=none)"
    return Imported(
        label=entry.name or entry.command,
        unit="run",
        values=tuple(1 / time for time in times) if ending == "completed" else (),
        source=source,
        ending=ending,
        parameters={name: str(value) for name, value in entry.parameters.items()},
    )
