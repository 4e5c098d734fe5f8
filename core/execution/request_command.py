"""Writes a request as the command line that asks for the same.

The command line reads it and the window shows it, so the line means exactly what Start does.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from core.catalog import registry
from core.catalog.load import Load, load_kinds
from core.catalog.parameters import Flag, declared, own_kinds, written_in
from core.execution.search_space import COUNTED
from core.execution.way_to_measure import are_many, way_to_measure
from core.plan.limits import REPEATS
from core.plan.schedule import TURNS
from core.plan.sweep import Axis
from core.plan.sweep_axes import read_values, written, written_list, written_values

if TYPE_CHECKING:
    from core.catalog.parameters import Kind, Value
    from core.execution.request import Request
    from core.language.units import Seconds


def arguments(request: Request) -> list[str]:
    """The arguments of the command line that ask for the same; raises UnknownName, Unavailable.

    Values that are as declared, or as in the study, are left out.
    """
    kinds, usual, repeats, budget = _usual(request)
    if request.study:
        told = ["study", request.study]
    else:
        told = ["measure", request.workload, *_axes(request, kinds)]
    if request.dataset is not None:
        told += _option("--dataset", str(request.dataset))
    for name, value in _with_own_written(request).items():
        if value != usual[name]:
            told += _setting(kinds[name], value)
    kept = request.kept_terms
    told += [
        word
        for kind in request.known_terms
        if kind.name in kept
        for word in _setting(kind, kept[kind.name])
    ]
    told += _how(request, repeats, budget)
    whole = way_to_measure(request, everything=True)
    return told if way_to_measure(request) == whole else [*told, "--all"]


def _how(request: Request, repeats: int, budget: Seconds) -> list[str]:
    """The flags that say how to measure; `repeats` and `budget` are the defaults of the command."""
    told: list[str] = []
    if request.repeats != repeats and not request.search:
        told += ["--repeats", str(request.repeats)]
    if request.order_seed != 1:
        told += _option("--order-seed", str(request.order_seed))
    if request.turns != TURNS:
        told += _option("--turns", request.turns)
    if request.budget != budget:
        told += _option("--budget", f"{request.budget:g}")
    if request.cluster:
        told += _option("--cluster", request.cluster)
    if request.full and request.study:
        told.append("--full")
    if request.why and (request.search or not (request.axes or request.study)):
        told.append("--why")
    return told if request.floor else [*told, "--no-floor"]


def _usual(request: Request) -> tuple[dict[str, Kind], dict[str, Value], int, Seconds]:
    """The parameters, their default values, and the default number of repeats and budget."""
    if request.study:
        from core.study.preset import load_study

        found = load_study(request.study)
        kinds = {kind.name: kind for kind in declared(Load)}
        usual = {name: kind.default for name, kind in kinds.items()} | found.base
        return kinds, usual, found.repeats, found.budget
    workload = registry.load_workload(request.workload)
    own = own_kinds(workload.parameters, request.values)
    load = load_kinds(workload.usual_load())
    kinds = {kind.name: kind for kind in (*own, *declared(workload.parameters), *load)}
    return kinds, {name: kind.default for name, kind in kinds.items()}, REPEATS, 0.0


def _with_own_written(request: Request) -> dict[str, Value]:
    """The fixed values, with those of own parameters in the text that they are written in."""
    if request.study:
        return request.fixed
    parameters = registry.load_workload(request.workload).parameters
    text = written_in(parameters)
    names = {kind.name for kind in (*declared(parameters), *declared(Load))}
    told = {name: value for name, value in request.fixed.items() if name in names}
    usual = {kind.name: kind.default for kind in own_kinds(parameters, request.values)}
    if words := [
        f"{name}={shlex.quote(str(value))}"
        for name, value in request.fixed.items()
        if name not in names and value not in ("", usual.get(name))
    ]:
        told[text] = " ".join(filter(None, [str(told.get(text, "")), *words]))
    return told


def _setting(kind: Kind, value: Value) -> list[str]:
    if isinstance(kind, Flag):
        return [kind.flag if value else kind.flag.replace("--", "--no-", 1)]
    return _option(kind.flag, written(kind, value))


def _option(flag: str, text: str) -> list[str]:
    # A value that begins with a dash would look like the next option.
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _axes(request: Request, kinds: Mapping[str, Kind]) -> list[str]:
    """The axes as arguments; in a search `..` counts up, and is written where it is read so."""
    counted = COUNTED if request.search else ()
    told = {one.name: written_values(kinds[one.name], one.values, counted) for one in request.axes}
    plain = tuple(Axis(name, read_values(kinds[name], text)) for name, text in told.items())
    if request.search and not are_many(msgspec.structs.replace(request, axes=plain)):
        told = {one.name: written_list(kinds[one.name], one.values) for one in request.axes}
    return [f"{kinds[name].flag.removeprefix('--')}={text}" for name, text in told.items()]
