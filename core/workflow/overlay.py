"""The answer as an overlay, which a manager reads beside the pipeline: that stays as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from core.language import UsageError, tr
from core.workflow.whole_answer import WorkflowAnswer

_HEAD = "Written by Sluice: threads and memory as they were measured."


def overlay_of(answer: WorkflowAnswer) -> tuple[str, str]:
    """The name of the file, and its text."""
    if answer.recorded.manager == "snakemake":
        return "config.yaml", "\n".join(_snakemake(answer)) + "\n"
    return "sluice.config", "\n".join(_nextflow(answer)) + "\n"


def use_of(answer: WorkflowAnswer, folder: Path) -> str:
    """How the manager is told to read it."""
    if answer.recorded.manager == "snakemake":
        return f"snakemake --profile {folder}"
    return f"nextflow run … -c {folder / 'sluice.config'}"


def _snakemake(answer: WorkflowAnswer) -> Iterator[str]:
    yield f"# {_HEAD}"
    if answer.changes:
        yield "set-threads:"
        yield from (f"  {one.group.name}: {one.advised.threads}" for one in answer.changes)
    else:
        # Snakemake refuses a profile that has no mapping.
        yield "{}"
    memory = {one.group.name: one.memory() // 10**6 for one in answer.changes if one.memory()}
    if memory:
        yield "set-resources:"
        for name, megabytes in memory.items():
            yield from (f"  {name}:", f"    mem_mb: {megabytes}")


def _nextflow(answer: WorkflowAnswer) -> Iterator[str]:
    yield f"// {_HEAD}"
    yield "process {"
    for one in answer.changes:
        name = json.dumps(one.group.name)[1:-1].replace("'", "\\'")
        memory = one.memory() // 10**6
        more = f"; memory = '{memory} MB'" if memory else ""
        yield f"    withName: '{name}' {{ cpus = {one.advised.threads}{more} }}"
    yield "}"


def write_overlay(answer: WorkflowAnswer, folder: Path) -> Path:
    """Write it; raises UsageError where a file that Sluice has not written is in the way."""
    name, text = overlay_of(answer)
    path = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    if path.exists() and _HEAD not in path.read_text("utf-8", "replace")[:200]:
        raise UsageError(
            tr("{path} exists already, and Sluice has not written it", path=path),
            tr("choose another folder, which a second --profile or -c can name"),
        )
    path.write_text(text, "utf-8")
    return path
