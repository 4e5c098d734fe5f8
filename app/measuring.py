"""From a request to a job: all that stands before the first trial is done on the pool's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.job import Prepared
from core import (
    PROGRAM,
    Dataset,
    Headline,
    Request,
    Result,
    Session,
    Table,
    Trial,
    arguments,
    begin_recording,
    collect,
    floor_of,
    plan_of,
    session_for,
    sum_up,
    summarise,
)


def preparation(
    request: Request, dataset: Dataset, session: Session | None
) -> Callable[[], Prepared]:
    """What makes the plan and its session, to be called on the pool's thread."""

    def prepare() -> Prepared:
        plan, left_out = plan_of(request, dataset)
        kept = session or session_for(plan)
        number = begin_recording(plan, kept, [*PROGRAM, *arguments(request)])
        return Prepared(kept, kept.run(number), left_out)

    return prepare


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The results of one run and their table."""

    results: tuple[Result, ...]
    in_table: tuple[Result, ...]
    table: Table
    planned: int
    headline: Headline


def shown(prepared: Prepared, trials: tuple[Trial, ...]) -> Shown:
    """The results of these trials of a run."""
    run = prepared.run
    results = collect(run.plan.specs, trials, run.environment, run.file_systems)
    rows = tuple(result for result in results if result.spec.workload != "raw") or results
    wanted = [spec for spec in run.plan.specs if spec.workload != "raw"] or run.plan.specs
    return Shown(
        results=results,
        in_table=rows,
        table=summarise(results, floor_of),
        planned=len(wanted),
        headline=sum_up(results, len(wanted)),
    )
