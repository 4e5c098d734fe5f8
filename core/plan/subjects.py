"""What specs measure in their user's own words, where a workload has such: a command."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from core.catalog import registry
from core.catalog.parameters import build
from core.catalog.workload import Workload
from core.errors import SluiceError
from core.language.invisible import one_line
from core.plan.spec import RunSpec


def subject_of(spec: RunSpec) -> str:
    """The command that a spec runs, in one line; empty where its workload has no such thing."""
    with suppress(SluiceError):  # of a later Sluice, or of a package that is missing here
        workload = registry.known_workload(spec.workload)
        if type(workload).subject is not Workload.subject:
            return one_line(workload.subject(build(workload.parameters, spec.parameters)))
    return ""


def subjects_of(specs: Iterable[RunSpec]) -> tuple[str, ...]:
    """Those of several specs, each once."""
    return tuple(dict.fromkeys(told for spec in specs if (told := subject_of(spec))))
