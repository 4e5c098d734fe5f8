"""What a run of Snakemake was: its jobs by a dry run, their times by its records.

The program is the user's own, found on PATH.  A logger of ours, on its PYTHONPATH, writes the jobs
of a dry run as JSON; what the dry run prints for people is not parsed.
"""

from __future__ import annotations

import csv
import os
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from core.language import Unavailable, UsageError, tr
from core.measure import Program, run_program
from core.workflow.recorded import Recorded, Step, cores_of
from core.workflow.thread_number import PLACEHOLDER, template_of, threads_of

LOGGER = Path(__file__).parents[2] / "resources" / "snakemake"
_ALL_CORES = "1000"
"""Fewer cores than a rule has threads would clip them."""
_NAME_PART = 254
"""Letters of a record's name; a longer one is in folders, each beginning with `@`."""
_UNUSUAL = (61, 67)
"""Numbers of threads that are not likely to be a rule's own."""
_PATIENCE = 600


class Job(msgspec.Struct, frozen=True):
    """A job as `resources/snakemake` writes it."""

    rule: str
    input: tuple[str, ...]
    output: tuple[str, ...]
    benchmark: str
    threads: int
    mem_mb: int
    shellcmd: str


class Record(msgspec.Struct, frozen=True):
    """What `.snakemake/metadata` has of an output."""

    starttime: float
    endtime: float
    shellcmd: str | None = None


def snakemake_run(snakefile: Path) -> Recorded:
    """The last run of each job of a Snakefile.  Raises UsageError."""
    if not snakefile.is_file():
        raise UsageError(
            tr("there is no file {path}", path=str(snakefile)),
            tr("name a Snakefile, a work folder of Nextflow or its trace.txt"),
        )
    source = snakefile.resolve()
    folder = _folder_of_run(source)
    jobs = dry_run(source, folder)
    unusual = next(number for number in _UNUSUAL if all(job.threads != number for job in jobs))
    changes = sorted({f"{job.rule}={unusual}" for job in jobs})
    others = dry_run(source, folder, "--set-threads", *changes) if jobs else ()
    recorded = recorded_jobs(folder, jobs, others)
    if not any(step.ended for step in recorded):
        raise UsageError(
            tr("{folder} has no record of a run", folder=str(folder / ".snakemake")),
            tr("run the workflow once with snakemake, then ask again"),
        )
    return Recorded(manager="snakemake", source=source, steps=recorded, cores=cores_of(recorded))


def _folder_of_run(snakefile: Path) -> Path:
    """Where it ran: beside the Snakefile, or beside the `workflow` folder that has it."""
    folders = (snakefile.parent, snakefile.parent.parent, Path.cwd())
    ran = (one for one in folders if (one / ".snakemake" / "metadata").is_dir())
    return next(ran, snakefile.parent)


def dry_run(snakefile: Path, folder: Path, *options: str) -> tuple[Job, ...]:
    """All jobs that the Snakefile has.  Raises Unavailable, UsageError."""
    program = shutil.which("snakemake")
    if program is None:
        raise Unavailable(
            tr("snakemake is not on PATH"),
            tr("activate the environment that has it"),
        )
    with TemporaryDirectory(prefix="sluice-") as temporary:
        written = Path(temporary) / "jobs"
        written.touch()
        paths = os.pathsep.join(filter(None, (str(LOGGER), os.environ.get("PYTHONPATH"))))
        ours = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "SLUICE_JOBS": str(written)}
        command = [program, *options, "--snakefile", str(snakefile), "--dry-run", "--forceall"]
        command += ["--cores", _ALL_CORES, "--nolock", "--quiet", "all", "--logger", "sluice"]
        run = run_program(
            Program(arguments=command, cwd=folder, environment=os.environ | ours),
            timeout=_PATIENCE,
        )
        if not run.well:
            raise UsageError(
                tr(
                    "snakemake cannot plan {path}: {cause}",
                    path=str(snakefile),
                    cause=(run.complaints or run.output).strip()[-1000:],
                ),
                tr("a dry run, snakemake -n, has to succeed"),
            )
        return read_jobs(written.read_bytes())


def read_jobs(lines: bytes) -> tuple[Job, ...]:
    """The jobs that have something to do."""
    jobs = (msgspec.json.decode(line, type=Job) for line in lines.splitlines())
    return tuple(job for job in jobs if job.output or job.shellcmd)


def recorded_jobs(folder: Path, jobs: Sequence[Job], others: Iterable[Job]) -> tuple[Step, ...]:
    """Steps by the jobs, and the same jobs with another number of threads."""
    changed = {(job.rule, job.output): job for job in others}
    makers = {file: at for at, job in enumerate(jobs) for file in job.output}
    return tuple(_step(folder, job, changed.get((job.rule, job.output)), makers) for job in jobs)


def _step(folder: Path, job: Job, changed: Job | None, makers: dict[str, int]) -> Step:
    records = [record for record in (record_of(folder, file) for file in job.output) if record]
    command = next((one.shellcmd for one in records if one.shellcmd), job.shellcmd)
    threads, template, reason = _threads(job, changed, command)
    cpu, peak = _benchmark(folder / job.benchmark) if job.benchmark else (None, None)
    return Step(
        name=job.rule,
        command=command,
        threads=threads,
        memory=job.mem_mb * 10**6,
        inputs=tuple(folder / file for file in job.input),
        outputs=tuple(folder / file for file in job.output),
        folder=folder,
        started=min((one.starttime for one in records), default=0.0),
        ended=max((max(one.endtime, one.starttime) for one in records), default=0.0),
        cpu=cpu,
        peak=peak,
        after=tuple(sorted({makers[file] for file in job.input if file in makers})),
        template=template,
        reason=reason,
    )


def _threads(job: Job, changed: Job | None, command: str) -> tuple[int, str, str]:
    """The threads that it had, its template, and the reason where it has none.

    Fewer cores than the rule has threads clip them: the command that ran has the clipped number.
    """
    if not command:
        return job.threads, "", tr("it runs no command")
    numbers = (job.threads, changed.threads) if changed else (0, 0)
    template = changed and template_of(job.shellcmd, changed.shellcmd, numbers)
    if template is None:
        return job.threads, "", tr("more than a number changes in its command with its threads")
    if not template or PLACEHOLDER not in template:
        return job.threads, "", tr("its command does not have its number of threads")
    threads = threads_of(command, template)
    if threads is None:
        return job.threads, "", tr("its rule has changed since it ran")
    return threads, template, ""


def record_of(folder: Path, output: str) -> Record | None:
    """What the manager recorded of an output; None = nothing that can be read."""
    name = urlsafe_b64encode(output.encode()).decode()
    parts = [name[at : at + _NAME_PART] for at in range(0, len(name), _NAME_PART)]
    path = folder.joinpath(".snakemake", "metadata", *(f"@{part}" for part in parts[:-1]))
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((path / parts[-1]).read_bytes(), type=Record)
    return None


def _benchmark(path: Path) -> tuple[float | None, int | None]:
    """CPU seconds and the most bytes of memory, as `benchmark:` has them; the last repeat's."""
    with suppress(OSError, ValueError, KeyError, IndexError):
        row = list(csv.DictReader(path.read_text("utf-8").splitlines(), delimiter="\t"))[-1]
        # Of a run that ended before Snakemake had looked it says 0.
        return float(row["cpu_time"]) or None, round(float(row["max_rss"]) * (1 << 20)) or None
    return None, None
