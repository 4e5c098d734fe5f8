"""One configuration of one workload on one dataset; its digest is its identity.

Its label consists of the parameters in which it differs from others; its subject is the command
that it runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, cast

import msgspec

from core.language import SluiceError, UnknownName, marked, one_line, tr, tr_word
from core.vocabulary import registry
from core.vocabulary.dataset import Dataset, digest_of
from core.vocabulary.declarations import build, declared, has_own, values_of
from core.vocabulary.load import Load
from core.vocabulary.parameters import PLAIN, Value
from core.vocabulary.workload import Workload


class RunSpec(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One configuration of one workload on one dataset."""

    only_references: ClassVar[bool] = True
    """It never holds a secret itself, and its digest must stay the same."""

    workload: str
    version: int
    parameters: dict[str, Value]
    load: Load
    dataset: Dataset

    def __post_init__(self) -> None:
        # A load from before a parameter was declared would lack it when it is written again.
        values = values_of(self.load)
        if len(vars(self.load)) < len(values):
            msgspec.structs.force_setattr(self, "load", build(Load, values))

    @cached_property
    def digest(self) -> str:
        """Identity: 16 hexadecimal digits over everything in the spec."""
        return digest_of(self)

    @cached_property
    def setting(self) -> Setting:
        """The spec with its workload and built parameters, resolved once.

        This runs a module's code, so it is only for specs that a user wants to measure.  Raises
        UnknownName, Unavailable, InvalidParameter.
        """
        workload = registry.load_workload(self.workload)
        return Setting(self, workload, build(workload.parameters, self.parameters))

    @property
    def known_setting(self) -> Setting:
        """As `setting`, but only for display: a file must not choose the code that is imported."""
        if "setting" not in vars(self):
            registry.require_known(self.workload)
        return self.setting

    @property
    def values(self) -> dict[str, Value]:
        """Load and workload parameters under one set of names."""
        return values_of(self.load) | self.parameters

    @property
    def link(self) -> tuple[Value, ...]:
        """What its parameters put before the server: round trip, bandwidth, rate; 0 = nothing."""
        return tuple(self.parameters.get(name) or 0 for name in LINK)

    @cached_property
    def at_once(self) -> str:
        """`files`, `runs`: what its processes are, if they are programs; empty for all else."""
        with suppress(SluiceError, ImportError):  # its workload is of a later Sluice, or missing
            setting = self.known_setting
            if setting.has_own("at_once"):
                return str(setting.workload.at_once(setting.parameters, self.dataset))
        return ""

    def named_values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """Some of its values for `setting_of`: processes by the name of what they are."""
        if "processes" not in values or not self.at_once:
            return dict(values)
        key = f"{self.at_once} at once"  # no parameter has a name with spaces
        return {key if name == "processes" else name: one for name, one in values.items()}

    def compared_with(self, planned: Sequence[RunSpec]) -> str | None:
        """With what other than an answer of their own results are compared; empty for such a one.

        `planned`: all specs of its run.  None where the workload is not known here, so that nobody
        can say.
        """
        threads = (one.load.threads for one in planned if one.workload == self.workload)
        try:
            setting = self.known_setting
        except (SluiceError, ImportError):  # recorded elsewhere
            return None
        fewest = min(threads, default=self.load.threads)
        return setting.workload.compared_with(setting.parameters, fewest)

    def all_but(self, names: Collection[str]) -> Hashable:
        """What it is apart from these parameters and `BESIDE_THE_POINT`, by which it is grouped."""
        values = frozenset(
            (name, value)
            for name, value in self.values.items()
            if name not in names and name not in BESIDE_THE_POINT
        )
        return self.workload, self.dataset, values

    def varied(self, parameters_class: type[Any], changes: Mapping[str, object]) -> RunSpec:
        """The same spec with some load or workload parameters changed; raises UsageError."""
        own = {kind.name for kind in declared(parameters_class)}
        of_load = {kind.name for kind in declared(Load)}
        for name in changes:
            if name not in own | of_load and not has_own(parameters_class):
                raise UnknownName("parameter", name, tuple(sorted(own | of_load)))
        inside = {name: value for name, value in changes.items() if name not in of_load}
        outside = {name: value for name, value in changes.items() if name in of_load}
        return msgspec.structs.replace(
            self,
            parameters=values_of(build(parameters_class, self.parameters | inside)),
            load=build(Load, values_of(self.load) | outside),
        )


