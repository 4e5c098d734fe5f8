"""Looks at a request before it is measured: how long it takes, and what will disturb it.

The window asks this after each change of the form, on another thread.  It changes nothing: not even
a file is written, so that whether a disk takes more is told by its free space alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from core.desk.next_step import Act, NextStep
from core.desk.planned_settings import planned_check, planned_figure
from core.desk.steps import fewer_files, wait_step
from core.language import (
    DatasetError,
    ReportProgress,
    Seconds,
    SluiceError,
    Unavailable,
    marked,
    report_to_nobody,
    show_about,
    show_at_most,
    show_clock,
    show_size,
    tr,
    tr_word,
)
from core.measure import (
    QUIET_FOR,
    RAW,
    SHORT,
    OtherPrograms,
    WatchOthers,
    cache_folder,
    describe_environment,
    describe_file_system,
    find_dataset,
    lasting,
    never_evicted,
    seconds_of,
    sessions_folder,
    until_quiet,
    usable_cores,
)
from core.run import Request, SampleData, Task, task_of
from core.vocabulary import AnyFiles, Choice, CurvesFigure, Dataset, Load, declared, named, registry

type Light = Literal["unknown", "quiet", "busy", "limited"]

_LOOKS = 3
_WORTH_SAYING = 0.5
"""Cores; the window itself takes less."""
_LITTLE = 256 << 20
"""Bytes: a session of a day and an index or two take less."""


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to know before Start."""

    text: str = ""
    """Empty where the reason is said by Start, which is disabled."""
    step: NextStep | None = None
    """What to do about it: a request for the form."""
    passes: bool = False
    """Whether it may end by itself, so that it is worth another look."""


class MachineState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether anything of the machine stands in the way of measuring."""

    light: Light = "unknown"
    """`busy`: other programs take the cores; `limited`: the machine is slowed down all the time."""
    text: str = ""
    """Who or what it is, in sentences."""
    cores: int = 1
    """Of the machine."""
    granted: float = math.inf
    """Of them, those that Sluice may keep busy."""
    own: float = 0.0
    """Cores that Sluice and all that it has started take."""
    others: float = 0.0
    """Cores that other programs take."""
    remarks: tuple[Remark, ...] = ()
    """What is to be known of it before Start."""

    @property
    def title(self) -> str:
        """The state in a few words."""
        cores = {"cores": self.cores}
        if self.light == "unknown":
            return tr("machine")
        if self.light == "busy":
            return tr("others take {taken} of {cores} cores", taken=_tenth(self.others), **cores)
        if self.light == "limited" and self.granted < self.cores:
            granted = marked(f"{self.granted:g}")
            return tr("limited: {granted} of {cores} cores granted", granted=granted, **cores)
        if self.light == "limited":
            return tr("limited")
        if self.own >= _WORTH_SAYING:
            return tr("quiet, Sluice takes {own} cores", own=_tenth(self.own))
        return tr("quiet")

    @staticmethod
    def now(report: ReportProgress = report_to_nobody) -> MachineState:
        """Look at it; takes a third of a second."""
        watched = WatchOthers()
        for _ in range(_LOOKS):
            report(tr("looking at the machine"))  # who does not want to know any more ends it here
            time.sleep(SHORT / _LOOKS)
        return _state_of(watched.seen())

    @staticmethod
    def until_quiet(
        report: ReportProgress = report_to_nobody,
        longest: Seconds = math.inf,
        seen: Callable[[MachineState], object] = lambda _: None,
    ) -> None:
        """Return once other programs leave the cores alone, or after so long.

        Who calls it ends it by `report`, which hears three lines: who takes the cores, how long
        it has waited, and how long it has been quiet; `seen` hears each look.
        """

        def say(others: OtherPrograms, waited: Seconds, quiet: Seconds) -> None:
            fields = {"others": others.who or others.told}
            if longest < math.inf:
                fields["left"] = show_clock(max(longest - waited, 0.0))
                text = tr(
                    "The cores are taken by {others}. In {left} it measures beside them.", **fields
                )
            else:
                text = tr("The cores are taken by {others}. Measuring starts by itself.", **fields)
            so_far = tr(
                "quiet for {quiet} of {whole} s", quiet=math.floor(quiet), whole=round(QUIET_FOR)
            )
            waiting = tr("waiting for {time}", time=show_clock(waited))
            report("\n".join((text, waiting, so_far)), round(10 * quiet), round(10 * QUIET_FOR))
            seen(_state_of(others))

        until_quiet(longest, say)

    @staticmethod
    def while_waiting() -> tuple[NextStep, NextStep]:
        """To measure beside the other programs now, and to wait no more."""
        beside = tr("Starts now. What it answers is for now.")
        return (
            NextStep(act=Act.MEASURE, text=tr("Measure beside them"), why=beside, name="beside"),
            MachineState.waits()[1],
        )

    @staticmethod
    def waits() -> tuple[NextStep, NextStep]:
        """To wait until other programs leave the cores alone, and to wait no more."""
        stop = tr("Measure only when you say so.")
        return (
            wait_step(),
            NextStep(act=Act.WAIT, text=tr("Stop waiting"), why=stop),
        )


class Preflight(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a request before its first trial."""

    expected: str = ""
    """How much is measured, and how long it takes; empty where nothing can be measured."""
    compared: str = ""
    """With what results will be compared; empty where nobody can say."""
    remarks: tuple[Remark, ...] = ()
    """The most harmful first."""
    stale: bool = False
    """Whether the dataset is gone, or is not what it was when it was looked at."""
    planned: CurvesFigure = CurvesFigure()
    """The curves on which the settings lie; empty where they lie on none."""

    @property
    def step(self) -> NextStep | None:
        """The first thing that can be done about a remark."""
        return next((one.step for one in self.remarks if one.step is not None), None)

    def beside(self, machine: MachineState) -> Preflight:
        """With what is to be known of the machine."""
        return msgspec.structs.replace(self, remarks=(*self.remarks, *machine.remarks))

    @property
    def passes(self) -> bool:
        """Whether another look in some seconds may say something else."""
        return any(one.passes for one in self.remarks)

    @staticmethod
    def of(
        request: Request,
        dataset: Dataset | None,
        place: Path | None = None,
    ) -> Preflight:
        """Look at a request; `dataset`: as it was recognised.

        `place`: where a dataset was looked for that the workload cannot read.
        """
        if dataset is None:
            if place is None:
                return Preflight(remarks=tuple(_sample(request)))
            remarks = (*_sample(request), *_another_workload(request, place))
            return Preflight(remarks=remarks or _damaged(request, place))
        stale = _changed(request, dataset)
        text = tr("the dataset is changing while it is looked at")
        changing = [Remark(text=text, passes=True)] if stale else []
        try:
            request.require_possible(dataset)
            task = task_of(request, dataset)
        except SluiceError as refusal:
            # A study's sample is no help where a server or a driver is missing.
            lacks = request.study and isinstance(refusal, Unavailable)
            others = () if lacks else _another_choice(request, dataset)
            return Preflight(remarks=tuple(others), stale=stale)
        remarks = (
            *changing,
            *_of_task(request, task),
            *(Remark(text=text) for text in [task.requests.text] if text),
            *_never_cold(task),
            *_space(),
        )
        return Preflight(
            expected=_expected(task),
            compared=planned_check(task.plan),
            remarks=remarks,
            stale=stale,
            planned=planned_figure(task.plan),
        )

    @staticmethod
    def question(request: Request, dataset: Dataset) -> str:
        """What is to be agreed to before it starts; empty = nothing.  Raises SluiceError."""
        return task_of(request, dataset).requests.question


