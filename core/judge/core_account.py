"""The cores that a program was granted beside those that it used, and threads started and asked.

Thresholds.  Beside its workers a program may have a thread that hands out the work or reads, and
such a number can mean additional threads (`samtools -@`): asked for n, n + 1 that compute are
right.  EXCESS more count, as the kernel's accounts are taken in ticks.  STARTED: threads that ran a
tenth as long as the busiest, above twice the number and SPARE more.  A JVM or Go has many threads
more that hardly run.  OVER: above the cores that were granted, as where SLURM says a number and
enforces none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import msgspec

from core.judge.estimation import typical
from core.language import (
    SluiceError,
    capitalised,
    show_byte_rate,
    show_seconds,
    show_share,
    show_size,
    tr,
)
from core.vocabulary import Doubt, OfPrograms, Prices, Result, Trial, Value, alike_but_for

_EXCESS = 1.25
_SPARE = 2
_OVER = 1.1
_ALIKE = 0.9
"""Of the cores used with many threads, those used with few, from where on they are the same."""


class CoreAccount(msgspec.Struct, frozen=True, kw_only=True):
    """Of the runs of a program, all that go on at once together; medians of the trials."""

    asked: int
    """Threads; 0 where the program is given no number."""
    started: int
    """The most threads that were seen; 0 where no run was long enough to be seen twice."""
    computing: int
    used: float
    """Cores: CPU seconds over those on the wall."""
    granted: float
    source: str
    """What grants them, such as `--cores`."""
    limits: tuple[str, ...]
    """Variables that limit its threads, as far as they are seen."""
    seconds: float
    """On the wall for each run: of several at once, less than one of them takes."""
    cpu_seconds: float
    """Of each run."""
    system: float
    """Share of the CPU time that the kernel took."""
    byte_rate: float
    memory: float
    """The most at once, bytes."""
    disk: float
    """The most at once in their folders and in TMPDIR, bytes."""
    core_hours: float
    """Of 1,000 runs, where each keeps the cores that it asks for, or more where it uses more."""

    @staticmethod
    def of(result: Result) -> CoreAccount | None:
        """None where it ran no program, or has no throughput."""
        cpu, rate = typical(result, "cpu_each"), typical(result)
        trials = [one for one in result.finished_trials if OfPrograms.CPU in one.counters]
        if not trials or cpu is None or not rate:
            return None

        def counted(name: str) -> int:
            return round(median(trial.counters.get(name, 0.0) for trial in trials))

        load, (granted, source) = result.spec.load, _granted(result)
        used, start = cpu * rate, OfPrograms.LIMIT
        seen = {
            name.removeprefix(start) for one in trials for name in one.counters if start in name
        }
        return CoreAccount(
            asked=load.all_workers if _is_asked(result) else 0,
            started=counted(OfPrograms.THREADS),
            computing=counted(OfPrograms.COMPUTING),
            used=used,
            granted=granted,
            source=source,
            limits=tuple(name for name in _REMEDIES if name in seen),
            seconds=1.0 / rate,
            cpu_seconds=cpu,
            system=_kernel_share(trials),
            byte_rate=typical(result, "byte_rate") or 0.0,
            memory=typical(result, "peak_rss") or 0.0,
            disk=counted(OfPrograms.DISK),
            core_hours=max(min(load.all_workers, granted), used) / rate * 1000 / 3600,
        )

    @property
    def text(self) -> str:
        """`asked for 2, started 64 threads, used 5.3 of 2 granted cores (SLURM_CPUS_PER_TASK)`."""
        parts = [tr("asked for {count}", count=self.asked)] if self.asked else []
        if self.started:
            parts.append(tr("started 1 thread", "started {count:,} threads", count=self.started))
        parts.append(
            tr(
                "used {used} of 1 granted core ({source})",
                "used {used} of {count:g} granted cores ({source})",
                count=self.granted,
                used=f"{self.used:.2g}",
                source=self.source,
            )
        )
        return ", ".join(parts)

    @property
    def each_text(self) -> str:
        """`145 ms and 257 ms of CPU time (2 % in the kernel), 12 MiB of memory, 30 MiB on disk`."""
        parts = [
            tr(
                "{time} and {cpu} of CPU time, {share} of it in the kernel",
                time=show_seconds(self.seconds),
                cpu=show_seconds(self.cpu_seconds),
                share=show_share(self.system),
            )
        ]
        if self.byte_rate:
            parts.append(show_byte_rate(self.byte_rate))
        if self.memory:
            parts.append(tr("{size} of memory", size=show_size(self.memory)))
        if self.disk:
            parts.append(tr("{size} on disk", size=show_size(self.disk)))
        return ", ".join(parts)

    def cost_text(self, price: Value = "") -> str:
        """`0.0806 core-hours, 0.00322 EUR`, of 1,000 runs.

        `price`: of a core-hour, as a `Prices` has it; empty = not known.
        """
        hours = tr("{hours} core-hours", hours=f"{self.core_hours:.3g}")
        if not price:
            return hours
        amount, currency = Prices.amount(price)
        money = f"{amount * self.core_hours:.3g} {currency}".rstrip()
        return f"{hours}, {money}"

    @property
    def exceeds(self) -> bool:
        """Whether it takes more than it was asked to, or than was granted."""
        if self.used > _OVER * self.granted + _EXCESS - 1.0:
            return True
        if not self.asked:
            return False
        many = self.computing > 2 * self.asked + _SPARE and self.started > self.granted
        return many or self.used > self.asked + _EXCESS

    def remedy(self, run: str) -> str:
        """How to limit it; `run`: the command, in which a variable may be set already."""
        for name in self.limits:
            if name not in run:
                written = _REMEDIES[name].format(threads="{threads}")
                return tr(
                    "Limit it by {name}: write {setting} before the command.",
                    name=name,
                    setting=written,
                )
        return tr(
            "Limit it by its flag or variable for threads, or bind it: --cores {count:.0f}.",
            count=max(self.granted, 1.0),
        )


_REMEDIES = {
    name: f"{name}={{threads}}"
    for name in (
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "RAYON_NUM_THREADS",
        "GOMAXPROCS",
    )
} | {"JAVA_TOOL_OPTIONS": "JAVA_TOOL_OPTIONS=-XX:ActiveProcessorCount={threads}"}
"""The variables that are known, the likeliest first."""


def _kernel_share(trials: Sequence[Trial]) -> float:
    used, kernel = (
        sum(trial.counters.get(name, 0.0) for trial in trials)
        for name in (OfPrograms.CPU, OfPrograms.SYSTEM)
    )
    return min(kernel / used, 1.0) if used else 0.0


def _granted(result: Result) -> tuple[float, str]:
    """How many cores, and by what."""
    load, machine = result.spec.load, result.environment
    usable = machine.usable_cores
    if load.cores and load.cores <= usable:
        return float(load.cores), "--cores"
    if 0 < machine.job_cores <= usable:
        return float(machine.job_cores), "SLURM_CPUS_PER_TASK"
    if machine.quota_cores is not None and machine.quota_cores <= machine.affinity_cores:
        return usable, tr("quota of the control group")
    if machine.affinity_cores < machine.logical_cores:
        return usable, tr("affinity")
    return usable, tr("the whole machine")


def _is_asked(result: Result) -> bool:
    """Whether the program is given a number of threads."""
    try:
        setting = result.spec.known_setting
        setting.workload.admit_threads(setting.parameters)
    except (SluiceError, ImportError):  # such as of a workload that is not here any more
        return False
    return True


def doubts_about_cores(results: Sequence[Result]) -> Iterator[Doubt]:
    """Where a program takes more than it was asked to; the first that does is named."""
    accounts = [(one, account) for one in results if (account := CoreAccount.of(one)) is not None]
    for one, account in accounts:
        if account.exceeds or _is_same_for_all(one, account, accounts):
            yield Doubt(
                text=f"{capitalised(account.text)}.",
                remedy=account.remedy(str(one.spec.values.get("run", ""))),
            )
            return


def _is_same_for_all(
    few: Result, account: CoreAccount, others: Sequence[tuple[Result, CoreAccount]]
) -> bool:
    """Whether it starts as many threads, and uses as many cores, with a larger number.

    Two cores do not tell a program that ignores its number from one with a reader beside a worker.
    """
    return account.used > _EXCESS * account.asked > 0 and any(
        many.asked > account.asked
        and many.started == account.started > account.asked
        and account.used > _ALIKE * many.used
        and alike_but_for(few.spec, other.spec, {"threads"})
        for other, many in others
    )
