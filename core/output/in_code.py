"""How a measured setting is written in a user's own program: what *Copy for my code* offers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from core.catalog import registry
from core.catalog.declarations import build
from core.errors import SluiceError
from core.execution.request import Request
from core.output.card_values import Snippet
from core.plan.spec import RunSpec


def in_code(spec: RunSpec) -> tuple[Snippet, ...]:
    """The setting as its workload writes it, then for workflows, as JSON and as a command."""
    return tuple(_snippets(spec))


def _snippets(spec: RunSpec) -> Iterator[Snippet]:
    line = ""
    with suppress(SluiceError):  # of another version, or unknown here
        workload = registry.known_workload(spec.workload)
        own = build(workload.parameters, spec.parameters)
        for where, text in workload.in_code(own, spec.load, spec.dataset).items():
            yield Snippet(where=where, text=text)
        place = spec.dataset.path if spec.dataset.local else None
        line = Request(workload=spec.workload, values=spec.values, dataset=place).command_line()
    cores = spec.load.threads * spec.load.processes
    yield Snippet(where="Snakemake", text=f"threads: {cores}")
    yield Snippet(where="Nextflow", text=f"cpus {cores}")
    yield Snippet(where="JSON", text=msgspec.json.encode(spec.values).decode())
    if line:
        yield Snippet(where="Sluice", text=line)