def _another_workload(request: Request, place: Path) -> Iterator[Remark]:
    """Where the workload cannot read what is there: one that can, if there is one."""
    if request.study:
        return
    with suppress(SluiceError):
        kind = registry.open_dataset(place).kind
        if kind == AnyFiles.name:
            yield from _as_any_files(request, place)
            return
        for name, entry in registry.workloads().items():
            with suppress(SluiceError):
                if name == request.of_workload or kind not in entry.workload().dataset_kinds:
                    continue
                why = tr("{workload} can read this data", workload=tr_word(entry.title))
                yield _switched(request, place, kind, entry, why)
                return


def _as_any_files(request: Request, place: Path) -> Iterator[Remark]:
    """Files of no known kind can be read in blocks; damaged ones of a known kind are not meant."""
    try:
        find_dataset(request.of_workload, place)
    except DatasetError as refused:
        if registry.refusal(place) is None:
            raw = registry.workloads()[RAW]
            why = tr(
                "{workload} can read this in blocks, as any files; it is of no known kind: {why}",
                workload=tr_word(raw.title),
                why=refused.cause,
            )
            yield _switched(request, place, AnyFiles.name, raw, why)


def _switched(request: Request, place: Path, kind: str, to: registry.Entry, why: str) -> Remark:
    """The same question about the data, which are of that kind, for another workload."""
    of_load = {one.name for one in declared(Load)}
    axes = tuple(axis for axis in request.axes if axis.name in of_load)
    values = {
        one.name: one.by_dataset[kind]
        for one in declared(to.workload().parameters)
        if kind in one.by_dataset
    }
    switched = msgspec.structs.replace(
        request, workload=to.name, values=values, axes=axes, dataset=place
    )
    text = tr("Switch to {workload}", workload=tr_word(to.title))
    return Remark(text=why, step=_fill(text, why, switched, "workload"))


