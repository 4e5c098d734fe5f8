"""`workflow`: the numbers of threads of a recorded run, measured step by step."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from core.language import PROGRAM, Seconds, UsageError, show_seconds, tr
from core.tell.cli.flags import PLACE, options_for
from core.tell.cli.terminal import print_json, say, say_on_stderr
from core.tell.cli.terminal_results import print_rows
from core.vocabulary import EFFORT, Integer

if TYPE_CHECKING:
    from core.run import Session
    from core.workflow import Group, Measurement, Recorded, StepAnswer, WorkflowAnswer

_BUDGET: Seconds = 600.0
_HELP = """Measure the heavy steps of a recorded run with other numbers of threads.

RUN is a Snakefile whose run is complete, a work folder of Nextflow, or its trace. Steps that have
90 % of the core-hours together are run again with fewer threads, each in a copy of its folder: what
it writes elsewhere, the kernel refuses. Outputs have to be the same. Then the run is simulated with
other numbers. --write puts them into a folder, as a Snakemake profile or a Nextflow config, beside
a page that shows why.

A second call with the same --session goes on where the first one ended. Ctrl+C keeps what was
measured and says the answer so far."""


@click.command(
    "workflow",
    help=_HELP,
    epilog="\b\nExamples:\n  python -m core workflow Snakefile --budget 1h --session tuned.sluice\n"
    "  python -m core workflow trace.txt --cores 32 --write tuned/",
)
@click.argument("run", type=PLACE, metavar="RUN")
@click.option("--write", type=PLACE, help="Folder for the overlay and the page.")
@click.option("--session", type=PLACE, help="Session file to write, or to go on with.")
@click.option("--json", is_flag=True, help="Print the answer as JSON.")
def workflow(run: Path, **how: Any) -> int:
    from core.workflow import grouped, measurements, recorded_run

    it = recorded_run(run)
    groups = grouped(it)
    if not any(group.core_seconds for group in groups):
        raise UsageError(
            tr("{path} does not say how long its steps took", path=run),
            tr("run the workflow once, to its end"),
        )
    seconds = float(how["budget"] or _BUDGET)
    planned = measurements(it, groups, seconds)
    _announce(groups, planned, seconds)
    answer, signal = _measured(
        it, groups, planned, _How(how["cores"] or it.cores, seconds, how["session"])
    )
    if how["write"] is not None:
        _write(answer, how["write"])
    if how["json"]:
        print_json(as_json(answer))
    else:
        _print(answer)
    if signal:
        from core.measure import code_after

        sys.exit(code_after(signal))
    return 1 if answer.changed else 0


_CORES = Integer(
    name="cores",
    default=0,
    low=0,
    high=1_000_000,
    help="Cores of the machine for which the run is simulated. 0 = those of the recorded run.",
)
_TIME = replace(EFFORT.budget, default=_BUDGET)
workflow.params.extend(options_for([_CORES, _TIME]))


def _announce(groups: Sequence[Group], planned: Sequence[Measurement], seconds: Seconds) -> None:
    steps = [one.group.name for one in planned if not one.why_not]
    runs = sum(len(group.steps) for group in groups)
    say_on_stderr(
        f"runs: {runs:,}, steps: {len(groups)}; measures {', '.join(steps) or 'none'}: "
        f"at most about {show_seconds(seconds)}."
    )


class _How(NamedTuple):
    cores: int
    seconds: Seconds
    session: Path | None


def _measured(
    it: Recorded, groups: Sequence[Group], planned: Sequence[Measurement], how: _How
) -> tuple[WorkflowAnswer, int]:
    """The answer, and the signal that ended it early or 0."""
    from core.workflow import answers, changed_between, states_of, workflow_answer

    before = states_of(it.steps)
    changed: tuple[str, ...] = ()
    done: list[StepAnswer] = []
    signal, left, place = 0, how.seconds, how.session
    for one in planned:
        if one.why_not or signal or changed:
            done.append(one.answer(()))
            continue
        results, signal, took, place = _step(one, place, left * _share(one, planned))
        left = max(left - took, 1.0)
        done.append(one.answer(results))
        changed = changed_between(before, states_of(it.steps))
    return workflow_answer(it, answers(groups, done), how.cores, changed), signal


def _share(one: Measurement, planned: Sequence[Measurement]) -> float:
    """Of the time that is left: what earlier steps did not need, later ones have."""
    rest = planned[planned.index(one) :]
    whole = sum(other.group.core_seconds for other in rest if not other.why_not)
    return one.group.core_seconds / whole if whole else 1.0


def _step(
    one: Measurement, place: Path | None, budget: Seconds
) -> tuple[Sequence[Any], int, Seconds, Path | None]:
    """Results of a step, the signal, the seconds that it took, and the session's place."""
    import time

    from core.measure import find_dataset
    from core.run import begin_recording, session_for
    from core.tell.cli.terminal_run import measure_into

    begun = time.monotonic()
    assert one.recipe is not None
    task = one.task(find_dataset("command", one.recipe.written()), budget)
    with closing(session_for(task.plan, place)) as session:
        rest, number = _earlier(one, session)
        if number and rest is None:
            return session.results(number), 0, 0.0, session.path
        say_on_stderr(f"{one.group.name}: threads={','.join(map(str, one.counts))}")
        command = [*PROGRAM, *sys.argv[1:]]
        done = measure_into(
            session,
            rest or task,
            lambda: number or begin_recording(task.plan, session, command),
            json=False,
        )
        return done.results, done.interrupted_by, time.monotonic() - begun, session.path


