"""Measures again what a session has: the rest of a run, its request, two settings side by side.

Two settings are measured in one session, alternating, so that no drift lies between them.

A plan can come from anyone, so `WouldRun` says first what it would run on this machine.  Nothing of
it is loaded, imported or started there, nor is its data looked at: that may be on a dead server, or
larger than anybody waits for.  Of a `module:Class` only its file is looked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import msgspec

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.catalog.declarations import declared
from core.catalog.parameters import Choice, Flag, Integer, Real
from core.errors import SluiceError, UnknownName, UsageError
from core.execution.admission import STUDY_ADJUSTABLE, cluster_of
from core.execution.request import Request
from core.execution.task import Task, rest_of_plan
from core.host.folders import cache_folder
from core.language.translation import one_line, tr, tr_word
from core.language.units import Seconds
from core.plan.floor import floors, is_bare, reopened, require_data, without_bare_files
from core.plan.limits import FEWEST_TO_STOP, REPEATS, REPEATS_TO_COMPARE
from core.plan.schedule import TURNS, Plan, Turns
from core.plan.spec import RunSpec, differing, named, show_setting
from core.plan.specify import specify
from core.plan.sweep import Axis
from core.result.result import Result
from core.session import Session
from core.session.plan_trust import is_trusted, require_trust

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from pathlib import Path

    from core.catalog.parameters import Kind, Value
    from core.result.result import Trial
    from core.session import Run

type Pairs = Sequence[tuple[Result, Result]]


def again(
    pairs: Pairs,
    repeats: int | None = None,
    *,
    turns: Turns = TURNS,
    budget: Seconds = 0.0,
) -> Plan:
    """The plan that measures all sides of these pairs alternately, each block holding every one.

    `repeats`: trials of each side; by default `REPEATS_TO_COMPARE` or, with a budget, the fewest
    that can tell, because an open verdict gets more.

    Raises UsageError where the sides of a pair ask for the same, DatasetError where the data is
    gone or has changed, and what `specify` raises where a setting cannot be measured here.
    """
    datasets: dict[Dataset, Dataset] = {}
    renewed: dict[str, RunSpec] = {}
    for spec in (side.spec for pair in pairs for side in pair):
        renewed[spec.digest] = _renewed(spec, datasets)
    named = tuple((renewed[a.spec.digest].digest, renewed[b.spec.digest].digest) for a, b in pairs)
    if any(one == two for one, two in named):
        raise UsageError(
            tr("both sides ask for the same, so that there is nothing to measure in turn"),
            tr("name two settings, such as #threads=1 and #threads=4"),
        )
    specs = {spec.digest: spec for spec in renewed.values()}
    return Plan(
        title="compare again",
        specs=tuple(specs.values()),
        repeats=repeats or (FEWEST_TO_STOP if budget else REPEATS_TO_COMPARE),
        turns=turns,
        budget=budget,
        pairs=named,
    )


def pairs_in(plan: Plan, results: Sequence[Result]) -> tuple[tuple[Result, Result], ...]:
    """The pairs that a plan compares, of which both sides were measured."""
    by_digest = {result.spec.digest: result for result in results}
    return tuple(
        (by_digest[one], by_digest[two])
        for one, two in plan.pairs
        if {one, two} <= by_digest.keys()
    )


def _renewed(spec: RunSpec, datasets: dict[Dataset, Dataset]) -> RunSpec:
    """The same setting, as this Sluice measures it now."""
    if spec.dataset not in datasets:
        registry.load_workload(spec.workload)  # its module can bring the kind of its data
        remedy = tr("compare without --again, or measure both sides on data that is there")
        datasets[spec.dataset] = reopened(spec.dataset, remedy)
    values: Mapping[str, object] = spec.values
    return specify(spec.workload, datasets[spec.dataset], values)


@dataclass(frozen=True, kw_only=True)
class Rest:
    """What is left of a run, and what it has."""

    run: Run
    trials: tuple[Trial, ...]
    """Its trials that are not measured again."""
    task: Task


def rest_of_run(session: Session, number: int) -> Rest:
    """What measures the rest of a run.

    Raises NotTrusted for a run from elsewhere, DatasetError without its data, and what
    `check_cluster` raises.
    """
    run = session.run(number)
    require_trust(run)
    require_data(run.plan.specs)
    trials = session.trials(number)
    slots = session.remaining(number, trials)
    again = {slot.index for slot in slots}
    kept = tuple(trial for trial in trials if trial.index not in again)
    task = rest_of_plan(run.plan, slots, kept, cluster_of(run.command))
    return Rest(run=run, trials=kept, task=task)


def data_changes(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """How the data differs from what these were planned for, as far as that can be told.

    Raises DatasetError where it is gone.  It takes as long as looking at all files.
    """
    require_data(specs)
    datasets = dict.fromkeys(spec.dataset for spec in specs)
    return tuple(change for change in map(_change, datasets) if change)


def _change(dataset: Dataset) -> str:
    try:
        reopened(dataset)
    except UnknownName:
        path = dataset.location
        return tr("{path} cannot be compared: nobody knows its kind here", path=path)
    except SluiceError as error:
        return error.cause
    return ""


def request_of(plan: Plan) -> Request:
    """The request whose task has this plan, as far as a request can tell it.

    Combinations that a sweep left out are asked for again, and settings of different workloads,
    as `compare --again` measures them, become a sweep of the first one's.
    """
    specs = _requested_specs(plan)
    first, names = specs[0], differing(specs)
    return Request(
        workload="" if plan.study else first.workload,
        study=plan.study,
        search=plan.adaptive,
        values=_of_study(first, names) if plan.study else first.values,
        axes=() if plan.study else _axes(specs, names),
        terms=plan.terms,
        dataset=first.dataset.path if first.dataset.local else None,
        repeats=plan.repeats or REPEATS,
        order_seed=plan.seed,
        floor=_floor(plan, specs),
        turns=plan.turns,
        budget=plan.budget,
    )


def request_of_setting(plan: Plan, spec: RunSpec) -> Request:
    """The request that measures one setting of a plan by itself, as often as the plan did."""
    return Request(
        workload=spec.workload,
        values=spec.values,
        dataset=spec.dataset.path if spec.dataset.local else None,
        repeats=plan.repeats or REPEATS,
        floor=_floor(plan, [spec]),
        turns=plan.turns,
    )


def _requested_specs(plan: Plan) -> Sequence[RunSpec]:
    """The specs that were asked for: neither the bare files, nor what a search only explains by."""
    return without_bare_files(plan.specs[: plan.choices] if plan.choices else plan.specs)


def _axes(specs: Sequence[RunSpec], names: Sequence[str]) -> tuple[Axis, ...]:
    axes = []
    for name in names:
        values = dict.fromkeys(spec.values[name] for spec in specs if name in spec.values)
        if len(values) > 1:
            axes.append(Axis(name, tuple(values)))
    return tuple(axes)


def _of_study(first: RunSpec, names: Sequence[str]) -> dict[str, Value]:
    return {
        name: value
        for name, value in first.values.items()
        if name in STUDY_ADJUSTABLE and name not in names
    }


def _floor(plan: Plan, specs: Sequence[RunSpec]) -> bool:
    """Whether the bare files were asked for; where there are none to measure, as by default."""
    if is_bare(specs[0]) or any(map(is_bare, plan.specs)):
        return True
    with suppress(SluiceError, OSError):  # such as a dataset that is gone
        return not floors(specs)
    return False


_HEAD, _TAIL = 1_500, 500
"""Letters of a text that are shown of its beginning and its end, where it has more."""
_MOST_VALUES = 50
"""Texts that one parameter has in all settings."""
_MOST_LINES = 200


class WouldRun(msgspec.Struct, frozen=True, kw_only=True):
    """What would run, a line each, without any character that cannot be seen."""

    lines: tuple[str, ...]
    cut: bool = False
    """Whether something is left out, since it is too long or too much."""

    @staticmethod
    def of(
        specs: Sequence[RunSpec], cluster: str = "", writes: Sequence[str | os.PathLike[str]] = ()
    ) -> WouldRun:
        """Everything that measuring these specs would use; `writes`: files and folders of ours."""
        lines = [
            *_workloads(specs),
            *_once_each(tr("data"), [_place(spec.dataset.location) for spec in specs]),
            *([_line(tr("cluster"), cluster)] if cluster else []),
            *_once_each(tr("writes into"), [os.fspath(path) for path in writes]),
        ]
        over = len(lines) - _MOST_LINES
        if over > 0:
            lines[_MOST_LINES:] = [
                _Line(tr("1 more line", "{count} more lines", count=over), cut=True)
            ]
        return WouldRun(
            lines=tuple(line.text for line in lines),
            cut=any(line.cut for line in lines),
        )

    @staticmethod
    def is_trusted(specs: Sequence[RunSpec], sessions: Iterable[Path]) -> bool:
        """Whether each of these is part of a run in these sessions that is trusted.

        Raises SessionError.
        """
        known: dict[str, RunSpec] = {}
        for path in sessions:
            with Session.read(path) as session:
                runs = filter(is_trusted, session.runs())
                known |= {spec.digest: spec for run in runs for spec in run.plan.specs}
        return all(known.get(spec.digest) == spec for spec in specs)


class _Line(msgspec.Struct, frozen=True):
    text: str
    cut: bool = False


def _line(title: str, text: str) -> _Line:
    over = len(text) - _HEAD - _TAIL
    if over > 0:
        left_out = tr("… 1 letter left out …", "… {count:,} letters left out …", count=over)
        shown = f"{one_line(text[:_HEAD])} {left_out} {one_line(text[-_TAIL:])}"
    else:
        shown = one_line(text)
    return _Line(f"{one_line(title)}: {shown}", cut=over > 0)


def _once_each(title: str, texts: Sequence[str]) -> Iterator[_Line]:
    distinct = tuple(dict.fromkeys(texts))
    for text in distinct[:_MOST_VALUES]:
        yield _line(title, text)
    if (over := len(distinct) - _MOST_VALUES) > 0:
        yield _Line(f"{one_line(title)}: {tr('{count} more', count=over)}", cut=True)


def _workloads(specs: Sequence[RunSpec]) -> Iterator[_Line]:
    for name in dict.fromkeys(spec.workload for spec in specs):
        yield _line(tr("workload"), _workload(name))
        of_name = [spec for spec in specs if spec.workload == name]
        kinds = _kinds(name)
        for parameter in dict.fromkeys(key for spec in of_name for key in spec.parameters):
            values = [spec.parameters.get(parameter, "") for spec in of_name]
            kind = kinds.get(parameter)
            if _is_ours(kind) and all(value == kind.default for value in values):
                continue
            texts = [show_setting(parameter, value) for value in values if value != ""]
            yield from _once_each(named(parameter), texts)


def _is_ours(kind: Kind | None) -> TypeGuard[Integer | Real | Choice | Flag]:
    """Whether it can have only such values as we have declared."""
    return isinstance(kind, Integer | Real | Choice | Flag)


def _kinds(name: str) -> dict[str, Kind]:
    """Its parameters; none where nothing is known of them, so that all values are shown."""
    with suppress(SluiceError):
        return {kind.name: kind for kind in declared(registry.known_workload(name).parameters)}
    return {}


def _workload(name: str) -> str:
    entry = registry.workloads().get(name)
    if entry is not None:
        return f"{name} ({tr_word(entry.title)})"
    origin = _origin(name.partition(":")[0])
    if origin:
        return tr("{name}, loaded from {path}", name=name, path=origin)
    return tr("{name}, which is not found here", name=name)


def _origin(module: str) -> str:
    """The file that a module would be loaded from; empty where none is found.

    `find_spec` of the standard library imports the packages that a module is in; this does not.
    """
    path: Sequence[str] | None = None
    spec: ModuleSpec | None = None
    name = ""
    for part in module.split("."):
        if not part.isidentifier() or (name and path is None):
            return ""
        name = f"{name}.{part}" if name else part
        spec = next(filter(None, (finder.find_spec(name, path) for finder in sys.meta_path)), None)
        if spec is None:
            return ""
        path = spec.submodule_search_locations
    return "" if spec is None else str(spec.origin or next(iter(path or ()), ""))


def _place(location: str) -> str:
    """Where data is; a session from elsewhere may name a path within the folder we are in."""
    remote = "://" in location or location.startswith("file:")
    return location if remote else os.path.abspath(location)  # noqa: PTH100 -- looks at no file


def run_again(run: Run, session: Path) -> WouldRun:
    """What resuming or repeating a run of a session would run."""
    return WouldRun.of(run.plan.specs, cluster_of(run.command), [session, cache_folder()])
