"""Which steps are measured, with which numbers of threads, in how much time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from core.language import Seconds, UsageError, show_seconds, tr
from core.measure import usable_cores
from core.run import Request, Run, Session, Task, rest_of_run, task_of, task_of_plan
from core.vocabulary import REPEATS, THREADS, Axis, Dataset, Result
from core.workflow.groups import COVERED, Group, seconds_of_step
from core.workflow.recorded import Recorded
from core.workflow.sandbox import Recipe, recipe_of
from core.workflow.step_answer import StepAnswer, step_answer, untold

_SHORT: Seconds = 1.0
"""Runs that are shorter are repeated within a trial."""
_AMPLE = 1.5
"""Runs that are expected at most take so much less, as a rule."""
_REFERENCES = 2
"""Runs with the fewest threads, with which outputs are compared."""


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """One heavy step: what to measure of it, or `why_not`."""

    group: Group
    counts: tuple[int, ...] = ()
    recipe: Recipe | None = None
    why_not: str = ""

    @property
    def title(self) -> str:
        return f"step {self.group.name}"

    def task(self, dataset: Dataset, budget: Seconds) -> Task:
        """Raises what `task_of` raises."""
        assert self.recipe is not None
        path = self.recipe.written()
        seconds = seconds_of_step(self.group.typical)
        request = Request(
            workload="command",
            values={
                **Recipe.commands_around(path),
                "same": "files" if self.recipe.outputs else "none",
                "version_by": "",
                "duration": 0.0 if seconds > _SHORT else _SHORT,
                "operations": 1 if seconds > _SHORT else 0,
                "warm_up": 0.0,
                "deadline": max(600.0, 20 * seconds * self.group.granted),
            },
            axes=(Axis(THREADS, self.counts),),
            dataset=path,
            repeats=REPEATS,
            floor=False,
            budget=budget,
        )
        task = task_of(request, dataset)
        plan = msgspec.structs.replace(task.plan, title=self.title)
        return task_of_plan(plan, task.left_out, task.beside)

    def earlier(self, session: Session) -> Run | None:
        """The run of a session that has measured the same, or began to."""
        assert self.recipe is not None
        run_line = Recipe.commands_around(self.recipe.written())["run"]
        for run in reversed(session.runs()):
            specs = run.plan.specs
            if run.plan.title == self.title and specs[0].values.get("run") == run_line:
                return run
        return None

    def rest(self, session: Session, run: Run) -> Task | None:
        """What a run has left; None where nothing is."""
        rest = rest_of_run(session, run.id)
        return rest.task if rest.task.slots else None

    def answer(self, results: Sequence[Result]) -> StepAnswer:
        if self.why_not:
            return untold(self.group, self.why_not)
        return step_answer(self.group, results, compared=bool(self.recipe and self.recipe.outputs))


def measurements(
    recorded: Recorded, groups: Sequence[Group], budget: Seconds
) -> tuple[Measurement, ...]:
    """One for each heavy step, the heaviest first."""
    heavy = [group for group in groups if group.heavy]
    possible = [group for group in heavy if group.granted > 1]
    whole = sum(group.core_seconds for group in possible)
    return tuple(
        _measurement(recorded, group, budget * group.core_seconds / whole if whole else budget)
        for group in heavy
    )


def answers(groups: Sequence[Group], measured: Sequence[StepAnswer]) -> tuple[StepAnswer, ...]:
    """Of all steps: what is light stays."""
    by_name = {one.group.name: one for one in measured}
    below = tr("beyond the first {share:.0%} of the core-hours", share=COVERED)
    return tuple(by_name.get(group.name) or untold(group, below) for group in groups)


def _measurement(recorded: Recorded, group: Group, budget: Seconds) -> Measurement:
    try:
        counts = _counts(group, budget)
        recipe = recipe_of(group, counts, recorded.manager)
    except UsageError as error:
        return Measurement(group=group, why_not=str(error))
    return Measurement(group=group, counts=counts, recipe=recipe)


def _counts(group: Group, budget: Seconds) -> tuple[int, ...]:
    """As many as the time allows, the granted number first; raises UsageError for less than two."""
    if group.granted == 1:
        raise UsageError(tr("it has 1 thread already"))
    if group.granted > usable_cores():
        raise UsageError(
            tr(
                "threads granted: {count}, cores of this machine: {cores:g}",
                count=group.granted,
                cores=usable_cores(),
            )
        )
    counts: list[int] = []
    left = budget
    for count in sorted({group.granted, *_steps(group.granted)}, reverse=True):
        each = _expected(group, count)
        if _AMPLE * left < (REPEATS + _REFERENCES) * each:
            break
        left -= REPEATS * each
        counts.append(count)
    if len(counts) < 2:
        raise UsageError(
            tr(
                "a run takes {each}, too long for its part of the time, {budget}",
                each=show_seconds(_expected(group, group.granted)),
                budget=show_seconds(budget),
            ),
            tr("give more with --budget"),
        )
    return tuple(sorted(counts))


def _steps(most: int) -> Iterator[int]:
    """Numbers such as 1, 2, 3, 4, 6, 8, 12."""
    power = 1
    while power <= most:
        yield power
        if 2 < 3 * power // 2 <= most:
            yield 3 * power // 2
        power *= 2


def _expected(group: Group, threads: int) -> Seconds:
    """About the most that a run takes with fewer threads."""
    step = group.typical
    seconds = seconds_of_step(step)
    if step.cpu is not None and step.cpu:
        return max(seconds, step.cpu / threads)
    return seconds * group.granted / threads
