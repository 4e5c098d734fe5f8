"""One configuration of one workload on one dataset; its digest is its identity."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from core.catalog.dataset import Dataset
from core.catalog.load import Load
from core.catalog.parameters import Value, build, declared, has_own, values_of
from core.errors import UnknownName
from core.host.lab_credentials import lab_secret
from core.language.sanitise import remembered


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
        # Read from before a parameter was declared, a load lacks it where it is written again.
        told = values_of(self.load)
        if len(vars(self.load)) < len(told):
            msgspec.structs.force_setattr(self, "load", build(Load, told))

    @cached_property
    def digest(self) -> str:
        """Identity: 16 hexadecimal digits over everything the spec says."""
        import hashlib  # a trial's child needs no digest of its spec

        told = msgspec.json.encode(self, order="deterministic")
        return hashlib.blake2b(told, digest_size=8).hexdigest()

    @property
    def values(self) -> dict[str, Value]:
        """Load and workload parameters under one set of names."""
        return values_of(self.load) | self.parameters

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


def differing(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """Names of the parameters in which the specs differ: the workload, then as declared."""
    told = [(spec.parameters, values_of(spec.load)) for spec in specs]
    names = dict.fromkeys(itertools.chain.from_iterable(itertools.chain.from_iterable(told)))
    every = [of_load | own for own, of_load in told]
    varying = [name for name in names if len({values.get(name) for values in every}) > 1]
    if len({spec.workload for spec in specs}) > 1:
        varying.insert(0, "workload")
    return tuple(varying)


def secrets_of(specs: Iterable[RunSpec]) -> Mapping[str, str]:
    """The secrets that the specs refer to and this process knows, each with its reference.

    A keyring is not read, because it can prompt the user.  Others are known
    once a trial's child has told them: from a keyring, or from a driver's own chain of places.
    """
    found = dict(remembered())
    for spec in specs:
        for value in spec.parameters.values():
            if not isinstance(value, str):
                continue
            if re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", value):
                found[os.environ.get(value.removeprefix("env:"), "")] = value
            elif re.fullmatch(r"lab:[\w-]+/[\w-]+", value):
                found[lab_secret(value.removeprefix("lab:")) or ""] = value
    return found