def _damaged(request: Request, place: Path) -> tuple[Remark, ...]:
    """What is wrong with data of a known kind, where that is not why the workload refuses it."""
    try:
        find_dataset(request.of_workload, place)
    except DatasetError as refused:
        reason = registry.refusal(place)
        if reason is not None and refused.cause not in reason.cause:
            return (Remark(text=str(reason)),)
    return ()


def _another_choice(request: Request, dataset: Dataset) -> Iterator[Remark]:
    """Where the choices exclude each other or the data: a single one that would do."""
    if request.study:
        yield from _sample(request)
        return
    for kind in declared(request.declaration.parameters):
        if not isinstance(kind, Choice) or kind.name in request.varied:
            continue
        for option in kind.options:
            changed = msgspec.structs.replace(request, values={**request.values, kind.name: option})
            with suppress(SluiceError):
                changed.require_possible(dataset)
                title = tr_word(kind.options[option].title) or option
                text = tr("Set {parameter} to {value}", parameter=named(kind.name), value=title)
                step = _fill(text, tr("This can be measured."), changed, "choice")
                yield Remark(step=step)
                return


def _sample(request: Request) -> Iterator[Remark]:
    """The data that a study needs, where it can be made."""
    if not request.study:
        return
    with suppress(SluiceError):
        room = SampleData(request.of_workload, request.study).room()
        text = tr("Make its sample ({size})", size=show_size(room))
        why = tr("Generates data as the study names it, in Sluice's own folder.")
        yield Remark(step=NextStep(act=Act.SAMPLE, text=text, why=why, name="sample"))


def _fill(text: str, why: str, request: Request, name: str) -> NextStep:
    return NextStep(act=Act.FILL, text=text, why=why, request=request, name=name)


def _changed(request: Request, dataset: Dataset) -> bool:
    if not dataset.local:
        return False
    try:
        return find_dataset(request.of_workload, dataset.path).fingerprint != dataset.fingerprint
    except DatasetError:
        return True


def _of_task(request: Request, task: Task) -> Iterator[Remark]:
    """What there is too little of, what the data lies on, and what is left out."""
    # What there is too little of stands first among what is foreseen.
    steps = (
        msgspec.structs.replace(step, act=Act.FILL)
        for step in fewer_files(request, task.plan.specs)
    )
    for text in task.warnings:
        yield Remark(text=text, step=next(steps, None))
    for text in task.left_out:
        yield Remark(text=tr("left out: {reason}", reason=text))


def _never_cold(task: Task) -> Iterator[Remark]:
    places = {
        spec.dataset.path
        for spec in task.plan.specs
        if spec.load.page_cache == "cold" and spec.dataset.local
    }
    for reason in dict.fromkeys(never_evicted(place) for place in sorted(places)):
        if reason:
            yield Remark(text=tr("cold runs cannot be cold here: {reason}", reason=reason))


def _state_of(others: OtherPrograms | None) -> MachineState:
    """What other programs do now, and what slows this machine down all the time."""
    remarks = [
        Remark(text=warning.text.removesuffix(".")) for warning in lasting(describe_environment())
    ]
    text = "\n".join(one.text for one in remarks)
    light: Light = "limited" if remarks else "quiet"
    others = others or OtherPrograms(share=0.0, cores=math.ceil(usable_cores()))
    if others.busy:
        wait, _ = MachineState.waits()
        remarks.insert(0, Remark(text=others.told, step=wait, passes=True))
        text = "\n".join(filter(None, (others.told, others.who, text)))
        light = "busy"
    return MachineState(
        light=light,
        text=text,
        cores=others.cores,
        granted=usable_cores(),
        own=others.own,
        others=others.taken,
        remarks=tuple(remarks),
    )


def _tenth(cores: float) -> str:
    return marked(f"{cores:.1f}")


def _space() -> Iterator[Remark]:
    """Where sessions and generated data are kept, if that is almost full."""
    for folder in (sessions_folder, cache_folder):
        with suppress(SluiceError, OSError):
            where = folder()
            system = describe_file_system(where)
            free = system.free_bytes
            if system.total_bytes and free < _LITTLE:
                text = tr("only {size} are free in {folder}", size=show_size(free), folder=where)
                yield Remark(text=text, passes=True)


def _expected(task: Task) -> str:
    plan = task.plan
    if plan.adaptive:
        return tr(
            "1 setting to search, about {time}",
            "{count} settings to search, about {time}",
            count=task.settings,
            time=show_about(task.seconds),
        )
    settings = tr("1 setting", "{count} settings", count=task.settings)
    if plan.budget and (least := seconds_of(plan.specs, plan.turns)) > plan.budget:
        return tr("{settings}, at least {time}", settings=settings, time=show_about(least))
    if plan.open_ended:
        time = show_at_most(task.seconds)
        return tr("{settings}, at most {time}", settings=settings, time=time)
    return tr(
        "{settings}, {trials}, about {time}",
        settings=settings,
        trials=tr("1 trial", "{count:,} trials", count=task.trials),
        time=show_about(task.seconds),
    )
