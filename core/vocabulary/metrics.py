"""The metrics, each declared once: every table, plot, export, comparison and limit is made of them.

A metric is a figure of a trial.  It is declared with its live curve, the way to sum up trials of a
setting, its better direction, and the places where it is shown.  `register` adds one.  A
workload's own counters are metrics too: see `core.vocabulary.job`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from core.language import Unit, capitalised
from core.vocabulary import registry
from core.vocabulary.job import Counter, OfPrograms
from core.vocabulary.metric import Face, Limit, Live, Metric
from core.vocabulary.registry import Entry

if TYPE_CHECKING:
    from core.vocabulary.moments import Moment
    from core.vocabulary.result import Result
    from core.vocabulary.trial import Trial

METRICS: dict[str, Metric] = {}
"""By their keys, in the order of columns."""


def register(*metrics: Metric) -> None:
    """Add metrics behind all others, or in place of those with the same keys."""
    METRICS.update({metric.key: metric for metric in metrics})


def metrics_in(face: Face) -> tuple[Metric, ...]:
    return tuple(metric for metric in METRICS.values() if face in metric.faces)


def leading(results: Sequence[Result]) -> tuple[Metric, ...]:
    """The metrics that users of these workloads think in, the most important first.

    Throughput where these differ between the workloads.
    """
    workloads = {result.spec.workload for result in results}
    keys = {registry.leading_keys(workload) for workload in workloads}
    workload = workloads.pop() if len(workloads) == 1 else ""
    common = keys.pop() if len(keys) == 1 else Entry.leading
    return tuple(metric_named(key, workload) for key in common)


def columns_for(face: Face, results: Sequence[Result]) -> tuple[Metric, ...]:
    """The columns of a table for these results, with the `leading` metrics in front."""
    first = leading(results)
    keys = [metric.key for metric in first]
    others = [metric for metric in metrics_in(face) if metric.key not in keys]
    # Hidden until a user unfolds it.
    reserve = replace(METRICS["throughput"], folded=("results", "trials"), spare=1)
    return (*first, *(reserve if one.key == reserve.key else one for one in others))


def live_plots() -> dict[str, list[tuple[Metric, Live]]]:
    """The metrics that have curves, by the titles of their plots."""
    plots: dict[str, list[tuple[Metric, Live]]] = {}
    for metric in METRICS.values():
        if metric.live:
            plots.setdefault(metric.live.plot, []).append((metric, metric.live))
    return plots


def comparable(results: Sequence[Result] = ()) -> tuple[str, ...]:
    """Keys of the metrics with a better direction, and of such counters of these results."""
    every = (*METRICS.values(), *counters_of(results))
    return tuple(metric.key for metric in every if metric.better)


def limited() -> tuple[Metric, ...]:
    return tuple(metric for metric in METRICS.values() if metric.limit)


def counter_metric(name: str, workload: str = "") -> Metric:
    """A workload's own counter; where no workload is named, as any declares it."""
    counter = registry.counters(workload).get(name) or Counter(name=name)
    title = f"{name}{_PER[counter.per]}"
    return Metric(
        name,
        capitalised(title),
        "What the workload counts.",
        partial(_counted, counter),
        _unit_of(counter),
        summed="median",
        better=counter.better,
        fractions=True,
        exported=f"counter.{title}",
        family="counted",
        labels={"counter": name, "per": counter.per},
        live=Live("Counted live", name, lambda moment: moment.tallies.get(name), grows=True),
    )


def metric_named(key: str, workload: str = "") -> Metric:
    """The metric of that key, titled as the workload has it, or else the counter of that name."""
    if key not in METRICS:
        return counter_metric(key, workload)
    title = registry.title_of_time(workload) if key == "time_each" else ""
    return replace(METRICS[key], title=title) if title else METRICS[key]


def counters_of(results: Sequence[Result]) -> tuple[Metric, ...]:
    """The counters that the results' workloads declare, and the tallies of their trials."""
    workloads: dict[str, str] = {}
    for result in results:
        declared = registry.counters(result.spec.workload)
        live = (name for trial in result.trials for name in trial.tallies)
        for name in (*declared, *live):
            workloads.setdefault(name, result.spec.workload)
    ours = {*METRICS, _REQUESTS}
    return tuple(counter_metric(*one) for one in workloads.items() if one[0] not in ours)


_PER = {"operation": " per operation", "second": " per second", "all": ""}


