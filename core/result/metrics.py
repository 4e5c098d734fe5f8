"""The metrics, each declared once: every table, plot, export, comparison and limit is made of them.

A metric is a figure of a trial.  What it says of a moment, how the trials of a setting are summed
up, whether more of it is better, and where it is seen stand beside it.  `register` adds one, which
is then seen there.  A workload's own counters are metrics too: see `core.catalog.live_counting`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from core.catalog import registry
from core.catalog.live_counting import Counter
from core.catalog.workload import CPU_OF_PROGRAMS
from core.language.units import Unit
from core.result.metric import Face, Limit, Live, Metric

if TYPE_CHECKING:
    from core.result.moments import Moment
    from core.result.result import Result, Trial

_OF_TRIALS: tuple[Face, ...] = ("trials", "report", "exports")

METRICS: dict[str, Metric] = {}
"""By their keys, in the order of columns."""


def register(*metrics: Metric) -> None:
    """Add metrics behind all others, or in place of those with the same keys."""
    METRICS.update({metric.key: metric for metric in metrics})


def metrics_in(face: Face) -> tuple[Metric, ...]:
    """Those that are columns of that table, in its order."""
    return tuple(metric for metric in METRICS.values() if face in metric.seen)


def comparable(results: Sequence[Result] = ()) -> tuple[str, ...]:
    """Keys of those with a direction that is better for every user; counters of results too."""
    every = (*METRICS.values(), *counters_of(results))
    return tuple(metric.key for metric in every if metric.better)


def limited() -> tuple[Metric, ...]:
    """Those that a user can set a limit on."""
    return tuple(metric for metric in METRICS.values() if metric.limit)


def counter_metric(name: str, workload: str = "") -> Metric:
    """A workload's own counter; where no workload is named, as any declares it."""
    known = registry.counters(workload)
    counter = known.get(name) or Counter(name=name)
    title = f"{name}{_PER[counter.per]}"
    return Metric(
        key=name,
        title=title[:1].upper() + title[1:],
        help="What the workload counts.",
        of=partial(_counted, counter),
        unit=_unit_of(counter),
        summed="median",
        better=counter.better,
        fractions=True,
        exported=f"counter.{title}",
        family="counted",
        labels={"counter": name, "per": counter.per},
        live=Live(
            plot="Counted live", curve=name, of=lambda moment: moment.tallies.get(name), grows=True
        ),
    )


def metric_named(key: str, workload: str = "") -> Metric:
    """The metric of that key, or else the counter of that name."""
    return METRICS[key] if key in METRICS else counter_metric(key, workload)


def counters_of(results: Sequence[Result]) -> tuple[Metric, ...]:
    """The counters that the results' workloads declare, and what they counted live."""
    found: dict[str, str] = {}
    for result in results:
        declared = registry.counters(result.spec.workload)
        live = (name for trial in result.trials for name in trial.tallies)
        for name in (*declared, *live):
            found.setdefault(name, result.spec.workload)
    return tuple(counter_metric(*one) for one in found.items() if one[0] not in METRICS)


_PER = {"operation": " per operation", "second": " per second", "all": ""}


def _unit_of(counter: Counter) -> Unit:
    """By its name: `bytes mapped`, `backoff seconds`."""
    if counter.name.startswith("bytes"):
        return "byte_rate" if counter.per == "second" else "bytes"
    if counter.name.endswith("seconds"):
        return "share" if counter.per == "second" else "seconds"
    return "rate" if counter.per == "second" else ""


def _counted(counter: Counter, trial: Trial) -> float | None:
    count = trial.counters.get(counter.name)
    over = {"operation": trial.operations, "second": trial.elapsed, "all": 1}[counter.per]
    return count / over if count is not None and over else None


def _latency(title: str, quantile: float, *, limited: bool = False, **others: Any) -> Metric:
    return Metric(
        key=title.replace(".", ""),
        title=title,
        help=f"Time within which {100 * quantile:g} % of the operations ended; none where too few "
        "were timed to tell.",
        of=lambda trial: trial.latency(quantile),
        unit="seconds",
        better="less",
        quantile=quantile,
        family="latency_seconds",
        labels={"quantile": f"{quantile:g}"},
        limit=Limit(
            term=f"most_{title}",
            help=f"Longest {title} latency that a setting may have; 0 = any.",
            high=86_400,
            name=title,
        )
        if limited
        else None,
        **others,
    )


def _of_reading(name: str) -> Callable[[Moment], float | None]:
    return lambda moment: getattr(moment.reading, name, None)


def _of_noise(name: str) -> Callable[[Trial], float | None]:
    return lambda trial: getattr(trial.noise, name, None)


