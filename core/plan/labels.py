"""Names for specs, made of the parameters in which they differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from core.language.invisible import one_line
from core.language.translation import marked, tr, tr_word
from core.plan.spec import differing

if TYPE_CHECKING:
    from core.catalog.parameters import Value
    from core.plan.spec import RunSpec

BESIDE_THE_POINT = frozenset({"deadline", "stall", "memory_limit", "seed"})
"""Parameters that do not change the question: when a trial is given up, and what it draws."""

POOLED = frozenset({"seed"})
"""Parameters without better values: trials of all their values count for one setting."""


def named(name: str) -> str:
    """A parameter's name within a sentence: `cache size`."""
    return tr_word(name.replace("_", " "))


def show_value(value: Value) -> str:
    """A parameter's value within a sentence: `0.5`, `yes`."""
    match value:
        case bool():
            return tr("yes") if value else tr("no")
        case float():
            # In full, so that different values do not look the same.
            return repr(value).removesuffix(".0")
        case _:
            return str(value)


IN_BYTES = frozenset({
    "access_size", "block_size", "java_heap", "memory_limit", "need_size", "part_size",
})  # fmt: skip
"""Parameters whose declarations say `bytes`; not looked up, as results outlive their workloads."""


def show_setting(name: str, value: Value) -> str:
    """A value of the named parameter within a sentence: `16 MiB` of `part_size`."""
    if name not in IN_BYTES or isinstance(value, bool) or not isinstance(value, int):
        return show_value(value)
    if value == 0:
        return tr("none")
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value % factor == 0:  # whole, so that different values do not look the same
            return f"{marked(f'{value // factor:,}')} {unit}"
    return f"{marked(f'{value:,}')} B"


def label(spec: RunSpec, names: Collection[str]) -> str:
    """Some parameters of a spec in one line, `threads 4 · cache lru`; without any its workload."""
    values: dict[str, Value] = {"workload": spec.workload, **spec.values}
    told = [name for name in names if values.get(name, "") != ""]  # an empty text tells nothing
    parts = [f"{named(name)} {show_setting(name, values[name])}" for name in told]
    return one_line(" · ".join(parts)) or spec.workload


def telling(specs: Sequence[RunSpec], without: Collection[str] = ()) -> tuple[str, ...]:
    """Names of the parameters in which these specs differ, apart from those in `without`.

    Those in `BESIDE_THE_POINT` are included only where some specs differ in nothing else.
    """
    names = _names_telling([(spec,) for spec in specs])
    return tuple(name for name in names if name not in without)


def pair_labels(pairs: Sequence[tuple[RunSpec, RunSpec]]) -> list[tuple[str, str]]:
    """Names for the two sides of each pair, by the parameters in which all these specs differ.

    Those in `BESIDE_THE_POINT` are included only where some pairs differ in nothing else.  Sides
    whose names would be equal are called A and B.
    """
    names = _names_telling(pairs)
    return [_told_pair(one, two, names) for one, two in pairs]


def _names_telling(groups: Sequence[Sequence[RunSpec]]) -> Sequence[str]:
    """The parameters that tell groups of specs apart; beside the point only where it takes them."""
    names = differing([spec for group in groups for spec in group])
    usual = [name for name in names if name not in BESIDE_THE_POINT]
    enough = len(_told_apart(groups, usual)) == len(_told_apart(groups, names))
    return usual if enough else names


def _told_apart(
    groups: Sequence[Sequence[RunSpec]], names: Sequence[str]
) -> set[tuple[Value | None, ...]]:
    found: set[tuple[Value | None, ...]] = set()
    for group in groups:
        values: list[dict[str, Value]] = [{"workload": one.workload, **one.values} for one in group]
        found.add(tuple(each.get(name) for each in values for name in names))
    return found


def _told_pair(one: RunSpec, two: RunSpec, names: Sequence[str]) -> tuple[str, str]:
    if not names:
        return "A", "B"
    first, second = label(one, names), label(two, names)
    return (f"A ({first})", f"B ({second})") if first == second else (first, second)
