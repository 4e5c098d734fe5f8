"""What a workload declares about its results.

Which leave out a part of the work: they explain others, and are never the answer.  Which ask for an
answer of their own each, such as those of one store.  And whose threads share a reader without a
lock, the commonest cause of wrong data: whether it is the cause shows beside the result, where the
same setting with a lock, with one reader for each thread, or with one thread, was right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from core.judge.estimation import typical
from core.language import SluiceError, capitalised, tr
from core.measure import without_bare_files
from core.vocabulary import Result, RunSpec, Value, Workload, alike_but_for, declared, setting_text


def of_whole_work(results: Sequence[Result]) -> list[Result]:
    """Those that do the whole work; all of them where none does, as then that is the question."""
    return [one for one in results if not part_of_work(one)] or list(results)


def part_of_work(result: Result) -> str:
    """`depth fetch`: what makes it a part of the work only; empty where it does all."""
    values, workload = result.spec.parameters, _known(result.spec)
    for name, parts in workload.partial.items() if workload else ():
        if values.get(name) in parts:
            return setting_text(name, values[name])
    return ""


def refused_as_part(result: Result, results: Sequence[Result]) -> str:
    """Why it is no answer beside these; empty where it can be."""
    part = part_of_work(result)
    if not part or all(map(part_of_work, results)):
        return ""
    return tr("leaves out a part of the work ({part})", part=part)


_CORES = "cores"


class PartOfResults(NamedTuple):
    """Results that have these values in common, and the bare files."""

    values: Mapping[str, Value]
    results: Sequence[Result]


def parts_of(results: Sequence[Result]) -> tuple[PartOfResults, ...]:
    """The results by the parameters that their workload names in `lines`, and by cores.

    Cores are what a machine has, and no choice.  None where nothing of that varies; several
    workloads have no such parameters in common.
    """
    own = without_bare_files(results)
    parts = [PartOfResults({}, own)]
    for name in (*_lines(own), _CORES):
        parts = [finer for part in parts for finer in _split(part, name)]
    if len(parts) < 2:
        return ()
    answers = {id(one) for one in own}
    beside = [one for one in results if id(one) not in answers]
    return tuple(PartOfResults(part.values, [*part.results, *beside]) for part in parts)


def _split(part: PartOfResults, name: str) -> Sequence[PartOfResults]:
    values = dict.fromkeys(one.spec.values.get(name) for one in part.results)
    if len(values) < 2:
        return (part,)
    return [
        PartOfResults(
            {**part.values, name: value},
            [one for one in part.results if one.spec.values.get(name) == value],
        )
        for value in values
        if value is not None
    ]


def _lines(results: Sequence[Result]) -> tuple[str, ...]:
    alone = len({result.spec.workload for result in results}) == 1
    workload = _known(results[0].spec) if alone else None
    return workload.lines if workload else ()


class SharedReader(NamedTuple):
    """Threads share a reader, and what they read is wrong."""

    name: str
    """The parameter that says so; empty where the workload has none, and one thread was right."""
    value: Value
    locked: Value
    """Its value that does the same with a lock."""
    right: Result | None
    """What was right beside it: with as many threads, or with one where `name` is empty."""

    @property
    def text(self) -> str:
        """The cause and what to do, in sentences."""
        return f"{self.cause}. {capitalised(self.remedy)}."

    @property
    def cause(self) -> str:
        """The cause, without a full stop."""
        if not self.name:
            return tr(
                "The same was right with 1 thread, so the threads disturb each other, as with a "
                "reader that they share without a lock"
            )
        return tr(
            "With {setting}, threads share a reader without a lock",
            setting=setting_text(self.name, self.value),
        )

    @property
    def remedy(self) -> str:
        """What to do, as a phrase."""
        if not self.name:
            return tr("use 1 thread, processes, or a reader for each thread")
        if self.right is None:
            return tr("try {setting}", setting=setting_text(self.name, self.locked))
        return tr(
            "use {setting}: it was right with as many threads",
            setting=setting_text(self.name, self.right.spec.values[self.name]),
        )


def shared_reader(result: Result, beside: Sequence[Result]) -> SharedReader | None:
    """The reader that the threads of a result with wrong data share; None where it is no cause."""
    load = result.spec.load
    if load.threads < 2 or not any(trial.wrong for trial in result.trials):
        return None
    names, dependent = _declared(result.spec)
    for name, unlocked in names.items():
        value = result.spec.values.get(name)
        if not isinstance(value, str) or value not in unlocked:
            continue
        right = [
            one
            for one in _right(result, beside, {name, *dependent.get(name, ())})
            if one.spec.values.get(name) not in unlocked
            and one.spec.load.threads == load.threads
            and one.spec.load.processes == load.processes
        ]
        best = max(right, key=lambda one: typical(one) or 0.0, default=None)
        return SharedReader(name, value, unlocked[value], best)
    workload = _known(result.spec)
    if workload is not None and not workload.has_reader:
        return None
    alone = [one for one in _right(result, beside, {"threads"}) if one.spec.load.threads == 1]
    return SharedReader("", "", "", alone[0]) if alone else None


_COLLISIONS = frozenset({"BadGzipFile", "BlockingIOError", "EOFError", "OSError", "ValueError"})
"""What a reader raises whose place in the file another thread has changed, or that it closed."""


def collision_in(result: Result) -> str:
    """What operations ran into because threads share a reader without a lock; empty elsewhere."""
    names, _ = _declared(result.spec)
    shared = any(result.spec.values.get(name) in unlocked for name, unlocked in names.items())
    errors = Counter[str]()
    for complaint in (one for trial in result.trials for one in trial.complaints):
        name = complaint.text.partition(":")[0]
        if not complaint.wrong_data and name in _COLLISIONS:
            errors[name] += complaint.count
    if not shared or result.spec.load.threads < 2 or not errors:
        return ""
    ((error, _),) = errors.most_common(1)
    return tr("a file was read by two threads at once: {error}", error=error)


def _right(result: Result, beside: Sequence[Result], apart: set[str]) -> list[Result]:
    """The valid results that differ in nothing but these parameters."""
    return [one for one in beside if one.valid and alike_but_for(one.spec, result.spec, apart)]


def _declared(spec: RunSpec) -> tuple[Mapping[str, Mapping[str, str]], Mapping[str, set[str]]]:
    """The values without a lock, and by parameter the others that depend on it."""
    declaration = _known(spec)
    if declaration is None:
        return {}, {}
    dependent: dict[str, set[str]] = {}
    for kind in declared(declaration.parameters):
        for name in kind.only_when:
            dependent.setdefault(name, set()).add(kind.name)
    return declaration.unlocked, dependent


def _known(spec: RunSpec) -> Workload[Any] | None:
    """Its workload; None where a recorded one is not here any more."""
    with suppress(SluiceError, ImportError):
        return spec.known_setting.workload
    return None
