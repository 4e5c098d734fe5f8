"""What a run of Nextflow was: its tasks by their work folders and its trace."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.language import UsageError, tr
from core.workflow.recorded import Recorded, Step, cores_of
from core.workflow.thread_number import PLACEHOLDER, guessed_template, threads_at_flags

TRACE = """\
trace {
    enabled = true
    overwrite = true
    raw = true
    fields = 'hash,process,status,cpus,memory,realtime,%cpu,peak_rss,start,complete,workdir'
}"""
"""What a trace has to have for us."""
_NEEDED = ("process", "status", "cpus", "start", "complete", "workdir")
_DONE = ("COMPLETED", "CACHED")
_STAGED = re.compile(r"^ *((?:ln|cp) .+)$", re.MULTILINE)
_NAME = re.compile(r"^### name: '?([^\s'(]+)", re.MULTILINE)
_OUTPUT = re.compile(r"^### - '(.+)'$", re.MULTILINE)

type Row = Mapping[str, str]
"""A line of the trace by its columns; with the fields of `TRACE`."""


class Task(NamedTuple):
    """A task of which the work folder is there."""

    step: Step
    targets: tuple[Path, ...]
    """Of the links that were made to what it reads."""


def nextflow_run(path: Path) -> Recorded:
    """The run of a work folder, of the folder with `work` in it, or of a trace.

    Raises UsageError.
    """
    if not path.exists():
        raise UsageError(
            tr("there is no file {path}", path=str(path)),
            tr("name a Snakefile, a work folder of Nextflow or its trace.txt"),
        )
    source = path.resolve()
    rows = trace_rows(source) if source.is_file() else _rows_of_folder(source)
    tasks = [task for task in map(_task, rows) if task]
    if not tasks:
        raise UsageError(
            tr("{path} has no work folder of a task", path=str(path)),
            tr("name the work folder of a run of Nextflow, or its trace.txt"),
        )
    steps = tuple(_joined(tasks))
    return Recorded(manager="nextflow", source=source, steps=steps, cores=cores_of(steps))


def trace_rows(trace: Path) -> list[Row]:
    """The tasks that ended well.  Raises UsageError where the trace has not what is needed."""
    head, *lines = trace.read_text("utf-8", "replace").splitlines() or [""]
    columns = head.split("\t")
    lacking = [field for field in _NEEDED if field not in columns]
    rows: list[Row] = (
        [] if lacking else [dict(zip(columns, line.split("\t"), strict=False)) for line in lines]
    )
    # A script of several lines goes on in lines that are no tasks.
    rows = [row for row in rows if row.keys() >= set(_NEEDED) and row["status"] in _DONE]
    if any(not row["start"].isdigit() for row in rows):
        lacking = ["raw = true"]
    if lacking:
        raise UsageError(
            tr("the trace {path} lacks {fields}", path=str(trace), fields=", ".join(lacking)),
            tr("write this into nextflow.config, and run again:\n{block}", block=TRACE),
        )
    return rows


def _rows_of_folder(folder: Path) -> list[Row]:
    """By the trace of the same work folder, else by what the work folders themselves have."""
    work = folder / "work" if (folder / "work").is_dir() else folder
    traces = [*work.parent.glob("*trace*.txt"), *work.glob("*trace*.txt")]
    for trace in sorted(traces, key=lambda one: one.stat().st_mtime, reverse=True):
        with suppress(UsageError):
            rows = trace_rows(trace)
            if rows and all(Path(row["workdir"]).is_relative_to(work) for row in rows):
                return rows
    ended = sorted(work.glob("*/*/.exitcode"), key=lambda one: one.stat().st_mtime)
    return [_row(file.parent) for file in ended if file.read_text("utf-8").strip() == "0"]


def _row(folder: Path) -> Row:
    """A line of the trace, of what Nextflow wrote into that folder; it does not write the cpus."""
    measured = dict(
        line.split("=", 1) for line in _text(folder / ".command.trace").splitlines() if "=" in line
    )
    end = (folder / ".exitcode").stat().st_mtime_ns // 1_000_000
    name = _NAME.search(_text(folder / ".command.run"))
    realtime = int(measured.get("realtime", 0))
    return {
        "process": name[1] if name else folder.name,
        "cpus": "",
        "start": str(end - realtime),
        "complete": str(end),
        "realtime": str(realtime),
        "%cpu": str(int(measured.get("%cpu", 0)) / 10) if measured else "-",
        "peak_rss": str(int(measured.get("peak_rss", 0)) * 1024),
        "workdir": str(folder),
    }


def _task(row: Row) -> Task | None:
    folder = Path(row["workdir"])
    run, script = _text(folder / ".command.run"), _text(folder / ".command.sh")
    if not script:
        return None
    threads, template, reason = _threads(script, row["cpus"])
    staged = list(_staged(run))
    realtime, used = _number(row.get("realtime")), _number(row.get("%cpu"))
    step = Step(
        name=row["process"],
        command=script,
        threads=threads,
        memory=int(_number(row.get("memory")) or 0),
        inputs=tuple(folder / name for name, _ in staged),
        outputs=tuple(_outputs(folder, run)),
        folder=folder,
        started=int(row["start"]) / 1000,
        ended=int(row["complete"]) / 1000,
        cpu=None if realtime is None or used is None else realtime / 1000 * used / 100,
        # Under a second Nextflow has no peak.
        peak=int(_number(row.get("peak_rss")) or 0) or None,
        template=template,
        reason=reason,
    )
    return Task(step, tuple(folder / target for _, target in staged))


def _threads(script: str, cpus: str) -> tuple[int, str, str]:
    """The threads that it had, its template, and the reason where it has none."""
    threads = int(cpus) if cpus.isdigit() else threads_at_flags(script) or 1
    template = guessed_template(script, threads)
    if template is None:
        return threads, "", tr("which number is its threads cannot be told")
    if PLACEHOLDER not in template:
        return threads, "", tr("its command does not have its number of threads")
    return threads, template, ""


def _staged(run: str) -> Iterator[tuple[str, str]]:
    """Names in the work folder, and what each is a link to."""
    body = run.partition("nxf_stage() {")[2].partition("\n}")[0]
    for line in _STAGED.findall(body):
        with suppress(ValueError):
            *_, target, name = shlex.split(line)
            yield name, target


def _outputs(folder: Path, run: str) -> Iterator[Path]:
    """What its process declares and the folder has."""
    for name in _OUTPUT.findall(run.partition("\nset -e")[0]):
        yield from sorted(folder.glob(name)) if "*" in name or "?" in name else [folder / name]


def _joined(tasks: Iterable[Task]) -> Iterator[Step]:
    """Each step with those whose work folders it links into."""
    import msgspec

    tasks = list(tasks)
    places = {task.step.folder: at for at, task in enumerate(tasks)}
    for task in tasks:
        made = (places.get(parent) for target in task.targets for parent in target.parents)
        after = sorted({at for at in made if at is not None and tasks[at] is not task})
        yield msgspec.structs.replace(task.step, after=tuple(after))


def _number(text: str | None) -> float | None:
    """What a raw trace has; `-` is nothing."""
    with suppress(ValueError):
        return float(text or "")
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