def _cpu_each(trial: Trial) -> float | None:
    used = trial.counters.get(CPU_OF_PROGRAMS, trial.process_cpu)
    return used / trial.operations if used is not None and trial.operations else None


register(
    Metric(
        key="throughput",
        title="Throughput",
        help="Operations per second.",
        of=lambda trial: trial.throughput,
        unit="rate",
        better="more",
        of_valid=True,
        exported="operations_per_second",
        live=Live(
            plot="Throughput", curve="operations", of=lambda m: sum(m.operations), grows=True
        ),
    ),
    Metric(
        key="byte_rate",
        title="Bytes",
        help="Bytes per second.",
        of=lambda trial: trial.byte_rate,
        unit="byte_rate",
        better="more",
        of_valid=True,
        seen=("trials", "exports"),
        exported="bytes_per_second",
        live=Live(
            plot="Throughput", curve="bytes/s", of=lambda m: m.bytes, grows=True, drawn=False
        ),
    ),
    _latency("p50", 0.5, spare=4, live=Live(plot="Latency", curve="p50", of=lambda m: m.p50 / 1e9)),
    _latency("p90", 0.9, limited=True, seen=("trials", "exports"), folded=("trials",)),
    _latency(
        "p99", 0.99, limited=True, live=Live(plot="Latency", curve="p99", of=lambda m: m.p99 / 1e9)
    ),
    _latency("p99.9", 0.999, seen=_OF_TRIALS, folded=("trials",)),
    Metric(
        key="longest",
        title="Longest operation",
        help="The longest operation; none where not every operation was timed.",
        of=lambda trial: trial.longest,
        unit="seconds",
        summed="most",
        better="less",
        seen=_OF_TRIALS,
        folded=("trials",),
        exported="longest_operation_seconds",
        limit=Limit(
            term="longest_operation",
            help="Longest operation that a setting may have; 0 = any.",
            high=86_400,
            name="longest operation",
        ),
    ),
    Metric(
        key="fds",
        title="Open files",
        help="Most files held open.",
        of=lambda trial: trial.most_fds,
        unit="count",
        summed="median",
        better="less",
        seen=("trials", "exports"),
        exported="open_files",
        labels={"files": "all"},
        limit=Limit(
            term="most_files",
            help="Most files that a setting may have open; 0 = any.",
            high=2**31,
            name="open files",
        ),
        live=Live(plot="Open files", curve="all", of=_of_reading("fds")),
    ),
    Metric(
        key="peak_rss",
        title="Peak memory",
        help="Most memory that the processes had resident at any moment.",
        of=lambda trial: trial.peak_rss,
        unit="bytes",
        better="less",
        spare=9,
        limit=Limit(
            term="most_memory",
            help="Most memory that a setting may take; 0 = any.",
            high=2**50,
            name="memory",
        ),
    ),
    Metric(
        key="dataset_fds",
        title="Dataset files",
        help="Most files of the dataset held open.",
        of=lambda trial: trial.most_dataset_fds,
        unit="count",
        summed="median",
        folded=("trials",),
        spare=8,
        exported="open_dataset_files",
        family="open_files",
        labels={"files": "dataset"},
        live=Live(plot="Open files", curve="dataset", of=_of_reading("dataset_fds")),
    ),
    Metric(
        key="anonymous",
        title="Own memory",
        help="Most of it that belonged to no file.",
        of=lambda trial: trial.most_anonymous,
        unit="bytes",
        seen=("trials", "exports"),
        folded=("trials",),
        live=Live(plot="Memory", curve="anonymous", of=_of_reading("rss_anonymous")),
    ),
    Metric(
        key="file_backed",
        title="Mapped",
        help="Most of it that showed files.",
        of=lambda trial: trial.most_file_backed,
        unit="bytes",
        seen=("trials", "exports"),
        folded=("trials",),
        live=Live(plot="Memory", curve="file-backed", of=_of_reading("rss_file")),
    ),
    Metric(
        key="cpu",
        title="CPU",
        help="CPU time of the workers.",
        of=lambda trial: trial.cpu_seconds,
        unit="seconds",
        seen=_OF_TRIALS,
    ),
    Metric(
        key="process_cpu",
        title="CPU of processes",
        help="CPU time of the processes while the clock ran, with threads of libraries.",
        of=lambda trial: trial.process_cpu,
        unit="seconds",
        seen=("exports",),
    ),
    Metric(
        key="cpu_each",
        title="CPU per operation",
        help="CPU time of the processes, or of the programs that they ran, for one operation.",
        of=_cpu_each,
        unit="seconds",
        better="less",
        seen=("trials", "exports"),
        folded=("trials",),
        exported="cpu_seconds_per_operation",
        limit=Limit(
            term="most_cpu_time",
            help="Most CPU time that an operation may take; 0 = any.",
            high=86_400,
            name="CPU time",
        ),
    ),
    Metric(
        key="cores_used",
        title="Cores busy",
        help="How many cores that kept busy.",
        of=lambda trial: trial.cores_used,
        unit="cores",
        seen=("trials", "exports"),
        folded=("trials",),
        live=Live(plot="CPU per worker", of=lambda m: m.cpu, workers=True),
    ),
    Metric(
        key="start_up",
        title="Start-up",
        help="From the start of its processes to the first operation: imports, opening the data, "
        "and what the workload prepares.",
        of=lambda trial: trial.start_up or None,
        unit="seconds",
        seen=_OF_TRIALS,
    ),
    Metric(
        key="elapsed",
        title="Took",
        help="From the first to the last operation, without verification.",
        of=lambda trial: trial.elapsed,
        unit="seconds",
        seen=("trials", "exports"),
    ),
    Metric(
        key="others",
        title="Others",
        help="Share of the machine's cores that other programs used.",
        of=_of_noise("others_share"),
        unit="share",
        summed="median",
        seen=_OF_TRIALS,
        folded=("trials",),
    ),
    Metric(
        key="operations",
        title="Operations",
        help="Operations that came to a result.",
        of=lambda trial: trial.operations,
        unit="count",
        seen=_OF_TRIALS,
        exported="operations_done",
    ),
    Metric(
        key="bytes",
        title="Bytes in all",
        help="Bytes that operations delivered.",
        of=lambda trial: trial.total(lambda worker: worker.bytes),
        unit="bytes",
        seen=("exports",),
        exported="bytes_done",
    ),
    Metric(
        key="harness",
        title="Harness",
        help="Share of the time that Sluice's own loop took.",
        of=lambda trial: trial.harness_share if trial.operations else None,
        unit="share",
        summed="median",
        folded=("results", "trials"),
        spare=3,
    ),
    Metric(
        key="checking",
        title="Checking",
        help="Share of the workers' time that went into verification between operations.",
        of=lambda trial: trial.checking_share,
        unit="share",
        summed="median",
        seen=("report", "exports"),
    ),
    Metric(
        key="errors",
        title="Errors",
        help="Operations that failed.",
        of=lambda trial: trial.errors,
        unit="count",
        summed="sum",
        seen=("results", "trials", "exports"),
        spare=1,
        family="failed_operations",
    ),
    Metric(
        key="wrong",
        title="Wrong",
        help="Operations that returned wrong data.",
        of=lambda trial: trial.wrong,
        unit="count",
        summed="sum",
        seen=("results", "trials", "exports"),
        spare=2,
        family="wrong_operations",
    ),
    Metric(
        key="first_step_share",
        title="First step",
        help="Share of all steps' time that the first one took.",
        of=lambda trial: trial.first_step_share,
        unit="share",
        summed="median",
        seen=("exports",),
    ),
    Metric(
        key="verification",
        title="Verification",
        help="Time spent on verification, during and after the run.",
        of=lambda trial: trial.verification,
        unit="seconds",
        seen=("exports",),
    ),
    Metric(
        key="first_done",
        title="First done",
        help="Time until the first worker had no more to do.",
        of=lambda trial: trial.first_done,
        unit="seconds",
        seen=("exports",),
    ),
    Metric(
        key="last_done",
        title="Last done",
        help="Time until the last worker had no more to do.",
        of=lambda trial: trial.last_done,
        unit="seconds",
        seen=("exports",),
    ),
    Metric(
        key="self_cost",
        title="Harness per operation",
        help="Nanoseconds that the harness adds to each operation.",
        of=lambda trial: trial.self_cost,
        summed="median",
        seen=("exports",),
        exported="self_cost_nanoseconds",
    ),
)

_OF_THE_MACHINE: tuple[tuple[str, Unit, str], ...] = (
    ("steal_share", "share", "Share of the machine's cores that the hypervisor took."),
    ("throttled_share", "share", "Share of the machine's core time for which a quota stopped it."),
    ("throttles", "count", "How often a quota stopped the control groups."),
    ("overheated", "count", "How often a core slowed down because of heat."),
    ("load_before", "", "Load average over a minute at the beginning."),
    ("load_after", "", "Load average over a minute at the end."),
)
register(
    *(
        Metric(
            key=name,
            title=name.replace("_", " ").capitalize(),
            help=text,
            of=_of_noise(name),
            unit=unit,
            summed="median",
            seen=("exports",),
        )
        for name, unit, text in _OF_THE_MACHINE
    )
)