@dataclass(frozen=True)
class Setting:
    """A spec with its workload, and the workload's parameters, built."""

    spec: RunSpec
    workload: Workload[Any]
    parameters: Any

    def has_own(self, method: str) -> bool:
        """Whether the workload has that method itself, not by default."""
        return getattr(type(self.workload), method) is not getattr(Workload, method)


def differing(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """Names of the parameters in which the specs differ: the workload, then as declared."""
    pairs = [(spec.parameters, values_of(spec.load)) for spec in specs]
    names = dict.fromkeys(itertools.chain.from_iterable(itertools.chain.from_iterable(pairs)))
    every = [of_load | own for own, of_load in pairs]
    varying = [name for name in names if len({values.get(name) for values in every}) > 1]
    if len({spec.workload for spec in specs}) > 1:
        varying.insert(0, "workload")
    return tuple(varying)


BESIDE_THE_POINT = frozenset({"deadline", "stall", "timeout", "memory_limit", "seed"})
"""Parameters that do not change the question: limits of a trial, and its random choices."""

LINK = ("round_trip", "link_bandwidth", "request_rate")
"""Parameters of what stands before a server, of whatever workload."""
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
    "access_size", "bandwidth", "block_cache", "block_size", "chunk_cache", "chunk_size",
    "greedy_length", "java_heap", "link_bandwidth", "memory_limit", "need_size",
    "part_size", "range_cache", "subset",
})  # fmt: skip
"""Parameters whose declarations say `bytes`; not looked up, as results outlive their workloads."""
IN_SECONDS = frozenset({
    "backoff_base", "deadline", "duration", "idle", "latency", "round_trip", "stall", "timeout",
    "warm_up",
})  # fmt: skip
"""Parameters whose declarations say `seconds`."""
AT_ZERO: Mapping[str, str] = dict.fromkeys(IN_BYTES, "none") | {
    "block_cache": "5 % of the memory",
    "concurrency": "the library's own",
    "cores": "all",
    "duration": "until done",
    "idle": "never",
    "io_threads": "the library's own",
    "max_connections": "one for each thread",
    "operations": "any number",
    "pool_size": "one for each thread",
    "request_rate": "none",
    "round_trip": "none",
    "timeout": "none",
    "warm_up_operations": "by time",
}
"""The meaning of 0 where it is not an amount."""


def show_setting(name: str, value: Value) -> str:
    """A value of the named parameter within a sentence: `16 MiB` of `part_size`."""
    if isinstance(value, str):
        return tr_word(PLAIN[name, value]) if (name, value) in PLAIN else value
    if isinstance(value, bool):
        return show_value(value)
    if value == 0 and name in AT_ZERO:
        return tr_word(AT_ZERO[name])
    if isinstance(value, float) or name not in IN_BYTES:
        unit = " s" if isinstance(value, float) and name in IN_SECONDS else ""
        return f"{show_value(value)}{unit}"
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value % factor == 0:  # whole, so that different values do not look the same
            return f"{marked(f'{value // factor:,}')} {unit}"
    return f"{marked(f'{value:,}')} B"


def setting_text(name: str, value: Value) -> str:
    """`cache size 128`: a parameter and its value within a sentence."""
    return f"{named(name)} {show_setting(name, value)}"


def setting_of(values: Mapping[str, Value]) -> str:
    """`6 threads with cache LRU, one lock`; `4 processes` of one thread each; `8 files at once, 4
    threads each`.

    The one name of a setting in sentences, tables and plots.  An empty text says nothing.
    """
    count = _at_once_in(values) or _count_of(values.get("threads"), values.get("processes"))
    others = " · ".join(
        setting_text(name, value)
        for name, value in values.items()
        if name not in COUNTS and value != ""
    )
    if not (count and others):
        return count or others
    return tr("{threads} with {others}", threads=count, others=others)


COUNTS = ("threads", "processes", "files at once", "runs at once")
"""Names of what a setting has so many of, in values and in `RunSpec.named_values`."""