def _earlier(one: Measurement, session: Session) -> tuple[Any, int]:
    earlier = one.earlier(session)
    return (None, 0) if earlier is None else (one.rest(session, earlier), earlier.id)


def _write(answer: WorkflowAnswer, folder: Path) -> None:
    from core.tell.exchange import write_whole
    from core.tell.report.workflow_page import workflow_page
    from core.workflow import use_of, write_overlay

    path = write_overlay(answer, folder)
    page = folder / "workflow.html"
    write_whole(page, lambda stream: stream.write(workflow_page(answer).encode()))
    say_on_stderr(f"overlay: {path}, for {use_of(answer, folder)}; page: {page}")


def _print(answer: WorkflowAnswer) -> None:
    from core.tell.workflow_text import headline, step_rows, whole_run

    say(headline(answer))
    rows = step_rows(answer)
    print_rows(("step", "runs", "used", "threads", "how sure", "core-hours", ""), rows)
    say(whole_run(answer))
    for path in answer.changed:
        say_on_stderr(f"look out: {path} was changed while a step was measured")


def as_json(answer: WorkflowAnswer) -> dict[str, Any]:
    mid, low, high = answer.core_seconds_after
    return {
        "manager": answer.recorded.manager,
        "cores": answer.cores,
        "core_seconds": {"before": answer.core_seconds, "after": mid, "low": low, "high": high},
        "seconds": {
            "recorded": answer.recorded_seconds,
            "before": answer.before,
            "after": answer.after,
            "simulation_off_by": answer.off,
        },
        "steps": [_step_as_json(step) for step in answer.steps],
        "changed_files": list(answer.changed),
    }


def _step_as_json(step: StepAnswer) -> dict[str, Any]:
    mid, low, high = step.core_seconds_after
    return {
        "name": step.group.name,
        "runs": len(step.group.steps),
        "threads": {"granted": step.group.granted, "advised": step.advised.threads},
        "cores_used": step.cores_used,
        "core_seconds": {"before": step.core_seconds, "after": mid, "low": low, "high": high},
        "speed_by_threads": {str(threads): speed for threads, speed in step.curve},
        "memory_bytes": step.memory(),
        "why_not": step.why_not,
        "remark": step.remark,
    }
