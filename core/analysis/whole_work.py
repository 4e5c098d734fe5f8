"""Settings that leave out a part of the work: they explain others, and are never the answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from core.catalog import registry
from core.errors import SluiceError
from core.language.translation import tr
from core.plan.spec import named, show_setting
from core.result.result import Result


def whole(results: Sequence[Result]) -> list[Result]:
    """Those that do the whole work; all of them where none does, as then that is the question."""
    return [one for one in results if not part_of_work(one)] or list(results)


def part_of_work(result: Result) -> str:
    """`depth fetch`: what makes it a part of the work only; empty where it does all."""
    values = result.spec.parameters
    # A recorded workload may not be here any more.
    with suppress(SluiceError, ImportError):
        partial = registry.known_workload(result.spec.workload).partial
        for name, parts in partial.items():
            if values.get(name) in parts:
                return f"{named(name)} {show_setting(name, values[name])}"
    return ""


def refused_as_part(result: Result, results: Sequence[Result]) -> str:
    """Why it is no answer beside these; empty where it can be."""
    part = part_of_work(result)
    if not part or all(map(part_of_work, results)):
        return ""
    return tr("leaves out a part of the work ({part})", part=part)
