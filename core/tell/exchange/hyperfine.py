"""What hyperfine writes with `--export-json`: written, so that its scripts can plot, and imported.

hyperfine compares the time of a command.  What is written has the time of one operation instead,
all workers together: one over the throughput, each a trial's mean, and a single run's where a trial
has one operation (`--operations 1`).  `user` and `system` are the CPU time of one operation, of the
programs that it runs if any.  `parameters` are those that differ, as hyperfine has those of its
scan.  A result that is not valid, or in
which nothing was done, has no times, null for their statistics, and its `ending`, a field that
hyperfine lacks.

What is imported has a throughput of one over a command's time.  hyperfine 1 lists `times`;
hyperfine 2 lists `measurements`, each with `time_wall_clock`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import msgspec

from core.language import escaped_json, tr
from core.tell.exchange.imported import Imported
from core.vocabulary import OfPrograms, Result, Trial, differing, ending, subject_of


def write_hyperfine(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write one `results` entry for each result."""
    names = differing([result.spec for result in results])
    content = {"results": [_entry(result, names) for result in results]}
    stream.write(msgspec.json.format(escaped_json(msgspec.json.encode(content)), indent=2) + b"\n")


def _entry(result: Result, names: Sequence[str]) -> dict[str, Any]:
    rates = result.values("throughput") if result.valid else ()
    times = [1 / rate for rate in rates] if all(rates) else []

    def of_times(measure: Callable[[list[float]], float], least: int = 1) -> float | None:
        return measure(times) if len(times) >= least else None

    values = result.spec.values
    assignments = [f"{name}={values[name]}" for name in names if name in values]
    return {
        "command": " ".join([subject_of(result.spec) or result.spec.workload, *assignments]),
        "mean": of_times(statistics.fmean),
        "stddev": of_times(statistics.stdev, least=2),
        "median": of_times(statistics.median),
        "user": _cpu(result, lambda seconds, kernel: seconds - kernel) if times else None,
        "system": _cpu(result, lambda _, kernel: kernel) if times else None,
        "min": of_times(min),
        "max": of_times(max),
        "times": times,
        "memory_usage_byte": [trial.peak_rss for trial in result.finished_trials if times],
        "exit_codes": [0 for _ in times],
        "parameters": {name: str(values[name]) for name in names if name in values},
        "ending": ending(result),
    }


def _cpu(result: Result, of_both: Callable[[float, float], float]) -> float:
    """Seconds of an operation, made of all its CPU seconds and those of the kernel."""
    return statistics.fmean(
        of_both(*_cpu_seconds(trial)) / max(trial.operations, 1) for trial in result.finished_trials
    )


def _cpu_seconds(trial: Trial) -> tuple[float, float]:
    """All of a trial's, and those of the kernel, in the ratio of its processes if not counted."""
    seconds = trial.counters.get(OfPrograms.CPU, trial.cpu_seconds or 0.0)
    if OfPrograms.SYSTEM in trial.counters:
        return seconds, trial.counters[OfPrograms.SYSTEM]
    last = trial.last
    whole = last.cpu_user + last.cpu_system if last is not None else 0.0
    return seconds, seconds * last.cpu_system / whole if last is not None and whole else 0.0


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


def parse_hyperfine(content: bytes) -> tuple[Imported, ...]:
    """The commands in a file; raises msgspec.MsgspecError."""
    file = msgspec.json.decode(content, type=_File)
    return tuple(_imported(entry, f"hyperfine {file.schema_version}") for entry in file.results)


def _imported(entry: _Entry, source: str) -> Imported:
    times = entry.times or [one.time_wall_clock.value for one in entry.measurements]
    codes = entry.exit_codes or [one.exit_code for one in entry.measurements]
    failed = sum(code != 0 for code in codes)
    ending = entry.ending or "completed"
    if ending != "completed":
        times = []
    elif not times:
        ending = "no single times were exported"
    elif not all(math.isfinite(time) and time > 0 for time in times):
        times, ending = [], "a time is not above 0 (measure with --shell=none)"
    elif failed:
        # Only with `-i` are there such runs: a command like grep ends with 1, and is measured.
        of = tr("1 run", "{count:,} runs", count=len(codes))
        ending = f"{failed} of {of} did not exit with 0"
        if failed < len(codes) == len(times):
            times = [time for time, code in zip(times, codes, strict=True) if code == 0]
            ending += ", and are left out"
    return Imported(
        label=entry.name or entry.command,
        unit="run",
        values=tuple(1 / time for time in times),
        source=source,
        ending=ending,
        parameters={name: str(value) for name, value in entry.parameters.items()},
        comparable=not failed or failed < len(codes),
    )
