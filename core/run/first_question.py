"""The first question about data, an address or a workload: what is asked before anybody chooses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.language import DatasetError, SluiceError, UsageError, tr
from core.measure import RAW, expanded, find_dataset
from core.run.presets import COMMAND, Preset
from core.vocabulary import (
    THREADS,
    AnyFiles,
    Axis,
    Dataset,
    Text,
    Value,
    Workload,
    build,
    declared,
    load_kinds,
    own_kinds,
    registry,
)

if TYPE_CHECKING:
    from core.run.request import Request

_FIRST_TIME = 30.0
"""Seconds of a first answer, so that it comes within a minute."""
COUNTS = (1, 2, 4, 8)


def first_question(blank: Request, workload: str, kind: str = "") -> Request:
    """How many threads a workload takes, and what else it compares first, on a kind of dataset.

    `blank`: a request that asks nothing yet.
    """
    loaded = registry.load_workload(workload)
    kinds = (*declared(loaded.parameters), *load_kinds(loaded.usual_load()))
    values = {one.name: one.default_for(kind) for one in kinds}
    others = (Axis(name, tried) for name, tried in loaded.asked_first.get(kind, {}).items())
    return msgspec.structs.replace(
        blank,
        workload=workload,
        values=values,
        axes=(*_axes(loaded, {}), *others),
        budget=_FIRST_TIME,
        floor=False,
    )


_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.ASCII)
_FOR_A_SHELL = frozenset("|&;<>$`*?")


def is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None


def question_of_text(blank: Request, text: str) -> Request:
    """What somebody typed: a place, which is its dataset, an address, or a command.

    Raises UsageError.
    """
    text = text.strip()
    if is_address(text):
        return question_of_address(blank, text)
    place = expanded(text)
    is_path = text.startswith(("/", "~", "./", "../")) and " " not in text and "{" not in text
    if is_path or place.exists():
        return msgspec.structs.replace(blank, dataset=place)
    shell: dict[str, Value] = {"shell": True} if _FOR_A_SHELL & {*text} else {}
    first = first_question(blank, COMMAND)
    axes = (Axis(THREADS, COUNTS),) if "{threads}" in text else first.axes
    return msgspec.structs.replace(first, values={**first.values, "run": text, **shell}, axes=axes)


def question_of_address(blank: Request, address: str) -> Request:
    """How the workload that knows such addresses reads what is there; raises UsageError."""
    for workload, values in registry.takers_of(address):
        with suppress(SluiceError):  # its driver is missing
            question = first_question(blank, workload)
            return msgspec.structs.replace(question, values={**question.values, **values})
    # Of files their ending says enough: they are read by several schemes.
    patterns = (one for entry in registry.workloads().values() for one in entry.addresses)
    known = {one if one.endswith("*") else one.rpartition("/")[2] for one in patterns}
    raise UsageError(
        tr("no work here reads {address}", address=address),
        tr("type a path, a command, or such an address: {known}", known=", ".join(sorted(known))),
    )


def question_of_preset(blank: Request, name: str) -> Request:
    """How many threads a program takes; raises UnknownName, Unavailable."""
    preset = Preset.named(name)
    if not preset.installed:
        raise preset.missing
    asked = msgspec.structs.replace(blank, workload=COMMAND, values=preset.values)
    return msgspec.structs.replace(asked, axes=_axes(asked.declaration, preset.values))


def first_of_preset(blank: Request, name: str) -> Request:
    """The same with every other value as it usually is, and as short as any first question."""
    asked, first = question_of_preset(blank, name), first_question(blank, COMMAND)
    return msgspec.structs.replace(first, values={**first.values, **asked.values}, axes=asked.axes)


def _axes(workload: Workload[object], values: Mapping[str, Value]) -> tuple[Axis, ...]:
    return (Axis(THREADS, COUNTS),) if _has_threads(workload, values) else ()


def _has_threads(workload: Workload[object], values: Mapping[str, Value]) -> bool:
    with suppress(SluiceError):
        workload.admit_threads(build(workload.parameters, values))
        return True
    return False


def question_of_drop(
    blank: Request, dropped: Sequence[Path | str], chosen: Request
) -> tuple[Request, tuple[Path | str, ...]]:
    """What to ask about places and addresses dropped together, and which are no part of that.

    Whatever was chosen before, work and reader are those for the data.  What is used beside data,
    such as a list of regions, becomes a value of it, or of the chosen question.  Raises
    DatasetError, and UsageError for an address.
    """
    places = [one for one in dropped if isinstance(one, Path)]
    if len(places) < len(dropped):
        address, *more = [one for one in dropped if isinstance(one, str)]
        return question_of_address(blank, address), (*places, *more)
    used = _used_beside(chosen, places)
    if chosen.dataset is not None and len(used) == len(places):
        return msgspec.structs.replace(chosen, values={**chosen.values, **used}), ()
    datasets: dict[Path, Dataset] = {}
    refusals: list[SluiceError] = []
    for place in places:
        try:
            datasets[place] = _opened(place)
        except SluiceError as error:
            refusals.append(error)
    if not datasets:
        raise refusals[0]
    named_places = (place for place, one in datasets.items() if one.kind != AnyFiles.name)
    main = next(named_places, next(iter(datasets)))
    # Its path is without links, so it is told from the others by where it fell.
    dataset, others = datasets[main], [place for place in places if place != main]
    question = msgspec.structs.replace(_about(blank, dataset, chosen), dataset=dataset.path)
    used = _used_beside(question, others)
    unused = tuple(place for place in others if str(place) not in used.values())
    return msgspec.structs.replace(question, values={**question.values, **used}), unused


def _opened(place: Path) -> Dataset:
    """Raises SluiceError for what is damaged data of a known kind, or none at all."""
    dataset = registry.open_dataset(place)
    refusal = registry.refusal(place) if dataset.kind == AnyFiles.name else None
    if refusal is not None:
        raise refusal
    return dataset


def _about(blank: Request, dataset: Dataset, chosen: Request) -> Request:
    """The first question about a dataset; raises SluiceError where nothing can read it."""
    if dataset.kind == AnyFiles.name:
        return _about_files(blank, dataset.path, chosen)
    for name, entry in registry.workloads().items():
        with suppress(SluiceError):  # its driver is missing
            if dataset.kind in entry.workload().dataset_kinds:
                question = first_question(blank, name, dataset.kind)
                fitting = {**question.values, **question.values_that_fit(dataset)}
                return msgspec.structs.replace(question, values=fitting)
    raise DatasetError(
        tr("no work here reads {path}", path=dataset.path),
        tr("choose the work first, then this data"),
    )


def _about_files(blank: Request, place: Path, chosen: Request) -> Request:
    """Files of no known kind: for the work that was chosen, else for a preset, else in blocks."""
    if chosen.workload and not chosen.study:
        with suppress(SluiceError):
            find_dataset(chosen.workload, place)
            return chosen
    for offer in Preset.offered(place):
        if offer.suits and not offer.unavailable and "{dataset}" in offer.run:
            question = first_of_preset(blank, offer.name)
            own = own_kinds(question.declaration.parameters, question.values)
            if not any(isinstance(kind, Text) for kind in own):  # such as a reference: nobody knows
                return question
    return first_question(blank, RAW, AnyFiles.name)


def _used_beside(asked: Request, places: Iterable[Path]) -> dict[str, str]:
    """The values by which its workload uses these places."""
    if asked.study or not asked.workload:
        return {}
    workload = asked.declaration
    return {name: str(place) for place in places if (name := workload.takes(place))}