def _unit_of(counter: Counter) -> Unit:
    """By its name: `bytes mapped`, `backoff seconds`."""
    if counter.name.startswith("bytes") or counter.name.endswith(" bytes"):
        return "byte_rate" if counter.per == "second" else "bytes"
    if counter.name.endswith("seconds"):
        return "time_rate" if counter.per == "second" else "seconds"
    return "rate" if counter.per == "second" else ""


def _counted(counter: Counter, trial: Trial) -> float | None:
    count = trial.counters.get(counter.name)
    over = {"operation": trial.operations, "second": trial.elapsed, "all": 1}[counter.per]
    return count / over if count is not None and over else None


def _of_reading(name: str) -> Callable[[Moment], float | None]:
    return lambda moment: getattr(moment.reading, name, None)


def _of_noise(name: str) -> Callable[[Trial], float | None]:
    return lambda trial: getattr(trial.noise, name, None)


def _of_counter(name: str) -> Callable[[Trial], float | None]:
    return lambda trial: trial.counters.get(name)


def _cores_used(trial: Trial) -> float | None:
    """Of a trial that runs programs, those that they kept busy."""
    if OfPrograms.CPU not in trial.counters:
        return trial.cores_used
    each, rate = _cpu_each(trial), trial.throughput
    return None if each is None or rate is None else each * rate


_REQUESTS = "requests"
"""The counter of those that clients made; a metric has them for each operation."""


def _requests_each(trial: Trial) -> float | None:
    requests = trial.counters.get(_REQUESTS)
    return requests / trial.operations if requests is not None and trial.operations else None


def _amplification(trial: Trial) -> float | None:
    """Of what was read or written: the direction in which more has moved."""
    moved = max(trial.counters.get(name, 0.0) for name in ("wire bytes", "sent bytes"))
    wanted = _wanted(trial)
    return moved / wanted if moved and wanted else None


def _wanted(trial: Trial) -> float:
    return trial.counters.get("wanted bytes", trial.total(lambda worker: worker.bytes))


def _money(trial: Trial) -> float | None:
    """For each TB; None unless all that costs something was counted."""
    wanted, bytes_each = _wanted(trial), _amplification(trial)
    requests = trial.counters.get(_REQUESTS)
    costs = (
        (trial.request_price, requests / wanted if requests is not None and wanted else None),
        (trial.byte_price, bytes_each),
    )
    paid = [(price, count) for price, count in costs if price]
    if not paid or any(count is None for _, count in paid):
        return None
    return 1e12 * sum(price * (count or 0.0) for price, count in paid)


def _system_each(trial: Trial) -> float | None:
    used = trial.counters.get(OfPrograms.SYSTEM)
    return used / trial.operations if used is not None and trial.operations else None


def _cpu_each(trial: Trial) -> float | None:
    used = trial.counters.get(OfPrograms.CPU, trial.process_cpu)
    return used / trial.operations if used is not None and trial.operations else None


# A table: formatted by one argument a line, it would be three times as long.
# fmt: off
def _latency(title: str, quantile: float, **others: Any) -> Metric:
    text = f"{100 * quantile:g} % of the operations took less; none where too few were timed."
    return Metric(title.replace(".", ""), title, text, lambda t: t.latency(quantile), "seconds",
                  better="less", quantile=quantile, family="latency_seconds",
                  labels={"quantile": f"{quantile:g}"}, **others)


def _percentile(name: str) -> Live:
    tile = "Latency p99" if name == "p99" else ""
    return Live("Latency", name, lambda m: getattr(m, name) / 1e9 or None, tile=tile)


def _most(title: str) -> Limit:
    text = f"Longest {title} latency that a setting may have; 0 = any."
    return Limit(f"most_{title}", text, _A_DAY, title)


_A_DAY = 86_400.0
_TRIALS: tuple[Face, ...] = ("trials", "exports")
_REPORT: tuple[Face, ...] = ("trials", "report", "exports")
_FILES: tuple[Face, ...] = ("exports",)
_CARD: tuple[Face, ...] = ("card", "results", "trials", "report", "exports")
_FOLDED: tuple[Face, ...] = ("trials",)

