"""Why data is wrong, as far as it is known: the commonest cause is a reader that threads share.

A workload names the values with which its threads share readers without a lock.  Whether that is
the cause shows beside the result: the same setting with a lock, with one reader for each thread, or
with one thread, was right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from core.analysis.estimation import typical
from core.catalog import registry
from core.catalog.declarations import declared
from core.catalog.parameters import Value
from core.errors import SluiceError
from core.language.translation import tr
from core.plan.spec import BESIDE_THE_POINT, differing, named, show_setting
from core.result.result import Result


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
        remedy = self.remedy
        return f"{self.cause}. {remedy[:1].upper()}{remedy[1:]}."

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
            setting=_setting(self.name, self.value),
        )

    @property
    def remedy(self) -> str:
        """What to do, as a phrase."""
        if not self.name:
            return tr("use 1 thread, processes, or a reader for each thread")
        if self.right is None:
            return tr("try {setting}", setting=_setting(self.name, self.locked))
        return tr(
            "use {setting}: it was right with as many threads",
            setting=_setting(self.name, self.right.spec.values[self.name]),
        )


def shared_reader(result: Result, beside: Sequence[Result]) -> SharedReader | None:
    """The reader that the threads of a result with wrong data share; None where it is no cause."""
    load = result.spec.load
    if load.threads < 2 or not any(trial.wrong for trial in result.trials):
        return None
    names, dependent = _declared(result.spec.workload)
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
    alone = [one for one in _right(result, beside, {"threads"}) if one.spec.load.threads == 1]
    return SharedReader("", "", "", alone[0]) if alone else None


def _right(result: Result, beside: Sequence[Result], apart: set[str]) -> list[Result]:
    """The valid results that differ in nothing but these parameters."""
    return [
        one
        for one in beside
        if one.valid
        and one.spec.workload == result.spec.workload
        and one.spec.dataset == result.spec.dataset
        and not {*differing([one.spec, result.spec])} - {*apart, *BESIDE_THE_POINT}
    ]


def _declared(workload: str) -> tuple[Mapping[str, Mapping[str, str]], Mapping[str, set[str]]]:
    """The values without a lock, and by parameter those that have a meaning only beside it."""
    # A recorded workload may not be here any more.
    with suppress(SluiceError, ImportError):
        known = registry.known_workload(workload)
        dependent: dict[str, set[str]] = {}
        for kind in declared(known.parameters):
            for name in kind.only_when:
                dependent.setdefault(name, set()).add(kind.name)
        return known.unlocked, dependent
    return {}, {}


def _setting(name: str, value: Value) -> str:
    return f"{named(name)} {show_setting(name, value)}"
