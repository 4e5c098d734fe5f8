"""Synthetic specs, trials and results, made through the real constructors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from core.judge import load_study
from core.run import Run
from core.vocabulary import (
    Cancelled,
    Complaint,
    Completed,
    Crashed,
    Dataset,
    Environment,
    FileSystem,
    Histogram,
    Load,
    Moment,
    NodeFigures,
    Outcome,
    PageCacheProof,
    Plan,
    Reading,
    Residency,
    Result,
    RunSpec,
    Slice,
    TimedOut,
    Trial,
    Value,
    WorkerTotals,
    bucket_of,
    pack,
    to_bytes,
)
from core.vocabulary.histogram import from_bytes

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("http://evil.example","click")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "\t=1+1",
    "\r=1+1",
    " =1+1",
    "\uff1d1+1",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    "\x9b31m",
    "invoice\u202egpj.exe",
    "zero\u200bwidth\ufeff",
    "two\nlines",
    "carriage\r\nreturn",
    "paragraph\u2029separator",
    "nul\x00byte",
    "half\udcff surrogate",
    "a | b | c",
    "`code` **bold** _it_ [link](http://evil.example) ![i](x) # h",
    "back\\slash \\",
    'quote " and \' and \\"',
    "{{ jinja }} {% raw %} ${shell} $(shell)",
    "comma, semicolon; tab\tend",
    "# EOF",
    "",
)
"""Texts that some format or viewer would take for more than text."""


def dataset(location: str = "/data/snapshot") -> Dataset:
    return Dataset(kind="files", location=location, fingerprint="00ff" * 8)


def spec(
    workload: str = "fasta",
    *,
    parameters: dict[str, Value] | None = None,
    data: Dataset | None = None,
    **load: Any,
) -> RunSpec:
    return RunSpec(
        workload=workload,
        version=1,
        parameters=parameters if parameters is not None else {"cache": "lru", "cache_size": 128},
        load=Load(**load),
        dataset=data or dataset(),
    )


def plan(specs: Sequence[RunSpec], repeats: int = 1, title: str = "a sweep", **rest: Any) -> Plan:
    return Plan(title=title, specs=tuple(specs), repeats=repeats, **rest)


def run(plan: Plan, trials: int, how: Any = "completed") -> Run:
    """A run of 40 seconds with so many trials."""
    return Run(
        id=1,
        plan=plan,
        environment=environment(),
        file_systems={},
        command=(),
        identity="",
        started=1_770_000_000.0,
        ended=1_770_000_040.0,
        how=how,
        trials=trials,
    )


def environment(**changes: Any) -> Environment:
    usual = Environment(
        machine_id="5f0c",
        os="Debian GNU/Linux 12",
        kernel="6.1.0",
        architecture="x86_64",
        cpu_model="Ryzen 9",
        logical_cores=8,
        physical_cores=4,
        affinity_cores=8,
        quota_cores=None,
        memory_bytes=32 << 30,
        swap_bytes=0,
        swap_used_bytes=0,
        cpu_governor="performance",
        cpu_frequency_low=None,
        cpu_frequency_high=None,
        load_average=(0.1, 0.2, 0.3),
        container=None,
        virtualisation=None,
        python="CPython 3.12.1",
        gil_enabled=True,
        versions={"numpy": "2.5.5"},
    )
    return msgspec.structs.replace(usual, **changes)


def file_system() -> FileSystem:
    return FileSystem(
        mount_point="/data",
        device="/dev/nvme0n1p2",
        type="ext4",
        options=("rw", "relatime"),
        total_bytes=1 << 40,
        free_bytes=1 << 39,
        rotational=False,
        network=False,
    )


def reading(at: float, *, rss: int = 64 << 20, fds: int = 20, dataset_fds: int = 12) -> Reading:
    return Reading(
        at=at,
        processes=1,
        rss=rss,
        rss_anonymous=rss // 2,
        rss_file=rss // 2,
        peak_rss=rss + (1 << 20),
        fds=fds,
        dataset_fds=dataset_fds,
        threads=3,
        cpu_user=at * 0.75,
        cpu_system=at * 0.25,
        read_bytes=0,
        written_bytes=0,
        read_chars=1000,
        written_chars=0,
        read_calls=10,
        write_calls=0,
        switches_voluntary=5,
        switches_involuntary=1,
    )


def histogram(latencies: Sequence[int], times: int = 100) -> bytes:
    """Packed counts of latencies in nanoseconds, each of which came so many times."""
    counts = Counter(map(bucket_of, latencies))
    buckets = sorted(counts)
    return to_bytes(Histogram(buckets, [times * counts[bucket] for bucket in buckets]))


def trial(
    of: RunSpec,
    *,
    index: int = 0,
    rate: float = 1000.0,
    seconds: float = 2.0,
    errors: int = 0,
    wrong: int = 0,
    outcome: Outcome | None = None,
    **rest: Any,
) -> Trial:
    """A trial of that throughput, in operations per second, over all workers of the load."""
    workers = of.load.threads * of.load.processes
    each = round(rate * seconds / workers)
    span = round(1e9 * each * workers / rate)
    latency = round(1e9 * workers / rate)
    packed = rest.get("histogram", histogram([latency] * 98 + [3 * latency] * 2))
    timed = from_bytes(packed).total if packed else 0
    totals = tuple(
        WorkerTotals(
            process=place // of.load.threads,
            worker=place % of.load.threads,
            started=0,
            ended=span,
            operations=each,
            items=each,
            bytes=5 * each,
            errors=errors if place == 0 else 0,
            wrong=wrong if place == 0 else 0,
            paused=0,
            window=span,
            window_operations=each,
            window_bytes=5 * each,
            window_cpu=span // 2,
            cpu=span // 2,
            bookkeeping=1000,
            batch=1,
            phases=(span,),
            timed=timed if place == 0 else 0,
            timed_squares=timed if place == 0 else 0,
        )
        for place in range(workers)
    )
    moments = tuple(
        Moment(
            at=at / 10,
            operations=(at * each // 10,) * workers,
            cpu=(at * span // 20,) * workers,
            bytes=5 * at,
            errors=0,
            wrong=0,
            p50=latency,
            p99=3 * latency,
            reading=reading(at / 10),
        )
        for at in range(10)
    )
    whole: dict[str, Any] = {
        "block": index,
        "started": 1_770_000_000.0 + index,
        "unit": "sequence",
        "steps": ("fetch",),
        "workers": totals,
        "histogram": packed,
        "moments": moments,
        "last": reading(seconds),
        "baseline_rss": 32 << 20,
        "counters": {"hits": 9880.0},
        "self_cost": 150.0,
        "page_cache": PageCacheProof(wanted="as-is", before=residency(), after=None),
        "versions": {"pysam": "0.23"},
    }
    return Trial(
        index=index, spec_digest=of.digest, outcome=outcome or Completed(), **(whole | rest)
    )


def cut_off(
    of: RunSpec,
    turns: int,
    *,
    index: int = 0,
    rate: float = 1000.0,
    unverified: int = 0,
    **rest: Any,
) -> Trial:
    """A trial in turns that was cancelled after so many of a tenth of a second, at that rate.

    The turn that it had at that moment is in its totals, but in none of its slices.
    """
    each = round(rate / 10)
    slices = [
        Slice(at, at * 10**9, 10**8, each, each, 5 * each, 0, 0, 2 * 10**7, each // 5)
        for at in range(turns)
    ]
    whole = trial(of, index=index, rate=rate, seconds=(turns + 0.5) / 10)
    workers = tuple(
        msgspec.structs.replace(worker, unverified=unverified if place == 0 else 0)
        for place, worker in enumerate(whole.workers)
    )
    stopped = Cancelled(stage="measuring")
    changes: dict[str, Any] = {"workers": workers, "outcome": stopped, "slices": pack(slices)}
    return msgspec.structs.replace(whole, **(changes | rest))


def residency() -> Residency:
    return Residency(
        files=3,
        resident_pages=50,
        total_pages=100,
        resident_bytes=50 * 4096,
        total_bytes=100 * 4096,
        method="mincore",
    )


def result(of: RunSpec, trials: Sequence[Trial]) -> Result:
    return Result(
        spec=of, environment=environment(), file_system=file_system(), trials=tuple(trials)
    )


def good(of: RunSpec, *rates: float, first: int = 0) -> Result:
    """A valid result with one trial of each throughput."""
    return result(of, [trial(of, index=first + at, rate=rate) for at, rate in enumerate(rates)])


def invalid() -> tuple[Result, ...]:
    """One result for each way not to have a throughput, none with a valid trial alone."""
    specs = [spec(threads=threads) for threads in range(11, 16)]
    return (
        result(
            specs[0],
            [
                trial(specs[0], index=0, wrong=12, complaints=(complaint("3 of 5 bases differ"),)),
                trial(specs[0], index=1, errors=9000),
            ],
        ),
        result(
            specs[1],
            [
                trial(specs[1], index=2, outcome=Crashed(stage="measuring", signal="SIGSEGV")),
                trial(specs[1], index=3, rate=7777.0),
            ],
        ),
        result(
            specs[2],
            [
                trial(
                    specs[2],
                    index=4,
                    outcome=TimedOut(stage="closing", limit=60.0, stalled=True),
                )
            ],
        ),
        result(specs[3], [trial(specs[3], index=5, workers=())]),
        result(specs[4], [Trial(index=6, block=0, spec_digest=specs[4].digest, started=1.0,
                                outcome=Crashed(stage="setting up", exit_code=1))]),
    )  # fmt: skip


def complaint(text: str, *, wrong_data: bool = True) -> Complaint:
    return Complaint(wrong_data=wrong_data, text=text, count=1, first_item="NM_000014.4")


def study_of_costs(*, without: Sequence[str] = (), broken: Sequence[str] = ()) -> list[Result]:
    """Results of `svfs-threads` at twice the published speed, but for some cells."""
    study = load_study("svfs-threads")
    found = []
    for cell in study.cells:
        if cell.label in without:
            continue
        of = spec(
            "sparse",
            parameters={name: value for name, value in cell.at.items() if name != "threads"},
            threads=cell.at["threads"],
        )
        # Each operation is five bytes.
        rate = 2 * (cell.published or 100.0) * study.scale / 5
        wrong = 1 if cell.label in broken else 0
        found.append(
            result(
                of,
                [trial(of, index=at, rate=rate + at, wrong=wrong) for at in range(3)],
            )
        )
    return found


def node(text: str) -> NodeFigures:
    """A node of a cluster that has this text wherever a text can stand."""
    return NodeFigures(
        address=text,
        host=text,
        machine=text,
        cores=1,
        first_process=0,
        processes=1,
        ended=text,
        network=text,
    )


def hostile(text: str) -> Result:
    """A valid result that has this text wherever a text from outside can stand."""
    storable = text.encode("utf-8", "backslashreplace").decode()
    of = spec(
        parameters={"cache": "lru", "place": storable},
        data=dataset(f"/data/{storable}"),
        threads=2,
    )
    done = trial(
        of,
        rate=1234.5,
        unit=text,
        complaints=(complaint(text),),
        notes=(text,),
        versions={text: text},
        counters={text: 1.0},
        nodes=(node(text),),
    )
    crashed = trial(
        of, index=1, outcome=Crashed(stage=text, signal=text, last_words=text), workers=()
    )
    return result(of, [done, crashed])