def _at_once_in(values: Mapping[str, Value]) -> str:
    """`8 files at once, 4 threads each`, `1 file at a time, 16 threads`; empty elsewhere."""
    if "files at once" in values:
        count = cast("int", values["files at once"])
        at_once = tr("1 file at a time", "{count} files at once", count=count)
    elif "runs at once" in values:
        count = cast("int", values["runs at once"])
        at_once = tr("1 run at a time", "{count} runs at once", count=count)
    else:
        return ""
    if (threads := values.get("threads")) is None:
        return at_once
    each = tr("1 thread", "{count} threads", count=cast("int", threads))
    if count == 1:
        return tr("{at_once}, {threads}", at_once=at_once, threads=each)
    return tr("{at_once}, {threads} each", at_once=at_once, threads=each)


def _count_of(threads: Value | None, processes: Value | None) -> str:
    """`2 processes of 4 threads`; one of either, beside the other, is not worth a word."""
    counts = []
    if processes is not None and (threads is None or processes != 1):
        counts.append(tr("1 process", "{count} processes", count=cast("int", processes)))
    if threads is not None and (not counts or threads != 1):
        counts.append(tr("1 thread", "{count} threads", count=cast("int", threads)))
    if counts[1:]:
        return tr("{processes} of {threads}", processes=counts[0], threads=counts[1])
    return "".join(counts)


def label(spec: RunSpec, names: Collection[str]) -> str:
    """Some parameters of a spec in one line, as `setting_of`; without any its workers."""
    values: dict[str, Value] = {"workload": spec.workload, **spec.values}
    of_names = spec.named_values({name: values[name] for name in names if name in values})
    workers = {"threads": spec.load.threads, "processes": spec.load.processes}
    return one_line(setting_of(of_names) or setting_of(workers))


def distinguishing(specs: Sequence[RunSpec], without: Collection[str] = ()) -> tuple[str, ...]:
    """Names of the parameters in which these specs differ, apart from the names in `without`.

    Parameters in `BESIDE_THE_POINT` are included only where some specs differ in nothing else.
    """
    names = _distinguishing([(spec,) for spec in specs])
    return tuple(name for name in names if name not in without)


def alike_but_for(one: RunSpec, two: RunSpec, names: Collection[str]) -> bool:
    """Whether they differ in nothing but these parameters and `BESIDE_THE_POINT`."""
    return one.all_but(names) == two.all_but(names)


def pair_labels(pairs: Sequence[tuple[RunSpec, RunSpec]]) -> list[tuple[str, str]]:
    """Names for the two sides of each pair, by the parameters in which all these specs differ.

    Parameters in `BESIDE_THE_POINT` are included only where some pairs differ in nothing else.
    Sides whose names would be equal are called A and B.
    """
    names = _distinguishing(pairs)
    if not names:
        return [("A", "B")] * len(pairs)
    labels = [(label(one, names), label(two, names)) for one, two in pairs]
    return [(f"A ({one})", f"B ({two})") if one == two else (one, two) for one, two in labels]


def _distinguishing(groups: Sequence[Sequence[RunSpec]]) -> Sequence[str]:
    """The parameters that tell groups of specs apart, those beside the point only if needed."""
    names = differing([spec for group in groups for spec in group])
    usual = [name for name in names if name not in BESIDE_THE_POINT]
    enough = len(_distinguished(groups, usual)) == len(_distinguished(groups, names))
    return usual if enough else names


def _distinguished(
    groups: Sequence[Sequence[RunSpec]], names: Sequence[str]
) -> set[tuple[Value | None, ...]]:
    distinct: set[tuple[Value | None, ...]] = set()
    for group in groups:
        values: list[dict[str, Value]] = [{"workload": one.workload, **one.values} for one in group]
        distinct.add(tuple(each.get(name) for each in values for name in names))
    return distinct


def subject_of(spec: RunSpec) -> str:
    """The command that a spec runs, in one line; empty where its workload runs none."""
    with suppress(SluiceError):  # its workload is of a later Sluice, or missing here
        setting = spec.known_setting
        if setting.has_own("subject"):
            return one_line(setting.workload.subject(setting.parameters))
    return ""


def subjects_of(specs: Iterable[RunSpec]) -> tuple[str, ...]:
    """The subjects of several specs, each once."""
    return tuple(dict.fromkeys(subject for spec in specs if (subject := subject_of(spec))))