register(
    Metric("throughput", "Throughput", "Operations per second.", lambda t: t.throughput, "rate",
           better="more", of_valid=True, exported="operations_per_second",
           live=Live("Throughput", "operations", lambda m: m.done, grows=True,
                     rate=lambda m: m.rate, tile="Throughput")),
    Metric("time_each", "Time per run", "Time on the wall for each operation, such as a run of a "
           "program; where several run at once, less than one of them takes.",
           lambda t: 1 / t.throughput if t.throughput else None, "seconds", better="less",
           of_valid=True, faces=_FILES, exported="seconds_per_operation"),
    Metric("byte_rate", "Bytes", "Bytes per second.", lambda t: t.byte_rate, "byte_rate",
           better="more", of_valid=True, faces=_TRIALS, exported="bytes_per_second",
           live=Live("Throughput", "bytes/s", lambda m: m.bytes, grows=True,
                     rate=lambda m: m.byte_rate, drawn=False)),
    _latency("p50", 0.5, spare=4, live=_percentile("p50")),
    _latency("p90", 0.9, faces=_TRIALS, folded=_FOLDED, limit=_most("p90")),
    _latency("p99", 0.99, faces=_CARD, live=_percentile("p99"), limit=_most("p99")),
    _latency("p99.9", 0.999, faces=_REPORT, folded=_FOLDED),
    Metric("longest", "Longest operation", "None where not every operation was timed.",
           lambda t: t.longest, "seconds", summed="most", better="less", faces=_REPORT,
           exported="longest_operation_seconds",
           limit=Limit("longest_operation", "Longest operation that a setting may have; 0 = any.",
                       _A_DAY, "longest operation")),
    Metric("fds", "Open files", "Files that the processes hold open, together; the most of a trial.",
           lambda t: t.most_fds, "count", summed="median", better="less",
           faces=_CARD, spare=8, exported="open_files", labels={"files": "all"},
           live=Live("Open files", "all", _of_reading("fds"), tile="Open files"),
           limit=Limit("most_files", "Most files that a setting may have open; 0 = any.",
                       2**31, "open files")),
    Metric("peak_rss", "Peak memory", "Memory of the processes, together; the most of a trial.",
           lambda t: t.peak_rss, "bytes", better="less", faces=_CARD, spare=9,
           live=Live("Memory", "resident", _of_reading("rss"), tile="Memory"),
           limit=Limit("most_memory", "Most memory that a setting may take; 0 = any.",
                       2**50, "memory")),
    Metric("dataset_fds", "Dataset files", "Most files of the dataset held open.",
           lambda t: t.most_dataset_fds, "count", summed="median", folded=_FOLDED,
           faces=_TRIALS, exported="open_dataset_files", family="open_files", labels={"files": "dataset"},
           live=Live("Open files", "dataset", _of_reading("dataset_fds"))),
    Metric("anonymous", "Own memory", "Most memory that belonged to no file.",
           lambda t: t.most_anonymous, "bytes", faces=_TRIALS, folded=_FOLDED,
           live=Live("Memory", "anonymous", _of_reading("rss_anonymous"))),
    Metric("file_backed", "Mapped", "Most memory that showed files.",
           lambda t: t.most_file_backed, "bytes", faces=_TRIALS, folded=_FOLDED,
           live=Live("Memory", "file-backed", _of_reading("rss_file"))),
    Metric("cpu", "CPU", "CPU time of the workers.", lambda t: t.cpu_seconds, "seconds",
           faces=_REPORT),
    Metric("process_cpu", "CPU of processes", "CPU time of the processes while the clock ran.",
           lambda t: t.process_cpu, "seconds", faces=_FILES),
    Metric("cpu_each", "CPU per operation", "CPU time of the processes, or programs, for each.",
           _cpu_each, "seconds", better="less", faces=_TRIALS, folded=_FOLDED,
           exported="cpu_seconds_per_operation",
           limit=Limit("most_cpu_time", "Most CPU time that an operation may take; 0 = any.",
                       _A_DAY, "CPU time")),
    Metric("requests_each", "Requests per operation", "Requests that the client sent to a server, "
           "repeated ones too, for each operation.", _requests_each, better="less",
           faces=_CARD[:3] + _FILES, folded=_FOLDED, fractions=True,
           exported="requests_per_operation"),
    Metric("amplification", "Amplification", "Bytes that moved on the wire, heads too, for each "
           "byte that operations wanted.", _amplification, "ratio", better="less",
           faces=_CARD[:3] + _FILES, folded=_FOLDED, fractions=True),
    Metric("money_per_terabyte", "Money per TB", "What a TB that operations wanted costs, in "
           "requests and bytes, by the prices that you gave.", _money, better="less",
           faces=_CARD[:3] + _FILES, folded=_FOLDED),
    Metric("cores_used", "Cores busy", "How many cores the processes kept busy.",
           _cores_used, "cores", faces=_TRIALS, folded=_FOLDED,
           live=Live("CPU per worker", "", lambda m: m.cpu, workers=True, tile="Cores busy")),
    Metric("system_each", "Kernel time per operation", "The part of a program's CPU time that the "
           "kernel took, for each run.", _system_each, "seconds", faces=_TRIALS, folded=_FOLDED,
           exported="kernel_seconds_per_operation"),
    Metric("threads_started", "Threads started", "Threads of all programs at once, looked for up "
           "to 50 times a second; the most of a trial.", _of_counter(OfPrograms.THREADS), "count",
           summed="median", faces=_TRIALS, folded=_FOLDED),
    Metric("disk", "Temporary disk", "In the folders and the TMPDIR of a program's runs, looked at "
           "up to 10 times a second; the most of a trial.", _of_counter(OfPrograms.DISK), "bytes",
           better="less", faces=_TRIALS, folded=_FOLDED),
    Metric("start_up", "Start-up", "From the start of its processes to the first operation: "
           "imports, opening the data, and what the workload prepares. The clock does not run yet.",
           lambda t: t.start_up or None, "seconds", faces=_REPORT),
    Metric("elapsed", "Took", "From the first to the last operation, without verification.",
           lambda t: t.elapsed, "seconds", faces=_TRIALS),
    Metric("others", "Others", "Share of the machine's cores that other programs used.",
           _of_noise("others_share"), "share", summed="median", faces=_REPORT, folded=_FOLDED),
    Metric("operations", "Operations", "Operations that came to a result.",
           lambda t: t.operations, "count", faces=_REPORT, exported="operations_done"),
    Metric("bytes", "Bytes in all", "Bytes that operations delivered.",
           lambda t: t.total(lambda worker: worker.bytes), "bytes", faces=_FILES,
           exported="bytes_done"),
    Metric("harness", "Harness", "Share of the time that Sluice's own loop took.",
           lambda t: t.harness_share if t.operations else None, "share", summed="median",
           folded=("results", "trials"), spare=3),
    Metric("checking", "Checking", "Share of the workers' time that verification took.",
           lambda t: t.checking_share, "share", summed="median", faces=("report", "exports")),
    Metric("errors", "Errors", "Operations that failed.", lambda t: t.errors, "count",
           summed="sum", faces=("results", *_TRIALS), spare=1, family="failed_operations"),
    Metric("wrong", "Wrong", "Operations that returned wrong data.", lambda t: t.wrong, "count",
           summed="sum", faces=("results", *_TRIALS), spare=2, family="wrong_operations"),
    Metric("first_step_share", "First step", "Share of all steps' time that the first one took.",
           lambda t: t.first_step_share, "share", summed="median", faces=_FILES),
    Metric("verification", "Verification", "Time of verification, during and after the run.",
           lambda t: t.verification, "seconds", faces=_FILES),
    Metric("first_done", "First done", "Time until the first worker had no more to do.",
           lambda t: t.first_done, "seconds", faces=_FILES),
    Metric("last_done", "Last done", "Time until the last worker had no more to do.",
           lambda t: t.last_done, "seconds", faces=_FILES),
    Metric("self_cost", "Harness per operation", "Nanoseconds that the harness adds to each.",
           lambda t: t.self_cost, summed="median", faces=_FILES, exported="self_cost_nanoseconds"),
    Metric("steal_share", "Stolen", "Share of the machine's cores that the hypervisor took.",
           _of_noise("steal_share"), "share", summed="median", faces=_FILES),
    Metric("throttled_share", "Throttled", "Share of the core time for which a quota stopped it.",
           _of_noise("throttled_share"), "share", summed="median", faces=_FILES),
    Metric("throttles", "Throttles", "How often a quota stopped the control groups.",
           _of_noise("throttles"), "count", summed="median", faces=_FILES),
    Metric("overheated", "Overheated", "How often a core slowed down because of heat.",
           _of_noise("overheated"), "count", summed="median", faces=_FILES),
    Metric("load_before", "Load before", "Load average over a minute at the beginning.",
           _of_noise("load_before"), summed="median", faces=_FILES),
    Metric("load_after", "Load after", "Load average over a minute at the end.",
           _of_noise("load_after"), summed="median", faces=_FILES),
)
# fmt: on
